// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// How a variable is kept the same on all replicas.
enum class SynchronizerKind : std::uint8_t { ParameterServer, AllReduce };
/// AutoDist's all_reduce_spec, with the numbers of its wire format.
enum class AllReduceSpec : std::uint8_t { Auto = 0, Nccl = 1, Ring = 2 };
/// The collectives that sum dense gradients and spread the sum. AutoDist all-reduces; the others are in our JSON alone.
enum class Reduction : std::uint8_t {
    AllReduce = 0,
    ScatterGather = 1,   ///< a reduce-scatter, then an all-gather
    ReduceBroadcast = 2, ///< a reduce to the first replica, then a broadcast from there
};
/// AutoDist's compressors of gradients, with the numbers of its wire format.
enum class Compressor : std::uint8_t { None = 0, Horovod = 1, HorovodEF = 2 };

/// How one variable, or one part of it, is kept the same on all replicas (AutoDist section 3.1).
struct Synchronizer {
    SynchronizerKind kind = SynchronizerKind::AllReduce;
    // ParameterServer
    std::string reductionDestination; ///< "<address>:CPU:<index>"
    bool localReplication = false;    ///< proxy: a cached copy per worker
    bool sync = true;
    /// Gradients are summed on this device first and values spread from it (AutoDist section 3.1's transfer destination);
    /// "" = straight to the reduction destination. AutoDist's wire format has no field for it, so files leave it out.
    std::string transferDestination;
    std::int32_t staleness = 0;
    // AllReduce
    AllReduceSpec spec = AllReduceSpec::Auto;
    Compressor compressor = Compressor::None;
    std::int32_t group = 0;                     ///< variables of one group are reduced together
    Reduction reduction = Reduction::AllReduce; ///< of dense gradients; sparse ones are gathered
    bool operator==(const Synchronizer &) const = default;
};

/// False for a parameter server's staleness that is negative, or above 0 without sync. An all-reduce has none.
[[nodiscard]] inline bool hasValidStaleness(const Synchronizer &s) {
    return s.kind != SynchronizerKind::ParameterServer || s.staleness == 0 || (s.staleness > 0 && s.sync);
}

/// AutoDist's name of a part: "<op>/part_<i>:0", op being the variable's name before the colon.
[[nodiscard]] std::string partName(std::string_view variableName, std::int64_t part);

/// The strategy of one part of a variable.
struct PartConfig {
    std::string name; ///< "<variable op>/part_<i>:0"
    Synchronizer synchronizer;
    bool operator==(const PartConfig &) const = default;
};

/// The strategy of one variable. Partitioned: `partitions` has one number per dimension, exactly one > 1, and `parts` has
/// that many entries; `synchronizer` is then unused. Whole: `partitions` and `parts` are empty.
struct NodeConfig {
    std::string variableName;
    std::vector<std::int32_t> partitions;
    Synchronizer synchronizer;
    std::vector<PartConfig> parts;
    [[nodiscard]] bool isPartitioned() const { return !parts.empty(); }
    [[nodiscard]] std::int32_t partitionAxis() const; ///< the dimension with more than one part, or -1
    bool operator==(const NodeConfig &) const = default;
};

/// The synchroniser of a variable; of a partitioned one, that of its first part.
[[nodiscard]] const Synchronizer &synchronizerOf(const NodeConfig &node);

/// Whether `is` holds for any synchroniser of a variable: its parts', or its own where it is whole.
template <class Is> [[nodiscard]] bool anySynchronizer(const NodeConfig &node, const Is &is) {
    return node.isPartitioned()
               ? std::any_of(node.parts.begin(), node.parts.end(), [&](const PartConfig &part) { return is(part.synchronizer); })
               : is(node.synchronizer);
}

/// Calls `visit` with each synchroniser of a variable: its parts', or its own where it is whole.
template <class Visit> void forEachSynchronizer(const NodeConfig &node, Visit &&visit) {
    if (!node.isPartitioned())
        visit(node.synchronizer);
    for (const PartConfig &part : node.parts)
        visit(part.synchronizer);
}

/// S of AutoDist section 3: one node config per variable, in the job's order, and the replicas.
struct Strategy {
    std::string id;
    std::string path;
    std::vector<NodeConfig> nodes;
    std::vector<std::string> replicas;
    bool operator==(const Strategy &) const = default;
};

} // namespace syncopate
