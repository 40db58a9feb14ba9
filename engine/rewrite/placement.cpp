// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/placement.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

/// Above this number, connections between two nodes are no longer simulated one by one: each stream represents several, spread
/// over as many NICs.
constexpr std::int32_t maxStreams = 64;

/// The path at `index` of `cache`, whose size is `count`; `add()` adds it to the graph on first use.
template <class Add> PathId cachedPath(std::vector<PathId> &cache, std::size_t index, std::size_t count, const Add &add) {
    if (cache.empty())
        cache.resize(count);
    if (!cache[index].exists())
        cache[index] = add();
    return cache[index];
}

/// "worker 3", "workers 1–15", "3 workers like 0".
std::string classNames(const std::vector<std::int32_t> &workers) {
    if (workers.size() == 1)
        return fmt::format("worker {}", workers.front());
    const bool contiguous = workers.back() - workers.front() + 1 == static_cast<std::int32_t>(workers.size());
    if (contiguous)
        return fmt::format("workers {}–{}", workers.front(), workers.back());
    return fmt::format("{} workers like {}", workers.size(), workers.front());
}

} // namespace

std::vector<std::pair<std::int32_t, WorkerClassId>> Placement::trainingNodes() const {
    std::vector<std::pair<std::int32_t, WorkerClassId>> training;
    for (std::size_t w = 0; w < workers.size(); ++w)
        for (const std::int32_t node : workers[w].nodes)
            training.emplace_back(node, WorkerClassId(w));
    std::sort(training.begin(), training.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    return training;
}

double Placement::servedLimit(WorkerClassId worker, ServerId server) const {
    return isLocal(worker, server) ? inNodeBytesPerSecond : limits.between((*this)[worker].nodes.front(), (*this)[server].node);
}

double Placement::ringStreamLimit() const {
    std::vector<std::int32_t> ring;
    for (const WorkerClass &w : workers)
        ring.insert(ring.end(), w.nodes.begin(), w.nodes.end());
    std::sort(ring.begin(), ring.end());
    double slowest = std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < ring.size() && ring.size() > 1; ++n)
        slowest = std::min(slowest, streamsBytesPerSecond(ring[n], ring[(n + 1) % ring.size()]));
    return slowest / streams;
}

LinkId Placement::nicOf(const std::vector<LinkId> &links, std::size_t peer, std::int32_t stream) const {
    return links[(peer + static_cast<std::size_t>(stream)) % links.size()];
}

std::vector<PathHop> Placement::streamHops(const std::vector<LinkId> &links) const {
    std::vector<PathHop> hops;
    const auto nics = static_cast<std::int32_t>(links.size());
    for (std::int32_t nic = 0; nic < std::min(nics, streams); ++nic)
        hops.push_back({links[static_cast<std::size_t>(nic)], static_cast<double>((streams - nic + nics - 1) / nics)});
    return hops;
}

double Placement::nicsBytesPerSecond(const TaskGraph &graph, const std::vector<LinkId> &links) const {
    return graph.links[links.front().index()].bytesPerSecond * streams / streamHops(links).front().weight;
}

PathId Placement::pushPath(GraphBuilder &builder, WorkerClassId worker, ServerId server, std::int32_t stream) {
    return cachedPath(m_pushPaths, pairIndex(worker.index(), server, stream), pairCount(workers.size()), [&] {
        const WorkerClass &w = (*this)[worker];
        if (isLocal(worker, server))
            return builder.addPath(hostHops(worker, true), servedLimit(worker, server));
        return builder.addPath({{nicOf(w.txLinks, server.index(), stream), 1},
                                {nicOf((*this)[server].rxLinks, worker.index(), stream), w.multiplicity()}},
                               servedLimit(worker, server));
    });
}

