// SPDX-License-Identifier: GPL-3.0-or-later
// Fully sharded units: gathers before both passes and reduce-scatters, one after the other in the order of their issue.
#include "engine/rewrite/kernels.h"

#include <algorithm>

namespace syncopate {

void Synchroniser::updateEdges(const ShardedStep &step, const ComputeOps &ops, TaskId gather, bool isFirst) {
    const ComputeOps &before = m_before[ops.worker.index()];
    GraphBuilder &builder = m_context.builder;
    if (m_context.policy.barrier) { // later gathers follow the first
        if (isFirst)
            builder.addEdge(before.update, gather);
        return;
    }
    for (const std::int32_t l : m_modules[step.module].layers)
        builder.addEdge(before.layerUpdate[static_cast<std::size_t>(l)], gather);
    for (std::size_t l = 0; isFirst && l < before.backward.size(); ++l) // the program has come to this iteration
        if (m_context.job.layers[l].parents.empty())
            builder.addEdge(before.backward[l], gather);
}

void Synchroniser::stepEdges(const ShardedStep &step, const Flow &flow, const ComputeOps &ops, std::pair<TaskId, TaskId> ends,
                             std::int32_t reached) {
    GraphBuilder &builder = m_context.builder;
    const ShardedModule &module = m_modules[step.module];
    const auto layers = static_cast<std::int32_t>(ops.forward.size());
    const auto op = [&](std::int32_t number) {
        return number < layers ? ops.forward[static_cast<std::size_t>(number)]
                               : ops.backward[static_cast<std::size_t>(2 * layers - 1 - number)];
    };
    TaskRow row;
    row.unit = UnitId(flow.unit);
    row.iteration = flow.iteration;
    const TaskId launched = launch(row, ops, ends.first);
    if (step.what == ShardedStep::What::Scatter) {
        gradientEdges(flow, ops, launched);
        for (std::size_t l = 0; module.isRoot && l < ops.backward.size(); ++l) // issued when the backward pass is over
            if (m_context.job.layers[l].parents.empty())
                builder.addEdge(ops.backward[l], launched);
        for (std::int32_t number = step.holdsFrom; number < step.holdsTo; ++number)
            builder.addEdge(ends.second, op(number));
        return;
    }
    for (std::int32_t number = reached; number < step.after; ++number)
        builder.addEdge(op(number), launched);
    const bool again = step.what == ShardedStep::What::GatherAgain;
    if (!again && !m_before.empty())
        updateEdges(step, ops, launched, step == m_steps.front());
    for (const std::int32_t l : module.layers)
        builder.addEdge(ends.second, (again ? ops.backward : ops.forward)[static_cast<std::size_t>(l)]);
    // Nothing of the model runs before its root is gathered, or all of it.
    const bool first = module.isRoot || m_discipline.sharding->gathersFirst;
    for (std::int32_t l = 0; first && !again && l < layers; ++l)
        if (m_context.job.layers[static_cast<std::size_t>(l)].parents.empty() &&
            !std::binary_search(module.layers.begin(), module.layers.end(), l))
            builder.addEdge(ends.second, ops.forward[static_cast<std::size_t>(l)]);
}

void Synchroniser::shardedUnits(const std::vector<ComputeOps> &ops, std::int32_t iteration,
                                std::vector<std::vector<TaskId>> &done) {
    using What = ShardedStep::What;
    GraphBuilder &builder = m_context.builder;
    std::int32_t reached = 0;
    std::vector<std::pair<std::int32_t, TaskId>> holds; // the op that a scatter holds up, and its last task; both ascend
    std::size_t passed = 0;                             // of them, those before the copy-out that a gather waits for
    for (std::size_t s = 0; s < m_steps.size() && !m_context.stop.stop_requested(); ++s) {
        const ShardedStep &step = m_steps[s];
        const ShardedModule &module = m_modules[step.module];
        const SyncUnit &unit = m_context.units[module.unit];
        const bool scatters = step.what == What::Scatter;
        TaskRow row;
        row.unit = UnitId(module.unit);
        row.iteration = iteration;
        row.orderKey = static_cast<std::int64_t>(s);
        if (!scatters)
            row.layer = LayerId(step.what == What::Gather ? module.layers.front() : module.layers.back());
        // A compressor is for gradients; parameters are gathered as they are.
        const auto ends =
            m_collectives.add(scatters ? CollectiveKind::ReduceScatter : CollectiveKind::AllGather, row,
                              (scatters ? unit.wireBytes : unit.sizeBytes) / m_context.cluster.collectiveEfficiency);
        TaskId &before = scatters && m_discipline.sharding->scattersApart ? m_scatteredShard : m_gathered;
        if (before.exists())
            builder.addEdge(before, ends.first);
        before = ends.second;
        if (scatters)
            holds.emplace_back(step.holdsFrom, ends.second);
        // On one communicator they have ended anyway.
        while (m_discipline.sharding->scattersApart && !scatters && passed < holds.size() && holds[passed].first <= step.after)
            builder.addEdge(holds[passed++].second, ends.first);
        for (const ComputeOps &worker : ops)
            stepEdges(step, {module.unit, iteration}, worker, ends, reached);
        reached = std::max(reached, step.after);
        if (scatters)
            done[module.unit].assign(ops.size(), ends.second);
    }
    m_before = ops;
}

} // namespace syncopate
