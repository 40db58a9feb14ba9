// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/flows.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace syncopate {

namespace {
/// Limit on tasks looked at from one task: a join of everything with everything must not block the user interface.
constexpr std::size_t maxLookedAt = 50000;
} // namespace

FlowFinder::FlowFinder(const GraphRun &run) : m_run(run), m_spans(run.timeline), m_parents(run.graph) {}

std::vector<TaskId> FlowFinder::reach(TaskId task, bool forward, std::size_t maxTasks) const {
    const auto &offsets = forward ? m_run.graph.successorOffsets : m_parents.offsets;
    const auto &edges = forward ? m_run.graph.successors : m_parents.tasks;
    std::vector<TaskId> found;
    std::vector<TaskId> queue{task};
    std::unordered_set<std::int32_t> seen{task.number()};
    for (std::size_t head = 0; head < queue.size() && found.size() < maxTasks; ++head) {
        const std::size_t t = queue[head].index();
        for (std::uint32_t e = offsets[t]; e < offsets[t + 1] && found.size() < maxTasks && seen.size() < maxLookedAt; ++e) {
            const TaskId other = edges[e];
            if (!seen.insert(other.number()).second)
                continue;
            if (m_spans.of(other.number()).empty())
                queue.push_back(other);
            else
                found.push_back(other);
        }
    }
    return found;
}

std::vector<Flow> FlowFinder::ofTask(TaskId task, std::size_t maxFlows) const {
    std::vector<Flow> flows;
    if (!task.exists() || task.index() >= m_run.graph.size() || m_spans.of(task.number()).empty())
        return flows;
    for (const TaskId parent : reach(task, false, maxFlows))
        flows.push_back({parent, task});
    for (const TaskId child : reach(task, true, maxFlows - flows.size()))
        flows.push_back({task, child});
    return flows;
}

std::vector<Flow> FlowFinder::from(TaskId task, std::size_t maxFlows) const {
    std::vector<Flow> flows;
    if (!task.exists() || task.index() >= m_run.graph.size() || m_spans.of(task.number()).empty())
        return flows;
    for (const TaskId child : reach(task, true, maxFlows))
        flows.push_back({task, child});
    return flows;
}

std::vector<Flow> FlowFinder::ofVariable(std::int32_t variable, Nanoseconds from, Nanoseconds to, std::size_t maxFlows) const {
    const TaskGraph &graph = m_run.graph;
    std::vector<std::uint8_t> about(graph.units.size(), 0);
    for (std::size_t u = 0; u < graph.units.size(); ++u) {
        const auto &variables = graph.units[u].variables;
        about[u] = std::find(variables.begin(), variables.end(), variable) != variables.end();
    }
    std::vector<TaskId> tasks;
    for (std::size_t t = 0; t < graph.size(); ++t) {
        if (!graph.unit[t].exists() || about[graph.unit[t].index()] == 0)
            continue;
        const auto spans = m_spans.of(static_cast<std::int32_t>(t));
        if (spans.empty())
            continue;
        const Lane &lane = m_run.timeline.lanes[spans.front().lane];
        if (lane.end[spans.front().span] > from && lane.start[spans.front().span] < to)
            tasks.emplace_back(t);
    }
    std::stable_sort(tasks.begin(), tasks.end(),
                     [this](TaskId a, TaskId b) { return m_run.startSeconds[a.index()] < m_run.startSeconds[b.index()]; });
    std::set<Flow> flows; // those between two of the tasks are found from both ends
    for (const TaskId task : tasks)
        for (const Flow &flow : ofTask(task, maxFlows)) {
            if (flows.size() >= maxFlows)
                return {flows.begin(), flows.end()};
            flows.insert(flow);
        }
    return {flows.begin(), flows.end()};
}

} // namespace syncopate
