// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/rng.h"
#include "engine/cluster/cluster.h"
#include "engine/job/job.h"
#include "engine/strategy/strategy.h"

#include <cstdint>
#include <string>

namespace syncopate {

/// The space that Random+G samples (AutoDist, section 2.4; AutoSync's supplement, section 6) and its guides. Training stays
/// synchronous and gradients uncompressed, as in the paper: only choices that cannot change convergence are drawn.
struct SamplerSettings {
    // (1) small variables stay whole, large ones are always partitioned, a coin decides for those between
    double wholeUpToBytes = 100e3;            ///< the released searches' "if-partition-lb 100000"
    double splitFromBytes = 2147483647;       ///< 2^31 - 1, the released sampler's default
    std::int32_t minParts = 2, maxParts = 40; ///< of a partitioned variable; never more than the dimension has rows
    // (2) c_lb
    bool balanceLoads = true; ///< else every server is equally likely
    double loadTemperatureBytes = 1;
    // (3) c_am
    bool mergeAdjacent = true; ///< else groups are drawn one by one
    std::int32_t minGroups = 1, maxGroups = 20;
    bool parameterServers = true, allReduce = true; ///< synchronisers to choose from
    /// Every strategy first draws how likely a variable is partitioned and served, uniformly in [0, 1]: pure strategies and all
    /// mixtures come up. Off: a fair coin per variable, as the released sampler throws it; with hundreds of variables all samples
    /// are half and half.
    bool drawShares = true;
    static constexpr std::int32_t limitOfParts = 1000; ///< more is a job of its own to simulate
    bool operator==(const SamplerSettings &) const = default;
};

/// Describes settings for people: "all-reduce alone; partitioned above 97.7 KiB into 2 to 40 parts; c_lb; 1 to 20 groups, c_am".
[[nodiscard]] std::string describe(const SamplerSettings &settings);
/// Checks that bounds are in order and that there is something to choose from. The error names the setting.
[[nodiscard]] Result<void> validateSampler(const SamplerSettings &settings);

/// Draws one strategy. Sparse variables are served, never all-reduced (AutoDist refuses that on several nodes), and split along
/// dimension 0 only; variables of control flow stay whole. `settings` must be valid, and the cluster must have a reduction
/// device. O(variables + shards x servers).
[[nodiscard]] Strategy sampleStrategy(const Job &job, const Cluster &cluster, const SamplerSettings &settings, Rng &rng);

} // namespace syncopate
