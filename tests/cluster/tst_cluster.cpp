// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/units.h"
#include "engine/cluster/cluster.h"
#include "engine/cluster/conditions.h"
#include "tests/checks.h"

#include <QtTest>

#include <QDir>

using namespace syncopate;

namespace {

const std::string twoNodes = R"(nodes:
  - address: 10.0.0.1
    gpus: [0, 1]
    chief: true
  - address: 10.0.0.2
    gpus: [1, 0]
    ssh_config: conf
    network_bandwidth: 25
ssh:
  conf: {username: root, key_file: ~/.ssh/id_rsa, port: 2222, shared_envs: {A: b}}
)";

std::string with(const std::string &from, const std::string &to) {
    std::string text = twoNodes;
    const std::size_t at = text.find(from);
    Q_ASSERT(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

using Texts = std::vector<std::string>;

} // namespace

class TestCluster : public QObject {
    Q_OBJECT
private slots:
    void readsAutoDistsKeys();
    void defaults();
    void cpusCountOnlyWithoutGpus();
    void lastChiefWins();
    void optionalKeys();
    void namedChannels();
    void concurrentChannels();
    void aPlansConnectionIsLimited();
    void slowestNode();
    void hostLanes();
    void measuredCollectives();
    void figureNotes();
    void olderNotesOfFigures();
    void unknownKeysAreIgnored();
    void aliasesAreLimited();
    void nics();
    void flowLimits();
    void refuses_data();
    void refuses();
    void truncationsDoNotThrow();
    void damagedFiles();
    void goldenSpecs();
    void roundTrips();
    void uniform();
    void workers();
    void loopbackBecomesReachable();
    void bandwidth();
    void dedicatedServers();
    void catalogue();
};

void TestCluster::readsAutoDistsKeys() {
    const auto cluster = readResourceSpecText(twoNodes);
    VERIFY_VALUE(cluster);
    QCOMPARE(cluster->nodes.size(), std::size_t{2});
    QVERIFY(cluster->nodes[0].chief);
    QVERIFY(!cluster->nodes[1].chief);
    QCOMPARE(cluster->nodes[0].bandwidthBytesPerSecond, 1e9 / 8); // AutoDist's default: 1 Gbit/s
    QCOMPARE(cluster->nodes[1].bandwidthBytesPerSecond, 25e9 / 8);
    QCOMPARE(cluster->ssh.at("conf").port, 2222);
    QCOMPARE(cluster->ssh.at("conf").sharedEnvs.at("A"), std::string("b"));
    QVERIFY((cluster->replicaDevices() == Texts{"10.0.0.1:GPU:0", "10.0.0.1:GPU:1", "10.0.0.2:GPU:0", "10.0.0.2:GPU:1"}));
    QVERIFY((cluster->reductionDevices() == Texts{"10.0.0.1:CPU:0", "10.0.0.2:CPU:0"}));
    QCOMPARE(cluster->replicaCount(), 4);
    QCOMPARE(cluster->nodeOf("10.0.0.2:GPU:1"), 1);
    QCOMPARE(cluster->nodeOf("10.0.0.1"), 0);
    QCOMPARE(cluster->nodeOf("10.0.0.3:CPU:0"), -1);
}

void TestCluster::defaults() {
    const auto cluster = readResourceSpecText("nodes:\n - address: localhost\n");
    VERIFY_VALUE(cluster);
    QVERIFY(cluster->nodes[0].chief);
    QVERIFY((cluster->replicaDevices() == Texts{"localhost:CPU:0"}));
    QCOMPARE(cluster->latencySeconds, 0.0);
    QCOMPARE(cluster->channels, 1);
    const auto zero = readResourceSpecText("nodes: [{address: 1.2.3.4, network_bandwidth: 0}]");
    VERIFY_VALUE(zero);
    QCOMPARE(zero->nodes[0].bandwidthBytesPerSecond, 1e9 / 8);
}

void TestCluster::cpusCountOnlyWithoutGpus() {
    const auto cluster = readResourceSpecText(with("gpus: [1, 0]", "cpus: [2, 1]"));
    VERIFY_VALUE(cluster);
    QVERIFY((cluster->replicaDevices() ==
             Texts{"10.0.0.1:GPU:0", "10.0.0.1:GPU:1", "10.0.0.2:CPU:0", "10.0.0.2:CPU:1", "10.0.0.2:CPU:2"}));
    QVERIFY((cluster->reductionDevices() == Texts{"10.0.0.1:CPU:0", "10.0.0.2:CPU:0", "10.0.0.2:CPU:1", "10.0.0.2:CPU:2"}));
    const auto both = readResourceSpecText(with("gpus: [1, 0]", "gpus: [0]\n    cpus: [0, 1, 2]"));
    VERIFY_VALUE(both);
    QVERIFY((both->reductionDevices() == Texts{"10.0.0.1:CPU:0", "10.0.0.2:CPU:0"}));
}

void TestCluster::lastChiefWins() {
    const auto cluster = readResourceSpecText(
        "nodes:\n - {address: 1.1.1.1, chief: true, ssh_config: c}\n - {address: 1.1.1.2, chief: true}\nssh: {c: {}}\n");
    VERIFY_VALUE(cluster);
    QVERIFY(!cluster->nodes[0].chief);
    QVERIFY(cluster->nodes[1].chief);
}

void TestCluster::optionalKeys() {
    const auto cluster =
        readResourceSpecText(twoNodes + "latency_seconds: 5e-5\nintra_node_bandwidth: 128\nlink_efficiency: 0.9\n"
                                        "collective_efficiency: 0.5\nmessage_seconds: 1e-6\nchannels: 2\n"
                                        "name: lab\nserver_only: [10.0.0.2]\nnotes: [one, two]\n");
    VERIFY_VALUE(cluster);
    QCOMPARE(cluster->latencySeconds, 5e-5);
    QCOMPARE(cluster->intraNodeBandwidthBytesPerSecond, 16e9);
    QCOMPARE(cluster->linkEfficiency, 0.9);
    QCOMPARE(cluster->collectiveEfficiency, 0.5);
    QCOMPARE(cluster->messageSeconds, 1e-6);
    QCOMPARE(cluster->channels, 2);
    QCOMPARE(cluster->name, std::string("lab"));
    QVERIFY(cluster->serverOnly == std::vector<std::int32_t>{1});
    QCOMPARE(cluster->notes.size(), std::size_t{2});
    QVERIFY((cluster->replicaDevices() == Texts{"10.0.0.1:GPU:0", "10.0.0.1:GPU:1"}));
    QVERIFY((cluster->reductionDevices() == Texts{"10.0.0.2:CPU:0"}));
}

/// A channel's keys survive a round trip; unset ones are not written.
void TestCluster::namedChannels() {
    const std::string text = twoNodes +
                             "channels: [{name: fast, links: [a, b], bandwidth: 8, latency_seconds: 5e-6, incast: 0.4}, "
                             "{name: slow, bandwidth: 1}]\n";
    const auto cluster = readResourceSpecText(text);
    QVERIFY2(cluster.has_value(), cluster ? "" : cluster.error().toString().c_str());
    QVERIFY(
        (cluster->namedChannels == std::vector<Channel>{{"fast", {"a", "b"}, 1e9, 5e-6, 0.4}, {"slow", {"slow"}, 1.25e8, 0, 0}}));
    const std::string written = writeResourceSpec(*cluster);
    QCOMPARE(written.find("incast"), written.rfind("incast"));
    const auto again = readResourceSpecText(written);
    QVERIFY(again.has_value());
    QVERIFY(again->namedChannels == cluster->namedChannels);
    QVERIFY(!readResourceSpecText(twoNodes + "channels: [{name: c, bandwidth: 1, incast: -1}]\n").has_value());
    QVERIFY(!readResourceSpecText(twoNodes + "channels: [{name: c, bandwidth: 1, incast: much}]\n").has_value());
}

/// A plan's process has one connection on the cluster's NICs: over one NIC, and no faster than one connection may be; in a single
/// node there is none to another.
void TestCluster::aPlansConnectionIsLimited() {
    const auto rate = [](const Cluster &cluster) { return planChannels(cluster).front().bandwidthBytesPerSecond; };
    Cluster cluster = uniformCluster(2, 100);
    COMPARE_CLOSE(rate(cluster), 12.5e9);
    for (Node &node : cluster.nodes)
        node.nics = 4;
    COMPARE_CLOSE(rate(cluster), 12.5e9 / 4);
    cluster.connectionBytesPerSecond = 1.25e9;
    COMPARE_CLOSE(rate(cluster), 1.25e9);
    cluster.linkEfficiency = 0.8;
    cluster.collectiveEfficiency = 0.5;
    COMPARE_CLOSE(rate(cluster), 0.4 * 1.25e9);
    cluster.nodes[0].rack = "a";
    cluster.acrossRacksBytesPerSecond = 1e9;
    COMPARE_CLOSE(rate(cluster), 0.4 * 1e9);
    COMPARE_CLOSE(rate(withWorkers(cluster, 1)), 0.4 * 12.5e9 / 4);
}

/// Nodes that only serve do not count.
void TestCluster::slowestNode() {
    Cluster cluster = uniformCluster(3, 10);
    QCOMPARE(cluster.slowestComputeScale(), 1.0);
    cluster.nodes[0].computeScale = 2;
    cluster.nodes[1].computeScale = 0.5;
    cluster.nodes[2].computeScale = 0.25;
    QCOMPARE(cluster.slowestComputeScale(), 0.25);
    cluster.serverOnly = {2};
    QCOMPARE(cluster.slowestComputeScale(), 0.5);
    QCOMPARE(Cluster().slowestComputeScale(), 1.0);
}

/// A channel that runs several collectives at once is as many channels for plans, over the same links.
void TestCluster::concurrentChannels() {
    const auto cluster = readResourceSpecText(
        twoNodes + "channels: [{name: fast, links: [a, b], bandwidth: 8, concurrent: 2}, {name: slow, bandwidth: 1}]\n");
    VERIFY_VALUE(cluster);
    QCOMPARE(cluster->namedChannels.size(), std::size_t{2});
    QCOMPARE(cluster->namedChannels[0].concurrent, 2);
    QCOMPARE(cluster->channels, 3);
    QVERIFY((planChannels(*cluster) == std::vector<Channel>{{"fast (1 of 2)", {"a", "b"}, 1e9, 0, 0},
                                                            {"fast (2 of 2)", {"a", "b"}, 1e9, 0, 0},
                                                            {"slow", {"slow"}, 1.25e8, 0, 0}}));
    const std::string written = writeResourceSpec(*cluster);
    QCOMPARE(written.find("concurrent"), written.rfind("concurrent"));
    const auto again = readResourceSpecText(written);
    VERIFY_VALUE(again);
    QVERIFY(*again == *cluster);
    for (const char *bad : {"''", "\"a\\tb\"", "\"\\u202e\""}) // that plan files could not name
        QVERIFY2(!readResourceSpecText(twoNodes + "channels: [{name: " + bad + ", bandwidth: 1}]\n").has_value() &&
                     !readResourceSpecText(twoNodes + "channels: [{name: c, links: [" + bad + "], bandwidth: 1}]\n").has_value(),
                 bad);
    for (const char *bad : {"concurrent: 0", "concurrent: 65", "concurrent: two"})
        QVERIFY2(!readResourceSpecText(twoNodes + "channels: [{name: c, bandwidth: 1, " + bad + "}]\n").has_value(), bad);
    QVERIFY(!readResourceSpecText(twoNodes + "channels: [{name: c, bandwidth: 1, concurrent: 2}, "
                                             "{name: 'c (2 of 2)', bandwidth: 1}]\n")
                 .has_value());
}

void TestCluster::hostLanes() {
    const auto cluster = readResourceSpecText(twoNodes + "host_lanes: [{name: pcie, bandwidth: 96}, "
                                                         "{name: memory, bandwidth: 160, shared: true, duplex: false}]\n");
    VERIFY_VALUE(cluster);
    QVERIFY((cluster->hostLanes == std::vector<HostLane>{{"pcie", 12e9, false, true}, {"memory", 20e9, true, false}}));
    const auto again = readResourceSpecText(writeResourceSpec(*cluster));
    VERIFY_VALUE(again);
    QVERIFY(*again == *cluster);
    QVERIFY(readResourceSpecText(twoNodes)->hostLanes.empty());
    QVERIFY(writeResourceSpec(*readResourceSpecText(twoNodes)).find("host_lanes") == std::string::npos);
    for (const char *bad :
         {"host_lanes: pcie", "host_lanes: []", "host_lanes: [pcie]", "host_lanes: [{name: a}]", "host_lanes: [{bandwidth: 1}]",
          "host_lanes: [{name: a, bandwidth: 0}]", "host_lanes: [{name: a, bandwidth: 1, shared: often}]",
          "host_lanes: [{name: a, bandwidth: 1, lanes: 16}]", "host_lanes: [{name: a, bandwidth: 1}, {name: a, bandwidth: 2}]"}) {
        const auto refused = readResourceSpecText(twoNodes + bad + "\n", "lab.yml");
        QVERIFY2(!refused.has_value(), bad);
        QVERIFY2(refused.error().place == "11" && !refused.error().remedy.empty(), refused.error().toString().c_str());
    }
}

/// Notes on figures and on measured collectives stand beside their subjects; all are shown.
void TestCluster::figureNotes() {
    const std::string text = twoNodes + "notes: [Mine., 'Calibrated: latency_seconds 1 from me (a guess).']\n"
                                        "figure_notes: {latency_seconds: Measured., host.send_seconds: 'Assumed: \"a\"'}\n"
                                        "collectives:\n"
                                        "  - {kind: all_reduce, ranks: 4, points: [[1, 1], [2, 2]], note: From a log.}\n";
    const auto cluster = readResourceSpecText(text);
    VERIFY_VALUE(cluster);
    QCOMPARE(cluster->notes.size(), std::size_t{2});
    QVERIFY((cluster->figureNotes ==
             std::vector<FigureNote>{{"latency_seconds", "Measured."}, {"host.send_seconds", "Assumed: \"a\""}}));
    QCOMPARE(cluster->collectives.front().note, std::string("From a log."));
    QCOMPARE(cluster->allNotes(),
             (std::vector<std::string>{cluster->notes[0], cluster->notes[1], "Measured.", "Assumed: \"a\"", "From a log."}));
    const auto again = readResourceSpecText(writeResourceSpec(*cluster));
    VERIFY_VALUE(again);
    QVERIFY(*again == *cluster);
    for (const char *bad : {"figure_notes: [a]", "figure_notes: {a: b, a: c}", "figure_notes: {a: [b]}"})
        QVERIFY2(!readResourceSpecText(twoNodes + bad + "\n").has_value(), bad);
}

/// Files older than figure_notes have these notes among the others.
void TestCluster::olderNotesOfFigures() {
    const std::string latency = "Calibrated: latency_seconds 6e-05 from a.csv (4 rows); error: median 1.0 %, worst 2.0 % of 4.";
    const std::string points = "Measured: all_reduce among 4 ranks, 2 sizes from 1 B to 2 B, from log.txt.";
    const std::string others = "Measured: all_reduce among 8 ranks, 2 sizes from 1 B to 2 B, from log.txt.";
    const auto cluster = readResourceSpecText(
        twoNodes + "collectives: [{kind: all_reduce, ranks: 4, points: [[1, 1], [2, 2]]}]\nnotes:\n  - 'Mine.'\n  - '" + latency +
        "'\n  - '" + points + "'\n  - '" + others + "'\n  - 'Calibrated: by hand.'\n");
    VERIFY_VALUE(cluster);
    QCOMPARE(cluster->notes, (std::vector<std::string>{"Mine.", others, "Calibrated: by hand."}));
    QVERIFY((cluster->figureNotes == std::vector<FigureNote>{{"latency_seconds", latency}}));
    QCOMPARE(cluster->collectives.front().note, points);
    QVERIFY(*readResourceSpecText(writeResourceSpec(*cluster)) == *cluster);
}

/// Points survive a round trip to the last bit, and hold only for the links on which they were measured.
void TestCluster::measuredCollectives() {
    const auto cluster = readResourceSpecText(twoNodes + "collectives:\n"
                                                         "  - {kind: all_reduce, ranks: 4, points: [[4096, 5e-5], [1e6, 0.1]]}\n"
                                                         "  - {kind: all_to_all, ranks: 4, points: [[1, 1e-6], [2, 3e-6]]}\n");
    VERIFY_VALUE(cluster);
    QVERIFY((cluster->collectives == std::vector<MeasuredCollective>{{CollectiveKind::AllReduce, 4, {{4096, 5e-5}, {1e6, 0.1}}},
                                                                     {CollectiveKind::AllToAll, 4, {{1, 1e-6}, {2, 3e-6}}}}));
    Cluster odd = *cluster;
    odd.collectives.front().points = {{1.0 / 3 + 7, 1e-3 / 7}, {1e9 + 0.1, 1.0 / 3}};
    const auto again = readResourceSpecText(writeResourceSpec(odd));
    VERIFY_VALUE(again);
    QVERIFY(*again == odd);
    for (const char *bad : {"collectives: all_reduce", "collectives: [{kind: all_reduce, ranks: 4}]",
                            "collectives: [{kind: permute, ranks: 4, points: [[1, 1], [2, 2]]}]",
                            "collectives: [{kind: all_reduce, ranks: 1, points: [[1, 1], [2, 2]]}]",
                            "collectives: [{kind: all_reduce, ranks: 4, points: [[1, 1]]}]",
                            "collectives: [{kind: all_reduce, ranks: 4, points: [[2, 1], [1, 2]]}]",
                            "collectives: [{kind: all_reduce, ranks: 4, points: [[1, 1], [1, 2]]}]",
                            "collectives: [{kind: all_reduce, ranks: 4, points: [[1, 1], [2, 0]]}]",
                            "collectives: [{kind: all_reduce, ranks: 4, points: [[1, 1], [2, .nan]]}]",
                            "collectives: [{kind: all_reduce, ranks: 4, points: [[1, 1], [2, 2, 3]]}]",
                            "collectives: [{kind: all_reduce, ranks: 4, unit: us, points: [[1, 1], [2, 2]]}]",
                            "collectives: [{kind: all_reduce, ranks: 4, points: [[1, 1], [2, 2]]}, "
                            "{kind: all_reduce, ranks: 4, points: [[1, 1], [2, 2]]}]"}) {
        const auto refused = readResourceSpecText(twoNodes + bad + "\n", "lab.yml");
        QVERIFY2(!refused.has_value(), bad);
        QVERIFY2(refused.error().place == "11" && !refused.error().remedy.empty(), refused.error().toString().c_str());
    }
    QVERIFY(withoutStaleCurves(*cluster, *cluster) == *cluster);
    QVERIFY(withoutStaleCurves(withWorkers(*cluster, 2), *cluster).collectives == cluster->collectives);
    QVERIFY(withLinksScaled(*cluster, 0.5).collectives.empty());
    QVERIFY(withStraggler(*cluster, 0.5).collectives == cluster->collectives);
    const auto changed = [&](const auto &change) {
        Cluster other = *cluster;
        change(other);
        const Cluster left = withoutStaleCurves(other, *cluster);
        return left.collectives.empty() && left.notes.size() == other.notes.size() + 1;
    };
    QVERIFY(changed([](Cluster &c) { c.nodes.back().bandwidthBytesPerSecond *= 2; }));
    QVERIFY(changed([](Cluster &c) { c.latencySeconds = 1e-6; }));
    QVERIFY(changed([](Cluster &c) { c.host.collectiveSeconds = 1e-6; }));
    QVERIFY(changed([](Cluster &c) { c.intraNodeBandwidthBytesPerSecond *= 2; }));
    QVERIFY(!changed([](Cluster &c) { c.nodes.back().computeScale = 0.5; }));
    // The file also says that they are left out, until there are others.
    Cluster other = *cluster;
    other.latencySeconds = 1e-6;
    const Cluster left = withoutStaleCurves(other, *cluster);
    QVERIFY(left.staleCurvesLeftOut);
    const auto reread = readResourceSpecText(writeResourceSpec(left));
    VERIFY_VALUE(reread);
    QVERIFY(*reread == left);
    QVERIFY(!readResourceSpecText(writeResourceSpec(*cluster) + "collectives_left_out: true\n")->staleCurvesLeftOut);
    QVERIFY(!readResourceSpecText(twoNodes + "collectives_left_out: perhaps\n").has_value());
}

void TestCluster::unknownKeysAreIgnored() { VERIFY_VALUE(readResourceSpecText(twoNodes + "topology: {spine: [1, 2]}\n")); }

/// Aliases are read as what they stand for, and refused where this is far more than the file: it would take all memory.
void TestCluster::aliasesAreLimited() {
    const auto withNotes = [](std::size_t textBytes, int count) {
        std::string text = twoNodes + "text: &text " + std::string(textBytes, 'x') + "\nnotes:\n";
        for (int n = 0; n < count; ++n)
            text += "- *text\n";
        return readResourceSpecText(text);
    };
    const auto few = withNotes(1000, 1000);
    VERIFY_VALUE(few);
    QCOMPARE(few->notes.size(), std::size_t{1000});
    QCOMPARE(few->notes.back(), std::string(1000, 'x'));
    const auto refusalOf = [](const Result<Cluster> &cluster) { return cluster ? std::string("read") : cluster.error().what; };
    const std::string refusal = "aliases repeat more text than is read";
    QCOMPARE(refusalOf(withNotes(1 << 16, 1000)), refusal); // 64 MiB of notes in a file of 72 KiB
    std::string variables = "variables: &variables {", configurations = "ssh:\n  conf: {username: root}\n";
    for (int v = 0; v < 2000; ++v)
        variables += "V" + std::to_string(v) + ": a, ";
    for (int c = 0; c < 2000; ++c)
        configurations += "  c" + std::to_string(c) + ": {shared_envs: *variables}\n";
    const std::string nodes = twoNodes.substr(0, twoNodes.find("ssh:\n"));
    QCOMPARE(refusalOf(readResourceSpecText(variables + "}\n" + nodes + configurations)), refusal);
    QCOMPARE(refusalOf(readResourceSpecText(twoNodes + "all: &all [*all]\n")), refusal); // without end
}

/// Equal NICs share the node's bandwidth; added servers have the first node's.
void TestCluster::nics() {
    const auto cluster = readResourceSpecText(with("network_bandwidth: 25", "network_bandwidth: 100\n    nics: 4"));
    VERIFY_VALUE(cluster);
    QCOMPARE(cluster->nodes[0].nics, 1);
    const Node &node = cluster->nodes[1];
    QCOMPARE(node.nics, 4);
    QCOMPARE(node.nicBytesPerSecond(), 25e9 / 8);
    QCOMPARE(node.streamsBytesPerSecond(1), 25e9 / 8);
    QCOMPARE(node.streamsBytesPerSecond(4), 100e9 / 8);
    QCOMPARE(node.streamsBytesPerSecond(9), 75e9 / 8); // three on one of them
    const auto read = readResourceSpecText(writeResourceSpec(*cluster));
    VERIFY_VALUE(read);
    QVERIFY(read->nodes == cluster->nodes);
    Cluster other = *cluster;
    std::swap(other.nodes[0], other.nodes[1]);
    QCOMPARE(withDedicatedServers(other, 1).nodes.back().nics, 4);
    QCOMPARE(catalogueCluster("syndicate")->nodes.front().nics, 8);
}

/// One limit for all pairs of nodes, or one for each class of pairs; classes missing from the map have none.
void TestCluster::flowLimits() {
    constexpr double gbit = 1e9 / 8, none = std::numeric_limits<double>::infinity();
    const std::string racks = with("network_bandwidth: 25", "rack: b").replace(twoNodes.find("    chief"), 0, "    rack: a\n");
    const auto limits = [](const std::string &text) {
        const auto cluster = readResourceSpecText(text);
        if (!cluster)
            return std::vector<double>{};
        const auto again = readResourceSpecText(writeResourceSpec(*cluster));
        const auto &nodes = cluster->nodes;
        return std::vector<double>{cluster->inNodeConnectionBytesPerSecond, cluster->connectionLimit(nodes[0], nodes[0]),
                                   cluster->connectionLimit(nodes[0], nodes[1]), cluster->ringConnectionLimit(),
                                   again && *again == *cluster ? 1.0 : 0.0};
    };
    const std::string map = "flow_limit: {same_node: 40, same_rack: 10, across: 5}\n";
    QCOMPARE(limits(racks), (std::vector<double>{none, none, none, none, 1}));
    QCOMPARE(limits(racks + "flow_limit: 10\n"), (std::vector<double>{none, 10 * gbit, 10 * gbit, 10 * gbit, 1}));
    QCOMPARE(limits(racks + map), (std::vector<double>{40 * gbit, 10 * gbit, 5 * gbit, 5 * gbit, 1}));
    QCOMPARE(limits(twoNodes + map), (std::vector<double>{40 * gbit, 10 * gbit, 10 * gbit, 10 * gbit, 1}));
    QCOMPARE(limits(racks + "flow_limit: {same_rack: 10}\n"), (std::vector<double>{none, 10 * gbit, none, none, 1}));
    QCOMPARE(withDedicatedServers(*readResourceSpecText(racks), 1).nodes.back().rack, std::string("a"));
}

void TestCluster::refuses_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("place");
    const auto row = [](const char *name, const std::string &text, const char *place) {
        QTest::newRow(name) << QString::fromStdString(text) << QString(place);
    };
    row("empty", "", "1");
    row("a list", "- 1\n", "1");
    row("not YAML", "nodes:\n  - address: [10.0.0.1\n", "*");
    row("tab", "nodes:\n\t- address: 10.0.0.1\n", "*");
    row("no nodes", "ssh: {}\n", "1");
    row("nodes empty", "nodes: []\n", "1");
    row("nodes a map", "nodes: {address: 10.0.0.1}\n", "1");
    row("node a number", "nodes:\n  - 5\n", "2");
    row("no address", "nodes:\n  - gpus: [0]\n", "2");
    row("host name", with("10.0.0.2", "node2.example.org"), "5");
    row("IPv6", with("10.0.0.2", "\"::1\""), "5");
    row("bad IPv4", with("10.0.0.2", "10.0.0.256"), "5");
    row("short IPv4", with("10.0.0.2", "10.0.2"), "5");
    row("twice", with("10.0.0.2", "10.0.0.1"), "5");
    row("loopback among others", with("10.0.0.2", "localhost"), "5");
    row("loopback number", with("10.0.0.2", "127.0.0.1"), "5");
    row("no chief", with("    chief: true\n", ""), "2");
    row("chief is a number", with("chief: true", "chief: 7"), "4");
    row("no ssh_config", with("    ssh_config: conf\n", ""), "5");
    row("unknown ssh_config", with("ssh_config: conf", "ssh_config: other"), "7");
    row("gpus a number", with("[1, 0]", "2"), "6");
    row("gpu negative", with("[1, 0]", "[-1]"), "6");
    row("gpu a text", with("[1, 0]", "[zero]"), "6");
    row("bandwidth of nothing", with("network_bandwidth: 25", "network_bandwidth: 1.0e-300"), "8");
    row("bandwidth negative", with("network_bandwidth: 25", "network_bandwidth: -25"), "8");
    row("bandwidth NaN", with("network_bandwidth: 25", "network_bandwidth: .nan"), "8");
    row("bandwidth infinite", with("network_bandwidth: 25", "network_bandwidth: .inf"), "8");
    row("bandwidth a text", with("network_bandwidth: 25", "network_bandwidth: 25 GbE"), "8");
    row("bandwidth a list", with("network_bandwidth: 25", "network_bandwidth: [25]"), "8");
    row("compute_scale zero", with("network_bandwidth: 25", "compute_scale: 0"), "8");
    row("no NIC", with("network_bandwidth: 25", "nics: 0"), "8");
    row("too many NICs", with("network_bandwidth: 25", "nics: 65"), "8");
    row("half a NIC", with("network_bandwidth: 25", "nics: 1.5"), "8");
    row("a list of racks", with("network_bandwidth: 25", "rack: [a, b]"), "8");
    row("no flow limit", twoNodes + "flow_limit: 0\n", "11");
    row("a list of flow limits", twoNodes + "flow_limit: [10]\n", "11");
    row("unknown pair class", twoNodes + "flow_limit:\n  same_rack: 10\n  same_row: 5\n", "13");
    row("no flow limit of a class", twoNodes + "flow_limit: {across: -1}\n", "11");
    row("port", with("2222", "0"), "10");
    row("latency negative", twoNodes + "latency_seconds: -1\n", "11");
    row("efficiency above one", twoNodes + "link_efficiency: 1.5\n", "11");
    row("channels zero", twoNodes + "channels: 0\n", "11");
    row("unknown server", twoNodes + "server_only: [10.0.0.9]\n", "11");
    row("only servers", twoNodes + "server_only: [10.0.0.1, 10.0.0.2]\n", "11");
    row("deep", std::string(20000, '['), "*");
}

