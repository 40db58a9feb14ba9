// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/id.h"
#include "engine/cluster/background.h"
#include "engine/cluster/cluster.h"
#include "engine/cluster/connection_limits.h"
#include "engine/graph/graph_builder.h"
#include "engine/graph/task_graph.h"
#include "engine/strategy/comm_policy.h"
#include "engine/strategy/strategy.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace syncopate {

using ServerId = Id<struct ServerKind>; ///< of Placement::servers

/// Nodes that behave exactly alike: one is simulated for all `multiplicity` of them.
/// A node is one worker process; its `replicas` devices compute in step.
struct WorkerClass {
    std::vector<std::int32_t> nodes;          ///< indices into Cluster::nodes
    std::int32_t replicas = 1;                ///< per node
    double computeScale = 1;                  ///< speed of the devices, Node::computeScale
    double communicationSlowdown = 1;         ///< Node::communicationSlowdown
    std::vector<LinkId> txLinks{}, rxLinks{}; ///< one of each NIC
    /// From one of its devices to the host or other devices, and back. All devices have equal lanes of their own and do the same.
    LinkId upLink{}, downLink{};
    std::vector<LinkId> toHost{}, fromHost{}; ///< one of each of Cluster::hostLanes, which may be one link for both directions
    [[nodiscard]] double multiplicity() const { return static_cast<double>(nodes.size()); }
};

/// A parameter server, and its node's links.
struct ServerPlace {
    std::string device; ///< "<address>:CPU:<index>"
    std::int32_t node = -1;
    WorkerClassId workerClass{};              ///< of the worker on the same node; none = dedicated
    std::vector<LinkId> txLinks{}, rxLinks{}; ///< one of each NIC
};

/// The places of everything: worker classes, servers, and the links between them.
///
/// A connection uses one NIC at either end. Those of two nodes are numbered, and go round the NICs: connection k of a collective
/// uses NIC k of every node (modulo its NICs), as NCCL's channels do; connection k between worker w and server s uses NIC s + k
/// of the worker and NIC w + k of the server. A collective's bytes are spread evenly over its connections, and of pushes and
/// pulls a pair takes its connections in turn.
struct Placement {
    std::vector<WorkerClass> workers;
    std::vector<ServerPlace> servers;
    std::int32_t replicas = 0; ///< over all nodes
    /// The node of each rank, counting nodes that train, where the strategy lists its replicas in another order than the cluster
    /// has them; else empty. Collectives go by rank.
    std::vector<std::int32_t> rankNodes{};
    ConnectionLimits limits{};                                             ///< of one connection between two nodes of the cluster
    double inNodeBytesPerSecond = std::numeric_limits<double>::infinity(); ///< of one inside a node
    std::int32_t connections = 1;                                          ///< of a collective between two nodes
    bool collectivesShare = false; ///< collectives in flight have these together; else each has its own
    /// Connections between two nodes that are simulated separately, where some node has several NICs; else 1, which stands for
    /// all of them. A flow of a collective is one of these streams, so it has 1 / streams of the bytes.
    std::int32_t streams = 1;

    std::vector<bool> isSharedLane{}; ///< of Cluster::hostLanes

    [[nodiscard]] const WorkerClass &operator[](WorkerClassId worker) const { return workers[worker.index()]; }
    [[nodiscard]] const ServerPlace &operator[](ServerId server) const { return servers[server.index()]; }

