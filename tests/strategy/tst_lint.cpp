// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/catalogue.h"
#include "engine/rewrite/scenario_lint.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/comm_policy.h"
#include "engine/strategy/lint.h"
#include "engine/strategy/policy.h"
#include "tests/checks.h"

#include <QtTest>

#include <algorithm>
#include <array>

using namespace syncopate;

namespace {

/// Equal dense layers, each with one variable of 4 MB.
Job evenJob(std::size_t layers, std::int64_t rows = 1000) {
    Job job;
    job.name = "even";
    for (std::size_t l = 0; l < layers; ++l) {
        const std::string name = "fc" + std::to_string(l);
        job.variables.push_back({name + "/kernel:0", {rows, 1000}, DataType::Float32, false, false});
        job.layers.push_back({name, 1e-3, 2e-3, {}, {static_cast<std::int32_t>(l)}});
        if (l > 0)
            job.layers.back().parents = {static_cast<std::int32_t>(l) - 1};
    }
    return job;
}

std::vector<LintMark> marksOf(const Job &job, const Cluster &cluster, const char *builder) {
    const auto strategy = buildStrategy(builder, job, cluster);
    return strategy ? lint(job, cluster, *strategy) : std::vector<LintMark>{{LintSeverity::Error, "broken", "", builder, ""}};
}

std::vector<LintMark> marksOf(const Job &job, const Cluster &cluster, const char *builder, const char *policy) {
    Scenario scenario;
    scenario.job = std::make_shared<const Job>(job);
    scenario.cluster = std::make_shared<const Cluster>(cluster);
    scenario.strategy = std::make_shared<const Strategy>(testing::must(buildStrategy(builder, job, cluster)));
    scenario.policy = testing::must(parsePolicy(policy));
    return lintScenario(scenario);
}

std::vector<LintMark> only(std::vector<LintMark> marks, const char *rule) {
    std::erase_if(marks, [rule](const LintMark &mark) { return mark.rule != rule; });
    return marks;
}

Job named(const char *name) { return *catalogueJob(name); }
Cluster cluster(const char *name) { return *catalogueCluster(name); }

} // namespace

class TestLint : public QObject {
    Q_OBJECT
private slots:
    void rules_data() {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("job");
        QTest::addColumn<QString>("cluster");
        QTest::addColumn<QString>("trap");
        QTest::addColumn<QString>("clusterOfGood");
        QTest::addColumn<QString>("good");
        const auto row = [](const char *rule, const char *job, const char *where, const char *trap, const char *elsewhere,
                            const char *good) {
            QTest::addRow("%s: %s", rule, job) << rule << job << where << trap << elsewhere << good;
        };
        row("prime-dimension", "ncf_ml20m", "B7", "PartitionedPS", "B7", "UnevenPartitionedPS");
        row("prime-dimension", "ncf_ml20m", "B7", "PartitionedAR", "B7", "AllReduce");
        row("many-parts", "ncf_ml20m", "B7", "PartitionedPS", "B7", "UnevenPartitionedPS");
        row("split-filter", "vgg16", "B7", "PartitionedPS", "B7", "PSLoadBalancing");
        row("unpartitionable", "resnet50", "B7", "PartitionedPS", "B7", "PSLoadBalancing");
        row("unpartitionable", "resnet50", "B7", "PartitionedAR", "B7", "RandomAxisPartitionAR(seed=1)");
        row("few-parts", "bert_base", "B8", "PartitionedPS", "B5", "PartitionedPS");
        row("unbalanced-servers", "vgg16", "B7", "PSLoadBalancing", "B4", "PSLoadBalancing");
        row("unbalanced-servers", "vgg16", "B7", "PartitionedPS", "B7", "AllReduce");
        row("unbalanced-servers", "resnet50", "B7", "PS", "B7", "PSLoadBalancing");
        row("slow-server", "resnet50", "B9", "PS", "B7", "PS");
        row("sparse-all-reduce", "bert_base_sparse", "B7", "AllReduce", "B7", "Parallax");
        row("sparse-all-reduce", "bert_base_sparse", "B7", "PartitionedAR", "B4", "AllReduce");
        row("sparse-proxy", "bert_base_sparse", "B7", "PS(local_proxy_variable=True)", "B7",
            "Parallax(local_proxy_variable=True)");
        row("one-group", "vgg16", "B7", "AllReduce", "B7", "AllReduce(chunk_size=8)");
        row("tiny-collectives", "resnet50", "A2", "AllReduce(chunk_size=1)", "A2", "AllReduce(chunk_size=32)");
        row("mixed-consistency", "bert_base_sparse", "B7", "Parallax(staleness=2)", "B7", "PS(staleness=2)");
        row("mixed-consistency", "bert_base_sparse", "B7", "Parallax(sync=False)", "B7", "Parallax");
        row("one-node-ps", "resnet50", "B4", "PS", "B5", "PS");
    }

