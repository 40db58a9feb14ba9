// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/tune/meta_training.h"

#include "engine/base/median.h"
#include "engine/base/parallel_in_order.h"
#include "engine/base/rng.h"
#include "engine/job/catalogue.h"
#include "engine/search/tune/conditions.h"
#include "engine/search/tune/meta_tuner.h"
#include "engine/trial/judge.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace syncopate {

namespace {

constexpr std::array<std::int32_t, 5> workerCounts{2, 4, 8, 8, 16};
constexpr std::size_t gridPartitions = 12, gridCredits = 5;

/// The course of bandwidth before the simulated iterations.
enum class Course : std::uint8_t { Steady, Step, Fluctuation };

enum class Architecture : std::uint8_t { Servers, ColocatedServers, AllReduce };

/// A job under a condition, and the points at which it is simulated.
struct Case {
    std::string model;
    Architecture architecture = Architecture::Servers;
    std::int32_t workers = 8;
    double gbits = 10, latencySeconds = 0, messageSeconds = 0, slowCard = 1;
    Condition condition{};
    Course course = Course::Steady;
    double before = 1;               ///< Step: factor on the bandwidth until `stepAt`
    double stepAt = 0;               ///< in looks since the oldest; a whole number: at the beginning of that look
    double deviation = 0;            ///< Fluctuation: of the logarithm
    std::uint64_t seed = 0;          ///< of the fluctuation
    std::vector<TunePoint> points{}; ///< empty: all candidates of the tuner
};

double byFactors(Rng &rng, double from, double to) { return std::exp(rng.uniform(std::log(from), std::log(to))); }
std::size_t below(Rng &rng, std::size_t count) { return static_cast<std::size_t>(rng.next() % count); }

Case drawCase(const std::vector<std::string> &models, std::uint64_t seed, std::uint64_t index) {
    Rng rng(Rng(seed).next() ^ index);
    Case drawn;
    drawn.model = models[static_cast<std::size_t>(index) % models.size()];
    constexpr std::array kinds{Architecture::Servers, Architecture::Servers, Architecture::ColocatedServers,
                               Architecture::AllReduce, Architecture::AllReduce};
    drawn.architecture = kinds[below(rng, kinds.size())];
    drawn.workers = workerCounts[below(rng, workerCounts.size())];
    drawn.gbits = byFactors(rng, 0.5, 100);
    drawn.latencySeconds = byFactors(rng, 5e-6, 1e-4);
    drawn.messageSeconds = below(rng, 2) == 0 ? 0 : byFactors(rng, 1e-6, 2e-4);
    drawn.condition.compute = byFactors(rng, 0.2, 3);
    if (below(rng, 6) == 0)
        drawn.condition.straggler = byFactors(rng, 1.1, 3);
    if (below(rng, 6) == 0)
        drawn.slowCard = byFactors(rng, 1.1, 4);
    constexpr std::array courses{Course::Steady, Course::Steady, Course::Step, Course::Fluctuation};
    drawn.course = courses[below(rng, courses.size())];
    drawn.before = byFactors(rng, 1 / MetaNetwork::maxChange, MetaNetwork::maxChange);
    drawn.stepAt = rng.uniform(0, static_cast<double>(bandwidthLooks));
    drawn.deviation = byFactors(rng, 0.02, 0.3);
    drawn.seed = rng.next();
    return drawn;
}

/// The bandwidth of a card that the monitor saw in a look, as a factor on the simulated one.
double seenOf(const Case &own, std::size_t look, Rng &rng) {
    switch (own.course) {
    case Course::Steady:
        break;
    case Course::Step: {
        const double share = std::clamp(own.stepAt - static_cast<double>(look), 0.0, 1.0); // of the look that was before it
        return share * own.before + (1 - share);
    }
    case Course::Fluctuation: { // Box and Muller's normal deviate; the factor's mean is 1
        const double radius = std::sqrt(-2 * std::log(1 - rng.uniform(0, 1)));
        const double normal = radius * std::cos(2 * M_PI * rng.uniform(0, 1));
        return std::exp(own.deviation * (normal - own.deviation / 2));
    }
    }
    return 1;
}

/// Replaces the metrics' one look by a monitor's series. Servers' cards are seen with the same errors as workers'.
void look(const Case &own, std::size_t looks, RuntimeMetrics &metrics) {
    Rng rng(own.seed);
    for (Matrix<double> *direction : {&metrics.downBytesPerSecond, &metrics.upBytesPerSecond}) {
        Matrix<double> series(bandwidthLooks, metrics.workers());
        for (std::size_t l = 0; l < series.rows; ++l)
            for (std::size_t w = 0; w < series.cols; ++w)
                series(l, w) = (*direction)(0, w) * seenOf(own, l, rng);
        series.values.erase(series.values.begin(),
                            series.values.begin() + static_cast<std::ptrdiff_t>((series.rows - looks) * series.cols));
        series.rows = looks;
        *direction = std::move(series);
    }
    const double each = metrics.servers > 0 ? metrics.serverBytesPerSecond / metrics.servers : 0;
    metrics.serverBytesPerSecond = 0;
    for (std::size_t s = 0; s < static_cast<std::size_t>(metrics.servers); ++s)
        metrics.serverBytesPerSecond += each * seenOf(own, bandwidthLooks - 1, rng);
}

/// Draws one partition from each slice of the axis, on a logarithmic scale.
void drawPoints(Case &drawn, std::size_t count, std::uint64_t seed, std::uint64_t index) {
    Rng rng(Rng(seed + 1).next() ^ index);
    for (std::size_t i = 0; i < count; ++i)
        drawn.points.push_back({(static_cast<double>(i) + rng.uniform(0, 1)) / static_cast<double>(count), rng.uniform(0, 1)});
}

void gridPoints(Case &drawn) {
    for (std::size_t p = 0; p < gridPartitions; ++p)
        for (std::size_t c = 0; c < gridCredits; ++c)
            drawn.points.push_back({static_cast<double>(p) / (gridPartitions - 1), static_cast<double>(c) / (gridCredits - 1)});
}

Result<TuneSpace> spaceOf(const Case &own, const std::shared_ptr<const Job> &job) {
    Cluster cluster = uniformCluster(own.workers, own.gbits);
    cluster.latencySeconds = own.latencySeconds;
    cluster.messageSeconds = own.messageSeconds;
    cluster.nodes.back().bandwidthBytesPerSecond /= own.slowCard;
    if (own.architecture == Architecture::Servers)
        cluster = withDedicatedServers(cluster, own.workers);
    const bool reduces = own.architecture == Architecture::AllReduce;
    ScenarioRecipe recipe;
    recipe.job = job;
    recipe.cluster = std::make_shared<const Cluster>(std::move(cluster));
    recipe.strategy = BuiltStrategy{reduces ? "AllReduce(chunk_size=1)" : "PSLoadBalancing"};
    recipe.policy = TRY(parsePolicy(reduces ? "bytescheduler" : "bytescheduler(hash=mxnet)"));
    return TuneSpace::make(underCondition(std::move(recipe), own.condition), TuneSpace::partitionAndCredit());
}

Result<MetaExample> simulateCase(const Case &own, std::size_t looks, const std::shared_ptr<const Job> &job, Judge &judge,
                                 const std::stop_token &stop) {
    const TuneSpace space = TRY(spaceOf(own, job));
    MetaExample example;
    example.metrics = TRY(runtimeMetricsOf(TRY(space.defaultScenario())));
    look(own, looks, example.metrics);
    for (const TunePoint &point : own.points.empty() ? MetaTuner::candidatePoints(space) : own.points) {
        const std::vector<double> values = space.valuesAt(point);
        if (MetaTuner::partitionCount(*job, values[0]) > MetaTuner::maxPartitions)
            continue;
        const Verdict verdict = TRY(judge.judge(TRY(space.scenarioOf(values)), stop));
        example.settings.push_back({values[0], values[1]});
        example.samplesPerSecond.push_back(verdict.samplesPerSecond);
    }
    return example;
}

Result<std::map<std::string, std::shared_ptr<const Job>>> loadModels() {
    std::map<std::string, std::shared_ptr<const Job>> jobs;
    for (const auto *models : {&metaTrainingModels(), &metaLeftOutModels()})
        for (const std::string &model : *models)
            jobs[model] = std::make_shared<const Job>(TRY(catalogueJob(model)));
    return jobs;
}

/// Training cases, then held-out ones, then those of models left out of training.
std::vector<Case> drawCases(const MetaSetOptions &options) {
    std::vector<Case> cases;
    for (std::size_t i = 0; i < options.conditions; ++i) {
        cases.push_back(drawCase(metaTrainingModels(), options.seed, i));
        drawPoints(cases.back(), options.pairs, options.seed, i);
    }
    for (const auto *models : {&metaTrainingModels(), &metaLeftOutModels()})
        for (std::size_t i = 0; i < options.heldOutConditions; ++i) {
            cases.push_back(drawCase(*models, options.seed + 1000, i));
            if (!options.heldOutCandidates) // which depend on the job
                gridPoints(cases.back());
        }
    return cases;
}

} // namespace

