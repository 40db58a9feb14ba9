// SPDX-License-Identifier: GPL-3.0-or-later
// No single figure orders scenarios: more machines train faster and cost more, and a strategy that needs less memory may be
// slower. The Pareto front is what remains after removing every scenario that another one equals or beats in all respects.
#pragma once

#include <limits>
#include <span>
#include <vector>

namespace syncopate {

/// The objectives of a scenario, to minimise. NaN = unknown.
struct Objectives {
    double seconds =
        std::numeric_limits<double>::quiet_NaN(); ///< per sample: steps of several worker counts differ in their samples
    double cost = std::numeric_limits<double>::quiet_NaN();            ///< per sample, in any unit that all scenarios share
    double peakMemoryBytes = std::numeric_limits<double>::quiet_NaN(); ///< of the device that needs most
};

/// Node-seconds and seconds per sample. The price of a node-second is a factor common to all scenarios, so the front does not
/// need it. A throughput that is not above 0 gives NaN.
[[nodiscard]] Objectives objectivesOf(double samplesPerSecond, double nodes,
                                      double peakMemoryBytes = std::numeric_limits<double>::quiet_NaN());

/// Which scenarios are on the front, and by which objectives.
struct ParetoFront {
    std::vector<bool> has; ///< by scenario
    bool weighsMemory = false;
};

/// The scenarios that no other one dominates (at least as good in every objective and better in one); equal ones are all on the
/// front. Values are compared rounded to 30 bits, a relative 1e-9 to 2e-9, so that values which differ only by rounding count as
/// equal. A scenario without time or cost is not on the front. Memory counts only where all others have it, since a scenario
/// without it could not be placed. O(n log n).
[[nodiscard]] ParetoFront paretoFront(std::span<const Objectives> scenarios);

} // namespace syncopate