    void rules() {
        QFETCH(QString, rule);
        QFETCH(QString, job);
        QFETCH(QString, trap);
        QFETCH(QString, good);
        QFETCH(QString, clusterOfGood);
        const Job model = named(qPrintable(job));
        QFETCH(QString, cluster);
        const auto marks = only(marksOf(model, ::cluster(qPrintable(cluster)), qPrintable(trap)), qPrintable(rule));
        QVERIFY2(!marks.empty(), qPrintable(trap));
        for (const LintMark &mark : marks) {
            QVERIFY(!mark.text.empty());
            QVERIFY(!mark.remedy.empty());
        }
        QVERIFY(only(marksOf(model, ::cluster(qPrintable(clusterOfGood)), qPrintable(good)), "broken").empty());
        const auto clean = only(marksOf(model, ::cluster(qPrintable(clusterOfGood)), qPrintable(good)), qPrintable(rule));
        QVERIFY2(clean.empty(), clean.empty() ? "" : clean.front().text.c_str());
    }

    /// PyTorch's kernels begin with the channels, {64, 3, 11, 11}: splitting those is no split of a filter.
    void channelsComeFirst() {
        const auto marks = only(marksOf(named("alexnet"), cluster("B7"), "PartitionedPS"), "split-filter");
        QVERIFY2(marks.empty(), marks.empty() ? "" : (marks.front().variable + ": " + marks.front().text).c_str());
        QVERIFY(only(marksOf(named("alexnet"), cluster("B7"), "PartitionedPS"), "broken").empty());
    }

    void nothingToSay() {
        const Cluster four = uniformCluster(4, 10);
        QVERIFY(marksOf(evenJob(8), four, "PSLoadBalancing").empty());
        QVERIFY(marksOf(evenJob(8), four, "PartitionedPS").empty());
        QVERIFY(marksOf(evenJob(8), four, "AllReduce(chunk_size=2)").empty());
        QVERIFY(marksOf(evenJob(8), withDedicatedServers(four, 2), "PSLoadBalancing").empty());
    }

    /// Replicas listed alternately make a ring leave its nodes at each step.
    void scatteredReplicas() {
        const Job job = evenJob(8);
        const Cluster here = cluster("B5"); // two nodes of four
        auto strategy = *buildStrategy("AllReduce(chunk_size=2)", job, here);
        QVERIFY(only(lint(job, here, strategy), "scattered-replicas").empty());
        std::rotate(strategy.replicas.begin(), strategy.replicas.begin() + 4, strategy.replicas.end());
        QVERIFY(only(lint(job, here, strategy), "scattered-replicas").empty());
        std::swap(strategy.replicas[1], strategy.replicas[5]);
        const auto marks = only(lint(job, here, strategy), "scattered-replicas");
        QCOMPARE(marks.size(), std::size_t{1});
        QVERIFY2(marks[0].text.find("6 times") != std::string::npos, marks[0].text.c_str());
        QVERIFY2(marks[0].text.find("2 times") != std::string::npos, marks[0].text.c_str());
    }

