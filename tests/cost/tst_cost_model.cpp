// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/rng.h"
#include "engine/cost/cost_state.h"
#include "engine/cost/ranker.h"
#include "engine/job/catalogue.h"
#include "engine/search/random_sampler.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/similarity.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <cmath>
#include <memory>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// Two machines with two devices each, and one with one: 1, 2 and 4 GB/s; 10 us latency; 3 us per variable on the host.
Cluster unequalCluster() {
    Cluster cluster = uniformCluster(3, 8);
    for (std::size_t n = 0; n < 3; ++n)
        cluster.nodes[n].bandwidthBytesPerSecond = std::exp2(static_cast<double>(n)) * 1e9;
    cluster.nodes[0].gpus = cluster.nodes[1].gpus = {0, 1};
    cluster.latencySeconds = 10e-6;
    cluster.host.variableSeconds = 3e-6;
    return cluster;
}

Job smallJob() {
    Job job;
    job.name = "small";
    job.layers = {{.name = "table", .forwardSeconds = 1e-3, .backwardSeconds = 2e-3, .parents = {}, .variables = {0}},
                  {.name = "dense", .forwardSeconds = 1e-3, .backwardSeconds = 2e-3, .parents = {0}, .variables = {1, 2}}};
    job.variables = {{.name = "table:0", .shape = {1000, 250}, .sparse = true, .rowsTouched = 100},
                     {.name = "kernel:0", .shape = {7, 1000}},
                     {.name = "bias:0", .shape = {1000}}};
    return job;
}

RankerDomain domainOf(Job job, Cluster cluster, std::int32_t connections = 1) {
    return {std::make_shared<const Job>(std::move(job)), std::make_shared<const Cluster>(std::move(cluster)), connections};
}

std::vector<Shard> shardsOf(const CostModel &model, std::size_t v, const NodeConfig &node) {
    std::vector<Shard> shards;
    const auto walked = model.forEachShard(v, node, [&](const Shard &shard) { shards.push_back(shard); });
    return walked ? shards : std::vector<Shard>{};
}

NodeConfig servedBy(const Job &job, std::size_t v, const std::string &device, bool proxy = false) {
    NodeConfig node;
    node.variableName = job.variables[v].name;
    node.synchronizer.kind = SynchronizerKind::ParameterServer;
    node.synchronizer.reductionDestination = device;
    node.synchronizer.localReplication = proxy;
    return node;
}

} // namespace

class TestCostModel : public QObject {
    Q_OBJECT

private slots:
    /// Eq. 2 by hand. Server 1 (2 GB/s, itself two replicas) answers node 0 (1 GB/s, two replicas) and node 2 (4 GB/s, one).
    void equationTwo() {
        const Job job = smallJob();
        const CostModel model(domainOf(job, unequalCluster()));
        const std::string server = model.domain().cluster->reductionDevices()[1];
        const double bytes = 28000;
        // push: one message per machine, over min(1, 2) and min(4, 2) GB/s; pull: one per replica
        CostTerms terms = model.served(shardsOf(model, 1, servedBy(job, 1, server)).at(0));
        COMPARE_CLOSE(terms.transferSeconds, bytes * (1 / 1e9 + 1 / 2e9) + bytes * (2 / 1e9 + 1 / 2e9));
        COMPARE_CLOSE(terms.messages, 2 + 3);
        COMPARE_CLOSE(terms.copies, 2);
        COMPARE_CLOSE(model.seconds(terms), terms.transferSeconds + 5 * 10e-6 + 2 * 3e-6);
        // with a proxy a machine pulls once
        terms = model.served(shardsOf(model, 1, servedBy(job, 1, server, true)).at(0));
        COMPARE_CLOSE(terms.transferSeconds, 2 * bytes * (1 / 1e9 + 1 / 2e9));
        COMPARE_CLOSE(terms.messages, 4);
        // sparse: the touched rows and their indices, from and to each replica, with or without a proxy
        terms = model.served(shardsOf(model, 0, servedBy(job, 0, server, true)).at(0));
        const double rows = 100 * 250 * 4;
        COMPARE_CLOSE(terms.transferSeconds, (rows + 100 * 8 + rows) * (2 / 1e9 + 1 / 2e9));
        COMPARE_CLOSE(terms.messages, 6);
        // all-reduced, it is gathered as it is, whatever the compressor; a dense one is halved
        NodeConfig reduced;
        reduced.variableName = "table:0";
        reduced.synchronizer.compressor = Compressor::Horovod;
        COMPARE_CLOSE(shardsOf(model, 0, reduced).at(0).pushBytes, rows + 100 * 8);
        COMPARE_CLOSE(shardsOf(model, 1, reduced).at(0).pushBytes, bytes / 2);
    }

