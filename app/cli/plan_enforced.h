// SPDX-License-Identifier: GPL-3.0-or-later
// Plans on processes of unequal speed, as `plan` plays and reports them.
#pragma once

#include "app/cli/options.h"
#include "engine/base/json_writer.h"
#include "engine/search/plan_enforcer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate::cli {

/// How `plan` plays every process individually: the disturbances, and the number of iterations.
struct EnforceArguments {
    double jitterPercent = -1;           ///< below 0 = not given
    std::vector<std::string> stragglers; ///< PROCESS:SLOWDOWN[:FROM_ITERATION]
    std::int32_t iterations = 0;         ///< 0 = 32, if jitter or a straggler is given
    double planningSeconds = 0;

    /// Whether processes are to be played individually.
    [[nodiscard]] bool isWanted() const { return jitterPercent >= 0 || !stragglers.empty() || iterations > 0; }
};
void addEnforce(CLI::App &command, EnforceArguments &arguments);

/// Errors: a straggler that cannot be parsed, is not a process of the DAG or begins after the last iteration; those of
/// enforcePlan().
[[nodiscard]] Result<EnforcedPlan> enforced(const EnforceArguments &arguments, const PlanRequest &request, PlanMethod method,
                                            const ExecutionPlan &plan);

void writeEnforced(JsonWriter &json, const EnforcedPlan &enforced);
[[nodiscard]] std::string reportEnforced(const EnforcedPlan &enforced, std::int32_t processes);

} // namespace syncopate::cli
