// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/bottleneck.h"
#include "engine/analyze/explain.h"
#include "engine/analyze/link_slopes.h"
#include "engine/analyze/metrics.h"
#include "engine/analyze/remedies.h"
#include "engine/base/rng.h"
#include "engine/cluster/cluster.h"
#include "engine/job/catalogue.h"
#include "engine/strategy/builders.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// Every moment has exactly one cause: no gap and no overlap, from one end to the other.
void verifyWhole(const CauseChain &chain) {
    double at = chain.fromSeconds;
    for (const Cause &cause : chain.causes) {
        QCOMPARE(cause.startSeconds, at);
        COMPARE_ABOVE(cause.endSeconds, cause.startSeconds);
        QVERIFY(cause.kind != CauseKind::Start);
        at = cause.endSeconds;
    }
    QCOMPARE(at, chain.toSeconds);
    COMPARE_CLOSE(std::accumulate(chain.secondsByKind.begin(), chain.secondsByKind.end(), 0.0),
                  chain.toSeconds - chain.fromSeconds);
}

const Remedy *find(const std::vector<Remedy> &remedies, RemedyKind kind) {
    const auto found = std::find_if(remedies.begin(), remedies.end(), [&](const Remedy &r) { return r.kind == kind; });
    return found == remedies.end() ? nullptr : &*found;
}

} // namespace

class TestCauses : public QObject {
    Q_OBJECT

private slots:
    /// One worker, one server, one variable: forward, backward, push and pull run strictly one after another.
    void chainOfOneVariable() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        Scenario s = scenario(job, servedCluster(1, 1e9), parameterServers(job, {"n1:CPU:0"}));
        const auto run = runOf(s);
        const CauseChain chain = CauseFinder(*run).ofIteration();
        verifyWhole(chain);
        COMPARE_CLOSE(chain.seconds(CauseKind::Forward), 0.25);
        COMPARE_CLOSE(chain.seconds(CauseKind::Backward), 0.5);
        COMPARE_CLOSE(chain.seconds(CauseKind::Transfer), 0.2);
        QCOMPARE(chain.seconds(CauseKind::Sharing), 0.0);
        QCOMPARE(chain.causes.size(), std::size_t(4));
        COMPARE_CLOSE(run->iterationSeconds, 0.95);

