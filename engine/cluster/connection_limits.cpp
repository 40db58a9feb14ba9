// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/connection_limits.h"

#include <map>
#include <string>

namespace syncopate {

ConnectionLimits connectionLimitsOf(const Cluster &cluster) {
    ConnectionLimits limits;
    limits.rackBytesPerSecond = cluster.connectionBytesPerSecond * cluster.linkEfficiency;
    limits.acrossBytesPerSecond =
        cluster.acrossRacksBytesPerSecond.value_or(cluster.connectionBytesPerSecond) * cluster.linkEfficiency;
    if (limits.acrossBytesPerSecond == limits.rackBytesPerSecond)
        return limits;
    std::map<std::string, std::int32_t> racks;
    for (const Node &node : cluster.nodes)
        limits.rackOf.push_back(racks.try_emplace(node.rack, static_cast<std::int32_t>(racks.size())).first->second);
    return limits;
}

} // namespace syncopate
