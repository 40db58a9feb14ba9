// SPDX-License-Identifier: GPL-3.0-or-later
// Common traits of a search's winners: strategies have hundreds of entries, and the best of them agree in a few.
#pragma once

#include "engine/search/search.h"

#include <cstddef>
#include <limits>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// A way of synchronising that most of the best trials share and most of the others lack.
struct CommonTrait {
    std::string what;                                         ///< "split sparse variables in 4 parts"
    std::size_t winners = 0;                                  ///< number of best trials that have it
    std::size_t of = 0;                                       ///< number of best trials
    double others = std::numeric_limits<double>::quiet_NaN(); ///< share of the other strategies that have it; NaN = no others
    bool operator==(const CommonTrait &) const = default;
};
/// "8 of the best 10 split sparse variables in 4 parts (12 % of the others)".
[[nodiscard]] std::string describe(const CommonTrait &trait);

/// The traits that at least 70 % of the best have, and 20 percentage points more of them than of the others; the most telling
/// first, six at most. The best are the ten trials best by the objective, or a quarter of all where that is less; each strategy
/// counts once. Traits are of classes of variables (sparse ones, the large ones that hold half of the dense bytes, the others):
/// served or all-reduced, parts, proxies, each for nine tenths of the class's bytes; and of the whole strategy: servers, groups.
/// Empty for fewer than twelve strategies with times. Decodes up to a thousand trials: of more, the best 500 and 500 evenly
/// sampled others, of which each counts for as many as it stands for. Errors: those of SearchMethod::decode(), `stop` was
/// requested.
[[nodiscard]] Result<std::vector<CommonTrait>> commonTraits(const SearchRequest &request, const SearchHistory &history,
                                                            const SearchMethod &method, const std::stop_token &stop = {});

} // namespace syncopate