PathId Placement::pullPath(GraphBuilder &builder, WorkerClassId worker, ServerId server, std::int32_t stream) {
    return cachedPath(m_pullPaths, pairIndex(worker.index(), server, stream), pairCount(workers.size()), [&] {
        const WorkerClass &w = (*this)[worker];
        if (isLocal(worker, server))
            return builder.addPath(hostHops(worker, false), servedLimit(worker, server));
        return builder.addPath({{nicOf((*this)[server].txLinks, worker.index(), stream), w.multiplicity()},
                                {nicOf(w.rxLinks, server.index(), stream), 1}},
                               servedLimit(worker, server));
    });
}

PathId Placement::serverPath(GraphBuilder &builder, ServerId from, ServerId to, std::int32_t stream) {
    const ServerPlace &sender = (*this)[from], &receiver = (*this)[to];
    if (sender.node == receiver.node)
        return {};
    return cachedPath(m_serverPaths, pairIndex(from.index(), to, stream), pairCount(servers.size()), [&] {
        return builder.addPath(
            {{nicOf(sender.txLinks, to.index(), stream), 1}, {nicOf(receiver.rxLinks, from.index(), stream), 1}},
            limits.between(sender.node, receiver.node));
    });
}

PathId Placement::streamsPath(GraphBuilder &builder, WorkerClassId from, WorkerClassId to) const {
    std::vector<PathHop> hops = streamHops((*this)[from].txLinks);
    const std::vector<PathHop> into = streamHops((*this)[to].rxLinks);
    hops.insert(hops.end(), into.begin(), into.end());
    const double limit = streamsBytesPerSecond((*this)[from].nodes.front(), (*this)[to].nodes.front()) / streams;
    if (!collectivesShare || !std::isfinite(limit))
        return builder.addPath(hops, limit);
    hops.push_back({builder.addLink({.name = "connections of two nodes", .bytesPerSecond = limit}), 1});
    return builder.addPath(hops);
}

std::vector<PathHop> Placement::hostHops(WorkerClassId worker, bool up) const {
    const WorkerClass &w = (*this)[worker];
    if (w.toHost.empty())
        return {{up ? w.upLink : w.downLink, 1}};
    std::vector<PathHop> hops;
    for (std::size_t lane = 0; lane < w.toHost.size(); ++lane)
        hops.push_back({up ? w.toHost[lane] : w.fromHost[lane], isSharedLane[lane] ? static_cast<double>(w.replicas) : 1.0});
    return hops;
}

PathId Placement::collectivePath(GraphBuilder &builder, bool overNics, bool overLanes) {
    PathId &path = m_collectivePaths[(overNics ? 2U : 0U) + (overLanes ? 1U : 0U)];
    if (path.exists())
        return path;
    std::vector<PathHop> hops;
    const double perLane = overNics ? streams : 1;
    for (const WorkerClass &w : workers) {
        if (overNics)
            for (const auto &links : {w.txLinks, w.rxLinks}) {
                const std::vector<PathHop> own = streamHops(links);
                hops.insert(hops.end(), own.begin(), own.end());
            }
        if (overLanes && w.replicas > 1) {
            hops.push_back({w.upLink, perLane});
            hops.push_back({w.downLink, perLane});
        }
    }
    const double limit = overNics ? ringStreamLimit() : std::numeric_limits<double>::infinity();
    if (!collectivesShare || !std::isfinite(limit))
        return path = builder.addPath(hops, limit);
    if (!m_ringConnections.exists())
        m_ringConnections = builder.addLink({.name = "connections of neighbours", .bytesPerSecond = limit});
    hops.push_back({m_ringConnections, 1});
    return path = builder.addPath(hops);
}

PathId Placement::ringFabricPath(GraphBuilder &builder, WorkerClassId worker) {
    if (streams == 1)
        return fabricPath(builder, worker);
    const auto all = static_cast<double>(streams);
    return builder.addPath({{(*this)[worker].upLink, all}, {(*this)[worker].downLink, all}});
}

