// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/kernels.h"
#include "engine/rewrite/sync_units.h"

#include <limits>
#include <tuple>

namespace syncopate {

std::pair<TaskId, TaskId> Synchroniser::reduce(const Flow &flow, const TaskRow &row, const std::vector<ComputeOps> &ops) {
    const SyncUnit &unit = m_context.units[flow.unit];
    const double sizeBytes = unit.wireBytes / m_context.cluster.collectiveEfficiency;
    if (unit.sparse) // every replica gets every other's rows
        return m_collectives.gather(row, sizeBytes);
    const bool atOnce = !m_scattered.exists(); // else the second collective waits for all first ones, not just its own
    if (atOnce && unit.reduction == Reduction::AllReduce)
        return m_collectives.add(CollectiveKind::AllReduce, row, sizeBytes);
    const auto [firstKind, secondKind] = halvesOf(unit.reduction);
    TaskRow early = row;
    if (!atOnce)
        early.orderKey = static_cast<std::int64_t>(flow.unit); // units are in the order of readiness
    const auto first = m_collectives.add(firstKind, early, sizeBytes);
    const auto second = m_collectives.add(secondKind, row, sizeBytes);
    if (!atOnce)
        m_context.builder.addEdge(first.second, m_scattered);
    for (const ComputeOps &worker : ops)
        m_context.builder.addEdge(atOnce ? first.second : m_scattered, launch(row, worker, second.first));
    return {first.first, second.second};
}

void Synchroniser::allReduce(const Flow &flow, const std::vector<ComputeOps> &ops, std::vector<TaskId> &done) {
    GraphBuilder &builder = m_context.builder;
    const SyncUnit &unit = m_context.units[flow.unit];
    const double n = m_context.placement.replicas;
    const bool priority = m_credit.exists();

    TaskRow row;
    row.unit = UnitId(flow.unit);
    row.iteration = flow.iteration;
    row.orderKey = unit.priority;
    row.windowBytes = unit.sizeBytes;
    TaskId gate;
    if (priority) {
        row.kind = TaskKind::Join;
        row.queue = m_credit;
        row.holdsSlot = true;
        gate = builder.addTask(row);
    }
    row.holdsSlot = false;
    row.queue = {};
    TaskId begin, end;
    if (n < 2) { // no other replica to reduce with
        row.kind = TaskKind::Join;
        begin = end = builder.addTask(row);
    } else {
        std::tie(begin, end) = reduce(flow, row, ops);
    }
    for (const ComputeOps &worker : ops) {
        const TaskId launched = n < 2 ? begin : launch(row, worker, begin);
        if (gate.exists())
            builder.addEdge(gate, launched);
        gradientEdges(flow, worker, gate.exists() ? gate : launched);
    }
    if (gate.exists()) { // give the credit back
        TaskRow release;
        release.unit = row.unit;
        release.iteration = flow.iteration;
        release.releases = m_credit;
        release.windowBytes = unit.sizeBytes;
        const TaskId task = builder.addTask(release);
        builder.addEdge(end, task);
    }
    if (m_stepOver.exists()) {
        builder.addEdge(end, m_stepOver);
        end = m_stepOver;
    }
    done.assign(ops.size(), end);
}

TaskId Synchroniser::launch(const TaskRow &row, const ComputeOps &ops, TaskId begin) {
    const double seconds = m_context.cluster.host.collectiveSeconds;
    if (!(seconds > 0))
        return begin;
    const TaskId task = hostTask(row, ops.worker, seconds);
    m_context.builder.addEdge(task, begin);
    return task;
}

std::pair<TaskId, TaskId> Synchroniser::collectivesOf(LayerId layer, bool backward, IterationId iteration) {
    TaskRow row;
    row.layer = layer;
    row.iteration = iteration.number();
    row.orderKey = std::numeric_limits<std::int64_t>::min(); // compute waits for it
    TaskId first, last;
    for (const CommOp &op : m_context.job.layers[layer.index()].collectives) {
        if (op.backward != backward)
            continue;
        const auto [begin, end] = m_collectives.add(op.kind, row, op.sizeBytes / m_context.cluster.collectiveEfficiency,
                                                    !last.exists()); // the first of them is launched
        if (last.exists())
            m_context.builder.addEdge(last, begin);
        else
            first = begin;
        last = end;
    }
    return {first, last};
}

void Synchroniser::resultEdges(TaskId collective, std::size_t layer, bool backward, const ComputeOps &worker,
                               const std::vector<std::int32_t> &children) {
    GraphBuilder &builder = m_context.builder;
    const std::vector<std::int32_t> &parents = m_context.job.layers[layer].parents;
    if (backward) {
        for (const std::int32_t parent : parents)
            builder.addEdge(collective, worker.backward[static_cast<std::size_t>(parent)]);
        if (parents.empty() && worker.update.exists())
            builder.addEdge(collective, worker.update);
    } else {
        for (const std::int32_t child : children)
            builder.addEdge(collective, worker.forward[static_cast<std::size_t>(child)]);
        if (children.empty())
            builder.addEdge(collective, worker.backward[layer]);
    }
}

void Synchroniser::jobCollectives(const std::vector<ComputeOps> &ops, const std::vector<std::vector<std::int32_t>> &children,
                                  std::int32_t iteration) {
    if (m_context.placement.replicas < 2)
        return;
    for (std::size_t l = 0; l < m_context.job.layers.size(); ++l)
        for (const bool backward : {false, true}) {
            TaskRow about;
            about.layer = LayerId(l);
            about.iteration = iteration;
            const auto [first, last] = collectivesOf(LayerId(l), backward, IterationId(iteration));
            if (!last.exists())
                continue;
            for (const ComputeOps &worker : ops) {
                if (worker.empty())
                    continue;
                m_context.builder.addEdge(backward ? worker.backward[l] : worker.forward[l], launch(about, worker, first));
                resultEdges(last, l, backward, worker, children[l]);
            }
        }
}

} // namespace syncopate
