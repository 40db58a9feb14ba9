// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/plan_causes.h"

#include "engine/graph/task_kind.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace syncopate {

namespace {

constexpr auto ofTask = [](const auto &column, TaskId task) { return column[task.index()]; };

/// Facts about the tasks of a played plan that their graph does not have.
class PlanTasks {
public:
    explicit PlanTasks(const PlayedPlanView &played)
        : m_played(played), m_parents(played.run.graph), m_ranges(played.plan.rangesByOp(played.dag.ops.size())) {}

    /// The motif that a task carries out; none: a compute-op.
    [[nodiscard]] MotifId motifOf(TaskId task) const { return MotifId(ofTask(m_played.run.graph.unit, task).number()); }

    /// Seconds of a motif's task that do not depend on its bytes; measured costs do not state them.
    [[nodiscard]] double latencySeconds(TaskId task) const {
        const PlannedMotif &planned = m_played.plan.motifs[motifOf(task).index()];
        const DagOp &op = m_played.dag.ops[planned.op.index()];
        const Channel &channel = m_played.plan.channels[planned.channel.index()];
        Channel without = channel;
        without.latencySeconds = 0;
        const auto seconds = [&](const Channel &on) {
            return m_played.costs.seconds(planned.motif, op, m_played.dag.processes, on);
        };
        return seconds(channel) - seconds(without) +
               m_played.costs.launchSecondsOf(planned.motif, op, m_played.dag.processes, channel);
    }

    /// Whether motif `task` began when `before` ended only because `before` had their channel.
    [[nodiscard]] bool waitedForChannelOnly(TaskId before, TaskId task) const {
        const GraphRun &run = m_played.run;
        if (!motifOf(before).exists() || !motifOf(task).exists() || isDependency(before, task) ||
            ofTask(run.graph.queue, before) != ofTask(run.graph.queue, task))
            return false;
        for (std::uint32_t p = ofTask(m_parents.offsets, task); p < ofTask(m_parents.offsets, task.next()); ++p)
            if (const TaskId parent = m_parents.tasks[p];
                parent != before && run.arrivalSeconds(parent) >= ofTask(run.startSeconds, task))
                return false;
        return true;
    }

private:
    /// Whether `task` depends on `before`, both motifs of one channel.
    [[nodiscard]] bool isDependency(TaskId before, TaskId task) const {
        const TaskGraph &graph = m_played.run.graph;
        const DagOpId from(ofTask(graph.layer, before).number()), to(ofTask(graph.layer, task).number());
        const std::int32_t later = ofTask(graph.iteration, task) - ofTask(graph.iteration, before);
        const auto has = [](const auto &list, const auto &value) {
            return std::find(list.begin(), list.end(), value) != list.end();
        };
        if (later == 0 && from == to)
            return has(m_played.plan.motifs[motifOf(task).index()].motif.after, m_ranges[to.index()].numberOf(motifOf(before)));
        const DagOp &op = m_played.dag.ops[to.index()];
        return (later == 0 && has(op.parents, from)) || (later == 1 && has(op.previousParents, from));
    }

    const PlayedPlanView &m_played;
    const TaskParents m_parents;
    const std::vector<ExecutionPlan::Range> m_ranges;
};

/// Adds the pieces of chains to the shares of their collectives and channels.
class ShareCounter {
public:
    explicit ShareCounter(const PlayedPlanView &played)
        : m_played(played), m_ops(played.dag.ops.size()), m_channels(played.plan.channels.size()) {}

    void addPath(const CauseChain &chain) {
        const TaskGraph &graph = m_played.run.graph;
        bool turn = false; // whether the next motif of the path waited for the channel of this one only
        for (auto cause = chain.causes.rbegin(); cause != chain.causes.rend(); ++cause) {
            if (cause == chain.causes.rbegin() || cause->task != std::prev(cause)->task)
                turn = cause->throughQueue.exists();
            const bool isMotif = cause->kind != CauseKind::Start && ofTask(graph.unit, cause->task).exists();
            if (!isMotif && cause->kind != CauseKind::Start)
                m_computeSeconds += cause->seconds();
            forBoth(*cause, [&](PlanShare &share) {
                share.pathSeconds += cause->seconds();
                share.latencySeconds += cause->kind == CauseKind::Latency ? cause->seconds() : 0;
                share.sharingSeconds += cause->kind == CauseKind::Sharing ? cause->seconds() : 0;
                share.blockingSeconds += turn ? cause->seconds() : 0;
            });
        }
    }
    void addIdle(const CauseChain &chain) {
        for (const Cause &cause : chain.causes)
            forBoth(cause, [&](PlanShare &share) { share.idleSeconds += cause.seconds(); });
    }
    [[nodiscard]] PlanShares take() {
        PlanShares shares{m_computeSeconds, {}, std::move(m_channels)};
        for (std::size_t c = 0; c < shares.channels.size(); ++c)
            shares.channels[c].name = m_played.plan.channels[c].name;
        for (std::size_t o = 0; o < m_ops.size(); ++o)
            if (m_ops[o].pathSeconds > 0 || m_ops[o].idleSeconds > 0) {
                shares.collectives.push_back(std::move(m_ops[o]));
                shares.collectives.back().name = m_played.dag.ops[o].name;
            }
        std::stable_sort(shares.collectives.begin(), shares.collectives.end(), [](const PlanShare &a, const PlanShare &b) {
            return std::pair(a.pathSeconds, a.idleSeconds) > std::pair(b.pathSeconds, b.idleSeconds);
        });
        return shares;
    }

private:
    /// Calls `add` with the shares of a motif's collective and channel.
    template <class Add> void forBoth(const Cause &cause, const Add &add) {
        const UnitId unit = cause.kind == CauseKind::Start ? UnitId() : ofTask(m_played.run.graph.unit, cause.task);
        if (!unit.exists())
            return;
        const PlannedMotif &planned = m_played.plan.motifs[unit.index()];
        add(m_ops[planned.op.index()]);
        add(m_channels[planned.channel.index()]);
    }

