// SPDX-License-Identifier: GPL-3.0-or-later
// Training DAGs in commands that otherwise take a job and a strategy: plans of the DAG are played, and --strategy, --a and --b
// name planners or plan files.
#pragma once

#include "app/cli/commands.h"
#include "app/cli/plan_job.h"
#include "engine/base/json_writer.h"
#include "engine/session/dag_job.h"

#include <string>

namespace syncopate::cli {

/// Adds --costs and --incast to a command that also takes DAGs, and extends the help of --job and, where it is the usual one, of
/// --strategy to DAGs. Call it after adding these options.
void takeDags(CLI::App &command, PlanCosts &costs);

/// Fails unless --strategy was given; only training DAGs may omit it.
[[nodiscard]] Result<void> requireStrategy(const ScenarioOptions &options);

/// Writes the run's figures as members of the open object, under those keys of writeRun() that apply to a DAG.
void writeDagRun(JsonWriter &json, const DagJob &dag, const std::string &planner, const DagRun &run);
/// The same as lines of text, with the notes of the DAG's task unless --quiet is given.
[[nodiscard]] std::string describeDagRun(const Common &common, const DagJob &dag, const DagRun &run);

/// Draws the panes of the explorer with one or two runs into `file`, as drawPicture() does for strategies.
[[nodiscard]] Result<void> drawDagPicture(const ScenarioOptions &options, const DagJob &dag, const DagRun &a, const DagRun *b,
                                          const std::string &file, const std::string &format = "png");

} // namespace syncopate::cli
