// SPDX-License-Identifier: GPL-3.0-or-later
// A training DAG as the job of a session or a command. It has neither layers nor variables, so no strategy synchronises it: what
// is played of it are plans of its collectives, and where other jobs name a builder, it names a planner.
#pragma once

#include "engine/session/plan_settings.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace syncopate {

/// The planner where none is named: collectives whole and as submitted.
inline constexpr const char *usualPlanner = "fifo";

/// Whether the text names a training DAG: one of the catalogue, or a file of JSON or text (beginsAsDagFile()).
[[nodiscard]] bool namesTrainingDag(const std::string &nameOrPath);
/// Loads the DAG of that name: one of the catalogue for as many processes as `cluster` has GPUs after the knobs, or that of a
/// file, which states how many there are.
[[nodiscard]] Result<TrainingDag> loadTrainingDag(const std::string &nameOrPath, const Cluster &cluster);

/// The job that stands for the DAG of that name, with a note of what it lacks.
[[nodiscard]] std::shared_ptr<const Job> jobOfDag(const std::string &name);
/// Whether the job of the state is a training DAG. A recording has no layers either, but a profile.
[[nodiscard]] bool showsDag(const SessionState &state);
/// The error of functions that need layers and variables; `remedy` says what takes a DAG instead.
[[nodiscard]] Unexpected needsLayers(const std::string &dag, std::string remedy);

/// Whether a plan can depend on the knob: on cards, and where `byProcesses`, its DAG being made for as many processes as there
/// are, on how many train. It has no servers, and policies are of strategies.
[[nodiscard]] bool reachesPlans(const Dimension &knob, bool byProcesses);

/// Makes the plan for the DAG of `task` that a text names: a planner's ("bs+", "syndicate(chains=4)"), over the channels of the
/// task, or that of an existing file, which has channels of its own. Errors: those of readPlanMethod(), findPlan() and
/// readExecutionPlanFile(); no plan that holds as little as the task allows.
[[nodiscard]] Result<PlannedWork> workOf(const std::string &planner, PlanTask task, const std::stop_token &stop = {});
/// The plan of a file for the DAG of `task`.
[[nodiscard]] Result<PlannedWork> workOfFile(const std::string &path, const PlanTask &task);

// A session whose job is a DAG: both sides show plans, and textOf() of a side's source is the planner that made its plan.

/// The DAG of the plan that a side shows, or else the other side; null where neither shows one.
[[nodiscard]] std::shared_ptr<const TrainingDag> shownDag(const SessionState &state, Side side);
/// Makes the task of planning `dag` for a side: for its cluster with the knobs, over measured costs where they were given for the
/// side's present plan. Errors: those of planTask().
[[nodiscard]] Result<PlanTask> sideTask(const SessionState &state, Side side, std::shared_ptr<const TrainingDag> dag);
/// Makes what `side` shows by `planner` (workOf()) of `dag`. Errors: those of sideTask() and workOf().
[[nodiscard]] Result<Source> plannedBy(const SessionState &state, Side side, std::shared_ptr<const TrainingDag> dag,
                                       const std::string &planner, const std::stop_token &stop = {});
/// Plans again, each side (or only that one) by its planner, what follows the cluster, as when that has been replaced; a DAG of
/// the catalogue is then of as many processes as it has GPUs. Plans of files stay. Errors: those of plannedBy().
[[nodiscard]] Result<SessionState> plannedAgain(SessionState state, std::optional<Side> only = {},
                                                const std::stop_token &stop = {});

} // namespace syncopate
