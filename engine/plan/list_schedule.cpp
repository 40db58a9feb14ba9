// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/list_schedule.h"

#include "engine/base/numbers.h"
#include "engine/plan/cycle_ratio.h"

#include <algorithm>
#include <map>

namespace syncopate {

namespace {

std::size_t placeOf(DagOpId op) { return op.index(); }
std::size_t placeOf(std::int32_t piece) { return asIndex(piece); } ///< of an op

/// Edges grouped by their first node, which is an op or a piece of one.
template <typename Edges, typename Node>
void gather(Edges &edges, std::size_t nodes, const std::vector<std::pair<Node, Node>> &pairs) {
    edges.offsets.assign(nodes + 1, 0);
    for (const auto &[from, to] : pairs)
        ++edges.offsets[placeOf(from) + 1];
    for (std::size_t n = 0; n < nodes; ++n)
        edges.offsets[n + 1] += edges.offsets[n];
    std::vector<std::int32_t> next(edges.offsets.begin(), edges.offsets.end() - 1);
    edges.to.resize(pairs.size());
    for (const auto &[from, to] : pairs)
        edges.to[asIndex(next[placeOf(from)]++)] = to;
}

} // namespace

ListedOp ListedOp::of(const std::vector<Motif> &motifs, const std::vector<ChannelId> &channels,
                      const std::vector<double> &seconds) {
    ListedOp listed;
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
    std::map<ChannelId, double> perChannel;
    for (std::size_t m = 0; m < motifs.size(); ++m) {
        listed.pieces.push_back({seconds[m], channels[m], static_cast<std::int32_t>(motifs[m].after.size())});
        for (const std::int32_t before : motifs[m].after)
            pairs.emplace_back(before, static_cast<std::int32_t>(m));
        listed.busiestSeconds = std::max(listed.busiestSeconds, perChannel[channels[m]] += seconds[m]);
    }
    struct {
        std::vector<std::int32_t> offsets, to;
    } edges;
    gather(edges, motifs.size(), pairs);
    listed.followerOffsets = std::move(edges.offsets);
    listed.followers = std::move(edges.to);
    return listed;
}

ListScheduler::ListScheduler(const TrainingDag &dag, const std::vector<Channel> &channels,
                             const std::vector<LinkSlowdown> &slowdowns)
    : m_dag(&dag), m_submitted(dag.ops.size(), 0) {
    std::map<std::string, std::int32_t> links;
    for (const Channel &channel : channels) {
        std::vector<std::int32_t> linkIds;
        for (const std::string &link : channel.links)
            linkIds.push_back(links.try_emplace(link, static_cast<std::int32_t>(links.size())).first->second);
        m_linksOfChannel.push_back(std::move(linkIds));
    }
    m_linkCount = static_cast<std::int32_t>(links.size());
    for (std::size_t c = 0; c < channels.size() && !slowdowns.empty(); ++c) {
        const LinkSlowdown *const slowdown = findSlowdown(slowdowns, channels[c]);
        m_slowdowns.push_back(slowdown ? std::optional(*slowdown) : std::nullopt);
    }
    for (std::size_t s = 0; s < dag.submissionOrder.size(); ++s)
        m_submitted[dag.submissionOrder[s].index()] = static_cast<std::int32_t>(s);
    gatherEdges();
    std::vector<std::int32_t> waiting(dag.ops.size(), 0);
    for (const DagOpId child : m_ordered.to)
        ++waiting[child.index()];
    for (std::size_t o = 0; o < dag.ops.size(); ++o)
        if (waiting[o] == 0)
            m_sorted.emplace_back(o);
    for (std::size_t s = 0; s < m_sorted.size(); ++s) {
        const std::size_t op = m_sorted[s].index(); // a copy: m_sorted grows
        for (std::int32_t e = m_ordered.offsets[op]; e < m_ordered.offsets[op + 1]; ++e)
            if (--waiting[m_ordered.to[asIndex(e)].index()] == 0)
                m_sorted.push_back(m_ordered.to[asIndex(e)]);
    }
}

void ListScheduler::gatherEdges() {
    const std::size_t ops = m_dag->ops.size();
    std::vector<std::pair<DagOpId, DagOpId>> now, later;
    m_waiting.assign(ops * unrolled, 0);
    for (std::size_t o = 0; o < ops; ++o) {
        const DagOp &op = m_dag->ops[o];
        for (const DagOpId parent : op.parents)
            now.emplace_back(parent, DagOpId(o));
        for (const DagOpId parent : op.previousParents)
            later.emplace_back(parent, DagOpId(o));
        for (std::size_t i = 0; i < unrolled; ++i)
            m_waiting[i * ops + o] = static_cast<std::int32_t>(op.parents.size() + (i > 0 ? op.previousParents.size() : 0));
    }
    gather(m_children, ops, now);
    gather(m_nextChildren, ops, later);
    const auto &order = m_dag->computeOrder;
    for (std::size_t c = 1; c < order.size(); ++c)
        now.emplace_back(order[c - 1], order[c]);
    if (!order.empty())
        later.emplace_back(order.back(), order.front());
    gather(m_ordered, ops, now);
    gather(m_nextOrdered, ops, later);
}

/// Seconds from each op's start to the end of the last iteration if channels were never busy; iterations x ops.
void ListScheduler::levels(const std::vector<double> &opSeconds, std::int32_t iterations, std::vector<double> &level) const {
    const std::size_t ops = m_dag->ops.size();
    level.assign(ops * asIndex(iterations), 0);
    for (std::size_t i = asIndex(iterations); i-- > 0;) {
        double *const present = level.data() + i * ops;
        const double *const next = i + 1 < asIndex(iterations) ? present + ops : nullptr;
        for (auto op = m_sorted.rbegin(); op != m_sorted.rend(); ++op) {
            const std::size_t o = op->index();
            double after = 0;
            for (std::int32_t e = m_ordered.offsets[o]; e < m_ordered.offsets[o + 1]; ++e)
                after = std::max(after, present[m_ordered.to[asIndex(e)].index()]);
            if (next != nullptr)
                for (std::int32_t e = m_nextOrdered.offsets[o]; e < m_nextOrdered.offsets[o + 1]; ++e)
                    after = std::max(after, next[m_nextOrdered.to[asIndex(e)].index()]);
            present[o] = after + opSeconds[o];
        }
    }
}

double ListScheduler::pathBoundSeconds(const std::vector<double> &seconds, const std::stop_token &stop) const {
    std::vector<double> opSeconds = seconds;
    for (std::size_t o = 0; o < m_dag->ops.size(); ++o)
        if (m_dag->ops[o].isCompute())
            opSeconds[o] = m_dag->ops[o].seconds;
    return CycleRatio(m_sorted, {m_ordered.offsets, m_ordered.to}, {m_nextOrdered.offsets, m_nextOrdered.to}, opSeconds)
        .largest(m_dag->computeSeconds(), stop);
}

} // namespace syncopate
