// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/collective/collective_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace syncopate {

namespace {

/// Numbers replicas as ranks 0 to count-1, node by node or in a given order, and adds up messages between ranks to messages
/// between nodes.
class RoundMaker {
public:
    RoundMaker(const std::vector<std::int32_t> &replicas, const std::vector<std::int32_t> &order) : m_nodeOf(order) {
        for (std::size_t n = 0; order.empty() && n < replicas.size(); ++n)
            m_nodeOf.insert(m_nodeOf.end(), static_cast<std::size_t>(replicas[n]), static_cast<std::int32_t>(n));
        m_first.assign(replicas.size(), -1);
        for (std::int32_t r = 0; r < ranks(); ++r)
            if (std::int32_t &first = m_first[static_cast<std::size_t>(nodeOf(r))]; first < 0) {
                first = r;
                m_nodes.push_back(nodeOf(r));
            }
        m_in.assign(m_nodeOf.size(), 0);
        m_out.assign(m_nodeOf.size(), 0);
    }
    [[nodiscard]] std::int32_t ranks() const { return static_cast<std::int32_t>(m_nodeOf.size()); }
    /// Nodes that have ranks, in the order of their first ranks.
    [[nodiscard]] const std::vector<std::int32_t> &nodes() const { return m_nodes; }
    [[nodiscard]] std::size_t nodeCount() const { return m_first.size(); } ///< including nodes without ranks
    [[nodiscard]] std::int32_t leader(std::int32_t node) const { return m_first[static_cast<std::size_t>(node)]; }
    [[nodiscard]] std::int32_t nodeOf(std::int32_t rank) const { return m_nodeOf[static_cast<std::size_t>(rank)]; }

