// SPDX-License-Identifier: GPL-3.0-or-later
// Loads the DAG, channels and costs that a plan is made for, and plays plans of a training DAG, from texts: the command line's
// options, the lines of a batch, or Python's arguments.
#pragma once

#include "engine/base/memo.h"
#include "engine/plan/recorded_dag.h"
#include "engine/profile/profile.h"
#include "engine/session/plan_settings.h"
#include "engine/session/planned_work.h"
#include "engine/session/scenario_options.h"

#include <initializer_list>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace syncopate {

/// The source that a DAG is made from once the number of processes is known.
struct PlanSource {
    std::string name;                  ///< as --job names it
    LoadedJob job;                     ///< empty if the DAG needs none
    std::optional<RecordedStep> trace; ///< of a Chakra trace
    bool isDag = false;                ///< a DAG of the catalogue or a file
};
/// Loads --job: a catalogue DAG, a DAG file, a profile, a Chakra trace, or any other job. `collectives` is --collectives:
/// "recorded", "gradients", or empty = recorded if there are any.
[[nodiscard]] Result<PlanSource> loadPlanSource(const ScenarioOptions &options, const std::string &collectives,
                                                const std::stop_token &stop = {});

/// The DAG to plan, and its cluster.
struct PlanJob {
    Cluster cluster; ///< with its knobs applied
    RecordedDag planned;
    std::shared_ptr<const Job> job; ///< of a DAG a job with only its name
    bool ofJob = false;             ///< PlannedWork::ofJob
    bool ofRecording = false;       ///< PlannedWork::ofRecording
};
/// The first option that planning `source` would not read, as the command line calls it: a DAG has neither layers nor a policy,
/// and a recorded step is planned with its own collectives and times. Empty: it reads all.
[[nodiscard]] std::string unreadOptionIn(const PlanSource &source, const ScenarioOptions &options,
                                         const std::string &collectives);
/// The error of such an option, or of the argument in Python.
[[nodiscard]] Unexpected isNotRead(const std::string &option, const PlanSource &source);
/// The DAG of `source` for the processes of `cluster`: its own, the recording of a profile, or data-parallel training of a job's
/// layers.
[[nodiscard]] Result<PlanJob> planJobOf(const PlanSource &source, Cluster cluster, const std::string &collectives);
/// Loads the source and its job, on --cluster, after refusing unreadOptionIn().
[[nodiscard]] Result<PlanJob> loadPlanJob(const ScenarioOptions &options, const std::string &collectives);

/// Makes the task of planning the DAG that it moves out of `job`, over the channels of its cluster. Errors: files of costs that
/// cannot be read, an invalid incast.
[[nodiscard]] Result<PlanTask> planTaskOf(PlanJob &job, const PlanCosts &costs, std::int32_t seed);

// A training DAG where strategies take a job: its plans are played instead, and the strategy is a planner or a plan file.

/// Refuses costs of motifs, which only plans have, for the job of `options`, which is not a training DAG.
[[nodiscard]] Result<void> refusePlanCosts(const ScenarioOptions &options, const PlanCosts &costs);
/// Whether --job is a training DAG. Errors: those of refusePlanCosts() where it is none.
[[nodiscard]] Result<bool> playsPlans(const ScenarioOptions &options, const PlanCosts &costs);
/// The first option about strategies that is set, as the command line calls it ("--policy"); empty where none is.
[[nodiscard]] std::string strategyOptionIn(const ScenarioOptions &options);
/// All of them, in the same order.
[[nodiscard]] std::vector<std::string> strategyOptionsIn(const ScenarioOptions &options);
/// The first option about the cluster that is set, but for --servers, which is a strategy's; empty where none is.
[[nodiscard]] std::string clusterOptionIn(const ScenarioOptions &options);
/// The key of a batch line, or the argument in Python, that is such an option: "policy", "fold", "batch_size".
[[nodiscard]] std::string keyOfOption(std::string option);
/// The error of such an option, or of the key of a batch line, where the job is the training DAG of that name.
[[nodiscard]] Unexpected isAboutStrategies(const std::string &option, const std::string &dag);
/// Refuses options that are about strategies. `further` are other options of the command that were given, "" where they were not.
[[nodiscard]] Result<void> refuseStrategyOptions(const ScenarioOptions &options,
                                                 std::initializer_list<std::pair<const char *, bool>> further = {});

/// The DAG of --job, ready to be planned.
struct DagJob {
    PlanJob job;
    PlanTask task;
    bool ownIncast = false; ///< channels have another incast than the cluster's, and follow no knob
};
/// Loads the DAG, after refuseStrategyOptions().
[[nodiscard]] Result<DagJob> loadDagJob(const ScenarioOptions &options, const PlanCosts &costs, std::int32_t seed);

/// A played plan of a DAG.
struct DagRun {
    PlannedWork work;
    std::shared_ptr<const PlannedRecording> run;
    PlannedRun played;    ///< of the same plan: a settled iteration's motifs
    double peakBytes = 0; ///< peakMemoryBytes()
    double wallSeconds = 0;
};
/// Plans by `planner`, an expression or a plan file, and plays the plan. Errors name `option`.
[[nodiscard]] Result<DagRun> playDag(const DagJob &dag, const std::string &planner, const std::string &option,
                                     const std::stop_token &stop = {});

/// Loads the DAGs of many lines, on any threads; a DAG that several lines name is read once, with its cluster and costs.
class DagLoader {
public:
    /// namesTrainingDag(), asked once for each name.
    [[nodiscard]] bool isDag(const std::string &job);
    /// loadDagJob().
    [[nodiscard]] Result<DagJob> load(const ScenarioOptions &options, const PlanCosts &costs, std::int32_t seed);

private:
    Memo<bool> m_isDag{256};
    Memo<Result<std::shared_ptr<const DagJob>>> m_dags{64};
};

} // namespace syncopate