const std::vector<std::string> &metaTrainingModels() {
    static const std::vector<std::string> models{"resnet50", "vgg16",     "alexnet",     "resnet152", "inception_v3",
                                                 "vgg11",    "googlenet", "transformer", "bert_3l",   "bert_base"};
    return models;
}

const std::vector<std::string> &metaLeftOutModels() {
    static const std::vector<std::string> models{"resnet101", "densenet121", "inception_v4", "bert_6l"};
    return models;
}

namespace {

/// The highest speed of the first pairs that are tried by their predictions, each unlike those before it.
double bestTried(const MetaExample &example, const std::vector<double> &predicted, std::size_t tries, PairChoice choice) {
    std::vector<SchedulerSetting> tried;
    double best = 0;
    while (tried.size() < tries) {
        const auto chosen = choosePair(example.settings, predicted, tried, choice);
        if (!chosen)
            break;
        tried.push_back(example.settings[*chosen]);
        best = std::max(best, example.samplesPerSecond[*chosen]);
    }
    return best;
}

/// The chance that one of `tries` settings, drawn evenly and with repetition, is within the limit of the fastest.
double chanceWithin(const std::vector<double> &speeds, double limit, std::size_t tries) {
    const double best = *std::max_element(speeds.begin(), speeds.end());
    const auto slow = std::count_if(speeds.begin(), speeds.end(), [&](double speed) { return best / speed - 1 > limit; });
    return 1 - std::pow(static_cast<double>(slow) / static_cast<double>(speeds.size()), static_cast<double>(tries));
}

} // namespace

