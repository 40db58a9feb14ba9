// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "engine/graph/task_graph.h"
#include "engine/job/job.h"
#include "engine/strategy/comm_policy.h"

#include <vector>

namespace syncopate {

/// Moves the units that go over parameter servers to the servers that the policy's system chooses (Policy::serverOf), among those
/// on which the strategy reduces: dedicated ones first, then those on nodes that train, both in the cluster's order. A variable's
/// parts are in order in `units`. Where the policy chooses none, units stay where the strategy has them.
void chooseServers(const Job &job, const Cluster &cluster, const CommPolicy &policy, std::vector<SyncUnit> &units);

} // namespace syncopate
