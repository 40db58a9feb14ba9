// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/kernels.h"

#include <algorithm>

namespace syncopate {

namespace {

/// Bytes of a push that represents `replicas` of them: dense gradients are summed; of sparse ones all rows are sent, each at most
/// once (AutoDist's accumulator merges equal rows; replicas touching different rows is the upper bound).
double pushBytes(const SyncUnit &unit, double replicas) {
    return unit.sparse ? unit.wireBytes * std::min(replicas, 1 / unit.touchedShare) : unit.wireBytes;
}

/// Bytes of the values that such a push changes: of a sparse variable those of its rows.
double changedBytes(const SyncUnit &unit, double replicas) {
    return unit.sparse ? unit.sizeBytes * std::min(replicas, 1 / unit.touchedShare) : unit.sizeBytes;
}

} // namespace

void Synchroniser::parameterServer(const Flow &flow, const std::vector<ComputeOps> &ops, std::vector<TaskId> &done) {
    const Served served = join(flow);
    done.reserve(ops.size());
    for (const ComputeOps &own : ops) {
        if (own.empty()) {
            done.emplace_back();
            continue;
        }
        const Pushed pushed = pushGradient(served, own);
        done.push_back(pullValue(served, own, answer(served, own, pushed), pushed.release));
    }
}

/// Adds the tasks in which all workers' pushes meet: one when the server has every worker's gradient of this iteration and, if
/// all wait for that, one when the new value is on its way back.
Synchroniser::Served Synchroniser::join(const Flow &flow) {
    const SyncUnit &unit = m_context.units[flow.unit];
    Served served;
    served.flow = flow;
    served.server = m_servers[flow.unit];
    served.station = m_stations[flow.unit];
    served.stream = m_streams[flow.unit];
    served.together = unit.staleness == 0;
    served.row.unit = UnitId(flow.unit);
    served.row.iteration = flow.iteration;
    served.row.orderKey = unit.priority;
    served.arrived = served.updated = m_context.builder.addTask(served.row);
    if (!served.together) {
        if (m_arrived.empty())
            m_arrived.resize(m_context.units.size());
        m_arrived[flow.unit].push_back(served.arrived);
        return served;
    }
    const bool viaStation = served.station != served.server;
    const double all = m_context.placement.replicas;
    if (viaStation)
        served.updated = transfer(served, served.arrived, true, pushBytes(unit, all));
    served.updated = onHost(served.row, served.server, updateSeconds(changedBytes(unit, all)), served.updated);
    if (viaStation)
        served.updated = transfer(served, served.updated, false, changedBytes(unit, all));
    if (m_stepOver.exists()) {
        m_context.builder.addEdge(served.updated, m_stepOver);
        served.updated = m_stepOver;
    }
    if (holdsCreditToPull()) {
        served.gate = takeCredit(served, {});
        served.release = returnCredit(served, {});
    }
    return served;
}

TaskId Synchroniser::takeCredit(const Served &served, WorkerClassId worker) {
    TaskRow row = served.row;
    row.windowBytes = m_context.units[served.flow.unit].sizeBytes;
    row.queue = credit(worker);
    row.holdsSlot = true;
    return m_context.builder.addTask(row);
}

TaskId Synchroniser::returnCredit(const Served &served, WorkerClassId worker) {
    TaskRow row = served.row;
    row.windowBytes = m_context.units[served.flow.unit].sizeBytes;
    row.releases = credit(worker);
    return m_context.builder.addTask(row);
}

TaskId Synchroniser::transfer(const Served &served, TaskId before, bool up, double bytes) {
    Placement &placement = m_context.placement;
    const ServerId station = served.station, server = served.server;
    const PathId path = placement.serverPath(m_context.builder, up ? station : server, up ? server : station, served.stream);
    if (!path.exists())
        return before;
    TaskRow row = served.row;
    row.kind = TaskKind::Transfer;
    row.worker = placement[station].workerClass;
    row.queue =
        connection(up ? m_upQueues : m_downQueues, up ? "transfer to " : "transfer from ", station, server, served.stream);
    row.path = path;
    row.fixedSeconds = m_context.cluster.messageSeconds;
    row.flightSeconds = m_context.cluster.latencySeconds;
    row.sizeBytes = bytes;
    const TaskId sent = onHost(served.row, up ? station : server, sendSeconds(bytes), before);
    const TaskId task = m_context.builder.addTask(row);
    m_context.builder.addEdge(sent, task);
    // A gradient is added to the others' at the server; the value that comes back is not.
    return onHost(served.row, up ? server : station, up ? takeSeconds(1, bytes, false) : receiveSeconds(bytes), task);
}

TaskRow Synchroniser::messageOf(const Served &served, const ComputeOps &ops) const {
    TaskRow row = served.row;
    row.worker = ops.worker;
    const bool local = m_context.placement.isLocal(ops.worker, served.station);
    row.fixedSeconds = m_context.cluster.messageSeconds;
    row.flightSeconds = local ? 0 : m_context.cluster.latencySeconds;
    return row;
}

bool Synchroniser::holdsCreditToPull() const { return m_credit.exists() && !m_discipline.creditOfNodeSum; }

/// AutoDist reduces a node's replicas on its CPU, each over its own lane, and pushes once. None where there is one replica.
TaskId Synchroniser::sumOnNode(const Served &served, const ComputeOps &ops) {
    GraphBuilder &builder = m_context.builder;
    if (m_context.placement[ops.worker].replicas < 2)
        return {};
    TaskRow row = served.row;
    row.worker = ops.worker;
    row.kind = TaskKind::LocalReduce;
    row.path = m_context.placement.upPath(builder, ops.worker);
    row.sizeBytes = m_context.units[served.flow.unit].wireBytes;
    const TaskId sum = builder.addTask(row);
    TaskId first = sum;
    if (m_credit.exists() && m_discipline.creditOfNodeSum) {
        first = takeCredit(served, ops.worker);
        builder.addEdge(first, sum);
        builder.addEdge(sum, returnCredit(served, ops.worker));
    }
    gradientEdges(served.flow, ops, first);
    return sum;
}

Synchroniser::Pushed Synchroniser::pushGradient(const Served &served, const ComputeOps &ops) {
    GraphBuilder &builder = m_context.builder;
    Placement &placement = m_context.placement;
    const SyncUnit &unit = m_context.units[served.flow.unit];
    const WorkerClassId w = ops.worker;
    const double replicas = placement[w].replicas;
    TaskId ready = sumOnNode(served, ops); // the task before the push, if any
    Pushed pushed;
    pushed.release = served.release;
    if (holdsCreditToPull()) {
        const TaskId own = served.together ? served.gate : takeCredit(served, ops.worker);
        if (!served.together)
            pushed.release = returnCredit(served, ops.worker);
        if (ready.exists())
            builder.addEdge(ready, own);
        else
            gradientEdges(served.flow, ops, own);
        ready = own;
    }
    TaskRow row = messageOf(served, ops);
    row.sizeBytes = pushed.sizeBytes = pushBytes(unit, replicas);
    const bool local = placement.isLocal(w, served.station);
    if (const double seconds = local ? 0 : sendSeconds(row.sizeBytes); seconds > 0) {
        const TaskId sending = hostTask(row, w, seconds);
        if (ready.exists())
            builder.addEdge(ready, sending);
        else
            gradientEdges(served.flow, ops, sending);
        ready = sending;
    }
    row.kind = TaskKind::Push;
    row.queue = connection(m_sendQueues, "push to ", w, m_discipline.onePush ? ServerId(0) : served.station,
                           m_discipline.onePush ? 0 : served.stream, m_discipline.orderedPushes);
    if (local && replicas > 1)
        row.sizeBytes = 0; // the sum is already on the server's host
    row.path = placement.pushPath(builder, w, served.station, served.stream);
    // With a credit, its gate orders the pushes; the connection itself is first come, first served.
    const auto [first, last] = stream(row);
    if (ready.exists())
        builder.addEdge(ready, first);
    else
        gradientEdges(served.flow, ops, first);
    // A single task handles the pushes of all nodes of the class, which arrive at the same moment.
    pushed.last = onHost(served.row, served.station, takeSeconds(placement[w].multiplicity(), pushed.sizeBytes, local), last);
    return pushed;
}

TaskId Synchroniser::answer(const Served &served, const ComputeOps &ops, const Pushed &pushed) {
    GraphBuilder &builder = m_context.builder;
    if (served.together) {
        builder.addEdge(pushed.last, served.arrived);
        return served.updated;
    }
    const SyncUnit &unit = m_context.units[served.flow.unit];
    const bool viaStation = served.station != served.server;
    const TaskId onServer = viaStation ? transfer(served, pushed.last, true, pushed.sizeBytes) : pushed.last;
    builder.addEdge(onServer, served.arrived);
    const double replicas = m_context.placement[ops.worker].replicas;
    TaskId answered = onHost(served.row, served.server, updateSeconds(changedBytes(unit, replicas)), onServer);
    if (unit.staleness <= served.flow.iteration) {
        const TaskId updated = answered;
        answered = builder.addTask(served.row);
        builder.addEdge(updated, answered);
        builder.addEdge(m_arrived[served.flow.unit][static_cast<std::size_t>(served.flow.iteration - unit.staleness)], answered);
    }
    // The station has one copy for all replicas of the worker.
    return viaStation ? transfer(served, answered, false, changedBytes(unit, replicas)) : answered;
}

double Synchroniser::readBytes(const SyncUnit &unit, const ComputeOps &ops) const {
    const double replicas = m_context.placement[ops.worker].replicas;
    return unit.sizeBytes * (unit.localReplication ? 1 : replicas);
}

TaskId Synchroniser::pullValue(const Served &served, const ComputeOps &ops, TaskId answered, TaskId release) {
    GraphBuilder &builder = m_context.builder;
    Placement &placement = m_context.placement;
    const SyncUnit &unit = m_context.units[served.flow.unit];
    const WorkerClassId w = ops.worker;
    const double replicas = placement[w].replicas;
    TaskRow row = messageOf(served, ops);
    row.kind = TaskKind::Pull;
    row.queue = connection(m_receiveQueues, "pull from ", w, served.station, served.stream, m_discipline.orderedPulls);
    row.path = placement.pullPath(builder, w, served.station, served.stream);
    const bool local = placement.isLocal(w, served.station);
    row.sizeBytes = readBytes(unit, ops);
    if (local) // each device over its own lane, unless the node's copy is broadcast
        row.sizeBytes = unit.localReplication && replicas > 1 ? 0 : unit.sizeBytes;
    const double sending = local ? 0 : sendSeconds(row.sizeBytes), receiving = local ? 0 : receiveSeconds(row.sizeBytes);
    const auto [first, pulled] = stream(row);
    builder.addEdge(onHost(served.row, served.station, sending, answered), first);
    const TaskId last = onHost(served.row, w, receiving, pulled);
    if (release.exists())
        builder.addEdge(last, release);
    if (!unit.localReplication || replicas <= 1)
        return last;
    row.kind = TaskKind::LocalBroadcast;
    row.queue = {};
    row.path = placement.downPath(builder, w);
    row.fixedSeconds = row.flightSeconds = 0;
    row.sizeBytes = unit.sizeBytes;
    const TaskId broadcast = builder.addTask(row);
    builder.addEdge(last, broadcast);
    return broadcast;
}

} // namespace syncopate
