// SPDX-License-Identifier: GPL-3.0-or-later
// The event loop of list scheduling: compute-ops start in their given order, motifs as their channels become free.
#include "engine/plan/list_schedule.h"

#include "engine/base/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace syncopate {

namespace {

constexpr std::int32_t settled = 4; ///< the iteration whose order is returned, past the warm-up
constexpr double never = std::numeric_limits<double>::infinity();

} // namespace

/// One list schedule.
class ListRun {
public:
    ListRun(const ListScheduler &scheduler, const std::vector<const ListedOp *> &listed, MotifOrder order, ListWorkspace &w)
        : m_scheduler(scheduler), m_dag(*scheduler.m_dag), m_listed(listed), m_order(order), m_w(w), m_ops(m_dag.ops.size()) {
        const std::size_t channels = scheduler.m_linksOfChannel.size();
        w.ready.resize(channels);
        for (auto &heap : w.ready)
            heap.clear();
        w.running.assign(channels, -1);
        w.slowdown.assign(channels, 0);
        w.pace.assign(channels, 1);
        w.channelEnds.assign(channels, never);
        w.linkBusy.assign(asIndex(scheduler.m_linkCount), 0);
        w.iterationStart.clear();
        numberMotifs();
        if (order == MotifOrder::CriticalPath)
            scheduler.levels(w.opSeconds, unrolled, w.levels);
        w.waiting = scheduler.m_waiting;
        w.motifStart.resize(m_motifCount * unrolled);
        w.motifWaits.resize(m_motifCount * unrolled);
        for (std::size_t o = 0, m = 0; o < m_ops; ++o)
            if (m_listed[o] != nullptr)
                for (const ListedOp::Piece &piece : m_listed[o]->pieces)
                    w.motifWaits[m++] = piece.waits + 1;
        w.motifsLeft.resize(m_ops * unrolled);
        for (std::size_t o = 0; o < m_ops; ++o)
            w.motifsLeft[o] = w.first[o + 1].number() - w.first[o].number();
        for (std::size_t i = 1; i < unrolled; ++i) {
            std::copy_n(w.motifWaits.begin(), m_motifCount, w.motifWaits.begin() + static_cast<std::ptrdiff_t>(i * m_motifCount));
            std::copy_n(w.motifsLeft.begin(), m_ops, w.motifsLeft.begin() + static_cast<std::ptrdiff_t>(i * m_ops));
        }
    }

    void run() {
        for (std::int32_t i = 0; i < unrolled; ++i)
            for (std::size_t o = 0; o < m_ops; ++o)
                if (m_w.waiting[asIndex(i) * m_ops + o] == 0)
                    opReady(DagOpId(o), i);
        for (;;) {
            dispatch();
            m_now = m_computeEnds;
            for (const double end : m_w.channelEnds)
                m_now = std::min(m_now, end);
            if (m_now == never)
                break;
            complete();
        }
    }

    [[nodiscard]] double iterationSeconds() const {
        if (m_w.iterationStart.size() < unrolled) // an op waits for something that never happens, which validateDag() refuses
            return never;
        return (m_w.iterationStart[unrolled - 1] - m_w.iterationStart[settled]) / (unrolled - 1 - settled);
    }

    /// The order of a settled iteration: each motif at the phase of the iteration that is under way when it starts.
    [[nodiscard]] ListSchedule result() const {
        ListSchedule schedule;
        if (m_w.iterationStart.size() < unrolled) // an op waits for something that never happens, which validateDag() refuses
            return {never, {}, {}};
        const double start = m_w.iterationStart[settled];
        schedule.iterationSeconds = iterationSeconds();
        const double period = std::max(m_w.iterationStart[settled + 1] - start, 1e-12);
        struct Placed {
            double start, phase; ///< since the start of its own iteration, and of the iteration under way
            MotifId motif;
            std::int32_t later;
        };
        std::vector<std::vector<Placed>> placed(m_w.ready.size());
        for (std::size_t m = 0; m < m_motifCount; ++m) {
            const double at = m_w.motifStart[settled * m_motifCount + m] - start;
            const double later = std::clamp(std::floor(at / period + 1e-9), -16.0, 16.0);
            placed[pieceOf(MotifId(m)).channel.index()].push_back(
                {at, at - later * period, MotifId(m), static_cast<std::int32_t>(later)});
        }
        for (auto &channel : placed) {
            std::stable_sort(channel.begin(), channel.end(), [](const Placed &a, const Placed &b) { return a.start < b.start; });
            schedule.plainOrders.emplace_back();
            for (const Placed &each : channel)
                schedule.plainOrders.back().push_back({each.motif, 0});
            std::stable_sort(channel.begin(), channel.end(), [](const Placed &a, const Placed &b) { return a.phase < b.phase; });
            schedule.orders.emplace_back();
            for (const Placed &each : channel)
                schedule.orders.back().push_back({each.motif, -each.later});
        }
        return schedule;
    }

private:
    /// Numbers motifs by op. A comm-op lasts as long as its busiest channel works for it.
    void numberMotifs() {
        m_w.first.resize(m_ops + 1);
        m_w.opSeconds.resize(m_ops);
        m_w.opOf.clear();
        for (std::size_t o = 0; o < m_ops; ++o) {
            m_w.first[o] = MotifId(m_w.opOf.size());
            m_w.opSeconds[o] = m_listed[o] != nullptr ? m_listed[o]->busiestSeconds : m_dag.ops[o].seconds;
            if (m_listed[o] != nullptr)
                m_w.opOf.insert(m_w.opOf.end(), m_listed[o]->pieces.size(), DagOpId(o));
        }
        m_motifCount = m_w.opOf.size();
        m_w.first[m_ops] = MotifId(m_motifCount);
    }

