// SPDX-License-Identifier: GPL-3.0-or-later
// Tuners over a space of settings, with a judge whose best setting is known.
#include "engine/search/tune/tuners.h"
#include "engine/search/tune/tuning.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <cmath>
#include <set>
#include <stop_token>
#include <tuple>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

ScenarioRecipe recipeWith(const std::string &policy) {
    ScenarioRecipe recipe;
    recipe.job = std::make_shared<const Job>(chainJob({{1e-3, 2e-3, 1'000'000}, {1e-3, 2e-3, 3'000'000}}));
    recipe.cluster = std::make_shared<const Cluster>(withDedicatedServers(uniformCluster(2, 10), 1));
    recipe.strategy = BuiltStrategy{"PS"};
    recipe.policy = *parsePolicy(policy);
    return recipe;
}

TuneSpace byteScheduler() { return *TuneSpace::make(recipeWith("bytescheduler"), TuneSpace::partitionAndCredit()); }

/// Fastest, 1 s, with partitions of 1 MiB and a credit of 4 partitions; each factor e away adds 0.1 s.
class ValleyJudge final : public Judge {
public:
    [[nodiscard]] std::string text() const override { return "valley()"; }
    [[nodiscard]] bool isDeterministic() const override { return true; }
    [[nodiscard]] Result<Verdict> judge(const Scenario &scenario, std::stop_token /*stop*/) override {
        const double partition = scenario.policy.value("partition"), credit = scenario.policy.value("credit") / partition;
        if (partition < impossibleBelow)
            return fail("partitions too small");
        Verdict verdict;
        verdict.iterationSeconds = 1 + 0.1 * (std::abs(std::log(partition / 1048576)) + std::abs(std::log(credit / 4)));
        verdict.samplesPerSecond = 1 / verdict.iterationSeconds;
        return verdict;
    }
    double impossibleBelow = 0;
};

/// The settings that a grid asks for, in its order.
std::vector<std::vector<double>> settingsOf(PointSearch &grid) {
    std::vector<std::vector<double>> settings;
    for (;;) {
        const auto batch = grid.ask(settings.size(), {});
        if (!batch || batch->empty())
            return settings;
        for (const Genes &genes : *batch)
            settings.push_back(grid.valuesOf(genes));
    }
}

} // namespace

class TestTuners : public QObject {
    Q_OBJECT

private slots:
    /// A grid alone asks for a number of points that is known from the start, under any of its names.
    void aGridsPointsAreCounted() {
        const TuneSpace space = byteScheduler();
        QCOMPARE((*makeTuner("grid(steps=7)", space, 1))->pointCount(), std::optional<std::size_t>(49));
        QCOMPARE(makeGrid(space, {3, 5})->pointCount(), std::optional<std::size_t>(15));
        for (const char *other : {"random", "coordinate", "nelder_mead", "direct", "bo"})
            QVERIFY2(!(*makeTuner(other, space, 1))->pointCount(), other);
    }

    /// A grid holds the requested number of different settings, or as many as whole numbers allow.
    void gridsRepeatNothing() {
        const TuneSpace space = byteScheduler();
        const std::vector<std::size_t> usual{12, 8};
        QCOMPARE(gridCounts(space.axes(), usual), usual);
        const auto settings = settingsOf(*makeGrid(space, usual));
        QCOMPARE(std::set(settings.begin(), settings.end()).size(), std::size_t{96});
        const std::vector<double> credits{1, 2, 3, 4, 5, 7, 11, 16}; // evenly spaced it would be 1, 1, 2, 3, 5, 7, 11, 16
        for (std::size_t i = 0; i < settings.size(); ++i) {
            QCOMPARE(settings[i][0], std::round(4096 * std::pow(262144, static_cast<double>(i / 8) / 11))); // not moved
            QCOMPARE(settings[i][1] / settings[i][0], credits[i % 8]);
        }
        QCOMPARE(gridCounts(space.axes(), {24, 16}), (std::vector<std::size_t>{24, 16}));
        for (const std::size_t asked : {16U, 17U, 999U}) // all of them
            for (std::size_t i = 0; const auto &setting : settingsOf(*makeGrid(space, {1, asked})))
                QCOMPARE(setting, (std::vector<double>{4096, 4096.0 * static_cast<double>(++i)}));
        QCOMPARE(gridCounts(space.axes(), {3, 999}), (std::vector<std::size_t>{3, 16}));
        QCOMPARE((*makeTuner("grid(steps=20)", space, 1))->pointCount(), std::optional<std::size_t>(20 * 16));
    }