void TestCluster::refuses() {
    QFETCH(QString, text);
    QFETCH(QString, place);
    const auto cluster = readResourceSpecText(text.toStdString(), "spec.yml");
    QVERIFY(!cluster);
    QCOMPARE(cluster.error().file, std::string("spec.yml"));
    QVERIFY(!cluster.error().what.empty());
    QVERIFY(!cluster.error().remedy.empty());
    if (place != "*")
        QVERIFY2(QString::fromStdString(cluster.error().place) == place, cluster.error().toString().c_str());
    else
        QVERIFY2(!cluster.error().place.empty(), cluster.error().toString().c_str());
}

void TestCluster::truncationsDoNotThrow() {
    for (std::size_t length = 0; length < twoNodes.size(); ++length) {
        const auto cluster = readResourceSpecText(std::string_view(twoNodes).substr(0, length));
        QVERIFY(cluster ? readResourceSpecText(writeResourceSpec(*cluster)) == *cluster : !cluster.error().what.empty());
    }
}

void TestCluster::damagedFiles() {
    const QDir folder(QStringLiteral(SYNCOPATE_SOURCE "/tests/damaged/cluster"));
    const auto files = folder.entryInfoList(QDir::Files);
    QVERIFY(!files.isEmpty());
    for (const auto &file : files) {
        const std::string path = file.absoluteFilePath().toStdString();
        const auto cluster = readResourceSpecFile(path);
        QVERIFY2(!cluster, path.c_str());
        QCOMPARE(cluster.error().file, path);
    }
    QVERIFY(!readResourceSpecFile("/nowhere/spec.yml"));
}

