// SPDX-License-Identifier: GPL-3.0-or-later
// InfraGraph documents as clusters: their expansion, the mapping of links, and refused documents.
#include "engine/base/units.h"
#include "engine/cluster/cluster_file.h"
#include "tests/checks.h"
#include "tests/cluster/random_infragraph.h"
#include "tests/foreign_traces.h"

#include <QtTest>

#include <QDir>
#include <QFile>
#include <fmt/format.h>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

std::string contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::string sample(const char *name) { return contentOf(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/infragraph/") + name); }

std::string with(std::string text, const std::string &from, const std::string &to) {
    const std::size_t at = text.find(from);
    return at == std::string::npos ? std::string("nothing to replace: ") + from : text.replace(at, from.size(), to);
}

double gbits(const Node &node) { return gbitsFromBytesPerSecond(node.bandwidthBytesPerSecond); }

std::string notesOf(const Result<Cluster> &cluster) {
    std::string all;
    for (const std::string &note : cluster ? cluster->notes : std::vector{cluster.error().toString()})
        all += note + "\n";
    return all;
}

bool says(const Result<Cluster> &cluster, const std::string &text) { return notesOf(cluster).find(text) != std::string::npos; }

} // namespace

class TestInfraGraph : public QObject {
    Q_OBJECT
private slots:
    void twoRacks() {
        const auto cluster = readClusterText(sample("two_racks.yaml"));
        QVERIFY2(cluster.has_value(), notesOf(cluster).c_str());
        QCOMPARE(cluster->name, std::string("two_racks"));
        QCOMPARE(cluster->nodes.size(), std::size_t{4});
        for (const Node &node : cluster->nodes) {
            QCOMPARE(node.gpus.size(), std::size_t{4});
            COMPARE_CLOSE(gbits(node), 400.0); // four ports of 100; the management link is ignored
            QCOMPARE(node.device, std::string("Example accelerator"));
        }
        COMPARE_CLOSE(cluster->intraNodeBandwidthBytesPerSecond, 2 * 50e9); // a link to each of two NVSwitches
        COMPARE_CLOSE(cluster->latencySeconds, 2 * (500e-9 + 700e-9));      // host, leaf, spine, leaf, host
        QCOMPARE(cluster->nodes[1].rack, std::string("leaf.0"));
        QCOMPARE(cluster->nodes[2].rack, std::string("leaf.1"));
        // A machine has 17 components and 22 links inside, a switch 13 and 12; between them there are 16 + 4 + 4.
        QVERIFY2(
            says(cluster, fmt::format("{} components and {} links; 4 of its 7 instances", 4 * 17 + 3 * 13, 4 * 22 + 3 * 12 + 24)),
            notesOf(cluster).c_str());
        QVERIFY2(says(cluster, "host.0 to host.3 are 10.0.0.1 to 10.0.0.4, of 4 accelerators each"), notesOf(cluster).c_str());
        QVERIFY2(says(cluster, "Assumed: 4 links that leave machines from components of other kinds"), notesOf(cluster).c_str());
        QVERIFY2(says(cluster, "link pcie states 32 GT/s"), notesOf(cluster).c_str());
        QVERIFY2(says(cluster, "Assumed: the network between the machines does not block."), notesOf(cluster).c_str());
        const auto again = readResourceSpecText(writeResourceSpec(*cluster));
        QVERIFY(again.has_value() && *again == *cluster);
    }

    /// Figures that the format does not state are assumed, and reported.
    void withoutFigures() {
        const auto cluster = readClusterText(sample("workstation.json"));
        QVERIFY2(cluster.has_value(), notesOf(cluster).c_str());
        QCOMPARE(cluster->nodes.size(), std::size_t{1});
        QCOMPARE(cluster->replicaCount(), 2);
        QCOMPARE(gbits(cluster->nodes[0]), 1.0);
        QCOMPARE(cluster->intraNodeBandwidthBytesPerSecond, 12e9);
        QVERIFY2(says(cluster, "Assumed: 1 Gbit/s of network"), notesOf(cluster).c_str());
        QVERIFY2(says(cluster, "Assumed: accelerators of a machine talk over PCIe 3 x16"), notesOf(cluster).c_str());
        QVERIFY2(says(cluster, "of 5 components and 4 links"), notesOf(cluster).c_str());
        std::string silent = sample("two_racks.yaml");
        for (const char *name : {"nvlink", "pcie", "downlink", "uplink", "management"}) {
            const std::size_t link = silent.find(std::string("- name: ") + name);
            silent.replace(silent.find("physical", link), 8, "comments");
        }
        const auto none = readClusterText(silent);
        QVERIFY2(none.has_value(), notesOf(none).c_str());
        QCOMPARE(gbits(none->nodes[3]), 1.0);
        QCOMPARE(none->latencySeconds, 0.0);
        QVERIFY2(says(none, "16 of 16 links between instances state no bandwidth; machines have 1 Gbit/s"),
                 notesOf(none).c_str());
    }

    /// If no links of one name join all accelerators, the narrowest link of the widest path counts.
    void widestWayInside() {
        const std::string text = R"(
name: chain
components:
- {name: xpu, choice: xpu, count: 3}
- {name: sw, choice: switch, count: 1}
links:
- {name: fast, physical: {bandwidth: {choice: gigabytes_per_second, gigabytes_per_second: 100}}}
- {name: slow, physical: {bandwidth: {choice: gigabytes_per_second, gigabytes_per_second: 7}}}
- {name: middle, physical: {bandwidth: {choice: gigabits_per_second, gigabits_per_second: 160}}}
edges:
- {ep1: {component: "xpu[0]"}, ep2: {component: "xpu[1]"}, link: fast, scheme: one2one}
- {ep1: {component: "xpu[1]"}, ep2: {component: sw}, link: middle, scheme: one2one}
- {ep1: {component: "xpu[2]"}, ep2: {component: sw}, link: fast, scheme: one2one}
- {ep1: {component: "xpu[0]"}, ep2: {component: "xpu[2]"}, link: slow, scheme: one2one}
)";
        const auto cluster = readClusterText(text);
        QVERIFY2(cluster.has_value(), notesOf(cluster).c_str());
        COMPARE_CLOSE(cluster->intraNodeBandwidthBytesPerSecond, 20e9);
        QVERIFY2(says(cluster, "the narrowest link, \"middle\", on the widest path"), notesOf(cluster).c_str());
        const auto whole =
            readClusterText(with(with(text, "link: slow", "link: middle"), "sw}, link: fast", "sw}, link: middle"));
        COMPARE_CLOSE(whole->intraNodeBandwidthBytesPerSecond, 20e9); // "middle" now joins all, with one link at two of them
        QVERIFY2(says(whole, "all their links \"middle\""), notesOf(whole).c_str());
    }

    /// Three hosts in a row without a switch: a link between two of them is one link, and the first host has no rate to name.
    void hostsLinkedDirectly() {
        const auto cluster = readClusterText(R"(
name: row
devices:
- name: server
  components: [{name: xpu, choice: xpu, count: 1}, {name: nic, choice: nic, count: 2}]
links:
- {name: silent}
- {name: fast, physical: {bandwidth: {choice: gigabits_per_second, gigabits_per_second: 100}}}
instances:
- {name: host, device: server, count: 3}
edges:
- {ep1: {instance: "host[0]", component: "nic[0]"}, ep2: {instance: "host[1]", component: "nic[0]"}, link: silent, scheme: one2one}
- {ep1: {instance: "host[1]", component: "nic[1]"}, ep2: {instance: "host[2]", component: "nic[0]"}, link: fast, scheme: one2one}
- {ep1: {instance: "host[0]", component: xpu}, ep2: {instance: "host[2]", component: xpu}, link: fast, scheme: one2one}
)");
        QVERIFY2(cluster.has_value(), notesOf(cluster).c_str());
        COMPARE_CLOSE(gbits(cluster->nodes[0]), 1.0);
        COMPARE_CLOSE(gbits(cluster->nodes[1]), 100.0);
        QVERIFY2(says(cluster, "its 2 links to other instances together, 100 Gbit/s of host.1."), notesOf(cluster).c_str());
        QVERIFY2(says(cluster, "Assumed: 1 of 2 links between instances state no bandwidth"), notesOf(cluster).c_str());
        QVERIFY2(says(cluster, "Assumed: 1 links that leave machines from components of other kinds"), notesOf(cluster).c_str());
    }

    /// A switch that carries less upwards than downwards is reported, since the simulation does not block there.
    void blockingIsSaid() {
        const auto cluster =
            readClusterText(with(sample("two_racks.yaml"), "gigabits_per_second: 400", "gigabits_per_second: 100"));
        QVERIFY2(says(cluster, "leaf.0 has 800 Gbit/s to machines and 200 Gbit/s beyond"), notesOf(cluster).c_str());
    }

    /// Random documents, expanded here name by name, have the same components and links, and machines the same outgoing links.
    void expansionIsThatOfNames() {
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const RandomDocument document(seed);
            const auto cluster = readClusterText(document.text());
            QVERIFY2(cluster.has_value(), (notesOf(cluster) + document.text()).c_str());
            QVERIFY2(says(cluster, fmt::format("of {} components and {} links;", document.components(), document.graph().size())),
                     (notesOf(cluster) + document.text()).c_str());
            for (std::size_t h = 0; h < cluster->nodes.size(); ++h) {
                const auto links = static_cast<double>(document.graph().between(fmt::format("host.{}.", h), "leaf."));
                COMPARE_CLOSE(gbits(cluster->nodes[h]), links > 0 ? 10 * links : 1.0, 1e-9, document.text());
            }
        }
    }

    void realDocuments_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<double>("network");
        QTest::addColumn<QString>("size");
        QTest::newRow("closfabric") << 4 << 2 << 200.0 << "151 components and 164 links; 4 of its 11";
        QTest::newRow("dgx_h100") << 1 << 8 << 1.0 << "33 components and 62 links; 1 of its 1";
        QTest::newRow("dgx_cx5_qsfp_composed") << 1 << 8 << 1.0 << "65 components and 94 links; 1 of its 1";
        QTest::newRow("server") << 1 << 2 << 1.0 << "8 components and 8 links; 1 of its 1";
    }

    void realDocuments() {
        REQUIRE_FOREIGN_TRACE("infragraph");
        QFETCH(int, nodes);
        QFETCH(int, gpus);
        QFETCH(double, network);
        QFETCH(QString, size);
        const std::string path = testing::foreignTrace(std::string("infragraph/") + QTest::currentDataTag() + ".yaml");
        const auto cluster = readClusterFile(path);
        QVERIFY2(cluster.has_value(), notesOf(cluster).c_str());
        QCOMPARE(cluster->name, std::string(QTest::currentDataTag()));
        QCOMPARE(cluster->nodes.size(), static_cast<std::size_t>(nodes));
        QCOMPARE(cluster->replicaCount(), nodes * gpus);
        COMPARE_CLOSE(gbits(cluster->nodes[0]), network);
        QVERIFY2(says(cluster, size.toStdString()), notesOf(cluster).c_str());
    }

    /// An older format, and a device that cannot train.
    void foreignDocuments() {
        REQUIRE_FOREIGN_TRACE("infragraph");
        const auto old = readClusterFile(testing::foreignTrace("infragraph/old_form_two_tier_clos.yaml"));
        QVERIFY(!old);
        QVERIFY2(old.error().what.find("connections is a key of an older InfraGraph") == 0, old.error().toString().c_str());
        QCOMPARE(old.error().place, std::string("25"));
        const auto part = readClusterFile(testing::foreignTrace("infragraph/switch.yaml"));
        QVERIFY(!part);
        QVERIFY2(part.error().what.find("xpu") != std::string::npos, part.error().toString().c_str());
    }

    void refuses_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("line");
        const std::string whole = sample("two_racks.yaml");
        const auto row = [&whole](const char *name, const std::string &from, const std::string &to, const char *what) {
            const std::string text = with(whole, from, to);
            const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(whole.find(from)), '\n') + 1;
            QTest::newRow(name) << QString::fromStdString(text) << QString(what) << static_cast<int>(line);
        };
        row("many instances", "device: machine, count: 4", "device: machine, count: 1000000000", "instance host is '1000000000'");
        row("many components", "choice: xpu, count: 4", "choice: xpu, count: 1000000000", "component xpu is '1000000000'");
        row("no instances", "device: machine, count: 4", "device: machine, count: 0", "instance host is '0'");
        row("negative count", "choice: xpu, count: 4", "choice: xpu, count: -4", "component xpu is '-4'");
        row("index beyond", "component: \"port[:4]\"", "component: \"port[:40]\"", "port[:40] is beyond the 12 that there are");
        row("empty slice", "component: \"port[:4]\"", "component: \"port[4:4]\"", "port[4:4] is beyond the 12");
        row("backwards", "component: \"port[:4]\"", "component: \"port[::-1]\"", "port[::-1] is not a slice");
        row("no end", "component: \"port[:4]\"", "component: \"port[:4\"", "port[:4 is not a slice");
        row("unknown component", "component: \"port[:4]\"", "component: hole", "device switch has no component 'hole'");
        row("unknown instance", "instance: spine", "instance: spline", "there is no instance 'spline'");
        row("unknown device", "device: machine, count", "device: machin, count", "names device machin, which is not there");
        row("unknown link", "link: uplink", "link: uplinks", "there is no link uplinks");
        row("unknown scheme", "link: uplink, scheme: one2one", "link: uplink, scheme: ring", "the scheme is 'ring'");
        row("ends at a device", "component: \"card.port\"", "component: card", "ends at card, which is a device");
        row("goes on at a component", "component: \"port[8:10]\"", "component: \"port.asic\"",
            "goes on at port, which is not a device");
        row("older choice", "choice: xpu", "choice: npu", "the choice of component xpu is 'npu'");
        row("older key", "choice: xpu", "type: xpu", "component xpu has the key type, which belongs to an older InfraGraph");
        row("older unit", "{choice: gigabits_per_second, gigabits_per_second: 100}",
            "{choice: giga_bytes_per_second, giga_bytes_per_second: 100}",
            "the choice of bandwidth of link downlink is 'giga_bytes_per_second'");
        row("bandwidth of nothing", "gigabits_per_second: 100}", "gigabits_per_second: .nan}", "bandwidth of link downlink");
        row("negative latency", "ns: 500}", "ns: -500}", "latency of link downlink in ns is '-500'");
        row("two of a name", "name: asic", "name: port", "two components are called port");
        row("part of itself", "{name: endpoint, choice: custom, count: 1, custom: {type: PCI Express endpoint}}",
            "{name: card, choice: device, count: 1}", "device card is part of itself");
    }

    void refuses() {
        QFETCH(QString, text);
        QFETCH(QString, what);
        QFETCH(int, line);
        const auto cluster = readClusterText(text.toStdString(), "file");
        QVERIFY2(!cluster, notesOf(cluster).c_str());
        QCOMPARE(cluster.error().file, std::string("file"));
        QVERIFY2(cluster.error().what.find(what.toStdString()) != std::string::npos, cluster.error().toString().c_str());
        QVERIFY(!cluster.error().remedy.empty());
        // For a duplicate the second one is reported, and for a device its first line.
        QVERIFY2(std::abs(std::atoi(cluster.error().place.c_str()) - line) <= 2, cluster.error().toString().c_str());
    }

    /// An edge with thousands of keys, listed over and over: each time its keys would be looked up one after the other.
    void aliasesAreLimited() {
        std::string edges = "edges:\n- &edge\n  ep1: {instance: host, component: mgmt}\n  ep2: {instance: spine, component: "
                            "\"port[8:12]\"}\n  link: management\n  scheme: one2one\n";
        for (int key = 0; key < 2000; ++key)
            edges += fmt::format("  k{}: 0\n", key);
        const auto withEdges = [&edges](int count) {
            std::string text = sample("two_racks.yaml");
            text.resize(text.rfind("\nedges:") + 1);
            text += edges;
            for (int e = 1; e < count; ++e)
                text += "- *edge\n";
            return readClusterText(text);
        };
        QVERIFY2(withEdges(10).has_value(), notesOf(withEdges(10)).c_str());
        QVERIFY2(says(withEdges(3000), "aliases repeat more text than is read"), notesOf(withEdges(3000)).c_str());
    }

    /// Products of counts that are valid individually: refused with the figure, before anything is allocated.
    void hugeProducts() {
        const auto document = [](int xpus, int cards, int hosts, const char *scheme) {
            return fmt::format(
                "devices:\n- name: host\n  components: [{{name: xpu, choice: xpu, count: {}}}, {{name: card, choice: "
                "device, count: {}}}]\n- name: card\n  components: [{{name: nic, choice: nic, count: 1000}}]\n"
                "links: [{{name: net}}]\ninstances: [{{name: host, device: host, count: {}}}]\n"
                "edges: [{{ep1: {{instance: host, component: card.nic}}, ep2: {{instance: host, component: "
                "card.nic}}, link: net, scheme: {}}}]\n",
                xpus, cards, hosts, scheme);
        };
        const auto refusalOf = [](const std::string &text) {
            const auto cluster = readClusterText(text);
            return cluster ? std::string("read") : cluster.error().toString();
        };
        const std::vector<std::pair<std::string, const char *>> refusals{
            {document(1, 60, 100000, "many2many"), "this edge draws 3.6e+19 links"},
            {document(1, 60, 100000, "one2one"), "this edge draws 6e+09 links"},
            {document(1, 1000, 1, "one2one"), "device host has 1000001 components or more"},
            {document(2000, 1, 1, "one2one"), "host has 2000 accelerators"},
            {document(1000, 1, 2000, "one2one"), "there are 2000000 accelerators"}};
        for (const auto &[text, what] : refusals)
            QVERIFY2(refusalOf(text).find(what) != std::string::npos, refusalOf(text).c_str());
        QCOMPARE(refusalOf(document(1, 1, 2000, "one2one")), std::string("read"));
    }

    /// Beside annotations the graph is a key of the document; a resource_spec.yml with the same words is still read as one.
    void kindsByContent() {
        std::string wrapped = "infrastructure:\n";
        for (const QString &line : QString::fromStdString(sample("two_racks.yaml")).split('\n'))
            wrapped += "  " + line.toStdString() + "\n";
        wrapped += "annotations:\n  nodes: []\n";
        QCOMPARE(readClusterText(wrapped)->nodes.size(), std::size_t{4});
        const auto spec =
            readClusterText("nodes:\n  - address: 10.0.0.1\nnotes: [components by choice, instances and devices]\n");
        QVERIFY2(spec.has_value(), notesOf(spec).c_str());
        QCOMPARE(spec->nodes[0].address, std::string("10.0.0.1"));
    }

    void truncations() {
        for (const char *name : {"two_racks.yaml", "workstation.json"}) {
            const std::string whole = sample(name);
            for (std::size_t length = 0; length < whole.size(); length += 3) {
                const auto cut = readClusterText(std::string_view(whole).substr(0, length));
                QVERIFY(cut.has_value() || !cut.error().what.empty());
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestInfraGraph)
#include "tst_infragraph.moc"
