// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/timeline.h"
#include "ui/timeline/lane_stacks.h"

#include <QString>
#include <array>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

namespace syncopate::ui {

/// A timeline with what drawing and asking about it needs: one index per lane, and one worker's exposed communication as a lane
/// of its own. Immutable, made on the worker thread, shared by pointer with every view.
class TimelineData final {
public:
    /// `originNanoseconds` becomes time 0 of the views (the start of the iteration that is shown). O(spans log spans); not to be
    /// asked anything when `stop` is requested. `laneChannels`: per lane the channel of a plan that it is of, -1 = none; empty
    /// where there is no plan. `laneCapacities`: per lane the bytes per second at which its link is full, 0 = not known; empty
    /// where none is.
    TimelineData(std::shared_ptr<const Timeline> timeline, Nanoseconds originNanoseconds, Nanoseconds iterationNanoseconds,
                 const std::stop_token &stop = {}, std::int32_t exposedWorker = 0, std::vector<std::int32_t> laneChannels = {},
                 const std::vector<double> &laneCapacities = {});
    TimelineData(const TimelineData &) = delete;
    TimelineData &operator=(const TimelineData &) = delete;

    [[nodiscard]] const Timeline &timeline() const { return *m_timeline; }
    [[nodiscard]] const Lane &lane(std::size_t i) const { return m_timeline->lanes[i]; }
    [[nodiscard]] std::size_t laneCount() const { return m_timeline->lanes.size(); }
    /// The channel of a plan whose collectives lane `i` has; -1 = none.
    [[nodiscard]] std::int32_t channel(std::size_t i) const { return i < m_laneChannels.size() ? m_laneChannels[i] : -1; }
    /// Channels of a plan take the colours of communication in turn.
    [[nodiscard]] static constexpr Category colorOfChannel(std::int32_t channel) {
        constexpr std::array channelColors{Category::AllReduce, Category::Push, Category::Pull, Category::OtherComm};
        return channelColors[static_cast<std::size_t>(channel) % channelColors.size()];
    }
    /// The category whose colour a span of `category` on lane `i` has. Collectives of a plan are told apart by their channels.
    [[nodiscard]] Category colorOf(std::size_t i, Category category) const {
        return channel(i) >= 0 && isCommunication(category) ? colorOfChannel(channel(i)) : category;
    }
    [[nodiscard]] const LaneIndex &index(std::size_t i) const { return m_index[i]; }
    /// Rows of lanes that can be shown as one strip each.
    [[nodiscard]] const LaneStacks &stacks() const { return m_stacks; }
    /// Of the stack that begins with lane `i` and has two lanes or more; null for others.
    [[nodiscard]] const LaneStrip *strip(std::size_t i) const { return m_strips[i].get(); }
    [[nodiscard]] const LaneIndex &exposed() const { return m_exposedIndex; }
    [[nodiscard]] Nanoseconds origin() const { return m_origin; }
    [[nodiscard]] Nanoseconds iteration() const { return m_iteration; }
    /// How long the compute lanes of `worker` are busy within [from, to), absolute times.
    [[nodiscard]] Nanoseconds computeBusy(std::int32_t worker, Nanoseconds from, Nanoseconds to) const;

private:
    std::shared_ptr<const Timeline> m_timeline;
    Nanoseconds m_origin;
    Nanoseconds m_iteration;
    std::vector<std::int32_t> m_laneChannels;
    std::vector<LaneIndex> m_index;
    LaneStacks m_stacks;
    std::vector<std::unique_ptr<const LaneStrip>> m_strips;
    Lane m_exposed;
    LaneIndex m_exposedIndex;
};

/// What the colours of the lanes within [from, to) mean, absolute times: categories, then channels by name.
[[nodiscard]] std::vector<std::pair<Category, QString>> legendOf(const TimelineData &data, Nanoseconds from, Nanoseconds to);

} // namespace syncopate::ui
