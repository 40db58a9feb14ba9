// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/planned_run.h"

#include "engine/plan/list_schedule.h"
#include "engine/plan/plan_graph.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace syncopate {

namespace {

constexpr std::int32_t minIterations = 16, maxPlannedIterations = 256;
constexpr std::size_t maxPlannedTasks = 4'000'000;

std::vector<PlannedSpan> settledSpans(const TaskGraph &graph, const Schedule &schedule, const ExecutionPlan &plan,
                                      double iterationStart, std::int32_t iteration) {
    std::vector<PlannedSpan> spans;
    for (std::size_t t = 0; t < graph.size(); ++t) {
        if (graph.iteration[t] != iteration || graph.kind[t] == TaskKind::Join)
            continue;
        PlannedSpan span{DagOpId(graph.layer[t].number()), MotifId(graph.unit[t].number()), ChannelId(),
                         schedule.startSeconds[t] - iterationStart, schedule.endSeconds[t] - iterationStart};
        if (span.motif.exists())
            span.channel = plan.motifs[span.motif.index()].channel;
        spans.push_back(span);
    }
    return spans;
}

/// The min iteration time of the plan in the long run: the work on its busiest link, and the longest cycle of ops that wait for
/// each other. A schedule that has not settled may be faster for hundreds of iterations, until it has used up a lead.
double longRunSeconds(const TrainingDag &dag, const ExecutionPlan &plan, const MotifCosts &costs, const std::stop_token &stop) {
    std::vector<double> opSeconds(dag.ops.size(), 0), ends(plan.motifs.size(), 0);
    std::map<std::string_view, double> linkSeconds;
    std::map<std::pair<DagOpId, ChannelId>, double> ofChannel; // of an op's motifs
    const auto ranges = plan.rangesByOp(dag.ops.size());
    for (std::size_t m = 0; m < plan.motifs.size(); ++m) {
        const PlannedMotif &planned = plan.motifs[m];
        const Channel &channel = plan.channels[planned.channel.index()];
        const double seconds = costs.seconds(planned.motif, dag.ops[planned.op.index()], dag.processes, channel);
        for (const std::string &link : channel.links)
            linkSeconds[link] += seconds;
        ends[m] = seconds;
        for (const std::int32_t before : planned.motif.after)
            ends[m] = std::max(ends[m], ends[ranges[planned.op.index()].at(before).index()] + seconds);
        double &op = opSeconds[planned.op.index()];
        op = std::max({op, ends[m], ofChannel[{planned.op, planned.channel}] += seconds});
    }
    double longest = ListScheduler(dag, plan.channels).pathBoundSeconds(opSeconds, stop);
    for (const auto &[link, seconds] : linkSeconds)
        longest = std::max(longest, seconds);
    return longest;
}

} // namespace

Result<PlayedPlan> playPlanTasks(const TrainingDag &dag, const ExecutionPlan &plan, const MotifCosts &costs,
                                 const std::stop_token &stop) {
    if (2 * (dag.ops.size() + plan.motifs.size()) * minIterations > maxPlannedTasks)
        return fail("the plan has more ops and motifs than can be played", "cut collectives into fewer motifs");
    for (std::int32_t iterations = minIterations;; iterations *= 2) {
        PlayedPlan played{TRY(planGraph(dag, plan, costs, iterations)), {}, {}, 2 * iterations / 3};
        played.schedule = runEventLoop(played.graph, stop);
        if (stop.stop_requested())
            return cancelled();
        if (!played.schedule.complete)
            return internalError("a plan without a deadlock came to a halt");
        played.steady = steadyState(played.graph, played.schedule);
        if (!played.steady.isExact() && 2 * iterations <= maxPlannedIterations && 2 * played.graph.size() <= maxPlannedTasks)
            continue;
        if (!played.steady.isExact())
            played.steady.secondsPerStep = std::max(played.steady.secondsPerStep, longRunSeconds(dag, plan, costs, stop));
        if (stop.stop_requested())
            return cancelled();
        return played;
    }
}

std::vector<OpSpan> opSpans(const TrainingDag &dag, const PlannedRun &run) {
    std::vector<OpSpan> spans(dag.ops.size());
    for (const PlannedSpan &span : run.spans) {
        OpSpan &of = spans[span.op.index()];
        of.startSeconds = std::min(of.startSeconds, span.startSeconds);
        of.endSeconds = std::max(of.endSeconds, span.endSeconds);
    }
    return spans;
}

Result<PlannedRun> playPlan(const TrainingDag &dag, const ExecutionPlan &plan, const MotifCosts &costs,
                            const std::stop_token &stop) {
    const PlayedPlan played = TRY(playPlanTasks(dag, plan, costs, stop));
    const auto starts = iterationStarts(played.graph, played.schedule);
    return PlannedRun{played.steady.secondsPerStep, dag.computeSeconds(),
                      settledSpans(played.graph, played.schedule, plan, starts.front()[static_cast<std::size_t>(played.settled)],
                                   played.settled),
                      played.steady.isExact()};
}

} // namespace syncopate
