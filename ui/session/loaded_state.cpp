// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/loaded_state.h"

#include "engine/profile/recording/recording.h"
#include "ui/session/sample.h"

namespace syncopate::ui {

namespace {

/// Takes over another job and its profile, and of the sides what is no longer about the present one.
void takeJob(SessionState &next, const SessionState &loaded, bool opens) {
    const bool wasRecording = showsRecording(next);
    next.source = loaded.source;
    next.job = loaded.job;
    next.profile = loaded.profile;
    if (showsRecording(loaded) || wasRecording) {
        next.sides = loaded.sides;
        next.compare = loaded.compare;
    }
    if (opens)
        next.sides = openingSides(next);
    for (std::size_t s = 0; s < 2; ++s) {
        Source &source = next.sides[s].source;
        source = withoutEdits(source); // the edits are about the other job's variables
        if (std::holds_alternative<Measured>(source) && !next.profile)
            next.sides[s] = defaultSides()[s];
    }
}

/// Takes over the clusters; a shared one that is another has its own figures, so knobs go back.
void takeClusters(SessionState &next, const SessionState &loaded) {
    if (loaded.clusterSource != next.clusterSource || loaded.cluster != next.cluster) {
        next.clusterSource = loaded.clusterSource;
        next.cluster = loaded.cluster;
        next.clusterEdited = false;
        static_cast<ClusterKnobs &>(next) = {};
    }
    for (std::size_t s = 0; s < 2; ++s) {
        next.sides[s].cluster = loaded.sides[s].cluster;
        next.sides[s].clusterSource = loaded.sides[s].clusterSource;
    }
}

} // namespace

bool showsRecording(const SessionState &state) { return state.job && isRecordingOnly(*state.job); }

SessionState withLoaded(SessionState state, const SessionState &loaded, bool opens) {
    const bool isFirst = !state.job && loaded.job; // a cluster may come before any job
    if (loaded.job != state.job)
        takeJob(state, loaded, opens);
    takeClusters(state, loaded);
    if (isFirst) {
        state.sides = loaded.sides;
        if (opens)
            state.sides = openingSides(state);
    }
    return state;
}

} // namespace syncopate::ui
