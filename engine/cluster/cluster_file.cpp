// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/cluster_file.h"

#include "engine/base/input_file.h"
#include "engine/base/units.h"
#include "engine/base/utf8.h"
#include "engine/cluster/addresses.h"
#include "engine/cluster/described_node.h"
#include "engine/cluster/spec_values.h"

#include <filesystem>
#include <fmt/format.h>

namespace syncopate {

namespace {

constexpr std::uint64_t maxClusterFileBytes = 64U << 20;

bool has(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

/// Recognised by keys that occur together in no other format.
bool looksLikeInfraGraph(std::string_view head) {
    return (has(head, "components") && has(head, "choice")) ||
           (has(head, "instances") && (has(head, "devices") || has(head, "connections")));
}

/// Refuses figures that no resource_spec.yml can state: projects keep clusters as one, and could not be opened again.
Result<void> checkFigures(const Cluster &cluster) {
    const auto check = [](double bytesPerSecond, const std::string &of) -> Result<void> {
        const double gbits = gbitsFromBytesPerSecond(bytesPerSecond);
        if (!(gbits >= minSpecGbits && gbits <= maxSpecGbits))
            return fail(fmt::format("{} would have {:.4g} Gbit/s", of, gbits),
                        fmt::format("correct the rates: {} to {} Gbit/s are simulated", minSpecGbits, maxSpecGbits));
        return {};
    };
    TRY(check(cluster.intraNodeBandwidthBytesPerSecond, "an accelerator's links inside its node"));
    for (const Node &node : cluster.nodes) {
        TRY(check(node.bandwidthBytesPerSecond, "the network of a node"));
        if (!node.gpus.empty() && node.gpus.back() > maxDeviceIndex) // ascending
            return fail(fmt::format("a GPU has the number {}", node.gpus.back()),
                        fmt::format("up to {} are read", maxDeviceIndex));
    }
    return {};
}

Result<Cluster> readFormat(ClusterFormat format, std::string_view text, const std::string &file) {
    switch (format) {
    case ClusterFormat::NcclTopology:
        return readNcclTopology(text, file);
    case ClusterFormat::TopologyMatrix:
        return readTopologyMatrix(text, file);
    case ClusterFormat::InfraGraph:
        return readInfraGraph(text, file);
    case ClusterFormat::AstraNetwork:
        return readAstraNetwork(text, file);
    case ClusterFormat::ResourceSpec:
        break;
    }
    return readResourceSpecText(text, file);
}

} // namespace

Cluster clusterOf(const std::vector<DescribedNode> &nodes) {
    Cluster cluster;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        Node node;
        node.address = nodes.size() == 1 ? "localhost" : ipv4Text((10U << 24) + 1U + static_cast<std::uint32_t>(n));
        node.chief = n == 0;
        node.gpus = nodes[n].gpus;
        node.bandwidthBytesPerSecond =
            nodes[n].bandwidthBytesPerSecond > 0 ? nodes[n].bandwidthBytesPerSecond : bytesPerSecondFromGbits(1);
        node.sshConfig = n == 0 ? "" : "conf";
        cluster.nodes.push_back(std::move(node));
    }
    if (nodes.size() > 1)
        cluster.ssh.try_emplace("conf");
    return cluster;
}

ClusterFormat clusterFormatOf(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    const std::string_view head = first == std::string_view::npos ? std::string_view{} : text.substr(first, 64 * 1024);
    if (head.starts_with('<'))
        return ClusterFormat::NcclTopology;
    const bool hasNodesAsJson = (has(head, "\"nodes\":") || has(head, "'nodes':")) && has(head, "address");
    if (head.starts_with("nodes:") || has(head, "\nnodes:") || hasNodesAsJson) // its notes may say anything
        return ClusterFormat::ResourceSpec;
    // YAML allows neither a tab nor an escape sequence at the start, and GPU0 is not a key of a resource_spec.yml.
    if (has(head.substr(0, head.find('\n')), "GPU0") && !has(head, "nodes:"))
        return ClusterFormat::TopologyMatrix;
    if (looksLikeInfraGraph(head))
        return ClusterFormat::InfraGraph;
    if (has(head, "npus_count") || has(head, "topologies-per-dim") || has(head, "units-count") || has(head, "logical-dims"))
        return ClusterFormat::AstraNetwork;
    return ClusterFormat::ResourceSpec;
}

Result<Cluster> readClusterText(std::string_view text, const std::string &file) {
    const ClusterFormat format = clusterFormatOf(text);
    auto cluster = TRY(readFormat(format, text, file));
    if (format != ClusterFormat::ResourceSpec)
        TRY(inFile(checkFigures(cluster), file));
    return cluster;
}

Result<Cluster> readClusterFile(const std::string &path) {
    const auto text = TRY(readInputFile(path, maxClusterFileBytes));
    Result<Cluster> cluster = readClusterText(text, path);
    if (cluster && cluster->name.empty())
        cluster->name = validUtf8(std::filesystem::path(path).stem().string());
    return cluster;
}

} // namespace syncopate
