// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives in both forms, compared with closed forms and with other simulators (tests/data/README.md).
#include "engine/analyze/link_slopes.h"
#include "engine/collective/collective_plan.h"
#include "engine/job/job_file.h"
#include "engine/rewrite/rewrite.h"
#include "engine/simulate/event_loop.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <cmath>
#include <fmt/format.h>
#include <stop_token>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

constexpr double latency = 50e-6;
constexpr double rate25G = 3.125e9;

/// Seconds of one collective over `nodes` otherwise idle nodes; -1 if it cannot be simulated.
double alone(Job job, Cluster cluster, CollectiveAlgorithm algorithm, CollectiveForm form, bool fold) {
    CommPolicy policy;
    policy.algorithm = algorithm;
    policy.form = form;
    Scenario s = scenario(job, std::move(cluster), allReduceEach(job), policy);
    s.iterations = 3;
    s.fold = fold;
    const auto run = simulate(s);
    if (!run)
        qWarning("%s", run.error().toString().c_str());
    return run ? (*run)->iterationSeconds : -1;
}

Job oneVariable(double bytes) { return chainJob({{0, 0, static_cast<std::int64_t>(bytes / 4)}}); }

Cluster nodes(int count, double rate = rate25G) {
    Cluster cluster = plainCluster(count, rate);
    cluster.latencySeconds = latency;
    return cluster;
}

double log2Up(int n) { return std::ceil(std::log2(n) - 1e-9); }

/// The closed forms of the literature for n equal nodes of one device (collective_plan.h).
double closedForm(CollectiveAlgorithm algorithm, int n, double bytes, double rate) {
    const double wire = bytes / rate;
    switch (algorithm) {
    case CollectiveAlgorithm::Ring:
    case CollectiveAlgorithm::ReduceScatterAllGather:
    case CollectiveAlgorithm::Hierarchical:
        return 2 * (n - 1) * (latency + wire / n);
    case CollectiveAlgorithm::Tree:
        return 2 * log2Up(n) * (latency + wire);
    case CollectiveAlgorithm::HalvingDoubling: {
        const int power = 1 << static_cast<int>(std::log2(n) + 1e-9);
        const double extra = power < n ? 2 * (latency + wire) : 0;
        return 2 * std::log2(power) * latency + 2.0 * (power - 1) / power * wire + extra;
    }
    case CollectiveAlgorithm::BroadcastReduce: {
        const double k = std::min(64.0, std::max(1.0, std::ceil(bytes / 524288)));
        return 2 * ((n - 1) * latency + (n - 2 + k) * wire / k);
    }
    }
    return -1;
}

const std::vector<std::pair<CollectiveAlgorithm, const char *>> algorithms{{CollectiveAlgorithm::Ring, "ring"},
                                                                           {CollectiveAlgorithm::Tree, "tree"},
                                                                           {CollectiveAlgorithm::HalvingDoubling, "hd"},
                                                                           {CollectiveAlgorithm::Hierarchical, "hierarchical"},
                                                                           {CollectiveAlgorithm::ReduceScatterAllGather, "rsag"},
                                                                           {CollectiveAlgorithm::BroadcastReduce, "breduce"}};

} // namespace

class TestCollectives : public QObject {
    Q_OBJECT

private slots:
    /// Two nodes of two devices. Listed node by node, a ring leaves each node once per step; listed alternately, twice.
    void ringsFollowTheListOfReplicas() {
        const double bytes = 4e6;
        const Job job = oneVariable(bytes);
        Cluster cluster = plainCluster(2, rate25G);
        for (Node &node : cluster.nodes)
            node.gpus = {0, 1};
        cluster.intraNodeBandwidthBytesPerSecond = 100 * rate25G;
        cluster.latencySeconds = latency;
        const auto secondsOf = [&](const std::vector<std::string> &replicas, CollectiveForm form, bool fold) {
            Strategy strategy = allReduceEach(job);
            strategy.replicas = replicas;
            CommPolicy policy;
            policy.form = form;
            Scenario s = scenario(job, cluster, strategy, policy);
            s.fold = fold;
            const auto run = simulate(s);
            return run ? (*run)->iterationSeconds : -1;
        };
        for (const CollectiveForm form : {CollectiveForm::Analytic, CollectiveForm::Flows})
            for (const bool fold : {true, false}) {
                const double once = 6 * (latency + bytes / 4 / rate25G), twice = 6 * (latency + 2 * bytes / 4 / rate25G);
                const auto about = fmt::format("flows {}, folded {}", form == CollectiveForm::Flows, fold);
                COMPARE_CLOSE(secondsOf({}, form, fold), once, 1e-9, about);
                COMPARE_CLOSE(secondsOf(cluster.replicaDevices(), form, fold), once, 1e-9, about);
                COMPARE_CLOSE(secondsOf({"n1:GPU:0", "n1:GPU:1", "n0:GPU:0", "n0:GPU:1"}, form, fold), once, 1e-9, about);
                COMPARE_CLOSE(secondsOf({"n0:GPU:0", "n1:GPU:0", "n0:GPU:1", "n1:GPU:1"}, form, fold), twice, 1e-9, about);
                // Replicas of other nodes do not matter here.
                COMPARE_CLOSE(secondsOf({"n0:GPU:0", "n1:GPU:0", "n0:GPU:1", "n7:GPU:1"}, form, fold), once, 1e-9, about);
            }
    }

