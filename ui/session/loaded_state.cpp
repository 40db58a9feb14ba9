// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/loaded_state.h"

#include "engine/profile/recording/recording.h"
#include "engine/session/dag_job.h"
#include "engine/session/first_contact.h"
#include "ui/session/sample.h"
#include "ui/session/simulate_side.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

namespace syncopate::ui {

namespace {

/// A recording, or a training DAG.
bool isWithoutLayers(const SessionState &state) { return state.job && state.job->layers.empty(); }

/// Takes over another job and its profile, and replaces the parts of the sides that refer to the previous job.
void takeJob(SessionState &next, const SessionState &loaded, bool opens) {
    const bool hadNone = isWithoutLayers(next);
    next.source = loaded.source;
    next.job = loaded.job;
    next.profile = loaded.profile;
    if (isWithoutLayers(loaded) || hadNone) { // they have sources of their own
        next.sides = loaded.sides;
        next.compare = loaded.compare;
    }
    if (opens)
        next.sides = openingSides(next);
    if (showsDag(loaded)) // the sides' plans are of it
        return;
    for (std::size_t s = 0; s < 2; ++s) {
        Source &source = next.sides[s].source;
        source = withoutEdits(source); // the edits are about the other job's variables
        if (std::holds_alternative<Measured>(source) && !next.profile)
            next.sides[s] = defaultSides()[s];
    }
}

/// Takes over the clusters; another shared cluster has its own figures, so knobs are reset.
void takeClusters(SessionState &next, const SessionState &loaded) {
    if (loaded.clusterSource != next.clusterSource || loaded.cluster != next.cluster) {
        next.clusterSource = loaded.clusterSource;
        next.cluster = loaded.cluster;
        next.clusterEdited = false;
        static_cast<ClusterKnobs &>(next) = {};
    }
    const SideState &b = loaded.side(Side::B);
    if (b.cluster && b.cluster != next.side(Side::B).cluster && next.profile && !showsDag(next)) {
        if (next.side(Side::B).isPlanned()) // it stays a plan; on channels of its own it is played as before
            next.compare = true;
        else
            next = withSimulatedStep(std::move(next)); // a measurement has no cluster to choose
    }
    for (std::size_t s = 0; s < 2; ++s) {
        next.sides[s].cluster = loaded.sides[s].cluster;
        next.sides[s].clusterSource = loaded.sides[s].clusterSource;
    }
}

} // namespace

bool showsRecording(const SessionState &state) { return state.job && isRecordingOnly(*state.job) && !showsDag(state); }

bool showsStrategy(const SessionState &state) {
    return std::any_of(state.sides.begin(), state.sides.end(), [](const SideState &side) { return side.hasScenario(); });
}

QString whyNotPlanned(const SessionState &state) {
    return state.job && state.cluster && showsDag(state) ? QString() : whyNotSimulated(state);
}

QString clusterText(const SessionState &state, Side side) {
    if (!state.side(side).clusterSource.empty())
        return QString::fromStdString(clusterTitle(state.side(side).clusterSource));
    const QString name = QString::fromStdString(clusterTitle(state.clusterSource));
    return state.clusterEdited ? QCoreApplication::translate("Session", "%1 (edited)").arg(name) : name;
}

SessionState keepingChanges(SessionState loaded, const SessionState &before, const SessionState &present) {
    if (showsDag(loaded) || showsDag(present))
        return loaded;
    if (loaded.job == before.job) {
        loaded.source = present.source;
        loaded.job = present.job;
        loaded.profile = present.profile;
    }
    const bool isClusterLeft = loaded.cluster == before.cluster && loaded.clusterSource == before.clusterSource;
    const bool isEdited = present.clusterEdited && !before.clusterEdited;
    // Had it been edited before, the job would not have brought a cluster.
    if (isClusterLeft || (isEdited && loaded.job != before.job && isClusterOfJob(loaded))) {
        loaded.cluster = present.cluster;
        loaded.clusterSource = present.clusterSource;
    }
    for (std::size_t s = 0; s < 2; ++s)
        if (SideState &side = loaded.sides[s];
            side.cluster == before.sides[s].cluster && side.clusterSource == before.sides[s].clusterSource) {
            side.cluster = present.sides[s].cluster;
            side.clusterSource = present.sides[s].clusterSource;
        }
    return loaded;
}

SessionState withLoaded(SessionState state, const SessionState &loaded, bool opens) {
    const bool isFirst = !state.job && loaded.job; // a cluster may come before any job
    if (loaded.job != state.job)
        takeJob(state, loaded, opens);
    takeClusters(state, loaded);
    if (showsDag(loaded)) // planned for that cluster
        state.sides = loaded.sides;
    if (isFirst) {
        state.sides = loaded.sides;
        if (opens)
            state.sides = openingSides(state);
    }
    return state;
}

} // namespace syncopate::ui
