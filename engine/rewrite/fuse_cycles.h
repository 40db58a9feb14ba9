// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/job.h"
#include "engine/graph/task_graph.h"
#include "engine/strategy/comm_policy.h"

#include <vector>

namespace syncopate {

/// Fusion kernel of Horovod (reference section 6.3): its background thread wakes every `cycleSeconds`, takes the all-reduces
/// that became ready on all workers since, in that order, and fuses those of one type up to `fusionBytes`; one that does not
/// fit may be skipped while fused and skipped bytes stay within the threshold (FuseResponses). A unit that is larger goes
/// alone; sparse ones are gathered alone; parameter-server units pass through.
///
/// Cycles are counted from the start of the backward pass on the slowest worker (speed `computeScale`), whose gradients become
/// ready at times that nothing else changes. What is left of the cycle when the last gradient is ready is the unit's
/// launchDelaySeconds. Negotiation between the workers is free. `replicasPerNode` rounds the threshold up, as Horovod does.
[[nodiscard]] std::vector<SyncUnit> fuseCycles(const Job &job, std::vector<SyncUnit> units, const CommPolicy &policy,
                                               double computeScale, double replicasPerNode);

} // namespace syncopate
