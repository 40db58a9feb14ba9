// SPDX-License-Identifier: GPL-3.0-or-later
// Policy deepspeed's stages against closed forms: the parameters gathered after the update, in how many pieces, and the layers
// that wait for them. With n nodes at B bytes a second, S bytes take 2 (n-1)/n S/B to all-reduce and (n-1)/n S/B to gather.
#include "engine/analyze/causes.h"
#include "engine/analyze/link_loads.h"
#include "engine/analyze/training_memory.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

constexpr double rate = 400;

Scenario deepspeed(const Job &job, const std::string &settings = "", int nodes = 2) {
    return scenario(job, plainCluster(nodes, rate), allReduceEach(job), must(parsePolicy("deepspeed(" + settings + ")")));
}

double secondsOf(const Scenario &s) {
    const auto run = runOf(s);
    return run ? run->iterationSeconds : std::nan("");
}

/// Seconds of each gather of parameters in an iteration.
std::vector<double> gathersOf(const Run &run) {
    std::vector<double> seconds;
    for (std::size_t t = 0; t < run.graph.size(); ++t)
        if (run.graph.kind[t] == TaskKind::AllGather && !run.graph.unit[t].exists() && run.graph.iteration[t] == 2)
            seconds.push_back(run.endSeconds[t] - run.startSeconds[t]);
    return seconds;
}

/// Variables of `elements` each, of these types, one to a layer.
Job typedJob(const std::vector<std::pair<std::int64_t, DataType>> &variables) {
    Job job = chainJob(std::vector<LayerSpec>(variables.size(), {1, 1, 1}));
    for (std::size_t v = 0; v < variables.size(); ++v) {
        job.variables[v].shape = {variables[v].first};
        job.variables[v].dtype = variables[v].second;
    }
    return job;
}

} // namespace

class TestParameterGathers : public QObject {
    Q_OBJECT

private slots:
    void twoWorkersAndOneVariable() {
        Job job = chainJob({{3, 5, 1000}}); // 10 s to all-reduce
        job.updateSeconds = 2;
        COMPARE_CLOSE(secondsOf(deepspeed(job, "stage=0")), 3 + 5 + 10 + 2);
        for (const char *stage : {"stage=1", "stage=2"})
            COMPARE_CLOSE(secondsOf(deepspeed(job, stage)), 3 + 5 + 10 + 1 + 5);
    }

    /// The whole sum arrives, of which a replica updates its share: the host copies all of it, regardless of the update's
    /// dependencies.
    void theWholeSumIsCopied() {
        Job job = chainJob({{3, 5, 1000}});
        job.updateSeconds = 2;
        job.hostSecondsPerByteAfterReceive = 1e-3;
        for (const char *settings : {"stage=1", "stage=1,barrier=off"})
            COMPARE_CLOSE(secondsOf(deepspeed(job, settings)), 3 + 5 + 10 + 4 + 1 + 5, 1e-9, settings);
    }