    void chainsFollowTheListOfReplicas() {
        const auto plans = [&](const std::vector<std::int32_t> &order) {
            return planCollective(CollectiveKind::Broadcast, CollectiveAlgorithm::Ring, {1, 1, 1}, order);
        };
        const auto hop = [&](const std::vector<std::int32_t> &order, std::size_t round) {
            const auto made = plans(order);
            const NodeMessage &message = made.front().phases.front().rounds[round].between.front();
            return std::pair(message.from, message.to);
        };
        QCOMPARE(hop({}, 0), std::pair(0, 1));
        QCOMPARE(hop({}, 1), std::pair(1, 2));
        QCOMPARE(hop({2, 0, 1}, 0), std::pair(2, 0));
        QCOMPARE(hop({2, 0, 1}, 1), std::pair(0, 1));
    }

    void bothFormsAreTheClosedForm_data() {
        QTest::addColumn<int>("algorithm");
        QTest::addColumn<int>("workers");
        QTest::addColumn<double>("bytes");
        for (const auto &[algorithm, name] : algorithms)
            for (const int n : {2, 3, 4, 6, 7, 8, 16, 33})
                for (const double bytes : {4e3, 1e6, 1e8})
                    QTest::newRow(fmt::format("{} {} {}", name, n, bytes).c_str()) << static_cast<int>(algorithm) << n << bytes;
    }

    void bothFormsAreTheClosedForm() {
        QFETCH(int, algorithm);
        QFETCH(int, workers);
        QFETCH(double, bytes);
        const auto a = static_cast<CollectiveAlgorithm>(algorithm);
        const double expected = closedForm(a, workers, bytes, rate25G);
        const Job job = oneVariable(bytes);
        for (const bool fold : {true, false})
            for (const CollectiveForm form : {CollectiveForm::Analytic, CollectiveForm::Flows}) {
                const double got = alone(job, nodes(workers), a, form, fold);
                COMPARE_CLOSE(got, expected, 1e-8);
            }
    }

