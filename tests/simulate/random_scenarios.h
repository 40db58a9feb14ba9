// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Random scenarios of every kind that the simulator knows, small enough to be played thousands of times. A seed gives one.

#include "engine/base/rng.h"
#include "engine/strategy/variable_parts.h"
#include "tests/scenarios.h"
#include "tests/simulate/policies.h"

#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace syncopate::testing {

constexpr int randomScenarios = 10000;

inline int pick(Rng &rng, int count) { return std::min(count - 1, static_cast<int>(rng.uniform(0, count))); }
inline bool chance(Rng &rng, double p) { return rng.uniform(0, 1) < p; }

struct Drawn {
    Scenario scenario;
    bool equalNodes = true; ///< same NIC, same devices
    bool oneDevice = true;  ///< per node
    bool onlyAllReduce = true;
    bool chain = true;
};

inline Job drawJob(Rng &rng, bool &chain) {
    std::vector<LayerSpec> layers;
    const int count = 1 + pick(rng, 6);
    for (int l = 0; l < count; ++l)
        layers.push_back({chance(rng, 0.1) ? 0 : rng.uniform(1e-4, 5e-3), chance(rng, 0.1) ? 0 : rng.uniform(1e-4, 5e-3),
                          chance(rng, 0.2) ? 0 : static_cast<std::int64_t>(std::pow(10, rng.uniform(0, 6.5)))});
    layers.push_back({1e-3, 1e-3, 1000});
    Job job = chainJob(layers);
    for (std::size_t l = 2; l < job.layers.size(); ++l)
        if (chance(rng, 0.15)) { // also reads an earlier layer
            job.layers[l].parents.push_back(pick(rng, static_cast<int>(l) - 1));
            chain = false;
        }
    if (chance(rng, 0.3))
        job.updateSeconds = rng.uniform(0, 2e-3);
    return job;
}

inline void drawHost(Rng &rng, HostCosts &host) {
    for (double HostCosts::*perMessage :
         {&HostCosts::sendSeconds, &HostCosts::receiveSeconds, &HostCosts::variableSeconds, &HostCosts::collectiveSeconds})
        if (chance(rng, 0.4))
            host.*perMessage = rng.uniform(0, 2e-4);
    for (double HostCosts::*perByte : {&HostCosts::sendSecondsPerByte, &HostCosts::receiveSecondsPerByte,
                                       &HostCosts::aggregateSecondsPerByte, &HostCosts::updateSecondsPerByte})
        if (chance(rng, 0.4))
            host.*perByte = rng.uniform(0, 1e-9);
    if (chance(rng, 0.3))
        host.threads = 1 + pick(rng, 3);
}

/// Cuts a variable into two to four parts along one of `axes`, uneven where its rows are. Parts of a served variable are on
/// `servers`, those of an all-reduced one in groups of their own or all in its group.
inline void drawParts(Rng &rng, const Variable &variable, const std::vector<std::size_t> &axes,
                      const std::vector<std::string> &servers, NodeConfig &node, std::int32_t &groups) {
    const std::size_t axis = axes[static_cast<std::size_t>(pick(rng, static_cast<int>(axes.size())))];
    const auto count = static_cast<std::int32_t>(std::min<std::int64_t>(2 + pick(rng, 3), variable.shape[axis]));
    node.partitions.assign(variable.shape.size(), 1);
    node.partitions[axis] = count;
    const bool apart = chance(rng, 0.5);
    for (std::int32_t p = 0; p < count; ++p) {
        Synchronizer synchronizer = node.synchronizer;
        if (apart && synchronizer.kind == SynchronizerKind::ParameterServer)
            synchronizer.reductionDestination = servers[static_cast<std::size_t>(pick(rng, static_cast<int>(servers.size())))];
        else if (apart)
            synchronizer.group = groups++;
        node.parts.push_back({partName(variable.name, p), synchronizer});
    }
}

/// In three of ten scenarios, makes gradients sparse, with some or all of their rows, and cuts variables into parts. It has a
/// generator of its own, so that the rest of a seed's scenario stays.
inline void drawSparseAndCut(std::uint64_t seed, const std::vector<std::string> &servers, Job &job, Strategy &strategy) {
    Rng rng(seed + 3'000'003);
    if (!chance(rng, 0.3))
        return;
    auto groups = static_cast<std::int32_t>(strategy.nodes.size());
    for (std::size_t v = 0; v < job.variables.size(); ++v) {
        Variable &variable = job.variables[v];
        if (chance(rng, 0.5)) { // a matrix of about as many elements
            const std::int64_t width = std::min<std::int64_t>(std::int64_t{1} << (1 + pick(rng, 7)), variable.shape.front());
            variable.shape = {variable.shape.front() / width, width};
        }
        if (chance(rng, 0.3)) {
            const auto rows = static_cast<double>(variable.shape.front());
            variable.sparse = true;
            if (chance(rng, 0.2))
                variable.rowsTouched = rows;
            else if (chance(rng, 0.8)) // else 0: unknown
                variable.rowsTouched = std::max(1.0, std::floor(rows * std::pow(10, rng.uniform(-3, 0))));
        }
        if (const std::vector<std::size_t> axes = axesToCut(variable); !axes.empty() && chance(rng, 0.3))
            drawParts(rng, variable, axes, servers, strategy.nodes[v], groups);
    }
}

