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
    explicit DeadlockSearch(const RankSnapshot &snapshot) : m_snapshot(snapshot) {}

    /// Follows the waits of a stuck motif, from one to the next. This usually comes back to one seen before, which closes the
    /// cycle; otherwise all waits are returned.
    [[nodiscard]] RankDeadlock find() const {
        RankDeadlock deadlock{m_snapshot.nowSeconds, {}};
        Stuck stuck;
        for (ProcessId p(0); p.number() < m_snapshot.dag.processes && !stuck.slot.exists(); p = p.next())
            for (const RankProcess::Enforcer &channel : process(p).channels)
                if (channel.current.exists())
                    stuck = {p, channel.current};
        for (ProcessId p(0); !stuck.slot.exists() && p.number() < m_snapshot.dag.processes; p = p.next())
            for (const RankProcess::Enforcer &channel : process(p).channels)
                if (channel.next < channel.sequence.size())
                    stuck = {p, channel.sequence[channel.next]};
        std::vector<Stuck> walked;
        while (stuck.slot.exists() && std::find(walked.begin(), walked.end(), stuck) == walked.end()) {
            walked.push_back(stuck);
            auto [next, reason] = blockerOf(stuck);
            deadlock.cycle.push_back({stuck.process, nameOfSlot(stuck.slot), std::move(reason)});
            stuck = next;
        }
        if (const auto first = std::find(walked.begin(), walked.end(), stuck); first != walked.end())
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

    /// The motif that a stuck one waits for, and the reason.
    std::pair<Stuck, std::string> blockerOf(const Stuck &stuck) const {
        const RankProcess &own = process(stuck.process);
        const RankLayout::Slot &at = m_snapshot.layout.slot(stuck.slot);
        const RankProcess::Enforcer &channel = own.channels[at.channel.index()];
        if (own.states[stuck.slot.index()] == MotifState::Dispatched) {
            for (const ProcessId member :
                 m_snapshot.layout.members(stuck.slot, m_snapshot.layout.groupOf(stuck.slot, stuck.process)))
                if (process(member).states[stuck.slot.index()] < MotifState::Dispatched)
                    return {{member, blockedSlot(member, stuck.slot)},
                            fmt::format("runs it and waits for process {}", member.number())};
        }
        if (channel.current.exists())
            return {{stuck.process, channel.current}, "waits until its channel is free"};
        if (m_snapshot.isStrict && channel.next < channel.sequence.size() && channel.sequence[channel.next] != stuck.slot)
            return {{stuck.process, channel.sequence[channel.next]}, "waits for its turn"};
        for (const RankSlotId before : m_snapshot.layout.before(stuck.slot))
            if (m_snapshot.layout.groupOf(before, stuck.process).exists() && own.states[before.index()] != MotifState::Done)
                return {{stuck.process, before}, "waits for the motif before it"};
        return {{stuck.process, unfinishedMotifBefore(stuck.process, at.op, at.iteration)}, "waits for its collective's inputs"};
    }

    /// The motif that blocks a member at `slot`: a different one if it follows another plan.
    [[nodiscard]] RankSlotId blockedSlot(ProcessId member, RankSlotId slot) const {
        const RankLayout::Slot &at = m_snapshot.layout.slot(slot);
        const auto motifs = m_snapshot.layout.motifsOf(member, at.op, at.iteration);
        if (motifs.empty() || std::find(motifs.begin(), motifs.end(), slot) != motifs.end())
            return slot;
        for (const RankSlotId other : motifs)
            if (process(member).states[other.index()] != MotifState::Done)
                return other;
        const RankProcess::Enforcer &channel = process(member).channels[at.channel.index()];
        return channel.current.exists() ? channel.current : slot;
    }

    /// An unfinished motif that an op waits for: of its parents, or of those of the compute-op that the process is at.
    [[nodiscard]] RankSlotId unfinishedMotifBefore(ProcessId p, DagOpId op, std::int32_t iteration) const {
        const RankProcess &own = process(p);
        for (std::int32_t steps = 0; steps < 2 * static_cast<std::int32_t>(m_snapshot.dag.ops.size()) * m_snapshot.iterations;
             ++steps) {
            const OpInIteration before = unfinishedBefore(own, {op, iteration});
            if (!before.op.exists())
                break;
            if (!m_snapshot.dag.ops[before.op.index()].isCompute())
                for (const RankSlotId slot : m_snapshot.layout.motifsOf(p, before.op, before.iteration))
                    if (m_snapshot.layout.groupOf(slot, p).exists() && own.states[slot.index()] != MotifState::Done)
                        return slot;
            op = before.op;
            iteration = before.iteration;
        }
        return {};
    }

    /// An op of an iteration.
    struct OpInIteration {
        DagOpId op;
        std::int32_t iteration = 0;
    };
    /// The op that an op waits for: a parent that is not done, or else, for a compute-op, the op that the compute stream is at.
    /// None where it waits for neither.
    [[nodiscard]] OpInIteration unfinishedBefore(const RankProcess &own, const OpInIteration &waiting) const {
        const DagOp &op = m_snapshot.dag.ops[waiting.op.index()];
        const auto unfinished = [&](const std::vector<DagOpId> &parents, std::int32_t iteration) {
            const auto parent = std::find_if(parents.begin(), parents.end(),
                                             [&](DagOpId o) { return iteration >= 0 && !isDone(own, o, iteration); });
            return parent == parents.end() ? DagOpId() : *parent;
        };
        if (const DagOpId parent = unfinished(op.parents, waiting.iteration); parent.exists())
            return {parent, waiting.iteration};
        if (const DagOpId parent = unfinished(op.previousParents, waiting.iteration - 1); parent.exists())
            return {parent, waiting.iteration - 1};
        if (op.isCompute()) // the compute stream has not reached it
            return {m_snapshot.dag.computeOrder[own.computeNext], own.iteration};
        return {};
    }

    [[nodiscard]] std::string nameOfSlot(RankSlotId slot) const {
        const RankLayout::Slot &at = m_snapshot.layout.slot(slot);
        return fmt::format("\"{}: {}\" of iteration {}", m_snapshot.dag.ops[at.op.index()].name,
                           nameOf(m_snapshot.layout.motif(slot)), at.iteration);
    }

    [[nodiscard]] const RankProcess &process(ProcessId p) const { return m_snapshot.processes[p.index()]; }
    [[nodiscard]] bool isDone(const RankProcess &own, DagOpId op, std::int32_t iteration) const {
        return own.motifsLeft[asIndex(iteration) * m_snapshot.dag.ops.size() + op.index()] == 0;
    }

    const RankSnapshot &m_snapshot;
};

} // namespace

RankDeadlock findDeadlock(const RankSnapshot &snapshot) { return DeadlockSearch(snapshot).find(); }

} // namespace syncopate
