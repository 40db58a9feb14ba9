// SPDX-License-Identifier: GPL-3.0-or-later
// Throughput curves with their intervals, and the two coarse models beside them.
#include "engine/base/rng.h"
#include "engine/base/units.h"
#include "engine/job/catalogue.h"
#include "engine/predict/curve.h"
#include "engine/predict/mean_interval.h"
#include "engine/predict/setting.h"
#include "engine/predict/simulated_curve.h"
#include "engine/predict/throughput.h"
#include "engine/space/recipe.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stop_token>
#include <thread>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

PredictRequest requestFor(const Job &job, std::vector<std::int32_t> workers) {
    PredictRequest request;
    request.steps = std::make_shared<const StepSet>(*stepSetFromJob(job));
    request.cluster = withDedicatedServers(uniformCluster(1, 1), 1);
    request.workers = std::move(workers);
    request.generate.steps = 100;
    return request;
}

/// Steps of 0.2 s of compute that vary by 3 %, and 0.04 s of transfers in each direction.
PredictRequest slowlyMixing(std::int32_t workers) {
    std::vector<StepSample> samples;
    Rng rng(7);
    for (int i = 0; i < 30; ++i)
        samples.push_back({0, {0.08 + rng.uniform(-0.004, 0.004)}, {0.12 + rng.uniform(-0.006, 0.006)}, 0});
    PredictRequest request = requestFor(chainJob({{0.08, 0.12, 5000000}}), {workers});
    request.steps = std::make_shared<const StepSet>(*stepSetFromJob(chainJob({{0.08, 0.12, 5000000}}), samples));
    request.generate.spreadStarts = true;
    request.generate.warmUp = PredictSetting().warmUp;
    return request;
}

} // namespace

class TestCurve : public QObject {
    Q_OBJECT

private slots:
    void cynthia() {
        StepPhases phases;
        phases.downlinkSeconds = 1;
        phases.computeSeconds = 2;
        phases.uplinkSeconds = 1;
        phases.busyComputeSeconds = 2;
        phases.transferSeconds = 1;
        // U_1 = 1/4: proportional for one to four workers, then the first term of the denominator grows with W.
        COMPARE_CLOSE(cynthiaSamplesPerSecond(phases, 8, 1), 8 / 4.0);
        COMPARE_CLOSE(cynthiaSamplesPerSecond(phases, 8, 4), 32 / 4.0);
        COMPARE_CLOSE(cynthiaSamplesPerSecond(phases, 8, 8), 64 / (2 * 8 / 4.0 + 2));
        // A connection limited to half of the link keeps it busy for an eighth of a step.
        COMPARE_CLOSE(cynthiaSamplesPerSecond(phases, 8, 8, 0.5), 64 / 4.0);
        COMPARE_CLOSE(cynthiaSamplesPerSecond(phases, 8, 16, 0.5), 128 / (2 * 16 / 8.0 + 2));
    }

    /// Two workers, phases of 1 s in each direction and 2 s of compute, by hand: with one worker, each link's queue is 1/4; with
    /// two, a phase on a link takes 5/4 s, a cycle 4.5 s.
    void queueing() {
        StepPhases phases;
        phases.downlinkSeconds = 1;
        phases.computeSeconds = 2;
        phases.uplinkSeconds = 1;
        COMPARE_CLOSE(queueingSamplesPerSecond(phases, 1, 1), 1 / 4.0);
        COMPARE_CLOSE(queueingSamplesPerSecond(phases, 1, 2), 2 / 4.5);
        COMPARE_CLOSE(queueingSamplesPerSecond(phases, 10, 1000), 10, 0.01); // the link's own rate in the limit
        // Half of a second on a link is its work: alone nothing changes; with two, each queue is 1/8 and a phase 1/16 s longer.
        COMPARE_CLOSE(queueingSamplesPerSecond(phases, 1, 1, 0.5), 1 / 4.0);
        COMPARE_CLOSE(queueingSamplesPerSecond(phases, 1, 2, 0.5), 2 / (4 + 2 / 16.0));
        COMPARE_CLOSE(queueingSamplesPerSecond(phases, 10, 1000, 0.5), 20, 0.01);
    }

