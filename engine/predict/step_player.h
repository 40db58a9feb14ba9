// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to the room: how generateTrace() plays steps from a template.

#include "engine/graph/link_paths.h"
#include "engine/predict/generate.h"

#include <cstdint>
#include <vector>

namespace syncopate {

using LaneId = Id<struct LaneKind>; ///< worker * StepTemplate::laneCount() + a lane of a worker (StepTemplate::lane)

/// A StepGraph ready to be played: successors as CSR, in the order of transfers, and the number of parents of every op.
struct StepTemplate {
    std::vector<std::uint32_t> childOffsets, nextOffsets;
    std::vector<OpId> children, next;
    std::vector<std::int32_t> waits;      ///< parents within the step
    std::vector<std::int32_t> waitsLater; ///< parents within the step and in the one before, or 1 for `roots`
    std::vector<OpId> firstRoots;         ///< wait for nothing in a worker's first step
    std::vector<OpId> roots;              ///< wait for the whole step before
    std::vector<std::int32_t> lane;       ///< of a worker: 0 compute, then downlinks, uplinks, updates by server
    std::int32_t servers = 1;

    [[nodiscard]] std::int32_t laneCount() const { return 3 * servers + 1; }
    /// Lanes of a worker that belong to one server.
    [[nodiscard]] std::int32_t downlink(ParameterServerId server) const { return 1 + server.number(); }
    [[nodiscard]] std::int32_t uplink(ParameterServerId server) const { return 1 + servers + server.number(); }
    [[nodiscard]] std::int32_t updates(ParameterServerId server) const { return 1 + 2 * servers + server.number(); }
    /// Of a lane that is not compute.
    [[nodiscard]] ParameterServerId serverOf(std::int32_t lane) const { return ParameterServerId((lane - 1) % servers); }
    [[nodiscard]] bool isUplink(std::int32_t lane) const { return lane > servers && lane <= 2 * servers; }
    [[nodiscard]] bool isTransferLane(std::int32_t lane) const { return lane >= 1 && lane <= 2 * servers; }
};

[[nodiscard]] StepTemplate makeTemplate(const StepGraph &graph, const std::vector<std::int64_t> &transferRank);

/// The NICs of all machines, numbered node by node.
class Nics {
public:
    explicit Nics(const PredictMachines &machines);

    [[nodiscard]] const std::vector<double> &bytesPerSecond() const { return m_bytesPerSecond; } ///< of each NIC
    [[nodiscard]] std::size_t nodeCount() const { return m_first.size() - 1; }
    /// NICs of a node: from first(node) to before first(node + 1).
    [[nodiscard]] std::int32_t first(std::int32_t node) const { return m_first[static_cast<std::size_t>(node)]; }
    [[nodiscard]] std::int32_t count(std::int32_t node) const { return first(node + 1) - first(node); }
    /// The NIC of a node for its connections with the `peer`-th worker or server.
    [[nodiscard]] std::int32_t of(std::int32_t node, std::size_t peer) const {
        return first(node) + static_cast<std::int32_t>(peer % static_cast<std::size_t>(count(node)));
    }
    [[nodiscard]] bool severalPerNode() const { return m_bytesPerSecond.size() > nodeCount(); }

private:
    std::vector<std::int32_t> m_first;
    std::vector<double> m_bytesPerSecond;
};

/// Which links makeLinks() makes.
struct LinkNeeds {
    bool all = false; ///< also links that cannot be a bottleneck
    /// A transfer may be several flows, which share the limit of its connection: the limit is then a link that all of them cross.
    /// Otherwise it is a limit of their path.
    bool severalFlows = false;
};

/// The links between workers and servers: links 2 * NIC (tx) and 2 * NIC + 1 (rx), then those of limited connections, and the
/// path of each worker and server in each direction. Links that cannot be a bottleneck are left out, so that indistinguishable
/// workers share one path, unless all are asked for or a node has several NICs.
struct PredictLinks {
    LinkPaths network;
    std::vector<PathId> downPath, upPath; ///< [worker * servers + server], none on the same node
};
[[nodiscard]] PredictLinks makeLinks(const PredictMachines &machines, const LinkNeeds &needs);

} // namespace syncopate
