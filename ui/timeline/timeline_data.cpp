// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_data.h"

#include "engine/analyze/metrics.h"

#include <utility>

namespace syncopate::ui {

namespace {

/// The worker's exposed communication as a lane.
Lane exposedLane(const Timeline &timeline, std::int32_t worker, const std::stop_token &stop) {
    Lane lane;
    lane.name = "exposed communication";
    lane.worker = worker;
    for (const auto &[from, to] : exposedIntervals(timeline, worker, stop)) {
        lane.start.push_back(from);
        lane.end.push_back(to);
        lane.category.push_back(Category::OtherComm);
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
                           Nanoseconds iterationNanoseconds, const std::stop_token &stop, std::int32_t exposedWorker)
    : m_timeline(std::move(timeline)), m_origin(originNanoseconds), m_iteration(iterationNanoseconds),
      m_index(indexLanes(*m_timeline, stop)), m_exposed(exposedLane(*m_timeline, exposedWorker, stop)),
      m_exposedIndex(m_exposed) {}

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
