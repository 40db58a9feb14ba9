// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/change_credit.h"
#include "engine/rewrite/kernels.h"
#include "engine/rewrite/program_order.h"
#include "engine/rewrite/sync_units.h"

#include <algorithm>
#include <limits>
#include <map>

namespace syncopate {

namespace {

TaskQueue communicator(const Discipline &discipline, const Cluster &cluster) {
    TaskQueue channels;
    channels.name = "all-reduce";
    channels.slotCount = discipline.channels.value_or(cluster.channels);
    channels.byPriority = discipline.orderedCollectives;
    return channels;
}

} // namespace

Synchroniser::Synchroniser(RewriteContext &context)
    : m_context(context), m_discipline(context.discipline),
      m_collectives(context, context.builder.addQueue(communicator(context.discipline, context.cluster))) {
    GraphBuilder &builder = context.builder;
    if (m_discipline.sharding) {
        m_modules = shardedModules(context.units, context.layersOfVariable);
        m_steps = shardedOrder(m_modules, static_cast<std::int32_t>(context.job.layers.size()), *m_discipline.sharding);
    }
    m_servers.resize(context.units.size());
    m_stations.resize(context.units.size());
    for (std::size_t u = 0; u < context.units.size(); ++u)
        if (const SyncUnit &unit = context.units[u]; unit.kind == SynchronizerKind::ParameterServer) {
            m_servers[u] = serverOf(unit.destination);
            m_stations[u] = unit.transferDestination.empty() ? m_servers[u] : serverOf(unit.transferDestination);
        }
    m_streams.assign(context.units.size(), 0);
    if (context.placement.streams > 1) {
        std::map<std::string, std::int32_t> units; // per server
        for (std::size_t u = 0; u < m_streams.size(); ++u) {
            const SyncUnit &unit = context.units[u];
            std::int32_t &count = units[unit.transferDestination.empty() ? unit.destination : unit.transferDestination];
            m_streams[u] = count++ % context.placement.streams;
        }
    }
    if (m_discipline.creditBytes) {
        // One credit for all workers: ByteScheduler lets one rank choose the order. If each worker chose for itself, two of
        // different speed could each hold credit for parts that wait for the other's: a deadlock. A node's sum waits for no other
        // worker, so nodes have credits of their own for it.
        TaskQueue credit;
        credit.name = creditQueue;
        credit.slotCount = std::numeric_limits<std::int32_t>::max();
        credit.windowBytes = *m_discipline.creditBytes;
        credit.byPriority = true;
        credit.strictWindow = m_discipline.strictCredit;
        m_credit = builder.addQueue(credit);
    }
}

QueueId Synchroniser::connection(Connections &queues, const char *what, const Process &from, ServerId server, std::int32_t stream,
                                 bool byPriority) {
    const Placement &placement = m_context.placement;
    const std::size_t pair = placement.pairIndex(indexOf(from), server, stream);
    if (pair >= queues.size()) // for all pairs of workers; for the few pairs that a server sends on, one by one
        queues.resize(std::max(pair + 1, placement.pairCount(placement.workers.size())));
    QueueId &queue = queues[pair];
    if (!queue.exists()) {
        // One message at a time per connection, as on gRPC's ordered channel.
        TaskQueue q;
        const bool isOnePush = m_discipline.onePush && &queues == &m_sendQueues; // to all servers, one after the other
        q.name = isOnePush ? "push to the servers" : what + placement[server].device;
        q.worker = classOf(from);
        q.byPriority = byPriority;
        q.slotCount = isOnePush ? 1 : 1 + (m_context.policy.connections - 1) / placement.streams;
        if (m_context.policy.sharing == ConnectionSharing::None && !m_discipline.onePush)
            q.slotCount = std::numeric_limits<std::int32_t>::max();
        queue = m_context.builder.addQueue(q);
    }
    return queue;
}

std::pair<TaskId, TaskId> Synchroniser::stream(const TaskRow &message) {
    GraphBuilder &builder = m_context.builder;
    if (message.sizeBytes <= m_discipline.streamBytes) {
        const TaskId task = builder.addTask(message);
        return {task, task};
    }
    TaskRow part = message;
    part.sizeBytes = m_discipline.streamBytes;
    part.flightSeconds = 0;
    const TaskId first = builder.addTask(part);
    part.sizeBytes = message.sizeBytes - m_discipline.streamBytes;
    part.fixedSeconds = 0; // the rest follows without a new message
    part.flightSeconds = message.flightSeconds;
    const TaskId rest = builder.addTask(part);
    builder.addEdge(first, rest);
    return {first, rest};
}

QueueId Synchroniser::credit(WorkerClassId worker) {
    if (!m_credit.exists() || !worker.exists())
        return m_credit;
    if (m_workerCredit.empty())
        m_workerCredit.resize(m_context.placement.workers.size());
    QueueId &queue = m_workerCredit[worker.index()];
    if (!queue.exists()) {
        TaskQueue own = m_context.builder.graph().queues[m_credit.index()];
        own.worker = worker;
        queue = m_context.builder.addQueue(own);
    }
    return queue;
}

std::size_t Synchroniser::indexOf(const Process &process) {
    return std::visit([](const auto id) { return id.index(); }, process);
}

WorkerClassId Synchroniser::classOf(const Process &process) const {
    const auto *server = std::get_if<ServerId>(&process);
    return server ? m_context.placement[*server].workerClass : std::get<WorkerClassId>(process);
}

QueueId Synchroniser::hostQueue(const Process &process) {
    const Placement &placement = m_context.placement;
    const auto *server = std::get_if<ServerId>(&process);
    std::vector<QueueId> &hosts = server ? m_serverHosts : m_workerHosts;
    if (hosts.empty())
        hosts.resize(server ? placement.servers.size() : placement.workers.size());
    QueueId &queue = hosts[indexOf(process)];
    if (!queue.exists()) {
        TaskQueue newQueue;
        newQueue.name = server ? "host of server " + placement[*server].device
                               : "host of " + m_context.builder.graph().workerNames[indexOf(process)];
        newQueue.worker = classOf(process);
        const std::int32_t threads = m_context.cluster.host.threads;
        newQueue.slotCount = server ? m_discipline.serverThreads.value_or(threads) : threads;
        queue = m_context.builder.addQueue(newQueue);
    }
    return queue;
}

TaskId Synchroniser::hostTask(const TaskRow &row, const Process &process, double seconds) {
    TaskRow hostRow = row;
    hostRow.kind = TaskKind::Host;
    hostRow.queue = hostQueue(process);
    hostRow.worker = m_context.builder.graph().queues[hostRow.queue.index()].worker;
    hostRow.path = {};
    hostRow.sizeBytes = hostRow.windowBytes = hostRow.flightSeconds = 0;
    hostRow.fixedSeconds = seconds;
    return m_context.builder.addTask(hostRow);
}

TaskId Synchroniser::onHost(const TaskRow &row, const Process &process, double seconds, TaskId before) {
    if (!(seconds > 0))
        return before;
    const TaskId task = hostTask(row, process, seconds);
    m_context.builder.addEdge(before, task);
    return task;
}

double Synchroniser::sendSeconds(double bytes) const {
    const HostCosts &host = m_context.cluster.host;
    return host.sendSeconds + host.sendSecondsPerByte * bytes;
}

double Synchroniser::receiveSeconds(double bytes) const {
    const HostCosts &host = m_context.cluster.host;
    return host.receiveSeconds + host.receiveSecondsPerByte * bytes;
}

double Synchroniser::takeSeconds(double pushes, double bytes, bool isLocal) const {
    return pushes * ((isLocal ? 0 : receiveSeconds(bytes)) + m_context.cluster.host.aggregateSecondsPerByte * bytes);
}

double Synchroniser::updateSeconds(double bytes) const {
    const HostCosts &host = m_context.cluster.host;
    return host.variableSeconds + host.updateSecondsPerByte * bytes;
}

ServerId Synchroniser::serverOf(const std::string &device) const {
    ServerId server(0);
    while (m_context.placement[server].device != device)
        server = server.next();
    return server;
}

void Synchroniser::gradientEdges(const Flow &flow, const ComputeOps &ops, TaskId child) {
    GraphBuilder &builder = m_context.builder;
    const Job &job = m_context.job;
    const SyncUnit &unit = m_context.units[flow.unit];
    TaskRow row;
    row.worker = ops.worker;
    row.unit = UnitId(flow.unit);
    row.iteration = flow.iteration;
    if (unit.launchDelaySeconds > 0) {
        row.fixedSeconds = unit.launchDelaySeconds;
        const TaskId cycle = builder.addTask(row);
        builder.addEdge(cycle, child);
        child = cycle;
    }
    if (unit.encodeSeconds > 0) {
        row.kind = TaskKind::Encode;
        row.queue = ops.queue;
        row.fixedSeconds = unit.encodeSeconds / m_context.placement[ops.worker].computeScale;
        const ProgramOrder order(job.layers.size(), flow.iteration);
        row.orderKey = order.afterBackward(unit.lastLayer.number()); // which completes the gradient
        const TaskId encode = builder.addTask(row);
        builder.addEdge(encode, child);
        child = encode;
    }
    for (std::size_t l = 0; unit.afterBackward && l < ops.backward.size(); ++l) // the last gradients, of any variable
        if (job.layers[l].parents.empty())
            builder.addEdge(ops.backward[l], child);
    if (unit.launchLayer.exists())
        builder.addEdge(ops.backward[unit.launchLayer.index()], child);
    // A fused unit waits for every layer that it has gradients of.
    if (unit.variables.size() == 1) {
        builder.addEdge(ops.backward[unit.lastLayer.index()], child);
        return;
    }
    for (const std::int32_t l : layersOf(unit, m_context.layersOfVariable))
        builder.addEdge(ops.backward[static_cast<std::size_t>(l)], child);
}

void Synchroniser::decode(const Flow &flow, const ComputeOps &ops, TaskId &done) {
    const SyncUnit &unit = m_context.units[flow.unit];
    if (unit.decodeSeconds <= 0)
        return;
    TaskRow row;
    row.kind = TaskKind::Decode;
    row.worker = ops.worker;
    row.queue = ops.queue;
    row.unit = UnitId(flow.unit);
    row.iteration = flow.iteration;
    row.fixedSeconds = unit.decodeSeconds / unit.shards / m_context.placement[ops.worker].computeScale; // of what it has got
    const ProgramOrder order(m_context.job.layers.size(), flow.iteration);
    // Before the update that needs the value.
    row.orderKey = m_context.policy.barrier ? order.beforeUpdate() : order.beforeNextForward(unit.lastLayer.number());
    const TaskId task = m_context.builder.addTask(row);
    m_context.builder.addEdge(done, task);
    done = task;
}

std::vector<std::vector<TaskId>> Synchroniser::synchronise(const std::vector<ComputeOps> &ops, std::int32_t iteration) {
    std::vector<std::vector<TaskId>> done(m_context.units.size());
    if (m_context.policy.kind().readsAfterStep) {
        TaskRow over;
        over.iteration = iteration;
        m_stepOver = m_context.builder.addTask(over);
        for (const ComputeOps &own : ops)
            for (std::size_t l = 0; l < own.backward.size(); ++l)
                if (m_context.job.layers[l].parents.empty())
                    m_context.builder.addEdge(own.backward[l], m_stepOver);
    }
    if (m_discipline.splitsAllReduce) {
        TaskRow scattered;
        scattered.iteration = iteration;
        m_scattered = m_context.builder.addTask(scattered);
    }
    if (!m_steps.empty())
        shardedUnits(ops, iteration, done);
    if (!m_context.gatheredBytes.empty())
        gatherParameters(ops, iteration);
    for (std::size_t u = 0; u < m_context.units.size() && !m_context.stop.stop_requested(); ++u) {
        const SyncUnit &unit = m_context.units[u];
        if (unit.kind == SynchronizerKind::ParameterServer)
            parameterServer({u, iteration}, ops, done[u]);
        else if (unit.shards == 1)
            allReduce({u, iteration}, ops, done[u]);
        for (std::size_t w = 0; w < ops.size(); ++w)
            if (!ops[w].empty())
                decode({u, iteration}, ops[w], done[u][w]);
    }
    return done;
}

} // namespace syncopate
