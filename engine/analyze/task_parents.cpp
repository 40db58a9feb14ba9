// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/task_parents.h"

#include <numeric>

namespace syncopate {

TaskParents::TaskParents(const TaskGraph &graph) : offsets(graph.size() + 1, 0) {
    std::partial_sum(graph.parentCount.begin(), graph.parentCount.end(), offsets.begin() + 1);
    tasks.resize(offsets.back());
    std::vector<std::uint32_t> next(offsets.begin(), offsets.end() - 1);
    for (std::size_t t = 0; t < graph.size(); ++t)
        for (std::uint32_t s = graph.successorOffsets[t]; s < graph.successorOffsets[t + 1]; ++s)
            tasks[next[graph.successors[s].index()]++] = TaskId(t);
}

} // namespace syncopate
