// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/sweeper.h"

#include "engine/session/dag_job.h"
#include "engine/session/dag_sweep.h"
#include "ui/tasks/throttle.h"

#include <utility>

namespace syncopate::ui {

namespace {

/// Adds the recipe of a side, for a training DAG with its planner.
Result<void> addRecipe(SweepPlan &plan, const SessionState &state, Side side) {
    if (!showsDag(state)) {
        plan.recipes.push_back(TRY(recipeOf(state, side)));
        return {};
    }
    DagSweep dag = TRY(dagSweepOf(state, side));
    plan.recipes.push_back(std::move(dag.recipe));
    plan.judges.push_back(std::move(dag.judge));
    return {};
}

} // namespace

void Sweeper::start(const SessionState &state, const SweepAxis &x, const std::optional<SweepAxis> &y, Side first) {
    m_worker.start([state, x, y, first](const std::stop_token &stop, const auto &post) {
        Sweep sweep{state, x, y, {}, 0};
        std::vector<Side> sides{first};
        if (state.compare)
            sides.push_back(first == Side::A ? Side::B : Side::A);
        SweepPlan plan{{}, x, y};
        std::vector<Side> swept; // in the order of the plan's recipes
        for (const Side side : sides) {
            auto &points = sweep.points[indexOf(side)];
            points.resize(sweep.size());
            const auto added = addRecipe(plan, state, side);
            if (added)
                swept.push_back(side);
            else
                sweep.done += sweep.size(); // measured, or impossible to simulate: its points stay empty
            if (!added && showsDag(state))  // its rows say why
                points.assign(sweep.size(), SweepPoint{.error = added.error().toString()});
        }
        Throttle throttle;
        const auto report = [&](bool atOnce) {
            if (throttle.isDue(atOnce))
                post(std::make_shared<const Sweep>(sweep));
        };
        const auto finished = runSweep(plan, stop, [&](std::size_t recipe, std::size_t point, const SweepPoint &result) {
            sweep.points[indexOf(swept[recipe])][point] = result;
            ++sweep.done;
            report(false);
        });
        if (finished)
            report(true);
    });
}

} // namespace syncopate::ui
