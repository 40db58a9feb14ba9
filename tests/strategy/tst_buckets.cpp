// SPDX-License-Identifier: GPL-3.0-or-later
// Buckets of DeepSpeed, Megatron-LM and XLA against each system's own rule, by hand: their contents, when they start, and that
// every byte is sent once.
#include "engine/analyze/training_memory.h"
#include "engine/base/rng.h"
#include "engine/job/catalogue.h"
#include "engine/rewrite/shape_units.h"
#include "engine/rewrite/sync_units.h"
#include "engine/strategy/buckets.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

using Groups = std::vector<std::vector<std::size_t>>;
constexpr double rate = 400; ///< bytes a second: two replicas all-reduce 100 float32 values in 1 s

/// A layer for each gradient, the first of which is ready first.
Job gradients(const std::vector<std::pair<std::int64_t, DataType>> &sizes) {
    Job job = chainJob(std::vector<LayerSpec>(sizes.size(), {0, 1e-3, 1}));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        job.variables[sizes.size() - 1 - i].shape = {sizes[i].first};
        job.variables[sizes.size() - 1 - i].dtype = sizes[i].second;
    }
    return job;
}

Job gradients(const std::vector<std::int64_t> &sizes) {
    std::vector<std::pair<std::int64_t, DataType>> typed;
    for (const std::int64_t size : sizes)
        typed.emplace_back(size, DataType::Float32);
    return gradients(typed);
}

std::vector<SyncUnit> bucketsOf(const Job &job, const std::string &policy, const TrainingNodes &nodes = {.minComputeScale = 1}) {
    return must(shapeUnits(job, must(partitionVariables(job, allReduceEach(job))), must(parsePolicy(policy)), nodes));
}

/// Gradients of each bucket, numbered as they get ready.
Groups groupsOf(const Job &job, const std::vector<SyncUnit> &units) {
    Groups groups;
    for (const SyncUnit &unit : units) {
        std::vector<std::size_t> &group = groups.emplace_back();
        for (const std::int32_t v : unit.variables)
            group.push_back(job.variables.size() - 1 - static_cast<std::size_t>(v));
    }
    return groups;
}

Groups groupsOf(const Job &job, const std::string &policy) { return groupsOf(job, bucketsOf(job, policy)); }

double secondsOf(const Job &job, const std::string &policy) {
    const auto run = runOf(scenario(job, plainCluster(2, rate), allReduceEach(job), must(parsePolicy(policy))));
    return run ? run->iterationSeconds : std::numeric_limits<double>::quiet_NaN();
}

bool isReduction(TaskKind kind) { return kind == TaskKind::AllReduce || kind == TaskKind::ReduceScatter; }

} // namespace

class TestBuckets : public QObject {
    Q_OBJECT

private slots:
    /// Released defaults: DeepSpeed zero/config.py, Megatron-LM distributed_data_parallel_config.py, XLA collective_utils.h.
    void defaults() {
        const CommPolicy deepspeed = must(parsePolicy("deepspeed"));
        QCOMPARE(deepspeed.value("reduce_bucket"), 5e8);
        QCOMPARE(deepspeed.value("allgather_bucket"), 5e8);
        QCOMPARE(deepspeed.value("overlap"), 0.0);
        QCOMPARE(deepspeed.value("stage"), 1.0);
        const CommPolicy megatron = must(parsePolicy("megatron"));
        for (const char *off : {"bucket_size", "overlap_grad_reduce", "distributed_optimizer", "overlap_param_gather"})
            QCOMPARE(megatron.value(off), 0.0);
        const CommPolicy xla = must(parsePolicy("xla"));
        QCOMPARE(xla.value("all_reduce_combine"), 31457287.0);
        QCOMPARE(xla.value("latency_hiding_scheduler"), 0.0);
        QCOMPARE(formatPolicy(megatron),
                 std::string("megatron(bucket_size=auto,overlap_grad_reduce=off,distributed_optimizer=off,"
                             "overlap_param_gather=off,barrier=on)"));
        QCOMPARE(must(parsePolicy("deepspeed(reduce_bucket=2.5e8)")).value("reduce_bucket"), 2.5e8);
        for (const char *wrong :
             {"deepspeed(reduce_bucket=25MB)", "deepspeed(reduce_bucket=0.5)", "deepspeed(reduce_bucket=-1)",
              "deepspeed(allgather_bucket=0)", "deepspeed(stage=3)", "megatron(bucket_size=0)", "megatron(bucket_size=inf)"})
            QVERIFY2(!parsePolicy(wrong), wrong);
    }

