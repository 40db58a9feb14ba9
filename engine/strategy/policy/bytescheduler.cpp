// SPDX-License-Identifier: GPL-3.0-or-later
// ByteScheduler: sends partitions by priority, within a credit.
#include "engine/base/phrase.h"
#include "engine/strategy/launcher.h"
#include "engine/strategy/policy.h"
#include "engine/strategy/variable_parts.h"

#include <fmt/format.h>
#include <optional>

namespace syncopate {

namespace {

/// ByteScheduler bytescheduler/common and its docs: sizes in parameters, of any type.
Result<std::string> writeEnvironment(const LauncherRequest &request) {
    const std::string system = "ByteScheduler";
    CommPolicy policy = request.policy;
    if (policy.barrier)
        return fail("ByteScheduler always lets a layer start once its own parameters are there, and this policy has barrier=on",
                    "simulate barrier=off, then export its settings");
    const auto way = TRY(commonWay(request.strategy, system));
    if (!way.sync)
        return fail("ByteScheduler orders synchronous training only, and the strategy is asynchronous", "choose sync=True");
    TRY(refuseErrorFeedback(way.compressor, system));
    if (policy.algorithm != CollectiveAlgorithm::Ring && way.kind == SynchronizerKind::AllReduce)
        return fail("ByteScheduler has no setting for the all-reduce algorithm", "simulate algorithm=ring");
    const auto [element, isMixed] = usualElementBytes(request.job);
    const double unit = static_cast<double>(element);
    const std::int64_t partition = TRY(roundPartition(policy, unit, "parameters"));
    // P3's slices are like partitions of which one may be in flight.
    const std::int64_t credit = policy.has("credit") ? TRY(roundToUnits(policy, "credit", unit, "parameters")) : partition;
    std::string text = settingsHeading(request, policy, system, "Source it before the training script: set -a; . FILE; set +a");
    text += settingsComment(fmt::format("Sizes count parameters; here one has {} bytes{}.", element,
                                        isMixed ? " (most of the job's bytes; other types differ)" : ""));
    text += compressorComment(way.compressor, "pass Compression.fp16 to the wrapped optimizer.");
    text += "USE_BYTESCHEDULER=1\n";
    text += fmt::format("# {} bytes\nBYTESCHEDULER_PARTITION={}\n", partition * element, partition);
    text += fmt::format("# {} bytes\nBYTESCHEDULER_CREDIT={}\n", credit * element, credit);
    text +=
        "# These settings are kept: no tuning while training.\nBYTESCHEDULER_CREDIT_TUNING=0\nBYTESCHEDULER_PARTITION_TUNING=0\n";
    if (way.kind == SynchronizerKind::ParameterServer)
        text += countAssignments(machinesOf(request.cluster, request.strategy));
    return text;
}

/// The release splits a tensor along its first dimension (bytescheduler/common/bytetask.py, partition): whole
/// rows. Bytes are the default, since the shapes of TensorFlow's kernels begin with their height, and three rows cut nothing.
enum class CutBy : std::uint8_t { Bytes, Rows };

Result<Cut> cut(const CommPolicy &policy, const TrainingNodes &) {
    if (!(policy.value("credit") > 0))
        return fail(fmt::format("nothing is sent with a credit of {} bytes", policy.value("credit")), "give a credit above 0");
    return Cut{.pieceBytes = policy.value("partition"),
               .sizes = static_cast<CutBy>(policy.value("cut")) == CutBy::Rows ? PieceSizes::Rows : PieceSizes::Even};
}

} // namespace

const Launcher &byteSchedulerLauncher() {
    static constexpr Launcher launcher{"bytescheduler", "ByteScheduler", ".env",
                                       "ByteScheduler", "bytescheduler", writeEnvironment};
    return launcher;
}

namespace {

enum class KeyHash : std::uint8_t { Strategy, MxNet };

/// MXNet's key-value store: partitions have consecutive keys, and ps-lite puts a key on server (key * 9973) mod servers.
std::optional<std::size_t> serverOf(const CommPolicy &policy, const Piece &piece) {
    if (static_cast<KeyHash>(policy.value("hash")) == KeyHash::Strategy)
        return {};
    return (piece.tensor + piece.part) * 9973 % piece.servers;
}

} // namespace

namespace policy {

const Policy &bytescheduler() {
    static const Policy policy{
        .name = "bytescheduler",
        .about = translatable("parts, most urgent first, within a credit that the last part may exceed"),
        .barrier = false,
        .opens = psLiteConnections,
        // The release counts 1,000,000 and 4,000,000 parameters, taken as float32 here.
        .parameters = {{.key = "partition", .usual = 4e6, .knob = partitionKnob()},
                       {.key = "credit", .usual = 16e6, .knob = creditKnob()},
                       {.key = "hash", .unit = ParameterUnit::Choice, .words = {"strategy", "mxnet"}}, // in the order of KeyHash
                       {.key = "cut", .unit = ParameterUnit::Choice, .words = {"bytes", "rows"}}},     // in the order of CutBy
        .joinsGroups = false,
        .cut = cut,
        .queues =
            [](const CommPolicy &self, const TrainingNodes &) {
                return Discipline{.creditBytes = self.value("credit"),
                                  .pullsOncePerNode = static_cast<KeyHash>(self.value("hash")) == KeyHash::MxNet}; // as p3
            },
        .serverOf = serverOf,
        .launchers = {&byteSchedulerLauncher()},
    };
    return policy;
}

} // namespace policy

} // namespace syncopate
