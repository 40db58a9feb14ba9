// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/curve.h"

#include "engine/base/units.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <thread>

namespace syncopate {

namespace {

constexpr std::int32_t phaseSteps = 100; ///< of one worker, as many as the paper profiles

Result<Generated> generateFor(const PredictRequest &request, std::int32_t workers, const GenerateOptions &options,
                              const std::stop_token &stop) {
    const auto machines = machinesOf(withWorkers(request.cluster, workers), request.steps->graph.servers);
    if (!machines)
        return Unexpected(machines.error());
    return generateTrace(*request.steps, *machines, options, stop);
}

std::vector<std::string> assumptionsOf(const PredictRequest &request) {
    const GenerateOptions &options = request.generate;
    std::vector<std::string> made = request.steps->notes;
    made.push_back(fmt::format("Every worker runs {} steps sampled with replacement after {} that are left out; seed {}.",
                               options.steps, options.warmUp, options.seed));
    switch (options.sharing) {
    case LinkSharing::Equal:
        made.push_back("Flows share links max-min fairly at every moment.");
        break;
    case LinkSharing::Uneven:
        made.push_back("Flows share links in proportion to weights that every transfer draws (exponential, in whole numbers).");
        break;
    case LinkSharing::Tcp:
        made.push_back(fmt::format("TCP: windows of {}, queues that serve what comes first and drop nothing, acknowledgements and "
                                   "requests wait in them too.",
                                   formatBytes(options.tcp.windowBytes)));
        break;
    }
    made.push_back(std::isinf(options.windowBytes)
                       ? "No flow control: transfers go whole."
                       : fmt::format("HTTP/2 streams: {} the first time a stream is chosen, the rest the second time.",
                                     formatBytes(options.windowBytes)));
    made.push_back("Compute and updates of one worker do not slow another's.");
    if (options.sharing == LinkSharing::Equal && request.steps->seconds.size() == 1)
        made.push_back(
            "All steps are alike, so equal workers on fairly shared links may stay in step and use the server's link one "
            "way at a time: a lower bound (uneven sharing breaks it).");
    return made;
}

} // namespace

Result<Prediction> predictCurve(const PredictRequest &request, std::stop_token stop, Progress *progress) {
    const auto begin = std::chrono::steady_clock::now();
    if (!request.steps || request.workers.empty() || request.cluster.nodes.empty())
        return fail("there are no steps, no workers or no cluster to predict for", "give all three");
    const double rate = request.cluster.nodes.front().bandwidthBytesPerSecond * request.cluster.linkEfficiency;
    GenerateOptions options = request.generate;
    auto ranks = transferRanks(*request.steps, request.order, rate, options.seed);
    if (!ranks)
        return Unexpected(ranks.error());
    options.transferRank = std::move(*ranks);

    Prediction prediction;
    GenerateOptions alone = options;
    alone.steps = std::min(options.steps, phaseSteps);
    alone.warmUp = 0;
    alone.traceSteps = alone.steps;
    alone.staleness = -1;
    const auto one = generateFor(request, 1, alone, stop);
    if (!one)
        return Unexpected(one.error());
    prediction.phases = phasesOf(*request.steps, *one, rate);

    const std::size_t count = request.workers.size();
    std::vector<Result<CurvePoint>> points(count, fail("not computed"));
    std::atomic<std::size_t> next{0};
    if (progress) {
        progress->total = static_cast<std::uint64_t>(count);
        progress->done = 0;
    }
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            const std::size_t point = count - 1 - i; // the largest first, so that no thread starts it last
            const std::int32_t workers = request.workers[point];
            auto &made = points[point];
            if (const auto trace = generateFor(request, workers, options, stop); !trace) {
                made = Unexpected(trace.error());
            } else if (auto throughput = throughputOf(*trace, request.steps->batchSize, workers); !throughput) {
                made = Unexpected(throughput.error());
            } else {
                CurvePoint own;
                own.throughput = std::move(*throughput);
                own.cynthia = cynthiaSamplesPerSecond(prediction.phases, request.steps->batchSize, workers);
                own.queueing = queueingSamplesPerSecond(prediction.phases, request.steps->batchSize, workers);
                made = std::move(own);
            }
            if (progress)
                ++progress->done;
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t t = 1; t < std::min<std::size_t>(count, std::max(1U, std::thread::hardware_concurrency())); ++t)
            threads.emplace_back(work);
        work();
    }
    std::vector<Throughput> curve;
    bool byOnes = true;
    for (auto &point : points) {
        if (!point)
            return Unexpected(point.error());
        if (!curve.empty() && point->throughput.workers != curve.back().workers + 1)
            byOnes = false;
        curve.push_back(point->throughput);
        prediction.events += point->throughput.events;
        prediction.ops += point->throughput.ops;
        prediction.points.push_back(std::move(*point));
    }
    if (byOnes)
        prediction.bottleneckWorkers = bottleneckPoint(curve, request.gain);
    prediction.assumptions = assumptionsOf(request);
    prediction.wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return prediction;
}

} // namespace syncopate
