// SPDX-License-Identifier: GPL-3.0-or-later
// Effects that decide between strategies on real networks: latency, hosts, buckets, lanes, interference. Closed forms.
#include "engine/analyze/communication_statistics.h"
#include "engine/analyze/link_slopes.h"
#include "engine/analyze/remedies.h"
#include "engine/base/rng.h"
#include "engine/collective/collective_plan.h"
#include "engine/rewrite/rewrite.h"
#include "engine/simulate/simulated_iteration.h"
#include "engine/strategy/lint.h"
#include "tests/simulate/reference_hosts.h"
#include "tests/simulate/small_steps.h"

#include <QtTest>
#include <algorithm>
#include <array>
#include <limits>
#include <set>

using namespace syncopate;
using namespace syncopate::testing;

class TestHosts : public QObject {
    Q_OBJECT

private slots:
    /// 200 tensors of 400 B at 50 us: the last one leaves after all bytes, and both latencies count once.
    void latencyIsPaidOnce() {
        Cluster cluster = servedCluster(1, gigabyte);
        cluster.latencySeconds = 50e-6;
        const Job job = smallTensors(200, 100, 1e-3);
        const double want = 1e-3 + 200 * 400e-9 + 50e-6 + 400e-9 + 50e-6;
        COMPARE_CLOSE(iterationOf(scenario(job, cluster, parameterServers(job, {"n1:CPU:0"}))), want);
    }

    /// Causes add up to the iteration, including latency.
    void latencyIsACause() {
        Cluster cluster = servedCluster(1, gigabyte);
        cluster.latencySeconds = 50e-6;
        const auto run = simulate(oneVariable(1, cluster));
        QVERIFY(run.has_value());
        const CauseFinder finder(**run);
        const CauseChain chain = finder.ofIteration();
        COMPARE_CLOSE(chain.seconds(CauseKind::Latency), 100e-6);
        COMPARE_CLOSE(chain.seconds(CauseKind::Transfer), 2e-3);
        COMPARE_CLOSE(finder.bounds().dependencySeconds, (*run)->iterationSeconds);
    }

    /// The gain from a link's rate, compared with a simulation at a slightly higher rate: the server's link with four workers.
    void linksHaveSlopes() {
        Cluster cluster = servedCluster(4, gigabyte);
        const auto run = simulate(oneVariable(4, cluster));
        QVERIFY(run.has_value());
        const CauseFinder finder(**run);
        double slope = 0;
        for (const LinkSlope &own : linkSlopes(**run, finder, finder.ofPeriod())) {
            const FluidLink &link = (*run)->graph.links[own.link.index()];
            QCOMPARE(link.nodes, std::vector<std::int32_t>{4}); // the workers' links are not the bottleneck
            slope += own.secondsPerGbit;
        }
        Cluster faster = cluster;
        faster.nodes[4].bandwidthBytesPerSecond *= 1 + 1e-6;
        COMPARE_CLOSE(slope, (iterationOf(oneVariable(4, faster)) - (*run)->iterationSeconds) / 8e-6, 1e-3);
        // At its own limit a connection gains nothing from a faster link.
        cluster.connectionBytesPerSecond = gigabyte / 8;
        const auto limited = simulate(oneVariable(4, cluster));
        QVERIFY(limited.has_value());
        const CauseFinder other(**limited);
        for (const LinkSlope &own : linkSlopes(**limited, other, other.ofPeriod()))
            COMPARE_WITHIN(own.secondsPerGbit, 0.0, 1e-12);
    }

    /// The same where links reach a share of their stated rate, and where connections have limits that the shared link keeps them
    /// below.
    void slopesAreOfStatedRates() {
        for (const double limit : {2.0, 0.5}) {
            Cluster cluster = servedCluster(4, gigabyte);
            cluster.linkEfficiency = 0.8;
            cluster.connectionBytesPerSecond = limit * gigabyte;
            const auto run = simulate(oneVariable(4, cluster));
            QVERIFY(run.has_value());
            const CauseFinder finder(**run);
            double slope = 0;
            for (const LinkSlope &own : linkSlopes(**run, finder, finder.ofPeriod()))
                slope += own.secondsPerGbit;
            cluster.nodes[4].bandwidthBytesPerSecond *= 1 + 1e-6;
            COMPARE_CLOSE(slope, (iterationOf(oneVariable(4, cluster)) - (*run)->iterationSeconds) / 8e-6, 1e-3,
                          About(fmt::format("limit {}", limit)));
        }
    }

