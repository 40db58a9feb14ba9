// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/comparable.h"

#include "engine/base/units.h"

#include <algorithm>
#include <fmt/format.h>

namespace syncopate {

namespace {

/// Above this share of a window, waiting for the host, or copying, explains more of the difference than the strategy does. Launch
/// gaps of a few microseconds between kernels stay below it.
constexpr double otherwiseShare = 0.02;

} // namespace

double hostWaitSeconds(const Recording &recording, const AreaStatistics &area) {
    return recording.measured ? std::max(0.0, area.waitSeconds - area.exposedSeconds - area.copySeconds) : area.hostWaitSeconds;
}

std::string whyNotComparable(Quantity quantity, const Recording &a, const AreaStatistics &ofA, const Recording &b,
                             const AreaStatistics &ofB) {
    if (a.measured == b.measured || quantity == Quantity::Length)
        return {};
    if (quantity == Quantity::Messages)
        return "A profile records its own run's messages, a simulation has those of its strategy.";
    const AreaStatistics &measured = a.measured ? ofA : ofB;
    if (measured.copySeconds > otherwiseShare * measured.windowSeconds)
        return fmt::format("The measured device copies memory for {} of {}, which the simulated layers' times contain.",
                           formatSeconds(measured.copySeconds), formatSeconds(measured.windowSeconds));
    const double host = hostWaitSeconds(a.measured ? a : b, measured);
    const Job *const simulated = (a.measured ? b : a).job.get();
    if (host <= otherwiseShare * measured.windowSeconds || (simulated && simulated->hostSeconds() > 0))
        return {};
    return fmt::format("The measured device waits {} of {} for its host or for other ranks' compute. The simulated job does not "
                       "say which part of its layers' time such gaps are.",
                       formatSeconds(host), formatSeconds(measured.windowSeconds));
}

} // namespace syncopate
