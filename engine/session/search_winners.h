// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/remedies.h"
#include "engine/session/search_state.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace syncopate {

/// The best trial of a search, with the inputs for decoding its strategy: small, where a search's history may be large.
struct BestTrial {
    SearchPlan plan;
    std::uint64_t trial = 0; ///< its number
    Genes genes;
};
/// None where no trial could be judged.
[[nodiscard]] std::optional<BestTrial> bestTrialOf(const SearchPlan &plan, const SearchHistory &history);
/// The best trials of the present search, where it has one, and of past searches, the newest first.
[[nodiscard]] std::vector<BestTrial> bestTrials(std::optional<BestTrial> present, const PastSearches &past);

/// Decodes the best trials of searches for `job`, as remedies to try; leaves out other jobs' and those that can no longer be
/// decoded. Not for the GUI thread.
[[nodiscard]] std::vector<SearchWinner> winnersFor(const Job &job, const std::vector<BestTrial> &best,
                                                   const std::stop_token &stop = {});

} // namespace syncopate
