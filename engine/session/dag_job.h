// SPDX-License-Identifier: GPL-3.0-or-later
// A training DAG as the job of a session or a command. It has neither layers nor variables, so no strategy synchronises it: plans
// of its collectives are played, and a planner takes the place of the builder.
#pragma once

#include "engine/session/plan_settings.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace syncopate {

/// The default planner: collectives whole and as submitted.
inline constexpr const char *usualPlanner = "fifo";

/// Whether the text names a training DAG: one of the catalogue, or a file of JSON or text (beginsAsDagFile()).
[[nodiscard]] bool namesTrainingDag(const std::string &nameOrPath);
/// Loads the DAG of that name: one of the catalogue, for one process per GPU of `cluster` after the knobs, or that of a file,
/// which states its number of processes.
[[nodiscard]] Result<TrainingDag> loadTrainingDag(const std::string &nameOrPath, const Cluster &cluster);

/// The job that stands for the DAG of that name, with a note that it has no layers, variables or samples.
[[nodiscard]] std::shared_ptr<const Job> jobOfDag(const std::string &name);
/// Whether the job of the state is a training DAG. A recording has no layers either, but a profile.
[[nodiscard]] bool showsDag(const SessionState &state);
/// The error of functions that need layers and variables; `remedy` says what takes a DAG instead.
[[nodiscard]] Unexpected needsLayers(const std::string &dag, std::string remedy);

/// Whether a plan can depend on the knob: bandwidth, latency and, with `byProcesses` (the DAG is made for the cluster's number of
/// processes), workers. A plan has neither servers nor a policy.
[[nodiscard]] bool reachesPlans(const Dimension &knob, bool byProcesses);

/// Makes the plan that a text names for the DAG of `task`: a planner's ("bs+", "syndicate(chains=4)") over the task's channels,
/// or that of an existing file, which has channels of its own. Errors: those of readPlanMethod(), findPlan() and
/// readExecutionPlanFile(); no plan within the task's memory bound.
[[nodiscard]] Result<PlannedWork> workOf(const std::string &planner, PlanTask task, const std::stop_token &stop = {});
/// The plan of a file for the DAG of `task`.
[[nodiscard]] Result<PlannedWork> workOfFile(const std::string &path, const PlanTask &task);

// A session whose job is a DAG: both sides show plans, and textOf() of a side's source is the planner that made its plan.

/// The DAG of the plan that a side shows, or else the other side; null where neither shows one.
[[nodiscard]] std::shared_ptr<const TrainingDag> shownDag(const SessionState &state, Side side);
/// Makes the task of planning `dag` for a side: for its cluster with the knobs, over measured costs where they were given for the
/// side's present plan. Errors: those of planTask().
[[nodiscard]] Result<PlanTask> sideTask(const SessionState &state, Side side, std::shared_ptr<const TrainingDag> dag);
/// Makes the source of `side` that shows `planner`'s plan of `dag` (workOf()). Errors: those of sideTask() and workOf().
[[nodiscard]] Result<Source> plannedBy(const SessionState &state, Side side, std::shared_ptr<const TrainingDag> dag,
                                       const std::string &planner, const std::stop_token &stop = {});
/// Plans again, on each side (or only that one) by its planner, every plan that follows the cluster, such as after the cluster
/// was replaced; a DAG of the catalogue then has one process per GPU. Plans of files stay. Errors: those of plannedBy().
[[nodiscard]] Result<SessionState> plannedAgain(SessionState state, std::optional<Side> only = {},
                                                const std::stop_token &stop = {});

} // namespace syncopate
