// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/placement.h"

#include <algorithm>
#include <fmt/format.h>

namespace syncopate {

namespace {

std::int32_t cachedPath(std::vector<std::int32_t> &cache, std::size_t index, std::size_t count, GraphBuilder &builder,
                        const std::vector<PathHop> &hops, double limit = std::numeric_limits<double>::infinity()) {
    if (cache.empty())
        cache.assign(count, -1);
    if (cache[index] < 0)
        cache[index] = builder.addPath(hops, limit);
    return cache[index];
}

/// "worker 3", "workers 1–15", "workers 0, 2, 5".
std::string classNames(const std::vector<std::int32_t> &workers) {
    if (workers.size() == 1)
        return fmt::format("worker {}", workers.front());
    const bool contiguous = workers.back() - workers.front() + 1 == static_cast<std::int32_t>(workers.size());
    if (contiguous)
        return fmt::format("workers {}–{}", workers.front(), workers.back());
    return fmt::format("{} workers like {}", workers.size(), workers.front());
}

} // namespace

double Placement::connectionLimit(std::size_t worker, std::size_t server) const {
    return isLocal(worker, server) ? std::numeric_limits<double>::infinity() : connectionBytesPerSecond;
}

std::int32_t Placement::pushPath(GraphBuilder &builder, std::size_t worker, std::size_t server) {
    const WorkerClass &w = workers[worker];
    const ServerPlace &s = servers[server];
    const std::vector<PathHop> hops = isLocal(worker, server) ? std::vector<PathHop>{{w.upLink, 1}}
                                                              : std::vector<PathHop>{{w.txLink, 1}, {s.rxLink, w.multiplicity()}};
    return cachedPath(m_pushPaths, worker * servers.size() + server, workers.size() * servers.size(), builder, hops,
                      connectionLimit(worker, server));
}

std::int32_t Placement::pullPath(GraphBuilder &builder, std::size_t worker, std::size_t server) {
    const WorkerClass &w = workers[worker];
    const ServerPlace &s = servers[server];
    const std::vector<PathHop> hops = isLocal(worker, server) ? std::vector<PathHop>{{w.downLink, 1}}
                                                              : std::vector<PathHop>{{s.txLink, w.multiplicity()}, {w.rxLink, 1}};
    return cachedPath(m_pullPaths, worker * servers.size() + server, workers.size() * servers.size(), builder, hops,
                      connectionLimit(worker, server));
}

std::int32_t Placement::serverPath(GraphBuilder &builder, std::size_t from, std::size_t to) {
    if (servers[from].node == servers[to].node)
        return -1;
    return cachedPath(m_serverPaths, from * servers.size() + to, servers.size() * servers.size(), builder,
                      {{servers[from].txLink, 1}, {servers[to].rxLink, 1}}, connectionBytesPerSecond);
}

std::int32_t Placement::ringPath(GraphBuilder &builder) {
    if (m_ringPath < 0) {
        std::vector<PathHop> hops;
        const bool crossesNodes = workers.size() > 1 || workers.front().nodes.size() > 1;
        for (const WorkerClass &w : workers) {
            if (crossesNodes) {
                hops.push_back({w.txLink, 1});
                hops.push_back({w.rxLink, 1});
            }
            if (w.replicas > 1) {
                hops.push_back({w.upLink, 1});
                hops.push_back({w.downLink, 1});
            }
        }
        m_ringPath = builder.addPath(hops, crossesNodes ? streamsBytesPerSecond : std::numeric_limits<double>::infinity());
    }
    return m_ringPath;
}

std::int32_t Placement::fabricPath(GraphBuilder &builder, std::size_t worker) {
    return cachedPath(m_fabricPaths, worker, workers.size(), builder,
                      {{workers[worker].upLink, 1}, {workers[worker].downLink, 1}});
}

std::int32_t Placement::upPath(GraphBuilder &builder, std::size_t worker) {
    return cachedPath(m_upPaths, worker, workers.size(), builder, {{workers[worker].upLink, 1}});
}

std::int32_t Placement::downPath(GraphBuilder &builder, std::size_t worker) {
    return cachedPath(m_downPaths, worker, workers.size(), builder, {{workers[worker].downLink, 1}});
}

Result<Placement> place(const Cluster &cluster, const std::vector<SyncUnit> &units, const std::vector<NicChange> &nicChanges,
                        std::int32_t connections, bool fold, GraphBuilder &builder) {
    Placement placement;
    placement.replicas = cluster.replicaCount();
    placement.connectionBytesPerSecond = cluster.connectionBytesPerSecond * cluster.linkEfficiency;
    placement.streamsBytesPerSecond = placement.connectionBytesPerSecond * connections;
    if (placement.replicas < 1)
        return fail("the cluster has no replica to train on", "give at least one node that is not server-only");
    std::vector<bool> servesOnly(cluster.nodes.size(), false);
    for (const std::int32_t node : cluster.serverOnly)
        servesOnly[static_cast<std::size_t>(node)] = true;

    // Servers, in order of first use. A node that serves is a class of its own: its NIC carries other workers' traffic too.
    std::vector<std::int32_t> serverOfNode(cluster.nodes.size(), -1);
    for (const SyncUnit &unit : units) {
        if (unit.kind != SynchronizerKind::ParameterServer)
            continue;
        for (const std::string &device : {unit.destination, unit.transferDestination}) {
            if (device.empty() && !unit.destination.empty())
                continue; // no transfer destination
            const auto known = std::find_if(placement.servers.begin(), placement.servers.end(),
                                            [&](const ServerPlace &s) { return s.device == device; });
            if (known != placement.servers.end())
                continue;
            const std::int32_t node = cluster.nodeOf(device);
            if (node < 0)
                return fail(fmt::format("'{}' is to be reduced on '{}', which is not in the cluster", unit.name, device),
                            "build the strategy for this cluster, or choose the cluster it was built for");
            serverOfNode[static_cast<std::size_t>(node)] = static_cast<std::int32_t>(placement.servers.size());
            placement.servers.push_back({device, node, -1, -1, -1});
        }
    }

    std::vector<bool> ownRate(cluster.nodes.size(), false); // its links' rates change: it is like no other node
    for (const NicChange &change : nicChanges)
        ownRate[static_cast<std::size_t>(change.node)] = true;

    // Worker classes.
    std::vector<std::int32_t> workerNumbers; // node -> worker number, counting only nodes that train
    std::int32_t workers = 0;
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
        workerNumbers.push_back(workers);
        if (servesOnly[n] || cluster.nodes[n].replicaCount() == 0)
            continue;
        ++workers;
        const Node &node = cluster.nodes[n];
        if (!(node.computeScale > 0 && node.computeScale < 1e9))
            return fail(fmt::format("'{}' computes at {} times the job's speed", node.address, node.computeScale),
                        "give it a compute_scale above 0");
        const auto alike = std::find_if(placement.workers.begin(), placement.workers.end(), [&](const WorkerClass &w) {
            const auto first = static_cast<std::size_t>(w.nodes.front());
            return fold && serverOfNode[n] < 0 && serverOfNode[first] < 0 && !ownRate[n] && !ownRate[first] &&
                   w.replicas == node.replicaCount() && w.computeScale == node.computeScale &&
                   w.communicationSlowdown == node.communicationSlowdown &&
                   cluster.nodes[first].bandwidthBytesPerSecond == node.bandwidthBytesPerSecond;
        });
        if (alike != placement.workers.end())
            alike->nodes.push_back(static_cast<std::int32_t>(n));
        else
            placement.workers.push_back({.nodes = {static_cast<std::int32_t>(n)},
                                         .replicas = node.replicaCount(),
                                         .computeScale = node.computeScale,
                                         .communicationSlowdown = node.communicationSlowdown});
    }

