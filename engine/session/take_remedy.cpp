// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/take_remedy.h"

#include "engine/session/dag_job.h"
#include "engine/session/planned_work.h"
#include "engine/space/space.h"

#include <utility>

namespace syncopate {

SessionState withRemedy(SessionState state, Side side, const Scenario &present, const Remedy &remedy) {
    const auto *change = std::get_if<ScenarioChange>(&remedy.change);
    if (!change)
        return state;
    if (const auto *knob = std::get_if<TurnedKnob>(&change->origin))
        return withValue(std::move(state), scenarioSpace()[knob->dimension], knob->value);
    SideState &target = state.side(side);
    if (const auto *built = std::get_if<BuiltStrategy>(&change->origin)) {
        target.source = Built{built->expression};
        return state;
    }
    if (const auto *winner = std::get_if<SearchWinner>(&change->origin)) {
        target.source = replaced(target.source, winner->strategy, winner->name.english());
        target.policy = formatPolicy(winner->policy);
        return state;
    }
    return withScenario(std::move(state), side, present, change->scenario);
}

SessionState withPlanRemedy(SessionState state, Side side, const Remedy &remedy) {
    Source &source = state.side(side).source;
    const auto *shown = std::get_if<Planned>(&source);
    if (!shown)
        return state;
    if (const auto *knob = std::get_if<TurnedKnob>(&remedy.change))
        return withValue(std::move(state), scenarioSpace()[knob->dimension], knob->value);
    if (const auto *change = std::get_if<std::shared_ptr<const PlanChange>>(&remedy.change)) {
        PlannedWork work = *shown->work;
        work.title = (*change)->title;
        work.dag = *(*change)->dag;
        work.plan = (*change)->plan;
        work.costs = (*change)->costs;
        work.edited = work.edited && remedy.kind == RemedyKind::Channel; // else it is a planner's
        work.onCluster = work.onCluster && !(*change)->ownChannels;
        work.clusterCosts = work.clusterCosts && !(*change)->ownChannels; // a faster channel has faster measured times
        Planned taken = planned(source, std::make_shared<const PlannedWork>(std::move(work)));
        if (showsDag(state) && !(*change)->method.empty())
            taken.before = Built{(*change)->method}; // the planner by which it is planned again
        source = std::move(taken);
    }
    return state;
}

} // namespace syncopate
