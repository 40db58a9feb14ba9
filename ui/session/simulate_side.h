// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/session_state.h"
#include "ui/session/shown_run.h"

#include <QString>
#include <memory>
#include <stop_token>

namespace syncopate::ui {

/// What a side of a state shows: its simulation, or the measured, played or planned run. Errors are the engine's, prefixed with
/// the side's name if the scenario cannot be built. Not for the GUI thread.
[[nodiscard]] Result<std::shared_ptr<const ShownRun>> simulateSide(const SessionState &state, Side side,
                                                                   const std::stop_token &stop);

/// Why nothing can be simulated with that state, in a sentence for tool tips: nothing is loaded, or a recording without a
/// training step. Empty: it can.
[[nodiscard]] QString whyNotSimulated(const SessionState &state);

} // namespace syncopate::ui
