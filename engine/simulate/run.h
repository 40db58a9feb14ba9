// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/base/result.h"
#include "engine/graph/task_graph.h"
#include "engine/rewrite/scenario.h"
#include "engine/simulate/recording.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace syncopate {

/// A recording of a played task graph, with every task: the source of causes and flows. Immutable; shared with the UI by pointer.
/// Labels of the timeline begin with the names that graph.layer counts.
struct GraphRun : Recording {
    TaskGraph graph;
    std::vector<double> readySeconds; ///< per task: all parents done
    std::vector<double> startSeconds; ///< per task: dispatched
    std::vector<double> endSeconds;   ///< per task: done, its bytes have left

    /// The time from which the task's successors may start.
    [[nodiscard]] double arrivalSeconds(TaskId task) const {
        const std::size_t t = task.index();
        return endSeconds[t] + graph.flightSeconds[t];
    }
};

/// The result of simulating a Scenario.
struct Run : GraphRun {
    Scenario scenario;
    double wallSeconds = 0; ///< rewriting and simulating, wall clock
};

/// Rewrites and simulates. Pure: same scenario, same bits (wallSeconds apart). Errors: a scenario that cannot be built
/// (strategy and job disagree, unknown reduction destination, iterations < 3), or one of kind Cancelled when `stop` was
/// requested.
[[nodiscard]] Result<std::shared_ptr<const Run>> simulate(const Scenario &scenario, std::stop_token stop = {},
                                                          Progress *progress = nullptr);

/// simulate() for callers that need figures but no picture: the timeline has only the spans that touch the window which
/// iterationStatistics() looks at, one iteration of four or more. Every figure has the same bits.
[[nodiscard]] Result<std::shared_ptr<const Run>> simulateFigures(const Scenario &scenario, std::stop_token stop = {});

} // namespace syncopate
