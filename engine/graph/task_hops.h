// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"

#include <algorithm>

namespace syncopate {

/// Calls `visit(const PathHop &, double bytes)` for each link that `task` crosses, of its path or of its ring's lanes, with the
/// bytes that cross it, those of folded nodes too.
template <class Visit> void forEachHop(const TaskGraph &graph, TaskId task, Visit visit) {
    const auto along = [&](PathId path) {
        for (const PathHop &hop : graph.hopsOf(path))
            visit(hop, graph.sizeBytes[task.index()] * hop.weight);
    };
    if (const RingId ring = graph.ring[task.index()]; ring.exists()) {
        for (const RingLane &lane : graph.rings[ring.index()].lanes)
            along(lane.path);
    } else if (const PathId path = graph.path[task.index()]; path.exists()) {
        along(path);
    }
}

/// Fixed time of a task before its bytes flow, in seconds. For a ring it is the slowest lane's fixed time, summed over all steps.
inline double secondsBeforeFlow(const TaskGraph &graph, TaskId task) {
    double seconds = graph.fixedSeconds[task.index()];
    if (const RingId ring = graph.ring[task.index()]; ring.exists()) {
        const RingShape &shape = graph.rings[ring.index()];
        double slowest = 0;
        for (const RingLane &lane : shape.lanes)
            slowest = std::max(slowest, lane.fixedSeconds);
        seconds += shape.steps * slowest;
    }
    return seconds;
}

} // namespace syncopate
