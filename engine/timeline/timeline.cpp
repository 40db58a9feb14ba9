// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timeline/timeline.h"

#include <algorithm>

namespace syncopate {

namespace {
/// Spans per prefix entry: 32 keeps the index at 2 % of the spans and a query at one short scan.
constexpr std::size_t spansPerEntry = 32;
} // namespace

const char *nameOf(Category category) {
    switch (category) {
    case Category::Forward:
        return "forward";
    case Category::Backward:
        return "backward";
    case Category::Update:
        return "update";
    case Category::AllReduce:
        return "all-reduce";
    case Category::Push:
        return "push";
    case Category::Pull:
        return "pull";
    case Category::OtherCompute:
        return "other compute";
    case Category::OtherComm:
        return "other communication";
    }
    return "";
}

std::size_t Timeline::spanCount() const {
    std::size_t count = 0;
    for (const Lane &lane : lanes)
        count += lane.size();
    return count;
}

LaneIndex::LaneIndex(const Lane &lane) : m_lane(&lane) {
    m_prefix.reserve(lane.size() / spansPerEntry + 2);
    std::array<Nanoseconds, categoryCount> sum{};
    for (std::size_t i = 0; i < lane.size(); ++i) {
        if (i % spansPerEntry == 0)
            m_prefix.push_back(sum);
        sum[static_cast<std::size_t>(lane.category[i])] += lane.end[i] - lane.start[i];
    }
    m_prefix.push_back(sum);
}

std::size_t LaneIndex::firstEndingAfter(Nanoseconds time) const {
    // Spans do not overlap, so ends ascend like starts.
    const auto &ends = m_lane->end;
    return static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), time) - ends.begin());
}

std::int64_t LaneIndex::spanAt(Nanoseconds time) const {
    const std::size_t i = firstEndingAfter(time);
    return i < m_lane->size() && m_lane->start[i] <= time ? static_cast<std::int64_t>(i) : -1;
}

std::array<Nanoseconds, categoryCount> LaneIndex::busyBefore(Nanoseconds time) const {
    const std::size_t last = firstEndingAfter(time);
    auto sum = m_prefix[last / spansPerEntry];
    for (std::size_t i = last / spansPerEntry * spansPerEntry; i < last; ++i)
        sum[static_cast<std::size_t>(m_lane->category[i])] += m_lane->end[i] - m_lane->start[i];
    if (last < m_lane->size() && m_lane->start[last] < time)
        sum[static_cast<std::size_t>(m_lane->category[last])] += time - m_lane->start[last];
    return sum;
}

std::array<Nanoseconds, categoryCount> LaneIndex::busy(Nanoseconds from, Nanoseconds to) const {
    auto sum = busyBefore(std::max(from, to));
    const auto before = busyBefore(from);
    for (std::size_t c = 0; c < categoryCount; ++c)
        sum[c] -= before[c];
    return sum;
}

} // namespace syncopate
