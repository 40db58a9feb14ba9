// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/remedies.h"
#include "engine/session/search_state.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace syncopate {

/// The best trial of a search, which its strategy is decoded from: small where a search's history may be large.
struct BestTrial {
    SearchPlan plan;
    std::uint64_t trial = 0; ///< its number
    Genes genes;
};
/// None where no trial could be judged.
[[nodiscard]] std::optional<BestTrial> bestTrialOf(const SearchPlan &plan, const SearchHistory &history);
/// Of the present search, where it has one, then of those of the past, the newest first.
[[nodiscard]] std::vector<BestTrial> bestTrials(std::optional<BestTrial> present, const PastSearches &past);

/// The strategies of those that searched for `job`, as remedies to be tried; the rest, and what cannot be decoded any more, is
/// left out. Not for the GUI thread: it decodes.
[[nodiscard]] std::vector<SearchWinner> winnersFor(const Job &job, const std::vector<BestTrial> &best,
                                                   const std::stop_token &stop = {});

} // namespace syncopate
