// SPDX-License-Identifier: GPL-3.0-or-later
// Searching by mouse and keyboard, held against the engine.
#include "engine/search/search_methods.h"
#include "engine/strategy/builders.h"
#include "tests/checks.h"
#include "ui/runs/argument_sheet.h"
#include "ui/runs/candidates_panel.h"
#include "ui/runs/search_panel.h"
#include "ui/runs/search_plot.h"
#include "ui/tables/filter_line.h"
#include "ui/theme/qcustomplot.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <algorithm>
#include <cmath>

using namespace syncopate;
using namespace syncopate::ui;

class TestSearchPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_theme = std::make_unique<Theme>(); }

    void init() {
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->resize(1600, 900);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->session().open(QStringLiteral("resnet50"));
        QVERIFY(QTest::qWaitFor([this] { return m_window->session().run(Side::B) != nullptr; }, syncopate::testing::patience));
        QVERIFY(settle());
    }

    void cleanup() { m_window.reset(); }

    void findsWhatTheEngineFinds() {
        m_window->action(QStringLiteral("search"))->trigger();
        SearchPanel &panel = m_window->search();
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
        QCPGraph *hitRate = panel.plot().plot().graph(0), *best = panel.plot().plot().graph(3);
        QCOMPARE(best->dataCount(), 70);
        for (std::size_t t = 0; t < 70; ++t) {
            QVERIFY(history.trials[t].metrics == truth->trials[t].metrics);
            tally.add(truth->trials[t]);
            QCOMPARE(best->data()->at(static_cast<int>(t))->value, tally.bestTrial());
            QCOMPARE(hitRate->data()->at(static_cast<int>(t))->value, tally.hitRate());
        }
        QCOMPARE(panel.stateLabel().text(), QStringLiteral("70 trials, seed 5"));
        QVERIFY(
            panel.bestLabel().text().contains(QStringLiteral("trial %1)").arg(truth->bestTrial(SearchObjective::IterationTime))));
        QCOMPARE(m_window->candidates().model().rowCount(), 70 + static_cast<int>(strategyBuilders().size()));
    }

    void clickShowsInBWithoutStopping() {
        SearchPanel &panel = begin(100'000);
        QVERIFY(QTest::qWaitFor([this] { return trials() >= 5; }, syncopate::testing::patience));
        const SessionState before = m_window->session().state();
        // The dot of trial 3, hit by the mouse where the plot draws it.
        QCustomPlot &plot = panel.plot().plot();
        QVERIFY(QTest::qWaitFor([&] { return plot.graph(2)->dataCount() >= 4; }, syncopate::testing::patience));
        QTest::qWait(150); // axes fitted
        std::optional<CandidateId> hit;
        for (CandidateId id = 0; id < 5 && !hit; ++id) { // one whose dot is not above the picture
            const QPointF at = panel.plot().positionOf(id);
            if (!plot.axisRect()->rect().contains(at.toPoint()))
                continue;
            hit = panel.plot().candidateAt(at.toPoint());
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
        QVERIFY(panel.isAncestorOf(QApplication::focusWidget())); // the click went there
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(m_window->searcher().isStopping() || m_window->searcher().status() == Searcher::Status::Stopped);
        QVERIFY(ends());
        QCOMPARE(m_window->searcher().status(), Searcher::Status::Stopped);
        QCOMPARE(panel.stateLabel().text(), QStringLiteral("stopped at %1 of 100000").arg(trials()));
        QVERIFY(trials() >= 5);
        m_window->session().undoStack()->undo();
        QVERIFY(m_window->session().state() == before);
    }

    void resumeGoesOnAsIfNeverStopped() {
        SearchPanel &panel = begin(120);
        QVERIFY(QTest::qWaitFor([this] { return trials() >= 3; }, syncopate::testing::patience));
        QTest::mouseClick(&panel.stopButton(), Qt::LeftButton);
        QVERIFY(ends());
        const std::size_t stoppedAt = trials();
        QCOMPARE(m_window->searcher().status(), Searcher::Status::Stopped);
        QCOMPARE(panel.stopButton().text(), QStringLiteral("Resume"));
        QTest::mouseClick(&panel.stopButton(), Qt::LeftButton);
        QCOMPARE(m_window->searcher().status(), Searcher::Status::Running);
        QVERIFY(ends());
        QVERIFY(stoppedAt < 120);
        QCOMPARE(trials(), std::size_t(120));
        std::vector<CandidateMetrics> resumed;
        for (const SearchTrial &trial : m_window->searcher().history().trials)
            resumed.push_back(trial.metrics);
        begin(120);
        QVERIFY(ends());
        for (std::size_t t = 0; t < 120; ++t)
            QVERIFY(resumed[t] == m_window->searcher().history().trials[t].metrics);
    }

    void candidatesAreFilteredSortedAndPinned() {
        CandidatesPanel &table = m_window->candidates();
        const QAbstractItemModelTester model(&table.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QAbstractItemModelTester proxy(&table.proxy(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(table.stateLabel().text().contains(QStringLiteral("Ctrl+R")));
        begin(60);
        QVERIFY(ends());
        m_window->action(QStringLiteral("showCandidates"))->trigger();
        const SearchHistory &history = m_window->searcher().history();
        const auto shown = [&] {
            std::vector<CandidateId> ids;
            for (int r = 0; r < table.proxy().rowCount(); ++r)
                ids.push_back(table.model().idOf(table.proxy().mapToSource(table.proxy().index(r, 0)).row()));
            return ids;
        };
        const auto metricsOf = [&](CandidateId id) {
            return id < 0 ? history.baselines[static_cast<std::size_t>(-1 - id)].metrics
                          : history.trials[static_cast<std::size_t>(id)].metrics;
        };
        // By iteration time from the start.
        const auto all = shown();
        QCOMPARE(all.size(), 60 + history.baselines.size());
        for (std::size_t i = 1; i < all.size(); ++i)
            COMPARE_AT_MOST(metricsOf(all[i - 1]).iterationSeconds, metricsOf(all[i]).iterationSeconds);

        const double median = metricsOf(all[all.size() / 2]).iterationSeconds;
        table.filter().setFocus();
        QTest::keyClicks(&table.filter(), QStringLiteral("servers>2 iteration<%1ms trial").arg(median * 1e3, 0, 'f', 9));
        QVERIFY(!table.filter().error());
        const auto filtered = shown();
        std::size_t expected = 0;
        for (CandidateId id = 0; id < 60; ++id)
            expected += metricsOf(id).servers > 2 && metricsOf(id).iterationSeconds <
                                                         std::stod(QString::number(median * 1e3, 'f', 9).toStdString()) * 1e-3
                            ? 1
                            : 0;
        QCOMPARE(filtered.size(), expected);
        QVERIFY(expected > 0 && expected < 60);
        table.filter().setText(QStringLiteral("servers>"));
        QVERIFY(table.stateLabel().text().contains(QStringLiteral("character 9")));
        QCOMPARE(shown(), filtered); // the last that was right stays in force

        // The slowest of all, pinned, is on top: in both orders, and through a filter that hides it.
        table.filter().clear();
        const CandidateId slowest = all.back();
        table.select(slowest);
        QTest::keyClick(&table.table(), Qt::Key_P);
        QVERIFY(table.model().isPinned(slowest));
        QCOMPARE(shown().front(), slowest);
        table.table().sortByColumn(CandidatesModel::Iteration, Qt::DescendingOrder);
        table.table().sortByColumn(CandidatesModel::Groups, Qt::AscendingOrder);
        QCOMPARE(shown().front(), slowest);
        table.table().sortByColumn(CandidatesModel::Groups, Qt::DescendingOrder);
        QCOMPARE(shown().front(), slowest);
        table.filter().setText(QStringLiteral("iteration<1ns"));
        QCOMPARE(shown(), std::vector<CandidateId>{slowest});
        QTest::keyClick(&table.table(), Qt::Key_P);
        QVERIFY(shown().empty());
        QVERIFY(table.stateLabel().text().contains(QStringLiteral("hides all")));
    }

    void keysPutCandidatesOnSides() {
        begin(40);
        QVERIFY(ends());
        m_window->action(QStringLiteral("showCandidates"))->trigger();
        CandidatesPanel &table = m_window->candidates();
        const SessionState before = m_window->session().state();
        const auto timeOf = [this](CandidateId id) {
            return m_window->searcher().history().trials[static_cast<std::size_t>(id)].metrics.iterationSeconds;
        };
        table.select(7);
        QTest::keyClick(&table.table(), Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return std::holds_alternative<Edited>(m_window->session().state().side(Side::A).source); },
                                syncopate::testing::patience));
        QVERIFY(settle());
        QCOMPARE(m_window->session().run(Side::A)->recording().iterationSeconds, timeOf(7));
        QVERIFY(m_window->session().state().side(Side::B) == before.side(Side::B));
        table.select(8);
        QTest::keyClick(&table.table(), Qt::Key_B);
        QVERIFY(QTest::qWaitFor([&] { return std::holds_alternative<Edited>(m_window->session().state().side(Side::B).source); },
                                syncopate::testing::patience));
        QVERIFY(settle());
        QCOMPARE(m_window->session().run(Side::B)->recording().iterationSeconds, timeOf(8));
        table.select(-1 - 4); // a baseline becomes its builder's expression
        QTest::keyClick(&table.table(), Qt::Key_A);
        QVERIFY(settle());
        QCOMPARE(textOf(m_window->session().state().side(Side::A).source), strategyBuilders()[4].name);
        QVERIFY(!std::holds_alternative<Edited>(m_window->session().state().side(Side::A).source));
        for (int step = 0; step < 3; ++step)
            m_window->session().undoStack()->undo();
        QVERIFY(m_window->session().state() == before);
    }

    void otherKnobsAndJobsAreTold() {
        SearchPanel &panel = begin(5);
        QVERIFY(ends());
        SessionState next = m_window->session().state();
        next.side(Side::A).source = Built{"PS"}; // is searched, so it does not matter
        m_window->session().change(next, QStringLiteral("test"));
        QVERIFY(!panel.stateLabel().text().contains(QStringLiteral("knobs")));
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
        SearchPanel &panel = begin(5);
        QVERIFY(ends());
        QCOMPARE(m_window->searcher().status(), Searcher::Status::Failed);
        QVERIFY2(panel.stateLabel().text().contains(QStringLiteral("lifo")), qPrintable(panel.stateLabel().text()));
        QVERIFY(panel.startButton().isEnabled());
    }

    /// Settings of the sheet are the method's arguments, and those that cannot be read are not searched with.
    void theSheetIsTheMethodsExpression() {
        SearchPanel &panel = m_window->search();
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

    /// As projects of format 3 have them, beside those of this version.
    void settingsOfOlderProjectsAreRead() {
        SearchPanel &panel = m_window->search();
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
        m_window.reset(); // no call back into destroyed widgets, no wait for the budget
    }

private:
    SearchPanel &begin(int budget) {
        m_window->action(QStringLiteral("search"))->trigger();
        m_window->search().budgetBox().setValue(budget);
        m_window->search().startButton().click();
        return m_window->search();
    }
    std::size_t trials() { return m_window->searcher().history().trials.size(); }
    bool ends() {
        return QTest::qWaitFor([this] { return m_window->searcher().status() != Searcher::Status::Running; },
                               syncopate::testing::patience);
    }
    bool settle() {
        return QTest::qWaitFor([this] { return !m_window->session().isStale() && !m_window->session().isLoading(); },
                               syncopate::testing::patience);
    }

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestSearchPanel)
#include "tst_search_panel.moc"
