// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/data/infragraph/* tests/damaged/topology/infragraph*
#include "engine/cluster/cluster_file.h"

#include <cmath>
#include <cstdlib>

/// Any text yields a cluster that can be written and read back, with figures valid for simulation, or an Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto cluster = syncopate::readInfraGraph({reinterpret_cast<const char *>(data), size}, "file");
    if (!cluster) {
        if (cluster.error().what.empty() || cluster.error().remedy.empty() || cluster.error().file != "file")
            std::abort();
        return 0;
    }
    const auto isRate = [](double rate) { return std::isfinite(rate) && rate > 0; };
    for (const syncopate::Node &node : cluster->nodes)
        if (!isRate(node.bandwidthBytesPerSecond) || node.gpus.empty())
            std::abort();
    if (!isRate(cluster->intraNodeBandwidthBytesPerSecond) || !(cluster->latencySeconds >= 0) || cluster->notes.empty())
        std::abort();
    if (cluster->nodes.size() > 2000) // the YAML of a hundred thousand takes seconds
        return 0;
    const auto again = syncopate::readResourceSpecText(syncopate::writeResourceSpec(*cluster));
    if (!again || again->replicaDevices() != cluster->replicaDevices())
        std::abort();
    return 0;
}
