// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/kernels.h"

namespace syncopate {

void Synchroniser::allReduce(const Flow &flow, const std::vector<ComputeOps> &ops, std::vector<std::int32_t> &done) {
    GraphBuilder &builder = m_context.builder;
    const SyncUnit &unit = m_context.units[flow.unit];
    const Cluster &cluster = m_context.cluster;
    const double n = m_context.placement.replicas;
    const bool priority = m_context.policy.kind == PolicyKind::Priority;

    TaskRow row;
    row.unit = static_cast<std::int32_t>(flow.unit);
    row.iteration = flow.iteration;
    row.orderKey = unit.priority;
    row.windowBytes = unit.sizeBytes;
    std::int32_t gate = -1;
    if (priority) {
        row.kind = TaskKind::Join;
        row.queue = m_credit;
        row.holdsSlot = true;
        gate = builder.addTask(row);
    }
    row.holdsSlot = false;
    row.queue = m_channels;
    std::int32_t begin = -1, end = -1;
    if (n < 2) { // nobody to reduce with
        row.kind = TaskKind::Join;
        row.queue = -1;
        begin = end = builder.addTask(row);
    } else if (m_context.policy.form == CollectiveForm::Analytic) {
        // Ring: 2(n-1) steps of S/n bytes each, every link busy in every step (Patarasuk and Yuan 2009). All links carry
        // 2(n-1)/n S bytes, after 2(n-1) hop latencies.
        row.kind = TaskKind::AllReduce;
        row.path = m_context.placement.ringPath(builder);
        row.fixedSeconds = 2 * (n - 1) * (cluster.latencySeconds + cluster.messageSeconds);
        row.sizeBytes = 2 * (n - 1) / n * unit.wireBytes / cluster.collectiveEfficiency;
        begin = end = builder.addTask(row);
    } else {
        row.kind = TaskKind::Join;
        row.holdsSlot = true;
        begin = builder.addTask(row);
        row.holdsSlot = false;
        row.queue = -1;
        row.releases = m_channels;
        end = builder.addTask(row);
        ringSteps(flow, begin, end);
    }
    if (gate >= 0)
        builder.addEdge(gate, begin);
    for (const ComputeOps &worker : ops)
        gradientEdges(unit, worker, gate >= 0 ? gate : begin);
    if (gate >= 0) { // give the credit back
        TaskRow release;
        release.unit = row.unit;
        release.iteration = flow.iteration;
        release.releases = m_credit;
        release.windowBytes = unit.sizeBytes;
        const std::int32_t task = builder.addTask(release);
        builder.addEdge(end, task);
    }
    done.assign(ops.size(), end);
}

void Synchroniser::ringSteps(const Flow &flow, std::int32_t begin, std::int32_t end) {
    GraphBuilder &builder = m_context.builder;
    const Placement &placement = m_context.placement;
    const SyncUnit &unit = m_context.units[flow.unit];
    const std::int32_t n = placement.replicas;
    // The ring visits the replicas in device order. Folded (one class): every node does the same in every step, so one
    // node's sends stand for all: one hop out of the node, and one per further replica inside it.
    const bool folded = placement.workers.size() == 1;
    struct Hop {
        std::int32_t path;
        bool local;
        std::int32_t worker;
    };
    std::vector<Hop> hops;
    const auto pathFor = [&](std::size_t index, const std::vector<PathHop> &links) {
        if (m_ringPaths.size() <= index)
            m_ringPaths.resize(index + 1, -1);
        if (m_ringPaths[index] < 0)
            m_ringPaths[index] = builder.addPath(links);
        return m_ringPaths[index];
    };
    const std::size_t classes = placement.workers.size();
    for (std::size_t w = 0; w < classes; ++w) {
        const WorkerClass &from = placement.workers[w];
        const WorkerClass &to = placement.workers[(w + 1) % classes];
        const auto worker = static_cast<std::int32_t>(w);
        for (std::int32_t r = 1; r < from.replicas; ++r) // neighbours in one node
            hops.push_back({pathFor(2 * w + 1, {{from.fabricLink, 1}}), true, worker});
        if (classes > 1 || from.nodes.size() > 1)
            hops.push_back({pathFor(2 * w, {{from.txLink, 1}, {to.rxLink, 1}}), false, worker});
        else
            hops.push_back({pathFor(2 * w + 1, {{from.fabricLink, 1}}), true, worker});
    }
    // A fabric carries one hop per device pair at full rate, so folding keeps one hop of each sort.
    if (folded && hops.size() > 1 && hops.front().path != hops.back().path)
        hops = {hops.front(), hops.back()};
    else if (folded)
        hops.resize(1);

    TaskRow row;
    row.kind = TaskKind::RingStep;
    row.unit = static_cast<std::int32_t>(flow.unit);
    row.iteration = flow.iteration;
    row.orderKey = unit.priority;
    row.sizeBytes = unit.wireBytes / n / m_context.cluster.collectiveEfficiency;
    std::vector<std::int32_t> previous(hops.size(), begin), current(hops.size());
    for (std::int32_t step = 0; step < 2 * (n - 1); ++step) {
        for (std::size_t h = 0; h < hops.size(); ++h) {
            row.worker = hops[h].worker;
            row.path = hops[h].path;
            row.fixedSeconds = m_context.cluster.messageSeconds + (hops[h].local ? 0 : m_context.cluster.latencySeconds);
            current[h] = builder.addTask(row);
            // A sender forwards what it received in the step before, when its own last send is out.
            if (step == 0) {
                builder.addEdge(begin, current[h]);
                continue;
            }
            const std::size_t before = (h + hops.size() - 1) % hops.size();
            builder.addEdge(previous[before], current[h]);
            if (before != h)
                builder.addEdge(previous[h], current[h]);
        }
        std::swap(previous, current);
    }
    for (const std::int32_t last : previous)
        builder.addEdge(last, end);
}

} // namespace syncopate