    /// A reduce-scatter and an all-gather, or a reduce and a broadcast, of a variable, each with a launch: in either form, folded
    /// or not.
    void reductionsOfVariables() {
        Cluster cluster = plainCluster(4, gigabyte);
        cluster.latencySeconds = 10e-6;
        cluster.host.collectiveSeconds = 100e-6;
        const Job job = chainJob({{0.5e-3, 0.5e-3, 1000000}});
        const double bytes = 4e6, chunks = chunkCount(bytes);
        const std::array wants{100e-6 + 6 * (bytes / 4 / gigabyte + 10e-6), 200e-6 + 6 * (bytes / 4 / gigabyte + 10e-6),
                               200e-6 + 2 * ((3 + chunks - 1) * bytes / chunks / gigabyte + 3 * 10e-6)};
        for (const Reduction reduction : {Reduction::AllReduce, Reduction::ScatterGather, Reduction::ReduceBroadcast})
            for (const CollectiveForm form : {CollectiveForm::Analytic, CollectiveForm::Flows})
                for (const bool fold : {true, false}) {
                    Strategy strategy = allReduceEach(job);
                    strategy.nodes.front().synchronizer.reduction = reduction;
                    Scenario s = scenario(job, cluster, strategy);
                    s.policy.form = form;
                    s.fold = fold;
                    COMPARE_CLOSE(iterationOf(s), 1e-3 + wants[static_cast<std::size_t>(reduction)], 1e-9,
                                  fmt::format("{}, {}, {}", static_cast<int>(reduction), form == CollectiveForm::Flows, fold));
                }
        // A group joins gradients with the same reduction; a system that fuses by itself uses all-reduce, and lint says so.
        const Job three = chainJob({{0, 0, 1000}, {0, 0, 1000}, {0, 0, 1000}});
        Strategy mixed = allReduceEach(three);
        for (NodeConfig &node : mixed.nodes)
            node.synchronizer.group = 0;
        mixed.nodes[1].synchronizer.reduction = Reduction::ScatterGather;
        const auto run = simulate(scenario(three, cluster, mixed));
        QVERIFY(run.has_value());
        QCOMPARE((*run)->graph.units.size(), std::size_t{2});
        const auto ignores = [](const LintMark &m) { return m.rule == "reductions-ignored"; };
        QVERIFY(std::ranges::none_of(lintPolicy(mixed, (*run)->scenario.policy), ignores));
        const Strategy plain = allReduceEach(three);
        COMPARE_CLOSE(iterationOf(scenario(three, cluster, mixed, policyOf("ddp"))),
                      iterationOf(scenario(three, cluster, plain, policyOf("ddp"))));
        QVERIFY(std::ranges::any_of(lintPolicy(mixed, policyOf("ddp")), ignores));
    }

