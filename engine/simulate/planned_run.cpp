// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/planned_run.h"

#include "engine/plan/plan_graph.h"

#include <algorithm>

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
