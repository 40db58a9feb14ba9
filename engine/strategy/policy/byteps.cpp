// SPDX-License-Identifier: GPL-3.0-or-later
// BytePS: parts pass through stages (the sum over a machine's devices, push, pull, copies to the devices) independently of each
// other. The first stage takes them by priority, and only if they fit into the remaining credit.
#include "engine/base/phrase.h"
#include "engine/strategy/byteps_partition.h"
#include "engine/strategy/launcher.h"
#include "engine/strategy/policy.h"

#include <cmath>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace syncopate::policy {

namespace {

struct Sizes {
    double partition, credit;
};

/// The partition in whole pages, and the credit, which BytePS counts in such partitions.
Sizes rounded(const CommPolicy &policy, const TrainingNodes &nodes) {
    const double given = policy.value("partition"), partition = bytePsPartition(given, nodes.maxReplicas);
    return {partition, policy.value("credit") / given * partition};
}

Result<Cut> cut(const CommPolicy &policy, const TrainingNodes &nodes) {
    const Sizes sizes = rounded(policy, nodes);
    if (!(sizes.credit >= sizes.partition))
        return fail(fmt::format("BytePS sends nothing with a credit of {:.0f} bytes and partitions of {:.0f}", sizes.credit,
                                sizes.partition),
                    "give a credit of at least one partition");
    return Cut{.pieceBytes = sizes.partition, .sizes = PieceSizes::Full};
}

Discipline queues(const CommPolicy &policy, const TrainingNodes &nodes) {
    return {.creditBytes = rounded(policy, nodes).credit,
            .strictCredit = true,
            .creditOfNodeSum = true, // the queue REDUCE is the only one that is scheduled (scheduled_queue.cc)
            .serverThreads = static_cast<std::int32_t>(policy.value("engine_threads")),
            .pullsOncePerNode = true}; // the root device's PULL, then COPYH2D and BROADCAST (operations.cc, GetPullQueueList)
}

enum class KeyHash : std::uint8_t { Djb2, Naive, BuiltIn, Sdbm, Mixed, Strategy };

/// In the order of KeyHash; but for the last, as BYTEPS_KEY_HASH_FN names them.
const std::vector<std::string> &keyHashNames() {
    static const std::vector<std::string> names{"djb2", "naive", "built_in", "sdbm", "mixed", "strategy"};
    return names;
}

std::uint64_t djb2(std::uint64_t key) {
    std::uint64_t hash = 5381;
    for (const char c : std::to_string(key))
        hash = hash * 33 + static_cast<std::uint64_t>(c);
    return hash;
}

std::uint64_t sdbm(std::uint64_t key) {
    std::uint64_t hash = 0;
    for (const char c : std::to_string(key))
        hash = static_cast<std::uint64_t>(c) + (hash << 6) + (hash << 16) - hash;
    return hash;
}

/// Mixed mode: servers on training nodes get less, so that all NICs carry the same. BytePS numbers the other servers first.
std::size_t mixedServer(std::uint64_t key, const Piece &piece) {
    constexpr std::uint64_t bound = 101; // BYTEPS_MIXED_MODE_BOUND
    const double apart = static_cast<double>(piece.servers - piece.colocatedServers),
                 workers = static_cast<double>(piece.workers);
    if (piece.colocatedServers == 0 || apart == 0)
        return djb2(key) % piece.servers;
    const double share = 2 * apart * (workers - 1) / (workers * (workers + apart) - 2 * apart);
    const std::uint64_t place = djb2(key) % bound;
    if (static_cast<double>(place) < share * static_cast<double>(bound))
        return djb2(place) % (piece.servers - piece.colocatedServers);
    return piece.servers - piece.colocatedServers + djb2(place) % piece.colocatedServers;
}

/// BytePS byteps/common/global.cc: chooses a server by a hash of the key, (tensor << 16) + part. Its PyTorch plug-in numbers
/// tensors in alphabetical order.
std::optional<std::size_t> serverOf(const CommPolicy &policy, const Piece &piece) {
    const std::uint64_t key = (static_cast<std::uint64_t>(piece.tensor) << 16) + piece.part;
    switch (static_cast<KeyHash>(policy.value("hash"))) {
    case KeyHash::Djb2:
        return djb2(key) % piece.servers;
    case KeyHash::Naive:
        return ((key >> 16) + (key % 65536)) * 9973 % piece.servers;
    case KeyHash::BuiltIn:
        return std::hash<std::string>()(std::to_string(key)) % piece.servers;
    case KeyHash::Sdbm:
        return sdbm(key) % piece.servers;
    case KeyHash::Mixed:
        return mixedServer(key, piece);
    case KeyHash::Strategy:
        break;
    }
    return {};
}

/// BytePS docs/env.md: partition in bytes, credit in partitions.
Result<std::string> writeEnvironment(const LauncherRequest &request) {
    const std::string system = "BytePS";
    CommPolicy policy = request.policy;
    const auto way = TRY(commonWay(request.strategy, system));
    if (way.kind != SynchronizerKind::ParameterServer)
        return fail("the strategy all-reduces, and BytePS works through servers",
                    "choose a PS strategy, or export to Horovod or DDP");
    const bool limits = policy.value("credit") < unlimitedBytePsCreditBytes;
    const std::int64_t partition = TRY(roundPartition(policy, 1, "bytes"));
    const Machines machines = machinesOf(request.cluster, request.strategy);
    const double rounded = bytePsPartition(static_cast<double>(partition), machines.maxReplicas);
    if (rounded > maxBytePsPartitionBytes) {
        const std::string up =
            rounded > static_cast<double>(partition) ? fmt::format(", which BytePS rounds up to {:.0f},", rounded) : "";
        return fail(fmt::format("a partition of {} bytes{} is more than BYTEPS_PARTITION_BYTES can hold", partition, up),
                    fmt::format("choose {:.0f} bytes or less", largestBytePsPartition(machines.maxReplicas)));
    }
    std::int64_t credit = 0;
    if (limits)
        credit = TRY(roundToUnits(policy, "credit", static_cast<double>(partition), "partitions"));
    else
        policy.set("credit", unlimitedBytePsCreditBytes);
    for (const Variable &variable : request.job.variables)
        if (static_cast<double>(variable.sizeBytes()) / rounded > maxBytePsParts)
            return fail(fmt::format("variable '{}' would have more than {} partitions", variable.name, maxBytePsParts),
                        "choose a larger partition");
    std::string text =
        settingsHeading(request, policy, system,
                        "Source it on every machine before bpslaunch: set -a; . FILE; set +a. Role, id and root are yours.");
    text += fmt::format("# Bytes, in whole pages for each device of a machine, to which BytePS rounds {} up.\n", partition);
    text += fmt::format("BYTEPS_PARTITION_BYTES={:.0f}\n", rounded);
    text += fmt::format("# Partitions that a machine's GPUs sum at once; 0 = no limit.\nBYTEPS_SCHEDULING_CREDIT={}\n", credit);
    text += countAssignments(machines);
    text += fmt::format("BYTEPS_SERVER_ENGINE_THREAD={:.0f}\n", policy.value("engine_threads"));
    text += fmt::format("BYTEPS_ENABLE_ASYNC={}\n", way.sync ? 0 : 1);
    const auto hash = static_cast<std::size_t>(policy.value("hash"));
    if (static_cast<KeyHash>(hash) == KeyHash::Strategy)
        text +=
            "# BytePS spreads partitions over the servers by a hash of their keys: the strategy's placement is not a setting.\n";
    else
        text += fmt::format("BYTEPS_KEY_HASH_FN={}\n", keyHashNames()[hash]);
    if (static_cast<KeyHash>(hash) == KeyHash::Mixed)
        text += "BYTEPS_ENABLE_MIXED_MODE=1\n";
    if (!policy.barrier)
        text += "# barrier=off: in PyTorch, wrap the optimizer with byteps.torch.cross_barrier.CrossBarrier.\n";
    return text;
}

constexpr Launcher launcher{"byteps", "BytePS", ".env", "BytePS", "byteps", writeEnvironment};

} // namespace

