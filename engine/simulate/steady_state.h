// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"

#include <vector>

namespace syncopate {

/// Throughput of workers that are not in step, over a window in which all of them are busy.
struct SteadyState {
    double fromSeconds = 0;    ///< the last worker has left its warm-up
    double toSeconds = 0;      ///< the first worker starts its last iteration
    double stepsPerSecond = 0; ///< iterations of one replica, summed over all replicas
};

/// `starts` are the start times of each class's iterations, ascending. Iterations that the window cuts count in part, in
/// proportion to time.
[[nodiscard]] SteadyState steadyState(const TaskGraph &graph, const std::vector<std::vector<double>> &starts);

} // namespace syncopate
