// SPDX-License-Identifier: GPL-3.0-or-later
// Iteration times are limits: they depend neither on the number of unrolled iterations nor on the last bits of sums.
#include "engine/analyze/metrics.h"
#include "engine/graph/graph_builder.h"
#include "engine/rewrite/rewrite.h"
#include "engine/session/load_scenario.h"
#include "engine/simulate/event_loop.h"
#include "engine/simulate/run.h"
#include "engine/simulate/steady_state.h"
#include "engine/strategy/comm_policy.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <cmath>
#include <utility>
#include <vector>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

std::shared_ptr<const Run> runOf(Scenario scenario, std::int32_t iterations) {
    scenario.iterations = iterations;
    auto run = simulate(scenario);
    return run ? *run : nullptr;
}

bool hasNote(const Run &run, const char *text) {
    return std::any_of(run.assumptions.begin(), run.assumptions.end(),
                       [&](const std::string &note) { return note.find(text) != std::string::npos; });
}

/// Four workers of three speeds and two link rates, one server: without a barrier their iterations alternate.
Scenario alternating() {
    Job job = chainJob({{0.00014, 0.00523, 304009},
                        {0.00197, 0.00007, 343185},
                        {0.00203, 0.00052, 23886},
                        {0.00275, 0.00338, 911128},
                        {0.00011, 0.00428, 263266},
                        {0.00133, 0.00486, 636765},
                        {0.00269, 0.00534, 946574}});
    const auto add = [&](std::size_t layer, std::int64_t elements) {
        Variable second = job.variables.front();
        second.name = "second of " + job.layers[layer].name;
        second.shape = {elements};
        job.layers[layer].variables.push_back(static_cast<std::int32_t>(job.variables.size()));
        job.variables.push_back(second);
    };
    add(0, 894060);
    add(2, 321839);
    add(6, 823268);
    job.updateSeconds = 0.001;
    Cluster cluster = servedCluster(4, 0.625e9);
    cluster.nodes[0].computeScale = 0.8;
    cluster.nodes[1].computeScale = 0.5;
    cluster.nodes[2].bandwidthBytesPerSecond = 0.25e9;
    cluster.nodes[4].bandwidthBytesPerSecond = 1.25e9;
    Strategy strategy = parameterServers(job, {"n4:CPU:0"});
    return scenario(std::move(job), std::move(cluster), std::move(strategy), *parsePolicy("fifo(barrier=off)"));
}

/// Gradients that become ready exactly when a cycle or a transfer ends.
Scenario simultaneous() {
    Job job = chainJob({{0.005, 0.0027, 700000}, {0.003, 0.0016, 100000}, {0.004, 0.0002, 500000}});
    Strategy strategy = allReduceEach(job);
    return scenario(std::move(job), plainCluster(2, 0.625e9), std::move(strategy),
                    *parsePolicy("horovod(fusion=0,cycle=5ms,barrier=off)"));
}

/// The same schedule in units of `unit` seconds.
Scenario inUnits(double unit) {
    Job job = chainJob({{1, 1, 1000000}, {1, 1, 2000000}, {1, 1, 1000000}});
    for (Layer &layer : job.layers) {
        layer.forwardSeconds *= unit;
        layer.backwardSeconds *= unit;
    }
    Strategy strategy = parameterServers(job, {"n2:CPU:0"});
    return scenario(std::move(job), servedCluster(2, 8e6 / unit), std::move(strategy),
                    *parsePolicy("bytescheduler(partition=2MB,credit=4MB,barrier=off)"));
}

/// Only forward ops, and a schedule in which those of worker w start at intervals lengths[w].
std::pair<TaskGraph, Schedule> startsOf(const std::vector<std::vector<double>> &lengths, bool inStep) {
    GraphBuilder builder;
    Schedule schedule;
    TaskGraph &graph = builder.graph();
    for (std::size_t w = 0; w < lengths.size(); ++w) {
        double at = 0;
        for (std::size_t i = 0; i <= lengths[w].size(); ++i) {
            TaskRow row;
            row.kind = TaskKind::Forward;
            row.worker = WorkerClassId(w);
            row.iteration = static_cast<std::int32_t>(i);
            builder.addTask(row);
            schedule.startSeconds.push_back(at);
            at += i < lengths[w].size() ? lengths[w][i] : 0;
        }
        graph.workerIterations.push_back(static_cast<std::int32_t>(lengths[w].size()) + 1);
        graph.workerWarmUp.push_back(0);
        graph.workerReplicas.push_back(1);
    }
    schedule.endSeconds = schedule.startSeconds;
    graph.iterations = graph.workerIterations.front();
    graph.workersInStep = inStep;
    return {builder.take(), schedule};
}

} // namespace