    [[nodiscard]] const ListedOp::Piece &pieceOf(MotifId motif) const {
        const std::size_t op = m_w.opOf[motif.index()].index();
        return m_listed[op]->pieces[motif.index() - m_w.first[op].index()];
    }

    void opReady(DagOpId op, std::int32_t iteration) {
        if (m_dag.ops[op.index()].isCompute()) // dispatch() starts compute-ops in their order
            return;
        const MotifId first = m_w.first[op.index()], end = m_w.first[op.index() + 1];
        if (first == end)
            opDone(op, iteration);
        for (MotifId m = first; m < end; m = m.next())
            motifReady(m, iteration);
    }

    /// One of the ops or motifs that a motif waits for is done.
    void motifReady(MotifId motif, std::int32_t iteration) {
        if (--m_w.motifWaits[asIndex(iteration) * m_motifCount + motif.index()] > 0)
            return;
        const DagOpId op = m_w.opOf[motif.index()];
        int kind = 0;
        double key = m_now;
        // An application submits all collectives of an iteration before those of the next.
        std::int64_t turn = iteration * static_cast<std::int64_t>(m_ops) + m_scheduler.m_submitted[op.index()];
        switch (m_order) {
        case MotifOrder::Submission:
            break;
        case MotifOrder::LastSubmitted:
            key = -m_now;
            turn = -turn;
            break;
        case MotifOrder::AllToAllFirst:
            kind = m_dag.ops[op.index()].collective == CollectiveKind::AllToAll ? 0 : 1;
            break;
        case MotifOrder::CriticalPath:
            key = -m_w.levels[asIndex(iteration) * m_ops + op.index()];
            break;
        }
        auto &heap = m_w.ready[pieceOf(motif).channel.index()];
        heap.push_back({kind, key, turn, iteration, motif});
        std::push_heap(heap.begin(), heap.end(), comesLater);
    }
    static bool comesLater(const ListWorkspace::Ready &a, const ListWorkspace::Ready &b) { return b < a; }

    void opDone(DagOpId op, std::int32_t iteration) {
        const auto advance = [&](const ListScheduler::Edges &edges, std::int32_t i) {
            for (std::int32_t e = edges.offsets[op.index()]; e < edges.offsets[op.index() + 1]; ++e)
                if (const DagOpId child = edges.to[asIndex(e)]; --m_w.waiting[asIndex(i) * m_ops + child.index()] == 0)
                    opReady(child, i);
        };
        advance(m_scheduler.m_children, iteration);
        if (iteration + 1 < unrolled)
            advance(m_scheduler.m_nextChildren, iteration + 1);
    }

    void dispatch() {
        startCompute();
        auto &ready = m_w.ready;
        for (;;) {
            std::size_t best = ready.size();
            for (std::size_t c = 0; c < ready.size(); ++c)
                if (isFree(c) && (best == ready.size() || ready[c].front() < ready[best].front()))
                    best = c;
            if (best == ready.size())
                return;
            const std::int32_t iteration = ready[best].front().iteration;
            const MotifId motif = ready[best].front().motif;
            std::pop_heap(ready[best].begin(), ready[best].end(), comesLater);
            ready[best].pop_back();
            m_w.running[best] = static_cast<std::int32_t>(asIndex(iteration) * m_motifCount + motif.index());
            m_w.motifStart[asIndex(m_w.running[best])] = m_now;
            m_w.channelEnds[best] = m_now + pieceOf(motif).seconds;
            for (const std::int32_t link : m_scheduler.m_linksOfChannel[best])
                m_w.linkBusy[asIndex(link)] = 1;
            if (!m_scheduler.m_slowdowns.empty()) {
                if (const auto &slowdown = m_scheduler.m_slowdowns[best])
                    m_w.slowdown[best] = slowdown->factor(pieceOf(motif).seconds);
                m_w.pace[best] = 1;
                changePace();
            }
        }
    }

