// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/timeline.h"

#include <stop_token>
#include <utility>
#include <vector>

namespace syncopate {

/// From a time up to another, which is not part of it.
using TimeRange = std::pair<Nanoseconds, Nanoseconds>;
using TimeRanges = std::vector<TimeRange>;

/// The union of ranges in any order: ascending, none of them empty, and none touching another. In any state once `stop` is
/// requested. O(n log n), O(n) where they are ascending already.
[[nodiscard]] TimeRanges unite(TimeRanges ranges, const std::stop_token &stop = {});
/// The total length of united ranges.
[[nodiscard]] Nanoseconds lengthOf(const TimeRanges &ranges);
/// What lies in both of two lists of united ranges.
[[nodiscard]] TimeRanges intersect(const TimeRanges &a, const TimeRanges &b);

} // namespace syncopate
