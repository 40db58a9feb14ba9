// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_dag.h"

#include "app/cli/dag_runs.h"
#include "engine/analyze/metrics.h"
#include "engine/plan/dag_catalogue.h"
#include "engine/plan/measured_costs.h"
#include "engine/session/dag_job.h"
#include "engine/session/load_scenario.h"
#include "engine/session/plan_incast.h"
#include "engine/simulate/plan_memory.h"

#include <fmt/format.h>
#include <memory>
#include <utility>

namespace syncopate::cli {

namespace {

/// Plans and plays one point of a sweep; shared by all threads, as nothing in it changes.
struct DagPoint {
    std::string name, planner;
    PlanCosts costs;
    DagJob base; ///< for the cluster without knobs

    [[nodiscard]] Result<SweepPoint> at(const ScenarioRecipe &recipe, const std::stop_token &stop) const {
        DagJob dag = base;
        dag.job.cluster = withKnobs(*recipe.cluster, recipe.knobs);
        const Cluster &cluster = dag.job.cluster;
        PlanRequest &request = dag.task.request;
        if (isCatalogueDag(name))
            request.dag = std::make_shared<const TrainingDag>(TRY(loadTrainingDag(name, cluster)));
        request.channels = planChannels(cluster);
        request.costs = costsOfCluster(cluster, {request.channels, request.dag->processes}, dag.task.notes);
        if (!costs.measured.empty())
            request.costs.takeMeasured(base.task.request.costs);
        TRY(setIncast(request, cluster, costs, dag.task.notes));
        const DagRun played = TRY(playDag(dag, planner, "--strategy", stop));
        return SweepPoint{.iterationSeconds = played.run->iterationSeconds,
                          .confidence = played.run->confidence,
                          .exposedSeconds = iterationStatistics(*played.run).exposedSeconds,
                          .nodes = static_cast<double>(cluster.nodes.size()),
                          .peakMemoryBytes = played.peakBytes};
    }
};

/// Refuses a knob at which every plan would be the same.
Result<void> checkReaches(const std::string &knob, const DagPoint &point, const Cluster &cluster) {
    const SweepAxis axis = TRY(inFile(parseSweepAxis(knob), "--knob"));
    const Dimension &dimension = scenarioSpace()[axis.dimension];
    const bool byProcesses = isCatalogueDag(point.name);
    if (!reachesPlans(dimension, byProcesses))
        return fail(fmt::format("{} does not reach plans of the training DAG \"{}\"", dimension.id, point.name),
                    byProcesses ? "sweep bandwidth, latency or workers" : "sweep bandwidth or latency", "--knob");
    if (!cluster.namedChannels.empty() && reachesPlans(dimension, false)) // of links
        return fail(fmt::format("the cluster's named channels have figures of their own, which {} does not turn", dimension.id),
                    "change them in the cluster file, or name a cluster without channels", "--knob");
    return {};
}

} // namespace

Result<DagSweep> dagSweepOf(const ScenarioOptions &options, const PlanCosts &costs, const std::vector<std::string> &knobs,
                            std::int32_t seed) {
    const std::string planner = options.strategy.empty() ? usualPlanner : options.strategy;
    if (namesStrategyFile(planner))
        return fail(fmt::format("the plan of \"{}\" has channels of its own, which no knob turns", planner),
                    "name a planner, such as fifo or syndicate", "--strategy");
    auto point = std::make_shared<DagPoint>(DagPoint{options.job, planner, costs, TRY(loadDagJob(options, costs, seed))});
    DagSweep sweep;
    sweep.recipe = TRY(settingsOf(options, seed));
    sweep.recipe.job = point->base.job.job;
    sweep.recipe.cluster = TRY(loadBareCluster(options.cluster, nullptr));
    sweep.recipe.strategy = BuiltStrategy{planner};
    for (const std::string &knob : knobs)
        TRY(checkReaches(knob, *point, *sweep.recipe.cluster));
    const PlanRequest &request = point->base.task.request;
    sweep.inputs = {options.job, costs.incast, fmt::format("{}", seed),
                    writePlannedWork({.title = planner, .dag = *request.dag, .plan = {}, .costs = request.costs})};
    sweep.judge = [point = std::shared_ptr<const DagPoint>(std::move(point))](const ScenarioRecipe &recipe,
                                                                              const std::stop_token &stop) {
        auto result = point->at(recipe, stop);
        return result ? *std::move(result) : SweepPoint{.error = result.error().toString()};
    };
    return sweep;
}

} // namespace syncopate::cli
