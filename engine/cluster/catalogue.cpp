// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/units.h"
#include "engine/cluster/addresses.h"
#include "engine/cluster/cluster.h"

#include <fmt/format.h>

namespace syncopate {

namespace {

struct Machine {
    std::int32_t gpus;
    double gbits;
};

struct Row {
    const char *name;
    const char *description;
    std::vector<Machine> machines;
    bool aws;
};

/// AutoSync, supplement, Table 2.
const std::vector<Row> &rows() {
    static const auto times = [](std::size_t count, Machine machine) { return std::vector<Machine>(count, machine); };
    static const std::vector<Row> table{
        {"A1", "16 nodes, one GeForce TITAN X each, 40 Gbit/s Ethernet", times(16, {1, 40}), false},
        {"A2", "11 nodes, one GeForce TITAN X each, 40 Gbit/s Ethernet (Cluster A of AutoSync)", times(11, {1, 40}), false},
        {"B1", "2 x g3.16xlarge, 4 M60 each, 25 Gbit/s", times(2, {4, 25}), true},
        {"B2", "3 x g3.16xlarge, 4 M60 each, 25 Gbit/s", times(3, {4, 25}), true},
        {"B3", "4 x g3.16xlarge, 4 M60 each, 25 Gbit/s", times(4, {4, 25}), true},
        {"B4", "1 x g4dn.12xlarge, 4 T4, 50 Gbit/s", times(1, {4, 50}), true},
        {"B5", "2 x g4dn.12xlarge, 4 T4 each, 50 Gbit/s", times(2, {4, 50}), true},
        {"B6", "3 x g4dn.12xlarge, 4 T4 each, 50 Gbit/s", times(3, {4, 50}), true},
        {"B7", "4 x g4dn.12xlarge, 4 T4 each, 50 Gbit/s (Cluster B of AutoSync)", times(4, {4, 50}), true},
        {"B8", "8 x g4dn.12xlarge, 4 T4 each, 50 Gbit/s", times(8, {4, 50}), true},
        {"B9", "1 x g3.4xlarge and 1 x g3.16xlarge, 1 and 4 M60, 10 and 25 Gbit/s", {{1, 10}, {4, 25}}, true},
        {"B10", "1 x g3.16xlarge and 1 x g4dn.12xlarge, 4 M60 and 4 T4, 25 and 50 Gbit/s", {{4, 25}, {4, 50}}, true},
        {"B11",
         "2 x g3.16xlarge and 2 x g4dn.12xlarge, 4 M60 or 4 T4 each, 25 and 50 Gbit/s",
         {{4, 25}, {4, 25}, {4, 50}, {4, 50}},
         true},
        {"B12", "1 x g4dn.2xlarge and 1 x g4dn.12xlarge, 1 and 4 T4, 25 and 50 Gbit/s", {{1, 25}, {4, 50}}, true},
    };
    return table;
}

} // namespace

const std::vector<CatalogueCluster> &catalogueClusters() {
    static const std::vector<CatalogueCluster> clusters = [] {
        std::vector<CatalogueCluster> all;
        for (const Row &row : rows())
            all.push_back({row.name, row.description});
        return all;
    }();
    return clusters;
}

Result<Cluster> catalogueCluster(std::string_view name) {
    std::string known;
    for (const Row &row : rows()) {
        known += (known.empty() ? "" : ", ") + std::string(row.name);
        if (row.name != name)
            continue;
        Cluster cluster;
        cluster.name = row.name;
        const std::uint32_t network = row.aws ? 0xAC1F000B : 0x0A000101; // 172.31.0.11, 10.0.1.1
        for (std::size_t n = 0; n < row.machines.size(); ++n) {
            Node node;
            node.address = ipv4Text(network + static_cast<std::uint32_t>(n));
            node.chief = n == 0;
            for (std::int32_t gpu = 0; gpu < row.machines[n].gpus; ++gpu)
                node.gpus.push_back(gpu);
            node.bandwidthBytesPerSecond = bytesPerSecondFromGbits(row.machines[n].gbits);
            node.sshConfig = n == 0 ? "" : "conf";
            cluster.nodes.push_back(std::move(node));
        }
        if (cluster.nodes.size() > 1)
            cluster.ssh["conf"].username = row.aws ? "ubuntu" : "root";
        cluster.latencySeconds = 30e-6;
        cluster.notes = {fmt::format("Published (AutoSync, supplement, Table 2, {}): {}.", row.name, row.description),
                         "Assumed: 30 microseconds of one-way latency, addresses, one full-duplex NIC a node at its stated rate, "
                         "a switch that does not block."};
        if (row.aws) {
            cluster.notes.push_back("Assumed: GPUs of a node talk over PCIe 3 x16, 12 GB/s each way.");
            cluster.notes.push_back(
                "Published: AWS limits a single flow to 10 Gbit/s; that limit is not part of the model, which "
                "gives a lone flow the whole NIC.");
        }
        return cluster;
    }
    return fail(fmt::format("the catalogue has no cluster '{}'", name),
                fmt::format("use one of {}, or a resource_spec.yml", known));
}

} // namespace syncopate
