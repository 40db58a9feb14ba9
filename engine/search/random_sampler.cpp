// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/random_sampler.h"

#include "engine/base/units.h"
#include "engine/search/candidate.h"
#include "engine/search/constraints.h"
#include "engine/strategy/variable_parts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace syncopate {

namespace {

/// A shard to be placed: servers and groups are chosen once all shards are known.
struct Shard {
    Synchronizer *synchronizer;
    double bytes;
};

/// Variables in the order of the layers, from input to loss.
std::vector<std::size_t> layerOrder(const Job &job) {
    std::vector<std::size_t> order;
    order.reserve(job.variables.size());
    for (const Layer &layer : job.layers)
        for (const std::int32_t v : layer.variables)
            order.push_back(static_cast<std::size_t>(v));
    return order;
}

class Sampler {
public:
    Sampler(const Job &job, const Cluster &cluster, const SamplerSettings &settings, Rng &rng)
        : m_job(job), m_cluster(cluster), m_settings(settings), m_rng(rng), m_servers(cluster.reductionDevices()) {
        // The released sampler's rule: proxies are used only where nodes have more GPUs than CPUs.
        std::size_t gpus = 0, cpus = 0;
        for (const Node &node : cluster.nodes) {
            gpus += node.gpus.size();
            cpus += node.cpus.size();
        }
        m_proxies = gpus > cpus;
    }

    Strategy run() {
        Strategy strategy;
        strategy.replicas = m_cluster.replicaDevices();
        strategy.nodes.reserve(m_job.variables.size());
        if (m_settings.drawShares) {
            m_splitShare = m_rng.uniform(0, 1);
            m_serveShare = m_rng.uniform(0, 1);
        }
        for (const Variable &variable : m_job.variables)
            strategy.nodes.push_back(drawNode(variable));
        std::vector<Shard> served, reduced;
        for (const std::size_t v : layerOrder(m_job))
            forEachShard(strategy.nodes[v], m_job.variables[v], [&](Synchronizer &synchronizer, double bytes) {
                (synchronizer.kind == SynchronizerKind::ParameterServer ? served : reduced).push_back({&synchronizer, bytes});
            });
        place(served);
        group(reduced);
        return strategy;
    }

private:
    bool coin(double probability) { return m_rng.uniform(0, 1) < probability; }
    std::int64_t between(std::int64_t min, std::int64_t max) {
        return min + static_cast<std::int64_t>(uniformIndex(m_rng, static_cast<std::size_t>(max - min + 1)));
    }

    NodeConfig drawNode(const Variable &variable) {
        NodeConfig node;
        node.variableName = variable.name;
        const std::vector<std::size_t> axes = variable.controlFlow ? std::vector<std::size_t>() : axesToCut(variable);
        const auto bytes = static_cast<double>(variable.sizeBytes());
        const bool split =
            !axes.empty() && bytes > m_settings.wholeUpToBytes && (bytes >= m_settings.splitFromBytes || coin(m_splitShare));
        const Synchronizer synchronizer = drawSynchronizer(variable, split);
        if (!split) {
            node.synchronizer = synchronizer;
            return node;
        }
        const std::size_t axis = axes[uniformIndex(m_rng, axes.size())];
        const std::int64_t max = std::min<std::int64_t>(variable.shape[axis], m_settings.maxParts);
        const std::int64_t parts = between(std::min<std::int64_t>(m_settings.minParts, max), max);
        node.partitions.assign(variable.shape.size(), 1);
        node.partitions[axis] = static_cast<std::int32_t>(parts);
        node.parts.reserve(static_cast<std::size_t>(parts));
        for (std::int64_t p = 0; p < parts; ++p)
            node.parts.push_back({partName(variable.name, p), synchronizer});
        return node;
    }

    Synchronizer drawSynchronizer(const Variable &variable, bool split) {
        Synchronizer synchronizer;
        const bool serves = variable.sparse || !m_settings.allReduce || (m_settings.parameterServers && coin(m_serveShare));
        synchronizer.kind = serves ? SynchronizerKind::ParameterServer : SynchronizerKind::AllReduce;
        if (serves)
            synchronizer.localReplication = m_proxies && !variable.sparse && !split && coin(0.5);
        else
            synchronizer.spec = AllReduceSpec::Nccl;
        return synchronizer;
    }

