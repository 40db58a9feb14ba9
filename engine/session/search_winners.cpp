// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/search_winners.h"

#include "engine/job/same_job.h"

#include <utility>

namespace syncopate {

std::optional<BestTrial> bestTrialOf(const SearchPlan &plan, const SearchHistory &history) {
    const std::int64_t best = history.bestTrial(plan.objective);
    if (best < 0)
        return {};
    const SearchTrial &trial = history.trials[static_cast<std::size_t>(best)];
    return BestTrial{plan, trial.trial, trial.genes};
}

std::vector<BestTrial> bestTrials(std::optional<BestTrial> present, const PastSearches &past) {
    std::vector<BestTrial> best;
    if (present)
        best.push_back(*std::move(present));
    for (auto search = past.rbegin(); search != past.rend(); ++search)
        if (auto trial = bestTrialOf((*search)->plan, (*search)->history))
            best.push_back(*std::move(trial));
    return best;
}

std::vector<SearchWinner> winnersFor(const Job &job, const std::vector<BestTrial> &best, const std::stop_token &stop) {
    std::vector<SearchWinner> winners;
    for (const BestTrial &trial : best) {
        if (stop.stop_requested())
            break;
        if (!trial.plan.state.job || !isSameJob(*trial.plan.state.job, job))
            continue;
        const auto planned = planSearch(trial.plan);
        if (!planned)
            continue;
        if (auto scenario = planned->method->decode(trial.genes))
            winners.push_back(
                {phrase("trial %1 of %2", std::to_string(trial.trial), trial.plan.method), scenario->strategy, scenario->policy});
    }
    return winners;
}

} // namespace syncopate
