// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/search.h"
#include "engine/search/tuned_baselines.h"
#include "engine/session/session_state.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace syncopate {

/// The settings of a search.
struct SearchPlan {
    SessionState state;                ///< its job, cluster, knobs and A's policy hold for all candidates
    std::string method = "random()";   ///< an expression for makeSearchMethod()
    std::string judge = "simulated()"; ///< an expression for makeJudge()
    SearchObjective objective = SearchObjective::IterationTime;
    std::uint64_t seed = 1;
    std::uint64_t trials = 200;
};

/// The progress of a search, from which it can be resumed.
struct SearchState {
    SearchPlan plan;
    SearchHistory history;
    /// Candidates that the user pinned, by CandidateId::row().
    std::set<std::int64_t> pins{};
    /// Builders that are better with other arguments, where they were tuned.
    std::vector<TunedBaseline> tuned{};
    bool isTuned = false;
    double boundSeconds = 0; ///< computeBoundSeconds(); 0 = not known, or of another objective
};

/// Whether equal strategies have equal figures in both: the same scenario except for its strategy, judged in the same way.
[[nodiscard]] bool judgeAlike(const SearchPlan &a, const SearchPlan &b);

/// Past searches, the newest last. withSearch() appends one that has just ended, unless it has no trials, and drops the oldest
/// beyond maxPastSearches.
using PastSearches = std::vector<std::shared_ptr<const SearchState>>;
[[nodiscard]] PastSearches withSearch(PastSearches past, std::shared_ptr<const SearchState> search);
inline constexpr std::size_t maxPastSearches = 200;

/// The arguments of runSearch() for a plan.
struct PlannedSearch {
    SearchRequest request;
    std::shared_ptr<SearchMethod> method;
    std::shared_ptr<Judge> judge;
};
/// Errors: those of makeScenario(), makeSearchMethod() and makeJudge(). Not for the GUI thread: it builds a strategy.
[[nodiscard]] Result<PlannedSearch> planSearch(const SearchPlan &plan);

} // namespace syncopate