class TestSteadyState : public QObject {
    Q_OBJECT

private slots:
    void iterationsDoNotMatter_data() {
        QTest::addColumn<bool>("ties");
        QTest::newRow("workers that alternate") << false;
        QTest::newRow("gradients ready at the end of a cycle") << true;
    }
    void iterationsDoNotMatter() {
        QFETCH(bool, ties);
        const Scenario scenario = ties ? simultaneous() : alternating();
        const auto limit = runOf(scenario, 64);
        QVERIFY(limit);
        for (const std::int32_t iterations : {3, 4, 5, 6, 7, 8, 12, 100}) {
            const auto run = runOf(scenario, iterations);
            QVERIFY(run);
            COMPARE_CLOSE(run->iterationSeconds, limit->iterationSeconds, 1e-6);
        }
    }

    /// The mean of a period equals the average over many iterations, at any phase.
    void aPeriodIsAveragedOver() {
        const auto run = runOf(alternating(), 4);
        QVERIFY(hasNote(*run, "The schedule repeats every "));
        const auto longer = runOf(alternating(), 400);
        const auto &starts = longer->timeline.iterationStart;
        const double mean = static_cast<double>(starts[399] - starts[99]) * 1e-9 / 300;
        COMPARE_CLOSE(run->iterationSeconds, mean, 1e-3);
        COMPARE_ABOVE(std::abs(static_cast<double>(starts[399] - starts[398]) * 1e-9 / mean - 1), 0.01,
                      "the scenario is no test of alternation any more");
    }

    /// Eight non-repeating iterations, as eight batches: their mean, and 2.3646 (Student's t, 97.5 %, 7 degrees of freedom)
    /// standard errors of it.
    void aMeanHasStudentsInterval() {
        constexpr double unit = 0.05;
        std::vector<double> lengths(8, 2.0); // the first half is a transient
        for (const double x : {3, -1, -3, 2, 1, -2, 4, -4})
            lengths.push_back(1 + unit * x);
        const auto [graph, schedule] = startsOf({lengths}, true);
        const SteadyState state = steadyState(graph, schedule);
        QCOMPARE(state.period, 0);
        COMPARE_CLOSE(state.secondsPerStep, 1);
        const double variance = unit * unit * (9 + 1 + 9 + 4 + 1 + 4 + 16 + 16) / 7;
        COMPARE_CLOSE(state.confidence, 2.3646 * std::sqrt(variance / 8), 1e-3);
    }

    /// Drifting workers are counted in fractions of a step: 40 steps of 1 s, and 23.5 of 1.7 s in the same time.
    void stepsThatAreUnderWayCount() {
        const auto [graph, schedule] = startsOf({std::vector<double>(40, 1.0), std::vector<double>(24, 1.7)}, false);
        COMPARE_CLOSE(steadyState(graph, schedule).secondsPerStep, 2 / (1 + 1 / 1.7));
    }

    /// Other jobs' traffic comes and goes: no number of iterations determines the time of the next one.
    void changingLinksHaveNoSteadyState() {
        for (const bool inStep : {true, false}) {
            auto [graph, schedule] = startsOf({std::vector<double>(40, 1.0), std::vector<double>(40, 1.0)}, inStep);
            graph.capacityChanges.push_back({});
            const SteadyState state = steadyState(graph, schedule);
            QVERIFY(state.isChanging);
            QVERIFY(std::isinf(state.confidence));
            QVERIFY(!state.isExact());
            COMPARE_CLOSE(state.secondsPerStep, 1);
        }
    }

