// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/dag_job.h"

#include "engine/base/units.h"
#include "engine/plan/dag_catalogue.h"

#include <fmt/format.h>
#include <utility>

namespace syncopate {

bool namesTrainingDag(const std::string &nameOrPath) { return isCatalogueDag(nameOrPath) || beginsAsDagFile(nameOrPath); }

Result<TrainingDag> loadTrainingDag(const std::string &nameOrPath, const Cluster &cluster) {
    if (!isCatalogueDag(nameOrPath))
        return readTrainingDagFile(nameOrPath);
    return catalogueDag(nameOrPath, cluster.replicaCount(), modelledCosts(cluster, planChannels(cluster)).processesPerNode);
}

std::shared_ptr<const Job> jobOfDag(const std::string &name) {
    Job job;
    job.name = name;
    job.batchSize = 0; // not known
    job.notes.emplace_back("The job is a training DAG: compute-ops and collectives, without layers, variables and samples.");
    return std::make_shared<const Job>(std::move(job));
}

bool showsDag(const SessionState &state) { return state.job && state.job->layers.empty() && !state.profile; }

Unexpected needsLayers(const std::string &dag, std::string remedy) {
    return fail(fmt::format("\"{}\" is a training DAG, which has no layers and variables to synchronise", dag),
                std::move(remedy));
}

bool reachesPlans(const Dimension &knob, bool byProcesses) {
    using Setting = Dimension::ClusterSetting;
    return knob.clusterSetting == Setting(&ClusterKnobs::bandwidthGbits) ||
           knob.clusterSetting == Setting(&ClusterKnobs::latencySeconds) ||
           (byProcesses && knob.clusterSetting == Setting(&ClusterKnobs::workers));
}

Result<PlannedWork> workOfFile(const std::string &path, const PlanTask &task) {
    ExecutionPlan plan = TRY(readExecutionPlanFile(path, *task.request.dag));
    return PlannedWork{.title = fmt::format("{} plan of {}", plan.name, plan.dag),
                       .dag = *task.request.dag,
                       .plan = std::move(plan),
                       .costs = task.request.costs,
                       .ofJob = task.ofJob,
                       .ofRecording = task.ofRecording,
                       .onCluster = false,
                       .clusterCosts = task.clusterCosts};
}

Result<PlannedWork> workOf(const std::string &planner, PlanTask task, const std::stop_token &stop) {
    if (namesStrategyFile(planner))
        return workOfFile(planner, task);
    task.method = TRY(readPlanMethod(planner, task.request));
    const FoundPlan found = TRY(findPlan(task.request, task.method, stop));
    if (!found.fits(task.request))
        return fail(fmt::format("no plan of {} was found that holds {} or less", nameOf(found.method),
                                formatBytes(task.request.maxBytes)),
                    "allow more memory, or choose another planner");
    return plannedWork(task, found);
}

std::shared_ptr<const TrainingDag> shownDag(const SessionState &state, Side side) {
    for (const Side of : {side, side == Side::A ? Side::B : Side::A})
        if (const auto *shown = std::get_if<Planned>(&state.side(of).source))
            return {shown->work, &shown->work->dag};
    return nullptr;
}

Result<PlanTask> sideTask(const SessionState &state, Side side, std::shared_ptr<const TrainingDag> dag) {
    PlanSettings settings{.dag = std::move(dag)};
    const auto *shown = std::get_if<Planned>(&state.side(side).source);
    if (shown && !shown->work->clusterCosts && !shown->work->costs.curves.empty())
        settings.costs = {shown->work, &shown->work->costs};
    SessionState own = state;
    if (state.side(side).cluster)
        own.cluster = state.side(side).cluster;
    return planTask(own, settings);
}

Result<Source> plannedBy(const SessionState &state, Side side, std::shared_ptr<const TrainingDag> dag, const std::string &planner,
                         const std::stop_token &stop) {
    const Source &present = state.side(side).source;
    PlannedWork work = TRY(workOf(planner, TRY(sideTask(state, side, std::move(dag))), stop));
    const std::string made = namesStrategyFile(planner) ? textOf(present) : planner;
    return Planned{std::make_shared<const PlannedWork>(std::move(work)), Built{made.empty() ? usualPlanner : made}};
}

Result<SessionState> plannedAgain(SessionState state, std::optional<Side> only, const std::stop_token &stop) {
    const SessionState before = state;
    for (const Side side : {Side::A, Side::B}) {
        const auto *shown = std::get_if<Planned>(&before.side(side).source);
        if (!shown || !shown->work->onCluster || (only && *only != side))
            continue;
        auto dag = shownDag(before, side);
        if (isCatalogueDag(state.source))
            dag = std::make_shared<const TrainingDag>(TRY(loadTrainingDag(state.source, effectiveCluster(state, side))));
        state.side(side).source = TRY(plannedBy(before, side, std::move(dag), textOf(before.side(side).source), stop));
    }
    return state;
}

} // namespace syncopate
