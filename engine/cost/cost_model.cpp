// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cost/cost_model.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace syncopate {

namespace {

/// Eq. 2's sum over workers for one server, with `connections` per pair. Connection c to the w-th worker uses the server's NIC w
/// + c and the worker's NIC c, both modulo their number; pushes and pulls rotate over a pair's connections.
class NicSums {
public:
    NicSums(const Node &server, std::int32_t connections, double efficiency)
        : m_server(server), m_connections(connections), m_efficiency(efficiency),
          m_sums(static_cast<std::size_t>(server.nics), 0) {}

    /// Adds `messages` messages of the `number`-th worker, which is on another node.
    void add(std::size_t number, const Node &worker, double messages) {
        for (std::int32_t nic = 0; nic < std::min(m_connections, m_server.nics); ++nic) {
            const std::int32_t alike = dealtTo(nic, m_server.nics);
            // Number of the worker's NICs that those connections use: every m_server.nics-th of them.
            const std::int32_t across = std::min(alike, worker.nics / std::gcd(worker.nics, m_server.nics));
            // b_jk: the slower end
            const double rate = std::min(m_server.nicBytesPerSecond(), across * worker.nicBytesPerSecond()) * m_efficiency;
            m_sums[(number + static_cast<std::size_t>(nic)) % m_sums.size()] += messages / rate * shareOf(alike);
        }
        m_worker = std::max(m_worker, messages / (worker.nicBytesPerSecond() * m_efficiency) * shareOf(dealtTo(0, worker.nics)));
    }
    /// Seconds per byte of a message on the server's busiest NIC or, if that takes longer, on a worker's.
    [[nodiscard]] double busiest() const { return std::max(m_worker, *std::max_element(m_sums.begin(), m_sums.end())); }

private:
    [[nodiscard]] std::int32_t dealtTo(std::int32_t nic, std::int32_t nics) const {
        return m_connections / nics + (nic < m_connections % nics ? 1 : 0);
    }
    [[nodiscard]] double shareOf(std::int32_t connections) const { return static_cast<double>(connections) / m_connections; }

    const Node &m_server;
    std::int32_t m_connections;
    double m_efficiency;
    std::vector<double> m_sums; ///< per NIC of the server
    double m_worker = 0;
};

} // namespace

CostModel::CostModel(const RankerDomain &domain) : m_domain(domain) {
    const Cluster &cluster = *domain.cluster;
    const HostCosts &host = cluster.host;
    m_phiSeconds = cluster.latencySeconds + cluster.messageSeconds + host.sendSeconds + host.receiveSeconds;
    m_deltaSeconds = host.variableSeconds;

    std::vector<double> replicas(cluster.nodes.size(), 0);
    for (const std::int32_t node : cluster.replicaNodes())
        ++replicas[static_cast<std::size_t>(node)];
    m_ringDevices = cluster.replicaCount();

    // The ring visits nodes in order, so between nodes it runs at the slower NIC of each neighbouring pair.
    double slowest = std::numeric_limits<double>::infinity(), inside = slowest, between = slowest;
    std::size_t machines = 0;
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
        if (replicas[n] == 0)
            continue;
        ++machines;
        slowest = std::min(slowest, cluster.nodes[n].computeScale);
        between = std::min(between, cluster.nodes[n].streamsBytesPerSecond(domain.connections));
        if (replicas[n] > 1) // a single replica's link of the ring leaves the node
            inside = cluster.intraNodeBandwidthBytesPerSecond;
    }
    between = std::min(between, cluster.ringConnectionLimit() * domain.connections) * cluster.linkEfficiency;
    m_ringBytesPerSecond = (machines > 1 ? std::min(between, inside) : inside) * cluster.collectiveEfficiency;
    m_computeSeconds = (domain.job->forwardSeconds() + domain.job->backwardSeconds() + domain.job->updateSeconds) / slowest;

    for (const std::string &device : cluster.reductionDevices()) {
        Server server;
        server.node = cluster.nodeOf(device);
        const auto j = static_cast<std::size_t>(server.node);
        NicSums machineSums(cluster.nodes[j], domain.connections, cluster.linkEfficiency), replicaSums = machineSums;
        std::size_t worker = 0; // counts nodes that train
        for (std::size_t k = 0; k < cluster.nodes.size(); ++k) {
            if (replicas[k] == 0)
                continue;
            if (k != j) {
                machineSums.add(worker, cluster.nodes[k], 1);
                replicaSums.add(worker, cluster.nodes[k], replicas[k]);
                server.machines += 1;
                server.replicas += replicas[k];
            }
            ++worker;
        }
        server.secondsPerByte = machineSums.busiest();
        server.replicaSecondsPerByte = replicaSums.busiest();
        m_serverOf.emplace(device, static_cast<std::int32_t>(m_servers.size()));
        m_servers.push_back(server);
    }
}

