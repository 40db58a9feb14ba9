// SPDX-License-Identifier: GPL-3.0-or-later
// Horovod: gradients that become ready within a cycle are fused up to a threshold.
#include "engine/base/phrase.h"
#include "engine/strategy/launcher.h"
#include "engine/strategy/policy.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace syncopate::policy {

namespace {

constexpr double mebibyte = 1024.0 * 1024.0;
constexpr double longestCycle = 3600;
constexpr double shortestCycle = 1e-9; ///< seconds; anything shorter counts as no cycle at all

/// A gradient, ready at `seconds` after the start of the backward pass, and taken at `tick`, the end of its cycle.
struct Ready {
    std::size_t message;
    double seconds, tick;
    double cycle; ///< number of its cycle; without cycles its time
};

/// Collectives in the order of the cycles in which they become ready.
std::vector<Ready> queued(const Traffic &traffic, double cycleSeconds) {
    std::vector<Ready> queue;
    for (std::size_t m = 0; m < traffic.messages.size(); ++m) {
        if (!traffic.messages[m].isCollective)
            continue;
        const double ready = traffic.messages[m].readySeconds;
        double tick = ready, cycle = ready;
        if (cycleSeconds > shortestCycle) { // rounding must not cost a cycle
            cycle = std::ceil(ready / cycleSeconds * (1 - 1e-12));
            tick = std::max(ready, cycle * cycleSeconds);
        }
        queue.push_back({m, ready, tick, cycle});
    }
    std::stable_sort(queue.begin(), queue.end(), [](const Ready &a, const Ready &b) { return a.seconds < b.seconds; });
    return queue;
}

/// The type on the wire: only collectives of equal types are fused.
std::pair<DataType, bool> wireType(const Traffic &traffic, const Message &message) {
    const DataType type = traffic.job.variables[static_cast<std::size_t>(message.variables.front())].dtype;
    return {type, message.wireBytes != message.sizeBytes};
}

/// The background thread wakes up once per cycle, takes the all-reduces that became ready on all workers since then, in that
/// order, and fuses those of one type up to the threshold. One that does not fit may be skipped while fused and skipped bytes
/// together stay within it (FuseResponses). A larger one goes alone, as do sparse ones, which are gathered.
///
/// Cycles are counted from the start of the backward pass on the slowest worker, whose gradients become ready at times that
/// nothing else affects. Negotiation between the workers is free.
Result<std::vector<Fusion>> fuseCycles(const CommPolicy &policy, const Traffic &traffic) {
    const double cycleSeconds = policy.value("cycle"), fusionBytes = policy.value("fusion");
    if (!(cycleSeconds >= 0 && cycleSeconds <= longestCycle))
        return fail(fmt::format("a cycle of {} s cannot be simulated", cycleSeconds),
                    fmt::format("give 0 to {} s", longestCycle));
    std::vector<Fusion> fused;
    for (std::size_t m = 0; m < traffic.messages.size(); ++m)
        if (!traffic.messages[m].isCollective)
            fused.push_back({.messages = {m}});

    const std::vector<Ready> queue = queued(traffic, cycleSeconds);
    const double unitBytes = 8 * 64 * std::max(1.0, traffic.nodes.maxReplicas); // Horovod's FUSION_BUFFER_ATOMIC_UNIT
    const double threshold = fusionBytes > 0 ? std::ceil(fusionBytes / unitBytes) * unitBytes : 0;
    std::vector<bool> taken(queue.size(), false);
    std::int64_t launched = 0;
    for (std::size_t first = 0; first < queue.size(); ++first) {
        if (taken[first])
            continue;
        const Message &head = traffic.messages[queue[first].message];
        const auto type = wireType(traffic, head);
        Fusion whole{.messages = {queue[first].message}, .priority = launched++}; // keeps this order within a cycle
        double last = queue[first].seconds, bytes = head.wireBytes, skipped = 0;
        for (std::size_t i = first + 1; i < queue.size() && !head.isSparse && queue[i].cycle == queue[first].cycle; ++i) {
            const Message &other = traffic.messages[queue[i].message];
            if (taken[i])
                continue;
            if (!other.isSparse && wireType(traffic, other) == type && bytes + other.wireBytes <= threshold) {
                whole.messages.push_back(queue[i].message);
                bytes += other.wireBytes;
                last = queue[i].seconds;
                taken[i] = true;
                continue;
            }
            skipped += other.wireBytes;
            if (bytes + skipped > threshold)
                break;
        }
        whole.launchDelaySeconds = std::max(0.0, queue[first].tick - last);
        fused.push_back(std::move(whole));
    }
    return fused;
}

/// Writes the environment (threshold in bytes) or, if `config`, the file for `horovodrun --config-file` (MiB); cycles in ms.
Result<std::string> writeSettings(const LauncherRequest &request, bool config) {
    const std::string system = "Horovod";
    CommPolicy policy = request.policy;
    const double cycleSeconds = policy.value("cycle");
    if (!policy.barrier)
        return fail("Horovod's optimizer waits for every gradient before it steps, and this policy has barrier=off",
                    "simulate barrier=on, or ByteScheduler, which crosses the barrier");
    const auto way = TRY(commonWay(request.strategy, system));
    TRY(needAllReduce(way, system));
    TRY(refuseErrorFeedback(way.compressor, system));
    const bool hierarchical = policy.algorithm == CollectiveAlgorithm::Hierarchical;
    if (policy.algorithm != CollectiveAlgorithm::Ring && !hierarchical)
        return fail("Horovod has settings for ring and hierarchical all-reduce only",
                    "simulate algorithm=ring or algorithm=hierarchical");
    if (!(cycleSeconds >= 0) || !std::isfinite(cycleSeconds))
        return fail("the cycle is not a time", "choose 0 s or more");
    std::int64_t threshold = 0;
    if (policy.value("fusion") != 0)
        threshold = TRY(config ? roundToUnits(policy, "fusion", mebibyte, "MiB, which the config file counts in")
                               : roundToUnits(policy, "fusion", 1, "bytes"));
    const double cycleMilliseconds = std::round(cycleSeconds * 1e12) / 1e9; // so that 1e-3 s gives 1 ms, not 1.0000000000000002
    const std::string compressor =
        compressorComment(way.compressor, "pass compression=hvd.Compression.fp16 to DistributedOptimizer.");
    if (config)
        return settingsHeading(request, policy, system, "Use it with: horovodrun --config-file FILE ...") + compressor +
               fmt::format(
                   "params:\n  # MiB\n  fusion_threshold_mb: {}\n  # ms\n  cycle_time_ms: {}\n  hierarchical_allreduce: {}\n"
                   "autotune:\n  enabled: false\n",
                   threshold, cycleMilliseconds, hierarchical);
    return settingsHeading(request, policy, system, "Source it before the training script: set -a; . FILE; set +a") + compressor +
           fmt::format("# Bytes\nHOROVOD_FUSION_THRESHOLD={}\n# ms\nHOROVOD_CYCLE_TIME={}\nHOROVOD_HIERARCHICAL_ALLREDUCE={}\n"
                       "HOROVOD_AUTOTUNE=0\n",
                       threshold, cycleMilliseconds, hierarchical ? 1 : 0);
}

constexpr Launcher environment{"horovod", "Horovod, environment",
                               ".env",    "Horovod",
                               "horovod", [](const LauncherRequest &request) { return writeSettings(request, false); }};
constexpr Launcher configFile{"horovod-yaml", "Horovod, config file",
                              ".yml",         "Horovod",
                              "horovod",      [](const LauncherRequest &request) { return writeSettings(request, true); }};

} // namespace