    /// The closed forms exactly; ASTRA-sim up to its cost of local memory; Paleo's tree.
    void peersTable_data() {
        QTest::addColumn<int>("algorithm");
        QTest::addColumn<int>("workers");
        QTest::addColumn<double>("megabytes");
        QTest::addColumn<double>("gbits");
        QTest::addColumn<double>("milliseconds");
        QTest::addColumn<double>("tolerance");
        const int ring = static_cast<int>(CollectiveAlgorithm::Ring), hd = static_cast<int>(CollectiveAlgorithm::HalvingDoubling),
                  tree = static_cast<int>(CollectiveAlgorithm::Tree);
        QTest::newRow("ring 100 MB 8 25G") << ring << 8 << 100.0 << 25.0 << 56.700 << 1e-5;
        QTest::newRow("ring 100 MB 64 25G") << ring << 64 << 100.0 << 25.0 << 69.300 << 1e-5;
        QTest::newRow("ring 100 MB 512 25G") << ring << 512 << 100.0 << 25.0 << 114.975 << 1e-5;
        QTest::newRow("ring 100 MB 8 100G") << ring << 8 << 100.0 << 100.0 << 14.700 << 1e-5;
        QTest::newRow("ring 1 MB 8 25G") << ring << 8 << 1.0 << 25.0 << 1.260 << 1e-5;
        QTest::newRow("ring 1 MB 64 25G") << ring << 64 << 1.0 << 25.0 << 6.930 << 1e-5;
        QTest::newRow("ring 1 MB 512 25G") << ring << 512 << 1.0 << 25.0 << 51.739 << 1e-5;
        QTest::newRow("ring 100 MB 8 25G, ASTRA-sim") << ring << 8 << 100.0 << 25.0 << 56.864 << 3e-3;
        QTest::newRow("ring 100 MB 64 25G, ASTRA-sim") << ring << 64 << 100.0 << 25.0 << 69.484 << 3e-3;
        QTest::newRow("ring 100 MB 512 25G, ASTRA-sim") << ring << 512 << 100.0 << 25.0 << 115.162 << 3e-3;
        QTest::newRow("hd 100 MB 8 25G") << hd << 8 << 100.0 << 25.0 << 56.300 << 1e-5;
        QTest::newRow("hd 100 MB 64 25G") << hd << 64 << 100.0 << 25.0 << 63.600 << 1e-5;
        QTest::newRow("hd 1 MB 8 25G") << hd << 8 << 1.0 << 25.0 << 0.860 << 1e-5;
        QTest::newRow("hd 1 MB 64 25G") << hd << 64 << 1.0 << 25.0 << 1.230 << 1e-5;
        QTest::newRow("hd 100 MB 8 25G, ASTRA-sim") << hd << 8 << 100.0 << 25.0 << 56.370 << 3e-3;
        QTest::newRow("hd 100 MB 64 25G, ASTRA-sim") << hd << 64 << 100.0 << 25.0 << 63.691 << 3e-3;
        // A single chunk uses only one of ASTRA-sim's two trees: a plain tree.
        QTest::newRow("tree 100 MB 8 25G, ASTRA-sim") << tree << 8 << 100.0 << 25.0 << 193.24 << 6e-3;
        // Paleo has no latency: 6, 12 and 18 hops of 50 us are added by us.
        QTest::newRow("tree 100 MB 8 25G, Paleo") << tree << 8 << 100.0 << 25.0 << 192.0 + 0.3 << 1e-9;
        QTest::newRow("tree 100 MB 64 25G, Paleo") << tree << 64 << 100.0 << 25.0 << 384.0 + 0.6 << 1e-9;
        QTest::newRow("tree 100 MB 512 25G, Paleo") << tree << 512 << 100.0 << 25.0 << 576.0 + 0.9 << 1e-9;
    }

    void peersTable() {
        QFETCH(int, algorithm);
        QFETCH(int, workers);
        QFETCH(double, megabytes);
        QFETCH(double, gbits);
        QFETCH(double, milliseconds);
        QFETCH(double, tolerance);
        for (const CollectiveForm form : {CollectiveForm::Analytic, CollectiveForm::Flows}) {
            const double got = 1e3 * alone(oneVariable(megabytes * 1e6), nodes(workers, gbits * 1e9 / 8),
                                           static_cast<CollectiveAlgorithm>(algorithm), form, true);
            COMPARE_CLOSE(got, milliseconds, tolerance);
        }
    }

