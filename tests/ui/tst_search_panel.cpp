// SPDX-License-Identifier: GPL-3.0-or-later
// Searching by mouse and keyboard, compared with the engine.
#include "engine/search/search_methods.h"
#include "engine/search/tuned_baselines.h"
#include "engine/search/winner.h"
#include "engine/strategy/builders.h"
#include "tests/checks.h"
#include "ui/runs/argument_sheet.h"
#include "ui/runs/history_plot.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/search_preset.h"
#include "ui/runs/trust_plot.h"
#include "ui/runs/winner_sheet.h"
#include "ui/tables/filter_line.h"
#include "ui/theme/format.h"
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
#include <QTreeWidget>
#include <algorithm>
#include <array>
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
        // So slow that no strategy hides its communication: searches end with their budget, not at the bound of the compute.
        SessionState slow = m_window->session().state();
        slow.bandwidthGbits = 1;
        m_window->session().change(slow, QStringLiteral("slow links"));
        QVERIFY(settle());
    }

    void cleanup() { m_window.reset(); }

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
        QCOMPARE(panel.stateLabel().text(), QStringLiteral("70 trials, seed 5"));
        QVERIFY(
            panel.bestLabel().text().contains(QStringLiteral("trial %1)").arg(truth->bestTrial(SearchObjective::IterationTime))));
        QVERIFY(m_window->candidates().model().rowCount() >= 70 + static_cast<int>(strategyBuilders().size()));
    }

    /// Explain… shows the engine's explanation of the search, and closes with the search.
    void theBestIsTakenApart() {
        SearchPreset &panel = begin(40);
        QVERIFY(ends());
        QVERIFY(tuned());
        QVERIFY(panel.explainButton().isVisible() && panel.explainButton().isEnabled());
        QTest::mouseClick(&panel.explainButton(), Qt::LeftButton);
        WinnerSheet *sheet = panel.winnerSheet();
        QVERIFY(sheet && sheet->isVisible());
        QVERIFY(QTest::qWaitFor([&] { return !sheet->isBusy(); }, syncopate::testing::patience));
        QVERIFY2(sheet->report(), qPrintable(sheet->state().text()));
        const PlannedSearch planned = *planSearch(*m_window->searcher().plan());
        const auto truth = reportWinner(planned.request, *planned.method, *planned.judge, m_window->searcher().history(),
                                        m_window->searcher().tuned());
        QVERIFY(truth);
        QCOMPARE(sheet->report()->winner, truth->winner);
        QStringList common;
        for (const CommonTrait &trait : truth->common)
            common << QStringLiteral("• ") + QString::fromStdString(describe(trait));
        QCOMPARE(sheet->common().text(), common.join(QLatin1Char('\n')));
        QCOMPARE(sheet->common().isVisible(), !common.isEmpty());
        QCOMPARE(sheet->pieces().topLevelItemCount(), static_cast<int>(truth->pieces.size()));
        QVERIFY(!truth->pieces.empty());
        QCOMPARE(sheet->pieces().topLevelItem(0)->text(0), QString::fromStdString(truth->pieces[0].what));
        QCOMPARE(sheet->pieces().topLevelItem(0)->text(1), secondsText(truth->pieces[0].iterationSeconds));
        QCOMPARE(sheet->elsewhere().topLevelItemCount(), static_cast<int>(truth->elsewhere.size()));
        QCOMPARE(sheet->elsewhere().topLevelItem(0)->text(0), QString::fromStdString(truth->elsewhere[0].name));
        begin(5);
        QVERIFY(!sheet->isVisible()); // the search it explained is gone
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
        QVERIFY(trials() >= 5);
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
        RunsTable &table = m_window->candidates();
        const QAbstractItemModelTester model(&table.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QAbstractItemModelTester proxy(&table.proxy(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(table.stateLabel().text().contains(QStringLiteral("Ctrl+R")));
        begin(60);
        QVERIFY(ends());
        QVERIFY(tuned());
        m_window->action(QStringLiteral("showCandidates"))->trigger();
        const SearchHistory &history = m_window->searcher().history();
        const auto shown = [&] {
            std::vector<RunId> ids;
            for (int r = 0; r < table.proxy().rowCount(); ++r)
                ids.push_back(table.model().idOf(table.proxy().mapToSource(table.proxy().index(r, 0)).row()));
            return ids;
        };
        const auto metricsOf = [this](RunId id) { return m_window->searcher().metricsOf(CandidateId::ofRow(id)); };
        // Initially sorted by iteration time.
        const auto all = shown();
        QCOMPARE(all.size(), 60 + history.baselines.size() + m_window->searcher().tuned().size());
        for (std::size_t i = 1; i < all.size(); ++i)
            COMPARE_AT_MOST(metricsOf(all[i - 1]).iterationSeconds, metricsOf(all[i]).iterationSeconds);

        const double median = metricsOf(all[all.size() / 2]).iterationSeconds;
        table.filter().setFocus();
        QTest::keyClicks(&table.filter(), QStringLiteral("servers>2 iteration<%1ms trial").arg(median * 1e3, 0, 'f', 9));
        QVERIFY(!table.filter().error());
        const auto filtered = shown();
        std::size_t expected = 0;
        for (RunId id = 0; id < 60; ++id)
            expected += metricsOf(id).servers > 2 && metricsOf(id).iterationSeconds <
                                                         std::stod(QString::number(median * 1e3, 'f', 9).toStdString()) * 1e-3
                            ? 1
                            : 0;
        QCOMPARE(filtered.size(), expected);
        QVERIFY(expected > 0 && expected < 60);
        table.filter().setText(QStringLiteral("servers>"));
        QVERIFY(table.stateLabel().text().contains(QStringLiteral("character 9")));
        QCOMPARE(shown(), filtered); // the last valid filter stays in force

        // The slowest of all, pinned, is on top: in both orders, and with a filter that excludes it.
        table.filter().clear();
        const RunId slowest = all.back();
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
        QCOMPARE(shown(), std::vector<RunId>{slowest});
        QTest::keyClick(&table.table(), Qt::Key_P);
        QVERIFY(shown().empty());
        QVERIFY(table.stateLabel().text().contains(QStringLiteral("hides all")));
        if (!m_window->searcher().tuned().empty()) { // projects do not keep them
            table.model().setPinned(CandidateId{CandidateId::Kind::Tuned, 0}.row(), true);
            QVERIFY(table.model().pins().empty());
        }
    }

    void keysPutCandidatesOnSides() {
        begin(40);
        QVERIFY(ends());
        m_window->action(QStringLiteral("showCandidates"))->trigger();
        RunsTable &table = m_window->candidates();
        const SessionState before = m_window->session().state();
        const auto timeOf = [this](RunId id) {
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

    /// Default and tuned builders, the compute alone and the rule of the best are shown; a tuned builder can be put on a side.
    void barsAndRulesAreShown() {
        SearchPreset &panel = m_window->search();
        QVERIFY(panel.methodSheet().setText("rules()").has_value());
        begin(45);
        QVERIFY(ends());
        QVERIFY(tuned());
        const Searcher &searcher = m_window->searcher();
        SearchRequest request;
        request.base = *makeScenario(m_window->session().state(), Side::A);
        const auto truth = tuneBaselines(request, **makeJudge("simulated()"));
        double bar = HUGE_VAL;
        std::size_t better = 0; // than defaults
        for (const TunedBaseline &own : *truth) {
            bar = std::min(bar, own.metrics.iterationSeconds);
            if (own.expression != own.builder)
                QCOMPARE(searcher.tuned()[better++].expression, own.expression);
        }
        QCOMPARE(searcher.tuned().size(), better);
        const CandidateId best = searcher.bestTuned().value();
        QCOMPARE(searcher.metricsOf(best).iterationSeconds, bar);
        QCOMPARE(searcher.boundSeconds(), computeBoundSeconds(request.base));
        const QString name = QString::fromStdString(searcher.tuned()[best.index].expression);
        QVERIFY2(panel.bestLabel().text().contains(QStringLiteral("against %1").arg(name)), qPrintable(panel.bestLabel().text()));
        const auto planned = planSearch(*searcher.plan());
        const std::int64_t trial = searcher.history().bestTrial(SearchObjective::IterationTime);
        const std::string rule = planned->method->explain(searcher.history().trials[static_cast<std::size_t>(trial)].genes);
        QVERIFY(!rule.empty());
        QVERIFY2(panel.ruleLabel().isVisible() && panel.ruleLabel().toolTip().contains(QString::fromStdString(rule)),
                 qPrintable(panel.ruleLabel().toolTip()));
        QVERIFY(panel.ruleLabel().text().startsWith(QStringLiteral("its rule: %1").arg(QString::fromStdString(rule).left(100))));
        const auto &levels = static_cast<HistoryModel &>(m_window->candidates().model()).levels();
        const auto has = [&](HistoryModel::Level::Kind kind, double value) {
            return std::any_of(levels.begin(), levels.end(),
                               [&](const HistoryModel::Level &level) { return level.kind == kind && level.value == value; });
        };
        QVERIFY(has(HistoryModel::Level::Kind::Bar, bar));
        QVERIFY(has(HistoryModel::Level::Kind::Bar, searcher.tally().bestBaseline()));
        QVERIFY(has(HistoryModel::Level::Kind::Bound, searcher.boundSeconds()));

        const SessionState before = m_window->session().state();
        m_window->action(QStringLiteral("showCandidates"))->trigger();
        m_window->candidates().select(best.row());
        QTest::keyClick(&m_window->candidates().table(), Qt::Key_A);
        QVERIFY(settle());
        QCOMPARE(QString::fromStdString(textOf(m_window->session().state().side(Side::A).source)), name);
        QCOMPARE(m_window->session().run(Side::A)->recording().iterationSeconds, bar);
        m_window->session().undoStack()->undo();
        QVERIFY(m_window->session().state() == before);
    }

    /// The dots of all groups together are the trials, each in its source's colour; the legend names only groups with trials.
    void dotsAreColouredByTheirSource() {
        SearchPreset &panel = m_window->search();
        const auto &trials = m_window->searcher().history().trials;
        const auto inLegend = [&](std::size_t group) {
            return panel.plot().plot().legend->hasItemWithPlottable(&panel.plot().dotsGraph(group));
        };
        const std::array names{"usual rules", "drawn at random", "moves of earlier ones", "ranked first", "the method's own"};
        const auto groupOf = [](const std::string &source) {
            return source == "usual" ? 0U : source == "random" || source == "fresh" ? 1U : source == "ranked" ? 3U : 2U;
        };
        for (const char *method : {"rules()", "autosync()"}) {
            QVERIFY(panel.methodSheet().setText(method).has_value());
            begin(40); // more than the rules that every search starts with
            QVERIFY(ends());
            const PlannedSearch planned = *planSearch(*m_window->searcher().plan());
            std::array<int, names.size()> expected{};
            for (const SearchTrial &trial : trials)
                ++expected[groupOf(planned.method->source(trial.genes))];
            QVERIFY(expected[0] > 0 && expected[2] > 0);
            for (std::size_t group = 0; group < expected.size(); ++group) {
                QCOMPARE(panel.plot().dotsGraph(group).dataCount(), expected[group]);
                QCOMPARE(inLegend(group), expected[group] > 0);
                QCOMPARE(panel.plot().dotsGraph(group).name(), QString::fromLatin1(names[group]));
            }
            RunsTable &table = m_window->candidates();
            const int row = table.model().rowOf(static_cast<RunId>(trials.size()) - 1);
            QCOMPARE(table.model().index(row, CandidatesModel::Source).data().toString(),
                     QString::fromLatin1(names[groupOf(planned.method->source(trials.back().genes))]));
        }
        QVERIFY(panel.methodSheet().setText("random()").has_value());
        begin(20);
        QVERIFY(ends());
        QCOMPARE(panel.plot().dotsGraph(1).dataCount(), 20);
        QVERIFY(inLegend(1) && !inLegend(0) && !inLegend(2));
    }

    /// The trust of the ranker is drawn batch by batch as the engine measured it, in place of the candidates.
    void trustIsDrawn() {
        SearchPreset &panel = m_window->search();
        begin(20);
        QVERIFY(ends());
        QVERIFY(!panel.shownBox().isVisible()); // random() ranks nothing
        QVERIFY(panel.methodSheet().setText("autosync()").has_value());
        begin(40);
        QVERIFY(ends());
        SearchObserver silent;
        const PlannedSearch planned = *planSearch(*m_window->searcher().plan());
        const auto truth = runSearch(planned.request, *planned.method, *planned.judge, silent);
        QCOMPARE(truth->phases.size(), std::size_t(4));
        QVERIFY(panel.shownBox().isVisible());
        QVERIFY(panel.plot().isVisible() && !panel.trust().isVisible());
        panel.shownBox().setCurrentIndex(1);
        QVERIFY(!panel.plot().isVisible() && panel.trust().isVisible());
        using Line = TrustPlot::Line;
        QTRY_COMPARE(panel.trust().lineOf(Line::All).dataCount(), 4);
        for (int p = 0; p < 4; ++p) {
            const SearchPhase &phase = truth->phases[static_cast<std::size_t>(p)];
            const auto at = [&](Line line) { return panel.trust().lineOf(line).data()->at(p); };
            QCOMPARE(at(Line::All)->key, 10.0 * p + 5);
            QCOMPARE(at(Line::All)->value, phase.pairAccuracy);
            QCOMPARE(at(Line::First)->value, phase.bucketAccuracy[0]);
            QCOMPARE(at(Line::Next)->value, phase.bucketAccuracy[1]);
            QCOMPARE(at(Line::Last)->value, phase.bucketAccuracy[2]);
            QCOMPARE(at(Line::Found)->value, phase.topRecall);
        }
        const QJsonObject kept = panel.settings();
        panel.shownBox().setCurrentIndex(0);
        panel.setSettings(kept);
        QCOMPARE(panel.shownBox().currentIndex(), 1);
        // A project may have kept that choice for a search without a ranker: then only candidates can be shown.
        panel.shownBox().setCurrentIndex(0);
        QVERIFY(panel.methodSheet().setText("random()").has_value());
        begin(20);
        QVERIFY(ends());
        panel.setSettings(kept);
        QVERIFY(!panel.shownBox().isVisible());
        QVERIFY(panel.plot().isVisible() && !panel.trust().isVisible());
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

private:
    SearchPreset &begin(int budget) {
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
    /// The builders' tuned arguments are known, too.
    bool tuned() {
        return QTest::qWaitFor([this] { return m_window->searcher().isTuned(); }, syncopate::testing::patience);
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
