// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/timeline.h"

#include <stop_token>
#include <vector>

namespace syncopate {

/// Busy and waiting times of one window, over one worker's lanes. Seconds.
/// Definitions (DESIGN section 3): communicating = any communication lane of the worker is busy; overlap = communicating
/// while computing; exposed = communicating while the compute stream idles; wait = the compute stream idles.
struct AreaStatistics {
    double windowSeconds = 0;
    double computeSeconds = 0;
    double forwardSeconds = 0;
    double backwardSeconds = 0;
    double updateSeconds = 0;
    double communicationSeconds = 0;
    double pushSeconds = 0;
    double pullSeconds = 0;
    double allReduceSeconds = 0;
    double overlappedSeconds = 0;
    double exposedSeconds = 0;
    double waitSeconds = 0;
    std::size_t spans = 0;
    std::size_t transfers = 0; ///< communication spans that the window touches, the next three over their whole lengths
    double shortestTransferSeconds = 0;
    double meanTransferSeconds = 0;
    double longestTransferSeconds = 0;
    [[nodiscard]] double overlapRatio() const { return communicationSeconds > 0 ? overlappedSeconds / communicationSeconds : 0; }
};

/// Statistics of `worker`'s lanes (all workers' averaged if -1; transfers are those of all) within [from, to). O(n log n) for
/// n spans within; without meaning when `stop` is requested.
[[nodiscard]] AreaStatistics areaStatistics(const Timeline &timeline, Nanoseconds from, Nanoseconds to, std::int32_t worker = -1,
                                            const std::stop_token &stop = {});

} // namespace syncopate
