// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/generate.h"

#include <fmt/format.h>

namespace syncopate {

Result<PredictMachines> machinesOf(const Cluster &cluster, std::int32_t servers) {
    if (servers < 1 || servers > 10000)
        return fail(fmt::format("{} parameter servers", servers), "use 1 to 10000");
    PredictMachines machines;
    machines.messageSeconds = cluster.messageSeconds + cluster.latencySeconds;
    machines.limits = connectionLimitsOf(cluster);
    for (const Node &node : cluster.nodes) {
        machines.nodeBytesPerSecond.push_back(node.bandwidthBytesPerSecond * cluster.linkEfficiency);
        machines.nodeNics.push_back(node.nics);
    }
    machines.workerNode = cluster.replicaNodes();
    for (const std::int32_t node : machines.workerNode)
        machines.workerScale.push_back(cluster.nodes[static_cast<std::size_t>(node)].computeScale);
    machines.serverNode = cluster.serverNodes();
    if (machines.workerNode.empty())
        return fail("the cluster has no worker", "add a node with a GPU or CPU");
    if (machines.serverNode.empty()) {
        for (std::int32_t m = 0; m < servers; ++m) {
            machines.serverNode.push_back(static_cast<std::int32_t>(machines.nodeBytesPerSecond.size()));
            machines.nodeBytesPerSecond.push_back(machines.nodeBytesPerSecond.front());
            machines.nodeNics.push_back(machines.nodeNics.front());
            if (!machines.limits.rackOf.empty())
                machines.limits.rackOf.push_back(machines.limits.rackOf.front());
        }
    } else if (static_cast<std::int32_t>(machines.serverNode.size()) != servers) {
        return fail(fmt::format("the cluster's dedicated servers number {}, not {}", machines.serverNode.size(), servers),
                    "ask for as many, or take server_only out of the cluster");
    }
    return machines;
}

} // namespace syncopate
