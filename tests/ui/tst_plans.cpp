// SPDX-License-Identifier: GPL-3.0-or-later
// Planning in the explorer: the same figures as `syncopate-cli plan`, sides that show plans, and plans edited by hand.
#include "engine/base/rounding.h"
#include "engine/search/plan_search.h"
#include "tests/checks.h"
#include "tests/ui/plans_fixture.h"
#include "ui/knobs/knob.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/runs/argument_sheet.h"
#include "ui/runs/history_plot.h"
#include "ui/runs/plan_editor.h"
#include "ui/runs/plan_preset.h"
#include "ui/runs/plan_stack.h"
#include "ui/runs/run_text.h"
#include "ui/runs/runs_panel.h"
#include "ui/theme/qcustomplot.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableWidget>
#include <QTest>
#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

using namespace syncopate;
using namespace syncopate::testing;
using namespace syncopate::ui;

class TestPlans : public QObject, PlansFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() {
        start();
        QVERIFY(open(QStringLiteral("alexnet")));
        plans().sheet().budgetBox().setValue(evaluations);
    }
    void cleanup() { stop(); }

    /// The table of methods against the engine, for the job's own DAG on two channels.
    void tableShowsTheEnginesFigures() {
        useTwoChannels();
        window().action(QStringLiteral("plan"))->trigger();
        QVERIFY(!window().runs().visibleRegion().isEmpty());
        QVERIFY(plans().startButton().hasFocus());
        run();
        const auto task = planTask(session().state(), plans().planSettings());
        QVERIFY(task && task->ofJob);
        const double bound = planBoundSeconds(task->request);
        const QAbstractItemModel *table = &plans().table().proxy();
        const std::vector<PlanMethod> methods = comparedMethods(task->request, task->method);
        QCOMPARE(methods.size(), std::size_t{planMethodCount} - 1); // a job's gradients have too many plans to play them all
        QCOMPARE(table->rowCount(), static_cast<int>(methods.size()));
        const auto cell = [&](int row, int column) { return table->index(row, column).data(Qt::UserRole).toDouble(); };
        const QStringList names{"FIFO", "BS+", "HO", "S-Exec", "S-Sched", "SYNDICATE", "Random"};
        double fifo = 0;
        for (int row = 0; row < table->rowCount(); ++row) {
            const auto found = findPlan(task->request, static_cast<PlanMethod>(row));
            VERIFY_VALUE(found);
            fifo = row == 0 ? found->run.iterationSeconds : fifo;
            QCOMPARE(table->index(row, PlanModel::Method).data().toString(), names[row]);
            QCOMPARE(cell(row, PlanModel::Iteration), found->run.iterationSeconds);
            QCOMPARE(cell(row, PlanModel::Idle), found->run.computeIdleRatio());
            COMPARE_CLOSE(cell(row, PlanModel::Gap), found->run.iterationSeconds / bound - 1, 1e-9, About(names[row]));
            COMPARE_CLOSE(cell(row, PlanModel::AgainstFifo) + 1, found->run.iterationSeconds / fifo, 1e-9, About(names[row]));
            QCOMPARE(cell(row, PlanModel::Schedules), static_cast<double>(found->evaluations));
            QCOMPARE(cell(row, PlanModel::Memory), found->peakBytes);
        }
        QVERIFY(plans().stateLabel().text().startsWith(QStringLiteral("7 plans, seed 1")));
    }

    /// Every proposal of the chosen search is a dot, in the colour of its outcome, over the methods and the bound.
    void historyShowsEveryProposal() {
        openMeasured();
        plans().sheet().methodSheet().nameBox().setCurrentIndex(static_cast<int>(PlanMethod::Exec));
        run();
        const auto task = planTask(session().state(), plans().planSettings());
        std::size_t accepted = 0, proposed = 0;
        QVERIFY(findPlan(task->request, PlanMethod::Exec, {}, [&](const PlanStep &step) {
            ++proposed;
            accepted += step.accepted ? 1U : 0U;
        }));
        COMPARE_ABOVE(accepted, 0);
        COMPARE_BELOW(accepted, proposed);
        COMPARE_BELOW(proposed, 1000); // all dots are still discs
        HistoryPlot &plot = plans().plot();
        QTRY_COMPARE(static_cast<std::size_t>(plot.dotsGraph(0).dataCount()), accepted);
        QCOMPARE(static_cast<std::size_t>(plot.dotsGraph(1).dataCount()), proposed - accepted);
        QCOMPARE(plot.plot().yAxis2->label(), QStringLiteral("acceptance"));
        COMPARE_CLOSE(plot.hitRateGraph().data()->at(static_cast<int>(proposed) - 1)->value,
                      static_cast<double>(accepted) / static_cast<double>(proposed));
        window().runs().choose(plans());
        window().action(QStringLiteral("plan"))->trigger();
        QTRY_VERIFY(plot.shownLevels().join(QLatin1Char(' ')).contains(QStringLiteral("lower bound")));
        // The result of random draws is a level among the others, with its name.
        const auto levels = static_cast<HistoryModel &>(plans().table().model()).levels();
        const auto random = std::find_if(levels.begin(), levels.end(), [](const auto &level) { return level.name == u"Random"; });
        QVERIFY(random != levels.end() && random->kind == HistoryModel::Level::Kind::Reference);
        QCOMPARE(random->value, plans().planner().found(PlanMethod::Random)->run.iterationSeconds);
        // So is the best of all plans with whole collectives, of which this DAG has few.
        const FoundPlan *all = plans().planner().found(PlanMethod::Exhaustive);
        QVERIFY(all && all->run.iterationSeconds <= plans().planner().found(PlanMethod::Fifo)->run.iterationSeconds);
        const QString best = plans().bestLabel().text();
        QVERIFY2(best.contains(QStringLiteral("Exhaustive")), qPrintable(best));
        QVERIFY2(best.contains(QStringLiteral("against Random")) || best.contains(QStringLiteral("as fast as Random")),
                 qPrintable(best));
        // Proposals are not kept: a click on one asks for nothing.
        QSignalSpy clicked(&plot, &HistoryPlot::clicked);
        QTest::mouseClick(&plot.plot(), Qt::LeftButton, {}, plot.positionOf(0).toPoint());
        QCOMPARE(clicked.count(), 0);
    }

    /// A click on a row shows its plan in B; undo takes it back.
    void clickShowsAPlan() {
        openMeasured();
        run();
        const SessionState before = session().state();
        const RunId id = planId(PlanMethod::Syndicate);
        click(id);
        QVERIFY(settle());
        const auto &side = session().state().side(Side::B);
        QVERIFY(side.isPlanned() && !side.hasScenario());
        QCOMPARE(QString::fromStdString(strategyTitle(side)), QStringLiteral("SYNDICATE plan of a2a-prefetch"));
        const auto run = session().run(Side::B);
        QVERIFY(run && run->plan() && !run->simulation());
        const FoundPlan &found = *plans().planner().found(PlanMethod::Syndicate);
        COMPARE_CLOSE(run->recording().iterationSeconds, found.run.iterationSeconds);
        COMPARE_CLOSE(run->plan()->computeIdleRatio, found.run.computeIdleRatio());
        COMPARE_CLOSE(run->plan()->boundSeconds, plans().planner().boundSeconds());
        QCOMPARE(session().undoStack()->undoText(), QStringLiteral("SYNDICATE plan of a2a-prefetch as B"));
        const int steps = session().undoStack()->count();
        click(id); // again, as by a double click
        QCOMPARE(session().undoStack()->count(), steps);
        const TimelineData &timeline = run->timeline();
        QCOMPARE(timeline.laneCount(), std::size_t{3});
        QCOMPARE(timeline.lane(1).name, std::string("e0"));
        QCOMPARE(timeline.lane(2).name, std::string("e1"));
        QVERIFY(timeline.colorOf(1, Category::OtherComm) == Category::AllReduce);
        QVERIFY(timeline.colorOf(2, Category::OtherComm) == Category::Push);
        QVERIFY(timeline.colorOf(0, Category::Forward) == Category::Forward);
        QStringList legend;
        for (const auto &[color, name] : legendOf(timeline, timeline.origin(), timeline.origin() + timeline.iteration()))
            legend.push_back(name);
        QCOMPARE(legend, (QStringList{"forward", "backward", "e0", "e1"}));
        // The critical path is drawn while nothing is selected.
        QVERIFY(!run->criticalPath().empty());
        QTRY_VERIFY(window().view(Side::B).flows() == run->criticalPath());
        session().undoStack()->undo();
        QVERIFY(session().state() == before);
        QVERIFY(settle());
        QVERIFY(session().run(Side::B)->simulation());
        session().undoStack()->redo();
        QVERIFY(settle());
        COMPARE_CLOSE(session().run(Side::B)->recording().iterationSeconds, found.run.iterationSeconds);
    }

    /// Where both sides show plans of a job of layers, no policy's knob is left to turn: they would change nothing.
    void plansLeaveNoPolicyToTurn() {
        const Knob &cap = *window().knobs().knob(QStringLiteral("bucket_cap"));
        openMeasured();
        SessionState next = session().state();
        next.side(Side::A).policy = "ddp";
        session().change(next, QStringLiteral("ddp"));
        QVERIFY(settle() && cap.field()->isEnabled());
        run();
        click(planId(PlanMethod::Syndicate));
        QVERIFY(settle() && cap.field()->isEnabled()); // A still is a strategy's
        plans().put(planId(PlanMethod::Fifo), Side::A);
        QVERIFY(settle() && session().state().side(Side::A).isPlanned());
        QVERIFY(!cap.field()->isEnabled());
        const QString fold = window().knobs().foldButton().text();
        QVERIFY2(fold.endsWith(QStringLiteral("knobs without effect now")), qPrintable(fold));
        QVERIFY(window().knobs().knob(QStringLiteral("bandwidth"))->field()->isEnabled());
    }

    /// Every method's iteration on one clock, with the spans of the plan that it found and its compute idling beside it.
    void timelinesAreStacked() {
        openMeasured();
        run();
        showPage(PlanPreset::TimelinesPage);
        PlanStack &stack = plans().stack();
        QCOMPARE(stack.rows().size(), static_cast<std::size_t>(planMethodCount));
        for (std::int32_t m = 0; m < planMethodCount; ++m) {
            const FoundPlan &found = *plans().planner().found(static_cast<PlanMethod>(m));
            const PlanStack::Row &row = stack.rows()[static_cast<std::size_t>(m)];
            QCOMPARE(row.name, QString::fromStdString(std::string(titleOf(found.method))));
            QVERIFY2(row.figures.endsWith(tr("idle ") + percentText(found.run.computeIdleRatio())), qPrintable(row.figures));
            QVERIFY(!row.isEditable);
            const TimelineData &data = *row.data;
            QCOMPARE(data.iteration(), toNanoseconds(found.run.iterationSeconds));
            COMPARE_CLOSE(static_cast<double>(data.computeBusy(0, data.origin(), data.origin() + data.iteration())),
                          found.run.computeSeconds * 1e9, 1e-6, About(row.name));
            for (const PlannedSpan &span : found.run.spans) {
                if (span.endSeconds - span.startSeconds < 1e-8) // a spline that sends nothing
                    continue;
                const Lane &lane = data.lane(span.channel.next().index());
                const std::int64_t at = data.index(span.channel.next().index())
                                            .spanAt(data.origin() + toNanoseconds((span.startSeconds + span.endSeconds) / 2));
                QVERIFY2(at >= 0, qPrintable(row.name));
                COMPARE_WITHIN(static_cast<double>(lane.start[static_cast<std::size_t>(at)] - data.origin()),
                               span.startSeconds * 1e9, 10, About(row.name));
                const auto ops = static_cast<std::int32_t>(plans().planner().task()->request.dag->ops.size());
                QCOMPARE(lane.label[static_cast<std::size_t>(at)],
                         span.motif.exists() ? ops + span.motif.number() : span.op.number());
            }
            // Time-locked: the same moment is in the same column of every row.
            QCOMPARE(stack.positionOf(static_cast<std::size_t>(m), 0, 1e8).x(), stack.positionOf(0, 0, 1e8).x());
        }
        const auto span = stack.spanAt(stack.positionOf(1, 0, 1e6));
        QVERIFY(span && span->row == 1 && span->lane == 0);
        QVERIFY(stack.describe(*span).contains(QStringLiteral("compute")));
        // A press beside the rows, released over the current one, is no click.
        QTest::keyClick(&stack, Qt::Key_Down);
        QTest::mousePress(stack.viewport(), Qt::LeftButton, {}, {stack.positionOf(0, 0, 1e6).x(), 1});
        QTest::mouseRelease(stack.viewport(), Qt::LeftButton, {}, stack.positionOf(0, 0, 1e6));
        QVERIFY(settle());
        QVERIFY(session().undoStack()->undoText() != QStringLiteral("fifo plan of a2a-prefetch as B"));
        // A click shows the row's plan in B, which is then a row that can be edited.
        QTest::mouseClick(stack.viewport(), Qt::LeftButton, {}, stack.positionOf(3, 0, 1e6));
        QVERIFY(settle());
        QCOMPARE(session().undoStack()->undoText(), QStringLiteral("S-Exec plan of a2a-prefetch as B"));
        QCOMPARE(stack.rows().size(), static_cast<std::size_t>(planMethodCount) + 1);
        QVERIFY(stack.rows().back().isEditable);
        QCOMPARE(stack.rows().back().figures, stack.rows()[3].figures);
    }

    /// A field changes the plan that B shows as the engine does, as one undo step.
    void editsMatchTheEngines() {
        editFifo();
        PlanEditor &editor = plans().editor();
        QVERIFY(editor.side() == Side::B);
        const PlannedWork before = *work();
        const std::int32_t op = select("a2a-emb-fwd");
        QVERIFY(op >= 0);
        QCOMPARE(editor.segmentsBox().value(), 1);
        editor.splinesBox().setValue(2);
        QTRY_VERIFY(work()->plan != before.plan);
        QVERIFY(settle());
        const TrainingDag dag = withSubmission(before.dag, before.plan.enforced);
        const ChannelId channel = before.plan.motifs.front().channel; // FIFO has only one
        const auto splined = editPlan(dag, before.plan, before.costs, RecutOp{DagOpId(op), {.splines = 2}, {channel}});
        VERIFY_VALUE(splined);
        QVERIFY(work()->plan.motifs == splined->motifs && work()->plan.orders == splined->orders);
        COMPARE_CLOSE(session().run(Side::B)->recording().iterationSeconds,
                      playPlan(dag, *splined, before.costs)->iterationSeconds);
        QCOMPARE(session().undoStack()->undoText(), QStringLiteral("a2a-emb-fwd as 2 splines on e%1").arg(channel.number()));
        QCOMPARE(work()->title, std::string("edited FIFO plan of a2a-prefetch"));
        QCOMPARE(editor.splinesBox().value(), 2);
        editor.channelBox().setCurrentIndex(2); // all in turn
        QTRY_COMPARE(work()->plan.orders[1 - channel.index()].size(), std::size_t{1});
        session().undoStack()->undo();
        session().undoStack()->undo();
        QVERIFY(work()->plan == before.plan);
        QCOMPARE(editor.splinesBox().value(), 1);
    }

    /// Edits that the algebra or the DAG does not allow are refused with the reason; nothing changes, and the field shows the old
    /// value again.
    void editsAreRefused() {
        editFifo();
        PlanEditor &editor = plans().editor();
        const SessionState before = session().state();
        QVERIFY(select("ar-top") >= 0);
        editor.splinesBox().setValue(2);
        QTRY_VERIFY(editor.answerLabel().isVisible());
        QVERIFY2(editor.answerLabel().text().contains(QStringLiteral("an all-reduce has no splines")),
                 qPrintable(editor.answerLabel().text()));
        QCOMPARE(editor.splinesBox().value(), 1);
        QVERIFY(session().state() == before);
        // The gradients' all-to-all may go up until it would come before a collective that the forward pass waits for.
        editor.orderBox().setCurrentIndex(work()->plan.motifs.front().channel.number());
        for (int moves = 0; moves < 10 && !editor.answerLabel().text().contains(QStringLiteral("waits for")); ++moves) {
            const ExecutionPlan plan = work()->plan;
            const auto found = editor.orderList().findItems(QStringLiteral("a2a-emb-bwd"), Qt::MatchStartsWith);
            QCOMPARE(found.size(), 1);
            editor.orderList().setCurrentItem(found.front());
            QVERIFY(editor.orderList().currentRow() > 0);
            editor.earlierButton().click();
            QTRY_VERIFY(!editor.isPending());
            QCOMPARE(work()->plan == plan, editor.answerLabel().isVisible());
        }
        QVERIFY2(editor.answerLabel().text().contains(QStringLiteral("\"a2a-emb-bwd: all_to_all\"")),
                 qPrintable(editor.answerLabel().text()));
    }

    /// A collective on some of the channels, in more segments than a cut by hand has, keeps both when the other is changed.
    void fieldsKeepWhatTheyDoNotChange() {
        Cluster three = uniformCluster(4, 1);
        three.namedChannels = {{"e0", {"e0"}, 1.25e8, 0}, {"e1", {"e1"}, 5e7, 0}, {"e2", {"e2"}, 5e7, 0}};
        three.channels = 3;
        SessionState next = session().state();
        next.cluster = std::make_shared<const Cluster>(std::move(three));
        session().change(next, QStringLiteral("three channels"));
        QVERIFY(settle());
        plans().sheet().methodSheet().nameBox().setCurrentIndex(static_cast<int>(PlanMethod::Fifo));
        run();
        click(planId(PlanMethod::Fifo));
        QVERIFY(settle());
        showPage(PlanPreset::EditorPage);
        PlanEditor &editor = plans().editor();
        const DagOpId op(editor.opsTable().item(0, 0)->data(Qt::UserRole).toInt());
        const auto motifsOn = [&] { // per channel
            std::array<int, 3> motifs{};
            for (const PlannedMotif &planned : work()->plan.motifs)
                motifs[planned.channel.index()] += planned.op == op ? 1 : 0;
            return QStringLiteral("%1 %2 %3").arg(motifs[0]).arg(motifs[1]).arg(motifs[2]);
        };
        editor.opsTable().setCurrentCell(0, 0);
        editor.apply(RecutOp{op, {.segments = 70}, {ChannelId(0), ChannelId(1)}}, QStringLiteral("test"));
        QTRY_COMPARE(motifsOn(), QStringLiteral("35 35 0"));
        QCOMPARE(editor.segmentsBox().value(), 70);
        QCOMPARE(editor.channelBox().currentText(), QStringLiteral("e0, e1"));
        editor.segmentsBox().setValue(66);
        QTRY_COMPARE(motifsOn(), QStringLiteral("33 33 0"));
        editor.channelBox().setCurrentIndex(2);
        QTRY_COMPARE(motifsOn(), QStringLiteral("0 0 66"));
        QCOMPARE(editor.channelBox().currentText(), QStringLiteral("e2"));
        editor.channelBox().setCurrentIndex(3); // all in turn
        QTRY_COMPARE(motifsOn(), QStringLiteral("22 22 22"));
    }

    /// Until the timeline of an edited plan is there, the one before is shown, whose motifs have other numbers: drags on it are
    /// not taken for motifs of the new plan.
    void dragsOnAnOlderTimelineAreNotTaken() {
        editFifo();
        PlanEditor &editor = plans().editor();
        const DagOpId op(select("a2a-emb-fwd"));
        const auto label = static_cast<std::int32_t>(work()->dag.ops.size()); // of the first motif
        const std::size_t lane = work()->plan.motifs.front().channel.next().index();
        bool isStale = false, isTaken = false;
        const QObject scope; // of the connection
        connect(session().undoStack(), &QUndoStack::indexChanged, &scope, [&] {
            isStale = session().isStale(Side::B);
            editor.shift(label, lane, 1.0);
            isTaken = editor.isPending();
        });
        editor.splinesBox().setValue(2);
        QTRY_VERIFY(isStale);
        QVERIFY(!isTaken);
        QVERIFY(op.exists() && settle());
        editor.shift(label, lane, 1.0);
        QVERIFY(editor.isPending());
    }

    /// A click is on the plan that was pressed, although plans are added before and behind it until the release.
    void aClickStaysOnItsPlan() {
        const auto row = [](const char *name) { return PlanStack::Row{QString::fromLatin1(name), {}, oneMotif()}; };
        PlanStack stack(theme());
        stack.resize(800, 200);
        stack.setRows({row("fifo"), row("sched")});
        stack.show();
        QVERIFY(QTest::qWaitForWindowExposed(&stack));
        const QSignalSpy clicked(&stack, &PlanStack::rowClicked);
        std::size_t pressed = 1;
        for (const bool isInFront : {false, true}) {
            QTest::mousePress(stack.viewport(), Qt::LeftButton, {}, stack.positionOf(pressed, 0, 5e5));
            std::vector<PlanStack::Row> rows = stack.rows();
            rows.insert(isInFront ? rows.begin() : rows.end(), row("another"));
            pressed += isInFront ? 1 : 0;
            stack.setRows(std::move(rows));
            QCOMPARE(stack.rows()[pressed].name, QStringLiteral("sched"));
            QTest::mouseRelease(stack.viewport(), Qt::LeftButton, {}, stack.positionOf(pressed, 0, 5e5));
            QVERIFY(!clicked.isEmpty());
            QCOMPARE(clicked.last().front().toInt(), static_cast<int>(pressed));
        }
        QCOMPARE(clicked.count(), 2);
        // A plan that is gone is not clicked: another one is in its place.
        QTest::mousePress(stack.viewport(), Qt::LeftButton, {}, stack.positionOf(0, 0, 5e5));
        stack.setRows({row("new")});
        QTest::mouseRelease(stack.viewport(), Qt::LeftButton, {}, stack.positionOf(0, 0, 5e5));
        QCOMPARE(clicked.count(), 2);
    }

    /// The outline of a dragged motif is in the motif's place in the row, also where the row leaves out lanes above it.
    void theOutlineOfADragIsInItsPlace() {
        PlanStack stack(theme());
        stack.resize(800, 120);
        stack.setRows(
            {{.name = QStringLiteral("edited"), .figures = {}, .data = oneMotif(), .isEditable = true, .lanes = {0, 2}}});
        stack.show();
        QVERIFY(QTest::qWaitForWindowExposed(&stack));
        const QPoint at = stack.positionOf(0, 2, 5e5), to = at + QPoint(60, 0);
        QTest::mousePress(stack.viewport(), Qt::LeftButton, {}, at);
        QTest::mouseMove(stack.viewport(), to);
        const QImage picture = stack.viewport()->grab().toImage();
        double sum = 0, count = 0;
        for (int y = 0; y < picture.height(); ++y)
            if (picture.pixel(to.x(), y) == theme().color(ColorId::Accent).rgb()) {
                sum += y;
                ++count;
            }
        COMPARE_ABOVE(count, 0); // its upper and lower edge
        COMPARE_WITHIN(sum / count, to.y(), 1);
        QTest::mouseRelease(stack.viewport(), Qt::LeftButton, {}, to);
    }

    /// A motif that is dragged to the right in the timeline comes later in its channel's order.
    void motifsAreDragged() {
        openMeasured();
        run();
        click(planId(PlanMethod::Sched));
        QVERIFY(settle());
        showPage(PlanPreset::TimelinesPage);
        PlanStack &stack = plans().stack();
        const std::size_t row = stack.rows().size() - 1;
        QVERIFY(stack.rows()[row].isEditable);
        stack.verticalScrollBar()->setValue(stack.verticalScrollBar()->maximum());
        const PlannedWork before = *work();
        const std::size_t lane = before.plan.motifs.front().channel.index() + 1;
        const TimelineData &data = *stack.rows()[row].data;
        const Lane &spans = data.lane(lane);
        const auto ops = static_cast<std::int32_t>(before.dag.ops.size());
        bool changed = false;
        for (std::size_t s = 0; s + 1 < spans.size() && !changed; ++s) {
            if (spans.start[s] < data.origin() || spans.start[s + 1] > data.origin() + data.iteration())
                continue;
            // Just behind the start of the next motif, unless the DAG forbids it: then the next one is tried.
            const double from = static_cast<double>(spans.start[s] + spans.end[s]) / 2 - static_cast<double>(data.origin());
            const double by = static_cast<double>(spans.start[s + 1] - spans.start[s]) + 2e6;
            const QPoint at = stack.positionOf(row, lane, from), to = stack.positionOf(row, lane, from + by);
            const MotifId motif(spans.label[s] - ops);
            QVERIFY(stack.spanAt(at).has_value());
            QTest::mousePress(stack.viewport(), Qt::LeftButton, {}, at);
            QTest::mouseMove(stack.viewport(), (at + to) / 2);
            stack.setRows(std::vector<PlanStack::Row>(stack.rows())); // as another plan that is found sets them
            QTest::mouseMove(stack.viewport(), to);
            QTest::mouseRelease(stack.viewport(), Qt::LeftButton, {}, to);
            QTRY_VERIFY(!plans().editor().isPending());
            changed = work()->plan != before.plan;
            if (!changed)
                continue;
            const auto places = [&](const ExecutionPlan &plan) {
                const auto &order = plan.orders[lane - 1];
                const auto place = std::find_if(order.begin(), order.end(), [&](const auto &e) { return e.motif == motif; });
                if (place == order.end()) // it left its channel
                    return std::numeric_limits<std::ptrdiff_t>::min();
                return (place - order.begin()) - static_cast<std::ptrdiff_t>(order.size()) * place->iterationOffset;
            };
            COMPARE_ABOVE(static_cast<double>(places(work()->plan)), static_cast<double>(places(before.plan)));
            QVERIFY(session().undoStack()->undoText().endsWith(QStringLiteral("dragged")));
        }
        QVERIFY(changed);
        session().undoStack()->undo();
        QVERIFY(work()->plan == before.plan);
    }

    /// A plan of the job's DAG is played anew for each knob, and nothing is planned or read for it.
    void knobsReachPlans() {
        plans().sheet().methodSheet().nameBox().setCurrentIndex(static_cast<int>(PlanMethod::Fifo));
        run();
        click(planId(PlanMethod::Fifo));
        QVERIFY(settle());
        QVERIFY(session().run(Side::B)->plan());
        const double before = session().run(Side::B)->recording().iterationSeconds;
        COMPARE_ABOVE(session().run(Side::B)->recording().samplesPerSecond, 0);
        QSignalSpy planned(&plans().planner(), &Planner::planFound), read(&session(), &Session::planFileRead);
        SessionState next = session().state();
        next.bandwidthGbits = 0.5;
        session().change(next, QStringLiteral("Bandwidth"));
        QVERIFY(settle());
        QCOMPARE(planned.count(), 0);
        QCOMPARE(read.count(), 0);
        COMPARE_ABOVE(session().run(Side::B)->recording().iterationSeconds, before * 1.5);
        QVERIFY(plans().stateLabel().text().contains(QStringLiteral("before the knobs were turned")));
        // Its builder, chosen again, takes the plan's place.
        session().chooseStrategy(Side::B, textOf(session().state().side(Side::B).source), QStringLiteral("back"));
        QVERIFY(settle());
        QVERIFY(session().run(Side::B)->simulation());
    }

    /// A stop takes effect at once, and plans found until then stay. The next run, which begins when the stopped one has noticed,
    /// has its own proposals alone.
    void stops() {
        QVERIFY(open(QStringLiteral("resnet50")));
        plans().sheet().budgetBox().setValue(plans().sheet().budgetBox().maximum()); // more than can be used up before the stop
        QVERIFY(plans().sheet().methodSheet().setText("syndicate(chains=16)"));
        plans().startButton().click();
        QTRY_VERIFY(plans().planner().steps().size() > 10);
        QCOMPARE(plans().planner().foundCount(), 4);
        plans().stopButton().click();
        QCOMPARE(plans().planner().status(), Planner::Status::Stopped);
        QCOMPARE(plans().table().model().rowCount(), 4);
        QVERIFY(plans().stateLabel().text().startsWith(QStringLiteral("stopped with 4 of 7 plans")));
        QCOMPARE(plans().stopButton().text(), QStringLiteral("Again"));
        plans().sheet().budgetBox().setValue(20);
        QVERIFY(plans().sheet().methodSheet().setText("syndicate"));
        const auto task = planTask(session().state(), plans().planSettings());
        VERIFY_VALUE(task);
        std::size_t proposed = 0;
        VERIFY_VALUE(findPlan(task->request, PlanMethod::Syndicate, {}, [&](const PlanStep &) { ++proposed; }));
        run();
        QCOMPARE(plans().planner().steps().size(), proposed);
    }

    /// The memory limit of plans is the engine's; a text that is no size is refused where it is typed.
    void memoryIsBounded() {
        openMeasured();
        QCOMPARE(plans().planSettings().maxBytes, 0.0);
        plans().sheet().memoryField().setText(QStringLiteral("20 much"));
        QVERIFY(!plans().startButton().isEnabled());
        QVERIFY2(plans().stateLabel().text().startsWith(QStringLiteral("Memory: ")), qPrintable(plans().stateLabel().text()));
        plans().sheet().memoryField().setText(QStringLiteral("1KiB"));
        QCOMPARE(plans().planSettings().maxBytes, 1024.0);
        run();
        QCOMPARE(plans().planner().task()->request.maxBytes, 1024.0);
        QVERIFY2(plans().bestLabel().text().contains(QStringLiteral("more than the 1 KiB allowed")),
                 qPrintable(plans().bestLabel().text()));
        plans().sheet().memoryField().clear();
        run();
        QCOMPARE(plans().planner().task()->request.maxBytes, 0.0);
        QVERIFY(!plans().bestLabel().text().contains(QStringLiteral("allowed")));
    }

