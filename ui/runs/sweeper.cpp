// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/sweeper.h"

#include "ui/tasks/throttle.h"

#include <utility>

namespace syncopate::ui {

void Sweeper::start(const SessionState &state, const SweepAxis &x, const std::optional<SweepAxis> &y, Side first) {
    m_worker.start([state, x, y, first](const std::stop_token &stop, const auto &post) {
        Sweep sweep{state, x, y, {}, 0};
        std::vector<Side> sides{first};
        if (state.compare)
            sides.push_back(first == Side::A ? Side::B : Side::A);
        SweepPlan plan{{}, x, y};
        std::vector<Side> swept; // in the order of the plan's recipes
        for (const Side side : sides) {
            sweep.points[indexOf(side)].resize(sweep.size());
            if (auto recipe = recipeOf(state, side)) {
                plan.recipes.push_back(*std::move(recipe));
                swept.push_back(side);
            } else {
                sweep.done += sweep.size(); // measured, or impossible to simulate: its points stay empty
            }
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
