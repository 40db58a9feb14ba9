// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "app/cli/plan_job.h"

#include <cstdint>
#include <optional>
#include <string>

namespace syncopate::cli {

/// The options of `search` that hold for a training DAG.
struct DagSearchOptions {
    ScenarioOptions scenario; ///< without a strategy
    PlanCosts costs;
    std::string planner = "syndicate";         ///< an expression for readPlanMethod()
    std::optional<std::int32_t> evaluations{}; ///< PlanRequest::evaluations, none = plan's
    std::string output;                        ///< plan file for the best, empty = none
};

/// Searches plans of a training DAG as `plan` does, beside the planners that do not search, and prints the report of `search`:
/// each step of the search is a trial, timed by its list schedule.
[[nodiscard]] Outcome searchDag(const Common &common, const DagSearchOptions &options);

} // namespace syncopate::cli
