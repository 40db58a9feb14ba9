// SPDX-License-Identifier: GPL-3.0-or-later
// Descriptions of machines written by other tools.
#include "engine/base/units.h"
#include "engine/cluster/cluster_file.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/foreign_traces.h"

#include <QtTest>

#include <QDir>
#include <QFile>

using namespace syncopate;

namespace {

const std::string matrix = "\t\x1b[4mGPU0\tGPU1\tGPU2\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n"
                           "GPU0\t X \tNV4\tNV2\tPIX\t0-23\t0\t\tN/A\n"
                           "GPU1\tNV4\t X \tNV1\tPXB\t0-23\t0\t\tN/A\n"
                           "GPU2\tNV2\tNV1\t X \tSYS\t24-47\t1\t\tN/A\n"
                           "NIC0\tPIX\tPXB\tSYS\t X \t\t\t\t\n"
                           "\nLegend:\n\n  X    = Self\n  NV#  = Connection traversing a bonded set of # NVLinks\n"
                           "\nNIC Legend:\n\n  NIC0: mlx5_0\n";

const std::string topology = R"(<?xml version="1.0"?>
<system version="2">
  <cpu numaid="0" host_hash="0xa">
    <pci busid="1" class="0x060400" link_speed="16.0 GT/s PCIe" link_width="8">
      <pci busid="2" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16">
        <gpu dev="0" sm="80" rank="0"><nvlink target="3" count="4" tclass="0x030200"/></gpu>
      </pci>
      <pci busid="3" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16">
        <gpu dev="1" sm="80" rank="1"><nvlink target="2" count="4" tclass="0x030200"/></gpu>
      </pci>
      <pci busid="4" class="0x020700"><nic>
        <net name="mlx5_0" dev="0" speed="100000"/><net name="mlx5_1" dev="1" speed="100000"/>
      </nic></pci>
    </pci>
    <nic><net name="veth1" dev="2" speed="10000"/></nic>
  </cpu>
</system>
)";

const std::string network =
    "topology: [ Ring, Switch ]\nnpus_count: [ 8, 4 ]\nbandwidth: [ 50.0, 25.0 ]  # GB/s\nlatency: [ 500.0, "
    "1000.0 ]  # ns\n";

