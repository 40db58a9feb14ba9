// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/parameter_gathers.h"

#include "engine/rewrite/kernels.h"
#include "engine/rewrite/sync_units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace syncopate {

void shareUpdates(const Discipline &discipline, std::int32_t replicas, std::vector<SyncUnit> &units) {
    if (!discipline.gather)
        return;
    for (SyncUnit &unit : units)
        if (isShardable(unit))
            unit.updaters = replicas;
}

Result<std::vector<double>> gatherPieces(const Job &job, const std::vector<SyncUnit> &units, const Discipline &discipline) {
    constexpr double maxPieces = 65536; // as many as a variable has slices
    std::vector<double> pieces;
    if (!discipline.gather)
        return pieces;
    std::map<DataType, double> bytesOf; // fused units are of one type
    for (const SyncUnit &unit : units)
        if (unit.updaters > 1)
            bytesOf[job.variables[static_cast<std::size_t>(unit.variables.front())].dtype] += unit.sizeBytes;
    double all = 0;
    for (const auto &[type, bytes] : bytesOf) {
        const double elements = bytes / static_cast<double>(sizeOf(type));
        const double count = std::max(1.0, std::floor(elements / discipline.gather->elements * (1 + 1e-12)));
        all += count;
        if (!(all <= maxPieces))
            return fail(fmt::format("gathers of {:.0f} elements cut {:.0f} parameters into {:.0f}", discipline.gather->elements,
                                    elements, count),
                        fmt::format("gather more at a time: at most {:.0f} pieces are simulated", maxPieces));
        pieces.insert(pieces.end(), static_cast<std::size_t>(count), bytes / count);
    }
    return pieces;
}

TaskId Synchroniser::wholeUpdate(const ComputeOps &ops, std::int32_t iteration) {
    const bool isFirst = m_before.empty();
    if (m_context.policy.barrier)
        return isFirst ? TaskId() : m_before[ops.worker.index()].update;
    GraphBuilder &builder = m_context.builder;
    // A task in between makes pieces + layers edges out of their product. The first iteration has it, too: iterations that differ
    // in their tasks cannot be repeated.
    const TaskId updated = builder.addTask({.worker = ops.worker, .iteration = iteration});
    if (isFirst)
        return updated;
    const ComputeOps &before = m_before[ops.worker.index()];
    for (std::size_t l = 0; l < before.backward.size(); ++l) {
        if (before.layerUpdate[l].exists())
            builder.addEdge(before.layerUpdate[l], updated);
        if (m_context.job.layers[l].parents.empty()) // the program has come to this iteration
            builder.addEdge(before.backward[l], updated);
    }
    return updated;
}

void Synchroniser::gatherParameters(const std::vector<ComputeOps> &ops, std::int32_t iteration) {
    GraphBuilder &builder = m_context.builder;
    TaskRow row;
    row.iteration = iteration;
    std::vector<TaskId> updated(ops.size());
    for (std::size_t w = 0; w < ops.size(); ++w)
        if (!ops[w].empty())
            updated[w] = wholeUpdate(ops[w], iteration);
    TaskId last;
    for (const double bytes : m_context.gatheredBytes) {
        if (m_context.stop.stop_requested())
            return;
        // A compressor is for gradients; parameters are gathered as they are.
        const auto ends = m_collectives.add(CollectiveKind::AllGather, row, bytes / m_context.cluster.collectiveEfficiency);
        if (last.exists())
            builder.addEdge(last, ends.first);
        last = ends.second;
        for (std::size_t w = 0; w < ops.size(); ++w) {
            if (ops[w].empty())
                continue;
            const TaskId launched = launch(row, ops[w], ends.first);
            if (updated[w].exists())
                builder.addEdge(updated[w], launched);
        }
        ++row.orderKey;
    }
    for (const ComputeOps &worker : ops)
        for (std::size_t l = 0; l < worker.forward.size(); ++l)
            if (m_context.job.layers[l].parents.empty())
                builder.addEdge(last, worker.forward[l]);
    m_before = ops;
}

} // namespace syncopate
