// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/search.h"
#include "engine/session/session_state.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>

namespace syncopate {

/// The settings of a search.
struct SearchPlan {
    SessionState state;                ///< job, cluster, knobs and A's policy are those of all candidates
    std::string method = "random()";   ///< an expression for makeSearchMethod()
    std::string judge = "simulated()"; ///< an expression for makeJudge()
    SearchObjective objective = SearchObjective::IterationTime;
    std::uint64_t seed = 1;
    std::uint64_t trials = 200;
};

/// A search as far as it went, from which it can be resumed.
struct SearchState {
    SearchPlan plan;
    SearchHistory history;
    /// Candidates that the user pinned: trials by their numbers, baseline i as -1 - i.
    std::set<std::int64_t> pins;
};

/// The arguments of runSearch() for a plan.
struct PlannedSearch {
    SearchRequest request;
    std::shared_ptr<SearchMethod> method;
    std::shared_ptr<Judge> judge;
};
/// Errors: those of makeScenario(), makeSearchMethod() and makeJudge(). Not for the GUI thread: it builds a strategy.
[[nodiscard]] Result<PlannedSearch> planSearch(const SearchPlan &plan);

} // namespace syncopate
