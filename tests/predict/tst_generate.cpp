// SPDX-License-Identifier: GPL-3.0-or-later
// Traces generated from sampled steps, compared with a plain Python version of Algorithm 3.1, closed forms and the simulator.
#include "engine/base/units.h"
#include "engine/job/catalogue.h"
#include "engine/strategy/builders.h"
#include "tests/checks.h"
#include "tests/predict/step_sets.h"
#include "tests/scenarios.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

QJsonObject yardstick(const StepSet &set, const PredictMachines &machines, const GenerateOptions &options, const Generated &made,
                      bool trace) {
    QJsonArray ops, steps, samples;
    for (std::size_t i = 0; i < set.graph.ops.size(); ++i) {
        QJsonArray deps;
        for (const auto &[before, after] : set.graph.edges)
            if (after == static_cast<std::int32_t>(i))
                deps.append(before);
        ops.append(QJsonObject{{"res", nameOf(set.graph.ops[i].resource)}, {"size", set.graph.ops[i].sizeBytes}, {"deps", deps}});
    }
    for (const auto &row : set.seconds) {
        QJsonArray seconds;
        for (const double s : row)
            seconds.append(s);
        steps.append(seconds);
    }
    const std::size_t workers = machines.workerNode.size(), each = made.sampledFrom.size() / workers;
    for (std::size_t w = 0; w < workers; ++w) {
        QJsonArray own;
        for (std::size_t s = 0; s < each; ++s)
            own.append(made.sampledFrom[w * each + s]);
        samples.append(own);
    }
    QJsonObject job{{"ops", ops},
                    {"steps", steps},
                    {"samples", samples},
                    {"bandwidth", machines.nodeBytesPerSecond.front()},
                    {"window", std::isinf(options.windowBytes) ? QJsonValue() : QJsonValue(options.windowBytes)},
                    {"trace", trace}};
    QProcess python;
    python.start(QStringLiteral("python3"), {QStringLiteral(SYNCOPATE_SOURCE "/tests/predict/algorithm_3_1.py")});
    python.write(QJsonDocument(job).toJson());
    python.closeWriteChannel();
    python.waitForFinished(syncopate::testing::patience);
    return QJsonDocument::fromJson(python.readAllStandardOutput()).object();
}

} // namespace

class TestGenerate : public QObject {
    Q_OBJECT

private slots:
    void likeAlgorithm31_data() {
        QTest::addColumn<int>("workers");
        QTest::addColumn<double>("window");
        for (const int workers : {1, 2, 3, 5})
            for (const double window : {65536.0, std::numeric_limits<double>::infinity()})
                QTest::addRow("%d workers, window %g", workers, window) << workers << window;
    }

    /// Every chunk has the same worker, op and times as in the Python version.
    void likeAlgorithm31() {
        if (QStandardPaths::findExecutable("python3").isEmpty())
            QSKIP("python3 is not installed");
        QFETCH(int, workers);
        QFETCH(double, window);
        for (const std::uint64_t seed : {1, 2, 3}) {
            const StepSet set = randomSteps(seed, 4);
            const PredictMachines machines = machinesLike(workers, 1, 1e8);
            GenerateOptions options;
            options.steps = 12;
            options.warmUp = 0;
            options.traceSteps = 12;
            options.stopEach = true;
            options.computeByRank = false;
            options.windowBytes = window;
            options.seed = seed;
            const auto made = generateTrace(set, machines, options);
            VERIFY_VALUE(made);
            const QJsonObject theirs = yardstick(set, machines, options, *made, true);
            const QJsonArray trace = theirs["trace"].toArray();
            COMPARE_AT_LEAST(trace.size(), 12 * workers * 32);
            QCOMPARE(static_cast<qsizetype>(made->trace.size()), trace.size());
            QCOMPARE(static_cast<double>(made->ops), theirs["ops"].toDouble());
            // By chunk: workers that do the same simultaneously may end in either order.
            using Chunk = std::tuple<int, int, int, double, double>; // worker, step, op, start, end
            std::vector<Chunk> expected, actual;
            for (const auto &value : trace) {
                const QJsonArray row = value.toArray();
                expected.emplace_back(row[0].toInt(), row[2].toInt(), row[1].toInt(), row[3].toDouble(), row[4].toDouble());
            }
            for (const TraceChunk &chunk : made->trace)
                actual.emplace_back(chunk.worker.number(), chunk.step.number(), chunk.op.number(), chunk.startSeconds,
                                    chunk.endSeconds);
            std::sort(expected.begin(), expected.end());
            std::sort(actual.begin(), actual.end());
            for (std::size_t i = 0; i < expected.size(); ++i) {
                const auto &[worker, step, op, start, end] = expected[i];
                const auto &[ourWorker, ourStep, ourOp, ourStart, ourEnd] = actual[i];
                QCOMPARE(std::tuple(ourWorker, ourStep, ourOp), std::tuple(worker, step, op));
                COMPARE_WITHIN(ourStart, start, 1e-9);
                COMPARE_WITHIN(ourEnd, end, 1e-9);
            }
        }
    }

