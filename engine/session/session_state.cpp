// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/session_state.h"

#include "engine/strategy/comm_policy.h"

#include <utility>

namespace syncopate {

bool SessionState::sameScenario(const SessionState &other, Side s) const {
    return job == other.job && cluster == other.cluster && ClusterKnobs::operator==(other) && side(s) == other.side(s) &&
           (!std::holds_alternative<Measured>(side(s).source) || profile == other.profile);
}

namespace {

const std::shared_ptr<const Cluster> &clusterOf(const SessionState &state, Side side) {
    const auto &own = state.side(side).cluster;
    return own ? own : state.cluster;
}

Unexpected ofSide(Error error, Side side) {
    error.what = (side == Side::A ? "A: " : "B: ") + error.what;
    return Unexpected(std::move(error));
}

} // namespace

Cluster effectiveCluster(const SessionState &state, Side side) { return withKnobs(*clusterOf(state, side), state); }

Result<Scenario> makeScenario(const SessionState &state, Side side) {
    ScenarioRequest request;
    request.job = state.job;
    request.cluster = clusterOf(state, side);
    request.knobs = state;
    request.source = state.side(side).source;
    request.policy = state.side(side).policy;
    auto scenario = makeScenario(request);
    if (!scenario && state.job && state.cluster)
        return ofSide(std::move(scenario).error(), side);
    return scenario;
}

SessionState withKnobsInClusters(SessionState state) {
    const ClusterKnobs turned = state;
    if (!turned.areTurned())
        return state;
    for (std::shared_ptr<const Cluster> *cluster : {&state.cluster, &state.sides[0].cluster, &state.sides[1].cluster})
        if (*cluster)
            *cluster = std::make_shared<const Cluster>(withKnobs(**cluster, turned));
    state.clusterEdited = true;
    static_cast<ClusterKnobs &>(state) = {};
    return state;
}

SessionState withScenario(SessionState state, Side side, const Scenario &present, const Scenario &changed) {
    if (changed.policy != present.policy)
        state.side(side).policy = formatPolicy(changed.policy);
    if (changed.strategy != present.strategy)
        state.side(side).source = edited(state.side(side).source, changed.strategy);
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

std::string sourceName(const Source &source) {
    if (const auto *played = std::get_if<Played>(&source))
        return played->steps->title;
    const auto *edited = std::get_if<Edited>(&source);
    return edited && !edited->name.empty() ? edited->name : textOf(source);
}

std::string strategyTitle(const SideState &side) {
    std::string title = sourceName(side.source);
    if (const auto *edited = std::get_if<Edited>(&side.source); edited && edited->name.empty())
        title += ", edited";
    if (side.cluster && side.hasScenario())
        title += " on " + side.clusterSource.substr(side.clusterSource.rfind('/') + 1);
    return title;
}

} // namespace syncopate