    /// Requests of all_reduce_spec beyond the policy's algorithm.
    void allReduceSpecs() {
        const Job job = evenJob(8);
        const auto marksOfSpec = [&](const char *spec, const char *policy) {
            const auto strategy =
                buildStrategy(std::string("AllReduce(chunk_size=1,all_reduce_spec=") + spec + ")", job, cluster("B5"));
            return only(lintPolicy(*strategy, *parsePolicy(policy)), "spec-contradicted").size();
        };
        for (const char *policy : {"fifo", "fifo(algorithm=tree)", "fifo(algorithm=hd)"})
            QCOMPARE(marksOfSpec("AUTO", policy), std::size_t{0});
        QCOMPARE(marksOfSpec("RING", "fifo"), std::size_t{0});
        QCOMPARE(marksOfSpec("RING", "fifo(algorithm=tree)"), std::size_t{1});
        QCOMPARE(marksOfSpec("NCCL", "fifo"), std::size_t{0});
        QCOMPARE(marksOfSpec("NCCL", "fifo(algorithm=tree)"), std::size_t{0});
        QCOMPARE(marksOfSpec("NCCL", "fifo(algorithm=hd)"), std::size_t{1});
    }

    /// Policies that place pieces by themselves are named, with the setting that keeps the placement of the strategy if there is
    /// one.
    void placementsOfPolicies() {
        const Strategy strategy = *buildStrategy("PSLoadBalancing", evenJob(8), cluster("B5"));
        const auto remedies = [&](const char *policy) {
            std::string all;
            for (const LintMark &mark : lintPolicy(strategy, *parsePolicy(policy)))
                if (mark.rule == "placement-ignored")
                    all += mark.remedy;
            return all;
        };
        for (const char *policy : {"byteps", "bytescheduler(hash=mxnet)"})
            QVERIFY2(remedies(policy).find("hash=strategy") != std::string::npos, policy);
        for (const char *policy : {"p3", "poseidon"})
            QVERIFY2(remedies(policy).find("fifo") != std::string::npos, policy);
        for (const char *policy : {"fifo", "bytescheduler", "byteps(hash=strategy)"})
            QVERIFY2(remedies(policy).empty(), policy);
    }

    /// Groups that a policy does not send, and loads of servers that it chooses itself, are no traps.
    void trapsThatAPolicyAvoids() {
        const auto has = [](const Job &job, const char *builder, const char *policy, const char *rule) {
            return !only(marksOf(job, cluster("B7"), builder, policy), rule).empty();
        };
        const Job resnet = named("resnet50"), vgg = named("vgg16");
        Job mixed = evenJob(4);
        mixed.variables[2].dtype = DataType::Float16;
        for (const char *policy : {"fifo", "tic"}) {
            QVERIFY2(has(resnet, "AllReduce(chunk_size=1)", policy, "tiny-collectives"), policy);
            QVERIFY2(has(mixed, "AllReduce(chunk_size=4)", policy, "mixed-group"), policy);
        }
        for (const char *policy : {"ddp", "horovod", "bytescheduler"}) {
            QVERIFY2(!has(resnet, "AllReduce(chunk_size=1)", policy, "tiny-collectives"), policy);
            QVERIFY2(!has(mixed, "AllReduce(chunk_size=4)", policy, "mixed-group"), policy);
        }
        for (const char *rule : {"unbalanced-servers", "few-parts"}) {
            for (const char *policy : {"fifo", "bytescheduler", "byteps(hash=strategy)"})
                QVERIFY2(has(vgg, "PartitionedPS", policy, rule), policy);
            for (const char *policy : {"byteps", "p3", "poseidon", "bytescheduler(hash=mxnet)"})
                QVERIFY2(!has(vgg, "PartitionedPS", policy, rule), policy);
        }
        // Of a single server's load there is nothing to choose.
        QVERIFY(has(vgg, "PS", "byteps", "unbalanced-servers"));
    }

