// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/catalogue.h"
#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/cluster/addresses.h"
#include "engine/cluster/cluster.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>

namespace syncopate {

namespace {

constexpr double ethernetLatencySeconds = 30e-6;
constexpr double rdmaLatencySeconds = 5e-6;

struct Machine {
    std::int32_t gpus; ///< 0: a single worker, on its CPU
    double gbits;
    const char *device;
    std::int32_t nics = 1; ///< which share `gbits`
};

struct Row {
    CatalogueCluster info;
    std::vector<Machine> machines;
    std::uint32_t network; ///< address of the first node
    std::string user;
    double latencySeconds = ethernetLatencySeconds;
    double intraNodeBandwidthBytesPerSecond = Cluster{}.intraNodeBandwidthBytesPerSecond;
    double connectionGbits = std::numeric_limits<double>::infinity(); ///< limit of one connection between two nodes
    std::vector<Channel> channels{};
};

std::vector<Machine> times(std::size_t count, Machine machine) { return std::vector<Machine>(count, machine); }

constexpr Machine titanX{1, 40, "TITANX"};
constexpr Machine g3Small{1, 10, "M60"}; // g3.4xlarge
constexpr Machine g3{4, 25, "M60"};      // g3.16xlarge
constexpr Machine g4Small{1, 25, "T4"};  // g4dn.2xlarge
constexpr Machine g4{4, 50, "T4"};       // g4dn.12xlarge

constexpr std::uint32_t privateNetwork = 0x0A000101; // 10.0.1.1
constexpr std::uint32_t awsNetwork = 0xAC1F000B;     // 172.31.0.11

std::string latencyNote(double seconds) {
    return fmt::format("{:g} microseconds of one-way latency, addresses, full-duplex NICs at their stated rate, a switch "
                       "that does not block.",
                       seconds * 1e6);
}

double peakOf(const Machine &machine) {
    for (const Accelerator &accelerator : accelerators())
        if (accelerator.name == machine.device)
            return accelerator.flopsPerSecond;
    return 0;
}

/// Speed of a machine relative to the fastest of its cluster; 1 if a peak is not known.
double scaleOf(const Machine &machine, const std::vector<Machine> &machines) {
    double fastest = 0;
    for (const Machine &other : machines)
        fastest = std::max(fastest, peakOf(other));
    const double mine = peakOf(machine);
    return mine > 0 ? mine / fastest : 1;
}

double slowestScale(const std::vector<Machine> &machines) {
    double slowest = 1;
    for (const Machine &machine : machines)
        slowest = std::min(slowest, scaleOf(machine, machines));
    return slowest;
}

/// AutoSync, supplement, Table 2 (AutoDist, Table 1).
Row autoSync(const char *name, const char *description, std::vector<Machine> machines) {
    const bool aws = name[0] == 'B';
    Row row{{name, description, {}, {}}, std::move(machines), aws ? awsNetwork : privateNetwork, aws ? "ubuntu" : "root"};
    row.info.published = {fmt::format("{} (AutoSync, supplement, Table 2, {}).", description, name)};
    row.info.assumed = {latencyNote(ethernetLatencySeconds)};
    if (aws) {
        row.info.published.emplace_back(
            "AWS limits a single flow to 10 Gbit/s (AutoSync, supplement, section 9.1): one connection between two nodes carries "
            "at most that.");
        row.connectionGbits = 10;
        row.info.assumed.emplace_back("GPUs of a node talk over PCIe 3 x16, 12 GB/s each way.");
    }
    if (const double slowest = slowestScale(row.machines); slowest < 1)
        row.info.assumed.push_back(fmt::format("the job's times are those of the faster device; the other one runs at {:.2f} of "
                                               "its speed, the ratio of their float32 peaks.",
                                               slowest));
    return row;
}

Row other(CatalogueCluster info, std::vector<Machine> machines, double latencySeconds, double intraNodeBandwidth,
          std::vector<Channel> channels = {}) {
    Row row{std::move(info), std::move(machines), privateNetwork, "root", latencySeconds, intraNodeBandwidth};
    row.info.assumed.push_back(latencyNote(latencySeconds));
    row.channels = std::move(channels);
    return row;
}

std::vector<Row> otherPapers() {
    const double pcie = Cluster{}.intraNodeBandwidthBytesPerSecond;
    return {
        other({"autobyte",
               "8 nodes, one V100 each, 100 Gbit/s, leaf and spine without oversubscription (AutoByte)",
               {"8 nodes in 2 racks of 4, each with one Tesla V100 and a ConnectX-5 NIC of 100 Gbit/s, oversubscription 1 "
                "(AutoByte, section VI-A).",
                "TCP cannot saturate these links; its figures are for 0.5, 1, 5, 10 and 25 Gbit/s (the same section)."},
               {}},
              times(8, {1, 100, "V100"}), ethernetLatencySeconds, pcie),
        other({"bytescheduler",
               "8 nodes, 8 V100 each, 100 Gbit/s RDMA (ByteScheduler)",
               {"8 V100 a node over PCIe, 100 Gbit/s, RDMA, 8 to 64 GPUs (ByteScheduler's README and charts)."},
               {"GPUs of a node talk over PCIe 3 x16, 12 GB/s each way."}},
              times(8, {8, 100, "V100"}), rdmaLatencySeconds, pcie),
        other(
            {"syndicate",
             "16 nodes, 8 V100 each on NVSwitch, 8 x 100 Gbit/s RoCE a node (SYNDICATE)",
             {"16 HGX-2 nodes of 8 V100 on NVSwitch, 1.2 TB/s a node one way; 8 RoCE NICs of 100 Gbit/s a node, and 2 of 100 "
              "Gbit/s for the host (SYNDICATE, Table 1 and section 6.1)."},
             {"the host's 2 NICs are in the channel tcp alone; NVSwitch gives each GPU an eighth of the 1.2 TB/s.",
              "channels of a GPU: its RoCE NIC and NVSwitch, 100 Gbit/s; its eighth of the host's NICs, over PCIe, 25 Gbit/s."}},
            times(16, {8, 800, "V100", 8}), rdmaLatencySeconds, 150e9,
            {{"rdma", {"nvswitch", "roce"}, bytesPerSecondFromGbits(100), rdmaLatencySeconds},
             {"tcp", {"pcie", "ethernet"}, bytesPerSecondFromGbits(25), ethernetLatencySeconds}}),
        other({"async_cpu",
               "8 nodes without GPUs, 1 Gbit/s (private cluster of the asynchronous-SGD paper)",
               {"8 nodes with a quad-core AMD Opteron 2376, Gigabit Ethernet (async-SGD prediction, section 4.1)."},
               {}},
              times(8, {0, 1, "Opteron 2376"}), ethernetLatencySeconds, pcie),
        other({"async_aws_cpu",
               "8 x c4.8xlarge without GPUs, 10 Gbit/s (cloud CPU cluster of the asynchronous-SGD paper)",
               {"AWS c4.8xlarge instances on 10 Gbit/s (async-SGD prediction, section 4.1)."},
               {"8 nodes; the paper does not state how many."}},
              times(8, {0, 10, "Xeon E5-2666 v3"}), ethernetLatencySeconds, pcie),
        other({"async_aws_gpu",
               "8 x p3.2xlarge, one V100 each, 10 Gbit/s (cloud GPU cluster of the asynchronous-SGD paper)",
               {"AWS p3.2xlarge instances, one V100 each, on 10 Gbit/s (async-SGD prediction, section 4.1)."},
               {"8 nodes; the paper does not state how many."}},
              times(8, {1, 10, "V100"}), ethernetLatencySeconds, pcie),
    };
}

const std::vector<Row> &rows() {
    static const std::vector<Row> table = [] {
        std::vector<Row> all{
            autoSync("A1", "16 nodes, one GeForce TITAN X each, 40 Gbit/s Ethernet", times(16, titanX)),
            autoSync("A2", "11 nodes, one GeForce TITAN X each, 40 Gbit/s Ethernet (Cluster A of AutoSync)", times(11, titanX)),
            autoSync("B1", "2 x g3.16xlarge, 4 M60 each, 25 Gbit/s", times(2, g3)),
            autoSync("B2", "3 x g3.16xlarge, 4 M60 each, 25 Gbit/s", times(3, g3)),
            autoSync("B3", "4 x g3.16xlarge, 4 M60 each, 25 Gbit/s", times(4, g3)),
            autoSync("B4", "1 x g4dn.12xlarge, 4 T4, 50 Gbit/s", times(1, g4)),
            autoSync("B5", "2 x g4dn.12xlarge, 4 T4 each, 50 Gbit/s", times(2, g4)),
            autoSync("B6", "3 x g4dn.12xlarge, 4 T4 each, 50 Gbit/s", times(3, g4)),
            autoSync("B7", "4 x g4dn.12xlarge, 4 T4 each, 50 Gbit/s (Cluster B of AutoSync)", times(4, g4)),
            autoSync("B8", "8 x g4dn.12xlarge, 4 T4 each, 50 Gbit/s", times(8, g4)),
            autoSync("B9", "1 x g3.4xlarge and 1 x g3.16xlarge, 1 and 4 M60, 10 and 25 Gbit/s", {g3Small, g3}),
            autoSync("B10", "1 x g3.16xlarge and 1 x g4dn.12xlarge, 4 M60 and 4 T4, 25 and 50 Gbit/s", {g3, g4}),
            autoSync("B11", "2 x g3.16xlarge and 2 x g4dn.12xlarge, 4 M60 or 4 T4 each, 25 and 50 Gbit/s", {g3, g3, g4, g4}),
            autoSync("B12", "1 x g4dn.2xlarge and 1 x g4dn.12xlarge, 1 and 4 T4, 25 and 50 Gbit/s", {g4Small, g4}),
        };
        std::vector<Row> more = otherPapers();
        std::move(more.begin(), more.end(), std::back_inserter(all));
        return all;
    }();
    return table;
}

Cluster make(const Row &row) {
    Cluster cluster;
    cluster.name = row.info.name;
    for (std::size_t n = 0; n < row.machines.size(); ++n) {
        const Machine &machine = row.machines[n];
        Node node;
        node.address = ipv4Text(row.network + static_cast<std::uint32_t>(n));
        node.chief = n == 0;
        for (std::int32_t gpu = 0; gpu < machine.gpus; ++gpu)
            node.gpus.push_back(gpu);
        node.bandwidthBytesPerSecond = bytesPerSecondFromGbits(machine.gbits);
        node.nics = machine.nics;
        node.sshConfig = n == 0 ? "" : "conf";
        node.device = machine.device;
        node.computeScale = scaleOf(machine, row.machines);
        cluster.nodes.push_back(std::move(node));
    }
    if (cluster.nodes.size() > 1)
        cluster.ssh["conf"].username = row.user;
    cluster.latencySeconds = row.latencySeconds;
    cluster.intraNodeBandwidthBytesPerSecond = row.intraNodeBandwidthBytesPerSecond;
    cluster.connectionBytesPerSecond = bytesPerSecondFromGbits(row.connectionGbits);
    cluster.namedChannels = row.channels;
    if (!row.channels.empty())
        cluster.channels = static_cast<std::int32_t>(row.channels.size());
    for (const std::string &sentence : row.info.published)
        cluster.notes.emplace_back("Published: " + sentence);
    for (const std::string &sentence : row.info.assumed)
        cluster.notes.emplace_back("Assumed: " + sentence);
    return cluster;
}

} // namespace

const std::vector<CatalogueCluster> &catalogueClusters() {
    static const std::vector<CatalogueCluster> clusters = [] {
        std::vector<CatalogueCluster> all;
        for (const Row &row : rows())
            all.push_back(row.info);
        return all;
    }();
    return clusters;
}

Result<Cluster> catalogueCluster(std::string_view name) {
    for (const Row &row : rows())
        if (row.info.name == name)
            return make(row);
    return fail(
        fmt::format("the catalogue has no cluster '{}'", name),
        fmt::format("use one of {}, or a resource_spec.yml", listOfNames(rows(), [](const Row &row) { return row.info.name; })));
}

} // namespace syncopate
