// SPDX-License-Identifier: GPL-3.0-or-later
// A training DAG where the commands of strategies take a job: its plans are played instead. --strategy, --a and --b then name
// planners or plan files.
#pragma once

#include "app/cli/commands.h"
#include "app/cli/plan_job.h"
#include "engine/base/json_writer.h"
#include "engine/session/dag_job.h"
#include "engine/session/planned_work.h"

#include <initializer_list>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

namespace syncopate::cli {

/// Adds --costs and --incast to a command that takes DAGs, too, and says in the help of --job, and of --strategy where it has the
/// usual one, what they then are. Call it after these options.
void takeDags(CLI::App &command, PlanCosts &costs);

/// Refuses options that are about strategies. `further` are other options of the command that were given, "" where they were not.
[[nodiscard]] Result<void> refuseStrategyOptions(const ScenarioOptions &options,
                                                 std::initializer_list<std::pair<const char *, bool>> further = {});

/// Refuses to go on without --strategy, which only DAGs may leave out.
[[nodiscard]] Result<void> requireStrategy(const ScenarioOptions &options);

/// The DAG of --job, ready to be planned.
struct DagJob {
    PlanJob job;
    PlanTask task;
    bool ownIncast = false; ///< channels have another incast than the cluster's, and follow no knob
};
/// Loads it, after refuseStrategyOptions().
[[nodiscard]] Result<DagJob> loadDagJob(const ScenarioOptions &options, const PlanCosts &costs, std::int32_t seed);

/// A plan of it that was played.
struct DagRun {
    PlannedWork work;
    std::shared_ptr<const PlannedRecording> run;
    double peakBytes = 0; ///< peakMemoryBytes()
    double wallSeconds = 0;
};
/// Plans by `planner`, an expression or a plan file, and plays the plan. Errors name `option`.
[[nodiscard]] Result<DagRun> playDag(const DagJob &dag, const std::string &planner, const std::string &option,
                                     const std::stop_token &stop = {});

/// Writes the run's figures as members of the open object, the keys of writeRun() as far as a DAG has them.
void writeDagRun(JsonWriter &json, const DagJob &dag, const std::string &planner, const DagRun &run);
/// The same as lines of text.
[[nodiscard]] std::string describeDagRun(const DagJob &dag, const DagRun &run);

/// Draws the panes of the explorer with one or two runs into `file`, as drawPicture() does for strategies.
[[nodiscard]] Result<void> drawDagPicture(const ScenarioOptions &options, const DagJob &dag, const DagRun &a, const DagRun *b,
                                          const std::string &file, const std::string &format = "png");

} // namespace syncopate::cli
