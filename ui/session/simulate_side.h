// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/session_state.h"
#include "ui/session/shown_run.h"

#include <memory>
#include <stop_token>

namespace syncopate::ui {

/// What a side of a state shows: its simulation, or what was measured, played or planned. Errors are the engine's, with the
/// side's name in front where the scenario cannot be made. Not for the GUI thread.
[[nodiscard]] Result<std::shared_ptr<const ShownRun>> simulateSide(const SessionState &state, Side side,
                                                                   const std::stop_token &stop);

} // namespace syncopate::ui
