// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/session_state.h"

#include "engine/strategy/builders.h"
#include "engine/strategy/comm_policy.h"
#include "engine/strategy/strategy_file.h"

namespace syncopate {

bool SessionState::sameScenario(const SessionState &other, Side s) const {
    return job == other.job && cluster == other.cluster && bandwidthGbits == other.bandwidthGbits &&
           latencySeconds == other.latencySeconds && workers == other.workers && servers == other.servers &&
           side(s) == other.side(s) && (!side(s).isMeasured() || profile == other.profile);
}

namespace {

Cluster withKnobs(Cluster cluster, const SessionState &state) {
    if (state.workers)
        cluster = withWorkers(cluster, *state.workers);
    if (state.servers)
        cluster = withDedicatedServers(cluster, *state.servers);
    if (state.bandwidthGbits)
        cluster = withBandwidth(cluster, *state.bandwidthGbits);
    if (state.latencySeconds)
        cluster.latencySeconds = *state.latencySeconds;
    return cluster;
}

} // namespace

Cluster effectiveCluster(const SessionState &state, Side side) {
    const auto &own = state.side(side).cluster;
    return withKnobs(own ? *own : *state.cluster, state);
}

namespace {

/// A path rather than a builder expression: no builder's name or argument holds a slash or ends like a file.
bool namesFile(const std::string &strategy) {
    return strategy.find('/') != std::string::npos || strategy.ends_with(".pb") || strategy.ends_with(".json");
}

Result<Strategy> strategyOf(const std::string &text, const Job &job, const Cluster &cluster) {
    if (!namesFile(text))
        return buildStrategy(text, job, cluster);
    const Result<Strategy> read = readStrategyFile(text);
    return read ? matchStrategy(*read, job, text) : read;
}

Unexpected ofSide(Error error, Side side) {
    error.what = (side == Side::A ? "A: " : "B: ") + error.what;
    return Unexpected(std::move(error));
}

} // namespace

Result<Scenario> makeScenario(const SessionState &state, Side side) {
    if (!state.job || !state.cluster)
        return fail("nothing is loaded", "open a profile, a job file or a catalogue job");
    if (state.side(side).isMeasured())
        return ofSide({state.side(side).trace ? "shows generated steps, which have no scenario"
                                              : "shows what was measured, which has no scenario",
                       "choose a builder for it",
                       {},
                       {}},
                      side);
    Scenario scenario;
    scenario.job = state.job;
    scenario.cluster = std::make_shared<const Cluster>(effectiveCluster(state, side));
    auto policy = parsePolicy(state.side(side).policy);
    if (!policy)
        return ofSide(policy.error(), side);
    scenario.policy = *policy;
    if (const auto &edited = state.side(side).edited) {
        // Edits are of variables; which devices train is the cluster's to say.
        Strategy strategy = *edited;
        strategy.replicas = scenario.cluster->replicaDevices();
        scenario.strategy = std::make_shared<const Strategy>(std::move(strategy));
        return scenario;
    }
    auto strategy = strategyOf(state.side(side).strategy, *scenario.job, *scenario.cluster);
    if (!strategy)
        return ofSide(strategy.error(), side);
    scenario.strategy = std::make_shared<const Strategy>(*std::move(strategy));
    return scenario;
}

SessionState withKnobsInClusters(SessionState state) {
    if (!state.bandwidthGbits && !state.latencySeconds && !state.workers && !state.servers)
        return state;
    const SessionState turned = state;
    for (std::shared_ptr<const Cluster> *cluster : {&state.cluster, &state.sides[0].cluster, &state.sides[1].cluster})
        if (*cluster)
            *cluster = std::make_shared<const Cluster>(withKnobs(**cluster, turned));
    state.clusterEdited = true;
    state.bandwidthGbits.reset();
    state.latencySeconds.reset();
    state.workers.reset();
    state.servers.reset();
    return state;
}

SessionState withScenario(SessionState state, Side side, const Scenario &present, const Scenario &changed) {
    if (changed.policy != present.policy)
        state.side(side).policy = formatPolicy(changed.policy);
    if (changed.strategy != present.strategy) {
        SideState &edited = state.side(side);
        if (!edited.edited)
            edited.editedName.clear();
        else if (!edited.editedName.empty() && !edited.editedName.ends_with(", edited"))
            edited.editedName += ", edited";
        edited.edited = changed.strategy;
    }
    if (changed.cluster == present.cluster)
        return state;
    state = withKnobsInClusters(std::move(state));
    if (state.side(side).cluster) {
        state.side(side).cluster = changed.cluster;
    } else {
        state.cluster = changed.cluster;
        state.clusterEdited = true;
    }
    return state;
}

std::string strategyTitle(const SideState &side) {
    if (side.trace)
        return side.trace->title;
    std::string name = side.strategy;
    if (side.edited)
        name = side.editedName.empty() ? side.strategy + ", edited" : side.editedName;
    return name +
           (side.cluster && !side.isMeasured() ? " on " + side.clusterSource.substr(side.clusterSource.rfind('/') + 1) : "");
}

} // namespace syncopate