    /// Random workers around a server, with hosts that take turns and connections that have limits, together: every iteration of
    /// every worker begins when the plain simulation of reference_hosts.h says.
    void hostsAndLimitsTogether() {
        Rng rng(41);
        const auto chance = [&](double p) { return rng.uniform(0, 1) < p; };
        int limited = 0, hosted = 0, both = 0;
        for (int trial = 0; trial < 400; ++trial) {
            std::vector<LayerSpec> layers;
            const int count = 1 + static_cast<int>(rng.uniform(0, 4));
            for (int l = 0; l < count; ++l)
                layers.push_back({rng.uniform(1e-4, 3e-3), rng.uniform(1e-4, 3e-3),
                                  l > 0 && chance(0.2) ? 0 : static_cast<std::int64_t>(std::pow(10, rng.uniform(3, 6)))});
            const int workers = 1 + static_cast<int>(rng.uniform(0, 4));
            Cluster cluster = servedCluster(workers, gigabyte);
            for (Node &node : cluster.nodes) {
                node.computeScale = rng.uniform(0.4, 1.6);
                node.bandwidthBytesPerSecond *= rng.uniform(0.3, 1.5);
            }
            cluster.linkEfficiency = chance(0.3) ? 0.8 : 1;
            cluster.latencySeconds = chance(0.5) ? rng.uniform(0, 3e-4) : 0;
            cluster.messageSeconds = chance(0.3) ? rng.uniform(0, 1e-4) : 0;
            const bool hasLimit = chance(0.8), hasHosts = chance(0.8);
            if (hasLimit)
                cluster.connectionBytesPerSecond = rng.uniform(0.1, 1.0) * gigabyte;
            if (hasHosts) {
                for (double HostCosts::*cost : {&HostCosts::sendSeconds, &HostCosts::receiveSeconds, &HostCosts::variableSeconds})
                    cluster.host.*cost = chance(0.6) ? rng.uniform(0, 4e-4) : 0;
                for (double HostCosts::*cost : {&HostCosts::sendSecondsPerByte, &HostCosts::receiveSecondsPerByte,
                                                &HostCosts::aggregateSecondsPerByte, &HostCosts::updateSecondsPerByte})
                    cluster.host.*cost = chance(0.6) ? rng.uniform(0, 2e-9) : 0;
                cluster.host.threads = 1 + static_cast<std::int32_t>(rng.uniform(0, 3));
            }
            limited += hasLimit ? 1 : 0;
            hosted += hasHosts ? 1 : 0;
            both += hasLimit && hasHosts ? 1 : 0;
            const Job job = chainJob(layers);
            Scenario s = scenario(job, cluster, parameterServers(job, {fmt::format("n{}:CPU:0", workers)}));
            s.policy.barrier = chance(0.5);
            s.policy.connections = 1 + static_cast<std::int32_t>(rng.uniform(0, 3));
            s.policy.sharing = chance(0.3) ? ConnectionSharing::None : ConnectionSharing::Messages;
            const auto run = runOf(s);
            QVERIFY(run);
            QCOMPARE(run->graph.workerNames.size(), static_cast<std::size_t>(workers));
            ReferenceHosts reference(layers, cluster, s.policy.connections, s.policy.sharing == ConnectionSharing::None,
                                     s.policy.barrier, run->graph.iterations);
            const auto expected = reference.starts();
            std::vector<std::vector<double>> starts(expected.size());
            for (std::size_t w = 0; w < starts.size(); ++w)
                starts[w].assign(static_cast<std::size_t>(run->graph.iterations), std::numeric_limits<double>::infinity());
            for (std::size_t t = 0; t < run->graph.size(); ++t)
                if (run->graph.kind[t] == TaskKind::Forward) {
                    double &start = starts[run->graph.worker[t].index()][static_cast<std::size_t>(run->graph.iteration[t])];
                    start = std::min(start, run->startSeconds[t]);
                }
            for (std::size_t w = 0; w < starts.size(); ++w) {
                QCOMPARE(starts[w].size(), expected[w].size());
                for (std::size_t i = 0; i < starts[w].size(); ++i)
                    COMPARE_WITHIN(starts[w][i], expected[w][i], 1e-9,
                                   fmt::format("trial {}, worker {}, iteration {}, {} workers", trial, w, i, workers));
            }
        }
        COMPARE_ABOVE(limited, 250);
        COMPARE_ABOVE(hosted, 250);
        COMPARE_ABOVE(both, 200);
    }

    /// One worker: send, flow, receive and add, update, send, flow, receive, one after another.
    void hostsWorkInTurn() {
        Cluster cluster = servedCluster(1, gigabyte);
        HostCosts &host = cluster.host;
        host.sendSeconds = 10e-6;
        host.sendSecondsPerByte = 1e-10;
        host.receiveSeconds = 20e-6;
        host.receiveSecondsPerByte = 2e-10;
        host.aggregateSecondsPerByte = 3e-10;
        host.updateSecondsPerByte = 4e-10;
        host.variableSeconds = 30e-6;
        const double bytes = 1e6, way = 10e-6 + 20e-6 + bytes * 3e-10 + bytes / gigabyte;
        COMPARE_CLOSE(iterationOf(oneVariable(1, cluster)), 1e-3 + 2 * way + bytes * 3e-10 + 30e-6 + bytes * 4e-10);
    }

