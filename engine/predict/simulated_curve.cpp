// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/simulated_curve.h"

#include "engine/base/rng.h"
#include "engine/job/job_file.h"
#include "engine/predict/mean_interval.h"
#include "engine/predict/setting.h"
#include "engine/profile/step_samples.h"
#include "engine/simulate/run.h"
#include "engine/strategy/fingerprint.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace syncopate {

namespace {

double secondsOf(const StepSample &sample) {
    return std::accumulate(sample.forwardSeconds.begin(), sample.forwardSeconds.end(), 0.0) +
           std::accumulate(sample.backwardSeconds.begin(), sample.backwardSeconds.end(), 0.0) + sample.updateSeconds;
}

Job withSample(Job job, const StepSample &of) {
    const StepSample sample = withHostSeconds(of, job);
    for (std::size_t l = 0; l < job.layers.size(); ++l) {
        Layer &layer = job.layers[l];
        layer.forwardSeconds = sample.forwardSeconds[l];
        layer.backwardSeconds = sample.backwardSeconds[l];
        layer.forwardHostSeconds = sample.forwardHostSeconds[l];
        layer.backwardHostSeconds = sample.backwardHostSeconds[l];
    }
    job.updateSeconds = sample.updateSeconds;
    job.updateHostSeconds = sample.updateHostSeconds;
    return job;
}

/// The samples that have times for all of the job's layers.
std::vector<const StepSample *> usableSamples(const SimulatedRequest &request) {
    const std::size_t layers = request.job->layers.size();
    std::vector<const StepSample *> usable;
    for (const StepSample &sample : request.samples)
        if (sample.forwardSeconds.size() == layers && sample.backwardSeconds.size() == layers && secondsOf(sample) > 0)
            usable.push_back(&sample);
    return usable;
}

/// Gives each node of `scenario` a random sample: the job gets the first node's times, other nodes' speeds are relative.
void drawSamples(Scenario &scenario, const Job &job, Cluster cluster, const std::vector<const StepSample *> &samples, Rng &rng) {
    const StepSample *first = nullptr;
    for (Node &node : cluster.nodes) {
        const StepSample *sample = samples[static_cast<std::size_t>(rng.next() % samples.size())];
        if (first == nullptr)
            first = sample;
        node.computeScale *= secondsOf(*first) / secondsOf(*sample);
    }
    scenario.job = std::make_shared<const Job>(withSample(job, *first));
    scenario.cluster = std::make_shared<const Cluster>(std::move(cluster));
}

/// Sets throughput and interval from independent draws of the seconds per sample.
void setThroughput(Throughput &point, const std::vector<double> &seconds) {
    const auto count = static_cast<double>(seconds.size());
    const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / count;
    double squares = 0;
    for (const double s : seconds)
        squares += (s - mean) * (s - mean);
    const double half = seconds.size() > 1 ? MeanError{std::sqrt(squares / (count * (count - 1))), count - 1}.half() : 0;
    point.samplesPerSecond = 1 / mean;
    point.low = 1 / (mean + half);
    point.high = half < mean ? 1 / (mean - half) : std::numeric_limits<double>::infinity();
}

struct SimulatedPoint {
    Throughput throughput;
    std::vector<std::string> assumptions; ///< of the last draw
};

/// One point of the curve: the mean over draws of recorded steps.
Result<SimulatedPoint> simulatedPoint(const SimulatedRequest &request, const std::vector<const StepSample *> &usable,
                                      std::int32_t workers, const std::stop_token &stop) {
    const Cluster cluster = withWorkers(request.cluster, workers);
    Scenario scenario;
    scenario.job = request.job;
    scenario.cluster = std::make_shared<const Cluster>(cluster);
    scenario.strategy = TRY(request.strategy(cluster));
    scenario.policy = request.policy;
    scenario.background = request.background;
    scenario.linkModel = request.linkModel;
    Rng rng(request.seed);
    const std::int32_t draws = usable.empty() ? 1 : request.draws;
    SimulatedPoint point;
    point.throughput.workers = workers;
    std::vector<double> seconds;
    for (std::int32_t draw = 0; draw < draws; ++draw) {
        if (!usable.empty())
            drawSamples(scenario, *request.job, cluster, usable, rng);
        const auto run = TRY(simulateFigures(scenario, stop));
        if (!(run->samplesPerSecond > 0))
            return fail("an iteration takes no time", "give a job that takes time");
        seconds.push_back(1 / run->samplesPerSecond);
        point.throughput.events += run->events;
        point.assumptions = run->assumptions;
    }
    setThroughput(point.throughput, seconds);
    return point;
}

/// The throughput's four figures, then the assumptions.
Result<std::vector<std::string>> textsOfPoint(const Result<SimulatedPoint> &made) {
    const SimulatedPoint point = TRY(made);
    const Throughput &t = point.throughput;
    std::vector<std::string> texts = bitsOf({t.samplesPerSecond, t.low, t.high});
    texts.push_back(fmt::format("{}", t.events));
    texts.insert(texts.end(), point.assumptions.begin(), point.assumptions.end());
    return texts;
}

std::string textOfSample(const StepSample &sample) {
    std::vector<double> numbers{sample.updateSeconds, sample.updateHostSeconds};
    for (const auto *list :
         {&sample.forwardSeconds, &sample.backwardSeconds, &sample.forwardHostSeconds, &sample.backwardHostSeconds}) {
        numbers.push_back(static_cast<double>(list->size()));
        numbers.insert(numbers.end(), list->begin(), list->end());
    }
    return packTexts(bitsOf(numbers));
}

/// Identifies the strategy by the one for the most workers: a builder or file that makes the same one makes the others alike.
std::string textOfStrategy(const SimulatedRequest &request) {
    const auto strategy = request.strategy(withWorkers(request.cluster, std::ranges::max(request.workers)));
    if (!strategy)
        return strategy.error().toString();
    const StrategyFingerprint fingerprint = fingerprintOf(**strategy);
    return fmt::format("{:016x}{:016x}", fingerprint.high, fingerprint.low);
}

/// Everything that a curve depends on, as text.
std::vector<std::string> dependsOn(const SimulatedRequest &request) {
    std::vector<std::string> texts{writeJobText(*request.job),
                                   writeResourceSpec(request.cluster),
                                   formatPolicy(request.policy),
                                   formatBackground(request.background),
                                   std::string(nameOf(request.linkModel)),
                                   fmt::format("{} {}", request.seed, request.draws)};
    for (const std::int32_t workers : request.workers)
        texts.push_back(fmt::format("{}", workers));
    for (const StepSample &sample : request.samples)
        texts.push_back(textOfSample(sample));
    texts.push_back(textOfStrategy(request));
    return texts;
}

} // namespace

