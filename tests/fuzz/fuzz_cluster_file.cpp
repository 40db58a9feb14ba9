// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: sample_data/*.yml tests/data/golden/autodist/*.yml tests/damaged/cluster/*
#include "engine/cluster/cluster_file.h"

#include <cstdlib>

/// Any text, read as any format, yields a cluster that can be written and read back, or an Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    using Reader = syncopate::Result<syncopate::Cluster> (*)(std::string_view, const std::string &);
    for (const Reader reader : {Reader{syncopate::readClusterText}, Reader{syncopate::readTopologyMatrix},
                                Reader{syncopate::readNcclTopology}, Reader{syncopate::readAstraNetwork}}) {
        const auto cluster = reader(text, "file");
        if (!cluster) {
            if (cluster.error().what.empty() || cluster.error().file != "file")
                std::abort();
            continue;
        }
        if (cluster->replicaDevices().empty() || cluster->reductionDevices().empty())
            std::abort();
        const auto again = syncopate::readResourceSpecText(syncopate::writeResourceSpec(*cluster));
        if (!again || again->replicaDevices() != cluster->replicaDevices())
            std::abort();
    }
    return 0;
}
