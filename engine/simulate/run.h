// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/base/result.h"
#include "engine/rewrite/scenario.h"
#include "engine/graph/task_graph.h"
#include "engine/timeline/timeline.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// What happened when a Scenario was simulated. Immutable; shared with the UI by pointer.
struct Run {
    Scenario scenario;
    TaskGraph graph;
    std::vector<double> readySeconds; ///< per task: all parents done
    std::vector<double> startSeconds; ///< per task: dispatched
    std::vector<double> endSeconds;   ///< per task: done
    Timeline timeline;
    /// Steady state: last iteration's start minus the one's before, worker 0. Where workers drift apart
    /// (TaskGraph::workersInStep false): the time of as many samples as all replicas take in one step.
    double iterationSeconds = 0;
    double windowStartSeconds = 0;        ///< worker 0's last full iteration: [windowStart, windowStart + iteration)
    double samplesPerSecond = 0;          ///< replicas * batch size / iterationSeconds
    std::int32_t workers = 0;             ///< replicas
    std::uint64_t events = 0;             ///< task starts and completions processed
    double wallSeconds = 0;               ///< rewriting and simulating, wall clock
    std::vector<std::string> assumptions; ///< definition, model, efficiency: shown with the numbers

    /// What a profile recorded (measuredRun()): there is a timeline, and no graph behind it.
    [[nodiscard]] bool isMeasured() const { return graph.size() == 0; }
};

/// Rewrites and simulates. Pure: same scenario, same bits (wallSeconds apart). Errors: a scenario that cannot be built
/// (strategy and job disagree, unknown reduction destination, iterations < 3), or "cancelled" when `stop` was requested.
[[nodiscard]] Result<std::shared_ptr<const Run>> simulate(const Scenario &scenario, std::stop_token stop = {},
                                                          Progress *progress = nullptr);

} // namespace syncopate
