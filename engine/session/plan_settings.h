// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/recorded_dag.h"
#include "engine/search/plan_methods.h"
#include "engine/session/planned_work.h"
#include "engine/session/session_state.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace syncopate {

/// The collectives of a job that are planned.
enum class PlannedCollectives : std::uint8_t {
    Recorded,  ///< those of its profile's step, launched and waited for as recorded; without any, as Gradients
    Gradients, ///< data-parallel training of its layers: an all-reduce each
};
/// The step whose collectives are planned; null where the gradients of the job are. `profile` may be null.
[[nodiscard]] const RecordedStep *plannedStep(const ImportedProfile *profile, PlannedCollectives which);
/// The DAG of a job for the cluster's GPUs: of that step, as it was recorded, or data-parallel at the speed of the slowest node.
/// Errors, which name `file`: those of dagOfStep() and dagOfJob().
[[nodiscard]] Result<RecordedDag> planDag(const Job &job, const ImportedProfile *profile, PlannedCollectives which,
                                          const Cluster &cluster, const std::string &file);
/// The name of the DAG of a Chakra trace: its file's, without what no name in a plan's file may hold, such as line breaks.
[[nodiscard]] std::string nameOfTrace(const std::string &path);
/// Parses the memory that the buffers of collectives may take in a process: "2GiB"; 0 where the text is empty. Errors: not a
/// size, less than a byte.
[[nodiscard]] Result<double> readMemoryBound(std::string_view text);

/// The settings of planning: the goals of all methods, and the chosen method with its arguments.
struct PlanSettings {
    std::shared_ptr<const TrainingDag> dag{}; ///< null: the job's, as `collectives` says
    PlannedCollectives collectives = PlannedCollectives::Recorded;
    std::shared_ptr<const MotifCosts> costs{}; ///< null: the figures of the cluster's channels
    std::string method = "syndicate()";        ///< an expression for readPlanMethod()
    std::uint64_t seed = 1;
    std::int32_t evaluations = PlanRequest{}.evaluations;
    double maxBytes = 0; ///< PlanRequest::maxBytes
};

/// A planning task, and the method to run first.
struct PlanTask {
    PlanRequest request;
    PlanMethod method = PlanMethod::Syndicate;
    bool ofJob = false;               ///< PlannedWork::ofJob
    bool ofRecording = false;         ///< PlannedWork::ofRecording
    bool clusterCosts = false;        ///< PlannedWork::clusterCosts
    std::vector<std::string> notes{}; ///< conclusions drawn to make a DAG of a recording
};
/// Makes the task for job and shared cluster of `state`, after the knobs. Errors: nothing is loaded, the job is a recording
/// or has neither layers nor a DAG, the method cannot be read; those of planDag() and of groups that lie unevenly on nodes.
[[nodiscard]] Result<PlanTask> planTask(const SessionState &state, const PlanSettings &settings);

/// A plan that was found, for a side to show.
[[nodiscard]] PlannedWork plannedWork(const PlanTask &task, const FoundPlan &found);

/// The content of a file of planning: a training DAG, measured collectives, or a plan.
using PlanFile =
    std::variant<std::shared_ptr<const TrainingDag>, std::shared_ptr<const MotifCosts>, std::shared_ptr<const PlannedWork>>;
/// Reads a .json with "ops" and DAGs as text as a DAG, any other .json as a plan for the DAG and with the costs of `settings`, a
/// Chakra trace as its recorded DAG for the GPUs of the shared cluster, and every other file as a CSV of measured collectives.
/// Errors name file, place and remedy; those of planTask() for a plan.
[[nodiscard]] Result<PlanFile> readPlanFile(const std::string &path, const SessionState &state, const PlanSettings &settings);
/// Whether `path` is a DAG file. Reads only the beginning of others, as profiles are large.
[[nodiscard]] bool beginsAsDagFile(const std::string &path);

} // namespace syncopate
