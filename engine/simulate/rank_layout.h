// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/link_paths.h"
#include "engine/simulate/rank_player.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace syncopate {

/// The fixed facts of playing processes: the motifs of each iteration under each plan ("slots"), their members, their links, and
/// the order in which each process runs them.
class RankLayout {
public:
    struct Slot {
        std::int32_t plan = 0;  ///< 0 = the request's plan, 1 = its next one
        std::int32_t motif = 0; ///< into the plan's motifs
        std::int32_t iteration = 0, op = 0, channel = 0;
        double seconds = 0; ///< alone
    };

    /// `request` outlives the layout; its plans are valid.
    explicit RankLayout(const RankRequest &request);

    [[nodiscard]] std::size_t slotCount() const { return m_slots.size(); }
    [[nodiscard]] const Slot &slot(std::int32_t slot) const { return m_slots[static_cast<std::size_t>(slot)]; }
    [[nodiscard]] const Motif &motif(std::int32_t slot) const;
    /// Slots of the same op that it comes after, and that come after it.
    [[nodiscard]] std::vector<std::int32_t> before(std::int32_t slot) const;
    [[nodiscard]] std::vector<std::int32_t> followers(std::int32_t slot) const;
    /// The slots of a comm-op by the plan that a process has then.
    [[nodiscard]] std::vector<std::int32_t> motifsOf(std::int32_t process, std::int32_t op, std::int32_t iteration) const;

    /// The group of a process among those that run a slot; -1 = it takes no part.
    [[nodiscard]] std::int32_t groupOf(std::int32_t slot, std::int32_t process) const;
    [[nodiscard]] const std::vector<std::int32_t> &members(std::int32_t slot, std::int32_t group) const;
    /// The number of a slot of a group.
    [[nodiscard]] std::size_t instance(std::int32_t slot, std::int32_t group) const;
    [[nodiscard]] std::size_t instanceCount() const { return m_instances; }
    [[nodiscard]] PathId path(std::int32_t slot, std::int32_t group) const;
    /// Every process has links of its own, which carry one second of motif per second.
    [[nodiscard]] const LinkPaths &links() const { return m_links; }

    /// The slots that a process runs on a channel, in order, and the place of a slot in that order.
    [[nodiscard]] const std::vector<std::int32_t> &sequence(std::int32_t process, std::size_t channel) const;
    [[nodiscard]] std::int32_t place(std::int32_t process, std::int32_t slot) const;

private:
    /// The groups of a kind of motif.
    struct Grouping {
        std::vector<std::int32_t> groupOf;
        std::vector<std::vector<std::int32_t>> members;
        std::map<std::int32_t, std::vector<PathId>> paths; ///< by channel: per group
    };
    [[nodiscard]] const ExecutionPlan &plan(std::int32_t plan) const { return plan == 0 ? *m_request.plan : *m_request.nextPlan; }
    [[nodiscard]] std::int32_t slotOf(std::int32_t plan, std::int32_t motif, std::int32_t iteration) const;
    [[nodiscard]] const Grouping &groupingOf(std::int32_t slot) const;
    /// The iteration from which a process has the next plan.
    [[nodiscard]] std::int32_t changeOf(std::int32_t process) const;
    void addSlots(std::int32_t plan);
    std::int32_t addGrouping(const ProcessGroup &ofOp, const ProcessGroup &ofMotif);
    void addPaths(Grouping &grouping, std::int32_t channel);
    void addSequences(std::int32_t process);

    const RankRequest &m_request;
    std::int32_t m_processes;
    std::vector<Slot> m_slots;
    std::array<std::int32_t, 2> m_firstSlot{};                 ///< per plan
    std::array<std::vector<ExecutionPlan::Range>, 2> m_ranges; ///< per plan and op
    std::array<std::vector<std::int32_t>, 2> m_groupingOf;     ///< per plan and motif
    std::map<std::array<std::int32_t, 5>, std::int32_t> m_groupingNumbers;
    std::vector<Grouping> m_groupings;
    std::vector<std::size_t> m_instanceOf; ///< per slot: its first
    std::size_t m_instances = 0;
    std::map<std::string, std::int32_t> m_linkNumbers;
    LinkPaths m_links;
    std::vector<std::vector<std::int32_t>> m_sequences; ///< processes x channels
    std::vector<std::vector<std::int32_t>> m_places;    ///< per process and slot; -1 = not its own
};

} // namespace syncopate
