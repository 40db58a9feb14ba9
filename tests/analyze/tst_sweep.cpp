// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps, sensitivities and explanations, compared with single simulations of the same settings.
#include "engine/analyze/explain.h"
#include "engine/analyze/sweep.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

using namespace syncopate;

namespace {

ScenarioRecipe recipeWith(const char *policy) {
    ScenarioRecipe recipe;
    recipe.job =
        std::make_shared<const Job>(testing::chainJob({{0.002, 0.004, 500000}, {0.002, 0.004, 2000000}, {0.001, 0.002, 900000}}));
    recipe.cluster = std::make_shared<const Cluster>(uniformCluster(4, 10));
    recipe.strategy = BuiltStrategy{"PSLoadBalancing"};
    recipe.policy = *parsePolicy(policy);
    return recipe;
}

std::size_t indexOfDimension(const char *id) { return *scenarioSpace().indexOf(id); }

/// The iteration at this bandwidth, computed without the code under test: from a separate cluster and policy.
double iterationWithBandwidth(const ScenarioRecipe &recipe, double gbits) {
    ScenarioRecipe own = recipe;
    own.cluster = std::make_shared<const Cluster>(withBandwidth(*recipe.cluster, gbits));
    return (*simulate(*makeScenario(own)))->iterationSeconds;
}

std::vector<double> valuesOf(const char *text) {
    const auto axis = parseSweepAxis(text);
    if (!axis)
        qFatal("%s", axis.error().toString().c_str());
    return axis->values;
}

/// Empty if all values equal the expected ones within rounding.
QByteArray differences(const std::vector<double> &got, const std::vector<double> &want) {
    bool same = got.size() == want.size();
    QByteArray text = "got";
    for (const double value : got)
        text += ' ' + QByteArray::number(value, 'g', 17);
    text += ", want";
    for (const double value : want)
        text += ' ' + QByteArray::number(value, 'g', 17);
    for (std::size_t i = 0; same && i < got.size(); ++i)
        same = std::abs(got[i] - want[i]) <= 1e-12 * std::abs(want[i]);
    return same ? QByteArray() : text;
}

} // namespace

class TestSweep : public QObject {
    Q_OBJECT

private slots:
    void axesAreRead() {
        const auto are = [](const char *text, const std::vector<double> &want) {
            const QByteArray wrong = differences(valuesOf(text), want);
            QVERIFY2(wrong.isEmpty(), (text + (": " + wrong)).constData());
        };
        are("bandwidth=1..100:4", {1, 34, 67, 100});
        const auto factors = valuesOf("partition=64KiB..64MiB:11:log");
        QCOMPARE(factors.size(), std::size_t(11));
        for (std::size_t i = 0; i < factors.size(); ++i)
            QCOMPARE(factors[i], 65536 * std::pow(2.0, static_cast<double>(i)));
        are("servers=0..3", {0, 1, 2, 3});
        are("workers=1..4:13", {1, 2, 3, 4}); // without duplicates
        are("bandwidth=25..25", {25});
        are("latency=0..100us:3", {0, 5e-5, 1e-4});
        are("latency=0..0.0001:3", {0, 5e-5, 1e-4}); // in the knob's unit, where that is allowed
        are("bucket_cap=1048576..3145728:3", {1048576, 2097152, 3145728});
        are("bucket_cap=1B..3B", {1, 2, 3});
        are("bucket_cap=1.1KiB..2.2KiB:2", {1126, 2253});
        QCOMPARE(valuesOf("bandwidth=1..10").size(), std::size_t(11));
        QCOMPARE(valuesOf("bandwidth=1..10:log").size(), std::size_t(11));
    }

