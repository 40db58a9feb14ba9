// SPDX-License-Identifier: GPL-3.0-or-later
// Projects with plans: restored completely, in the previous format without any, and damaged.
#include "engine/session/dag_job.h"
#include "engine/store/database.h"
#include "engine/store/project_file.h"
#include "tests/scenarios.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace syncopate;

namespace {

Project projectWithPlans() {
    Project project;
    SessionState &state = project.present;
    state.source = "chain";
    state.job = std::make_shared<const Job>(testing::chainJob({{0.002, 0.004, 500000}, {0.002, 0.004, 500000}}));
    state.cluster = std::make_shared<const Cluster>(uniformCluster(4, 10));
    state.clusterSource = "four";
    state.sides = {SideState{Built{"PS"}, "fifo"}, SideState{Built{"AllReduce"}, "tic"}};
    const auto task = planTask(state, {.method = "bs+"});
    const auto work = std::make_shared<const PlannedWork>(plannedWork(*task, *findPlan(task->request, task->method)));
    state.side(Side::B).source = planned(state.side(Side::B).source, work);
    project.scenarios = {{"kept", "", 0, state, {}}};
    return project;
}

} // namespace

class TestProjectPlans : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::string path(const char *name) { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

private slots:
    void comeBack() {
        const std::string file = path("plans.syncopate");
        const Project project = projectWithPlans();
        QVERIFY(writeProject(project, file).has_value());
        const auto read = readProject(file);
        QVERIFY2(read.has_value(), read ? "" : read.error().toString().c_str());
        const auto *kept = std::get_if<Planned>(&read->present.side(Side::B).source);
        QVERIFY(kept);
        const PlannedWork &before = *std::get<Planned>(project.present.side(Side::B).source).work;
        QVERIFY(kept->work->dag == before.dag && kept->work->plan.motifs == before.plan.motifs);
        QVERIFY(kept->work->ofJob && kept->work->onCluster && !kept->work->plan.enforced);
        QCOMPARE(kept->work->title, before.title);
        QVERIFY(withoutRuns(read->present.side(Side::B).source) == Source(Built{"AllReduce"}));
        QCOMPARE(read->present.side(Side::B).policy, std::string("tic"));
        QVERIFY(!read->present.side(Side::A).isPlanned());
        // Shared by both scenarios, it is stored once.
        QVERIFY(std::get<Planned>(read->scenarios[0].state.side(Side::B).source).work == kept->work);
        QCOMPARE(Database::open(file, Database::Mode::Read)->number("SELECT count(*) FROM object WHERE kind = 'plan'").value(),
                 std::int64_t{1});
        const auto a = plannedRun(before, project.present.job, *project.present.cluster);
        const auto b = plannedRun(*kept->work, read->present.job, *read->present.cluster);
        QVERIFY(a && b);
        QCOMPARE((*b)->iterationSeconds, (*a)->iterationSeconds);
    }

    /// Plans are played on a cluster: a file that has none shows no plan, which readers would play on nothing.
    void needACluster() {
        const std::string file = path("nowhere.syncopate");
        Project project = projectWithPlans();
        for (SessionState *state : {&project.present, &project.scenarios[0].state})
            state->cluster = nullptr;
        QVERIFY(writeProject(project, file).has_value());
        const auto read = readProject(file);
        QVERIFY2(read.has_value(), read ? "" : read.error().toString().c_str());
        QVERIFY(read->present.job && !read->present.cluster);
        QVERIFY(!read->present.side(Side::B).isPlanned() && !read->scenarios[0].state.side(Side::B).isPlanned());
    }

    /// A training DAG as the job comes back by its name, the same in all scenarios, with the sides' planners; a recording's job,
    /// which has no layers either, does not come back without its profile.
    void dagsAreJobs() {
        const std::string file = path("dag.syncopate");
        Project project;
        SessionState &state = project.present;
        state.source = "/nowhere/step.dag";
        state.job = jobOfDag("step");
        state.cluster = std::make_shared<const Cluster>(uniformCluster(4, 10));
        state.clusterSource = "four";
        const auto dag = std::make_shared<const TrainingDag>(*readTrainingDagText(
            R"({"name": "step", "hosts": 4, "ops": [{"name": "f", "kind": "compute", "seconds": 0.01, "parents": [],
                "parents_previous_iteration": ["g"]}, {"name": "g", "kind": "all_reduce", "bytes_per_process": 1000000,
                "parents": ["f"], "parents_previous_iteration": []}]})"));
        for (const auto &[side, planner] : {std::pair(Side::A, "ho"), {Side::B, "syndicate(chains=3)"}})
            state.side(side).source = *plannedBy(state, side, dag, planner);
        project.scenarios = {{"kept", "", 0, state, {}}};
        QVERIFY(showsDag(state));
        QVERIFY(writeProject(project, file).has_value());
        const auto read = readProject(file);
        QVERIFY2(read.has_value(), read ? "" : read.error().toString().c_str());
        QVERIFY(read->losses.empty() && showsDag(read->present));
        QCOMPARE(read->present.job->name, std::string("step"));
        QVERIFY(read->present.job->notes == state.job->notes);
        QVERIFY(read->scenarios[0].state.job == read->present.job);
        QCOMPARE(textOf(read->present.side(Side::A).source), std::string("ho"));
        QCOMPARE(textOf(read->present.side(Side::B).source), std::string("syndicate(chains=3)"));
        QVERIFY(*shownDag(read->present, Side::B) == *dag);
        QVERIFY(Database::open(file, Database::Mode::Write)->run("UPDATE object SET key = '' WHERE kind = 'job'").has_value());
        const auto recording = readProject(file);
        QVERIFY(recording && !recording->present.job && !recording->present.side(Side::A).isPlanned());
    }

    /// Files of the previous format have no plans, and get them when they are saved.
    void olderFilesOpen() {
        const std::string file = path("older.syncopate");
        Project project = projectWithPlans();
        QVERIFY(writeProject(project, file).has_value());
        QVERIFY(Database::open(file, Database::Mode::Write)
                    ->run("ALTER TABLE side DROP COLUMN plan; PRAGMA user_version = 4")
                    .has_value());
        const auto older = readProject(file);
        QVERIFY2(older.has_value(), older ? "" : older.error().toString().c_str());
        QVERIFY(older->present.side(Side::B).source == Source(Built{"AllReduce"}));
        project.revision = older->revision;
        QVERIFY(writeProject(project, file).has_value());
        QVERIFY(readProject(file)->present.side(Side::B).isPlanned());
    }

    void damagedPlansAreNamed() {
        const std::string file = path("damaged.syncopate");
        QVERIFY(writeProject(projectWithPlans(), file).has_value());
        QVERIFY(Database::open(file, Database::Mode::Write)
                    ->run("UPDATE object SET content = replace(content, '\"of_job\": true', '\"of_job\": 7') WHERE kind = 'plan'")
                    .has_value());
        const auto read = readProject(file);
        QVERIFY(!read.has_value());
        QCOMPARE(read.error().file, file);
        QVERIFY2(read.error().place.find("of_job") != std::string::npos, read.error().toString().c_str());
        QVERIFY(!read.error().remedy.empty());
        QVERIFY(Database::open(file, Database::Mode::Write)->run("DELETE FROM object WHERE kind = 'plan'").has_value());
        QVERIFY(!readProject(file).has_value());
    }
};

QTEST_GUILESS_MAIN(TestProjectPlans)
#include "tst_project_plans.moc"