    // Links. A NIC's goodput is its stated rate times what a plain stream reaches on it.
    std::vector<std::int32_t> tx(cluster.nodes.size(), -1), rx(cluster.nodes.size(), -1);
    const auto addNic = [&](std::int32_t n, const std::vector<std::int32_t> &nodes) {
        const Node &node = cluster.nodes[static_cast<std::size_t>(n)];
        const double rate = node.bandwidthBytesPerSecond * cluster.linkEfficiency;
        tx[static_cast<std::size_t>(n)] = builder.addLink(
            {.name = node.address + " tx", .bytesPerSecond = rate, .nodes = nodes, .burstBytes = cluster.burstBytes});
        rx[static_cast<std::size_t>(n)] = builder.addLink({.name = node.address + " rx",
                                                           .bytesPerSecond = rate,
                                                           .nodes = nodes,
                                                           .receives = true,
                                                           .burstBytes = cluster.burstBytes});
    };
    for (WorkerClass &w : placement.workers) {
        const std::int32_t n = w.nodes.front();
        addNic(n, w.nodes);
        w.txLink = tx[static_cast<std::size_t>(n)];
        w.rxLink = rx[static_cast<std::size_t>(n)];
        const auto lane = [&](const char *direction, bool receives) {
            return builder.addLink({.name = cluster.nodes[static_cast<std::size_t>(n)].address + direction,
                                    .bytesPerSecond = cluster.intraNodeBandwidthBytesPerSecond,
                                    .nodes = w.nodes,
                                    .isFabric = true,
                                    .receives = receives});
        };
        w.upLink = lane(" fabric, from devices", false);
        w.downLink = lane(" fabric, to devices", true);
        std::vector<std::int32_t> numbers;
        for (const std::int32_t node : w.nodes)
            numbers.push_back(workerNumbers[static_cast<std::size_t>(node)]);
        builder.graph().workerNames.push_back(classNames(numbers));
        builder.graph().workerSlowdown.push_back(w.communicationSlowdown);
        builder.graph().workerMultiplicity.push_back(static_cast<std::int32_t>(w.nodes.size()));
        builder.graph().workerReplicas.push_back(static_cast<std::int32_t>(w.nodes.size()) * w.replicas);
    }
    for (ServerPlace &server : placement.servers) {
        const auto n = static_cast<std::size_t>(server.node);
        if (tx[n] < 0)
            addNic(server.node, {server.node});
        server.txLink = tx[n];
        server.rxLink = rx[n];
        for (std::size_t c = 0; c < placement.workers.size(); ++c)
            if (placement.workers[c].nodes.front() == server.node)
                server.workerClass = static_cast<std::int32_t>(c);
    }
    for (const NicChange &change : nicChanges) {
        const auto n = static_cast<std::size_t>(change.node);
        const std::int32_t link = change.up ? tx[n] : rx[n];
        if (link >= 0) // a server that nothing is placed on has none
            builder.graph().capacityChanges.push_back(
                {change.seconds, link, change.left * builder.graph().links[static_cast<std::size_t>(link)].bytesPerSecond});
    }
    return placement;
}

} // namespace syncopate