    /// A server updates the rows of all replicas' gradients, at most each once; asynchronously, those of one push.
    void serversUpdateTheRowsOfAll() {
        Job job = chainJob({{0.5e-3, 0.5e-3, 1000}});
        job.variables[0].shape = {1000, 250};
        job.variables[0].sparse = true;
        Cluster cluster = servedCluster(2, gigabyte);
        for (const std::size_t n : {0, 1})
            cluster.nodes[n].gpus = {0, 1};
        for (const bool sync : {true, false})
            for (const double touched : {100.0, 400.0}) {
                job.variables[0].rowsTouched = touched;
                Strategy strategy = parameterServers(job, {"n2:CPU:0"});
                strategy.nodes[0].synchronizer.sync = sync;
                const auto updateOf = [&](double perByte) { // the host's longest task
                    cluster.host.updateSecondsPerByte = perByte;
                    const auto run = runOf(scenario(job, cluster, strategy));
                    double longest = 0;
                    for (std::size_t t = 0; run && t < run->graph.size(); ++t)
                        if (run->graph.kind[t] == TaskKind::Host)
                            longest = std::max(longest, run->graph.fixedSeconds[t]);
                    return longest;
                };
                const double rows = std::min(1000.0, touched * (sync ? 4 : 2));
                COMPARE_CLOSE(updateOf(1e-9), rows * 250 * 4 * 1e-9, 1e-9, fmt::format("{} rows, sync {}", touched, sync));
            }
    }

    /// Three workers: their gradients arrive together and are processed one by one; folded or not.
    void aServerTakesGradientsOneByOne() {
        Cluster cluster = servedCluster(3, gigabyte);
        cluster.host.receiveSeconds = 100e-6;
        cluster.host.aggregateSecondsPerByte = 1e-9;
        Scenario s = oneVariable(3, cluster);
        const double want = 1e-3 + 3e-3 + 3 * (100e-6 + 1e-3) + 3e-3 + 100e-6;
        COMPARE_CLOSE(iterationOf(s), want);
        s.fold = false;
        COMPARE_CLOSE(iterationOf(s), want);
        // Two threads process two at a time.
        Cluster threads = cluster;
        threads.host.threads = 2;
        COMPARE_CLOSE(iterationOf(oneVariable(3, threads)), want - (100e-6 + 1e-3));
    }

    /// BytePS's servers have its own number of threads, regardless of the cluster's; its workers have the cluster's.
    void bytePsServersHaveEngineThreads() {
        Cluster cluster = servedCluster(3, gigabyte);
        cluster.host.receiveSeconds = 100e-6;
        cluster.host.aggregateSecondsPerByte = 1e-9;
        Scenario s = oneVariable(3, cluster);
        const double wire = 1e-3 + 3e-3 + 3e-3 + 100e-6, turn = 100e-6 + 1e-3;
        for (const auto &[threads, turns] : {std::pair(1, 3), {2, 2}, {3, 1}, {4, 1}}) {
            s.policy = policyOf("byteps", {{"engine_threads", threads}});
            COMPARE_CLOSE(iterationOf(s), wire + turns * turn);
        }
        s.policy = policyOf("byteps");
        COMPARE_CLOSE(iterationOf(s), wire + turn); // BYTEPS_SERVER_ENGINE_THREAD is 4
    }

    /// A server that answers one by one starts its workers 1 ms apart, and they stay so: the last is answered after 3 ms, gets
    /// the value in one, computes for one, sends for one, and its push, alone on the link, takes one.
    void aServerAnswersOneByOne() {
        Cluster cluster = servedCluster(3, gigabyte);
        cluster.host.sendSeconds = 1e-3;
        const auto run = simulate(oneVariable(3, cluster));
        QVERIFY(run.has_value());
        QCOMPARE((*run)->graph.workerNames.size(), std::size_t{3}); // not folded
        COMPARE_CLOSE((*run)->iterationSeconds, 3e-3 + 1e-3 + 1e-3 + 1e-3 + 1e-3);
    }

    void launchingACollectiveCosts() {
        Cluster cluster = plainCluster(2, gigabyte);
        cluster.host.collectiveSeconds = 1e-3;
        const Job job = smallTensors(10, 250, 1e-3);
        // The launches are sequential; the last collective moves 1 kB.
        COMPARE_CLOSE(iterationOf(scenario(job, cluster, allReduceEach(job))), 1e-3 + 10e-3 + 1e-6);
    }

    /// The latencies of concurrent collectives overlap.
    void channelsOverlapLatencies() {
        Cluster cluster = plainCluster(2, gigabyte);
        cluster.latencySeconds = 1e-3;
        const Job job = smallTensors(4, 250, 1e-3);
        COMPARE_CLOSE(iterationOf(scenario(job, cluster, allReduceEach(job))), 1e-3 + 4 * (2e-3 + 1e-6));
        cluster.channels = 2;
        COMPARE_CLOSE(iterationOf(scenario(job, cluster, allReduceEach(job))), 1e-3 + 2 * (2e-3 + 2e-6));
    }