    const PlayedPlanView &m_played;
    double m_computeSeconds = 0;
    std::vector<PlanShare> m_ops, m_channels;
};

/// The compute-ops of an iteration in the order of the compute stream, and the first one of the next.
std::vector<TaskId> computeTasks(const GraphRun &run, std::int32_t iteration) {
    const auto earlier = [&run](TaskId a, TaskId b) {
        const auto key = [&run](TaskId t) { return std::tuple(ofTask(run.startSeconds, t), ofTask(run.endSeconds, t), t); };
        return key(a) < key(b);
    };
    std::vector<TaskId> tasks, following;
    for (std::size_t t = 0; t < run.graph.size(); ++t)
        if (isCompute(run.graph.kind[t]) && run.graph.iteration[t] - iteration <= 1 && run.graph.iteration[t] >= iteration)
            (run.graph.iteration[t] == iteration ? tasks : following).emplace_back(t);
    std::sort(tasks.begin(), tasks.end(), earlier);
    if (!following.empty())
        tasks.push_back(*std::min_element(following.begin(), following.end(), earlier));
    return tasks;
}

} // namespace

CauseChain planChain(const CauseChain &chain, const PlayedPlanView &played) {
    const PlanTasks tasks(played);
    CauseChain made;
    made.fromSeconds = chain.fromSeconds;
    made.toSeconds = chain.toSeconds;
    for (const Cause &cause : chain.causes) {
        if (!made.causes.empty() && cause.kind != CauseKind::Start && made.causes.back().task != cause.task &&
            tasks.waitedForChannelOnly(made.causes.back().task, cause.task))
            made.causes.back().throughQueue = ofTask(played.run.graph.queue, cause.task);
        if (cause.kind != CauseKind::Transfer) {
            made.causes.push_back(cause);
            continue;
        }
        // As in other tasks, latency comes first.
        const double flows = std::clamp(ofTask(played.run.startSeconds, cause.task) + tasks.latencySeconds(cause.task),
                                        cause.startSeconds, cause.endSeconds);
        if (flows > cause.startSeconds)
            made.causes.push_back({CauseKind::Latency, cause.task, cause.startSeconds, flows, {}});
        if (flows < cause.endSeconds)
            made.causes.push_back({CauseKind::Transfer, cause.task, flows, cause.endSeconds, {}});
        made.causes.back().throughQueue = cause.throughQueue;
    }
    for (const Cause &cause : made.causes)
        made.secondsByKind[static_cast<std::size_t>(cause.kind)] += cause.seconds();
    return made;
}

PlanShares planShares(const CauseChain &chain, const CauseFinder &finder, const PlayedPlanView &played) {
    ShareCounter counter(played);
    counter.addPath(chain);
    const GraphRun &run = played.run;
    const std::vector<TaskId> compute = computeTasks(run, played.iteration);
    for (std::size_t c = 1; c < compute.size(); ++c)
        if (const double end = ofTask(run.endSeconds, compute[c - 1]); ofTask(run.startSeconds, compute[c]) > end)
            counter.addIdle(finder.ofStart(compute[c], end));
    return counter.take();
}

CauseWords planCauseWords(const Cause &cause, const CauseFinder &finder, const PlayedPlanView &played) {
    const UnitId unit = cause.kind == CauseKind::Start ? UnitId() : ofTask(played.run.graph.unit, cause.task);
    if (!unit.exists())
        return finder.words(cause);
    const std::size_t motif = unit.index();
    const Phrase text = phrase("%1, on %2", played.run.graph.units[motif].name,
                               played.plan.channels[played.plan.motifs[motif].channel.index()].name);
    return {text, text};
}

} // namespace syncopate