    void send(std::int32_t from, std::int32_t to, double share) {
        if (nodeOf(from) != nodeOf(to)) {
            m_between.push_back({nodeOf(from), nodeOf(to), share});
            return;
        }
        m_out[static_cast<std::size_t>(from)] += share;
        m_in[static_cast<std::size_t>(to)] += share;
        m_any = true;
    }
    [[nodiscard]] CollectiveRound take() {
        CollectiveRound round;
        std::stable_sort(m_between.begin(), m_between.end(), [](const NodeMessage &a, const NodeMessage &b) {
            return a.from != b.from ? a.from < b.from : a.to < b.to;
        });
        for (const NodeMessage &message : m_between) {
            if (!round.between.empty() && round.between.back().from == message.from && round.between.back().to == message.to)
                round.between.back().share += message.share;
            else
                round.between.push_back(message);
        }
        m_between.clear();
        if (m_any) {
            std::vector<double> busiest(m_first.size(), 0); // port of each node
            for (std::size_t r = 0; r < m_nodeOf.size(); ++r) {
                double &own = busiest[static_cast<std::size_t>(m_nodeOf[r])];
                own = std::max({own, m_in[r], m_out[r]});
                m_in[r] = m_out[r] = 0;
            }
            for (std::size_t n = 0; n < busiest.size(); ++n)
                if (busiest[n] > 0)
                    round.inside.push_back({static_cast<std::int32_t>(n), busiest[n]});
        }
        m_any = false;
        return round;
    }

private:
    std::vector<std::int32_t> m_nodeOf; ///< per rank
    std::vector<std::int32_t> m_first;  ///< per node: its first rank
    std::vector<std::int32_t> m_nodes;
    std::vector<NodeMessage> m_between;
    std::vector<double> m_in, m_out;
    bool m_any = false;
};

/// Every replica passes a piece of 1/ranks on to the next one.
CollectivePhase ring(RoundMaker &maker, std::int32_t times) {
    CollectivePhase phase;
    const std::int32_t n = maker.ranks();
    for (std::int32_t r = 0; r < n; ++r)
        maker.send(r, (r + 1) % n, 1.0 / n);
    phase.rounds = {maker.take()};
    phase.repeat = times * (n - 1);
    phase.isRing = true;
    return phase;
}

/// Binomial tree: in each round half of the ranks that still hold a sum send it to a partner; then back in reverse.
CollectivePhase tree(RoundMaker &maker) {
    CollectivePhase phase;
    const std::int32_t n = maker.ranks();
    std::int32_t far = 1;
    for (; far < n; far *= 2) {
        for (std::int32_t r = far; r < n; r += 2 * far)
            maker.send(r, r - far, 1);
        phase.rounds.push_back(maker.take());
    }
    for (far /= 2; far >= 1; far /= 2) {
        for (std::int32_t r = far; r < n; r += 2 * far)
            maker.send(r - far, r, 1);
        phase.rounds.push_back(maker.take());
    }
    return phase;
}

/// Recursive vector halving with distance doubling, and back (Rabenseifner 2004).
CollectivePhase halvingDoubling(RoundMaker &maker) {
    CollectivePhase phase;
    const std::int32_t n = maker.ranks();
    std::int32_t power = 1;
    while (2 * power <= n)
        power *= 2;
    const auto exchange = [&](std::int32_t distance, double share) {
        for (std::int32_t r = 0; r < power; ++r)
            maker.send(r, r ^ distance, share);
        phase.rounds.push_back(maker.take());
    };
    if (power < n) {
        for (std::int32_t r = power; r < n; ++r)
            maker.send(r, r - power, 1);
        phase.rounds.push_back(maker.take());
    }
    for (std::int32_t d = 1; d < power; d *= 2)
        exchange(d, 0.5 / d);
    for (std::int32_t d = power / 2; d >= 1; d /= 2)
        exchange(d, 0.5 / d);
    if (power < n) {
        for (std::int32_t r = power; r < n; ++r)
            maker.send(r - power, r, 1);
        phase.rounds.push_back(maker.take());
    }
    return phase;
}

/// As Horovod does it (nccl_operations.cc, NCCLHierarchicalAllreduce): a reduce-scatter in each node, all-reduces of the parts
/// between nodes, side by side, and an all-gather in each node; where nodes have different numbers of devices, a reduce to the
/// first device of each node, one all-reduce, and a broadcast.
std::vector<CollectivePhase> hierarchical(RoundMaker &maker) {
    std::vector<CollectivePhase> phases;
    std::vector<std::vector<std::int32_t>> ranksOf(maker.nodeCount());
    for (std::int32_t r = 0; r < maker.ranks(); ++r)
        ranksOf[static_cast<std::size_t>(maker.nodeOf(r))].push_back(r);
    const std::size_t devices = ranksOf[static_cast<std::size_t>(maker.nodes().front())].size();
    const bool alike = std::all_of(maker.nodes().begin(), maker.nodes().end(),
                                   [&](std::int32_t node) { return ranksOf[static_cast<std::size_t>(node)].size() == devices; });
    const auto inside = [&](bool up) {
        CollectivePhase phase;
        for (const std::vector<std::int32_t> &ranks : ranksOf)
            for (std::size_t d = alike ? 0 : 1; d < ranks.size(); ++d) {
                if (alike && ranks.size() > 1)
                    maker.send(ranks[d], ranks[(d + 1) % ranks.size()], 1 / static_cast<double>(devices));
                else if (!alike)
                    maker.send(up ? ranks[d] : ranks.front(), up ? ranks.front() : ranks[d], 1);
            }
        phase.rounds = {maker.take()};
        phase.repeat = alike ? static_cast<std::int32_t>(devices) - 1 : 1;
        if (!phase.rounds.front().inside.empty())
            phases.push_back(std::move(phase));
    };
    inside(true);
    const std::vector<std::int32_t> &nodes = maker.nodes();
    if (nodes.size() > 1) {
        CollectivePhase phase;
        phase.rounds.emplace_back();
        for (std::size_t i = 0; i < nodes.size(); ++i)
            phase.rounds.front().between.push_back(
                {nodes[i], nodes[(i + 1) % nodes.size()], 1 / static_cast<double>(nodes.size())});
        phase.repeat = 2 * (static_cast<std::int32_t>(nodes.size()) - 1);
        phase.isRing = true;
        phases.push_back(std::move(phase));
    }
    inside(false);
    return phases;
}

/// From the last node in order to the first (`up`), or back; within a node everything meets at its first device.
CollectivePhase chain(RoundMaker &maker, bool up) {
    CollectivePhase phase;
    phase.isPipelined = true;
    for (std::int32_t r = 0; r < maker.ranks(); ++r) {
        const std::int32_t leader = maker.leader(maker.nodeOf(r));
        if (r != leader)
            maker.send(up ? r : leader, up ? leader : r, 1);
    }
    const CollectiveRound inside = maker.take();
    if (up && !inside.inside.empty())
        phase.rounds.push_back(inside);
    const std::vector<std::int32_t> &nodes = maker.nodes();
    for (std::size_t hop = 1; hop < nodes.size(); ++hop) {
        CollectiveRound round;
        const std::size_t far = up ? nodes.size() - hop : hop;
        round.between.push_back(up ? NodeMessage{nodes[far], nodes[far - 1], 1} : NodeMessage{nodes[far - 1], nodes[far], 1});
        phase.rounds.push_back(std::move(round));
    }
    if (!up && !inside.inside.empty())
        phase.rounds.push_back(inside);
    return phase;
}

/// Round s: every replica sends its piece for the replica s places ahead.
CollectivePhase pairwise(RoundMaker &maker) {
    CollectivePhase phase;
    const std::int32_t n = maker.ranks();
    for (std::int32_t s = 1; s < n; ++s) {
        for (std::int32_t r = 0; r < n; ++r)
            maker.send(r, (r + s) % n, 1.0 / n);
        phase.rounds.push_back(maker.take());
    }
    return phase;
}

/// A single round: every replica sends its buffer to the next one.
CollectivePhase permuted(RoundMaker &maker) {
    for (std::int32_t r = 0; r < maker.ranks(); ++r)
        maker.send(r, (r + 1) % maker.ranks(), 1);
    CollectivePhase phase;
    phase.rounds.push_back(maker.take());
    return phase;
}

std::vector<CollectivePlan> plansOf(CollectiveKind kind, CollectiveAlgorithm algorithm, RoundMaker maker) {
    switch (kind) {
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::AllGather:
        return {{kind, {ring(maker, 1)}}};
    case CollectiveKind::Reduce:
        return {{kind, {chain(maker, true)}}};
    case CollectiveKind::Broadcast:
        return {{kind, {chain(maker, false)}}};
    case CollectiveKind::AllToAll:
        return {{kind, {pairwise(maker)}}};
    case CollectiveKind::Permute:
        return {{kind, {permuted(maker)}}};
    case CollectiveKind::AllReduce:
        break;
    }
    switch (algorithm) {
    case CollectiveAlgorithm::Tree:
        return {{kind, {tree(maker)}}};
    case CollectiveAlgorithm::HalvingDoubling:
        return {{kind, {halvingDoubling(maker)}}};
    case CollectiveAlgorithm::Hierarchical:
        return {{kind, hierarchical(maker)}};
    case CollectiveAlgorithm::ReduceScatterAllGather:
        return {{CollectiveKind::ReduceScatter, {ring(maker, 1)}}, {CollectiveKind::AllGather, {ring(maker, 1)}}};
    case CollectiveAlgorithm::BroadcastReduce:
        return {{CollectiveKind::Reduce, {chain(maker, true)}}, {CollectiveKind::Broadcast, {chain(maker, false)}}};
    case CollectiveAlgorithm::Ring:
        break;
    }
    return {{kind, {ring(maker, 2)}}};
}

} // namespace

