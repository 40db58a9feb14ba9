// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/step_player.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace syncopate {

namespace {

using Edges = std::vector<std::pair<std::int32_t, std::int32_t>>;

/// Successors of each op, sorted by `place`.
void successors(const Edges &edges, std::size_t count, const std::vector<std::int64_t> &place,
                std::vector<std::uint32_t> &offsets, std::vector<OpId> &out) {
    Edges sorted = edges;
    std::stable_sort(sorted.begin(), sorted.end(), [&](const auto &a, const auto &b) {
        return std::pair(a.first, place[static_cast<std::size_t>(a.second)]) <
               std::pair(b.first, place[static_cast<std::size_t>(b.second)]);
    });
    offsets.assign(count + 1, 0);
    for (const auto &[before, after] : sorted) {
        ++offsets[static_cast<std::size_t>(before) + 1];
        out.emplace_back(after);
    }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
}

/// Tells which links between workers and servers can be a bottleneck: a link with the capacity of everything that can arrive
/// there is never full before another one is.
class NeededLinks {
public:
    NeededLinks(const PredictMachines &machines, bool all)
        : m_machines(machines), m_workers(machines.workerNode.begin(), machines.workerNode.end()),
          m_servers(machines.serverNode.begin(), machines.serverNode.end()), m_all(all), m_workersTogether(rateOf(m_workers)),
          m_serversTogether(rateOf(m_servers)) {}

    [[nodiscard]] bool atWorker(std::int32_t node) const { return m_all || isBoth(node) || rate(node) < m_serversTogether; }
    /// A path needs at least one link: the server's if it has none at the worker.
    [[nodiscard]] bool atServer(std::int32_t node, bool hasWorkers) const {
        return m_all || !hasWorkers || isBoth(node) || rate(node) < m_workersTogether;
    }

private:
    [[nodiscard]] double rate(std::int32_t node) const { return m_machines.nodeBytesPerSecond[static_cast<std::size_t>(node)]; }
    [[nodiscard]] double rateOf(const std::set<std::int32_t> &nodes) const {
        return std::accumulate(nodes.begin(), nodes.end(), 0.0,
                               [this](double sum, std::int32_t node) { return sum + rate(node); });
    }
    /// Each link of a node that is both worker and server carries two kinds of traffic.
    [[nodiscard]] bool isBoth(std::int32_t node) const { return m_workers.contains(node) && m_servers.contains(node); }

    const PredictMachines &m_machines;
    std::set<std::int32_t> m_workers, m_servers;
    bool m_all;
    double m_workersTogether, m_serversTogether;
};

std::vector<PathHop> hopsOver(std::initializer_list<LinkId> links) {
    std::vector<PathHop> hops;
    for (const LinkId link : links)
        if (link.exists())
            hops.push_back({link, 1});
    return hops;
}

/// Makes paths over a link at the worker and one at the server, if there is one, one for all connections that nothing tells
/// apart.
class PathMaker {
public:
    PathMaker(LinkPaths &network, bool severalFlows) : m_network(network), m_severalFlows(severalFlows) {}

    PathId over(LinkId atWorker, LinkId atServer, double limit) {
        if (m_severalFlows && std::isfinite(limit)) {
            const LinkId connection = m_network.addLink({"connection", limit});
            return PathId(m_network.addPath(hopsOver({atWorker, atServer, connection})));
        }
        const auto [path, fresh] = m_known.try_emplace({atWorker, atServer, limit});
        if (fresh)
            path->second = PathId(m_network.addPath(hopsOver({atWorker, atServer}), limit));
        return path->second;
    }

private:
    LinkPaths &m_network;
    bool m_severalFlows;
    std::map<std::tuple<LinkId, LinkId, double>, PathId> m_known;
};

/// Adds the links 2 * NIC (tx) and 2 * NIC + 1 (rx).
void addNicLinks(const Nics &nics, LinkPaths &network) {
    for (std::int32_t node = 0; node < static_cast<std::int32_t>(nics.nodeCount()); ++node)
        for (std::int32_t nic = 0; nic < nics.count(node); ++nic)
            for (const char *direction : {" tx", " rx"})
                network.addLink(
                    {"node " + std::to_string(node) + (nics.count(node) > 1 ? " NIC " + std::to_string(nic) : "") + direction,
                     nics.bytesPerSecond()[static_cast<std::size_t>(nics.first(node) + nic)],
                     {node}});
}

} // namespace