    /// Workers are distributed over a server's NICs: the busiest one determines the simulator's time, in both directions.
    void serversWithSeveralNics() {
        const Job job = chainJob({{0.5e-3, 0.5e-3, 250000}});
        for (const int nics : {1, 2, 3})
            for (int workers = 1; workers <= 7; ++workers) {
                Cluster cluster = servedCluster(workers, 1e9);
                for (Node &node : cluster.nodes)
                    node.nics = nics;
                const std::string server = fmt::format("n{}:CPU:0", workers);
                const Scenario played = scenario(job, cluster, parameterServers(job, {server}));
                const auto run = simulate(played);
                QVERIFY(run.has_value());
                const CostModel model(domainOf(job, cluster));
                const CostTerms terms = model.served(shardsOf(model, 0, servedBy(job, 0, server)).at(0));
                COMPARE_CLOSE(terms.transferSeconds, (*run)->iterationSeconds - 1e-3, 1e-9,
                              fmt::format("{} NICs, {} workers", nics, workers));
            }
        // Shards use a pair's connections in turn: of three connections over two NICs the first NIC has two.
        Cluster cluster = servedCluster(1, 1e9);
        for (Node &node : cluster.nodes)
            node.nics = 2;
        const CostModel model(domainOf(job, cluster, 3));
        const CostTerms terms = model.served(shardsOf(model, 0, servedBy(job, 0, "n1:CPU:0")).at(0));
        COMPARE_CLOSE(terms.transferSeconds, 2 * 2e-3 * 2 / 3);
    }

    /// Shards of a pair are spread over its connections, and these over the NICs at either end: equals the simulator's time for
    /// as many equal variables as connections, whose gradients are ready at the same moment.
    void workersWithSeveralNics() {
        struct Case {
            int workerNics, serverNics, connections;
            double serverBytesPerSecond = 1e9;
        };
        for (const Case &c : {Case{4, 1, 4}, Case{1, 4, 4}, Case{2, 4, 4}, Case{4, 2, 4}, Case{2, 2, 4}, Case{3, 1, 4},
                              Case{1, 4, 4, 4e9}, Case{2, 8, 4, 4e9}})
            for (int workers = 1; workers <= 3; ++workers) {
                if (c.serverBytesPerSecond > 1e9 && workers > 1)
                    continue; // Eq. 2 serves workers one after the other, even if the server has room for all
                std::vector<LayerSpec> layers(static_cast<std::size_t>(c.connections), {0, 0, 250000});
                layers.back() = {0.5e-3, 0.5e-3, 250000};
                const Job job = chainJob(layers);
                Cluster cluster = servedCluster(workers, 1e9);
                for (Node &node : cluster.nodes)
                    node.nics = c.workerNics;
                cluster.nodes.back().nics = c.serverNics;
                cluster.nodes.back().bandwidthBytesPerSecond = c.serverBytesPerSecond;
                const std::string server = fmt::format("n{}:CPU:0", workers);
                Scenario played = scenario(job, cluster, parameterServers(job, std::vector(layers.size(), server)));
                played.policy.connections = c.connections;
                const auto run = simulate(played);
                QVERIFY(run.has_value());
                const CostModel model(domainOf(job, cluster, c.connections));
                double seconds = 0;
                for (std::size_t v = 0; v < layers.size(); ++v)
                    seconds += model.served(shardsOf(model, v, servedBy(job, v, server)).at(0)).transferSeconds;
                COMPARE_CLOSE(seconds, (*run)->iterationSeconds - 1e-3, 1e-9,
                              fmt::format("{} and {} NICs, {} connections, {} workers", c.workerNics, c.serverNics, c.connections,
                                          workers));
            }
    }

