// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/load_plan.h"

#include "engine/base/packed_texts.h"
#include "engine/plan/dag_catalogue.h"
#include "engine/plan/measured_costs.h"
#include "engine/profile/chakra/chakra_recorded.h"
#include "engine/search/plan_search.h"
#include "engine/session/dag_job.h"
#include "engine/session/load_scenario.h"
#include "engine/session/plan_incast.h"
#include "engine/simulate/plan_memory.h"
#include "engine/strategy/expression.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

PlannedCollectives whichOf(const std::string &collectives) {
    return collectives == "gradients" ? PlannedCollectives::Gradients : PlannedCollectives::Recorded;
}

Result<RecordedDag> dagOfSource(const PlanSource &source, const std::string &collectives, const Cluster &cluster) {
    if (source.trace)
        return dagOfStep(*source.trace, nameOfTrace(source.name), 0, cluster.replicaCount(), source.name);
    const LoadedJob &job = source.job;
    if (collectives == "recorded" && !plannedStep(job.profile.get(), PlannedCollectives::Recorded))
        return fail(fmt::format("\"{}\" has no step with recorded collectives", source.name),
                    "give a PyTorch profile of distributed training, or leave out --collectives");
    return planDag(*job.job, job.profile.get(), whichOf(collectives), cluster, source.name);
}

/// The options about layers that are set.
std::vector<std::string> layerOptionsIn(const ScenarioOptions &options) {
    std::vector<std::string> set;
    for (const auto &[option, given] : {std::pair("--batch-size", options.batchSize > 0),
                                        {"--variables", !options.variables.empty()},
                                        {"--measured", !options.measured.empty()}})
        if (given)
            set.emplace_back(option);
    return set;
}

/// Empty where there is none.
std::string firstOf(const std::vector<std::string> &options) { return options.empty() ? std::string() : options.front(); }

} // namespace

Result<PlanSource> loadPlanSource(const ScenarioOptions &options, const std::string &collectives, const std::stop_token &stop) {
    PlanSource source{options.job, {}, {}, isCatalogueDag(options.job) || isTrainingDagFile(options.job)}; // may begin late
    if (source.isDag && !collectives.empty())
        return fail(fmt::format("\"{}\" is a training DAG, which has its collectives", options.job),
                    "leave out --collectives, which applies to profiles");
    if (source.isDag)
        return source;
    if (collectives != "gradients" && isChakraFile(options.job))
        source.trace = TRY(recordChakraFile(options.job, stop));
    else
        source.job = TRY(loadScenarioJob(options, stop));
    return source;
}

std::string unreadOptionIn(const PlanSource &source, const ScenarioOptions &options, const std::string &collectives) {
    if (source.isDag)
        return strategyOptionIn(options);
    if (source.trace) // nothing else of the file was read
        return firstOf(layerOptionsIn(options));
    if (!plannedStep(source.job.profile.get(), whichOf(collectives)))
        return {};
    ScenarioOptions given = options;
    given.variables.clear(); // sizes of a profile that lacks them
    return firstOf(layerOptionsIn(given));
}

Unexpected isNotRead(const std::string &option, const PlanSource &source) {
    if (source.isDag)
        return isAboutStrategies(option, source.name);
    return fail(
        fmt::format(
            "{} is about a job's layers, and for \"{}\" the recorded step is planned, which has collectives and times of its own",
            option, source.name),
        "leave it out, or plan the gradients of its layers instead");
}

Result<PlanJob> planJobOf(const PlanSource &source, Cluster cluster, const std::string &collectives) {
    PlanJob job{std::move(cluster), {}, source.job.job};
    if (source.isDag) {
        job.planned.dag = TRY(loadTrainingDag(source.name, job.cluster));
    } else {
        job.planned = TRY(dagOfSource(source, collectives, job.cluster));
        job.ofRecording = plannedStep(source.job.profile.get(), whichOf(collectives)) != nullptr;
        job.ofJob = !source.trace && !job.ofRecording;
    }
    if (!job.job)
        job.job = jobOfDag(job.planned.dag.name);
    return job;
}

Result<PlanJob> loadPlanJob(const ScenarioOptions &options, const std::string &collectives) {
    const PlanSource source = TRY(loadPlanSource(options, collectives));
    if (const std::string option = unreadOptionIn(source, options, collectives); !option.empty())
        return isNotRead(option, source);
    return planJobOf(source, TRY(loadCluster(options, source.job)), collectives);
}

Result<PlanTask> planTaskOf(PlanJob &job, const PlanCosts &costs, std::int32_t seed) {
    PlanTask task;
    PlanRequest &request = task.request;
    request.channels = planChannels(job.cluster);
    request.dag = std::make_shared<const TrainingDag>(std::move(job.planned.dag));
    request.seed = static_cast<std::uint64_t>(seed);
    task.ofJob = job.ofJob;
    task.ofRecording = job.ofRecording;
    task.notes = std::move(job.planned.notes);
    const CostsPlace place{request.channels, request.dag->processes};
    task.clusterCosts = costs.measured.empty();
    if (task.clusterCosts) {
        request.costs = costsOfCluster(job.cluster, place, task.notes);
    } else {
        request.costs = modelledCosts(job.cluster, request.channels);
        request.costs.takeMeasured(TRY(readMeasuredCosts(costs.measured, place, task.notes)));
    }
    TRY(checkGroupsOnNodes(*request.dag, request.costs.processesPerNode));
    TRY(setIncast(request, job.cluster, costs, task.notes));
    if (const std::int32_t gpus = job.cluster.replicaCount(); gpus != request.dag->processes)
        task.notes.push_back(fmt::format("The DAG has {} processes and the cluster {} GPUs: {} processes are planned, {} a node.",
                                         request.dag->processes, gpus, request.dag->processes,
                                         std::min(request.costs.processesPerNode, request.dag->processes)));
    return task;
}

