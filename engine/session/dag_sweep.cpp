// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/dag_sweep.h"

#include "engine/analyze/metrics.h"
#include "engine/plan/dag_catalogue.h"
#include "engine/plan/measured_costs.h"
#include "engine/session/dag_job.h"
#include "engine/session/explain_plan.h"
#include "engine/session/load_scenario.h"
#include "engine/session/plan_incast.h"

#include <fmt/format.h>
#include <memory>
#include <utility>

namespace syncopate {

namespace {

/// Plans and plays one point of a sweep; shared by all threads, as nothing in it changes.
struct DagPoint {
    std::string name, planner, plannerOption;
    PlanCosts costs; ///< as options give them; empty for a side of the explorer, whose measured times are in `base`
    DagJob base;     ///< for the cluster without knobs

    [[nodiscard]] Result<SweepPoint> at(const ScenarioRecipe &recipe, const std::stop_token &stop) const {
        DagJob dag = base;
        dag.job.cluster = withKnobs(*recipe.cluster, recipe.knobs);
        const Cluster &cluster = dag.job.cluster;
        PlanRequest &request = dag.task.request;
        if (isCatalogueDag(name))
            request.dag = std::make_shared<const TrainingDag>(TRY(loadTrainingDag(name, cluster)));
        request.channels = planChannels(cluster);
        request.costs = costsOfCluster(cluster, {request.channels, request.dag->processes}, dag.task.notes);
        if (!dag.task.clusterCosts)
            request.costs.takeMeasured(TRY(measuredFor(request, dag.task.notes)));
        TRY(setIncast(request, cluster, costs, dag.task.notes));
        const DagRun played = TRY(playDag(dag, planner, plannerOption, stop));
        return SweepPoint{.iterationSeconds = played.run->iterationSeconds,
                          .confidence = played.run->confidence,
                          .exposedSeconds = iterationStatistics(*played.run).exposedSeconds,
                          .nodes = static_cast<double>(cluster.nodes.size()),
                          .peakMemoryBytes = played.peakBytes};
    }

    /// Logs are of one number of ranks, so for other processes than those of `base` they are read again.
    [[nodiscard]] Result<MotifCosts> measuredFor(const PlanRequest &request, std::vector<std::string> &notes) const {
        if (costs.measured.empty() || request.dag->processes == base.task.request.dag->processes)
            return base.task.request.costs;
        return readMeasuredCosts(costs.measured, {request.channels, request.dag->processes}, notes);
    }
};

SweepJudge judgeOf(DagPoint point) {
    auto shared = std::make_shared<const DagPoint>(std::move(point));
    return [shared = std::move(shared)](const ScenarioRecipe &recipe, const std::stop_token &stop) {
        auto result = shared->at(recipe, stop);
        return result ? *std::move(result) : SweepPoint{.error = result.error().toString()};
    };
}

/// The plan of a side that follows the cluster.
Result<const Planned *> sweptPlan(const SessionState &state, Side side) {
    const auto *shown = std::get_if<Planned>(&state.side(side).source);
    if (!shown)
        return fail("shows no plan", "choose a planner for it");
    if (!shown->work->onCluster)
        return fail(fmt::format("{} has channels of its own, which no knob turns", shown->work->title),
                    "choose a planner for it");
    return shown;
}

} // namespace

Result<DagSweep> dagSweepOf(const ScenarioOptions &options, const PlanCosts &costs, std::int32_t seed) {
    const std::string planner = options.strategy.empty() ? usualPlanner : options.strategy;
    if (namesStrategyFile(planner))
        return fail(fmt::format("the plan of \"{}\" has channels of its own, which no knob turns", planner),
                    "name a planner, such as fifo or syndicate", "--strategy");
    DagJob base = TRY(loadDagJob(options, costs, seed));
    DagPoint point{options.job, planner, "--strategy", costs, std::move(base)};
    DagSweep sweep;
    sweep.recipe = TRY(settingsOf(options, seed));
    sweep.recipe.job = point.base.job.job;
    sweep.recipe.cluster = TRY(loadBareCluster(options.cluster, nullptr));
    sweep.recipe.strategy = BuiltStrategy{planner};
    const PlanRequest &request = point.base.task.request;
    sweep.inputs = {options.job, costs.incast, fmt::format("{}", seed),
                    writePlannedWork({.title = planner, .dag = *request.dag, .plan = {}, .costs = request.costs})};
    if (isCatalogueDag(options.job)) // at other numbers of processes than the base's, points read them again
        for (std::string &fingerprint : fingerprintsOf(costs.measured))
            sweep.inputs.push_back(std::move(fingerprint));
    sweep.judge = judgeOf(std::move(point));
    return sweep;
}

Result<DagSweep> dagSweepOf(const SessionState &state, Side side) {
    const auto shown = sweptPlan(state, side);
    if (!shown)
        return ofSide(shown.error(), side);
    const std::string planner = textOf(state.side(side).source);
    DagJob base;
    base.job.job = state.job;
    base.task = TRY(sideTask(state, side, {(*shown)->work, &(*shown)->work->dag}));
    DagSweep sweep;
    sweep.recipe = plannedRecipe(state, side);
    sweep.recipe.strategy = BuiltStrategy{planner};
    sweep.judge = judgeOf({state.source, planner, {}, {}, std::move(base)});
    return sweep;
}

Result<void> checkReachesPlans(const Dimension &knob, const std::string &dag, const Cluster &cluster) {
    const bool byProcesses = isCatalogueDag(dag);
    if (!reachesPlans(knob, byProcesses))
        return fail(fmt::format("{} does not reach plans of the training DAG \"{}\"", knob.id, dag),
                    byProcesses ? "sweep bandwidth, latency or workers" : "sweep bandwidth or latency");
    if (!cluster.namedChannels.empty() && reachesPlans(knob, false)) // of links
        return fail(fmt::format("the cluster's named channels have figures of their own, which {} does not turn", knob.id),
                    "change them in the cluster file, or name a cluster without channels");
    return {};
}

Result<void> checkSwept(const SessionState &state, Side side, const Dimension &knob) {
    if (const auto shown = sweptPlan(state, side); !shown)
        return ofSide(shown.error(), side);
    return checkReachesPlans(knob, state.source, *plannedRecipe(state, side).cluster);
}

} // namespace syncopate