Result<void> CostModel::check(const Strategy &strategy) const {
    if (strategy.nodes.size() == job().variables.size())
        return {};
    return fail(fmt::format("the strategy has {} variables, the job {}", strategy.nodes.size(), job().variables.size()),
                "build the strategy for this job");
}

Result<std::int32_t> CostModel::serverOf(const std::string &device) const {
    const auto found = m_serverOf.find(device);
    if (found == m_serverOf.end())
        return fail(fmt::format("the strategy's device '{}' is not a reduction device of the cluster", device),
                    "build the strategy for this cluster");
    return found->second;
}

Result<Shard> CostModel::shardOf(const Variable &variable, const Synchronizer &synchronizer, double share,
                                 double rowsTouched) const {
    Shard shard;
    shard.synchronizer = &synchronizer;
    shard.sparse = variable.sparse;
    shard.valueBytes = static_cast<double>(variable.sizeBytes()) * share;
    shard.pullBytes = variable.gradientBytes() * share;
    shard.pushBytes = shard.pullBytes * wireRatio(job(), variable, synchronizer);
    if (variable.sparse)
        shard.pushBytes += rowsTouched * indexBytes;
    if (synchronizer.kind == SynchronizerKind::ParameterServer) {
        shard.server = TRY(serverOf(synchronizer.reductionDestination));
        shard.proxy = !variable.sparse && (m_domain.pullsOncePerNode || (synchronizer.localReplication && synchronizer.sync));
        if (!synchronizer.transferDestination.empty() && synchronizer.transferDestination != synchronizer.reductionDestination)
            shard.station = TRY(serverOf(synchronizer.transferDestination));
    }
    return shard;
}

CostTerms CostModel::served(const Shard &shard) const {
    const Server &at = m_servers[static_cast<std::size_t>(shard.station >= 0 ? shard.station : shard.server)];
    // Replicas on a machine sum dense gradients before a single push; rows of sparse gradients are all sent.
    CostTerms terms{shard.pushBytes * (shard.sparse ? at.replicaSecondsPerByte : at.secondsPerByte),
                    shard.sparse ? at.replicas : at.machines, 1};
    terms += {shard.pullBytes * (shard.proxy ? at.secondsPerByte : at.replicaSecondsPerByte),
              shard.proxy ? at.machines : at.replicas, 1};
    return terms;
}

CostTerms CostModel::behindStation(const Shard &shard) const {
    const auto j = static_cast<std::size_t>(m_servers[static_cast<std::size_t>(shard.server)].node);
    const auto station = static_cast<std::size_t>(m_servers[static_cast<std::size_t>(shard.station)].node);
    if (station == j)
        return {0, 0, 2};
    const std::vector<Node> &nodes = m_domain.cluster->nodes;
    const double rate = std::min(nodes[j].streamsBytesPerSecond(m_domain.connections),
                                 nodes[station].streamsBytesPerSecond(m_domain.connections));
    return {(shard.pushBytes + shard.pullBytes) / (rate * m_domain.cluster->linkEfficiency), 2, 2};
}

CostTerms CostModel::reduced(Reduction reduction, double bytes) const {
    if (reduction == Reduction::AllReduce)
        return collective(CollectiveKind::AllReduce, bytes);
    const bool scatters = reduction == Reduction::ScatterGather;
    CostTerms terms = collective(scatters ? CollectiveKind::ReduceScatter : CollectiveKind::Reduce, bytes);
    return terms += scatters ? collective(CollectiveKind::AllGather, bytes / m_ringDevices) // bytes that one device contributes
                             : collective(CollectiveKind::Broadcast, bytes);
}

CostTerms CostModel::collective(CollectiveKind kind, double bytes) const {
    const double w = m_ringDevices;
    if (w < 2)
        return {};
    double share = 1; // for broadcast, reduce, permute
    if (kind == CollectiveKind::AllReduce)
        share = 2 * (w - 1) / w;
    else if (kind == CollectiveKind::ReduceScatter || kind == CollectiveKind::AllToAll)
        share = (w - 1) / w;
    else if (kind == CollectiveKind::AllGather)
        share = w - 1; // (w-1)/w of the contributions of all devices together
    return {share * bytes / m_ringBytesPerSecond, w, 1};
}

} // namespace syncopate
