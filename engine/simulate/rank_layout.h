// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/link_paths.h"
#include "engine/graph/task_graph.h"
#include "engine/plan/channel_links.h"
#include "engine/plan/plan_ids.h"
#include "engine/simulate/rank_player.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stop_token>
#include <tuple>
#include <utility>
#include <vector>

namespace syncopate {

using RankSlotId = Id<struct RankSlotKind>;   ///< RankLayout::slot()
using RankGroupId = Id<struct RankGroupKind>; ///< of the groups of processes that run a slot, each on its own

/// The fixed facts of playing processes: the motifs of each iteration under each plan ("slots"), their members, their links, and
/// the order in which each process runs them.
class RankLayout {
public:
    struct Slot {
        std::int32_t plan = 0; ///< 0 = the request's plan, 1 = its next one
        MotifId motif{0};
        std::int32_t iteration = 0;
        DagOpId op{0};
        ChannelId channel{0};
    };

    /// `request` outlives the layout; its plans are valid. Once `stop` is requested, it is incomplete and of no use.
    explicit RankLayout(const RankRequest &request, const std::stop_token &stop = {});

    [[nodiscard]] std::size_t slotCount() const { return m_slots.size(); }
    [[nodiscard]] const Slot &slot(RankSlotId slot) const { return m_slots[slot.index()]; }
    [[nodiscard]] const Motif &motif(RankSlotId slot) const;
    /// The time of a slot for a group alone, by the group's own size.
    [[nodiscard]] double seconds(RankSlotId slot, RankGroupId group) const;
    /// Slots of the same op before it, and after it.
    [[nodiscard]] std::vector<RankSlotId> before(RankSlotId slot) const;
    [[nodiscard]] std::vector<RankSlotId> followers(RankSlotId slot) const;
    /// The slots of a comm-op in an iteration, under the plan that the process has in it.
    [[nodiscard]] std::vector<RankSlotId> motifsOf(ProcessId process, DagOpId op, std::int32_t iteration) const;

    /// The group of a process among those that run a slot; none = it takes no part.
    [[nodiscard]] RankGroupId groupOf(RankSlotId slot, ProcessId process) const;
    [[nodiscard]] const std::vector<ProcessId> &members(RankSlotId slot, RankGroupId group) const;
    /// The number of a slot of a group.
    [[nodiscard]] std::size_t instance(RankSlotId slot, RankGroupId group) const;
    [[nodiscard]] std::size_t instanceCount() const { return m_instances; }
    [[nodiscard]] PathId path(RankSlotId slot, RankGroupId group) const;
    /// Every process has links of its own, which carry one second of motif per second.
    [[nodiscard]] const LinkPaths &links() const { return m_links; }

    /// The slots that a process runs on a channel, in order, and the place of a slot in that order.
    [[nodiscard]] const std::vector<RankSlotId> &sequence(ProcessId process, ChannelId channel) const;
    [[nodiscard]] std::int32_t place(ProcessId process, RankSlotId slot) const;

private:
    /// The groups of a kind of motif.
    struct Grouping {
        std::vector<RankGroupId> groupOf;            ///< per process
        std::vector<std::vector<ProcessId>> members; ///< per group
    };
    /// Facts of a plan's motifs.
    struct OfPlan {
        std::int32_t firstSlot = 0;
        std::vector<ExecutionPlan::Range> ranges; ///< per op
        std::vector<std::int32_t> groupingOf;     ///< per motif
        std::vector<std::int32_t> routeOf;        ///< per motif
        std::vector<std::vector<double>> seconds; ///< per motif: of all groups, or per group if they differ
    };
    [[nodiscard]] const OfPlan &ofPlan(std::int32_t number) const { return m_ofPlan[static_cast<std::size_t>(number)]; }
    [[nodiscard]] const ExecutionPlan &plan(std::int32_t number) const {
        return number == 0 ? *m_request.plan : *m_request.nextPlan;
    }
    [[nodiscard]] RankSlotId slotOf(std::int32_t number, MotifId motif, IterationId iteration) const;
    [[nodiscard]] const Grouping &groupingOf(RankSlotId slot) const;
    /// The iteration from which a process has the next plan.
    [[nodiscard]] std::int32_t changeOf(ProcessId process) const;
    /// Adds the slots of a plan, those of an iteration after those of the one before, each in the order of the plan's motifs:
    /// slotOf() counts on it.
    void addSlots(std::int32_t number);
    std::int32_t addGrouping(const DagOp &op, const ProcessGroup &ofMotif);
    /// Returns the index into m_routes of the paths of the grouping's groups; `aloneSeconds` is as in OfPlan::seconds.
    std::int32_t addRoute(std::int32_t grouping, ChannelId channel, const std::vector<double> &aloneSeconds);
    void addSequences(ProcessId process);

    const RankRequest &m_request;
    std::int32_t m_processes;
    std::vector<Slot> m_slots;
    std::array<OfPlan, 2> m_ofPlan;
    std::map<std::pair<std::array<std::int32_t, 5>, std::vector<std::int32_t>>, std::int32_t> m_groupingNumbers;
    std::vector<Grouping> m_groupings;
    std::vector<std::size_t> m_instanceOf; ///< per slot: its first
    std::size_t m_instances = 0;
    ChannelLinks m_channelLinks; ///< of one process
    std::map<std::tuple<std::int32_t, ChannelId, std::vector<double>>, std::int32_t> m_routeNumbers;
    std::vector<std::vector<PathId>> m_routes; ///< the path of each group
    LinkPaths m_links;
    std::vector<std::vector<RankSlotId>> m_sequences; ///< processes x channels
    std::vector<std::vector<std::int32_t>> m_places;  ///< per process and slot; -1 = not its own
};

} // namespace syncopate
