// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/kernels.h"

namespace syncopate {

Synchroniser::Synchroniser(RewriteContext &context) : m_context(context) {
    GraphBuilder &builder = context.builder;
    TaskQueue channels;
    channels.name = "all-reduce";
    channels.slotCount = context.policy.concurrent;
    m_channels = builder.addQueue(channels);
    if (context.policy.kind == PolicyKind::Priority) {
        // One credit for all workers: ByteScheduler lets one rank choose the order. Were each worker to choose for itself,
        // two of different speed could each hold credit for parts that wait for the other's: a deadlock.
        TaskQueue credit;
        credit.name = "credit";
        credit.slotCount = std::numeric_limits<std::int32_t>::max();
        credit.windowBytes = context.policy.creditBytes;
        credit.byPriority = true;
        m_credit = builder.addQueue(credit);
    }
}

std::int32_t Synchroniser::connection(std::vector<std::int32_t> &queues, const char *what, std::size_t worker,
                                      std::size_t server) {
    // One message at a time on each connection (measured/README.md; gRPC's ordered channel).
    const std::size_t servers = m_context.placement.servers.size();
    if (queues.empty())
        queues.assign(m_context.placement.workers.size() * servers, -1);
    std::int32_t &queue = queues[worker * servers + server];
    if (queue < 0) {
        TaskQueue q;
        q.name = what + m_context.placement.servers[server].device;
        q.worker = static_cast<std::int32_t>(worker);
        queue = m_context.builder.addQueue(q);
    }
    return queue;
}

void Synchroniser::gradientEdges(const SyncUnit &unit, const ComputeOps &ops, std::int32_t child) {
    // A fused unit waits for every layer that it has a gradient of.
    const Job &job = m_context.job;
    if (unit.variables.size() == 1) {
        m_context.builder.addEdge(ops.backward[static_cast<std::size_t>(unit.lastLayer)], child);
        return;
    }
    std::vector<bool> wanted(job.variables.size(), false);
    for (const std::int32_t v : unit.variables)
        wanted[static_cast<std::size_t>(v)] = true;
    for (std::size_t l = 0; l < job.layers.size(); ++l)
        for (const std::int32_t v : job.layers[l].variables)
            if (wanted[static_cast<std::size_t>(v)]) {
                m_context.builder.addEdge(ops.backward[l], child);
                break;
            }
}

std::vector<std::vector<std::int32_t>> Synchroniser::synchronise(const std::vector<ComputeOps> &ops, std::int32_t iteration) {
    std::vector<std::vector<std::int32_t>> done(m_context.units.size());
    for (std::size_t u = 0; u < m_context.units.size(); ++u) {
        if (m_context.units[u].kind == SynchronizerKind::AllReduce)
            allReduce({u, iteration}, ops, done[u]);
        else
            parameterServer({u, iteration}, ops, done[u]);
    }
    return done;
}

} // namespace syncopate
