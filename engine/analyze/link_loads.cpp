// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/link_loads.h"

#include "engine/graph/task_hops.h"

#include <algorithm>
#include <cmath>

namespace syncopate {

std::vector<NodeLinks> linksOfNodes(const Run &run) {
    std::vector<NodeLinks> nodes(run.scenario.cluster->nodes.size());
    for (std::size_t l = 0; l < run.graph.links.size(); ++l) {
        const FluidLink &link = run.graph.links[l];
        for (const std::int32_t node : link.nodes) {
            NodeLinks &nodeLinks = nodes[static_cast<std::size_t>(node)];
            if (link.isFabric) {
                nodeLinks.lanes.emplace_back(l);
                continue;
            }
            LinkId &place = link.receives ? nodeLinks.receive : nodeLinks.transmit;
            if (!place.exists())
                place = LinkId(l);
        }
    }
    return nodes;
}

LinkLoads::LinkLoads(const Run &run) {
    const TaskGraph &graph = run.graph;
    m_knees.resize(graph.links.size());
    for (const FluidLink &link : graph.links)
        m_rates.push_back(link.bytesPerSecond);
    for (std::size_t t = 0; t < graph.size(); ++t) {
        const double end = run.endSeconds[t];
        if (!(graph.sizeBytes[t] > 0) || !std::isfinite(end))
            continue;
        double start = run.startSeconds[t] + secondsBeforeFlow(graph, TaskId(t));
        if (!(start < end))
            start = run.startSeconds[t];
        if (!(start < end))
            continue; // transfers without duration are invisible
        forEachHop(graph, TaskId(t), [&](const PathHop &hop, double bytes) {
            auto &knees = m_knees[hop.link.index()];
            const double rate = bytes / (end - start);
            knees.push_back({start, 0, rate});
            knees.push_back({end, 0, -rate});
        });
    }
    // Turns changes of the rate into the rate and its integral.
    for (std::vector<Knee> &knees : m_knees) {
        std::sort(knees.begin(), knees.end(), [](const Knee &a, const Knee &b) { return a.seconds < b.seconds; });
        double rate = 0, bytes = 0, before = 0;
        for (Knee &knee : knees) {
            bytes += rate * (knee.seconds - before);
            rate += knee.rate;
            before = knee.seconds;
            knee.bytes = bytes;
            knee.rate = std::max(0.0, rate); // after the last change only rounding is left
        }
    }
}

double LinkLoads::until(LinkId link, double seconds) const {
    const std::vector<Knee> &knees = m_knees[link.index()];
    const auto after =
        std::upper_bound(knees.begin(), knees.end(), seconds, [](double s, const Knee &knee) { return s < knee.seconds; });
    if (after == knees.begin())
        return 0;
    const Knee &knee = *(after - 1);
    return after == knees.end() ? knee.bytes : knee.bytes + knee.rate * (seconds - knee.seconds);
}

double LinkLoads::bytes(LinkId link, double from, double to) const {
    if (!link.exists() || link.index() >= m_knees.size() || !(from < to))
        return 0;
    return until(link, to) - until(link, from);
}

double LinkLoads::share(LinkId link, double from, double to) const {
    if (!link.exists() || link.index() >= m_rates.size() || !(from < to))
        return 0;
    const double capacity = m_rates[link.index()] * (to - from);
    return capacity > 0 ? bytes(link, from, to) / capacity : 0;
}

std::vector<ServerShare> serverShares(const Run &run) {
    const Cluster &cluster = *run.scenario.cluster;
    std::vector<ServerShare> shares(cluster.nodes.size());
    for (const SyncUnit &unit : run.graph.units) {
        if (unit.kind != SynchronizerKind::ParameterServer)
            continue;
        const std::int32_t node = cluster.nodeOf(unit.destination);
        if (node < 0)
            continue;
        ServerShare &share = shares[static_cast<std::size_t>(node)];
        share.bytes += unit.sizeBytes;
        ++share.units;
    }
    return shares;
}

} // namespace syncopate
