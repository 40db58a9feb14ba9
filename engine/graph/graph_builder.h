// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace syncopate {

/// One row of a TaskGraph, with the defaults most tasks share.
struct TaskRow {
    TaskKind kind = TaskKind::Join;
    WorkerClassId worker{};
    QueueId queue{};
    QueueId releases{}; ///< addTask() sets it to `queue` unless holdsSlot
    PathId path{};
    RingId ring{}; ///< instead of a path
    double fixedSeconds = 0;
    double flightSeconds = 0;
    double sizeBytes = 0;
    double windowBytes = 0;
    std::int64_t orderKey = 0;
    LayerId layer{};
    UnitId unit{};
    std::int32_t iteration = 0;
    bool holdsSlot = false; ///< keep the slot of `queue` when done; a later task releases it
};

/// Collects tasks and edges in any order, then lays them out as a TaskGraph.
class GraphBuilder {
public:
    /// `memory`: an old graph, whose columns' memory is reused (SimulationMemory says why).
    explicit GraphBuilder(TaskGraph memory = {});
    TaskId addTask(const TaskRow &row);
    void addEdge(TaskId parent, TaskId child);
    QueueId addQueue(TaskQueue queue);
    LinkId addLink(FluidLink link);
    /// A path over `hops`, on which one flow reaches `limit` bytes/s at most. Flows on one path share one rate, so add each
    /// path once and reuse it; flows of another limit are on another path.
    PathId addPath(const std::vector<PathHop> &hops, double limit = std::numeric_limits<double>::infinity());

    RingId addRing(RingShape ring);
    /// Reserves memory for about that many tasks and edges.
    void reserve(std::size_t tasks, std::size_t edges);

    /// The parts of the graph that need no layout (units, worker names, assumptions); kernels fill them in directly. Until
    /// take(), its columns are longer than the number of tasks.
    TaskGraph &graph() { return m_graph; }
    /// Lays out the edges and hands the graph over; the builder is empty afterwards.
    [[nodiscard]] TaskGraph take();

private:
    void resizeColumns(std::size_t tasks);

    TaskGraph m_graph;
    std::size_t m_tasks = 0;
    std::vector<std::pair<TaskId, TaskId>> m_edges;
};

} // namespace syncopate