    /// stage_1_and_2.py: a bucket is closed before the gradient that would overflow it, in elements of any type.
    void deepSpeedClosesBeforeOverflow() {
        const Job job = gradients({60, 40, 1, 100, 150, 30});
        QCOMPARE(groupsOf(job, "deepspeed(reduce_bucket=100,overlap=on)"), (Groups{{0, 1}, {2}, {3}, {4}, {5}}));
        QCOMPARE(groupsOf(job, "deepspeed(reduce_bucket=101,overlap=on)"), (Groups{{0, 1, 2}, {3}, {4}, {5}}));
        QCOMPARE(groupsOf(job, "deepspeed(reduce_bucket=0,overlap=on)").size(), std::size_t{6});
        // After the backward pass, in the order of registration.
        QCOMPARE(groupsOf(job, "deepspeed(reduce_bucket=100)"), (Groups{{5}, {4}, {3}, {2, 1}, {0}}));
        QCOMPARE(groupsOf(job, "deepspeed").size(), std::size_t{1});
        // Half the bytes, as many elements; a bucket for each type.
        const auto half = DataType::Float16;
        QCOMPARE(groupsOf(gradients({{60, half}, {40, half}, {1, half}}), "deepspeed(reduce_bucket=100,overlap=on)"),
                 (Groups{{0, 1}, {2}}));
        QCOMPARE(
            groupsOf(gradients({{60, half}, {50, DataType::Float32}, {40, half}}), "deepspeed(reduce_bucket=100,overlap=on)"),
            (Groups{{0, 2}, {1}}));
    }

    /// A bucket starts in the hook of the gradient that overflows it; the last one, after the backward pass.
    void deepSpeedLaunchesByTheNextGradient() {
        const Job job = gradients({60, 40, 1, 30});
        const auto units = bucketsOf(job, "deepspeed(reduce_bucket=100,overlap=on)");
        QCOMPARE(units.size(), std::size_t{2});
        QCOMPARE(units[0].launchLayer.number(), 1); // the third gradient's
        QVERIFY(!units[0].afterBackward);
        QCOMPARE(units[1].launchLayer.number(), -1);
        QVERIFY(units[1].afterBackward);
    }

    /// param_and_grad_buffer.py: the gradient that reaches the size is the bucket's last.
    void megatronClosesAtItsSize() {
        const Job job = gradients({60, 40, 1, 100, 150, 30});
        const std::string overlap = ",overlap_grad_reduce=on)";
        QCOMPARE(groupsOf(job, "megatron(bucket_size=100" + overlap), (Groups{{0, 1}, {2, 3}, {4}, {5}}));
        QCOMPARE(groupsOf(job, "megatron(bucket_size=101" + overlap), (Groups{{0, 1, 2}, {3, 4}, {5}}));
        // Without overlap the size is ignored: one bucket for each type.
        QCOMPARE(groupsOf(job, "megatron(bucket_size=100)"), (Groups{{0, 1, 2, 3, 4, 5}}));
        const auto half = DataType::Float16;
        QCOMPARE(groupsOf(gradients({{60, half}, {50, DataType::Float32}, {40, half}}), "megatron"), (Groups{{0, 2}, {1}}));
    }

