// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/rng.h"
#include "tests/checks.h"
#include "tests/scenarios.h"
#include "tests/simulate/reference_server.h"

#include <QtTest>
#include <cmath>
#include <limits>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

constexpr double gigabyte = 1e9;
constexpr std::int64_t asynchronous = std::numeric_limits<std::int32_t>::max();

Strategy servers(const Job &job, const std::vector<std::string> &destinations, std::int64_t staleness) {
    Strategy strategy = parameterServers(job, destinations);
    for (NodeConfig &node : strategy.nodes) {
        node.synchronizer.sync = staleness != asynchronous;
        node.synchronizer.staleness = staleness == asynchronous ? 0 : static_cast<std::int32_t>(staleness);
    }
    return strategy;
}

/// The start of every iteration of every worker class.
std::vector<std::vector<double>> startsOf(const Run &r) {
    std::vector<std::vector<double>> starts;
    for (const std::int32_t count : r.graph.workerIterations)
        starts.emplace_back(static_cast<std::size_t>(count), 1e300);
    for (std::size_t t = 0; t < r.graph.size(); ++t)
        if (r.graph.kind[t] == TaskKind::Forward) {
            double &start = starts[r.graph.worker[t].index()][static_cast<std::size_t>(r.graph.iteration[t])];
            start = std::min(start, r.startSeconds[t]);
        }
    return starts;
}

double bytesOfKind(const Run &r, TaskKind kind, std::int32_t iteration) {
    double sum = 0;
    for (std::size_t t = 0; t < r.graph.size(); ++t)
        if (r.graph.kind[t] == kind && r.graph.iteration[t] == iteration)
            sum += r.graph.sizeBytes[t];
    return sum;
}

} // namespace

class TestParameterServer : public QObject {
    Q_OBJECT

private slots:
    /// Compared with the plain simulation of reference_server.h: the iteration starts of every worker.
    void equalsThePlainSimulation_data() {
        QTest::addColumn<qint64>("staleness");
        QTest::addColumn<bool>("barrier");
        for (const std::int64_t k : {std::int64_t{0}, std::int64_t{1}, std::int64_t{3}, asynchronous})
            for (const bool barrier : {true, false})
                QTest::addRow("%lld %s", static_cast<long long>(k), barrier ? "barrier" : "per layer") << qint64{k} << barrier;
    }

    void equalsThePlainSimulation() {
        QFETCH(qint64, staleness);
        QFETCH(bool, barrier);
        Rng rng(23);
        for (int trial = 0; trial < 12; ++trial) {
            ReferenceServer reference;
            const int layers = 1 + static_cast<int>(rng.uniform(0, 5));
            for (int l = 0; l < layers; ++l)
                reference.layers.push_back(
                    {rng.uniform(1e-3, 9e-3), rng.uniform(1e-3, 9e-3), static_cast<std::int64_t>(rng.uniform(1e5, 3e6))});
            const int workers = 2 + static_cast<int>(rng.uniform(0, 3));
            Cluster cluster = servedCluster(workers, gigabyte);
            for (int w = 0; w < workers; ++w) {
                reference.scales.push_back(rng.uniform(0.3, 2));
                cluster.nodes[static_cast<std::size_t>(w)].computeScale = reference.scales.back();
            }
            const Job job = chainJob(reference.layers);
            CommPolicy policy;
            policy.barrier = barrier;
            Scenario s = scenario(job, cluster, servers(job, {"n" + std::to_string(workers) + ":CPU:0"}, staleness), policy);
            const auto r = runOf(s);
            QVERIFY(r);
            reference.bytesPerSecond = gigabyte;
            reference.staleness = staleness;
            reference.barrier = barrier;
            reference.iterations = r->graph.workerIterations;
            const auto expected = reference.starts();
            const auto starts = startsOf(*r);
            for (std::size_t w = 0; w < starts.size(); ++w) {
                QCOMPARE(starts[w].size(), expected[w].size());
                // Asynchronous workers around one link are chaotic: a rounding error of 1e-17 s doubles about every iteration. So
                // each start is compared while that is small, and later only the pace.
                for (std::size_t i = 0; i < std::min<std::size_t>(starts[w].size(), 16); ++i)
                    COMPARE_WITHIN(starts[w][i], expected[w][i], 1e-9,
                                   QString("trial %1 worker %2 iteration %3: %4, off by %5")
                                       .arg(trial)
                                       .arg(w)
                                       .arg(i)
                                       .arg(starts[w][i])
                                       .arg(starts[w][i] - expected[w][i]));
                const std::size_t late = std::min<std::size_t>(starts[w].size(), 48) - 1;
                COMPARE_CLOSE(starts[w][late], expected[w][late], 0.01);
            }
        }
    }

