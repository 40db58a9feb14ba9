// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives as single tasks with the measured duration, or with that of their rounds on idle links.
#include "engine/rewrite/collectives.h"
#include "engine/rewrite/kernels.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace syncopate {

std::pair<double, double> Collectives::RoundCost::seconds(double sizeBytes) const {
    const std::pair<double, double> far{farSeconds, farSecondsPerByte * sizeBytes},
        near{nearSeconds, nearSecondsPerByte * sizeBytes};
    return far.first + far.second >= near.first + near.second ? far : near;
}

std::pair<double, double> Collectives::RoundCost::secondsApart(double sizeBytes) const {
    RoundCost sending = *this;
    sending.farSeconds -= flightSeconds;
    return sending.seconds(sizeBytes);
}

Collectives::RoundCost Collectives::costOf(const CollectiveRound &round, const PlanNodes &nodes) const {
    const TaskGraph &graph = m_context.builder.graph();
    const Placement &placement = m_context.placement;
    const auto rate = [&](LinkId link) { return graph.links[link.index()].bytesPerSecond; };
    const auto workerOf = [&](std::int32_t node) -> const WorkerClass & {
        return placement[nodes[static_cast<std::size_t>(node)].second];
    };
    const auto streams = [&](const NodeMessage &message) {
        return placement.streamsBytesPerSecond(nodes[static_cast<std::size_t>(message.from)].first,
                                               nodes[static_cast<std::size_t>(message.to)].first);
    };
    RoundCost cost;
    cost.overNics = !round.between.empty();
    cost.overLanes = !round.inside.empty();
    std::vector<double> out(nodes.size(), 0), in(nodes.size(), 0);
    for (const NodeMessage &message : round.between) {
        double &sent = out[static_cast<std::size_t>(message.from)];
        double &received = in[static_cast<std::size_t>(message.to)];
        sent += message.share / placement.nicsBytesPerSecond(graph, workerOf(message.from).txLinks);
        received += message.share / placement.nicsBytesPerSecond(graph, workerOf(message.to).rxLinks);
        cost.farSeconds = messageSeconds();
        cost.flightSeconds = m_context.cluster.latencySeconds;
        cost.farSecondsPerByte = std::max({cost.farSecondsPerByte, sent, received, message.share / streams(message)});
    }
    for (const PortLoad &load : round.inside) {
        cost.nearSeconds = m_context.cluster.messageSeconds;
        cost.nearSecondsPerByte = std::max(cost.nearSecondsPerByte, load.share / rate(workerOf(load.node).upLink));
    }
    return cost;
}

const std::vector<Collectives::RoundCost> &Collectives::costsOf(const CollectivePlan &plan) {
    std::vector<RoundCost> &costs = m_costs[&plan];
    if (costs.empty()) {
        const PlanNodes nodes = m_context.placement.trainingNodes();
        for (const CollectivePhase &phase : plan.phases)
            for (const CollectiveRound &round : phase.rounds)
                costs.push_back(costOf(round, nodes));
    }
    return costs;
}

const CollectiveCurve *Collectives::measured(CollectiveKind kind) const {
    for (const CollectiveCurve &curve : m_context.curves)
        if (curve.kind == kind && curve.ranks == m_context.placement.replicas)
            return &curve;
    return nullptr;
}

std::vector<Collectives::Stretch> Collectives::stretchesOf(const CollectivePlan &plan, double sizeBytes) {
    std::vector<Stretch> stretches;
    auto cost = costsOf(plan).begin();
    for (const CollectivePhase &phase : plan.phases) {
        const double chunks = phase.isPipelined ? chunkCount(sizeBytes) : 1;
        std::pair<double, double> longest{0, 0};
        for (std::size_t r = 0; r < phase.rounds.size(); ++r, ++cost) {
            // Rounds of a pipeline are under way together, on the links of all of them.
            const bool isNew = stretches.empty() || (phase.isPipelined ? r == 0
                                                                       : stretches.back().overNics != cost->overNics ||
                                                                             stretches.back().overLanes != cost->overLanes);
            if (isNew)
                stretches.emplace_back();
            Stretch &stretch = stretches.back();
            stretch.overNics = stretch.overNics || cost->overNics;
            stretch.overLanes = stretch.overLanes || cost->overLanes;
            const auto [fixed, busy] = cost->seconds(sizeBytes / chunks);
            stretch.fixedSeconds += phase.repeat * fixed;
            stretch.busySeconds += phase.repeat * busy;
            if (const auto apart = cost->secondsApart(sizeBytes / chunks);
                apart.first + apart.second > longest.first + longest.second)
                longest = apart;
        }
        // Equal chunks in a pipeline: each round takes its time once, and the slowest round once more for every further chunk,
        // which is sent while the one before is in flight.
        stretches.back().fixedSeconds += (chunks - 1) * longest.first;
        stretches.back().busySeconds += (chunks - 1) * longest.second;
    }
    return stretches;
}

double Collectives::bytesFor(double seconds, PathId path) const {
    const TaskGraph &graph = m_context.builder.graph();
    double rate = graph.pathLimits[path.index()];
    for (const PathHop &hop : graph.hopsOf(path))
        rate = std::min(rate, graph.links[hop.link.index()].bytesPerSecond / hop.weight);
    return seconds * rate;
}

Collectives::Ends Collectives::addAnalytic(const CollectivePlan &plan, const TaskRow &about, double sizeBytes, bool isLaunched) {
    GraphBuilder &builder = m_context.builder;
    TaskRow row = about;
    row.queue = m_channels;
    if (const CollectiveCurve *curve = measured(plan.kind)) {
        const double bytes = sizeBytes * m_context.cluster.collectiveEfficiency; // the curve includes it
        CurveUse &use = m_context.curveUses[plan.kind];
        use = {std::min(use.minBytes, bytes), std::max(use.maxBytes, bytes)};
        row.fixedSeconds = std::max(0.0, curve->seconds(bytes) - (isLaunched ? m_context.cluster.host.collectiveSeconds : 0));
        row.sizeBytes = 0;
        const TaskId task = builder.addTask(row);
        return {task, task};
    }
    if (!m_named.empty()) {
        m_named.place(plan.kind, sizeBytes, row, builder);
        const TaskId task = builder.addTask(row);
        return {task, task};
    }
    const std::vector<Stretch> stretches = stretchesOf(plan, sizeBytes);
    Ends ends;
    for (std::size_t s = 0; s < stretches.size(); ++s) {
        const Stretch &stretch = stretches[s];
        const bool last = s + 1 == stretches.size();
        if (stretch.overNics || stretches.size() == 1)
            row.kind = about.kind;
        else
            row.kind = s == 0 ? TaskKind::LocalReduce : TaskKind::LocalBroadcast;
        row.path = m_context.placement.collectivePath(builder, stretch.overNics, stretch.overLanes);
        row.fixedSeconds = stretch.fixedSeconds;
        row.sizeBytes = bytesFor(stretch.busySeconds, row.path);
        row.queue = s == 0 ? m_channels : QueueId{}; // the first takes the channel, and the last gives it back
        row.holdsSlot = !last;
        row.releases = last ? m_channels : QueueId{};
        const TaskId task = builder.addTask(row);
        if (s == 0)
            ends.first = task;
        else
            builder.addEdge(ends.second, task);
        ends.second = task;
    }
    return ends;
}

} // namespace syncopate
