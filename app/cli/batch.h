// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "engine/session/scenario_options.h"

#include <string>

namespace syncopate::cli {

/// Simulates the scenario of every line of a JSONL file ("-": stdin) on all cores and prints a JSON object for each, in the
/// lines' order, as soon as all before it are printed. `defaults` are the options that a line does not name. Scenarios that
/// cannot be simulated are objects with an `error`. Fails with exit code 2 where the file cannot be read or a line is no JSON
/// object, with 1 where a scenario could not be simulated; all other lines are printed then, too.
[[nodiscard]] Outcome simulateBatch(const Common &common, const ScenarioOptions &defaults, const std::string &file);

} // namespace syncopate::cli
