// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/rank_deadlock.h"

#include "engine/base/numbers.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace syncopate {

namespace {

class DeadlockSearch {
public:
    explicit DeadlockSearch(const RankStanding &standing) : m_at(standing) {}

    /// Following a stuck motif to what it waits for must come back to one seen before: that is the cycle.
    [[nodiscard]] RankDeadlock find() const {
        RankDeadlock deadlock{m_at.nowSeconds, {}};
        Stuck at;
        for (ProcessId p(0); p.number() < m_at.dag.processes && !at.slot.exists(); p = p.next())
            for (const RankProcess::Enforcer &channel : process(p).channels)
                if (channel.current.exists())
                    at = {p, channel.current};
        for (ProcessId p(0); !at.slot.exists() && p.number() < m_at.dag.processes; p = p.next())
            for (const RankProcess::Enforcer &channel : process(p).channels)
                if (channel.next < channel.sequence.size())
                    at = {p, channel.sequence[channel.next]};
        std::vector<Stuck> walked;
        while (at.slot.exists() && std::find(walked.begin(), walked.end(), at) == walked.end()) {
            walked.push_back(at);
            auto [next, reason] = blockerOf(at);
            deadlock.cycle.push_back({at.process, nameOfSlot(at.slot), std::move(reason)});
            at = next;
        }
        if (const auto first = std::find(walked.begin(), walked.end(), at); first != walked.end())
            deadlock.cycle.erase(deadlock.cycle.begin(), deadlock.cycle.begin() + (first - walked.begin()));
        return deadlock;
    }

private:
    /// A motif that a process cannot get past.
    struct Stuck {
        ProcessId process;
        RankSlotId slot;
        bool operator==(const Stuck &) const = default;
    };

    /// What a stuck motif waits for, and why.
    std::pair<Stuck, std::string> blockerOf(const Stuck &stuck) const {
        const RankProcess &own = process(stuck.process);
        const RankLayout::Slot &at = m_at.layout.slot(stuck.slot);
        const RankProcess::Enforcer &channel = own.channels[at.channel.index()];
        if (own.states[stuck.slot.index()] == MotifState::Dispatched) {
            for (const ProcessId member : m_at.layout.members(stuck.slot, m_at.layout.groupOf(stuck.slot, stuck.process)))
                if (process(member).states[stuck.slot.index()] < MotifState::Dispatched)
                    return {{member, blockedSlot(member, stuck.slot)},
                            fmt::format("runs it and waits for process {}", member.number())};
        }
        if (channel.current.exists())
            return {{stuck.process, channel.current}, "waits until its channel is free"};
        if (m_at.isStrict && channel.next < channel.sequence.size() && channel.sequence[channel.next] != stuck.slot)
            return {{stuck.process, channel.sequence[channel.next]}, "waits for its turn"};
        for (const RankSlotId before : m_at.layout.before(stuck.slot))
            if (m_at.layout.groupOf(before, stuck.process).exists() && own.states[before.index()] != MotifState::Done)
                return {{stuck.process, before}, "waits for the motif before it"};
        return {{stuck.process, unfinishedBefore(stuck.process, at.op, at.iteration)}, "waits for what its collective reads"};
    }

    /// The motif that blocks a member at `slot`: a different one if it follows another plan.
    [[nodiscard]] RankSlotId blockedSlot(ProcessId member, RankSlotId slot) const {
        const RankLayout::Slot &at = m_at.layout.slot(slot);
        const auto motifs = m_at.layout.motifsOf(member, at.op, at.iteration);
        if (motifs.empty() || std::find(motifs.begin(), motifs.end(), slot) != motifs.end())
            return slot;
        for (const RankSlotId other : motifs)
            if (process(member).states[other.index()] != MotifState::Done)
                return other;
        const RankProcess::Enforcer &channel = process(member).channels[at.channel.index()];
        return channel.current.exists() ? channel.current : slot;
    }

    /// An unfinished motif that an op waits for: of its parents, or of those of the compute-op that the process is at.
    [[nodiscard]] RankSlotId unfinishedBefore(ProcessId p, DagOpId op, std::int32_t iteration) const {
        const RankProcess &own = process(p);
        for (std::int32_t steps = 0; steps < 2 * static_cast<std::int32_t>(m_at.dag.ops.size()) * m_at.iterations; ++steps) {
            const DagOp &waiting = m_at.dag.ops[op.index()];
            const auto unfinished = [&](const std::vector<DagOpId> &parents, std::int32_t i) {
                const auto parent =
                    std::find_if(parents.begin(), parents.end(), [&](DagOpId o) { return i >= 0 && !isDone(own, o, i); });
                return parent == parents.end() ? DagOpId() : *parent;
            };
            std::int32_t of = iteration;
            DagOpId parent = unfinished(waiting.parents, iteration);
            if (!parent.exists())
                parent = unfinished(waiting.previousParents, of = iteration - 1);
            if (!parent.exists() && waiting.isCompute()) // the compute stream has not reached the parent
                parent = m_at.dag.computeOrder[own.computeNext], of = own.iteration;
            if (!parent.exists())
                break;
            if (!m_at.dag.ops[parent.index()].isCompute())
                for (const RankSlotId slot : m_at.layout.motifsOf(p, parent, of))
                    if (m_at.layout.groupOf(slot, p).exists() && own.states[slot.index()] != MotifState::Done)
                        return slot;
            op = parent;
            iteration = of;
        }
        return {};
    }

    [[nodiscard]] std::string nameOfSlot(RankSlotId slot) const {
        const RankLayout::Slot &at = m_at.layout.slot(slot);
        return fmt::format("\"{}: {}\" of iteration {}", m_at.dag.ops[at.op.index()].name, nameOf(m_at.layout.motif(slot)),
                           at.iteration);
    }

    [[nodiscard]] const RankProcess &process(ProcessId p) const { return m_at.processes[p.index()]; }
    [[nodiscard]] bool isDone(const RankProcess &own, DagOpId op, std::int32_t iteration) const {
        return own.motifsLeft[asIndex(iteration) * m_at.dag.ops.size() + op.index()] == 0;
    }

    const RankStanding &m_at;
};

} // namespace

RankDeadlock findDeadlock(const RankStanding &standing) { return DeadlockSearch(standing).find(); }

} // namespace syncopate
