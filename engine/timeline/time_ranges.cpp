// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timeline/time_ranges.h"

#include "engine/base/stoppable_sort.h"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace syncopate {

TimeRanges unite(TimeRanges ranges, const std::stop_token &stop) {
    sortUnlessStopped(ranges, std::less<>(), stop);
    std::size_t count = 0; // united ranges, at the front of the list
    for (const auto &[from, to] : ranges) {
        if (to <= from)
            continue;
        if (count > 0 && from <= ranges[count - 1].second)
            ranges[count - 1].second = std::max(ranges[count - 1].second, to);
        else
            ranges[count++] = {from, to};
    }
    ranges.resize(count);
    return ranges;
}

Nanoseconds lengthOf(const TimeRanges &ranges) {
    Nanoseconds length = 0;
    for (const auto &[from, to] : ranges)
        length += to - from;
    return length;
}

TimeRanges intersect(const TimeRanges &a, const TimeRanges &b) {
    TimeRanges both;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const Nanoseconds from = std::max(a[i].first, b[j].first), to = std::min(a[i].second, b[j].second);
        if (from < to)
            both.emplace_back(from, to);
        (a[i].second < b[j].second ? i : j) += 1;
    }
    return both;
}

} // namespace syncopate
