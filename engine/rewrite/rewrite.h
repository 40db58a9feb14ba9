// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/graph/task_graph.h"
#include "engine/rewrite/scenario.h"

#include <cstdint>
#include <stop_token>

namespace syncopate {

/// Turns a scenario into its task graph: the job's graph, replicated over the cluster's workers and unrolled over the scenario's
/// iterations, with the traffic that strategy and policy cause. Runs the kernels of AutoDist, section 3.2, in turn: partition,
/// fuse or slice, place, replicate, synchronise. Errors: job and strategy disagree, an unknown reduction destination, fewer than
/// 3 iterations, a graph of more than 30 million tasks, or cancelled.
///
/// Kernels treat all iterations alike, so where no worker may be ahead of another they add two, and the others are copies of the
/// second (repeatIterations()). With Unroll::ByKernels they add all: the same bits, for tests. `memory`: as GraphBuilder's.
enum class Unroll { ByRepetition, ByKernels };
[[nodiscard]] Result<TaskGraph> rewrite(const Scenario &scenario, const std::stop_token &stop = {},
                                        Unroll unroll = Unroll::ByRepetition, TaskGraph memory = {});

/// Extends a graph of rewrite() to the one of more iterations, which must be within its limit of tasks. Returns false, and leaves
/// the graph as it is, where workers may be ahead of each other, since the number of iterations then depends on how fast they
/// are, and where staleness lets them look back or the last two iterations differ (repeatIterations()). Does not check the limits
/// of rewrite(). O(tasks).
[[nodiscard]] bool unrollFurther(TaskGraph &graph, std::int32_t iterations);

} // namespace syncopate
