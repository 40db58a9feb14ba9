// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/plan_methods.h"
#include "engine/session/planned_work.h"
#include "engine/session/session_state.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

namespace syncopate {

/// The settings of planning: what all methods plan for, and how the chosen one goes about it.
struct PlanSettings {
    std::shared_ptr<const TrainingDag> dag{};  ///< null: the job's data-parallel one
    std::shared_ptr<const MotifCosts> costs{}; ///< null: the figures of the cluster's channels
    std::string method = "syndicate()";        ///< an expression for readPlanMethod()
    std::uint64_t seed = 1;
    std::int32_t evaluations = PlanRequest{}.evaluations;
};

/// What is planned, and by which method first.
struct PlanTask {
    PlanRequest request;
    PlanMethod method = PlanMethod::Syndicate;
    bool ofJob = false; ///< PlannedWork::ofJob
};
/// For job and shared cluster of `state`, knobs turned. Errors: nothing is loaded, the method cannot be read, one process, a
/// cluster without channels.
[[nodiscard]] Result<PlanTask> planTask(const SessionState &state, const PlanSettings &settings);

/// A plan that was found, for a side to show.
[[nodiscard]] PlannedWork plannedWork(const PlanTask &task, const FoundPlan &found);

/// What a file of planning holds: a training DAG, measured collectives, or a plan.
using PlanFile =
    std::variant<std::shared_ptr<const TrainingDag>, std::shared_ptr<const MotifCosts>, std::shared_ptr<const PlannedWork>>;
/// Reads a .json with "ops" as a DAG, any other .json as a plan for the DAG and with the costs of `settings`, and every other
/// file as a CSV of measured collectives. Errors name file, place and remedy; those of planTask() for a plan.
[[nodiscard]] Result<PlanFile> readPlanFile(const std::string &path, const SessionState &state, const PlanSettings &settings);
/// Whether `path` is a DAG file. Reads only the beginning of others, as profiles are large.
[[nodiscard]] bool beginsAsDagFile(const std::string &path);

} // namespace syncopate
