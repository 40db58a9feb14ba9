// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/units.h"
#include "engine/base/yaml_text.h"
#include "engine/cluster/addresses.h"
#include "engine/cluster/cluster_file.h"
#include "engine/cluster/described_node.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <vector>
#include <yaml-cpp/yaml.h>

namespace syncopate {

namespace {

constexpr std::size_t maxNetworkFileBytes = 1U << 20;
constexpr double gigabyte = 1024.0 * 1024.0 * 1024.0; ///< in ASTRA-sim's files
constexpr std::size_t maxDimensions = 16;

struct Dimension {
    std::string topology;
    std::int32_t npus = 1;
    double bytesPerSecond = 0; ///< per NPU and direction
    double latencySeconds = 0; ///< between two NPUs
};

class NetworkReader {
public:
    explicit NetworkReader(const YAML::Node &root) : m_root(root) {
        if (!root.IsMap())
            refuse(root.Mark(), "a network file is a map", "see docs/cluster-file.md");
        if (root["logical-dims"])
            refuse(root["logical-dims"].Mark(), "an ns-3 network file has no bandwidths of its own",
                   "give the analytical network file");
    }

    std::vector<Dimension> read() {
        const bool old = static_cast<bool>(m_root["topologies-per-dim"]);
        const YAML::Node topologies = list(old ? "topologies-per-dim" : "topology");
        const YAML::Node counts = list(old ? "units-count" : "npus_count");
        const YAML::Node bandwidths = list(old ? "link-bandwidth" : "bandwidth");
        const YAML::Node latencies = list(old ? "link-latency" : "latency");
        std::vector<Dimension> dimensions;
        for (std::size_t d = 0; d < m_size; ++d) {
            Dimension dimension;
            dimension.topology = topologies[d].IsScalar() ? topologies[d].Scalar() : "";
            if (dimension.topology != "Ring" && dimension.topology != "Switch" && dimension.topology != "FullyConnected")
                refuse(topologies[d].Mark(), fmt::format("the topology is '{}'", dimension.topology.substr(0, 40)),
                       "use Ring, Switch or FullyConnected");
            const double count = number(counts[d], 1, maxNodes);
            dimension.npus = static_cast<std::int32_t>(count);
            if (dimension.npus != count)
                refuse(counts[d].Mark(), fmt::format("there are {} NPUs", count), "write a whole number");
            dimension.bytesPerSecond = number(bandwidths[d], 1e-6, 1e6) * gigabyte;
            dimension.latencySeconds = number(latencies[d], 0, 1e9) * 1e-9;
            if (dimension.topology == "Switch")
                dimension.latencySeconds *= 2;
            if (old)
                addOldKeys(dimension, d);
            dimensions.push_back(std::move(dimension));
        }
        return dimensions;
    }

private:
    /// Adds keys of v1, which has several links between two NPUs, and latencies of routers and NICs besides those of links.
    void addOldKeys(Dimension &dimension, std::size_t d) {
        if (m_root["links-count"])
            dimension.bytesPerSecond *= number(list("links-count")[d], 1, 1024);
        if (m_root["nic-latency"])
            dimension.latencySeconds += number(list("nic-latency")[d], 0, 1e9) * 1e-9;
        if (m_root["router-latency"] && dimension.topology == "Switch")
            dimension.latencySeconds += number(list("router-latency")[d], 0, 1e9) * 1e-9;
    }

    YAML::Node list(const char *key) {
        const YAML::Node node = m_root[key];
        if (!node || !node.IsSequence() || node.size() == 0)
            refuse(node ? node.Mark() : m_root.Mark(), fmt::format("there is no list {}", key),
                   fmt::format("write {}: [ ... ], one entry a dimension", key));
        if (node.size() > maxDimensions)
            refuse(node.Mark(), fmt::format("{} has {} dimensions", key, node.size()),
                   fmt::format("up to {} are read", maxDimensions));
        if (m_size == 0)
            m_size = node.size();
        if (node.size() != m_size)
            refuse(node.Mark(), fmt::format("{} has {} entries, the first list {}", key, node.size(), m_size),
                   "give one entry a dimension");
        return node;
    }

    static double number(const YAML::Node &node, double min, double max) {
        double value = 0;
        if (!node.IsScalar() || !YAML::convert<double>::decode(node, value) || !std::isfinite(value))
            refuse(node.Mark(), "an entry is not a number", "write plain numbers");
        if (value < min || value > max)
            refuse(node.Mark(), fmt::format("an entry is {}", value), fmt::format("write a number from {} to {}", min, max));
        return value;
    }

    YAML::Node m_root;
    std::size_t m_size = 0;
};

Result<Cluster> clusterOfDimensions(const std::vector<Dimension> &dimensions) {
    const bool flat = dimensions.size() == 1;
    const Dimension &inner = dimensions.front();
    const std::int32_t gpusOfNode = flat ? 1 : inner.npus;
    if (gpusOfNode > maxDevicesOfNode)
        return fail(fmt::format("the first dimension has {} NPUs", gpusOfNode),
                    fmt::format("a node has up to {}", maxDevicesOfNode), {}, "npus_count");
    std::int64_t nodes = flat ? inner.npus : 1;
    double bandwidth = inner.bytesPerSecond;
    double latency = inner.latencySeconds;
    if (!flat) {
        bandwidth = dimensions[1].bytesPerSecond;
        latency = 0;
        for (std::size_t d = 1; d < dimensions.size(); ++d) {
            nodes *= dimensions[d].npus;
            bandwidth = std::min(bandwidth, dimensions[d].bytesPerSecond);
            latency = std::max(latency, dimensions[d].latencySeconds);
            if (nodes > maxNodes)
                return fail(fmt::format("the network has more than {} nodes", maxNodes), "give a smaller one", {}, "npus_count");
        }
    }
    DescribedNode node;
    node.gpus.resize(static_cast<std::size_t>(gpusOfNode));
    std::iota(node.gpus.begin(), node.gpus.end(), 0);
    node.bandwidthBytesPerSecond = bandwidth * gpusOfNode;
    Cluster cluster = clusterOf(std::vector<DescribedNode>(static_cast<std::size_t>(nodes), node));
    cluster.latencySeconds = latency;
    if (!flat)
        cluster.intraNodeBandwidthBytesPerSecond = inner.bytesPerSecond;
    for (const Dimension &dimension : dimensions)
        cluster.notes.push_back(
            fmt::format("Read: {} of {} NPUs, {:.4g} GB/s (10^9) each way, {:.4g} us from NPU to NPU (ASTRA-sim, where "
                        "1 GB is 2^30 bytes and a switch is two hops).",
                        dimension.topology, dimension.npus, dimension.bytesPerSecond / 1e9, dimension.latencySeconds * 1e6));
    cluster.notes.emplace_back(
        flat ? "Assumed: every NPU is a node with a NIC of its own, behind a switch that does not block."
             : "Assumed: NPUs of the first dimension share a node, whose NIC has the bandwidth of all of them; "
               "outer dimensions are one switch with the bandwidth of the narrowest and the latency of the "
               "slowest.");
    return cluster;
}

} // namespace

Result<Cluster> readAstraNetwork(std::string_view text, const std::string &file) {
    return readYaml<Cluster>(text, file, {"a network file", "neither YAML nor JSON", maxNetworkFileBytes},
                             [](const YAML::Node &root) { return clusterOfDimensions(NetworkReader(root).read()); });
}

} // namespace syncopate
