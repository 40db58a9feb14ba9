// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/graph/graph_builder.h"

#include <algorithm>
#include <cassert>

namespace syncopate {

TaskId GraphBuilder::addTask(const TaskRow &row) {
    TaskGraph &g = m_graph;
    g.kind.push_back(row.kind);
    g.worker.push_back(row.worker);
    g.queue.push_back(row.queue);
    g.releases.push_back(row.releases.exists() || row.holdsSlot ? row.releases : row.queue);
    g.path.push_back(row.path);
    g.ring.push_back(row.ring);
    g.fixedSeconds.push_back(row.fixedSeconds);
    g.flightSeconds.push_back(row.flightSeconds);
    g.sizeBytes.push_back(row.sizeBytes);
    g.windowBytes.push_back(row.windowBytes);
    g.orderKey.push_back(row.orderKey);
    g.layer.push_back(row.layer);
    g.unit.push_back(row.unit);
    g.iteration.push_back(row.iteration);
    return TaskId(g.size() - 1);
}

void GraphBuilder::addEdge(TaskId parent, TaskId child) {
    assert(parent.exists() && child.exists() && parent != child);
    m_edges.emplace_back(parent, child);
}

QueueId GraphBuilder::addQueue(TaskQueue queue) {
    m_graph.queues.push_back(std::move(queue));
    return QueueId(m_graph.queues.size() - 1);
}

LinkId GraphBuilder::addLink(FluidLink link) { return m_graph.addLink(std::move(link)); }

PathId GraphBuilder::addPath(const std::vector<PathHop> &hops, double limit) { return m_graph.addPath(hops, limit); }

RingId GraphBuilder::addRing(RingShape ring) {
    m_graph.rings.push_back(std::move(ring));
    return RingId(m_graph.rings.size() - 1);
}

void GraphBuilder::reserve(std::size_t tasks, std::size_t edges) {
    TaskGraph &g = m_graph;
    g.kind.reserve(tasks);
    for (auto *column : {&g.worker, &g.layer, &g.unit, &g.iteration})
        column->reserve(tasks);
    g.queue.reserve(tasks);
    g.releases.reserve(tasks);
    g.path.reserve(tasks);
    g.ring.reserve(tasks);
    for (auto *column : {&g.fixedSeconds, &g.flightSeconds, &g.sizeBytes, &g.windowBytes})
        column->reserve(tasks);
    g.orderKey.reserve(tasks);
    m_edges.reserve(edges);
}

TaskGraph GraphBuilder::take() {
    TaskGraph g = std::move(m_graph);
    const std::size_t n = g.size();
    g.successorOffsets.assign(n + 1, 0);
    g.parentCount.assign(n, 0);
    for (const auto &[parent, child] : m_edges) {
        ++g.successorOffsets[parent.index() + 1];
        ++g.parentCount[child.index()];
    }
    for (std::size_t i = 0; i < n; ++i)
        g.successorOffsets[i + 1] += g.successorOffsets[i];
    g.successors.resize(m_edges.size());
    std::vector<std::uint32_t> next(g.successorOffsets.begin(), g.successorOffsets.end() - 1);
    for (const auto &[parent, child] : m_edges)
        g.successors[next[parent.index()]++] = child;
    m_graph = {};
    m_edges.clear();
    return g;
}

} // namespace syncopate
