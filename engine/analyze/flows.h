// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/task_parents.h"
#include "engine/simulate/run.h"
#include "engine/timeline/task_spans.h"

#include <cstdint>
#include <vector>

namespace syncopate {

/// A dependency of one task on another, direct or through tasks that have no span (joins).
struct Flow {
    TaskId from, to;
    bool operator==(const Flow &) const = default;
    bool operator<(const Flow &other) const { return from == other.from ? to < other.to : from < other.from; }
};

/// Finds what a span waited for and what waited for it: the edges of the task graph between drawn tasks, skipping tasks that are
/// not drawn. O(tasks + edges + spans) to build, O(edges visited) per query, and ofVariable() also O(units + tasks log tasks).
/// From one task it looks at no more than 50,000 tasks in either direction; flows beyond these are left out. The run must outlive
/// it.
class FlowFinder {
public:
    explicit FlowFinder(const GraphRun &run);

    /// Flows into and out of `task`: at most `maxFlows`, first those into it. A task that is not drawn, or out of range, has
    /// none.
    [[nodiscard]] std::vector<Flow> ofTask(TaskId task, std::size_t maxFlows) const;
    /// Flows out of `task`: at most `maxFlows`, nearest first. A task that is not drawn, or out of range, has none.
    [[nodiscard]] std::vector<Flow> from(TaskId task, std::size_t maxFlows) const;
    /// Flows into and out of all drawn tasks that move `variable` (or a bucket that holds it) and overlap [from, to) nanoseconds,
    /// each flow once. If there are more than `maxFlows`, those of the tasks that start first are kept. In order of Flow's <.
    [[nodiscard]] std::vector<Flow> ofVariable(std::int32_t variable, Nanoseconds from, Nanoseconds to,
                                               std::size_t maxFlows) const;
    [[nodiscard]] const TaskSpans &spans() const { return m_spans; }

private:
    /// Drawn tasks reached from `task` along edges (or against them), nearest first.
    [[nodiscard]] std::vector<TaskId> reach(TaskId task, bool forward, std::size_t maxTasks) const;

    const GraphRun &m_run;
    TaskSpans m_spans;
    TaskParents m_parents;
};

} // namespace syncopate