    /// Both forms of reduction: equal to the simulator's time for a ring, and for a reduce and a broadcast, whose chunks have to
    /// fill their chain first.
    void reductionsOfVariables() {
        const Job job = chainJob({{0.5e-3, 0.5e-3, 250000000}});
        const Cluster cluster = plainCluster(4, 1e9);
        const auto model = std::make_shared<const CostModel>(domainOf(job, cluster));
        for (const Reduction reduction : {Reduction::AllReduce, Reduction::ScatterGather, Reduction::ReduceBroadcast}) {
            Strategy strategy = allReduceEach(job);
            strategy.nodes.front().synchronizer.reduction = reduction;
            const auto run = simulate(scenario(job, cluster, strategy));
            QVERIFY(run.has_value());
            COMPARE_CLOSE(CostState::of(model, strategy)->syncSeconds(), (*run)->iterationSeconds - 1e-3,
                          reduction == Reduction::ReduceBroadcast ? 0.04 : 0.01, fmt::format("{}", static_cast<int>(reduction)));
        }
        // Messages of one group with several reductions are several messages; changes add up.
        Strategy strategy = allReduceEach(chainJob({{0, 0, 10}, {0, 0, 10}, {0, 0, 10}}));
        const Job three = chainJob({{0, 0, 10}, {0, 0, 10}, {0, 0, 10}});
        for (NodeConfig &node : strategy.nodes)
            node.synchronizer.group = 0;
        auto state = *CostState::of(std::make_shared<const CostModel>(domainOf(three, cluster)), strategy);
        QCOMPARE(state.collectiveCount(), std::size_t{1});
        NodeConfig node = strategy.nodes[1];
        node.synchronizer.reduction = Reduction::ReduceBroadcast;
        QVERIFY(state.change(1, node).has_value());
        QCOMPARE(state.collectiveCount(), std::size_t{2});
        COMPARE_CLOSE(state.collectiveTerms().messages, 3 * 4);
        COMPARE_CLOSE(state.collectiveTerms().transferSeconds, (1.5 * 80 + 2 * 40) / 1e9);
    }

    /// Where a system pulls once a machine, a pull costs as much as with a proxy, except for rows of a sparse variable.
    void machinesPullOnce() {
        const Job job = smallJob();
        RankerDomain domain = domainOf(job, unequalCluster());
        const CostModel plain(domain);
        domain.pullsOncePerNode = true;
        const CostModel once(domain);
        const std::string server = domain.cluster->reductionDevices()[1];
        std::size_t sparse = 0, dense = 0;
        for (std::size_t v = 0; v < job.variables.size(); ++v) {
            const NodeConfig bare = servedBy(job, v, server), proxy = servedBy(job, v, server, true);
            const auto terms = [&](const CostModel &model, const NodeConfig &node) {
                return model.served(shardsOf(model, v, node).at(0));
            };
            QCOMPARE(terms(once, bare), terms(plain, proxy));
            QCOMPARE(terms(once, proxy), terms(plain, proxy));
            const bool isSparse = job.variables[v].sparse;
            ++(isSparse ? sparse : dense);
            QCOMPARE(terms(once, bare) == terms(plain, bare), isSparse);
        }
        COMPARE_ABOVE(dense, std::size_t{0});
        COMPARE_ABOVE(sparse, std::size_t{0});
    }

    /// A station between workers and server carries the workers' messages, the server two.
    void transferDestination() {
        const Job job = smallJob();
        const CostModel model(domainOf(job, unequalCluster()));
        const std::vector<std::string> servers = model.domain().cluster->reductionDevices();
        NodeConfig node = servedBy(job, 1, servers[2]);
        node.synchronizer.transferDestination = servers[1];
        const Shard shard = shardsOf(model, 1, node).at(0);
        QCOMPARE(model.served(shard), model.served(shardsOf(model, 1, servedBy(job, 1, servers[1])).at(0)));
        COMPARE_CLOSE(model.behindStation(shard).messages, 2);
        COMPARE_CLOSE(model.behindStation(shard).transferSeconds, 2 * 28000 / 2e9); // the station's NIC, not the slowest one
    }

    /// Between two devices of one machine a station uses no network.
    void transferInsideMachine() {
        const Job job = smallJob();
        Cluster cluster = unequalCluster();
        cluster.nodes[1].cpus = {0, 1};
        const CostModel model(domainOf(job, cluster));
        const std::vector<std::string> servers = model.domain().cluster->reductionDevices();
        NodeConfig node = servedBy(job, 1, servers.at(1));
        node.synchronizer.transferDestination = servers.at(2);
        const CostTerms behind = model.behindStation(shardsOf(model, 1, node).at(0));
        QCOMPARE(behind, (CostTerms{0, 0, 2}));
    }

