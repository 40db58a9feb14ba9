// SPDX-License-Identifier: GPL-3.0-or-later
// Why the plan of a side takes as long as it does, and what would change that. The Explanation is as for built sides, so that
// tables, folds and reports are the same; other changes are tried: planning methods, channels, and the knobs that reach the plan.
#pragma once

#include "engine/analyze/explain.h"
#include "engine/session/planned_work.h"
#include "engine/session/session_state.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

namespace syncopate {

/// Job, cluster and knobs of a side that shows a plan; its recipe has neither strategy nor policy. Needs a job and a cluster.
[[nodiscard]] ScenarioRecipe plannedRecipe(const SessionState &state, Side side);

/// The question about a plan.
struct PlanWhyOptions {
    std::optional<ComputeWait> wait{}; ///< explained instead of the iteration
    /// PlanRequest::evaluations and seed of the planning methods that are tried. Fixed, so that explorer and command line, and
    /// the same question asked twice, give the same figures.
    std::int32_t evaluations = 1000;
    std::uint64_t seed = 1;
    double maxBytes = 0; ///< PlanRequest::maxBytes of the plans that are searched; 0 = any
};

/// Explains the iteration of `run`, which plannedRun() gave for `work` on job, cluster and knobs of `recipe`, whose strategy and
/// policy are not used. First causes, shares and bounds (IterationBounds::planSeconds, no dependencySeconds); then, each planned
/// and played: the methods without a search, half and twice each knob that reaches the plan, each used channel with twice the
/// rate and half the latency, S-Exec and SYNDICATE, and SYNDICATE's plans for the first four used channels at twice the rate,
/// and, where nodes have one process each, with a second one like it. `progress` receives the explanation after each of them.
/// Where compute alone decides, nothing is tried. Errors: those of presentPlan(), or a requested stop.
[[nodiscard]] Result<Explanation> explainPlan(const PlannedRecording &run, const PlannedWork &work, const ScenarioRecipe &recipe,
                                              const PlanWhyOptions &options = {}, const std::stop_token &stop = {},
                                              const std::function<void(const Explanation &)> &progress = {});

} // namespace syncopate
