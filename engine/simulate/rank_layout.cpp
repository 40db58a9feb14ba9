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

/// membershipOf() of every process in the groups of an op.
std::vector<Membership> membershipsIn(const DagOp &op, std::int32_t processes) {
    std::vector<Membership> found;
    std::int32_t group = 0;
    for (const std::int32_t size : op.groupSizes) {
        for (std::int32_t member = 0; member < size; ++member)
            found.push_back({member, group});
        ++group;
    }
    for (std::int32_t p = 0; !op.isUneven() && p < processes; ++p)
        found.push_back(membershipOf(p, op.group, processes));
    return found;
}

/// The time of a motif alone: one value for equal groups, else one per group.
std::vector<double> aloneSecondsOf(const PlannedMotif &planned, const RankRequest &request, const Channel &channel) {
    const TrainingDag &dag = *request.dag;
    const DagOp &op = dag.ops[planned.op.index()];
    if (!op.isUneven())
        return {request.costs.seconds(planned.motif, op, dag.processes, channel)};
    std::vector<double> seconds;
    for (const std::int32_t size : op.groupSizes)
        seconds.push_back(request.costs.seconds(planned.motif, ofGroupSize(op, size), dag.processes, channel));
    return seconds;
}

} // namespace

RankLayout::RankLayout(const RankRequest &request, const std::stop_token &stop)
    : m_request(request), m_processes(request.dag->processes), m_channelLinks(request.plan->channels, request.costs.slowdowns) {
    for (std::int32_t p = 0; p < m_processes; ++p)
        for (const FluidLink &link : m_channelLinks.links())
            m_links.addLink(link);
    addSlots(0);
    if (request.nextPlan)
        addSlots(1);
    for (std::int32_t p = 0; p < m_processes && !stop.stop_requested(); ++p)
        addSequences(ProcessId(p));
}

void RankLayout::addSlots(std::int32_t number) {
    const ExecutionPlan &of = plan(number);
    const TrainingDag &dag = *m_request.dag;
    OfPlan &own = m_ofPlan[asIndex(number)];
    own.firstSlot = static_cast<std::int32_t>(m_slots.size());
    own.ranges = of.rangesByOp(dag.ops.size());
    for (const PlannedMotif &planned : of.motifs) {
        std::vector<double> seconds = aloneSecondsOf(planned, m_request, of.channels[planned.channel.index()]);
        const std::int32_t grouping = addGrouping(dag.ops[planned.op.index()], planned.motif.group);
        own.groupingOf.push_back(grouping);
        own.routeOf.push_back(addRoute(grouping, planned.channel, seconds));
        own.seconds.push_back(std::move(seconds));
    }
    for (std::int32_t i = 0; i < m_request.iterations; ++i)
        for (std::size_t m = 0; m < of.motifs.size(); ++m) {
            const PlannedMotif &planned = of.motifs[m];
            m_slots.push_back({number, MotifId(m), i, planned.op, planned.channel});
            m_instanceOf.push_back(m_instances);
            m_instances += m_groupings[asIndex(own.groupingOf[m])].members.size();
        }
}

std::int32_t RankLayout::addGrouping(const DagOp &op, const ProcessGroup &ofMotif) {
    const std::array<std::int32_t, 5> groups{op.group.size, op.group.stride, ofMotif.size, ofMotif.stride, ofMotif.every};
    const auto [known, isNew] =
        m_groupingNumbers.try_emplace({groups, op.groupSizes}, static_cast<std::int32_t>(m_groupings.size()));
    if (!isNew)
        return known->second;
    Grouping grouping;
    std::map<std::pair<std::int32_t, std::int32_t>, RankGroupId> numbers;
    const std::vector<Membership> memberships = membershipsIn(op, m_processes);
    for (std::int32_t p = 0; p < m_processes; ++p) {
        const Membership outer = memberships[asIndex(p)];
        grouping.groupOf.emplace_back();
        if (outer.member % ofMotif.every != 0)
            continue;
        const Membership inner = membershipOf(outer.member, ofMotif, op.membersAmong(m_processes));
        const RankGroupId group = numbers.try_emplace({outer.group, inner.group}, numbers.size()).first->second;
        grouping.members.resize(numbers.size());
        grouping.members[group.index()].emplace_back(p);
        grouping.groupOf.back() = group;
    }
    m_groupings.push_back(std::move(grouping));
    return known->second;
}

std::int32_t RankLayout::addRoute(std::int32_t grouping, ChannelId channel, const std::vector<double> &aloneSeconds) {
    std::vector<double> weights;
    for (const double seconds : aloneSeconds)
        weights.push_back(m_channelLinks.weight(channel, seconds));
    const auto [known, isNew] =
        m_routeNumbers.try_emplace({grouping, channel, weights}, static_cast<std::int32_t>(m_routes.size()));
    if (!isNew)
        return known->second;
    std::vector<PathId> &route = m_routes.emplace_back();
    const auto linksOfOne = static_cast<std::int32_t>(m_channelLinks.links().size());
    const auto &groups = m_groupings[asIndex(grouping)].members;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::vector<PathHop> ofOne = m_channelLinks.hops(channel, weights.size() == 1 ? weights.front() : weights[g]);
        std::vector<PathHop> hops;
        for (const ProcessId p : groups[g])
            for (const PathHop &hop : ofOne)
                hops.push_back({LinkId(p.number() * linksOfOne + hop.link.number()), hop.weight});
        route.push_back(m_links.addPath(hops));
    }
    return known->second;
}

