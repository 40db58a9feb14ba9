// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/flows.h"

#include <algorithm>
#include <unordered_set>

namespace syncopate {

namespace {
/// Limit on undrawn tasks visited for one question: a join of everything with everything must not block the user interface.
constexpr std::size_t maxLookedAt = 50000;
} // namespace

FlowFinder::FlowFinder(const GraphRun &run) : m_run(run), m_spans(run.timeline), m_parents(run.graph) {}

std::vector<std::int32_t> FlowFinder::reach(std::int32_t task, bool forward, std::size_t most) const {
    const auto &offsets = forward ? m_run.graph.successorOffsets : m_parents.offsets;
    const auto &edges = forward ? m_run.graph.successors : m_parents.tasks;
    std::vector<std::int32_t> found;
    std::vector<std::int32_t> queue{task};
    std::unordered_set<std::int32_t> seen{task};
    for (std::size_t head = 0; head < queue.size() && found.size() < most; ++head) {
        const auto t = static_cast<std::size_t>(queue[head]);
        for (std::uint32_t e = offsets[t]; e < offsets[t + 1] && found.size() < most && seen.size() < maxLookedAt; ++e) {
            const auto other = static_cast<std::int32_t>(edges[e]);
            if (!seen.insert(other).second)
                continue;
            if (m_spans.of(other).empty())
                queue.push_back(other);
            else
                found.push_back(other);
        }
    }
    return found;
}

std::vector<Flow> FlowFinder::ofTask(std::int32_t task, std::size_t most) const {
    std::vector<Flow> flows;
    if (task < 0 || static_cast<std::size_t>(task) >= m_run.graph.size())
        return flows;
    for (const std::int32_t parent : reach(task, false, most))
        flows.push_back({parent, task});
    for (const std::int32_t child : reach(task, true, most - flows.size()))
        flows.push_back({task, child});
    return flows;
}

std::vector<Flow> FlowFinder::from(std::int32_t task, std::size_t most) const {
    std::vector<Flow> flows;
    if (task < 0 || static_cast<std::size_t>(task) >= m_run.graph.size() || m_spans.of(task).empty())
        return flows;
    for (const std::int32_t child : reach(task, true, most))
        flows.push_back({task, child});
    return flows;
}

std::vector<Flow> FlowFinder::ofVariable(std::int32_t variable, Nanoseconds from, Nanoseconds to, std::size_t most) const {
    const TaskGraph &graph = m_run.graph;
    std::vector<std::uint8_t> about(graph.units.size(), 0);
    for (std::size_t u = 0; u < graph.units.size(); ++u) {
        const auto &variables = graph.units[u].variables;
        about[u] = std::find(variables.begin(), variables.end(), variable) != variables.end();
    }
    std::vector<std::int32_t> tasks;
    for (std::size_t t = 0; t < graph.size(); ++t) {
        if (graph.unit[t] < 0 || about[static_cast<std::size_t>(graph.unit[t])] == 0)
            continue;
        const auto spans = m_spans.of(static_cast<std::int32_t>(t));
        if (spans.empty())
            continue;
        const Lane &lane = m_run.timeline.lanes[spans.front().lane];
        if (lane.end[spans.front().span] > from && lane.start[spans.front().span] < to)
            tasks.push_back(static_cast<std::int32_t>(t));
    }
    std::stable_sort(tasks.begin(), tasks.end(), [this](std::int32_t a, std::int32_t b) {
        return m_run.startSeconds[static_cast<std::size_t>(a)] < m_run.startSeconds[static_cast<std::size_t>(b)];
    });
    std::vector<Flow> flows;
    for (const std::int32_t task : tasks) {
        if (flows.size() >= most)
            break;
        const auto one = ofTask(task, most - flows.size());
        flows.insert(flows.end(), one.begin(), one.end());
    }
    // Flows between two of the tasks were found from both ends.
    std::sort(flows.begin(), flows.end());
    flows.erase(std::unique(flows.begin(), flows.end()), flows.end());
    return flows;
}

} // namespace syncopate
