// SPDX-License-Identifier: GPL-3.0-or-later
// What decides between strategies on real networks: latency, connections, hosts, buckets, lanes, interference. Closed forms.
#include "engine/analyze/link_slopes.h"
#include "engine/analyze/remedies.h"
#include "engine/base/rng.h"
#include "engine/collective/collective_plan.h"
#include "engine/strategy/lint.h"
#include "tests/checks.h"
#include "tests/scenarios.h"
#include "tests/simulate/reference_hosts.h"

#include <QtTest>
#include <algorithm>
#include <array>
#include <limits>
#include <set>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

constexpr double gigabyte = 1e9;

double iterationOf(const Scenario &s) {
    const auto run = simulate(s);
    if (!run)
        qWarning("%s", run.error().toString().c_str());
    return run ? (*run)->iterationSeconds : -1;
}

/// `count` variables of `elements` float32 each in layers that take no time, after one that takes `seconds`.
Job smallTensors(int count, std::int64_t elements, double seconds) {
    std::vector<LayerSpec> layers(static_cast<std::size_t>(count), {0, 0, elements});
    layers.push_back({seconds / 2, seconds / 2, 0});
    return chainJob(layers);
}

/// One variable of 1 MB on a separate server, with 1 ms of compute.
Scenario oneVariable(int workers, const Cluster &cluster) {
    const Job job = chainJob({{0.5e-3, 0.5e-3, 250000}});
    return scenario(job, cluster, parameterServers(job, {fmt::format("n{}:CPU:0", workers)}));
}

} // namespace

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
        for (const LinkSlope &own : linkSlopes(**run, finder, finder.ofIteration())) {
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
        for (const LinkSlope &own : linkSlopes(**limited, other, other.ofIteration()))
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
            for (const LinkSlope &own : linkSlopes(**run, finder, finder.ofIteration()))
                slope += own.secondsPerGbit;
            cluster.nodes[4].bandwidthBytesPerSecond *= 1 + 1e-6;
            COMPARE_CLOSE(slope, (iterationOf(oneVariable(4, cluster)) - (*run)->iterationSeconds) / 8e-6, 1e-3,
                          About(fmt::format("limit {}", limit)));
        }
    }

    void aConnectionCarriesItsLimit() {
        Cluster cluster = servedCluster(1, gigabyte);
        cluster.connectionBytesPerSecond = gigabyte / 4;
        COMPARE_CLOSE(iterationOf(oneVariable(1, cluster)), 1e-3 + 8e-3);
        // Four workers together fill the server's link.
        Cluster four = servedCluster(4, gigabyte);
        four.connectionBytesPerSecond = gigabyte / 4;
        COMPARE_CLOSE(iterationOf(oneVariable(4, four)), 1e-3 + 8e-3);
        Cluster eight = servedCluster(8, gigabyte);
        eight.connectionBytesPerSecond = gigabyte / 4;
        COMPARE_CLOSE(iterationOf(oneVariable(8, eight)), 1e-3 + 16e-3);
    }

    /// Two variables over two connections take as long as one over one.
    void connectionsAddUp() {
        Cluster cluster = servedCluster(1, gigabyte);
        cluster.connectionBytesPerSecond = gigabyte / 4;
        const Job job = chainJob({{0, 0, 250000}, {0.5e-3, 0.5e-3, 250000}});
        Scenario s = scenario(job, cluster, parameterServers(job, {"n1:CPU:0"}));
        // both pushes in sequence, and the second one's pull; the first one's is hidden
        COMPARE_CLOSE(iterationOf(s), 1e-3 + 2 * 4e-3 + 4e-3);
        s.policy.connections = 2;
        COMPARE_CLOSE(iterationOf(s), 1e-3 + 4e-3 + 4e-3);
    }

    /// A ring has one connection to its neighbour, in either form; several connections share its bytes.
    void ringsHaveConnections() {
        Cluster cluster = plainCluster(4, gigabyte);
        cluster.connectionBytesPerSecond = gigabyte / 4;
        const Job job = chainJob({{0.5e-3, 0.5e-3, 1000000}});
        for (const CollectiveForm form : {CollectiveForm::Analytic, CollectiveForm::Flows}) {
            Scenario s = scenario(job, cluster, allReduceEach(job));
            s.policy.form = form;
            COMPARE_CLOSE(iterationOf(s), 1e-3 + 1.5 * 4e6 / (gigabyte / 4), 1e-9, "one");
            s.policy.connections = 2;
            COMPARE_CLOSE(iterationOf(s), 1e-3 + 1.5 * 4e6 / (gigabyte / 2), 1e-9, "two");
            s.policy.connections = 16;
            COMPARE_CLOSE(iterationOf(s), 1e-3 + 1.5 * 4e6 / gigabyte, 1e-9, "the NIC");
        }
    }

    /// A connection's limit depends on its pair of nodes: less between racks. Rings run at their slowest pair's rate.
    void racksLimitConnections() {
        Cluster cluster = plainCluster(4, gigabyte);
        cluster.connectionBytesPerSecond = gigabyte / 2;
        cluster.acrossRacksBytesPerSecond = gigabyte / 4;
        const Job job = chainJob({{0.5e-3, 0.5e-3, 1000000}});
        for (const std::string racks : {"aaaa", "aabb", "abab", "abcd"}) {
            for (std::size_t n = 0; n < 4; ++n)
                cluster.nodes[n].rack = racks[n];
            const double rate = racks == "aaaa" ? gigabyte / 2 : gigabyte / 4;
            for (const CollectiveForm form : {CollectiveForm::Analytic, CollectiveForm::Flows})
                for (const bool fold : {true, false})
                    for (const int connections : {1, 2, 4}) {
                        Scenario s = scenario(job, cluster, allReduceEach(job));
                        s.policy.form = form;
                        s.policy.connections = connections;
                        s.fold = fold;
                        COMPARE_CLOSE(
                            iterationOf(s), 1e-3 + 1.5 * 4e6 / std::min(gigabyte, rate * connections), 1e-9,
                            fmt::format("{}, {} connections, {}, {}", racks, connections, form == CollectiveForm::Flows, fold));
                    }
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
                               200e-6 + 2 * (3 + chunks - 1) * (bytes / chunks / gigabyte + 10e-6)};
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
        // A group joins those with the same reduction; a system that fuses by itself uses all-reduce, and lint says so.
        const Job three = chainJob({{0, 0, 1000}, {0, 0, 1000}, {0, 0, 1000}});
        Strategy mixed = allReduceEach(three);
        for (NodeConfig &node : mixed.nodes)
            node.synchronizer.group = 0;
        mixed.nodes[1].synchronizer.reduction = Reduction::ScatterGather;
        const auto run = simulate(scenario(three, cluster, mixed));
        QVERIFY(run.has_value());
        QCOMPARE((*run)->graph.units.size(), std::size_t{2});
        QVERIFY(lintPolicy(mixed, (*run)->scenario.policy).empty() ||
                lintPolicy(mixed, (*run)->scenario.policy).front().rule != "reductions-ignored");
        const Strategy plain = allReduceEach(three);
        COMPARE_CLOSE(iterationOf(scenario(three, cluster, mixed, policyOf("ddp"))),
                      iterationOf(scenario(three, cluster, plain, policyOf("ddp"))));
        const auto marks = lintPolicy(mixed, policyOf("ddp"));
        QVERIFY(std::any_of(marks.begin(), marks.end(), [](const LintMark &m) { return m.rule == "reductions-ignored"; }));
    }

    /// Also for pushes and pulls: the remote worker's take longest. A server behind a station, and one on the worker's own node.
    void racksLimitServers() {
        Cluster cluster = servedCluster(4, 10 * gigabyte);
        cluster.connectionBytesPerSecond = gigabyte / 2;
        cluster.acrossRacksBytesPerSecond = gigabyte / 4;
        COMPARE_CLOSE(iterationOf(oneVariable(4, cluster)), 1e-3 + 2 * 2e-3);
        for (const std::size_t far : {0, 3})
            for (const bool fold : {true, false}) {
                Cluster two = cluster;
                two.nodes[far].rack = "far";
                Scenario s = oneVariable(4, two);
                s.fold = fold;
                COMPARE_CLOSE(iterationOf(s), 1e-3 + 2 * 4e-3, 1e-9, fmt::format("worker {} is far, {}", far, fold));
                const auto run = simulate(s);
                const double bound = CauseFinder(**run).bounds().dependencySeconds; // follows worker 0's messages
                COMPARE_CLOSE(bound, 1e-3 + 2 * (far == 0 ? 4e-3 : 2e-3));
            }
        Scenario station = oneVariable(1, servedCluster(1, gigabyte)); // pushed to n1 and moved to n0 from there, and back
        Cluster moved = servedCluster(2, 10 * gigabyte);
        moved.serverOnly = {1, 2};
        moved.connectionBytesPerSecond = gigabyte / 2;
        moved.acrossRacksBytesPerSecond = gigabyte / 4;
        moved.nodes[2].rack = "far";
        Strategy strategy = parameterServers(*station.job, {"n2:CPU:0"});
        strategy.nodes.front().synchronizer.transferDestination = "n1:CPU:0";
        COMPARE_CLOSE(iterationOf(scenario(*station.job, moved, strategy)), 1e-3 + 2 * 2e-3 + 2 * 4e-3);
        Cluster own = plainCluster(1, gigabyte);
        own.connectionBytesPerSecond = gigabyte / 1000; // to other nodes, of which there are none
        Scenario local = scenario(*station.job, own, parameterServers(*station.job, {"n0:CPU:0"}));
        COMPARE_CLOSE(iterationOf(local), 1e-3 + 2e6 / own.intraNodeBandwidthBytesPerSecond);
        own.inNodeConnectionBytesPerSecond = gigabyte / 8;
        COMPARE_CLOSE(iterationOf(scenario(*station.job, own, *local.strategy)), 1e-3 + 2 * 8e-3);
    }

    /// With two NICs a connection uses one; several are distributed over them.
    void connectionsShareNics() {
        const auto of = [](int nics, int connections, int variables) {
            Cluster cluster = servedCluster(1, gigabyte);
            for (Node &node : cluster.nodes)
                node.nics = nics;
            std::vector<LayerSpec> layers(static_cast<std::size_t>(variables), {0, 0, 250000});
            layers.push_back({0.5e-3, 0.5e-3, 0});
            const Job job = chainJob(layers);
            Scenario s = scenario(job, cluster, parameterServers(job, {"n1:CPU:0"}));
            s.policy.connections = connections;
            return iterationOf(s);
        };
        COMPARE_CLOSE(of(1, 1, 1), 1e-3 + 2e-3);
        COMPARE_CLOSE(of(2, 1, 1), 1e-3 + 4e-3); // push and pull at half the rate
        COMPARE_CLOSE(of(4, 1, 1), 1e-3 + 8e-3);
        COMPARE_CLOSE(of(4, 4, 1), 1e-3 + 8e-3);     // a message uses one connection
        COMPARE_CLOSE(of(4, 4, 4), 1e-3 + 8e-3);     // four in parallel
        COMPARE_CLOSE(of(4, 2, 4), 1e-3 + 3 * 4e-3); // two and two, a pull in parallel with the second push
        COMPARE_CLOSE(of(4, 1, 4), 1e-3 + 5 * 4e-3);
    }

    /// Workers with one NIC use a server's two alternately, and bounds account for it.
    void workersFillAServersNics() {
        for (int workers = 1; workers <= 5; ++workers) {
            Cluster cluster = servedCluster(workers, gigabyte);
            cluster.nodes.back().nics = 2;
            const auto run = simulate(oneVariable(workers, cluster));
            QVERIFY(run.has_value());
            const double way = (workers + 1) / 2 * 2e-3; // one NIC's workers, one after another
            COMPARE_CLOSE((*run)->iterationSeconds, 1e-3 + 2 * way, 1e-9, fmt::format("{} workers", workers));
            const IterationBounds bounds = CauseFinder(**run).bounds();
            COMPARE_CLOSE(bounds.networkSeconds, way, 1e-9, fmt::format("{} workers", workers));
            COMPARE_AT_MOST(bounds.largest(), (*run)->iterationSeconds * (1 + 1e-9));
        }
    }

    /// A ring of c connections over n NICs, in either form, folded or not: the NIC with the most connections decides.
    void ringsShareNics() {
        const int nics = 4;
        Cluster cluster = plainCluster(4, gigabyte);
        for (Node &node : cluster.nodes)
            node.nics = nics;
        const Job job = chainJob({{0.5e-3, 0.5e-3, 1000000}});
        for (const int connections : {1, 2, 3, 4, 5, 8, 9}) {
            const int most = (connections + nics - 1) / nics;
            const double rate = gigabyte / nics * connections / most;
            for (const CollectiveForm form : {CollectiveForm::Analytic, CollectiveForm::Flows})
                for (const bool fold : {true, false}) {
                    Scenario s = scenario(job, cluster, allReduceEach(job));
                    s.policy.form = form;
                    s.policy.connections = connections;
                    s.fold = fold;
                    COMPARE_CLOSE(iterationOf(s), 1e-3 + 1.5 * 4e6 / rate, 1e-9,
                                  fmt::format("{} connections, {}, {}", connections, form == CollectiveForm::Flows, fold));
                }
        }
        // The maximum number of connections fills every NIC, including the servers'.
        for (Scenario s :
             {scenario(job, cluster, allReduceEach(job)), scenario(job, cluster, parameterServers(job, {"n3:CPU:0"}))}) {
            s.policy.connections = std::numeric_limits<std::int32_t>::max();
            const bool rings = s.strategy->nodes.front().synchronizer.kind == SynchronizerKind::AllReduce;
            COMPARE_CLOSE(iterationOf(s), 1e-3 + (rings ? 1.5 * 4e6 / gigabyte : 2 * 4e6 / (gigabyte / nics)), 1e-9, "most");
        }
        // Two collectives in flight over one connection each use the same NIC.
        const Job two = chainJob({{0, 0, 1000000}, {0.5e-3, 0.5e-3, 1000000}});
        cluster.channels = 2;
        COMPARE_CLOSE(iterationOf(scenario(two, cluster, allReduceEach(two))), 1e-3 + 2 * 1.5 * 4e6 / (gigabyte / nics));
    }

    /// Collectives on named channels: in parallel, over a shared link, and as many as a policy allows.
    void namedChannelsRunCollectives() {
        Cluster cluster = plainCluster(4, gigabyte / 100); // not used
        cluster.namedChannels = {{"a", {"x"}, gigabyte, 10e-6}, {"b", {"y"}, 0.75 * gigabyte, 10e-6}};
        cluster.channels = 2;
        const double latency = 6 * 10e-6, fast = 1.5 * 4e6 / gigabyte, slow = fast / 0.75;
        const Job one = chainJob({{0.5e-3, 0.5e-3, 1000000}});
        COMPARE_CLOSE(iterationOf(scenario(one, cluster, allReduceEach(one))), 1e-3 + latency + fast);
        const Job two = chainJob({{0, 0, 1000000}, {0.5e-3, 0.5e-3, 1000000}});
        const Scenario apart = scenario(two, cluster, allReduceEach(two));
        COMPARE_CLOSE(iterationOf(apart), 1e-3 + latency + slow);
        const CommPolicy inTurn = policyOf("ddp", {{"concurrent", 1}, {"bucket_cap", 1}, {"first_bucket", 1}});
        COMPARE_CLOSE(iterationOf(scenario(two, cluster, allReduceEach(two), inTurn)), 1e-3 + 2 * (latency + fast));
        cluster.namedChannels[1].links = {"x"};
        COMPARE_CLOSE(iterationOf(scenario(two, cluster, allReduceEach(two))), 1e-3 + latency + fast + slow);
        // As flows they use the NICs, and lint says so.
        cluster.namedChannels[1].links = {"y"};
        Scenario flows = scenario(one, cluster, allReduceEach(one));
        flows.policy.form = CollectiveForm::Flows;
        COMPARE_CLOSE(iterationOf(flows), 1e-3 + 1.5 * 4e6 / (gigabyte / 100));
        QCOMPARE(lintChannels(cluster, flows.policy).size(), std::size_t{1});
        QVERIFY(lintChannels(cluster, apart.policy).empty());
        QVERIFY(lintChannels(plainCluster(4, gigabyte), flows.policy).empty());
    }

    /// A channel that runs two at once: latencies overlap, links are shared, and a policy may still allow one alone.
    void aChannelRunsSeveralCollectives() {
        Cluster cluster = plainCluster(4, gigabyte / 100); // not used
        cluster.namedChannels = {{"a", {"x"}, gigabyte, 1e-3, 0, 2}};
        cluster.channels = 2;
        const double latency = 6 * 1e-3, fast = 1.5 * 4e6 / gigabyte;
        const Job two = chainJob({{0, 0, 1000000}, {0.5e-3, 0.5e-3, 1000000}});
        const auto run = runOf(scenario(two, cluster, allReduceEach(two)));
        QVERIFY(run);
        COMPARE_CLOSE(run->iterationSeconds, 1e-3 + latency + 2 * fast);
        COMPARE_CLOSE(CauseFinder(*run).bounds().networkSeconds, 2 * fast);
        COMPARE_AT_MOST(CauseFinder(*run).bounds().largest(), run->iterationSeconds * (1 + 1e-9));
        const Job three = chainJob({{0, 0, 1000000}, {0, 0, 1000000}, {0.5e-3, 0.5e-3, 1000000}});
        // The third begins when one of the two before has ended.
        COMPARE_CLOSE(iterationOf(scenario(three, cluster, allReduceEach(three))), 1e-3 + 2 * latency + 3 * fast);
        const CommPolicy inTurn = policyOf("ddp", {{"concurrent", 1}, {"bucket_cap", 1}, {"first_bucket", 1}});
        COMPARE_CLOSE(iterationOf(scenario(two, cluster, allReduceEach(two), inTurn)), 1e-3 + 2 * (latency + fast));
        // Beside a channel of half the rate: two on the fast one end at once with one on the slow one.
        cluster.namedChannels = {{"a", {"x"}, gigabyte, 0, 0, 2}, {"b", {"y"}, gigabyte / 2, 0}};
        cluster.channels = 3;
        COMPARE_CLOSE(iterationOf(scenario(three, cluster, allReduceEach(three))), 1e-3 + 2 * fast);
    }

    /// Two collectives in flight have connections of their own, or those of a pair of nodes together; in either form, folded or
    /// not. Without a limit of connections it makes no difference.
    void collectivesShareConnections() {
        const Job job = chainJob({{0, 0, 1000000}, {0.5e-3, 0.5e-3, 1000000}});
        Cluster cluster = plainCluster(4, gigabyte);
        cluster.channels = 2;
        const double alone = 1.5 * 4e6 / gigabyte;
        for (const CollectiveForm form : {CollectiveForm::Analytic, CollectiveForm::Flows})
            for (const bool fold : {true, false})
                for (const double limit : {std::numeric_limits<double>::infinity(), gigabyte / 4})
                    for (const int connections : {1, 2, 3}) {
                        cluster.connectionBytesPerSecond = limit;
                        Scenario s = scenario(job, cluster, allReduceEach(job));
                        s.policy.form = form;
                        s.policy.connections = connections;
                        s.fold = fold;
                        const About about =
                            fmt::format("{}, {}, {}, {}", form == CollectiveForm::Flows, fold, limit, connections);
                        const double own = std::min(1.0, connections * limit / gigabyte);
                        s.policy.sharing = ConnectionSharing::Messages;
                        COMPARE_CLOSE(iterationOf(s), 1e-3 + 2 * alone / std::min(1.0, 2 * own), 1e-9, about);
                        s.policy.sharing = ConnectionSharing::None;
                        COMPARE_CLOSE(iterationOf(s), 1e-3 + 2 * alone / std::min(1.0, 2 * own), 1e-9, about);
                        s.policy.sharing = ConnectionSharing::All;
                        const auto run = runOf(s);
                        QVERIFY(run);
                        COMPARE_CLOSE(run->iterationSeconds, 1e-3 + 2 * alone / own, 1e-9, about);
                        COMPARE_AT_MOST(CauseFinder(*run).bounds().largest(), run->iterationSeconds * (1 + 1e-9), about);
                    }
        // Rounds that are no ring have several partners, so nodes are not folded; the two take as long as one after the other.
        cluster.connectionBytesPerSecond = gigabyte / 4;
        Scenario s = scenario(job, cluster, allReduceEach(job));
        s.policy.form = CollectiveForm::Flows;
        s.policy.algorithm = CollectiveAlgorithm::HalvingDoubling;
        s.policy.sharing = ConnectionSharing::All;
        const auto run = runOf(s);
        QVERIFY(run);
        QCOMPARE(run->graph.workerNames.size(), std::size_t{4});
        COMPARE_CLOSE(run->iterationSeconds, 1e-3 + 2 * 1.5 * 4e6 / (gigabyte / 4));
    }

    /// Where every message has connections of its own, two variables move side by side; P3 still pushes one slice at a time.
    void messagesHaveTheirOwnConnections() {
        Cluster cluster = servedCluster(1, gigabyte);
        cluster.connectionBytesPerSecond = gigabyte / 4;
        const Job job = chainJob({{0, 0, 250000}, {0.5e-3, 0.5e-3, 250000}});
        Scenario s = scenario(job, cluster, parameterServers(job, {"n1:CPU:0"}));
        COMPARE_CLOSE(iterationOf(s), 1e-3 + 2 * 4e-3 + 4e-3);
        s.policy.sharing = ConnectionSharing::None;
        COMPARE_CLOSE(iterationOf(s), 1e-3 + 4e-3 + 4e-3);
        s.policy = policyOf("p3", {{"slice", 1e7}});
        s.policy.barrier = true;
        const double inTurn = iterationOf(s);
        s.policy.sharing = ConnectionSharing::None;
        COMPARE_CLOSE(iterationOf(s), inTurn);
        // What a system opens is among the assumptions where connections have a limit.
        s.policy = policyOf("byteps");
        const auto says = [](const Scenario &of, const char *text) {
            const auto run = runOf(of);
            return run && std::any_of(run->graph.assumptions.begin(), run->graph.assumptions.end(),
                                      [&](const std::string &note) { return note.find(text) != std::string::npos; });
        };
        QVERIFY(says(s, "ps-lite"));
        cluster.connectionBytesPerSecond = std::numeric_limits<double>::infinity();
        s.cluster = std::make_shared<const Cluster>(cluster);
        QVERIFY(!says(s, "ps-lite"));
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
                    double &start =
                        starts[static_cast<std::size_t>(run->graph.worker[t])][static_cast<std::size_t>(run->graph.iteration[t])];
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

    /// BytePS's servers have its own number of threads, whatever the cluster says; its workers have the cluster's.
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

    /// What a faster host lane is worth, against a simulation; and the remedy doubles that lane.
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
