// SPDX-License-Identifier: GPL-3.0-or-later
// A training DAG as the job of the explorer: opened from a file or the catalogue without any job, planned on both sides, with
// planners where other jobs have builders, and kept in projects.
#include "engine/search/plan_methods.h"
#include "engine/session/dag_job.h"
#include "engine/session/planned_work.h"
#include "tests/checks.h"
#include "tests/ui/plans_fixture.h"
#include "ui/knobs/knob.h"
#include "ui/knobs/knob_bindings.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/project/project_keeper.h"
#include "ui/runs/plan_editor.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/search_preset.h"
#include "ui/session/loaded_state.h"
#include "ui/session/simulate_side.h"
#include "ui/variables/variables_panel.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <vector>

using namespace syncopate;
using namespace syncopate::testing;
using namespace syncopate::ui;

class TestDagSession : public QObject, PlansFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { start(); }
    void cleanup() { stop(); }

    /// Both sides show plans of the file, over the default cluster: the same as the command line's.
    void opensWithoutAJob() {
        QVERIFY(open(file()));
        const SessionState &state = session().state();
        QVERIFY(showsDag(state) && state.compare);
        QCOMPARE(state.clusterSource, std::string("B7"));
        const auto dag = std::make_shared<const TrainingDag>(*readTrainingDagFile(file().toStdString()));
        for (const auto &[side, method] : {std::pair(Side::A, PlanMethod::Fifo), {Side::B, PlanMethod::Syndicate}}) {
            QVERIFY(session().run(side) && session().run(side)->plan());
            PlanRequest request;
            request.dag = dag;
            request.channels = planChannels(*state.cluster);
            request.costs = modelledCosts(*state.cluster, request.channels);
            const auto found = findPlan(request, method);
            COMPARE_CLOSE(session().run(side)->recording().iterationSeconds, found->run.iterationSeconds);
            QCOMPARE(textOf(state.side(side).source), std::string(nameOf(method)));
        }
        // The panel of plans plans it.
        QVERIFY(plans().planSettings().dag && *plans().planSettings().dag == *dag);
        QCOMPARE(&window().runs().current(), static_cast<RunPreset *>(&plans()));
        QVERIFY(plans().startButton().isEnabled());
        plans().sheet().budgetBox().setValue(evaluations);
        run();
        click(planId(PlanMethod::HandMade));
        QVERIFY(settle());
        QCOMPARE(textOf(session().state().side(Side::B).source), std::string("ho"));
        session().undoStack()->undo();
        session().undoStack()->undo();
        QVERIFY(!session().state().job);
        session().undoStack()->redo();
        QVERIFY(settle());
        QVERIFY(session().run(Side::A) && session().run(Side::A)->plan());
    }

    /// Controls that do not apply to a DAG say so; the others are usable.
    void nothingIsDead() {
        QVERIFY(open(file()));
        KnobsPanel &knobs = window().knobs();
        for (const char *id : {"bandwidth", "latency"})
            QVERIFY2(knobs.knob(QLatin1String(id))->field()->isEnabled(), id);
        for (const char *id : {"workers", "servers", "partition"}) {
            QVERIFY2(!knobs.knob(QLatin1String(id))->field()->isEnabled(), id);
            QVERIFY2(!knobs.knob(QLatin1String(id))->field()->toolTip().isEmpty(), id);
        }
        QCOMPARE(knobs.foldButton().toolTip().count(whyNotSimulated(session().state())), 1); // of all policies' knobs
        QVERIFY(whyNotPlanned(session().state()).isEmpty());
        QVERIFY(whyNotSimulated(session().state()).contains(QStringLiteral("training DAG")));
        for (const char *id : {"plan", "compare", "swap", "sweep", "explain", "query", "topology", "save", "keep"})
            QVERIFY2(window().action(QLatin1String(id))->isEnabled(), id);
        for (const char *id : {"search", "tune", "conditions", "throughput"}) {
            QVERIFY2(!window().action(QLatin1String(id))->isEnabled(), id);
            QVERIFY2(window().action(QLatin1String(id))->toolTip().contains(QStringLiteral("training DAG")), id);
        }
        auto *variables = window().findChild<VariablesPanel *>();
        QVERIFY(variables->table()->isHidden());
        bool said = false;
        for (const QLabel *label : variables->findChildren<QLabel *>())
            said = said || (!label->isHidden() && label->text().contains(QStringLiteral("no variables")));
        QVERIFY(said);
        QVERIFY(!isOffered(PlanSheet::RecordedDagRow) && !isOffered(PlanSheet::GradientsDagRow));
        // A job of layers brings everything back.
        QVERIFY(openProfile(QStringLiteral("alexnet")));
        QVERIFY(!showsDag(session().state()) && session().run(Side::A)->simulation() && session().run(Side::B)->simulation());
        QVERIFY(!variables->table()->isHidden() && isOffered(PlanSheet::GradientsDagRow));
        QVERIFY(knobs.knob(QStringLiteral("workers"))->field()->isEnabled());
        QVERIFY(knobs.strategyBox(Side::A)->findText(QStringLiteral("PSLoadBalancing")) >= 0);
        QVERIFY(knobs.strategyBox(Side::A)->findText(QStringLiteral("ho")) < 0);
    }

    /// A side's box of strategies has planners, and a knob reaches the plan: S-Sched at twice the bandwidth.
    void planIsChosenAmongKnobs() {
        QVERIFY(open(file()));
        QComboBox &box = *window().knobs().strategyBox(Side::A);
        QCOMPARE(box.count(), planMethodCount);
        QVERIFY(box.findText(QStringLiteral("PSLoadBalancing")) < 0);
        choose(box, QStringLiteral("sched"));
        QVERIFY(settle());
        QCOMPARE(textOf(session().state().side(Side::A).source), std::string("sched"));
        QVERIFY(box.currentText().startsWith(QStringLiteral("S-Sched plan of")));
        // All of its four processes are in one node of B7, where no knob reaches them; on nodes of one GPU each one does.
        const auto &bandwidth = *std::ranges::find(bindings(), QStringLiteral("bandwidth"), &KnobBinding::id);
        QVERIFY(bandwidth.withoutEffect(session().state()).contains(QStringLiteral("one node")));
        SessionState slow = session().state();
        slow.cluster = std::make_shared<const Cluster>(uniformCluster(4, 1));
        session().change(slow, QStringLiteral("four nodes"));
        QVERIFY(settle());
        QVERIFY(!session().error(Side::A) && bandwidth.withoutEffect(session().state()).isEmpty());
        const double before = session().run(Side::A)->recording().iterationSeconds;
        slow.bandwidthGbits = 0.1;
        session().change(slow, QStringLiteral("slow"));
        QVERIFY(settle());
        COMPARE_ABOVE(session().run(Side::A)->recording().iterationSeconds, 1.5 * before);
        // An unknown planner is refused, and nothing changes.
        QSignalSpy failed(&session(), &Session::failed);
        session().chooseStrategy(Side::A, "AllReduce", QStringLiteral("A"));
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(textOf(session().state().side(Side::A).source), std::string("sched"));
    }

    /// A DAG of the catalogue is for the GPUs of its cluster, also of another one, for which it is planned again.
    void catalogueFollowsTheCluster() {
        QVERIFY(open(QStringLiteral("syndicate:a1")));
        QCOMPARE(session().state().clusterSource, std::string("syndicate"));
        QCOMPARE(session().run(Side::A)->recording().workers, session().state().cluster->replicaCount());
        useCluster(QStringLiteral("A2"));
        QCOMPARE(session().state().clusterSource, std::string("A2"));
        for (const Side side : {Side::A, Side::B}) {
            QVERIFY(session().run(side) && !session().error(side));
            QCOMPARE(session().run(side)->recording().workers, session().state().cluster->replicaCount());
        }
        QCOMPARE(plans().planSettings().dag->processes, session().state().cluster->replicaCount());
        // Its processes are the cluster's GPUs: what the knob of servers lacks is servers alone.
        const auto &servers = *std::ranges::find(bindings(), QStringLiteral("servers"), &KnobBinding::id);
        QCOMPARE(servers.whyNot(session().state()), QStringLiteral("A training DAG has no parameter servers."));
    }

    /// A plan on a cluster of the side's own is edited there: the shared one lacks its channels.
    void plansAreEditedOnTheirOwnCluster() {
        QVERIFY(open(file()));
        Cluster two = uniformCluster(4, 1);
        two.namedChannels = {{"e0", {"e0"}, 1.25e8, 0}, {"e1", {"e1"}, 5e7, 0}};
        two.channels = 2;
        SessionState own = session().state();
        own.compare = false;
        own.side(Side::A).cluster = std::make_shared<const Cluster>(std::move(two));
        own.side(Side::A).clusterSource = "two channels";
        const auto planned = plannedAgain(own, Side::A);
        VERIFY_VALUE(planned);
        session().change(*planned, QStringLiteral("A on two channels"));
        QVERIFY(settle());
        QVERIFY(!session().error(Side::A));
        PlanEditor &editor = plans().editor();
        QVERIFY(editor.side() == Side::A);
        QCOMPARE(editor.segmentsBox().value(), 1); // FIFO's plan
        editor.segmentsBox().setValue(2);
        QTRY_VERIFY(!editor.isPending());
        QVERIFY2(editor.answerLabel().isHidden(), qPrintable(editor.answerLabel().text()));
        QVERIFY(std::get<Planned>(session().state().side(Side::A).source).work->edited);
        QVERIFY(settle());
        QVERIFY(!session().error(Side::A));
    }

    /// A plan file has channels of its own: the iteration is as long at any bandwidth, and the knob says so, unless times that
    /// were measured on the cluster's links would be dropped.
    void aPlanFileIsReachedByNoKnob() {
        QVERIFY(open(file()));
        SessionState state = session().state();
        state.cluster = std::make_shared<const Cluster>(uniformCluster(4, 1));
        state.compare = false;
        session().change(state, QStringLiteral("four nodes"));
        const auto &bandwidth = *std::ranges::find(bindings(), QStringLiteral("bandwidth"), &KnobBinding::id);
        QVERIFY(settle() && bandwidth.withoutEffect(session().state()).isEmpty());
        session().chooseStrategy(Side::A, (measured + "plans/a2a-sched-s1.plan.json").toStdString(), QStringLiteral("A"));
        QTRY_VERIFY(!session().isLoading());
        QVERIFY(settle() && session().run(Side::A));
        const double iteration = session().run(Side::A)->recording().iterationSeconds;
        QVERIFY2(bandwidth.withoutEffect(session().state()).contains(QStringLiteral("the plan's channels")),
                 qPrintable(bandwidth.withoutEffect(session().state())));
        state = session().state();
        Cluster timed = *state.cluster;
        timed.collectives = {{CollectiveKind::AllToAll, 4, {{1e6, 0.1}, {1e8, 1}}}};
        SessionState onTimed = state;
        onTimed.cluster = std::make_shared<const Cluster>(std::move(timed));
        QCOMPARE(bandwidth.withoutEffect(onTimed), QString());
        onTimed.bandwidthGbits = 0.1; // to reset it has an effect, too
        QCOMPARE(bandwidth.withoutEffect(onTimed), QString());
        PlannedWork given = *std::get<Planned>(state.side(Side::A).source).work;
        given.clusterCosts = false;
        onTimed.side(Side::A).source = planned(state.side(Side::A).source, std::make_shared<const PlannedWork>(std::move(given)));
        QVERIFY(bandwidth.withoutEffect(onTimed).contains(QStringLiteral("the plan's channels")));
        state.bandwidthGbits = 0.1;
        session().change(state, QStringLiteral("slow"));
        QVERIFY(settle() && session().run(Side::A));
        COMPARE_CLOSE(session().run(Side::A)->recording().iterationSeconds, iteration, 1e-12);
    }

    /// The command line's cluster and planners; without a second planner A alone.
    void opensAsTheCommandLineSays() {
        std::array<SideState, 2> sides{};
        session().startWith(sides, false, {"bs+", ""});
        session().open(file(), QStringLiteral("A2"));
        QTRY_VERIFY(session().run(Side::A) != nullptr);
        QVERIFY(settle());
        QCOMPARE(session().state().clusterSource, std::string("A2"));
        QCOMPARE(textOf(session().state().side(Side::A).source), std::string("bs+"));
        QVERIFY(!session().state().compare && !session().run(Side::B));
        window().action(QStringLiteral("compare"))->trigger();
        QVERIFY(settle());
        QVERIFY(session().run(Side::B) && session().run(Side::B)->plan());
    }

    /// Another DAG takes the place of the first; a file that is none is refused and changes nothing.
    void anotherDagReplacesIt() {
        QVERIFY(open(file()));
        QVERIFY(openProfile(measured + QStringLiteral("dags/ar.dag.json")));
        QCOMPARE(session().state().job->name, std::string("ar"));
        QCOMPARE(plans().planSettings().dag->name, std::string("ar"));
        const SessionState before = session().state();
        QSignalSpy failed(&session(), &Session::failed);
        const QTemporaryDir folder;
        QFile broken(folder.filePath(QStringLiteral("broken.dag")));
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("dag x processes 2\nop a compute 1ms after b\n") > 0);
        broken.close();
        session().open(broken.fileName());
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(session().state() == before);
    }

    /// Saved and opened again without the file: the DAG, both plans and their planners.
    void projectsKeepIt() {
        const QTemporaryDir folder;
        const QString copy = folder.filePath(QStringLiteral("mine.dag.json"));
        QVERIFY(QFile::copy(file(), copy));
        QVERIFY(open(copy));
        window().action(QStringLiteral("keep"))->trigger();
        const double a = session().run(Side::A)->recording().iterationSeconds;
        const double b = session().run(Side::B)->recording().iterationSeconds;
        const QString project = folder.filePath(QStringLiteral("dag.syncopate"));
        QSignalSpy saved(&window().keeper(), &ProjectKeeper::saved);
        window().keeper().saveAs(project);
        QVERIFY(saved.wait(patience));
        stop();
        QVERIFY(QFile::remove(copy));
        start();
        QVERIFY(open(project));
        const SessionState &state = session().state();
        QVERIFY(showsDag(state));
        QCOMPARE(state.job->name, std::string("a2a-prefetch"));
        COMPARE_CLOSE(session().run(Side::A)->recording().iterationSeconds, a, 1e-12);
        COMPARE_CLOSE(session().run(Side::B)->recording().iterationSeconds, b, 1e-12);
        QCOMPARE(textOf(state.side(Side::B).source), std::string("syndicate"));
        QVERIFY(plans().planSettings().dag && plans().startButton().isEnabled());
        QCOMPARE(window().keeper().scenarios().size(), std::size_t{1});
        QVERIFY(window().keeper().scenarios().front().state.job == state.job);
        choose(*window().knobs().strategyBox(Side::A), QStringLiteral("ho"));
        QVERIFY(settle());
        QCOMPARE(textOf(session().state().side(Side::A).source), std::string("ho"));
    }

private:
    static const std::vector<KnobBinding> &bindings() {
        static const std::vector<KnobBinding> all = knobBindings();
        return all;
    }
    [[nodiscard]] static QString file() { return measured + QStringLiteral("dags/a2a-prefetch.dag.json"); }
    [[nodiscard]] bool isOffered(int row) {
        const QAbstractItemModel &rows = *plans().sheet().dagBox().model();
        return rows.flags(rows.index(row, 0)) & Qt::ItemIsEnabled;
    }
    static void choose(QComboBox &box, const QString &text) {
        const int row = box.findText(text);
        QVERIFY(row >= 0);
        box.setCurrentIndex(row);
        Q_EMIT box.activated(row);
    }
    void useCluster(const QString &name) {
        QSignalSpy loaded(&session(), &Session::loaded);
        session().openCluster(name);
        QVERIFY(loaded.wait(patience));
        QVERIFY(settle());
    }
};

QTEST_MAIN(TestDagSession)
#include "tst_dag_session.moc"
