// SPDX-License-Identifier: GPL-3.0-or-later
// Peak memory compared with a count by hand: which buffers a strategy has, and when.
#include "engine/analyze/training_memory.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

constexpr double slow = 1e6;    ///< bytes per second: 40,000 bytes take 40 ms
constexpr double bytes = 40000; ///< of 10,000 elements

TrainingMemory memoryOf(const Scenario &s, double optimizerValues = adamValues) {
    const auto run = simulate(s);
    if (!run)
        qWarning("%s", run.error().toString().c_str());
    return run ? trainingMemory(**run, optimizerValues) : TrainingMemory();
}

Scenario unfolded(Scenario s) {
    s.fold = false;
    return s;
}

std::string serverOf(const Cluster &cluster) { return "n" + std::to_string(cluster.serverOnly.front()) + ":CPU:0"; }
Strategy servedBy(const Job &job, const std::string &server) { return parameterServers(job, {server}); }

} // namespace

class TestTrainingMemory : public QObject {
    Q_OBJECT

private slots:
    /// Parameters, twice as much for Adam, and the gradient.
    void oneWorkerOneVariable() {
        const Job job = chainJob({{0.1, 0.2, 10000}});
        const TrainingMemory memory = memoryOf(scenario(job, plainCluster(1, slow), allReduceEach(job)));
        COMPARE_CLOSE(memory.parameterBytes, bytes);
        COMPARE_CLOSE(memory.optimizerBytes, 2 * bytes);
        COMPARE_CLOSE(memory.bufferBytes, bytes);
        COMPARE_CLOSE(memory.deviceBytes(), 4 * bytes);
        QCOMPARE(memory.serverBytes, 0.0);
        COMPARE_CLOSE(memoryOf(scenario(job, plainCluster(1, slow), allReduceEach(job)), 0).deviceBytes(), 2 * bytes);
    }

    /// All workers push at once: the server receives k gradients and keeps its variables with their optimiser state; workers have
    /// no such state.
    void servedVariable_data() {
        QTest::addColumn<int>("workers");
        for (const int workers : {1, 2, 3, 8})
            QTest::addRow("%d workers", workers) << workers;
    }
    void servedVariable() {
        QFETCH(int, workers);
        const Job job = chainJob({{0.1, 0.2, 10000}});
        const Cluster cluster = servedCluster(workers, slow);
        const Scenario s = scenario(job, cluster, servedBy(job, serverOf(cluster)));
        for (const Scenario &one : {s, unfolded(s)}) {
            const TrainingMemory memory = memoryOf(one);
            QCOMPARE(memory.optimizerBytes, 0.0);
            COMPARE_CLOSE(memory.deviceBytes(), 2 * bytes);
            COMPARE_CLOSE(memory.serverBytes, (3 + workers) * bytes);
        }
    }

    /// Workers of different speeds push one after the other: one gradient is in transit, beside the sum of the earlier ones.
    void gradientsAreSummedAsTheyCome() {
        const Job job = chainJob({{0.1, 0.3, 10000}});
        Cluster cluster = servedCluster(3, slow);
        cluster.nodes[1].computeScale = 1 / 1.5;
        cluster.nodes[2].computeScale = 0.5;
        const Scenario s = scenario(job, cluster, servedBy(job, serverOf(cluster)));
        COMPARE_CLOSE(memoryOf(s).serverBytes, (3 + 2) * bytes);
    }

    /// Without synchronisation each gradient is applied when it arrives.
    void asynchronousGradientsAreNotSummed() {
        const Job job = chainJob({{0.1, 0.3, 10000}});
        Cluster cluster = servedCluster(2, slow);
        cluster.nodes[1].computeScale = 1 / 1.3;
        Strategy strategy = servedBy(job, serverOf(cluster));
        COMPARE_CLOSE(memoryOf(scenario(job, cluster, strategy)).serverBytes, (3 + 2) * bytes);
        strategy.nodes[0].synchronizer.sync = false;
        const double drifting =
            memoryOf(scenario(job, cluster, strategy)).serverBytes; // of either worker, at most one in transit
        COMPARE_AT_LEAST(drifting, (3 + 1) * bytes * (1 - 1e-9));
        COMPARE_AT_MOST(drifting, (3 + 2) * bytes * (1 + 1e-9));
        const Cluster alone = servedCluster(1, slow);
        strategy.nodes[0].synchronizer.reductionDestination = serverOf(alone);
        COMPARE_CLOSE(memoryOf(scenario(job, alone, strategy)).serverBytes, (3 + 1) * bytes);
    }

