// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/space/recipe.h"

#include "engine/strategy/builders.h"

#include <utility>

namespace syncopate {

Cluster withKnobs(Cluster cluster, const ClusterKnobs &knobs) {
    const Cluster before = cluster.collectives.empty() ? Cluster{} : cluster;
    if (knobs.workers)
        cluster = withWorkers(cluster, *knobs.workers);
    if (knobs.servers)
        cluster = withDedicatedServers(cluster, *knobs.servers);
    if (knobs.bandwidthGbits)
        cluster = withBandwidth(cluster, *knobs.bandwidthGbits);
    if (knobs.latencySeconds)
        cluster.latencySeconds = *knobs.latencySeconds;
    return withoutStaleCurves(std::move(cluster), before);
}

Result<std::shared_ptr<const Strategy>> makeStrategy(const StrategyRecipe &recipe, const Job &job, const Cluster &cluster) {
    if (const auto *built = std::get_if<BuiltStrategy>(&recipe)) {
        auto strategy = TRY(buildStrategy(built->expression, job, cluster));
        return std::make_shared<const Strategy>(std::move(strategy));
    }
    const auto &fixed = std::get<FixedStrategy>(recipe);
    if (!fixed.onAllReplicas)
        return fixed.strategy;
    Strategy strategy = *fixed.strategy;
    strategy.replicas = cluster.replicaDevices();
    return std::make_shared<const Strategy>(std::move(strategy));
}

Scenario withoutStrategy(const ScenarioRecipe &recipe) {
    Scenario scenario;
    scenario.job = recipe.job;
    scenario.cluster = std::make_shared<const Cluster>(withKnobs(*recipe.cluster, recipe.knobs));
    scenario.policy = recipe.policy;
    scenario.iterations = recipe.iterations;
    scenario.fold = recipe.fold;
    scenario.collectiveCurves = recipe.collectiveCurves;
    scenario.background = recipe.background;
    scenario.linkModel = recipe.linkModel;
    return scenario;
}

Result<Scenario> makeScenario(const ScenarioRecipe &recipe) {
    Scenario scenario = withoutStrategy(recipe);
    scenario.strategy = TRY(makeStrategy(recipe.strategy, *recipe.job, *scenario.cluster));
    return scenario;
}

} // namespace syncopate
