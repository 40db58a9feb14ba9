// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: sample_data/*.yml tests/data/golden/autodist/*.yml tests/damaged/cluster/*
#include "engine/cluster/cluster.h"

#include <cstdlib>

/// Any text yields a cluster with a worker and a server, or an Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const auto cluster = syncopate::readResourceSpecText(text);
    if (!cluster)
        return cluster.error().what.empty() ? (std::abort(), 0) : 0;
    if (cluster->replicaDevices().empty() || cluster->reductionDevices().empty())
        std::abort();
    const auto again = syncopate::readResourceSpecText(syncopate::writeResourceSpec(*cluster));
    if (!again || again->replicaDevices() != cluster->replicaDevices())
        std::abort();
    return 0;
}