inline Drawn draw(std::uint64_t seed) {
    Rng rng(seed);
    Drawn drawn;
    Job job = drawJob(rng, drawn.chain);
    const int workers = 1 + pick(rng, 6);
    const bool dedicated = chance(rng, 0.5);
    Cluster cluster = dedicated ? servedCluster(workers, rng.uniform(1e8, 3e9)) : plainCluster(workers, rng.uniform(1e8, 3e9));
    if (chance(rng, 0.6))
        cluster.latencySeconds = rng.uniform(0, 2e-4);
    if (chance(rng, 0.3))
        cluster.messageSeconds = rng.uniform(0, 1e-4);
    if (chance(rng, 0.2)) {
        drawn.equalNodes = false;
        for (Node &node : cluster.nodes)
            if (chance(rng, 0.5))
                node.bandwidthBytesPerSecond *= 0.5;
    }
    if (chance(rng, 0.3))
        cluster.connectionBytesPerSecond = rng.uniform(0.1, 1.2) * cluster.nodes.front().bandwidthBytesPerSecond;
    if (chance(rng, 0.3))
        drawHost(rng, cluster.host);
    if (chance(rng, 0.2))
        cluster.channels = 1 + pick(rng, 3);
    if (chance(rng, 0.3)) {
        drawn.oneDevice = false;
        cluster.intraNodeBandwidthBytesPerSecond = rng.uniform(1e9, 2e10);
        const int devices = 2 + pick(rng, 3);
        for (Node &node : cluster.nodes)
            for (int d = 1; d < devices; ++d)
                node.gpus.push_back(d);
        if (chance(rng, 0.3)) {
            cluster.nodes.front().gpus.pop_back();
            drawn.equalNodes = false;
        }
    }
    Strategy strategy = allReduceEach(job);
    const int kind = pick(rng, 3); // all-reduce, servers, both
    drawn.onlyAllReduce = kind == 0;
    for (NodeConfig &node : strategy.nodes)
        if (kind == 1 || (kind == 2 && chance(rng, 0.5))) {
            node.synchronizer.kind = SynchronizerKind::ParameterServer;
            const int server = dedicated && chance(rng, 0.7) ? workers : pick(rng, workers);
            node.synchronizer.reductionDestination = fmt::format("n{}:CPU:0", server);
            node.synchronizer.localReplication = chance(rng, 0.3);
        }
    const char *name = std::array{"fifo", "ddp", "bytescheduler"}[static_cast<std::size_t>(pick(rng, 3))];
    const bool barrier = chance(rng, 0.5);
    CommPolicy policy = policyOf(name, {{"concurrent", 1 + pick(rng, 3)},
                                        {"bucket_cap", rng.uniform(1e4, 1e7)},
                                        {"first_bucket", rng.uniform(1e3, 1e6)},
                                        {"partition", rng.uniform(2e5, 4e6)},
                                        {"credit", rng.uniform(1e5, 8e6)}});
    policy.barrier = barrier;
    if (chance(rng, 0.2))
        policy.connections = 1 + pick(rng, 3);
    policy.form = chance(rng, 0.6) ? CollectiveForm::Flows : CollectiveForm::Analytic;
    policy.algorithm = static_cast<CollectiveAlgorithm>(pick(rng, 6));
    if (chance(rng, 0.2)) {
        policy.connections = 1 + pick(rng, 4);
        const int nics = 2 + pick(rng, 2);
        const bool alike = chance(rng, 0.7);
        drawn.equalNodes = drawn.equalNodes && alike;
        for (Node &node : cluster.nodes)
            node.nics = alike ? nics : 1 + pick(rng, nics);
    }
    if (chance(rng, 0.2)) {
        drawn.equalNodes = false;
        cluster.acrossRacksBytesPerSecond = rng.uniform(0.1, 1.2) * cluster.nodes.front().bandwidthBytesPerSecond;
        for (Node &node : cluster.nodes)
            node.rack = chance(rng, 0.5) ? "a" : "b";
    }
    std::vector<std::string> servers;
    for (const Node &node : cluster.nodes)
        servers.push_back(node.address + ":CPU:0");
    drawSparseAndCut(seed, servers, job, strategy);
    drawn.scenario = scenario(job, cluster, strategy, policy);
    drawn.scenario.iterations = 3;
    return drawn;
}

