// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/conditions.h"

#include <algorithm>
#include <utility>

namespace syncopate {

bool collectivesUseNics(const Cluster &cluster) { return cluster.namedChannels.empty() && cluster.trainingNodes().size() > 1; }

Cluster withLinksScaled(const Cluster &cluster, double factor) {
    Cluster result = cluster;
    for (Node &node : result.nodes)
        node.bandwidthBytesPerSecond *= factor;
    return collectivesUseNics(cluster) ? withoutStaleCurves(std::move(result), cluster) : result;
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
