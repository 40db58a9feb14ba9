// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"

namespace syncopate {

/// Whether `longer` is `graph` with tasks and edges from its tasks to them added behind: the same links, paths, queues and tasks
/// in the same order. What `graph` does until one of the new tasks is ready, `longer` does too. O(tasks + edges).
[[nodiscard]] bool isBeginningOf(const TaskGraph &graph, const TaskGraph &longer);

} // namespace syncopate
