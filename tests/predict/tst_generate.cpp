// SPDX-License-Identifier: GPL-3.0-or-later
// Traces generated from sampled steps, compared with a plain Python version of Algorithm 3.1, closed forms and the simulator.
#include "engine/base/rng.h"
#include "engine/base/units.h"
#include "engine/job/catalogue.h"
#include "engine/predict/generate.h"
#include "engine/predict/mean_interval.h"
#include "engine/predict/throughput.h"
#include "engine/strategy/builders.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QtTest>
#include <cmath>
#include <numeric>
#include <tuple>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// `workers` nodes and `servers` more, each with `rate` bytes/s.
PredictMachines machinesLike(std::int32_t workers, std::int32_t servers, double rate) {
    PredictMachines m;
    m.nodeBytesPerSecond.assign(static_cast<std::size_t>(workers + servers), rate);
    m.workerScale.assign(static_cast<std::size_t>(workers), 1);
    for (std::int32_t w = 0; w < workers; ++w)
        m.workerNode.push_back(w);
    for (std::int32_t s = 0; s < servers; ++s)
        m.serverNode.push_back(workers + s);
    return m;
}

/// A step with ops on all four resources and edges from earlier to later ops; times and sizes without ties.
StepSet randomSteps(std::uint64_t seed, std::int32_t steps) {
    Rng rng(seed);
    StepSet set;
    const std::int32_t pulls = 6, computes = 14, pushes = 6, updates = 6;
    const auto add = [&](StepResource resource, double bytes) {
        StepOp op;
        op.name = "op" + std::to_string(set.graph.ops.size());
        op.resource = resource;
        op.sizeBytes = bytes;
        op.rank = static_cast<std::int64_t>(set.graph.ops.size());
        set.graph.ops.push_back(op);
        return static_cast<std::int32_t>(set.graph.ops.size()) - 1;
    };
    for (std::int32_t i = 0; i < pulls; ++i)
        add(StepResource::Downlink, rng.uniform(1e3, 4e5));
    for (std::int32_t i = 0; i < computes; ++i) {
        const std::int32_t op = add(StepResource::Worker, 0);
        for (int e = 0; e < 3; ++e) // earlier ops of every kind; duplicate edges must not count twice
            if (const auto from = static_cast<std::int32_t>(rng.next() % static_cast<std::uint64_t>(op));
                std::find(set.graph.edges.begin(), set.graph.edges.end(), std::pair(from, op)) == set.graph.edges.end())
                set.graph.edges.emplace_back(from, op);
    }
    for (std::int32_t i = 0; i < pushes; ++i) {
        const std::int32_t op = add(StepResource::Uplink, rng.uniform(1e3, 4e5));
        set.graph.edges.emplace_back(pulls + static_cast<std::int32_t>(rng.next() % computes), op);
    }
    for (std::int32_t i = 0; i < updates; ++i)
        set.graph.edges.emplace_back(pulls + computes + i, add(StepResource::Server, 0));
    for (std::int32_t s = 0; s < steps; ++s) {
        std::vector<double> seconds;
        for (const StepOp &op : set.graph.ops)
            seconds.push_back(isTransfer(op.resource) ? 0 : rng.uniform(1e-4, 4e-3));
        set.seconds.push_back(seconds);
    }
    return set;
}

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

StepSet oneOp(StepResource resource, double seconds, double bytes) {
    StepSet set;
    StepOp op;
    op.name = "only";
    op.resource = resource;
    op.sizeBytes = bytes;
    set.graph.ops = {op};
    set.seconds = {{seconds}};
    return set;
}

double samplesPerSecond(const StepSet &set, const PredictMachines &machines, GenerateOptions options = {}) {
    options.steps = std::min(options.steps, 200);
    const auto made = generateTrace(set, machines, options);
    if (!made)
        return -1;
    const auto throughput = throughputOf(*made, set.batchSize, static_cast<std::int32_t>(machines.workerNode.size()));
    return throughput ? throughput->samplesPerSecond : -1;
}

} // namespace

