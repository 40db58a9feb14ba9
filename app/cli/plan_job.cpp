// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_job.h"

#include "app/cli/plan_incast.h"
#include "engine/plan/dag_catalogue.h"
#include "engine/plan/measured_costs.h"
#include "engine/profile/chakra/chakra_recorded.h"
#include "engine/session/dag_job.h"
#include "engine/session/load_scenario.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace syncopate::cli {

namespace {

/// What is read before the number of processes is known.
struct Loaded {
    LoadedJob job; ///< empty if the DAG needs none
    std::optional<RecordedStep> trace;
};

Result<Loaded> load(const ScenarioOptions &options, const std::string &collectives) {
    Loaded loaded;
    if (collectives != "gradients" && isChakraFile(options.job))
        loaded.trace = TRY(recordChakraFile(options.job));
    else
        loaded.job = TRY(loadScenarioJob(options));
    return loaded;
}

Result<RecordedDag> dagOf(const Loaded &loaded, const std::string &file, const std::string &collectives, std::int32_t processes) {
    if (loaded.trace)
        return dagOfStep(*loaded.trace, std::filesystem::path(file).stem().string(), 0, processes, file);
    const LoadedJob &job = loaded.job;
    if (collectives == "recorded" && !plannedStep(job.profile.get(), PlannedCollectives::Recorded))
        return fail(fmt::format("\"{}\" has no step with recorded collectives", file),
                    "give a PyTorch profile of distributed training, or leave out --collectives");
    const auto which = collectives == "gradients" ? PlannedCollectives::Gradients : PlannedCollectives::Recorded;
    return planDag(*job.job, job.profile.get(), which, processes, file);
}

} // namespace

Result<PlanJob> loadPlanJob(const ScenarioOptions &options, const std::string &collectives) {
    const bool isDag =
        isCatalogueDag(options.job) || isTrainingDagFile(options.job); // reads all of a file, as a DAG's may begin late
    if (isDag && !collectives.empty())
        return fail(fmt::format("\"{}\" is a training DAG, which has its collectives", options.job),
                    "leave out --collectives, which is of profiles");
    Loaded loaded;
    if (!isDag)
        loaded = TRY(load(options, collectives));
    PlanJob job{TRY(loadCluster(options, loaded.job)), {}, loaded.job.job};
    if (isDag) {
        job.planned.dag = TRY(loadTrainingDag(options.job, job.cluster));
    } else {
        job.planned = TRY(dagOf(loaded, options.job, collectives, job.cluster.replicaCount()));
        const auto which = collectives == "gradients" ? PlannedCollectives::Gradients : PlannedCollectives::Recorded;
        job.ofJob = !loaded.trace && !plannedStep(loaded.job.profile.get(), which);
    }
    if (!job.job)
        job.job = jobOfDag(job.planned.dag.name);
    return job;
}

void addPlanCosts(CLI::App &command, PlanCosts &costs, const std::string &of) {
    command.add_option("--costs", costs.measured,
                       of + "Measured collectives, else the channels' bandwidth and latency: CSV (docs/plan.md), or as for "
                            "calibrate logs of collectives on one link, LINK=FILE or, if there is but one link, FILE "
                            "(nccl-tests' text or -J, NCCL Inspector, OSU, vTrain; files or folders)");
    command.add_option("--incast", costs.incast,
                       of + "What wide all-to-alls lose, instead of the cluster's: a share such as 0.4 for every doubling of the "
                            "processes that send to one at once, CHANNEL=SHARE of single channels, or fit, to --costs "
                            "(docs/plan.md)");
}

Result<PlanTask> planTaskOf(PlanJob &job, const PlanCosts &costs, std::int32_t seed) {
    PlanTask task;
    PlanRequest &request = task.request;
    request.channels = planChannels(job.cluster);
    request.dag = std::make_shared<const TrainingDag>(std::move(job.planned.dag));
    request.seed = static_cast<std::uint64_t>(seed);
    task.ofJob = job.ofJob;
    task.notes = std::move(job.planned.notes);
    const CostsPlace place{request.channels, request.dag->processes};
    if (costs.measured.empty()) {
        request.costs = costsOfCluster(job.cluster, place, task.notes);
    } else {
        request.costs = modelledCosts(job.cluster, request.channels);
        request.costs.takeMeasured(TRY(readMeasuredCosts(costs.measured, place, task.notes)));
    }
    TRY(setIncast(request, job.cluster, costs.incast, task.notes));
    return task;
}

} // namespace syncopate::cli
