// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs and outputs of the explorer's planning: DAGs, costs and plans from profiles, files and projects, exported, and refused.
#include "engine/export/plan_export.h"
#include "engine/session/planned_work.h"
#include "engine/simulate/planned_run.h"
#include "tests/checks.h"
#include "tests/ui/plans_fixture.h"
#include "ui/export/export_sheet.h"
#include "ui/project/project_keeper.h"
#include "ui/runs/runs_panel.h"

#include <QAction>
#include <QComboBox>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace syncopate;
using namespace syncopate::testing;
using namespace syncopate::ui;

class TestPlanFiles : public QObject, PlansFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() {
        start();
        QVERIFY(open(QStringLiteral("alexnet")));
        plans().sheet().budgetBox().setValue(evaluations);
    }
    void cleanup() { stop(); }

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

    /// "Open a DAG file…" leaves the choice as it was until a file is read, also where another file is listed.
    void aCancelledDialogChangesNothing() {
        PlanSheet &sheet = plans().sheet();
        auto &box = sheet.dagBox();
        auto dag = readTrainingDagFile((measured + "dags/a2a-prefetch.dag.json").toStdString());
        VERIFY_VALUE(dag);
        sheet.chooseDag(std::make_shared<const TrainingDag>(std::move(*dag)), QStringLiteral("a2a.dag.json"));
        box.setCurrentIndex(PlanSheet::GradientsDagRow);
        QObject::disconnect(&sheet, &PlanSheet::fileWanted, nullptr, nullptr); // a dialog that is cancelled
        QSignalSpy wanted(&sheet, &PlanSheet::fileWanted);
        QTest::keyClick(&box, Qt::Key_End);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(box.currentIndex(), static_cast<int>(PlanSheet::GradientsDagRow));
    }

    /// A profile's own collectives are planned where it has any, and data-parallel training where that is chosen; a project keeps
    /// the choice.
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
        QVERIFY2(plans().bestLabel().toolTip().startsWith(QStringLiteral("6 collectives of the measured step")),
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
        // The sheet goes on with the inputs of the plan.
        QTRY_COMPARE(plans().sheet().seedBox().value(), 7);
        const PlanSettings settings = plans().planSettings();
        QVERIFY(settings.dag && *settings.dag == work->dag);
        QVERIFY(settings.costs && settings.costs->curves.size() == work->costs.curves.size());
    }

    /// The sheet goes on with one plan that is shown, and only with what was read from files.
    void theSheetGoesOnWithThePlanShown() {
        openMeasured();
        run();
        click(planId(PlanMethod::Sched));
        QVERIFY(settle());
        SessionState state = session().state();
        const auto work = std::get<Planned>(state.side(Side::B).source).work;
        state.compare = false;
        plans().restore(state);
        QVERIFY(!plans().planSettings().dag && !plans().planSettings().costs);
        state.compare = true;
        plans().restore(state);
        QVERIFY(plans().planSettings().dag && plans().planSettings().costs);
        PlannedWork recorded = *work;
        recorded.ofRecording = recorded.clusterCosts = true;
        state.side(Side::B).source = Planned{std::make_shared<const PlannedWork>(recorded), {}};
        plans().restore(state);
        QVERIFY(!plans().planSettings().dag && !plans().planSettings().costs);
        state.side(Side::A).source = Planned{work, {}};
        plans().restore(state);
        QVERIFY(plans().planSettings().dag && plans().planSettings().costs);
    }

    /// A plan was found with measured costs; the next one is to have the channels' figures.
    void theChoiceOfCostsIsKept() {
        openMeasured();
        run();
        click(planId(PlanMethod::Sched));
        QVERIFY(settle());
        plans().sheet().costsBox().setCurrentIndex(0);
        const QJsonObject kept = plans().settings();
        const QTemporaryDir folder;
        QVERIFY(saveAndOpenAgain(folder.filePath(QStringLiteral("costs.syncopate"))));
        QVERIFY(settle());
        QTRY_COMPARE(plans().settings(), kept);
        QCOMPARE(plans().sheet().costsBox().count(), 3);
        QVERIFY(!plans().planSettings().costs);
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

    /// Every format has the bytes, or the refusal, that the engine gives for the plan on the present cluster.
    void plansAreExportedForOthers() {
        openMeasured();
        run();
        click(planId(PlanMethod::Fifo));
        QVERIFY(settle());
        const SessionState &state = session().state();
        const PlannedWork &work = *std::get<Planned>(state.side(Side::B).source).work;
        const auto present = presentPlan(work, *state.job, effectiveCluster(state, Side::B));
        VERIFY_VALUE(present);
        const auto played = playPlan(withSubmission(present->dag, work.plan.enforced), present->plan, present->costs);
        VERIFY_VALUE(played);
        window().action(QStringLiteral("export"))->trigger();
        auto *sheet = window().findChild<ExportSheet *>();
        QVERIFY(sheet);
        sheet->setTab(ExportSheet::StrategyTab);
        QComboBox *const side = sheet->choice("strategySide"), *const format = sheet->choice("planFormat"),
                         *const op = sheet->choice("planOp");
        QVERIFY(format && op);
        side->setCurrentIndex(side->findData(static_cast<int>(Side::A)));
        QVERIFY(!format->isEnabled() && sheet->choice("strategyFormat")->isEnabled()); // A shows a strategy
        side->setCurrentIndex(side->findData(static_cast<int>(Side::B)));
        QVERIFY(format->isEnabled() && !sheet->choice("strategyFormat")->isEnabled());
        QCOMPARE(static_cast<std::size_t>(format->count()), planFormats().size());
        QCOMPARE(static_cast<std::size_t>(op->count()), work.dag.submissionOrder.size());
        op->setCurrentText(QStringLiteral("ar-top-mlp"));
        int written = 0;
        for (const PlanFormat &each : planFormats()) {
            format->setCurrentIndex(format->findData(QString::fromUtf8(each.name.data())));
            QCOMPARE(format->currentText(), QString::fromUtf8(each.title));
            QCOMPARE(op->isEnabled(), each.isOfOneOp);
            QTRY_VERIFY(sheet->content());
            const Result<ExportContent> &content = *sheet->content();
            const auto want = exportPlan(each.name, {present->plan, present->dag, present->costs, "ar-top-mlp", &*played});
            QVERIFY2(content.has_value() == want.has_value(), each.name.data());
            if (!want) {
                QCOMPARE(content.error().what, want.error().what);
                continue;
            }
            ++written;
            QCOMPARE(content->files.size(), std::size_t{1});
            QVERIFY2(content->files.front().bytes.toStdString() == want->text || each.name == "json", each.name.data());
            QVERIFY(content->files.front().name.endsWith(QString::fromUtf8(each.suffix.data())));
            for (const std::string &refused : want->refused)
                QVERIFY(content->previewText.contains(QString::fromStdString(refused)));
        }
        COMPARE_AT_LEAST(written, 4); // the formats that these channels and names allow
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

    /// A DAG that is opened like any other file, beside a job, is planned next (tst_dag_session.cpp: without a job).
    void dagsOpenBesideJobs() {
        session().open(measured + QStringLiteral("dags/ar.dag.json"));
        QTRY_VERIFY(plans().planSettings().dag != nullptr);
        QCOMPARE(plans().planSettings().dag->name, std::string("ar"));
        QVERIFY(!window().runs().visibleRegion().isEmpty());
        QCOMPARE(&window().runs().current(), static_cast<RunPreset *>(&plans()));
        QCOMPARE(session().state().source, std::string("alexnet"));
    }

private:
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
};

QTEST_MAIN(TestPlanFiles)
#include "tst_plan_files.moc"
