// SPDX-License-Identifier: GPL-3.0-or-later
// XLA on GPUs: all-reduces of one program are combined up to a threshold of bytes.
#include "engine/base/phrase.h"
#include "engine/strategy/buckets.h"
#include "engine/strategy/launcher.h"
#include "engine/strategy/policy.h"

#include <fmt/format.h>

namespace syncopate::policy {

namespace {

constexpr double usualCombineThreshold = 30.0 * 1024 * 1024 + 7; ///< xla/service/collective_utils.h
constexpr std::size_t maxCombined = 256;                         ///< combine_threshold_count of gpu_compiler.cc

bool hidesLatency(const CommPolicy &policy) { return policy.value("latency_hiding_scheduler") == 1; }

/// collective_combiner_utils.h, CombineInstructionsByKey: all-reduces of one type in the post-order of the program, that of its
/// outputs, are combined while their bytes stay within the threshold; a larger one is passed over. A combined one starts when the
/// last of its gradients is ready. Without the latency-hiding scheduler its start and end stand side by side, and nothing
/// overlaps.
Result<std::vector<Fusion>> combine(const CommPolicy &policy, const Traffic &traffic) {
    return fillBuckets(traffic, {.closing = BucketClosing::SkipLarge,
                                 .limit = policy.value("all_reduce_combine"),
                                 .maxMessages = maxCombined,
                                 .registered = true,
                                 .afterBackward = !hidesLatency(policy)});
}

Result<std::string> writeFlags(const LauncherRequest &request) {
    const std::string system = "XLA";
    CommPolicy policy = request.policy;
    if (!policy.barrier)
        return fail("an XLA program ends when every gradient is reduced, and this policy has barrier=off", "simulate barrier=on");
    if (policy.algorithm != CollectiveAlgorithm::Ring)
        return fail("XLA leaves the all-reduce algorithm to NCCL", "simulate algorithm=ring");
    const auto way = TRY(commonWay(request.strategy, system));
    TRY(needAllReduce(way, system));
    TRY(refuseErrorFeedback(way.compressor, system));
    const std::int64_t threshold = TRY(roundToUnits(policy, "all_reduce_combine", 1, "bytes"));
    return settingsHeading(request, policy, system, "Source it before the training script: set -a; . FILE; set +a") +
           compressorComment(way.compressor, "cast gradients before they are averaged.") +
           fmt::format("# Bytes; flags that are set already stay.\nXLA_FLAGS=\"${{XLA_FLAGS:-}} "
                       "--xla_gpu_all_reduce_combine_threshold_bytes={} --xla_gpu_enable_latency_hiding_scheduler={}\"\n",
                       threshold, hidesLatency(policy));
}

constexpr Launcher flagsLauncher{"xla", "XLA", ".env", "XLA", "xla", writeFlags};

} // namespace

const Policy &xla() {
    static const Policy policy{
        .name = "xla",
        .about = translatable("XLA's all-reduces, combined in the order of the program"),
        .opens = ncclConnections,
        .parameters = {{.key = "all_reduce_combine", // xla_gpu_all_reduce_combine_threshold_bytes
                        .usual = usualCombineThreshold,
                        .knob = PolicyKnob{.id = "all_reduce_combine",
                                           .label = "Combine threshold",
                                           .about = "all-reduces are combined into one of up to this many bytes",
                                           .min = 64.0 * 1024,
                                           .max = 1024.0 * 1024 * 1024,
                                           .remedyFactors = {0.5, 2}}},
                       {.key = "latency_hiding_scheduler", // xla_gpu_enable_latency_hiding_scheduler
                        .unit = ParameterUnit::Choice,
                        .words = {"off", "on"},
                        .knob = overlapKnob()}},
        .fuse = combine,
        .fusedName = "all-reduce",
        .queues = [](const CommPolicy &,
                     const TrainingNodes &) { return Discipline{.channels = 1}; }, // ..collective_overlap_limit
        .assumption = "XLA's program returns the variables in the order in which the job lists them, which is the order in which "
                      "all-reduces are combined.",
        .launchers = {&flagsLauncher},
    };
    return policy;
}

} // namespace syncopate::policy
