// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "engine/plan/recorded_dag.h"
#include "engine/session/scenario_options.h"

#include <memory>
#include <string>

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

} // namespace syncopate::cli