class TestGenerate : public QObject {
    Q_OBJECT

private slots:
    /// Workers are assigned to a server's NICs in turn, whatever shares a link; a worker has a NIC for each of two servers.
    void severalNics() {
        const StepSet set = oneOp(StepResource::Downlink, 0, 1e5);
        constexpr double rate = 1e6;
        for (const LinkSharing sharing : {LinkSharing::Equal, LinkSharing::Tcp}) {
            GenerateOptions options;
            options.sharing = sharing;
            PredictMachines slower = machinesLike(1, 1, rate / 3);
            slower.nodeBytesPerSecond.front() = rate;
            const double alone = samplesPerSecond(set, slower, options);
            if (sharing == LinkSharing::Equal)
                COMPARE_CLOSE(alone, rate / 3 / 1e5);
            for (int workers = 1; workers <= 3; ++workers) {
                PredictMachines machines = machinesLike(workers, 1, rate);
                machines.nodeNics.assign(machines.nodeBytesPerSecond.size(), 1);
                machines.nodeNics.back() = 3;
                COMPARE_CLOSE(samplesPerSecond(set, machines, options), workers * alone, 1e-9,
                              fmt::format("{} workers", workers));
            }
        }
        PredictMachines machines = machinesLike(5, 1, rate); // two workers on each of the first two NICs, one on the third
        machines.nodeNics = {1, 1, 1, 1, 1, 3};
        COMPARE_CLOSE(samplesPerSecond(set, machines), rate / 1e5, 1e-2);
        StepSet two = oneOp(StepResource::Downlink, 0, 1e5);
        two.graph.ops.push_back(two.graph.ops.front());
        two.graph.ops.back().server = 1;
        two.graph.servers = 2;
        two.seconds = {{0, 0}};
        PredictMachines apart = machinesLike(1, 2, rate);
        COMPARE_CLOSE(samplesPerSecond(two, apart), rate / 2e5, 1e-9); // in parallel over the worker's NIC
        apart.nodeNics = {2, 1, 1};
        COMPARE_CLOSE(samplesPerSecond(two, apart), rate / 2 / 1e5, 1e-9); // each over one at half the rate
        apart.nodeNics = {2, 0, 1};
        COMPARE_CLOSE(samplesPerSecond(two, apart), -1.0);
    }

    /// Background traffic takes its share on each of a node's NICs.
    void backgroundOnSeveralNics() {
        const StepSet set = oneOp(StepResource::Downlink, 0, 1e5);
        PredictMachines machines = machinesLike(4, 1, 1e6);
        GenerateOptions options;
        options.background = {{.server = true, .index = 0, .up = true, .fromSeconds = 0, .toSeconds = 1e9, .share = 0.5}};
        const double one = samplesPerSecond(set, machines, options);
        machines.nodeNics = {1, 1, 1, 1, 4};
        COMPARE_CLOSE(one, 5.0);
        COMPARE_CLOSE(samplesPerSecond(set, machines, options), 5.0);
    }

    /// Each connection reaches its limit, until together they fill the server's link.
    void flowLimit_data() {
        QTest::addColumn<int>("sharing");
        QTest::addColumn<double>("tolerance");
        QTest::newRow("equal") << static_cast<int>(LinkSharing::Equal) << 1e-9;
        QTest::newRow("uneven") << static_cast<int>(LinkSharing::Uneven) << 2e-2;
        QTest::newRow("TCP") << static_cast<int>(LinkSharing::Tcp) << 5e-2; // its queues are empty at times
    }
    void flowLimit() {
        QFETCH(int, sharing);
        QFETCH(double, tolerance);
        constexpr double rate = 1e8, bytes = 1e8;
        GenerateOptions options;
        options.sharing = static_cast<LinkSharing>(sharing);
        options.steps = 20;
        options.warmUp = 2;
        for (const StepResource way : {StepResource::Downlink, StepResource::Uplink})
            for (const double limit : {rate / 4, rate / 2, 2 * rate})
                for (const int workers : {1, 2, 3, 6}) {
                    PredictMachines machines = machinesLike(workers, 1, rate);
                    machines.limits = {limit, limit};
                    COMPARE_CLOSE(samplesPerSecond(oneOp(way, 0, bytes), machines, options),
                                  std::min(workers * limit, rate) / bytes, tolerance,
                                  fmt::format("limit {}, {} workers", limit, workers));
                }
        // The last of three workers is in the server's rack.
        PredictMachines machines = machinesLike(3, 1, rate);
        machines.limits = {rate / 2, rate / 8, {1, 1, 2, 2}};
        COMPARE_CLOSE(samplesPerSecond(oneOp(StepResource::Downlink, 0, bytes), machines, options),
                      (rate / 2 + 2 * rate / 8) / bytes, 5e-2);
        machines.limits = {0, 0};
        COMPARE_CLOSE(samplesPerSecond(oneOp(StepResource::Downlink, 0, bytes), machines, options), -1.0);
        machines.limits = {rate, rate / 2, {1}};
        COMPARE_CLOSE(samplesPerSecond(oneOp(StepResource::Downlink, 0, bytes), machines, options), -1.0);
    }

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
                actual.emplace_back(chunk.worker, chunk.step, chunk.op, chunk.startSeconds, chunk.endSeconds);
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