    /// max(40e6, 1e6 for each replica).
    void megatronSizesByReplicas() {
        const Job job = gradients({40'000'000, 39'999'999, 1, 40'000'000});
        const auto sized = [&](double replicas) {
            return groupsOf(job,
                            bucketsOf(job, "megatron(overlap_grad_reduce=on)", {.minComputeScale = 1, .replicas = replicas}));
        };
        QCOMPARE(sized(4), (Groups{{0}, {1, 2}, {3}}));
        QCOMPARE(sized(40), (Groups{{0}, {1, 2}, {3}}));
        QCOMPARE(sized(80), (Groups{{0, 1, 2}, {3}}));
        QCOMPARE(sized(500), (Groups{{0, 1, 2, 3}}));
        Cluster cluster = plainCluster(3, 1e9);
        cluster.nodes[1].gpus = {0, 1, 2, 3};
        QCOMPARE(trainingNodes(cluster).replicas, 6.0);
    }

    /// collective_combiner_utils.h: in the order of the program, while the sum fits; a larger one is passed over; 256 at most.
    void xlaCombinesWhatFits() {
        const Job job = gradients({60, 40, 1, 100, 20, 150, 30}); // the last one is the program's first output
        QCOMPARE(groupsOf(job, "xla(all_reduce_combine=400)"), (Groups{{6, 4}, {5}, {3}, {2, 1}, {0}}));
        QCOMPARE(groupsOf(job, "xla(all_reduce_combine=400,latency_hiding_scheduler=on)"),
                 (Groups{{0}, {2, 1}, {3}, {5}, {6, 4}}));
        QCOMPARE(groupsOf(job, "xla(all_reduce_combine=2KiB)"), (Groups{{6, 5, 4, 3, 2, 1, 0}}));
        const auto many = groupsOf(gradients(std::vector<std::int64_t>(300, 1)), "xla");
        QCOMPARE(many.size(), std::size_t{2});
        QCOMPARE(many[0].size(), std::size_t{256});
        QCOMPARE(many[1].size(), std::size_t{44});
    }

    /// Three layers of 1 s forward and backward, whose gradients take 3 s each to reduce, half of it to scatter or gather.
    void schedulesByHand_data() {
        QTest::addColumn<QString>("policy");
        QTest::addColumn<double>("seconds");
        const auto row = [](const char *policy, double seconds) { QTest::newRow(policy) << QString(policy) << seconds; };
        row("megatron", 3 + 3 + 9);
        row("megatron(bucket_size=300,overlap_grad_reduce=on)", 3 + 1 + 9);
        row("megatron(bucket_size=600,overlap_grad_reduce=on)", 3 + 2 + 9);
        row("deepspeed(stage=0)", 3 + 3 + 9);
        row("deepspeed(reduce_bucket=300,overlap=on,stage=0)", 3 + 3 + 9); // which neither bucket nor overlap changes
        // All parameters are gathered after the step.
        row("deepspeed", 3 + 3 + 9 + 4.5);
        row("deepspeed(reduce_bucket=300)", 3 + 3 + 9 + 4.5);
        row("deepspeed(allgather_bucket=300)", 3 + 3 + 9 + 4.5); // no latency
        row("deepspeed(overlap=on)", 3 + 3 + 9 + 4.5);           // one bucket holds all
        // The first starts when the second gradient is there.
        row("deepspeed(reduce_bucket=300,overlap=on)", 3 + 2 + 9 + 4.5);
        row("xla", 3 + 3 + 9);
        row("xla(all_reduce_combine=1200)", 3 + 3 + 9);
        row("xla(latency_hiding_scheduler=on)", 3 + 3 + 9); // one all-reduce
        row("xla(all_reduce_combine=1200,latency_hiding_scheduler=on)", 3 + 1 + 9);
        // Scattered after the backward pass and gathered before the forward pass.
        row("megatron(distributed_optimizer=on)", 3 + 3 + 9);
        // Scatters at 1, 2.5 and 4 s of the backward pass; then three gathers.
        row("megatron(bucket_size=300,overlap_grad_reduce=on,distributed_optimizer=on)", 5.5 + 4.5 + 3);
        // Gathers from 5.5, 7 and 8.5 s on, the next when its predecessor is waited for; layers run from 7, 8.5 and 10 s on.
        row("megatron(bucket_size=300,overlap_grad_reduce=on,distributed_optimizer=on,overlap_param_gather=on)", 11);
    }
    void schedulesByHand() {
        QFETCH(QString, policy);
        QFETCH(double, seconds);
        const Job job = chainJob({{1, 1, 300}, {1, 1, 300}, {1, 1, 300}});
        COMPARE_CLOSE(secondsOf(job, policy.toStdString()), seconds);
        CommPolicy flows = must(parsePolicy(policy.toStdString()));
        flows.form = CollectiveForm::Flows;
        for (const bool fold : {true, false}) {
            Scenario explicitly = scenario(job, plainCluster(2, rate), allReduceEach(job), flows);
            explicitly.fold = fold;
            COMPARE_CLOSE(runOf(explicitly)->iterationSeconds, seconds);
        }
    }

