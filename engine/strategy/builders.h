// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "engine/job/job.h"
#include "engine/strategy/strategy.h"

#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// A builder as catalogues list it.
struct BuilderInfo {
    std::string name;      ///< "AllReduce"
    std::string signature; ///< "AllReduce(chunk_size=128, all_reduce_spec=NCCL, compressor=NoneCompressor)"
    std::string description;
};
[[nodiscard]] const std::vector<BuilderInfo> &strategyBuilders();

/// Evaluates a builder expression such as `AllReduce(chunk_size=128)` or `PS` with AutoDist's exact rules
/// (autodist/strategy/*_strategy.py). Errors name the unknown builder, argument or value and list what is accepted.
[[nodiscard]] Result<Strategy> buildStrategy(std::string_view expression, const Job &job, const Cluster &cluster);

} // namespace syncopate