    /// Section 5: alone on server 0 and one of n on server 1, a worker gets 1 - 1/n from server 0, and 1/n from server 1.
    void twoServersAsThePaperShares() {
        for (const int n : {2, 3, 5, 8}) {
            // Worker 0 pulls from both servers; the others' pulls from server 0 are empty. All start at the same time.
            StepSet set = oneOp(StepResource::Downlink, 0, 1e6);
            set.graph.servers = 2;
            set.graph.ops.push_back(set.graph.ops[0]);
            set.graph.ops[1].server = 1;
            set.seconds = {{0, 0}};
            // Workers differ in their steps: all but worker 0 are delayed by 1000 s before a pull from server 0.
            GenerateOptions options;
            options.steps = 1;
            options.warmUp = 0;
            options.traceSteps = 1;
            options.stopEach = true;
            set.seconds = {{0, 0}, {1000, 0}};
            // Sampled with replacement: find a seed whose first steps are 0, 1, 1, ..., 1.
            for (;; ++options.seed) {
                const auto made = generateTrace(set, machinesLike(n, 2, 1e6), options);
                VERIFY_VALUE(made);
                bool fits = made->sampledFrom[0] == 0;
                for (int w = 1; w < n; ++w)
                    fits = fits && made->sampledFrom[static_cast<std::size_t>(w)] == 1;
                if (!fits)
                    continue;
                for (const TraceChunk &chunk : made->trace)
                    if (chunk.worker == 0)
                        COMPARE_CLOSE(chunk.endSeconds, chunk.op == 0 ? 1 / (1 - 1.0 / n) : n, 1e-9,
                                      QString("op %1 ends at %2").arg(chunk.op).arg(chunk.endSeconds));
                break;
            }
        }
    }

