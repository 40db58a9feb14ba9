// SPDX-License-Identifier: GPL-3.0-or-later
// Plans in the explorer: the same figures as `syncopate-cli plan`, sides that show plans, projects that keep them, and files that
// are refused.
#include "engine/base/rounding.h"
#include "engine/search/plan_search.h"
#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
#include "ui/export/export_sheet.h"
#include "ui/project/project_keeper.h"
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
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace syncopate;
using namespace syncopate::testing;
using namespace syncopate::ui;

namespace {

const QString measured = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/plan/");
constexpr int evaluations = 300; ///< of each chain: enough to find something, few enough to wait for

} // namespace

class TestPlans : public QObject, WindowFixture {
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
    void tableIsTheEngines() {
        useTwoChannels();
        window().action(QStringLiteral("plan"))->trigger();
        QVERIFY(!window().runs().visibleRegion().isEmpty());
        QVERIFY(plans().startButton().hasFocus());
        run();
        const auto task = planTask(session().state(), plans().planSettings());
        QVERIFY(task && task->ofJob);
        const double bound = planBoundSeconds(task->request);
        const QAbstractItemModel *table = &plans().table().proxy();
        QCOMPARE(table->rowCount(), planMethodCount);
        const auto cell = [&](int row, int column) { return table->index(row, column).data(Qt::UserRole).toDouble(); };
        const QStringList names{"FIFO", "BS+", "HO", "S-Exec", "S-Sched", "SYNDICATE", "Random"};
        double fifo = 0;
        for (int row = 0; row < planMethodCount; ++row) {
            const auto found = findPlan(task->request, static_cast<PlanMethod>(row));
            QVERIFY(found.has_value());
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

    /// Every proposal of the chosen search is a dot, in the colour of what became of it, over the methods and the bound.
    void historyIsTheSearchs() {
        openMeasured();
        plans().sheet().methodSheet().nameBox().setCurrentIndex(static_cast<int>(PlanMethod::Exec));
        run();
        const auto task = planTask(session().state(), plans().planSettings());
        std::size_t accepted = 0, all = 0;
        QVERIFY(findPlan(task->request, PlanMethod::Exec, {}, [&](const PlanStep &step) {
            ++all;
            accepted += step.accepted ? 1U : 0U;
        }));
        QVERIFY(accepted > 0 && accepted < all && all < 1000); // all dots are still discs
        HistoryPlot &plot = plans().plot();
        QTRY_COMPARE(static_cast<std::size_t>(plot.dotsGraph(0).dataCount()), accepted);
        QCOMPARE(static_cast<std::size_t>(plot.dotsGraph(1).dataCount()), all - accepted);
        QCOMPARE(plot.plot().yAxis2->label(), QStringLiteral("acceptance"));
        COMPARE_CLOSE(plot.hitRateGraph().data()->at(static_cast<int>(all) - 1)->value,
                      static_cast<double>(accepted) / static_cast<double>(all));
        window().runs().choose(plans());
        window().action(QStringLiteral("plan"))->trigger();
        QTRY_VERIFY(plot.shownLevels().join(QLatin1Char(' ')).contains(QStringLiteral("lower bound")));
        // What draws at random come to is a level among the others, and told.
        const auto levels = static_cast<HistoryModel &>(plans().table().model()).levels();
        const auto random = std::find_if(levels.begin(), levels.end(), [](const auto &level) { return level.name == u"Random"; });
        QVERIFY(random != levels.end() && random->kind == HistoryModel::Level::Kind::Reference);
        QCOMPARE(random->value, plans().planner().found(PlanMethod::Random)->run.iterationSeconds);
        const QString best = plans().bestLabel().text();
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
        // A click shows the row's plan in B, which is then a row that can be edited.
        QTest::mouseClick(stack.viewport(), Qt::LeftButton, {}, stack.positionOf(3, 0, 1e6));
        QVERIFY(settle());
        QCOMPARE(session().undoStack()->undoText(), QStringLiteral("S-Exec plan of a2a-prefetch as B"));
        QCOMPARE(stack.rows().size(), static_cast<std::size_t>(planMethodCount) + 1);
        QVERIFY(stack.rows().back().isEditable);
        QCOMPARE(stack.rows().back().figures, stack.rows()[3].figures);
    }

    /// A field changes the plan that B shows as the engine does, as one undo step.
    void editsAreTheEngines() {
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
        const TrainingDag dag = withSubmission(before.dag, before.enforced);
        const ChannelId channel = before.plan.motifs.front().channel; // FIFO has only one
        const auto splined = editPlan(dag, before.plan, before.costs, RecutOp{DagOpId(op), {.splines = 2}, {channel}});
        QVERIFY2(splined.has_value(), splined ? "" : splined.error().toString().c_str());
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

    /// What the algebra or the DAG does not allow is refused with the reason; nothing has changed, and the field says so again.
    void editsAreRefused() {
        editFifo();
        PlanEditor &editor = plans().editor();
        const SessionState before = session().state();
        QVERIFY(select("ar-top") >= 0);
        editor.splinesBox().setValue(2);
        QTRY_VERIFY(editor.answerLabel().isVisible());
        QVERIFY2(editor.answerLabel().text().contains(QStringLiteral("only all-to-alls and permutes are splined")),
                 qPrintable(editor.answerLabel().text()));
        QCOMPARE(editor.splinesBox().value(), 1);
        QVERIFY(session().state() == before);
        // The gradients' all-to-all may go up until it would come before what the forward pass waits for.
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
        QVERIFY(session().run(Side::B)->recording().samplesPerSecond > 0);
        SessionState next = session().state();
        next.bandwidthGbits = 0.5;
        session().change(next, QStringLiteral("Bandwidth"));
        QVERIFY(settle());
        COMPARE_ABOVE(session().run(Side::B)->recording().iterationSeconds, before * 1.5);
        QVERIFY(plans().stateLabel().text().contains(QStringLiteral("before the knobs were turned")));
        // Its builder, chosen again, takes the plan's place.
        session().chooseStrategy(Side::B, textOf(session().state().side(Side::B).source), QStringLiteral("back"));
        QVERIFY(settle());
        QVERIFY(session().run(Side::B)->simulation());
    }

    /// A stop is heard at once; what was found until then stays, and nothing more comes.
    void stops() {
        QVERIFY(open(QStringLiteral("resnet50"))); // takes longer than the test looks
        plans().sheet().budgetBox().setValue(1'000'000);
        QVERIFY(plans().sheet().methodSheet().setText("syndicate(chains=16)"));
        plans().startButton().click();
        QTRY_VERIFY(plans().planner().steps().size() > 10);
        QCOMPARE(plans().planner().foundCount(), 4);
        plans().stopButton().click();
        QCOMPARE(plans().planner().status(), Planner::Status::Stopped);
        const std::size_t steps = plans().planner().steps().size();
        QTest::qWait(300);
        QCOMPARE(plans().planner().steps().size(), steps);
        QCOMPARE(plans().table().model().rowCount(), 4);
        QVERIFY(plans().stateLabel().text().startsWith(QStringLiteral("stopped with 4 of 7 plans")));
        QCOMPARE(plans().stopButton().text(), QStringLiteral("Again"));
    }

    /// A plan file is a side's source: its own channels, no knobs.
    void planFilesOpen() {
        openMeasured();
        QSignalSpy read(&session(), &Session::planFileRead);
        plans().openFile(measured + QStringLiteral("plans/a2a-sched-s1.plan.json"));
        QVERIFY(read.wait(patience));
        QVERIFY(settle());
        const TrainingDag dag =
            withSubmission(*readTrainingDagFile((measured + "dags/a2a-prefetch.dag.json").toStdString()), true);
        const auto plan = readExecutionPlanFile((measured + "plans/a2a-sched-s1.plan.json").toStdString(), dag);
        const auto played = playPlan(dag, *plan, *readMotifCostsFile((measured + "collectives.csv").toStdString()));
        COMPARE_CLOSE(session().run(Side::B)->recording().iterationSeconds, played->iterationSeconds);
        QCOMPARE(session().state().side(Side::B).isPlanned(), true);
        QCOMPARE(session().undoStack()->undoText(), QStringLiteral("a2a-sched-s1 plan of a2a-prefetch as B"));
    }

    /// A profile's own collectives are what is planned where it has any, and data-parallel training where that is chosen; a
    /// project keeps the choice.
    void recordedCollectivesAreChosen() {
        auto &box = plans().sheet().dagBox();
        const auto isOffered = [&] {
            return box.model()->flags(box.model()->index(PlanSheet::RecordedDagRow, 0)) & Qt::ItemIsEnabled;
        };
        QCOMPARE(box.currentIndex(), static_cast<int>(PlanSheet::GradientsDagRow)); // of a job without profile
        QVERIFY(!isOffered());
        QVERIFY(open(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/profiles/hybrid_rank0.json")));
        QCOMPARE(box.currentIndex(), static_cast<int>(PlanSheet::RecordedDagRow));
        QVERIFY(isOffered());
        run();
        const auto dag = [&] { return plans().planner().task()->request.dag; };
        const auto hasAllToAll = [&] {
            return std::any_of(dag()->ops.begin(), dag()->ops.end(),
                               [](const DagOp &op) { return op.collective == CollectiveKind::AllToAll; });
        };
        QVERIFY(plans().planner().task()->ofRecording && hasAllToAll());
        QCOMPARE(dag()->submissionOrder.size(), std::size_t{6});
        QVERIFY2(plans().bestLabel().toolTip().startsWith(QStringLiteral("6 collectives of the recorded step")),
                 qPrintable(plans().bestLabel().toolTip()));
        click(planId(PlanMethod::Fifo));
        QVERIFY(settle());
        COMPARE_CLOSE(session().run(Side::B)->recording().iterationSeconds,
                      plans().planner().found(PlanMethod::Fifo)->run.iterationSeconds);
        QTest::keyClick(&box, Qt::Key_Down);
        QCOMPARE(box.currentIndex(), static_cast<int>(PlanSheet::GradientsDagRow));
        run();
        QVERIFY(plans().planner().task()->ofJob && !hasAllToAll());
        QVERIFY(plans().bestLabel().toolTip().isEmpty());
        plans().sheet().memoryField().setText(QStringLiteral("3GiB"));
        const QJsonObject kept = plans().settings();
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("chosen.syncopate"));
        QVERIFY(saveAndOpenAgain(file));
        QVERIFY(settle());
        // Although B shows a plan of the recorded collectives.
        QTRY_COMPARE(plans().settings(), kept);
        QCOMPARE(plans().planSettings().collectives, PlannedCollectives::Gradients);
        QVERIFY(!plans().planSettings().dag);
        QTest::keyClick(&plans().sheet().dagBox(), Qt::Key_Up);
        QCOMPARE(plans().planSettings().collectives, PlannedCollectives::Recorded);
        QVERIFY(!plans().planSettings().dag);
        QCOMPARE(plans().planSettings().maxBytes, 3.0 * 1024 * 1024 * 1024);
    }

    /// What plans may hold is the engine's bound; what is no size is refused where it is typed.
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

    /// Saved and opened again, also without the files: the same plan, DAG and costs.
    void projectsKeepPlans() {
        openMeasured();
        run();
        click(planId(PlanMethod::Sched));
        QVERIFY(settle());
        plans().sheet().seedBox().setValue(7);
        const double iteration = session().run(Side::B)->recording().iterationSeconds;
        const auto work = std::get<Planned>(session().state().side(Side::B).source).work;
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("plans.syncopate"));
        QVERIFY(saveAndOpenAgain(file));
        QTRY_VERIFY(session().run(Side::B) != nullptr);
        QVERIFY(settle());
        const auto &side = session().state().side(Side::B);
        QVERIFY(side.isPlanned());
        const PlannedWork &read = *std::get<Planned>(side.source).work;
        QVERIFY(read.dag == work->dag);
        QVERIFY(read.plan.motifs == work->plan.motifs && read.plan.orders == work->plan.orders);
        QCOMPARE(read.title, work->title);
        COMPARE_CLOSE(session().run(Side::B)->recording().iterationSeconds, iteration, 1e-12);
        QCOMPARE(textOf(side.source), textOf(withoutRuns(side.source)));
        // The sheet goes on with what the plan was made from.
        QTRY_COMPARE(plans().sheet().seedBox().value(), 7);
        const PlanSettings settings = plans().planSettings();
        QVERIFY(settings.dag && *settings.dag == work->dag);
        QVERIFY(settings.costs && settings.costs->curves.size() == work->costs.curves.size());
    }

    /// Another project has nothing of the one before: neither the DAG and costs that were read, nor the plans for them.
    void anotherProjectForgetsTheDag() {
        const QTemporaryDir folder;
        const QString plain = folder.filePath(QStringLiteral("plain.syncopate"));
        QSignalSpy saved(&window().keeper(), &ProjectKeeper::saved);
        window().keeper().saveAs(plain);
        QVERIFY(saved.wait(patience));
        window().keeper().saveAs(folder.filePath(QStringLiteral("other.syncopate")));
        QVERIFY(saved.wait(patience));
        openMeasured();
        run();
        click(planId(PlanMethod::Sched));
        QVERIFY(settle());
        QVERIFY(plans().planSettings().dag && plans().planSettings().costs);
        session().open(plain);
        QTRY_COMPARE(window().keeper().path(), plain);
        QVERIFY(settle());
        const PlanSettings settings = plans().planSettings();
        QVERIFY(!settings.dag && !settings.costs);
        QCOMPARE(plans().sheet().dagBox().currentIndex(), static_cast<int>(PlanSheet::GradientsDagRow));
        QCOMPARE(plans().sheet().dagBox().count(), 3); // the profile's, which has none, the job's, and to open another
        QCOMPARE(plans().sheet().costsBox().count(), 2);
        QCOMPARE(plans().planner().status(), Planner::Status::Idle);
        QCOMPARE(plans().table().model().rowCount(), 0);
        plans().startButton().click();
        QTRY_VERIFY(plans().planner().task());
        QVERIFY(plans().planner().task()->ofJob);
    }

    /// The export sheet writes the plan of a side, for `syncopate-cli plan --plan` and the sheet of plans to read.
    void plansAreExported() {
        openMeasured();
        run();
        click(planId(PlanMethod::Syndicate));
        QVERIFY(settle());
        window().action(QStringLiteral("export"))->trigger();
        auto *sheet = window().findChild<ExportSheet *>();
        QVERIFY(sheet);
        sheet->setTab(ExportSheet::StrategyTab);
        sheet->choice("strategySide")->setCurrentIndex(sheet->choice("strategySide")->findData(static_cast<int>(Side::B)));
        QTRY_VERIFY(sheet->content() && *sheet->content());
        const ExportFile &file = (*sheet->content())->files.front();
        QVERIFY2(file.name.endsWith(QStringLiteral(".plan.json")), qPrintable(file.name));
        const PlannedWork &work = *std::get<Planned>(session().state().side(Side::B).source).work;
        const auto read = readExecutionPlanText(file.bytes.toStdString(), work.dag);
        QVERIFY2(read.has_value(), read ? "" : read.error().toString().c_str());
        QVERIFY(read->motifs == work.plan.motifs && read->orders == work.plan.orders);
        sheet->reject();
    }

    void hostileFilesAreRefused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("place");
        QTest::newRow("cut short") << "d.json" << QByteArray("{\"name\": \"x\", \"hosts\": 4, \"ops\": [") << "byte";
        QTest::newRow("no hosts") << "d.json" << QByteArray("{\"name\": \"x\", \"ops\": []}") << "byte 0";
        QTest::newRow("negative") << "d.json"
                                  << QByteArray("{\"name\": \"x\", \"hosts\": 4, \"ops\": [{\"name\": \"a\", \"kind\": "
                                                "\"compute\", \"seconds\": -1}]}")
                                  << "ops[0].seconds";
        QTest::newRow("cycle") << "d.json"
                               << QByteArray("{\"name\": \"x\", \"hosts\": 4, \"ops\": [{\"name\": \"a\", \"kind\": \"compute\", "
                                             "\"seconds\": 1, \"parents\": [\"a\"]}]}")
                               << "ops[0]";
        QTest::newRow("other dag") << "p.json" << QByteArray("{\"name\": \"p\", \"dag\": \"other\"}") << "dag";
        QTest::newRow("costs") << "c.csv"
                               << QByteArray("case,collective,channel,spline,bytes_per_process,all_ranks_seconds_median\n"
                                             "alone,all_reduce,e0,0/1,nan,1\n")
                               << "2";
    }
    void hostileFilesAreRefused() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(QString, place);
        const QTemporaryDir folder;
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        const SessionState before = session().state();
        QSignalSpy failed(&session(), &Session::failed);
        plans().openFile(file.fileName());
        QTRY_COMPARE(failed.count(), 1);
        const auto error = failed.front().front().value<Error>();
        QCOMPARE(QString::fromStdString(error.file), file.fileName());
        QVERIFY2(error.place.find(place.toStdString()) != std::string::npos, error.toString().c_str());
        QVERIFY(!error.remedy.empty());
        QVERIFY(session().state() == before);
        QVERIFY(!plans().planSettings().dag && !plans().planSettings().costs);
    }

    /// A DAG that is opened like any other file becomes what is planned.
    void dagsOpenLikeJobs() {
        session().open(measured + QStringLiteral("dags/ar.dag.json"));
        QTRY_VERIFY(plans().planSettings().dag != nullptr);
        QCOMPARE(plans().planSettings().dag->name, std::string("ar"));
        QVERIFY(!window().runs().visibleRegion().isEmpty());
        QCOMPARE(&window().runs().current(), static_cast<RunPreset *>(&plans()));
        stop();
        start();
        QSignalSpy failed(&session(), &Session::failed);
        session().open(measured + QStringLiteral("dags/ar.dag.json")); // nothing is loaded to plan it on
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed.front().front().value<Error>().remedy.find("open a job") == 0);
    }

private:
    PlanPreset &plans() { return window().plans(); }

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
    /// Selects the first collective whose name begins so, in the editor; -1: there is none.
    [[nodiscard]] std::int32_t select(const char *name) {
        QTableWidget &ops = plans().editor().opsTable();
        for (int row = 0; row < ops.rowCount(); ++row)
            if (ops.item(row, 0)->text().startsWith(QLatin1String(name))) {
                ops.setCurrentCell(row, 0);
                return ops.item(row, 0)->data(Qt::UserRole).toInt();
            }
        return -1;
    }

