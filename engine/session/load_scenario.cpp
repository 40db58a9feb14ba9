// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/load_scenario.h"

#include "engine/cluster/cluster_file.h"
#include "engine/collective/curve_fit.h"
#include "engine/job/batch.h"
#include "engine/job/measured_times.h"
#include "engine/profile/profile.h"
#include "engine/session/dag_job.h"
#include "engine/session/recorded_cluster.h"
#include "engine/space/space.h"
#include "engine/strategy/expression.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <initializer_list>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

namespace syncopate {

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
    if (!options.latency.empty()) {
        const Space &space = scenarioSpace();
        const Dimension &latency = space[TRY(space.indexOf("latency"))];
        knobs.latencySeconds = TRY(inFile(latency.parse(options.latency), "--latency"));
        TRY(inFile(latency.check(*knobs.latencySeconds), "--latency"));
        TRY(inFile(latency.checkUnit(options.latency, *knobs.latencySeconds), "--latency"));
    }
    return knobs;
}

/// Joins several texts, none of which contains a NUL character, into one.
std::string key(std::initializer_list<std::string_view> texts) {
    std::string joined;
    for (const std::string_view text : texts)
        joined.append(text).push_back('\0');
    return joined;
}

std::string keyOfJob(const ScenarioOptions &options) {
    return key({options.job, options.variables, options.measured, fmt::format("{}", options.batchSize)});
}

/// Sets the options' batch size in a job that states none.
Result<LoadedJob> withBatchOf(LoadedJob loaded, const ScenarioOptions &options) {
    if (options.batchSize <= 0 || options.batchSize == loaded.job->batchSize)
        return loaded;
    if (statesBatch(*loaded.job) && !loaded.job->batchStated && !loaded.profile)
        return fail(fmt::format("the job says that its batch is {}, and its times are for that batch", loaded.job->batchSize),
                    "leave the batch size out; a model of the catalogue with another batch is NAME:BATCH", {}, "--batch-size");
    auto stated = TRY(inFile(withBatch(*loaded.job, options.batchSize), "--batch-size"));
    loaded.job = std::make_shared<const Job>(std::move(stated));
    return loaded;
}

} // namespace

Result<std::shared_ptr<const Cluster>> loadBareCluster(const std::string &nameOrPath, const ImportedProfile *profile) {
    if (nameOrPath == recordedClusterName && !isFile(nameOrPath)) {
        if (profile == nullptr)
            return fail("the cluster 'recorded' is a profile's, and the job is not a profile",
                        "name a profile as the job, or a cluster");
        auto recorded = TRY(recordedCluster(*profile));
        return std::make_shared<const Cluster>(std::move(recorded));
    }
    auto cluster = TRY(isFile(nameOrPath) ? readClusterFile(nameOrPath) : catalogueCluster(nameOrPath));
    return std::make_shared<const Cluster>(std::move(cluster));
}

Result<Cluster> loadCluster(const ScenarioOptions &options, const LoadedJob &job) {
    const auto cluster = TRY(loadBareCluster(options.cluster, job.profile.get()));
    const auto knobs = TRY(knobsOf(options));
    return withKnobs(*cluster, knobs);
}

namespace {

/// Refuses two logs of a collective among equally many ranks on different numbers of nodes: a simulation could use only one.
Result<void> checkNodesOf(const std::vector<CurveFit> &fits, const std::string &fileOrFolder) {
    std::map<std::pair<CollectiveKind, std::int32_t>, const CollectiveLog *> known;
    for (const CurveFit &fit : fits) {
        const CollectiveLog &log = fit.log;
        if (log.nodes == 0)
            continue;
        const CollectiveLog &first = *known.try_emplace({log.kind, log.ranks}, &log).first->second;
        if (first.nodes != log.nodes)
            return fail(fmt::format("it has logs of {} among {} ranks on {} nodes ({}) and on {} ({})", nameOf(log.kind),
                                    log.ranks, first.nodes, first.source, log.nodes, log.source),
                        "give only those on as many nodes as the cluster has", fileOrFolder);
    }
    return {};
}

} // namespace

Result<std::shared_ptr<const std::vector<CollectiveCurve>>> loadCurves(const std::string &fileOrFolder) {
    if (fileOrFolder.empty())
        return nullptr;
    const auto fitted = TRY(fitFolder(fileOrFolder));
    if (fitted.fits.empty())
        return fail("there is no log of a collective in it", fmt::format("give {}", readCollectiveLogKinds), fileOrFolder);
    TRY(checkNodesOf(fitted.fits, fileOrFolder));
    std::vector<CollectiveCurve> curves;
    for (const CurveFit &fit : fitted.fits)
        if (hasWholeSizes(fit.log))
            curves.push_back(fit.curve);
    if (curves.empty())
        return fail(pairSizesRemark, "give logs of all-reduce, reduce-scatter or broadcast, or of nccl-tests", fileOrFolder);
    return std::make_shared<const std::vector<CollectiveCurve>>(std::move(curves));
}

