// SPDX-License-Identifier: GPL-3.0-or-later
// The pieces of a chain of causes: kind, words and seconds, in runs whose answers are known by hand, because nothing in them
// overlaps.
#include "engine/analyze/causes.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <algorithm>
#include <fmt/format.h>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

struct Piece {
    const char *kind, *text;
    double seconds;
};

/// The chain consists of `pieces`, in this order and without gaps.
void verifyPieces(const CauseFinder &finder, const CauseChain &chain, const std::vector<Piece> &pieces) {
    double at = chain.fromSeconds;
    for (std::size_t c = 0; c < std::min(pieces.size(), chain.causes.size()); ++c) {
        const Cause &cause = chain.causes[c];
        QCOMPARE(QString::fromStdString(finder.describe(cause)), QString::fromUtf8(pieces[c].text));
        QCOMPARE(nameOf(cause.kind), pieces[c].kind);
        QCOMPARE(cause.startSeconds, at);
        COMPARE_CLOSE(cause.seconds(), pieces[c].seconds, 1e-9, pieces[c].text);
        at = cause.endSeconds;
    }
    QCOMPARE(chain.causes.size(), pieces.size());
    QCOMPARE(at, chain.toSeconds);
}

} // namespace

class TestCausePieces : public QObject {
    Q_OBJECT

private slots:
    /// The way of one variable in a run in which everything takes time, nothing at once: devices of a node, a node's and a
    /// server's CPU, both directions, the optimizer.
    void everyStepOfAServersVariable() {
        Job job = chainJob({{0.25, 0.5, 25'000'000}});
        job.updateSeconds = 0.05;
        Cluster cluster = servedCluster(1, 1e9);
        cluster.nodes[0].gpus = {0, 1};
        cluster.intraNodeBandwidthBytesPerSecond = 10e9;
        cluster.latencySeconds = 0.008;
        cluster.host.sendSeconds = 0.001;
        cluster.host.receiveSeconds = 0.002;
        cluster.host.variableSeconds = 0.004;
        Strategy strategy = parameterServers(job, {"n1:CPU:0"});
        strategy.nodes[0].synchronizer.localReplication = true;
        const auto run = runOf(scenario(job, cluster, strategy));
        const CauseFinder finder(*run);
        const CauseChain chain = finder.ofIteration();
        verifyPieces(finder, chain,
                     {{"forward", "forward of layer0, worker 0", 0.25},
                      {"backward", "backward of layer0, worker 0", 0.5},
                      {"transfer", "reduction of layer0/kernel:0, worker 0 within its node", 0.01},
                      {"host", "host of worker 0 for layer0/kernel:0", 0.001},
                      {"transfer", "push of layer0/kernel:0, worker 0", 0.1},
                      {"latency", "push of layer0/kernel:0, worker 0", 0.008},
                      {"host", "host of server n1:CPU:0 for layer0/kernel:0", 0.002},
                      {"host", "host of server n1:CPU:0 for layer0/kernel:0", 0.004},
                      {"host", "host of server n1:CPU:0 for layer0/kernel:0", 0.001},
                      {"transfer", "pull of layer0/kernel:0, worker 0", 0.1},
                      {"latency", "pull of layer0/kernel:0, worker 0", 0.008},
                      {"host", "host of worker 0 for layer0/kernel:0", 0.002},
                      {"transfer", "broadcast of layer0/kernel:0, worker 0 within its node", 0.01},
                      {"update", "update of all variables, worker 0", 0.05}});
        QVERIFY(!finder.slowestLink(chain.causes.front().task).exists());
    }

