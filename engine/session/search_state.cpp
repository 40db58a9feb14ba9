// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/search_state.h"

#include "engine/search/search_methods.h"

#include <utility>

namespace syncopate {

bool judgeAlike(const SearchPlan &a, const SearchPlan &b) {
    SessionState other = b.state;
    other.side(Side::A).source = a.state.side(Side::A).source;
    return a.judge == b.judge && a.state.sameScenario(other, Side::A);
}

PastSearches withSearch(PastSearches past, std::shared_ptr<const SearchState> search) {
    if (search && !search->history.trials.empty())
        past.push_back(std::move(search));
    if (past.size() > maxPastSearches)
        past.erase(past.begin(), past.end() - static_cast<std::ptrdiff_t>(maxPastSearches));
    return past;
}

Result<PlannedSearch> planSearch(const SearchPlan &plan) {
    // Only A's cluster and policy matter: candidates replace its strategy, and A itself may be a measured run.
    SessionState state = plan.state;
    state.side(Side::A).source = Built{"AllReduce"};
    PlannedSearch planned;
    planned.request.base = TRY(makeScenario(state, Side::A));
    planned.request.objective = plan.objective;
    planned.request.seed = plan.seed;
    planned.request.trials = plan.trials;
    planned.method = TRY(makeSearchMethod(plan.method, planned.request));
    planned.judge = TRY(makeJudge(plan.judge));
    return planned;
}

} // namespace syncopate