StepTemplate makeTemplate(const StepGraph &graph, const std::vector<std::int64_t> &transferRank) {
    StepTemplate stepTemplate;
    const std::size_t n = graph.ops.size();
    stepTemplate.servers = graph.servers;
    std::vector<std::int64_t> place(n);
    for (std::size_t i = 0; i < n; ++i)
        place[i] = graph.ops[i].resource == StepResource::Downlink && !transferRank.empty() ? transferRank[i] : graph.ops[i].rank;
    successors(graph.edges, n, place, stepTemplate.childOffsets, stepTemplate.children);
    successors(graph.nextEdges, n, place, stepTemplate.nextOffsets, stepTemplate.next);
    stepTemplate.waits.assign(n, 0);
    for (const auto &edge : graph.edges)
        ++stepTemplate.waits[static_cast<std::size_t>(edge.second)];
    stepTemplate.waitsLater = stepTemplate.waits;
    for (const auto &edge : graph.nextEdges)
        ++stepTemplate.waitsLater[static_cast<std::size_t>(edge.second)];
    for (std::size_t i = 0; i < n; ++i) {
        if (stepTemplate.waits[i] == 0)
            stepTemplate.firstRoots.emplace_back(i);
        if (stepTemplate.waitsLater[i] == 0) {
            stepTemplate.roots.emplace_back(i);
            stepTemplate.waitsLater[i] = 1;
        }
        const StepOp &op = graph.ops[i];
        const ParameterServerId server(op.server);
        stepTemplate.lane.push_back(op.resource == StepResource::Worker     ? 0
                                    : op.resource == StepResource::Downlink ? stepTemplate.downlink(server)
                                    : op.resource == StepResource::Uplink   ? stepTemplate.uplink(server)
                                                                            : stepTemplate.updates(server));
    }
    for (auto *roots : {&stepTemplate.firstRoots, &stepTemplate.roots})
        std::stable_sort(roots->begin(), roots->end(), [&](OpId a, OpId b) { return place[a.index()] < place[b.index()]; });
    return stepTemplate;
}

Nics::Nics(const PredictMachines &machines) : m_first{0} {
    for (std::size_t node = 0; node < machines.nodeBytesPerSecond.size(); ++node) {
        const std::int32_t count = machines.nodeNics.empty() ? 1 : machines.nodeNics[node];
        m_bytesPerSecond.insert(m_bytesPerSecond.end(), static_cast<std::size_t>(count),
                                machines.nodeBytesPerSecond[node] / count);
        m_first.push_back(static_cast<std::int32_t>(m_bytesPerSecond.size()));
    }
}

PredictLinks makeLinks(const PredictMachines &machines, const LinkNeeds &needs) {
    PredictLinks links;
    const Nics nics(machines);
    addNicLinks(nics, links.network);
    const NeededLinks needed(machines, needs.all || nics.severalPerNode());
    PathMaker paths(links.network, needs.severalFlows);
    for (std::size_t w = 0; w < machines.workerNode.size(); ++w)
        for (std::size_t s = 0; s < machines.serverNode.size(); ++s) {
            const std::int32_t worker = machines.workerNode[w], server = machines.serverNode[s];
            if (worker == server) {
                links.downPath.emplace_back();
                links.upPath.emplace_back();
                continue;
            }
            const bool atWorker = needed.atWorker(worker), atServer = needed.atServer(server, atWorker);
            const std::int32_t own = 2 * nics.of(worker, s), other = 2 * nics.of(server, w);
            const auto linkIf = [](bool isNeeded, std::int32_t link) { return isNeeded ? LinkId(link) : LinkId(); };
            const double limit = machines.limits.between(worker, server);
            links.downPath.push_back(paths.over(linkIf(atWorker, own + 1), linkIf(atServer, other), limit));
            links.upPath.push_back(paths.over(linkIf(atWorker, own), linkIf(atServer, other + 1), limit));
        }
    return links;
}

} // namespace syncopate
