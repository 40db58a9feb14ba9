// SPDX-License-Identifier: GPL-3.0-or-later
// predict for strategies that are not asynchronous steps.
#include "app/cli/predict.h"

#include "app/cli/output.h"
#include "app/cli/ranks/rank_spread.h"
#include "app/cli/rate.h"
#include "engine/base/json_writer.h"
#include "engine/job/batch.h"
#include "engine/predict/setting.h"
#include "engine/predict/simulated_curve.h"
#include "engine/profile/profile.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <utility>

namespace syncopate::cli {

namespace {

/// Refuses the options that only asynchronous steps follow, as they would be ignored.
Result<void> refuseStepOptions(const PredictArguments &given) {
    const PredictArguments usual;
    for (const auto &[option, isGiven] : {std::pair("--window", given.window != usual.window),
                                          {"--overhead", given.overhead != usual.overhead},
                                          {"--profile-bandwidth", given.profileBandwidthGbits != usual.profileBandwidthGbits},
                                          {"--order", given.order != usual.order},
                                          {"--steps", given.steps != usual.steps},
                                          {"--warm-up", given.warmUp != usual.warmUp},
                                          {"--tcp-window", given.tcpWindow != usual.tcpWindow},
                                          {"--starts", given.starts != usual.starts},
                                          {"--pairs", given.pairs != usual.pairs},
                                          {"--staleness", given.staleness != usual.staleness},
                                          {"--per-layer", given.perLayer != usual.perLayer},
                                          {"--gain", given.gain != usual.gain},
                                          {"--price", given.pricePerNodeHour != usual.pricePerNodeHour}})
        if (isGiven)
            return fail("it is about asynchronous steps, and this strategy is simulated",
                        "leave it out, or use an asynchronous strategy such as PSLoadBalancing(sync=False)", {}, option);
    return {};
}

Result<SimulatedRequest> requestOf(const Common &common, const PredictArguments &arguments, const LoadedJob &loaded,
                                   const Cluster &cluster, const StrategyRecipe &strategy) {
    const ScenarioOptions &options = arguments.scenario;
    TRY(refuseStepOptions(arguments));
    if (loaded.job->variables.empty())
        return fail("the profile tells no variable sizes, so there is nothing to synchronise",
                    "give a profile or job file that has them");
    SimulatedRequest request;
    request.job = loaded.job;
    if (arguments.batchSize > 0)
        request.job = std::make_shared<const Job>(TRY(inFile(withBatch(*loaded.job, arguments.batchSize), "--batch-size")));
    request.samples = TRY(samplesOf(*loaded.job, loaded.profile.get(), options.job));
    request.cluster = cluster;
    request.strategy = [&](const Cluster &sized) { return makeStrategy(strategy, *loaded.job, sized); };
    request.policy = TRY(settingsOf(options, common.seed)).policy;
    request.background = TRY(loadBackground(options));
    if (arguments.sharing == "uneven")
        return fail("uneven shares are drawn for asynchronous steps only", "use equal or tcp", {}, "--sharing");
    request.linkModel = arguments.sharing == "tcp" ? LinkModel::Tcp : LinkModel::Fluid;
    request.workers = TRY(workersOf(arguments));
    request.seed = static_cast<std::uint64_t>(common.seed);
    return request;
}

} // namespace

bool isOfTheSimulator(const Strategy &strategy) {
    return std::any_of(strategy.nodes.begin(), strategy.nodes.end(), [](const NodeConfig &node) {
        return node.isPartitioned() || node.synchronizer.kind == SynchronizerKind::AllReduce || node.synchronizer.sync;
    });
}

Outcome predictBySimulation(const Common &common, const PredictArguments &arguments, const LoadedJob &loaded,
                            const Cluster &cluster, const StrategyRecipe &strategy, RankSpread &ranks) {
    const auto begin = std::chrono::steady_clock::now();
    const auto made = requestOf(common, arguments, loaded, cluster, strategy);
    if (!made)
        return ranks.failed(made.error());
    const SimulatedRequest &request = *made;
    const auto curve = simulatedCurve(request, {}, ranks.spread());
    if (!curve)
        return ranks.failed(curve.error());
    std::uint64_t events = 0;
    JsonWriter json;
    json.beginObject()
        .member("job", loaded.job->name)
        .member("cluster", cluster.name)
        .member("strategy", arguments.scenario.strategy);
    json.member("policy", formatPolicy(request.policy)).key("curve").beginArray();
    std::string text = fmt::format("{:>7} {:>12} {:>25}\n", "workers", rateUnit(statesBatch(*request.job)), "95 % of the mean");
    for (const Throughput &t : curve->points) {
        events += t.events;
        json.newLine().beginObject().member("workers", t.workers);
        writeRate(json, request.job->batchSize, t.samplesPerSecond);
        json.member("low", t.low).member("high", t.high).endObject();
        text += fmt::format("{:>7} {:>12.5g} {:>12.5g} {:>12.5g}\n", t.workers, t.samplesPerSecond, t.low, t.high);
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    json.endArray().newLine().member("events", events).member("wall_seconds", seconds);
    json.member("seed", static_cast<std::int64_t>(common.seed));
    json.key("assumptions").beginArray();
    for (const std::string &assumption : curve->assumptions)
        json.value(assumption);
    json.endArray();
    ranks.write(json, "points_by_rank");
    json.endObject().newLine();
    if (!common.quiet)
        text += request.samples.empty() ? "The job's own times.\n"
                                        : fmt::format("{} draws of a recorded step for every node.\n", request.draws);
    for (const std::string &assumption : curve->assumptions)
        if (!common.quiet)
            text += assumption + "\n";
    printEither(common, json, text);
    return {};
}

} // namespace syncopate::cli
