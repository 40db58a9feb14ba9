// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_data.h"

#include "engine/analyze/metrics.h"
#include "ui/theme/translation.h"

#include <algorithm>
#include <array>
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

/// One per lane, set for the first lane of a stack of several; incomplete if stop was requested.
std::vector<std::unique_ptr<const LaneStrip>> makeStrips(const Timeline &timeline, const LaneStacks &stacks,
                                                         const std::vector<double> &capacities, const std::stop_token &stop) {
    std::vector<std::unique_ptr<const LaneStrip>> strips(timeline.lanes.size());
    for (std::size_t l = 0; l < strips.size() && !stop.stop_requested(); ++l) {
        std::vector<const Lane *> lanes;
        for (std::size_t i = l; stacks.size(l) > 1 && i < l + stacks.size(l); ++i)
            lanes.push_back(&timeline.lanes[i]);
        if (!lanes.empty())
            strips[l] = std::make_unique<const LaneStrip>(lanes, l < capacities.size() ? capacities[l] : 0, stop);
    }
    return strips;
}

/// Time in which several streams compute at once counts once.
Nanoseconds unitedComputeBusy(const TimelineData &data, const std::vector<std::size_t> &lanes, Nanoseconds from, Nanoseconds to) {
    std::vector<std::pair<Nanoseconds, Nanoseconds>> spans;
    for (const std::size_t l : lanes) {
        const Lane &lane = data.lane(l);
        for (std::size_t i = data.index(l).firstEndingAfter(from); i < lane.size() && lane.start[i] < to; ++i)
            if (isCompute(lane.category[i]))
                spans.emplace_back(std::max(from, lane.start[i]), std::min(to, lane.end[i]));
    }
    std::ranges::sort(spans);
    Nanoseconds sum = 0, covered = from;
    for (const auto &[start, end] : spans) {
        sum += std::max<Nanoseconds>(0, end - std::max(start, covered));
        covered = std::max(covered, end);
    }
    return sum;
}

} // namespace

TimelineData::TimelineData(std::shared_ptr<const Timeline> timeline, Nanoseconds originNanoseconds,
                           Nanoseconds iterationNanoseconds, const std::stop_token &stop, std::int32_t exposedWorker,
                           std::vector<ChannelId> laneChannels, const std::vector<double> &laneCapacities)
    : m_timeline(std::move(timeline)), m_origin(originNanoseconds), m_iteration(iterationNanoseconds),
      m_laneChannels(std::move(laneChannels)), m_index(indexLanes(*m_timeline, stop)), m_stacks(*m_timeline),
      m_strips(makeStrips(*m_timeline, m_stacks, laneCapacities, stop)), m_exposed(exposedLane(*m_timeline, exposedWorker, stop)),
      m_exposedIndex(m_exposed) {}

Nanoseconds TimelineData::computeBusy(std::int32_t worker, Nanoseconds from, Nanoseconds to) const {
    std::vector<std::size_t> lanes;
    for (std::size_t l = 0; l < laneCount(); ++l)
        if (lane(l).worker == worker && lane(l).isCompute)
            lanes.push_back(l);
    if (lanes.size() > 1)
        return unitedComputeBusy(*this, lanes, from, to);
    Nanoseconds sum = 0;
    for (const std::size_t l : lanes) {
        const auto busy = index(l).busy(from, to);
        for (std::size_t c = 0; c < categoryCount; ++c)
            sum += isCompute(static_cast<Category>(c)) ? busy[c] : 0;
    }
    return sum;
}

std::vector<std::pair<Category, QString>> legendOf(const TimelineData &data, Nanoseconds from, Nanoseconds to) {
    std::array<bool, categoryCount> present{};
    std::vector<std::pair<Category, QString>> legend, channels;
    for (std::size_t l = 0; l < data.laneCount(); ++l) {
        const auto busy = data.index(l).busy(from, to);
        bool any = false;
        for (std::size_t c = 0; c < categoryCount; ++c) {
            any = any || busy[c] > 0;
            present[c] = present[c] || (busy[c] > 0 && !data.channel(l).exists());
        }
        if (any && data.channel(l).exists())
            channels.emplace_back(data.colorOf(l, Category::AllReduce), QString::fromStdString(data.lane(l).name));
    }
    for (std::size_t c = 0; c < categoryCount; ++c)
        if (present[c])
            legend.emplace_back(static_cast<Category>(c), worded({nameOf(static_cast<Category>(c))}));
    legend.insert(legend.end(), channels.begin(), channels.end());
    return legend;
}

} // namespace syncopate::ui
