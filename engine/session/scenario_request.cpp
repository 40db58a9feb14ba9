// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/scenario_request.h"

#include "engine/strategy/comm_policy.h"

#include <utility>

namespace syncopate {

Cluster withKnobs(Cluster cluster, const ClusterKnobs &knobs) {
    if (knobs.workers)
        cluster = withWorkers(cluster, *knobs.workers);
    if (knobs.servers)
        cluster = withDedicatedServers(cluster, *knobs.servers);
    if (knobs.bandwidthGbits)
        cluster = withBandwidth(cluster, *knobs.bandwidthGbits);
    if (knobs.latencySeconds)
        cluster.latencySeconds = *knobs.latencySeconds;
    return cluster;
}

Result<Scenario> makeScenario(const ScenarioRequest &request) {
    if (!request.job || !request.cluster)
        return fail("nothing is loaded", "open a profile, a job file or a catalogue job");
    Scenario scenario;
    scenario.job = request.job;
    scenario.cluster = std::make_shared<const Cluster>(withKnobs(*request.cluster, request.knobs));
    scenario.policy = TRY(parsePolicy(request.policy));
    if (request.seed && scenario.policy.has("seed") && request.policy.find("seed") == std::string::npos)
        scenario.policy.set("seed", *request.seed);
    auto strategy = TRY(makeStrategy(request.source, *scenario.job, *scenario.cluster));
    scenario.strategy = std::make_shared<const Strategy>(std::move(strategy));
    scenario.iterations = request.iterations;
    scenario.fold = request.fold;
    scenario.collectiveCurves = request.collectiveCurves;
    scenario.background = request.background;
    return scenario;
}

} // namespace syncopate
