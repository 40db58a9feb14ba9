// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/plan_exhaustive.h"

#include "engine/search/plan_search.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

namespace syncopate {

namespace {

constexpr std::size_t maxCounted = 20; ///< collectives: they have 2e18 orders on one channel, too many to play

class WholePlans {
public:
    WholePlans(const TrainingDag &dag, const std::vector<Channel> &channels,
               const std::function<Result<void>(const ExecutionPlan &)> &visit)
        : m_plan{"exhaustive", dag.name, channels, {}, std::vector<std::vector<OrderEntry>>(channels.size())}, m_visit(visit) {
        std::vector<DagOpId> ops = dag.submissionOrder;
        std::sort(ops.begin(), ops.end()); // a plan's motifs are sorted by op
        for (const DagOpId op : ops)
            m_plan.motifs.push_back({op, {*dag.ops[op.index()].collective}, ChannelId(0)});
    }

    /// Puts the motifs from `motif` on into the order of a channel, at every place.
    Result<void> place(std::size_t motif) { // NOLINT(misc-no-recursion): as deep as there are collectives
        if (motif == m_plan.motifs.size())
            return shift(0);
        for (std::size_t c = 0; c < m_plan.orders.size(); ++c) {
            m_plan.motifs[motif].channel = ChannelId(c);
            for (std::size_t at = 0; at <= m_plan.orders[c].size(); ++at) {
                const auto place = static_cast<std::ptrdiff_t>(at);
                m_plan.orders[c].insert(m_plan.orders[c].begin() + place, {MotifId(motif), 0});
                TRY(this->place(motif + 1));
                m_plan.orders[c].erase(m_plan.orders[c].begin() + place);
            }
        }
        return {};
    }

private:
    /// Gives every set of entries of the channels from `channel` on an iteration ahead, but for the last of a channel: ahead of
    /// the others it would be the first.
    Result<void> shift(std::size_t channel) { // NOLINT(misc-no-recursion): as deep as there are channels
        if (channel == m_plan.orders.size())
            return m_visit(m_plan);
        std::vector<OrderEntry> &order = m_plan.orders[channel];
        const std::uint64_t sets = order.empty() ? 1 : std::uint64_t{1} << (order.size() - 1);
        for (std::uint64_t set = 0; set < sets; ++set) {
            for (std::size_t e = 0; e < order.size(); ++e)
                order[e].iterationOffset = static_cast<std::int32_t>(set >> e & 1);
            TRY(shift(channel + 1));
        }
        return {};
    }

    ExecutionPlan m_plan;
    const std::function<Result<void>(const ExecutionPlan &)> &m_visit;
};

} // namespace

double wholePlanCount(std::size_t collectives, std::size_t channels) {
    collectives = std::min(collectives, maxCounted);
    // A channel's sequence of k collectives can be shifted in 2^(k - 1) ways, an empty one in one. Orders of all n collectives
    // that are cut into sequences are n! times the ways to cut, which are counted by adding one channel after the other.
    std::vector<double> ways(collectives + 1, 0.0);
    ways[0] = 1;
    for (std::size_t channel = 0; channel < channels; ++channel)
        for (std::size_t n = collectives + 1; n-- > 0;)
            for (std::size_t k = 1; k <= n; ++k)
                ways[n] += ways[n - k] * std::exp2(static_cast<double>(k) - 1);
    return ways[collectives] * std::tgamma(static_cast<double>(collectives) + 1);
}

double exhaustiveTasksOf(const PlanRequest &request) {
    return wholePlanCount(request.dag->submissionOrder.size(), request.channels.size()) *
           static_cast<double>(request.dag->ops.size());
}

Result<void> visitWholePlans(const TrainingDag &dag, const std::vector<Channel> &channels,
                             const std::function<Result<void>(const ExecutionPlan &)> &visit) {
    assert(dag.submissionOrder.size() < 64);
    return WholePlans(dag, channels, visit).place(0);
}

} // namespace syncopate