    /// 64 KB of a 250 kB message pass at once: after a pause both links' buckets are full.
    void bucketsLetBytesPass() {
        Cluster cluster = servedCluster(1, gigabyte);
        cluster.burstBytes = 65536;
        COMPARE_CLOSE(iterationOf(oneVariable(1, cluster)), 1e-3 + 2 * (1e6 - 65536) / gigabyte);
        const auto run = simulate(oneVariable(1, cluster));
        QVERIFY(run.has_value());
        COMPARE_AT_MOST(CauseFinder(**run).bounds().largest(), (*run)->iterationSeconds * (1 + 1e-9));
    }

    /// Within a node every device has a lane in each direction: eight gradients are summed in the time of one, and a push does
    /// not slow down a pull.
    void lanesAreDuplexAndPerDevice() {
        Cluster cluster = servedCluster(1, gigabyte);
        cluster.intraNodeBandwidthBytesPerSecond = gigabyte;
        cluster.nodes.front().gpus = {0, 1, 2, 3, 4, 5, 6, 7};
        Scenario s = oneVariable(1, cluster);
        Strategy proxy = *s.strategy;
        proxy.nodes.front().synchronizer.localReplication = true;
        s.strategy = std::make_shared<const Strategy>(proxy);
        // sum on the host, push, pull, copies back to the devices
        COMPARE_CLOSE(iterationOf(s), 1e-3 + 1e-3 + 1e-3 + 1e-3 + 1e-3);
    }

    /// Devices and their host exchange over the host's lanes, one after another: PCI Express of each device, the memory of all of
    /// them; collectives inside a node stay on the devices' own lanes.
    void hostLanesCarryWhatTheHostSees() {
        const auto of = [](const std::vector<HostLane> &lanes) {
            Cluster cluster = servedCluster(1, gigabyte);
            cluster.intraNodeBandwidthBytesPerSecond = 2 * gigabyte;
            cluster.hostLanes = lanes;
            cluster.nodes.front().gpus = {0, 1, 2, 3, 4, 5, 6, 7};
            Scenario s = oneVariable(1, cluster);
            Strategy proxy = *s.strategy;
            proxy.nodes.front().synchronizer.localReplication = true;
            s.strategy = std::make_shared<const Strategy>(proxy);
            return iterationOf(s) - 3e-3; // compute, push, pull
        };
        COMPARE_CLOSE(of({}), 2 * 0.5e-3);
        COMPARE_CLOSE(of({{"pcie", gigabyte}}), 2 * 1e-3);
        COMPARE_CLOSE(of({{"memory", 4 * gigabyte, true}}), 2 * 2e-3);
        COMPARE_CLOSE(of({{"pcie", gigabyte}, {"memory", 4 * gigabyte, true}}), 2 * 2e-3); // the slower one decides
        COMPARE_CLOSE(of({{"pcie", gigabyte / 4}, {"memory", 4 * gigabyte, true}}), 2 * 4e-3);
        COMPARE_CLOSE(of({{"pcie", gigabyte, false, false}}), 2 * 1e-3); // one direction at a time anyway
        // A server on the worker's node, and a pull beside a push: side by side, or sharing a lane that is not duplex.
        const Job job = chainJob({{0, 0, 250000}, {0.5e-3, 0.5e-3, 250000}});
        Cluster own = plainCluster(1, gigabyte);
        const auto served = [&](const HostLane &lane) {
            own.hostLanes = {lane};
            return iterationOf(scenario(job, own, parameterServers(job, {"n0:CPU:0"}))) - 1e-3;
        };
        COMPARE_CLOSE(served({"pcie", gigabyte}), 3e-3);
        COMPARE_CLOSE(served({"pcie", gigabyte, false, false}), 4e-3);
        // A ring inside a node.
        Cluster node = plainCluster(1, gigabyte);
        node.nodes.front().gpus = {0, 1, 2, 3};
        node.intraNodeBandwidthBytesPerSecond = 2 * gigabyte;
        const Job one = chainJob({{0.5e-3, 0.5e-3, 1000000}});
        const double ring = iterationOf(scenario(one, node, allReduceEach(one)));
        COMPARE_CLOSE(ring, 1e-3 + 1.5 * 4e6 / (2 * gigabyte));
        node.hostLanes = {{"pcie", gigabyte / 100}};
        COMPARE_CLOSE(iterationOf(scenario(one, node, allReduceEach(one))), ring);
    }

