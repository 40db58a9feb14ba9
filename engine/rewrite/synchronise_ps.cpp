// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/kernels.h"

#include <algorithm>

namespace syncopate {

namespace {

/// Bytes of a push that stands for `replicas` of them: dense gradients are summed, of sparse ones all rows are sent, each
/// row at most once (AutoDist's accumulator merges equal rows; that replicas touch different rows is the upper bound).
double pushBytes(const SyncUnit &unit, double replicas) {
    return unit.sparse ? unit.wireBytes * std::min(replicas, 1 / unit.touchedShare) : unit.wireBytes;
}

} // namespace

void Synchroniser::parameterServer(const Flow &flow, const std::vector<ComputeOps> &ops, std::vector<std::int32_t> &done) {
    GraphBuilder &builder = m_context.builder;
    Placement &placement = m_context.placement;
    const SyncUnit &unit = m_context.units[flow.unit];
    const std::size_t server = serverOf(unit.destination);
    const std::size_t station = unit.transferDestination.empty() ? server : serverOf(unit.transferDestination);
    const bool together = unit.staleness == 0; // every worker waits for every other's gradient

    TaskRow join;
    join.unit = static_cast<std::int32_t>(flow.unit);
    join.iteration = flow.iteration;
    join.orderKey = unit.priority;
    const auto credit = [&](std::int32_t worker, bool take) {
        TaskRow row = join;
        row.windowBytes = unit.sizeBytes;
        (take ? row.queue : row.releases) = this->credit(worker);
        row.holdsSlot = take;
        return builder.addTask(row);
    };
    /// One message between the station and the server, after `before`.
    const auto transfer = [&](std::int32_t before, bool up, double bytes) {
        const std::int32_t path = placement.serverPath(builder, up ? station : server, up ? server : station);
        if (path < 0)
            return before;
        TaskRow row = join;
        row.kind = TaskKind::Transfer;
        row.worker = placement.servers[station].workerClass;
        row.queue =
            connection(up ? m_upQueues : m_downQueues, up ? "transfer to " : "transfer from ", row.worker, station, server);
        row.path = path;
        row.fixedSeconds = m_context.cluster.messageSeconds + m_context.cluster.latencySeconds;
        row.sizeBytes = bytes;
        const std::int32_t task = builder.addTask(row);
        builder.addEdge(before, task);
        return task;
    };

    // The server has every worker's gradient of this iteration; a worker that may be ahead waits for an earlier one.
    const std::int32_t arrived = builder.addTask(join);
    if (m_arrived.empty())
        m_arrived.resize(m_context.units.size());
    auto &history = m_arrived[flow.unit];
    history.push_back(arrived);
    const bool waits = unit.staleness <= flow.iteration; // for an earlier iteration; together: for this one
    std::int32_t updated = arrived;                      // the station has the new value
    std::int32_t gate = -1, release = -1;                // take the credit before any push, return it after all pulls
    if (together) {
        if (station != server) {
            const double all = placement.replicas;
            updated = transfer(arrived, true, pushBytes(unit, all));
            updated = transfer(updated, false, unit.sizeBytes * (unit.sparse ? std::min(all, 1 / unit.touchedShare) : 1));
        }
        if (m_credit >= 0) {
            gate = credit(-1, true);
            release = credit(-1, false);
        }
    }
    for (std::size_t w = 0; w < ops.size(); ++w) {
        if (ops[w].empty()) {
            done.push_back(-1);
            continue;
        }
        const double replicas = placement.workers[w].replicas;
        const bool local = placement.isLocal(w, station);
        TaskRow row = join;
        row.worker = static_cast<std::int32_t>(w);
        std::int32_t ready = -1; // the task before the push
        if (replicas > 1) {      // AutoDist reduces the replicas of a node on its CPU before pushing once
            row.kind = TaskKind::LocalReduce;
            row.path = placement.fabricPath(builder, w);
            row.sizeBytes = (replicas - 1) * unit.wireBytes;
            ready = builder.addTask(row);
            gradientEdges(flow, ops[w], ready);
        }
        std::int32_t ownRelease = release;
        if (m_credit >= 0) {
            const std::int32_t own = together ? gate : credit(row.worker, true);
            if (!together)
                ownRelease = credit(row.worker, false);
            if (ready >= 0)
                builder.addEdge(ready, own);
            else
                gradientEdges(flow, ops[w], own);
            ready = own;
        }
        row.kind = TaskKind::Push;
        row.queue =
            connection(m_sendQueues, "push to ", row.worker, w, m_discipline.onePush ? 0 : station, m_discipline.orderedPushes);
        row.path = placement.pushPath(builder, w, station);
        row.fixedSeconds = m_context.cluster.messageSeconds + (local ? 0 : m_context.cluster.latencySeconds);
        row.sizeBytes = pushBytes(unit, replicas);
        // With credit, the gate orders the pushes; the connection itself is first come, first served.
        const auto [pushStart, push] = stream(row);
        if (ready >= 0)
            builder.addEdge(ready, pushStart);
        else
            gradientEdges(flow, ops[w], pushStart);

        // Without a proxy every replica reads the variable from the server itself (AutoSync's features, reference 4.1).
        const double readBytes = unit.sizeBytes * (unit.localReplication ? 1 : replicas);
        std::int32_t answered = updated;
        if (together) {
            builder.addEdge(push, arrived);
        } else { // the server applies a gradient when it comes, and answers at once or when the slowest has caught up
            const std::int32_t onServer = station == server ? push : transfer(push, true, row.sizeBytes);
            builder.addEdge(onServer, arrived);
            answered = onServer;
            if (waits) {
                answered = builder.addTask(join);
                builder.addEdge(onServer, answered);
                builder.addEdge(history[static_cast<std::size_t>(flow.iteration - unit.staleness)], answered);
            }
            if (station != server)
                answered = transfer(answered, false, readBytes);
        }

        row.kind = TaskKind::Pull;
        row.queue = connection(m_receiveQueues, "pull from ", row.worker, w, station, m_discipline.orderedPulls);
        row.path = placement.pullPath(builder, w, station);
        row.sizeBytes = readBytes;
        const auto [pullStart, pull] = stream(row);
        std::int32_t last = pull;
        builder.addEdge(answered, pullStart);
        if (ownRelease >= 0)
            builder.addEdge(last, ownRelease);
        if (unit.localReplication && replicas > 1) {
            row.kind = TaskKind::LocalBroadcast;
            row.queue = -1;
            row.path = placement.fabricPath(builder, w);
            row.fixedSeconds = 0;
            row.sizeBytes = (replicas - 1) * unit.sizeBytes;
            const std::int32_t broadcast = builder.addTask(row);
            builder.addEdge(last, broadcast);
            last = broadcast;
        }
        done.push_back(last);
    }
}

} // namespace syncopate
