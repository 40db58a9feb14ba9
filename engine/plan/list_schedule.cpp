// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/list_schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <tuple>

namespace syncopate {

namespace {

constexpr std::int32_t unrolled = 8;        ///< iterations of a schedule: it settles within three or four
constexpr std::int32_t settled = 4;         ///< the iteration that orders are read off
constexpr std::int32_t pathIterations = 32; ///< of the bound: half of them warm up
constexpr double never = std::numeric_limits<double>::infinity();

std::size_t index(std::int32_t value) { return static_cast<std::size_t>(value); }

} // namespace

ListScheduler::ListScheduler(const TrainingDag &dag, const std::vector<Channel> &channels)
    : m_dag(&dag), m_children(dag.ops.size()), m_nextChildren(dag.ops.size()), m_nextComputed(dag.ops.size(), -1),
      m_submitted(dag.ops.size(), 0) {
    std::map<std::string, std::int32_t> links;
    for (const Channel &channel : channels) {
        std::vector<std::int32_t> own;
        for (const std::string &link : channel.links)
            own.push_back(links.try_emplace(link, static_cast<std::int32_t>(links.size())).first->second);
        m_linksOfChannel.push_back(std::move(own));
    }
    m_linkCount = static_cast<std::int32_t>(links.size());
    for (std::size_t s = 0; s < dag.submissionOrder.size(); ++s)
        m_submitted[index(dag.submissionOrder[s])] = static_cast<std::int32_t>(s);
    std::vector<std::int32_t> waiting(dag.ops.size(), 0);
    for (std::size_t o = 0; o < dag.ops.size(); ++o) {
        const DagOp &op = dag.ops[o];
        waiting[o] += static_cast<std::int32_t>(op.parents.size());
        for (const std::int32_t parent : op.parents)
            m_children[index(parent)].push_back(static_cast<std::int32_t>(o));
        for (const std::int32_t parent : op.previousParents)
            m_nextChildren[index(parent)].push_back(static_cast<std::int32_t>(o));
    }
    for (std::size_t c = 1; c < dag.computeOrder.size(); ++c) {
        m_nextComputed[index(dag.computeOrder[c - 1])] = dag.computeOrder[c];
        ++waiting[index(dag.computeOrder[c])];
    }
    for (std::size_t o = 0; o < dag.ops.size(); ++o)
        if (waiting[o] == 0)
            m_sorted.push_back(static_cast<std::int32_t>(o));
    for (std::size_t s = 0; s < m_sorted.size(); ++s) {
        const auto advance = [&](std::int32_t child) {
            if (child >= 0 && --waiting[index(child)] == 0)
                m_sorted.push_back(child);
        };
        const std::int32_t op = m_sorted[s]; // which grows
        std::for_each(m_children[index(op)].begin(), m_children[index(op)].end(), advance);
        advance(m_nextComputed[index(op)]);
    }
}

/// Seconds from the start of an op to the end of training of so many iterations, ops x iterations, were channels never busy.
std::vector<double> ListScheduler::levels(const std::vector<double> &opSeconds, std::int32_t iterations) const {
    const std::size_t ops = m_dag->ops.size();
    std::vector<double> level(ops * index(iterations), 0);
    for (std::size_t i = index(iterations); i-- > 0;)
        for (auto op = m_sorted.rbegin(); op != m_sorted.rend(); ++op) {
            double after = 0;
            const auto comesBefore = [&](std::int32_t child, std::size_t iteration) {
                if (child >= 0 && iteration < index(iterations))
                    after = std::max(after, level[iteration * ops + index(child)]);
            };
            for (const std::int32_t child : m_children[index(*op)])
                comesBefore(child, i);
            for (const std::int32_t child : m_nextChildren[index(*op)])
                comesBefore(child, i + 1);
            comesBefore(m_nextComputed[index(*op)], i);
            if (*op == m_dag->computeOrder.back())
                comesBefore(m_dag->computeOrder.front(), i + 1);
            level[i * ops + index(*op)] = after + opSeconds[index(*op)];
        }
    return level;
}

double ListScheduler::pathBoundSeconds(const std::vector<double> &seconds) const {
    std::vector<double> opSeconds = seconds;
    for (std::size_t o = 0; o < m_dag->ops.size(); ++o)
        if (m_dag->ops[o].isCompute())
            opSeconds[o] = m_dag->ops[o].seconds;
    const auto longest = [&](std::int32_t iterations) {
        const auto level = levels(opSeconds, iterations);
        return *std::max_element(level.begin(), level.begin() + static_cast<std::ptrdiff_t>(m_dag->ops.size()));
    };
    return (longest(pathIterations) - longest(pathIterations / 2)) / (pathIterations - pathIterations / 2);
}

/// One schedule in the making.
class ListRun {
public:
    ListRun(const ListScheduler &scheduler, const std::vector<PlannedMotif> &motifs, const std::vector<double> &seconds,
            MotifOrder order)
        : m_scheduler(scheduler), m_dag(*scheduler.m_dag), m_motifs(motifs), m_seconds(seconds), m_order(order),
          m_ops(m_dag.ops.size()), m_ready(scheduler.m_linksOfChannel.size()), m_running(m_ready.size(), -1),
          m_channelEnds(m_ready.size(), never), m_linkBusy(index(scheduler.m_linkCount), false),
          m_motifStart(motifs.size() * unrolled, 0), m_first(m_ops, 0), m_count(m_ops, 0) {
        for (std::size_t m = 0; m < motifs.size(); ++m)
            if (m_count[index(motifs[m].op)]++ == 0)
                m_first[index(motifs[m].op)] = static_cast<std::int32_t>(m);
        if (order == MotifOrder::CriticalPath)
            m_levels = scheduler.levels(estimates(), unrolled);
        m_waiting.assign(m_ops * unrolled, 0);
        m_motifsLeft.assign(m_ops * unrolled, 0);
        m_motifWaits.assign(motifs.size() * unrolled, 0);
        for (std::size_t i = 0; i < unrolled; ++i) {
            for (std::size_t o = 0; o < m_ops; ++o) {
                m_waiting[i * m_ops + o] = static_cast<std::int32_t>(m_dag.ops[o].parents.size()) +
                                           (i > 0 ? static_cast<std::int32_t>(m_dag.ops[o].previousParents.size()) : 0);
                m_motifsLeft[i * m_ops + o] = m_count[o];
            }
            for (std::size_t m = 0; m < motifs.size(); ++m)
                m_motifWaits[i * motifs.size() + m] = static_cast<std::int32_t>(motifs[m].motif.after.size()) + 1;
        }
    }

