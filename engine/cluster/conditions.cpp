// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/conditions.h"

#include <algorithm>
#include <utility>

namespace syncopate {

Cluster withLinksScaled(const Cluster &cluster, double factor) {
    Cluster result = cluster;
    for (Node &node : result.nodes)
        node.bandwidthBytesPerSecond *= factor;
    return withoutStaleCurves(std::move(result), cluster);
}

Cluster withStraggler(const Cluster &cluster, double speed) {
    Cluster result = cluster;
    for (std::size_t n = result.nodes.size(); n-- > 0;)
        if (std::find(cluster.serverOnly.begin(), cluster.serverOnly.end(), static_cast<std::int32_t>(n)) ==
            cluster.serverOnly.end()) {
            result.nodes[n].computeScale *= speed;
            break;
        }
    return result;
}

} // namespace syncopate
