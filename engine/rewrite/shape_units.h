// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "engine/graph/task_graph.h"
#include "engine/job/job.h"
#include "engine/strategy/policy.h"

#include <vector>

namespace syncopate {

/// The nodes of `cluster` with replicas, without those that only serve.
[[nodiscard]] TrainingNodes trainingNodes(const Cluster &cluster);

/// Fuses, orders and cuts the units of partitionVariables() as the policy says. Errors: the policy's, or a cut into too many
/// pieces.
[[nodiscard]] Result<std::vector<SyncUnit>> shapeUnits(const Job &job, std::vector<SyncUnit> units, const CommPolicy &policy,
                                                       const TrainingNodes &nodes);

} // namespace syncopate
