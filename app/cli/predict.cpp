// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/load_scenario.h"
#include "app/cli/output.h"
#include "engine/base/json_writer.h"
#include "engine/base/units.h"
#include "engine/predict/curve.h"
#include "engine/predict/overhead_pairs.h"
#include "engine/predict/reconstruct.h"
#include "engine/predict/simulated_curve.h"
#include "engine/profile/profile.h"
#include "engine/profile/step_samples.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>

namespace syncopate::cli {

namespace {

constexpr std::int32_t mostWorkers = 4096;

/// "1-10", "4", "1,2,4,8-16": ascending, each once.
Result<std::vector<std::int32_t>> parseWorkers(const std::string &text) {
    std::vector<std::int32_t> made;
    const auto refuse = [&] {
        return fail(fmt::format("'{}' is no number of workers", text),
                    fmt::format("write 1-10, or 1,2,4, of 1 to {} workers", mostWorkers), {}, "--workers");
    };
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        const std::string part = text.substr(from, comma - from);
        const std::size_t dash = part.find('-');
        const auto first = parseNumber(part.substr(0, dash));
        const auto last = dash == std::string::npos ? first : parseNumber(part.substr(dash + 1));
        if (!first || !last || !(*first >= 1 && *first <= *last && *last <= mostWorkers) || *first != std::floor(*first) ||
            *last != std::floor(*last))
            return refuse();
        for (auto w = static_cast<std::int32_t>(*first); w <= static_cast<std::int32_t>(*last); ++w)
            made.push_back(w);
        from = comma + 1;
    }
    std::sort(made.begin(), made.end());
    made.erase(std::unique(made.begin(), made.end()), made.end());
    return made;
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

/// "ALPHA,BETA": seconds per byte and per tensor.
Result<ParsingOverhead> parseOverhead(const std::string &text) {
    const std::size_t comma = text.find(',');
    const auto alpha = parseNumber(text.substr(0, comma));
    const auto beta = comma == std::string::npos ? alpha : parseSeconds(text.substr(comma + 1));
    if (comma == std::string::npos || !alpha || !beta || !(*alpha >= 0 && *alpha < 1 && *beta >= 0 && *beta < 60))
        return fail(fmt::format("'{}' is no parsing overhead", text),
                    "write seconds per byte and per tensor, such as 2e-10,50us, or auto, or off", {}, "--overhead");
    return ParsingOverhead{*alpha, *beta};
}

/// Window in bytes, infinite = off, none = to be estimated.
Result<std::optional<double>> parseWindow(const std::string &text) {
    if (text == "auto")
        return std::optional<double>();
    if (text == "off")
        return std::optional<double>(std::numeric_limits<double>::infinity());
    const auto window = parseBytes(text);
    if (!window || !(*window > 0))
        return fail(fmt::format("'{}' is no window", text), "write a size such as 64KiB, or off, or auto", {}, "--window");
    return std::optional<double>(*window);
}

/// What is predicted from, and how it came to be.
struct Prepared {
    PredictRequest request;
    std::string job;
    std::optional<Reconstruction> reconstruction; ///< of profiles with recorded transfers
};

/// The recorded steps of what `file` named: a profile's, or those that a job file carries.
Result<std::vector<StepSample>> samplesOf(const LoadedJob &loaded, const std::string &file) {
    if (loaded.profile)
        return loaded.profile->samples;
    std::error_code ignored;
    return std::filesystem::is_regular_file(file, ignored) ? readStepSamples(file, *loaded.job) : std::vector<StepSample>();
}

/// The steps of `loaded`: a profile's ops where it tells them, else its layers.
Result<StepSet> stepsOf(const LoadedJob &loaded, const std::string &job, const PredictArguments &arguments, double bytesPerSecond,
                        Prepared &prepared) {
    auto window = parseWindow(arguments.window);
    if (!window)
        return Unexpected(window.error());
    const bool recorded = loaded.profile && !loaded.profile->opGraphs.empty();
    if (!arguments.pairs.empty() && (!recorded || arguments.overhead != "auto"))
        return fail(recorded ? "--overhead and --pairs both say what parsing takes"
                             : "there are no recorded transfers to take parsing off",
                    "leave one of them out", {}, "--pairs");
    if (!recorded) {
        if (!*window)
            return fail("there are no recorded transfers to find the window from", "give --window a size, or off", {},
                        "--window");
        if (arguments.overhead != "off" && arguments.overhead != "auto")
            return fail("there are no recorded transfers whose parsing could be told apart", "leave --overhead out", {},
                        "--overhead");
        prepared.request.generate.windowBytes = **window;
        const auto samples = samplesOf(loaded, job);
        if (!samples)
            return Unexpected(samples.error());
        auto set = stepSetFromJob(*loaded.job, *samples, {.perLayer = arguments.perLayer});
        if (set && arguments.batchSize > 0)
            set->batchSize = arguments.batchSize;
        return set;
    }
    if (arguments.perLayer)
        return fail("the steps of this profile follow one another whole", "leave --per-layer out", {}, "--per-layer");
    const auto steps = recordedStepsOf(loaded.profile->opGraphs, loaded.profile->file,
                                       arguments.batchSize > 0 ? arguments.batchSize : loaded.job->batchSize);
    if (!steps)
        return Unexpected(steps.error());
    ReconstructOptions options;
    options.bytesPerSecond =
        arguments.profileBandwidthGbits > 0 ? bytesPerSecondFromGbits(arguments.profileBandwidthGbits) : bytesPerSecond;
    options.windowBytes = *window;
    std::string fitted; // how the overhead fits captured pairs
    if (arguments.overhead == "off")
        options.overhead = ParsingOverhead{};
    else if (!arguments.pairs.empty()) {
        auto pairs = readOverheadPairs(arguments.pairs);
        if (!pairs)
            return Unexpected(pairs.error());
        options.overhead = fitOverhead(*pairs);
        const OverheadResiduals left = residualsOf(*pairs, *options.overhead);
        fitted =
            fmt::format("Parsing was fitted to {} pairs: residuals {} at the median, {} at the 95th percentile, {} at most.",
                        pairs->size(), formatSeconds(left.median), formatSeconds(left.percentile95), formatSeconds(left.maximum));
    } else if (arguments.overhead != "auto") {
        const auto given = parseOverhead(arguments.overhead);
        if (!given)
            return Unexpected(given.error());
        options.overhead = *given;
    }
    auto made = reconstruct(*steps, options);
    if (!made)
        return Unexpected(made.error());
    prepared.request.generate.windowBytes = made->windowBytes;
    if (!fitted.empty())
        made->set.notes.push_back(fitted);
    prepared.reconstruction = std::move(*made);
    return prepared.reconstruction->set;
}

/// Variables of the steps, by the bytes that come down for each.
std::vector<double> variableBytes(const StepSet &set) {
    std::vector<double> bytes;
    for (const StepOp &op : set.graph.ops) {
        if (op.variable < 0 || op.resource != StepResource::Downlink)
            continue;
        if (static_cast<std::size_t>(op.variable) >= bytes.size())
            bytes.resize(static_cast<std::size_t>(op.variable) + 1, 0);
        bytes[static_cast<std::size_t>(op.variable)] += op.sizeBytes;
    }
    return bytes;
}

/// Strategies by which workers wait for each other, or cut variables up: the simulator's business.
bool isOfTheSimulator(const Strategy &strategy) {
    return std::any_of(strategy.nodes.begin(), strategy.nodes.end(), [](const NodeConfig &node) {
        return node.isPartitioned() || node.synchronizer.kind == SynchronizerKind::AllReduce || node.synchronizer.sync;
    });
}

/// The curve of such a strategy, through simulate().
Outcome predictBySimulation(const Common &common, const ScenarioOptions &options, const PredictArguments &arguments,
                            const LoadedJob &loaded, const Cluster &cluster) {
    const auto begin = std::chrono::steady_clock::now();
    SimulatedRequest request;
    request.job = loaded.job;
    if (loaded.job->variables.empty())
        return badInput("the profile tells no variable sizes, so there is nothing to synchronise",
                        "give a profile or job file that has them");
    auto samples = samplesOf(loaded, options.job);
    if (!samples)
        return badInput(samples.error());
    request.samples = std::move(*samples);
    request.cluster = cluster;
    request.strategy = [&](const Cluster &sized) { return loadStrategy(options.strategy, *loaded.job, sized); };
    const auto policy = parsePolicy(options.policy);
    if (!policy)
        return badInput(policy.error());
    request.policy = *policy;
    auto workers = parseWorkers(arguments.workers);
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

Result<Prepared> prepare(const Common &common, const ScenarioOptions &options, const PredictArguments &arguments,
                         const LoadedJob &loaded, Cluster cluster) {
    Prepared prepared;
    PredictRequest &request = prepared.request;
    prepared.job = loaded.job->name;
    if (cluster.serverOnly.empty())
        cluster = withDedicatedServers(cluster, 1);
    const auto servers = static_cast<std::int32_t>(cluster.serverOnly.size());
    auto workers = parseWorkers(arguments.workers);
    if (!workers)
        return Unexpected(workers.error());
    request.workers = std::move(*workers);
    const double rate = cluster.nodes.front().bandwidthBytesPerSecond * cluster.linkEfficiency;
    auto steps = stepsOf(loaded, options.job, arguments, rate, prepared);
    if (!steps)
        return Unexpected(steps.error());
    const std::vector<double> bytes = variableBytes(*steps);
    if (bytes.empty())
        return fail("the profile tells no sizes of variables, so nothing is sent", "give a profile or job file that has them");
    std::vector<std::int32_t> placed;
    if (options.strategy.empty()) {
        placed = placeGreedily(bytes, servers);
    } else {
        const auto strategy = loadStrategy(options.strategy, *loaded.job, cluster);
        if (!strategy)
            return Unexpected(strategy.error());
        auto made = placeByStrategy(*strategy, cluster);
        if (!made)
            return Unexpected(made.error());
        placed = std::move(*made);
    }
    if (steps->graph.servers != servers || servers > 1) {
        steps = withPlacement(std::move(*steps), placed, servers);
        if (!steps)
            return Unexpected(steps.error());
    }
    request.steps = std::make_shared<const StepSet>(std::move(*steps));
    request.cluster = std::move(cluster);

    static const std::map<std::string, TransferOrder> orders{{"fifo", TransferOrder::Recorded},
                                                             {"reverse", TransferOrder::Reverse},
                                                             {"random", TransferOrder::Random},
                                                             {"tic", TransferOrder::Tic},
                                                             {"tac", TransferOrder::Tac}};
    request.order = orders.at(arguments.order); // main() has checked it
    GenerateOptions &generate = request.generate;
    generate.steps = arguments.steps;
    generate.warmUp = arguments.warmUp;
    generate.staleness = arguments.staleness;
    generate.sharing = arguments.sharing == "uneven" ? LinkSharing::Uneven
                       : arguments.sharing == "tcp"  ? LinkSharing::Tcp
                                                     : LinkSharing::Equal;
    const auto window = parseBytes(arguments.tcpWindow);
    if (!window)
        return fail(fmt::format("'{}' is no window", arguments.tcpWindow), "write a size such as 1MiB", {}, "--tcp-window");
    generate.tcp.windowBytes = *window;
    request.starts = arguments.starts;
    if (!arguments.background.empty()) {
        const bool isFile = arguments.background.find('@') == std::string::npos;
        auto background = isFile ? readBackgroundFile(arguments.background) : parseBackground(arguments.background);
        if (!background)
            return Unexpected(isFile ? background.error() : inFile(background.error(), "--background"));
        generate.background = std::move(*background);
    }
    generate.seed = static_cast<std::uint64_t>(common.seed);
    request.gain = arguments.gain;
    return prepared;
}

} // namespace

Outcome predict(const Common &common, const ScenarioOptions &options, const PredictArguments &arguments) {
    const auto loaded = loadJob(options.job);
    if (!loaded)
        return badInput(loaded.error());
    const auto cluster = loadCluster(options);
    if (!cluster)
        return badInput(cluster.error());
    if (!options.strategy.empty()) {
        const auto strategy = loadStrategy(options.strategy, *loaded->job, *cluster);
        if (!strategy)
            return badInput(strategy.error());
        if (isOfTheSimulator(*strategy))
            return predictBySimulation(common, options, arguments, *loaded, *cluster);
    }
    const auto prepared = prepare(common, options, arguments, *loaded, *cluster);
    if (!prepared)
        return badInput(prepared.error());
    const PredictRequest *request = &prepared->request;
    const auto prediction = predictCurve(*request);
    if (!prediction)
        return badInput(prediction.error());
    const auto servers = static_cast<double>(request->steps->graph.servers);
    const auto cost = [&](const Throughput &t) {
        return costPerSample(t.samplesPerSecond, t.workers + servers, arguments.pricePerNodeHour);
    };
    if (common.json) {
        JsonWriter json;
        json.beginObject().member("job", prepared->job).member("cluster", request->cluster.name);
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