    /// For every number of values, the ends of the range are among them, and all are different whole numbers.
    void gridsOfFewWholeNumbers() {
        for (const auto &[knob, min, max, scale] : {std::tuple{"workers", 2.0, 9.0, Scale::Linear},
                                                    {"workers", 1.0, 1000.0, Scale::Logarithmic},
                                                    {"workers", 100.0, 104.0, Scale::Logarithmic}}) {
            const TuneAxis axis{*scenarioSpace().indexOf(knob), min, max, scale, {}};
            for (std::size_t asked = 2; asked <= 40; ++asked) {
                std::vector<double> values;
                for (const double coordinate : axis.gridCoordinates(asked))
                    values.push_back(axis.at(coordinate));
                QCOMPARE(values.size(), std::min(asked, static_cast<std::size_t>(max - min) + 1));
                QCOMPARE(values.front(), min);
                QCOMPARE(values.back(), max);
                for (std::size_t i = 1; i < values.size(); ++i)
                    COMPARE_AT_LEAST(values[i], values[i - 1] + 1);
            }
        }
        const auto overlap = usualAxis(*scenarioSpace().indexOf("overlap")),
                   one = TuneAxis{overlap.dimension, 1, 1, overlap.scale, {}};
        QCOMPARE(overlap.gridCoordinates(8).size(), std::size_t{2}); // off and on
        QCOMPARE(one.gridCoordinates(8).size(), std::size_t{1});
        const TuneAxis bandwidth{*scenarioSpace().indexOf("bandwidth"), 10, 10, Scale::Linear, {}};
        QCOMPARE(bandwidth.gridCoordinates(8).size(), std::size_t{1});
    }

    void aPointBecomesSettings() {
        const TuneSpace space = byteScheduler();
        QCOMPARE(space.valuesAt({0, 0}), (std::vector<double>{4096, 4096}));
        QCOMPARE(space.valuesAt({1, 1}), (std::vector<double>{1073741824, 16 * 1073741824.0}));
        const auto middle = space.valuesAt({0.5, 0.5});
        COMPARE_CLOSE(middle[0], 2097152.0, 1e-6);
        QCOMPARE(middle[1], 4 * middle[0]);
        const auto back = space.pointOf({2097152, 8388608});
        COMPARE_CLOSE(back[0], 0.5, 1e-9);
        COMPARE_CLOSE(back[1], 0.5, 1e-9);
        const auto scenario = space.scenarioOf({65536, 131072});
        QVERIFY(scenario);
        QCOMPARE(scenario->policy.value("partition"), 65536.0);
        QCOMPARE(scenario->policy.value("credit"), 131072.0);
        QCOMPARE(space.defaultValues(), (std::vector<double>{4e6, 16e6}));
    }

    void whatCannotBeTunedIsRefused() {
        const std::size_t fusion = *scenarioSpace().indexOf("fusion"), partition = *scenarioSpace().indexOf("partition");
        const auto refused = [](std::vector<TuneAxis> axes) {
            return !TuneSpace::make(recipeWith("bytescheduler"), std::move(axes));
        };
        QVERIFY(refused({}));
        QVERIFY(refused({{fusion, 1e6, 1e8, Scale::Logarithmic, {}}}));
        const auto others = TuneSpace::make(recipeWith("bytescheduler"), {{fusion, 1e6, 1e8, Scale::Logarithmic, {}}});
        QCOMPARE(others.error().remedy, std::string("choose another knob, or another policy")); // also in the explorer
        QVERIFY(refused({{partition, 1e6, 1e8, Scale::Logarithmic, {}}, {partition, 1e6, 1e8, Scale::Logarithmic, {}}}));
        QVERIFY(refused({{partition, 1e8, 1e6, Scale::Logarithmic, {}}}));
        QVERIFY(refused({{partition, 0, 1e6, Scale::Logarithmic, {}}}));
        QVERIFY(refused({{partition, -5, 1e6, Scale::Linear, {}}}));
        QVERIFY(!makeTuner("nonsense", byteScheduler(), 1));
        QVERIFY(!makeTuner("bo(preset=horovod)", byteScheduler(), 1));
        QVERIFY(!makeTuner("bo(xi=7)", byteScheduler(), 1));
    }