PathId Placement::fabricPath(GraphBuilder &builder, WorkerClassId worker) {
    return cachedPath(m_fabricPaths, worker.index(), workers.size(), [&] {
        return builder.addPath({{(*this)[worker].upLink, 1}, {(*this)[worker].downLink, 1}});
    });
}

PathId Placement::upPath(GraphBuilder &builder, WorkerClassId worker) {
    return cachedPath(m_upPaths, worker.index(), workers.size(), [&] { return builder.addPath(hostHops(worker, true)); });
}

PathId Placement::downPath(GraphBuilder &builder, WorkerClassId worker) {
    return cachedPath(m_downPaths, worker.index(), workers.size(), [&] { return builder.addPath(hostHops(worker, false)); });
}

namespace {

/// Groups a scenario's nodes into classes and makes their links.
class Placer {
public:
    Placer(const Cluster &cluster, GraphBuilder &builder)
        : m_cluster(cluster), m_builder(builder), m_serves(cluster.nodes.size(), false), m_ownRate(cluster.nodes.size(), false),
          m_tx(cluster.nodes.size()), m_rx(cluster.nodes.size()) {}

    Result<Placement> place(const std::vector<SyncUnit> &units, const std::vector<NicChange> &nicChanges,
                            const CommPolicy &policy, bool fold) {
        m_placement.replicas = m_cluster.replicaCount();
        m_placement.connections = policy.connections;
        for (const HostLane &lane : m_cluster.hostLanes)
            m_placement.isSharedLane.push_back(lane.isShared);
        m_placement.limits = connectionLimitsOf(m_cluster);
        const bool isLimited =
            std::isfinite(m_placement.limits.rackBytesPerSecond) || std::isfinite(m_placement.limits.acrossBytesPerSecond);
        m_placement.collectivesShare = isLimited && policy.sharing == ConnectionSharing::All;
        m_placement.inNodeBytesPerSecond = m_cluster.inNodeConnectionBytesPerSecond;
        if (std::any_of(m_cluster.nodes.begin(), m_cluster.nodes.end(), [](const Node &node) { return node.nics > 1; }))
            m_placement.streams = std::min(policy.connections, maxStreams);
        if (m_placement.replicas < 1)
            return fail("the cluster has no replica to train on", "give at least one node that is not server-only");
        TRY(findServers(units));
        for (const NicChange &change : nicChanges)
            m_ownRate[static_cast<std::size_t>(change.node)] = true;
        TRY(findWorkers(fold));
        for (WorkerClass &w : m_placement.workers)
            linkWorker(w);
        for (ServerPlace &server : m_placement.servers)
            linkServer(server);
        for (const NicChange &change : nicChanges)
            addChange(change);
        return std::move(m_placement);
    }

private:
    /// Finds servers, in order of first use.
    Result<void> findServers(const std::vector<SyncUnit> &units) {
        auto &servers = m_placement.servers;
        for (const SyncUnit &unit : units) {
            if (unit.kind != SynchronizerKind::ParameterServer)
                continue;
            for (const std::string *named : {&unit.destination, &unit.transferDestination}) {
                const std::string &device = *named;
                if (device.empty() && !unit.destination.empty())
                    continue; // no transfer destination
                if (std::any_of(servers.begin(), servers.end(), [&](const ServerPlace &s) { return s.device == device; }))
                    continue;
                const std::int32_t node = m_cluster.nodeOf(device);
                if (node < 0)
                    return fail(fmt::format("'{}' is to be reduced on '{}', which is not in the cluster", unit.name, device),
                                "build the strategy for this cluster, or choose the cluster it was built for");
                m_serves[static_cast<std::size_t>(node)] = true;
                servers.push_back({.device = device, .node = node});
            }
        }
        return {};
    }

