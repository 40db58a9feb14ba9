// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "engine/job/job.h"
#include "engine/search/search.h"
#include "engine/search/search_method.h"
#include "engine/strategy/arguments.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace syncopate {

/// A space and heuristics with which AutoSync's released sampler (RandomStrategySampler) was used.
struct ReleasedVariant {
    enum class Balance : std::uint8_t { Uniform, SortedGreedy, Christy, SortedChristy };
    enum class Merge : std::uint8_t { Random, ByChunk, Christy, OrderedBalanced };
    std::string name; ///< "autostrategy_fixed"
    std::vector<Compressor> compressors;
    std::vector<bool> proxies;
    Balance balance = Balance::Uniform;
    Merge merge = Merge::Random;
    std::int64_t maxGroups = 2147483647, maxParts = 2147483647;
};
[[nodiscard]] const std::vector<ReleasedVariant> &releasedVariants();

/// The strategy that the released sampler draws after np.random.seed(seed), node config by node config
/// (tests/data/golden/autosync), but for Merge::Random of nearly as many groups as shards, over which it never ends. Unlike
/// sampleStrategy() it draws each part's synchroniser by itself, and compressors, which change convergence. The cluster has a
/// reduction device.
[[nodiscard]] Strategy sampleAsReleased(const ReleasedVariant &variant, const Job &job, const Cluster &cluster,
                                        std::uint32_t seed);

[[nodiscard]] const ExpressionInfo &releasedSearchInfo();
/// Draws of the released sampler, each with a seed of its own. Errors as ArgumentValues::read(). `request` has a job and a
/// cluster with reduction devices.
[[nodiscard]] Result<std::unique_ptr<SearchMethod>> makeReleasedSearch(const Expression &expression,
                                                                       const SearchRequest &request);

} // namespace syncopate