std::size_t MetaSet::points() const {
    std::size_t count = 0;
    for (const auto *part : {&training, &heldOut, &leftOut})
        for (const MetaExample &example : *part)
            count += example.settings.size();
    return count;
}

Result<MetaSet> makeMetaSet(const MetaSetOptions &options, const std::stop_token &stop, Progress *progress) {
    const auto start = std::chrono::steady_clock::now();
    const auto jobs = TRY(loadModels());
    const auto judge = TRY(makeJudge("simulated()"));
    const std::vector<Case> cases = drawCases(options);
    const std::size_t looks = options.newestLookAlone ? 1 : bandwidthLooks;
    if (progress)
        progress->total = cases.size();
    MetaSet set;
    std::optional<Error> error;
    std::size_t next = 0, done = 0;
    const unsigned threads = threadsFor(options.threads);
    parallelInOrder<const Case *, Result<MetaExample>>(
        threads, std::size_t{4} * threads,
        [&]() -> std::optional<const Case *> { return next < cases.size() ? std::optional(&cases[next++]) : std::nullopt; },
        [&](const Case *own) { return simulateCase(*own, looks, jobs.at(own->model), *judge, stop); },
        [&](Result<MetaExample> made) {
            if (!made) {
                error = made.error();
                return false;
            }
            auto &part = done < options.conditions                               ? set.training
                         : done < options.conditions + options.heldOutConditions ? set.heldOut
                                                                                 : set.leftOut;
            ++done;
            if (made->settings.size() > 1)
                part.push_back(*std::move(made));
            if (progress)
                progress->done = done;
            return true;
        });
    if (error)
        return Unexpected(*error);
    set.wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return set;
}

MetaErrors errorsOf(const MetaNetwork &network, const std::vector<MetaExample> &examples, std::size_t tries, PairChoice choice) {
    MetaErrors errors;
    std::vector<double> all, regrets, middles;
    for (const MetaExample &example : examples) {
        const std::vector<double> predicted = network.samplesPerSecond(example.metrics, example.settings);
        const std::vector<double> &measured = example.samplesPerSecond;
        for (std::size_t i = 0; i < predicted.size(); ++i)
            all.push_back(std::abs(predicted[i] / measured[i] - 1));
        const double best = *std::max_element(measured.begin(), measured.end());
        regrets.push_back(best / bestTried(example, predicted, tries, choice) - 1);
        middles.push_back(best / measured[measured.size() / 2] - 1);
        errors.randomWithin2 += chanceWithin(measured, 0.02, tries) / static_cast<double>(examples.size());
        errors.randomWithin5 += chanceWithin(measured, 0.05, tries) / static_cast<double>(examples.size());
    }
    if (examples.empty())
        return errors;
    const auto shareWithin = [](const std::vector<double> &values, double limit) {
        return static_cast<double>(std::count_if(values.begin(), values.end(), [&](double v) { return v <= limit; })) /
               static_cast<double>(values.size());
    };
    errors.conditions = examples.size();
    errors.within2 = shareWithin(regrets, 0.02);
    errors.within5 = shareWithin(regrets, 0.05);
    errors.middleWithin5 = shareWithin(middles, 0.05);
    std::sort(regrets.begin(), regrets.end());
    errors.p90Regret = regrets[regrets.size() * 9 / 10];
    errors.maxRegret = regrets.back();
    errors.meanRegret = std::accumulate(regrets.begin(), regrets.end(), 0.0) / static_cast<double>(regrets.size());
    std::sort(all.begin(), all.end());
    errors.p90Error = all[all.size() * 9 / 10];
    errors.medianError = median(std::move(all));
    errors.medianRegret = median(std::move(regrets));
    errors.medianMiddleRegret = median(std::move(middles));
    return errors;
}

} // namespace syncopate
