// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/comparable.h"

#include "engine/base/units.h"

#include <algorithm>
#include <fmt/format.h>

namespace syncopate {

namespace {

/// Share of a window from which waiting for the host says more of the difference than the strategy does. Launch gaps of a few
/// microseconds between kernels are below.
constexpr double hostBoundShare = 0.02;

} // namespace

double hostWaitSeconds(const Recording &recording, const AreaStatistics &area) {
    return recording.measured ? std::max(0.0, area.waitSeconds - area.exposedSeconds) : 0;
}

std::string whyNotComparable(Quantity quantity, const Recording &a, const AreaStatistics &ofA, const Recording &b,
                             const AreaStatistics &ofB) {
    if (a.measured == b.measured || quantity == Quantity::Length)
        return {};
    if (quantity == Quantity::Messages)
        return "A profile records its own run's messages, a simulation has those of its strategy.";
    const AreaStatistics &measured = a.measured ? ofA : ofB;
    const double host = hostWaitSeconds(a.measured ? a : b, measured);
    if (host <= hostBoundShare * measured.windowSeconds)
        return {};
    return fmt::format("The measured device waits {} of {} for its host or for other ranks' compute. In the simulation such gaps "
                       "are part of the layers' time.",
                       formatSeconds(host), formatSeconds(measured.windowSeconds));
}

} // namespace syncopate
