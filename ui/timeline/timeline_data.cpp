// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_data.h"

#include "engine/base/stoppable_sort.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace syncopate::ui {

namespace {

using Interval = std::pair<Nanoseconds, Nanoseconds>;

std::vector<Interval> busyIntervals(const Timeline &timeline, std::int32_t worker, bool communication,
                                    const std::stop_token &stop) {
    std::vector<Interval> all;
    for (const Lane &lane : timeline.lanes) {
        if (lane.worker != worker)
            continue;
        if (stop.stop_requested())
            return {};
        for (std::size_t i = 0; i < lane.size(); ++i)
            if (isCommunication(lane.category[i]) == communication)
                all.emplace_back(lane.start[i], lane.end[i]);
    }
    sortUnlessStopped(all, std::less<>(), stop);
    std::vector<Interval> united;
    for (const Interval &one : all) {
        if (!united.empty() && one.first <= united.back().second)
            united.back().second = std::max(united.back().second, one.second);
        else
            united.push_back(one);
    }
    return united;
}

/// Communicating while the compute stream idles (DESIGN section 3), worker 0.
Lane exposedLane(const Timeline &timeline, const std::stop_token &stop) {
    Lane lane;
    lane.name = "exposed communication";
    lane.worker = 0;
    const std::vector<Interval> communication = busyIntervals(timeline, 0, true, stop);
    const std::vector<Interval> compute = busyIntervals(timeline, 0, false, stop);
    const auto add = [&lane](Nanoseconds from, Nanoseconds to) {
        if (from >= to)
            return;
        lane.start.push_back(from);
        lane.end.push_back(to);
        lane.category.push_back(Category::OtherComm);
    };
    std::size_t c = 0;
    for (const auto &[start, end] : communication) {
        Nanoseconds from = start;
        while (c < compute.size() && compute[c].second <= from)
            ++c;
        for (std::size_t k = c; k < compute.size() && compute[k].first < end; ++k) {
            add(from, compute[k].first);
            from = std::max(from, compute[k].second);
        }
        add(from, end);
    }
    return lane;
}

std::vector<LaneIndex> indexLanes(const Timeline &timeline, const std::stop_token &stop) {
    std::vector<LaneIndex> index;
    index.reserve(timeline.lanes.size());
    for (const Lane &lane : timeline.lanes) {
        if (stop.stop_requested())
            break;
        index.emplace_back(lane);
    }
    return index;
}

} // namespace

TimelineData::TimelineData(std::shared_ptr<const Timeline> timeline, Nanoseconds originNanoseconds,
                           Nanoseconds iterationNanoseconds, const std::stop_token &stop)
    : m_timeline(std::move(timeline)), m_origin(originNanoseconds), m_iteration(iterationNanoseconds),
      m_index(indexLanes(*m_timeline, stop)), m_exposed(exposedLane(*m_timeline, stop)), m_exposedIndex(m_exposed) {}

Nanoseconds TimelineData::computeBusy(std::int32_t worker, Nanoseconds from, Nanoseconds to) const {
    Nanoseconds sum = 0;
    for (std::size_t l = 0; l < laneCount(); ++l) {
        if (lane(l).worker != worker || !lane(l).isCompute)
            continue;
        const auto busy = index(l).busy(from, to);
        for (std::size_t c = 0; c < categoryCount; ++c)
            sum += busy[c];
    }
    return sum;
}

} // namespace syncopate::ui
