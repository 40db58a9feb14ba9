// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/background.h"
#include "engine/cluster/cluster.h"
#include "engine/graph/graph_builder.h"
#include "engine/graph/task_graph.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace syncopate {

/// Nodes that behave exactly alike: one is simulated for all `multiplicity` of them.
/// A node is one worker process; its `replicas` devices compute in step.
struct WorkerClass {
    std::vector<std::int32_t> nodes;  ///< indices into Cluster::nodes
    std::int32_t replicas = 1;        ///< per node
    double computeScale = 1;          ///< speed of the devices, Node::computeScale
    double communicationSlowdown = 1; ///< Node::communicationSlowdown
    std::int32_t txLink = -1, rxLink = -1;
    /// From one of its devices to the host or other devices, and back. All devices have equal lanes of their own and do the same.
    std::int32_t upLink = -1, downLink = -1;
    [[nodiscard]] double multiplicity() const { return static_cast<double>(nodes.size()); }
};

struct ServerPlace {
    std::string device; ///< "<address>:CPU:<index>"
    std::int32_t node = -1;
    std::int32_t workerClass = -1; ///< class of the worker on the same node, -1 = dedicated
    std::int32_t txLink = -1, rxLink = -1;
};

/// Where everything is: worker classes, servers, and the links between them.
struct Placement {
    std::vector<WorkerClass> workers;
    std::vector<ServerPlace> servers;
    std::int32_t replicas = 0; ///< over all nodes
    /// What one connection between nodes reaches, and what all of a collective's between two nodes reach.
    double connectionBytesPerSecond = std::numeric_limits<double>::infinity(), streamsBytesPerSecond = connectionBytesPerSecond;

    /// Path of a message from a worker of class `worker` to `server` (or back), adding it to the graph on first use.
    std::int32_t pushPath(GraphBuilder &builder, std::size_t worker, std::size_t server);
    std::int32_t pullPath(GraphBuilder &builder, std::size_t worker, std::size_t server);
    /// Path between two servers; -1 where both are on one node.
    std::int32_t serverPath(GraphBuilder &builder, std::size_t from, std::size_t to);
    /// Path that a ring over all replicas crosses: every NIC both ways, and the fabric of nodes with several replicas.
    std::int32_t ringPath(GraphBuilder &builder);
    /// Inside a node: of a collective's steps, which each device sends and receives at once, and of one way alone.
    std::int32_t fabricPath(GraphBuilder &builder, std::size_t worker);
    std::int32_t upPath(GraphBuilder &builder, std::size_t worker);
    std::int32_t downPath(GraphBuilder &builder, std::size_t worker);
    [[nodiscard]] bool isLocal(std::size_t worker, std::size_t server) const {
        return servers[server].workerClass == static_cast<std::int32_t>(worker);
    }

private:
    [[nodiscard]] double connectionLimit(std::size_t worker, std::size_t server) const;

    std::vector<std::int32_t> m_pushPaths, m_pullPaths, m_fabricPaths, m_upPaths, m_downPaths, m_serverPaths;
    std::int32_t m_ringPath = -1;
};

/// Folds nodes into classes (all alike: same replicas, same speeds, same NIC, no server that the units use, no background
/// traffic; `fold` false keeps every node apart) and makes the links, whose rates change as `nicChanges` have it; two nodes have
/// `connections` (CommPolicy). Errors name a reduction destination that is not in the cluster.
[[nodiscard]] Result<Placement> place(const Cluster &cluster, const std::vector<SyncUnit> &units,
                                      const std::vector<NicChange> &nicChanges, std::int32_t connections, bool fold,
                                      GraphBuilder &builder);

} // namespace syncopate
