// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/planned_run.h"

#include "engine/plan/plan_graph.h"
#include "engine/simulate/event_loop.h"
#include "engine/simulate/steady_state.h"

namespace syncopate {

namespace {

constexpr std::int32_t minIterations = 16, maxIterations = 256;
constexpr std::size_t maxTasks = 4'000'000;

/// The spans of the iteration two thirds on: the first ones settle, the last ones lack what would come after them.
std::vector<PlannedSpan> settledSpans(const TaskGraph &graph, const Schedule &schedule, const ExecutionPlan &plan,
                                      double iterationStart, std::int32_t iteration) {
    std::vector<PlannedSpan> spans;
    for (std::size_t t = 0; t < graph.size(); ++t) {
        if (graph.iteration[t] != iteration || graph.kind[t] == TaskKind::Join)
            continue;
        PlannedSpan span{graph.layer[t], graph.unit[t], -1, schedule.startSeconds[t] - iterationStart,
                         schedule.endSeconds[t] - iterationStart};
        if (span.motif >= 0)
            span.channel = plan.motifs[static_cast<std::size_t>(span.motif)].channel;
        spans.push_back(span);
    }
    return spans;
}

} // namespace

Result<PlannedRun> playPlan(const TrainingDag &dag, const ExecutionPlan &plan, const MotifCosts &costs,
                            const std::stop_token &stop) {
    if (2 * (dag.ops.size() + plan.motifs.size()) * minIterations > maxTasks)
        return fail("the plan has more ops and motifs than can be played", "cut collectives into fewer motifs");
    for (std::int32_t iterations = minIterations;; iterations *= 2) {
        const TaskGraph graph = TRY(planGraph(dag, plan, costs, iterations));
        const Schedule schedule = runEventLoop(graph, stop);
        if (stop.stop_requested())
            return cancelled();
        if (!schedule.complete)
            return internalError("a plan without a deadlock came to a halt");
        const SteadyState steady = steadyState(graph, schedule);
        if (!steady.isExact() && 2 * iterations <= maxIterations && 2 * graph.size() <= maxTasks)
            continue;
        const std::int32_t settled = 2 * iterations / 3;
        const auto starts = iterationStarts(graph, schedule);
        return PlannedRun{steady.secondsPerStep, dag.computeSeconds(),
                          settledSpans(graph, schedule, plan, starts.front()[static_cast<std::size_t>(settled)], settled),
                          steady.isExact()};
    }
}

} // namespace syncopate