    ListSchedule run() {
        for (std::int32_t i = 0; i < unrolled; ++i)
            for (std::size_t o = 0; o < m_ops; ++o)
                if (m_waiting[index(i) * m_ops + o] == 0)
                    opReady(static_cast<std::int32_t>(o), i);
        for (;;) {
            dispatch();
            m_now = m_computeEnds;
            for (const double end : m_channelEnds)
                m_now = std::min(m_now, end);
            if (m_now == never)
                break;
            complete();
        }
        return result();
    }

private:
    /// Smaller first: class, key, iteration, place in the submission order, motif.
    using Ready = std::tuple<int, double, std::int32_t, std::int32_t, std::int32_t>;
    using ReadyQueue = std::priority_queue<Ready, std::vector<Ready>, std::greater<>>;

    /// A comm-op takes what its busiest channel does for it.
    [[nodiscard]] std::vector<double> estimates() const {
        std::vector<double> seconds(m_ops, 0), perChannel(m_ready.size());
        for (std::size_t o = 0; o < m_ops; ++o) {
            seconds[o] = m_dag.ops[o].seconds;
            std::fill(perChannel.begin(), perChannel.end(), 0);
            for (std::int32_t m = m_first[o]; m < m_first[o] + m_count[o]; ++m)
                seconds[o] = std::max(seconds[o], perChannel[index(m_motifs[index(m)].channel)] += m_seconds[index(m)]);
        }
        return seconds;
    }