    /// Simulating exponential phases: under the queueing model's assumptions the generator reproduces its result.
    void queueingModelIsTheGeneratorWithoutOverlap() {
        StepSet set;
        const auto exponential = [](std::uint64_t i, std::uint64_t n) {
            return -std::log((static_cast<double>(i) + 0.5) / static_cast<double>(n));
        };
        set.graph.ops = {{"down", StepResource::Downlink, 0, -1, -1, 1e6, 0},
                         {"compute", StepResource::Worker, 0, -1, -1, 0, 1},
                         {"up", StepResource::Uplink, 0, -1, -1, 1e6, 2}};
        set.graph.edges = {{0, 1}, {1, 2}};
        for (std::uint64_t i = 0; i < 1000; ++i)
            set.seconds.push_back({0, 2 * exponential(i, 1000), 0});
        PredictMachines machines;
        machines.nodeBytesPerSecond = {1e6, 1e6, 1e6, 1e6};
        machines.workerNode = {0, 1, 2};
        machines.workerScale = {1, 1, 1};
        machines.serverNode = {3};
        GenerateOptions options;
        options.steps = 4000;
        const auto made = throughputOf(*generateTrace(set, machines, options), 1, 3);
        StepPhases phases;
        phases.downlinkSeconds = phases.uplinkSeconds = 1;
        phases.computeSeconds = 2;
        // Sizes are constant here, and processor sharing depends only on their mean.
        const double model = queueingSamplesPerSecond(phases, 1, 3);
        COMPARE_CLOSE(made->samplesPerSecond, model, 0.02);
    }

