// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/search_state.h"

#include "engine/search/random_search.h"

#include <utility>

namespace syncopate {

Result<PlannedSearch> planSearch(const SearchPlan &plan) {
    // A's cluster and policy; what its strategy is does not matter, and it may be a measured run.
    SessionState state = plan.state;
    state.side(Side::A).source = Built{"AllReduce"};
    auto base = TRY(makeScenario(state, Side::A));
    PlannedSearch planned;
    planned.request.base = std::move(base);
    planned.request.objective = plan.objective;
    planned.request.seed = plan.seed;
    planned.request.trials = plan.trials;
    auto method = TRY(makeSearchMethod(plan.method, planned.request, plan.sampler));
    planned.method = std::move(method);
    return planned;
}

} // namespace syncopate
