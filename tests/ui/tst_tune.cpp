// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning in the explorer, compared with the engine's own grids and tuners and with single simulations.
#include "engine/search/tune/tuners.h"
#include "tests/checks.h"
#include "tests/ui/small_job.h"
#include "tests/ui/window_fixture.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/tune_preset.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

std::size_t dimensionNamed(const char *id) { return *scenarioSpace().indexOf(id); }

} // namespace

class TestTune : public QObject, WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        start();
        QVERIFY(open(syncopate::testing::writeSmallJob(m_folder.path()), QStringLiteral("A2")));
        SessionState next = session().state();
        next.bandwidthGbits = 1;
        next.servers = 2;
        next.sides = {SideState{Built{"PSLoadBalancing"}, "bytescheduler"}, SideState{Built{"AllReduce(chunk_size=1)"}, "fifo"}};
        session().change(next, QStringLiteral("test"));
        QVERIFY(settle());
    }
    void cleanup() { stop(); }

    /// The figures of `syncopate-cli tune`: the same space, grid, tuners and bound.
    void figuresAreThoseOfTheEngine() {
        QVERIFY(tune());
        const auto run = preset().run();
        const TuneSpace space = spaceOfA();
        const auto judge = *makeJudge("simulated()");
        const Landscape grid = *landscapeOf(space, {12, 8}, *judge);
        QCOMPARE(run->map.points.size(), grid.points.size());
        for (std::size_t i = 0; i < grid.points.size(); ++i) {
            QCOMPARE(run->map.points[i].values, grid.points[i].values);
            QCOMPARE(run->map.points[i].error, grid.points[i].error);
            if (grid.points[i].error.empty()) {
                QCOMPARE(run->map.points[i].iterationSeconds, grid.points[i].iterationSeconds);
                QCOMPARE(run->map.points[i].samplesPerSecond, grid.points[i].samplesPerSecond);
            }
        }
        COMPARE_AT_LEAST(run->tuners.size(), 4);
        for (const TunerRun &one : run->tuners) {
            const auto tuner = *makeTuner(one.expression, space, 1);
            const Tuning want = *runTuning(*tuner, *judge, {usualTuneEvaluations, 1});
            QVERIFY2(one.tuning, one.error.c_str());
            QCOMPARE(one.tuning->path.size(), want.path.size());
            for (std::size_t i = 0; i < want.path.size(); ++i)
                QCOMPARE(one.tuning->path[i].values, want.path[i].values);
            QCOMPARE(one.tuning->iterations(), want.iterations());
            QCOMPARE(one.tuning->path[*one.tuning->best()].iterationSeconds, want.path[*want.best()].iterationSeconds);
        }
        QCOMPARE(run->usual->iterationSeconds, judgeSetting(space, space.defaultValues(), *judge)->iterationSeconds);
        QCOMPARE(run->present->iterationSeconds, session().run(Side::A)->recording().iterationSeconds);
        const TuneBound bound = *boundOf(space);
        QCOMPARE(run->bound.seconds, bound.seconds);
        const QString told = preset().findingsLabel().text();
        QVERIFY2(told.contains(QString::fromStdString(bound.what)), qPrintable(told));
        QCOMPARE(told.contains(QLatin1String("unimodal")), grid.valleys() == 1);
        if (grid.valleys() > 1)
            QVERIFY2(told.contains(QStringLiteral("%1 valleys").arg(grid.valleys())), qPrintable(told));
    }

    void mapShowsTheSpeed() {
        QVERIFY(tune());
        const auto run = preset().run();
        QCPColorMapData &cells = *preset().landscape().map().data();
        QCOMPARE(cells.keySize(), 12);
        QCOMPARE(cells.valueSize(), 8);
        for (int i = 0; i < 12; ++i)
            for (int j = 0; j < 8; ++j) {
                const TuneStep &step = run->map.points[static_cast<std::size_t>(i * 8 + j)];
                QCOMPARE(static_cast<int>(cells.alpha(i, j)), step.error.empty() ? 255 : 0);
                if (step.error.empty())
                    COMPARE_CLOSE(cells.cell(i, j), step.samplesPerSecond, 1e-12);
            }
        for (std::size_t point = 0; point < run->map.points.size(); ++point) { // each setting in the middle of its cell
            const TunePoint place = placeOnMap(run->plan, run->map.points[point].values);
            COMPARE_WITHIN(place[0], static_cast<double>(point / 8) / 11, 1e-9);
            COMPARE_WITHIN(place[1], static_cast<double>(point % 8) / 7, 1e-9);
        }
        const std::size_t best = *run->map.best();
        const QCPCurve &star = preset().landscape().fastest();
        QCOMPARE(star.data()->size(), 1);
        COMPARE_WITHIN(star.data()->constBegin()->key, static_cast<double>(best / 8) / 11, 1e-3); // rounded to whole bytes
        QVERIFY(preset().landscape().describe(best).contains(QLatin1String("the fastest")) ||
                run->regretOf(run->map.points[best]) > 0); // a tuner may have found a faster one
        preset().sheet().measureBox().setCurrentIndex(1);
        COMPARE_CLOSE(cells.cell(static_cast<int>(best / 8), static_cast<int>(best % 8)), run->map.points[best].iterationSeconds,
                      1e-12);
    }

    /// A line connects a tuner's successive best settings, or all of them once it is selected in the table.
    void waysOfTunersAreDrawn() {
        const auto bestsOf = [](const Tuning &tuning) {
            std::size_t bests = 0;
            double best = HUGE_VAL;
            for (const TuneStep &step : tuning.path)
                if (step.iterationSeconds < best) {
                    ++bests;
                    best = step.iterationSeconds;
                }
            return bests;
        };
        QVERIFY(tune());
        const auto run = preset().run();
        for (std::size_t t = 0; t < run->tuners.size(); ++t) {
            QCOMPARE(static_cast<std::size_t>(preset().landscape().paths().lineOf(t).data()->size()),
                     bestsOf(*run->tuners[t].tuning));
            QCOMPARE(static_cast<std::size_t>(preset().landscape().paths().dotsOf(t).data()->size()),
                     run->tuners[t].tuning->path.size());
        }
        preset().table().select(TuneModel::tunerRow);
        QCOMPARE(static_cast<std::size_t>(preset().landscape().paths().lineOf(0).data()->size()),
                 run->tuners[0].tuning->path.size());
        // The rows of another map are not selected, nor is a tuner drawn as if one were.
        preset().sheet().detailBox().setCurrentIndex(2);
        QVERIFY(tune());
        const Tuning &first = *preset().run()->tuners[0].tuning;
        COMPARE_BELOW(bestsOf(first), first.path.size());
        QCOMPARE(static_cast<std::size_t>(preset().landscape().paths().lineOf(0).data()->size()), bestsOf(first));
    }

    /// A map without a single time has no valleys to count, and 0.04 % is no difference in a text of tenths.
    void findingsAreOfTimes() {
        TuneRun run;
        run.plan.state = session().state();
        run.plan.axes = TuneSpace::partitionAndCredit();
        run.map.counts = {1, 2};
        run.map.points.assign(2, TuneStep{.values = {4e6, 1}, .error = "too little memory"});
        run.judged = 2;
        run.usual = TuneStep{{4e6, 1}, 0.1, 320, {}};
        QVERIFY2(!run.findings().contains(QStringLiteral("valley")), qPrintable(run.findings()));
        run.map.points[0] = *run.usual;
        QVERIFY2(run.findings().contains(QStringLiteral("unimodal")), qPrintable(run.findings()));
        for (const double slower : {0.0004, 0.0006}) {
            const bool isShown = slower > 0.0005;
            run.usual->iterationSeconds = 0.1 * (1 + slower);
            QCOMPARE(run.findings().contains(QStringLiteral("the default takes 0.1 % longer")), isShown);
            QCOMPARE(run.findings().contains(QStringLiteral("the default takes")), isShown);
            QCOMPARE(run.describe(*run.usual).contains(QStringLiteral("0.1 % slower than the fastest")), isShown);
            QCOMPARE(run.describe(*run.usual).endsWith(QStringLiteral("the fastest")), true);
            QVERIFY2(!run.describe(*run.usual).contains(QStringLiteral("0.0 %")), qPrintable(run.describe(*run.usual)));
        }
    }

    /// Two settings of the cluster are no reason to change a policy that has settings.
    void twoSettingsOfTheClusterAreRefused() {
        TuneSheet &sheet = preset().sheet();
        sheet.xBox().setCurrentIndex(sheet.xBox().findData(static_cast<int>(dimensionNamed("bandwidth"))));
        sheet.yBox().setCurrentIndex(sheet.yBox().findData(static_cast<int>(dimensionNamed("latency"))));
        const QString why = sheet.whyNot(session().state());
        QVERIFY2(why.contains(QStringLiteral("at least one of A's policy")), qPrintable(why));
    }

    void clickTakesACellIntoB() {
        QVERIFY(tune());
        const auto run = preset().run();
        const SessionState before = session().state();
        const std::size_t point = 6 * 8 + 5;
        preset().landscape().plot().replot();
        QTest::mouseClick(&preset().landscape().plot(), Qt::LeftButton, {}, preset().landscape().cellAt(point));
        QVERIFY(settle());
        QCOMPARE(settingOf(session().state(), Side::B, run->plan.axes).value(), run->map.points[point].values);
        QCOMPARE(session().run(Side::B)->recording().iterationSeconds, run->map.points[point].iterationSeconds);
        QCOMPARE(session().state().side(Side::A), before.side(Side::A));
        QCOMPARE(session().state().side(Side::B).source, before.side(Side::A).source);
        QCOMPARE(preset().run(), run); // the map is for A, which is unchanged
        session().undoStack()->undo();
        QVERIFY(session().state() == before);
    }

    void keysTakeACellIntoA() {
        QVERIFY(tune());
        const auto run = preset().run();
        QCustomPlot &plot = preset().landscape().plot();
        plot.setFocus();
        const std::size_t best = *run->map.best();
        QTest::keyClick(&plot, Qt::Key_Left); // the first key marks the fastest
        QVERIFY(!preset().pointLabel().text().isEmpty());
        QCOMPARE(preset().pointLabel().text(), preset().landscape().describe(best));
        const int horizontal = best / 8 == 0 ? Qt::Key_Right : Qt::Key_Left;
        QTest::keyClick(&plot, static_cast<Qt::Key>(horizontal));
        const std::size_t beside = best / 8 == 0 ? best + 8 : best - 8;
        QCOMPARE(preset().pointLabel().text(), preset().landscape().describe(beside));
        QTest::keyClick(&plot, Qt::Key_A);
        QVERIFY(settle());
        QCOMPARE(settingOf(session().state(), Side::A, run->plan.axes).value(), run->map.points[beside].values);
        if (run->map.points[beside].error.empty())
            QCOMPARE(session().run(Side::A)->recording().iterationSeconds, run->map.points[beside].iterationSeconds);
        QVERIFY(preset().isCurrent()); // only the mark of A moved on the map
        QCOMPARE(preset().run(), run);
        session().undoStack()->undo();
        QCOMPARE(session().state().side(Side::A).policy, std::string("bytescheduler"));
    }

    void tableHasWhatTunersFound() {
        QVERIFY(tune());
        const auto run = preset().run();
        QAbstractItemModel *model = preset().table().proxy().sourceModel();
        const QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model->rowCount(), TuneModel::tunerRow + static_cast<int>(run->tuners.size()));
        const auto number = [&](int row, int column) { return model->index(row, column).data(Qt::UserRole).toDouble(); };
        double best = HUGE_VAL;
        for (int row = 0; row < model->rowCount(); ++row)
            best = std::min(best, number(row, 2));
        for (std::size_t t = 0; t < run->tuners.size(); ++t) {
            const int row = TuneModel::tunerRow + static_cast<int>(t);
            const Tuning &tuning = *run->tuners[t].tuning;
            QCOMPARE(number(row, 2), tuning.path[*tuning.best()].iterationSeconds);
            COMPARE_WITHIN(number(row, 4), tuning.path[*tuning.best()].iterationSeconds / best - 1, 1e-12);
            QCOMPARE(number(row, 5), static_cast<double>(tuning.path.size()));
            QCOMPARE(number(row, 6), static_cast<double>(tuning.iterations()));
        }
        QCOMPARE(number(TuneModel::mapRow, 5), 96.0);
        window().runs().setView(RunsPanel::View::Table);
        preset().table().select(TuneModel::mapRow);
        QTest::keyClick(&preset().table().table(), Qt::Key_B);
        QCOMPARE(settingOf(session().state(), Side::B, run->plan.axes).value(), run->map.points[*run->map.best()].values);
    }

    void followsKnobsWhereThatIsCheap() {
        preset().setFollowLimit(1e6);
        window().action(QStringLiteral("tune"))->trigger();
        QVERIFY(complete()); // a coarse map is made by itself
        QVERIFY(preset().run()->plan.coarse && preset().isCurrent());
        SessionState next = session().state();
        next.bandwidthGbits = 4;
        session().preview(next);
        QTRY_VERIFY(preset().run() && preset().isCurrent() && preset().run()->complete);
        session().commitPreview(QStringLiteral("bandwidth"));
        const auto run = preset().run();
        QCOMPARE(run->plan.state.bandwidthGbits.value_or(0), 4.0);
        const TuneSpace space = spaceOfA();
        const auto judge = *makeJudge("simulated()");
        std::size_t known = 0;
        for (const TuneStep &point : run->map.points)
            if (!std::isnan(point.iterationSeconds)) {
                QCOMPARE(point.iterationSeconds, judgeSetting(space, point.values, *judge)->iterationSeconds);
                ++known;
            }
        COMPARE_ABOVE(known, std::size_t{5});
        QVERIFY(run->tuners.empty());
    }

    void readsStaleWhereItIsNot() {
        QVERIFY(tune());
        preset().setFollowLimit(-1);
        const auto run = preset().run();
        QVERIFY(!preset().stateLabel().text().contains(QLatin1String("before the knobs")));
        SessionState next = session().state();
        next.bandwidthGbits = 4;
        session().change(next, QStringLiteral("bandwidth"));
        QVERIFY(settle());
        QCOMPARE(preset().run(), run);
        QVERIFY(!preset().isCurrent());
        QVERIFY2(preset().stateLabel().text().contains(QLatin1String("before the knobs")),
                 qPrintable(preset().stateLabel().text()));
        session().undoStack()->undo(); // back to the state it was made for
        QVERIFY(preset().isCurrent());
        QVERIFY(!preset().stateLabel().text().contains(QLatin1String("before the knobs")));
        session().undoStack()->redo();
        QTest::mouseClick(&preset().startButton(), Qt::LeftButton);
        QTRY_VERIFY(preset().isCurrent() && !preset().run()->plan.coarse && preset().run()->complete);
    }

    void stopKeepsWhatIsThere() {
        window().action(QStringLiteral("tune"))->trigger();
        preset().sheet().detailBox().setCurrentIndex(1);
        preset().sheet().evaluationsBox().setValue(10'000);
        preset().start();
        QTRY_VERIFY(preset().run() && !preset().run()->plan.coarse && preset().run()->judged > 0);
        QTest::mouseClick(&preset().stopButton(), Qt::LeftButton);
        QVERIFY(!preset().isRunning());
        const auto stopped = preset().run();
        QVERIFY(!stopped->complete);
        QVERIFY2(preset().stateLabel().text().startsWith(QLatin1String("stopped at")), qPrintable(preset().stateLabel().text()));
        QTest::qWait(200); // nothing more arrives
        QCOMPARE(preset().run(), stopped);
        QCOMPARE(preset().stopButton().text(), QStringLiteral("Again"));
        QVERIFY(!preset().stateLine().elapsedLabel().text().isEmpty());
        // With a policy that has no settings nothing can be made again, and the line says why.
        setPolicyOfA("fifo");
        QTRY_VERIFY2(preset().stateLabel().text().contains(QLatin1String("no settings to tune")),
                     qPrintable(preset().stateLabel().text()));
        QVERIFY(preset().stopButton().text() != QStringLiteral("Again"));
    }

    void axesAreThoseOfThePolicy() {
        window().action(QStringLiteral("tune"))->trigger();
        setPolicyOfA("ddp");
        QTRY_VERIFY(preset().run() && preset().isCurrent() && preset().run()->complete);
        for (const TuneAxis &axis : preset().run()->plan.axes)
            QVERIFY2(!axis.of().isOfCluster(), axis.of().id.c_str());
        // One setting of the policy and one of the cluster make a map, but tuners cannot choose it.
        setPolicyOfA("p3");
        QTRY_VERIFY(preset().run() && preset().isCurrent() && preset().run()->complete);
        QCOMPARE(preset().run()->plan.axes[0].dimension, dimensionNamed("partition"));
        QVERIFY(preset().run()->plan.axes[1].of().isOfCluster());
        preset().start();
        QTRY_VERIFY(preset().run() && !preset().run()->plan.coarse && preset().run()->complete);
        QVERIFY(preset().run()->tuners.empty());
        setPolicyOfA("fifo");
        QVERIFY2(preset().stateLabel().text().contains(QLatin1String("no settings to tune")),
                 qPrintable(preset().stateLabel().text()));
        QVERIFY(!preset().startButton().isEnabled());
    }

private:
    TunePreset &preset() { return *window().findChild<TunePreset *>(); }
    bool complete() {
        return QTest::qWaitFor([this] { return preset().run() && preset().run()->complete; }, syncopate::testing::patience);
    }
    /// Makes the whole map and runs the tuners.
    bool tune() {
        window().action(QStringLiteral("tune"))->trigger();
        preset().start();
        return QTest::qWaitFor([this] { return preset().run() && !preset().run()->plan.coarse && preset().run()->complete; },
                               syncopate::testing::patience);
    }
    TuneSpace spaceOfA() { return *TuneSpace::make(*recipeOf(session().state(), Side::A), TuneSpace::partitionAndCredit()); }
    void setPolicyOfA(const std::string &policy) {
        SessionState next = session().state();
        next.side(Side::A).policy = policy;
        session().change(next, QStringLiteral("policy"));
        QVERIFY(settle());
    }

    QTemporaryDir m_folder;
};

QTEST_MAIN(TestTune)
#include "tst_tune.moc"
