// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/id.h"
#include "engine/graph/link_model.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace syncopate {

/// A path of LinkPaths that a flow takes, or a TCP connection.
using PathId = Id<struct PathKind>;
/// A link of LinkPaths, or one direction of a NIC over TCP.
using LinkId = Id<struct LinkKind>;

/// A link: active flows share `bytesPerSecond`, as LinkPaths::linkModel says.
struct FluidLink {
    std::string name;
    double bytesPerSecond = 0;
    /// The nodes that it belongs to, indices into Cluster::nodes: one, or all of a folded class. Empty: connections that
    /// transfers share.
    std::vector<std::int32_t> nodes{};
    bool isFabric = false;      ///< inside the node; otherwise one direction of its NIC
    bool receives = false;      ///< the direction towards the node, or towards a device inside it
    double burstBytes = 0;      ///< a token bucket: bytes that pass at once after a pause
    std::int32_t hostLane = -1; ///< isFabric: into Cluster::hostLanes; -1 = between devices
    LinkId opposite{};          ///< of a NIC's direction: the other one, which TCP's acknowledgements take
};

/// One link of a path. Each flow stands for `weight` flows on the link, where identical nodes are folded.
struct PathHop {
    LinkId link{0};
    double weight = 1;
    bool operator==(const PathHop &) const = default;
};

/// A link's new rate from `seconds` on.
struct CapacityChange {
    double seconds = 0;
    LinkId link{0};
    double bytesPerSecond = 0; ///< above 0
    bool operator==(const CapacityChange &) const = default;
};

/// The links of a network, the paths over them, and how the links' rates change over time: everything from which a network of
/// engine/network/ is built.
struct LinkPaths {
    LinkModel linkModel = LinkModel::Fluid;
    std::vector<FluidLink> links;
    std::vector<std::uint32_t> pathOffsets{0}; ///< paths + 1, into pathHops
    std::vector<PathHop> pathHops;
    /// Per path, the bytes/s that one flow reaches at most, above 0, even on idle links: the limit of a single connection.
    /// Infinity = no limit.
    std::vector<double> pathLimits;
    std::vector<CapacityChange> capacityChanges; ///< in the order of time; empty: rates are constant

    [[nodiscard]] std::size_t pathCount() const { return pathOffsets.size() - 1; }
    [[nodiscard]] std::span<const PathHop> hopsOf(PathId path) const {
        const std::size_t p = path.index();
        return {pathHops.data() + pathOffsets[p], pathHops.data() + pathOffsets[p + 1]};
    }
    LinkId addLink(FluidLink link) {
        links.push_back(std::move(link));
        return LinkId(links.size() - 1);
    }
    PathId addPath(std::span<const PathHop> hops, double limit = std::numeric_limits<double>::infinity()) {
        pathHops.insert(pathHops.end(), hops.begin(), hops.end());
        pathOffsets.push_back(static_cast<std::uint32_t>(pathHops.size()));
        pathLimits.push_back(limit);
        return PathId(pathCount() - 1);
    }
};

} // namespace syncopate