    void closedForms() {
        // One worker, nothing overlaps: 1 s down, 2 s compute, 1 s up, 0.5 s update.
        StepSet set = oneOp(StepResource::Downlink, 0, 1e6);
        set.graph.ops.push_back({"compute", StepResource::Worker, 0, -1, -1, 0, 1});
        set.graph.ops.push_back({"up", StepResource::Uplink, 0, -1, -1, 1e6, 2});
        set.graph.ops.push_back({"update", StepResource::Server, 0, -1, -1, 0, 3});
        set.graph.edges = {{0, 1}, {1, 2}, {2, 3}};
        set.seconds = {{0, 2, 0, 0.5}};
        COMPARE_CLOSE(samplesPerSecond(set, machinesLike(1, 1, 1e6)), 1 / 4.5);
        set.batchSize = 16;
        COMPARE_CLOSE(samplesPerSecond(set, machinesLike(1, 1, 1e6)), 16 / 4.5);
        PredictMachines slow = machinesLike(1, 1, 1e6);
        slow.workerScale = {0.5};
        COMPARE_CLOSE(samplesPerSecond(set, slow), 16 / 6.5);
        slow.messageSeconds = 0.25;
        COMPARE_CLOSE(samplesPerSecond(set, slow), 16 / 7.0);
        slow.nodeBytesPerSecond = {5e5, 1e6}; // the worker's own link
        COMPARE_CLOSE(samplesPerSecond(set, slow), 16 / 9.0);
        // Transfers only: the server's link is always full, for any number of workers.
        for (const int workers : {1, 2, 7, 64})
            COMPARE_CLOSE(samplesPerSecond(oneOp(StepResource::Uplink, 0, 2e6), machinesLike(workers, 1, 1e6)), 0.5);
        // Compute only: workers do not disturb each other.
        COMPARE_CLOSE(samplesPerSecond(oneOp(StepResource::Worker, 0.1, 0), machinesLike(7, 1, 1e6)), 70);
    }

    void likeTheSimulator_data() {
        QTest::addColumn<QString>("background");
        QTest::addColumn<double>("limitGbits");
        constexpr double none = std::numeric_limits<double>::infinity();
        QTest::newRow("links of their own") << "" << none;
        QTest::newRow("others' traffic, from the start") << "server0.up:0.5@0-1000s" << none;
        QTest::newRow("others' traffic, later")
            << "server0.up:0.3@0.2-1000s,server0.up:0.3@0.5-1000s,server0.down:0.7@0.1-1000s" << none;
        QTest::newRow("others' traffic that ends") << "server0.up:0.9@0-0.3s" << none;
        QTest::newRow("a flow limit") << "" << 0.4;
    }
    /// Per-layer overlap of one worker, and the convoy of two, equal the simulator's figures for the same job.
    void likeTheSimulator() {
        QFETCH(QString, background);
        QFETCH(double, limitGbits);
        const auto traffic = background.isEmpty() ? std::vector<BackgroundTraffic>() : *parseBackground(background.toStdString());
        const Job job = chainJob({{0.004, 0.008, 40000}, {0.004, 0.008, 1200000}, {0.002, 0.004, 600000}, {0.001, 0.003, 0}});
        for (const int workers : {1, 2, 3}) {
            Cluster cluster = withDedicatedServers(uniformCluster(workers, 1), 1);
            cluster.connectionBytesPerSecond = bytesPerSecondFromGbits(limitGbits);
            Scenario scenario;
            scenario.job = std::make_shared<const Job>(job);
            scenario.cluster = std::make_shared<const Cluster>(cluster);
            auto strategy = *buildStrategy("PS(sync=False)", job, cluster);
            scenario.strategy = std::make_shared<const Strategy>(strategy);
            scenario.policy = *parsePolicy("fifo(barrier=off)");
            scenario.iterations = 40;
            scenario.background = traffic;
            const auto run = simulate(scenario);
            VERIFY_VALUE(run);
            const auto set = stepSetFromJob(job, {}, {.perLayer = true});
            VERIFY_VALUE(set);
            const auto machines = machinesOf(cluster, 1);
            VERIFY_VALUE(machines);
            GenerateOptions options;
            options.background = traffic;
            const double ours = samplesPerSecond(*set, *machines, options);
            COMPARE_CLOSE(ours, (*run)->samplesPerSecond, 1e-3,
                          QString("%1 workers: %2, simulated %3").arg(workers).arg(ours).arg((*run)->samplesPerSecond));
        }
    }