    void opReady(std::int32_t op, std::int32_t iteration) {
        if (m_dag.ops[index(op)].isCompute()) // started by dispatch() in its turn
            return;
        if (m_count[index(op)] == 0)
            opDone(op, iteration);
        for (std::int32_t m = m_first[index(op)]; m < m_first[index(op)] + m_count[index(op)]; ++m)
            motifReady(m, iteration);
    }

    /// One of what a motif waits for is done.
    void motifReady(std::int32_t motif, std::int32_t iteration) {
        if (--m_motifWaits[index(iteration) * m_motifs.size() + index(motif)] > 0)
            return;
        const PlannedMotif &planned = m_motifs[index(motif)];
        int kind = 0;
        double key = m_now;
        switch (m_order) {
        case MotifOrder::Submission:
            break;
        case MotifOrder::LastSubmitted:
            key = -m_now;
            break;
        case MotifOrder::AllToAllFirst:
            kind = planned.motif.kind == CollectiveKind::AllToAll ? 0 : 1;
            break;
        case MotifOrder::CriticalPath:
            key = -m_levels[index(iteration) * m_ops + index(planned.op)];
            break;
        }
        m_ready[index(planned.channel)].push({kind, key, iteration, m_scheduler.m_submitted[index(planned.op)], motif});
    }

    void opDone(std::int32_t op, std::int32_t iteration) {
        const auto advance = [&](std::int32_t child, std::int32_t i) {
            if (--m_waiting[index(i) * m_ops + index(child)] == 0)
                opReady(child, i);
        };
        for (const std::int32_t child : m_scheduler.m_children[index(op)])
            advance(child, iteration);
        if (iteration + 1 < unrolled)
            for (const std::int32_t child : m_scheduler.m_nextChildren[index(op)])
                advance(child, iteration + 1);
    }

    void dispatch() {
        startCompute();
        for (;;) {
            std::size_t best = m_ready.size();
            for (std::size_t c = 0; c < m_ready.size(); ++c)
                if (isFree(c) && (best == m_ready.size() || m_ready[c].top() < m_ready[best].top()))
                    best = c;
            if (best == m_ready.size())
                return;
            const auto [kind, key, iteration, submitted, motif] = m_ready[best].top();
            m_ready[best].pop();
            m_running[best] = static_cast<std::int32_t>(index(iteration) * m_motifs.size() + index(motif));
            m_motifStart[index(m_running[best])] = m_now;
            m_channelEnds[best] = m_now + m_seconds[index(motif)];
            for (const std::int32_t link : m_scheduler.m_linksOfChannel[best])
                m_linkBusy[index(link)] = true;
        }
    }

    [[nodiscard]] bool isFree(std::size_t channel) const {
        const auto &links = m_scheduler.m_linksOfChannel[channel];
        return m_running[channel] < 0 && !m_ready[channel].empty() &&
               std::none_of(links.begin(), links.end(), [this](std::int32_t link) { return m_linkBusy[index(link)]; });
    }

    void startCompute() {
        if (m_computeEnds != never || m_computeNext >= m_dag.computeOrder.size() * unrolled)
            return;
        const auto iteration = static_cast<std::int32_t>(m_computeNext / m_dag.computeOrder.size());
        const std::int32_t op = m_dag.computeOrder[m_computeNext % m_dag.computeOrder.size()];
        if (m_waiting[index(iteration) * m_ops + index(op)] > 0)
            return;
        if (op == m_dag.computeOrder.front())
            m_iterationStart.push_back(m_now);
        m_computeEnds = m_now + m_dag.ops[index(op)].seconds;
    }