    /// The worth of a faster host lane, against a simulation; and the remedy doubles that lane.
    void hostLanesHaveSlopes() {
        const Job job = chainJob({{0.5e-3, 0.5e-3, 250000}});
        Cluster cluster = plainCluster(1, gigabyte);
        cluster.hostLanes = {{"pcie", gigabyte / 2}};
        const Strategy strategy = parameterServers(job, {"n0:CPU:0"});
        const auto run = runOf(scenario(job, cluster, strategy));
        QVERIFY(run);
        const CauseFinder finder(*run);
        const CauseChain chain = finder.ofIteration();
        double slope = 0;
        for (const LinkSlope &own : linkSlopes(*run, finder, chain)) {
            QCOMPARE(run->graph.links[own.link.index()].hostLane, 0);
            slope += own.secondsPerGbit;
        }
        Cluster faster = cluster;
        faster.hostLanes.front().bytesPerSecond *= 1 + 1e-6;
        const double change = iterationOf(scenario(job, faster, strategy)) - run->iterationSeconds;
        COMPARE_CLOSE(slope, change / (4e-6), 1e-3); // per Gbit/s: a millionth of 4
        bool doubled = false;
        for (const Remedy &remedy : proposeRemedies(*run, finder, chain))
            if (remedy.kind == RemedyKind::DoubleLink) {
                doubled = true;
                const Cluster &wider = *remedy.scenario().cluster;
                COMPARE_CLOSE(wider.hostLanes.front().bytesPerSecond, gigabyte);
                COMPARE_CLOSE(wider.intraNodeBandwidthBytesPerSecond, cluster.intraNodeBandwidthBytesPerSecond);
            }
        QVERIFY(doubled);
    }

    /// An op of 3 ms during a transfer of 2 ms: slowed down to half speed for that long.
    void computeSlowsDownUnderTraffic() {
        Cluster cluster = servedCluster(1, gigabyte);
        const Job job = chainJob({{0, 3e-3, 0}, {1e-3, 0, 250000}}); // push 1 ms, pull 1 ms during the 3 ms
        Scenario s = scenario(job, cluster, parameterServers(job, {"n1:CPU:0"}));
        COMPARE_CLOSE(iterationOf(s), 4e-3);
        cluster.nodes.front().communicationSlowdown = 2;
        s.cluster = std::make_shared<const Cluster>(cluster);
        COMPARE_CLOSE(iterationOf(s), 1e-3 + 2e-3 + 2e-3); // 1 ms of it is done during 2 ms of traffic
        // A node with a larger slowdown than the others is not folded with them: its 3 ms during a ring of 4/3 ms decide.
        Cluster uneven = plainCluster(3, gigabyte);
        uneven.nodes.back().communicationSlowdown = 2;
        s = scenario(job, uneven, allReduceEach(job));
        COMPARE_CLOSE(iterationOf(s), 1e-3 + 3e-3 + 2e-3 / 3);
        s.fold = false;
        COMPARE_CLOSE(iterationOf(s), 1e-3 + 3e-3 + 2e-3 / 3);
    }

    /// Messages between two servers that do not train: no worker communicates meanwhile, and no worker's lanes show them.
    void serversTrafficIsNotTheWorkers() {
        Cluster cluster = plainCluster(3, gigabyte);
        cluster.serverOnly = {1, 2};
        cluster.nodes.front().communicationSlowdown = 2;
        // After 1 ms of forward: push, transfer, transfer back and pull of 1 ms each, while 2.5 ms of backward are at half speed
        // during the push, and done before the pull.
        const Job job = chainJob({{0, 2.5e-3, 0}, {1e-3, 0, 250000}});
        Strategy strategy = parameterServers(job, {"n1:CPU:0"});
        for (NodeConfig &node : strategy.nodes)
            node.synchronizer.transferDestination = "n2:CPU:0";
        const auto run = simulate(scenario(job, cluster, strategy));
        QVERIFY(run.has_value());
        COMPARE_CLOSE((*run)->iterationSeconds, 5e-3);
        std::size_t shown = 0;
        std::set<std::string> names;
        for (const Lane &lane : (*run)->timeline.lanes) {
            QVERIFY2(names.insert(lane.name).second, lane.name.c_str());
            for (const std::int32_t task : lane.task)
                if ((*run)->graph.kind[static_cast<std::size_t>(task)] == TaskKind::Transfer) {
                    QCOMPARE(lane.worker, -1);
                    ++shown;
                }
        }
        const auto &kinds = (*run)->graph.kind;
        QCOMPARE(shown, static_cast<std::size_t>(std::count(kinds.begin(), kinds.end(), TaskKind::Transfer)));
        const auto iteration = simulateIteration(scenario(job, cluster, strategy));
        QVERIFY(iteration.has_value());
        COMPARE_CLOSE(communicationStatistics(*iteration).communicationSeconds, 2e-3, 1e-6); // push and pull
        // 1 ms for the gradient at the station, and at the server; none for the value that comes back.
        cluster.host.aggregateSecondsPerByte = 1e-9;
        COMPARE_CLOSE(must(simulate(scenario(job, cluster, strategy)))->iterationSeconds, 7e-3);
    }

