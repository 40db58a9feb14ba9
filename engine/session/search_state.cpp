// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/search_state.h"

#include "engine/search/search_methods.h"

#include <utility>

namespace syncopate {

Result<PlannedSearch> planSearch(const SearchPlan &plan) {
    // Only A's cluster and policy count: its strategy is replaced by each candidate's, and it may be a measured run.
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