private:
    /// One worker's compute stream and two channels, each with a span in the middle of a millisecond.
    [[nodiscard]] static std::shared_ptr<const TimelineData> oneMotif() {
        auto timeline = std::make_shared<Timeline>();
        timeline->labels = {"motif"};
        timeline->duration = 1'000'000;
        for (const char *name : {"compute", "e0", "e1"}) {
            Lane lane;
            lane.name = name;
            lane.worker = 0;
            lane.start = {400'000};
            lane.end = {600'000};
            lane.category = {Category::OtherComm};
            lane.label = lane.variable = lane.task = {0};
            lane.sizeBytes = {0};
            timeline->lanes.push_back(lane);
        }
        return std::make_shared<const TimelineData>(timeline, 0, 1'000'000);
    }
    [[nodiscard]] std::shared_ptr<const PlannedWork> work() {
        return std::get<Planned>(session().state().side(Side::B).source).work;
    }
    void showPage(PlanPreset::Page page) {
        window().runs().choose(plans());
        window().action(QStringLiteral("plan"))->trigger();
        window().runs().setView(RunsPanel::View::Plot);
        plans().pages().setCurrentIndex(page);
        QCoreApplication::processEvents();
    }
    /// Selects the first collective whose name begins with it, in the editor; -1: there is none.
    [[nodiscard]] std::int32_t select(const char *name) {
        QTableWidget &ops = plans().editor().opsTable();
        for (int row = 0; row < ops.rowCount(); ++row)
            if (ops.item(row, 0)->text().startsWith(QLatin1String(name))) {
                ops.setCurrentCell(row, 0);
                return ops.item(row, 0)->data(Qt::UserRole).toInt();
            }
        return -1;
    }

    /// Plans, and shows FIFO's plan in B and in the editor.
    void editFifo() {
        openMeasured();
        run();
        click(planId(PlanMethod::Fifo));
        QVERIFY(settle());
        showPage(PlanPreset::EditorPage);
    }
};

QTEST_MAIN(TestPlans)
#include "tst_plans.moc"