    void complete() {
        if (m_computeEnds <= m_now) {
            m_computeEnds = never;
            const auto iteration = static_cast<std::int32_t>(m_computeNext / m_dag.computeOrder.size());
            opDone(m_dag.computeOrder[m_computeNext++ % m_dag.computeOrder.size()], iteration);
        }
        for (std::size_t c = 0; c < m_ready.size(); ++c)
            if (m_channelEnds[c] <= m_now)
                motifDone(c);
    }

    void motifDone(std::size_t channel) {
        const std::size_t done = index(m_running[channel]);
        const auto iteration = static_cast<std::int32_t>(done / m_motifs.size());
        const auto motif = static_cast<std::int32_t>(done % m_motifs.size());
        m_running[channel] = -1;
        m_channelEnds[channel] = never;
        for (const std::int32_t link : m_scheduler.m_linksOfChannel[channel])
            m_linkBusy[index(link)] = false;
        const std::int32_t op = m_motifs[index(motif)].op, first = m_first[index(op)];
        for (std::int32_t other = motif + 1; other < first + m_count[index(op)]; ++other) {
            const auto &after = m_motifs[index(other)].motif.after;
            if (std::find(after.begin(), after.end(), motif - first) != after.end())
                motifReady(other, iteration);
        }
        if (--m_motifsLeft[index(iteration) * m_ops + index(op)] == 0)
            opDone(op, iteration);
    }

    /// The order of a settled iteration: where each of its motifs starts within the iteration that is going on then.
    [[nodiscard]] ListSchedule result() const {
        ListSchedule schedule;
        if (m_iterationStart.size() < unrolled) // an op waits for what never comes; validateDag() refuses such
            return {never, {}, {}};
        const double start = m_iterationStart[settled];
        schedule.iterationSeconds = (m_iterationStart[unrolled - 1] - start) / (unrolled - 1 - settled);
        const double period = std::max(m_iterationStart[settled + 1] - start, 1e-12);
        struct Placed {
            double start, phase; ///< of its iteration, and of the iteration that it starts in
            std::int32_t motif, later;
        };
        std::vector<std::vector<Placed>> placed(m_ready.size());
        for (std::size_t m = 0; m < m_motifs.size(); ++m) {
            const double at = m_motifStart[settled * m_motifs.size() + m] - start;
            const double later = std::clamp(std::floor(at / period + 1e-9), -16.0, 16.0);
            placed[index(m_motifs[m].channel)].push_back(
                {at, at - later * period, static_cast<std::int32_t>(m), static_cast<std::int32_t>(later)});
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

    const ListScheduler &m_scheduler;
    const TrainingDag &m_dag;
    const std::vector<PlannedMotif> &m_motifs;
    const std::vector<double> &m_seconds;
    MotifOrder m_order;
    std::size_t m_ops;
    std::vector<double> m_levels;
    double m_now = 0;
    std::vector<ReadyQueue> m_ready;     ///< per channel
    std::vector<std::int32_t> m_running; ///< per channel: motif of an iteration, -1 = idle
    std::vector<double> m_channelEnds;
    std::vector<bool> m_linkBusy;
    double m_computeEnds = never;
    std::size_t m_computeNext = 0; ///< into the compute order, iteration after iteration
    std::vector<double> m_iterationStart;
    std::vector<double> m_motifStart;           ///< iterations x motifs
    std::vector<std::int32_t> m_first, m_count; ///< the motifs of an op
    std::vector<std::int32_t> m_waiting;        ///< iterations x ops: parents that are not done
    std::vector<std::int32_t> m_motifsLeft;     ///< iterations x ops
    std::vector<std::int32_t> m_motifWaits;     ///< iterations x motifs: motifs before it, and its op
};

ListSchedule ListScheduler::schedule(const std::vector<PlannedMotif> &motifs, const std::vector<double> &seconds,
                                     MotifOrder order) const {
    return ListRun(*this, motifs, seconds, order).run();
}

} // namespace syncopate