Result<void> refusePlanCosts(const ScenarioOptions &options, const PlanCosts &costs) {
    for (const auto &[option, given] :
         {std::pair(&costs.measuredOption, !costs.measured.empty()), {&costs.incastOption, !costs.incast.empty()}})
        if (given)
            return fail(options.job.empty()
                            ? std::string("it gives the costs of a plan's motifs, and there is no training DAG to plan")
                            : fmt::format("it gives the costs of a plan's motifs, and \"{}\" is no training DAG", options.job),
                        "leave it out; plan takes it for any job", *option);
    return {};
}

Result<bool> playsPlans(const ScenarioOptions &options, const PlanCosts &costs) {
    if (namesTrainingDag(options.job))
        return true;
    TRY(refusePlanCosts(options, costs));
    return false;
}

std::string strategyOptionIn(const ScenarioOptions &options) { return firstOf(strategyOptionsIn(options)); }

std::vector<std::string> strategyOptionsIn(const ScenarioOptions &options) {
    const ScenarioOptions usual;
    std::vector<std::string> set;
    for (const auto &[option, given] : {std::pair("--policy", options.policy != usual.policy),
                                        {"--iterations", options.iterations != usual.iterations},
                                        {"--no-fold", !options.fold},
                                        {"--curves", !options.curves.empty()},
                                        {"--background", !options.background.empty()},
                                        {"--sharing", options.linkModel != usual.linkModel},
                                        {"--servers", options.servers >= 0}})
        if (given)
            set.emplace_back(option);
    const std::vector<std::string> ofLayers = layerOptionsIn(options);
    set.insert(set.end(), ofLayers.begin(), ofLayers.end());
    return set;
}

std::string clusterOptionIn(const ScenarioOptions &options) {
    for (const auto &[option, given] : {std::pair("--cluster", !options.cluster.empty()),
                                        {"--workers", options.workers > 0},
                                        {"--bandwidth", options.bandwidthGbits > 0},
                                        {"--latency", !options.latency.empty()}})
        if (given)
            return option;
    return {};
}

std::string keyOfOption(std::string option) {
    if (option == "--no-fold")
        return "fold";
    option.erase(0, option.find_first_not_of('-'));
    std::replace(option.begin(), option.end(), '-', '_');
    return option;
}

Unexpected isAboutStrategies(const std::string &option, const std::string &dag) {
    const std::string key = keyOfOption(option);
    const bool isOfLayers = key == "variables" || key == "measured" || key == "batch_size";
    return fail(
        isOfLayers ? fmt::format("{} is about a job's layers, and \"{}\" is a training DAG, which has none", option, dag)
                   : fmt::format("{} is about strategies, and \"{}\" is a training DAG, whose plans have motifs, channels and an "
                                 "order",
                                 option, dag),
        "leave it out");
}

Result<void> refuseStrategyOptions(const ScenarioOptions &options, std::initializer_list<std::pair<const char *, bool>> further) {
    if (const std::string option = strategyOptionIn(options); !option.empty())
        return isAboutStrategies(option, options.job);
    for (const auto &[option, given] : further)
        if (given)
            return isAboutStrategies(option, options.job);
    return {};
}

Result<DagJob> loadDagJob(const ScenarioOptions &options, const PlanCosts &costs, std::int32_t seed) {
    TRY(refuseStrategyOptions(options));
    if (options.cluster.empty())
        return fail("--cluster is required", "name a cluster of the catalogue, or a cluster file");
    DagJob dag{TRY(loadPlanJob(options, {})), {}, !costs.incast.empty()};
    dag.task = TRY(planTaskOf(dag.job, costs, seed));
    return dag;
}

Result<DagRun> playDag(const DagJob &dag, const std::string &planner, const std::string &option, const std::stop_token &stop) {
    const auto begin = std::chrono::steady_clock::now();
    DagRun dagRun;
    auto work = workOf(planner, dag.task, stop);
    if (!work && work.error().file.empty()) // those of a plan file name it
        work = inOption(std::move(work), option);
    dagRun.work = TRY(std::move(work));
    dagRun.work.onCluster = dagRun.work.onCluster && !dag.ownIncast;
    dagRun.run = TRY(plannedRun(dagRun.work, dag.job.job, dag.job.cluster, stop));
    const TrainingDag submitted = withSubmission(dagRun.work.dag, dagRun.work.plan.enforced);
    dagRun.played = TRY(playPlan(submitted, dagRun.work.plan, dagRun.work.costs, stop));
    dagRun.peakBytes = peakMemoryBytes(dagRun.work.dag, dagRun.played);
    dagRun.wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return dagRun;
}

bool DagLoader::isDag(const std::string &job) {
    return m_isDag.get(job, [&] { return namesTrainingDag(job); });
}

Result<DagJob> DagLoader::load(const ScenarioOptions &options, const PlanCosts &costs, std::int32_t seed) {
    const std::string key =
        packTexts({options.job, options.cluster, fmt::format("{}", options.workers), fmt::format("{}", options.bandwidthGbits),
                   options.latency, packTexts(costs.measured), costs.incast, costs.incastOption});
    const auto make = [&]() -> Result<std::shared_ptr<const DagJob>> {
        return std::make_shared<const DagJob>(TRY(loadDagJob(options, costs, seed)));
    };
    DagJob dag = *TRY(m_dags.get(key, make));
    dag.task.request.seed = static_cast<std::uint64_t>(seed);
    return dag;
}

} // namespace syncopate
