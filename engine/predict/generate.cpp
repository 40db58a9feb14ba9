// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/generate.h"

#include "engine/predict/trace_player.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace syncopate {

namespace {

constexpr double slowestLink = 1e-6; ///< bytes/s: even the largest variable takes a finite time

Result<void> checkMachines(const StepSet &set, const PredictMachines &machines) {
    const auto nodes = static_cast<std::int32_t>(machines.nodeBytesPerSecond.size());
    const auto known = [&](std::int32_t node) { return node >= 0 && node < nodes; };
    if (machines.workerNode.empty() || machines.workerNode.size() > 100000 ||
        machines.workerScale.size() != machines.workerNode.size())
        return fail(fmt::format("{} workers", machines.workerNode.size()), "simulate 1 to 100000");
    if (machines.serverNode.size() != static_cast<std::size_t>(set.graph.servers))
        return fail(fmt::format("the steps use {} servers, the cluster has {}", set.graph.servers, machines.serverNode.size()),
                    "place the variables on the servers there are");
    TRY(checkConnections(static_cast<std::int64_t>(machines.workerNode.size()), set.graph.servers));
    for (const auto *list : {&machines.workerNode, &machines.serverNode})
        if (!std::all_of(list->begin(), list->end(), known))
            return fail("a worker or server is on no node", "number nodes from 0");
    for (const double rate : machines.nodeBytesPerSecond)
        if (!(rate >= slowestLink) || !std::isfinite(rate))
            return fail(fmt::format("a link of {} bytes/s", rate), "give every node a bandwidth");
    if (!machines.nodeNics.empty() && (machines.nodeNics.size() != machines.nodeBytesPerSecond.size() ||
                                       *std::min_element(machines.nodeNics.begin(), machines.nodeNics.end()) < 1))
        return fail("a node without a NIC", "give every node one or more");
    const ConnectionLimits &limits = machines.limits;
    for (const double limit : {limits.rackBytesPerSecond, limits.acrossBytesPerSecond})
        if (!(limit >= slowestLink))
            return fail(fmt::format("a connection of {} bytes/s at most", limit), "give a flow limit above 0, or none");
    if (!limits.rackOf.empty() && limits.rackOf.size() != machines.nodeBytesPerSecond.size())
        return fail("a node without a rack", "give every node one, or none any");
    for (const double scale : machines.workerScale)
        if (!(scale > 0) || !std::isfinite(scale))
            return fail(fmt::format("a worker of speed {}", scale), "give every worker a positive speed");
    if (!(machines.messageSeconds >= 0 && machines.messageSeconds < 60))
        return fail(fmt::format("{} s per message", machines.messageSeconds), "give 0 to 60 s");
    return {};
}

Result<void> checkOptions(const StepSet &set, const GenerateOptions &options) {
    if (options.steps < 1 || options.warmUp < 0 || options.steps > 10'000'000 || options.warmUp > 10'000'000)
        return fail(fmt::format("{} steps after {} that are left out", options.steps, options.warmUp),
                    "simulate 1 to 10 million");
    if (!(options.warmUpSeconds >= 0 && options.warmUpSeconds <= 1e6 && options.countedSeconds >= 0 &&
          options.countedSeconds <= 1e6) ||
        (options.countedSeconds > 0 && options.stopEach))
        return fail(fmt::format("{} s after {} s that are left out", options.countedSeconds, options.warmUpSeconds),
                    "simulate up to 1e6 s, without an end of every worker's own, or count steps");
    if (options.sharedCores < 0 || options.sharedCores > 1'000'000)
        return fail(fmt::format("{} cores shared by all workers", options.sharedCores), "give 1 or more, or 0 for none");
    if (!(options.windowBytes > 0))
        return fail(fmt::format("a window of {} bytes", options.windowBytes), "give a positive size, or off");
    TRY(checkBackground(options.background));
    const TcpOptions &tcp = options.tcp;
    if (!(tcp.windowBytes >= 1460 && std::isfinite(tcp.windowBytes) && tcp.segmentBytes >= 1460 && tcp.burstBytes >= 0 &&
          std::isfinite(tcp.burstBytes) && tcp.sendBufferBytes >= 0 && tcp.smallQueueSeconds >= 0))
        return fail(fmt::format("TCP windows of {} bytes, segments of {}, bursts of {}", tcp.windowBytes, tcp.segmentBytes,
                                tcp.burstBytes),
                    "give windows and segments of 1460 bytes or more, and bursts of 0 or more");
    if (!options.transferRank.empty() && options.transferRank.size() != set.graph.ops.size())
        return fail("the order does not rank every op", "rank them all, or none");
    if (options.staleness >= 0 && !set.graph.nextEdges.empty())
        return fail("bounded staleness needs steps that follow one another whole", "leave the per-layer overlap of steps off");
    return {};
}

} // namespace

Result<void> checkConnections(std::int64_t workers, std::int64_t servers) {
    if (workers * servers <= maxConnections)
        return {};
    return fail(fmt::format("{} workers have {} connections with {} servers, more than the {} that are played", workers,
                            workers * servers, servers, maxConnections),
                fmt::format("ask for at most {} workers, or for fewer servers", maxConnections / servers));
}

Result<Generated> generateTrace(const StepSet &set, const PredictMachines &machines, const GenerateOptions &options,
                                const std::stop_token &stop, Progress *progress) {
    TRY(validateStepSet(set));
    TRY(checkMachines(set, machines));
    TRY(checkOptions(set, options));
    Generated out;
    TracePlayer player(set, machines, options, out);
    if (!player.run(stop, progress))
        return cancelled();
    player.report();
    return out;
}

} // namespace syncopate