    /// T_comp is the slowest device's, even if all are faster than the job's.
    void computeScales() {
        const Job job = smallJob();
        Cluster cluster = unequalCluster();
        for (Node &node : cluster.nodes)
            node.computeScale = 2;
        COMPARE_CLOSE(CostModel(domainOf(job, cluster)).computeSeconds(), 3e-3);
        cluster.nodes[2].computeScale = 0.5;
        COMPARE_CLOSE(CostModel(domainOf(job, cluster)).computeSeconds(), 12e-3);
    }

    /// Eq. 3 by hand: five devices, the slowest NIC carries 1 GB/s.
    void equationThree() {
        const Job job = smallJob();
        const CostModel model(domainOf(job, unequalCluster()));
        const double bytes = 1e6, second = bytes / 1e9;
        COMPARE_CLOSE(model.collective(CollectiveKind::AllReduce, bytes).transferSeconds, 1.6 * second);
        COMPARE_CLOSE(model.collective(CollectiveKind::ReduceScatter, bytes).transferSeconds, 0.8 * second);
        COMPARE_CLOSE(model.collective(CollectiveKind::AllGather, bytes).transferSeconds, 4 * second);
        COMPARE_CLOSE(model.collective(CollectiveKind::Broadcast, bytes).transferSeconds, second);
        COMPARE_CLOSE(model.collective(CollectiveKind::Reduce, bytes).transferSeconds, second);
        COMPARE_CLOSE(model.collective(CollectiveKind::AllReduce, bytes).messages, 5);
        // a connection's limit bounds the ring, unless it has several connections
        Cluster limited = unequalCluster();
        limited.connectionBytesPerSecond = 0.25e9;
        COMPARE_CLOSE(CostModel(domainOf(job, limited)).ringBytesPerSecond(), 0.25e9);
        COMPARE_CLOSE(CostModel(domainOf(job, limited, 2)).ringBytesPerSecond(), 0.5e9);
        // and between racks the slowest pair of the ring does
        limited.nodes[1].rack = "far";
        COMPARE_CLOSE(CostModel(domainOf(job, limited)).ringBytesPerSecond(), 0.25e9);
        limited.acrossRacksBytesPerSecond = 0.125e9;
        COMPARE_CLOSE(CostModel(domainOf(job, limited)).ringBytesPerSecond(), 0.125e9);
        // the lanes inside nodes carry none of a ring of one device a node, however slow they are
        Cluster fast = uniformCluster(4, 400);
        COMPARE_CLOSE(CostModel(domainOf(job, fast)).ringBytesPerSecond(), 50e9);
        fast.nodes[0].gpus = {0, 1};
        COMPARE_CLOSE(CostModel(domainOf(job, fast)).ringBytesPerSecond(), 12e9);
        // a single device has nothing to reduce
        QCOMPARE(CostModel(domainOf(job, uniformCluster(1, 10))).collective(CollectiveKind::AllReduce, bytes), CostTerms{});
    }

    /// T = max(T_comp, T_sync); T_sync is the busiest server and all collectives; a group is one message.
    void wholeStrategy() {
        const Job job = smallJob();
        const auto model = std::make_shared<const CostModel>(domainOf(job, unequalCluster()));
        const std::string server = model->domain().cluster->reductionDevices()[0];
        Strategy strategy;
        strategy.nodes = {servedBy(job, 0, server), {}, {}};
        strategy.nodes[1].variableName = "kernel:0";
        strategy.nodes[2].variableName = "bias:0";
        const auto state = CostState::of(model, strategy);
        QVERIFY(state.has_value());
        const double group = model->seconds(model->collective(CollectiveKind::AllReduce, 32000));
        const double table = model->seconds(model->served(shardsOf(*model, 0, strategy.nodes[0]).at(0)));
        COMPARE_CLOSE(state->syncSeconds(), table + group);
        COMPARE_CLOSE(state->seconds(), 6e-3); // compute hides it
        COMPARE_BELOW(state->score(), 6e-3);
        QCOMPARE(state->collectiveCount(), std::size_t{1});
        strategy.nodes[2].synchronizer.group = 1;
        QCOMPARE(CostState::of(model, strategy)->collectiveCount(), std::size_t{2});
        COMPARE_CLOSE(CostState::of(model, strategy)->collectiveTerms().messages, 10);
    }

