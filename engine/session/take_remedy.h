// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/remedies.h"
#include "engine/session/session_state.h"

namespace syncopate {

/// Applies a remedy of `side`'s scenario `present` to `state`: chooses the builder for the side, sets the knob (for both sides,
/// as knobs are), or puts a search's winner on the side; other remedies go through withScenario(). A plan's remedy does nothing.
[[nodiscard]] SessionState withRemedy(SessionState state, Side side, const Scenario &present, const Remedy &remedy);

/// Applies a remedy of the plan that `side` shows: another plan, other channels, which then no longer follow the cluster, or the
/// value of a knob. Does nothing where the side shows no plan.
[[nodiscard]] SessionState withPlanRemedy(SessionState state, Side side, const Remedy &remedy);

} // namespace syncopate
