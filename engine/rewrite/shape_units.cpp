// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/shape_units.h"

#include "engine/rewrite/sync_units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

/// Seconds from the start of the backward pass, which runs without gaps, until each layer's gradients are ready.
std::vector<double> gradientReadySeconds(const Job &job, double computeScale) {
    std::vector<double> readyAt(job.layers.size(), 0);
    double now = 0;
    for (std::size_t l = job.layers.size(); l-- > 0;) {
        now += job.layers[l].backwardSeconds / computeScale;
        for (const std::int32_t v : job.layers[l].variables)
            now += job.variables[static_cast<std::size_t>(v)].gradientBytes() * job.hostSecondsPerByteBeforeSend;
        readyAt[l] = now;
    }
    return readyAt;
}

/// A policy's view of `units`; its messages refer to their variables.
Traffic trafficOf(const Job &job, const std::vector<SyncUnit> &units, const TrainingNodes &nodes) {
    Traffic traffic{job, {}, owningLayers(job), nodes};
    const std::vector<double> readyAt = gradientReadySeconds(job, nodes.minComputeScale);
    traffic.messages.reserve(units.size());
    for (const SyncUnit &unit : units)
        traffic.messages.push_back({.variables = unit.variables,
                                    .lastLayer = unit.lastLayer,
                                    .isCollective = unit.kind == SynchronizerKind::AllReduce,
                                    .isSparse = unit.sparse,
                                    .sizeBytes = unit.sizeBytes,
                                    .wireBytes = unit.wireBytes,
                                    .readySeconds = readyAt[unit.lastLayer.index()]});
    return traffic;
}

/// Checks that every message is in exactly one Fusion, that only collectives are fused, and that the unit that launches one
/// exists.
bool isPartition(const std::vector<Fusion> &fused, const std::vector<SyncUnit> &units) {
    std::vector<bool> seen(units.size(), false);
    std::size_t count = 0;
    for (const Fusion &fusion : fused)
        for (const std::size_t m : fusion.messages) {
            if (m >= units.size() || seen[m] || (fusion.messages.size() > 1 && units[m].kind != SynchronizerKind::AllReduce))
                return false;
            seen[m] = true;
            ++count;
        }
    const auto isAsked = [&](const Fusion &fusion) { return !fusion.launchedBy || *fusion.launchedBy < units.size(); };
    if (!std::all_of(fused.begin(), fused.end(), isAsked))
        return false;
    return count == units.size() &&
           std::none_of(fused.begin(), fused.end(), [](const Fusion &fusion) { return fusion.messages.empty(); });
}

std::vector<SyncUnit> merged(std::vector<SyncUnit> units, const std::vector<Fusion> &fused, const std::string &name) {
    std::vector<SyncUnit> whole;
    whole.reserve(fused.size());
    std::int32_t group = 0;
    std::vector<LayerId> lastLayers; // units are moved from below
    lastLayers.reserve(units.size());
    for (const SyncUnit &unit : units)
        lastLayers.push_back(unit.lastLayer);
    for (const Fusion &fusion : fused) {
        SyncUnit unit = std::move(units[fusion.messages.front()]);
        unit.reduction = Reduction::AllReduce; // as all systems with buckets of their own do
        for (std::size_t m = 1; m < fusion.messages.size(); ++m)
            mergeUnits(unit, units[fusion.messages[m]]);
        unit.launchDelaySeconds = fusion.launchDelaySeconds;
        unit.isRoot = fusion.isRoot;
        unit.afterBackward = fusion.afterBackward;
        unit.launchLayer = fusion.launchedBy ? lastLayers[*fusion.launchedBy] : LayerId();
        unit.priority = fusion.priority.value_or(unit.priority);
        if (unit.kind == SynchronizerKind::AllReduce) {
            unit.group = group++;
            nameFused(unit, name.c_str());
        }
        whole.push_back(std::move(unit));
    }
    return whole;
}

} // namespace

TrainingNodes trainingNodes(const Cluster &cluster) {
    TrainingNodes nodes;
    double replicas = 0;
    for (const std::int32_t n : cluster.trainingNodes()) {
        const Node &node = cluster.nodes[static_cast<std::size_t>(n)];
        nodes.minComputeScale = std::min(nodes.minComputeScale, node.computeScale);
        nodes.minBytesPerSecond = std::min(nodes.minBytesPerSecond, node.bandwidthBytesPerSecond * cluster.linkEfficiency);
        nodes.maxReplicas = std::max<double>(nodes.maxReplicas, node.replicaCount());
        replicas += node.replicaCount();
    }
    nodes.replicas = std::max(1.0, replicas);
    return nodes;
}

Result<std::vector<SyncUnit>> shapeUnits(const Job &job, std::vector<SyncUnit> units, const CommPolicy &policy,
                                         const TrainingNodes &nodes) {
    const Policy &kind = policy.kind();
    if (disciplineOf(policy, nodes).pullsOncePerNode)
        for (SyncUnit &unit : units)
            unit.localReplication = unit.kind == SynchronizerKind::ParameterServer && !unit.sparse;
    if (kind.fuse) {
        const auto fused = TRY(kind.fuse(policy, trafficOf(job, units, nodes)));
        if (!isPartition(fused, units))
            return internalError(fmt::format("the policy '{}' loses or repeats messages", kind.name));
        units = merged(std::move(units), fused, kind.fusedName);
    } else if (kind.joinsGroups) {
        units = fuseGroups(std::move(units));
    }
    if (kind.order) {
        const auto priorities = TRY(kind.order(policy, trafficOf(job, units, nodes)));
        if (priorities.size() != units.size())
            return internalError(fmt::format("the policy '{}' does not order every message", kind.name));
        for (std::size_t i = 0; i < units.size(); ++i)
            units[i].priority = priorities[i];
    }
    if (!kind.cut)
        return units;
    return sliceUnits(job, std::move(units), TRY(kind.cut(policy, nodes)));
}

} // namespace syncopate
