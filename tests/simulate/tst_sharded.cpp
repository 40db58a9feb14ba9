// SPDX-License-Identifier: GPL-3.0-or-later
// Policy fsdp2 against schedules worked out by hand. Two nodes at 400 bytes a second: gathering 200 float32 values takes 1 s, and
// so does scattering them.
#include "engine/analyze/causes.h"
#include "engine/analyze/link_loads.h"
#include "engine/analyze/training_memory.h"
#include "engine/rewrite/sharded_order.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

constexpr double rate = 400;
constexpr double perGather = 200; ///< values that two nodes gather in 1 s

using Settings = std::vector<std::pair<std::string_view, double>>;
constexpr double off = 0, on = 1;

/// A layer whose module takes `gather` seconds to gather, or to scatter.
LayerSpec layerOf(double forward, double backward, double gather) {
    return {forward, backward, std::llround(gather * perGather)};
}

/// fsdp2 with a module for each layer, unless `settings` say otherwise.
Scenario sharded(const Job &job, Settings settings = {}, int nodes = 2) {
    settings.insert(settings.begin(), {"module", 1});
    return scenario(job, plainCluster(nodes, rate), allReduceEach(job), policyOf("fsdp2", settings));
}

double secondsOf(const Scenario &s) {
    const auto run = runOf(s);
    return run ? run->iterationSeconds : std::nan("");
}

/// Collectives of one kind that begin in an iteration.
std::size_t countOf(const Run &run, TaskKind kind) {
    std::size_t count = 0;
    for (std::size_t t = 0; t < run.graph.size(); ++t)
        count += run.graph.kind[t] == kind && run.graph.iteration[t] == 1 ? 1 : 0;
    return count;
}

/// Bytes that node 0 sends in an iteration.
double sentBytes(const Run &run) {
    return LinkLoads(run).bytes(linksOfNodes(run).front().transmit, run.windowStartSeconds,
                                run.windowStartSeconds + run.iterationSeconds);
}

} // namespace

class TestSharded : public QObject {
    Q_OBJECT

private slots:
    /// L equal layers: forward f, backward b, gather g and scatter s, which is as long. The first gather is exposed, then each
    /// layer takes max(f, g). The first gather of the backward pass is under the last forward where that is as long, and each
    /// later one follows the scatter of the layer before the last: compute hides both where b >= g + s.
    void equalLayers_data() {
        QTest::addColumn<int>("layers");
        QTest::addColumn<double>("forward");
        QTest::addColumn<double>("backward");
        QTest::addColumn<double>("gather");
        for (const int layers : {2, 3, 8})
            for (const auto &[f, b, g] : {std::tuple(1.0, 2.0, 0.5), {1.0, 1.0, 0.25}, {1.0, 0.5, 1.0}, {1.0, 0.4, 0.8}})
                QTest::addRow("%d layers, %g, %g, %g", layers, f, b, g) << layers << f << b << g;
    }
    void equalLayers() {
        QFETCH(int, layers);
        QFETCH(double, forward);
        QFETCH(double, backward);
        QFETCH(double, gather);
        const Job job = chainJob(std::vector<LayerSpec>(static_cast<std::size_t>(layers), layerOf(forward, backward, gather)));
        const double pass = gather + layers * forward;
        const double hidden = layers * backward + gather, exposed = (layers - 1) * gather + layers * gather;
        COMPARE_CLOSE(secondsOf(sharded(job)), pass + (backward >= 2 * gather ? hidden : exposed));
        // Without a prefetch compute, scatter and gather take turns.
        COMPARE_CLOSE(secondsOf(sharded(job, {{"backward_prefetch", 0}})),
                      pass + layers * (backward + gather) + (layers - 1) * gather);
        // Kept, parameters are not gathered again, and of the scatters the last is exposed, or all but a backward.
        COMPARE_CLOSE(secondsOf(sharded(job, {{"reshard_after_forward", off}})),
                      pass + std::max(layers * backward + gather, backward + layers * gather));
    }

