// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/rewrite/scenario.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace syncopate {

// A Scenario holds a finished cluster and a finished strategy, which cannot be varied any more: the nodes that fewer workers
// dropped are gone, and a builder's strategy for 8 servers is not the one for 4 with servers added. A ScenarioRecipe keeps the
// inputs of both, so that a dimension of the space (dimension.h) changes one value of it and makeScenario() makes the scenario
// anew.

/// Settings of a cluster that replace its own; unset = as the cluster has it.
struct ClusterKnobs {
    std::optional<double> bandwidthGbits; ///< of every node's network card, each direction
    std::optional<double> latencySeconds; ///< per message between nodes, one way
    std::optional<std::int32_t> workers;  ///< model replicas in all
    std::optional<std::int32_t> servers;  ///< dedicated parameter servers
    bool operator==(const ClusterKnobs &) const = default;
    [[nodiscard]] bool areTurned() const { return *this != ClusterKnobs(); }
};

/// Applies the knobs to `cluster`: workers first, then servers, which get the bandwidth of the first node.
[[nodiscard]] Cluster withKnobs(Cluster cluster, const ClusterKnobs &knobs);

/// A builder expression, evaluated for the cluster at hand.
struct BuiltStrategy {
    std::string expression; ///< "AllReduce(chunk_size=128)"
};

/// A strategy that no knob changes.
struct FixedStrategy {
    std::shared_ptr<const Strategy> strategy;
    /// Replaces its replicas by those of the cluster at hand; false keeps the ones that it lists.
    bool onAllReplicas = false;
};

using StrategyRecipe = std::variant<BuiltStrategy, FixedStrategy>;
/// Makes the strategy for that cluster. Errors: those of buildStrategy().
[[nodiscard]] Result<std::shared_ptr<const Strategy>> makeStrategy(const StrategyRecipe &recipe, const Job &job,
                                                                   const Cluster &cluster);

/// Everything from which a Scenario is made.
struct ScenarioRecipe {
    std::shared_ptr<const Job> job;
    std::shared_ptr<const Cluster> cluster; ///< before the knobs
    ClusterKnobs knobs;
    StrategyRecipe strategy;
    CommPolicy policy;
    std::int32_t iterations = 4;
    bool fold = true;
    std::shared_ptr<const std::vector<CollectiveCurve>> collectiveCurves = nullptr;
    std::vector<BackgroundTraffic> background{}; ///< other jobs' shares of the nodes' links
    LinkModel linkModel = LinkModel::Fluid;
};

/// Makes a scenario from a recipe with a job and a cluster; explorer and command line use nothing else. Errors: those of
/// buildStrategy(). Builders look at every variable, so this is not for a GUI thread.
[[nodiscard]] Result<Scenario> makeScenario(const ScenarioRecipe &recipe);
/// The same scenario without its strategy, which cannot fail.
[[nodiscard]] Scenario withoutStrategy(const ScenarioRecipe &recipe);

} // namespace syncopate
