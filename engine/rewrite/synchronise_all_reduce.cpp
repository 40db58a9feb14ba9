// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/kernels.h"

namespace syncopate {

void Synchroniser::allReduce(const Flow &flow, const std::vector<ComputeOps> &ops, std::vector<std::int32_t> &done) {
    GraphBuilder &builder = m_context.builder;
    const SyncUnit &unit = m_context.units[flow.unit];
    const Cluster &cluster = m_context.cluster;
    const double n = m_context.placement.replicas;
    const bool priority = m_credit >= 0;

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
        // Sparse gradients are gathered: n-1 steps, in each of which every replica passes on one replica's rows.
        const double steps = unit.sparse ? n - 1 : 2 * (n - 1);
        row.kind = TaskKind::AllReduce;
        row.path = m_context.placement.ringPath(builder);
        row.fixedSeconds = steps * (cluster.latencySeconds + cluster.messageSeconds);
        row.sizeBytes = steps / (unit.sparse ? 1 : n) * unit.wireBytes / cluster.collectiveEfficiency;
        begin = end = builder.addTask(row);
    } else if (streamsSteps()) {
        row.kind = TaskKind::AllReduce;
        row.ring = ringShape(unit);
        row.sizeBytes = builder.graph().rings[static_cast<std::size_t>(row.ring)].steps * ringStepBytes(unit);
        begin = end = builder.addTask(row);
        row.ring = -1;
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
        gradientEdges(flow, worker, gate >= 0 ? gate : begin);
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

double Synchroniser::ringStepBytes(const SyncUnit &unit) const {
    return unit.wireBytes / (unit.sparse ? 1 : m_context.placement.replicas) / m_context.cluster.collectiveEfficiency;
}

std::int32_t Synchroniser::ringStepCount(const SyncUnit &unit) const {
    return (unit.sparse ? 1 : 2) * (m_context.placement.replicas - 1);
}

const std::vector<Synchroniser::RingHop> &Synchroniser::ringHops() {
    if (!m_ringHops.empty())
        return m_ringHops;
    // The ring visits the replicas in device order. Hops inside a node each have a device's port to themselves and are all
    // alike, so one stands for them. Folded (one class), one node's hops stand for every node's.
    const Placement &placement = m_context.placement;
    const double message = m_context.cluster.messageSeconds;
    const std::size_t classes = placement.workers.size();
    for (std::size_t w = 0; w < classes; ++w) {
        const WorkerClass &from = placement.workers[w];
        const WorkerClass &to = placement.workers[(w + 1) % classes];
        const auto worker = static_cast<std::int32_t>(w);
        if (from.replicas > 1)
            m_ringHops.push_back({{m_context.placement.fabricPath(m_context.builder, w), message}, worker});
        if (classes > 1 || from.nodes.size() > 1)
            m_ringHops.push_back(
                {{m_context.builder.addPath({{from.txLink, 1}, {to.rxLink, 1}}), message + m_context.cluster.latencySeconds},
                 worker});
    }
    return m_ringHops;
}

bool Synchroniser::streamsSteps() {
    // Steps as tasks can be looked at one by one; beyond some ten thousand nobody does.
    const double hops = static_cast<double>(ringHops().size());
    const double units = static_cast<double>(m_context.units.size());
    return 2.0 * (m_context.placement.replicas - 1) * hops * units > 20000;
}

std::int32_t Synchroniser::ringShape(const SyncUnit &unit) {
    std::int32_t &known = unit.sparse ? m_gatherShape : m_ringShape;
    if (known < 0) {
        RingShape shape;
        for (const RingHop &hop : ringHops())
            shape.lanes.push_back(hop.lane);
        shape.steps = ringStepCount(unit);
        known = m_context.builder.addRing(std::move(shape));
    }
    return known;
}

void Synchroniser::ringSteps(const Flow &flow, std::int32_t begin, std::int32_t end) {
    GraphBuilder &builder = m_context.builder;
    const SyncUnit &unit = m_context.units[flow.unit];
    const std::vector<RingHop> &hops = ringHops();
    TaskRow row;
    row.kind = TaskKind::RingStep;
    row.unit = static_cast<std::int32_t>(flow.unit);
    row.iteration = flow.iteration;
    row.orderKey = unit.priority;
    row.sizeBytes = ringStepBytes(unit);
    std::vector<std::int32_t> previous(hops.size(), begin), current(hops.size());
    for (std::int32_t step = 0; step < ringStepCount(unit); ++step) {
        for (std::size_t h = 0; h < hops.size(); ++h) {
            row.worker = hops[h].worker;
            row.path = hops[h].lane.path;
            row.fixedSeconds = hops[h].lane.fixedSeconds;
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