    /// One worker pushes and pulls a variable after 9 ms of compute, over links of 1 MB/s with buckets of 1 MB: messages pass at
    /// once, and buckets lose in an iteration the bytes beyond 9 kB. Empty, they let the links' refill pass, 1 MB/s.
    void bucketsThatEmpty_data() {
        QTest::addColumn<int>("bytes");
        QTest::addColumn<bool>("isSteady");
        QTest::newRow("by less than a digit worth knowing") << 9004 << true;
        QTest::newRow("by a tenth") << 9900 << false;
        QTest::newRow("not at all") << 8100 << true;
    }
    void bucketsThatEmpty() {
        QFETCH(int, bytes);
        QFETCH(bool, isSteady);
        Job job = chainJob({{0.004, 0.005, bytes / 4}});
        Cluster cluster = servedCluster(1, 1e6);
        cluster.burstBytes = 1e6;
        Strategy strategy = parameterServers(job, {"n1:CPU:0"});
        const Scenario s = scenario(std::move(job), std::move(cluster), std::move(strategy));
        const auto run = runOf(s, 4);
        QVERIFY(run);
        COMPARE_CLOSE(run->iterationSeconds, 0.009);
        QCOMPARE(std::isfinite(run->confidence), isSteady);
        QCOMPARE(hasNote(*run, "still empty or fill"), !isSteady);
        const double excess = std::max(0.0, bytes / 9000.0 - 1);
        QCOMPARE(hasNote(*run, "slowly empty or fill"), isSteady && excess > 0);
        QCOMPARE(hasNote(*run, "differ by about 0.044 %"), isSteady && excess > 0);
        QVERIFY(!hasNote(*run, "does not repeat")); // it does, until the bucket is empty
        if (isSteady) {
            COMPARE_CLOSE(run->confidence, excess, 1e-6);
            return;
        }
        const auto empty = runOf(s, 4000); // after 1112 it is
        QVERIFY(empty);
        COMPARE_CLOSE(empty->iterationSeconds, bytes / 1e6);
        QCOMPARE(empty->confidence, 0.0);
    }

    void aScheduleThatRepeatsAtOnceIsUnrolledNoFurther() {
        Job job = chainJob({{0.01, 0.02, 1000000}, {0.01, 0.02, 1000000}});
        Strategy strategy = allReduceEach(job);
        const auto run = runOf(scenario(std::move(job), plainCluster(4, 1e9), std::move(strategy)), 4);
        QCOMPARE(run->graph.iterations, 4);
        QVERIFY(!hasNote(*run, "does not repeat"));
    }

    /// A schedule that is inspected halfway and extended by more iterations equals one that is played in one go.
    void goingOnIsPlayingAnew_data() {
        QTest::addColumn<QString>("policy");
        QTest::addColumn<bool>("servers");
        for (const char *policy : {"fifo(barrier=off)", "fifo", "p3", "bytescheduler(partition=300KB,credit=1MB)"})
            QTest::newRow(qPrintable(QString("servers, %1").arg(policy))) << QString(policy) << true;
        for (const char *policy : {"fifo(form=flows)", "fifo(form=flows,barrier=off)", "horovod(cycle=5ms)", "ddp"})
            QTest::newRow(qPrintable(QString("all-reduce, %1").arg(policy))) << QString(policy) << false;
    }
    void goingOnIsPlayingAnew() {
        QFETCH(QString, policy);
        QFETCH(bool, servers);
        Scenario s = alternating();
        s.policy = *parsePolicy(policy.toStdString());
        if (!servers)
            s.strategy = std::make_shared<const Strategy>(allReduceEach(*s.job));
        const auto graphOf = [&](std::int32_t iterations) {
            s.iterations = iterations;
            return *rewrite(s);
        };
        Playback playback(graphOf(4));
        for (const std::int32_t iterations : {4, 8, 16}) {
            if (iterations > 4)
                playback.extend(graphOf(iterations));
            QVERIFY2(iterations == 4 || playback.schedule().endSeconds.front() < 1e9, "it was played from the beginning");
            playback.playToIteration(iterations - 1, {}, nullptr);
            QVERIFY(!playback.schedule().complete);
            COMPARE_BELOW(iterationStarts(playback.graph(), playback.schedule()).front().back(), 1e9);
        }
        playback.playToEnd({}, nullptr);
        const Schedule anew = runEventLoop(graphOf(16));
        QVERIFY(playback.schedule().complete && anew.complete);
        QCOMPARE(playback.schedule().events, anew.events);
        QVERIFY(playback.schedule().readySeconds == anew.readySeconds);
        QVERIFY(playback.schedule().startSeconds == anew.startSeconds);
        QVERIFY(playback.schedule().endSeconds == anew.endSeconds);
    }

