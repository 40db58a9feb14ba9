// SPDX-License-Identifier: GPL-3.0-or-later
// Searching by mouse and keyboard, compared with the engine: started, stopped, resumed, refused, with the settings of the sheet.
#include "engine/search/search_methods.h"
#include "engine/strategy/builders.h"
#include "tests/checks.h"
#include "tests/ui/search_fixture.h"
#include "ui/runs/argument_sheet.h"
#include "ui/runs/history_plot.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/runs_table.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/explained.h"
#include "ui/theme/format.h"
#include "ui/theme/qcustomplot.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHelpEvent>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QToolTip>

using namespace syncopate;
using namespace syncopate::ui;

class TestSearchPanel : public QObject, SearchFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { start(); }
    void cleanup() { stop(); }

    void findsWhatTheEngineFinds() {
        m_window->action(QStringLiteral("search"))->trigger();
        SearchPreset &panel = m_window->search();
        panel.budgetBox().setValue(70);
        panel.seedBox().setValue(5);
        QTest::keyClick(&panel.startButton(), Qt::Key_Return);
        QCOMPARE(m_window->searcher().status(), Searcher::Status::Running);
        QVERIFY(!panel.startButton().isEnabled());
        QVERIFY(ends());
        QCOMPARE(m_window->searcher().status(), Searcher::Status::Done);

        SearchRequest request;
        request.base = *makeScenario(m_window->session().state(), Side::A);
        request.trials = 70;
        request.seed = 5;
        SearchObserver silent;
        const auto truth =
            runSearch(request, **makeSearchMethod(panel.plan().method, request), **makeJudge(panel.plan().judge), silent);
        const SearchHistory &history = m_window->searcher().history();
        QCOMPARE(history.trials.size(), std::size_t(70));
        QCOMPARE(history.baselines.size(), strategyBuilders().size());
        SearchTally tally(SearchObjective::IterationTime, truth->baselines);
        QCPGraph &hitRate = panel.plot().hitRateGraph(), &best = panel.plot().bestGraph();
        QCOMPARE(best.dataCount(), 70);
        for (std::size_t t = 0; t < 70; ++t) {
            QVERIFY(history.trials[t].metrics == truth->trials[t].metrics);
            tally.add(truth->trials[t]);
            QCOMPARE(best.data()->at(static_cast<int>(t))->value, tally.bestTrial());
            QCOMPARE(hitRate.data()->at(static_cast<int>(t))->value, tally.hitRate());
        }
        for (int i = 0; i < panel.plot().plot().itemCount(); ++i) { // names stand above the lines of all levels
            const QCPAbstractItem *item = panel.plot().plot().item(i);
            if (qobject_cast<const QCPItemText *>(item))
                QCOMPARE(item->layer()->name(), QStringLiteral("axes"));
            else if (qobject_cast<const QCPItemStraightLine *>(item))
                QCOMPARE(item->layer()->name(), QStringLiteral("main"));
        }
        QCOMPARE(panel.stateLabel().text(), QStringLiteral("70 trials, seed 5"));
        QVERIFY(
            panel.bestLabel().text().contains(QStringLiteral("trial %1)").arg(truth->bestTrial(SearchObjective::IterationTime))));
        QVERIFY(m_window->candidates().model().rowCount() >= 70 + static_cast<int>(strategyBuilders().size()));
    }

    /// A low window gives a search's plot its room: the texts above it keep to a line each, and are whole in their tooltips.
    void aLowWindowLeavesRoomForThePlot() {
        m_window->resize(1280, 720);
        SearchPreset &panel = begin(40);
        QVERIFY(ends() && tuned());
        const auto *plot = panel.parts().plot;
        QTRY_VERIFY2(plot->height() >= 200, qPrintable(QStringLiteral("%1 pixels").arg(plot->height())));
        COMPARE_BELOW(panel.bestLabel().height(), 2 * panel.bestLabel().fontMetrics().lineSpacing());
        for (QLabel *label : {&panel.bestLabel(), &panel.ruleLabel()}) {
            QVERIFY(!label->wordWrap());
            label->resize(24, label->height()); // narrower than any text
            QVERIFY(static_cast<const ElidedLabel *>(label)->isCut());
            QHelpEvent help(QEvent::ToolTip, {5, 5}, label->mapToGlobal(QPoint(5, 5)));
            QApplication::sendEvent(label, &help);
            QVERIFY2(QToolTip::text().contains(label->text()), qPrintable(QToolTip::text()));
        }
        QToolTip::hideText();
        m_window->resize(1280, 1100);
        m_window->action(QStringLiteral("perspective_search"))->trigger();
        QTRY_VERIFY(panel.bestLabel().wordWrap() && panel.ruleLabel().wordWrap()); // up to four lines again
    }

    /// The legend's words and the axis of the hit rate are explained under the pointer.
    void wordsOfThePlotAreExplained() {
        SearchPreset &panel = begin(20);
        QVERIFY(ends() && tuned());
        QCustomPlot &plot = panel.plot().plot();
        const auto *rate = plot.legend->itemWithPlottable(&panel.plot().hitRateGraph());
        const auto *best = plot.legend->itemWithPlottable(&panel.plot().bestGraph());
        QTRY_VERIFY(plot.legend->visible() && rate->outerRect().width() > 20);
        const auto tipAt = [&plot](const QPoint &at) {
            QMouseEvent move(QEvent::MouseMove, at, plot.mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
            QApplication::sendEvent(&plot, &move);
            return QToolTip::text();
        };
        const QString hitRate = explained("Hit rate");
        QVERIFY(hitRate.contains(QStringLiteral("so far")));
        QCOMPARE(tipAt(rate->outerRect().center()), hitRate);
        QCOMPARE(tipAt(best->outerRect().center()), QStringLiteral("The best iteration of the trials up to this one."));
        const QRect axes = plot.axisRect()->rect();
        QCOMPARE(tipAt({(axes.right() + plot.width()) / 2, axes.center().y()}), hitRate);
        QToolTip::hideText();
    }

    void clickShowsInBWithoutStopping() {
        SearchPreset &panel = begin(100'000);
        QVERIFY(QTest::qWaitFor([this] { return trials() >= 5; }, syncopate::testing::patience));
        const SessionState before = m_window->session().state();
        // The dot of trial 3, clicked where the plot draws it.
        QCustomPlot &plot = panel.plot().plot();
        QVERIFY(QTest::qWaitFor([&] { return panel.plot().bestGraph().dataCount() >= 4; }, syncopate::testing::patience));
        QTest::qWait(150); // axes fitted
        std::optional<RunId> hit;
        for (RunId id = 0; id < 5 && !hit; ++id) { // one whose dot is inside the view
            const QPointF at = panel.plot().positionOf(id);
            if (!plot.axisRect()->rect().contains(at.toPoint()))
                continue;
            hit = panel.plot().trialAt(at.toPoint());
            QTest::mouseClick(&plot, Qt::LeftButton, {}, at.toPoint());
        }
        QVERIFY(hit);
        QVERIFY(QTest::qWaitFor([&] { return std::holds_alternative<Edited>(m_window->session().state().side(Side::B).source); },
                                syncopate::testing::patience));
        QCOMPARE(m_window->searcher().status(), Searcher::Status::Running);
        QVERIFY(settle());
        const SideState &b = m_window->session().state().side(Side::B);
        QCOMPARE(QString::fromStdString(strategyTitle(b)), QStringLiteral("trial %1").arg(*hit));
        QCOMPARE(b.policy, before.side(Side::A).policy);
        QCOMPARE(m_window->session().run(Side::B)->recording().iterationSeconds,
                 m_window->searcher().history().trials[static_cast<std::size_t>(*hit)].metrics.iterationSeconds);
        QVERIFY(m_window->session().state().side(Side::A) == before.side(Side::A));

        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QVERIFY(m_window->runs().isAncestorOf(QApplication::focusWidget())); // the click moved the focus there
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(m_window->searcher().isStopping() || m_window->searcher().status() == Searcher::Status::Stopped);
        QVERIFY(ends());
        QCOMPARE(m_window->searcher().status(), Searcher::Status::Stopped);
        QCOMPARE(panel.stateLabel().text(), QStringLiteral("stopped at %1 of 100000").arg(trials()));
        COMPARE_AT_LEAST(trials(), 5);
        m_window->session().undoStack()->undo();
        QVERIFY(m_window->session().state() == before);
    }

    void resumeGoesOnAsIfNeverStopped() {
        SearchPreset &panel = begin(120);
        QVERIFY(QTest::qWaitFor([this] { return trials() >= 3; }, syncopate::testing::patience));
        QTest::mouseClick(&panel.stopButton(), Qt::LeftButton);
        QVERIFY(ends());
        const std::size_t stoppedAt = trials();
        QCOMPARE(m_window->searcher().status(), Searcher::Status::Stopped);
        QCOMPARE(panel.stopButton().text(), QStringLiteral("Resume"));
        QTest::mouseClick(&panel.stopButton(), Qt::LeftButton);
        QCOMPARE(m_window->searcher().status(), Searcher::Status::Running);
        QVERIFY(ends());
        COMPARE_BELOW(stoppedAt, 120);
        QCOMPARE(trials(), std::size_t(120));
        std::vector<CandidateMetrics> resumed;
        for (const SearchTrial &trial : m_window->searcher().history().trials)
            resumed.push_back(trial.metrics);
        begin(120);
        QVERIFY(ends());
        for (std::size_t t = 0; t < 120; ++t)
            QVERIFY(resumed[t] == m_window->searcher().history().trials[t].metrics);
    }

    /// The judge is chosen like the method and kept in projects; older projects had only one.
    void theJudgeIsAnExpression() {
        SearchPreset &panel = m_window->search();
        QCOMPARE(panel.plan().judge, std::string("simulated()"));
        QCOMPARE(panel.judgeSheet().nameBox().count(), static_cast<int>(judges().size()));
        const QJsonObject kept = panel.settings();
        QCOMPARE(kept.value(QStringLiteral("judge")).toString(), QStringLiteral("simulated()"));
        QJsonObject older = kept;
        older.remove(QStringLiteral("judge"));
        panel.setSettings(older);
        QCOMPARE(panel.settings(), kept);
        // A judge that needs a program is not started without one.
        panel.judgeSheet().nameBox().setCurrentText(QStringLiteral("command"));
        QVERIFY(!panel.startButton().isEnabled());
        auto *program = qobject_cast<QLineEdit *>(panel.judgeSheet().field("program"));
        QVERIFY(program);
        program->setText(QStringLiteral("./measure --fast"));
        QVERIFY(panel.startButton().isEnabled());
        QCOMPARE(panel.plan().judge, std::string("command(\"./measure --fast\")"));
    }

    void otherKnobsAndJobsAreTold() {
        SearchPreset &panel = begin(5);
        QVERIFY(ends());
        SessionState next = m_window->session().state();
        next.side(Side::A).source = Built{"PS"}; // the search replaces it, so it does not matter
        m_window->session().change(next, QStringLiteral("test"));
        QVERIFY(!panel.stateLabel().text().contains(QStringLiteral("knobs")));
        next.job = std::make_shared<const Job>(*next.job); // opened again
        m_window->session().change(next, QStringLiteral("test"));
        QCOMPARE(panel.stateLabel().text(), QStringLiteral("5 trials, seed 1"));
        next.bandwidthGbits = 7;
        m_window->session().change(next, QStringLiteral("test"));
        QVERIFY(panel.stateLabel().text().contains(QStringLiteral("before the knobs were turned")));
        m_window->session().open(QStringLiteral("vgg16"));
        QVERIFY(QTest::qWaitFor([this] { return m_window->session().state().source == "vgg16"; }, syncopate::testing::patience));
        QVERIFY(panel.stateLabel().text().contains(QStringLiteral("another job")));
        panel.put(0, Side::B);
        QVERIFY(settle());
        QVERIFY(!std::holds_alternative<Edited>(m_window->session().state().side(Side::B).source));
    }

    void whatCannotBeSearchedSaysWhy() {
        SessionState next = m_window->session().state();
        next.side(Side::A).policy = "lifo";
        m_window->session().change(next, QStringLiteral("test"));
        SearchPreset &panel = begin(5);
        QVERIFY(ends());
        QCOMPARE(m_window->searcher().status(), Searcher::Status::Failed);
        QVERIFY2(panel.stateLabel().text().contains(QStringLiteral("lifo")), qPrintable(panel.stateLabel().text()));
        QVERIFY(panel.startButton().isEnabled());
    }

    /// If the network costs nothing, the compute alone is reached at once: the search ends by itself, which is not a
    /// stop.
    void endsWhereNothingIsToGain() {
        SessionState next = m_window->session().state();
        next.bandwidthGbits = 1e5;
        next.latencySeconds = 0.0;
        m_window->session().change(next, QStringLiteral("test"));
        SearchPreset &panel = begin(100);
        QVERIFY(ends());
        QCOMPARE(m_window->searcher().status(), Searcher::Status::Done);
        QVERIFY(!m_window->searcher().history().stopped);
        COMPARE_AT_MOST(trials(), std::size_t(99));
        QVERIFY(m_window->searcher().history().enough);
        const QString text = panel.stateLabel().text();
        QVERIFY2(text.startsWith(QStringLiteral("ended by itself after %1 of 100 trials: at most 0.").arg(trials())) &&
                     text.endsWith(QStringLiteral("of %1, seed 1").arg(secondsText(m_window->searcher().boundSeconds()))),
                 qPrintable(text));
    }

    /// Settings of the sheet are the method's arguments; invalid ones are not searched with.
    void theSheetIsTheMethodsExpression() {
        SearchPreset &panel = m_window->search();
        QCOMPARE(panel.plan().method, std::string("random()"));
        qobject_cast<QCheckBox *>(panel.methodSheet().field("merge"))->setChecked(false);
        auto *slack = qobject_cast<QLineEdit *>(panel.methodSheet().field("slack"));
        slack->setText(QStringLiteral("2KiB"));
        QCOMPARE(panel.plan().method, std::string("random(slack=2KiB,merge=off)"));
        QVERIFY(panel.startButton().isEnabled());
        slack->setText(QStringLiteral("much"));
        QVERIFY(!panel.startButton().isEnabled());
        QVERIFY2(panel.startButton().toolTip().contains(QStringLiteral("slack")), qPrintable(panel.startButton().toolTip()));
        panel.start();
        QCOMPARE(m_window->searcher().status(), Searcher::Status::Idle);
    }

    /// Settings from projects of format 3, compared with those of this version.
    void settingsOfOlderProjectsAreRead() {
        SearchPreset &panel = m_window->search();
        panel.setSettings({{QStringLiteral("method"), QStringLiteral("random")},
                           {QStringLiteral("objective"), 1},
                           {QStringLiteral("balance"), false},
                           {QStringLiteral("merge"), true},
                           {QStringLiteral("trials"), 77},
                           {QStringLiteral("seed"), 4},
                           {QStringLiteral("slackKib"), 3},
                           {QStringLiteral("leastGroups"), 2},
                           {QStringLiteral("mostGroups"), 9},
                           {QStringLiteral("wholeUpToKib"), 98},
                           {QStringLiteral("mostParts"), 12}});
        QCOMPARE(panel.plan().method, std::string("random(whole=98KiB,parts=2..12,balance=off,slack=3KiB,groups=2..9)"));
        QCOMPARE(panel.plan().objective, SearchObjective::ExposedCommunication);
        QCOMPARE(panel.plan().trials, std::uint64_t(77));
        QCOMPARE(panel.plan().seed, std::uint64_t(4));
        const QJsonObject kept = panel.settings();
        panel.setSettings({{QStringLiteral("method"), QStringLiteral("random(merge=off)")}});
        QCOMPARE(panel.plan().method, std::string("random(merge=off)"));
        panel.setSettings(kept);
        QCOMPARE(panel.settings(), kept);
        panel.setSettings({{QStringLiteral("method"), QStringLiteral("of_a_newer_version()")}});
        QCOMPARE(panel.plan().method, std::string("random(whole=98KiB,parts=2..12,balance=off,slack=3KiB,groups=2..9)"));
    }

    void withoutAJobThereIsNothingToSearch() {
        m_window = std::make_unique<MainWindow>(*m_theme);
        QVERIFY(!m_window->action(QStringLiteral("search"))->isEnabled());
        QVERIFY(!m_window->search().startButton().isEnabled());
        QCOMPARE(m_window->search().stateLabel().text(), QStringLiteral("Nothing is loaded yet."));
    }

    void aWindowClosesOverASearch() {
        begin(100'000);
        QVERIFY(QTest::qWaitFor([this] { return trials() >= 1; }, syncopate::testing::patience));
        m_window.reset(); // no calls back into destroyed widgets, no wait for the budget
    }
};

QTEST_MAIN(TestSearchPanel)
#include "tst_search_panel.moc"
