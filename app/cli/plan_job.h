// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "engine/plan/recorded_dag.h"
#include "engine/session/plan_settings.h"
#include "engine/session/scenario_options.h"

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace syncopate::cli {

/// What `plan` plans, and on which cluster.
struct PlanJob {
    Cluster cluster; ///< with its knobs applied
    RecordedDag planned;
    std::shared_ptr<const Job> job; ///< empty where the DAG needs none
    bool ofJob = false;             ///< PlannedWork::ofJob
};

/// The DAG of --job on --cluster: a catalogue DAG, a DAG file, the recording in a profile or a Chakra trace, or data-parallel
/// training of a job's layers. `collectives` is --collectives: "recorded", "gradients", or empty = recorded if there are any.
[[nodiscard]] Result<PlanJob> loadPlanJob(const ScenarioOptions &options, const std::string &collectives);

/// What motifs cost, where it is not what the cluster says.
struct PlanCosts {
    std::vector<std::string> measured; ///< files of measured collectives; none = the channels' figures
    std::string incast;                ///< of the channels, empty = the cluster's
};
/// Adds --costs and --incast. `of` says what they are of, where a command also takes other jobs: "Of a training DAG. ".
void addPlanCosts(CLI::App &command, PlanCosts &costs, const std::string &of = {});

/// Makes the task of planning the DAG of `job`, which it takes, over the channels of its cluster. Errors: files of costs that
/// cannot be read, an invalid incast.
[[nodiscard]] Result<PlanTask> planTaskOf(PlanJob &job, const PlanCosts &costs, std::int32_t seed);

} // namespace syncopate::cli