    /// finish_param_sync: the hook that waits for a bucket issues the gather of the next one, however early that could have
    /// begun.
    void megatronGathersOneAhead() {
        const Job job = chainJob({{3, 1, 100}, {3, 1, 100}, {3, 1, 100}}); // a gather takes 0.5 s
        const auto run =
            runOf(scenario(job, plainCluster(2, rate), allReduceEach(job),
                           must(parsePolicy("megatron(bucket_size=100,overlap_grad_reduce=on,distributed_optimizer=on,"
                                            "overlap_param_gather=on)"))));
        QVERIFY(run);
        std::map<std::int32_t, double> gathered, forward; // start of the gather, end of the op, by layer
        for (std::size_t t = 0; t < run->graph.size(); ++t)
            if (run->graph.iteration[t] == 2 && run->graph.kind[t] == TaskKind::AllGather)
                gathered[run->graph.layer[t].number()] = run->startSeconds[t];
            else if (run->graph.iteration[t] == 2 && run->graph.kind[t] == TaskKind::Forward)
                forward[run->graph.layer[t].number()] = run->endSeconds[t];
        QCOMPARE(gathered.size(), std::size_t{3});
        COMPARE_WITHIN(gathered.at(1), gathered.at(0) + 0.5, 1e-9); // while layer 0 computes
        COMPARE_WITHIN(gathered.at(2), forward.at(0), 1e-9);        // when layer 1 begins
    }

    /// A replica updates its share alone, and keeps all parameters: ZeRO-1.
    void megatronShardsTheOptimiser() {
        Job job = chainJob({{1, 1, 300}, {1, 1, 300}});
        job.updateSeconds = 1;
        COMPARE_CLOSE(secondsOf(job, "megatron"), 2 + 2 + 6 + 1);
        COMPARE_CLOSE(secondsOf(job, "megatron(distributed_optimizer=on)"), 2 + 2 + 6 + 0.5);
        const auto memoryOf = [&](const char *policy) {
            return trainingMemory(*runOf(scenario(job, plainCluster(2, rate), allReduceEach(job), must(parsePolicy(policy)))), 2);
        };
        const TrainingMemory whole = memoryOf("megatron"), sharded = memoryOf("megatron(distributed_optimizer=on)");
        COMPARE_CLOSE(sharded.parameterBytes, whole.parameterBytes);
        COMPARE_CLOSE(sharded.optimizerBytes, whole.optimizerBytes / 2);
    }

