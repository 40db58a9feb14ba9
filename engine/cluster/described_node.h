// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"

#include <cstdint>
#include <vector>

namespace syncopate {

constexpr std::int32_t maxDevicesOfNode = 1024;

/// A node as a description gives it.
struct DescribedNode {
    std::vector<std::int32_t> gpus;
    double bandwidthBytesPerSecond = 0; ///< 0 = not stated: AutoDist's default of 1 Gbit/s
};

/// A cluster of these nodes with addresses of its own ("localhost" for a single one), the first being the chief.
[[nodiscard]] Cluster clusterOf(const std::vector<DescribedNode> &nodes);

} // namespace syncopate
