// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/plan_job.h"
#include "engine/analyze/sweep.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate::cli {

/// Plays one point's recipe. Pure, from any thread.
using SweepJudge = std::function<SweepPoint(const ScenarioRecipe &, const std::stop_token &)>;

/// A sweep over plans of a training DAG: at each point the planner plans for the cluster as it is there.
struct DagSweep {
    ScenarioRecipe recipe; ///< of its strategy only the planner's expression
    SweepJudge judge;
    std::vector<std::string> inputs; ///< what the points depend on besides the recipe, for comparison between ranks
};

/// Loads the DAG of --job. Errors: those of loadDagJob(); a plan file, which does not change with knobs; a knob among `knobs`
/// that reaches no plan.
[[nodiscard]] Result<DagSweep> dagSweepOf(const ScenarioOptions &options, const PlanCosts &costs,
                                          const std::vector<std::string> &knobs, std::int32_t seed);

} // namespace syncopate::cli
