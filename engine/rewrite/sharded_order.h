// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Fully sharded training has no queue that decides what is sent next: a CPU thread walks through the modules and issues
// collectives, and these run one after the other in that order, each no earlier than the stream has come to where the memory of
// an older one is free. The order is therefore found once, by walking as that thread does, and becomes edges of the graph.

#include "engine/graph/task_graph.h"
#include "engine/job/job.h"
#include "engine/strategy/policy.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace syncopate {

/// A sharded unit and the layers that need it.
struct ShardedModule {
    std::size_t unit = 0;
    std::vector<std::int32_t> layers{}; ///< with variables of it, ascending, at least one
    bool isRoot = false;
    [[nodiscard]] std::int32_t first() const { return isRoot ? 0 : layers.front(); }
};

/// A collective of a module. Compute ops of an iteration are numbered in the order of the program: the forward of layer l of L is
/// l, its backward 2 L - 1 - l.
struct ShardedStep {
    enum class What : std::uint8_t { Gather, GatherAgain, Scatter };
    What what = What::Gather;
    std::size_t module = 0; ///< into the modules
    std::int32_t after = 0; ///< of a gather: ops below this number precede it
    /// Of a scatter: ops from `holdsFrom` on, below `holdsTo`, wait for it.
    std::int32_t holdsFrom = 0, holdsTo = 0;
    bool operator==(const ShardedStep &) const = default;
};

/// Sets SyncUnit::shards of units that are all-reduced among `replicas` and not sparse, and names them by their layers: "module
/// 2: conv4 to conv6".
void shardUnits(const Job &job, std::int32_t replicas, std::vector<SyncUnit> &units);

/// The sharded ones of `units`, by first layer, the root first. `layersOfVariable`: per variable, ascending.
[[nodiscard]] std::vector<ShardedModule> shardedModules(const std::vector<SyncUnit> &units,
                                                        const std::vector<std::vector<std::int32_t>> &layersOfVariable);

/// All collectives of an iteration in the order in which FSDP2 issues them (torch/distributed/fsdp/_fully_shard/, PyTorch 2.6 and
/// later: _fsdp_state.py, _fsdp_param_group.py). A gather's copy-out precedes its module's first op. In the forward pass the
/// gather of module m waits for the copy-out of module m - 2, so that two buffers suffice; prefetched k >= 1 modules ahead, for
/// that of m - 1 - k. In the backward pass it waits for the last copy-out issued before it. A module's scatter is issued when its
/// backward is, and the backward of later modules waits for the scatter of the module before it. O(modules log modules + layers).
[[nodiscard]] std::vector<ShardedStep> shardedOrder(const std::vector<ShardedModule> &modules, std::int32_t layers,
                                                    const Sharding &sharding);

} // namespace syncopate
