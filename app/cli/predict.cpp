// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/predict.h"

#include "app/cli/output.h"
#include "app/cli/ranks/rank_spread.h"
#include "app/cli/rate.h"
#include "engine/base/json_writer.h"
#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "engine/predict/setting.h"
#include "engine/profile/profile.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <memory>

namespace syncopate::cli {

Result<std::vector<std::int32_t>> workersOf(const PredictArguments &arguments) {
    auto workers = parseWorkers(arguments.workers);
    return workers ? workers : Unexpected(inFile(workers.error(), "--workers"));
}

namespace {

/// The server of each variable according to a strategy; partitioned and all-reduced variables have none.
Result<std::vector<std::int32_t>> placeByStrategy(const Strategy &strategy, const Cluster &cluster) {
    const std::vector<std::string> devices = cluster.reductionDevices();
    const std::vector<std::int32_t> &servers = cluster.serverOnly;
    std::vector<std::int32_t> placed;
    for (const NodeConfig &node : strategy.nodes) {
        const std::string &destination = node.synchronizer.reductionDestination;
        const bool isKnown = std::find(devices.begin(), devices.end(), destination) != devices.end();
        const auto server = std::find(servers.begin(), servers.end(), cluster.nodeOf(destination)); // may have several devices
        if (node.isPartitioned() || node.synchronizer.kind != SynchronizerKind::ParameterServer || !isKnown ||
            server == servers.end())
            return fail(fmt::format("variable '{}' is not whole on one parameter server", node.variableName),
                        "use a strategy of whole variables on dedicated servers, such as PSLoadBalancing", {}, "--strategy");
        placed.push_back(static_cast<std::int32_t>(server - servers.begin()));
    }
    return placed;
}

/// The options as a setting for the engine. Errors name the option.
Result<PredictSetting> settingOf(const Common &common, const PredictArguments &arguments, bool recorded) {
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
            return fail(recorded ? "--overhead and --pairs both give the parsing time"
                                 : "there are no recorded transfers to subtract parsing from",
                        "leave one of them out", {}, "--pairs");
        TRY(fitOverheadTo(arguments.pairs, setting));
    }
    static const std::map<std::string, TransferOrder> orders{{"fifo", TransferOrder::Recorded},
                                                             {"reverse", TransferOrder::Reverse},
                                                             {"random", TransferOrder::Random},
                                                             {"tic", TransferOrder::Tic},
                                                             {"tac", TransferOrder::Tac}};
    setting.order = orders.at(arguments.order); // the option's validator has checked it
    static const std::map<std::string, std::optional<LinkSharing>> sharings{
        {"auto", {}}, {"equal", LinkSharing::Equal}, {"uneven", LinkSharing::Uneven}, {"tcp", LinkSharing::Tcp}};
    setting.sharing = sharings.at(arguments.sharing);
    const auto tcpWindow = parseBytes(arguments.tcpWindow);
    if (!tcpWindow)
        return fail(fmt::format("'{}' is not a window", arguments.tcpWindow), "write a size such as 1MiB", {}, "--tcp-window");
    setting.tcpWindowBytes = *tcpWindow;
    setting.background = TRY(loadBackground(arguments.scenario));
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

/// Refuses options that asynchronous steps ignore, always or with this setting.
Result<void> refuseUnused(const PredictArguments &given, const PredictSetting &setting, bool recorded) {
    const PredictArguments usual;
    if (given.scenario.policy != usual.scenario.policy)
        return fail("it is the simulator's, and asynchronous steps are played without it",
                    "leave it out, or name a --strategy of collectives, synchronous servers or partitions",
                    given.scenario.policyOption);
    if (given.tcpWindow != usual.tcpWindow && sharingOf(setting, recorded) != LinkSharing::Tcp)
        return fail("it is a window of TCP, by which links are not shared here", "leave it out, or add --sharing tcp", {},
                    "--tcp-window");
    if (given.profileBandwidthGbits != usual.profileBandwidthGbits && !recorded)
        return fail("it explains recorded transfers, and there are none",
                    "leave it out, or predict from a profile with transfers", {}, "--profile-bandwidth");
    const std::vector<std::int32_t> &workers = setting.workers;
    const bool byOnes = static_cast<std::size_t>(workers.back() - workers.front()) + 1 == workers.size();
    if (given.gain != usual.gain && !(byOnes && workers.size() > 1))
        return fail("the bottleneck point is looked for among two or more consecutive numbers of workers",
                    "leave it out, or give consecutive --workers, such as 1-10", {}, "--gain");
    return {};
}

/// The input of the prediction, and how it was obtained.
struct PreparedPrediction {
    std::shared_ptr<const PredictRequest> request;
    std::shared_ptr<const Reconstruction> reconstruction; ///< for profiles with recorded transfers
};

Result<PreparedPrediction> prepare(const Common &common, const PredictArguments &arguments, const LoadedJob &loaded,
                                   Cluster cluster, const std::optional<StrategyRecipe> &strategy) {
    const ImportedProfile *profile = loaded.profile.get();
    const auto setting = TRY(settingOf(common, arguments, hasRecordedTransfers(profile)));
    TRY(refuseUnused(arguments, setting, hasRecordedTransfers(profile)));
    if (cluster.serverOnly.empty())
        cluster = withDedicatedServers(cluster, 1);
    TRY(inFile(checkConnections(setting.workers.back(), static_cast<std::int64_t>(cluster.serverOnly.size())), "--workers"));
    std::vector<std::int32_t> placed;
    if (strategy) {
        const auto built = TRY(makeStrategy(*strategy, *loaded.job, cluster));
        placed = TRY(placeByStrategy(*built, cluster));
    }
    auto reconstruction = TRY(reconstructionOf(*loaded.job, profile, cluster, setting));
    const auto samples = TRY(samplesOf(*loaded.job, profile, arguments.scenario.job));
    auto request = TRY(predictRequest(*loaded.job, samples, reconstruction.get(), cluster, setting, placed));
    return PreparedPrediction{std::move(request), std::move(reconstruction)};
}

/// A predicted curve and the inputs for printing it.
struct Answer {
    const Job &job;
    const PredictArguments &arguments;
    const PredictRequest &request;
    const std::shared_ptr<const Reconstruction> &reconstruction; ///< or null
    const Prediction &prediction;