    void curveOfAJob() {
        // 1 s of compute, 0.2 s in each direction at 1 Gbit/s: five workers fill the link, more add nothing.
        const Job job = chainJob({{0.4, 0.6, 6250000}});
        const auto made = predictCurve(requestFor(job, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
        VERIFY_VALUE(made);
        QCOMPARE(made->points.size(), std::size_t{10});
        COMPARE_CLOSE(made->points[0].throughput.samplesPerSecond, 1 / 1.4);
        COMPARE_CLOSE(made->phases.downlinkSeconds, 0.2);
        COMPARE_CLOSE(made->phases.computeSeconds, 1);
        COMPARE_CLOSE(made->phases.uplinkSeconds, 0.2);
        COMPARE_CLOSE(made->phases.transferSeconds, 0.2);
        for (const CurvePoint &point : made->points) {
            const double w = point.throughput.workers;
            COMPARE_AT_MOST(point.throughput.samplesPerSecond,
                            std::min(w / 1.4, 5.0) * 1.0001); // faster neither than alone nor than the link
            COMPARE_AT_MOST(point.throughput.low, point.throughput.samplesPerSecond);
            COMPARE_AT_MOST(point.throughput.samplesPerSecond, point.throughput.high);
            COMPARE_CLOSE(point.queueing, queueingSamplesPerSecond(made->phases, 1, point.throughput.workers));
        }
        QVERIFY(!made->assumptions.empty());
        COMPARE_ABOVE(made->events, 0);
        const auto sparse = predictCurve(requestFor(job, {2, 8}));
        QVERIFY(sparse.has_value() && sparse->bottleneckWorkers == -1);
        QCOMPARE(sparse->points[1].throughput.samplesPerSecond, made->points[7].throughput.samplesPerSecond);
    }

    void utilisationNamesWhatSaturates() {
        PredictRequest request = requestFor(chainJob({{0.01, 0.01, 6250000}}), {8});
        request.generate.sharing = LinkSharing::Uneven; // fair shares keep eight equal workers in step: half the time each way
        auto made = predictCurve(request);
        VERIFY_VALUE(made);
        QVERIFY2(made->points[0].throughput.saturated.find("link of server 0") != std::string::npos,
                 made->points[0].throughput.saturated.c_str());
        made = predictCurve(requestFor(chainJob({{1, 2, 100}}), {8}));
        QCOMPARE(made->points[0].throughput.saturated, std::string("workers' compute"));
        COMPARE_CLOSE(made->points[0].throughput.samplesPerSecond, 8 / 3.0, 1e-3);
    }

    /// Files keep resources by their names.
    void resourcesAreReadByTheirNames() {
        for (const Utilisation &used : {Utilisation{.busy = 0.25}, Utilisation{UsedResource::Downlink, 0, 0.5},
                                        Utilisation{UsedResource::Uplink, 17, 1}, Utilisation{UsedResource::Updates, 3, 0}}) {
            const auto again = utilisationNamed(used.name(), used.busy);
            VERIFY_VALUE(again);
            QVERIFY2(*again == used, used.name().c_str());
            QCOMPARE(used.isShared(), used.resource != UsedResource::Compute);
        }
        QCOMPARE((Utilisation{UsedResource::Updates, 3, 0}).name(), std::string("updates on server 3"));
        for (const char *bad :
             {"", "workers", "downlink of server ", "downlink of server -1", "uplink of server 99999999999", "x"}) {
            const auto refused = utilisationNamed(bad, 0.5);
            QVERIFY2(!refused, bad);
            QVERIFY2(refused.error().remedy.find("downlink of server 0") != std::string::npos, bad);
        }
    }

    void moreServersShareTheLoad() {
        Job job = chainJob({{0.01, 0.01, 3000000}, {0.01, 0.01, 3000000}});
        PredictRequest request = requestFor(job, {6});
        const double one = predictCurve(request)->points[0].throughput.samplesPerSecond;
        request.cluster = withDedicatedServers(uniformCluster(1, 1), 2);
        request.steps = std::make_shared<const StepSet>(*withPlacement(*stepSetFromJob(job), {0, 1}, 2));
        const double two = predictCurve(request)->points[0].throughput.samplesPerSecond;
        COMPARE_ABOVE(two, 1.6 * one);
        COMPARE_AT_MOST(two, 2.0001 * one);
    }

    /// Over 200 seeds, intervals cover the result of a very long run as often as they claim. Steps hardly vary and a link that is
    /// used in turns has a long memory: batches of such a run are far from independent.
    void intervalsHoldTheLongRun_data() {
        QTest::addColumn<int>("workers");
        for (const int workers : {1, 2, 3, 4})
            QTest::addRow("%d workers", workers) << workers;
    }

    void intervalsHoldTheLongRun() {
        QFETCH(int, workers);
        PredictRequest request = slowlyMixing(workers);
        request.starts = 1;
        request.generate.steps = 60'000;
        const double truth = predictCurve(request)->points[0].throughput.samplesPerSecond;
        request.starts = PredictSetting().starts;
        request.generate.steps = PredictSetting().steps;
        constexpr int seeds = 200;
        int held = 0;
        for (int seed = 1; seed <= seeds; ++seed) {
            request.generate.seed = static_cast<std::uint64_t>(seed);
            const Throughput found = predictCurve(request)->points[0].throughput;
            held += found.low <= truth && truth <= found.high ? 1 : 0;
        }
        COMPARE_AT_LEAST(held, 0.9 * seeds);
        COMPARE_AT_MOST(held, 0.99 * seeds);
    }

    /// Neighbouring seeds share no start, or 200 of them would be little more than one sample.
    void seedsShareNoStart() {
        PredictRequest request = slowlyMixing(2);
        request.starts = 4;
        std::vector<double> rates;
        for (const std::uint64_t seed : {1, 2, 3, 4}) {
            request.generate.seed = seed;
            const auto made = predictCurve(request);
            rates.insert(rates.end(), made->points[0].starts.begin(), made->points[0].starts.end());
        }
        std::sort(rates.begin(), rates.end());
        QVERIFY(std::adjacent_find(rates.begin(), rates.end()) == rates.end());
    }

    /// Collectives and synchronous servers from the same samples: without samples the simulator's own figure, with samples the
    /// mean of the slowest worker's steps.
    void simulatedStrategies() {
        SimulatedRequest request;
        request.job = std::make_shared<const Job>(chainJob({{0.4, 0.6, 1000}}));
        request.cluster = uniformCluster(1, 10);
        request.strategy = [&](const Cluster &cluster) {
            return makeStrategy(BuiltStrategy{"AllReduce"}, *request.job, cluster);
        };
        request.workers = {1, 4};
        const auto plain = simulatedCurve(request);
        QVERIFY(plain.has_value() && plain->points.size() == 2);
        Scenario scenario;
        scenario.job = request.job;
        scenario.cluster = std::make_shared<const Cluster>(uniformCluster(4, 10));
        scenario.strategy = *request.strategy(*scenario.cluster);
        const auto four = *simulate(scenario);
        QCOMPARE(plain->points[1].samplesPerSecond, four->samplesPerSecond);
        QVERIFY(!four->assumptions.empty() && plain->assumptions == four->assumptions);
        QCOMPARE(plain->points[1].low, plain->points[1].high);
        // Steps of 1 s and 2 s with equal probability: alone 1.5 s on average, the slowest of four 2 - 1/16.
        for (const double seconds : {1.0, 2.0})
            request.samples.push_back({0, {0.4 * seconds}, {0.6 * seconds}, 0});
        request.draws = 400;
        const auto sampled = simulatedCurve(request);
        VERIFY_VALUE(sampled);
        COMPARE_CLOSE(1 / sampled->points[0].samplesPerSecond, 1.5, 0.05);
        COMPARE_CLOSE(4 / sampled->points[1].samplesPerSecond, 2 - 1 / 16.0, 0.03);
        COMPARE_BELOW(sampled->points[1].low, sampled->points[1].samplesPerSecond);
        COMPARE_BELOW(sampled->points[1].samplesPerSecond, sampled->points[1].high);
        request.strategy = [&](const Cluster &cluster) { return makeStrategy(BuiltStrategy{"Magic"}, *request.job, cluster); };
        QVERIFY(!simulatedCurve(request));
    }

    /// Processes that share a curve compare its inputs: another strategy is another input, and so are steps of the same length
    /// whose layers take other times.
    void sharedCurvesCompareTheirInputs() {
        const auto inputsOf = [](const char *builder, const std::vector<double> &forward) {
            SimulatedRequest request;
            request.job = std::make_shared<const Job>(chainJob({{0.4, 0.6, 1000}, {0.4, 0.6, 1000}}));
            request.cluster = uniformCluster(1, 10);
            request.workers = {1, 4};
            request.samples.push_back({0, forward, {0.5, 0.5}, 0});
            request.strategy = [&](const Cluster &cluster) {
                return makeStrategy(BuiltStrategy{builder}, *request.job, cluster);
            };
            std::vector<std::string> texts;
            const auto shared = simulatedCurve(request, {}, [&](const WorkTexts &dependsOn, std::size_t, const MakePart &) {
                texts = dependsOn();
                return Result<std::vector<std::string>>(cancelled());
            });
            return shared || texts.empty() ? "not asked" : packTexts(texts);
        };
        const std::string one = inputsOf("AllReduce", {0.25, 0.5});
        QVERIFY(one != "not asked");
        QCOMPARE(inputsOf("AllReduce", {0.25, 0.5}), one);
        QVERIFY2(inputsOf("PS", {0.25, 0.5}) != one, "another strategy");
        QVERIFY2(inputsOf("AllReduce", {0.5, 0.25}) != one, "other layers");
    }

    /// Cancelling does not start the remaining runs: there may be half a million of them.
    void stopsBetweenRuns() {
        PredictRequest request = requestFor(chainJob({{0.01, 0.01, 3000000}}), {1, 2});
        request.starts = 1000;
        std::stop_source source;
        Progress progress;
        const std::jthread watch([&](const std::stop_token &ending) {
            while (progress.done == 0 && !ending.stop_requested())
                std::this_thread::yield();
            source.request_stop();
        });
        const auto made = predictCurve(request, source.get_token(), &progress);
        QVERIFY(!made.has_value());
        QVERIFY(made.error().isCancelled());
        COMPARE_BELOW(progress.done, progress.total);
    }

    void refuses() {
        PredictRequest request = requestFor(chainJob({{1, 1, 10}}), {1});
        request.steps = nullptr;
        const auto says = [](const Result<Prediction> &answer, std::string_view text) {
            return !answer && answer.error().kind == ErrorKind::Input && answer.error().what.find(text) != std::string::npos;
        };
        QVERIFY(says(predictCurve(request), "no steps"));
        request = requestFor(chainJob({{1, 1, 10}}), {});
        QVERIFY(says(predictCurve(request), "no workers"));
        std::stop_source stop;
        stop.request_stop();
        request = requestFor(chainJob({{1, 1, 10}}), {1, 2});
        request.generate.steps = 1'000'000;
        const auto stopped = predictCurve(request, stop.get_token());
        QVERIFY(!stopped && stopped.error().isCancelled());
    }

    void confidence() {
        Generated made;
        for (int i = 1; i <= 100; ++i)
            made.completionSeconds.push_back(0.5 * i);
        const auto steady = throughputOf(made, 8, 1);
        COMPARE_CLOSE(steady->samplesPerSecond, 16);
        COMPARE_CLOSE(steady->low, 16);
        COMPARE_CLOSE(steady->high, 16);
        // Batches alternate between 0.4 s and 0.6 s per step: standard error 0.1 * sqrt(20/19) / sqrt(20), more than the sum of
        // autocovariances, which is truncated at lag 3 and leaves 100 / 7 degrees of freedom: t = 2.145.
        made.completionSeconds.clear();
        double now = 0;
        for (int i = 0; i < 100; ++i)
            made.completionSeconds.push_back(now += i / 5 % 2 ? 0.6 : 0.4);
        const auto noisy = throughputOf(made, 8, 1);
        const double half = 2.145 * 0.1 / std::sqrt(19.0);
        COMPARE_CLOSE(noisy->low, 8 / (0.5 + half));
        COMPARE_CLOSE(noisy->high, 8 / (0.5 - half));
        made.completionSeconds = {1};
        QVERIFY(!throughputOf(made, 8, 1));
    }

    /// Intervals cover the mean of a process with a memory of 1, 5 or 20 steps as often as they claim.
    void confidenceOfCorrelatedSteps_data() {
        QTest::addColumn<double>("memory");
        QTest::newRow("independent") << 0.0;
        QTest::newRow("5 steps") << 0.8;
        QTest::newRow("20 steps") << 0.95;
    }

    void confidenceOfCorrelatedSteps() {
        QFETCH(double, memory);
        constexpr int runs = 1000;
        int covered = 0;
        for (std::uint64_t seed = 1; seed <= runs; ++seed) {
            Rng rng(seed);
            double deviation = 0;
            std::vector<double> series;
            for (int i = -200; i < 1000; ++i) {
                deviation = memory * deviation + rng.uniform(-1, 1);
                if (i >= 0)
                    series.push_back(10 + deviation);
            }
            const double mean = std::accumulate(series.begin(), series.end(), 0.0) / 1000;
            covered += std::abs(mean - 10) <= errorOfMean(series).half() ? 1 : 0;
        }
        COMPARE_AT_LEAST(covered, 0.92 * runs);
        COMPARE_AT_MOST(covered, 0.99 * runs);
    }

    /// Student's interval, widened to the median's for skewed values.
    void intervalOfAFewStarts() {
        const Interval plain = intervalOfMean({1, 2, 3});
        COMPARE_CLOSE(plain.low, 2 - 4.303 / std::sqrt(3.0), 1e-3);
        COMPARE_CLOSE(plain.high, 2 + 4.303 / std::sqrt(3.0), 1e-3);
        // One outlier: Student's reaches to 1 + 0.1 +- 0.226, the median's to the second largest of ten and no farther.
        const Interval skewed = intervalOfMean({1, 1, 1, 1, 1, 1, 1, 1, 1, 2});
        COMPARE_CLOSE(skewed.low, 1.1 - 2.262 * 0.1, 1e-3);
        COMPARE_CLOSE(skewed.high, 1.1 + 2.262 * 0.1, 1e-3);
        constexpr int samples = 2000;
        int held = 0;
        Rng rng(3);
        for (int i = 0; i < samples; ++i) {
            std::vector<double> starts;
            for (int s = 0; s < 6; ++s)
                starts.push_back(-std::log(rng.uniform(0, 1))); // exponential: skewed, with mean 1
            const Interval interval = intervalOfMean(starts);
            held += interval.low <= 1 && 1 <= interval.high ? 1 : 0;
        }
        COMPARE_AT_LEAST(held, 0.9 * samples); // 0.88 by Student alone
        COMPARE_AT_MOST(held, 0.99 * samples);
    }

    void bottleneck() {
        std::vector<Throughput> curve;
        for (const double rate : {10.0, 19.0, 27.0, 28.0, 28.0}) {
            curve.emplace_back();
            curve.back().workers = static_cast<std::int32_t>(curve.size());
            curve.back().samplesPerSecond = rate;
        }
        QCOMPARE(bottleneckPoint(curve, 0.2), 3);
        QCOMPARE(bottleneckPoint(curve, 0.05), 4);
        QCOMPARE(bottleneckPoint({curve[0], curve[1]}, 0.5), -1);
    }
};

QTEST_GUILESS_MAIN(TestCurve)
#include "tst_curve.moc"
