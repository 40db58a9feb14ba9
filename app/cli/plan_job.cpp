// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_job.h"

#include "engine/plan/dag_catalogue.h"
#include "engine/plan/motif_costs.h"
#include "engine/profile/chakra/chakra_recorded.h"
#include "engine/session/load_scenario.h"
#include "engine/session/plan_settings.h"

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
    const bool isCatalogued = isCatalogueDag(options.job), isFile = !isCatalogued && isTrainingDagFile(options.job);
    if ((isFile || isCatalogued) && !collectives.empty())
        return fail(fmt::format("\"{}\" is a training DAG, which has its collectives", options.job),
                    "leave out --collectives, which is of profiles");
    Loaded loaded;
    if (!isFile && !isCatalogued)
        loaded = TRY(load(options, collectives));
    PlanJob job{TRY(loadCluster(options, loaded.job)), {}, loaded.job.job ? loaded.job.job : std::make_shared<const Job>()};
    const std::int32_t processes = job.cluster.replicaCount();
    if (isCatalogued) {
        job.planned.dag =
            TRY(catalogueDag(options.job, processes, modelledCosts(job.cluster, planChannels(job.cluster)).processesPerNode));
    } else if (isFile) {
        job.planned.dag = TRY(readTrainingDagFile(options.job));
    } else {
        job.planned = TRY(dagOf(loaded, options.job, collectives, processes));
        const auto which = collectives == "gradients" ? PlannedCollectives::Gradients : PlannedCollectives::Recorded;
        job.ofJob = !loaded.trace && !plannedStep(loaded.job.profile.get(), which);
    }
    return job;
}

} // namespace syncopate::cli
