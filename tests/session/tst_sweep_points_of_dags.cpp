// SPDX-License-Identifier: GPL-3.0-or-later
// A point of a sweep over plans has the figures of the plan that is made there alone, or the reason why there are none.
#include "engine/session/dag_sweep.h"
#include "tests/checks.h"

#include <QTemporaryDir>
#include <QtTest>
#include <utility>

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

    /// Points at other numbers of processes have other logs, so ranks with different ones must not share a sweep, even if the
    /// logs at the base's number are the same.
    void inputsAreTheLogsOfAllPoints() {
        QFile four(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/calibrate/nccl_tests_4_hosts.json"));
        QVERIFY(four.open(QIODevice::ReadOnly));
        const QByteArray log = four.readAll();
        QByteArray devices;
        for (int rank = 4; rank < 8; ++rank)
            devices += QStringLiteral(R"(},{"rank":%1,"group":0,"pid":10%1,"hostname":"host%1","device":0,)"
                                      R"("device_hex":"0000:00:00","device_info":"made")")
                           .arg(rank)
                           .toUtf8();
        QByteArray eight = log;
        eight.replace("}]},\"results\"", devices + "}]},\"results\"");
        QByteArray slow = eight;
        slow.replace("\"time\":", "\"time\":3");
        const auto sweepWith = [](const QTemporaryDir &dir, const QByteArray &of4, const QByteArray &of8) {
            for (const auto &[name, text] : {std::pair("four.json", of4), std::pair("eight.json", of8)}) {
                QFile file(dir.filePath(QLatin1String(name)));
                if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
                    QTest::qFail("not written", __FILE__, __LINE__);
            }
            ScenarioOptions options;
            options.job = "syndicate:a6";
            options.cluster = "async_aws_gpu";
            options.workers = 4;
            PlanCosts costs;
            costs.measured = {dir.path().toStdString()};
            return dagSweepOf(options, costs, 1);
        };
        const auto secondsAt = [](const DagSweep &sweep, std::int32_t workers) {
            ScenarioRecipe recipe = sweep.recipe;
            recipe.knobs.workers = workers;
            return sweep.judge(recipe, {}).iterationSeconds;
        };
        const QTemporaryDir first, second, third;
        const auto one = sweepWith(first, log, eight), same = sweepWith(second, log, eight), other = sweepWith(third, log, slow);
        VERIFY_VALUE(one);
        VERIFY_VALUE(same);
        VERIFY_VALUE(other);
        COMPARE_CLOSE(secondsAt(*one, 4), secondsAt(*other, 4));
        COMPARE_ABOVE(secondsAt(*other, 8), 2 * secondsAt(*one, 8));
        QCOMPARE(one->inputs, same->inputs);
        QVERIFY(one->inputs != other->inputs);
    }
};

QTEST_GUILESS_MAIN(TestSweepPointsOfDags)
#include "tst_sweep_points_of_dags.moc"
