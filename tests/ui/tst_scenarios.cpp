// SPDX-License-Identifier: GPL-3.0-or-later
// The table of scenarios: kept, searched and swept rows have the engine's figures, the front matches its definition, and a row
// goes to A or B as one undoable step.
#include "engine/analyze/training_memory.h"
#include "tests/ui/window_fixture.h"
#include "ui/project/pareto_plot.h"
#include "ui/project/project_keeper.h"
#include "ui/project/scenario_judge.h"
#include "ui/project/scenarios_panel.h"
#include "ui/runs/plan_stack.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/search_preset.h"
#include "ui/runs/sweep_preset.h"
#include "ui/tables/filter_line.h"
#include "ui/theme/format.h"
#include "ui/theme/qcustomplot.h"
#include "ui/throughput/setting_sheet.h"
#include "ui/throughput/throughput_panel.h"

#include <QAbstractItemModelTester>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTableView>
#include <QToolButton>
#include <QUndoStack>
#include <algorithm>

using namespace syncopate;
using namespace syncopate::ui;

class TestScenarios : public QObject, private WindowFixture {
    Q_OBJECT

    ScenariosPanel &panel() { return window().scenarios(); }
    const std::vector<ScenarioRow> &rows() { return panel().model()->rows(); }
    int rowOf(RowSource source, std::int64_t number, Side side = Side::A) {
        const auto found = std::ranges::find_if(
            rows(), [&](const ScenarioRow &row) { return row.source == source && row.number == number && row.side == side; });
        return found == rows().end() ? -1 : static_cast<int>(found - rows().begin());
    }
    double iterationOf(Side side) { return session().run(side)->recording().iterationSeconds; }
    void raise() {
        auto *dock = window().findChild<QDockWidget *>(QStringLiteral("scenarios"));
        dock->show();
        dock->raise();
    }
    /// All rows have their figures.
    bool isFilled() {
        return QTest::qWaitFor(
            [this] {
                return !panel().isJudging() && std::ranges::none_of(rows(), [](const ScenarioRow &row) {
                    return std::isnan(row.figures.samplesPerSecond);
                });
            },
            syncopate::testing::patience);
    }
    void turn(double gbits) {
        SessionState next = session().state();
        next.bandwidthGbits = gbits;
        session().change(next, QStringLiteral("Bandwidth"));
    }

private Q_SLOTS:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("SyncopateTest"));
    }
    void init() { start(); }
    void cleanup() { stop(); }

    void keptRowsHaveTheirFigures() {
        QVERIFY(open(QStringLiteral("alexnet")));
        const QAbstractItemModelTester tester(panel().model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const std::array kept{iterationOf(Side::A), iterationOf(Side::B)};
        const double samples = session().run(Side::A)->recording().samplesPerSecond;
        const double exposed = session().run(Side::A)->window().exposedSeconds;
        window().action(QStringLiteral("keep"))->trigger();
        turn(2.5);
        QVERIFY(settle());
        raise();
        QVERIFY(isFilled());
        QCOMPARE(panel().model()->rowCount(), 2);
        for (const Side side : {Side::A, Side::B})
            COMPARE_CLOSE(rows()[indexOf(side)].figures.iterationSeconds, kept[indexOf(side)]);
        COMPARE_CLOSE(rows()[0].figures.samplesPerSecond, samples);
        COMPARE_CLOSE(rows()[0].figures.exposedSeconds, exposed);
        const double nodes = static_cast<double>(session().state().cluster->nodes.size());
        COMPARE_CLOSE(rows()[0].figures.nodes, nodes);
        // Without a price costs are node-seconds, with one they are that many 3600ths; both panels share one price.
        COMPARE_CLOSE(panel().model()->costOf(0), nodes * kept[0]);
        window().throughput().sheet().priceBox().setValue(7.2);
        COMPARE_CLOSE(panel().priceBox().value(), 7.2);
        COMPARE_CLOSE(panel().model()->costOf(0), nodes * kept[0] * 7.2 / 3600);
        panel().priceBox().setValue(1);
        COMPARE_CLOSE(window().throughput().sheet().priceBox().value(), 1.0);
        // The peak memory is the simulated run's, and its header says what it excludes.
        const double memory = trainingMemory(*session().run(Side::A)->simulation()).deviceBytes();
        COMPARE_CLOSE(rows()[0].figures.peakMemoryBytes, memory);
        QCOMPARE(panel().model()->index(0, ScenariosModel::Memory).data().toString(), bytesText(memory));
        QVERIFY(panel()
                    .model()
                    ->headerData(ScenariosModel::Memory, Qt::Horizontal, Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("Without activations")));
        // B at once, A with a button, each an undo step.
        const int steps = session().undoStack()->count();
        panel().table()->selectRow(1);
        QTest::keyClick(panel().table(), Qt::Key_A);
        QVERIFY(settle());
        COMPARE_CLOSE(iterationOf(Side::A), kept[1]);
        QCOMPARE(session().undoStack()->count(), steps + 1);
        session().undoStack()->undo();
        QVERIFY(settle());
        COMPARE_ABOVE(iterationOf(Side::A), kept[0]);
        // Another job's rows stay, but are not compared with this one's.
        QVERIFY(panel().model()->isOnFront(0) || panel().model()->isOnFront(1));
        QVERIFY(open(QStringLiteral("vgg11")));
        QTRY_VERIFY(!rows()[0].ofPresentJob);
        QVERIFY(!panel().model()->isOnFront(0) && !panel().model()->isOnFront(1));
    }

    /// A click on a row enables the buttons that put it on a side; without a row they are disabled.
    void aClickEnablesTheButtons() {
        QVERIFY(open(QStringLiteral("alexnet")));
        window().action(QStringLiteral("keep"))->trigger();
        raise();
        QVERIFY(isFilled());
        panel().table()->clearSelection();
        QTest::qWait(200);
        const auto buttons = panel().findChildren<QToolButton *>();
        const auto toA = std::ranges::find_if(buttons, [](const QToolButton *b) { return b->text() == QStringLiteral("To A"); });
        QVERIFY(toA != buttons.end());
        QVERIFY(!(*toA)->isEnabled());
        QTableView &table = *panel().table();
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualRect(table.model()->index(1, ScenariosModel::Name)).center());
        QVERIFY((*toA)->isEnabled());
    }

    /// The Enter that ends renaming a scenario does not also go to it, which would replace A and B.
    void renamingIsNoGoingTo() {
        QVERIFY(open(QStringLiteral("alexnet")));
        window().action(QStringLiteral("keep"))->trigger();
        turn(2.5);
        QVERIFY(settle());
        raise();
        QVERIFY(isFilled());
        const SessionState before = session().state();
        QTableView &table = *panel().table();
        const QModelIndex name = table.model()->index(0, ScenariosModel::Name);
        table.setCurrentIndex(name);
        table.edit(name);
        auto *editor = table.viewport()->findChild<QLineEdit *>();
        QVERIFY(editor);
        editor->setText(QStringLiteral("renamed"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(window().keeper().scenarios()[0].name, std::string("renamed"));
        QVERIFY(session().state() == before);
    }

    /// The menu of a row stays open while rows change, and its actions apply to the row that was clicked.
    void theMenuOutlastsARefresh() {
        QVERIFY(open(QStringLiteral("alexnet")));
        window().action(QStringLiteral("keep"))->trigger();
        raise();
        QVERIFY(isFilled());
        const double b = iterationOf(Side::B);
        QTableView &table = *panel().table();
        const int row = rowOf(RowSource::Kept, 0, Side::B);
        const QModelIndex clicked = table.model()->index(row, ScenariosModel::Name);
        Q_EMIT table.customContextMenuRequested(table.visualRect(clicked).center());
        auto *menu = panel().findChild<QMenu *>();
        QVERIFY(menu && menu->isVisible());
        window().action(QStringLiteral("keep"))->trigger(); // more rows
        QCOMPARE(panel().model()->rowCount(), 4);
        QTest::qWait(300);
        QVERIFY(menu->isVisible());
        for (QAction *action : menu->actions())
            if (action->text().startsWith(QStringLiteral("Put it on A")))
                action->trigger();
        menu->close();
        QVERIFY(settle());
        COMPARE_CLOSE(iterationOf(Side::A), b);
    }

    void sweepsAreWeighedAndPut() {
        QVERIFY(open(QStringLiteral("alexnet")));
        window().action(QStringLiteral("sweep"))->trigger();
        window().sweeps().sweepKnob(QStringLiteral("workers"));
        QTRY_VERIFY(window().sweeps().sweep() && window().sweeps().sweep()->isComplete());
        const auto sweep = window().sweeps().sweep();
        raise();
        QTRY_COMPARE(rows().size(), 2 * sweep->size());
        QVERIFY(panel().model()->comparesSamples());
        int onFront = 0;
        for (int row = 0; row < panel().model()->rowCount(); ++row) {
            const ScenarioFigures &own = rows()[static_cast<std::size_t>(row)].figures;
            const bool beaten = std::ranges::any_of(rows(), [&](const ScenarioRow &other) {
                const double faster = other.figures.samplesPerSecond / own.samplesPerSecond - 1;
                const double cheaper =
                    1 - other.figures.nodes / other.figures.samplesPerSecond / (own.nodes / own.samplesPerSecond);
                const double smaller = 1 - other.figures.peakMemoryBytes / own.peakMemoryBytes;
                return faster > -1e-9 && cheaper > -1e-9 && smaller > -1e-9 &&
                       (faster > 1e-9 || cheaper > 1e-9 || smaller > 1e-9);
            });
            QCOMPARE(panel().model()->isOnFront(row), !beaten);
            onFront += beaten ? 0 : 1;
        }
        COMPARE_ABOVE(onFront, 0);
        QTRY_COMPARE(panel().plot().front().dataCount(), onFront);
        // Every dot is within the axes, which are not much larger than necessary.
        QCPGraph &dots = panel().plot().dots(RowSource::Sweep);
        const QCPRange x = panel().plot().plot().xAxis->range(), y = panel().plot().plot().yAxis->range();
        QCOMPARE(dots.dataCount(), panel().model()->rowCount());
        for (int dot = 0; dot < dots.dataCount(); ++dot)
            QVERIFY(x.contains(dots.dataMainKey(dot)) && y.contains(dots.dataMainValue(dot)));
        bool found = false;
        COMPARE_ABOVE(dots.getKeyRange(found).size(), 0.5 * x.size());
        COMPARE_ABOVE(dots.getValueRange(found).size(), 0.5 * y.size());
        panel().filter().setText(QStringLiteral("front=1"));
        QCOMPARE(panel().table()->model()->rowCount(), onFront);
        panel().filter().setText(QStringLiteral("from~sweep nodes<=2"));
        COMPARE_ABOVE(panel().table()->model()->rowCount(), 0);
        COMPARE_BELOW(panel().table()->model()->rowCount(), panel().model()->rowCount());
        panel().filter().clear();
        // A point goes to B with the cluster it was simulated on, as one step; the sweep's rows stay.
        const double before = iterationOf(Side::A);
        const int row = rowOf(RowSource::Sweep, 2);
        QVERIFY(row >= 0);
        const double want = rows()[static_cast<std::size_t>(row)].figures.iterationSeconds;
        panel().putOn(row, Side::B);
        QVERIFY(settle());
        COMPARE_CLOSE(iterationOf(Side::B), want);
        COMPARE_CLOSE(iterationOf(Side::A), before);
        QCOMPARE(rows().size(), 2 * sweep->size());
        session().undoStack()->undo();
        QVERIFY(settle());
        QVERIFY(!session().state().side(Side::B).cluster);
    }

    void winnersOfASearch() {
        QVERIFY(open(QStringLiteral("alexnet")));
        window().search().budgetBox().setValue(30);
        window().search().start();
        QTRY_VERIFY(window().searcher().status() == Searcher::Status::Done && window().searcher().isTuned());
        window().candidates().model().setPinned(3, true);
        raise();
        QTRY_VERIFY(rowOf(RowSource::Search, 3) >= 0);
        double best = std::numeric_limits<double>::infinity(), shown = best;
        for (const SearchBaseline &baseline : window().searcher().history().baselines)
            if (baseline.metrics.iterationSeconds < best)
                best = baseline.metrics.iterationSeconds;
        for (const SearchTrial &trial : window().searcher().history().trials)
            if (trial.metrics.iterationSeconds < best)
                best = trial.metrics.iterationSeconds;
        for (const TunedBaseline &tuned : window().searcher().tuned())
            best = std::min(best, tuned.metrics.iterationSeconds);
        int winner = -1;
        for (int row = 0; row < panel().model()->rowCount(); ++row)
            if (const double seconds = rows()[static_cast<std::size_t>(row)].figures.iterationSeconds; seconds < shown) {
                shown = seconds;
                winner = row;
            }
        COMPARE_CLOSE(shown, best);
        // Memory, which a search does not keep, is simulated for the listed rows, and weighed.
        QVERIFY(QTest::qWaitFor([&] { return panel().model()->weighsMemory(); }, syncopate::testing::patience));
        const double bytes = rows()[static_cast<std::size_t>(winner)].figures.peakMemoryBytes;
        QVERIFY(panel().model()->isOnFront(winner)); // on one cluster the fastest is the cheapest
        panel().putOn(winner, Side::B);
        QTRY_VERIFY(settle() && std::abs(iterationOf(Side::B) / best - 1) < 1e-9);
        COMPARE_CLOSE(trainingMemory(*session().run(Side::B)->simulation()).deviceBytes(), bytes);
    }

    /// Four sides below each other: every row is the simulation behind its figures, on one clock.
    void selectedRowsAreStackedOnOneClock() {
        QVERIFY(open(QStringLiteral("alexnet")));
        window().action(QStringLiteral("keep"))->trigger();
        turn(2.5);
        QVERIFY(settle());
        window().action(QStringLiteral("keep"))->trigger();
        raise();
        QVERIFY(isFilled());
        panel().table()->selectRow(1);
        QVERIFY(!panel().stackButton().isEnabled());
        panel().table()->selectAll();
        QVERIFY(panel().stackButton().isEnabled());
        panel().stackButton().click();
        StackedScenarios *stacked = panel().stacked();
        QVERIFY(stacked && stacked->isVisible());
        QVERIFY(QTest::qWaitFor([&] { return !stacked->isSimulating(); }, syncopate::testing::patience));
        PlanStack &stack = stacked->stack();
        QCOMPARE(stack.rows().size(), std::size_t{4});
        double longest = 0;
        QSet<QString> names; // A and B of a scenario share their name, and say which is which
        for (std::size_t r = 0; r < stack.rows().size(); ++r) {
            const PlanStack::Row &row = stack.rows()[r];
            QCOMPARE(row.name, rows()[r].name + (rows()[r].side == Side::A ? QStringLiteral(" · A") : QStringLiteral(" · B")));
            names.insert(row.name);
            COMPARE_CLOSE(static_cast<double>(row.data->iteration()), rows()[r].figures.iterationSeconds * 1e9, 1e-6,
                          qPrintable(row.name));
            longest = std::max(longest, static_cast<double>(row.data->iteration()));
            QVERIFY(!row.lanes.empty() && row.data->lane(row.lanes.front()).isCompute);
            for (const std::size_t lane : row.lanes)
                QCOMPARE(row.data->lane(lane).worker, row.data->lane(row.lanes.front()).worker);
        }
        QCOMPARE(names.size(), 4);
        QVERIFY(stack.axis().window().second > longest && stack.axis().window().first < 0);
        // A time is at the same position in every row.
        QCOMPARE(stack.positionOf(0, stack.rows()[0].lanes.front(), longest / 2).x(),
                 stack.positionOf(3, stack.rows()[3].lanes.front(), longest / 2).x());
        // A click shows the scenario on B.
        const double wanted = rows()[0].figures.iterationSeconds;
        QVERIFY(iterationOf(Side::B) != wanted);
        QTest::mouseClick(stack.viewport(), Qt::LeftButton, {}, stack.positionOf(0, stack.rows()[0].lanes.front(), longest / 4));
        QVERIFY(settle());
        COMPARE_CLOSE(iterationOf(Side::B), wanted, 1e-9);
        // Once closed, it simulates and holds nothing.
        panel().stackButton().click();
        QVERIFY(stacked->isVisible());
        stacked->reject();
        QVERIFY(!stacked->isVisible() && !stacked->isSimulating() && stack.rows().empty());
        // The number is limited: each keeps its run.
        for (int kept = 2; 2 * kept <= ScenariosPanel::maxStacked; ++kept)
            window().action(QStringLiteral("keep"))->trigger();
        panel().table()->selectAll();
        QCOMPARE(panel().model()->rowCount(), ScenariosPanel::maxStacked + 2);
        QVERIFY(!panel().stackButton().isEnabled());
    }

    /// A candidate that can no longer be decoded says so, rather than being shown as the strategy that was searched from.
    void aStrategyThatCannotBeMadeIsNoRow() {
        QVERIFY(open(QStringLiteral("alexnet")));
        StackedScenarios stacked(theme(), nullptr);
        const auto damaged = []() -> Result<std::shared_ptr<const Strategy>> { return fail("its genes are damaged"); };
        stacked.setEntries({{QStringLiteral("trial 1"), session().state(), Side::A, damaged},
                            {QStringLiteral("kept"), session().state(), Side::A}});
        QVERIFY(QTest::qWaitFor([&] { return !stacked.isSimulating(); }, syncopate::testing::patience));
        QCOMPARE(stacked.stack().rows().size(), std::size_t{1});
        QCOMPARE(stacked.stack().rows()[0].name, QStringLiteral("kept"));
        QVERIFY2(stacked.stateLabel().text().contains(QStringLiteral("its genes are damaged")),
                 qPrintable(stacked.stateLabel().text()));
        stacked.setEntries({{QStringLiteral("trial 1"), session().state(), Side::A, damaged}});
        QVERIFY(QTest::qWaitFor([&] { return !stacked.isSimulating(); }, syncopate::testing::patience));
        QVERIFY(stacked.stack().rows().empty());
        QVERIFY(stacked.stateLabel().text().startsWith(QStringLiteral("trial 1: "))); // there are no rows to explain
    }

    /// The row of a candidate that cannot be simulated states the reason, and leaves the others their front.
    void aCandidateThatFailsSaysWhy() {
        QVERIFY(open(QStringLiteral("alexnet")));
        ScenarioJudge judge(window().keeper());
        const auto damaged = []() -> Result<std::shared_ptr<const Strategy>> { return fail("its genes are damaged"); };
        judge.judge({{3, {QStringLiteral("trial 3"), session().state(), Side::A, damaged}}});
        QTRY_VERIFY_WITH_TIMEOUT(judge.candidateFigures(3), syncopate::testing::patience);
        QVERIFY(QString::fromStdString(judge.candidateFigures(3)->error).contains(QStringLiteral("its genes are damaged")));
        ScenarioRow row{.figures = {.samplesPerSecond = 100, .nodes = 4}};
        QVERIFY(!std::isnan(row.objectives().cost));
        row.figures.error = judge.candidateFigures(3)->error;
        QVERIFY(std::isnan(row.objectives().cost));
    }

    /// Scenarios that were kept under one name are numbered in the stack.
    void stackedRowsHaveTheirOwnNames() {
        QVERIFY(open(QStringLiteral("alexnet")));
        StackedScenarios stacked(theme(), nullptr);
        const SessionState &state = session().state();
        stacked.setEntries({{QStringLiteral("kept"), state, Side::A},
                            {QStringLiteral("kept"), state, Side::B},
                            {QStringLiteral("kept"), state, Side::A},
                            {QStringLiteral("another"), state, Side::A},
                            {QStringLiteral("kept · A (2)"), state, Side::A}}); // the user's own name
        QVERIFY(QTest::qWaitFor([&] { return !stacked.isSimulating(); }, syncopate::testing::patience));
        QStringList names;
        for (const PlanStack::Row &row : stacked.stack().rows())
            names += row.name;
        QCOMPARE(names.mid(0, 4).join(QLatin1Char('|')), QStringLiteral("kept · A|kept · B|kept · A (2)|another"));
        QCOMPARE(names.size(), 5);
        QCOMPARE(names.removeDuplicates(), 0);
    }

    void columnsSort() {
        QVERIFY(open(QStringLiteral("alexnet")));
        for (const double gbits : {100.0, 2.5, 10.0}) {
            turn(gbits);
            QVERIFY(settle());
            window().action(QStringLiteral("keep"))->trigger();
        }
        raise();
        QVERIFY(isFilled());
        const auto names = [this](int column) {
            panel().table()->sortByColumn(column, Qt::AscendingOrder);
            QStringList bandwidths;
            const QAbstractItemModel &shown = *panel().table()->model();
            for (int row = 0; row < shown.rowCount(); ++row)
                if (shown.index(row, ScenariosModel::From).data().toString().endsWith(QLatin1Char('A')))
                    bandwidths << shown.index(row, ScenariosModel::Name).data().toString().section(QLatin1Char(','), 1).trimmed();
            return bandwidths.join(QLatin1Char(' '));
        };
        // Names sort by the numbers in them.
        QCOMPARE(names(ScenariosModel::Name), QStringLiteral("2.5 Gbit/s 10 Gbit/s 100 Gbit/s"));
        QVERIFY(names(ScenariosModel::Iteration).endsWith(QStringLiteral("2.5 Gbit/s"))); // the slowest
        // A scenario is removed, not just a row.
        panel().remove(0);
        QCOMPARE(panel().model()->rowCount(), 4);
        QCOMPARE(window().keeper().scenarios().size(), std::size_t{2});
    }
};

QTEST_MAIN(TestScenarios)
#include "tst_scenarios.moc"
