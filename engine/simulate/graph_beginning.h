// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"

namespace syncopate {

/// Whether `longer` is `graph` with tasks, and edges from its tasks to them, appended: the same links, paths, queues and tasks in
/// the same order. Until one of the new tasks is ready, both play alike. O(tasks + edges).
[[nodiscard]] bool isBeginningOf(const TaskGraph &graph, const TaskGraph &longer);

} // namespace syncopate
