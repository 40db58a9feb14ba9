// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/rng.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace syncopate {

/// An integer in [0, count), each equally likely to within count / 2^53. `count` > 0.
[[nodiscard]] std::size_t uniformIndex(Rng &rng, std::size_t count);

/// c_lb, the load balance constraint (AutoSync's supplement, section 6, Algorithm 1). Largest shards first, each is put on server
/// j with probability softmax(sum of loads x b_j / sum of b - load_j), loads and logits in bytes: on average servers carry
/// bytes in proportion to their bandwidth b. `temperatureBytes` divides the logits: 1 is the paper's, which nearly always picks
/// the server with most room; infinity draws uniformly. Returns a server per shard. O(shards x servers).
[[nodiscard]] std::vector<std::size_t> balanceLoads(const std::vector<double> &shardBytes,
                                                    const std::vector<double> &serverBandwidth, double temperatureBytes,
                                                    Rng &rng);

/// c_am, the adjacent merging constraint (the same, Algorithm 2). Shards in the order of the layers, from input to loss, fill
/// `groups` groups one after the other, each until it has its share of the bytes. Returns a group per shard, ascending; the
/// last groups stay empty where shards are larger than a share. O(shards).
[[nodiscard]] std::vector<std::int32_t> mergeAdjacent(const std::vector<double> &shardBytes, std::int32_t groups);

} // namespace syncopate
