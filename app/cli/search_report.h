// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/tuned_baselines.h"
#include "engine/search/winner.h"
#include "engine/session/search_state.h"

#include <optional>
#include <string>
#include <vector>

namespace syncopate::cli {

/// Builders with their best arguments, and the bound that no strategy can beat.
struct Yardsticks {
    std::vector<TunedBaseline> tuned;
    double boundSeconds = 0;

    [[nodiscard]] double bestTuned(SearchObjective objective) const;
    /// The share of trials that beat every tuned builder; NaN where none was tuned.
    [[nodiscard]] double hitRate(const SearchHistory &history, SearchObjective objective) const;
};

/// Everything reported about a finished search.
struct SearchReport {
    const PlannedSearch &planned;
    const SearchHistory &history;
    const BestCandidate &best;
    Yardsticks yardsticks{};
    std::optional<WinnerReport> explained{};
    double wallSeconds = 0;
    std::vector<std::uint64_t> judgedByRank{}; ///< empty if it was not distributed over ranks
    std::vector<unsigned> lostRanks{};
};

/// Prints it for --json.
void writeSearchJson(const SearchReport &search);
/// The same for people.
[[nodiscard]] std::string searchText(const SearchReport &search);

} // namespace syncopate::cli