    /// Gradients that are summed on another node than the server's go on from there, and the value comes back the same way.
    void transfersBetweenServers() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        Cluster cluster = plainCluster(3, 1e9);
        cluster.serverOnly = {1, 2};
        cluster.nodes[1].bandwidthBytesPerSecond = 0.5e9;
        Strategy strategy = parameterServers(job, {"n1:CPU:0"});
        strategy.nodes[0].synchronizer.transferDestination = "n2:CPU:0";
        const auto run = runOf(scenario(job, cluster, strategy));
        const CauseFinder finder(*run);
        verifyPieces(finder, finder.ofIteration(),
                     {{"forward", "forward of layer0, worker 0", 0.25},
                      {"backward", "backward of layer0, worker 0", 0.5},
                      {"transfer", "push of layer0/kernel:0, worker 0", 0.1},
                      {"transfer", "transfer of layer0/kernel:0 between servers", 0.2},
                      {"transfer", "transfer of layer0/kernel:0 between servers", 0.2},
                      {"transfer", "pull of layer0/kernel:0, worker 0", 0.1}});
    }

    /// A compressed all-reduce, and the work of a worker's stream before and after it.
    void compressorsAndHostCopies() {
        Job job = chainJob({{0.25, 0.5, 25'000'000}});
        job.updateSeconds = 0.05;
        job.encodeSecondsPerByte = 0.4e-9;
        job.decodeSecondsPerByte = 0.1e-9;
        job.hostSecondsPerByteAfterReceive = 0.2e-9;
        Strategy strategy = allReduceEach(job);
        strategy.nodes[0].synchronizer.compressor = Compressor::Horovod; // half of float32
        const auto run = runOf(scenario(job, plainCluster(4, 1e9), strategy));
        const CauseFinder finder(*run);
        verifyPieces(finder, finder.ofIteration(),
                     {{"forward", "forward of layer0, workers 0–3", 0.25},
                      {"backward", "backward of layer0, workers 0–3", 0.5},
                      {"update", "compression of layer0/kernel:0, workers 0–3", 0.04},
                      {"transfer", "all-reduce of layer0/kernel:0", 1.5 * 0.05},
                      {"update", "decompression of layer0/kernel:0, workers 0–3", 0.01},
                      {"update", "host copy of layer0/kernel:0, workers 0–3", 0.02},
                      {"update", "update of all variables, workers 0–3", 0.05}});
    }

    /// Collectives that the model itself needs, by their closed forms among four nodes.
    void collectivesAreNamed_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("seconds");
        const auto row = [](CollectiveKind kind, const char *text, double seconds) {
            QTest::newRow(text) << static_cast<int>(kind) << QString::fromLatin1(text) << seconds;
        };
        row(CollectiveKind::AllReduce, "all-reduce of layer0", 2 * 0.3);
        row(CollectiveKind::ReduceScatter, "reduce-scatter of layer0", 0.3);
        row(CollectiveKind::AllGather, "all-gather of layer0", 0.3);
        row(CollectiveKind::AllToAll, "all-to-all of layer0", 0.3);
        row(CollectiveKind::Reduce, "reduction of layer0", 0.4 * (2 + 64) / 64); // a chain of 64 pieces
        row(CollectiveKind::Broadcast, "broadcast of layer0", 0.4 * (2 + 64) / 64);
    }
    void collectivesAreNamed() {
        QFETCH(int, kind);
        QFETCH(QString, text);
        QFETCH(double, seconds);
        Job job = chainJob({{0.25, 0.5, 0}});
        job.layers[0].collectives = {{static_cast<CollectiveKind>(kind), 4e8, false}};
        const auto run = runOf(scenario(job, plainCluster(4, 1e9), Strategy{}));
        const CauseFinder finder(*run);
        verifyPieces(finder, finder.ofIteration(),
                     {{"forward", "forward of layer0, workers 0–3", 0.25},
                      {"transfer", qPrintable(text), seconds},
                      {"backward", "backward of layer0, workers 0–3", 0.5}});
    }

    /// A ring's messages are pieces of their own; with too many of them it is one piece, with all steps' latency first.
    void ringsByStepOrWhole() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        for (const int nodes : {4, 104}) {
            Cluster cluster = plainCluster(nodes, 1e9);
            cluster.latencySeconds = 0.001;
            Scenario s = scenario(job, cluster, allReduceEach(job));
            s.policy.form = CollectiveForm::Flows;
            s.fold = false;
            s.iterations = 3;
            const auto run = runOf(s);
            const CauseFinder finder(*run);
            const CauseChain chain = finder.ofIteration();
            const int steps = 2 * (nodes - 1);
            COMPARE_CLOSE(chain.seconds(CauseKind::Latency), steps * 0.001, 1e-9, fmt::format("{} nodes", nodes));
            COMPARE_CLOSE(chain.seconds(CauseKind::Transfer), steps * 0.1 / nodes, 1e-9, fmt::format("{} nodes", nodes));
            const auto pieces = std::count_if(chain.causes.begin(), chain.causes.end(),
                                              [](const Cause &cause) { return cause.seconds() > 1e-9; }); // beyond rounding
            QCOMPARE(pieces, 2 + 2 * (nodes == 4 ? steps : 1));
            QVERIFY(finder.describe(chain.causes[2]).starts_with("all-reduce of layer0/kernel:0"));
        }
    }

    /// A burst through a shaped link takes no time, and the rest of the transfer does not count as sharing; neither does a
    /// connection's own limit.
    void shapedLinksAreNotShared() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        Cluster cluster = servedCluster(1, 1e9);
        cluster.burstBytes = 20e6;
        for (const double limit : {1e9, 0.5e9}) {
            cluster.connectionBytesPerSecond = limit;
            const auto run = runOf(scenario(job, cluster, parameterServers(job, {"n1:CPU:0"})));
            const CauseFinder finder(*run);
            const double each = 80e6 / limit;
            verifyPieces(finder, finder.ofIteration(),
                         {{"forward", "forward of layer0, worker 0", 0.25},
                          {"backward", "backward of layer0, worker 0", 0.5},
                          {"transfer", "push of layer0/kernel:0, worker 0", each},
                          {"transfer", "pull of layer0/kernel:0, worker 0", each}});
            COMPARE_CLOSE(finder.bounds().dependencySeconds, run->iterationSeconds, 1e-9, fmt::format("limit {}", limit));
        }
    }

    /// Beyond the first task there is nothing but the run's own start.
    void theRunBegins() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        const auto run = runOf(scenario(job, servedCluster(1, 1e9), parameterServers(job, {"n1:CPU:0"})));
        const CauseFinder finder(*run);
        TaskId first(0); // the first backward, after a forward from 0 s on
        while (run->graph.kind[first.index()] != TaskKind::Backward)
            first = first.next();
        const CauseChain chain = finder.ofStart(first, -0.5);
        QCOMPARE(chain.causes.size(), std::size_t{2});
        QVERIFY(chain.causes[0].kind == CauseKind::Start && chain.causes[1].kind == CauseKind::Forward);
        QCOMPARE(finder.describe(chain.causes[0]), std::string("the run begins"));
        QCOMPARE(std::string(nameOf(CauseKind::Start)), std::string("start"));
        COMPARE_CLOSE(chain.seconds(CauseKind::Start), 0.5);
        COMPARE_CLOSE(chain.seconds(CauseKind::Forward), 0.25);
    }
};

QTEST_APPLESS_MAIN(TestCausePieces)
#include "tst_cause_pieces.moc"
