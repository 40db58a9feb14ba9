// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/graph/graph_builder.h"

#include <algorithm>
#include <cassert>

namespace syncopate {

namespace {
/// Columns grow by this many rows at once, so that adding a task need not ask each column whether it has room.
constexpr std::size_t rowsAtOnce = 512;
} // namespace

GraphBuilder::GraphBuilder(TaskGraph memory) {
    const auto take = [](auto &column, auto &from) {
        column = std::move(from);
        column.clear();
    };
    TaskGraph &g = m_graph;
    take(g.kind, memory.kind);
    take(g.worker, memory.worker);
    take(g.queue, memory.queue);
    take(g.releases, memory.releases);
    take(g.path, memory.path);
    take(g.ring, memory.ring);
    take(g.fixedSeconds, memory.fixedSeconds);
    take(g.flightSeconds, memory.flightSeconds);
    take(g.sizeBytes, memory.sizeBytes);
    take(g.windowBytes, memory.windowBytes);
    take(g.orderKey, memory.orderKey);
    take(g.layer, memory.layer);
    take(g.unit, memory.unit);
    take(g.iteration, memory.iteration);
    take(g.successorOffsets, memory.successorOffsets);
    take(g.successors, memory.successors);
    take(g.parentCount, memory.parentCount);
}

TaskId GraphBuilder::addTask(const TaskRow &row) {
    TaskGraph &g = m_graph;
    if (m_tasks == g.size())
        resizeColumns(m_tasks + rowsAtOnce);
    const std::size_t t = m_tasks++;
    g.kind[t] = row.kind;
    g.worker[t] = row.worker;
    g.queue[t] = row.queue;
    g.releases[t] = row.releases.exists() || row.holdsSlot ? row.releases : row.queue;
    g.path[t] = row.path;
    g.ring[t] = row.ring;
    g.fixedSeconds[t] = row.fixedSeconds;
    g.flightSeconds[t] = row.flightSeconds;
    g.sizeBytes[t] = row.sizeBytes;
    g.windowBytes[t] = row.windowBytes;
    g.orderKey[t] = row.orderKey;
    g.layer[t] = row.layer;
    g.unit[t] = row.unit;
    g.iteration[t] = row.iteration;
    return TaskId(t);
}

void GraphBuilder::resizeColumns(std::size_t tasks) {
    TaskGraph &g = m_graph;
    g.kind.resize(tasks);
    g.worker.resize(tasks);
    g.layer.resize(tasks);
    g.unit.resize(tasks);
    g.iteration.resize(tasks);
    g.queue.resize(tasks);
    g.releases.resize(tasks);
    g.path.resize(tasks);
    g.ring.resize(tasks);
    for (auto *column : {&g.fixedSeconds, &g.flightSeconds, &g.sizeBytes, &g.windowBytes})
        column->resize(tasks);
    g.orderKey.resize(tasks);
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
    g.worker.reserve(tasks);
    g.layer.reserve(tasks);
    g.unit.reserve(tasks);
    g.iteration.reserve(tasks);
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
    resizeColumns(m_tasks);
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
    m_tasks = 0;
    m_edges.clear();
    return g;
}

} // namespace syncopate
