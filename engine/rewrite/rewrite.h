// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/graph/task_graph.h"
#include "engine/rewrite/scenario.h"

#include <stop_token>

namespace syncopate {

/// Turns a scenario into its task graph: the job's graph, replicated over the cluster's workers and unrolled over the scenario's
/// iterations, with the traffic that strategy and policy cause. The kernels of AutoDist, section 3.2, in a row: partition, fuse
/// or slice, place, replicate, synchronise. Errors: job and strategy disagree, an unknown reduction destination, fewer than 3
/// iterations, a graph of more than 30 million tasks, or cancelled.
[[nodiscard]] Result<TaskGraph> rewrite(const Scenario &scenario, const std::stop_token &stop = {});

} // namespace syncopate