    void place(const std::vector<Shard> &shards) {
        if (shards.empty())
            return;
        std::vector<std::size_t> serverOf;
        if (m_settings.balanceLoads) {
            std::vector<double> bandwidth;
            for (const std::string &server : m_servers)
                bandwidth.push_back(m_cluster.nodes[static_cast<std::size_t>(m_cluster.nodeOf(server))].bandwidthBytesPerSecond);
            serverOf = syncopate::balanceLoads(bytesOf(shards), bandwidth, m_settings.loadTemperatureBytes, m_rng);
        } else {
            for (std::size_t s = 0; s < shards.size(); ++s)
                serverOf.push_back(uniformIndex(m_rng, m_servers.size()));
        }
        for (std::size_t s = 0; s < shards.size(); ++s)
            shards[s].synchronizer->reductionDestination = m_servers[serverOf[s]];
    }

    void group(const std::vector<Shard> &shards) {
        if (shards.empty())
            return;
        const auto count =
            static_cast<std::int32_t>(std::min<std::size_t>(shards.size(), static_cast<std::size_t>(m_settings.maxGroups)));
        const auto groups = static_cast<std::int32_t>(between(std::min(m_settings.minGroups, count), count));
        std::vector<std::int32_t> groupOf;
        if (m_settings.mergeAdjacent)
            groupOf = syncopate::mergeAdjacent(bytesOf(shards), groups);
        else
            for (std::size_t s = 0; s < shards.size(); ++s)
                groupOf.push_back(static_cast<std::int32_t>(uniformIndex(m_rng, static_cast<std::size_t>(groups))));
        for (std::size_t s = 0; s < shards.size(); ++s)
            shards[s].synchronizer->group = groupOf[s];
    }

    static std::vector<double> bytesOf(const std::vector<Shard> &shards) {
        std::vector<double> bytes;
        bytes.reserve(shards.size());
        for (const Shard &shard : shards)
            bytes.push_back(shard.bytes);
        return bytes;
    }

    const Job &m_job;
    const Cluster &m_cluster;
    const SamplerSettings &m_settings;
    Rng &m_rng;
    std::vector<std::string> m_servers;
    bool m_proxies = false;
    double m_splitShare = 0.5, m_serveShare = 0.5;
};

} // namespace

std::string describe(const SamplerSettings &settings) {
    std::string balance = "any server";
    if (settings.balanceLoads)
        balance = settings.loadTemperatureBytes == 1
                      ? "c_lb"
                      : fmt::format("c_lb with a slack of {}", formatBytes(settings.loadTemperatureBytes));
    return fmt::format("{}; partitioned above {} into {} to {} parts; {}; {} to {} groups, {}",
                       !settings.allReduce          ? "parameter servers alone"
                       : !settings.parameterServers ? "all-reduce alone"
                                                    : "parameter servers and all-reduce",
                       formatBytes(settings.wholeUpToBytes), settings.minParts, settings.maxParts, balance, settings.minGroups,
                       settings.maxGroups, settings.mergeAdjacent ? "c_am" : "at random");
}

Result<void> validateSampler(const SamplerSettings &settings) {
    if (!(settings.wholeUpToBytes >= 0) || !(settings.splitFromBytes >= settings.wholeUpToBytes))
        return fail(fmt::format("variables are to stay whole up to {:.0f} bytes and to be split from {:.0f} on",
                                settings.wholeUpToBytes, settings.splitFromBytes),
                    "give two sizes of 0 or more, the first not above the second");
    if (settings.minParts < 2 || settings.maxParts < settings.minParts || settings.maxParts > SamplerSettings::limitOfParts)
        return fail(fmt::format("{} to {} parts", settings.minParts, settings.maxParts),
                    fmt::format("give two numbers in order, from 2 to {}", SamplerSettings::limitOfParts));
    if (settings.minGroups < 1 || settings.maxGroups < settings.minGroups)
        return fail(fmt::format("{} to {} groups", settings.minGroups, settings.maxGroups),
                    "give two numbers in order, from 1 on");
    if (!(settings.loadTemperatureBytes > 0))
        return fail(fmt::format("a slack of {} bytes between servers", settings.loadTemperatureBytes),
                    "give a size above 0; 1 byte is the paper's");
    if (!settings.parameterServers && !settings.allReduce)
        return fail("neither parameter servers nor all-reduce may be used", "allow one of them");
    return {};
}

Strategy sampleStrategy(const Job &job, const Cluster &cluster, const SamplerSettings &settings, Rng &rng) {
    return Sampler(job, cluster, settings, rng).run();
}

} // namespace syncopate
