// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/load_scenario.h"

#include "engine/base/units.h"
#include "engine/cluster/cluster_file.h"
#include "engine/collective/curve_fit.h"
#include "engine/job/measured_times.h"
#include "engine/profile/profile.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/strategy_file.h"

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

} // namespace

Result<Cluster> loadCluster(const ScenarioOptions &options) {
    auto cluster = TRY(isFile(options.cluster) ? readClusterFile(options.cluster) : catalogueCluster(options.cluster));
    if (options.workers > 0)
        cluster = withWorkers(cluster, options.workers);
    if (options.bandwidthGbits > 0)
        cluster = withBandwidth(cluster, options.bandwidthGbits);
    if (options.servers >= 0)
        cluster = withDedicatedServers(cluster, options.servers);
    if (!options.latency.empty()) {
        const auto seconds = TRY(parseSeconds(options.latency));
        cluster.latencySeconds = seconds;
    }
    return cluster;
}

Result<Strategy> loadStrategy(const std::string &fileOrExpression, const Job &job, const Cluster &cluster) {
    if (!isFile(fileOrExpression))
        return buildStrategy(fileOrExpression, job, cluster);
    auto read = TRY(readStrategyFile(fileOrExpression));
    return matchStrategy(read, job, fileOrExpression);
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

Result<Scenario> loadScenario(const ScenarioOptions &options, std::int32_t seed,
                              std::shared_ptr<const ImportedProfile> *profile) {
    auto job = TRY(loadScenarioJob(options));
    auto cluster = TRY(loadCluster(options));
    auto policy = TRY(parsePolicy(options.policy));
    if (options.policy.find("seed") == std::string::npos)
        policy.seed = seed;
    auto strategy = TRY(loadStrategy(options.strategy, *job.job, cluster));
    Scenario scenario;
    scenario.job = job.job;
    if (profile)
        *profile = job.profile;
    scenario.cluster = std::make_shared<const Cluster>(std::move(cluster));
    scenario.strategy = std::make_shared<const Strategy>(std::move(strategy));
    scenario.policy = policy;
    scenario.iterations = options.iterations;
    scenario.fold = options.fold;
    if (!options.curves.empty()) {
        const auto fitted = TRY(fitFolder(options.curves));
        std::vector<CollectiveCurve> curves;
        for (const CurveFit &fit : fitted.fits)
            curves.push_back(fit.curve);
        scenario.collectiveCurves = std::make_shared<const std::vector<CollectiveCurve>>(std::move(curves));
    }
    return scenario;
}

} // namespace syncopate::cli
