// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/lane_stacks.h"

#include <algorithm>
#include <string>

namespace syncopate::ui {

LaneStacks::LaneStacks(const Timeline &timeline) : m_first(timeline.lanes.size()), m_size(timeline.lanes.size(), 0) {
    std::size_t first = 0;
    for (std::size_t l = 0; l < timeline.lanes.size(); ++l) {
        const Lane &lane = timeline.lanes[l], &leader = timeline.lanes[first];
        const bool follows = l > 0 && !lane.isCompute && !leader.isCompute && lane.worker == leader.worker &&
                             lane.name == leader.name + " " + std::to_string(l - first + 1);
        if (!follows)
            first = l;
        m_first[l] = first;
        ++m_size[first];
    }
}

LaneStrip::LaneStrip(const std::vector<const Lane *> &lanes, double capacity, const std::stop_token &stop)
    : m_capacity(std::max(0.0, capacity)), m_lanes(std::max<std::size_t>(1, lanes.size())) {
    // Collects the changes of the share lane by lane. Spans of a lane do not overlap, so each lane's changes are already sorted.
    std::vector<std::ptrdiff_t> ends{0};
    for (const Lane *lane : lanes) {
        for (std::size_t i = 0; i < lane->size(); ++i)
            if (const double share = shareOf(*lane, i); share > 0) {
                m_knees.push_back({lane->start[i], share, 0});
                m_knees.push_back({lane->end[i], -share, 0});
            }
        ends.push_back(static_cast<std::ptrdiff_t>(m_knees.size()));
    }
    const auto earlier = [](const Knee &a, const Knee &b) { return a.time < b.time; };
    for (std::size_t width = 1; width + 1 < ends.size() && !stop.stop_requested(); width *= 2)
        for (std::size_t l = 0; l + width + 1 < ends.size(); l += 2 * width)
            std::inplace_merge(m_knees.begin() + ends[l], m_knees.begin() + ends[l + width],
                               m_knees.begin() + ends[std::min(l + 2 * width, ends.size() - 1)], earlier);
    double share = 0, area = 0;
    Nanoseconds before = m_knees.empty() ? 0 : m_knees.front().time;
    for (Knee &knee : m_knees) {
        area += share * static_cast<double>(knee.time - before);
        share += knee.share;
        before = knee.time;
        knee.area = area;
        knee.share = std::max(0.0, share); // the last sum differs from zero by rounding only
    }
}

double LaneStrip::shareOf(const Lane &lane, std::size_t span) const {
    const Nanoseconds length = lane.end[span] - lane.start[span];
    if (length <= 0)
        return 0;
    if (!isOfLink())
        return 1 / static_cast<double>(m_lanes);
    return lane.sizeBytes[span] / (static_cast<double>(length) * 1e-9) / m_capacity;
}

double LaneStrip::areaUntil(Nanoseconds time) const {
    const auto after =
        std::upper_bound(m_knees.begin(), m_knees.end(), time, [](Nanoseconds t, const Knee &knee) { return t < knee.time; });
    if (after == m_knees.begin())
        return 0;
    const Knee &knee = *(after - 1);
    return knee.area + (after == m_knees.end() ? 0 : knee.share * static_cast<double>(time - knee.time));
}

double LaneStrip::share(Nanoseconds from, Nanoseconds to) const {
    return from < to ? (areaUntil(to) - areaUntil(from)) / static_cast<double>(to - from) : 0;
}

} // namespace syncopate::ui