    /// Reduce-scatter, all-gather and all-to-all as ops of the job; the table's 28.350 and 224.350 ms.
    void jobCollectives_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("bytes");
        QTest::addColumn<int>("workers");
        QTest::addColumn<double>("seconds");
        QTest::newRow("reduce-scatter") << static_cast<int>(CollectiveKind::ReduceScatter) << 1e8 << 8 << 28.350e-3;
        QTest::newRow("all-gather of 100 MB per rank") << static_cast<int>(CollectiveKind::AllGather) << 8e8 << 8 << 224.350e-3;
        QTest::newRow("all-to-all") << static_cast<int>(CollectiveKind::AllToAll) << 1e8 << 8
                                    << 7 * (latency + 1e8 / 8 / rate25G);
        QTest::newRow("all-to-all 5") << static_cast<int>(CollectiveKind::AllToAll) << 1e8 << 5
                                      << 4 * (latency + 1e8 / 5 / rate25G);
        QTest::newRow("broadcast") << static_cast<int>(CollectiveKind::Broadcast) << 1e8 << 8
                                   << 7 * latency + (6 + 64) * 1e8 / 64 / rate25G;
        QTest::newRow("all-reduce") << static_cast<int>(CollectiveKind::AllReduce) << 1e8 << 8 << 56.700e-3;
    }

    void jobCollectives() {
        QFETCH(int, kind);
        QFETCH(double, bytes);
        QFETCH(int, workers);
        QFETCH(double, seconds);
        // Two layers of 1 ms in each direction; the first's output is exchanged before the second reads it.
        Job job = chainJob({{1e-3, 1e-3, 0}, {1e-3, 1e-3, 0}});
        job.layers[0].collectives = {{static_cast<CollectiveKind>(kind), bytes, false}};
        job.layers[1].collectives = {{static_cast<CollectiveKind>(kind), bytes, true}};
        const Result<Job> again = readJobText(writeJobText(job), "again");
        VERIFY_VALUE(again);
        QVERIFY(again->layers == job.layers);
        for (const bool fold : {true, false})
            for (const CollectiveForm form : {CollectiveForm::Analytic, CollectiveForm::Flows}) {
                const double got = alone(job, nodes(workers), CollectiveAlgorithm::Ring, form, fold);
                COMPARE_CLOSE(got, 4e-3 + 2 * seconds, 1e-6);
            }
    }

    /// Nodes of several devices: reduce-scatter, rings and all-gather each on their own links.
    void hierarchical() {
        Cluster cluster = nodes(5);
        cluster.intraNodeBandwidthBytesPerSecond = 10e9;
        for (Node &node : cluster.nodes)
            node.gpus = {0, 1, 2, 3};
        const double bytes = 4e7;
        const double expected = 2 * (0.75 * bytes / 10e9) + 8 * (latency + bytes / 5 / rate25G);
        const Job job = oneVariable(bytes);
        for (const bool fold : {true, false})
            for (const CollectiveForm form : {CollectiveForm::Analytic, CollectiveForm::Flows}) {
                const double got = alone(job, cluster, CollectiveAlgorithm::Hierarchical, form, fold);
                COMPARE_CLOSE(got, expected);
            }
        // Of nodes that differ each reduces to one device.
        Cluster uneven = cluster;
        uneven.nodes.back().gpus = {0, 1};
        for (const CollectiveForm form : {CollectiveForm::Analytic, CollectiveForm::Flows})
            COMPARE_CLOSE(alone(job, uneven, CollectiveAlgorithm::Hierarchical, form, true),
                          2 * (3 * bytes / 10e9) + 8 * (latency + bytes / 5 / rate25G));
        // With one node, nothing leaves it.
        cluster.nodes.resize(1);
        COMPARE_CLOSE(alone(job, cluster, CollectiveAlgorithm::Hierarchical, CollectiveForm::Flows, true),
                      2 * (0.75 * bytes / 10e9));
    }

    /// The traffic of an analytic all-reduce inside nodes loads their lanes and not their NICs: in the bound, in the worth of a
    /// faster NIC, and beside another all-reduce.
    void hierarchicalLoadsNicsForItsRing() {
        const double bytes = 4e7, lanes = 40e9;
        Cluster cluster = nodes(5);
        cluster.intraNodeBandwidthBytesPerSecond = lanes;
        for (Node &node : cluster.nodes)
            node.gpus = {0, 1, 2, 3};
        const Job job = oneVariable(bytes);
        CommPolicy policy;
        policy.algorithm = CollectiveAlgorithm::Hierarchical;
        const auto runOn = [&](const Cluster &on) { return must(simulate(scenario(job, on, allReduceEach(job), policy))); };
        const auto run = runOn(cluster);
        const double ring = 8 * (bytes / 5 / rate25G), inside = 0.75 * bytes / lanes;
        COMPARE_CLOSE(run->iterationSeconds, 2 * inside + 8 * latency + ring);
        const CauseFinder finder(*run);
        COMPARE_CLOSE(finder.bounds().networkSeconds, ring);
        double slope = 0, inner = 0;
        for (const LinkSlope &own : linkSlopes(*run, finder, finder.ofIteration()))
            (run->graph.links[own.link.index()].isFabric ? inner : slope) += own.secondsPerGbit;
        Cluster faster = cluster;
        for (Node &node : faster.nodes)
            node.bandwidthBytesPerSecond *= 1 + 1e-6;
        COMPARE_CLOSE(slope, (runOn(faster)->iterationSeconds - run->iterationSeconds) / 25e-6, 1e-3);
        COMPARE_CLOSE(slope, -ring / 25);
        COMPARE_CLOSE(inner, -2 * inside / 320);
    }

    /// Two of them one stage apart, where a stage inside takes as long as the ring: they never meet on a link.
    void hierarchicalsPipeline() {
        const double bytes = 4e7, stage = 1.6 * bytes / rate25G;
        Cluster cluster = plainCluster(5, rate25G);
        cluster.intraNodeBandwidthBytesPerSecond = 0.75 * bytes / stage;
        cluster.channels = 2;
        for (Node &node : cluster.nodes)
            node.gpus = {0, 1, 2, 3};
        const auto elements = static_cast<std::int64_t>(bytes / 4);
        const Job job = chainJob({{0, stage, elements}, {0, 0, elements}});
        for (const bool fold : {true, false})
            for (const CollectiveForm form : {CollectiveForm::Analytic, CollectiveForm::Flows})
                COMPARE_CLOSE(alone(job, cluster, CollectiveAlgorithm::Hierarchical, form, fold), 4 * stage, 1e-6,
                              fmt::format("flows {}, folded {}", form == CollectiveForm::Flows, fold));
    }

    /// Every replica receives all it needs: no algorithm moves less than the theoretical minimum.
    void plansMoveEnough() {
        for (const auto &[algorithm, name] : algorithms)
            for (const std::vector<std::int32_t> &replicas :
                 {std::vector<std::int32_t>{1, 1, 1}, {2, 2}, {4, 4, 4, 4}, {3, 1, 2}, {5}, {1, 1, 1, 1, 1, 1, 1, 1}}) {
                double moved = 0;
                for (const CollectivePlan &plan : planCollective(CollectiveKind::AllReduce, algorithm, replicas))
                    for (const CollectivePhase &phase : plan.phases)
                        for (const CollectiveRound &round : phase.rounds)
                            for (const NodeMessage &message : round.between) {
                                QVERIFY(message.from != message.to);
                                COMPARE_ABOVE(message.share, 0);
                                COMPARE_AT_MOST(message.share, 16);
                                moved += message.share * phase.repeat;
                            }
                // Each of n nodes sends its part and receives the sum: at least 2 (n-1) S in total.
                const double least = 2.0 * (static_cast<double>(replicas.size()) - 1);
                COMPARE_AT_LEAST(moved, least - 1e-9, name);
            }
    }

    /// Further variables cost as much as the first ones, under every policy: tasks, edges and the event loop's work with them are
    /// a constant plus a number per variable. Counted, not timed. Where gradients are fused by their bytes, the number of buckets
    /// is rounded (ddp, dear), and fsdp2's edges per variable still rise here (30 at 64 variables, 52 at 1,024, where they level
    /// off): of these, four times the variables are at most eight times the work, and not the sixteen of a square.
    void workGrowsWithVariables_data() {
        QTest::addColumn<QString>("policy");
        for (const Policy *policy : policies())
            QTest::newRow(std::string(policy->name).c_str()) << QString::fromStdString(std::string(policy->name));
    }
    void workGrowsWithVariables() {
        QFETCH(QString, policy);
        struct Work {
            std::uint64_t tasks, edges, events;
        };
        const QStringList fuses{"ddp", "dear", "fsdp2"};
        const auto workOf = [&](std::size_t variables, bool oneLayer, bool oneGroup) {
            Job job = chainJob(std::vector<LayerSpec>(variables, {1e-3, 2e-3, 1'000'000}));
            if (oneLayer) {
                for (std::size_t l = 1; l < variables; ++l)
                    job.layers.front().variables.push_back(job.layers[l].variables.front());
                job.layers.resize(1);
            }
            Strategy strategy = allReduceEach(job);
            for (NodeConfig &node : strategy.nodes)
                node.synchronizer.group = oneGroup ? 0 : node.synchronizer.group;
            const TaskGraph graph =
                must(rewrite(scenario(std::move(job), nodes(4), std::move(strategy), policyOf(policy.toStdString()))));
            return Work{graph.size(), graph.successors.size(), runEventLoop(graph).events};
        };
        for (const bool oneLayer : {false, true})
            for (const bool oneGroup : {false, true}) {
                const Work few = workOf(32, oneLayer, oneGroup), more = workOf(64, oneLayer, oneGroup),
                           many = workOf(128, oneLayer, oneGroup);
                const About about = fmt::format("{}{}", oneLayer ? "one layer" : "chain", oneGroup ? ", one group" : "");
                for (const auto part : {&Work::tasks, &Work::edges, &Work::events}) {
                    if (fuses.contains(policy))
                        COMPARE_AT_MOST(many.*part, 8 * few.*part, about);
                    else
                        COMPARE_AT_MOST(many.*part - more.*part, 2 * (more.*part - few.*part), about);
                }
                COMPARE_ABOVE(few.events, 0, about);
            }
    }

    /// A job of a few lines must not take all memory: its own collectives count among the tasks of a scenario, and an all-to-all
    /// whose messages alone would fill it is refused in any form.
    void theJobsOwnCollectivesAreBounded() {
        std::stop_source stopped; // a graph that is not refused is not built either
        stopped.request_stop();
        const auto refusal = [&](CollectiveKind kind, int count, Cluster cluster, CollectiveForm form) {
            Job job = oneVariable(4000);
            job.layers.front().collectives.assign(static_cast<std::size_t>(count), {.kind = kind, .sizeBytes = 1e6});
            CommPolicy policy;
            policy.form = form;
            Scenario s = scenario(job, std::move(cluster), allReduceEach(job), policy);
            s.iterations = 4;
            const auto graph = rewrite(s, stopped.get_token());
            return graph ? std::string("built") : graph.error().what;
        };
        Cluster uneven = nodes(64); // no two nodes are alike, so every message is a task
        for (std::size_t n = 0; n < uneven.nodes.size(); ++n)
            uneven.nodes[n].computeScale = 1 + 0.01 * static_cast<double>(n);
        // 64 * 63 messages each, in 4 iterations; an all-reduce has twice as many steps.
        const std::string about32 = "the scenario needs about 32 million tasks";
        QCOMPARE(refusal(CollectiveKind::AllToAll, 2000, uneven, CollectiveForm::Flows), about32);
        QCOMPARE(refusal(CollectiveKind::AllReduce, 1000, uneven, CollectiveForm::Flows), about32);
        const std::string stop = Error(cancelled().value()).what;
        QCOMPARE(refusal(CollectiveKind::AllToAll, 1000, uneven, CollectiveForm::Flows), stop);
        QCOMPARE(refusal(CollectiveKind::AllToAll, 2000, uneven, CollectiveForm::Analytic), stop);
        QCOMPARE(refusal(CollectiveKind::AllToAll, 2000, nodes(64), CollectiveForm::Flows), stop); // one stands for all
        const std::string messages = "an all-to-all among 20000 replicas has up to 400 million messages";
        QCOMPARE(refusal(CollectiveKind::AllToAll, 1, nodes(20000), CollectiveForm::Analytic), messages);
        QCOMPARE(refusal(CollectiveKind::AllReduce, 1, nodes(20000), CollectiveForm::Analytic), stop);
    }

    void badCollectivesAreRefused() {
        const auto refused = [](const char *collective) {
            const auto job = readJobText(fmt::format(R"({{"name":"j","layers":[{{"name":"a","forward_seconds":1,)"
                                                     R"("backward_seconds":1,"collectives":[{}]}}]}})",
                                                     collective),
                                         "j.json");
            return job ? std::string() : job.error().toString();
        };
        QVERIFY(refused(R"({"kind":"all_to_all","size_bytes":8})").empty());
        QVERIFY(refused(R"({"kind":"gossip","size_bytes":8})").find("all_to_all") != std::string::npos);
        QVERIFY(refused(R"({"kind":"all_to_all","size_bytes":-8})").find("collectives") != std::string::npos);
        QVERIFY(refused(R"({"kind":"all_to_all","size_bytes":1e300})").find("collectives") != std::string::npos);
        QVERIFY(refused(R"({"kind":"all_to_all","size_bytes":8,"pass":"sideways"})").find("backward") != std::string::npos);
        QVERIFY(refused(R"({"kind":"all_to_all"})").find("size_bytes") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestCollectives)
#include "tst_collectives.moc"
