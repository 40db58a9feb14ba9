// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/cluster.h"

#include "engine/base/units.h"
#include "engine/cluster/addresses.h"
#include "engine/cluster/stale_curves.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace syncopate {

namespace {

std::vector<bool> serverMask(const Cluster &cluster) {
    std::vector<bool> mask(cluster.nodes.size(), false);
    for (const std::int32_t node : cluster.serverOnly)
        if (node >= 0 && static_cast<std::size_t>(node) < mask.size())
            mask[static_cast<std::size_t>(node)] = true;
    return mask;
}

/// AutoDist reaches every node but the chief over ssh and rejects a cluster file that does not say how.
void completeSsh(Cluster &cluster) {
    for (Node &node : cluster.nodes)
        if (!node.chief && node.sshConfig.empty()) {
            node.sshConfig = cluster.ssh.empty() ? "conf" : cluster.ssh.begin()->first;
            cluster.ssh.try_emplace(node.sshConfig);
        }
}

/// Addresses that no node has, in ascending order after that of a node. None is a loopback address, which other nodes cannot
/// reach.
class FreeAddresses {
public:
    FreeAddresses(const std::vector<Node> &nodes, const Node &after)
        : m_last(isLoopback(after.address) ? network : ipv4Number(after.address).value_or(network)) {
        for (const Node &node : nodes)
            m_taken.insert(node.address);
    }

    std::string next() {
        std::string address;
        do
            address = ipv4Text(++m_last);
        while (m_taken.contains(address) || isLoopback(address));
        return address;
    }

private:
    static constexpr std::uint32_t network = 10U << 24; // 10.0.0.0
    std::uint32_t m_last;
    std::unordered_set<std::string> m_taken;
};

/// "localhost" means a single machine; among others it needs an address that they can reach.
void replaceLoopbacks(Cluster &cluster, FreeAddresses &addresses) {
    for (Node &node : cluster.nodes)
        if (isLoopback(node.address))
            node.address = addresses.next();
}

void ensureChief(Cluster &cluster) {
    const bool chosen = std::any_of(cluster.nodes.begin(), cluster.nodes.end(), [](const Node &node) { return node.chief; });
    if (!chosen && !cluster.nodes.empty())
        cluster.nodes.front().chief = true;
}

} // namespace

bool HostCosts::answersAtOnce(std::int32_t serverThreads) const {
    const bool takesPushes = receiveSeconds > 0 || receiveSecondsPerByte > 0 || aggregateSecondsPerByte > 0;
    return sendSeconds == 0 && sendSecondsPerByte == 0 && (serverThreads == 1 || !takesPushes);
}

bool HostCosts::isFreeForServers() const {
    return sendSeconds == 0 && sendSecondsPerByte == 0 && receiveSeconds == 0 && receiveSecondsPerByte == 0 &&
           aggregateSecondsPerByte == 0 && updateSecondsPerByte == 0 && variableSeconds == 0;
}

std::int32_t Node::replicaCount() const { return static_cast<std::int32_t>(gpus.empty() ? cpus.size() : gpus.size()); }

double Node::streamsBytesPerSecond(std::int32_t connections) const {
    const std::int32_t most = 1 + (connections - 1) / nics;
    return nics == 1 ? bandwidthBytesPerSecond : nicBytesPerSecond() * connections / most;
}

std::int32_t Cluster::replicaCount() const {
    const std::vector<bool> serves = serverMask(*this);
    std::int32_t count = 0;
    for (std::size_t n = 0; n < nodes.size(); ++n)
        count += serves[n] ? 0 : nodes[n].replicaCount();
    return count;
}

std::vector<std::int32_t> Cluster::replicaNodes() const {
    const std::vector<bool> serves = serverMask(*this);
    std::vector<std::int32_t> nodeOfReplica;
    for (std::size_t n = 0; n < nodes.size(); ++n)
        if (!serves[n])
            nodeOfReplica.insert(nodeOfReplica.end(), static_cast<std::size_t>(nodes[n].replicaCount()),
                                 static_cast<std::int32_t>(n));
    return nodeOfReplica;
}

std::vector<std::int32_t> Cluster::trainingNodes() const {
    std::vector<std::int32_t> training = replicaNodes();
    training.erase(std::unique(training.begin(), training.end()), training.end()); // a node's replicas are adjacent
    return training;
}

double Cluster::slowestComputeScale() const {
    const std::vector<std::int32_t> training = trainingNodes();
    double slowest = training.empty() ? 1 : std::numeric_limits<double>::infinity();
    for (const std::int32_t node : training)
        slowest = std::min(slowest, nodes[static_cast<std::size_t>(node)].computeScale);
    return slowest;
}

std::vector<std::int32_t> Cluster::serverNodes() const {
    const std::vector<bool> serves = serverMask(*this);
    std::vector<std::int32_t> servers;
    for (std::size_t n = 0; n < nodes.size(); ++n)
        if (serves[n])
            servers.push_back(static_cast<std::int32_t>(n));
    return servers;
}