    /// The node of the cluster and the worker class of every training node, in the order of the cluster's nodes: the order that
    /// plans number nodes in.
    [[nodiscard]] std::vector<std::pair<std::int32_t, WorkerClassId>> trainingNodes() const;
    /// Path of a message on connection `stream` from a worker of class `worker` to `server` (or back), adding it to the graph on
    /// first use.
    PathId pushPath(GraphBuilder &builder, WorkerClassId worker, ServerId server, std::int32_t stream);
    PathId pullPath(GraphBuilder &builder, WorkerClassId worker, ServerId server, std::int32_t stream);
    /// Path between two servers; none where both are on one node.
    PathId serverPath(GraphBuilder &builder, ServerId from, ServerId to, std::int32_t stream);
    /// Path of a collective's message from a node of one class to one of another, new with each call, as is the link that stands
    /// for connections which collectives share.
    PathId streamsPath(GraphBuilder &builder, WorkerClassId from, WorkerClassId to) const;
    /// Bytes/s of all streams of a collective between two nodes of the cluster together, if NICs did not limit them.
    [[nodiscard]] double streamsBytesPerSecond(std::int32_t from, std::int32_t to) const {
        return limits.between(from, to) * connections;
    }
    /// Bytes/s of all streams of a collective together over a node's NICs.
    [[nodiscard]] double nicsBytesPerSecond(const TaskGraph &graph, const std::vector<LinkId> &links) const;
    /// Path of an analytic collective over every NIC both ways, the lanes of nodes with several replicas, or both.
    PathId collectivePath(GraphBuilder &builder, bool overNics, bool overLanes);
    /// Paths inside a node: for a collective's steps, in which each device sends and receives at once; for one direction alone;
    /// for a ring's steps, whose flow has 1 / streams of the bytes.
    PathId fabricPath(GraphBuilder &builder, WorkerClassId worker);
    PathId ringFabricPath(GraphBuilder &builder, WorkerClassId worker);
    /// Between a node's devices and its host: each device, or the only one that does, sends or receives.
    PathId upPath(GraphBuilder &builder, WorkerClassId worker);
    PathId downPath(GraphBuilder &builder, WorkerClassId worker);
    [[nodiscard]] bool isLocal(WorkerClassId worker, ServerId server) const { return (*this)[server].workerClass == worker; }

    /// Index of the state of a connection between the `from`-th worker class or server and a server; pairCount() has the number
    /// of such states for `from` classes or servers.
    [[nodiscard]] std::size_t pairIndex(std::size_t from, ServerId server, std::int32_t stream) const {
        return (from * servers.size() + server.index()) * static_cast<std::size_t>(streams) + static_cast<std::size_t>(stream);
    }
    [[nodiscard]] std::size_t pairCount(std::size_t from) const { return pairIndex(from, ServerId(0), 0); }

private:
    /// Limit in bytes/s of one connection between a worker of that class and a server.
    [[nodiscard]] double servedLimit(WorkerClassId worker, ServerId server) const;
    /// Limit in bytes/s of a stream of a ring: that of its slowest pair of nodes.
    [[nodiscard]] double ringStreamLimit() const;
    /// The NIC of a connection with the `peer`-th node among those with which this one has connections.
    [[nodiscard]] LinkId nicOf(const std::vector<LinkId> &links, std::size_t peer, std::int32_t stream) const;
    /// The hops of bytes between a node's host and each of its devices.
    [[nodiscard]] std::vector<PathHop> hostHops(WorkerClassId worker, bool up) const;
    /// Streams on each of a node's NICs.
    [[nodiscard]] std::vector<PathHop> streamHops(const std::vector<LinkId> &links) const;

    std::vector<PathId> m_pushPaths, m_pullPaths, m_fabricPaths, m_upPaths, m_downPaths, m_serverPaths;
    std::array<PathId, 4> m_collectivePaths{};
    LinkId m_ringConnections{};
};

/// Placement::rankNodes of a strategy on a cluster.
[[nodiscard]] std::vector<std::int32_t> rankNodesOf(const Strategy &strategy, const Cluster &cluster);

/// Folds nodes into classes (all alike: same replicas, same speeds, same NIC, same rack, no server that the units use, no
/// background traffic; `fold` false keeps every node apart) and makes the links, whose rates change by `nicChanges`; two nodes
/// have the policy's connections. Errors: a reduction destination that is not in the cluster (which they name), no replica to
/// train on, a compute_scale that is out of range.
[[nodiscard]] Result<Placement> place(const Cluster &cluster, const std::vector<SyncUnit> &units,
                                      const std::vector<NicChange> &nicChanges, const CommPolicy &policy, bool fold,
                                      GraphBuilder &builder);

} // namespace syncopate