    /// Layers whose gathers take longer than their forward.
    void gathersBoundTheForwardPass() {
        const Job job = chainJob(std::vector<LayerSpec>(5, layerOf(0.25, 1, 1)));
        COMPARE_CLOSE(secondsOf(sharded(job, {{"reshard_after_forward", off}})), 5 * 1 + 0.25 + 5 * 1 + 1);
    }

    /// The module that takes longest to gather is gathered earlier by deeper prefetches. Seconds after the forward pass, which
    /// takes 4.9, as gather, compute and scatter follow each other on paper.
    void backwardPrefetch() {
        const Job job = chainJob({layerOf(1, 1, 0.1), layerOf(1, 1, 1.8), layerOf(1, 1, 0.1), layerOf(1, 1, 0.1)});
        COMPARE_CLOSE(secondsOf(sharded(job, {{"backward_prefetch", 0}})), 4.9 + 8.1);
        COMPARE_CLOSE(secondsOf(sharded(job)), 4.9 + 5.8);
        COMPARE_CLOSE(secondsOf(sharded(job, {{"backward_prefetch", 2}})), 4.9 + 4.9);
    }

    /// A gather waits for the compute before the copy-out two modules earlier, whether it is prefetched by one or not; by two,
    /// for the one before that. Scatters of the last layer, which take 2.5 s, delay the layer after the next.
    void forwardPrefetch() {
        const Job job = chainJob({layerOf(1, 1, 0.1), layerOf(1, 1, 0.1), layerOf(1, 1, 0.1), layerOf(1, 1, 2.5)});
        for (const double ahead : {0.0, 1.0})
            COMPARE_CLOSE(secondsOf(sharded(job, {{"forward_prefetch", ahead}, {"reshard_after_forward", off}})), 10.2);
        COMPARE_CLOSE(secondsOf(sharded(job, {{"forward_prefetch", 2}, {"reshard_after_forward", off}})), 9.7);
    }

    /// With a communicator of its own a scatter does not keep later gathers waiting, so these need no prefetch.
    void scattersApart() {
        const Job job = chainJob(std::vector<LayerSpec>(6, layerOf(1, 2, 0.5)));
        const double hidden = 0.5 + 6 * 1 + 6 * 2 + 0.5;
        COMPARE_CLOSE(secondsOf(sharded(job, {{"separate_reduce_scatter_group", on}, {"backward_prefetch", 0}})), hidden);
        COMPARE_ABOVE(secondsOf(sharded(job, {{"backward_prefetch", 0}})), hidden + 1);
    }

    /// The last layer is less than a module, so the root has it: gathered first, kept, and scattered last.
    void rootModule() {
        const Job job = chainJob(std::vector<LayerSpec>(3, layerOf(1, 1, 0.5)));
        const auto run = runOf(sharded(job, {{"module", 800}}));
        QVERIFY(run);
        std::vector<std::string> names;
        for (const SyncUnit &unit : run->graph.units)
            names.push_back(unit.name);
        QCOMPARE(names, (std::vector<std::string>{"root: layer2", "module 0: layer0 to layer1"}));
        COMPARE_CLOSE(run->iterationSeconds, 3 * 0.5 + 3 + 3 + 3 * 0.5);
        QCOMPARE(countOf(*run, TaskKind::AllGather), std::size_t{3});
        QCOMPARE(countOf(*run, TaskKind::ReduceScatter), std::size_t{2});
        // All in the root: nothing overlaps, and nothing is gathered twice.
        const auto whole = runOf(sharded(job, {{"module", std::numeric_limits<double>::infinity()}}));
        QVERIFY(whole);
        COMPARE_CLOSE(whole->iterationSeconds, 3 * 0.5 + 3 + 3 + 3 * 0.5);
        QCOMPARE(countOf(*whole, TaskKind::AllGather), std::size_t{1});
    }

