// SPDX-License-Identifier: GPL-3.0-or-later
// A point of a sweep over plans has the figures of the plan that is made there alone, or the reason why there are none.
#include "engine/session/dag_sweep.h"
#include "tests/checks.h"

#include <QtTest>

using namespace syncopate;
using namespace syncopate::testing;

class TestSweepPointsOfDags : public QObject {
    Q_OBJECT

private slots:
    /// Logs of collectives are of one number of ranks: at others, a plan made there refuses them, and so does the sweep's point.
    void logsAreOfOneNumberOfRanks() {
        ScenarioOptions options;
        options.job = "syndicate:a6";
        options.cluster = "async_aws_gpu";
        options.workers = 4;
        PlanCosts costs;
        costs.measured = {SYNCOPATE_SOURCE "/tests/data/calibrate/nccl_tests_4_hosts.json"};
        const auto sweep = dagSweepOf(options, costs, 1);
        VERIFY_VALUE(sweep);
        for (const std::int32_t workers : {4, 8}) {
            ScenarioRecipe recipe = sweep->recipe;
            recipe.knobs.workers = workers;
            const SweepPoint point = sweep->judge(recipe, {});
            options.workers = workers;
            const auto alone = loadDagJob(options, costs, 1);
            QCOMPARE(alone.has_value(), workers == 4);
            if (!alone) {
                QVERIFY2(point.error.find("it is among 4 ranks, the DAG among 8 processes") != std::string::npos,
                         point.error.c_str());
                continue;
            }
            const auto played = playDag(*alone, "fifo", "--strategy");
            VERIFY_VALUE(played);
            QVERIFY2(point.error.empty(), point.error.c_str());
            QCOMPARE(point.iterationSeconds, played->run->iterationSeconds);
            // The logs matter: by the links' figures alone the iteration takes another time.
            const auto modelled = loadDagJob(options, {}, 1);
            VERIFY_VALUE(modelled);
            QVERIFY(playDag(*modelled, "fifo", "--strategy")->run->iterationSeconds != point.iterationSeconds);
        }
    }
};

QTEST_GUILESS_MAIN(TestSweepPointsOfDags)
#include "tst_sweep_points_of_dags.moc"