    /// Motifs that run at once slow each other down.
    void changePace() {
        for (std::size_t c = 0; c < m_w.running.size(); ++c) {
            if (m_w.running[c] < 0 || m_w.slowdown[c] == 0)
                continue;
            double pace = 1;
            for (std::size_t other = 0; other < m_w.running.size(); ++other)
                if (other != c && m_w.running[other] >= 0 && m_w.slowdown[other] > 0)
                    pace = std::min(pace, 2 / (m_w.slowdown[c] + m_w.slowdown[other]));
            if (pace == m_w.pace[c])
                continue;
            m_w.channelEnds[c] = m_now + (m_w.channelEnds[c] - m_now) * m_w.pace[c] / pace;
            m_w.pace[c] = pace;
        }
    }

    [[nodiscard]] bool isFree(std::size_t channel) const {
        const auto &links = m_scheduler.m_linksOfChannel[channel];
        return m_w.running[channel] < 0 && !m_w.ready[channel].empty() &&
               std::none_of(links.begin(), links.end(), [this](std::int32_t link) { return m_w.linkBusy[asIndex(link)] != 0; });
    }

    void startCompute() {
        if (m_computeEnds != never || m_computeIteration == unrolled)
            return;
        const std::size_t op = m_dag.computeOrder[m_computeNext].index();
        if (m_w.waiting[asIndex(m_computeIteration) * m_ops + op] > 0)
            return;
        if (m_computeNext == 0)
            m_w.iterationStart.push_back(m_now);
        m_computeEnds = m_now + m_dag.ops[op].seconds;
    }

    void complete() {
        if (m_computeEnds <= m_now) {
            m_computeEnds = never;
            const DagOpId op = m_dag.computeOrder[m_computeNext];
            const std::int32_t iteration = m_computeIteration;
            if (++m_computeNext == m_dag.computeOrder.size()) {
                m_computeNext = 0;
                ++m_computeIteration;
            }
            opDone(op, iteration);
        }
        for (std::size_t c = 0; c < m_w.channelEnds.size(); ++c)
            if (m_w.channelEnds[c] <= m_now)
                motifDone(c);
    }

    void motifDone(std::size_t channel) {
        const std::size_t done = asIndex(m_w.running[channel]);
        const auto iteration = static_cast<std::int32_t>(done / m_motifCount);
        const std::size_t motif = done % m_motifCount;
        m_w.running[channel] = -1;
        m_w.channelEnds[channel] = never;
        if (!m_scheduler.m_slowdowns.empty())
            changePace();
        for (const std::int32_t link : m_scheduler.m_linksOfChannel[channel])
            m_w.linkBusy[asIndex(link)] = 0;
        const DagOpId op = m_w.opOf[motif];
        const MotifId first = m_w.first[op.index()];
        const ListedOp &listed = *m_listed[op.index()];
        const std::size_t piece = motif - first.index();
        for (std::int32_t f = listed.followerOffsets[piece]; f < listed.followerOffsets[piece + 1]; ++f)
            motifReady(MotifId(first.number() + listed.followers[asIndex(f)]), iteration);
        if (--m_w.motifsLeft[asIndex(iteration) * m_ops + op.index()] == 0)
            opDone(op, iteration);
    }

    const ListScheduler &m_scheduler;
    const TrainingDag &m_dag;
    const std::vector<const ListedOp *> &m_listed; ///< per op; null for compute-ops
    MotifOrder m_order;
    static constexpr std::int32_t unrolled = ListScheduler::unrolled;
    ListWorkspace &m_w;
    std::size_t m_ops, m_motifCount = 0;
    double m_now = 0, m_computeEnds = never;
    std::size_t m_computeNext = 0; ///< index into the compute order
    std::int32_t m_computeIteration = 0;
};

double ListScheduler::iterationSeconds(const std::vector<const ListedOp *> &listed, MotifOrder order,
                                       ListWorkspace &workspace) const {
    ListRun run(*this, listed, order, workspace);
    run.run();
    return run.iterationSeconds();
}

ListSchedule ListScheduler::schedule(const std::vector<PlannedMotif> &motifs, const std::vector<double> &seconds,
                                     MotifOrder order) const {
    std::vector<ListedOp> ops(m_dag->ops.size());
    std::vector<const ListedOp *> listed(ops.size(), nullptr);
    for (std::size_t m = 0; m < motifs.size();) {
        const DagOpId op = motifs[m].op;
        std::vector<Motif> opMotifs;
        std::vector<ChannelId> channels;
        const std::size_t first = m;
        for (; m < motifs.size() && motifs[m].op == op; ++m) {
            opMotifs.push_back(motifs[m].motif);
            channels.push_back(motifs[m].channel);
        }
        ops[op.index()] = ListedOp::of(
            opMotifs, channels,
            {seconds.begin() + static_cast<std::ptrdiff_t>(first), seconds.begin() + static_cast<std::ptrdiff_t>(m)});
        listed[op.index()] = &ops[op.index()];
    }
    ListWorkspace workspace;
    ListRun run(*this, listed, order, workspace);
    run.run();
    return run.result();
}

} // namespace syncopate
