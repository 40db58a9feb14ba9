// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"

#include <cstdint>
#include <stop_token>

namespace syncopate {

/// Unrolls a graph further without its kernels, whose work is most of the cost of making a graph: where workers are in step,
/// kernels add the same tasks and edges in each iteration, and the same edges from one iteration to the next. Further iterations
/// are therefore copies of the last one with the edges to it, moved on by an iteration's tasks, bit for bit those that the
/// kernels would add.
///
/// Returns false, and leaves the graph as it is, unless the last iteration has the tasks of the one before it, in the same order,
/// with the same edges among them, and no edge goes further than to the next iteration. The kernels have to keep the edges
/// between iterations always the same (unrollFurther() knows which do). `iterations`: the number that the graph shall have, not
/// below its present one. The graph is incomplete if `stop` is requested. Only tasks and edges are added: counts and notes of
/// iterations are the caller's. O(tasks and edges of the longer graph), as the edges of all iterations are looked at.
[[nodiscard]] bool repeatIterations(TaskGraph &graph, std::int32_t iterations, const std::stop_token &stop = {});

} // namespace syncopate