    /// Finds worker classes, in order of their first nodes.
    Result<void> findWorkers(bool fold) {
        std::vector<bool> servesOnly(m_cluster.nodes.size(), false);
        for (const std::int32_t node : m_cluster.serverOnly)
            servesOnly[static_cast<std::size_t>(node)] = true;
        std::int32_t workers = 0;
        for (std::size_t n = 0; n < m_cluster.nodes.size(); ++n) {
            m_workerNumbers.push_back(workers);
            const Node &node = m_cluster.nodes[n];
            if (servesOnly[n] || node.replicaCount() == 0)
                continue;
            ++workers;
            if (!(node.computeScale > 0 && node.computeScale < 1e9))
                return fail(fmt::format("'{}' computes at {} times the job's speed", node.address, node.computeScale),
                            "give it a compute_scale above 0");
            const auto alike = std::find_if(m_placement.workers.begin(), m_placement.workers.end(),
                                            [&](const WorkerClass &w) { return fold && areAlike(w, n); });
            if (alike != m_placement.workers.end())
                alike->nodes.push_back(static_cast<std::int32_t>(n));
            else
                m_placement.workers.push_back({.nodes = {static_cast<std::int32_t>(n)},
                                               .replicas = node.replicaCount(),
                                               .computeScale = node.computeScale,
                                               .communicationSlowdown = node.communicationSlowdown});
        }
        return {};
    }

    /// Whether a node may join a class. A node that also serves has a class of its own, since its NIC carries other workers'
    /// traffic too; so does a node whose links change their rates.
    [[nodiscard]] bool areAlike(const WorkerClass &w, std::size_t n) const {
        const auto first = static_cast<std::size_t>(w.nodes.front());
        const Node &node = m_cluster.nodes[n];
        return !m_serves[n] && !m_serves[first] && !m_ownRate[n] && !m_ownRate[first] && w.replicas == node.replicaCount() &&
               w.computeScale == node.computeScale && w.communicationSlowdown == node.communicationSlowdown &&
               m_cluster.nodes[first].bandwidthBytesPerSecond == node.bandwidthBytesPerSecond &&
               m_cluster.nodes[first].nics == node.nics &&
               m_placement.limits.inOneRack(w.nodes.front(), static_cast<std::int32_t>(n));
    }

    /// A NIC's goodput is its stated rate times the share of it that a plain stream reaches.
    void addNics(std::int32_t n, const std::vector<std::int32_t> &nodes) {
        const Node &node = m_cluster.nodes[static_cast<std::size_t>(n)];
        const double rate = node.nicBytesPerSecond() * m_cluster.linkEfficiency;
        for (std::int32_t nic = 0; nic < node.nics; ++nic) {
            const std::string name = node.nics > 1 ? fmt::format("{} NIC {}", node.address, nic) : node.address;
            const auto way = [&](const char *direction, bool receives) {
                return m_builder.addLink({.name = name + direction,
                                          .bytesPerSecond = rate,
                                          .nodes = nodes,
                                          .receives = receives,
                                          .burstBytes = m_cluster.burstBytes});
            };
            const LinkId tx = way(" tx", false), rx = way(" rx", true);
            m_builder.graph().links[tx.index()].opposite = rx;
            m_builder.graph().links[rx.index()].opposite = tx;
            m_tx[static_cast<std::size_t>(n)].push_back(tx);
            m_rx[static_cast<std::size_t>(n)].push_back(rx);
        }
    }