    /// Modules are filled from the first layer on.
    void modules() {
        // Of 800 bytes, 800, none, 2400 and 800.
        const Job job = chainJob({layerOf(1, 1, 1), layerOf(1, 1, 1), {1, 1, 0}, layerOf(1, 1, 3), layerOf(1, 1, 1)});
        const auto modulesOf = [&](double size) {
            std::vector<std::vector<std::int32_t>> variables;
            const auto run = runOf(sharded(job, {{"module", size}}));
            for (const SyncUnit &unit : run->graph.units)
                variables.push_back(unit.variables);
            return variables;
        };
        using Modules = std::vector<std::vector<std::int32_t>>;
        QCOMPARE(modulesOf(1600), (Modules{{3}, {2}, {1, 0}})); // the module ready first
        QCOMPARE(modulesOf(1601), (Modules{{3}, {2, 1, 0}}));
        QCOMPARE(modulesOf(800), (Modules{{3}, {2}, {1}, {0}}));
    }

    /// Each of n replicas sends (n - 1) / n of the parameters' bytes three times, or twice.
    void bytesOnTheWire_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<bool>("flows");
        for (const int nodes : {2, 4, 7})
            for (const bool flows : {false, true})
                QTest::addRow("%d nodes, %s", nodes, flows ? "flows" : "analytic") << nodes << flows;
    }
    void bytesOnTheWire() {
        QFETCH(int, nodes);
        QFETCH(bool, flows);
        const Job job = chainJob(std::vector<LayerSpec>(4, {0.1, 0.3, 7000}));
        const auto sent = [&](const Settings &settings) {
            Scenario s = sharded(job, settings, nodes);
            s.policy.form = flows ? CollectiveForm::Flows : CollectiveForm::Analytic;
            const auto run = runOf(s);
            return run ? sentBytes(*run) : std::nan("");
        };
        const double share = (nodes - 1.0) / nodes * static_cast<double>(job.parameterBytes());
        COMPARE_CLOSE(sent({}), 3 * share);
        COMPARE_CLOSE(sent({{"reshard_after_forward", off}}), 2 * share);
    }

    /// As explicit steps, unfolded, and with devices that differ.
    void formsAgree() {
        const Job job = chainJob(std::vector<LayerSpec>(5, layerOf(1, 1, 0.75)));
        Scenario s = sharded(job, {}, 4);
        const double expected = secondsOf(s);
        for (const CollectiveForm form : {CollectiveForm::Analytic, CollectiveForm::Flows})
            for (const bool fold : {true, false}) {
                s.policy.form = form;
                s.fold = fold;
                COMPARE_CLOSE(secondsOf(s), expected);
            }
        Cluster cluster = plainCluster(4, rate);
        cluster.nodes[2].computeScale = 0.5; // all wait for it
        const Job slow = chainJob(std::vector<LayerSpec>(5, layerOf(2, 2, 0.75)));
        COMPARE_CLOSE(secondsOf(scenario(job, cluster, allReduceEach(job), s.policy)), secondsOf(sharded(slow, {}, 4)));
    }

    /// One replica gathers nothing; of n, each updates its share.
    void updatesShards() {
        Job job = chainJob(std::vector<LayerSpec>(3, layerOf(1, 1, 0.25)));
        COMPARE_CLOSE(secondsOf(sharded(job, {}, 1)), 6);
        const double without = secondsOf(sharded(job));
        job.updateSeconds = 0.6;
        COMPARE_CLOSE(secondsOf(sharded(job, {}, 1)), 6.6);
        COMPARE_CLOSE(secondsOf(sharded(job)), without + 0.3);
        // Layer by layer, a gather waits for the update of its own layers: the first one's for that of layer 0, after the scatter
        // of 0.25 s, under which the others are updated.
        Scenario crossing = sharded(job);
        crossing.policy.barrier = false;
        COMPARE_CLOSE(secondsOf(crossing), without + 0.1);
    }

    /// Nothing runs before the root is gathered, also where the first layer has no parameters.
    void rootIsGatheredFirst() {
        const Job job = chainJob({layerOf(1, 1, 0), layerOf(1, 1, 0.5)});
        COMPARE_CLOSE(secondsOf(sharded(job, {{"module", std::numeric_limits<double>::infinity()}})), 0.5 + 2 + 2 + 0.5);
    }

    /// A compressor halves scattered bytes, but not gathered ones.
    void gradientsAreCast() {
        const Job job = chainJob(std::vector<LayerSpec>(4, layerOf(1, 0.5, 1)));
        Strategy strategy = allReduceEach(job);
        for (NodeConfig &node : strategy.nodes)
            node.synchronizer.compressor = Compressor::Horovod;
        Scenario s = sharded(job);
        s.strategy = std::make_shared<const Strategy>(strategy);
        COMPARE_CLOSE(secondsOf(s), 1 + 4 * 1 + 3 * 1 + 4 * 0.5);
        // A replica casts all of its gradient, and only its half of the sum back.
        Job timed = job;
        timed.encodeSecondsPerByte = timed.decodeSecondsPerByte = 1e-4;
        s.job = std::make_shared<const Job>(timed);
        const auto run = runOf(s);
        QVERIFY(run);
        std::map<TaskKind, double> seconds; // of an iteration, on one of two replicas that are alike
        for (std::size_t t = 0; t < run->graph.size(); ++t)
            if (run->graph.iteration[t] == 1 && run->graph.worker[t] == WorkerClassId(0))
                seconds[run->graph.kind[t]] += run->graph.fixedSeconds[t];
        const double bytes = 4 * perGather * 4;
        COMPARE_CLOSE(seconds[TaskKind::Encode], bytes * 1e-4);
        COMPARE_CLOSE(seconds[TaskKind::Decode], bytes / 2 * 1e-4);
    }

    /// Served and sparse variables are treated as under any other policy.
    void otherVariablesStay() {
        Job job = chainJob({layerOf(1, 1, 0.5), layerOf(1, 1, 0.5), layerOf(1, 1, 0.5)});
        job.variables[1].sparse = true;
        Strategy strategy = allReduceEach(job);
        strategy.nodes[2].synchronizer.kind = SynchronizerKind::ParameterServer;
        strategy.nodes[2].synchronizer.reductionDestination = "n0:CPU:0";
        Scenario s = sharded(job);
        s.strategy = std::make_shared<const Strategy>(strategy);
        const auto run = runOf(s);
        QVERIFY(run);
        for (const SyncUnit &unit : run->graph.units)
            QCOMPARE(unit.shards, unit.variables.front() == 0 ? 2 : 1);
        QCOMPARE(countOf(*run, TaskKind::AllGather), std::size_t{3}); // two of parameters, one of sparse gradients
    }

    /// The spans and the causes name the module.
    void modulesAreNamed() {
        const Job job = chainJob(std::vector<LayerSpec>(3, layerOf(0.1, 0.1, 1)));
        const auto run = runOf(sharded(job));
        QVERIFY(run);
        const auto &labels = run->timeline.labels;
        std::map<std::string, int> spans;
        for (const Lane &lane : run->timeline.lanes)
            for (const std::int32_t label : lane.label)
                ++spans[labels[static_cast<std::size_t>(label)]];
        QCOMPARE(spans["all-gather of module 1: layer1"], 2 * spans["reduce-scatter of module 1: layer1"]);
        COMPARE_ABOVE(spans["reduce-scatter of module 1: layer1"], 0);
        QCOMPARE(spans["module 1: layer1"], 0);
        const CauseFinder finder(*run);
        const CauseChain chain = finder.ofIteration();
        QVERIFY(std::any_of(chain.causes.begin(), chain.causes.end(), [&](const Cause &cause) {
            return finder.describe(cause).find("all-gather of module 1: layer1") != std::string::npos;
        }));
    }

    /// n replicas, four layers of S bytes whose traffic compute hides. At worst a layer's gradient is held beside its parameters
    /// and those of the next, and two shards of earlier gradients. Kept parameters are all held together with the last layer's
    /// gradient, or all but one with two gradients.
    void memory_data() {
        QTest::addColumn<int>("nodes");
        QTest::addRow("2 nodes") << 2;
        QTest::addRow("4 nodes") << 4;
    }
    void memory() {
        QFETCH(int, nodes);
        const double bytes = 160; // gathered in 0.2 s and 0.3 s
        const Job job = chainJob(std::vector<LayerSpec>(4, {1, 1, 40}));
        for (const CollectiveForm form : {CollectiveForm::Analytic, CollectiveForm::Flows}) {
            Scenario s = sharded(job, {}, nodes);
            s.policy.form = form;
            const TrainingMemory freed = trainingMemory(*runOf(s));
            COMPARE_CLOSE(freed.parameterBytes, 4 * bytes / nodes);
            COMPARE_CLOSE(freed.optimizerBytes, 8 * bytes / nodes);
            COMPARE_CLOSE(freed.bufferBytes, 3 * bytes + 2 * bytes / nodes);
            s.policy.set("reshard_after_forward", off);
            COMPARE_CLOSE(trainingMemory(*runOf(s)).bufferBytes, 5 * bytes);
            Scenario launched = s; // a CPU that takes a moment to launch them moves nothing into another buffer
            Cluster cluster = *s.cluster;
            cluster.host.collectiveSeconds = 1e-3;
            launched.cluster = std::make_shared<const Cluster>(cluster);
            launched.policy.set("module", 2 * bytes);
            s.policy.set("module", 2 * bytes);
            COMPARE_CLOSE(trainingMemory(*runOf(launched)).bufferBytes, trainingMemory(*runOf(s)).bufferBytes);
            s.policy.set("module", std::numeric_limits<double>::infinity());
            COMPARE_CLOSE(trainingMemory(*runOf(s)).bufferBytes, (4 + 4) * bytes); // and then a copy that is scattered
        }
    }

    /// The order of issue, as FSDP2's hooks run for three modules and a root that has the last layer.
    void orderOfIssue() {
        const std::vector<ShardedModule> modules{{.unit = 0, .layers = {3}, .isRoot = true},
                                                 {.unit = 1, .layers = {0}},
                                                 {.unit = 2, .layers = {1}},
                                                 {.unit = 3, .layers = {2}}};
        const auto text = [&](const Sharding &sharding) {
            std::string all;
            for (const ShardedStep &step : shardedOrder(modules, 4, sharding))
                all += (step.what == ShardedStep::What::Scatter  ? "s"
                        : step.what == ShardedStep::What::Gather ? "g"
                                                                 : "a") +
                       std::to_string(step.module) + " ";
            return all;
        };
        // Prefetched, a module is gathered before the one that computes is scattered; the root is scattered at the end.
        QCOMPARE(text({}), std::string("g0 g1 g2 g3 a3 a2 s3 a1 s2 s0 s1 "));
        QCOMPARE(text({.backwardPrefetch = 0}), std::string("g0 g1 g2 g3 a3 s3 a2 s2 a1 s0 s1 "));
        QCOMPARE(text({.backwardPrefetch = 2}), std::string("g0 g1 g2 g3 a3 a2 a1 s3 s2 s0 s1 "));
        QCOMPARE(text({.reshardsAfterForward = false}), std::string("g0 g1 g2 g3 s3 s2 s0 s1 "));
        const std::vector<ShardedStep> steps = shardedOrder(modules, 4, {});
        std::vector<std::int32_t> after;
        for (const ShardedStep &step : steps)
            after.push_back(step.what == ShardedStep::What::Scatter ? -1 : step.after);
        // Of the gathers before the backward pass, the first waits for the last copy-out of the forward pass, which precedes
        // op 2.
        QCOMPARE(after, (std::vector<std::int32_t>{0, 0, 0, 0, 2, 5, -1, 6, -1, -1, -1}));
        const ShardedStep &s3 = steps[6];
        QCOMPARE(std::pair(s3.holdsFrom, s3.holdsTo), std::pair(7, 8)); // layer 0's backward waits for module 3's scatter
    }
};

QTEST_GUILESS_MAIN(TestSharded)
#include "tst_sharded.moc"
