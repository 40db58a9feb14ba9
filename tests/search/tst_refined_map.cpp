// SPDX-License-Identifier: GPL-3.0-or-later
// Maps made coarse to fine have the same points as grids, with a judge whose best setting is known.
#include "engine/search/tune/refined_map.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <set>
#include <stop_token>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

TuneSpace byteScheduler() {
    ScenarioRecipe recipe;
    recipe.job = std::make_shared<const Job>(chainJob({{1e-3, 2e-3, 1'000'000}, {1e-3, 2e-3, 3'000'000}}));
    recipe.cluster = std::make_shared<const Cluster>(withDedicatedServers(uniformCluster(2, 10), 1));
    recipe.strategy = BuiltStrategy{"PS"};
    recipe.policy = *parsePolicy("bytescheduler");
    return *TuneSpace::make(recipe, TuneSpace::partitionAndCredit());
}

/// Fastest, 1 s, with partitions of 64 KiB and a credit of one partition; each factor e away adds 0.1 s. Partitions larger than
/// 256 MiB cannot be judged.
class ValleyJudge final : public Judge {
public:
    [[nodiscard]] std::string text() const override { return "valley()"; }
    [[nodiscard]] bool isDeterministic() const override { return true; }
    [[nodiscard]] Result<Verdict> judge(const Scenario &scenario, std::stop_token stop) override {
        if (stop.stop_requested())
            return cancelled();
        const double partition = scenario.policy.value("partition"), credit = scenario.policy.value("credit") / partition;
        if (partition > 268435456)
            return fail("partitions too large");
        Verdict verdict;
        verdict.iterationSeconds = 1 + 0.1 * (std::abs(std::log(partition / 65536)) + std::log(credit));
        verdict.samplesPerSecond = 1 / verdict.iterationSeconds;
        return verdict;
    }
};

} // namespace

class TestRefinedMap : public QObject {
    Q_OBJECT

private slots:
    void levelsHalveTheSteps() {
        QCOMPARE(mapLevels({12}),
                 (std::vector<std::size_t>{0, 2, 1, 2, 0, 2, 1, 2, 0, 2, 1, 0})); // the last value is on the coarsest
        QCOMPARE(mapLevels({3, 2}), (std::vector<std::size_t>(6, 0)));
        const auto levels = mapLevels({24, 16});
        QCOMPARE(std::count(levels.begin(), levels.end(), std::size_t{0}), std::ptrdiff_t{12}); // 0, 8, 16, 23 x 0, 8, 15
        QCOMPARE(*std::max_element(levels.begin(), levels.end()), std::size_t{3});
    }

    void hasThePointsOfTheGrid() {
        const TuneSpace space = byteScheduler();
        const std::vector<std::size_t> counts{12, 8};
        ValleyJudge judge;
        const Landscape grid = *landscapeOf(space, counts, judge, 1);
        for (const unsigned threads : {1U, 3U}) {
            std::vector<int> told(grid.points.size(), 0);
            const auto map = *refineMap(space, counts, judge, {.threads = threads}, [&](std::size_t point, const TuneStep &step) {
                ++told[point];
                QCOMPARE(step.values, grid.points[point].values);
            });
            QCOMPARE(map.counts, counts);
            QCOMPARE(map.points.size(), grid.points.size());
            for (std::size_t i = 0; i < grid.points.size(); ++i) {
                QCOMPARE(told[i], 1);
                QCOMPARE(map.points[i].values, grid.points[i].values);
                QCOMPARE(map.points[i].error, grid.points[i].error);
                if (grid.points[i].error.empty())
                    QCOMPARE(map.points[i].iterationSeconds, grid.points[i].iterationSeconds);
            }
            QCOMPARE(map.valleys(), grid.valleys());
        }
    }

    /// A range with fewer whole numbers than the map has rows leaves rows out.
    void repeatsNoSetting() {
        const TuneSpace space = byteScheduler();
        ValleyJudge judge;
        const auto map = *refineMap(space, {5, 40}, judge, {.threads = 2}, {});
        const auto grid = *landscapeOf(space, {5, 40}, judge, 1);
        QCOMPARE(map.counts, (std::vector<std::size_t>{5, 16}));
        QCOMPARE(grid.counts, map.counts);
        QCOMPARE(grid.points.size(), map.points.size());
        std::set<std::vector<double>> settings;
        for (std::size_t i = 0; i < map.points.size(); ++i) {
            QCOMPARE(map.points[i].values, grid.points[i].values);
            settings.insert(map.points[i].values);
        }
        QCOMPARE(settings.size(), std::size_t{80});
    }

    /// Level by level, and within a level from the fastest known points outwards.
    void comesCoarseFirstAndThenWhereItIsFast() {
        const TuneSpace space = byteScheduler();
        const std::vector<std::size_t> counts{24, 16};
        const auto levels = mapLevels(counts);
        ValleyJudge judge;
        std::vector<std::size_t> order;
        std::vector<double> seconds;
        QVERIFY(refineMap(space, counts, judge, {.threads = 1}, [&](std::size_t point, const TuneStep &step) {
            order.push_back(point);
            seconds.push_back(step.iterationSeconds);
        }));
        for (std::size_t i = 1; i < order.size(); ++i)
            COMPARE_AT_MOST(levels[order[i - 1]], levels[order[i]], "a finer point came before a coarser one");
        const auto finest = std::count(levels.begin(), levels.end(), std::size_t{3});
        const auto first = seconds.end() - finest; // the finest level, which is most of the map
        const auto tenth = finest / 10;
        const double early = *std::max_element(first, first + tenth);
        std::vector<double> all(first, seconds.end());
        std::replace_if(
            all.begin(), all.end(), [](double s) { return std::isnan(s); }, 1e9);
        std::nth_element(all.begin(), all.begin() + finest / 2, all.end());
        COMPARE_BELOW(early, all[static_cast<std::size_t>(finest / 2)], "the slowest of the first tenth against the median");
    }

    void coarseMapsJudgeNothingElse() {
        const TuneSpace space = byteScheduler();
        ValleyJudge judge;
        std::size_t told = 0;
        const auto map =
            *refineMap(space, {24, 16}, judge, {.coarse = true, .threads = 2}, [&](std::size_t, const TuneStep &) { ++told; });
        QCOMPARE(told, std::size_t{12});
        const auto levels = mapLevels({24, 16});
        for (std::size_t i = 0; i < levels.size(); ++i)
            QCOMPARE(std::isnan(map.points[i].iterationSeconds) && map.points[i].error.empty(), levels[i] > 0);
    }

    void stopEndsIt() {
        const TuneSpace space = byteScheduler();
        ValleyJudge judge;
        std::stop_source stop;
        std::size_t told = 0;
        const auto map = refineMap(
            space, {24, 16}, judge, {.threads = 1},
            [&](std::size_t, const TuneStep &) {
                if (++told == 20)
                    stop.request_stop();
            },
            stop.get_token());
        QVERIFY(!map && map.error().isCancelled());
        QCOMPARE(told, std::size_t{20});
    }
};

QTEST_GUILESS_MAIN(TestRefinedMap)
#include "tst_refined_map.moc"