    /// No matter what delays a backward pass (a slow worker, the job's own collectives, a compressor on the same stream,
    /// branches), no gradient is encoded or sent before the last one of its worker, and of every worker that takes part.
    void nothingOverlapsWithoutOverlap_data() {
        QTest::addColumn<QString>("policy");
        QTest::addColumn<bool>("overlaps");
        for (const char *policy : {"deepspeed(reduce_bucket=200)", "megatron", "megatron(distributed_optimizer=on)",
                                   "xla(all_reduce_combine=800)", "xla(all_reduce_combine=800,barrier=off)"})
            QTest::newRow(policy) << QString(policy) << false;
        for (const char *policy : {"deepspeed(reduce_bucket=200,overlap=on)", "megatron(bucket_size=200,overlap_grad_reduce=on)",
                                   "megatron(bucket_size=200,overlap_grad_reduce=on,distributed_optimizer=on)",
                                   "xla(all_reduce_combine=800,latency_hiding_scheduler=on)"})
            QTest::newRow(policy) << QString(policy) << true;
    }
    void nothingOverlapsWithoutOverlap() {
        QFETCH(QString, policy);
        QFETCH(bool, overlaps);
        Job job = chainJob({{1, 1, 100}, {1, 1, 100}, {1, 1, 100}, {1, 5, 100}, {1, 1, 100}, {1, 1, 100}});
        job.layers[3].parents = {}; // a branch of its own, whose backward comes between the others'
        job.layers[5].parents = {4, 2};
        job.layers[4].parents = {3};
        job.layers[1].collectives = {{CollectiveKind::AllToAll, 2000, true}};
        job.encodeSecondsPerByte = job.decodeSecondsPerByte = 1e-4;
        Strategy strategy = allReduceEach(job);
        for (NodeConfig &node : strategy.nodes)
            node.synchronizer.compressor = Compressor::Horovod;
        Cluster cluster = plainCluster(3, rate);
        cluster.nodes[1].computeScale = 0.37; // the straggler
        const auto run = runOf(scenario(job, cluster, strategy, must(parsePolicy(policy.toStdString()))));
        QVERIFY(run);
        std::map<std::pair<std::int32_t, std::int32_t>, double> backwardEnd; // of an iteration, on a worker
        std::map<std::int32_t, double> lastEnd;                              // of an iteration, on all
        const TaskGraph &graph = run->graph;
        for (std::size_t t = 0; t < graph.size(); ++t)
            if (graph.kind[t] == TaskKind::Backward) {
                double &end = backwardEnd[{graph.iteration[t], graph.worker[t].number()}];
                end = std::max(end, run->endSeconds[t]);
                lastEnd[graph.iteration[t]] = std::max(lastEnd[graph.iteration[t]], end);
            }
        int encoded = 0, reduced = 0, early = 0;
        for (std::size_t t = 0; t < graph.size(); ++t) {
            if (graph.kind[t] == TaskKind::Encode) {
                ++encoded;
                early += run->startSeconds[t] < backwardEnd.at({graph.iteration[t], graph.worker[t].number()}) - 1e-9 ? 1 : 0;
            } else if (isReduction(graph.kind[t]) && graph.unit[t].exists()) {
                ++reduced;
                early += run->startSeconds[t] < lastEnd.at(graph.iteration[t]) - 1e-9 ? 1 : 0;
            }
        }
        QVERIFY(encoded > 0 && reduced > 0);
        QCOMPARE(early > 0, overlaps);
    }