const Policy &horovod() {
    static const Policy policy{
        .name = "horovod",
        .about = translatable("gradients that became ready within a cycle, fused"),
        .opens = ncclConnections,
        .parameters =
            {{.key = "fusion", // HOROVOD_FUSION_THRESHOLD
              .usual = 128 * mebibyte,
              .words = {"0", "off"}, // every tensor alone
              .knob =
                  PolicyKnob{.id = "fusion",
                             .label = "Fusion buffer",
                             .about =
                                 "gradients that became ready within a cycle are fused into all-reduces of up to this many bytes",
                             .min = 64.0 * 1024,
                             .max = 1024 * mebibyte,
                             .remedyFactors = {0.5}}},
             {.key = "cycle",
              .unit = ParameterUnit::Seconds,
              .usual = 1e-3,
              .knob = PolicyKnob{.id = "cycle",
                                 .label = "Cycle",
                                 .about = "the time between two checks for gradients that became ready",
                                 .min = 1e-5,
                                 .max = 0.1}}}, // HOROVOD_CYCLE_TIME
        .fuse = fuseCycles,
        .fusedName = "fusion",
        .assumption = "Horovod's cycles are counted from the start of each backward pass; negotiation and the copies into and "
                      "out of the fusion buffer are free.",
        .launchers = {&environment, &configFile},
    };
    return policy;
}

} // namespace syncopate::policy
