// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/remedies.h"
#include "engine/session/session_state.h"

namespace syncopate {

/// `state` with a remedy of `side`'s scenario `present` taken: a builder is chosen for the side, a knob turned (for both sides,
/// as knobs are), a search's winner put on the side; other remedies as withScenario() does.
[[nodiscard]] SessionState withRemedy(SessionState state, Side side, const Scenario &present, const Remedy &remedy);

} // namespace syncopate