    void everyTunerFindsTheValley_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<int>("evaluations");
        QTest::addColumn<double>("within");
        QTest::newRow("grid") << "grid(steps=12)" << 144 << 0.08;
        QTest::newRow("random") << "random()" << 100 << 0.15;
        QTest::newRow("coordinate") << "coordinate()" << 60 << 0.02;
        QTest::newRow("nelder-mead") << "nelder-mead" << 60 << 0.05;
        QTest::newRow("direct") << "direct()" << 60 << 0.1;
        QTest::newRow("bo") << "bo()" << 25 << 0.06;
        QTest::newRow("bo, RBF") << "bo(kernel=rbf)" << 30 << 0.1;
    }
    void everyTunerFindsTheValley() {
        QFETCH(QString, method);
        QFETCH(int, evaluations);
        QFETCH(double, within);
        const auto tuner = makeTuner(method.toStdString(), byteScheduler(), 3);
        QVERIFY(tuner);
        ValleyJudge judge;
        const auto tuning = runTuning(**tuner, judge, {static_cast<std::uint64_t>(evaluations), 1});
        QVERIFY(tuning);
        COMPARE_AT_MOST(tuning->path.size(), evaluations);
        QVERIFY(tuning->best());
        COMPARE_AT_MOST(tuning->path[*tuning->best()].iterationSeconds, 1 + within);
        const auto again = makeTuner((*tuner)->text(), byteScheduler(), 3);
        QVERIFY(again);
        QCOMPARE((*again)->text(), (*tuner)->text());
        const auto repeated = runTuning(**again, judge, {static_cast<std::uint64_t>(evaluations), 2});
        QCOMPARE(repeated->path.size(), tuning->path.size());
        for (std::size_t i = 0; i < tuning->path.size(); ++i)
            QCOMPARE(repeated->path[i].values, tuning->path[i].values);
    }

    void boIsAheadOfRandomPoints() {
        double bo = 0, random = 0;
        for (std::uint64_t seed = 1; seed <= 5; ++seed)
            for (const bool guided : {true, false}) {
                ValleyJudge judge;
                const auto tuner = makeTuner(guided ? "bo()" : "random()", byteScheduler(), seed);
                const auto tuning = runTuning(**tuner, judge, {20, 1});
                (guided ? bo : random) += tuning->path[*tuning->best()].iterationSeconds / 5;
            }
        COMPARE_BELOW(bo, random);
    }

    void settingsThatCannotRunAreAvoided() {
        for (const char *method : {"coordinate()", "nelder_mead()", "direct()", "bo()"}) {
            ValleyJudge judge;
            judge.impossibleBelow = 500'000;
            const auto tuner = makeTuner(method, byteScheduler(), 3);
            const auto tuning = runTuning(**tuner, judge, {40, 1});
            QVERIFY2(tuning && tuning->best(), method);
            COMPARE_AT_MOST(tuning->path[*tuning->best()].iterationSeconds, 1.25, method);
        }
    }

    void byteSchedulerIsAsReleased() {
        ValleyJudge judge;
        const auto tuner = makeTuner("bo(preset=bytescheduler)", byteScheduler(), 3);
        const auto tuning = runTuning(**tuner, judge, {100, 1});
        QVERIFY(tuning);
        QCOMPARE(tuning->path.size(), std::size_t{14});
        QCOMPARE(tuning->iterations(), std::int64_t{1400});
        for (const TuneStep &step : tuning->path) {
            COMPARE_AT_LEAST(step.values[0], 8e6);
            COMPARE_AT_MOST(step.values[0], 128e6);
            COMPARE_AT_LEAST(step.values[1], 4e6);
            COMPARE_AT_MOST(step.values[1], 64e6);
        }
        ScenarioRecipe reduced = recipeWith("bytescheduler");
        reduced.strategy = BuiltStrategy{"AllReduce"};
        const auto wide = makeTuner("bo(preset=bytescheduler)", *TuneSpace::make(reduced, TuneSpace::partitionAndCredit()), 3);
        QVERIFY(wide);
        QCOMPARE((*wide)->space().valuesAt({0, 1})[1], 256e6);
    }

    void horovodIsAsReleased() {
        const std::size_t fusion = *scenarioSpace().indexOf("fusion"), cycle = *scenarioSpace().indexOf("cycle");
        ScenarioRecipe recipe = recipeWith("horovod");
        recipe.strategy = BuiltStrategy{"AllReduce"};
        const auto space =
            TuneSpace::make(recipe, {{fusion, 1e6, 1e8, Scale::Logarithmic, {}}, {cycle, 1e-3, 0.1, Scale::Logarithmic, {}}});
        QVERIFY(space);
        const auto tuner = makeTuner("bo(preset=horovod)", *space, 3);
        QVERIFY(tuner);
        const auto tuning = runTuning(**tuner, **makeJudge("simulated()"), {100, 1});
        QVERIFY(tuning);
        QCOMPARE(tuning->path.size(), std::size_t{20});
        const std::vector<std::pair<double, double>> first{{4, 5}, {32, 50}, {16, 25}, {8, 10}};
        for (std::size_t i = 0; i < first.size(); ++i) {
            COMPARE_CLOSE(tuning->path[i].values[0], first[i].first * 1048576, 1e-6);
            COMPARE_CLOSE(tuning->path[i].values[1], first[i].second * 1e-3, 1e-6);
        }
        std::set<std::vector<double>> settings;
        for (const TuneStep &step : tuning->path)
            settings.insert(step.values);
        COMPARE_AT_LEAST(settings.size(), 6); // its noise of 0.8 makes it propose corners repeatedly
    }

    void valleysAreCounted() {
        Landscape landscape{{3, 3}, std::vector<TuneStep>(9), 0};
        const auto set = [&](std::vector<double> seconds) {
            for (std::size_t i = 0; i < seconds.size(); ++i)
                landscape.points[i].iterationSeconds = seconds[i];
        };
        set({3, 2, 3, 2, 1, 2, 3, 2, 3});
        QCOMPARE(landscape.valleys(), std::size_t{1});
        QCOMPARE(*landscape.best(), std::size_t{4});
        set({1, 2, 3, 2, 3, 2, 3, 2, 1});
        QCOMPARE(landscape.valleys(), std::size_t{2});
        set({1, 1, 1, 1, 1, 1, 1, 1, 1});
        QCOMPARE(landscape.valleys(), std::size_t{1});
        set({1, 1.0008, 1.0016, 1.0024, 1.0032, 1.004, 1.0048, 1.0056, 1.0064}); // slopes of less than the tolerance
        QCOMPARE(landscape.valleys(), std::size_t{1});
        set({1, 1.002, 1.0004, 3, 3, 3, 2, 2.001, 1.999}); // a step up of more than the tolerance, and one of less
        QCOMPARE(landscape.valleys(), std::size_t{3});
        landscape = {{12}, std::vector<TuneStep>(12), 0};
        set({10, 9, 8.5, 8.499, 8.498, 8.49, 8.4, 8.39, 8.385, 8, 7.9999, 7});
        QCOMPARE(landscape.valleys(), std::size_t{1});
        landscape = {{3, 3}, std::vector<TuneStep>(9), 0};
        set({std::nan(""), 2, 3, std::nan(""), std::nan(""), std::nan(""), 3, 2, 1});
        QCOMPARE(landscape.valleys(), std::size_t{2});
    }

    void aStopEndsAProposal() {
        const auto tuner = makeTuner("bo(first=1)", byteScheduler(), 1);
        QVERIFY(tuner);
        std::stop_source stop;
        const auto first = (*tuner)->ask(0, stop.get_token());
        QVERIFY(first);
        SearchTrial trial;
        trial.genes = first->front();
        trial.metrics.iterationSeconds = 1;
        (*tuner)->tell({trial});
        QVERIFY((*tuner)->ask(1, stop.get_token()));
        stop.request_stop();
        const auto stopped = (*tuner)->ask(1, stop.get_token());
        QVERIFY(!stopped && stopped.error().isCancelled());
    }

    /// The simulator never goes below the bound, and a negligible network leaves nothing to gain.
    void boundsHold() {
        for (const char *policy : {"bytescheduler", "bytescheduler(hash=mxnet)"})
            for (const double gbits : {1.0, 1e5}) {
                ScenarioRecipe recipe = recipeWith(policy);
                recipe.cluster = std::make_shared<const Cluster>(withDedicatedServers(uniformCluster(2, gbits), 2));
                const TuneSpace space = *TuneSpace::make(recipe, TuneSpace::partitionAndCredit());
                const auto bound = boundOf(space);
                QVERIFY(bound);
                const auto judge = makeJudge("simulated()");
                const auto map = landscapeOf(space, {4, 3}, **judge, 2);
                QVERIFY(map && map->best());
                const double best = map->points[*map->best()].iterationSeconds;
                COMPARE_AT_LEAST(best, bound->seconds * (1 - 1e-9), policy);
                if (gbits > 1)
                    COMPARE_AT_MOST(best, bound->seconds * 1.01, policy);
                else
                    COMPARE_ABOVE(bound->seconds, 6e-3, policy);
            }
        ScenarioRecipe reduced = recipeWith("bytescheduler"); // all-reduced: 16 MB over links of 125 MB/s
        reduced.cluster = std::make_shared<const Cluster>(uniformCluster(2, 1));
        reduced.strategy = BuiltStrategy{"AllReduce(chunk_size=1)"};
        for (const char *policy : {"bytescheduler", "bytescheduler(hash=mxnet)"}) {
            reduced.policy = *parsePolicy(policy);
            const TuneSpace space = *TuneSpace::make(reduced, TuneSpace::partitionAndCredit());
            const auto map = landscapeOf(space, {6, 3}, **makeJudge("simulated()"), 2);
            QVERIFY(map && map->best());
            const double bound = boundOf(space)->seconds, best = map->points[*map->best()].iterationSeconds;
            COMPARE_AT_LEAST(bound, 16e6 / 125e6 * (1 - 1e-9), policy);
            COMPARE_AT_LEAST(best, bound * (1 - 1e-9), policy);
            COMPARE_AT_MOST(best, bound * 1.2, policy);
        }
        // Servers on the four workers' nodes: 2 * 3 times the 16 MB over four cards of 125 MB/s. An all-reduce of 2 * 3/4 of them
        // over one connection of as much between neighbours takes as long, with any buckets.
        ScenarioRecipe shared = recipeWith("bytescheduler(hash=mxnet)");
        shared.cluster = std::make_shared<const Cluster>(uniformCluster(4, 1));
        shared.strategy = BuiltStrategy{"PSLoadBalancing"};
        ScenarioRecipe limited = reduced;
        Cluster fast = uniformCluster(4, 10);
        fast.connectionBytesPerSecond = 125e6;
        limited.cluster = std::make_shared<const Cluster>(fast);
        limited.policy = *parsePolicy("ddp");
        const TuneSpace served = *TuneSpace::make(shared, TuneSpace::partitionAndCredit()),
                        fused = *TuneSpace::make(limited,
                                                 {{*scenarioSpace().indexOf("bucket_cap"), 1e6, 6.4e7, Scale::Logarithmic, {}}});
        for (const auto &[space, name] : {std::pair{&served, "served"}, std::pair{&fused, "fused"}}) {
            const auto map = landscapeOf(*space, usualGrid(space->axes().size()), **makeJudge("simulated()"), 2);
            QVERIFY(map && map->best());
            const double bound = boundOf(*space)->seconds, best = map->points[*map->best()].iterationSeconds;
            COMPARE_CLOSE(bound, 0.192, 1e-9, name);
            COMPARE_AT_LEAST(best, bound * (1 - 1e-9), name);
            COMPARE_AT_MOST(best, bound * 1.4, name);
        }
        // Where buckets decide about channels, or how often data is sent on, the default's links bound nothing.
        limited.cluster = std::make_shared<const Cluster>(uniformCluster(4, 10));
        limited.policy = *parsePolicy("ddp(algorithm=breduce)");
        QCOMPARE(boundOf(*TuneSpace::make(limited, fused.axes()))->what, std::string("the compute of a worker"));
        Cluster channelled = uniformCluster(4, 10);
        channelled.namedChannels = {{"fast", {"a"}, 1.25e9, 5e-6}, {"slow", {"b"}, 1e9, 5e-6}};
        limited.cluster = std::make_shared<const Cluster>(channelled);
        limited.policy = *parsePolicy("ddp(concurrent=2)");
        QCOMPARE(boundOf(*TuneSpace::make(limited, fused.axes()))->what, std::string("the compute of a worker"));
        // FSDP2's root module is gathered once, others twice: how many bytes there are is a matter of the modules' size.
        reduced.job = std::make_shared<const Job>(chainJob({{1e-3, 2e-3, 150'000'000}, {1e-3, 2e-3, 150'000'000}}));
        reduced.policy = *parsePolicy("fsdp2");
        const TuneSpace modules =
            *TuneSpace::make(reduced, {{*scenarioSpace().indexOf("module"), 1e6, 1e10, Scale::Logarithmic, {}}});
        const auto gathered = landscapeOf(modules, {4}, **makeJudge("simulated()"), 2);
        QVERIFY(gathered && gathered->best());
        COMPARE_AT_LEAST(gathered->points[*gathered->best()].iterationSeconds, boundOf(modules)->seconds * (1 - 1e-9));
        const auto workers =
            TuneSpace::make(recipeWith("fifo"), {{*scenarioSpace().indexOf("bandwidth"), 1, 10, Scale::Linear, {}}});
        QVERIFY(workers);
        QVERIFY(boundOf(*workers)->what.empty());
    }
};

QTEST_APPLESS_MAIN(TestTuners)
#include "tst_tuners.moc"
