// SPDX-License-Identifier: GPL-3.0-or-later
// Sheets of runs, and searches, as projects keep them: saved and reopened, and opened without them.
#include "tests/checks.h"
#include "tests/ui/small_job.h"
#include "tests/ui/window_fixture.h"
#include "ui/project/project_keeper.h"
#include "ui/runs/argument_sheet.h"
#include "ui/runs/conditions_preset.h"
#include "ui/runs/history_plot.h"
#include "ui/runs/plan_preset.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/search_preset.h"
#include "ui/runs/trust_plot.h"
#include "ui/runs/tune_preset.h"
#include "ui/theme/qcustomplot.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace syncopate;
using namespace syncopate::testing;
using namespace syncopate::ui;

class TestProjectSheets : public QObject, WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() {
        start();
        QVERIFY(open(writeSmallJob(m_folder.path()), QStringLiteral("A2")));
        SessionState next = session().state();
        next.bandwidthGbits = 1;
        next.sides[0] = SideState{Built{"PSLoadBalancing"}, "bytescheduler"};
        session().change(next, QStringLiteral("test"));
        QVERIFY(settle());
    }
    void cleanup() { stop(); }

    void sheetsComeBack() {
        TuneSheet &tune = tuning().sheet();
        ConditionsSheet &played = conditions().sheet();
        const QJsonObject usualTune = tune.settings(), usualConditions = played.settings();
        saveAs(QStringLiteral("usual.syncopate"));
        tune.yBox().setCurrentIndex(tune.yBox().findData(static_cast<int>(*scenarioSpace().indexOf("workers"))));
        tune.detailBox().setCurrentIndex(1);
        tune.measureBox().setCurrentIndex(1);
        tune.tunerBox("random()").setChecked(!tune.tunerBox("random()").isChecked());
        tune.evaluationsBox().setValue(17);
        tune.seedBox().setValue(23);
        played.scheduleBox().setPlainText(QStringLiteral("iteration,bandwidth_gbits,straggler\n0,10,1\n7,2.5,3\n"));
        QVERIFY(played.tunerSheet().setText("random()").has_value());
        played.lengthBox().setValue(33);
        played.evaluationsBox().setValue(5);
        played.everyBox().setValue(4);
        played.gainBox().setValue(2.5);
        played.costBox().setValue(0.5);
        played.seedBox().setValue(6);
        const QJsonObject wantTune = tune.settings(), wantConditions = played.settings();
        for (const QString &key : usualTune.keys())
            if (key != QLatin1String("x"))
                QVERIFY2(wantTune[key] != usualTune[key], qPrintable(key)); // or it would not be tested
        for (const QString &key : usualConditions.keys())
            QVERIFY2(wantConditions[key] != usualConditions[key], qPrintable(key));
        const SessionState state = session().state();
        const TunePlan wantMap = tune.planFor(state, false);
        const ConditionsPlan wantPlay = played.planFor(state);
        saveAs(QStringLiteral("other.syncopate"));

        stop();
        start();
        reopen(QStringLiteral("other.syncopate"));
        QTRY_COMPARE(tuning().sheet().settings(), wantTune);
        QCOMPARE(conditions().sheet().settings(), wantConditions);
        // The request to the engine is the same.
        const TunePlan map = tuning().sheet().planFor(session().state(), false);
        QVERIFY(map.counts == wantMap.counts && map.tuners == wantMap.tuners && map.evaluations == 17 && map.seed == 23);
        QCOMPARE(map.axes[1].dimension, wantMap.axes[1].dimension);
        const ConditionsPlan play = conditions().sheet().planFor(session().state());
        QCOMPARE(play.schedule.conditions.size(), wantPlay.schedule.conditions.size());
        QCOMPARE(play.options.iterations, 33);
        QCOMPARE(play.options.method, wantPlay.options.method);
        QCOMPARE(play.options.minGain, wantPlay.options.minGain);
        QCOMPARE(play.options.reconfigurationIterations, 0.5);

        // The project saved before these, in the same window.
        reopen(QStringLiteral("usual.syncopate"));
        QTRY_COMPARE(tuning().sheet().settings(), usualTune);
        QCOMPARE(conditions().sheet().settings(), usualConditions);
    }

    /// For a project without such sheets they are as in a new window, and the search is as it was left.
    void aProjectOfFormat5() {
        const QJsonObject usualTune = tuning().sheet().settings(), usualConditions = conditions().sheet().settings();
        tuning().sheet().seedBox().setValue(99);
        conditions().sheet().lengthBox().setValue(99);
        const QString file = m_folder.filePath(QStringLiteral("format5.syncopate"));
        QVERIFY(QFile::copy(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/projects/format5_search.syncopate"), file));
        QVERIFY(QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner));
        const QByteArray before = contentOf(file);
        reopen(QStringLiteral("format5.syncopate"));
        QTRY_COMPARE(tuning().sheet().settings()[QStringLiteral("seed")], usualTune[QStringLiteral("seed")]);
        QCOMPARE(conditions().sheet().settings(), usualConditions);
        QCOMPARE(window().plans().settings()[QStringLiteral("seed")].toInt(), 7);
        const Searcher &searcher = window().searcher();
        QCOMPARE(searcher.status(), Searcher::Status::Done);
        QCOMPARE(searcher.history().trials.size(), std::size_t(24));
        QVERIFY(!searcher.isTuned() && searcher.past().empty());
        QVERIFY(window().candidates().model().isPinned(3) && window().candidates().model().isPinned(-2));
        QTRY_VERIFY(searcher.method() != nullptr); // dots of its sources
        COMPARE_ABOVE(window().search().plot().dotsGraph(0).dataCount(), 0);
        QCOMPARE(window().search().plot().dotsGraph(4).dataCount(), 0);
        QTest::qWait(1500); // longer than saving a change takes
        QCOMPARE(contentOf(file), before);
    }

    /// A project without a Tune sheet, as from the command line, gets settings that its policy has.
    void aNewSheetFitsThePolicy() {
        SessionState next = session().state();
        next.sides[0] = SideState{Built{"AllReduce"}, "ddp"};
        session().change(next, QStringLiteral("test"));
        QVERIFY(settle());
        tuning().restore({});
        const QString problem = tuning().sheet().whyNot(session().state());
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }

    void damagedSheetsAreRefused() {
        const QJsonObject usualTune = tuning().sheet().settings();
        tuning().sheet().setSettings({{QStringLiteral("x"), QStringLiteral("no such knob")},
                                      {QStringLiteral("y"), 7},
                                      {QStringLiteral("points"), QStringLiteral("99 × 99")},
                                      {QStringLiteral("tuners"), QStringLiteral("all")},
                                      {QStringLiteral("evaluations"), -5},
                                      {QStringLiteral("seed"), QStringLiteral("x")}});
        const QJsonObject read = tuning().sheet().settings();
        for (const char *key : {"x", "y", "points", "seed"})
            QCOMPARE(read[QLatin1String(key)], usualTune[QLatin1String(key)]);
        QCOMPARE(read[QStringLiteral("evaluations")].toInt(), 1);
        ConditionsSheet &played = conditions().sheet();
        const QJsonValue usualTuner = played.settings()[QStringLiteral("tuner")];
        QVERIFY(played.tunerSheet().setText("random()").has_value()); // from the previous project
        played.setSettings({{QStringLiteral("schedule"), QStringLiteral("iteration,nonsense\n1,2\n")},
                            {QStringLiteral("tuner"), QStringLiteral("newer()")},
                            {QStringLiteral("gain"), 1e300},
                            {QStringLiteral("length"), -1}});
        QVERIFY(!played.whyNot(session().state()).isEmpty());
        QCOMPARE(played.settings()[QStringLiteral("tuner")], usualTuner);
        QCOMPARE(played.lengthBox().value(), 1);
        QCOMPARE(played.gainBox().value(), 1000.0);
    }

    /// Tuned builders, how far the ranker was trusted and the bound at which a search ended by itself are shown again, and
    /// earlier searches are kept.
    void searchesComeBack() {
        SearchPreset &panel = window().search();
        search("random()", 15);
        window().candidates().model().setPinned(3, true);
        window().candidates().model().setPinned(-2, true);
        search("autosync()", 30);
        QVERIFY(window().candidates().model().pins().empty()); // pins stay with their search
        QTRY_VERIFY(window().searcher().isTuned());
        const QStringList levels = levelNames();
        QVERIFY2(levels.join(QLatin1Char(' ')).contains(QStringLiteral("compute alone")), qPrintable(levels.join(u' ')));
        const std::size_t tuned = window().searcher().tuned().size();
        const auto phases = window().searcher().history().phases;
        const QString best = panel.bestLabel().text();
        saveAs(QStringLiteral("searches.syncopate"));
        stop();
        start();
        reopen(QStringLiteral("searches.syncopate"));
        const Searcher &searcher = window().searcher();
        QVERIFY(searcher.isTuned());
        QCOMPARE(searcher.tuned().size(), tuned);
        QCOMPARE(levelNames(), levels);
        QCOMPARE(window().search().bestLabel().text(), best);
        QCOMPARE(searcher.history().phases.size(), phases.size());
        for (std::size_t p = 0; p < phases.size(); ++p) {
            QCOMPARE(searcher.history().phases[p].pairAccuracy, phases[p].pairAccuracy);
            QCOMPARE(searcher.history().phases[p].rejected, phases[p].rejected);
        }
        QCOMPARE(searcher.past().size(), std::size_t(1));
        QCOMPARE(searcher.past()[0]->plan.method, std::string("random()"));
        QCOMPARE(searcher.past()[0]->history.trials.size(), std::size_t(15));
        QVERIFY((searcher.past()[0]->pins == std::set<std::int64_t>{-2, 3}));
    }

    void anEarlyEndIsToldAgain() {
        SessionState next = session().state();
        next.bandwidthGbits = 1e5;
        next.latencySeconds = 0.0;
        session().change(next, QStringLiteral("test"));
        QVERIFY(settle());
        search("random()", 100);
        const QString text = window().search().stateLabel().text();
        QVERIFY2(text.startsWith(QStringLiteral("ended by itself")), qPrintable(text));
        saveAs(QStringLiteral("early.syncopate"));
        stop();
        start();
        reopen(QStringLiteral("early.syncopate"));
        QCOMPARE(window().searcher().status(), Searcher::Status::Done);
        QCOMPARE(window().search().stateLabel().text(), text);
    }

private:
    TunePreset &tuning() { return *window().findChild<TunePreset *>(); }
    ConditionsPreset &conditions() { return *window().findChild<ConditionsPreset *>(); }
    void saveAs(const QString &name) {
        QSignalSpy saved(&window().keeper(), &ProjectKeeper::saved);
        window().keeper().saveAs(m_folder.filePath(name));
        QVERIFY(saved.wait(patience));
    }
    void reopen(const QString &name) {
        const QString file = m_folder.filePath(name);
        session().open(file);
        QTRY_COMPARE(window().keeper().path(), file);
        QTRY_VERIFY(session().run(Side::A) != nullptr);
        QVERIFY(settle());
    }
    void search(const char *method, int trials) {
        SearchPreset &panel = window().search();
        QVERIFY(panel.methodSheet().setText(method).has_value());
        panel.budgetBox().setValue(trials);
        panel.start();
        QVERIFY(QTest::qWaitFor([this] { return window().searcher().status() == Searcher::Status::Done; }, patience));
    }
    QStringList levelNames() {
        QStringList names;
        for (const HistoryModel::Level &level : static_cast<HistoryModel &>(window().candidates().model()).levels())
            names << level.name;
        return names;
    }
    static QByteArray contentOf(const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir m_folder;
};

QTEST_MAIN(TestProjectSheets)
#include "tst_project_sheets.moc"