        const IterationBounds bounds = CauseFinder(*run).bounds();
        COMPARE_CLOSE(bounds.computeSeconds, 0.75);
        COMPARE_CLOSE(bounds.networkSeconds, 0.1);
        COMPARE_CLOSE(bounds.dependencySeconds, 0.95);
    }

    /// Four workers behind one server: each push would need 0.1 s alone, the other 0.3 s are due to sharing.
    void sharingIsTold() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        const auto run = runOf(scenario(job, servedCluster(4, 1e9), parameterServers(job, {"n4:CPU:0"})));
        const CauseFinder finder(*run);
        const CauseChain chain = finder.ofIteration();
        verifyWhole(chain);
        COMPARE_CLOSE(chain.toSeconds - chain.fromSeconds, 0.75 + 0.8);
        // Folded workers are one flow of weight 4: its own time is that of the path if only this class uses it.
        COMPARE_CLOSE(chain.seconds(CauseKind::Transfer) + chain.seconds(CauseKind::Sharing), 0.8);
        Scenario unfolded = run->scenario;
        unfolded.fold = false;
        const CauseChain each = CauseFinder(*runOf(unfolded)).ofIteration();
        verifyWhole(each);
        COMPARE_CLOSE(each.seconds(CauseKind::Transfer), 0.2);
        COMPARE_CLOSE(each.seconds(CauseKind::Sharing), 0.6);
        QVERIFY(finder.slowestLink(chain.causes.back().task).exists());
    }

    /// Two variables with a credit of one part: the second waits for the first one's slot, not for a result.
    void queueIsTold() {
        const Job job = chainJob({{0.1, 0.01, 25'000'000}, {0.1, 0.1, 25'000'000}});
        CommPolicy policy = policyOf("bytescheduler", {{"partition", 100e6}, {"credit", 100e6}});
        policy.barrier = true;
        const auto run = runOf(scenario(job, servedCluster(1, 1e9), parameterServers(job, {"n1:CPU:0"}), policy));
        const CauseChain chain = CauseFinder(*run).ofIteration();
        verifyWhole(chain);
        QVERIFY(std::any_of(chain.causes.begin(), chain.causes.end(),
                            [](const Cause &cause) { return cause.throughQueue.exists(); }));
    }

    /// A wait anywhere in the run: from the stream's last work to its next; busy moments have no cause.
    void waits() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        const auto run = runOf(scenario(job, servedCluster(1, 1e9), parameterServers(job, {"n1:CPU:0"})));
        const CauseFinder finder(*run);
        const double window = run->windowStartSeconds;
        const CauseChain wait = finder.ofWait(0, window + 0.8);
        verifyWhole(wait);
        COMPARE_CLOSE(wait.fromSeconds, window + 0.75);
        COMPARE_CLOSE(wait.toSeconds, window + 0.95);
        COMPARE_CLOSE(wait.seconds(CauseKind::Transfer), 0.2);
        QVERIFY(finder.ofWait(0, window + 0.3).causes.empty());
        QVERIFY(finder.ofWait(0, 1e9).causes.empty());
        QCOMPARE(finder.describe(wait.causes.front()).substr(0, 4), std::string("push"));
        QCOMPARE(finder.describe(wait.causes.back()).substr(0, 4), std::string("pull"));
    }

    /// The server's faster link against the closed form of its effect; the barrier may go, and there is nothing to move or group.
    void remediesOfASharedLink() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        const auto run = runOf(scenario(job, servedCluster(4, 1e9), parameterServers(job, {"n4:CPU:0"})));
        const CauseFinder finder(*run);
        const auto remedies = proposeRemedies(*run, finder, finder.ofIteration());
        // Four workers through the server's doubled NIC: 0.1 s each way at half a NIC each, where it took 0.4 s at a quarter.
        const Remedy *doubled = find(remedies, RemedyKind::DoubleLink);
        QVERIFY(doubled);
        QVERIFY2(doubled->text.english().find("n4") != std::string::npos, doubled->text.english().c_str());
        COMPARE_CLOSE(runOf(doubled->scenario())->iterationSeconds, 0.75 + 0.4);
        QVERIFY(find(remedies, RemedyKind::DropBarrier));
        QVERIFY(!find(remedies, RemedyKind::MoveVariable)); // nowhere to go
        QVERIFY(!find(remedies, RemedyKind::Group));
    }

    void remedyMovesToTheIdleServer() {
        const Job job = chainJob({{0.1, 0.1, 25'000'000}, {0.1, 0.1, 25'000'000}});
        Cluster cluster = plainCluster(4, 1e9);
        cluster.serverOnly = {2, 3};
        const auto run = runOf(scenario(job, cluster, parameterServers(job, {"n2:CPU:0"})));
        const CauseFinder finder(*run);
        const auto remedies = proposeRemedies(*run, finder, finder.ofIteration());
        const Remedy *moved = find(remedies, RemedyKind::MoveVariable);
        QVERIFY(moved);
        QVERIFY2(moved->text.english().find("n3:CPU:0") != std::string::npos, moved->text.english().c_str());
        const auto on = [&](const char *device) {
            return std::count_if(moved->scenario().strategy->nodes.begin(), moved->scenario().strategy->nodes.end(),
                                 [&](const NodeConfig &node) { return node.synchronizer.reductionDestination == device; });
        };
        QCOMPARE(on("n2:CPU:0"), 1);
        QCOMPARE(on("n3:CPU:0"), 1);
        // One server: 0.2 s for the two pushes of each variable, one variable after the other; the last pull ends 0.5 s after the
        // second backward began. Two servers: the first layer's push only shares the worker's NIC.
        COMPARE_CLOSE(run->iterationSeconds, 0.9);
        COMPARE_CLOSE(runOf(moved->scenario())->iterationSeconds, 0.8);
    }

    /// A policy cuts variables and parts into slices, but a strategy moves them whole: the one with the most bytes on the path.
    void remedyMovesWhatAPolicyCuts() {
        const Job job = chainJob({{0.1, 0.1, 5'000'000}, {0.1, 0.1, 25'000'000}});
        Cluster cluster = plainCluster(4, 1e9);
        cluster.serverOnly = {2, 3};
        Strategy strategy = parameterServers(job, {"n2:CPU:0"});
        CommPolicy policy = policyOf("bytescheduler", {{"partition", 16e6}});
        const auto movedText = [&] {
            const auto run = runOf(scenario(job, cluster, strategy, policy));
            const CauseFinder finder(*run);
            const auto remedies = proposeRemedies(*run, finder, finder.ofIteration());
            const Remedy *moved = find(remedies, RemedyKind::MoveVariable);
            if (!moved)
                return std::string("none");
            std::string text = moved->text.english();
            for (const NodeConfig &node : moved->scenario().strategy->nodes) {
                text += " " + node.synchronizer.reductionDestination.substr(0, 2);
                for (const PartConfig &part : node.parts)
                    text += "," + part.synchronizer.reductionDestination.substr(0, 2);
            }
            return text;
        };
        QCOMPARE(movedText(), std::string("Move layer1/kernel:0 to n3:CPU:0 n2 n3"));
        for (const char *places : {"bytescheduler(hash=mxnet)", "byteps", "p3", "poseidon"}) { // wherever the strategy has them
            policy = must(parsePolicy(places));
            QCOMPARE(movedText(), std::string("none"));
        }
        policy = policyOf("bytescheduler", {{"partition", 16e6}});
        NodeConfig &large = strategy.nodes[1];
        large.partitions = {2};
        for (const int part : {0, 1})
            large.parts.push_back({partName(large.variableName, part), large.synchronizer});
        const std::string ofPart = movedText();
        QVERIFY2(ofPart == "Move layer1/kernel:0 part 0 to n3:CPU:0 n2 n2,n3,n2" ||
                     ofPart == "Move layer1/kernel:0 part 1 to n3:CPU:0 n2 n2,n2,n3",
                 ofPart.c_str());
    }

    void remedyGroupsInPairs() {
        const Job job = chainJob({{0.1, 0.1, 100}, {0.1, 0.1, 100}, {0.1, 0.1, 100}});
        Cluster cluster = plainCluster(4, 1e9);
        cluster.latencySeconds = 0.05;
        for (const char *alone : {"bytescheduler", "byteps", "p3", "poseidon"}) { // they send every variable by itself
            const auto run = runOf(scenario(job, cluster, allReduceEach(job), must(parsePolicy(alone))));
            const CauseFinder finder(*run);
            QVERIFY2(!find(proposeRemedies(*run, finder, finder.ofIteration()), RemedyKind::Group), alone);
        }
        const auto run = runOf(scenario(job, cluster, allReduceEach(job)));
        const CauseFinder finder(*run);
        const auto remedies = proposeRemedies(*run, finder, finder.ofIteration());
        const Remedy *grouped = find(remedies, RemedyKind::Group);
        QVERIFY(grouped);
        QCOMPARE(grouped->text.english(), std::string("Reduce in 2 groups instead of 3"));
        std::vector<std::int32_t> groups;
        for (const NodeConfig &node : grouped->scenario().strategy->nodes)
            groups.push_back(node.synchronizer.group);
        QCOMPARE(groups, (std::vector<std::int32_t>{0, 0, 1}));
        COMPARE_BELOW(runOf(grouped->scenario())->iterationSeconds, run->iterationSeconds - 0.1);
    }

    /// Another order is proposed over the connections that there are, not over one.
    void remedyOfTheOrderKeepsTheConnections() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        const auto policy = parsePolicy("fifo(connections=4,sharing=none)");
        QVERIFY(policy.has_value());
        const auto run = runOf(scenario(job, servedCluster(2, 1e9), parameterServers(job, {"n2:CPU:0"}), *policy));
        const CauseFinder finder(*run);
        const auto remedies = proposeRemedies(*run, finder, finder.ofIteration());
        const Remedy *ordered = find(remedies, RemedyKind::Prioritise);
        QVERIFY(ordered);
        const CommPolicy &proposed = ordered->scenario().policy;
        QCOMPARE(proposed.kind().name, std::string("bytescheduler"));
        QCOMPARE(proposed.connections, 4);
        QVERIFY2(proposed.sharing == ConnectionSharing::None, formatPolicy(proposed).c_str());
    }

    void computingAloneHasNoRemedy() {
        const Job job = chainJob({{0.25, 0.5, 0}});
        const auto run = runOf(scenario(job, plainCluster(1, 1e9), Strategy{}));
        const CauseFinder finder(*run);
        QVERIFY(proposeRemedies(*run, finder, finder.ofIteration()).empty());
    }

    /// The slowest worker bounds an iteration, at any position in the list.
    void theSlowestWorkerIsABound() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        for (const std::size_t slow : {0U, 1U}) {
            Cluster cluster = plainCluster(2, 1e9);
            cluster.nodes[slow].computeScale = 0.5;
            const auto run = runOf(scenario(job, cluster, allReduceEach(job)));
            COMPARE_CLOSE(CauseFinder(*run).bounds().computeSeconds, 1.5, 1e-9, fmt::format("node {}", slow));
        }
    }

    /// Two all-reduces of 0.1 s run one after the other in one channel, and in parallel in two.
    void channelsAreABound() {
        const Job job = chainJob({{0.01, 0.01, 25'000'000}, {0.01, 0.01, 25'000'000}});
        Cluster cluster = plainCluster(2, 1e9);
        for (const std::int32_t channels : {1, 2}) {
            cluster.channels = channels;
            const auto run = runOf(scenario(job, cluster, allReduceEach(job)));
            COMPARE_CLOSE(CauseFinder(*run).bounds().queueSeconds, 0.2 / channels, 1e-9, fmt::format("{} channels", channels));
        }
    }

    /// Asynchronous workers of two speeds: the path covers one iteration, and the bound is by compute alone.
    void driftingWorkers() {
        const Job job = chainJob({{0.25, 0.5, 25'000'000}});
        Strategy strategy = parameterServers(job, {"n2:CPU:0"});
        for (NodeConfig &node : strategy.nodes)
            node.synchronizer.sync = false;
        Cluster cluster = servedCluster(2, 1e9);
        cluster.nodes[1].computeScale = 0.5;
        const auto run = runOf(scenario(job, cluster, strategy));
        QVERIFY(!run->graph.workersInStep);
        const CauseChain chain = CauseFinder(*run).ofIteration();
        verifyWhole(chain);
        const IterationBounds bounds = CauseFinder(*run).bounds();
        // 0.75 s and 1.5 s per step: two steps take 2 / (1 / 0.75 + 1 / 1.5).
        COMPARE_CLOSE(bounds.computeSeconds, 1.0);
        COMPARE_AT_MOST(bounds.largest(), run->iterationSeconds * (1 + 1e-9));
    }

    void everyScenario_data() {
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<QString>("policy");
        QTest::addColumn<bool>("fold");
        for (const char *strategy : {"PS", "PSLoadBalancing", "PartitionedPS", "AllReduce(chunk_size=32)"})
            for (const char *policy : {"fifo", "fifo(barrier=off)", "bytescheduler", "ddp", "ddp(form=flows)", "p3", "tic"})
                for (const bool fold : {true, false})
                    if (!std::string(policy).starts_with("ddp") || std::string(strategy).starts_with("AllReduce"))
                        QTest::addRow("%s %s %s", strategy, policy, fold ? "folded" : "every node") << strategy << policy << fold;
    }

    /// The pieces of the critical path add up to the iteration, and no bound exceeds it.
    void everyScenario() {
        QFETCH(QString, strategy);
        QFETCH(QString, policy);
        QFETCH(bool, fold);
        Scenario s;
        s.job = std::make_shared<const Job>(*catalogueJob("resnet50"));
        s.cluster = std::make_shared<const Cluster>(uniformCluster(4, 10));
        const auto built = buildStrategy(strategy.toStdString(), *s.job, *s.cluster);
        VERIFY_VALUE(built);
        s.strategy = std::make_shared<const Strategy>(*built);
        s.policy = *parsePolicy(policy.toStdString());
        s.fold = fold;
        const auto run = runOf(s);
        const CauseChain chain = CauseFinder(*run).ofIteration();
        verifyWhole(chain);
        // The chain is about the last full iteration, which differs from the mean if iterations alternate.
        const auto &starts = run->timeline.iterationStart;
        COMPARE_CLOSE(chain.toSeconds - chain.fromSeconds, static_cast<double>(starts.back() - starts[starts.size() - 2]) * 1e-9,
                      1e-7);
        const IterationBounds bounds = CauseFinder(*run).bounds();
        COMPARE_ABOVE(bounds.computeSeconds, 0);
        COMPARE_ABOVE(bounds.networkSeconds, 0);
        COMPARE_ABOVE(bounds.dependencySeconds, 0);
        COMPARE_AT_MOST(bounds.largest(), run->iterationSeconds * (1 + 1e-9));
    }

    /// Four workers, whose pushes and pulls of 100 MB share a server's link of 1.25 GB/s. A worker alone takes 80 ms for each and
    /// 3 ms to compute: folded or not, no other bound exceeds the link's.
    void foldedWorkersAreBoundAsApart() {
        const Job job = chainJob({{1e-3, 2e-3, 25'000'000}});
        for (const bool fold : {true, false}) {
            Scenario s = scenario(job, servedCluster(4, 1.25e9), parameterServers(job, {"n4:CPU:0"}));
            s.fold = fold;
            const auto run = runOf(s);
            COMPARE_CLOSE(run->iterationSeconds, 4 * 0.16 + 3e-3, 1e-6, fold ? "folded" : "apart");
            const CauseFinder finder(*run);
            COMPARE_CLOSE(finder.bounds().dependencySeconds, 0.163, 1e-6, fold ? "folded" : "apart");
            COMPARE_AT_MOST(finder.bounds().queueSeconds, 0.64 + 1e-9, fold ? "folded" : "apart");
            const CauseChain chain = finder.ofIteration();
            COMPARE_CLOSE(chain.seconds(CauseKind::Transfer), 0.16, 1e-6, fold ? "folded" : "apart");
            COMPARE_CLOSE(chain.seconds(CauseKind::Sharing), 0.48, 1e-6, fold ? "folded" : "apart");
        }
    }

    /// The server shares worker 0's node, whose own copies run beside the awaited transfers: 100 MB to and from three others over
    /// the node's card. Slopes equal the saving of a faster card, and nothing depends on the fabric.
    void slopesAreOfAPeriod() {
        const Job job = chainJob({{1e-3, 2e-3, 25'000'000}});
        const auto secondsAt = [&](double bytesPerSecond) {
            Cluster cluster = plainCluster(4, 1.25e9);
            cluster.nodes[0].bandwidthBytesPerSecond = bytesPerSecond;
            cluster.intraNodeBandwidthBytesPerSecond = 12e9;
            return scenario(job, cluster, parameterServers(job, {"n0:CPU:0"}));
        };
        const auto run = runOf(secondsAt(1.25e9));
        const CauseFinder finder(*run);
        const CauseChain period = finder.ofPeriod();
        verifyWhole(period);
        COMPARE_CLOSE(period.toSeconds - period.fromSeconds, run->iterationSeconds, 1e-6);
        COMPARE_CLOSE(finder.bounds().dependencySeconds, 0.163, 1e-6); // of a worker on another node
        double slope = 0;
        for (const LinkSlope &of : linkSlopes(*run, finder, period)) {
            QVERIFY2(!run->graph.links[of.link.index()].isFabric, run->graph.links[of.link.index()].name.c_str());
            slope += of.secondsPerGbit;
        }
        const double faster = runOf(secondsAt(1.25e9 * 1.001))->iterationSeconds;
        COMPARE_CLOSE(slope, (faster - run->iterationSeconds) / 0.01, 2e-3); // 0.1 % of 10 Gbit/s
    }

    /// A faster link's saving equals a simulation of the faster cluster, also far from the derivative: of two equal servers one
    /// alone saves nothing, and a server's link gains only until a worker's is the slowest.
    void savingsAreSimulated() {
        const Job job = chainJob({{1e-3, 2e-3, 25'000'000}, {1e-3, 2e-3, 25'000'000}});
        for (const bool unequal : {false, true}) {
            Cluster cluster = servedCluster(2, 1.25e9);
            cluster.nodes.push_back(cluster.nodes.back());
            cluster.nodes.back().address = "n3";
            cluster.serverOnly = {2, 3};
            if (unequal)
                cluster.nodes[3].bandwidthBytesPerSecond /= 2;
            const auto on = [&](const Cluster &of) { return scenario(job, of, parameterServers(job, {"n2:CPU:0", "n3:CPU:0"})); };
            const auto run = runOf(on(cluster));
            const CauseFinder finder(*run);
            std::size_t simulated = 0;
            for (const LinkSlope &of : linkSlopes(*run, finder, finder.ofPeriod()))
                for (const double gbits : {0.5, 20.0}) {
                    Cluster faster = cluster;
                    for (const std::int32_t node : run->graph.links[of.link.index()].nodes)
                        faster.nodes[static_cast<std::size_t>(node)].bandwidthBytesPerSecond += gbits * 1e9 / 8;
                    const auto saved = savedByFasterLink(*run, of.link, gbits);
                    VERIFY_VALUE(saved);
                    COMPARE_WITHIN(*saved, run->iterationSeconds - runOf(on(faster))->iterationSeconds, 1e-9,
                                   About(fmt::format("{} Gbit/s more", gbits)));
                    ++simulated;
                }
            COMPARE_ABOVE(simulated, std::size_t{0});
        }
    }

    /// Links of named channels have rates of their own, however the graph counts their traffic.
    void savingsOfChannelsAreSimulated() {
        Cluster cluster = plainCluster(4, 1e7); // not used
        cluster.linkEfficiency = 0.5;           // nor is it of channels
        cluster.namedChannels = {{"a", {"x"}, 1e9, 10e-6}, {"b", {"y"}, 0.75e9, 10e-6}};
        cluster.channels = 2;
        cluster.namedChannels.push_back({"unused", {"y"}, 3e9, 10e-6}); // beyond the number
        const Job job = chainJob({{0, 0, 1'000'000}, {0.5e-3, 0.5e-3, 1'000'000}});
        const auto run = runOf(scenario(job, cluster, allReduceEach(job)));
        const CauseFinder finder(*run);
        const auto slopes = linkSlopes(*run, finder, finder.ofPeriod());
        const auto slow =
            std::ranges::find(slopes, "y", [&](const LinkSlope &of) { return run->graph.links[of.link.index()].name; });
        QVERIFY(slow != slopes.end());
        const double seconds = 1.5 * 4e6 / 0.75e9; // of the ring, over 6 Gbit/s
        COMPARE_CLOSE(slow->secondsPerGbit, -seconds / 6);
        cluster.namedChannels[1].bandwidthBytesPerSecond += 0.5e9 / 8;
        const double faster = runOf(scenario(job, cluster, allReduceEach(job)))->iterationSeconds;
        const auto saved = savedByFasterLink(*run, slow->link, 0.5);
        VERIFY_VALUE(saved);
        COMPARE_CLOSE(*saved, run->iterationSeconds - faster);
    }

    /// A gain within its uncertainty helps less than a small one that is certain.
    void doubtfulGainsComeLater() {
        RemedyRow doubtful{.remedy = {}, .iterationSeconds = 0.97, .gain = 0.03, .doubt = 0.05};
        RemedyRow certain{.remedy = {}, .iterationSeconds = 0.99, .gain = 0.01};
        QVERIFY(!doubtful.helps() && certain.helps());
        QVERIFY(ranksBefore(certain, doubtful) && !ranksBefore(doubtful, certain));
        doubtful.doubt = 0.02;
        QVERIFY(doubtful.helps() && ranksBefore(doubtful, certain));
    }

    /// Connections at a tenth of the cards' rate take nearly all of the time, so that the lanes inside the nodes, which limit the
    /// rest, are not what limits the network.
    void connectionsAtTheirOwnLimitAreNamed() {
        const Job job = chainJob({{0.010, 0.020, 25'000'000}});
        Cluster cluster = plainCluster(2, 1e9);
        for (Node &node : cluster.nodes)
            node.gpus = {0, 1};
        cluster.intraNodeBandwidthBytesPerSecond = 5e10;
        const auto bottleneck = [&] {
            const auto run = runOf(scenario(job, cluster, parameterServers(job, {"n0:CPU:0"})));
            const CauseFinder finder(*run);
            if (linkSlopes(*run, finder, finder.ofPeriod()).empty())
                return IterationBottleneck{};
            return bottleneckOf(*run, finder, finder.ofIteration());
        };
        const IterationBottleneck unlimited = bottleneck();
        QVERIFY(unlimited.kind == Bottleneck::Network);
        QVERIFY2(unlimited.resource.starts_with("n0 "), unlimited.resource.c_str());
        cluster.connectionBytesPerSecond = 1e8;
        const IterationBottleneck limited = bottleneck();
        QVERIFY(limited.kind == Bottleneck::Network);
        QCOMPARE(limited.resource, std::string("connections at their own limit"));
    }

    /// Launch gaps of 34 of 40 ms: causes and bounds call them waiting for the host, by as much as the figures of the timeline.
    void waitingForTheHostIsNamed() {
        Job job = chainJob({{0.010, 0.020, 1'000}, {0.004, 0.006, 1'000}});
        job.layers[0].forwardHostSeconds = 0.009;
        job.layers[0].backwardHostSeconds = 0.018;
        job.layers[1].forwardHostSeconds = 0.003;
        job.layers[1].backwardHostSeconds = 0.004;
        const auto run = runOf(scenario(job, plainCluster(2, 1e12), allReduceEach(job)));
        const CauseFinder finder(*run);
        const CauseChain chain = finder.ofIteration();
        verifyWhole(chain);
        const AreaStatistics area = iterationStatistics(*run);
        COMPARE_WITHIN(chain.seconds(CauseKind::HostWait), 0.034, 1e-12);
        COMPARE_WITHIN(chain.seconds(CauseKind::HostWait), area.hostWaitSeconds, 1e-8);
        COMPARE_WITHIN(chain.seconds(CauseKind::Forward) + chain.seconds(CauseKind::Backward), area.computeSeconds, 1e-8);
        const IterationBounds bounds = finder.bounds();
        COMPARE_CLOSE(bounds.computeSeconds, 0.040);
        COMPARE_CLOSE(bounds.hostWaitSeconds, 0.034);
        QVERIFY(bottleneckOf(*run, finder, chain).kind == Bottleneck::Host);
        QVERIFY(bottleneckOf(*run, finder, chain).resource.empty()); // no message's

        // One row a pass still, which says both.
        const auto rows = causeRows(chain, run->graph, [&](const Cause &cause) { return finder.words(cause); });
        QVERIFY(!rows.empty());
        const std::string what = rows.front().what.english(), how = rows.front().how.english();
        QVERIFY2(what.starts_with("forward of 2 layers, from layer0, worker"), what.c_str());
        QVERIFY2(how.starts_with("forward 2") && how.find("; waiting for host 12") != std::string::npos, how.c_str());
        QVERIFY(rows.front().kind == CauseKind::HostWait);

        // The gap behind layer 0's forward is explained by it, as far as it is drawn.
        const double begin = run->windowStartSeconds;
        const CauseChain gap = finder.ofWait(0, begin + 0.005);
        COMPARE_WITHIN(gap.seconds(CauseKind::HostWait), 0.009, 1e-9);
        COMPARE_WITHIN(gap.toSeconds - gap.fromSeconds, 0.009, 1e-9);
        QVERIFY(finder.ofWait(0, begin + 0.0005).causes.empty()); // busy
    }

    /// Three copies of 10 ms and one update of 20 ms, one after another on the compute stream, are two rows: copies are no
    /// layers.
    void copiesAreNoLayersOfAnUpdate() {
        Job job = chainJob({{0.1, 0.1, 1'000}, {0.1, 0.1, 1'000}, {0.1, 0.1, 1'000}});
        job.hostSecondsPerByteAfterReceive = 0.01 / 4'000;
        job.updateSeconds = 0.02;
        const auto run = runOf(scenario(job, plainCluster(2, 1e9), allReduceEach(job)));
        const CauseFinder finder(*run);
        const CauseChain chain = finder.ofIteration();
        const auto rows = causeRows(chain, run->graph, [&](const Cause &cause) { return finder.words(cause); });
        QCOMPARE(rows.size(), std::size_t{4}); // forward and backward first; the all-reduces pass beside them and the copies
        QCOMPARE(rows[2].what.english(), std::string("3 host copies, from layer2/kernel:0, workers 0–1"));
        COMPARE_CLOSE(rows[2].endSeconds - rows[2].startSeconds, 0.03);
        QCOMPARE(rows[3].what.english(), std::string("update of all variables, workers 0–1"));
        COMPARE_CLOSE(rows[3].endSeconds - rows[3].startSeconds, 0.02);
    }

    /// A row has tasks of one kind: a compressor's, both ways, and the updates of layers.
    void rowsAreOfOneKind() {
        TaskGraph graph;
        CauseChain chain;
        for (const TaskKind kind : {TaskKind::Encode, TaskKind::Decode, TaskKind::HostCopy, TaskKind::Update})
            for (int i = 0; i < 2; ++i) {
                const auto at = static_cast<double>(graph.kind.size());
                chain.causes.push_back({CauseKind::Update, TaskId(graph.kind.size()), at, at + 1, {}});
                graph.kind.push_back(kind);
                graph.worker.emplace_back(0);
            }
        std::vector<std::string> texts;
        for (const CauseRow &row : causeRows(chain, graph, [](const Cause &) { return CauseWords{named("x"), named("x")}; }))
            texts.push_back(row.what.english());
        QCOMPARE(texts, (std::vector<std::string>{"2 compressions, from x", "2 decompressions, from x", "2 host copies, from x",
                                                  "update of 2 layers, from x"}));
    }

    void jobsWithoutSuchWaitsHaveNone() {
        const Job job = chainJob({{0.010, 0.020, 1'000}});
        const auto run = runOf(scenario(job, plainCluster(2, 1e12), allReduceEach(job)));
        QCOMPARE(CauseFinder(*run).ofIteration().seconds(CauseKind::HostWait), 0.0);
        QCOMPARE(CauseFinder(*run).bounds().hostWaitSeconds, 0.0);
    }
};

QTEST_APPLESS_MAIN(TestCauses)
#include "tst_causes.moc"