/// In three of ten: host lanes, the sharing of connections, and channels that run several collectives at once. It has a generator
/// of its own, so that the rest of a seed's scenario stays.
inline void drawSharing(std::uint64_t seed, Cluster &cluster, CommPolicy &policy) {
    Rng rng(seed + 4'000'003);
    if (!chance(rng, 0.3))
        return;
    if (chance(rng, 0.5))
        cluster.hostLanes = {{"pcie", rng.uniform(5e8, 2e10), false, chance(rng, 0.7)}};
    if (chance(rng, 0.3))
        cluster.hostLanes.push_back({"memory", rng.uniform(2e9, 5e10), true, chance(rng, 0.5)});
    if (chance(rng, 0.6))
        policy.sharing = static_cast<ConnectionSharing>(pick(rng, 3));
    for (Channel &channel : cluster.namedChannels)
        channel.concurrent = 1 + pick(rng, 3);
    if (!cluster.namedChannels.empty())
        cluster.channels = 1 + pick(rng, 5);
}

/// draw(), half of the time with effects under which the simple invariants of conservation and of equal forms do not hold: other
/// systems, token buckets, named channels, devices that communication slows down, limits inside nodes, lanes to hosts.
inline Drawn drawWithEffects(std::uint64_t seed) {
    Drawn drawn = draw(seed);
    Rng rng(seed + 1'000'003);
    if (chance(rng, 0.5))
        return drawn;
    Cluster cluster = *drawn.scenario.cluster;
    if (chance(rng, 0.3))
        cluster.burstBytes = rng.uniform(1e4, 1e7);
    if (chance(rng, 0.3))
        cluster.inNodeConnectionBytesPerSecond = rng.uniform(5e8, 5e9);
    if (chance(rng, 0.3))
        cluster.host.collectiveMessageSeconds = rng.uniform(0, 2e-4);
    if (chance(rng, 0.3))
        for (Node &node : cluster.nodes)
            node.communicationSlowdown = 1.3;
    if (chance(rng, 0.3)) {
        cluster.namedChannels = {{"nvlink", {"nvlink", "rdma"}, 5e9, 1e-5, 0}, {"tcp", {"pcie", "nic"}, 1e9, 5e-5, 0.3}};
        if (chance(rng, 0.3))
            cluster.namedChannels[1].links.front() = "nvlink"; // the two share a link
    }
    if (chance(rng, 0.2)) {
        drawn.equalNodes = false;
        cluster.nodes.front().computeScale = rng.uniform(0.3, 1);
    }
    if (chance(rng, 0.6)) {
        const CommPolicy given = drawn.scenario.policy;
        const Policy &system = *policies()[static_cast<std::size_t>(pick(rng, static_cast<int>(policies().size())))];
        CommPolicy policy = smallParts(system.name);
        policy.barrier = given.barrier;
        policy.connections = given.connections;
        policy.form = given.form;
        policy.algorithm = given.algorithm;
        drawn.scenario.policy = policy;
    }
    drawSharing(seed, cluster, drawn.scenario.policy);
    drawn.scenario.cluster = std::make_shared<const Cluster>(std::move(cluster));
    return drawn;
}

/// Workers of several speeds and servers on nodes of their own, which all work asynchronously or within a bound of steps.
inline Scenario drawDrifting(std::uint64_t seed) {
    Rng rng(seed + 2'000'003);
    bool chain = true;
    const Job job = drawJob(rng, chain);
    const int workers = 2 + pick(rng, 4);
    Cluster cluster = servedCluster(workers, rng.uniform(1e8, 2e9));
    for (Node &node : cluster.nodes) {
        node.computeScale = rng.uniform(0.4, 1);
        node.bandwidthBytesPerSecond *= rng.uniform(0.3, 1);
    }
    if (chance(rng, 0.5))
        cluster.latencySeconds = rng.uniform(0, 2e-4);
    Strategy strategy = parameterServers(job, {fmt::format("n{}:CPU:0", workers)});
    const bool free = chance(rng, 0.5);
    const int steps = 1 + pick(rng, 4);
    for (NodeConfig &node : strategy.nodes) {
        node.synchronizer.sync = !free;
        node.synchronizer.staleness = free ? 0 : steps;
    }
    return scenario(job, std::move(cluster), std::move(strategy), policyOf("fifo"));
}

/// How many of randomScenarios are wrong: `check` names the fault of `make(seed)`, "" = none. Warns of the first five.
/// SYNCOPATE_SEED=n plays that one alone.
template <class Make, class Check> int wrongScenarios(const Make &make, const Check &check) {
    const QByteArray only = qgetenv("SYNCOPATE_SEED");
    const int first = only.isEmpty() ? 0 : only.toInt();
    int wrong = 0;
    for (int i = first; i < (only.isEmpty() ? randomScenarios : first + 1); ++i) {
        const Drawn drawn = make(static_cast<std::uint64_t>(i));
        const std::string what = check(drawn);
        if (!what.empty() && ++wrong <= 5)
            qWarning("seed %d (%s): %s", i, formatPolicy(drawn.scenario.policy).c_str(), what.c_str());
    }
    return wrong;
}

} // namespace syncopate::testing
