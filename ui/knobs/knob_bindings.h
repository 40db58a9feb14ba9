// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/session_state.h"
#include "engine/space/space.h"
#include "ui/knobs/knob.h"

#include <vector>

namespace syncopate::ui {

/// A knob and the part of SessionState that it changes.
struct KnobBinding {
    QString id; ///< "bandwidth"
    KnobInfo info;
    std::function<double(const SessionState &)> value;
    std::function<bool(const SessionState &)> isChanged;
    /// "10–50 Gbit/s" where the nodes differ, "25 MiB · 100 MiB" where A's policy and B's do, and turning the knob would make
    /// them equal; else empty.
    std::function<KnobSpread(const SessionState &)> spread;
    /// "A", "B" or "A, B" for a setting of the policies of two sides; else empty.
    std::function<QString(const SessionState &)> sides;
    std::function<void(SessionState &, double)> set;
    std::function<void(SessionState &)> reset;
    std::function<QString(const SessionState &)> whyNot; ///< empty = the knob can be turned
    /// Why turning it changes neither A nor B now, though a later choice or Throughput may use it; empty = it does.
    std::function<QString(const SessionState &)> withoutEffect;
};

/// A knob for every dimension of scenarioSpace(), in its order. Settings of policies live in the policy expressions of the sides
/// that use them: turning such a knob rewrites the expression, so that there is one source of truth.
[[nodiscard]] std::vector<KnobBinding> knobBindings();

} // namespace syncopate::ui