    /// A gradient pushed while the next layer computes is freed before the layer after that has its own; an all-reduced one stays
    /// until the update.
    void gradientsGoWhenTheyArePushed() {
        const Job job = chainJob({{0.1, 0.2, 20000}, {0.1, 0.2, 0}, {0.1, 0.2, 10000}});
        const Cluster cluster = servedCluster(2, slow);
        const Strategy strategy = servedBy(job, serverOf(cluster));
        COMPARE_CLOSE(memoryOf(scenario(job, cluster, strategy)).bufferBytes, 2 * bytes);
        // On links ten times as slow the first is still in transit.
        const Cluster slower = servedCluster(2, slow / 10);
        COMPARE_CLOSE(memoryOf(scenario(job, slower, strategy)).bufferBytes, 3 * bytes);
        COMPARE_CLOSE(memoryOf(scenario(job, plainCluster(2, slow), allReduceEach(job))).bufferBytes, 3 * bytes);
    }

    /// With updates layer by layer, a gradient is freed at its own layer's update.
    void layersAreUpdatedAlone() {
        const Job job = chainJob({{0.1, 0.2, 20000}, {0.1, 0.2, 0}, {0.1, 0.2, 10000}});
        Scenario s = scenario(job, plainCluster(2, slow), allReduceEach(job));
        s.policy.barrier = false;
        COMPARE_CLOSE(memoryOf(s).bufferBytes, 2 * bytes);
    }

    /// Both gradients stay until the update, and their copy exists while it is reduced.
    void bucketsAreCopies() {
        const Job job = chainJob({{0.1, 0.2, 10000}, {0.1, 0.2, 20000}});
        Strategy strategy = allReduceEach(job);
        for (NodeConfig &node : strategy.nodes)
            node.synchronizer.group = 0;
        for (const int nodes : {2, 5}) {
            const Scenario s = scenario(job, plainCluster(nodes, slow), strategy);
            for (const Scenario &one : {s, unfolded(s)}) {
                const TrainingMemory memory = memoryOf(one);
                COMPARE_CLOSE(memory.bufferBytes, 6 * bytes);
                COMPARE_CLOSE(memory.deviceBytes(), (3 + 6 + 6) * bytes);
            }
        }
        COMPARE_CLOSE(memoryOf(scenario(job, plainCluster(2, slow), allReduceEach(job))).bufferBytes, 3 * bytes);
        COMPARE_CLOSE(memoryOf(scenario(job, plainCluster(1, slow), strategy)).bufferBytes, 3 * bytes); // reduces with none
    }

    void compressedGradientsAreCopies() {
        const Job job = chainJob({{0.1, 0.2, 10000}});
        Strategy strategy = allReduceEach(job);
        strategy.nodes[0].synchronizer.compressor = Compressor::Horovod;
        COMPARE_CLOSE(memoryOf(scenario(job, plainCluster(2, slow), strategy)).bufferBytes, 1.5 * bytes);
    }

    /// 10 of 100 rows with an index of 8 bytes each, and the rows of all replicas.
    void sparseGradientsAreGathered() {
        Job job = chainJob({{0.1, 0.2, 1000}});
        job.variables[0].shape = {100, 10};
        job.variables[0].sparse = true;
        job.variables[0].rowsTouched = 10;
        const double own = 10 * (10 * 4 + 8);
        const TrainingMemory memory = memoryOf(scenario(job, plainCluster(3, slow), allReduceEach(job)));
        COMPARE_CLOSE(memory.bufferBytes, own + 3 * own);
        COMPARE_CLOSE(memory.deviceBytes(), 3 * 4000 + 4 * own);
    }

    /// The devices of a node push the sum that their host made: each then frees its gradient.
    void hostsSumTheirDevices() {
        const Job job = chainJob({{0.1, 0.2, 10000}});
        Cluster cluster = servedCluster(2, slow);
        cluster.nodes[0].gpus = cluster.nodes[1].gpus = {0, 1};
        const TrainingMemory memory = memoryOf(scenario(job, cluster, servedBy(job, serverOf(cluster))));
        COMPARE_CLOSE(memory.bufferBytes, bytes);
        COMPARE_CLOSE(memory.serverBytes, (3 + 2) * bytes);
    }

    /// Slices, parts and several servers add up to the same bytes.
    void partsAddUp() {
        const Job job = chainJob({{0.1, 0.2, 10000}});
        const Cluster cluster = servedCluster(2, slow);
        Strategy strategy = servedBy(job, serverOf(cluster));
        NodeConfig &node = strategy.nodes[0];
        node.partitions = {4};
        for (int p = 0; p < 4; ++p)
            node.parts.push_back({"part", node.synchronizer});
        const TrainingMemory memory = memoryOf(scenario(job, cluster, strategy));
        COMPARE_CLOSE(memory.parameterBytes, bytes);
        COMPARE_CLOSE(memory.bufferBytes, bytes);
        // Each connection pushes one part at a time.
        COMPARE_CLOSE(memory.serverBytes, 3 * bytes + 2 * bytes / 4);
        const auto sliced = policyOf("p3", {{"slice", 4000}});
        COMPARE_CLOSE(memoryOf(scenario(job, cluster, servedBy(job, serverOf(cluster)), sliced)).bufferBytes, bytes);
    }
};

QTEST_GUILESS_MAIN(TestTrainingMemory)
#include "tst_training_memory.moc"
