// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/plan_ids.h"
#include "engine/timeline/timeline.h"
#include "ui/timeline/lane_stacks.h"

#include <QString>
#include <array>
#include <map>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

namespace syncopate::ui {

/// A timeline prepared for drawing and queries: with an index per lane, and one worker's exposed communication as an additional
/// lane. Immutable, made on the worker thread, shared by pointer with all views.
class TimelineData final {
public:
    /// `originNanoseconds` becomes time 0 of the views (the start of the shown iteration). O(spans log spans);
    /// invalid if `stop` is requested. `laneChannels`: per lane its channel of a plan, or none; empty without a
    /// plan. `laneCapacities`: per lane the bytes per second at which its link is full, 0 = unknown; empty if none is
    /// known.
    TimelineData(std::shared_ptr<const Timeline> timeline, Nanoseconds originNanoseconds, Nanoseconds iterationNanoseconds,
                 const std::stop_token &stop = {}, std::int32_t exposedWorker = 0, std::vector<ChannelId> laneChannels = {},
                 const std::vector<double> &laneCapacities = {});
    TimelineData(const TimelineData &) = delete;
    TimelineData &operator=(const TimelineData &) = delete;

    [[nodiscard]] const Timeline &timeline() const { return *m_timeline; }
    [[nodiscard]] const Lane &lane(std::size_t i) const { return m_timeline->lanes[i]; }
    [[nodiscard]] std::size_t laneCount() const { return m_timeline->lanes.size(); }
    /// The channel of a plan whose collectives are on lane `i`; may be none.
    [[nodiscard]] ChannelId channel(std::size_t i) const { return i < m_laneChannels.size() ? m_laneChannels[i] : ChannelId(); }
    /// Channels of a plan cycle through the colours of communication.
    [[nodiscard]] static constexpr Category colorOfChannel(ChannelId channel) {
        constexpr std::array channelColors{Category::AllReduce, Category::Push, Category::Pull, Category::OtherComm};
        return channelColors[channel.index() % channelColors.size()];
    }
    /// The category whose colour a span of `category` on lane `i` has. Collectives of a plan are coloured by channel.
    [[nodiscard]] Category colorOf(std::size_t i, Category category) const {
        return channel(i).exists() && isCommunication(category) ? colorOfChannel(channel(i)) : category;
    }
    [[nodiscard]] const LaneIndex &index(std::size_t i) const { return m_index[i]; }
    /// Groups of lanes that can each be shown as one strip.
    [[nodiscard]] const LaneStacks &stacks() const { return m_stacks; }
    /// The strip of the stack of at least two lanes that starts with lane `i`; null for other lanes.
    [[nodiscard]] const LaneStrip *strip(std::size_t i) const { return m_strips[i].get(); }
    [[nodiscard]] const LaneIndex &exposed() const { return m_exposed.index; }
    [[nodiscard]] Nanoseconds origin() const { return m_origin; }
    [[nodiscard]] Nanoseconds iteration() const { return m_iteration; }
    /// How long at least one compute lane of `worker` is busy within [from, to), absolute nanoseconds. O(lanes + log spans).
    [[nodiscard]] Nanoseconds computeBusy(std::int32_t worker, Nanoseconds from, Nanoseconds to) const;

private:
    /// A lane that the timeline does not have, which stays where its index finds it.
    struct MadeLane {
        explicit MadeLane(Lane made) : lane(std::move(made)), index(lane) {}
        MadeLane(const MadeLane &) = delete;
        MadeLane &operator=(const MadeLane &) = delete;
        Lane lane;
        LaneIndex index;
    };
    std::shared_ptr<const Timeline> m_timeline;
    Nanoseconds m_origin;
    Nanoseconds m_iteration;
    std::vector<ChannelId> m_laneChannels;
    std::vector<LaneIndex> m_index;
    LaneStacks m_stacks;
    std::vector<std::unique_ptr<const LaneStrip>> m_strips;
    MadeLane m_exposed;
    std::map<std::int32_t, MadeLane> m_united; ///< when the workers with several compute lanes compute
};

/// The legend for the lanes' colours within [from, to), absolute times: categories, then channels by name.
[[nodiscard]] std::vector<std::pair<Category, QString>> legendOf(const TimelineData &data, Nanoseconds from, Nanoseconds to);

} // namespace syncopate::ui
