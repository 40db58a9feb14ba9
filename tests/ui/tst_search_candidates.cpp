// SPDX-License-Identifier: GPL-3.0-or-later
// The results of a search: its candidates in table and plot, on sides, against bars and bound, the ranker and the best explained.
#include "engine/search/tuned_baselines.h"
#include "engine/search/winner.h"
#include "engine/strategy/builders.h"
#include "tests/checks.h"
#include "tests/ui/search_fixture.h"
#include "ui/runs/argument_sheet.h"
#include "ui/runs/history_plot.h"
#include "ui/runs/run_text.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/trust_plot.h"
#include "ui/runs/winner_sheet.h"
#include "ui/tables/filter_line.h"
#include "ui/theme/format.h"
#include "ui/theme/qcustomplot.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QTreeWidget>
#include <QUndoStack>
#include <algorithm>
#include <array>
#include <cmath>

using namespace syncopate;
using namespace syncopate::ui;

class TestSearchCandidates : public QObject, SearchFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { start(); }
    void cleanup() { stop(); }

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

        // A share is filtered in percent, as it is shown.
        const auto &columns = table.model().columns();
        const auto confidence = std::ranges::find_if(
            columns, [](const RunsModel::Column &column) { return column.filter.name == QStringLiteral("confidence"); });
        QVERIFY(confidence != columns.end());
        QCOMPARE(confidence->filterScale, 100.0);

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

    /// A dot that is clicked again changes nothing, so that one undo goes back; and the candidate asked for last is the one
    /// shown.
    void theSameCandidateIsNoStep() {
        SearchPreset &panel = begin(20);
        QVERIFY(ends());
        const QUndoStack &undo = *m_window->session().undoStack();
        const auto put = [&](RunId id) {
            const QString name = QStringLiteral("trial %1").arg(id);
            panel.put(id, Side::B);
            return QTest::qWaitFor(
                [&] { return sourceName(m_window->session().state().side(Side::B).source) == name.toStdString(); },
                syncopate::testing::patience);
        };
        QVERIFY(put(3));
        const int steps = undo.index();
        QVERIFY(put(3));
        QTest::qWait(100);
        QCOMPARE(undo.index(), steps);
        QVERIFY(put(4));
        QCOMPARE(undo.index(), steps + 1);
        panel.put(5, Side::B);
        panel.put(-1, Side::B);
        QTest::qWait(300);
        QCOMPARE(textOf(m_window->session().state().side(Side::B).source), strategyBuilders()[0].name);
        QCOMPARE(undo.index(), steps + 2);
    }

    /// A trial of a method that this version does not know, from a project, cannot be decoded: a click on it says so.
    void whatCannotBeDecodedSaysWhy() {
        SearchPreset &panel = begin(5);
        QVERIFY(ends());
        const auto kept = m_window->searcher().state();
        kept->plan.method = "of_a_newer_version()";
        m_window->searcher().restore(kept);
        QString told;
        const QObject scope; // of the connection
        connect(&m_window->session(), &Session::failed, &scope,
                [&told](const Error &error) { told = QString::fromStdString(error.toString()); });
        panel.put(0, Side::B);
        QVERIFY(QTest::qWaitFor([&] { return !told.isEmpty(); }, syncopate::testing::patience));
        QVERIFY2(told.contains(QStringLiteral("of_a_newer_version")), qPrintable(told));
    }

    /// Where a builder is better than all trials, what is left to gain is left to it, in both lines.
    void bothLinesSayWhatIsLeftToGain() {
        SearchPreset &panel = begin(5);
        QVERIFY(ends());
        const auto kept = m_window->searcher().state();
        double builder = HUGE_VAL;
        for (const SearchBaseline &baseline : kept->history.baselines)
            builder = std::min(builder, baseline.metrics.iterationSeconds);
        for (SearchTrial &trial : kept->history.trials)
            trial.metrics.iterationSeconds = 3 * builder;
        kept->history.enough = true;
        kept->plan.trials = 100;
        kept->boundSeconds = builder / 2;
        m_window->searcher().restore(kept);
        QTRY_VERIFY(m_window->searcher().method()); // with it comes today's bound
        const double bound = m_window->searcher().boundSeconds();
        const QString left = QStringLiteral("at most %1 ").arg(percentText(1 - bound / builder));
        COMPARE_BELOW(bound, 0.99 * builder);
        for (const QLabel *line : {&panel.stateLabel(), &panel.bestLabel()})
            QVERIFY2(line->text().contains(left), qPrintable(line->text() + QStringLiteral(" / ") + left));
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
        const std::array names{"usual rules", "drawn at random", "moves of earlier trials", "ranked first", "the method's own"};
        const auto groupOf = [](const std::string &source) { // by the words that are shown, not by SearchMethod::sourceKind()
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
};

QTEST_MAIN(TestSearchCandidates)
#include "tst_search_candidates.moc"
