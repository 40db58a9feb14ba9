// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "engine/plan/execution_plan.h"
#include "engine/plan/motif_costs.h"
#include "engine/simulate/plan_edit.h"
#include "engine/simulate/run.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// A plan of collectives that a side shows (docs/plan.md), with all of its inputs: files are read once, and neither knobs nor
/// projects read them again.
struct PlannedWork {
    std::string title; ///< "SYNDICATE plan of a2a", for people
    TrainingDag dag;   ///< as the plan was made for it, without withSubmission()
    ExecutionPlan plan;
    MotifCosts costs; ///< only the measured part counts (takeMeasured()); the rest comes from the cluster
    /// The DAG is the job's data-parallel one, with as many processes as the cluster has at present.
    bool ofJob = false;
    /// The DAG is that of a step in the job's profile.
    bool ofRecording = false;
    /// Channels are the cluster's, so their figures follow the knobs; else they are the plan's own.
    bool onCluster = false;
    /// Measured times are those of the cluster's collectives, so costsOfCluster() derives them again for the present cluster and
    /// knobs, and `costs` only record the times behind the plan; else they were given and stay.
    bool clusterCosts = false;
    bool edited = false; ///< by hand since it was planned; the title says so
};

/// A plan that was played.
struct PlannedRecording : GraphRun {
    double boundSeconds = 0;     ///< no plan of these collectives on these channels is faster
    double computeScale = 1;     ///< of a job's gradients: Cluster::slowestComputeScale()
    double computeIdleRatio = 0; ///< share of an iteration in which the compute stream waits
    /// Per lane of the timeline: the channel whose collectives are on it, or none.
    std::vector<ChannelId> laneChannels;
    std::int32_t settledIteration = 0; ///< of the unrolled ones, it starts at windowStartSeconds
    /// The critical path of one iteration, from its start to the start of the next: each task waited for the one before.
    std::vector<TaskId> criticalTasks;
};

/// A DAG, its plan and the costs of motifs, as they are played on the present job, cluster and knobs.
struct PresentPlan {
    TrainingDag dag; ///< without withSubmission()
    ExecutionPlan plan;
    MotifCosts costs;
};
/// Makes the present plan from the work; `cluster` after the knobs. Errors: those of dagOfJob() and checkGroupsOnNodes(); the
/// cluster lacks a channel of the plan, or has a number of processes for which the plan's motifs do not make up a collective.
[[nodiscard]] Result<PresentPlan> presentPlan(const PlannedWork &work, const Job &job, const Cluster &cluster);

/// Plays the plan for `job` on `cluster`, after the knobs. Its iteration is a settled one. Errors: those of presentPlan()
/// and playPlan().
[[nodiscard]] Result<std::shared_ptr<const PlannedRecording>> plannedRun(const PlannedWork &work,
                                                                         const std::shared_ptr<const Job> &job,
                                                                         const Cluster &cluster,
                                                                         const std::stop_token &stop = {});

/// Edits the plan of the work, for the present job and cluster; its title says so. Errors: those of plannedRun() and editPlan().
[[nodiscard]] Result<PlannedWork> editedWork(const PlannedWork &work, const Job &job, const Cluster &cluster,
                                             const PlanEdit &edit, const std::stop_token &stop = {});

/// Writes the work as one text for a project file: title, DAG, plan, costs. readPlannedWork() returns an equal value but for
/// the modelled part of the costs, which comes from the cluster; its errors name `file`.
[[nodiscard]] std::string writePlannedWork(const PlannedWork &work);
[[nodiscard]] Result<PlannedWork> readPlannedWork(std::string_view json, const std::string &file);

} // namespace syncopate
