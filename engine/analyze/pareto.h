// SPDX-License-Identifier: GPL-3.0-or-later
// No single figure orders scenarios: more machines train faster and cost more, and a strategy that needs less memory may be
// slower. The Pareto front is what is left when every scenario goes that another one beats or equals in all respects.
#pragma once

#include <limits>
#include <span>
#include <vector>

namespace syncopate {

/// What a scenario is weighed by; less is better. NaN = not known.
struct Objectives {
    double seconds =
        std::numeric_limits<double>::quiet_NaN(); ///< of one sample: steps of several worker counts differ in their samples
    double cost = std::numeric_limits<double>::quiet_NaN();            ///< of one sample, in any unit that all scenarios share
    double peakMemoryBytes = std::numeric_limits<double>::quiet_NaN(); ///< of the device that needs most
};

/// Node-seconds and seconds of one sample. The price of a node-second is a factor that all scenarios share, so that the front
/// needs none. A throughput that is not above 0 gives NaN.
[[nodiscard]] Objectives objectivesOf(double samplesPerSecond, double nodes,
                                      double peakMemoryBytes = std::numeric_limits<double>::quiet_NaN());

struct ParetoFront {
    std::vector<bool> has; ///< by scenario
    bool weighsMemory = false;
};

/// The scenarios of which no other one is at least as good in every objective and better in one; those that are equal are all on
/// the front. Values that differ by less than a share of 1e-9 count as equal: that much is rounding. Without time or cost a
/// scenario is not on the front. Memory counts where every other one tells it: else those that do not could not be placed. O(n
/// log n).
[[nodiscard]] ParetoFront paretoFront(std::span<const Objectives> scenarios);

} // namespace syncopate
