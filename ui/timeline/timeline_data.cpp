// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_data.h"

#include "engine/analyze/metrics.h"
#include "ui/theme/translation.h"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
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

/// Spans of time in which a worker computes on any of its streams: time in which several compute at once counts once.
Lane unitedCompute(const std::vector<const Lane *> &streams, const std::stop_token &stop) {
    struct Next {
        Nanoseconds start = 0;
        std::size_t stream = 0, span = 0;
        bool operator>(const Next &other) const { return start > other.start; }
    };
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next; // of each stream
    const auto addNext = [&](std::size_t stream, std::size_t span) {
        const Lane &lane = *streams[stream];
        while (span < lane.size() && !isCompute(lane.category[span]))
            ++span;
        if (span < lane.size())
            next.push({lane.start[span], stream, span});
    };
    for (std::size_t stream = 0; stream < streams.size(); ++stream)
        addNext(stream, 0);
    Lane united;
    while (!next.empty() && !stop.stop_requested()) {
        const auto [start, stream, span] = next.top();
        next.pop();
        const Nanoseconds end = streams[stream]->end[span];
        if (united.size() > 0 && start <= united.end.back()) {
            united.end.back() = std::max(united.end.back(), end);
        } else {
            united.start.push_back(start);
            united.end.push_back(end);
            united.category.push_back(Category::OtherCompute);
        }
        addNext(stream, span + 1);
    }
    return united;
}

} // namespace

TimelineData::TimelineData(std::shared_ptr<const Timeline> timeline, Nanoseconds originNanoseconds,
                           Nanoseconds iterationNanoseconds, const std::stop_token &stop, std::int32_t exposedWorker,
                           std::vector<ChannelId> laneChannels, const std::vector<double> &laneCapacities)
    : m_timeline(std::move(timeline)), m_origin(originNanoseconds), m_iteration(iterationNanoseconds),
      m_laneChannels(std::move(laneChannels)), m_index(indexLanes(*m_timeline, stop)), m_stacks(*m_timeline),
      m_strips(makeStrips(*m_timeline, m_stacks, laneCapacities, stop)),
      m_exposed(exposedLane(*m_timeline, exposedWorker, stop)) {
    std::map<std::int32_t, std::vector<const Lane *>> streams;
    for (const Lane &lane : m_timeline->lanes)
        if (lane.isCompute)
            streams[lane.worker].push_back(&lane);
    for (const auto &[worker, lanes] : streams)
        if (lanes.size() > 1)
            m_united.try_emplace(worker, unitedCompute(lanes, stop));
}

Nanoseconds TimelineData::computeBusy(std::int32_t worker, Nanoseconds from, Nanoseconds to) const {
    BusyTimes busy{};
    if (const auto several = m_united.find(worker); several != m_united.end())
        busy = several->second.index.busy(from, to);
    else
        for (std::size_t l = 0; l < laneCount(); ++l)
            if (lane(l).worker == worker && lane(l).isCompute)
                busy = index(l).busy(from, to);
    Nanoseconds sum = 0;
    for (std::size_t c = 0; c < categoryCount; ++c)
        sum += isCompute(static_cast<Category>(c)) ? busy[c] : 0;
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