    /// Thousands of single changes arrive at the total sum, and an invalid change has no effect.
    void changesAddUp() {
        const auto job = std::make_shared<const Job>(*catalogueJob("ncf_sparse"));
        const auto cluster = std::make_shared<const Cluster>(*catalogueCluster("B7"));
        const auto model = std::make_shared<const CostModel>(RankerDomain{job, cluster});
        Rng rng(5);
        Strategy strategy = sampleStrategy(*job, *cluster, {}, rng);
        CostState state = *CostState::of(model, strategy);
        for (int round = 0; round < 300; ++round) {
            const Strategy other = sampleStrategy(*job, *cluster, {}, rng);
            for (std::size_t v = round % 2; v < other.nodes.size(); v += 2) {
                strategy.nodes[v] = other.nodes[v];
                QVERIFY(state.change(v, other.nodes[v]).has_value());
            }
            const CostState whole = *CostState::of(model, strategy);
            COMPARE_CLOSE(state.syncSeconds(), whole.syncSeconds(), 1e-9);
            COMPARE_CLOSE(state.score(), whole.score(), 1e-9);
            QCOMPARE(state.collectiveCount(), whole.collectiveCount());
        }
        const double before = state.syncSeconds();
        QVERIFY(!state.change(0, servedBy(*job, 0, "10.9.9.9:CPU:0")).has_value());
        QCOMPARE(state.syncSeconds(), before);
    }

    void predefinedRanker() {
        const RankerDomain domain{std::make_shared<const Job>(*catalogueJob("vgg16")),
                                  std::make_shared<const Cluster>(*catalogueCluster("B7"))};
        const auto ranker = makeRanker("predefined()", domain, 1);
        QVERIFY2(ranker.has_value(), ranker ? "" : ranker.error().toString().c_str());
        std::vector<std::shared_ptr<const Strategy>> strategies;
        for (const char *builder : {"PS", "PSLoadBalancing", "AllReduce"})
            strategies.push_back(std::make_shared<const Strategy>(*buildStrategy(builder, *domain.job, *domain.cluster)));
        const auto scores = (*ranker)->score(strategies, {});
        QVERIFY(scores.has_value());
        // One server is busier than many, and the ring less than either.
        COMPARE_BELOW((*scores)[1], (*scores)[0]);
        COMPARE_BELOW((*scores)[2], (*scores)[1]);
        QVERIFY((*ranker)->load((*ranker)->save()).has_value());
        QVERIFY(!(*ranker)->load("{}").has_value());
        QVERIFY(!(*ranker)->learns());
        std::stop_source stop;
        stop.request_stop();
        QVERIFY((*ranker)->score(strategies, stop.get_token()).error().isCancelled());
        strategies.push_back(std::make_shared<const Strategy>());
        QVERIFY(!(*ranker)->score(strategies, {}).has_value());
        QVERIFY(!makeRanker("oracle()", domain, 1).has_value());
        QVERIFY(!makeRanker("predefined()", {}, 1).has_value());
    }

    void similarStrategies() {
        const Job job = *catalogueJob("vgg16");
        const Cluster cluster = *catalogueCluster("B7");
        const Strategy reduce = *buildStrategy("AllReduce", job, cluster),
                       served = *buildStrategy("PSLoadBalancing", job, cluster);
        COMPARE_CLOSE(similarity(reduce, reduce), 1);
        COMPARE_CLOSE(similarity(served, served), 1);
        COMPARE_CLOSE(similarity(reduce, served), 2.0 / 7); // not partitioned in either, and nothing else in common
        Strategy grouped = reduce;
        for (NodeConfig &node : grouped.nodes)
            node.synchronizer.group += 3;
        COMPARE_CLOSE(similarity(reduce, grouped), 5.0 / 7);
        QCOMPARE(similarity(reduce, Strategy{}), 0.0);
    }
};

QTEST_GUILESS_MAIN(TestCostModel)
#include "tst_cost_model.moc"
