// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps over plans of a training DAG, from texts or of a session's side: at each point the planner plans anew for that point's
// cluster, since a plan for one bandwidth may be a bad one for another. A point has the figures that `simulate`, or the side,
// shows there.
#pragma once

#include "engine/analyze/sweep.h"
#include "engine/session/load_plan.h"
#include "engine/session/session_state.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// A sweep over plans of a DAG: what changes with a point, and how a point is judged.
struct DagSweep {
    ScenarioRecipe recipe; ///< its strategy is only the planner's expression
    SweepJudge judge;
    std::vector<std::string> inputs; ///< inputs of the points besides the recipe, for comparison between ranks
};

/// Loads the DAG of --job. Errors: those of loadDagJob(); a plan file, which does not change with knobs.
[[nodiscard]] Result<DagSweep> dagSweepOf(const ScenarioOptions &options, const PlanCosts &costs, std::int32_t seed);
/// Makes the sweep of the plan on `side`, planned by its planner as in plannedAgain(). Errors: those of planTask(); the side
/// shows no plan that follows the cluster.
[[nodiscard]] Result<DagSweep> dagSweepOf(const SessionState &state, Side side);

/// Refuses a knob at which all plans of the DAG of that name would be the same on `cluster`.
[[nodiscard]] Result<void> checkReachesPlans(const Dimension &knob, const std::string &dag, const Cluster &cluster);
/// Refuses a sweep of the side over `knob`, without making its task. Errors: those of checkReachesPlans(), and as dagSweepOf().
[[nodiscard]] Result<void> checkSwept(const SessionState &state, Side side, const Dimension &knob);

} // namespace syncopate