    /// Two branches that share nothing: the one with little to send must not run ahead of the other.
    void branchesStayTogether() {
        Job job = chainJob({{0.01, 0.01, 5000000}, {1e-6, 1e-6, 1}});
        job.layers[1].parents.clear();
        const auto set = withPlacement(*stepSetFromJob(job, {}, {.perLayer = true}), {0, 1}, 2); // nor a connection
        VERIFY_VALUE(set);
        GenerateOptions options;
        options.steps = 20;
        options.warmUp = 0;
        options.traceSteps = 1000;
        const auto made = generateTrace(*set, machinesLike(1, 2, 1e8), options);
        VERIFY_VALUE(made);
        std::int32_t furthest = 0;
        for (const TraceChunk &chunk : made->trace)
            furthest = std::max(furthest, chunk.step.number());
        COMPARE_AT_MOST(furthest, 21);
    }

    void stalenessHoldsFastWorkers() {
        const StepSet set = oneOp(StepResource::Worker, 0.1, 0);
        PredictMachines machines = machinesLike(3, 1, 1e6);
        machines.workerScale = {1, 1, 0.5};
        GenerateOptions options;
        COMPARE_CLOSE(samplesPerSecond(set, machines, options), 25, 1e-2); // 10 + 10 + 5
        for (const int staleness : {0, 3}) {                               // all as fast as the slowest
            options.staleness = staleness;
            COMPARE_CLOSE(samplesPerSecond(set, machines, options), 15, 2e-2);
        }
    }

    /// A bound that no worker ever reaches is none: steps end at the same moments as without one, also where the request for a
    /// step takes its time (TCP).
    void aBoundOutOfReachIsNone() {
        const StepSet set = randomSteps(5, 7);
        PredictMachines machines = machinesLike(3, 1, 2e7);
        machines.messageSeconds = 2e-4;
        for (const LinkSharing sharing : {LinkSharing::Equal, LinkSharing::Tcp})
            for (const double window : {std::numeric_limits<double>::infinity(), 65536.0}) {
                GenerateOptions options;
                options.steps = 40;
                options.warmUp = 0;
                options.sharing = sharing;
                options.windowBytes = window;
                const auto free = generateTrace(set, machines, options);
                options.staleness = 1000;
                const auto bounded = generateTrace(set, machines, options);
                VERIFY_VALUE(free);
                VERIFY_VALUE(bounded);
                QCOMPARE(bounded->completionSeconds, free->completionSeconds);
            }
    }

    void ordersAndWindows() {
        // Two pulls of 1 s each; compute of 1 s waits only for the second: if that is sent first, it hides the other.
        StepSet set = oneOp(StepResource::Downlink, 0, 1e6);
        set.graph.ops.push_back(set.graph.ops[0]);
        set.graph.ops[1].rank = 1;
        set.graph.ops.push_back({"compute", StepResource::Worker, 0, -1, -1, 0, 2});
        set.graph.edges = {{1, 2}};
        set.seconds = {{0, 0, 1}};
        const PredictMachines machines = machinesLike(1, 1, 1e6);
        GenerateOptions options;
        COMPARE_CLOSE(samplesPerSecond(set, machines, options), 1 / 3.0);
        options.transferRank = *transferRanks(set, TransferOrder::Reverse, 0, 1);
        COMPARE_CLOSE(samplesPerSecond(set, machines, options), 1 / 2.0);
        // Flow control: 0.25 s of each, then the rest: the second ends last in either order.
        options.windowBytes = 2.5e5;
        options.transferRank.clear();
        COMPARE_CLOSE(samplesPerSecond(set, machines, options), 1 / 3.0);
        options.transferRank = *transferRanks(set, TransferOrder::Reverse, 0, 1);
        COMPARE_CLOSE(samplesPerSecond(set, machines, options), 1 / 2.25); // 0.25 + 0.25 + 0.75, then compute
        // TIC and TAC recognise that the compute only waits for the second pull.
        options.windowBytes = std::numeric_limits<double>::infinity();
        options.transferRank = *transferRanks(set, TransferOrder::Tac, 1e6, 1);
        COMPARE_CLOSE(samplesPerSecond(set, machines, options), 1 / 2.0);
        QVERIFY(!transferRanks(set, TransferOrder::Tic, 0, 1));
    }

