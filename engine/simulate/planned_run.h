// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/motif_costs.h"
#include "engine/simulate/event_loop.h"
#include "engine/simulate/steady_state.h"

#include <cstdint>
#include <limits>
#include <stop_token>
#include <vector>

namespace syncopate {

/// When an op of a plan, or a motif of a comm-op, runs in a settled iteration, counted from that iteration's start.
struct PlannedSpan {
    DagOpId op{0};
    MotifId motif{};         ///< none: a compute-op
    ChannelId channel{};     ///< none: the compute stream
    double startSeconds = 0; ///< below 0 where it runs ahead of its iteration
    double endSeconds = 0;
};

/// A plan that was played.
struct PlannedRun {
    double iterationSeconds = 0;    ///< in steady state
    double computeSeconds = 0;      ///< of one iteration
    std::vector<PlannedSpan> spans; ///< compute-ops, then motifs, in the order of the DAG and of the plan
    /// The schedule repeats; else iterationSeconds is a mean over the later iterations, or what the busiest link or the longest
    /// cycle takes, if that is longer.
    bool isSteady = false;

    /// Share of an iteration in which the compute stream waits (Fig. 14 of SYNDICATE). Clamped at 0 against rounding.
    [[nodiscard]] double computeIdleRatio() const {
        return iterationSeconds > computeSeconds ? 1 - computeSeconds / iterationSeconds : 0;
    }
};

/// When an op runs in the settled iteration, a comm-op from its first motif's start to its last one's end; for an op that does
/// not run, the end is before the start.
struct OpSpan {
    double startSeconds = std::numeric_limits<double>::infinity();
    double endSeconds = -std::numeric_limits<double>::infinity();
};
/// Per op of the DAG that the plan was played for.
[[nodiscard]] std::vector<OpSpan> opSpans(const TrainingDag &dag, const PlannedRun &run);

/// Every task of a plan that was played.
struct PlayedPlan {
    TaskGraph graph; ///< planGraph()
    Schedule schedule;
    SteadyState steady;
    /// The iteration to look at: the first ones settle, the last ones lack later iterations.
    std::int32_t settled = 0;
};

/// Plays a plan until it is steady. Errors as playPlan().
[[nodiscard]] Result<PlayedPlan> playPlanTasks(const TrainingDag &dag, const ExecutionPlan &plan, const MotifCosts &costs,
                                               const std::stop_token &stop = {});

/// Plays a plan until it is steady, iterations counted from the start of the first op of the compute order. Errors: a plan that
/// contradicts its DAG (planGraph()) or is too large to be played, `stop` was requested.
[[nodiscard]] Result<PlannedRun> playPlan(const TrainingDag &dag, const ExecutionPlan &plan, const MotifCosts &costs,
                                          const std::stop_token &stop = {});

} // namespace syncopate