    void linkWorker(WorkerClass &w) {
        const std::int32_t n = w.nodes.front();
        addNics(n, w.nodes);
        w.txLinks = m_tx[static_cast<std::size_t>(n)];
        w.rxLinks = m_rx[static_cast<std::size_t>(n)];
        const auto lane = [&](const char *direction, bool receives) {
            return m_builder.addLink({.name = m_cluster.nodes[static_cast<std::size_t>(n)].address + direction,
                                      .bytesPerSecond = m_cluster.intraNodeBandwidthBytesPerSecond,
                                      .nodes = w.nodes,
                                      .isFabric = true,
                                      .receives = receives});
        };
        w.upLink = lane(" fabric, from devices", false);
        w.downLink = lane(" fabric, to devices", true);
        linkHost(w);
        std::vector<std::int32_t> numbers;
        for (const std::int32_t node : w.nodes)
            numbers.push_back(m_workerNumbers[static_cast<std::size_t>(node)]);
        TaskGraph &graph = m_builder.graph();
        graph.workerNames.push_back(classNames(numbers));
        graph.workerSlowdown.push_back(w.communicationSlowdown);
        graph.workerMultiplicity.push_back(static_cast<std::int32_t>(w.nodes.size()));
        graph.workerReplicas.push_back(static_cast<std::int32_t>(w.nodes.size()) * w.replicas);
    }

    void linkHost(WorkerClass &w) {
        for (std::size_t l = 0; l < m_cluster.hostLanes.size(); ++l) {
            const HostLane &lane = m_cluster.hostLanes[l];
            const auto way = [&](const char *direction, bool receives) {
                return m_builder.addLink(
                    {.name = fmt::format("{} {}{}", m_cluster.nodes[static_cast<std::size_t>(w.nodes.front())].address, lane.name,
                                         direction),
                     .bytesPerSecond = lane.bytesPerSecond,
                     .nodes = w.nodes,
                     .isFabric = true,
                     .receives = receives,
                     .hostLane = static_cast<std::int32_t>(l)});
            };
            w.toHost.push_back(way(lane.isDuplex ? ", to the host" : ", both ways", false));
            w.fromHost.push_back(lane.isDuplex ? way(", to devices", true) : w.toHost.back());
        }
    }

    void linkServer(ServerPlace &server) {
        const auto n = static_cast<std::size_t>(server.node);
        if (m_tx[n].empty())
            addNics(server.node, {server.node});
        server.txLinks = m_tx[n];
        server.rxLinks = m_rx[n];
        for (std::size_t c = 0; c < m_placement.workers.size(); ++c)
            if (m_placement.workers[c].nodes.front() == server.node)
                server.workerClass = WorkerClassId(c);
    }

    void addChange(const NicChange &change) {
        const auto n = static_cast<std::size_t>(change.node);
        TaskGraph &graph = m_builder.graph();
        for (const LinkId link : change.up ? m_tx[n] : m_rx[n]) // a server without variables has no links
            graph.capacityChanges.push_back({change.seconds, link, change.left * graph.links[link.index()].bytesPerSecond});
    }

    const Cluster &m_cluster;
    GraphBuilder &m_builder;
    Placement m_placement;
    std::vector<bool> m_serves, m_ownRate;     ///< per node
    std::vector<std::int32_t> m_workerNumbers; ///< per node: worker number, counting only nodes that train
    /// Links of each node's NICs; empty until they are made.
    std::vector<std::vector<LinkId>> m_tx, m_rx;
};

} // namespace

std::vector<std::int32_t> rankNodesOf(const Strategy &strategy, const Cluster &cluster) {
    std::vector<std::string> listed = strategy.replicas, there = cluster.replicaDevices();
    if (listed == there)
        return {};
    std::sort(listed.begin(), listed.end());
    std::sort(there.begin(), there.end());
    if (listed != there)
        return {};
    const std::vector<std::int32_t> trains = cluster.trainingNodes();
    std::vector<std::int32_t> ranks;
    for (const std::string &device : strategy.replicas)
        ranks.push_back(
            static_cast<std::int32_t>(std::lower_bound(trains.begin(), trains.end(), cluster.nodeOf(device)) - trains.begin()));
    return ranks;
}

Result<Placement> place(const Cluster &cluster, const std::vector<SyncUnit> &units, const std::vector<NicChange> &nicChanges,
                        const CommPolicy &policy, bool fold, GraphBuilder &builder) {
    return Placer(cluster, builder).place(units, nicChanges, policy, fold);
}

} // namespace syncopate
