// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/kernels.h"

namespace syncopate {

void Synchroniser::parameterServer(const Flow &flow, const std::vector<ComputeOps> &ops, std::vector<std::int32_t> &done) {
    GraphBuilder &builder = m_context.builder;
    Placement &placement = m_context.placement;
    const SyncUnit &unit = m_context.units[flow.unit];
    std::size_t server = 0;
    while (placement.servers[server].device != unit.destination)
        ++server;
    const bool priority = m_context.policy.kind == PolicyKind::Priority;

    TaskRow join;
    join.unit = static_cast<std::int32_t>(flow.unit);
    join.iteration = flow.iteration;
    join.orderKey = unit.priority;
    const std::int32_t aggregated = builder.addTask(join); // the server has every worker's gradient, and the new value
    std::int32_t gate = -1, release = -1;                  // take the credit before any push, return it after all pulls
    if (priority) {
        TaskRow credit = join;
        credit.windowBytes = unit.sizeBytes;
        credit.queue = m_credit;
        credit.holdsSlot = true;
        gate = builder.addTask(credit);
        credit.queue = -1;
        credit.holdsSlot = false;
        credit.releases = m_credit;
        release = builder.addTask(credit);
    }
    for (std::size_t w = 0; w < ops.size(); ++w) {
        const double replicas = placement.workers[w].replicas;
        const bool local = placement.isLocal(w, server);
        TaskRow row = join;
        row.worker = static_cast<std::int32_t>(w);
        std::int32_t ready = -1; // the task before the push
        if (replicas > 1) {      // AutoDist reduces the replicas of a node on its CPU before pushing once
            row.kind = TaskKind::LocalReduce;
            row.path = placement.fabricPath(builder, w);
            row.sizeBytes = (replicas - 1) * unit.wireBytes;
            ready = builder.addTask(row);
            gradientEdges(unit, ops[w], ready);
        }
        if (gate >= 0) {
            if (ready >= 0)
                builder.addEdge(ready, gate);
            else
                gradientEdges(unit, ops[w], gate);
            ready = gate;
        }
        row.kind = TaskKind::Push;
        row.queue = connection(m_sendQueues, "push to ", w, server);
        row.path = placement.pushPath(builder, w, server);
        row.fixedSeconds = m_context.cluster.messageSeconds + (local ? 0 : m_context.cluster.latencySeconds);
        row.sizeBytes = unit.wireBytes;
        // By priority, the gate orders the pushes; the connection itself is first come, first served.
        const std::int32_t push = builder.addTask(row);
        if (ready >= 0)
            builder.addEdge(ready, push);
        else
            gradientEdges(unit, ops[w], push);
        builder.addEdge(push, aggregated);

        row.kind = TaskKind::Pull;
        row.queue = connection(m_receiveQueues, "pull from ", w, server);
        row.path = placement.pullPath(builder, w, server);
        // Without a proxy every replica reads the variable from the server itself (AutoSync's features, reference 4.1).
        row.sizeBytes = unit.wireBytes * (unit.localReplication ? 1 : replicas);
        std::int32_t last = builder.addTask(row);
        builder.addEdge(aggregated, last);
        if (release >= 0)
            builder.addEdge(last, release);
        if (unit.localReplication && replicas > 1) {
            row.kind = TaskKind::LocalBroadcast;
            row.queue = -1;
            row.path = placement.fabricPath(builder, w);
            row.fixedSeconds = 0;
            row.sizeBytes = (replicas - 1) * unit.wireBytes;
            const std::int32_t broadcast = builder.addTask(row);
            builder.addEdge(last, broadcast);
            last = broadcast;
        }
        done.push_back(last);
    }
}

} // namespace syncopate
