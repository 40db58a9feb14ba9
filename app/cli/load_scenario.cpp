// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/load_scenario.h"

#include "engine/base/units.h"
#include "engine/cluster/cluster_file.h"
#include "engine/cost/curve_fit.h"
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
    auto cluster = isFile(options.cluster) ? readClusterFile(options.cluster) : catalogueCluster(options.cluster);
    if (!cluster)
        return cluster;
    if (options.workers > 0)
        *cluster = withWorkers(*cluster, options.workers);
    if (options.bandwidthGbits > 0)
        *cluster = withBandwidth(*cluster, options.bandwidthGbits);
    if (options.servers >= 0)
        *cluster = withDedicatedServers(*cluster, options.servers);
    if (!options.latency.empty()) {
        const auto seconds = parseSeconds(options.latency);
        if (!seconds)
            return Unexpected(seconds.error());
        cluster->latencySeconds = *seconds;
    }
    return cluster;
}

Result<Strategy> loadStrategy(const std::string &fileOrExpression, const Job &job, const Cluster &cluster) {
    if (!isFile(fileOrExpression))
        return buildStrategy(fileOrExpression, job, cluster);
    auto read = readStrategyFile(fileOrExpression);
    if (!read)
        return read;
    return matchStrategy(*read, job, fileOrExpression);
}

Result<LoadedJob> loadScenarioJob(const ScenarioOptions &options) {
    ImportOptions import;
    import.variables = options.variables;
    auto job = loadJob(options.job, import);
    if (!job || options.measured.empty())
        return job;
    const auto measured = loadJob(options.measured);
    if (!measured)
        return Unexpected(measured.error());
    auto timed = withMeasuredTimes(*job->job, *measured->job);
    if (!timed)
        return Unexpected(inFile(timed.error(), options.measured));
    job->job = std::make_shared<const Job>(std::move(*timed));
    return job;
}

Result<Scenario> loadScenario(const ScenarioOptions &options, std::int32_t seed,
                              std::shared_ptr<const ImportedProfile> *profile) {
    auto job = loadScenarioJob(options);
    if (!job)
        return Unexpected(job.error());
    auto cluster = loadCluster(options);
    if (!cluster)
        return Unexpected(cluster.error());
    auto policy = parsePolicy(options.policy);
    if (!policy)
        return Unexpected(policy.error());
    if (options.policy.find("seed") == std::string::npos)
        policy->seed = seed;
    auto strategy = loadStrategy(options.strategy, *job->job, *cluster);
    if (!strategy)
        return Unexpected(strategy.error());
    Scenario scenario;
    scenario.job = job->job;
    if (profile)
        *profile = job->profile;
    scenario.cluster = std::make_shared<const Cluster>(std::move(*cluster));
    scenario.strategy = std::make_shared<const Strategy>(std::move(*strategy));
    scenario.policy = *policy;
    scenario.iterations = options.iterations;
    scenario.fold = options.fold;
    if (!options.curves.empty()) {
        const auto fitted = fitFolder(options.curves);
        if (!fitted)
            return Unexpected(fitted.error());
        std::vector<CollectiveCurve> curves;
        for (const CurveFit &fit : fitted->fits)
            curves.push_back(fit.curve);
        scenario.collectiveCurves = std::make_shared<const std::vector<CollectiveCurve>>(std::move(curves));
    }
    return scenario;
}

} // namespace syncopate::cli