    /// TicTac on a DAG that is not a chain: two branches, x (pulls 0, 1, 2) and y (pull 3), joined. TAC: pull 3 alone unlocks
    /// compute, which hides the rest.
    void ticOnADag() {
        StepSet set = oneOp(StepResource::Downlink, 0, 1e6);
        for (int i = 1; i < 4; ++i) {
            set.graph.ops.push_back(set.graph.ops[0]);
            set.graph.ops.back().rank = i;
        }
        for (const char *name : {"x", "y0", "y", "join"})
            set.graph.ops.push_back({name, StepResource::Worker, 0, -1, -1, 0, static_cast<std::int64_t>(set.graph.ops.size())});
        set.graph.edges = {{0, 4}, {1, 4}, {2, 4}, {3, 5}, {5, 6}, {4, 7}, {6, 7}};
        set.seconds = {{0, 0, 0, 0, 1, 1, 2, 1}};
        for (const TransferOrder order : {TransferOrder::Tic, TransferOrder::Tac}) {
            const auto ranks = transferRanks(set, order, 1e6, 1);
            VERIFY_VALUE(ranks);
            if (order == TransferOrder::Tac)
                COMPARE_BELOW((*ranks)[3], std::min({(*ranks)[0], (*ranks)[1], (*ranks)[2]}));
            GenerateOptions options;
            options.transferRank = *ranks;
            // Recorded: pulls end at 1, 2, 3, 4; x until 4, y0 until 5, y until 7, join until 8. Pull 3 first: 1, then y0 until
            // 2, y until 4, x until 5, join until 6.
            if (order == TransferOrder::Tac)
                COMPARE_CLOSE(samplesPerSecond(set, machinesLike(1, 1, 1e6), options), 1 / 6.0);
        }
        COMPARE_CLOSE(samplesPerSecond(set, machinesLike(1, 1, 1e6)), 1 / 8.0);
    }

    /// Figure 23: VGG-11's layers on two servers, 407 MB and 100 MB.
    void vggOnTwoServers() {
        const Job job = *catalogueJob("vgg11");
        std::vector<double> bytes;
        for (const Variable &variable : job.variables)
            bytes.push_back(static_cast<double>(variable.sizeBytes()));
        const auto placed = placeGreedily(bytes, 2);
        std::array<double, 2> load{};
        for (std::size_t v = 0; v < bytes.size(); ++v)
            load[static_cast<std::size_t>(placed[v])] += bytes[v];
        const double mib = 1024 * 1024; // the paper's MB: 392 MB are 25088 x 4096 floats
        COMPARE_WITHIN(std::max(load[0], load[1]) / mib, 407, 1, QString("%1 and %2").arg(load[0] / mib).arg(load[1] / mib));
        COMPARE_WITHIN(std::min(load[0], load[1]) / mib, 100, 1, QString("%1 and %2").arg(load[0] / mib).arg(load[1] / mib));
        const auto set = withPlacement(*stepSetFromJob(job), placed, 2);
        VERIFY_VALUE(set);
        for (const StepOp &op : set->graph.ops)
            if (op.variable >= 0)
                QCOMPARE(op.server, placed[static_cast<std::size_t>(op.variable)]);
        QVERIFY(!withPlacement(*set, {0}, 2));
    }

    void samplesOfAProfile() {
        const Job job = chainJob({{1, 2, 10}, {3, 4, 10}});
        StepSample sample;
        sample.forwardSeconds = {0.1, 0.2};
        sample.backwardSeconds = {0.3, 0.4};
        StepSample other = sample;
        other.forwardSeconds = {0.5, 0.6};
        const auto set = stepSetFromJob(job, {sample, other});
        VERIFY_VALUE(set);
        QCOMPARE(set->seconds.size(), std::size_t{2});
        // With negligible traffic, the mean of 1.0 s and 1.8 s.
        COMPARE_CLOSE(samplesPerSecond(*set, machinesLike(1, 1, 1e12)), 1 / 1.4, 0.03);
        other.forwardSeconds = {0.5};
        QVERIFY(!stepSetFromJob(job, {other}));
    }

