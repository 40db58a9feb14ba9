// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <string>
#include <vector>

namespace syncopate {

/// A measured plan and its prediction.
struct PlanRow {
    std::string plan, dag;
    double measuredSeconds = 0; ///< median iteration
    double predictedSeconds = 0;
    double measuredIdleRatio = 0;
    double predictedIdleRatio = 0;
    [[nodiscard]] double error() const { return predictedSeconds / measuredSeconds - 1; } ///< signed, relative
};

/// How well the plans of one DAG are ranked, or those of a DAG and its variants together.
struct PlanRanking {
    std::vector<std::string> dags;
    std::int32_t plans = 0; ///< each counts once, with the median of its rows
    double spearman = 0;
    double bestSeconds = 0; ///< the shortest measured iteration
    /// The measured iteration of the plan that is predicted to be the shortest; the median of those predicted to be equally
    /// short.
    double chosenSeconds = 0;
};

/// All measured plans with their predictions, and how well these rank the plans.
struct PlanValidation {
    std::vector<PlanRow> rows;
    double medianError = 0, maxError = 0; ///< of |error|
    /// One per DAG, by name; then one per DAG with variants, together with these. A variant's name is the DAG's, "-" and more
    /// (a2a, a2a-prefetch).
    std::vector<PlanRanking> rankings;
};

/// Whether `folder` has measured plans: runs.csv, dags/ and plans/.
[[nodiscard]] bool isPlanFolder(const std::string &folder);

/// Plays every plan of `folder`/runs.csv (plan, dag, iteration_seconds_median, compute_idle_share; dags/NAME.dag.json,
/// plans/NAME.plan.json) with the motif costs of collectives.csv, and compares it with the measurement. Nothing is fitted. Errors
/// name file and line.
[[nodiscard]] Result<PlanValidation> validatePlans(const std::string &folder);

} // namespace syncopate
