// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace syncopate {

/// The goodput that one connection between two nodes reaches at most, bytes/s each direction: a cluster's flow limit by racks,
/// with its link efficiency. Without a flow limit both rates are infinite.
struct ConnectionLimits {
    double rackBytesPerSecond = std::numeric_limits<double>::infinity();
    double acrossBytesPerSecond = std::numeric_limits<double>::infinity(); ///< between racks
    std::vector<std::int32_t> rackOf{};                                    ///< by node; empty where racks make no difference

    [[nodiscard]] bool inOneRack(std::int32_t a, std::int32_t b) const {
        return rackOf.empty() || rackOf[static_cast<std::size_t>(a)] == rackOf[static_cast<std::size_t>(b)];
    }
    /// Of two nodes, O(1).
    [[nodiscard]] double between(std::int32_t from, std::int32_t to) const {
        return inOneRack(from, to) ? rackBytesPerSecond : acrossBytesPerSecond;
    }
};

[[nodiscard]] ConnectionLimits connectionLimitsOf(const Cluster &cluster);

} // namespace syncopate