void TestCluster::goldenSpecs() {
    const QDir folder(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/golden/autodist"));
    const auto files = folder.entryInfoList({"r_*.yml"}, QDir::Files);
    QVERIFY(!files.isEmpty());
    for (const auto &file : files) {
        const auto cluster = readResourceSpecFile(file.absoluteFilePath().toStdString());
        VERIFY_VALUE(cluster);
        QCOMPARE(QString::fromStdString(cluster->name), file.completeBaseName());
        const auto again = readResourceSpecText(writeResourceSpec(*cluster));
        VERIFY_VALUE(again);
        QVERIFY(*again == *cluster);
    }
    const auto hetero = readResourceSpecFile(folder.filePath("r_hetero_cpu.yml").toStdString());
    QVERIFY((hetero->reductionDevices() == Texts{"10.0.2.2:CPU:0", "10.0.2.10:CPU:0", "10.0.2.10:CPU:1", "10.0.2.3:CPU:0"}));
    QVERIFY((hetero->replicaDevices() ==
             Texts{"10.0.2.2:GPU:0", "10.0.2.2:GPU:1", "10.0.2.3:GPU:0", "10.0.2.10:CPU:0", "10.0.2.10:CPU:1"}));
}

void TestCluster::roundTrips() {
    std::vector<Cluster> clusters{uniformCluster(1, 10), uniformCluster(300, 3.3), withDedicatedServers(uniformCluster(1, 10), 3),
                                  withWorkers(*catalogueCluster("B7"), 21)};
    Cluster odd = withDedicatedServers(withWorkers(*readResourceSpecText(twoNodes), 5), 2);
    odd.name = "quotes \" and: colons\nlines";
    odd.notes = {"- not a list", "true", ""};
    odd.latencySeconds = 1.0 / 3e5;
    odd.messageSeconds = 2e-7;
    odd.linkEfficiency = 0.93;
    odd.collectiveEfficiency = 0.7;
    odd.intraNodeBandwidthBytesPerSecond = 1.23456789e10;
    odd.channels = 4;
    odd.nodes[1].computeScale = 0.3;
    odd.nodes[0].device = "GeForce \"X\"";
    odd.ssh["conf"].pythonVenv = "source /venv/bin/activate; true #";
    odd.ssh["conf"].sharedEnvs = {{"LD_LIBRARY_PATH", "$HOME/lib: x"}, {"EMPTY", ""}};
    clusters.push_back(odd);
    for (const CatalogueCluster &entry : catalogueClusters())
        clusters.push_back(*catalogueCluster(entry.name));
    for (const Cluster &cluster : clusters) {
        const std::string text = writeResourceSpec(cluster);
        const auto read = readResourceSpecText(text);
        QVERIFY2(read.has_value(), read ? "" : (read.error().toString() + "\n" + text).c_str());
        QVERIFY2(*read == cluster, text.c_str());
    }
}

void TestCluster::uniform() {
    const Cluster cluster = uniformCluster(300, 10);
    QCOMPARE(cluster.nodes.size(), std::size_t{300});
    QCOMPARE(cluster.nodes[0].address, std::string("10.0.0.1"));
    QCOMPARE(cluster.nodes[299].address, std::string("10.0.1.44"));
    QCOMPARE(cluster.replicaCount(), 300);
    QCOMPARE(cluster.nodes[7].bandwidthBytesPerSecond, 1.25e9);
}

void TestCluster::workers() {
    const Cluster b7 = *catalogueCluster("B7");
    const Cluster ten = withWorkers(b7, 10);
    QCOMPARE(ten.replicaCount(), 10);
    QCOMPARE(ten.nodes.size(), std::size_t{3});
    QVERIFY((ten.nodes[2].gpus == std::vector<std::int32_t>{0, 1}));
    QVERIFY(withWorkers(b7, 16) == b7);
    const Cluster forty = withWorkers(b7, 41);
    QCOMPARE(forty.replicaCount(), 41);
    QCOMPARE(forty.nodes.size(), std::size_t{11});
    QCOMPARE(forty.nodes[4].address, std::string("172.31.0.15"));
    QCOMPARE(withWorkers(b7, 0).replicaCount(), 1);
    // Dedicated servers stay, and so does the chief.
    const Cluster served = withWorkers(withDedicatedServers(b7, 2), 5);
    QCOMPARE(served.replicaCount(), 5);
    QVERIFY((served.reductionDevices() == Texts{"ps0:CPU:0", "ps1:CPU:0"}));
    const auto late =
        readResourceSpecText("nodes:\n - {address: 1.1.1.1, ssh_config: c}\n - {address: 1.1.1.2, chief: true}\nssh: {c: {}}\n");
    const Cluster one = withWorkers(*late, 1);
    QVERIFY(one.nodes[0].chief);
    // Addresses in use are not assigned again.
    const auto gap =
        readResourceSpecText("nodes:\n - {address: 1.1.1.2, ssh_config: c}\n - {address: 1.1.1.1, chief: true}\nssh: {c: {}}\n");
    const Cluster three = withWorkers(*gap, 3);
    QCOMPARE(three.nodes[2].address, std::string("1.1.1.3"));
    QCOMPARE(withWorkers(uniformCluster(1, 1), 2000000000).replicaCount(), 100000);
}

/// Where other nodes work, no node has an address that only it can reach, so that the file can be read back.
void TestCluster::loopbackBecomesReachable() {
    const auto isReadBack = [](const Cluster &grown, std::int32_t replicas, std::size_t nodes) {
        const auto read = readResourceSpecText(writeResourceSpec(grown));
        VERIFY_VALUE(read);
        QCOMPARE(read->replicaCount(), replicas);
        QCOMPARE(read->nodes.size(), nodes);
        for (const Node &node : read->nodes)
            QVERIFY2(node.address != "localhost" && !node.address.starts_with("127."), node.address.c_str());
    };
    for (const std::string address : {"localhost", "127.0.0.1"}) {
        const std::string node = "{address: " + address + ", gpus: [0, 1], chief: true}";
        const auto one = readResourceSpecText("nodes: [" + node + "]");
        VERIFY_VALUE(one);
        isReadBack(withWorkers(*one, 6), 6, 3);
        isReadBack(withNodeLike(*one, 0), 4, 2);
        // A server beside the worker, and one that is the loopback node itself.
        const Cluster served = withDedicatedServers(*one, 1);
        const auto read = readResourceSpecText(writeResourceSpec(served));
        VERIFY_VALUE(read);
        QVERIFY(*read == served);
        const auto server = readResourceSpecText("nodes: [{address: 10.0.0.1, gpus: [0, 1], ssh_config: c}, " + node +
                                                 "]\nserver_only: [" + address + "]\nssh: {c: {}}\n");
        VERIFY_VALUE(server);
        isReadBack(withWorkers(*server, 4), 4, 3);
    }
}

void TestCluster::bandwidth() {
    const Cluster faster = withBandwidth(*catalogueCluster("B12"), 100);
    for (const Node &node : faster.nodes)
        QCOMPARE(node.bandwidthBytesPerSecond, 12.5e9);
}

void TestCluster::dedicatedServers() {
    const Cluster plain = uniformCluster(4, 10);
    const Cluster served = withDedicatedServers(plain, 2);
    QCOMPARE(served.nodes.size(), std::size_t{6});
    QCOMPARE(served.replicaCount(), 4);
    QVERIFY(served.replicaDevices() == plain.replicaDevices());
    QVERIFY((served.reductionDevices() == Texts{"ps0:CPU:0", "ps1:CPU:0"}));
    QCOMPARE(served.nodes[5].bandwidthBytesPerSecond, 1.25e9);
    QCOMPARE(withDedicatedServers(served, 3).nodes.size(), std::size_t{7});
    QVERIFY(withDedicatedServers(served, 0) == plain);
}

void TestCluster::catalogue() {
    const Cluster a2 = *catalogueCluster("A2");
    QCOMPARE(a2.nodes.size(), std::size_t{11});
    QCOMPARE(a2.replicaCount(), 11);
    QCOMPARE(a2.nodes[0].bandwidthBytesPerSecond, 5e9);
    const Cluster b7 = *catalogueCluster("B7");
    QCOMPARE(b7.nodes.size(), std::size_t{4});
    QCOMPARE(b7.replicaCount(), 16);
    QCOMPARE(gbitsFromBytesPerSecond(b7.nodes[3].bandwidthBytesPerSecond), 50.0);
    QCOMPARE(b7.latencySeconds, 30e-6);
    QVERIFY(std::any_of(b7.notes.begin(), b7.notes.end(),
                        [](const std::string &note) { return note.find("10 Gbit/s") != std::string::npos; }));
    QCOMPARE(catalogueCluster("B9")->replicaCount(), 5);
    QCOMPARE(b7.nodes[2].device, std::string("T4"));
    QCOMPARE(catalogueCluster("B10")->nodes[0].device, std::string("M60"));
    // 4.82 and 8.1 TFLOP/s.
    COMPARE_WITHIN(catalogueCluster("B10")->nodes[0].computeScale, 0.595, 0.001);
    QCOMPARE(catalogueCluster("B10")->nodes[1].computeScale, 1.0);
    QCOMPARE(catalogueCluster("B1")->nodes[0].computeScale, 1.0);
    const Cluster syndicate = *catalogueCluster("syndicate");
    QCOMPARE(syndicate.replicaCount(), 128);
    QCOMPARE(gbitsFromBytesPerSecond(syndicate.nodes[0].bandwidthBytesPerSecond), 800.0);
    QCOMPARE(syndicate.intraNodeBandwidthBytesPerSecond * 8, 1.2e12); // 1.2 TB/s over 8 GPUs
    QCOMPARE(catalogueCluster("bytescheduler")->replicaCount(), 64);
    QCOMPARE(catalogueCluster("autobyte")->replicaCount(), 8);
    QCOMPARE(catalogueCluster("async_cpu")->replicaDevices().front(), std::string("10.0.1.1:CPU:0"));
    QCOMPARE(catalogueCluster("async_cpu")->nodes[7].bandwidthBytesPerSecond, 125e6);
    for (const CatalogueCluster &entry : catalogueClusters()) {
        QVERIFY2(!entry.published.empty() && !entry.assumed.empty(), entry.name.c_str());
        QCOMPARE(catalogueCluster(entry.name)->notes.size(), entry.published.size() + entry.assumed.size());
    }
    const auto unknown = catalogueCluster("C3");
    QVERIFY(!unknown);
    QVERIFY(unknown.error().remedy.find("B12") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestCluster)
#include "tst_cluster.moc"
