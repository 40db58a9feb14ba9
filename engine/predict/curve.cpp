// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/curve.h"

#include "engine/base/parallel_in_order.h"
#include "engine/base/rng.h"
#include "engine/base/units.h"
#include "engine/predict/mean_interval.h"
#include "engine/predict/setting.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mutex>
#include <optional>
#include <thread>

namespace syncopate {

namespace {

constexpr std::int32_t maxStarts = 1000;
constexpr std::int32_t phaseSteps = 100; ///< of one worker, as many as the paper profiles

Result<Generated> generateFor(const PredictRequest &request, std::int32_t workers, const GenerateOptions &options,
                              const std::stop_token &stop) {
    const auto machines = TRY(machinesOf(withWorkers(request.cluster, workers), request.steps->graph.servers));
    return generateTrace(*request.steps, machines, options, stop);
}

/// "10 Gbit/s in a rack and 5 Gbit/s between racks".
std::string describe(const ConnectionLimits &limits) {
    const auto rate = [](double bytesPerSecond) {
        return std::isfinite(bytesPerSecond) ? formatBandwidth(bytesPerSecond) : "the NICs' rate";
    };
    if (limits.rackOf.empty())
        return rate(limits.rackBytesPerSecond);
    return fmt::format("{} in a rack and {} between racks", rate(limits.rackBytesPerSecond), rate(limits.acrossBytesPerSecond));
}

/// Combines several starts into their mean.
CurvePoint combine(std::vector<Throughput> starts) {
    CurvePoint point;
    double sum = 0;
    std::uint64_t events = 0, ops = 0;
    for (const Throughput &start : starts) {
        point.starts.push_back(start.samplesPerSecond);
        sum += start.samplesPerSecond;
        events += start.events;
        ops += start.ops;
    }
    point.throughput = std::move(starts.front());
    if (point.starts.size() == 1)
        return point;
    const Interval interval = intervalOfMean(point.starts);
    point.throughput.samplesPerSecond = sum / static_cast<double>(point.starts.size());
    point.throughput.low = std::max(0.0, interval.low);
    point.throughput.high = interval.high;
    point.throughput.events = events;
    point.throughput.ops = ops;
    return point;
}

std::string assumptionOf(LinkSharing sharing, double tcpWindowBytes) {
    switch (sharing) {
    case LinkSharing::Uneven:
        return "Flows share links in proportion to weights that every transfer draws (exponential, in whole numbers).";
    case LinkSharing::Tcp:
        return fmt::format("TCP: windows of {}, first-come-first-served queues that drop nothing, in which "
                           "acknowledgements and requests wait, too; a sender's own queue is kept small, as Linux does.",
                           formatBytes(tcpWindowBytes));
    case LinkSharing::Equal:
        break;
    }
    return "Flows share links max-min fairly at every moment.";
}

std::vector<std::string> assumptionsOf(const PredictRequest &request) {
    const GenerateOptions &options = request.generate;
    std::vector<std::string> assumptions = request.steps->notes;
    if (options.countedSeconds > 0)
        assumptions.push_back(
            fmt::format("Workers run steps sampled with replacement for {} after {} that are left out; seed {}.",
                        formatSeconds(options.countedSeconds), formatSeconds(options.warmUpSeconds), options.seed));
    else
        assumptions.push_back(fmt::format(
            "Workers run {} steps each in the mean, sampled with replacement, after {} each that are left out; seed {}.",
            options.steps, options.warmUp, options.seed));
    if (options.staleness >= 0)
        assumptions.push_back(describeStaleness(options.staleness));
    if (options.sharedCores > 0)
        assumptions.push_back(fmt::format("All workers run on one machine: requesting a step keeps one of its {} cores busy.",
                                          options.sharedCores));
    if (request.starts > 1)
        assumptions.push_back(fmt::format("Each point is the mean of {} independent starts, its interval their spread; a pattern "
                                          "that fewer than {:.0f} % of starts fall into may not be among them.",
                                          request.starts, 100 * (1 - std::pow(0.05, 1.0 / request.starts))));
    else
        assumptions.emplace_back(
            "One start: intervals do not know of patterns that workers keep to for a whole run; more starts do.");
    if (options.spreadStarts)
        assumptions.emplace_back("Workers start at moments drawn from the length of a step.");
    if (!options.background.empty())
        assumptions.push_back(
            fmt::format("Background traffic takes a share of links in {} stretches of time, and the rest is shared.",
                        options.background.size()));
    assumptions.push_back(assumptionOf(options.sharing, options.tcp.windowBytes));
    if (std::any_of(request.cluster.nodes.begin(), request.cluster.nodes.end(), [](const Node &node) { return node.nics > 1; }))
        assumptions.emplace_back(
            "A worker has one connection with each server, on one NIC at either end; they take the NICs in turn.");
    const ConnectionLimits limits = connectionLimitsOf(request.cluster);
    if (std::isfinite(std::min(limits.rackBytesPerSecond, limits.acrossBytesPerSecond)))
        assumptions.push_back(fmt::format("A worker's connection with a server carries {} at most, each way.", describe(limits)));
    assumptions.push_back(
        std::isinf(options.windowBytes) ? "No flow control: transfers go whole."
        : options.sharing == LinkSharing::Tcp
            ? fmt::format("HTTP/2 flow control as gRPC does it: first windows of {} for streams and connections.",
                          formatBytes(options.windowBytes))
            : fmt::format("HTTP/2 streams: {} the first time a stream is chosen, the rest the second time.",
                          formatBytes(options.windowBytes)));
    assumptions.emplace_back("Compute and updates of one worker do not slow another's.");
    if (options.sharing == LinkSharing::Equal && request.steps->seconds.size() == 1)
        assumptions.emplace_back(
            "All steps are alike, so equal workers on fairly shared links may stay in step and use the server's link one "
            "way at a time: a lower bound (uneven sharing breaks it).");
    return assumptions;
}

/// Phases of a single worker without other jobs' traffic, as the coarse models assume.
Result<StepPhases> phasesAlone(const PredictRequest &request, GenerateOptions options, double bytesPerSecond,
                               const std::stop_token &stop) {
    options.steps = std::min(options.steps, phaseSteps);
    options.warmUp = 0;
    options.traceSteps = options.steps;
    options.staleness = -1;
    options.background.clear();
    const auto one = TRY(generateFor(request, 1, options, stop));
    return phasesOf(*request.steps, one, bytesPerSecond);
}

/// Plays one start of one point: number `run` = point * starts + start.
Result<Throughput> playRun(const PredictRequest &request, const GenerateOptions &options, std::size_t run,
                           const std::stop_token &stop) {
    const auto starts = static_cast<std::size_t>(request.starts);
    const std::int32_t workers = request.workers[run / starts];
    GenerateOptions seeded = options;
    if (run % starts > 0) // the first start equals a single one; seeds number the others without overlap
        seeded.seed = Rng((options.seed - 1) * maxStarts + 1 + run % starts).next();
    const auto trace = TRY(generateFor(request, workers, seeded, stop));
    return throughputOf(trace, request.steps->batchSize, workers);
}

/// Plays all starts on all cores; if stopped, some are left without a result.
std::vector<Result<Throughput>> playAll(const PredictRequest &request, const GenerateOptions &options,
                                        const std::stop_token &stop, Progress *progress) {
    const auto starts = static_cast<std::size_t>(request.starts);
    std::vector<Result<Throughput>> runs(request.workers.size() * starts, fail("not computed"));
    std::atomic<std::size_t> next{0};
    if (progress) {
        progress->total = static_cast<std::uint64_t>(runs.size());
        progress->done = 0;
    }
    const auto work = [&] {
        for (std::size_t i = next++; i < runs.size() && !stop.stop_requested(); i = next++) {
            const std::size_t run = runs.size() - 1 - i; // the largest first, so that no thread starts it last
            runs[run] = playRun(request, options, run, stop);
            if (progress)
                ++progress->done;
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t t = 1; t < std::min<std::size_t>(runs.size(), threadsFor()); ++t)
            threads.emplace_back(work);
        work();
    }
    return runs;
}

Result<std::vector<std::string>> textsOf(const Result<Throughput> &run) {
    const Throughput t = TRY(run);
    std::vector<std::string> texts = bitsOf({t.samplesPerSecond, t.low, t.high});
    texts.insert(texts.end(), {fmt::format("{}", t.workers), fmt::format("{}", t.events), fmt::format("{}", t.ops), t.saturated});
    for (const Utilisation &one : t.utilisation)
        texts.insert(texts.end(), {one.name(), bitsOf(one.busy)});
    return texts;
}

Result<Throughput> throughputIn(const std::string &part) {
    const auto texts = TRY(unpackResult(part));
    if (texts.size() < 7)
        return internalError("a start of a curve is cut off");
    Throughput throughput;
    throughput.samplesPerSecond = numberOf(texts[0]);
    throughput.low = numberOf(texts[1]);
    throughput.high = numberOf(texts[2]);
    throughput.workers = static_cast<std::int32_t>(wholeNumberIn(texts[3]).value_or(0));
    throughput.events = wholeNumberIn(texts[4]).value_or(0);
    throughput.ops = wholeNumberIn(texts[5]).value_or(0);
    throughput.saturated = texts[6];
    for (std::size_t i = 7; i + 1 < texts.size(); i += 2)
        throughput.utilisation.push_back(TRY(utilisationNamed(texts[i], numberOf(texts[i + 1]))));
    return throughput;
}

/// What ranks may have been given differently: cluster, steps and settings. The rest of `options` is the command's own.
std::vector<std::string> dependsOn(const PredictRequest &request, const GenerateOptions &options) {
    const StepSet &set = *request.steps;
    std::vector<std::string> texts{writeResourceSpec(request.cluster), fmt::format("{} {}", options.seed, request.starts),
                                   packTexts(bitsOf({set.batchSize, set.betweenSeconds}))};
    for (const std::int32_t workers : request.workers)
        texts.push_back(fmt::format("{}", workers));
    for (const StepOp &op : set.graph.ops)
        texts.push_back(fmt::format("{} {} {} {}", op.name, op.server, op.rank, bitsOf(op.sizeBytes)));
    for (const auto *edges : {&set.graph.edges, &set.graph.nextEdges}) {
        std::string text;
        for (const auto &[before, after] : *edges)
            text += fmt::format("{} {};", before, after);
        texts.push_back(std::move(text));
    }
    for (const std::vector<double> &step : set.seconds)
        texts.push_back(packTexts(bitsOf(step)));
    for (const std::vector<std::int32_t> &order : set.downlinkOrder)
        texts.push_back(fmt::format("{}", fmt::join(order, " ")));
    texts.push_back(
        packTexts(bitsOf({options.windowBytes, static_cast<double>(options.steps), static_cast<double>(options.warmUp),
                          static_cast<double>(options.staleness), options.tcp.windowBytes, static_cast<double>(options.sharing),
                          static_cast<double>(request.order)})));
    texts.push_back(formatBackground(options.background));
    return texts;
}

Result<std::vector<Result<Throughput>>> spreadAll(const PredictRequest &request, const GenerateOptions &options,
                                                  const Spread &spread) {
    const auto make = [&](std::size_t run, const std::stop_token &stop) {
        return packResult(textsOf(playRun(request, options, run, stop)));
    };
    const auto parts = TRY(spread([&] { return dependsOn(request, options); },
                                  request.workers.size() * static_cast<std::size_t>(request.starts), make));
    std::vector<Result<Throughput>> runs;
    runs.reserve(parts.size());
    for (const std::string &part : parts)
        runs.push_back(throughputIn(part));
    return runs;
}

/// Share of the first server's link that a connection at `connectionBytesPerSecond` takes.
double linkShareOf(const Cluster &cluster, double connectionBytesPerSecond) {
    const std::vector<std::int32_t> servers = cluster.serverNodes();
    const Node &server = cluster.nodes[static_cast<std::size_t>(servers.empty() ? 0 : servers.front())];
    return std::min(1.0, connectionBytesPerSecond / (server.nicBytesPerSecond() * cluster.linkEfficiency));
}

Result<void> addPoints(const PredictRequest &request, std::vector<Result<Throughput>> runs, double linkShare,
                       Prediction &prediction) {
    const auto starts = static_cast<std::size_t>(request.starts);
    std::vector<Throughput> curve;
    bool byOnes = true;
    for (std::size_t p = 0; p < request.workers.size(); ++p) {
        std::vector<Throughput> startsOfPoint;
        for (std::size_t s = 0; s < starts; ++s)
            startsOfPoint.push_back(TRY(std::move(runs[p * starts + s])));
        CurvePoint point = combine(std::move(startsOfPoint));
        point.cynthia = cynthiaSamplesPerSecond(prediction.phases, request.steps->batchSize, request.workers[p], linkShare);
        point.queueing = queueingSamplesPerSecond(prediction.phases, request.steps->batchSize, request.workers[p], linkShare);
        if (!curve.empty() && point.throughput.workers != curve.back().workers + 1)
            byOnes = false;
        curve.push_back(point.throughput);
        prediction.events += point.throughput.events;
        prediction.ops += point.throughput.ops;
        prediction.points.push_back(std::move(point));
    }
    if (byOnes)
        prediction.bottleneckWorkers = bottleneckPoint(curve, request.gain);
    return {};
}

} // namespace

std::string describeStaleness(std::int32_t staleness) {
    return staleness == 0 ? "Synchronous: after each step a worker waits for all others."
           : staleness == 1
               ? "Bounded staleness of 1: a worker waits while it is more than one step ahead of the slowest."
               : fmt::format("Bounded staleness of {}: a worker waits while it is more than {} steps ahead of the slowest.",
                             staleness, staleness);
}

double connectionRate(const Cluster &cluster) {
    if (cluster.nodes.empty())
        return 0;
    const std::vector<std::int32_t> workers = cluster.trainingNodes(), servers = cluster.serverNodes();
    const std::int32_t worker = workers.empty() ? 0 : workers.front(), server = servers.empty() ? worker : servers.front();
    const auto nic = [&](std::int32_t node) { return cluster.nodes[static_cast<std::size_t>(node)].nicBytesPerSecond(); };
    return std::min(std::min(nic(worker), nic(server)) * cluster.linkEfficiency,
                    connectionLimitsOf(cluster).between(worker, server));
}

Result<Prediction> predictCurve(const PredictRequest &request, std::stop_token stop, Progress *progress, const Spread &spread) {
    const auto begin = std::chrono::steady_clock::now();
    if (!request.steps || request.workers.empty() || request.cluster.nodes.empty())
        return fail("there are no steps, no workers or no cluster to predict for", "give all three");
    if (request.starts < 1 || request.starts > maxStarts)
        return fail(fmt::format("{} starts", request.starts), fmt::format("predict 1 to {}", maxStarts));
    const double rate = connectionRate(request.cluster);
    GenerateOptions options = request.generate;
    options.transferRank = TRY(transferRanks(*request.steps, request.order, rate, options.seed));
    Prediction prediction;
    prediction.phases = TRY(phasesAlone(request, options, rate, stop));
    std::vector<Result<Throughput>> runs =
        spread ? TRY(spreadAll(request, options, spread)) : playAll(request, options, stop, progress);
    if (stop.stop_requested())
        return cancelled();
    TRY(addPoints(request, std::move(runs), linkShareOf(request.cluster, rate), prediction));
    prediction.assumptions = assumptionsOf(request);
    prediction.wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return prediction;
}

} // namespace syncopate