Result<SimulatedCurve> simulatedCurve(const SimulatedRequest &request, const std::stop_token &stop, const Spread &spread) {
    if (!request.job || request.workers.empty() || !request.strategy || request.draws < 2 || request.draws > 1000)
        return fail("a job, workers, a strategy and 2 to 1000 draws are needed", "give all of them");
    const std::vector<const StepSample *> usable = usableSamples(request);
    const auto make = [&](std::size_t point, const std::stop_token &partStop) {
        return packResult(textsOfPoint(simulatedPoint(request, usable, request.workers[point], partStop)));
    };
    const auto parts = TRY(spreadOrMake(
        spread, [&] { return dependsOn(request); }, request.workers.size(), make, stop));
    const auto most = std::max_element(request.workers.begin(), request.workers.end()) - request.workers.begin();
    SimulatedCurve curve;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const auto texts = TRY(unpackResult(parts[p]));
        if (texts.size() < 4)
            return internalError("a point of a curve is cut off");
        Throughput point;
        point.workers = request.workers[p];
        point.samplesPerSecond = numberOf(texts[0]);
        point.low = numberOf(texts[1]);
        point.high = numberOf(texts[2]);
        point.events = wholeNumberIn(texts[3]).value_or(0);
        curve.points.push_back(std::move(point));
        if (p == static_cast<std::size_t>(most))
            curve.assumptions.assign(texts.begin() + 4, texts.end());
    }
    return curve;
}

} // namespace syncopate