    /// The update is the server's, but a worker's launch gap after it is not: compute of 1 s and 30 ms of waiting.
    void aWaitForTheHostEndsAStep() {
        for (const bool perLayer : {false, true})
            for (const bool branches : {false, true}) {
                Job job = chainJob({{0.1, 0.2, 10}, {0.3, 0.4, 10}});
                job.updateSeconds = 0.05;
                job.updateHostSeconds = 0.03;
                if (branches)
                    job.layers[1].parents.clear();
                const auto set = stepSetFromJob(job, {}, {.perLayer = perLayer});
                VERIFY_VALUE(set);
                COMPARE_CLOSE(samplesPerSecond(*set, machinesLike(1, 1, 1e12)), 1 / 1.03, 1e-6);
                QCOMPARE(std::accumulate(set->hostSeconds.front().begin(), set->hostSeconds.front().end(), 0.0), 0.03);
            }
    }

    /// Spread workers begin at different times within the length of a step; a single one begins at once.
    void workersAreSpread() {
        const StepSet set = oneOp(StepResource::Worker, 2, 0);
        GenerateOptions options;
        options.spreadStarts = true;
        options.steps = options.traceSteps = 1;
        options.warmUp = 0;
        std::vector<double> begins;
        const auto eight = generateTrace(set, machinesLike(8, 1, 1e6), options);
        VERIFY_VALUE(eight);
        for (const TraceChunk &chunk : eight->trace)
            begins.push_back(chunk.startSeconds);
        QCOMPARE(begins.size(), std::size_t{8});
        std::sort(begins.begin(), begins.end());
        COMPARE_ABOVE(begins.front(), 0);
        COMPARE_BELOW(begins.back(), 2);
        QVERIFY(std::adjacent_find(begins.begin(), begins.end()) == begins.end());
        COMPARE_CLOSE(generateTrace(set, machinesLike(1, 1, 1e6), options)->completionSeconds.front(), 2);
    }

    void sameSeedSameBits() {
        const StepSet set = randomSteps(3, 5);
        GenerateOptions options;
        options.steps = 50;
        options.sharing = LinkSharing::Uneven;
        const auto a = generateTrace(set, machinesLike(4, 1, 1e8), options),
                   b = generateTrace(set, machinesLike(4, 1, 1e8), options);
        QVERIFY(a->completionSeconds == b->completionSeconds);
        options.seed = 2;
        QVERIFY(a->completionSeconds != generateTrace(set, machinesLike(4, 1, 1e8), options)->completionSeconds);
    }

    void hostile() {
        const PredictMachines machines = machinesLike(2, 1, 1e6);
        const auto says = [&](const StepSet &set, const char *what, const GenerateOptions &options = {}) {
            const auto made = generateTrace(set, machines, options);
            return !made && QString::fromStdString(made.error().what).contains(QLatin1String(what));
        };
        StepSet set = oneOp(StepResource::Worker, 1, 0);
        set.seconds = {{std::nan("")}};
        QVERIFY(says(set, "'only' takes nan s"));
        set.seconds = {{-1}};
        QVERIFY(says(set, "'only' takes -1 s"));
        set.seconds = {{1, 2}};
        QVERIFY(says(set, "step 0 has 2 of 1 ops"));
        set.seconds = {};
        QVERIFY(says(set, "no step"));
        set.seconds = {{1}};
        set.graph.edges = {{0, 0}};
        QVERIFY(says(set, "waits for itself"));
        set.graph.edges = {{0, 7}};
        QVERIFY(says(set, "edge from op 0 to op 7"));
        set.graph.edges = {};
        set.graph.ops[0].server = 3;
        QVERIFY(says(set, "server 3"));
        set.graph.ops[0].server = 0;
        GenerateOptions options;
        options.windowBytes = -1;
        QVERIFY(says(set, "window", options));
        std::stop_source stop;
        stop.request_stop();
        GenerateOptions endless;
        endless.steps = 1'000'000;
        QVERIFY(!generateTrace(set, machines, endless, stop.get_token()));
        // Steps that take no time terminate, and report that there is no throughput.
        set.seconds = {{0}};
        const auto instant = generateTrace(set, machines, {});
        QVERIFY(instant.has_value() && !throughputOf(*instant, 1, 2));
    }
};

QTEST_GUILESS_MAIN(TestGenerate)
#include "tst_generate.moc"
