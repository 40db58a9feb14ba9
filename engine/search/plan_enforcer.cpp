// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/plan_enforcer.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace syncopate {

namespace {

/// The iteration at which `patience` iterations in a row have been beyond the limit; -1 = none.
std::int32_t noticedIn(const RankRun &run, const EnforceRequest &request) {
    std::int32_t row = 0;
    for (std::int32_t i = 0; i < run.iterations; ++i) {
        row = run.heldUpRatio(i) > request.heldUpLimit ? row + 1 : 0;
        if (row == request.patience)
            return i;
    }
    return -1;
}

/// The DAG with the op times measured in the `patience` iterations up to `last`, each on its slowest process. Iterations before
/// them had other times, or there would be no need for a new plan.
TrainingDag measuredDag(const EnforceRequest &request, std::int32_t last) {
    TrainingDag dag = *request.plan.dag;
    for (std::size_t o = 0; o < dag.ops.size(); ++o) {
        double slowest = 0;
        for (ProcessId p(0); p.number() < dag.processes; p = p.next()) {
            double sum = 0;
            for (std::int32_t i = last - request.patience + 1; i <= last; ++i)
                sum += request.noise.factor(p, i, DagOpId(o));
            slowest = std::max(slowest, sum / request.patience);
        }
        dag.ops[o].seconds *= slowest;
    }
    return dag;
}

} // namespace

Result<EnforcedPlan> enforcePlan(const EnforceRequest &request, const ExecutionPlan &plan, const std::stop_token &stop) {
    const TrainingDag dag = withSubmission(*request.plan.dag, plan.enforced);
    RankRequest ranks{.dag = &dag, .plan = &plan, .costs = request.plan.costs, .noise = request.noise};
    ranks.iterations = request.iterations;
    EnforcedPlan enforced{TRY(playRanks(ranks, stop)), {}, std::nullopt};
    ranks.dispatch = Dispatch::FirstReady;
    enforced.ordered = TRY(playRanks(ranks, stop));
    ranks.dispatch = Dispatch::Strict;
    const std::int32_t noticed = noticedIn(enforced.strict, request);
    if (noticed < 0 || enforced.strict.deadlock)
        return enforced;

    EnforcedPlan::Replanned again;
    again.noticed = noticed;
    for (std::int32_t i = noticed - request.patience + 1; i <= noticed; ++i)
        again.heldUpRatio += enforced.strict.heldUpRatio(i) / request.patience;
    PlanRequest anew = request.plan;
    anew.dag = std::make_shared<const TrainingDag>(measuredDag(request, noticed));
    again.found = TRY(findPlan(anew, request.method, stop));
    again.presentSeconds = TRY(playPlan(withSubmission(*anew.dag, plan.enforced), plan, anew.costs, stop)).iterationSeconds;
    if (!again.isFaster()) {
        enforced.replanned = std::move(again);
        return enforced;
    }
    const std::vector<double> &starts = enforced.strict.startSeconds[enforced.strict.timedBy.index()];
    const double at = starts[std::min(static_cast<std::size_t>(noticed) + 1, starts.size() - 1)] + request.planningSeconds;
    again.commit = commitInTwoPhases(enforced.strict.startSeconds, at, request.network);
    if (again.commit.committed && again.commit.changeAt.front() < request.iterations) {
        ranks.nextPlan = &again.found.plan;
        ranks.changeAt = again.commit.changeAt;
        again.run = TRY(playRanks(ranks, stop));
    }
    enforced.replanned = std::move(again);
    return enforced;
}

} // namespace syncopate
