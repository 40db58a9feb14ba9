// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/random_sampler.h"
#include "engine/search/search.h"
#include "engine/session/session_state.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>

namespace syncopate {

/// What a search was asked for.
struct SearchPlan {
    SessionState state; ///< job, cluster, knobs and A's policy are those that candidates are simulated with
    std::string method = "random";
    SearchObjective objective = SearchObjective::IterationTime;
    std::uint64_t seed = 1;
    std::uint64_t trials = 200;
    SamplerSettings sampler;
};

/// A search as far as it went, from which it goes on.
struct SearchState {
    SearchPlan plan;
    SearchHistory history;
    /// Candidates that the user pinned: trials by their numbers, baseline i as -1 - i.
    std::set<std::int64_t> pins;
};

/// What runSearch() needs for a plan.
struct PlannedSearch {
    SearchRequest request;
    std::shared_ptr<SearchMethod> method;
};
/// Errors: those of makeScenario() and makeSearchMethod(). Not for the GUI thread: it builds a strategy.
[[nodiscard]] Result<PlannedSearch> planSearch(const SearchPlan &plan);

} // namespace syncopate