    /// The steps of a thousand gathers over eight nodes would be 56,000 tasks an iteration.
    void manyPiecesAreFewTasks() {
        Scenario s = deepspeed(chainJob({{1, 1, 1000}}), "allgather_bucket=1", 8);
        s.policy.form = CollectiveForm::Flows;
        s.fold = false;
        const auto run = runOf(s);
        QVERIFY(run);
        COMPARE_BELOW(run->graph.size(), std::size_t{80'000});
    }

    /// In both forms of collectives, folded or not. A node sends 3 (n-1)/n S.
    void workers_data() {
        QTest::addColumn<int>("nodes");
        for (const int nodes : {1, 2, 3, 4, 8})
            QTest::addRow("%d", nodes) << nodes;
    }
    void workers() {
        QFETCH(int, nodes);
        Job job = chainJob({{1, 2, 300}, {1, 2, 700}});
        job.updateSeconds = 4;
        const double others = (nodes - 1.0) / nodes, bytes = 4000;
        for (const CollectiveForm form : {CollectiveForm::Analytic, CollectiveForm::Flows})
            for (const bool fold : {true, false}) {
                Scenario s = deepspeed(job, "", nodes);
                s.policy.form = form;
                s.fold = fold;
                const auto run = runOf(s);
                QVERIFY(run);
                COMPARE_CLOSE(run->iterationSeconds, 6 + 4.0 / nodes + 3 * others * bytes / rate);
                if (nodes > 1)
                    COMPARE_CLOSE(LinkLoads(*run).bytes(linksOfNodes(*run).front().transmit, run->windowStartSeconds,
                                                        run->windowStartSeconds + run->iterationSeconds),
                                  3 * others * bytes);
            }
    }

    /// As many as whole buckets fit into the elements of each type (all_gather_dp_groups), of equal size; each takes its latency.
    void pieces_data() {
        QTest::addColumn<double>("bucket");
        QTest::addColumn<int>("ofFloats");
        QTest::addColumn<int>("ofHalves");
        QTest::newRow("all in one") << 1e6 << 1 << 1;
        QTest::newRow("one element too large") << 1001.0 << 1 << 1;
        QTest::newRow("one") << 1000.0 << 1 << 1;
        QTest::newRow("one element too large for two") << 501.0 << 1 << 1;
        QTest::newRow("two") << 500.0 << 2 << 1;
        QTest::newRow("three and what is left") << 300.0 << 3 << 2;
        QTest::newRow("each element alone") << 1.0 << 1000 << 600;
    }
    void pieces() {
        QFETCH(double, bucket);
        QFETCH(int, ofFloats);
        QFETCH(int, ofHalves);
        const Job job =
            typedJob({{400, DataType::Float32}, {600, DataType::Float16}, {600, DataType::Float32}}); // 4000 and 1200 bytes
        Scenario s = deepspeed(job, "", 4);
        s.policy.set("allgather_bucket", bucket);
        Cluster cluster = *s.cluster;
        cluster.latencySeconds = 0.01;
        s.cluster = std::make_shared<const Cluster>(cluster);
        const auto run = runOf(s);
        QVERIFY(run);
        std::vector<double> got = gathersOf(*run),
                            want(static_cast<std::size_t>(ofFloats), 3 * 0.01 + 0.75 * 4000 / rate / ofFloats);
        want.insert(want.end(), static_cast<std::size_t>(ofHalves), 3 * 0.01 + 0.75 * 1200 / rate / ofHalves);
        std::sort(got.begin(), got.end());
        std::sort(want.begin(), want.end());
        QCOMPARE(got.size(), want.size());
        for (std::size_t i = 0; i < got.size(); ++i)
            COMPARE_CLOSE(got[i], want[i]);
        s.policy.set("stage", 0);
        const double gathered = 3 * 0.01 * (ofFloats + ofHalves) + 0.75 * 5200 / rate;
        COMPARE_CLOSE(run->iterationSeconds - secondsOf(s), gathered);
    }

    /// The slowest worker's update ends before a gather begins, and no forward begins before the last gather ends.
    void nothingHidesThem_data() {
        QTest::addColumn<bool>("barrier");
        QTest::newRow("barrier") << true;
        QTest::newRow("per layer") << false;
    }
    void nothingHidesThem() {
        QFETCH(bool, barrier);
        Job job = chainJob({{1, 1, 100}, {1, 1, 100}, {1, 1, 100}});
        job.layers[2].parents = {}; // two layers begin the forward pass
        job.updateSeconds = 1;
        Scenario s = deepspeed(job, "reduce_bucket=100,allgather_bucket=100,overlap=on", 3);
        Cluster cluster = *s.cluster;
        cluster.nodes[1].computeScale = 0.4;
        cluster.host.collectiveSeconds = 0.02;
        s.cluster = std::make_shared<const Cluster>(cluster);
        s.policy.barrier = barrier;
        const auto run = runOf(s);
        QVERIFY(run);
        const TaskGraph &graph = run->graph;
        std::map<std::int32_t, double> updated, begun, ended, forward; // by iteration
        for (std::size_t t = 0; t < graph.size(); ++t) {
            const std::int32_t i = graph.iteration[t];
            const double start = run->startSeconds[t], end = run->endSeconds[t];
            if (graph.kind[t] == TaskKind::Update)
                updated[i] = std::max(updated[i], end);
            else if (graph.kind[t] == TaskKind::Forward)
                forward[i] = std::min(forward.try_emplace(i, start).first->second, start);
            else if (graph.kind[t] == TaskKind::AllGather && !graph.unit[t].exists()) {
                begun[i] = std::min(begun.try_emplace(i, start).first->second, start);
                ended[i] = std::max(ended[i], end);
            }
        }
        QVERIFY(graph.iterations > 2);
        for (std::int32_t i = 1; i < graph.iterations; ++i) {
            COMPARE_AT_LEAST(begun.at(i), updated.at(i - 1) + 0.02 * (1 - 1e-9)); // its launch
            COMPARE_WITHIN(forward.at(i), ended.at(i), 1e-9);
        }
    }

    /// Rows of sparse gradients are gathered as under any policy, and variables updated by servers are pulled.
    void othersAreNotGathered() {
        Job job = chainJob({{1, 1, 100}, {1, 1, 300}, {1, 1, 500}});
        job.variables[1].sparse = true;
        Scenario s = deepspeed(job);
        Strategy strategy = *s.strategy;
        strategy.nodes[2].synchronizer.kind = SynchronizerKind::ParameterServer;
        strategy.nodes[2].synchronizer.reductionDestination = "n0:CPU:0";
        s.strategy = std::make_shared<const Strategy>(strategy);
        const auto run = runOf(s);
        QVERIFY(run);
        QCOMPARE(gathersOf(*run), std::vector<double>{0.5 * 400 / rate});
        strategy = parameterServers(job, {"n0:CPU:0"});
        s.strategy = std::make_shared<const Strategy>(strategy);
        QVERIFY(gathersOf(*runOf(s)).empty());
    }

    /// A compressor halves gradients alone; without one they are gathered in their own type.
    void gathersAreNotCompressed() {
        const Job job = chainJob({{1, 1, 1000}});
        Scenario s = deepspeed(job);
        Strategy strategy = *s.strategy;
        strategy.nodes[0].synchronizer.compressor = Compressor::Horovod;
        s.strategy = std::make_shared<const Strategy>(strategy);
        COMPARE_CLOSE(secondsOf(s), 2 + 5 + 5);
        COMPARE_CLOSE(secondsOf(deepspeed(typedJob({{1000, DataType::BFloat16}}))), 2 + 5 + 2.5);
    }

    void tooManyPiecesAreRefused() {
        const auto run = simulate(deepspeed(chainJob({{1, 1, 100'000}}), "allgather_bucket=1"));
        QVERIFY(!run);
        QVERIFY2(run.error().toString().find("100000") != std::string::npos, run.error().toString().c_str());
    }

    /// Stage 1 shards the optimiser's state, stage 2 gradients as well, once they are reduced.
    void memory() {
        const Job job = chainJob({{1, 10, 100}, {1, 10, 100}, {1, 10, 100}, {1, 10, 100}}); // an all-reduce takes 1 s
        const auto memoryOf = [&](const char *stage) {
            return trainingMemory(*runOf(deepspeed(job, std::string("reduce_bucket=100,overlap=on,") + stage)), 2);
        };
        const TrainingMemory whole = memoryOf("stage=0"), first = memoryOf("stage=1"), second = memoryOf("stage=2");
        for (const TrainingMemory &memory : {whole, first, second})
            COMPARE_CLOSE(memory.parameterBytes, 1600);
        COMPARE_CLOSE(whole.optimizerBytes, 3200);
        COMPARE_CLOSE(first.optimizerBytes, 1600);
        COMPARE_CLOSE(second.optimizerBytes, 1600);
        COMPARE_CLOSE(first.bufferBytes, 1600);
        // When the last backward begins, the first bucket is reduced, and the second is under way.
        COMPARE_CLOSE(second.bufferBytes, 200 + 3 * 400);
    }

    void theyAreNamed() {
        const auto run = runOf(deepspeed(chainJob({{0.1, 0.1, 1000}})));
        QVERIFY(run);
        std::map<std::string, int> spans;
        for (const Lane &lane : run->timeline.lanes)
            for (const std::int32_t label : lane.label)
                ++spans[run->timeline.labels[static_cast<std::size_t>(label)]];
        COMPARE_ABOVE(spans["all-gather of parameters"], 0);
        const CauseFinder finder(*run);
        const CauseChain chain = finder.ofIteration();
        QVERIFY(std::any_of(chain.causes.begin(), chain.causes.end(), [&](const Cause &cause) {
            return finder.describe(cause).find("all-gather of all variables") != std::string::npos;
        }));
    }
};

QTEST_GUILESS_MAIN(TestParameterGathers)
#include "tst_parameter_gathers.moc"
