// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Small scenarios for tests: jobs and strategies in one line each.

#include "engine/simulate/run.h"
#include "engine/strategy/policy.h"

#include <QtGlobal>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace syncopate::testing {

struct LayerSpec {
    double forwardSeconds, backwardSeconds;
    std::int64_t elements; ///< of its one float32 variable; 0 = no variable
};

inline Job chainJob(const std::vector<LayerSpec> &layers) {
    Job job;
    job.name = "chain";
    for (std::size_t l = 0; l < layers.size(); ++l) {
        Layer layer;
        layer.name = "layer" + std::to_string(l);
        layer.forwardSeconds = layers[l].forwardSeconds;
        layer.backwardSeconds = layers[l].backwardSeconds;
        if (l > 0)
            layer.parents = {static_cast<std::int32_t>(l) - 1};
        if (layers[l].elements > 0) {
            layer.variables = {static_cast<std::int32_t>(job.variables.size())};
            Variable variable;
            variable.name = layer.name + "/kernel:0";
            variable.shape = {layers[l].elements};
            job.variables.push_back(variable);
        }
        job.layers.push_back(layer);
    }
    return job;
}

/// Every variable in an all-reduce group of its own.
inline Strategy allReduceEach(const Job &job) {
    Strategy strategy;
    for (const Variable &variable : job.variables) {
        NodeConfig node;
        node.variableName = variable.name;
        node.synchronizer.group = static_cast<std::int32_t>(strategy.nodes.size());
        strategy.nodes.push_back(node);
    }
    return strategy;
}

/// Variable i on destinations[i mod n].
inline Strategy parameterServers(const Job &job, const std::vector<std::string> &destinations) {
    Strategy strategy;
    for (const Variable &variable : job.variables) {
        NodeConfig node;
        node.variableName = variable.name;
        node.synchronizer.kind = SynchronizerKind::ParameterServer;
        node.synchronizer.reductionDestination = destinations[strategy.nodes.size() % destinations.size()];
        strategy.nodes.push_back(node);
    }
    return strategy;
}

/// One-device nodes "n0".., each with a NIC of `bytesPerSecond`.
inline Cluster plainCluster(int nodes, double bytesPerSecond) {
    Cluster cluster;
    cluster.name = "plain";
    for (int n = 0; n < nodes; ++n) {
        Node node;
        node.address = "n" + std::to_string(n);
        node.gpus = {0};
        node.bandwidthBytesPerSecond = bytesPerSecond;
        cluster.nodes.push_back(node);
    }
    return cluster;
}

/// plainCluster() plus one node, the last, that only serves.
inline Cluster servedCluster(int workers, double bytesPerSecond) {
    Cluster cluster = plainCluster(workers + 1, bytesPerSecond);
    cluster.serverOnly = {workers};
    return cluster;
}

inline Scenario scenario(Job job, Cluster cluster, Strategy strategy, CommPolicy policy = {}) {
    Scenario s;
    s.job = std::make_shared<const Job>(std::move(job));
    s.cluster = std::make_shared<const Cluster>(std::move(cluster));
    s.strategy = std::make_shared<const Strategy>(std::move(strategy));
    s.policy = policy;
    s.iterations = 6;
    return s;
}

/// A system's default policy with `values`, ignoring values that the policy has no parameter for.
inline CommPolicy policyOf(std::string_view name, const std::vector<std::pair<std::string_view, double>> &values = {}) {
    CommPolicy policy(*findPolicy(name));
    for (const auto &[key, value] : values)
        if (policy.has(key))
            policy.set(key, value);
    return policy;
}

/// The run of a scenario; null, with the error printed as a warning, if it fails.
inline std::shared_ptr<const Run> runOf(const Scenario &s) {
    auto run = simulate(s);
    if (!run)
        qWarning("%s", run.error().toString().c_str());
    return run ? *std::move(run) : nullptr;
}

/// Whether both are equal apart from their ids.
inline bool sameStrategy(const Strategy &a, const Strategy &b) { return a.nodes == b.nodes && a.replicas == b.replicas; }

} // namespace syncopate::testing
