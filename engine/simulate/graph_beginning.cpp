// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/graph_beginning.h"

#include <algorithm>
#include <cstddef>

namespace syncopate {

namespace {

template <class Column> bool begins(const Column &column, const Column &longer) {
    return column.size() <= longer.size() && std::equal(column.begin(), column.end(), longer.begin());
}

bool sameNetwork(const LinkPaths &a, const LinkPaths &b) {
    const auto sameLink = [](const FluidLink &x, const FluidLink &y) {
        return x.bytesPerSecond == y.bytesPerSecond && x.burstBytes == y.burstBytes && x.opposite == y.opposite;
    };
    return a.linkModel == b.linkModel && std::equal(a.links.begin(), a.links.end(), b.links.begin(), b.links.end(), sameLink) &&
           a.pathOffsets == b.pathOffsets && a.pathHops == b.pathHops && a.pathLimits == b.pathLimits &&
           a.capacityChanges == b.capacityChanges;
}

bool sameQueue(const TaskQueue &a, const TaskQueue &b) {
    return a.slotCount == b.slotCount && a.windowBytes == b.windowBytes && a.strictWindow == b.strictWindow &&
           a.byPriority == b.byPriority;
}

bool sameRing(const RingShape &a, const RingShape &b) {
    const auto sameLane = [](const RingLane &x, const RingLane &y) {
        return x.path == y.path && x.fixedSeconds == y.fixedSeconds;
    };
    return a.steps == b.steps && std::equal(a.lanes.begin(), a.lanes.end(), b.lanes.begin(), b.lanes.end(), sameLane);
}

/// A task's successors are in the order in which their edges were added.
bool edgesBegin(const TaskGraph &graph, const TaskGraph &longer) {
    for (std::size_t t = 0; t < graph.size(); ++t) {
        const std::uint32_t count = graph.successorOffsets[t + 1] - graph.successorOffsets[t];
        const auto own = graph.successors.begin() + graph.successorOffsets[t];
        const auto other = longer.successors.begin() + longer.successorOffsets[t];
        const auto otherEnd = longer.successors.begin() + longer.successorOffsets[t + 1];
        if (otherEnd - other < static_cast<std::ptrdiff_t>(count) || !std::equal(own, own + count, other) ||
            std::any_of(other + count, otherEnd, [&](TaskId child) { return child.index() < graph.size(); }))
            return false;
    }
    return true;
}

} // namespace

bool isBeginningOf(const TaskGraph &graph, const TaskGraph &longer) {
    const std::size_t rings = std::min(graph.rings.size(), longer.rings.size());
    return graph.size() <= longer.size() && sameNetwork(graph, longer) &&
           std::equal(graph.queues.begin(), graph.queues.end(), longer.queues.begin(), longer.queues.end(), sameQueue) &&
           rings == graph.rings.size() && std::equal(graph.rings.begin(), graph.rings.end(), longer.rings.begin(), sameRing) &&
           begins(graph.kind, longer.kind) && begins(graph.worker, longer.worker) && begins(graph.queue, longer.queue) &&
           begins(graph.releases, longer.releases) && begins(graph.path, longer.path) && begins(graph.ring, longer.ring) &&
           begins(graph.fixedSeconds, longer.fixedSeconds) && begins(graph.flightSeconds, longer.flightSeconds) &&
           graph.workerSlowdown == longer.workerSlowdown && begins(graph.sizeBytes, longer.sizeBytes) &&
           begins(graph.windowBytes, longer.windowBytes) && begins(graph.orderKey, longer.orderKey) &&
           begins(graph.iteration, longer.iteration) && begins(graph.parentCount, longer.parentCount) &&
           edgesBegin(graph, longer);
}

} // namespace syncopate
