// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/rank_layout.h"

#include "engine/base/numbers.h"

#include <algorithm>
#include <utility>

namespace syncopate {

namespace {

/// A process's index in its group, and the group's index among groups of its kind.
struct Membership {
    std::int32_t member, group;
};
Membership membershipOf(std::int32_t process, const ProcessGroup &group, std::int32_t processes) {
    const std::int32_t size = group.sizeAmong(processes), stride = group.stride;
    return {process / stride % size, process % stride + stride * (process / (stride * size))};
}

} // namespace

RankLayout::RankLayout(const RankRequest &request) : m_request(request), m_processes(request.dag->processes) {
    for (const Channel &channel : request.plan->channels)
        for (const std::string &link : channel.links)
            m_linkNumbers.try_emplace(link, static_cast<std::int32_t>(m_linkNumbers.size()));
    for (std::int32_t p = 0; p < m_processes; ++p)
        for (std::size_t l = 0; l < m_linkNumbers.size(); ++l)
            m_links.addLink({.name = {}, .bytesPerSecond = 1});
    addSlots(0);
    if (request.nextPlan)
        addSlots(1);
    for (std::int32_t p = 0; p < m_processes; ++p)
        addSequences(p);
}

void RankLayout::addSlots(std::int32_t number) {
    const ExecutionPlan &of = plan(number);
    const TrainingDag &dag = *m_request.dag;
    m_firstSlot[asIndex(number)] = static_cast<std::int32_t>(m_slots.size());
    m_ranges[asIndex(number)] = of.rangesByOp(dag.ops.size());
    std::vector<double> seconds;
    for (const PlannedMotif &planned : of.motifs) {
        const DagOp &op = dag.ops[asIndex(planned.op)];
        seconds.push_back(m_request.costs.seconds(planned.motif, op, m_processes, of.channels[asIndex(planned.channel)]));
        const std::int32_t grouping = addGrouping(op.group, planned.motif.group);
        addPaths(m_groupings[asIndex(grouping)], planned.channel);
        m_groupingOf[asIndex(number)].push_back(grouping);
    }
    for (std::int32_t i = 0; i < m_request.iterations; ++i)
        for (std::size_t m = 0; m < of.motifs.size(); ++m) {
            const PlannedMotif &planned = of.motifs[m];
            m_slots.push_back({number, static_cast<std::int32_t>(m), i, planned.op, planned.channel, seconds[m]});
            m_instanceOf.push_back(m_instances);
            m_instances += m_groupings[asIndex(m_groupingOf[asIndex(number)][m])].members.size();
        }
}

std::int32_t RankLayout::addGrouping(const ProcessGroup &ofOp, const ProcessGroup &ofMotif) {
    const auto [known, isNew] = m_groupingNumbers.try_emplace(
        {ofOp.size, ofOp.stride, ofMotif.size, ofMotif.stride, ofMotif.every}, static_cast<std::int32_t>(m_groupings.size()));
    if (!isNew)
        return known->second;
    Grouping grouping;
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> numbers;
    for (std::int32_t p = 0; p < m_processes; ++p) {
        const Membership outer = membershipOf(p, ofOp, m_processes);
        grouping.groupOf.push_back(-1);
        if (outer.member % ofMotif.every != 0)
            continue;
        const Membership inner = membershipOf(outer.member, ofMotif, ofOp.sizeAmong(m_processes));
        const auto group =
            numbers.try_emplace({outer.group, inner.group}, static_cast<std::int32_t>(numbers.size())).first->second;
        grouping.members.resize(numbers.size());
        grouping.members[asIndex(group)].push_back(p);
        grouping.groupOf.back() = group;
    }
    m_groupings.push_back(std::move(grouping));
    return known->second;
}

void RankLayout::addPaths(Grouping &grouping, std::int32_t channel) {
    const auto [paths, isNew] = grouping.paths.try_emplace(channel);
    if (!isNew)
        return;
    for (const std::vector<std::int32_t> &members : grouping.members) {
        std::vector<PathHop> hops;
        for (const std::int32_t p : members)
            for (const std::string &link : m_request.plan->channels[asIndex(channel)].links)
                hops.push_back({p * static_cast<std::int32_t>(m_linkNumbers.size()) + m_linkNumbers.at(link), 1});
        paths->second.emplace_back(m_links.addPath(hops));
    }
}

void RankLayout::addSequences(std::int32_t process) {
    m_places.emplace_back(m_slots.size(), -1);
    for (std::size_t c = 0; c < m_request.plan->channels.size(); ++c) {
        std::vector<std::int32_t> sequence;
        // Appends the order of each iteration in turn, leaving out entries of iterations that belong to another plan.
        const auto append = [&](std::int32_t number, std::int32_t from, std::int32_t end) {
            const std::vector<OrderEntry> &order = plan(number).orders[c];
            std::int32_t ahead = 0, behind = 0;
            for (const OrderEntry &entry : order) {
                ahead = std::max(ahead, entry.iterationOffset);
                behind = std::min(behind, entry.iterationOffset);
            }
            for (std::int32_t base = from - ahead; base < end - behind; ++base)
                for (const OrderEntry &entry : order)
                    if (const std::int32_t i = base + entry.iterationOffset; i >= from && i < end)
                        if (const std::int32_t own = slotOf(number, entry.motif, i); groupOf(own, process) >= 0) {
                            m_places.back()[asIndex(own)] = static_cast<std::int32_t>(sequence.size());
                            sequence.push_back(own);
                        }
        };
        append(0, 0, changeOf(process));
        if (m_request.nextPlan)
            append(1, changeOf(process), m_request.iterations);
        m_sequences.push_back(std::move(sequence));
    }
}

std::int32_t RankLayout::changeOf(std::int32_t process) const {
    return m_request.nextPlan ? std::clamp(m_request.changeAt[asIndex(process)], 0, m_request.iterations) : m_request.iterations;
}

std::int32_t RankLayout::slotOf(std::int32_t number, std::int32_t motif, std::int32_t iteration) const {
    return m_firstSlot[asIndex(number)] + iteration * static_cast<std::int32_t>(plan(number).motifs.size()) + motif;
}

const Motif &RankLayout::motif(std::int32_t slot) const {
    const Slot &at = m_slots[asIndex(slot)];
    return plan(at.plan).motifs[asIndex(at.motif)].motif;
}

std::vector<std::int32_t> RankLayout::before(std::int32_t slot) const {
    const Slot &at = m_slots[asIndex(slot)];
    std::vector<std::int32_t> slots;
    for (const std::int32_t earlier : motif(slot).after)
        slots.push_back(slotOf(at.plan, m_ranges[asIndex(at.plan)][asIndex(at.op)].first + earlier, at.iteration));
    return slots;
}

std::vector<std::int32_t> RankLayout::followers(std::int32_t slot) const {
    const Slot &at = m_slots[asIndex(slot)];
    const auto [first, count] = m_ranges[asIndex(at.plan)][asIndex(at.op)];
    std::vector<std::int32_t> slots;
    for (std::int32_t m = first; m < first + count; ++m)
        for (const std::int32_t earlier : plan(at.plan).motifs[asIndex(m)].motif.after)
            if (first + earlier == at.motif)
                slots.push_back(slotOf(at.plan, m, at.iteration));
    return slots;
}

std::vector<std::int32_t> RankLayout::motifsOf(std::int32_t process, std::int32_t op, std::int32_t iteration) const {
    const std::int32_t number = iteration < changeOf(process) ? 0 : 1;
    const auto [first, count] = m_ranges[asIndex(number)][asIndex(op)];
    std::vector<std::int32_t> slots;
    for (std::int32_t m = first; m < first + count; ++m)
        slots.push_back(slotOf(number, m, iteration));
    return slots;
}

const RankLayout::Grouping &RankLayout::groupingOf(std::int32_t slot) const {
    const Slot &at = m_slots[asIndex(slot)];
    return m_groupings[asIndex(m_groupingOf[asIndex(at.plan)][asIndex(at.motif)])];
}
std::int32_t RankLayout::groupOf(std::int32_t slot, std::int32_t process) const {
    return groupingOf(slot).groupOf[asIndex(process)];
}
const std::vector<std::int32_t> &RankLayout::members(std::int32_t slot, std::int32_t group) const {
    return groupingOf(slot).members[asIndex(group)];
}
std::size_t RankLayout::instance(std::int32_t slot, std::int32_t group) const {
    return m_instanceOf[asIndex(slot)] + asIndex(group);
}
PathId RankLayout::path(std::int32_t slot, std::int32_t group) const {
    return groupingOf(slot).paths.at(m_slots[asIndex(slot)].channel)[asIndex(group)];
}

const std::vector<std::int32_t> &RankLayout::sequence(std::int32_t process, std::size_t channel) const {
    return m_sequences[asIndex(process) * m_request.plan->channels.size() + channel];
}
std::int32_t RankLayout::place(std::int32_t process, std::int32_t slot) const {
    return m_places[asIndex(process)][asIndex(slot)];
}

} // namespace syncopate