    /// 0 = not known: rates count steps.
    [[nodiscard]] double batchSize() const { return arguments.batchSize > 0 ? arguments.batchSize : job.batchSize; }
    [[nodiscard]] double cost(const Throughput &t) const {
        const auto servers = static_cast<double>(request.steps->graph.servers);
        return costPerSample(t.samplesPerSecond, t.workers + servers, arguments.pricePerNodeHour); // or per step
    }
};

void addReconstruction(JsonWriter &json, const Reconstruction &reconstruction) {
    json.key("reconstruction").beginObject().member("alpha_seconds_per_byte", reconstruction.overhead.secondsPerByte);
    json.member("beta_seconds", reconstruction.overhead.seconds).key("end_time_error").beginObject();
    json.member("average", reconstruction.errors.average).member("median", reconstruction.errors.median);
    json.member("p95", reconstruction.errors.percentile95).member("maximum", reconstruction.errors.maximum);
    json.member("streams", static_cast<std::uint64_t>(reconstruction.errors.streams)).endObject().endObject();
}

void addCurve(JsonWriter &json, const Answer &a) {
    json.key("curve").beginArray();
    for (const CurvePoint &point : a.prediction.points) {
        const Throughput &t = point.throughput;
        json.newLine().beginObject().member("workers", t.workers);
        writeRate(json, a.batchSize(), t.samplesPerSecond);
        json.member("low", t.low).member("high", t.high).key("starts").beginArray();
        for (const double start : point.starts)
            json.value(start);
        json.endArray();
        json.member("cynthia", point.cynthia).member("queueing", point.queueing).member("saturated", t.saturated);
        if (a.arguments.pricePerNodeHour > 0)
            json.member("cost_per_sample", samplesOnly(a.batchSize() > 0, a.cost(t)));
        json.key("utilisation").beginObject();
        for (const Utilisation &u : t.utilisation)
            json.member(u.name(), u.busy);
        json.endObject().endObject();
    }
    json.endArray().newLine();
}

void writeJson(JsonWriter &json, const Answer &a, std::int32_t seed, const RankSpread &ranks) {
    json.beginObject().member("job", a.job.name).member("cluster", a.request.cluster.name);
    json.member("servers", a.request.steps->graph.servers)
        .member("order", a.arguments.order)
        .key("window_bytes")
        .value(a.request.generate.windowBytes);
    if (a.reconstruction)
        addReconstruction(json, *a.reconstruction);
    addCurve(json, a);
    json.key("bottleneck_workers");
    if (a.prediction.bottleneckWorkers > 0)
        json.value(a.prediction.bottleneckWorkers);
    else
        json.value(std::nan("")); // null: not reached
    json.member("gain", a.request.gain).member("events", a.prediction.events).member("ops", a.prediction.ops);
    json.member("wall_seconds", a.prediction.wallSeconds).member("seed", static_cast<std::int64_t>(seed));
    json.key("assumptions").beginArray();
    for (const std::string &assumption : a.prediction.assumptions)
        json.value(assumption);
    json.endArray();
    ranks.write(json, "starts_by_rank");
    json.endObject().newLine();
}

std::string report(const Answer &a, bool quiet) {
    std::string text = fmt::format("{:>7} {:>12} {:>25} {:>10} {:>10}  {}{}\n", "workers", rateUnit(a.batchSize() > 0),
                                   "95 % of the mean", "Cynthia", "queueing",
                                   a.arguments.pricePerNodeHour <= 0 ? ""
                                   : a.batchSize() > 0               ? "cost/sample  "
                                                                     : "cost/step    ",
                                   "saturated");
    for (const CurvePoint &point : a.prediction.points) {
        const Throughput &t = point.throughput;
        text += fmt::format("{:>7} {:>12.5g} {:>12.5g} {:>12.5g} {:>10.5g} {:>10.5g}  {}{}\n", t.workers, t.samplesPerSecond,
                            t.low, t.high, point.cynthia, point.queueing,
                            a.arguments.pricePerNodeHour > 0 ? fmt::format("{:<11.4g}  ", a.cost(t)) : "", t.saturated);
    }
    if (!quiet) {
        if (a.prediction.bottleneckWorkers > 0)
            text += fmt::format("Past {} another one adds less than {:.3g} % of what the first brings.\n",
                                counted(a.prediction.bottleneckWorkers, "worker"), 100 * a.request.gain);
        for (const std::string &assumption : a.prediction.assumptions)
            text += assumption + "\n";
        text += fmt::format("{:.3g} million ops in {}\n", static_cast<double>(a.prediction.ops) / 1e6,
                            formatSeconds(a.prediction.wallSeconds));
    }
    return text;
}

Outcome predictSteps(const Common &common, const PredictArguments &arguments, const LoadedJob &loaded, const Cluster &cluster,
                     const std::optional<StrategyRecipe> &strategy, RankSpread &ranks) {
    const auto prepared = prepare(common, arguments, loaded, cluster, strategy);
    const auto prediction =
        prepared ? predictCurve(*prepared->request, {}, nullptr, ranks.spread()) : Unexpected(prepared.error());
    if (!prediction)
        return ranks.failed(prediction.error());
    const Answer answer{*loaded.job, arguments, *prepared->request, prepared->reconstruction, *prediction};
    JsonWriter json;
    writeJson(json, answer, common.seed, ranks);
    printEither(common, json, report(answer, common.quiet));
    return {};
}

/// The subject of the prediction.
struct Subject {
    LoadedJob loaded;
    Cluster cluster;
    std::optional<StrategyRecipe> strategy{};
    bool isOfTheSimulator = false;
};

Result<Subject> load(const ScenarioOptions &options) {
    TRY(refuseTrainingDag(options.job));
    Subject subject{TRY(loadJob(options.job)), {}};
    subject.cluster = TRY(loadCluster(options, subject.loaded));
    if (options.strategy.empty())
        return subject;
    subject.strategy = TRY(strategyRecipe(loadSource(options.strategy), *subject.loaded.job));
    subject.isOfTheSimulator =
        isOfTheSimulator(*TRY(inOption(makeStrategy(*subject.strategy, *subject.loaded.job, subject.cluster), "--strategy")));
    return subject;
}

Outcome predict(const Common &common, const PredictArguments &arguments) {
    RankSpread ranks(common, "predict");
    const auto subject = load(arguments.scenario);
    if (!subject)
        return ranks.failed(subject.error());
    const auto &[loaded, cluster, strategy, simulates] = *subject;
    return simulates ? predictBySimulation(common, arguments, loaded, cluster, *strategy, ranks)
                     : predictSteps(common, arguments, loaded, cluster, strategy, ranks);
}

/// Adds the options for the job, the cluster and the curve.
void addScene(CLI::App &command, ScenarioOptions &options, PredictArguments &arguments) {
    command.add_option("profile", options.job, "Profile of many steps, job file or catalogue name")->required();
    command.add_option("--cluster", options.cluster, "Catalogue name or description; grown or shrunk to each number of workers")
        ->required();
    command.add_option("--workers", arguments.workers, "Numbers of workers: 1-10, or 1,2,4")->capture_default_str();
    command.add_option("--servers", options.servers, "Parameter servers, each with a node's link; 1 unless given")
        ->check(CLI::Range(1, 10000));
    addBandwidthAndLatency(command, options);
    command.add_option(
        "--strategy", options.strategy,
        "Builder expression or strategy file: asynchronous servers place the variables (else as recorded, or "
        "greedily by bytes); synchronous ones, partitions and collectives go through the simulator, with --policy");
    command.add_option("--policy", options.policy, "Communication policy of the simulator, as in simulate")
        ->capture_default_str();
}

/// Adds the options that describe the recording.
void addRecording(CLI::App &command, PredictArguments &arguments) {
    command
        .add_option(
            "--window", arguments.window,
            "HTTP/2 flow-control window: bytes a stream sends the first time, off, or auto: from recorded ends of transfers")
        ->capture_default_str();
    command
        .add_option(
            "--overhead", arguments.overhead,
            "Parsing of received tensors in timelines: seconds per byte and per tensor (2e-10,50us), auto: fitted, or off")
        ->capture_default_str();
    command.add_option("--batch-size", arguments.batchSize, "Samples per step, where the profile does not say")
        ->check(between(1e-9, 1e9));
    command
        .add_option(
            "--profile-bandwidth", arguments.profileBandwidthGbits,
            "Bandwidth that a stream reached where the profile was recorded, Gbit/s or with a unit; the cluster's unless given")
        ->transform(bandwidth());
}

/// Adds the options for how its steps are played.
void addPlaying(CLI::App &command, PredictArguments &arguments) {
    command.add_option("--order", arguments.order, "Order of transfers")
        ->check(CLI::IsMember({"fifo", "reverse", "random", "tic", "tac"}))
        ->capture_default_str();
    command.add_option("--steps", arguments.steps, "Steps per start that are counted, per worker in the mean")
        ->check(CLI::Range(1, 10000000))
        ->capture_default_str();
    command.add_option("--warm-up", arguments.warmUp, "Warm-up steps per start, not counted, per worker in the mean")
        ->check(CLI::Range(0, 10000000))
        ->capture_default_str();
    command
        .add_option("--sharing", arguments.sharing,
                    "equal: fairly at every moment; uneven: by drawn weights; tcp: windows over first-come queues, two-way "
                    "traffic; auto: tcp where the profile's transfers were recorded, else equal")
        ->check(CLI::IsMember({"auto", "equal", "uneven", "tcp"}))
        ->capture_default_str();
    command.add_option("--tcp-window", arguments.tcpWindow, "Window of a connection where sharing is tcp, such as 1MiB")
        ->capture_default_str();
    command
        .add_option("--starts", arguments.starts,
                    "Independent runs of every point: their mean, and its interval; a single run does not reveal the patterns "
                    "that it keeps to")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
}

void addOutlook(CLI::App &command, ScenarioOptions &options, PredictArguments &arguments) {
    addBackground(command, options);
    command.add_option(
        "--pairs", arguments.pairs,
        "Captured pairs (CSV with bytes, arrived_us, end_us, plain or gzip) that the parsing overhead is fitted to");
    command.add_option("--staleness", arguments.staleness, "Steps a worker may be ahead of the slowest; -1: asynchronous")
        ->check(CLI::Range(-1, 1000000))
        ->capture_default_str();
    command.add_flag(
        "--per-layer", arguments.perLayer,
        "A variable comes back as soon as its gradient has arrived; otherwise a step starts when the one before is done");
    command.add_option("--gain", arguments.gain, "Bottleneck point: another worker adds less than this share of the first")
        ->check(between(0.0, 1.0))
        ->capture_default_str();
    command.add_option("--price", arguments.pricePerNodeHour, "Price of a node-hour, for the cost per sample")
        ->check(between(0.0, 1e9));
}

Action declarePredict(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<PredictArguments>();
    addScene(command, arguments->scenario, *arguments);
    addRecording(command, *arguments);
    addPlaying(command, *arguments);
    addOutlook(command, arguments->scenario, *arguments);
    return [&common, arguments] { return predict(common, *arguments); };
}

} // namespace

const CommandEntry predictEntry{"predict",
                                "Predict the throughput of asynchronous SGD for any number of workers from a profile of one",
                                declarePredict, true};

} // namespace syncopate::cli