    /// Each variable is in one bucket, with all of its bytes; sparse and served gradients go alone.
    void everyByteIsSentOnce() {
        Rng rng(5);
        for (int trial = 0; trial < 200; ++trial) {
            std::vector<LayerSpec> layers;
            const int count = 1 + static_cast<int>(rng.uniform(0, 12));
            for (int l = 0; l < count; ++l)
                layers.push_back({1e-3, 1e-3, static_cast<std::int64_t>(rng.uniform(1, 1e5))});
            Job job = chainJob(layers);
            Strategy strategy = allReduceEach(job);
            for (std::size_t v = 0; v < job.variables.size(); ++v) {
                job.variables[v].dtype = rng.uniform(0, 1) < 0.3 ? DataType::Float16 : DataType::Float32;
                job.variables[v].sparse = rng.uniform(0, 1) < 0.2;
                job.variables[v].rowsTouched = 10;
                if (rng.uniform(0, 1) < 0.2) {
                    strategy.nodes[v].synchronizer.kind = SynchronizerKind::ParameterServer;
                    strategy.nodes[v].synchronizer.reductionDestination = "n0:CPU:0";
                }
            }
            const auto size = static_cast<long>(rng.uniform(1, 2e5));
            for (const std::string &policy :
                 {fmt::format("deepspeed(reduce_bucket={},overlap=on)", size), fmt::format("deepspeed(reduce_bucket={})", size),
                  fmt::format("megatron(bucket_size={},overlap_grad_reduce=on)", size),
                  fmt::format("xla(all_reduce_combine={})", size), fmt::format("ddp(bucket_cap={})", size)}) {
                const auto units = must(partitionVariables(job, strategy));
                const auto buckets = must(shapeUnits(job, units, must(parsePolicy(policy)), {.minComputeScale = 1}));
                std::vector<int> seen(job.variables.size(), 0);
                double sent = 0, wanted = 0;
                for (const SyncUnit &unit : units)
                    wanted += unit.wireBytes;
                for (const SyncUnit &bucket : buckets) {
                    sent += bucket.wireBytes;
                    for (const std::int32_t v : bucket.variables) {
                        const auto index = static_cast<std::size_t>(v);
                        ++seen[index];
                        QCOMPARE(job.variables[index].dtype, job.variables[static_cast<std::size_t>(bucket.variables[0])].dtype);
                        QVERIFY2(bucket.variables.size() == 1 ||
                                     (!job.variables[index].sparse && bucket.kind == SynchronizerKind::AllReduce),
                                 policy.c_str());
                    }
                }
                COMPARE_CLOSE(sent, wanted, 1e-12, policy);
                QVERIFY2(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }), policy.c_str());
            }
        }
    }

    /// NCF's embeddings are sparse: their rows are gathered, each by itself, and not before the end of the backward pass.
    void sparseVariablesGoAlone() {
        const Job job = must(catalogueJob("ncf_sparse"));
        for (const char *policy : {"deepspeed", "megatron", "megatron(distributed_optimizer=on)", "xla"}) {
            const auto run = runOf(scenario(job, plainCluster(4, 1e9), allReduceEach(job), must(parsePolicy(policy))));
            QVERIFY2(run, policy);
            std::size_t sparse = 0;
            for (const SyncUnit &unit : run->graph.units) {
                QVERIFY2(unit.afterBackward, policy);
                sparse += unit.sparse ? 1 : 0;
                QVERIFY2(!unit.sparse || (unit.variables.size() == 1 && unit.shards == 1), policy);
            }
            QCOMPARE(sparse, static_cast<std::size_t>(std::count_if(job.variables.begin(), job.variables.end(),
                                                                    [](const Variable &v) { return v.sparse; })));
            COMPARE_ABOVE(sparse, 0);
        }
    }

    /// As Megatron-LM asserts.
    void gathersOverlapOnlyWithWhatTheyNeed() {
        const Job job = gradients({60, 40});
        for (const char *policy :
             {"megatron(overlap_param_gather=on)", "megatron(overlap_param_gather=on,overlap_grad_reduce=on)",
              "megatron(overlap_param_gather=on,distributed_optimizer=on)"}) {
            const auto run = simulate(scenario(job, plainCluster(2, rate), allReduceEach(job), must(parsePolicy(policy))));
            QVERIFY2(!run && run.error().what.find("overlap_param_gather") != std::string::npos, policy);
        }
    }
};

QTEST_APPLESS_MAIN(TestBuckets)
#include "tst_buckets.moc"
