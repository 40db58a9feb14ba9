// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"

#include <cstdint>
#include <vector>

namespace syncopate {

/// A task graph's edges the other way round, as CSR: the parents of task t are tasks[offsets[t]] to tasks[offsets[t + 1] - 1].
/// O(tasks + edges).
struct TaskParents {
    explicit TaskParents(const TaskGraph &graph);
    std::vector<std::uint32_t> offsets;
    std::vector<TaskId> tasks;
};

} // namespace syncopate
