// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as shown on a side: its figures are the plan's, its lanes the channels, its critical path spans the iteration, knobs
// affect it, and its text in a project is read back unchanged or refused.
#include "engine/analyze/metrics.h"
#include "engine/base/rng.h"
#include "engine/export/plan_export.h"
#include "engine/plan/job_dag.h"
#include "engine/session/dag_job.h"
#include "engine/session/dag_picture.h"
#include "engine/session/load_plan.h"
#include "engine/session/plan_settings.h"
#include "engine/simulate/planned_run.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/plan/dags.h"
#include "tests/scenarios.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <set>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

const std::string measured = SYNCOPATE_SOURCE "/tests/data/measured/plan/";

std::shared_ptr<const Job> someJob() {
    return std::make_shared<const Job>(chainJob({{0.002, 0.004, 5'000'000}, {0.003, 0.005, 9'000'000}, {0.001, 0.002, 100'000}}));
}

/// A measured plan over its own channels, with the measured costs.
PlannedWork measuredWork(const std::string &plan = "a2a-syndicate-spread-p2-s4", const std::string &dag = "a2a-prefetch") {
    PlannedWork work;
    work.title = plan;
    work.dag = *readTrainingDagFile(measured + "dags/" + dag + ".dag.json");
    const auto read = readExecutionPlanFile(measured + "plans/" + plan + ".plan.json", work.dag);
    work.plan = read.value();
    work.costs = *readMotifCostsFile(measured + "collectives.csv");
    return work;
}

SessionState stateOf(const std::shared_ptr<const Job> &job, Cluster cluster) {
    SessionState state;
    state.job = job;
    state.cluster = std::make_shared<const Cluster>(std::move(cluster));
    return state;
}

} // namespace

class TestPlannedWork : public QObject {
    Q_OBJECT

private slots:
    void figuresAreThePlans() {
        const PlannedWork work = measuredWork();
        const auto shown = plannedRun(work, someJob(), uniformCluster(2, 10));
        VERIFY_VALUE(shown);
        const auto played = playPlan(withSubmission(work.dag, true), work.plan, work.costs);
        COMPARE_CLOSE((*shown)->iterationSeconds, played->iterationSeconds);
        COMPARE_CLOSE((*shown)->computeIdleRatio, played->computeIdleRatio());
        PlanRequest request;
        request.dag = std::make_shared<const TrainingDag>(work.dag);
        request.channels = work.plan.channels;
        request.costs = work.costs;
        COMPARE_CLOSE((*shown)->boundSeconds, planBoundSeconds(request));
        const AreaStatistics window = iterationStatistics(**shown);
        COMPARE_WITHIN(window.computeSeconds, work.dag.computeSeconds(), 1e-7);
        COMPARE_WITHIN(window.exposedSeconds, played->iterationSeconds - work.dag.computeSeconds(), 1e-7);
        QCOMPARE((*shown)->samplesPerSecond, 0.0); // a DAG file does not state samples
        QCOMPARE((*shown)->workers, 4);
    }

    /// A plan's edited state is kept beside its title, which may begin with any text.
    void anEditIsMarkedOnce() {
        PlannedWork work = measuredWork();
        work.title = "edited volume";
        const std::shared_ptr<const Job> job = someJob();
        const Cluster cluster = uniformCluster(2, 10);
        const PlanEdit edit = ShiftMotif{.motif = MotifId(0), .channel = work.plan.motifs.front().channel, .seconds = 0};
        const auto once = editedWork(work, *job, cluster, edit);
        VERIFY_VALUE(once);
        QVERIFY(once->edited);
        QCOMPARE(once->title, std::string("edited edited volume"));
        const auto twice = editedWork(*once, *job, cluster, edit);
        VERIFY_VALUE(twice);
        QCOMPARE(twice->title, once->title);
        QVERIFY(readPlannedWork(writePlannedWork(*once), "x")->edited);
        QVERIFY(!readPlannedWork(writePlannedWork(work), "x")->edited);
        // Files from before the key: the title says it.
        std::string older = writePlannedWork(*once);
        const std::string key = R"("edited": true)";
        const std::size_t at = older.find(key);
        QVERIFY2(at != std::string::npos, older.substr(0, 200).c_str());
        older.erase(older.rfind(',', at), at + key.size() - older.rfind(',', at));
        QVERIFY(readPlannedWork(older, "x")->edited);
    }

    /// Files from before the key have no plans of recordings that say so.
    void aRecordedDagIsKeptAsOne() {
        PlannedWork work = measuredWork();
        QVERIFY(!readPlannedWork(writePlannedWork(work), "x")->ofRecording);
        work.ofRecording = true;
        std::string text = writePlannedWork(work);
        QVERIFY(readPlannedWork(text, "x")->ofRecording);
        const std::string key = R"(,"of_recording": true)";
        const std::size_t at = text.find(key);
        QVERIFY2(at != std::string::npos, text.substr(0, 200).c_str());
        QVERIFY(!readPlannedWork(text.erase(at, key.size()), "x")->ofRecording);
    }

    /// The DAG of a recording is no file's, and the assumptions do not say so.
    void assumptionsNameTheOriginOfTheDag() {
        PlannedWork work = measuredWork();
        for (const bool ofRecording : {false, true}) {
            work.ofRecording = ofRecording;
            const auto shown = plannedRun(work, someJob(), uniformCluster(2, 10));
            VERIFY_VALUE(shown);
            const auto says = [&](const char *origin) {
                return std::ranges::any_of((*shown)->assumptions,
                                           [&](const std::string &line) { return line.starts_with(origin); });
            };
            QCOMPARE(says("The DAG is a file's: "), !ofRecording);
            QCOMPARE(says("The DAG is the profile's recorded step: "), ofRecording);
        }
    }

    /// As in the explorer, so in plans of the command line and Python.
    void loadedTasksKnowTheOriginOfTheirDag() {
        const std::string profile = SYNCOPATE_SOURCE "/tests/data/profiles/hybrid_rank0.json";
        struct Origin {
            std::string job, collectives;
            bool ofJob, ofRecording;
        };
        for (const Origin &origin : {Origin{profile, "", false, true}, Origin{profile, "recorded", false, true},
                                     Origin{profile, "gradients", true, false}, Origin{"vgg16", "", true, false},
                                     Origin{"syndicate:a1", "", false, false}}) {
            ScenarioOptions options;
            options.job = origin.job;
            options.cluster = "syndicate";
            options.workers = 4;
            PlanJob job = must(loadPlanJob(options, origin.collectives));
            const PlanTask task = must(planTaskOf(job, {}, 1));
            QVERIFY2(task.ofJob == origin.ofJob && task.ofRecording == origin.ofRecording, origin.job.c_str());
        }
    }

    void lanesAreChannels() {
        const PlannedWork work = measuredWork();
        const auto shown = plannedRun(work, someJob(), uniformCluster(2, 10));
        VERIFY_VALUE(shown);
        const Timeline &timeline = (*shown)->timeline;
        QCOMPARE(timeline.lanes.size(), 1 + work.plan.channels.size());
        QVERIFY(timeline.lanes[0].isCompute && !(*shown)->laneChannels[0].exists());
        for (std::size_t c = 0; c < work.plan.channels.size(); ++c) {
            const Lane &lane = timeline.lanes[1 + c];
            QCOMPARE(lane.name, work.plan.channels[c].name);
            QVERIFY((*shown)->laneChannels[1 + c] == ChannelId(c));
            COMPARE_ABOVE(lane.size(), 0);
            for (std::size_t s = 0; s < lane.size(); ++s) {
                const PlannedMotif &motif =
                    work.plan.motifs[(*shown)->graph.unit[static_cast<std::size_t>(lane.task[s])].index()];
                QVERIFY(motif.channel == ChannelId(c));
                const DagOp &op = work.dag.ops[motif.op.index()];
                COMPARE_CLOSE(lane.sizeBytes[s], sentBytes(motif.motif, op.sizeBytes, work.dag.processes));
                QVERIFY(timeline.labels[static_cast<std::size_t>(lane.label[s])].starts_with(op.name + ": "));
                if (s > 0)
                    COMPARE_AT_LEAST(lane.start[s], lane.end[s - 1]); // one at a time
            }
        }
    }

    /// The critical path leads back from the next iteration's start to this one's: as long as the iteration, without gaps.
    void criticalPathIsTheIteration() {
        for (const char *name : {"a2a-fifo-s1", "a2a-syndicate-spread-p2-s4", "a2a-sched-s2"}) {
            const PlannedWork work = measuredWork(name, std::string(name) == "a2a-fifo-s1" ? "a2a" : "a2a-prefetch");
            const auto shown = plannedRun(work, someJob(), uniformCluster(2, 10));
            VERIFY_VALUE(shown);
            const PlannedRecording &run = **shown;
            COMPARE_ABOVE(run.criticalTasks.size(), 2);
            const auto start = [&](TaskId task) { return run.startSeconds[task.index()]; };
            const auto end = [&](TaskId task) { return run.endSeconds[task.index()]; };
            COMPARE_AT_MOST(start(run.criticalTasks.front()), run.windowStartSeconds + 1e-9, About(name));
            COMPARE_WITHIN(end(run.criticalTasks.back()), run.windowStartSeconds + run.iterationSeconds, 1e-9, About(name));
            for (std::size_t t = 1; t < run.criticalTasks.size(); ++t)
                COMPARE_WITHIN(start(run.criticalTasks[t]), end(run.criticalTasks[t - 1]), 1e-9, About(name));
        }
    }

    /// A plan of the job's DAG follows the knobs without being searched again.
    void knobsReachThePlan() {
        const SessionState state = stateOf(someJob(), uniformCluster(4, 10));
        const auto task = planTask(state, {.method = "fifo"});
        VERIFY_VALUE(task);
        const PlannedWork work = plannedWork(*task, findPlan(task->request, task->method).value());
        QCOMPARE(work.title, std::string("FIFO plan of chain"));
        const auto at = [&](const Cluster &cluster) { return plannedRun(work, state.job, cluster); };
        const auto before = at(*state.cluster), slower = at(withBandwidth(*state.cluster, 1)),
                   more = at(withWorkers(*state.cluster, 3));
        QVERIFY(before && slower && more);
        COMPARE_ABOVE((*slower)->iterationSeconds, 2 * (*before)->iterationSeconds);
        QCOMPARE((*more)->workers, 3);
        COMPARE_CLOSE((*more)->samplesPerSecond, 3 * state.job->batchSize / (*more)->iterationSeconds);
        // As if it had been planned there: on one channel FIFO has no choices.
        SessionState there = state;
        there.workers = 3;
        const auto again = planTask(there, {.method = "fifo"});
        COMPARE_CLOSE((*more)->iterationSeconds, findPlan(again->request, again->method)->run.iterationSeconds);
    }

    /// A job's plan takes the speed of the slowest node: as planned there, shown there, and drawn. 17 ms at the job's own.
    void aSlowNodeSlowsThePlan() {
        const Cluster fast = uniformCluster(4, 1e6);
        Cluster slow = fast;
        slow.nodes[2].computeScale = 0.5;
        const SessionState state = stateOf(someJob(), fast);
        const auto task = planTask(state, {.method = "fifo"}), there = planTask(stateOf(state.job, slow), {.method = "fifo"});
        QVERIFY(task && there);
        COMPARE_CLOSE(task->request.dag->computeSeconds(), 0.017);
        COMPARE_CLOSE(there->request.dag->computeSeconds(), 0.034);
        const std::string note = "All processes compute at 0.5 times the job's speed, as the cluster's slowest node does.";
        QVERIFY(task->notes.empty() && there->notes == std::vector<std::string>{note});
        const PlannedWork work = plannedWork(*task, findPlan(task->request, task->method).value());
        const auto run = plannedRun(work, state.job, slow);
        VERIFY_VALUE(run);
        COMPARE_WITHIN((*run)->iterationSeconds, 0.034, 1e-4); // the links are next to free
        COMPARE_CLOSE((*run)->iterationSeconds, findPlan(there->request, there->method)->run.iterationSeconds);
        COMPARE_AT_LEAST((*run)->boundSeconds, 0.034 - 1e-9);
        QCOMPARE(std::ranges::count((*run)->assumptions, note), 1);
        COMPARE_CLOSE(planPicture(work, **run)->dag->computeSeconds(), 0.034);
        QCOMPARE(std::ranges::count((*plannedRun(work, state.job, fast))->assumptions, note), 0);
    }

    /// A cluster's measured times are those of the cluster and knobs at which the plan is shown; given times stay.
    void measuredTimesFollowTheCluster() {
        const Cluster bare = uniformCluster(4, 10);
        const SessionState state = stateOf(someJob(), withAllReduces(bare, 0.5));
        const auto task = planTask(state, {.method = "fifo"});
        VERIFY_VALUE(task);
        const PlannedWork work = plannedWork(*task, findPlan(task->request, task->method).value());
        std::string text = writePlannedWork(work);
        const auto kept = readPlannedWork(text, "project");
        VERIFY_VALUE(kept);
        SessionState faster = state;
        faster.bandwidthGbits = 20;
        for (const SessionState &there : {state, faster, stateOf(state.job, bare), stateOf(state.job, withAllReduces(bare, 1))}) {
            const auto planned = planTask(there, {.method = "fifo"}); // on one channel FIFO has no choices
            VERIFY_VALUE(planned);
            const auto shown = plannedRun(*kept, there.job, withKnobs(*there.cluster, there));
            VERIFY_VALUE(shown);
            COMPARE_CLOSE((*shown)->iterationSeconds, findPlan(planned->request, planned->method)->run.iterationSeconds);
        }
        const std::string flag = ",\"cluster_costs\": true";
        const std::size_t at = text.find(flag);
        QVERIFY(at != std::string::npos);
        const auto older = readPlannedWork(text.erase(at, flag.size()), "project");
        VERIFY_VALUE(older);
        const auto measuredThere = plannedRun(work, state.job, *state.cluster), stays = plannedRun(*older, state.job, bare);
        QVERIFY(measuredThere && stays);
        QCOMPARE((*stays)->iterationSeconds, (*measuredThere)->iterationSeconds);
    }

    /// A plan of a file, which has no costs of its own, takes the times of the present cluster as long as its links are the
    /// measured ones, else the figures of its own channels; omissions are stated, as for jobs.
    void aFilesPlanDropsStaleTimes() {
        const Cluster bare = uniformCluster(4, 10);
        const SessionState state = stateOf(someJob(), withAllReduces(bare, 0.5));
        const auto task = planTask(state, {.method = "fifo"});
        VERIFY_VALUE(task);
        const QTemporaryDir folder;
        const std::string path = folder.filePath("fifo.plan.json").toStdString();
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            QByteArray::fromStdString(writeExecutionPlan(findPlan(task->request, task->method)->plan, *task->request.dag)));
        file.close();
        const auto work = workOfFile(path, *task);
        VERIFY_VALUE(work);
        QVERIFY(!work->onCluster && work->clusterCosts);
        PlannedWork given = *work;
        given.clusterCosts = false;
        const auto iteration = [&](const PlannedWork &of, const ClusterKnobs &knobs) {
            return (*plannedRun(of, state.job, withKnobs(*state.cluster, knobs)))->iterationSeconds;
        };
        const auto told = [&](const PlannedWork &of, const ClusterKnobs &knobs) {
            const auto run = *plannedRun(of, state.job, withKnobs(*state.cluster, knobs));
            return static_cast<int>(
                std::ranges::count(run->assumptions, "Measured times of collectives are left out: they belong to other links."));
        };
        const double measuredSeconds = iteration(*work, {}), modelled = (*plannedRun(*work, state.job, bare))->iterationSeconds;
        COMPARE_ABOVE(measuredSeconds, 1.5); // three all-reduces
        COMPARE_BELOW(modelled, 0.5);
        QCOMPARE(told(*work, {}), 0);
        ClusterKnobs sameNodes, bandwidth, latency;
        sameNodes.workers = 4;
        bandwidth.bandwidthGbits = 20;
        latency.latencySeconds = 1e-3;
        COMPARE_CLOSE(iteration(*work, sameNodes), measuredSeconds);
        QCOMPARE(told(*work, sameNodes), 0);
        for (const ClusterKnobs &otherLinks : {bandwidth, latency}) {
            COMPARE_CLOSE(iteration(*work, otherLinks), modelled);
            QCOMPARE(told(*work, otherLinks), 1);
            COMPARE_CLOSE(iteration(given, otherLinks), measuredSeconds); // times that were given are of the plan
            QCOMPARE(told(given, otherLinks), 0);
        }
    }

    /// A DAG is planned again for another cluster by the times of that cluster, or by the given ones.
    void anotherClusterHasTimesOfItsOwn() {
        const Cluster bare = uniformCluster(4, 10);
        SessionState state = stateOf(jobOfDag("dag"), withAllReduces(bare, 0.5));
        const auto dag = std::make_shared<const TrainingDag>(*dagOfJob(*someJob(), 4));
        state.side(Side::A).source = plannedBy(state, Side::A, dag, "fifo").value();
        PlannedWork given = *std::get<Planned>(state.side(Side::A).source).work;
        given.clusterCosts = false;
        for (const Cluster &other : {bare, withAllReduces(bare, 1)}) {
            SessionState there = state;
            there.cluster = std::make_shared<const Cluster>(other);
            const auto again = plannedAgain(there);
            VERIFY_VALUE(again);
            SessionState fresh = there;
            fresh.side(Side::A).source = Source();
            const auto wanted = plannedBy(fresh, Side::A, dag, "fifo");
            VERIFY_VALUE(wanted);
            QVERIFY(std::get<Planned>(again->side(Side::A).source).work->costs == std::get<Planned>(*wanted).work->costs);
            Source &source = there.side(Side::A).source;
            source = planned(source, std::make_shared<const PlannedWork>(given));
            const auto overGiven = plannedAgain(there);
            VERIFY_VALUE(overGiven);
            const PlannedWork &work = *std::get<Planned>(overGiven->side(Side::A).source).work;
            QVERIFY(!work.clusterCosts && work.costs.curves == given.costs.curves);
        }
    }

    void whatDoesNotFitIsRefused() {
        Cluster two = uniformCluster(4, 10);
        two.namedChannels = {unitChannel("x"), unitChannel("y")};
        const SessionState state = stateOf(someJob(), two);
        const auto task = planTask(state, {.method = "fifo"});
        const PlannedWork work = plannedWork(*task, findPlan(task->request, task->method).value());
        const auto other = plannedRun(work, state.job, uniformCluster(4, 10));
        QVERIFY(!other.has_value());
        QCOMPARE(other.error().what, std::string("the cluster has no channel \"x\", which the plan uses"));
        QCOMPARE(other.error().remedy, std::string("plan again for this cluster"));
        PlannedWork spline = work; // halves of an all-to-all do not fit three processes
        spline.dag = dagOf({computeOp("fwd", 1), commOp("a2a", CollectiveKind::AllToAll, 8, {0_op})}, 4);
        spline.plan = {"made", "made", two.namedChannels, {}, {{{0_motif, 0}, {1_motif, 0}}, {}}};
        for (Motif &motif : cutMotifs(CollectiveKind::AllToAll, {1, 2, false}))
            spline.plan.motifs.push_back({1_op, motif, 0_channel});
        spline.ofJob = false;
        VERIFY_VALUE(plannedRun(spline, state.job, two));
        spline.dag.processes = 3;
        QVERIFY(!plannedRun(spline, state.job, two).has_value());
        QVERIFY(!plannedRun(work, state.job, withWorkers(two, 1)).has_value()); // one process has nothing to plan
    }

    /// A plan of BS+ that is saved in the explorer and opened again takes as long as before: the application submits data when it
    /// gets there. Projects older than this part of a plan keep it beside the plan.
    void submittedPlansStaySo() {
        SessionState state = stateOf(someJob(), uniformCluster(2, 10));
        PlanSettings settings;
        settings.dag = std::make_shared<const TrainingDag>(
            dagOf({commOp("data", CollectiveKind::AllToAll, 1e9, {}), computeOp("fwd", 1, {0_op}), computeOp("bwd", 1, {1_op}),
                   commOp("gradients", CollectiveKind::AllReduce, 1e9, {2_op})}));
        const PlanTask task = *planTask(state, settings);
        const PlannedWork work = plannedWork(task, *findPlan(task.request, PlanMethod::BsPlus));
        const double seconds = (*plannedRun(work, state.job, *state.cluster))->iterationSeconds;
        const QTemporaryDir folder;
        const QString file = folder.filePath("bs.plan.json");
        writeFile(file, QByteArray::fromStdString(writeExecutionPlan(work.plan, work.dag)));
        const auto opened = readPlanFile(file.toStdString(), state, settings);
        VERIFY_VALUE(opened);
        PlannedWork read = *std::get<std::shared_ptr<const PlannedWork>>(*opened);
        COMPARE_CLOSE((*plannedRun(read, state.job, *state.cluster))->iterationSeconds, seconds);
        read.plan.enforced = true;
        COMPARE_AT_MOST((*plannedRun(read, state.job, *state.cluster))->iterationSeconds, 0.9 * seconds);
        std::string older = writePlannedWork(work);
        const std::string key = R"(,\"enforced\": false)"; // in the text of the plan
        QVERIFY2(older.find(key) != std::string::npos, older.c_str());
        older.erase(older.find(key), key.size());
        QVERIFY(readPlannedWork(older, "project")->plan == work.plan);
    }

    void textsComeBack() {
        PlannedWork work = measuredWork();
        work.title = "ünï \"quoted\" plan";
        work.plan.enforced = false;
        work.onCluster = true;
        const auto again = readPlannedWork(writePlannedWork(work), "project");
        VERIFY_VALUE(again);
        QCOMPARE(again->title, work.title);
        QVERIFY(again->dag == work.dag);
        QVERIFY(again->plan == work.plan);
        QCOMPARE(again->plan.enforced, false);
        QCOMPARE(again->onCluster, true);
        QCOMPARE(again->ofJob, false);
        QCOMPARE(again->costs.curves.size(), work.costs.curves.size());
        for (std::size_t c = 0; c < work.costs.curves.size(); ++c) {
            QVERIFY(again->costs.curves[c].kind == work.costs.curves[c].kind);
            QCOMPARE(again->costs.curves[c].link, work.costs.curves[c].link);
            QVERIFY(again->costs.curves[c].spline == work.costs.curves[c].spline);
            QVERIFY(again->costs.curves[c].samples == work.costs.curves[c].samples);
        }
        work.title = "plan of " + std::string(5000, 'x'); // a title quotes names, each of which may have 4096 bytes
        const auto titled = readPlannedWork(writePlannedWork(work), "project");
        VERIFY_VALUE(titled);
        QCOMPARE(titled->title, work.title);
        work.onCluster = false;
        const auto shown = plannedRun(work, someJob(), uniformCluster(2, 10));
        PlannedWork read = *again;
        read.onCluster = false;
        QCOMPARE((*plannedRun(read, someJob(), uniformCluster(2, 10)))->iterationSeconds, (*shown)->iterationSeconds);
    }

    void damagedTextsAreRefused_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("place");
        QTest::newRow("no plan") << QByteArray("\"plan\":") << QByteArray("\"plans\":") << QByteArray("");
        QTest::newRow("flag") << QByteArray("\"enforced\": true") << QByteArray("\"enforced\": 3") << QByteArray("enforced");
        QTest::newRow("title") << QByteArray("\"title\": \"") << QByteArray("\"title\": \"a\\n") << QByteArray("title");
        QTest::newRow("kind") << QByteArray("\"kind\": \"all_to_all\",\"link\"") << QByteArray("\"kind\": \"all\",\"link\"")
                              << QByteArray("costs[");
        QTest::newRow("spline") << QByteArray("\"splines\": 2") << QByteArray("\"splines\": 0") << QByteArray("splines");
        QTest::newRow("bytes") << QByteArray("{\"bytes\": 65536") << QByteArray("{\"bytes\": -1") << QByteArray("bytes");
        QTest::newRow("order") << QByteArray("{\"bytes\": 65536") << QByteArray("{\"bytes\": 1e14") << QByteArray("samples[1]");
    }
    void damagedTextsAreRefused() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QByteArray, place);
        QByteArray text = QByteArray::fromStdString(writePlannedWork(measuredWork()));
        const qsizetype at = text.indexOf(from);
        COMPARE_AT_LEAST(at, 0);
        text.replace(at, from.size(), to);
        const auto read = readPlannedWork(text.toStdString(), "kept.syncopate");
        QVERIFY(!read.has_value());
        QCOMPARE(read.error().file, std::string("kept.syncopate"));
        QVERIFY2(read.error().place.find(place.toStdString()) != std::string::npos, read.error().toString().c_str());
        QVERIFY(!read.error().remedy.empty());
    }

    void anyDamageIsAnError() {
        const std::string whole = writePlannedWork(measuredWork());
        Rng rng(18);
        for (int round = 0; round < 400; ++round) {
            std::string text = whole;
            if (round % 2 == 0)
                text.resize(rng.next() % text.size());
            else
                text[rng.next() % text.size()] = static_cast<char>(rng.next() % 128);
            const auto read = readPlannedWork(text, "p");
            if (read) // still a plan: it is played or refused
                (void)plannedRun(*read, someJob(), uniformCluster(2, 10));
            else
                QCOMPARE(read.error().kind, ErrorKind::Input);
        }
    }

    void expressionsAndSteps() {
        PlanRequest request;
        QVERIFY(readPlanMethod("syndicate(segments=2,chains=3,greed=50)", request) == PlanMethod::Syndicate);
        QCOMPARE(request.maxSegments, 2);
        QCOMPARE(request.chains, 3);
        QCOMPARE(request.greed, 50.0);
        for (const char *bad : {"none", "fifo(chains=2)", "exec(chains=0)", "exec(segments=3)", "bs+(greed=1)"})
            QVERIFY2(!readPlanMethod(bad, request).has_value(), bad);
        for (std::int32_t m = 0; m < planMethodCount; ++m)
            QCOMPARE(planMethods()[static_cast<std::size_t>(m)].name, std::string(nameOf(static_cast<PlanMethod>(m))));
        // The observer receives the same of the first chain as the result stores.
        SessionState state = stateOf(someJob(), uniformCluster(4, 1));
        const auto task = planTask(state, {.method = "exec(chains=2)", .evaluations = 60});
        std::vector<double> heard;
        std::set<std::int32_t> chains;
        const auto found = findPlan(task->request, task->method, {}, [&](const PlanStep &step) {
            chains.insert(step.chain);
            if (step.chain == 0)
                heard.push_back(step.seconds);
        });
        QVERIFY(heard == found->costs);
        QCOMPARE(chains.size(), std::size_t{2});
    }

    void filesAreKnownByTheirContent() {
        SessionState state = stateOf(someJob(), uniformCluster(4, 10));
        const std::string dagPath = measured + "dags/a2a-prefetch.dag.json";
        QVERIFY(beginsAsDagFile(dagPath));
        QVERIFY(!beginsAsDagFile(measured + "plans/a2a-sched-s1.plan.json"));
        QVERIFY(!beginsAsDagFile(measured + "nowhere.json"));
        PlanSettings settings;
        settings.dag = std::get<0>(readPlanFile(dagPath, state, settings).value());
        settings.costs = std::get<1>(readPlanFile(measured + "collectives.csv", state, settings).value());
        const auto work = std::get<2>(readPlanFile(measured + "plans/a2a-sched-s1.plan.json", state, settings).value());
        QVERIFY(work->plan == measuredWork("a2a-sched-s1").plan);
        QVERIFY(!work->onCluster && !work->ofJob && work->plan.enforced);
        settings.dag = nullptr;     // the job's
        const QTemporaryDir folder; // a Chakra trace, read as a DAG for the cluster's processes
        const std::string trace = folder.filePath("four.et").toStdString();
        const auto written = writeChakra(work->plan, work->dag, {});
        QVERIFY2(written.has_value(), written ? "" : written.error().toString().c_str());
        QFile file(QString::fromStdString(trace));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray::fromStdString(*written)) > 0);
        file.close();
        const auto recorded = readPlanFile(trace, state, settings);
        QVERIFY2(recorded.has_value(), recorded ? "" : recorded.error().toString().c_str());
        const TrainingDag &ofTrace = *std::get<0>(*recorded);
        QCOMPARE(ofTrace.name, std::string("four"));
        QCOMPARE(ofTrace.processes, state.cluster->replicaCount());
        QCOMPARE(ofTrace.submissionOrder.size(), work->plan.motifs.size());
        QVERIFY(!readPlanFile(trace, {}, settings).has_value());
        // A file may be called as no DAG in a file may: the DAG has a name with which it comes back.
        const QString odd = folder.filePath(QStringLiteral("fo\tur.et"));
        QVERIFY(file.copy(odd));
        const auto ofOdd = readPlanFile(odd.toStdString(), state, settings);
        VERIFY_VALUE(ofOdd);
        VERIFY_VALUE(readTrainingDagText(writeTrainingDag(*std::get<0>(*ofOdd)), "x"));
        const auto wrong = readPlanFile(measured + "plans/a2a-sched-s1.plan.json", state, settings);
        QVERIFY(!wrong.has_value());
        QVERIFY(wrong.error().file.ends_with("a2a-sched-s1.plan.json"));
        QCOMPARE(wrong.error().place, std::string("dag"));
        QVERIFY(!wrong.error().remedy.empty());
    }
};

QTEST_GUILESS_MAIN(TestPlannedWork)
#include "tst_planned_work.moc"
