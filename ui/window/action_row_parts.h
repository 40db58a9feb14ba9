// SPDX-License-Identifier: GPL-3.0-or-later
// Private to the rows of actions: parts shared by several menus.
#pragma once

#include "ui/session/loaded_state.h"
#include "ui/session/session.h"
#include "ui/window/action_rows.h"
#include "ui/window/panels.h"
#include "ui/window/window_actions.h"

#include <QKeySequence>

namespace syncopate::ui::rows {

inline const ActionRow separator{};

inline QString tr(const char *text) { return WindowActions::tr(text); }
inline QKeySequence key(const char *text) { return QKeySequence(WindowActions::tr(text)); }

inline std::function<QString()> needsJob(const WindowParts &parts) {
    return [&session = parts.session] { return whyNoJob(session); };
}

/// Requires a job that can be simulated, which a recording cannot.
inline std::function<QString()> needsTraining(const WindowParts &parts) {
    return [&session = parts.session] { return session.state().job ? whyNotForRecordings(session) : whyNoJob(session); };
}

/// Requires a job whose collectives can be planned: one that can be simulated, or a training DAG.
inline std::function<QString()> needsPlans(const WindowParts &parts) {
    return [&session = parts.session] { return session.state().job ? whyNotPlanned(session.state()) : whyNoJob(session); };
}

inline std::function<QString()> isNoRecording(const WindowParts &parts) {
    return [&session = parts.session] { return whyNotForRecordings(session); };
}

/// As isNoRecording(), for actions that also apply to training DAGs.
inline std::function<QString()> isNoRecordingOrDag(const WindowParts &parts) {
    return [&session = parts.session] { return session.state().job ? whyNotPlanned(session.state()) : QString(); };
}

inline std::function<void()> raises(const WindowParts &parts, const QString &panel) {
    return [&panels = parts.panels, panel] { panels.raise(panel); };
}

} // namespace syncopate::ui::rows
