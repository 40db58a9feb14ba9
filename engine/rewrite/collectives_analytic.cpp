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
    std::vector<double> out(nodes.size(), 0), in(nodes.size(), 0);
    for (const NodeMessage &message : round.between) {
        double &sent = out[static_cast<std::size_t>(message.from)];
        double &received = in[static_cast<std::size_t>(message.to)];
        sent += message.share / placement.nicsBytesPerSecond(graph, workerOf(message.from).txLinks);
        received += message.share / placement.nicsBytesPerSecond(graph, workerOf(message.to).rxLinks);
        cost.farSeconds = messageSeconds();
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
    if (m_context.curves)
        for (const CollectiveCurve &curve : *m_context.curves)
            if (curve.kind == kind && curve.ranks == m_context.placement.replicas)
                return &curve;
    return nullptr;
}

Collectives::Ends Collectives::addAnalytic(const CollectivePlan &plan, const TaskRow &about, double sizeBytes) {
    GraphBuilder &builder = m_context.builder;
    TaskRow row = about;
    row.queue = m_channels;
    if (const CollectiveCurve *curve = measured(plan.kind)) {
        row.fixedSeconds = curve->seconds(sizeBytes * m_context.cluster.collectiveEfficiency); // the curve includes it
        row.sizeBytes = 0;
        const TaskId task = builder.addTask(row);
        return {task, task};
    }
    if (!m_named.empty()) {
        m_named.place(plan.kind, sizeBytes, row, builder);
        const TaskId task = builder.addTask(row);
        return {task, task};
    }
    double busySeconds = 0;
    auto cost = costsOf(plan).begin();
    for (const CollectivePhase &phase : plan.phases) {
        const double chunks = phase.isPipelined ? chunkCount(sizeBytes) : 1;
        std::pair<double, double> longest{0, 0};
        for (std::size_t r = 0; r < phase.rounds.size(); ++r) {
            const auto [fixed, busy] = (cost++)->seconds(sizeBytes / chunks);
            row.fixedSeconds += phase.repeat * fixed;
            busySeconds += phase.repeat * busy;
            if (fixed + busy > longest.first + longest.second)
                longest = {fixed, busy};
        }
        // Equal chunks in a pipeline: each round takes its time once, and the slowest round once more for every further chunk.
        row.fixedSeconds += (chunks - 1) * longest.first;
        busySeconds += (chunks - 1) * longest.second;
    }
    row.path = m_context.placement.ringPath(builder);
    double rate = std::numeric_limits<double>::infinity();
    const TaskGraph &graph = builder.graph();
    for (const PathHop &hop : graph.hopsOf(row.path))
        rate = std::min(rate, graph.links[hop.link.index()].bytesPerSecond / hop.weight);
    rate = std::min(rate, graph.pathLimits[row.path.index()]);
    row.sizeBytes = busySeconds * rate;
    const TaskId task = builder.addTask(row);
    return {task, task};
}

} // namespace syncopate