    void useTwoChannels() {
        Cluster two = uniformCluster(4, 1);
        two.name = "two channels";
        two.namedChannels = {{"e0", {"e0"}, 1.25e8, 0}, {"e1", {"e1"}, 5e7, 0}};
        two.channels = 2;
        SessionState next = session().state();
        next.cluster = std::make_shared<const Cluster>(std::move(two));
        session().change(next, QStringLiteral("two channels"));
        QVERIFY(settle());
    }
    /// The measured step over its two channels.
    void openMeasured() {
        useTwoChannels();
        QSignalSpy read(&session(), &Session::planFileRead);
        plans().openFile(measured + QStringLiteral("dags/a2a-prefetch.dag.json"));
        QVERIFY(read.wait(patience));
        plans().openFile(measured + QStringLiteral("collectives.csv"));
        QVERIFY(read.wait(patience));
        QVERIFY(settle());
    }
    /// Saves the project, and opens it in another window.
    bool saveAndOpenAgain(const QString &file) {
        QSignalSpy saved(&window().keeper(), &ProjectKeeper::saved);
        window().keeper().saveAs(file);
        if (!saved.wait(patience))
            return false;
        stop();
        start();
        session().open(file);
        return QTest::qWaitFor([&] { return window().keeper().path() == file; }, patience);
    }
    void run() {
        plans().startButton().click();
        QTRY_COMPARE(plans().planner().status(), Planner::Status::Done);
    }
    /// Plans, and shows FIFO's plan in B and in the editor.
    void editFifo() {
        openMeasured();
        run();
        click(planId(PlanMethod::Fifo));
        QVERIFY(settle());
        showPage(PlanPreset::EditorPage);
    }
    void click(RunId id) {
        window().runs().choose(plans());
        window().action(QStringLiteral("plan"))->trigger();
        window().runs().setView(RunsPanel::View::Table);
        QTableView &table = plans().table().table();
        const QModelIndex index = plans().table().proxy().mapFromSource(
            plans().table().model().index(plans().table().model().rowOf(id), PlanModel::Iteration));
        QVERIFY(index.isValid());
        table.scrollTo(index);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
    }
};

QTEST_MAIN(TestPlans)
#include "tst_plans.moc"