    /// With one server the general solution is the paper's 1/n: keeping the links of workers (a second server makes them possible
    /// bottlenecks) changes nothing.
    void oneServerIsASpecialCase() {
        const StepSet set = randomSteps(9, 6);
        GenerateOptions options;
        options.steps = 40;
        options.traceSteps = 40;
        const auto one = generateTrace(set, machinesLike(4, 1, 1e8), options);
        StepSet wider = set;
        wider.graph.servers = 2;
        const auto two = generateTrace(wider, machinesLike(4, 2, 1e8), options);
        QVERIFY(one.has_value() && two.has_value());
        QCOMPARE(one->trace.size(), two->trace.size());
        for (std::size_t i = 0; i < one->trace.size(); ++i) {
            QCOMPARE(one->trace[i].op, two->trace[i].op);
            COMPARE_CLOSE(one->trace[i].endSeconds, two->trace[i].endSeconds);
        }
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
            furthest = std::max(furthest, chunk.step);
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

    void unevenSharesFillTheLink() {
        GenerateOptions options;
        options.sharing = LinkSharing::Uneven;
        // Links that are always full carry the same however they are shared.
        for (const int workers : {1, 2, 5})
            COMPARE_CLOSE(samplesPerSecond(oneOp(StepResource::Uplink, 0, 2e6), machinesLike(workers, 1, 1e6), options), 0.5,
                          2e-2);
        // Two equal transfers that start together: the mean share of the first to end is E max(u, 1 - u) = 3/4.
        StepSet set = oneOp(StepResource::Uplink, 0, 1e6);
        options.steps = 1;
        options.warmUp = 0;
        options.stopEach = true;
        double share = 0;
        const int runs = 4000;
        for (int i = 0; i < runs; ++i) {
            options.seed = static_cast<std::uint64_t>(i);
            share += 1 / generateTrace(set, machinesLike(2, 1, 1e6), options)->completionSeconds.front() / runs;
        }
        COMPARE_WITHIN(share, 0.75, 0.02);
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

    void confidence() {
        Generated made;
        for (int i = 1; i <= 100; ++i)
            made.completionSeconds.push_back(0.5 * i);
        const auto steady = throughputOf(made, 8, 1);
        COMPARE_CLOSE(steady->samplesPerSecond, 16);
        COMPARE_CLOSE(steady->low, 16);
        COMPARE_CLOSE(steady->high, 16);
        // Batches alternate between 0.4 s and 0.6 s per step: standard error 0.1 * sqrt(20/19) / sqrt(20), more than the sum of
        // autocovariances, which is truncated at lag 3 and leaves 100 / 7 degrees of freedom: t = 2.145.
        made.completionSeconds.clear();
        double now = 0;
        for (int i = 0; i < 100; ++i)
            made.completionSeconds.push_back(now += i / 5 % 2 ? 0.6 : 0.4);
        const auto noisy = throughputOf(made, 8, 1);
        const double half = 2.145 * 0.1 / std::sqrt(19.0);
        COMPARE_CLOSE(noisy->low, 8 / (0.5 + half));
        COMPARE_CLOSE(noisy->high, 8 / (0.5 - half));
        made.completionSeconds = {1};
        QVERIFY(!throughputOf(made, 8, 1));
    }

    /// Intervals cover the mean of a process with a memory of 1, 5 or 20 steps as often as they claim.
    void confidenceOfCorrelatedSteps_data() {
        QTest::addColumn<double>("memory");
        QTest::newRow("independent") << 0.0;
        QTest::newRow("5 steps") << 0.8;
        QTest::newRow("20 steps") << 0.95;
    }

    void confidenceOfCorrelatedSteps() {
        QFETCH(double, memory);
        constexpr int runs = 1000;
        int covered = 0;
        for (std::uint64_t seed = 1; seed <= runs; ++seed) {
            Rng rng(seed);
            double deviation = 0;
            std::vector<double> series;
            for (int i = -200; i < 1000; ++i) {
                deviation = memory * deviation + rng.uniform(-1, 1);
                if (i >= 0)
                    series.push_back(10 + deviation);
            }
            const double mean = std::accumulate(series.begin(), series.end(), 0.0) / 1000;
            covered += std::abs(mean - 10) <= errorOfMean(series).half() ? 1 : 0;
        }
        COMPARE_AT_LEAST(covered, 0.92 * runs);
        COMPARE_AT_MOST(covered, 0.99 * runs);
    }

    /// At almost no bandwidth bytes / rate overflows, and no transfer would ever end: refused.
    void linksAreFastEnoughForTime() {
        const StepSet set = oneOp(StepResource::Downlink, 0, 1e6);
        for (const double rate : {0.0, 1e-320, 1e-300, 1e-9})
            QVERIFY(!generateTrace(set, machinesLike(2, 1, rate), {}));
        VERIFY_VALUE(generateTrace(set, machinesLike(2, 1, 1e-3), {}));
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

    /// Student's interval, widened to the median's for skewed values.
    void intervalOfAFewStarts() {
        const Interval plain = intervalOfStarts({1, 2, 3});
        COMPARE_CLOSE(plain.low, 2 - 4.303 / std::sqrt(3.0), 1e-3);
        COMPARE_CLOSE(plain.high, 2 + 4.303 / std::sqrt(3.0), 1e-3);
        // One outlier: Student's reaches to 1 + 0.1 +- 0.226, the median's to the second largest of ten and no farther.
        const Interval skewed = intervalOfStarts({1, 1, 1, 1, 1, 1, 1, 1, 1, 2});
        COMPARE_CLOSE(skewed.low, 1.1 - 2.262 * 0.1, 1e-3);
        COMPARE_CLOSE(skewed.high, 1.1 + 2.262 * 0.1, 1e-3);
        constexpr int samples = 2000;
        int held = 0;
        Rng rng(3);
        for (int i = 0; i < samples; ++i) {
            std::vector<double> starts;
            for (int s = 0; s < 6; ++s)
                starts.push_back(-std::log(rng.uniform(0, 1))); // exponential: skewed, with mean 1
            const Interval interval = intervalOfStarts(starts);
            held += interval.low <= 1 && 1 <= interval.high ? 1 : 0;
        }
        COMPARE_AT_LEAST(held, 0.9 * samples); // 0.88 by Student alone
        COMPARE_AT_MOST(held, 0.99 * samples);
    }

    void bottleneck() {
        std::vector<Throughput> curve;
        for (const double rate : {10.0, 19.0, 27.0, 28.0, 28.0}) {
            curve.emplace_back();
            curve.back().workers = static_cast<std::int32_t>(curve.size());
            curve.back().samplesPerSecond = rate;
        }
        QCOMPARE(bottleneckPoint(curve, 0.2), 3);
        QCOMPARE(bottleneckPoint(curve, 0.05), 4);
        QCOMPARE(bottleneckPoint({curve[0], curve[1]}, 0.5), -1);
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
