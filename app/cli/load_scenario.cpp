// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/load_scenario.h"

#include "engine/base/units.h"
#include "engine/cluster/cluster_file.h"
#include "engine/collective/curve_fit.h"
#include "engine/job/measured_times.h"
#include "engine/profile/profile.h"
#include "engine/session/recorded_cluster.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace syncopate::cli {

namespace {

bool isFile(const std::string &path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

Result<ClusterKnobs> knobsOf(const ScenarioOptions &options) {
    ClusterKnobs knobs;
    if (options.workers > 0)
        knobs.workers = options.workers;
    if (options.bandwidthGbits > 0)
        knobs.bandwidthGbits = options.bandwidthGbits;
    if (options.servers >= 0)
        knobs.servers = options.servers;
    if (!options.latency.empty())
        knobs.latencySeconds = TRY(inFile(parseSeconds(options.latency), "--latency"));
    return knobs;
}

Result<Cluster> loadBareCluster(const ScenarioOptions &options, const LoadedJob &job) {
    if (options.cluster == recordedClusterName && !isFile(options.cluster)) {
        if (!job.profile)
            return fail("--cluster recorded is the cluster of a profile, and the job is none",
                        "name a profile as the job, or a cluster");
        return recordedCluster(*job.profile);
    }
    return isFile(options.cluster) ? readClusterFile(options.cluster) : catalogueCluster(options.cluster);
}

Result<std::shared_ptr<const std::vector<CollectiveCurve>>> loadCurves(const std::string &folder) {
    if (folder.empty())
        return nullptr;
    const auto fitted = TRY(fitFolder(folder));
    std::vector<CollectiveCurve> curves;
    for (const CurveFit &fit : fitted.fits)
        curves.push_back(fit.curve);
    return std::make_shared<const std::vector<CollectiveCurve>>(std::move(curves));
}

} // namespace

Result<Cluster> loadCluster(const ScenarioOptions &options, const LoadedJob &job) {
    auto cluster = TRY(loadBareCluster(options, job));
    const auto knobs = TRY(knobsOf(options));
    return withKnobs(std::move(cluster), knobs);
}

Source loadSource(const std::string &fileOrExpression) {
    return isFile(fileOrExpression) ? Source(readStrategySource(fileOrExpression)) : Built{fileOrExpression};
}

Result<std::vector<BackgroundTraffic>> loadBackground(const std::string &textOrFile) {
    if (textOrFile.empty())
        return std::vector<BackgroundTraffic>();
    if (textOrFile.find('@') == std::string::npos)
        return readBackgroundFile(textOrFile);
    return inFile(parseBackground(textOrFile), "--background");
}

Result<LoadedJob> loadScenarioJob(const ScenarioOptions &options) {
    ImportOptions import;
    import.variables = options.variables;
    auto job = loadJob(options.job, import);
    if (!job || options.measured.empty())
        return job;
    const auto measured = TRY(loadJob(options.measured));
    auto timed = TRY(inFile(withMeasuredTimes(*job->job, *measured.job), options.measured));
    job->job = std::make_shared<const Job>(std::move(timed));
    return job;
}

Result<ScenarioRecipe> loadRecipe(const ScenarioOptions &options, std::int32_t seed,
                                  std::shared_ptr<const ImportedProfile> *profile) {
    auto job = TRY(loadScenarioJob(options));
    ScenarioRecipe recipe;
    recipe.job = job.job;
    if (profile)
        *profile = job.profile;
    auto cluster = TRY(loadBareCluster(options, job));
    recipe.cluster = std::make_shared<const Cluster>(std::move(cluster));
    recipe.knobs = TRY(knobsOf(options));
    recipe.policy = TRY(parsePolicy(options.policy));
    if (recipe.policy.has("seed") && options.policy.find("seed") == std::string::npos)
        recipe.policy.set("seed", seed);
    recipe.strategy = TRY(strategyRecipe(loadSource(options.strategy), *recipe.job));
    recipe.iterations = options.iterations;
    recipe.fold = options.fold;
    recipe.background = TRY(loadBackground(options.background));
    recipe.collectiveCurves = TRY(loadCurves(options.curves));
    return recipe;
}

Result<Scenario> loadScenario(const ScenarioOptions &options, std::int32_t seed,
                              std::shared_ptr<const ImportedProfile> *profile) {
    const auto recipe = TRY(loadRecipe(options, seed, profile));
    return makeScenario(recipe);
}

} // namespace syncopate::cli
