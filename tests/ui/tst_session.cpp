// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/units.h"
#include "engine/session/planned_work.h"
#include "engine/session/recorded_cluster.h"
#include "engine/store/project_file.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/comm_policy.h"
#include "engine/strategy/strategy_file.h"
#include "tests/checks.h"
#include "tests/scenarios.h"
#include "tests/ui/slow_side.h"
#include "ui/inspector/inspector_model.h"
#include "ui/knobs/knob_bindings.h"
#include "ui/session/loaded_state.h"
#include "ui/session/sample.h"
#include "ui/session/session.h"
#include "ui/theme/theme.h"
#include "ui/variables/variables_model.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <atomic>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

SessionState smallState(int layers = 6) {
    std::vector<testing::LayerSpec> specs(static_cast<std::size_t>(layers), {0.002, 0.004, 500000});
    SessionState state;
    state.source = "chain";
    state.job = std::make_shared<const Job>(testing::chainJob(specs));
    state.clusterSource = "uniform";
    state.cluster = std::make_shared<const Cluster>(uniformCluster(4, 10));
    state.sides = defaultSides();
    return state;
}

bool waitSettled(Session &session) {
    return QTest::qWaitFor([&session] { return !session.isStale(); }, syncopate::testing::patience);
}

void turnsWhatItNames(const KnobBinding &knob, const SessionState &state) {
    QVERIFY2(knob.whyNot(state).isEmpty(), qPrintable(knob.id));
    const double wanted = knob.info.integer ? std::min(3.0, knob.info.most) : knob.info.least * 2;
    SessionState turned = state;
    knob.set(turned, wanted);
    QVERIFY2(!(turned == state), qPrintable(knob.id));
    QCOMPARE(knob.value(turned), wanted);
    QVERIFY(knob.isChanged(turned));
    QVERIFY(makeScenario(turned, Side::A).has_value());
    knob.reset(turned);
    QVERIFY(!knob.isChanged(turned));
    QCOMPARE(knob.value(turned), knob.value(state));
    // The text shown by a knob can be typed back into it.
    const auto read = knob.info.parse(knob.info.format(wanted));
    QVERIFY(read);
    COMPARE_CLOSE(*read, wanted, 0.01, knob.id);
}

} // namespace

class TestSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void simulatesBothSides() {
        Session session;
        session.change(smallState(), QStringLiteral("open"));
        QVERIFY(waitSettled(session));
        QVERIFY(session.run(Side::A) && session.run(Side::B));
        // The views show the engine's figures.
        const auto direct = simulate(*makeScenario(session.state(), Side::A));
        QVERIFY(direct.has_value());
        QCOMPARE(session.run(Side::A)->recording().iterationSeconds, (*direct)->iterationSeconds);
        QCOMPARE(session.run(Side::A)->variables().size(), session.state().job->variables.size());
    }

    void aMeasuredSideShowsTheProfile() {
        Session session;
        session.startWith({SideState{Measured{}, "fifo"}, SideState{Built{"AllReduce(chunk_size=128)"}, "ddp"}}, true);
        session.openSample();
        QVERIFY(QTest::qWaitFor([&] { return session.state().profile && !session.isLoading() && !session.isStale(); },
                                syncopate::testing::patience));
        const auto &profile = *session.state().profile;
        const auto measured = session.run(Side::A);
        QVERIFY(measured && !measured->simulation());
        const ProfileStep &step = profile.steps[static_cast<std::size_t>(profile.jobStep)];
        QCOMPARE(measured->recording().windowStartSeconds, step.startSeconds);
        QCOMPARE(measured->recording().iterationSeconds, step.lengthSeconds);
        // The layers' times add up to the step's busy time.
        const double layers = profile.job.forwardSeconds() + profile.job.backwardSeconds() + profile.job.updateSeconds;
        COMPARE_CLOSE(measured->window().computeSeconds, layers, 0.01);
        // A measured side has no scenario to simulate.
        QVERIFY(!makeScenario(session.state(), Side::A).has_value());
        VariablesModel table;
        table.set(session.state().job, measured, session.run(Side::B));
        QCOMPARE(table.index(0, VariablesModel::TimeA).data().toString(), QStringLiteral("–"));
        QVERIFY(table.index(0, VariablesModel::TimeB).data().toString() != QStringLiteral("–"));
        // A job without a profile is simulated again.
        session.open(QStringLiteral("alexnet"));
        QVERIFY(QTest::qWaitFor([&] { return !session.state().profile && !session.isLoading() && !session.isStale(); },
                                syncopate::testing::patience));
        QVERIFY(session.run(Side::A) && session.run(Side::A)->simulation());
    }

    /// A strategy file is read when it is chosen, and never again when a knob turns.
    void aStrategyFileMayGoOnceItIsChosen() {
        QTemporaryDir folder;
        const SessionState state = smallState();
        const Strategy strategy = *buildStrategy("PartitionedPS", *state.job, *state.cluster);
        QFile file(folder.filePath(QStringLiteral("chosen.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(writeStrategyJson(strategy)));
        file.close();
        Session session;
        session.change(state, QStringLiteral("open"));
        session.chooseStrategy(Side::A, file.fileName().toStdString(), QStringLiteral("file"));
        QVERIFY(session.isLoading()); // on the loader's thread
        QVERIFY(QTest::qWaitFor([&] { return !session.isLoading() && !session.isStale(); }, syncopate::testing::patience));
        QVERIFY(session.run(Side::A)->simulation()->scenario.strategy->nodes == strategy.nodes);
        QVERIFY(file.remove());
        SessionState next = session.state();
        next.bandwidthGbits = 40;
        session.change(next, QStringLiteral("bandwidth"));
        QVERIFY(waitSettled(session));
        QVERIFY2(!session.error(Side::A), session.error(Side::A) ? session.error(Side::A)->toString().c_str() : "");
        QVERIFY(session.run(Side::A)->simulation()->scenario.strategy->nodes == strategy.nodes);
        session.undoStack()->undo();
        session.undoStack()->undo();
        QVERIFY(session.state() == state);
    }

    void aSideMayHaveAClusterOfItsOwn() {
        Session session;
        SessionState state = smallState();
        state.sides[1] = state.sides[0];
        session.change(state, QStringLiteral("open"));
        session.openCluster(QStringLiteral("A2"), Side::B);
        QVERIFY(QTest::qWaitFor([&] { return session.state().sides[1].cluster && !session.isStale(); },
                                syncopate::testing::patience));
        const auto iteration = [&](Side side) { return session.run(side)->recording().iterationSeconds; };
        QCOMPARE(session.run(Side::A)->simulation()->scenario.cluster->name, state.cluster->name);
        QCOMPARE(*session.run(Side::B)->simulation()->scenario.cluster, *catalogueCluster("A2"));
        const double a = iteration(Side::A), b = iteration(Side::B);
        QVERIFY(a != b);
        session.undoStack()->undo();
        QVERIFY(waitSettled(session));
        QCOMPARE(iteration(Side::B), a);
        session.undoStack()->redo();
        QVERIFY(waitSettled(session));
        QCOMPARE(iteration(Side::B), b);
    }

    /// B's own cluster replaces a measurement by its simulation, but a plan stays one.
    void aPlanStaysOnAnotherCluster() {
        SessionState state = smallState();
        state.profile = std::make_shared<const ImportedProfile>();
        SessionState moved = state;
        moved.side(Side::B).cluster = std::make_shared<const Cluster>(uniformCluster(4, 1));
        moved.side(Side::B).clusterSource = "own.yml";
        state.compare = false;
        state.side(Side::B).source = Measured{};
        const SessionState simulated = withLoaded(state, moved, false);
        QVERIFY(simulated.compare && simulated.side(Side::B).hasScenario());
        state.side(Side::B).source = Planned{std::make_shared<const PlannedWork>(), Built{"fifo"}};
        const SessionState planned = withLoaded(state, moved, false);
        QVERIFY(planned.compare && planned.side(Side::B).source == state.side(Side::B).source);
        QCOMPARE(planned.side(Side::B).clusterSource, std::string("own.yml"));
    }

    /// A cluster that is edited while a job is read stays edited, and a job that is changed while a cluster is read stays
    /// changed.
    void changesDuringALoadStay() {
        Session session;
        session.change(smallState(), QStringLiteral("open"));
        session.open(QStringLiteral("alexnet"));
        SessionState next = session.state();
        next.cluster = std::make_shared<const Cluster>(uniformCluster(4, 5));
        next.clusterEdited = true;
        next.bandwidthGbits = 3;
        next.side(Side::B).cluster = std::make_shared<const Cluster>(uniformCluster(2, 5));
        next.side(Side::B).clusterSource = "own";
        session.change(next, QStringLiteral("edit"));
        QVERIFY(QTest::qWaitFor([&] { return session.state().source == "alexnet"; }, syncopate::testing::patience));
        QVERIFY(session.state().cluster == next.cluster && session.state().clusterEdited);
        QCOMPARE(session.state().bandwidthGbits, next.bandwidthGbits);
        QVERIFY(session.state().side(Side::B).cluster == next.side(Side::B).cluster);
        session.openCluster(QStringLiteral("A2"));
        next = session.state();
        next.job = std::make_shared<const Job>(*next.job);
        session.change(next, QStringLiteral("batch"));
        QVERIFY(QTest::qWaitFor([&] { return session.state().clusterSource == "A2"; }, syncopate::testing::patience));
        QVERIFY(session.state().job == next.job);
        QVERIFY(!session.state().bandwidthGbits); // of the cluster before
        QVERIFY(waitSettled(session));
    }

    /// An edited cluster is not replaced by the one that comes with a job, although it was edited only while the job was read.
    void anEditDuringALoadOutlastsTheJobsCluster() {
        Session session;
        SessionState next = smallState();
        next.clusterSource = recordedClusterName; // came with a job: the next one brings another
        session.change(next, QStringLiteral("open"));
        session.open(QStringLiteral("alexnet"));
        next.cluster = std::make_shared<const Cluster>(uniformCluster(4, 5));
        next.clusterEdited = true;
        next.bandwidthGbits = 3;
        session.change(next, QStringLiteral("edit"));
        QVERIFY(QTest::qWaitFor([&] { return session.state().source == "alexnet"; }, syncopate::testing::patience));
        QVERIFY(session.state().cluster == next.cluster && session.state().clusterEdited);
        QCOMPARE(session.state().clusterSource, next.clusterSource);
        QCOMPARE(session.state().bandwidthGbits, next.bandwidthGbits);
        QVERIFY(waitSettled(session));
        session.undoStack()->undo();
        session.undoStack()->undo();
        session.open(QStringLiteral("vgg11")); // not edited
        QVERIFY(QTest::qWaitFor([&] { return session.state().source == "vgg11"; }, syncopate::testing::patience));
        QVERIFY(session.state().clusterSource != next.clusterSource && !session.state().clusterEdited);
        QVERIFY(waitSettled(session));
    }

    /// A cluster that is opened before any job is that of the job opened next, which still gets the strategies of the start; the
    /// window says so. It is the user's regardless of its file's name: here that of the sample's cluster.
    void aClusterOpenedFirstWaitsForTheJob() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("cluster_8x1gbe.yml")));
        const Cluster cluster = uniformCluster(3, 7);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(writeResourceSpec(cluster)));
        file.close();
        Session session;
        session.startWith(defaultSides(), false, {"PS", ""});
        QSignalSpy remarks(&session, &Session::remarked);
        session.open(file.fileName());
        QVERIFY(QTest::qWaitFor([&] { return session.state().cluster && !session.isLoading(); }, syncopate::testing::patience));
        QVERIFY(!session.state().job);
        QCOMPARE(remarks.size(), 1);
        QVERIFY2(remarks[0][0].toString().contains(QStringLiteral("cluster_8x1gbe.yml")), qPrintable(remarks[0][0].toString()));
        session.open(QStringLiteral("alexnet"));
        QVERIFY(QTest::qWaitFor([&] { return session.run(Side::A) && !session.isLoading() && !session.isStale(); },
                                syncopate::testing::patience));
        QCOMPARE(session.state().cluster->nodes.size(), cluster.nodes.size());
        QCOMPARE(session.state().clusterSource, file.fileName().toStdString());
        QCOMPARE(textOf(session.state().side(Side::A).source), std::string("PS"));
        QCOMPARE(remarks.size(), 1);
    }

    void newestWins() {
        Session session;
        session.change(smallState(), QStringLiteral("open"));
        QVERIFY(waitSettled(session));
        QSignalSpy runs(&session, &Session::runsChanged);
        for (int i = 1; i <= 60; ++i) {
            SessionState next = session.state();
            next.bandwidthGbits = 1 + i * 0.5;
            session.preview(next);
            if (i % 20 == 0)
                QTest::qWait(5);
        }
        QVERIFY(waitSettled(session));
        QVERIFY(runs.size() >= 1 && runs.size() <= 60);
        QCOMPARE(gbitsFromBytesPerSecond(session.run(Side::A)->simulation()->scenario.cluster->nodes[0].bandwidthBytesPerSecond),
                 31.0);
        QCOMPARE(gbitsFromBytesPerSecond(session.run(Side::B)->simulation()->scenario.cluster->nodes[0].bandwidthBytesPerSecond),
                 31.0);
    }

    void sidesAppearWhenEachIsReady() {
        Session session;
        QSignalSpy failures(&session, &Session::failed);
        session.change(slowB(), QStringLiteral("open"));
        QElapsedTimer clock;
        clock.start();
        while (session.isStale(Side::A) && clock.elapsed() < syncopate::testing::patience)
            QCoreApplication::processEvents();
        QVERIFY(session.run(Side::A) != nullptr); // even while it is held for the end of the frame
        QVERIFY(!session.isStale(Side::A) && session.isStale(Side::B) && !session.run(Side::B));
        QCOMPARE(session.waitedSeconds(Side::A), 0.0);
        // A's next state does not affect B's simulation, which has been running since the start.
        QTest::qWait(20);
        const double waited = session.waitedSeconds(Side::B);
        const auto before = session.run(Side::A);
        SessionState next = session.state();
        next.side(Side::A).policy = "horovod";
        session.change(next, QStringLiteral("A"));
        QVERIFY(QTest::qWaitFor([&] { return session.run(Side::A) != before; }, syncopate::testing::patience));
        QVERIFY(session.isStale(Side::B));
        COMPARE_AT_LEAST(session.waitedSeconds(Side::B), waited);
        // B's next state leaves A's picture unchanged.
        const auto shown = session.run(Side::A);
        next.side(Side::B).policy = "fifo";
        session.change(next, QStringLiteral("B"));
        QVERIFY(session.run(Side::A) == shown && !session.isStale(Side::A));
        session.cancelSimulation(Side::B);
        QVERIFY(!session.isStale() && !session.run(Side::B));
        QVERIFY(session.error(Side::B) && session.error(Side::B)->isCancelled());
        QVERIFY(failures.isEmpty()); // the user cancelled it and knows
        const QSignalSpy told(&session, &Session::runsChanged);
        session.simulateAgain(Side::B);
        QVERIFY(session.isStale(Side::B) && !session.error(Side::B));
        QCOMPARE(told.count(), 1);
        session.cancelSimulation(Side::B);
    }

    void aDragIsOneUndoStep() {
        Session session;
        session.change(smallState(), QStringLiteral("open"));
        const SessionState before = session.state();
        const int steps = session.undoStack()->count();
        for (int i = 1; i <= 10; ++i) {
            SessionState next = session.state();
            next.bandwidthGbits = 10 + i;
            session.preview(next);
        }
        session.commitPreview(QStringLiteral("Bandwidth 10 → 20 Gbit/s"));
        const SessionState after = session.state();
        QCOMPARE(session.undoStack()->count(), steps + 1);
        QCOMPARE(session.undoStack()->undoText(), QStringLiteral("Bandwidth 10 → 20 Gbit/s"));
        session.undoStack()->undo();
        QVERIFY(session.state() == before);
        QVERIFY(waitSettled(session));
        const double was = session.run(Side::A)->recording().iterationSeconds;
        session.undoStack()->redo();
        QVERIFY(session.state() == after);
        QVERIFY(waitSettled(session));
        QVERIFY(session.run(Side::A)->recording().iterationSeconds != was);
        session.undoStack()->undo();
        QVERIFY(waitSettled(session));
        QCOMPARE(session.run(Side::A)->recording().iterationSeconds, was);
        // A drag back to its start is not a step.
        SessionState away = session.state();
        away.bandwidthGbits = 99;
        session.preview(away);
        session.preview(before);
        session.commitPreview(QStringLiteral("nothing"));
        QVERIFY(!session.undoStack()->canUndo() || session.undoStack()->undoText() != QStringLiteral("nothing"));
    }

    /// While B follows the conditions that play, say: Undo leads back to what was before the preview.
    void aChangeDuringAPreviewIsUndoneWithIt() {
        Session session;
        session.change(smallState(), QStringLiteral("open"));
        const SessionState before = session.state();
        SessionState previewed = before, changed = before;
        previewed.bandwidthGbits = 11;
        changed.bandwidthGbits = 12;
        session.preview(previewed);
        session.change(changed, QStringLiteral("12 Gbit/s"));
        QVERIFY(session.state() == changed);
        session.undoStack()->undo();
        QCOMPARE(session.state().bandwidthGbits, before.bandwidthGbits);
        QVERIFY(session.state() == before);
        const int steps = session.undoStack()->count();
        session.preview(previewed);
        session.change(before, QStringLiteral("back"));
        QVERIFY(session.state() == before);
        QCOMPARE(session.undoStack()->count(), steps);
    }

    void unchangedSidesAreNotSimulatedAgain() {
        Session session;
        session.change(smallState(), QStringLiteral("open"));
        QVERIFY(waitSettled(session));
        const auto a = session.run(Side::A);
        SessionState next = session.state();
        next.side(Side::B).source = Built{"PS"};
        session.change(next, QStringLiteral("strategy"));
        QVERIFY(waitSettled(session));
        QCOMPARE(session.run(Side::A), a);
    }

    void aBadExpressionNamesItsSide() {
        Session session;
        session.change(smallState(), QStringLiteral("open"));
        QVERIFY(waitSettled(session));
        QString failure;
        connect(&session, &Session::failed, &session,
                [&failure](const Error &error, bool) { failure = QString::fromStdString(error.toString()); });
        SessionState next = session.state();
        next.side(Side::B).source = Built{"Nonsense(3)"};
        session.change(next, QStringLiteral("strategy"));
        QVERIFY(waitSettled(session));
        QVERIFY(session.run(Side::A));
        QVERIFY(!session.run(Side::B));
        QVERIFY(session.error(Side::B).has_value());
        QVERIFY2(failure.contains(QStringLiteral("B: ")), qPrintable(failure));
        session.undoStack()->undo();
        QVERIFY(waitSettled(session));
        QVERIFY(session.run(Side::B) && !session.error(Side::B));
    }

    void loadsAndCancels() {
        Session session;
        QSignalSpy ended(&session, &Session::loadEnded);
        session.open(QStringLiteral("resnet50"));
        session.cancelLoad();
        QCOMPARE(ended.size(), 1);
        QTest::qWait(50);
        QVERIFY(!session.state().job);
        session.open(QStringLiteral("resnet50"), QStringLiteral("A2"));
        QVERIFY(QTest::qWaitFor([&session] { return session.state().job != nullptr; }, syncopate::testing::patience));
        QCOMPARE(session.state().clusterSource, std::string("A2"));
        QVERIFY(waitSettled(session));
        QString failure;
        connect(&session, &Session::failed, &session,
                [&failure](const Error &error, bool) { failure = QString::fromStdString(error.toString()); });
        session.open(QStringLiteral("/nowhere/at/all.json"));
        QVERIFY(QTest::qWaitFor([&failure] { return !failure.isEmpty(); }, syncopate::testing::patience));
        QCOMPARE(session.state().source, std::string("resnet50"));
    }

    void knobsTurnWhatTheyName() {
        const std::multimap<QString, std::string> policies{{QStringLiteral("bucket_cap"), "ddp"},
                                                           {QStringLiteral("first_bucket"), "ddp"},
                                                           {QStringLiteral("concurrent"), "ddp"},
                                                           {QStringLiteral("cycle"), "horovod"},
                                                           {QStringLiteral("threshold"), "dear"},
                                                           {QStringLiteral("window"), "http2"},
                                                           {QStringLiteral("module"), "fsdp2"},
                                                           {QStringLiteral("forward_prefetch"), "fsdp2"},
                                                           {QStringLiteral("backward_prefetch"), "fsdp2"},
                                                           {QStringLiteral("fusion"), "horovod"},
                                                           {QStringLiteral("reduce_bucket"), "deepspeed"},
                                                           {QStringLiteral("allgather_bucket"), "deepspeed"},
                                                           {QStringLiteral("bucket_size"), "megatron"},
                                                           {QStringLiteral("all_reduce_combine"), "xla"},
                                                           {QStringLiteral("overlap"), "deepspeed"},
                                                           {QStringLiteral("overlap"), "megatron"},
                                                           {QStringLiteral("overlap"), "xla"},
                                                           {QStringLiteral("partition"), "bytescheduler"},
                                                           {QStringLiteral("partition"), "byteps"},
                                                           {QStringLiteral("partition"), "p3"},
                                                           {QStringLiteral("credit"), "bytescheduler"},
                                                           {QStringLiteral("credit"), "byteps"}};
        for (const KnobBinding &knob : knobBindings()) {
            const auto [first, last] = policies.equal_range(knob.id);
            if (first == last)
                turnsWhatItNames(knob, smallState());
            for (auto policy = first; policy != last; ++policy) {
                SessionState state = smallState();
                state.sides = {SideState{Built{"PS"}, "fifo", {}}, SideState{Built{"PS"}, "fifo", {}}};
                QVERIFY(!knob.whyNot(state).isEmpty());
                state.side(Side::A).policy = policy->second;
                turnsWhatItNames(knob, state);
            }
        }
    }

    void modelsKeepTheirPromises() {
        Theme theme;
        VariablesModel variables;
        InspectorModel inspector(theme);
        QAbstractItemModelTester first(&variables, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QAbstractItemModelTester second(&inspector, QAbstractItemModelTester::FailureReportingMode::QtTest);
        Session session;
        session.change(smallState(), QStringLiteral("open"));
        QVERIFY(waitSettled(session));
        variables.set(session.state().job, session.run(Side::A), session.run(Side::B));
        inspector.set(session.run(Side::A), session.run(Side::B),
                      {session.run(Side::A)->window(), session.run(Side::B)->window()});
        QCOMPARE(variables.rowCount(), 6);
        for (const QAbstractItemModel *model :
             {static_cast<QAbstractItemModel *>(&variables), static_cast<QAbstractItemModel *>(&inspector)})
            for (int r = 0; r < model->rowCount(); ++r)
                for (int c = 0; c < model->columnCount(); ++c)
                    QVERIFY(!model->index(r, c).data().toString().isEmpty() || c == VariablesModel::WhereA ||
                            c == VariablesModel::MarksA || c == VariablesModel::MarksB);
        for (int r = 0; r < inspector.rowCount(); ++r) // a difference of shares is not a share
            if (inspector.index(r, InspectorModel::AColumn).data().toString().endsWith(u'%')) {
                const QModelIndex delta = inspector.index(r, InspectorModel::DeltaColumn);
                QVERIFY2(delta.data().toString() == QStringLiteral("0") ||
                             delta.data().toString().endsWith(QStringLiteral(" pp")),
                         qPrintable(delta.data().toString()));
                QVERIFY(delta.data(Qt::ToolTipRole).toString().contains(QStringLiteral("percentage points")));
            }
        // Another job's run says nothing about these variables.
        const auto stale = session.run(Side::A);
        variables.set(smallState(3).job, stale, nullptr);
        QCOMPARE(variables.rowCount(), 3);
        QCOMPARE(variables.index(0, VariablesModel::TimeA).data().toString(), QStringLiteral("–"));
        variables.set(nullptr, nullptr, nullptr);
        QCOMPARE(variables.rowCount(), 0);
    }

    /// A difference below the digits shown counts as none.
    void roundingIsNoDifference() {
        Theme theme;
        Session session;
        SessionState state = smallState();
        state.side(Side::B) = state.side(Side::A);
        state.side(Side::B).cluster = std::make_shared<const Cluster>(uniformCluster(4, 10 * (1 + 1e-5)));
        session.change(state, QStringLiteral("open"));
        QVERIFY(waitSettled(session));
        const auto samplesOf = [&](Side side) { return session.run(side)->recording().samplesPerSecond; };
        COMPARE_ABOVE(samplesOf(Side::B) - samplesOf(Side::A), 1e-6);
        InspectorModel inspector(theme);
        inspector.set(session.run(Side::A), session.run(Side::B),
                      {session.run(Side::A)->window(), session.run(Side::B)->window()});
        for (int row = 0; row < inspector.rowCount(); ++row) {
            const QString delta = inspector.index(row, inspector.columnCount() - 1).data().toString();
            static const QRegularExpression nothing(QStringLiteral("[+−]0(\\.0+)?( |$)"));
            QVERIFY2(!delta.contains(nothing), qPrintable(delta));
        }
    }

    void exposedTimesAddUp() {
        Session session;
        session.change(smallState(), QStringLiteral("open"));
        QVERIFY(waitSettled(session));
        for (const Side side : {Side::A, Side::B}) {
            const auto run = session.run(side);
            const TimelineData &data = run->timeline();
            const auto exposed = data.exposed().busy(data.origin(), data.origin() + data.iteration());
            COMPARE_WITHIN(static_cast<double>(exposed[static_cast<std::size_t>(Category::OtherComm)]) * 1e-9 -
                               run->window().exposedSeconds,
                           0, 1e-8);
            for (std::size_t v = 0; v < run->variables().size(); ++v)
                COMPARE_AT_MOST(run->variableExposedSeconds()[v], run->variables()[v].communicationSeconds + 1e-8);
        }
    }

    /// Worker 0 is half as fast as the others, which wait for longer: its own figures count. Each variable of 4 MB takes 5.33 ms
    /// to reduce, the second layer's under worker 0's backward of the first.
    void exposedTimesOfVariablesAreWorkerZeros() {
        const Job job = testing::chainJob({{0.01, 0.05, 1'000'000}, {0.01, 0.05, 1'000'000}});
        Cluster cluster = testing::plainCluster(3, 1e9);
        cluster.nodes.front().computeScale = 0.5;
        const auto run = testing::runOf(testing::scenario(job, cluster, testing::allReduceEach(job)));
        QVERIFY(run);
        const ShownRun shown(run);
        QVERIFY(shown.window().worker != 0);
        const double whole = 4.0 / 3 * 0.004;
        for (const VariableRow &row : shown.variables())
            COMPARE_WITHIN(row.communicationSeconds, whole, 1e-8);
        COMPARE_WITHIN(shown.variableExposedSeconds()[0], whole, 1e-8);
        COMPARE_WITHIN(shown.variableExposedSeconds()[1], 0, 1e-8);
    }

    /// A variable's name finds what is about it: its traffic, also in a bucket, and the forward and backward of its layer.
    void aVariablesNameFindsItsLayer() {
        Job job = testing::chainJob(std::vector<testing::LayerSpec>(4, {0.02, 0.02, 1'000'000}));
        job.layers[1].name = "dense";
        job.variables[1].name = "W1";
        Strategy strategy = testing::allReduceEach(job);
        strategy.nodes[1].variableName = "W1";
        for (const bool inOneBucket : {false, true}) {
            if (inOneBucket)
                strategy.nodes[2].synchronizer.group = strategy.nodes[1].synchronizer.group;
            const auto run = testing::runOf(testing::scenario(job, testing::plainCluster(3, 1e9), strategy));
            QVERIFY(run);
            const ShownRun shown(run);
            const auto found = shown.labelsMatching("w1");
            QVERIFY(found == shown.labelsOf(1));
            const auto &labels = shown.recording().timeline.labels;
            const auto isFound = [&](const std::string &name) {
                const auto at = std::ranges::find(labels, name);
                return at != labels.end() && found[static_cast<std::size_t>(at - labels.begin())] != 0;
            };
            QVERIFY(isFound("dense"));
            QVERIFY(!isFound("layer0") && !isFound("layer2"));
            COMPARE_AT_LEAST(std::ranges::count(found, 1), 2); // the layer and its unit
            QCOMPARE(std::ranges::count(shown.labelsMatching("no such thing"), 1), 0);
            QCOMPARE(std::ranges::count(shown.labelsOf(-1), 1), 0);
        }
    }

    /// Rings of many steps have lanes in place of a path; nothing is under way beside the first layer's.
    void exposedTimesOfLongRings() {
        const Job job = testing::chainJob(std::vector<testing::LayerSpec>(6, {0.02, 0.02, 1'000'000}));
        constexpr int nodes = 64;
        Scenario rings = testing::scenario(job, testing::plainCluster(nodes, 1e9), testing::allReduceEach(job));
        rings.policy.form = CollectiveForm::Flows;
        rings.fold = false;
        const auto run = testing::runOf(rings);
        QVERIFY(run && !run->graph.rings.empty());
        COMPARE_CLOSE(ShownRun(run).variableExposedSeconds()[0], 2.0 * (nodes - 1) / nodes * 0.004, 1e-5);
    }

    /// A start's strategies are for the job that the start opens: after a project they are not put on the next one.
    void startsStrategiesEndWithAProject() {
        Session session;
        session.startWith(defaultSides(), true, {"PartitionedPS", ""});
        const QTemporaryDir dir;
        Project project;
        project.present = smallState();
        const std::string path = dir.filePath(QStringLiteral("p.syncopate")).toStdString();
        VERIFY_VALUE(writeProject(project, path));
        session.openProject(QString::fromStdString(path));
        QVERIFY(QTest::qWaitFor([&] { return session.state().source == "chain"; }, syncopate::testing::patience));
        session.open(QStringLiteral("alexnet"));
        QVERIFY(QTest::qWaitFor([&] { return session.state().source == "alexnet"; }, syncopate::testing::patience));
        QCOMPARE(textOf(session.state().side(Side::A).source), textOf(defaultSides()[0].source));
    }

    void runsGiveUpWhenStopped() {
        Session session;
        session.change(smallState(), QStringLiteral("open"));
        QVERIFY(waitSettled(session));
        const auto run = session.run(Side::A);
        QVERIFY(!run->variables().empty() && run->timeline().exposed().lane().size() > 0);
        std::stop_source source;
        source.request_stop();
        const ShownRun stopped(std::shared_ptr<const Run>(run, run->simulation()), source.get_token());
        QVERIFY(stopped.variables().empty());
        QVERIFY(stopped.servers().empty());
        QCOMPARE(stopped.timeline().exposed().lane().size(), std::size_t{0});
        QCOMPARE(stopped.window().spans, std::size_t{0});
        const AreaAnswer answer = countArea({run, run}, {}, source.get_token());
        QCOMPARE(answer.areas[0]->spans, std::size_t{0});
        COMPARE_ABOVE(countArea({run, run}, {}).areas[0]->spans, 0);
    }

    void theLatestJobRuns() {
        std::atomic<int> started{0}, last{0};
        {
            LatestWorker worker;
            for (int i = 1; i <= 50; ++i)
                worker.post([&started, &last, i](const std::stop_token &) {
                    ++started;
                    last = i;
                    QTest::qSleep(2);
                });
            QVERIFY(QTest::qWaitFor([&last] { return last == 50; }, syncopate::testing::patience));
        }
        COMPARE_BELOW(started, 50);
    }

    void aLongJobIsStoppedByTheNext() {
        LatestWorker worker(std::chrono::milliseconds(0));
        std::atomic<bool> stopped{false}, done{false}, running{false};
        worker.post([&](const std::stop_token &stop) {
            running = true;
            while (!stop.stop_requested())
                QTest::qSleep(1);
            stopped = true;
        });
        QVERIFY(QTest::qWaitFor([&running] { return running.load(); }, syncopate::testing::patience));
        QTest::qSleep(3);
        worker.post([&done](const std::stop_token &) { done = true; });
        QVERIFY(QTest::qWaitFor([&done] { return done.load(); }, syncopate::testing::patience));
        QVERIFY(stopped);
    }
};

QTEST_MAIN(TestSession)
#include "tst_session.moc"