    /// A gradient and a value of 1 MB each pass between station and server once a step, however many replicas read the value.
    void stationsHaveOneCopy() {
        Cluster cluster = plainCluster(3, gigabyte);
        cluster.serverOnly = {1, 2};
        cluster.nodes.front().gpus = {0, 1};
        const Job job = chainJob({{1e-3, 1e-3, 250000}});
        Strategy strategy = parameterServers(job, {"n1:CPU:0"});
        strategy.nodes.front().synchronizer.transferDestination = "n2:CPU:0";
        for (const int staleness : {0, 1}) {
            strategy.nodes.front().synchronizer.staleness = staleness;
            const Scenario s = scenario(job, cluster, strategy);
            const TaskGraph graph = must(rewrite(s));
            double bytes = 0;
            for (std::size_t t = 0; t < graph.size(); ++t)
                if (graph.kind[t] == TaskKind::Transfer)
                    bytes += graph.sizeBytes[t];
            COMPARE_CLOSE(bytes, s.iterations * 2e6);
        }
    }

    /// BytePS's keys: (tensor number << 16) + part number, hashed as decimal text.
    void bytePSChoosesServers() {
        const Policy &byteps = *findPolicy("byteps");
        CommPolicy policy = policyOf("byteps");
        const auto chosen = [&](double hash, std::size_t tensor, std::size_t part, std::size_t servers) {
            policy.set("hash", hash);
            return byteps.serverOf(policy, {.tensor = tensor, .part = part, .servers = servers}).value_or(999);
        };
        QCOMPARE(chosen(0, 0, 0, 1000), std::size_t{(5381 * 33 + 48) % 1000});                        // djb2 of "0"
        QCOMPARE(chosen(0, 0, 12, 100000), std::size_t{((5381 * 33 + 49) * 33 + 50) % 100000});       // of "12"
        QCOMPARE(chosen(1, 3, 4, 1000), std::size_t{(3 + 4) * 9973 % 1000});                          // naive
        QCOMPARE(chosen(3, 0, 12, 1000000), std::size_t{50 + (49 << 6) + (49 << 16) - 49} % 1000000); // sdbm of "12"
        QCOMPARE(chosen(5, 0, 0, 1000), std::size_t{999});                                            // the strategy's
        const Job job = chainJob({{0, 1e-3, 8000000}});
        Cluster cluster = plainCluster(6, gigabyte);
        cluster.serverOnly = {4, 5};
        Strategy strategy = parameterServers(job, {"n4:CPU:0"});
        Scenario s = scenario(job, cluster, strategy, policyOf("byteps", {{"partition", 409600}}));
        const auto onOne = simulate(s);
        QVERIFY(onOne.has_value());
        for (const SyncUnit &unit : (*onOne)->graph.units)
            QCOMPARE(unit.destination, std::string("n4:CPU:0")); // only servers that the strategy uses
        const Job two = chainJob({{0, 1e-3, 8000000}, {0, 1e-3, 8}});
        s = scenario(two, cluster, parameterServers(two, {"n4:CPU:0", "n5:CPU:0"}), s.policy);
        const auto onTwo = simulate(s);
        QVERIFY(onTwo.has_value());
        std::set<std::string> of;
        for (const SyncUnit &unit : (*onTwo)->graph.units)
            if (unit.variables.front() == 0)
                of.insert(unit.destination);
        QCOMPARE(of.size(), std::size_t{2});
        COMPARE_BELOW((*onTwo)->iterationSeconds, 0.7 * (*onOne)->iterationSeconds);
    }
};

QTEST_GUILESS_MAIN(TestHosts)
#include "tst_hosts.moc"
