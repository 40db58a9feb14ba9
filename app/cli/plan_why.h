// SPDX-License-Identifier: GPL-3.0-or-later
// `plan --why`: why the plan takes as long as it does, and what would change that.
#pragma once

#include "app/cli/plan_job.h"
#include "engine/base/json_writer.h"
#include "engine/session/explain_plan.h"

#include <string>

namespace syncopate::cli {

/// A plan's explanation, and the recipe that its knobs change.
struct ExplainedPlan {
    ScenarioRecipe recipe; ///< without strategy and policy
    double iterationSeconds = 0;
    Explanation answer;
};

/// Explains a plan on the job's cluster, with the numbers of the explorer's Why panel for it. Plans made for the explanation hold
/// at most `maxBytes` (0 = any). Errors: those of plannedRun().
[[nodiscard]] Result<ExplainedPlan> explained(const PlanJob &job, const PlannedWork &work, double maxBytes);

/// Writes it as members of the open object: causes, shares of collectives and channels, remedies, sensitivities, bounds.
void writeExplanation(JsonWriter &json, const ExplainedPlan &explained);
/// Adds it as the key "why".
void writeExplained(JsonWriter &json, const ExplainedPlan &explained);
/// With `all` also remedies that do not help.
[[nodiscard]] std::string reportExplained(const ExplainedPlan &explained, bool all);

} // namespace syncopate::cli
