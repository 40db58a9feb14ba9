// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/load_scenario.h"
#include "app/cli/output.h"
#include "engine/base/json_writer.h"
#include "engine/base/units.h"
#include "engine/predict/setting.h"
#include "engine/predict/simulated_curve.h"
#include "engine/profile/profile.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace syncopate::cli {

namespace {

/// The numbers of workers that --workers names.
Result<std::vector<std::int32_t>> workersOf(const PredictArguments &arguments) {
    auto workers = parseWorkers(arguments.workers);
    return workers ? workers : Unexpected(inFile(workers.error(), "--workers"));
}

/// The server of each variable as a strategy has it; partitioned and all-reduced variables have none.
Result<std::vector<std::int32_t>> placeByStrategy(const Strategy &strategy, const Cluster &cluster) {
    const std::vector<std::string> devices = cluster.reductionDevices();
    std::vector<std::int32_t> placed;
    for (const NodeConfig &node : strategy.nodes) {
        const auto device = std::find(devices.begin(), devices.end(), node.synchronizer.reductionDestination);
        if (node.isPartitioned() || node.synchronizer.kind != SynchronizerKind::ParameterServer || device == devices.end())
            return fail(fmt::format("variable '{}' is not whole on one parameter server", node.variableName),
                        "use a strategy of whole variables on dedicated servers, such as PSLoadBalancing", {}, "--strategy");
        placed.push_back(static_cast<std::int32_t>(device - devices.begin()));
    }
    return placed;
}

/// Strategies by which workers wait for each other, or cut variables up: the simulator's business.
bool isOfTheSimulator(const Strategy &strategy) {
    return std::any_of(strategy.nodes.begin(), strategy.nodes.end(), [](const NodeConfig &node) {
        return node.isPartitioned() || node.synchronizer.kind == SynchronizerKind::AllReduce || node.synchronizer.sync;
    });
}

/// The curve of such a strategy, through simulate().
Outcome predictBySimulation(const Common &common, const ScenarioOptions &options, const PredictArguments &arguments,
                            const LoadedJob &loaded, const Cluster &cluster, const StrategyRecipe &strategy) {
    const auto begin = std::chrono::steady_clock::now();
    SimulatedRequest request;
    request.job = loaded.job;
    if (loaded.job->variables.empty())
        return badInput("the profile tells no variable sizes, so there is nothing to synchronise",
                        "give a profile or job file that has them");
    auto samples = samplesOf(*loaded.job, loaded.profile.get(), options.job);
    if (!samples)
        return badInput(samples.error());
    request.samples = std::move(*samples);
    request.cluster = cluster;
    request.strategy = [&](const Cluster &sized) { return makeStrategy(strategy, *loaded.job, sized); };
    const auto policy = parsePolicy(options.policy);
    if (!policy)
        return badInput(policy.error());
    request.policy = *policy;
    auto background = loadBackground(options.background);
    if (!background)
        return badInput(background.error());
    request.background = std::move(*background);
    auto workers = workersOf(arguments);
    if (!workers)
        return badInput(workers.error());
    request.workers = std::move(*workers);
    request.seed = static_cast<std::uint64_t>(common.seed);
    const auto curve = simulatedCurve(request);
    if (!curve)
        return badInput(curve.error());
    std::uint64_t events = 0;
    JsonWriter json;
    json.beginObject().member("job", loaded.job->name).member("cluster", cluster.name).member("strategy", options.strategy);
    json.member("policy", formatPolicy(request.policy)).key("curve").beginArray();
    std::string text = fmt::format("{:>7} {:>12} {:>25}\n", "workers", "samples/s", "95 % of the mean");
    for (const Throughput &t : *curve) {
        events += t.events;
        json.newLine().beginObject().member("workers", t.workers).member("samples_per_second", t.samplesPerSecond);
        json.member("low", t.low).member("high", t.high).endObject();
        text += fmt::format("{:>7} {:>12.5g} {:>12.5g} {:>12.5g}\n", t.workers, t.samplesPerSecond, t.low, t.high);
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    json.endArray().newLine().member("events", events).member("wall_seconds", seconds);
    json.member("seed", static_cast<std::int64_t>(common.seed)).endObject().newLine();
    if (!common.quiet)
        text += request.samples.empty() ? "The job's own times.\n"
                                        : fmt::format("{} draws of a recorded step for every node.\n", request.draws);
    print(common.json ? json.take() : text);
    return {};
}

/// The options as what the engine is asked for. Errors name the option.
Result<PredictSetting> settingOf(const Common &common, const PredictArguments &arguments, const std::string &background,
                                 bool recorded) {
    PredictSetting setting;
    auto workers = TRY(workersOf(arguments));
    setting.workers = std::move(workers);
    setting.recordedGbits = arguments.profileBandwidthGbits;
    const auto window = TRY(inFile(parseWindow(arguments.window), "--window"));
    setting.windowBytes = window;
    const auto overhead = TRY(inFile(parseOverhead(arguments.overhead), "--overhead"));
    setting.overhead = overhead;
    if (!arguments.pairs.empty()) {
        if (!recorded || overhead.has_value())
            return fail(recorded ? "--overhead and --pairs both say what parsing takes"
                                 : "there are no recorded transfers to take parsing off",
                        "leave one of them out", {}, "--pairs");
        TRY(fitOverheadTo(arguments.pairs, setting));
    }
    static const std::map<std::string, TransferOrder> orders{{"fifo", TransferOrder::Recorded},
                                                             {"reverse", TransferOrder::Reverse},
                                                             {"random", TransferOrder::Random},
                                                             {"tic", TransferOrder::Tic},
                                                             {"tac", TransferOrder::Tac}};
    setting.order = orders.at(arguments.order); // main() has checked it
    static const std::map<std::string, std::optional<LinkSharing>> sharings{
        {"auto", {}}, {"equal", LinkSharing::Equal}, {"uneven", LinkSharing::Uneven}, {"tcp", LinkSharing::Tcp}};
    setting.sharing = sharings.at(arguments.sharing);
    const auto tcpWindow = parseBytes(arguments.tcpWindow);
    if (!tcpWindow)
        return fail(fmt::format("'{}' is no window", arguments.tcpWindow), "write a size such as 1MiB", {}, "--tcp-window");
    setting.tcpWindowBytes = *tcpWindow;
    setting.background = TRY(loadBackground(background));
    setting.staleness = arguments.staleness;
    setting.perLayer = arguments.perLayer;
    setting.batchSize = arguments.batchSize;
    setting.steps = arguments.steps;
    setting.warmUp = arguments.warmUp;
    setting.starts = arguments.starts;
    setting.seed = static_cast<std::uint64_t>(common.seed);
    setting.gain = arguments.gain;
    return setting;
}

/// What is predicted from, and how it came to be.
struct Prepared {
    std::shared_ptr<const PredictRequest> request;
    std::shared_ptr<const Reconstruction> reconstruction; ///< of profiles with recorded transfers
};

Result<Prepared> prepare(const Common &common, const ScenarioOptions &options, const PredictArguments &arguments,
                         const LoadedJob &loaded, Cluster cluster, const std::optional<StrategyRecipe> &strategy) {
    const ImportedProfile *profile = loaded.profile.get();
    const auto setting = TRY(settingOf(common, arguments, options.background, hasRecordedTransfers(profile)));
    if (cluster.serverOnly.empty())
        cluster = withDedicatedServers(cluster, 1);
    std::vector<std::int32_t> placed;
    if (strategy) {
        const auto built = TRY(makeStrategy(*strategy, *loaded.job, cluster));
        placed = TRY(placeByStrategy(*built, cluster));
    }
    auto reconstruction = TRY(reconstructionOf(*loaded.job, profile, cluster, setting));
    const auto samples = TRY(samplesOf(*loaded.job, profile, options.job));
    auto request = TRY(predictRequest(*loaded.job, samples, reconstruction.get(), cluster, setting, placed));
    return Prepared{std::move(request), std::move(reconstruction)};
}

} // namespace

Outcome predict(const Common &common, const ScenarioOptions &options, const PredictArguments &arguments) {
    const auto loaded = loadJob(options.job);
    if (!loaded)
        return badInput(loaded.error());
    const auto cluster = loadCluster(options);
    if (!cluster)
        return badInput(cluster.error());
    std::optional<StrategyRecipe> strategy;
    if (!options.strategy.empty()) {
        auto recipe = strategyRecipe(loadSource(options.strategy), *loaded->job);
        if (!recipe)
            return badInput(recipe.error());
        const auto built = makeStrategy(*recipe, *loaded->job, *cluster);
        if (!built)
            return badInput(built.error());
        if (isOfTheSimulator(**built))
            return predictBySimulation(common, options, arguments, *loaded, *cluster, *recipe);
        strategy = *std::move(recipe);
    }
    const auto prepared = prepare(common, options, arguments, *loaded, *cluster, strategy);
    if (!prepared)
        return badInput(prepared.error());
    const PredictRequest *request = prepared->request.get();
    const auto prediction = predictCurve(*request);
    if (!prediction)
        return badInput(prediction.error());
    const auto servers = static_cast<double>(request->steps->graph.servers);
    const auto cost = [&](const Throughput &t) {
        return costPerSample(t.samplesPerSecond, t.workers + servers, arguments.pricePerNodeHour);
    };
    if (common.json) {
        JsonWriter json;
        json.beginObject().member("job", loaded->job->name).member("cluster", request->cluster.name);
        json.member("servers", request->steps->graph.servers)
            .member("order", arguments.order)
            .key("window_bytes")
            .value(request->generate.windowBytes);
        if (const auto &made = prepared->reconstruction) {
            json.key("reconstruction").beginObject().member("alpha_seconds_per_byte", made->overhead.secondsPerByte);
            json.member("beta_seconds", made->overhead.seconds).key("end_time_error").beginObject();
            json.member("average", made->errors.average).member("median", made->errors.median);
            json.member("p95", made->errors.percentile95).member("maximum", made->errors.maximum);
            json.member("streams", static_cast<std::uint64_t>(made->errors.streams)).endObject().endObject();
        }
        json.key("curve").beginArray();
        for (const CurvePoint &point : prediction->points) {
            const Throughput &t = point.throughput;
            json.newLine().beginObject().member("workers", t.workers).member("samples_per_second", t.samplesPerSecond);
            json.member("low", t.low).member("high", t.high).key("starts").beginArray();
            for (const double start : point.starts)
                json.value(start);
            json.endArray();
            json.member("cynthia", point.cynthia).member("queueing", point.queueing).member("saturated", t.saturated);
            if (arguments.pricePerNodeHour > 0)
                json.member("cost_per_sample", cost(t));
            json.key("utilisation").beginObject();
            for (const Utilisation &u : t.utilisation)
                json.member(u.resource, u.busy);
            json.endObject().endObject();
        }
        json.endArray().newLine();
        json.key("bottleneck_workers");
        if (prediction->bottleneckWorkers > 0)
            json.value(prediction->bottleneckWorkers);
        else
            json.value(std::nan("")); // null: not reached
        json.member("gain", request->gain).member("events", prediction->events).member("ops", prediction->ops);
        json.member("wall_seconds", prediction->wallSeconds).member("seed", static_cast<std::int64_t>(common.seed));
        json.key("assumptions").beginArray();
        for (const std::string &assumption : prediction->assumptions)
            json.value(assumption);
        json.endArray().endObject().newLine();
        print(json.take());
        return {};
    }
    std::string text = fmt::format("{:>7} {:>12} {:>25} {:>10} {:>10}  {}{}\n", "workers", "samples/s", "95 % of the mean",
                                   "Cynthia", "queueing", arguments.pricePerNodeHour > 0 ? "cost/sample  " : "", "saturated");
    for (const CurvePoint &point : prediction->points) {
        const Throughput &t = point.throughput;
        text += fmt::format("{:>7} {:>12.5g} {:>12.5g} {:>12.5g} {:>10.5g} {:>10.5g}  {}{}\n", t.workers, t.samplesPerSecond,
                            t.low, t.high, point.cynthia, point.queueing,
                            arguments.pricePerNodeHour > 0 ? fmt::format("{:<11.4g}  ", cost(t)) : "", t.saturated);
    }
    if (!common.quiet) {
        if (prediction->bottleneckWorkers > 0)
            text += fmt::format("Past {} workers another one adds less than {:.0f} % of what the first brings.\n",
                                prediction->bottleneckWorkers, 100 * request->gain);
        for (const std::string &assumption : prediction->assumptions)
            text += assumption + "\n";
        text += fmt::format("{:.3g} million ops in {}\n", static_cast<double>(prediction->ops) / 1e6,
                            formatSeconds(prediction->wallSeconds));
    }
    print(text);
    return {};
}

} // namespace syncopate::cli