Source loadSource(const std::string &fileOrExpression) {
    return namesStrategyFile(fileOrExpression) ? Source(readStrategySource(fileOrExpression)) : Built{fileOrExpression};
}

Result<std::vector<BackgroundTraffic>> loadBackground(const ScenarioOptions &options) {
    if (options.background.empty())
        return std::vector<BackgroundTraffic>();
    if (options.background.find('@') == std::string::npos)
        return readBackgroundFile(options.background);
    return inFile(parseBackground(options.background), options.backgroundOption);
}

Result<void> refuseTrainingDag(const std::string &job) {
    if (namesTrainingDag(job))
        return needsLayers(job,
                           fmt::format("plan its collectives: syncopate-cli plan --job {}; simulate, compare, sweep, search, "
                                       "why, query and export play such plans, too",
                                       job));
    return {};
}

Result<LoadedJob> loadScenarioJob(const ScenarioOptions &options, const std::stop_token &stop) {
    ImportOptions import;
    import.variables = options.variables;
    TRY(refuseTrainingDag(options.job));
    auto job = TRY(loadJob(options.job, import, stop));
    if (!options.measured.empty()) {
        const auto measured = TRY(loadJob(options.measured, {}, stop));
        auto timed = TRY(inFile(withMeasuredTimes(*job.job, *measured.job), options.measured));
        job.job = std::make_shared<const Job>(std::move(timed));
    }
    return withBatchOf(std::move(job), options);
}

Result<ScenarioRecipe> settingsOf(const ScenarioOptions &options, std::int32_t seed) {
    ScenarioRecipe recipe;
    recipe.knobs = TRY(knobsOf(options));
    recipe.policy = TRY(inOption(parsePolicy(options.policy), options.policyOption));
    const Expression written = TRY(parseExpression(options.policy));
    const auto namesSeed = [](const Expression::Argument &argument) { // it is the first of the positional ones
        return argument.key.empty() || argument.key == "seed";
    };
    if (recipe.policy.has("seed") && std::ranges::none_of(written.arguments, namesSeed))
        recipe.policy.set("seed", seed);
    recipe.iterations = options.iterations;
    recipe.fold = options.fold;
    recipe.linkModel = options.linkModel;
    return recipe;
}

Result<ScenarioRecipe> loadRecipe(const ScenarioOptions &options, std::int32_t seed,
                                  std::shared_ptr<const ImportedProfile> *profile) {
    return ScenarioLoader().recipe(options, seed, profile);
}

Result<Scenario> loadScenario(const ScenarioOptions &options, std::int32_t seed,
                              std::shared_ptr<const ImportedProfile> *profile) {
    const auto recipe = TRY(loadRecipe(options, seed, profile));
    return inOption(makeScenario(recipe), options.strategyOption);
}

Result<ScenarioRecipe> ScenarioLoader::recipe(const ScenarioOptions &options, std::int32_t seed,
                                              std::shared_ptr<const ImportedProfile> *profile) {
    const std::string jobKey = keyOfJob(options);
    const auto job = TRY(m_jobs.get(jobKey, [&] { return loadScenarioJob(options); }));
    if (profile)
        *profile = job.profile;
    auto recipe = TRY(settingsOf(options, seed));
    recipe.job = job.job;
    const std::string clusterKey = key({options.cluster, options.cluster == recordedClusterName ? jobKey : std::string()});
    recipe.cluster = TRY(m_clusters.get(clusterKey, [&] { return loadBareCluster(options.cluster, job.profile.get()); }));
    recipe.strategy = TRY(m_strategies.get(key({options.strategy, jobKey}),
                                           [&] { return strategyRecipe(loadSource(options.strategy), *recipe.job); }));
    recipe.background =
        TRY(m_backgrounds.get(key({options.background, options.backgroundOption}), [&] { return loadBackground(options); }));
    recipe.collectiveCurves = TRY(m_curves.get(options.curves, [&] { return loadCurves(options.curves); }));
    return recipe;
}

Result<Scenario> ScenarioLoader::scenario(const ScenarioOptions &options, std::int32_t seed) {
    auto recipe = TRY(this->recipe(options, seed));
    const std::string builtKey =
        key({options.strategy, keyOfJob(options), options.cluster, fmt::format("{}", options.workers),
             fmt::format("{}", options.servers), fmt::format("{}", options.bandwidthGbits), options.latency});
    const auto build = [&]() -> Result<BuiltOn> {
        auto cluster = std::make_shared<const Cluster>(withKnobs(*recipe.cluster, recipe.knobs));
        auto strategy = TRY(makeStrategy(recipe.strategy, *recipe.job, *cluster));
        return BuiltOn(std::move(cluster), std::move(strategy));
    };
    // An error is kept, too; the option is named here because another one may have given the same text.
    auto built = TRY(inOption(m_built.get(builtKey, build), options.strategyOption));
    recipe.cluster = std::move(built.first);
    recipe.knobs = {};
    recipe.strategy = FixedStrategy{std::move(built.second)};
    return makeScenario(recipe);
}

} // namespace syncopate