    void badAxesAreRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("unknown") << "bandwith=1..2"
                                 << "bandwidth, latency";
        QTest::newRow("no range") << "bandwidth"
                                  << "FROM..TO";
        QTest::newRow("one value") << "bandwidth=10"
                                   << "FROM..TO";
        QTest::newRow("nan") << "bandwidth=nan..10"
                             << "nan";
        QTest::newRow("infinite") << "bandwidth=1..inf"
                                  << "inf";
        QTest::newRow("reversed") << "bandwidth=10..1"
                                  << "smaller value first";
        QTest::newRow("zero by factors") << "latency=0..1ms:5:log"
                                         << "above 0";
        QTest::newRow("no steps") << "bandwidth=1..10:0"
                                  << "whole number";
        QTest::newRow("one step") << "bandwidth=1..10:1"
                                  << "whole number from 2";
        QTest::newRow("negative steps") << "bandwidth=1..10:-3"
                                        << "whole number";
        QTest::newRow("a billion steps") << "bandwidth=1..10:1000000000"
                                         << "to 10000";
        QTest::newRow("half a step") << "bandwidth=1..10:2.5"
                                     << "whole number";
        QTest::newRow("steps twice") << "bandwidth=1..10:3:4"
                                     << "FROM..TO";
        QTest::newRow("log twice") << "bandwidth=1..10:log:log"
                                   << "FROM..TO";
        QTest::newRow("steps after log") << "bandwidth=1..10:log:4"
                                         << "FROM..TO";
        QTest::newRow("half a worker") << "workers=0.5..4"
                                       << "whole number";
        QTest::newRow("no worker") << "workers=0..4"
                                   << "out of range";
        QTest::newRow("bytes") << "bandwidth=1GB/s..2GB/s"
                               << "unknown unit";
        QTest::newRow("a size without unit") << "bucket_cap=1..100"
                                             << "bucket_cap 1 has no unit, which makes it 1 B; write 1MiB";
        QTest::newRow("one end without unit") << "bucket_cap=1..100MiB"
                                              << "1MiB";
        QTest::newRow("a time without unit") << "latency=0..100"
                                             << "write 100us or 100ms, or 100s";
        QTest::newRow("without end") << "window=1KiB..off"
                                     << "cannot be swept";
    }
    void badAxesAreRefused() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const auto axis = parseSweepAxis(text.toStdString());
        QVERIFY(!axis);
        const QString error = QString::fromStdString(axis.error().toString());
        QVERIFY2(error.contains(says), qPrintable(error));
    }

    void gridsComeCoarseFirst() {
        const auto order = coarseToFine(9, 5);
        QCOMPARE(order.size(), std::size_t(45));
        QCOMPARE((std::set<std::pair<std::size_t, std::size_t>>(order.begin(), order.end()).size()), std::size_t(45));
        QVERIFY(order[0] == std::make_pair(std::size_t(0), std::size_t(0)));
        for (std::size_t n = 1; n < 4; ++n) // the corners of the halves
            QVERIFY(order[n].first % 8 == 0 && order[n].second % 4 == 0);
    }

    void curvesAreSingleSimulations() {
        const ScenarioRecipe fifo = recipeWith("fifo"), parts = recipeWith("bytescheduler(partition=1MB,credit=4MB)");
        const SweepPlan plan{{fifo, parts}, *parseSweepAxis("bandwidth=1..40:5:log")};
        std::array<std::vector<SweepPoint>, 2> points{std::vector<SweepPoint>(5), std::vector<SweepPoint>(5)};
        std::size_t told = 0;
        QVERIFY(runSweep(plan, {}, [&](std::size_t recipe, std::size_t point, const SweepPoint &result) {
            QCOMPARE(recipe, told++ % 2); // both curves grow together
            points[recipe][point] = result;
        }));
        QCOMPARE(told, std::size_t(10));
        for (std::size_t i = 0; i < 5; ++i) {
            QCOMPARE(points[0][i].iterationSeconds, iterationWithBandwidth(fifo, plan.x.values[i]));
            QCOMPARE(points[1][i].iterationSeconds, iterationWithBandwidth(parts, plan.x.values[i]));
            COMPARE_ABOVE(points[0][i].samplesPerSecond, 0);
            QVERIFY(points[0][i].error.empty());
        }
    }

    void mapsAreXMajorAndLeaveOthersAlone() {
        const ScenarioRecipe parts = recipeWith("bytescheduler"), fifo = recipeWith("fifo");
        const SweepPlan plan{
            {parts, fifo}, *parseSweepAxis("partition=256KiB..4MiB:3:log"), *parseSweepAxis("bandwidth=5..20:2")};
        std::array<std::vector<SweepPoint>, 2> points{std::vector<SweepPoint>(6), std::vector<SweepPoint>(6)};
        QVERIFY(runSweep(
            plan, {}, [&](std::size_t recipe, std::size_t point, const SweepPoint &result) { points[recipe][point] = result; }));
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 2; ++j) {
                ScenarioRecipe at = parts;
                at.policy.set("partition", plan.x.values[i]);
                QCOMPARE(points[0][i * 2 + j].iterationSeconds, iterationWithBandwidth(at, plan.y->values[j]));
                QCOMPARE(points[1][i * 2 + j].iterationSeconds, iterationWithBandwidth(fifo, plan.y->values[j]));
            }
    }

    /// The number of threads changes neither the figures nor the order in which they come, of curves and of maps.
    void threadsDoNotMatter() {
        using Told = std::vector<std::tuple<std::size_t, std::size_t, double, double>>;
        const auto told = [](SweepPlan plan, unsigned threads) {
            plan.threads = threads;
            Told points;
            const auto swept = runSweep(plan, {}, [&](std::size_t recipe, std::size_t point, const SweepPoint &result) {
                points.emplace_back(recipe, point, result.iterationSeconds, result.peakMemoryBytes);
            });
            return swept ? points : Told{};
        };
        const std::vector<ScenarioRecipe> recipes{recipeWith("bytescheduler"), recipeWith("fifo")};
        const SweepPlan curve{recipes, *parseSweepAxis("bandwidth=1..40:9:log")};
        const SweepPlan map{recipes, *parseSweepAxis("partition=256KiB..4MiB:3:log"), *parseSweepAxis("bandwidth=5..20:3")};
        for (const SweepPlan *plan : {&curve, &map}) {
            const Told one = told(*plan, 1);
            QCOMPARE(one.size(), 2 * plan->size());
            QVERIFY(told(*plan, 6) == one);
        }
    }

    void whatCannotBeSimulatedSaysWhy() {
        ScenarioRecipe recipe = recipeWith("fifo");
        recipe.strategy = BuiltStrategy{"NoSuchBuilder"};
        std::vector<SweepPoint> points;
        QVERIFY(runSweep({{recipe}, *parseSweepAxis("bandwidth=1..2:2")}, {},
                         [&](std::size_t, std::size_t, const SweepPoint &result) { points.push_back(result); }));
        QCOMPARE(points.size(), std::size_t(2));
        QVERIFY(std::isnan(points[0].iterationSeconds) && points[0].error.find("NoSuchBuilder") != std::string::npos);
    }

    void aStopEndsIt() {
        std::stop_source source;
        int told = 0;
        const auto stopped = runSweep({{recipeWith("fifo")}, *parseSweepAxis("bandwidth=1..2:9")}, source.get_token(),
                                      [&](std::size_t, std::size_t, const SweepPoint &) {
                                          ++told;
                                          source.request_stop();
                                      });
        QVERIFY(!stopped && stopped.error().isCancelled());
        QCOMPARE(told, 1);
    }

    void sensitivitiesAreHalfAndTwice() {
        const ScenarioRecipe recipe = recipeWith("fifo");
        SimulationMemories memories;
        const Sensitivity bandwidth = sensitivity(recipe, indexOfDimension("bandwidth"), memories);
        QCOMPARE(bandwidth.lowValue, 5.0);
        QCOMPARE(bandwidth.highValue, 20.0);
        QCOMPARE(bandwidth.lowSeconds.value_or(0), iterationWithBandwidth(recipe, 5));
        QCOMPARE(bandwidth.highSeconds.value_or(0), iterationWithBandwidth(recipe, 20));
        COMPARE_ABOVE(*bandwidth.lowSeconds, *bandwidth.highSeconds);
        QCOMPARE(bandwidth.reach(*bandwidth.highSeconds), *bandwidth.lowSeconds - *bandwidth.highSeconds);
        // At an end of the range there is only one direction.
        const Sensitivity servers = sensitivity(recipe, indexOfDimension("servers"), memories);
        QVERIFY(!servers.lowSeconds && servers.highSeconds);
        QCOMPARE(servers.highValue, 1.0);
        ScenarioRecipe served = recipe;
        served.cluster = std::make_shared<const Cluster>(withDedicatedServers(*recipe.cluster, 1));
        QCOMPARE(*servers.highSeconds, (*simulate(*makeScenario(served)))->iterationSeconds);
        // Links slower than the knob's range reaches have no lower end, but twice their rate shows what they cost.
        ScenarioRecipe slow = recipe;
        slow.knobs.bandwidthGbits = 0.05;
        const Sensitivity slowLinks = sensitivity(slow, indexOfDimension("bandwidth"), memories);
        QVERIFY(!slowLinks.lowSeconds);
        QCOMPARE(slowLinks.highValue, 0.1);
        QCOMPARE(slowLinks.highSeconds.value_or(0), iterationWithBandwidth(recipe, 0.1));
        // A word has neither half nor twice.
        const Sensitivity bucket =
            sensitivity(recipeWith("megatron(overlap_grad_reduce=on)"), indexOfDimension("bucket_size"), memories);
        QVERIFY(!bucket.lowSeconds && !bucket.highSeconds);
    }

    void explanationsAreSorted() {
        const ScenarioRecipe recipe = recipeWith("bytescheduler(partition=1MB,credit=4MB,barrier=on)");
        const auto run = simulate(*makeScenario(recipe));
        int reports = 0;
        const auto answer = explain(**run, recipe, {}, {}, [&](const Explanation &) { ++reports; });
        QVERIFY(answer && answer->complete);
        // The causes, each remedy that they suggest, each knob, which becomes up to two remedies, each faster link, and the
        // end.
        const auto suggested = std::count_if(answer->remedies.begin(), answer->remedies.end(),
                                             [](const RemedyRow &row) { return row.remedy.kind != RemedyKind::Knob; });
        const auto simulated = static_cast<int>(std::min(answer->links.size(), maxSimulatedLinks));
        QCOMPARE(reports, 2 + static_cast<int>(suggested) + static_cast<int>(answer->sensitivities.size()) + simulated);
        for (int l = 0; l < simulated; ++l) // each told as soon as it is known
            QVERIFY(answer->links[static_cast<std::size_t>(l)].savedSeconds);
        double sum = 0;
        for (const CauseRow &cause : answer->causes)
            sum += cause.endSeconds - cause.startSeconds;
        COMPARE_CLOSE(sum, (*run)->iterationSeconds, 1e-9);
        COMPARE_AT_LEAST(answer->remedies.size(), 3);
        for (std::size_t r = 0; r < answer->remedies.size(); ++r) {
            const RemedyRow &row = answer->remedies[r];
            QCOMPARE(row.iterationSeconds.value(), (*simulate(row.remedy.scenario()))->iterationSeconds);
            if (r > 0)
                COMPARE_AT_LEAST(*row.iterationSeconds, *answer->remedies[r - 1].iterationSeconds);
        }
        std::set<std::string> knobs;
        for (std::size_t s = 0; s < answer->sensitivities.size(); ++s) {
            knobs.insert(scenarioSpace()[answer->sensitivities[s].dimension].id);
            QVERIFY(s == 0 || answer->sensitivities[s - 1].reach((*run)->iterationSeconds) >=
                                  answer->sensitivities[s].reach((*run)->iterationSeconds));
        }
        QVERIFY((knobs == std::set<std::string>{"bandwidth", "latency", "workers", "servers", "partition", "credit"}));
    }
};

QTEST_GUILESS_MAIN(TestSweep)
#include "tst_sweep.moc"
