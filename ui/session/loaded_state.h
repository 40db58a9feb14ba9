// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/session_state.h"

#include <QString>

namespace syncopate::ui {

/// Whether the state's job is a recording, which is shown and not simulated.
[[nodiscard]] bool showsRecording(const SessionState &state);
/// Whether A or B simulates a strategy, hidden ones included: without one, a policy has no effect.
[[nodiscard]] bool showsStrategy(const SessionState &state);

/// Why no collectives can be planned with that state, in a sentence for tool tips: as whyNotSimulated(), except that a training
/// DAG can be planned.
[[nodiscard]] QString whyNotPlanned(const SessionState &state);

/// The cluster of a side, its own or that of both: "A2", "own.yml", "B7 (edited)".
[[nodiscard]] QString clusterText(const SessionState &state, Side side);

/// `loaded` with what the load has left as it was when it began, in `before`, as it is now, in `present`: a cluster, job or side
/// that was changed or undone meanwhile stays so, and a cluster edited meanwhile is not replaced by the one that comes with a
/// job. A training DAG is returned unchanged, as its plans are for all of `loaded`.
[[nodiscard]] SessionState keepingChanges(SessionState loaded, const SessionState &before, const SessionState &present);

/// `state` with the job, profile and clusters of `loaded`. Knobs may have moved while the file was read, so everything else
/// stays, except for settings of the previous job or cluster; a training DAG brings its sides. `opens`: the sides become
/// openingSides(); otherwise the first job to be opened brings its own.
[[nodiscard]] SessionState withLoaded(SessionState state, const SessionState &loaded, bool opens);

} // namespace syncopate::ui
