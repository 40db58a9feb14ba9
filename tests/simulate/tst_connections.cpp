// SPDX-License-Identifier: GPL-3.0-or-later
// Limits and numbers of connections, and the NICs, racks and channels that they share. Closed forms.
#include "engine/analyze/causes.h"
#include "engine/strategy/lint.h"
#include "tests/simulate/small_steps.h"

#include <QtTest>
#include <algorithm>
#include <limits>

using namespace syncopate;
using namespace syncopate::testing;

class TestConnections : public QObject {
    Q_OBJECT

private slots:
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
                const double bound = CauseFinder(**run).bounds().dependencySeconds; // of the worker that is far
                COMPARE_CLOSE(bound, 1e-3 + 2 * 4e-3);
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
        cluster.host.collectiveSeconds = 2e-3; // the host launches it, once
        COMPARE_CLOSE(iterationOf(scenario(one, cluster, allReduceEach(one))), 1e-3 + 2e-3 + latency + fast);
        cluster.host.collectiveSeconds = 0;
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

    /// Two collectives in flight have connections of their own, or share those of a pair of nodes; in either form, folded or not.
    /// Without a limit of connections it makes no difference.
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
        // Also where the first round stays inside the nodes, between their two devices.
        for (Node &node : cluster.nodes)
            node.gpus = {0, 1};
        s.cluster = std::make_shared<const Cluster>(cluster);
        QCOMPARE(runOf(s)->graph.workerNames.size(), std::size_t{4});
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
        s.policy.sharing = ConnectionSharing::Messages;
        s.policy.connections = 4; // one slice at a time with any of them
        COMPARE_CLOSE(iterationOf(s), inTurn);
        // The number of connections that a system opens is among the assumptions where connections have a limit.
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
};

QTEST_GUILESS_MAIN(TestConnections)
#include "tst_connections.moc"
