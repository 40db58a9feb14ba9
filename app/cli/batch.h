// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "engine/session/scenario_options.h"

#include <string>

namespace syncopate::cli {

/// Simulates the scenario on each line of a JSONL file ("-": stdin) on all cores, or plays a plan if its job is a training DAG,
/// and prints a JSON object for each, in the order of the lines and as early as that order allows. `defaults` and `costs` are the
/// options that a line does not name. A scenario that cannot be simulated yields an object with an `error`. Fails with exit code
/// 2 if the file cannot be read or a line is not a JSON object, with 1 if a scenario could not be simulated; all other lines are
/// printed even then.
[[nodiscard]] Outcome simulateBatch(const Common &common, const ScenarioOptions &defaults, const PlanCosts &costs,
                                    const std::string &file);

} // namespace syncopate::cli