std::vector<CollectivePlan> planCollective(CollectiveKind kind, CollectiveAlgorithm algorithm,
                                           const std::vector<std::int32_t> &replicas, const std::vector<std::int32_t> &order) {
    std::vector<CollectivePlan> plans = plansOf(kind, algorithm, RoundMaker(replicas, order));
    if (!order.empty())
        for (CollectivePlan &plan : plans)
            for (CollectivePhase &phase : plan.phases)
                phase.isRing = false;
    return plans;
}

bool isSymmetric(const CollectivePlan &plan, std::size_t nodes) {
    std::vector<double> out, in, inside;
    std::vector<std::int32_t> degree;
    for (const CollectivePhase &phase : plan.phases)
        for (const CollectiveRound &round : phase.rounds) {
            out.assign(nodes, 0);
            in.assign(nodes, 0);
            inside.assign(nodes, 0);
            degree.assign(nodes, 0);
            for (const NodeMessage &message : round.between) {
                out[static_cast<std::size_t>(message.from)] += message.share;
                in[static_cast<std::size_t>(message.to)] += message.share;
                ++degree[static_cast<std::size_t>(message.from)];
                if (message.share != round.between.front().share) // several flows of one size share a NIC equally
                    return false;
            }
            for (const PortLoad &load : round.inside)
                inside[static_cast<std::size_t>(load.node)] += load.share;
            for (std::size_t n = 1; n < nodes; ++n)
                if (out[n] != out[0] || in[n] != out[0] || inside[n] != inside[0] || degree[n] != degree[0])
                    return false;
        }
    return true;
}

std::int32_t chunkCount(double sizeBytes) {
    constexpr double chunkBytes = 512.0 * 1024;
    return static_cast<std::int32_t>(std::clamp(std::ceil(sizeBytes / chunkBytes), 1.0, 64.0));
}

} // namespace syncopate
