// SPDX-License-Identifier: GPL-3.0-or-later
// One panel for all runs: presets and views are chosen by keys and boxes, hidden ones keep running, and projects keep both.
#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
#include "ui/project/project_keeper.h"
#include "ui/runs/history_plot.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/search_preset.h"
#include "ui/runs/searcher.h"
#include "ui/runs/sweep_plot.h"
#include "ui/runs/sweep_preset.h"
#include "ui/theme/qcustomplot.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace syncopate;
using namespace syncopate::ui;

class TestRunsPanel : public QObject, WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        start();
        QVERIFY(open());
        // So slow that a search does not end at the bound of the compute.
        SessionState slow = session().state();
        slow.bandwidthGbits = 0.1;
        session().change(slow, QStringLiteral("slow links"));
        QVERIFY(settle());
    }
    void cleanup() { stop(); }

    /// The shortcuts that led to three panels lead to their places in the one.
    void keysLeadToPresetsAndTables() {
        RunsPanel &runs = window().runs();
        QVERIFY(!runs.isVisible() || runs.visibleRegion().isEmpty());
        press(QStringLiteral("Ctrl+R"));
        QVERIFY(!runs.visibleRegion().isEmpty());
        QCOMPARE(&runs.current(), static_cast<RunPreset *>(&window().search()));
        QVERIFY(window().search().startButton().hasFocus());
        QVERIFY(window().search().plot().isVisible() && !window().search().table().isVisible());
        press(QStringLiteral("Ctrl+J"));
        QCOMPARE(&runs.current(), static_cast<RunPreset *>(&window().sweeps()));
        QVERIFY(window().sweeps().plot().isVisible() && !window().search().plot().isVisible());
        window().action(QStringLiteral("showCandidates"))->trigger();
        QCOMPARE(&runs.current(), static_cast<RunPreset *>(&window().search()));
        QVERIFY(window().search().table().isVisible() && !window().search().plot().isVisible());
        QVERIFY(window().candidates().table().hasFocus());
        QTest::keyClick(&runs.viewBox(), Qt::Key_Down);
        QVERIFY(window().search().table().isVisible() && window().search().plot().isVisible());
    }

    /// A search continues while a sweep is shown, the choice says so, and Esc only stops the run that is shown.
    void whatIsNotInSightGoesOn() {
        press(QStringLiteral("Ctrl+R"));
        window().search().budgetBox().setValue(100'000);
        window().search().startButton().click();
        QVERIFY(QTest::qWaitFor([this] { return trials() > 0; }, syncopate::testing::patience));
        RunsPanel &runs = window().runs();
        QCOMPARE(runs.presetBox().itemText(0), QStringLiteral("Search · running"));
        runs.presetBox().setFocus();
        QTest::keyClick(&runs.presetBox(), Qt::Key_Down);
        QCOMPARE(&runs.current(), static_cast<RunPreset *>(&window().sweeps()));
        const auto swept = [this] { return window().sweeps().sweep() && window().sweeps().sweep()->isComplete(); };
        QVERIFY(QTest::qWaitFor(swept, syncopate::testing::patience));
        const std::size_t before = trials();
        QVERIFY(QTest::qWaitFor([&] { return trials() > before; }, syncopate::testing::patience));
        QTest::keyClick(&runs.presetBox(), Qt::Key_Escape); // nothing is running in the preset shown
        QCOMPARE(window().searcher().status(), Searcher::Status::Running);
        QVERIFY(!window().searcher().isStopping());
        runs.choose(window().search());
        QTest::keyClick(&runs.presetBox(), Qt::Key_Escape);
        QVERIFY(QTest::qWaitFor([this] { return window().searcher().status() == Searcher::Status::Stopped; },
                                syncopate::testing::patience));
        QCOMPARE(runs.presetBox().itemText(0), QStringLiteral("Search"));
    }

    /// While the search is shown, knobs do not restart the sweep.
    void onlyTheChosenPresetIsSeen() {
        press(QStringLiteral("Ctrl+J"));
        const auto swept = [this] { return window().sweeps().sweep() && window().sweeps().sweep()->isComplete(); };
        QVERIFY(QTest::qWaitFor(swept, syncopate::testing::patience));
        window().runs().choose(window().search());
        SessionState next = session().state();
        next.side(Side::A).policy = "tic";
        session().change(next, QStringLiteral("test"));
        QTest::qWait(300);
        QVERIFY(!window().sweeps().sweep());
        window().runs().choose(window().sweeps());
        QVERIFY(QTest::qWaitFor(swept, syncopate::testing::patience));
        QCOMPARE(window().sweeps().sweep()->state.side(Side::A).policy, std::string("tic"));
    }

    void presetAndViewAreKept() {
        RunsPanel &runs = window().runs();
        runs.choose(window().sweeps());
        runs.setView(RunsPanel::View::Both);
        const QJsonObject kept = runs.settings();
        runs.choose(window().search());
        runs.setView(RunsPanel::View::Plot);
        runs.setSettings({{QStringLiteral("preset"), QStringLiteral("of a newer version")}});
        QCOMPARE(&runs.current(), static_cast<RunPreset *>(&window().search()));
        runs.setSettings(kept);
        QCOMPARE(runs.settings(), kept);
        QCOMPARE(&runs.current(), static_cast<RunPreset *>(&window().sweeps()));
        QVERIFY(runs.view() == RunsPanel::View::Both);
    }

    /// Projects of versions with three panels open with the panel of runs where the front one was, showing the same.
    void projectsWithThreePanelsOpen() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("three.syncopate"));
        QSignalSpy saved(&window().keeper(), &ProjectKeeper::saved);
        window().keeper().saveAs(file);
        QVERIFY(saved.wait(syncopate::testing::patience));
        Project project = *readProject(file.toStdString());
        QMainWindow before;
        QDockWidget *first = nullptr;
        for (const char *name : {"variables", "why", "sweeps", "search", "candidates", "log"}) {
            auto *dock = new QDockWidget(QString::fromLatin1(name));
            dock->setObjectName(QString::fromLatin1(name));
            dock->setWidget(new QWidget);
            before.addDockWidget(Qt::BottomDockWidgetArea, dock);
            if (first)
                before.tabifyDockWidget(first, dock);
            else
                first = dock;
        }
        before.show();
        before.findChild<QDockWidget *>(QStringLiteral("sweeps"))->raise();
        QCoreApplication::processEvents();
        project.views.erase("runs");
        project.views["panels"] = "{\"layout\": \"" + before.saveState().toBase64().toStdString() + "\"}";
        project.revision = 0;
        const QString old = folder.filePath(QStringLiteral("old.syncopate"));
        QVERIFY(writeProject(project, old.toStdString()).has_value());
        session().open(old);
        QVERIFY(QTest::qWaitFor([&] { return window().keeper().path() == old; }, syncopate::testing::patience));
        QVERIFY(settle());
        QVERIFY(QTest::qWaitFor([this] { return !window().runs().visibleRegion().isEmpty(); }, syncopate::testing::patience));
        QCOMPARE(&window().runs().current(), static_cast<RunPreset *>(&window().sweeps()));
        QVERIFY(window().findChild<QDockWidget *>(QStringLiteral("variables"))->visibleRegion().isEmpty());
    }

private:
    void press(const QString &keys) {
        window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        const QKeyCombination key = QKeySequence(keys)[0];
        QTest::keyClick(&window(), key.key(), key.keyboardModifiers());
        QCoreApplication::processEvents();
    }
    std::size_t trials() { return window().searcher().history().trials.size(); }
};

QTEST_MAIN(TestRunsPanel)
#include "tst_runs_panel.moc"