    /// Tasks that would have been ready earlier cannot be added to a played schedule: it is then played from the start.
    void aGraphThatIsNoContinuationIsPlayedAnew() {
        Scenario s = alternating();
        Playback playback(*rewrite(s));
        playback.playToEnd({}, nullptr); // the last iteration has ended, and the next ones would have begun
        s.iterations *= 2;
        playback.extend(*rewrite(s));
        playback.playToEnd({}, nullptr);
        QVERIFY(playback.schedule().endSeconds == runEventLoop(playback.graph()).endSeconds);
        s.cluster = std::make_shared<const Cluster>(servedCluster(4, 0.5e9)); // other links
        s.iterations *= 2;
        playback.extend(*rewrite(s));
        playback.playToEnd({}, nullptr);
        QVERIFY(playback.schedule().endSeconds == runEventLoop(playback.graph()).endSeconds);
    }

    /// However far it was unrolled, each event is played once.
    void nothingIsPlayedTwice() {
        const auto run = runOf(alternating(), 4);
        COMPARE_ABOVE(run->graph.iterations, 4);
        const Schedule anew = runEventLoop(run->graph);
        QCOMPARE(run->events, anew.events);
        QVERIFY(run->endSeconds == anew.endSeconds);
    }

    /// Queues order simultaneous events: a schedule does not depend on the unit of time.
    void theUnitOfTimeDoesNotMatter() {
        const double one = runOf(inUnits(1), 4)->iterationSeconds;
        for (const double unit : {0.1, 0.01, 0.003, 1e-4, 0.7, 1.0 / 3}) {
            const auto run = runOf(inUnits(unit), 4);
            COMPARE_CLOSE(run->iterationSeconds / unit, one, 1e-9);
        }
    }

    /// Drifting workers: the default is within its own confidence interval of a long run.
    void driftingWorkersReachTheirPace_data() {
        QTest::addColumn<int>("staleness");
        QTest::newRow("asynchronous") << unboundedStaleness;
        QTest::newRow("3 steps ahead") << 3;
    }
    void driftingWorkersReachTheirPace() {
        QFETCH(int, staleness);
        Job job = chainJob({{0.00213, 0.00365, 156086}});
        Cluster cluster = servedCluster(4, 0.625e9);
        cluster.nodes[0].bandwidthBytesPerSecond = 1.25e9;
        cluster.nodes[2].bandwidthBytesPerSecond = 0.25e9;
        for (const int n : {0, 1, 2})
            cluster.nodes[static_cast<std::size_t>(n)].computeScale = 0.5;
        cluster.nodes[3].computeScale = 0.8;
        Strategy strategy = parameterServers(job, {"n4:CPU:0"});
        strategy.nodes[0].synchronizer.sync = staleness != unboundedStaleness;
        strategy.nodes[0].synchronizer.staleness = staleness == unboundedStaleness ? 0 : staleness;
        const Scenario drifting = scenario(std::move(job), std::move(cluster), std::move(strategy));
        const auto run = runOf(drifting, 4), longer = runOf(drifting, 3000);
        QVERIFY(run && longer);
        COMPARE_CLOSE(run->iterationSeconds, longer->iterationSeconds, 5e-3);
    }

    /// With a server on its node, worker 0 has little to send, yet its compute stream waits for the others' traffic.
    void exposedIsWhatAnIterationTakesBeyondCompute() {
        Job job = chainJob({{0.001, 0.002, 5000000}});
        Strategy strategy = parameterServers(job, {"n0:CPU:0"});
        const auto run = runOf(scenario(std::move(job), plainCluster(4, 1.25e9), std::move(strategy)), 4);
        const AreaStatistics iteration = iterationStatistics(*run);
        COMPARE_CLOSE(iteration.computeSeconds, 0.003, 1e-6);
        COMPARE_CLOSE(iteration.exposedSeconds, run->iterationSeconds - 0.003, 1e-6);
        const auto from = static_cast<Nanoseconds>(run->windowStartSeconds * 1e9);
        const auto ofServer =
            areaStatistics(run->timeline, from, from + static_cast<Nanoseconds>(run->iterationSeconds * 1e9), 0);
        COMPARE_AT_MOST(ofServer.exposedSeconds, iteration.exposedSeconds);
        COMPARE_AT_LEAST(ofServer.exposedSeconds, 0.09); // 3.3 ms by its own lanes alone
    }