std::vector<std::string> Cluster::replicaDevices() const {
    const std::vector<bool> serves = serverMask(*this);
    std::vector<std::string> devices;
    for (std::size_t n = 0; n < nodes.size(); ++n)
        if (!serves[n])
            for (const std::int32_t gpu : nodes[n].gpus)
                devices.push_back(fmt::format("{}:GPU:{}", nodes[n].address, gpu));
    for (std::size_t n = 0; n < nodes.size(); ++n)
        if (!serves[n] && nodes[n].gpus.empty())
            for (const std::int32_t cpu : nodes[n].cpus)
                devices.push_back(fmt::format("{}:CPU:{}", nodes[n].address, cpu));
    return devices;
}

std::vector<std::string> Cluster::reductionDevices() const {
    const std::vector<bool> serves = serverMask(*this);
    const bool dedicated = std::find(serves.begin(), serves.end(), true) != serves.end();
    std::vector<std::string> devices;
    for (std::size_t n = 0; n < nodes.size(); ++n)
        if (!dedicated || serves[n])
            for (const std::int32_t cpu : nodes[n].cpus)
                devices.push_back(fmt::format("{}:CPU:{}", nodes[n].address, cpu));
    return devices;
}

std::int32_t Cluster::nodeOf(std::string_view deviceOrAddress) const {
    const std::string_view address = deviceOrAddress.substr(0, deviceOrAddress.find(':'));
    const auto found = std::find_if(nodes.begin(), nodes.end(), [address](const Node &node) { return node.address == address; });
    return found == nodes.end() ? -1 : static_cast<std::int32_t>(found - nodes.begin());
}

double Cluster::connectionLimit(const Node &from, const Node &to) const {
    return from.rack == to.rack ? connectionBytesPerSecond : acrossRacksBytesPerSecond.value_or(connectionBytesPerSecond);
}

double Cluster::ringConnectionLimit() const {
    const std::vector<std::int32_t> ring = trainingNodes();
    double limit = std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < ring.size() && ring.size() > 1; ++n)
        limit = std::min(limit, connectionLimit(nodes[static_cast<std::size_t>(ring[n])],
                                                nodes[static_cast<std::size_t>(ring[(n + 1) % ring.size()])]));
    return limit;
}

std::string partName(const Channel &channel, std::int32_t turn) {
    return channel.concurrent > 1 ? fmt::format("{} ({} of {})", channel.name, turn, channel.concurrent) : channel.name;
}

std::vector<Channel> planChannels(const Cluster &cluster) {
    if (!cluster.namedChannels.empty() || cluster.nodes.empty()) {
        std::vector<Channel> channels;
        for (const Channel &channel : cluster.namedChannels)
            for (std::int32_t turn = 1; turn <= channel.concurrent; ++turn) {
                channels.push_back(channel);
                channels.back().concurrent = 1;
                channels.back().name = partName(channel, turn);
            }
        return channels;
    }
    double slowest = std::numeric_limits<double>::infinity();
    for (const std::int32_t n : cluster.trainingNodes()) {
        const Node &node = cluster.nodes[static_cast<std::size_t>(n)];
        slowest = std::min(slowest, node.streamsBytesPerSecond(node.replicaCount()) / node.replicaCount());
    }
    slowest = std::min(slowest, cluster.ringConnectionLimit());
    return {{"nic", {"nic"}, slowest * cluster.linkEfficiency * cluster.collectiveEfficiency, cluster.latencySeconds}};
}

Cluster uniformCluster(std::int32_t count, double gbits) {
    Cluster cluster;
    count = std::clamp(count, 1, maxNodes);
    cluster.name = fmt::format("{} x 1 GPU, {} Gbit/s", count, gbits);
    for (std::int32_t n = 0; n < count; ++n) {
        Node node;
        node.address = ipv4Text((10U << 24) + 1U + static_cast<std::uint32_t>(n));
        node.gpus = {0};
        node.chief = n == 0;
        node.bandwidthBytesPerSecond = bytesPerSecondFromGbits(gbits);
        cluster.nodes.push_back(std::move(node));
    }
    completeSsh(cluster);
    return cluster;
}