    /// A policy that places variables uses the strategy's servers alone, and weighs no bandwidth: the marks are on the loads that
    /// it chooses.
    void trapsThatAPolicyKeeps() {
        const Job resnet = named("resnet101");
        Cluster uneven = cluster("B7");
        uneven.nodes.front().bandwidthBytesPerSecond /= 10;
        const auto ofStrategy = only(marksOf(resnet, uneven, "PSLoadBalancing", "fifo"), "slow-server");
        QCOMPARE(ofStrategy.size(), std::size_t{1});
        for (const char *policy : {"p3", "poseidon"}) {
            const auto slow = only(marksOf(resnet, uneven, "PSLoadBalancing", policy), "slow-server");
            QCOMPARE(slow.size(), std::size_t{1});
            QVERIFY2(slow[0].text.starts_with(uneven.nodes.front().address + ":") && slow[0].text != ofStrategy[0].text,
                     slow[0].text.c_str());
            QVERIFY2(slow[0].remedy.find("choose a policy that keeps its placement") != std::string::npos,
                     slow[0].remedy.c_str());
            QVERIFY(only(marksOf(resnet, uneven, "PSLoadBalancing", policy), "unbalanced-servers").empty());
        }
        // Shared out by bandwidth, the loads are no trap, although the slower servers carry nearly the mean.
        Cluster nearlyEven = cluster("B7");
        nearlyEven.nodes.front().bandwidthBytesPerSecond *= 1.6;
        const std::vector<std::string> devices = nearlyEven.reductionDevices();
        QCOMPARE(devices.size(), std::size_t{4});
        QVERIFY(lintSpeeds(nearlyEven, {{devices[0], 16}, {devices[1], 10}, {devices[2], 10}, {devices[3], 10}}).empty());
        QCOMPARE(lintSpeeds(nearlyEven, {{devices[0], 10}, {devices[1], 10}, {devices[2], 10}, {devices[3], 10}}).size(),
                 std::size_t{3});
        // A server slower than the fastest may carry the mean and still have room: of rates 100, 40, 5 and 5 its share is 4/15.
        Cluster steep = cluster("B7");
        for (std::size_t n = 0; n < devices.size(); ++n)
            steep.nodes[n].bandwidthBytesPerSecond = std::array{100e9, 40e9, 5e9, 5e9}[n];
        const auto marksOfLoads = [&](double first, double second, double rest) {
            return lintSpeeds(steep, {{devices[0], first}, {devices[1], second}, {devices[2], rest}, {devices[3], rest}});
        };
        QVERIFY(marksOfLoads(100, 40, 5).empty());
        const auto even = marksOfLoads(30, 30, 30);
        QCOMPARE(even.size(), std::size_t{2});
        QVERIFY2(even[0].text.starts_with(devices[2]), even[0].text.c_str());
        QVERIFY(marksOfLoads(0, 0, 0).empty());

        Scenario scenario;
        scenario.job = std::make_shared<const Job>(named("vgg16"));
        scenario.cluster = std::make_shared<const Cluster>(cluster("B7"));
        Strategy halved = testing::must(buildStrategy("PSLoadBalancing", *scenario.job, *scenario.cluster));
        for (NodeConfig &node : halved.nodes)
            for (const std::size_t unused : {std::size_t{2}, std::size_t{3}})
                if (node.synchronizer.reductionDestination == devices[unused])
                    node.synchronizer.reductionDestination = devices[unused - 2];
        scenario.strategy = std::make_shared<const Strategy>(halved);
        scenario.policy = testing::must(parsePolicy("p3"));
        const auto unbalanced = only(lintScenario(scenario), "unbalanced-servers");
        QCOMPARE(unbalanced.size(), std::size_t{1});
        QVERIFY2(unbalanced[0].remedy.starts_with("use all of the cluster's servers"), unbalanced[0].remedy.c_str());
        QVERIFY2(unbalanced[0].text.find(" 2.0 times the mean of 4 servers") != std::string::npos, unbalanced[0].text.c_str());
    }

