// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/kernels.h"

#include <fmt/format.h>

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