    /// Where iterations alternate, one of them does not represent the others: each worker's figures are those of the long run.
    void figuresAreMeansOfWhatAlternates() {
        const auto run = runOf(alternating(), 4), longer = runOf(alternating(), 400);
        QVERIFY(run && longer);
        COMPARE_AT_LEAST(run->windowIterations, 2);
        const AreaStatistics got = iterationStatistics(*run);
        const auto &starts = longer->timeline.iterationStart;
        constexpr double iterations = 300;
        const AreaStatistics want = areaStatistics(longer->timeline, starts[99], starts[399], got.worker);
        COMPARE_CLOSE(got.computeSeconds, want.computeSeconds / iterations, 1e-3);
        COMPARE_CLOSE(got.communicationSeconds, want.communicationSeconds / iterations, 1e-3);
        COMPARE_CLOSE(got.exposedSeconds, want.exposedSeconds / iterations, 1e-3);
        COMPARE_CLOSE(got.windowSeconds, run->iterationSeconds, 1e-6);
    }

    /// Without a barrier the workers' iterations alternate, but the same ops take as long as with one.
    void computeDoesNotDependOnTheBarrier() {
        const auto computeWith = [](const char *policy) {
            ScenarioOptions options;
            options.job = "bert_large";
            options.cluster = "B7";
            options.strategy = "PSLoadBalancing";
            options.policy = policy;
            options.bandwidthGbits = 8;
            const auto scenario = loadScenario(options, 1);
            const auto run = scenario ? simulate(*scenario) : Unexpected(scenario.error());
            return run ? iterationStatistics(**run).computeSeconds : 0;
        };
        const double want = computeWith("fifo");
        COMPARE_ABOVE(want, 0.1);
        COMPARE_CLOSE(computeWith("fifo(barrier=off)"), want, 1e-2);
    }

    /// Waiting for Horovod's cycle counts as waiting for communication, although nothing moves.
    void aWaitForACycleIsExposed() {
        Job job = chainJob({{0.001, 0.002, 1000}});
        Strategy strategy = allReduceEach(job);
        const auto run =
            runOf(scenario(std::move(job), plainCluster(2, 1.25e9), std::move(strategy), *parsePolicy("horovod(cycle=10ms)")), 4);
        COMPARE_CLOSE(iterationStatistics(*run).exposedSeconds, run->iterationSeconds - 0.003, 1e-6);
        COMPARE_ABOVE(run->iterationSeconds, 0.01);
    }

    /// A straggler's compute keeps others waiting, but not for communication.
    void waitingForAStragglerIsNotExposed() {
        Job job = chainJob({{0.01, 0.02, 1000}});
        Cluster cluster = plainCluster(2, 1.25e9);
        cluster.nodes[1].computeScale = 0.5;
        Strategy strategy = allReduceEach(job);
        const auto run = runOf(scenario(std::move(job), std::move(cluster), std::move(strategy)), 4);
        COMPARE_AT_LEAST(run->iterationSeconds, 0.06);
        COMPARE_BELOW(iterationStatistics(*run).exposedSeconds, 0.001);
    }

    /// The host copies only the rows that a step touches, not the table.
    void hostCostOfSparseGradientsIsOfTouchedRows() {
        Job job = chainJob({{0.001, 0.001, 0}});
        Variable table;
        table.name = "table";
        table.shape = {1000000, 64};
        table.sparse = true;
        table.rowsTouched = 100;
        job.variables.push_back(table);
        job.layers[0].variables = {0};
        Strategy strategy = parameterServers(job, {"n2:CPU:0"});
        const Scenario without = scenario(job, servedCluster(2, 1.25e9), strategy);
        job.hostSecondsPerByteBeforeSend = 1e-9;
        const Scenario with = scenario(job, servedCluster(2, 1.25e9), strategy);
        COMPARE_CLOSE(runOf(with, 4)->iterationSeconds - runOf(without, 4)->iterationSeconds, 100 * 256 * 1e-9, 1e-6);
    }
};

QTEST_GUILESS_MAIN(TestSteadyState)
#include "tst_steady_state.moc"