void RankLayout::addSequences(ProcessId process) {
    m_places.emplace_back(m_slots.size(), -1);
    for (std::size_t c = 0; c < m_request.plan->channels.size(); ++c) {
        std::vector<RankSlotId> sequence;
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
                        if (const RankSlotId own = slotOf(number, entry.motif, IterationId(i)); groupOf(own, process).exists()) {
                            m_places.back()[own.index()] = static_cast<std::int32_t>(sequence.size());
                            sequence.push_back(own);
                        }
        };
        append(0, 0, changeOf(process));
        if (m_request.nextPlan)
            append(1, changeOf(process), m_request.iterations);
        m_sequences.push_back(std::move(sequence));
    }
}

std::int32_t RankLayout::changeOf(ProcessId process) const {
    return m_request.nextPlan ? std::clamp(m_request.changeAt[process.index()], 0, m_request.iterations) : m_request.iterations;
}

RankSlotId RankLayout::slotOf(std::int32_t number, MotifId motif, IterationId iteration) const {
    return RankSlotId(ofPlan(number).firstSlot + iteration.number() * static_cast<std::int32_t>(plan(number).motifs.size()) +
                      motif.number());
}

const Motif &RankLayout::motif(RankSlotId slot) const {
    const Slot &at = m_slots[slot.index()];
    return plan(at.plan).motifs[at.motif.index()].motif;
}

double RankLayout::seconds(RankSlotId slot, RankGroupId group) const {
    const Slot &at = m_slots[slot.index()];
    const std::vector<double> &seconds = ofPlan(at.plan).seconds[at.motif.index()];
    return seconds.size() == 1 ? seconds.front() : seconds[group.index()];
}

std::vector<RankSlotId> RankLayout::before(RankSlotId slot) const {
    const Slot &at = m_slots[slot.index()];
    std::vector<RankSlotId> slots;
    for (const std::int32_t earlier : motif(slot).after)
        slots.push_back(slotOf(at.plan, ofPlan(at.plan).ranges[at.op.index()].at(earlier), IterationId(at.iteration)));
    return slots;
}

std::vector<RankSlotId> RankLayout::followers(RankSlotId slot) const {
    const Slot &at = m_slots[slot.index()];
    const ExecutionPlan::Range &motifs = ofPlan(at.plan).ranges[at.op.index()];
    std::vector<RankSlotId> slots;
    for (std::int32_t m = 0; m < motifs.count; ++m)
        for (const std::int32_t earlier : plan(at.plan).motifs[motifs.at(m).index()].motif.after)
            if (motifs.at(earlier) == at.motif)
                slots.push_back(slotOf(at.plan, motifs.at(m), IterationId(at.iteration)));
    return slots;
}

std::vector<RankSlotId> RankLayout::motifsOf(ProcessId process, DagOpId op, std::int32_t iteration) const {
    const std::int32_t number = iteration < changeOf(process) ? 0 : 1;
    const ExecutionPlan::Range &motifs = ofPlan(number).ranges[op.index()];
    std::vector<RankSlotId> slots;
    for (std::int32_t m = 0; m < motifs.count; ++m)
        slots.push_back(slotOf(number, motifs.at(m), IterationId(iteration)));
    return slots;
}

const RankLayout::Grouping &RankLayout::groupingOf(RankSlotId slot) const {
    const Slot &at = m_slots[slot.index()];
    return m_groupings[asIndex(ofPlan(at.plan).groupingOf[at.motif.index()])];
}
RankGroupId RankLayout::groupOf(RankSlotId slot, ProcessId process) const { return groupingOf(slot).groupOf[process.index()]; }
const std::vector<ProcessId> &RankLayout::members(RankSlotId slot, RankGroupId group) const {
    return groupingOf(slot).members[group.index()];
}
std::size_t RankLayout::instance(RankSlotId slot, RankGroupId group) const { return m_instanceOf[slot.index()] + group.index(); }
PathId RankLayout::path(RankSlotId slot, RankGroupId group) const {
    const Slot &at = m_slots[slot.index()];
    return m_routes[asIndex(ofPlan(at.plan).routeOf[at.motif.index()])][group.index()];
}

const std::vector<RankSlotId> &RankLayout::sequence(ProcessId process, ChannelId channel) const {
    return m_sequences[process.index() * m_request.plan->channels.size() + channel.index()];
}
std::int32_t RankLayout::place(ProcessId process, RankSlotId slot) const { return m_places[process.index()][slot.index()]; }

} // namespace syncopate