std::string with(std::string text, const std::string &from, const std::string &to) {
    const std::size_t at = text.find(from);
    Q_ASSERT(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

QByteArray foreign(const std::string &name) { return testing::contentOf(QString::fromStdString(testing::foreignTrace(name))); }

double gbits(const Cluster &cluster) { return gbitsFromBytesPerSecond(cluster.nodes[0].bandwidthBytesPerSecond); }

} // namespace

class TestClusterFile : public QObject {
    Q_OBJECT
private slots:
    void topologyMatrix() {
        const auto cluster = readClusterText(matrix);
        VERIFY_VALUE(cluster);
        QCOMPARE(cluster->nodes.size(), std::size_t{1});
        QVERIFY((cluster->nodes[0].gpus == std::vector<std::int32_t>{0, 1, 2}));
        QCOMPARE(cluster->intraNodeBandwidthBytesPerSecond, 3 * 25e9); // GPU 2 has 2 + 1 links
        QCOMPARE(gbits(*cluster), 1.0);
        // GPU 2 has no NVLink: only PCI Express is left.
        std::string apart = with(with(with(with(matrix, "NV2", "SYS"), "NV1", "SYS"), "NV2", "SYS"), "NV1", "SYS");
        QCOMPARE(readTopologyMatrix(apart)->intraNodeBandwidthBytesPerSecond, 12e9);
        // Behind a switch every pair shows all links of a GPU.
        std::string switched;
        for (int row = -1; row < 8; ++row) {
            switched += row < 0 ? "" : "GPU" + std::to_string(row);
            for (int column = 0; column < 8; ++column)
                switched += row < 0 ? "\tGPU" + std::to_string(column) : row == column ? "\t X " : "\tNV12";
            switched += "\n";
        }
        QCOMPARE(readTopologyMatrix(switched)->intraNodeBandwidthBytesPerSecond, 12 * 25e9); // an A100's 300 GB/s
        QCOMPARE(readTopologyMatrix("\tGPU0\nGPU0\t X \n")->replicaCount(), 1);
    }

    void realMatrices() {
        REQUIRE_FOREIGN_TRACE("topology");
        const std::vector<std::pair<const char *, const char *>> files{{"dgx1_v100", "4 network"},
                                                                       {"dlperf_v100_node", "1 network"}};
        for (const auto &[name, devices] : files) {
            const QByteArray text = foreign("topology/topo_m/" + std::string(name) + ".txt");
            const auto cluster = readClusterText(text.toStdString());
            VERIFY_VALUE(cluster);
            QCOMPARE(cluster->replicaCount(), 8);
            QCOMPARE(cluster->intraNodeBandwidthBytesPerSecond, 150e9); // a V100 has six links of 25 GB/s
            QVERIFY(cluster->notes.front().find(devices) != std::string::npos);
        }
    }

    void ncclTopology() {
        const auto cluster = readClusterText(topology);
        VERIFY_VALUE(cluster);
        QVERIFY((cluster->nodes[0].gpus == std::vector<std::int32_t>{0, 1}));
        QCOMPARE(gbits(*cluster), 200.0);
        QCOMPARE(cluster->intraNodeBandwidthBytesPerSecond, 4 * 25e9);
        // sm 60 has NVLink 1; without NVLink the switch's x8 link is the narrowest: 16 GT/s x 8 / 8 x 128/130.
        QCOMPARE(readNcclTopology(with(topology, "sm=\"80\"", "sm=\"60\""))->intraNodeBandwidthBytesPerSecond, 4 * 20e9);
        // Blackwell's NVLink 5 has 1.8 TB/s over 18 links, both ways together; an MI300X's xGMI 896 GB/s over 7,
        // an MI350X's 153.6 GB/s over each.
        QCOMPARE(readNcclTopology(with(topology, "sm=\"80\"", "sm=\"100\""))->intraNodeBandwidthBytesPerSecond,
                 4 * 1.8e12 / 18 / 2);
        QCOMPARE(readNcclTopology(with(topology, "sm=\"80\"", "sm=\"90\""))->intraNodeBandwidthBytesPerSecond, 4 * 25e9);
        for (const auto &[name, rate] : {std::pair("908", 46e9), std::pair("gfx90a", 50e9), std::pair("gfx942", 896e9 / 7 / 2),
                                         std::pair("950", 153.6e9 / 2)}) {
            std::string amd = topology;
            for (int gpu = 0; gpu < 2; ++gpu)
                amd = with(with(amd, "<nvlink", "<xgmi"), "sm=\"80\"", "gcn=\"" + std::string(name) + "\"");
            QCOMPARE(readNcclTopology(amd)->intraNodeBandwidthBytesPerSecond, 4 * rate);
        }
        const std::string plain = with(topology, R"(<nvlink target="2" count="4" tclass="0x030200"/>)", "");
        QCOMPARE(readNcclTopology(plain)->intraNodeBandwidthBytesPerSecond, 16e9 * 128 / 130);
        const auto notesOf = [](const std::string &xml) {
            std::string all;
            const auto read = readNcclTopology(xml);
            for (const std::string &note : read ? read->notes : std::vector{read.error().toString()})
                all += note + "\n";
            return all;
        };
        QVERIFY2(notesOf(plain).find("Read: GPUs talk over PCI Express") != std::string::npos, notesOf(plain).c_str());
        // A cloud's template lists PCI devices, but no links between GPUs.
        std::string cloud = topology;
        for (const char *gpu : {R"(<gpu dev="0" sm="80" rank="0"><nvlink target="3" count="4" tclass="0x030200"/></gpu>)",
                                R"(<gpu dev="1" sm="80" rank="1"><nvlink target="2" count="4" tclass="0x030200"/></gpu>)"})
            cloud = with(cloud, gpu, "");
        QVERIFY2(notesOf(cloud).find("Assumed: GPUs talk over PCI Express") != std::string::npos, notesOf(cloud).c_str());
        QVERIFY2(notesOf(cloud).find("Read: GPUs talk") == std::string::npos, notesOf(cloud).c_str());
        // Devices without a speed are not none.
        std::string silent = topology;
        for (const char *speed : {"speed=\"100000\"", "speed=\"100000\"", "speed=\"10000\""})
            silent = with(silent, speed, "speed=\"0\"");
        const char *unstated = "the topology has no network device whose speed it states.";
        QVERIFY2(notesOf(silent).find(unstated) != std::string::npos, notesOf(silent).c_str());
        // Two hosts in one file become two nodes.
        std::string two = topology;
        const std::size_t end = two.find("</system>");
        const std::size_t cpu = topology.find("<cpu");
        two.insert(end, with(topology.substr(cpu, topology.find("</system>") - cpu), "0xa", "0xb"));
        const auto pair = readNcclTopology(two);
        VERIFY_VALUE(pair);
        QCOMPARE(pair->nodes.size(), std::size_t{2});
        QCOMPARE(pair->replicaCount(), 4);
    }

    void realTopologies_data() {
        QTest::addColumn<int>("gpus");
        QTest::addColumn<double>("network");
        QTest::addColumn<double>("intra");
        // GPUs, and NICs at the speed given in the files. A link of 16 GT/s x16 carries 31.5 GB/s.
        const double x16 = 32e9 * 128 / 130;
        QTest::newRow("nccl_xml/azure_ndv4-topo.xml") << 8 << 8 * 8 * x16 / 1e9 << x16;
        QTest::newRow("nccl_xml/azure_ndv2-topo.xml") << 8 << 8 * x16 / 1e9 << x16;
        QTest::newRow("nccl_xml/aws_p4d-24xl-topo.xml") << 8 << 4 * 8 * x16 / 2 / 1e9 << x16 / 2;
        QTest::newRow("rccl_xml/topo_8p_pcie.xml") << 8 << 100.0 << x16 / 2;
        QTest::newRow("rccl_xml/topo_4p3l.xml") << 4 << 10.0 << 3 * 46e9; // three links; the veth is ignored
        QTest::newRow("rccl_xml/topo_8p1h.xml")
            << 8 << 800.0 << 6 * 50e9; // every second GPU has six links of MI200, the others seven
        QTest::newRow("rccl_xml/topo_16p1h.xml") << 16 << 1600.0 << 7 * 50e9;
    }

    void realTopologies() {
        QFETCH(int, gpus);
        QFETCH(double, network);
        QFETCH(double, intra);
        REQUIRE_FOREIGN_TRACE("topology");
        const QByteArray xml = foreign(std::string("topology/") + QTest::currentDataTag());
        const auto cluster = readClusterText(xml.toStdString());
        VERIFY_VALUE(cluster);
        QCOMPARE(cluster->replicaCount(), gpus);
        COMPARE_CLOSE(gbits(*cluster), network, 1e-9);
        COMPARE_CLOSE(cluster->intraNodeBandwidthBytesPerSecond, intra, 1e-9);
        const auto again = readResourceSpecText(writeResourceSpec(*cluster));
        QVERIFY(again.has_value() && *again == *cluster);
    }

    void astraNetwork() {
        const auto cluster = readClusterText(network);
        VERIFY_VALUE(cluster);
        QCOMPARE(cluster->nodes.size(), std::size_t{4});
        QCOMPARE(cluster->replicaCount(), 32);
        const double gib = 1024.0 * 1024 * 1024;
        QCOMPARE(cluster->intraNodeBandwidthBytesPerSecond, 50 * gib);
        QCOMPARE(cluster->nodes[3].bandwidthBytesPerSecond, 8 * 25 * gib);
        QCOMPARE(cluster->latencySeconds, 2e-6); // two hops through the switch
        const auto cube =
            readAstraNetwork("topology: [Ring, FullyConnected, Switch]\nnpus_count: [2, 3, 5]\nbandwidth: [100, 20, "
                             "10]\nlatency: [1, 900, 200]\n");
        QCOMPARE(cube->nodes.size(), std::size_t{15});
        QCOMPARE(cube->nodes[0].bandwidthBytesPerSecond, 2 * 10 * gib);
        QCOMPARE(cube->latencySeconds, 900e-9);
    }

    /// The closed form of a ring all-reduce, 2 (N - 1) (latency + bytes / N / bandwidth), on the cluster read, against
    /// ASTRA-sim's own times on that network.
    void astraTimes() {
        const QByteArray table = testing::contentOf(SYNCOPATE_SOURCE "/tests/data/golden/ring/astra_collectives.csv");
        int compared = 0;
        for (const QByteArray &line : table.split('\n')) {
            const QList<QByteArray> cell = line.split(',');
            // aware backends store and forward in switches, and several splits share no link: both are quirks of that simulator
            if (cell.size() != 8 || cell[0] != "unaware" || cell[2] != "ring" || cell[3] != "1" || cell[7].toDouble() == 0)
                continue;
            const double gigabytes = cell[6].toDouble() * 1e9 / 8 / (1024.0 * 1024 * 1024);
            const auto cluster =
                readAstraNetwork(QStringLiteral("topology: [%1]\nnpus_count: [%2]\nbandwidth: [%3]\nlatency: [50000]\n")
                                     .arg(QString(cell[1]), QString(cell[4]))
                                     .arg(gigabytes, 0, 'g', 17)
                                     .toStdString());
            VERIFY_VALUE(cluster);
            const double nodes = static_cast<double>(cluster->nodes.size());
            const double predicted =
                2 * (nodes - 1) *
                (cluster->latencySeconds + cell[5].toDouble() / nodes / cluster->nodes[0].bandwidthBytesPerSecond);
            // ASTRA-sim also reads two pieces and writes one for each piece that it reduces, at a memory bandwidth of 1600 GB/s.
            const double memory = 3 * (nodes - 1) / nodes * cell[5].toDouble() / 1600e9;
            const double measured = cell[7].toDouble() / 1e3 - memory;
            COMPARE_CLOSE(predicted, measured, 0.001, (line + " predicted " + QByteArray::number(predicted * 1e3)).constData());
            ++compared;
        }
        COMPARE_AT_LEAST(compared, 10);
    }

    /// The older network file: separate latencies of links, NICs and routers, one device per node.
    void olderNetwork() {
        const auto cluster = readClusterText(R"({"topology-name": "Hierarchical", "dimensions-count": 1,
            "topologies-per-dim": ["Switch"], "dimension-type": ["N"], "units-count": [6], "links-count": [1], "link-latency": [400],
            "link-bandwidth": [12.5], "nic-latency": [0], "router-latency": [20], "hbm-latency": [500], "hbm-bandwidth": [370],
            "hbm-scale": [1]})");
        VERIFY_VALUE(cluster);
        QCOMPARE(cluster->nodes.size(), std::size_t{6});
        QCOMPARE(cluster->nodes[0].bandwidthBytesPerSecond, 12.5 * 1024 * 1024 * 1024);
        COMPARE_CLOSE(cluster->latencySeconds, 820e-9); // two links and a router
    }

    void realNetworks() {
        REQUIRE_FOREIGN_TRACE("astra_sim");
        const double gib = 1024.0 * 1024 * 1024;
        const auto h100 = readClusterText(foreign("astra_sim/v2_network/analytical/HGX-H100-validated.yml").toStdString());
        QCOMPARE(h100->nodes.size(), std::size_t{8});
        QCOMPARE(h100->nodes[0].bandwidthBytesPerSecond, 400 * gib);
        QCOMPARE(h100->latencySeconds, 2 * 936.25e-9);
        const auto ring = readClusterText(foreign("astra_sim/v2_network/analytical/Ring_8npus.yml").toStdString());
        QCOMPARE(ring->nodes[0].bandwidthBytesPerSecond, 50 * gib);
        QCOMPARE(ring->latencySeconds, 500e-9);
        const auto old = readClusterText(foreign("astra_sim/v1_network/analytical/sample_Switch.json").toStdString());
        VERIFY_VALUE(old);
        QCOMPARE(old->nodes.size(), std::size_t{4});
        QCOMPARE(old->nodes[0].bandwidthBytesPerSecond, 25 * gib);
        COMPARE_WITHIN(old->latencySeconds, 1010e-9, 1e-15); // two links of 500 ns and the router's 10
        const auto ns3 = readClusterText(foreign("astra_sim/v2_network/ns3/sample_8nodes_1D.json").toStdString());
        QVERIFY(!ns3);
        QVERIFY(ns3.error().what.find("ns-3") != std::string::npos);
    }

    void filesByContent() {
        QTemporaryDir dir;
        const auto write = [&dir](const char *name, const std::string &text) {
            QFile file(dir.filePath(name));
            if (file.open(QIODevice::WriteOnly))
                file.write(text.data(), static_cast<qint64>(text.size()));
            return file.fileName().toStdString();
        };
        QCOMPARE(readClusterFile(write("dgx.txt", matrix))->name, std::string("dgx"));
        QCOMPARE(readClusterFile(write("topo.xml", topology))->replicaCount(), 2);
        QCOMPARE(readClusterFile(write("net.yml", network))->replicaCount(), 32);
        const auto spec = readClusterFile(write("spec.yml", "nodes:\n  - address: 10.0.0.1\n    gpus: [0, 1]\n"));
        QCOMPARE(spec->nodes[0].address, std::string("10.0.0.1"));
        const auto broken = readClusterFile(write("broken.xml", "<system>"));
        QVERIFY(!broken);
        QCOMPARE(broken.error().file, dir.filePath("broken.xml").toStdString());
        QVERIFY(!readClusterFile(dir.filePath("none").toStdString()));
    }

    /// The notes of a resource_spec.yml may name the keys of other formats, wherever they stand.
    void specsByTheirNodes() {
        const std::string nodes = "nodes:\n  - address: 10.0.0.1\n    gpus: [0, 1]\n";
        for (const std::string key :
             {"npus_count", "units-count", "logical-dims", "components, choice", "instances, devices", "GPU0"}) {
            const std::string notes = "notes:\n  - \"from " + key + ": the network's file\"\n";
            for (const std::string &text : {nodes + notes, notes + nodes}) {
                QVERIFY2(clusterFormatOf(text) == ClusterFormat::ResourceSpec, text.c_str());
                VERIFY_VALUE(readClusterText(text));
            }
            const std::string json = "{\"nodes\": [{\"address\": \"10.0.0.1\", \"gpus\": [0, 1]}], \"notes\": [\"from " + key +
                                     ": the network's file\"]}";
            QVERIFY2(clusterFormatOf(json) == ClusterFormat::ResourceSpec, json.c_str());
            VERIFY_VALUE(readClusterText(json));
        }
    }

    /// Every resource_spec.yml of AutoDist can be read.
    void realSpecs() {
        REQUIRE_FOREIGN_TRACE("topology");
        for (const char *name : {"r0", "r1", "r4", "r6", "example_resource_spec"}) {
            const QByteArray text = foreign(std::string("topology/autodist/") + name + ".yml");
            QVERIFY2(readClusterText(text.toStdString()).has_value(), name);
            QVERIFY(*readClusterText(text.toStdString()) == *readResourceSpecText(text.toStdString()));
        }
    }

    void refuses_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("place");
        const auto row = [](const char *name, const std::string &text, const char *place) {
            QTest::newRow(name) << QString::fromStdString(text) << QString(place);
        };
        row("matrix without a row", with(matrix, "GPU2\tNV2\tNV1\t X \tSYS\t24-47\t1\t\tN/A\n", ""), "1");
        row("matrix row cut off", matrix.substr(0, matrix.find("NV1\t X ")), "4");
        row("matrix cell unknown", with(matrix, "PXB", "PXQ"), "3");
        row("matrix diagonal", with(matrix, " X \tNV4", "NV4\t X "), "2");
        row("matrix not symmetric", with(matrix, "NV4", "NV3"), "1");
        row("matrix too many links", with(matrix, "NV4", "NV999999999"), "2");
        row("matrix no links", with(matrix, "NV4", "NV0"), "2");
        row("matrix twice", matrix + matrix, "15");
        row("matrix two columns of a name", with(matrix, "GPU1", "GPU0"), "1");
        row("XML cut off", topology.substr(0, topology.find("rank=\"1\"")), "9");
        row("XML of another kind", "<html><body>topology</body></html>", "1");
        row("XML without GPUs", "<system version=\"1\"><cpu numaid=\"0\"/></system>", "1");
        row("XML entities", "<!DOCTYPE system [<!ENTITY a \"b\">]><system>&a;</system>", "1");
        row("XML link count", with(topology, "count=\"4\"", "count=\"-4\""), "6");
        row("XML link outside", with(topology, "<nic><net name=\"veth1\"", "<nvlink count=\"1\"/><nic><net name=\"veth1\""),
            "15");
        row("XML dev", with(topology, "dev=\"1\"", "dev=\"x\""), "9");
        row("XML dev twice", with(topology, "dev=\"1\"", "dev=\"0\""), "9");
        row("XML speed", with(topology, "speed=\"100000\"", "speed=\"-1\""), "12");
        row("XML speed not a number", with(topology, "speed=\"100000\"", "speed=\"fast\""), "12");
        row("XML width", with(topology, "link_width=\"8\"", "link_width=\"-8\""), "4");
        std::string deep = "<system>";
        for (int i = 0; i < 1000; ++i)
            deep += "<pci>";
        row("XML too deep", deep, "1");
        row("network without bandwidth", with(network, "bandwidth", "bandwith"), "1");
        row("network of unequal lists", with(network, "[ 50.0, 25.0 ]", "[ 50.0 ]"), "3");
        row("network NaN", with(network, "25.0", ".nan"), "3");
        row("network negative", with(network, "25.0", "-25.0"), "3");
        row("network latency a text", with(network, "500.0", "slow"), "4");
        row("network topology", with(network, "Ring", "Torus"), "1");
        row("network NPUs", with(network, "8, 4", "0, 4"), "2");
        row("network half an NPU", with(network, "8, 4", "8, 4.5"), "2");
        row("network too large", with(network, "8, 4", "1000, 100000000"), "2");
        row("network a list", with(network, "npus_count: [ 8, 4 ]", "npus_count: 8"), "2");
        row("network not YAML", "npus_count: [", "*");
        row("ns-3", "{\n  \"logical-dims\": [\"8\"]\n}\n", "2");
    }

    void refuses() {
        QFETCH(QString, text);
        QFETCH(QString, place);
        const auto cluster = readClusterText(text.toStdString(), "file");
        QVERIFY(!cluster);
        QCOMPARE(cluster.error().file, std::string("file"));
        QVERIFY(!cluster.error().what.empty() && !cluster.error().remedy.empty());
        if (place != "*")
            QVERIFY2(QString::fromStdString(cluster.error().place) == place, cluster.error().toString().c_str());
    }

    /// A project keeps a cluster as a resource_spec.yml: what that cannot state is refused, or the project could not be opened.
    void whatIsReadCanBeKept() {
        const auto outcome = [](const std::string &text) {
            const auto cluster = readClusterText(text, "file");
            if (!cluster)
                return std::string("refused");
            return std::string(readResourceSpecText(writeResourceSpec(*cluster)) ? "kept" : "lost");
        };
        for (const std::string &text : {matrix, topology, network})
            QCOMPARE(outcome(text), std::string("kept"));
        QCOMPARE(outcome(with(network, "50.0, 25.0", "50.0, 1000000.0")), std::string("refused")); // 8 NPUs of 8.6 Pbit/s each
        QCOMPARE(outcome(with(network, "50.0, 25.0", "1000000.0, 25.0")), std::string("refused"));
        QCOMPARE(outcome(with(topology, "speed=\"100000\"", "speed=\"100000000\"")), std::string("kept"));
        const std::string fast = "<net name=\"a\" speed=\"100000000\"/>";
        std::string nets;
        for (int n = 0; n < 20; ++n)
            nets += fast;
        QCOMPARE(outcome("<system><cpu><pci><gpu dev=\"0\" sm=\"90\"/></pci>" + nets + "</cpu></system>"),
                 std::string("refused"));
        QCOMPARE(outcome("<system><cpu><gpu dev=\"0\" sm=\"90\"/><net name=\"a\" speed=\"1e-5\"/></cpu></system>"),
                 std::string("refused"));
        QCOMPARE(outcome("     GPU0 GPU70000\nGPU0 X NV1\nGPU70000 NV1 X\n"), std::string("refused"));
        QCOMPARE(outcome("     GPU0 GPU7\nGPU0 X NV1\nGPU7 NV1 X\n"), std::string("kept"));
    }

    void truncationsAndDamage() {
        for (const std::string &whole : {matrix, topology, network})
            for (std::size_t length = 0; length < whole.size(); ++length) {
                const auto cut = readClusterText(std::string_view(whole).substr(0, length));
                QVERIFY(cut ? readResourceSpecText(writeResourceSpec(*cut)).has_value() : !cut.error().what.empty());
            }
        const QDir folder(QStringLiteral(SYNCOPATE_SOURCE "/tests/damaged/topology"));
        const auto files = folder.entryInfoList(QDir::Files);
        QVERIFY(!files.isEmpty());
        for (const auto &file : files) {
            const std::string path = file.absoluteFilePath().toStdString();
            const auto cluster = readClusterFile(path);
            QVERIFY2(!cluster, path.c_str());
            QCOMPARE(cluster.error().file, path);
        }
    }
};

QTEST_GUILESS_MAIN(TestClusterFile)
#include "tst_cluster_file.moc"
