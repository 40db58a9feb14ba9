// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/plan_orders.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace syncopate {

namespace {

constexpr std::int32_t farthestMove = 8; ///< places that a move shifts an entry by, at most
constexpr double same = 1e-9;            ///< relative difference that rounding makes

/// A move of one entry of a channel's order.
struct Move {
    ChannelId channel{0};
    std::size_t from = 0;
    ChannelId toChannel{0};
    std::size_t to = 0;
    std::int32_t later = 0; ///< iterations
};

ExecutionPlan moved(const ExecutionPlan &plan, const Move &move) {
    ExecutionPlan next = plan;
    auto &order = next.orders[move.channel.index()];
    OrderEntry entry = order[move.from];
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(move.from));
    entry.iterationOffset = std::clamp(entry.iterationOffset + move.later, -16, 16);
    auto &target = next.orders[move.toChannel.index()];
    target.insert(target.begin() + static_cast<std::ptrdiff_t>(move.to), entry);
    next.motifs[entry.motif.index()].channel = move.toChannel;
    return next;
}

/// Adds the moves of one entry of channel `c` to about the same place in the order of channel `other`, which may be its own.
void addMoves(const ExecutionPlan &plan, std::size_t c, std::size_t from, std::size_t other, std::vector<Move> &moves) {
    const auto places = static_cast<std::int32_t>(plan.orders[other].size() + (other == c ? 0 : 1));
    const auto about = static_cast<std::int32_t>(from * static_cast<std::size_t>(places) / plan.orders[c].size());
    for (std::int32_t to = std::max(0, about - farthestMove); to < std::min(places, about + farthestMove + 1); ++to)
        for (const std::int32_t later : {0, -1, 1})
            if (other != c || to != static_cast<std::int32_t>(from) || later != 0)
                moves.push_back({ChannelId(c), from, ChannelId(other), static_cast<std::size_t>(to), later});
}

/// All moves of a plan: of each entry to nearby places, and to about the same place in the other channels' orders.
std::vector<Move> movesOf(const ExecutionPlan &plan) {
    std::vector<Move> moves;
    for (std::size_t c = 0; c < plan.orders.size(); ++c)
        for (std::size_t from = 0; from < plan.orders[c].size(); ++from)
            for (std::size_t other = 0; other < plan.orders.size(); ++other)
                addMoves(plan, c, from, other, moves);
    return moves;
}

/// Identifies plans of the same motifs. A channel repeats its order, so its first entry does not matter: here it is listed from
/// the first motif of the plan, whose iteration counts as 0, and entries before that one follow an iteration later.
using Signature = std::vector<std::int32_t>;
Signature signatureOf(const ExecutionPlan &plan) {
    Signature signature;
    for (const auto &order : plan.orders) {
        signature.push_back(-1);
        const auto first = std::min_element(order.begin(), order.end(),
                                            [](const OrderEntry &a, const OrderEntry &b) { return a.motif < b.motif; });
        for (auto entry = first; entry != order.end(); ++entry)
            signature.insert(signature.end(), {entry->motif.number(), entry->iterationOffset - first->iterationOffset});
        for (auto entry = order.begin(); entry != first; ++entry)
            signature.insert(signature.end(), {entry->motif.number(), entry->iterationOffset - first->iterationOffset + 1});
    }
    return signature;
}

} // namespace

/// A local search under way.
struct OrderImprover::Walk {
    bool goesOn = false;    ///< also from plans that are no better
    std::int64_t leave = 0; ///< plays to leave unused
    std::set<Signature> seen;
    std::multimap<double, ExecutionPlan> open; ///< plans whose moves have not been tried yet
};

Result<std::optional<double>> OrderImprover::play(const ExecutionPlan &plan) {
    --m_playsLeft;
    const auto run = playPlan(m_dag, plan, m_costs, m_stop);
    if (run)
        return std::optional(m_costOf(*run));
    if (run.error().isCancelled())
        return cancelled();
    return std::optional<double>();
}

Result<bool> OrderImprover::tryMoves(const RankedPlan &from, Walk &walk, RankedPlan &best) {
    for (const Move &move : movesOf(from.item)) {
        if (m_stop.stop_requested())
            return cancelled();
        ExecutionPlan next = moved(from.item, move);
        if (!walk.seen.insert(signatureOf(next)).second)
            continue;
        if (m_playsLeft <= walk.leave || m_isOver())
            return false;
        const auto cost = TRY(play(next));
        if (!cost)
            continue;
        const bool isBetter = *cost < best.seconds * (1 - same);
        if (isBetter)
            best = {*cost, next};
        if (isBetter || walk.goesOn)
            walk.open.emplace(*cost, std::move(next));
        if (!isBetter)
            continue;
        if (walk.goesOn) // the moves of `from` that are left are tried later
            walk.open.emplace(from.seconds, from.item);
        break;
    }
    return true;
}

Result<void> OrderImprover::improve(RankedPlan &best, bool walksOn, std::int64_t most) {
    Walk walk{walksOn, m_playsLeft - std::min(most, m_playsLeft), {signatureOf(best.item)}, {{best.seconds, best.item}}};
    while (!walk.open.empty() && m_playsLeft > walk.leave && best.seconds > m_boundSeconds * (1 + same)) {
        const RankedPlan from{walk.open.begin()->first, std::move(walk.open.begin()->second)};
        walk.open.erase(walk.open.begin());
        if (!TRY(tryMoves(from, walk, best)))
            return {};
    }
    return {};
}

} // namespace syncopate