    /// BytePS's credit limits the sums over a machine's devices.
    void creditsThatLimitNothing() {
        const Job job = evenJob(8);
        const Strategy served = *buildStrategy("PSLoadBalancing", job, cluster("B5")),
                       reduced = *buildStrategy("AllReduce(chunk_size=1)", job, cluster("B5"));
        const auto marks = [](const Strategy &strategy, const char *policy, double devices) {
            return lintCredit(strategy, *parsePolicy(policy), {.maxReplicas = devices}).size();
        };
        QCOMPARE(marks(served, "byteps(credit=4)", 1), std::size_t{1});
        QCOMPARE(marks(served, "byteps(credit=4)", 2), std::size_t{0});
        QCOMPARE(marks(served, "byteps", 1), std::size_t{0});
        QCOMPARE(marks(served, "bytescheduler(credit=8MB)", 1), std::size_t{0});
        QCOMPARE(marks(reduced, "byteps(credit=4)", 1), std::size_t{0});
    }

    void proxiesThatChangeNothing() {
        const Job job = evenJob(8);
        const Strategy proxies = *buildStrategy("PSLoadBalancing(local_proxy_variable=True)", job, cluster("B5")),
                       none = *buildStrategy("PSLoadBalancing", job, cluster("B5"));
        const auto marks = [](const Strategy &strategy, const char *policy) {
            std::size_t count = 0;
            for (const LintMark &mark : lintPolicy(strategy, *parsePolicy(policy)))
                count += mark.rule == "proxies-ignored" ? 1 : 0;
            return count;
        };
        for (const char *policy : {"byteps", "p3", "bytescheduler(hash=mxnet)"}) {
            QCOMPARE(marks(proxies, policy), std::size_t{1});
            QCOMPARE(marks(none, policy), std::size_t{0});
        }
        QCOMPARE(marks(proxies, "bytescheduler"), std::size_t{0});
    }

    /// AutoDist's builders on four servers.
    void numbersOfTheReference() {
        const auto balanced = only(marksOf(named("vgg16"), cluster("B7"), "PSLoadBalancing"), "unbalanced-servers");
        QCOMPARE(balanced.size(), std::size_t{1});
        QVERIFY2(balanced[0].text.find("fc1/kernel:0") != std::string::npos, balanced[0].text.c_str());
        QVERIFY2(balanced[0].text.find("3.1 times") != std::string::npos, balanced[0].text.c_str()); // 423.0 of 553.4 / 4
        QVERIFY(balanced[0].severity == LintSeverity::Warning);
        QCOMPARE(balanced[0].remedy, std::string("split it, as PartitionedPS does"));
        // PartitionedPS cuts fc1, of 25088 rows, in two.
        const auto halves = only(marksOf(named("vgg16"), cluster("B7"), "PartitionedPS"), "unbalanced-servers");
        QCOMPARE(halves.size(), std::size_t{1});
        QCOMPARE(halves[0].remedy, std::string("split it into 4 parts"));

        const auto prime = only(marksOf(named("ncf_ml20m"), cluster("B7"), "PartitionedPS"), "prime-dimension");
        QCOMPARE(prime.size(), std::size_t{1});
        QCOMPARE(prime[0].variable, std::string("embedding_user/embeddings:0"));
        QVERIFY(prime[0].text.find("138493 parts") != std::string::npos);
        QVERIFY(prime[0].severity == LintSeverity::Warning);
        // 13 rows are prime, too, but 13 parts are harmless.
        const auto small = only(marksOf(evenJob(2, 13), uniformCluster(2, 10), "PartitionedPS"), "prime-dimension");
        QCOMPARE(small.size(), std::size_t{2});
        QVERIFY(small[0].severity == LintSeverity::Note);
        // Two rows in two parts are as intended.
        QVERIFY(only(marksOf(evenJob(2, 2), uniformCluster(2, 10), "PartitionedPS"), "prime-dimension").empty());
    }

    void worstFirst() {
        const auto marks = marksOf(named("bert_base_sparse"), cluster("B7"), "AllReduce(chunk_size=1)");
        COMPARE_AT_LEAST(marks.size(), 2);
        QVERIFY(marks.front().severity == LintSeverity::Error);
        QVERIFY(std::is_sorted(marks.begin(), marks.end(),
                               [](const LintMark &a, const LintMark &b) { return a.severity > b.severity; }));
        QCOMPARE(QString(nameOf(LintSeverity::Warning)), QString("warning"));
    }