Cluster withWorkers(const Cluster &cluster, std::int32_t workers) {
    workers = std::max(workers, 1);
    const std::vector<bool> serves = serverMask(cluster);
    Cluster result = cluster;
    result.nodes.clear();
    result.serverOnly.clear();

    std::int32_t missing = workers;
    const auto keep = [&result, &missing](Node node) {
        auto &devices = node.gpus.empty() ? node.cpus : node.gpus;
        if (static_cast<std::int32_t>(devices.size()) > missing)
            devices.resize(static_cast<std::size_t>(missing));
        missing -= static_cast<std::int32_t>(devices.size());
        result.nodes.push_back(std::move(node));
    };
    const Node *pattern = nullptr;
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n)
        if (!serves[n] && cluster.nodes[n].replicaCount() > 0) {
            pattern = &cluster.nodes[n];
            if (missing > 0)
                keep(*pattern);
        }
    if (pattern == nullptr)
        return cluster;

    const bool grows = missing > 0;
    FreeAddresses addresses(cluster.nodes, *pattern);
    while (missing > 0 && result.nodes.size() < static_cast<std::size_t>(maxNodes)) {
        Node node = *pattern;
        node.chief = false;
        node.address = addresses.next();
        keep(std::move(node));
    }
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n)
        if (serves[n]) {
            result.serverOnly.push_back(static_cast<std::int32_t>(result.nodes.size()));
            result.nodes.push_back(cluster.nodes[n]);
        }
    if (grows)
        replaceLoopbacks(result, addresses);
    ensureChief(result);
    completeSsh(result);
    return result;
}

Cluster withNodeLike(const Cluster &cluster, std::size_t like) {
    Cluster result = cluster;
    Node node = cluster.nodes.at(like);
    node.chief = false;
    FreeAddresses addresses(cluster.nodes, node);
    node.address = addresses.next();
    replaceLoopbacks(result, addresses);
    if (serverMask(cluster)[like])
        result.serverOnly.push_back(static_cast<std::int32_t>(result.nodes.size()));
    result.nodes.push_back(std::move(node));
    ensureChief(result);
    completeSsh(result);
    return result;
}

Cluster withoutNodes(const Cluster &cluster, const std::vector<bool> &without) {
    const std::vector<bool> serves = serverMask(cluster);
    Cluster result = cluster;
    result.nodes.clear();
    result.serverOnly.clear();
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
        if (n < without.size() && without[n])
            continue;
        if (serves[n])
            result.serverOnly.push_back(static_cast<std::int32_t>(result.nodes.size()));
        result.nodes.push_back(cluster.nodes[n]);
    }
    ensureChief(result);
    return result;
}

Cluster withoutStaleCurves(Cluster changed, const Cluster &before) {
    if (changed.collectives.empty())
        return changed;
    const auto figures = [](const Cluster &c) {
        return std::tuple(c.latencySeconds, c.messageSeconds, c.intraNodeBandwidthBytesPerSecond, c.linkEfficiency,
                          c.collectiveEfficiency, c.connectionBytesPerSecond, c.acrossRacksBytesPerSecond);
    };
    bool isStale = figures(changed) != figures(before) || changed.host != before.host;
    std::unordered_map<std::string_view, const Node *> known;
    for (const Node &node : before.nodes)
        known.emplace(node.address, &node);
    for (const Node &node : changed.nodes)
        if (const auto found = known.find(node.address); found != known.end())
            isStale = isStale || found->second->bandwidthBytesPerSecond != node.bandwidthBytesPerSecond ||
                      found->second->nics != node.nics || (changed.acrossRacksBytesPerSecond && found->second->rack != node.rack);
    if (isStale) {
        changed.collectives.clear();
        changed.notes.emplace_back(staleCurvesNote);
        changed.staleCurvesLeftOut = true;
    }
    return changed;
}

std::vector<std::string> Cluster::allNotes() const {
    std::vector<std::string> all = notes;
    for (const FigureNote &note : figureNotes)
        all.push_back(note.text);
    for (const MeasuredCollective &measured : collectives)
        if (!measured.note.empty())
            all.push_back(measured.note);
    return all;
}

Cluster withBandwidth(const Cluster &cluster, double gbits) {
    Cluster result = cluster;
    for (Node &node : result.nodes)
        node.bandwidthBytesPerSecond = bytesPerSecondFromGbits(gbits);
    return result;
}

Cluster withDedicatedServers(const Cluster &cluster, std::int32_t count) {
    const std::vector<bool> serves = serverMask(cluster);
    Cluster result = cluster;
    result.nodes.clear();
    result.serverOnly.clear();
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n)
        if (!serves[n])
            result.nodes.push_back(cluster.nodes[n]);
    if (result.nodes.empty())
        return cluster;
    const Node &like = cluster.nodes[static_cast<std::size_t>(std::find(serves.begin(), serves.end(), false) - serves.begin())];
    ensureChief(result);
    for (std::int32_t s = 0; s < std::min(count, maxNodes); ++s) {
        Node server;
        server.address = fmt::format("ps{}", s);
        server.bandwidthBytesPerSecond = like.bandwidthBytesPerSecond;
        server.nics = like.nics;
        server.rack = like.rack;
        result.serverOnly.push_back(static_cast<std::int32_t>(result.nodes.size()));
        result.nodes.push_back(std::move(server));
    }
    completeSsh(result);
    return result;
}

} // namespace syncopate
