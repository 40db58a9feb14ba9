// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/sweeper.h"

#include <chrono>
#include <utility>

namespace syncopate::ui {

void Sweeper::start(const SessionState &state, const SweepAxis &x, const std::optional<SweepAxis> &y, Side first) {
    m_worker.start([state, x, y, first](const std::stop_token &stop, const auto &post) {
        Sweep sweep{state, x, y, {}, 0};
        std::vector<Side> sides{first};
        if (state.compare)
            sides.push_back(first == Side::A ? Side::B : Side::A);
        SweepPlan plan{{}, x, y};
        std::vector<Side> swept; // by the plan's recipes
        for (const Side side : sides) {
            sweep.points[indexOf(side)].resize(sweep.size());
            if (auto recipe = recipeOf(state, side)) {
                plan.recipes.push_back(*std::move(recipe));
                swept.push_back(side);
            } else {
                sweep.done += sweep.size(); // measured, or not to be simulated at all: its points stay empty
            }
        }
        auto last = std::chrono::steady_clock::now();
        const auto report = [&] {
            post(std::make_shared<const Sweep>(sweep));
            last = std::chrono::steady_clock::now();
        };
        const auto finished = runSweep(plan, stop, [&](std::size_t recipe, std::size_t point, const SweepPoint &result) {
            sweep.points[indexOf(swept[recipe])][point] = result;
            ++sweep.done;
            if (std::chrono::steady_clock::now() - last > std::chrono::milliseconds(50))
                report();
        });
        if (finished)
            report();
    });
}

} // namespace syncopate::ui