    void anotherClusterOrJob() {
        const Job job = evenJob(8);
        const Cluster here = cluster("A2");
        const auto strategy = buildStrategy("PSLoadBalancing", job, here);
        QVERIFY(only(lint(job, here, *strategy), "unknown-server").empty());
        QVERIFY(only(lint(job, here, *strategy), "other-replicas").empty());
        const auto there = lint(job, cluster("B7"), *strategy);
        QCOMPARE(only(there, "unknown-server").size(), std::size_t{8});
        QCOMPARE(only(there, "other-replicas").size(), std::size_t{1});
        const auto shorter = lint(evenJob(7), here, *strategy);
        QCOMPARE(only(shorter, "no-variable").size(), std::size_t{1});
        QCOMPARE(only(shorter, "no-variable")[0].variable, std::string("fc7/kernel:0"));
    }

    void kindsWithinAGroup() {
        Job job = evenJob(4);
        const Cluster two = uniformCluster(2, 10);
        const char *half = "AllReduce(chunk_size=2, compressor=HorovodCompressor)";
        QVERIFY(only(marksOf(job, two, half), "mixed-group").empty());
        QVERIFY(only(marksOf(job, two, half), "useless-compressor").empty());
        job.variables[2].dtype = DataType::Float16;
        QCOMPARE(only(marksOf(job, two, half), "mixed-group").size(), std::size_t{1});
        const auto useless = only(marksOf(job, two, half), "useless-compressor");
        QCOMPARE(useless.size(), std::size_t{1});
        QCOMPARE(useless[0].variable, std::string("fc2/kernel:0"));
    }

    /// A file from before 2020-04-29 has its chunk size where the group is now.
    void oldChunkSize() {
        const Job job = evenJob(4);
        const Cluster two = uniformCluster(2, 10);
        auto strategy = *buildStrategy("AllReduce", job, two);
        QVERIFY(only(lint(job, two, strategy), "one-group")[0].remedy.find("2020") == std::string::npos);
        for (NodeConfig &node : strategy.nodes)
            node.synchronizer.group = 128;
        const auto marks = only(lint(job, two, strategy), "one-group");
        QCOMPARE(marks.size(), std::size_t{1});
        QVERIFY2(marks[0].remedy.find("chunk_size=128") != std::string::npos, marks[0].remedy.c_str());
    }

    void anythingIsAccepted() {
        QVERIFY(lint(Job{}, Cluster{}, Strategy{}).empty());
        Strategy odd;
        odd.nodes = {
            {"fc0/kernel", {3}, {}, {{"a", {}}}}, {"fc0/kernel:0", {2, 2}, {}, {}}, {"fc1/kernel", {1, 1}, {}, {{}, {}}}};
        QVERIFY(!lint(evenJob(2), uniformCluster(2, 1), odd).empty());
        QVERIFY(!lint(evenJob(2), Cluster{}, odd).empty());
    }

    /// Async-SGD paper, Fig. 23: TensorFlow's greedy placement of VGG-11 on two servers, in MiB.
    void vgg11OnTwoServers() {
        const Job job = named("vgg11");
        const Cluster two = withDedicatedServers(uniformCluster(2, 1), 2);
        const auto strategy = buildStrategy("PSLoadBalancing", job, two);
        std::map<std::string, double> loads;
        for (std::size_t v = 0; v < job.variables.size(); ++v)
            loads[strategy->nodes[v].synchronizer.reductionDestination] +=
                static_cast<double>(job.variables[v].sizeBytes()) / (1024 * 1024);
        QCOMPARE(std::lround(loads["ps0:CPU:0"]), 407L);
        QCOMPARE(std::lround(loads["ps1:CPU:0"]), 100L);
    }
};

QTEST_GUILESS_MAIN(TestLint)
#include "tst_lint.moc"
