// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/session_state.h"

#include "engine/profile/recording/recording.h"
#include "engine/session/dag_job.h"
#include "engine/session/planned_work.h"
#include "engine/strategy/comm_policy.h"

#include <algorithm>
#include <utility>

namespace syncopate {

bool SessionState::sameScenario(const SessionState &other, Side s) const {
    return job == other.job && cluster == other.cluster && ClusterKnobs::operator==(other) && linkModel == other.linkModel &&
           side(s) == other.side(s) && (!std::holds_alternative<Measured>(side(s).source) || profile == other.profile);
}

namespace {

const std::shared_ptr<const Cluster> &clusterOf(const SessionState &state, Side side) {
    const auto &sideCluster = state.side(side).cluster;
    return sideCluster ? sideCluster : state.cluster;
}

} // namespace

Unexpected ofSide(Error error, Side side) {
    error.what = (side == Side::A ? "A: " : "B: ") + error.what;
    return Unexpected(std::move(error));
}

Cluster effectiveCluster(const SessionState &state, Side side) { return withKnobs(*clusterOf(state, side), state); }

Result<ScenarioRecipe> recipeOf(const SessionState &state, Side side) {
    if (!state.job || !state.cluster)
        return fail("nothing is loaded", "open a profile, a job file or a catalogue job");
    if (showsDag(state))
        return ofSide(needsLayers(state.job->name, "let the side show a plan of its collectives").value(), side);
    if (isRecordingOnly(*state.job))
        return ofSide(recordingOnly().value(), side);
    ScenarioRecipe recipe;
    recipe.job = state.job;
    recipe.cluster = clusterOf(state, side);
    recipe.knobs = state;
    recipe.linkModel = state.linkModel;
    auto strategy = strategyRecipe(state.side(side).source, *state.job);
    if (!strategy)
        return ofSide(std::move(strategy).error(), side);
    recipe.strategy = *std::move(strategy);
    auto policy = parsePolicy(state.side(side).policy);
    if (!policy)
        return ofSide(std::move(policy).error(), side);
    recipe.policy = *std::move(policy);
    return recipe;
}

Result<Scenario> makeScenario(const SessionState &state, Side side) {
    const auto recipe = TRY(recipeOf(state, side));
    auto scenario = makeScenario(recipe);
    if (!scenario)
        return ofSide(std::move(scenario).error(), side);
    return scenario;
}

namespace {

/// The settings of a side that a dimension changes: its cluster, or the shared one, and its policy; a default policy if the
/// side's cannot be read.
ScenarioRecipe settingsOf(const SessionState &state, const std::shared_ptr<const Cluster> &cluster, const std::string &policy) {
    ScenarioRecipe settings;
    settings.cluster = cluster;
    settings.knobs = state;
    settings.policy = parsePolicy(policy).value_or(CommPolicy{});
    return settings;
}

std::array<ScenarioRecipe, 2> settingsOf(const SessionState &state) {
    const auto of = [&](Side side) { return settingsOf(state, clusterOf(state, side), state.side(side).policy); };
    return {of(Side::A), of(Side::B)};
}

/// Copies the value that a dimension changed into the settings of a side.
void takeOver(SessionState &state, Side side, const Dimension &dimension, const ScenarioRecipe &turned) {
    if (!dimension.isOfCluster()) {
        state.side(side).policy = formatPolicy(turned.policy);
        return;
    }
    static_cast<ClusterKnobs &>(state) = turned.knobs;
}

} // namespace

bool appliesTo(const Dimension &dimension, const SessionState &state) {
    const auto settings = settingsOf(state);
    return std::any_of(settings.begin(), settings.end(), [&](const ScenarioRecipe &side) { return dimension.appliesTo(side); });
}

double valueOf(const Dimension &dimension, const SessionState &state) {
    if (dimension.isOfCluster())
        return dimension.get(settingsOf(state, state.cluster, {}));
    const auto settings = settingsOf(state);
    return dimension.get(dimension.appliesTo(settings[0]) ? settings[0] : settings[1]);
}

bool isTurned(const Dimension &dimension, const SessionState &state) {
    const auto settings = settingsOf(state);
    return std::any_of(settings.begin(), settings.end(), [&](const ScenarioRecipe &side) { return dimension.isTurned(side); });
}

SessionState withValue(SessionState state, const Dimension &dimension, double value) {
    const auto settings = settingsOf(state);
    for (const Side side : {Side::A, Side::B})
        if (const auto turned = dimension.with(settings[indexOf(side)], value))
            takeOver(state, side, dimension, *turned);
    return state;
}

SessionState withoutValue(SessionState state, const Dimension &dimension) {
    const auto settings = settingsOf(state);
    for (const Side side : {Side::A, Side::B})
        if (dimension.appliesTo(settings[indexOf(side)]))
            takeOver(state, side, dimension, dimension.reset(settings[indexOf(side)]));
    return state;
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
    if (const auto *planned = std::get_if<Planned>(&source))
        return planned->work->title;
    const auto *edited = std::get_if<Edited>(&source);
    return edited && !edited->name.empty() ? edited->name : textOf(source);
}

std::string clusterTitle(const std::string &source) { return source.substr(source.rfind('/') + 1); }

std::string strategyTitle(const SideState &side) {
    std::string title = sourceName(side.source);
    if (const auto *edited = std::get_if<Edited>(&side.source); edited && edited->name.empty())
        title += ", edited";
    if (side.cluster && (side.hasScenario() || side.isPlanned()))
        title += " on " + clusterTitle(side.clusterSource);
    return title;
}

} // namespace syncopate