const Policy &byteps() {
    static const Policy policy{
        .name = "byteps",
        .about = translatable("parts; sums over a machine's devices go by priority, never more than the credit"),
        .opens = psLiteConnections,
        .parameters = {{.key = "partition", .usual = 4096000, .knob = partitionKnob()}, // BYTEPS_PARTITION_BYTES
                       {.key = "credit",
                        .unit = ParameterUnit::BytesOrCount,
                        .usual = unlimitedBytePsCreditBytes,
                        .words = {"off", "0"},
                        .meaning = unlimitedBytePsCreditBytes,
                        .counts = "partition",
                        .countsAs = "BYTEPS_SCHEDULING_CREDIT",
                        .maxCountedBytes = unlimitedBytePsCreditBytes,
                        .knob = creditKnob()},
                       {.key = "engine_threads", // BYTEPS_SERVER_ENGINE_THREAD
                        .unit = ParameterUnit::Integer,
                        .usual = 4,
                        .min = 1},
                       {.key = "hash", .unit = ParameterUnit::Choice, .words = keyHashNames()}},
        .joinsGroups = false,
        .cut = cut,
        .queues = queues,
        .serverOf = serverOf,
        .assumption =
            "The credit orders and limits the sums over a machine's devices alone, as in BytePS's release: with one device a "
            "machine it changes nothing, and pushes go first come, first served. All-reduces, which BytePS does not have, hold "
            "it to their end. A server's engine threads share all that its host does, messages included.",
        .launchers = {&launcher},
    };
    return policy;
}

} // namespace syncopate::policy