    /// Without contention, since the server's link exceeds all workers' together, each worker has its own period, compute + push
    /// + pull, and throughput is the sum of the rates.
    void asynchronousWorkersKeepTheirOwnPace() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        Cluster cluster = servedCluster(3, gigabyte);
        cluster.nodes[3].bandwidthBytesPerSecond = 100 * gigabyte;
        cluster.nodes[1].computeScale = 0.5;
        cluster.nodes[2].computeScale = 3;
        const auto r = runOf(scenario(job, cluster, servers(job, {"n3:CPU:0"}, asynchronous)));
        QVERIFY(r);
        QVERIFY(!r->graph.workersInStep);
        const double expected = 1 / (0.75 + 0.2) + 1 / (1.5 + 0.2) + 1 / (0.25 + 0.2);
        COMPARE_CLOSE(r->samplesPerSecond, expected, 0.01);
        COMPARE_CLOSE(r->samplesPerSecond * r->iterationSeconds, 3);
        // Synchronised with the slowest, they are much slower.
        const auto together = runOf(scenario(job, cluster, servers(job, {"n3:CPU:0"}, 0)));
        COMPARE_CLOSE(together->samplesPerSecond, 3 / 1.7);
    }

    /// Pushes alone fill the server's link: no mode can exceed link / message.
    void serverLinkBoundsThroughput() {
        const Job job = chainJob({{1e-3, 1e-3, 25'000'000}});
        for (const std::int64_t k : {std::int64_t{0}, std::int64_t{2}, asynchronous}) {
            Cluster cluster = servedCluster(6, gigabyte);
            for (std::size_t n = 0; n < 6; ++n)
                cluster.nodes[n].computeScale = 1.0 + 0.1 * static_cast<double>(n);
            const auto r = runOf(scenario(job, cluster, servers(job, {"n6:CPU:0"}, k)));
            QVERIFY(r);
            COMPARE_AT_MOST(r->samplesPerSecond, 10 * (1 + 1e-9)); // 1 GB/s / 100 MB
            COMPARE_ABOVE(r->samplesPerSecond, 4.5);               // push and pull in turn
        }
    }

    /// Synchronous, two speeds, one variable: the fast worker's push ended long before the slow one's starts, so the slow one
    /// pushes alone; both pull at the same time.
    void synchronousWaitsForTheStraggler() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        Cluster cluster = servedCluster(2, gigabyte);
        cluster.nodes[1].computeScale = 0.5;
        for (const bool barrier : {true, false}) {
            CommPolicy policy;
            policy.barrier = barrier;
            const auto r = runOf(scenario(job, cluster, servers(job, {"n2:CPU:0"}, 0), policy));
            COMPARE_CLOSE(r->iterationSeconds, 1.5 + 0.1 + 0.2);
            QVERIFY(r->graph.workersInStep);
        }
    }

    /// An all-reduce starts when the slowest worker's gradient is ready.
    void allReduceWaitsForTheStraggler() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        Cluster cluster = plainCluster(4, gigabyte);
        cluster.nodes[2].computeScale = 0.25;
        const auto r = runOf(scenario(job, cluster, allReduceEach(job)));
        COMPARE_CLOSE(r->iterationSeconds, 3.0 + 1.5 * 0.1);
    }

    /// No worker starts an iteration more than K ahead of the slowest, some worker is K ahead, and in the long run all go at the
    /// pace of the slowest.
    void stalenessIsBounded() {
        const Job job = chainJob({{0.25, 0.5, 2'500'000}});
        for (const std::int32_t k : {1, 2, 5}) {
            Cluster cluster = servedCluster(3, gigabyte);
            cluster.nodes[3].bandwidthBytesPerSecond = 100 * gigabyte;
            cluster.nodes[0].computeScale = 2;
            cluster.nodes[1].computeScale = 0.5;
            const auto r = runOf(scenario(job, cluster, servers(job, {"n3:CPU:0"}, k)));
            QVERIFY(r);
            const auto starts = startsOf(*r);
            std::int32_t lead = 0;
            for (std::size_t i = 0; i < starts[0].size(); ++i) {
                const auto behind = std::upper_bound(starts[1].begin(), starts[1].end(), starts[0][i]) - starts[1].begin() - 1;
                lead = std::max(lead, static_cast<std::int32_t>(i) - static_cast<std::int32_t>(behind));
            }
            QCOMPARE(lead, k);
            COMPARE_CLOSE(r->samplesPerSecond, 3 / (1.5 + 0.02), 1e-3);
            COMPARE_ABOVE(r->iterationSeconds, 0);
        }
    }

    void unreachedStalenessIsSaid() {
        const Job job = chainJob({{0.25, 0.5, 2'500}});
        Cluster cluster = servedCluster(2, gigabyte);
        cluster.nodes[0].computeScale = 1.001;
        const auto r = runOf(scenario(job, cluster, servers(job, {"n2:CPU:0"}, 1'000'000)));
        QVERIFY(r);
        QVERIFY(std::any_of(r->assumptions.begin(), r->assumptions.end(),
                            [](const std::string &note) { return note.find("is not reached") != std::string::npos; }));
        QVERIFY(std::isinf(r->confidence)); // however evenly the workers run ahead
    }

    /// One synchronous variable holds back every worker, even if all others are asynchronous.
    void theStrictestVariableDecides() {
        const Job job = chainJob({{0.1, 0.2, 1'000'000}, {0.1, 0.2, 1'000'000}});
        Cluster cluster = servedCluster(2, gigabyte);
        cluster.nodes[1].computeScale = 0.5;
        Strategy strategy = servers(job, {"n2:CPU:0"}, asynchronous);
        strategy.nodes[1].synchronizer.sync = true;
        const auto r = runOf(scenario(job, cluster, strategy));
        QVERIFY(r);
        const auto starts = startsOf(*r);
        for (std::size_t i = 2; i < starts[0].size(); ++i)
            COMPARE_ABOVE(starts[0][i], starts[1][i - 1]);
    }

    void foldingIsExact_data() {
        QTest::addColumn<qint64>("staleness");
        QTest::addColumn<QString>("policy");
        QTest::addColumn<bool>("station");
        for (const std::int64_t k : {std::int64_t{0}, std::int64_t{2}, asynchronous})
            for (const char *policy : {"fifo", "bytescheduler", "p3", "tic", "byteps", "http2"})
                for (const bool station : {false, true})
                    QTest::addRow("%lld %s %s", static_cast<long long>(k), policy, station ? "through a station" : "straight")
                        << qint64{k} << QString(policy) << station;
    }

    void foldingIsExact() {
        QFETCH(qint64, staleness);
        QFETCH(QString, policy);
        QFETCH(bool, station);
        Rng rng(31);
        std::vector<LayerSpec> layers;
        for (int l = 0; l < 6; ++l)
            layers.push_back(
                {rng.uniform(1e-3, 9e-3), rng.uniform(1e-3, 9e-3), static_cast<std::int64_t>(rng.uniform(1e5, 2e6))});
        Job job = chainJob(layers);
        job.variables[2].sparse = true;
        job.variables[2].rowsTouched = 3000;
        Cluster cluster = servedCluster(7, gigabyte); // 0..6 work, 7 serves
        for (const std::size_t slow : {std::size_t{2}, std::size_t{5}})
            cluster.nodes[slow].computeScale = 0.5;
        cluster.nodes[3].gpus = {0, 1};
        cluster.nodes[4].gpus = {0, 1};
        cluster.latencySeconds = 20e-6;
        Strategy strategy = servers(job, {"n7:CPU:0", "n0:CPU:0"}, staleness);
        for (NodeConfig &node : strategy.nodes) {
            node.synchronizer.localReplication = true;
            if (station)
                node.synchronizer.transferDestination = "n6:CPU:0";
        }
        CommPolicy p = policyOf(policy.toStdString(), {{"partition", 1e6}, {"slice", 1e6}, {"credit", 3e6}});
        p.barrier = false;
        Scenario s = scenario(job, cluster, strategy, p);
        const auto folded = runOf(s);
        s.fold = false;
        const auto whole = runOf(s);
        QVERIFY(folded && whole);
        QCOMPARE(whole->graph.workerNames.size(), std::size_t{7});
        if (staleness == 0 || !station)
            COMPARE_BELOW(folded->graph.workerNames.size(), 7);
        // Asynchronous workers are chaotic: event by event equal at first, then only on average within the figures' confidence.
        COMPARE_CLOSE(folded->samplesPerSecond, whole->samplesPerSecond, staleness == unboundedStaleness ? 5e-3 : 1e-6);
    }

    /// Sparse gradients: the touched rows with an index each go up; the rows' values come down.
    void sparseVariablesMoveTheirRows() {
        Job job = chainJob({{1e-3, 1e-3, 1}});
        job.variables[0].shape = {10'000, 64};
        job.variables[0].sparse = true;
        job.variables[0].rowsTouched = 250;
        Cluster cluster = servedCluster(2, gigabyte);
        auto r = runOf(scenario(job, cluster, servers(job, {"n2:CPU:0"}, 0)));
        QVERIFY(r);
        // Two identical workers are folded, so each kind occurs once.
        QCOMPARE(bytesOfKind(*r, TaskKind::Push, 1), 250.0 * (64 * 4 + 8));
        QCOMPARE(bytesOfKind(*r, TaskKind::Pull, 1), 250.0 * 64 * 4);
        // With two devices per node, both replicas' rows go up, both read theirs. Sparse variables have no proxies.
        cluster.nodes[0].gpus = cluster.nodes[1].gpus = {0, 1};
        Strategy proxied = servers(job, {"n2:CPU:0"}, 0);
        proxied.nodes[0].synchronizer.localReplication = true;
        r = runOf(scenario(job, cluster, proxied));
        QCOMPARE(bytesOfKind(*r, TaskKind::Push, 1), 500.0 * (64 * 4 + 8));
        QCOMPARE(bytesOfKind(*r, TaskKind::Pull, 1), 500.0 * 64 * 4);
        QCOMPARE(bytesOfKind(*r, TaskKind::LocalBroadcast, 1), 0.0);
        // Never more rows than exist; unspecified means all of them.
        job.variables[0].rowsTouched = 8000;
        r = runOf(scenario(job, cluster, proxied));
        QCOMPARE(bytesOfKind(*r, TaskKind::Push, 1), 10'000.0 * (64 * 4 + 8));
        job.variables[0].rowsTouched = 0;
        r = runOf(scenario(job, cluster, proxied));
        QCOMPARE(bytesOfKind(*r, TaskKind::Push, 1), 10'000.0 * (64 * 4 + 8));
    }

    /// Parts of a sparse variable: cut along the rows, they share the touched rows; cut across, each part has all.
    void sparsePartsShareTheRows() {
        Job job = chainJob({{1e-3, 1e-3, 1}});
        job.variables[0].shape = {9, 64};
        job.variables[0].sparse = true;
        job.variables[0].rowsTouched = 3;
        for (const int axis : {0, 1}) {
            Strategy strategy = servers(job, {"n1:CPU:0"}, 0);
            strategy.nodes[0].partitions = axis == 0 ? std::vector<std::int32_t>{2, 1} : std::vector<std::int32_t>{1, 2};
            strategy.nodes[0].parts.assign(2, {"part", strategy.nodes[0].synchronizer});
            const auto r = runOf(scenario(job, servedCluster(1, gigabyte), strategy));
            QVERIFY(r);
            std::vector<double> wire;
            for (const SyncUnit &unit : r->graph.units)
                wire.push_back(unit.wireBytes);
            if (axis == 0) {
                COMPARE_CLOSE(wire[0], 3 * 5.0 / 9 * (256 + 8));
                COMPARE_CLOSE(wire[1], 3 * 4.0 / 9 * (256 + 8));
            } else
                QCOMPARE(wire, (std::vector<double>{3 * (128.0 + 8), 3 * (128.0 + 8)}));
        }
    }

    /// All-reduce of a sparse variable is an all-gather: n-1 steps of one replica's rows, which no compressor touches.
    void sparseAllReduceGathers() {
        Job job = chainJob({{1e-3, 1e-3, 1}});
        job.variables[0].shape = {1'000'000, 64};
        job.variables[0].sparse = true;
        job.variables[0].rowsTouched = 50'000;
        job.encodeSecondsPerByte = job.decodeSecondsPerByte = 1e-9;
        Strategy compressed = allReduceEach(job);
        compressed.nodes[0].synchronizer.compressor = Compressor::Horovod;
        for (const int n : {2, 4, 8})
            for (const auto form : {CollectiveForm::Analytic, CollectiveForm::Flows})
                for (const bool fold : {true, false}) {
                    Cluster cluster = plainCluster(n, gigabyte);
                    cluster.latencySeconds = 1e-3;
                    CommPolicy policy;
                    policy.form = form;
                    Scenario s = scenario(job, cluster, allReduceEach(job), policy);
                    s.fold = fold;
                    const double expected = 2e-3 + (n - 1) * (1e-3 + 50'000.0 * (64 * 4 + 8) / gigabyte);
                    COMPARE_CLOSE(runOf(s)->iterationSeconds, expected);
                    s.strategy = std::make_shared<const Strategy>(compressed);
                    COMPARE_CLOSE(runOf(s)->iterationSeconds, expected);
                }
    }

    /// With a proxy: one pull per node, then the node's own lanes; without one every replica pulls.
    void proxyPullsOnce() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        Cluster cluster = servedCluster(2, gigabyte);
        cluster.intraNodeBandwidthBytesPerSecond = 10 * gigabyte;
        for (std::size_t n : {0, 1})
            cluster.nodes[n].gpus = {0, 1, 2, 3};
        Strategy strategy = servers(job, {"n2:CPU:0"}, 0);
        // each device's gradient over its own lane to the host, two pushes; then per node 4 pulls, or 1 and a copy to each device
        COMPARE_CLOSE(runOf(scenario(job, cluster, strategy))->iterationSeconds, 0.75 + 0.01 + 0.2 + 0.8);
        strategy.nodes[0].synchronizer.localReplication = true;
        COMPARE_CLOSE(runOf(scenario(job, cluster, strategy))->iterationSeconds, 0.75 + 0.01 + 0.2 + 0.2 + 0.01);
        // AutoDist makes no proxy for asynchronously updated variables.
        strategy.nodes[0].synchronizer.sync = false;
        COMPARE_CLOSE(runOf(scenario(job, cluster, strategy))->iterationSeconds, 0.75 + 0.01 + 0.2 + 0.8);
    }

    /// Gradients are summed at the transfer destination: n pushes there, one message onwards, one back, n pulls from there.
    void transferDestination() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        Cluster cluster = plainCluster(6, gigabyte);
        cluster.serverOnly = {4, 5};
        cluster.nodes[4].bandwidthBytesPerSecond = 0.1 * gigabyte; // the server is behind a slow link
        Strategy strategy = servers(job, {"n4:CPU:0"}, 0);
        COMPARE_CLOSE(runOf(scenario(job, cluster, strategy))->iterationSeconds, 0.75 + 2 * 4 * 1.0);
        strategy.nodes[0].synchronizer.transferDestination = "n5:CPU:0";
        COMPARE_CLOSE(runOf(scenario(job, cluster, strategy))->iterationSeconds, 0.75 + 2 * 4 * 0.1 + 2 * 1.0);
        // On the server's own node nothing is transferred.
        strategy.nodes[0].synchronizer.transferDestination = "n4:CPU:0";
        COMPARE_CLOSE(runOf(scenario(job, cluster, strategy))->iterationSeconds, 0.75 + 2 * 4 * 1.0);
        strategy.nodes[0].synchronizer.transferDestination = "elsewhere:CPU:0";
        QVERIFY(!simulate(scenario(job, cluster, strategy)).has_value());
    }

    void compressionCostsTime() {
        Job job = chainJob({{0.25, 0.5, 25'000'000}});
        Cluster cluster = plainCluster(4, gigabyte);
        Strategy strategy = allReduceEach(job);
        strategy.nodes[0].synchronizer.compressor = Compressor::Horovod;
        COMPARE_CLOSE(runOf(scenario(job, cluster, strategy))->iterationSeconds, 0.75 + 1.5 * 0.05); // half of float32
        job.encodeSecondsPerByte = 0.4e-9;
        job.decodeSecondsPerByte = 0.1e-9;
        for (const bool barrier : {true, false}) {
            CommPolicy policy;
            policy.barrier = barrier;
            COMPARE_CLOSE(runOf(scenario(job, cluster, strategy, policy))->iterationSeconds, 0.75 + 0.04 + 1.5 * 0.05 + 0.01);
        }
        job.compressionRatio = 0.01;
        COMPARE_CLOSE(runOf(scenario(job, cluster, strategy))->iterationSeconds, 0.75 + 0.04 + 1.5 * 0.001 + 0.01);
        strategy.nodes[0].synchronizer.compressor = Compressor::HorovodEF; // and the compression error
        COMPARE_CLOSE(runOf(scenario(job, cluster, strategy))->iterationSeconds, 0.75 + 0.05 + 1.5 * 0.001 + 0.01);
        cluster.nodes[1].computeScale = 0.5;
        COMPARE_CLOSE(runOf(scenario(job, cluster, strategy))->iterationSeconds, 1.5 + 0.1 + 1.5 * 0.001 + 0.02);
    }

    void badSpeedsAreRefused() {
        const Job job = chainJob({{1, 1, 10}});
        for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
            Cluster cluster = servedCluster(2, gigabyte);
            cluster.nodes[1].computeScale = bad;
            QVERIFY(!simulate(scenario(job, cluster, servers(job, {"n2:CPU:0"}, asynchronous))).has_value());
        }
    }

    /// Views show worker 0's last full iteration, however many more another worker completes.
    void theWindowIsWorkerZeros() {
        const Job job = chainJob({{0.25, 0.5, 2'500'000}});
        Cluster cluster = servedCluster(2, gigabyte);
        cluster.nodes[1].computeScale = 4;
        const auto r = runOf(scenario(job, cluster, servers(job, {"n2:CPU:0"}, asynchronous)));
        QVERIFY(r);
        COMPARE_ABOVE(r->graph.workerIterations[1], r->graph.workerIterations[0]);
        QCOMPARE(r->graph.iterations, r->graph.workerIterations[0]);
        QCOMPARE(r->windowStartSeconds, startsOf(*r)[0][static_cast<std::size_t>(r->graph.iterations) - 2]);
    }

    void badStalenessIsRefused() {
        const Job job = chainJob({{1, 1, 10}});
        Strategy strategy = servers(job, {"n1:CPU:0"}, 0);
        strategy.nodes[0].synchronizer.staleness = -1;
        QVERIFY(!simulate(scenario(job, servedCluster(1, gigabyte), strategy)).has_value());
        strategy.nodes[0].synchronizer.staleness = 2;
        strategy.nodes[0].synchronizer.sync = false;
        QVERIFY(!simulate(scenario(job, servedCluster(1, gigabyte), strategy)).has_value());
    }
};

QTEST_GUILESS_MAIN(TestParameterServer)
#include "tst_parameter_server.moc"
