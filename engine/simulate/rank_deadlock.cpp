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
        Stuck at{-1, -1};
        for (std::int32_t p = 0; p < m_at.dag.processes && at.slot < 0; ++p)
            for (const RankProcess::Enforcer &channel : process(p).channels)
                if (channel.current >= 0)
                    at = {p, channel.current};
        if (at.slot < 0)
            for (const RankProcess::Enforcer &channel : process(0).channels)
                if (channel.next < channel.sequence.size())
                    at = {0, channel.sequence[channel.next]};
        std::vector<Stuck> walked;
        while (at.slot >= 0 && std::find(walked.begin(), walked.end(), at) == walked.end()) {
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
        std::int32_t process, slot;
        auto operator<=>(const Stuck &) const = default;
    };

    /// What a stuck motif waits for, and why.
    std::pair<Stuck, std::string> blockerOf(const Stuck &stuck) const {
        const RankProcess &own = process(stuck.process);
        const RankLayout::Slot &at = m_at.layout.slot(stuck.slot);
        const RankProcess::Enforcer &channel = own.channels[asIndex(at.channel)];
        if (own.states[asIndex(stuck.slot)] == MotifState::Dispatched) {
            for (const std::int32_t member : m_at.layout.members(stuck.slot, m_at.layout.groupOf(stuck.slot, stuck.process)))
                if (process(member).states[asIndex(stuck.slot)] < MotifState::Dispatched)
                    return {{member, blockedSlot(member, stuck.slot)}, fmt::format("runs it and waits for process {}", member)};
        }
        if (channel.current >= 0)
            return {{stuck.process, channel.current}, "waits until its channel is free"};
        if (m_at.isStrict && channel.next < channel.sequence.size() && channel.sequence[channel.next] != stuck.slot)
            return {{stuck.process, channel.sequence[channel.next]}, "waits for its turn"};
        for (const std::int32_t before : m_at.layout.before(stuck.slot))
            if (m_at.layout.groupOf(before, stuck.process) >= 0 && own.states[asIndex(before)] != MotifState::Done)
                return {{stuck.process, before}, "waits for the motif before it"};
        return {{stuck.process, unfinishedBefore(stuck.process, at.op, at.iteration)}, "waits for what its collective reads"};
    }

    /// The motif that blocks a member at `slot`: a different one if it follows another plan.
    [[nodiscard]] std::int32_t blockedSlot(std::int32_t member, std::int32_t slot) const {
        const RankLayout::Slot &at = m_at.layout.slot(slot);
        const auto motifs = m_at.layout.motifsOf(member, at.op, at.iteration);
        if (motifs.empty() || std::find(motifs.begin(), motifs.end(), slot) != motifs.end())
            return slot;
        for (const std::int32_t other : motifs)
            if (process(member).states[asIndex(other)] != MotifState::Done)
                return other;
        const RankProcess::Enforcer &channel = process(member).channels[asIndex(at.channel)];
        return channel.current >= 0 ? channel.current : slot;
    }

    /// An unfinished motif that an op waits for: of its parents, or of those of the compute-op that the process is at.
    [[nodiscard]] std::int32_t unfinishedBefore(std::int32_t p, std::int32_t op, std::int32_t iteration) const {
        const RankProcess &own = process(p);
        for (std::int32_t steps = 0; steps < 2 * static_cast<std::int32_t>(m_at.dag.ops.size()) * m_at.iterations; ++steps) {
            const auto unfinished = [&](const std::vector<std::int32_t> &parents, std::int32_t i) {
                const auto parent =
                    std::find_if(parents.begin(), parents.end(), [&](std::int32_t o) { return i >= 0 && !isDone(own, o, i); });
                return parent == parents.end() ? -1 : *parent;
            };
            std::int32_t of = iteration, parent = unfinished(m_at.dag.ops[asIndex(op)].parents, iteration);
            if (parent < 0)
                parent = unfinished(m_at.dag.ops[asIndex(op)].previousParents, of = iteration - 1);
            if (parent < 0 && m_at.dag.ops[asIndex(op)].isCompute()) // the compute stream has not reached the parent
                parent = m_at.dag.computeOrder[own.computeNext], of = own.iteration;
            if (parent < 0)
                break;
            if (!m_at.dag.ops[asIndex(parent)].isCompute())
                for (const std::int32_t slot : m_at.layout.motifsOf(p, parent, of))
                    if (m_at.layout.groupOf(slot, p) >= 0 && own.states[asIndex(slot)] != MotifState::Done)
                        return slot;
            op = parent;
            iteration = of;
        }
        return -1;
    }

    [[nodiscard]] std::string nameOfSlot(std::int32_t slot) const {
        const RankLayout::Slot &at = m_at.layout.slot(slot);
        return fmt::format("\"{}: {}\" of iteration {}", m_at.dag.ops[asIndex(at.op)].name, nameOf(m_at.layout.motif(slot)),
                           at.iteration);
    }

    [[nodiscard]] const RankProcess &process(std::int32_t p) const { return m_at.processes[asIndex(p)]; }
    [[nodiscard]] bool isDone(const RankProcess &own, std::int32_t op, std::int32_t iteration) const {
        return own.motifsLeft[asIndex(iteration) * m_at.dag.ops.size() + asIndex(op)] == 0;
    }

    const RankStanding &m_at;
};

} // namespace

RankDeadlock findDeadlock(const RankStanding &standing) { return DeadlockSearch(standing).find(); }

} // namespace syncopate
