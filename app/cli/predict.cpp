// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/load_scenario.h"
#include "app/cli/output.h"
#include "engine/base/json_writer.h"
#include "engine/base/units.h"
#include "engine/predict/curve.h"
#include "engine/profile/profile.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

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

Result<PredictRequest> requestOf(const Common &common, const ScenarioOptions &options, const PredictArguments &arguments) {
    PredictRequest request;
    const auto loaded = loadJob(options.job);
    if (!loaded)
        return Unexpected(loaded.error());
    request.job = loaded->job;
    auto cluster = loadCluster(options);
    if (!cluster)
        return Unexpected(cluster.error());
    if (cluster->serverOnly.empty())
        *cluster = withDedicatedServers(*cluster, 1);
    const auto servers = static_cast<std::int32_t>(cluster->serverOnly.size());
    auto workers = parseWorkers(arguments.workers);
    if (!workers)
        return Unexpected(workers.error());
    request.workers = std::move(*workers);

    auto steps = stepSetFromJob(*loaded->job, loaded->profile ? loaded->profile->samples : std::vector<StepSample>(),
                                {.perLayer = arguments.perLayer});
    if (!steps)
        return Unexpected(steps.error());
    std::vector<std::int32_t> placed;
    if (options.strategy.empty()) {
        std::vector<double> bytes;
        for (const Variable &variable : loaded->job->variables)
            bytes.push_back(static_cast<double>(variable.sizeBytes()));
        placed = placeGreedily(bytes, servers);
    } else {
        const auto strategy = loadStrategy(options.strategy, *loaded->job, *cluster);
        if (!strategy)
            return Unexpected(strategy.error());
        auto made = placeByStrategy(*strategy, *cluster);
        if (!made)
            return Unexpected(made.error());
        placed = std::move(*made);
    }
    steps = withPlacement(std::move(*steps), placed, servers);
    if (!steps)
        return Unexpected(steps.error());
    request.steps = std::make_shared<const StepSet>(std::move(*steps));
    request.cluster = std::move(*cluster);

    static const std::map<std::string, TransferOrder> orders{{"fifo", TransferOrder::Recorded},
                                                             {"reverse", TransferOrder::Reverse},
                                                             {"random", TransferOrder::Random},
                                                             {"tic", TransferOrder::Tic},
                                                             {"tac", TransferOrder::Tac}};
    request.order = orders.at(arguments.order); // main() has checked it
    GenerateOptions &generate = request.generate;
    if (arguments.window != "off") {
        const auto window = parseBytes(arguments.window);
        if (!window || !(*window > 0))
            return fail(fmt::format("'{}' is no window", arguments.window), "write a size such as 64KiB, or off", {}, "--window");
        generate.windowBytes = *window;
    }
    generate.steps = arguments.steps;
    generate.warmUp = arguments.warmUp;
    generate.staleness = arguments.staleness;
    generate.sharing = arguments.sharing == "uneven" ? LinkSharing::Uneven : LinkSharing::Equal;
    generate.seed = static_cast<std::uint64_t>(common.seed);
    request.gain = arguments.gain;
    return request;
}

} // namespace

Outcome predict(const Common &common, const ScenarioOptions &options, const PredictArguments &arguments) {
    const auto request = requestOf(common, options, arguments);
    if (!request)
        return badInput(request.error());
    const auto prediction = predictCurve(*request);
    if (!prediction)
        return badInput(prediction.error());
    const auto servers = static_cast<double>(request->steps->graph.servers);
    const auto cost = [&](const Throughput &t) {
        return costPerSample(t.samplesPerSecond, t.workers + servers, arguments.pricePerNodeHour);
    };
    if (common.json) {
        JsonWriter json;
        json.beginObject().member("job", request->job->name).member("cluster", request->cluster.name);
        json.member("servers", request->steps->graph.servers).member("order", arguments.order).member("window", arguments.window);
        json.key("curve").beginArray();
        for (const CurvePoint &point : prediction->points) {
            const Throughput &t = point.throughput;
            json.newLine().beginObject().member("workers", t.workers).member("samples_per_second", t.samplesPerSecond);
            json.member("low", t.low).member("high", t.high);
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
