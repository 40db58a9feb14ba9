// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/search.h"

#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// A builder with the best arguments of a small grid for a job and cluster.
struct TunedBaseline {
    std::string builder;    ///< "AllReduce"
    std::string expression; ///< "AllReduce(chunk_size=32)"
    CandidateMetrics metrics;
};

/// Expressions of the grid: chunk sizes (1 to 512) of the all-reduce builders, proxies of the parameter-server builders, both
/// of Parallax. A builder's defaults are among them.
[[nodiscard]] std::vector<std::string> tunedExpressions(const std::string &builder);

/// The best of each builder's grid by the request's objective, judged on its base: the bar for a search, since this grid finds
/// most of the gain over a builder's defaults. Judges as many at once as a search does. Builders that cannot be built or judged
/// are left out. Errors: `stop` was requested.
[[nodiscard]] Result<std::vector<TunedBaseline>> tuneBaselines(const SearchRequest &request, Judge &judge,
                                                               const std::stop_token &stop = {});

/// Lower bound of the iteration time of any synchronous strategy, seconds: the compute of the slowest worker alone; where the
/// policy shards the optimizer, with its share of the update only. 0 without workers.
[[nodiscard]] double computeBoundSeconds(const Scenario &base);

} // namespace syncopate
