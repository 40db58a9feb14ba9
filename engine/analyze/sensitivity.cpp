// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/sensitivity.h"

#include <algorithm>
#include <cmath>

namespace syncopate {

double Sensitivity::reach(double presentSeconds) const {
    return std::max(std::abs(lowSeconds.value_or(presentSeconds) - presentSeconds),
                    std::abs(highSeconds.value_or(presentSeconds) - presentSeconds));
}

Sensitivity sensitivity(const ScenarioRecipe &recipe, std::size_t index, const IterationOf &iterationOf) {
    const Dimension &dimension = scenarioSpace()[index];
    Sensitivity row;
    row.dimension = index;
    const double present = row.presentValue = dimension.get(recipe);
    if (present <= 0 && present < dimension.min) // nothing, or a word, such as "auto": half and twice of it mean nothing
        return row;
    row.lowValue = std::max(dimension.min, dimension.integer ? std::floor(present / 2) : present / 2);
    row.highValue = std::clamp(present == 0 ? 1.0 : present * 2, dimension.min, dimension.max);
    const auto turn = [&](double value, std::optional<double> &seconds, double &confidence) {
        const auto turned = dimension.with(recipe, value);
        if (const auto iteration = turned ? iterationOf(*turned) : std::nullopt) {
            seconds = iteration->seconds;
            confidence = iteration->confidence;
        }
    };
    if (row.lowValue < present)
        turn(row.lowValue, row.lowSeconds, row.lowConfidence);
    if (row.highValue > present)
        turn(row.highValue, row.highSeconds, row.highConfidence);
    return row;
}

void insertByReach(std::vector<Sensitivity> &rows, Sensitivity row, double presentSeconds) {
    const auto place = std::upper_bound(rows.begin(), rows.end(), row, [=](const Sensitivity &a, const Sensitivity &b) {
        return a.reach(presentSeconds) > b.reach(presentSeconds);
    });
    rows.insert(place, row);
}

Phrase knobText(const Dimension &dimension, const ScenarioRecipe &recipe, double value) {
    return phrase("%1: %2 instead of %3", Phrase{dimension.name}, dimension.format(value),
                  dimension.format(dimension.get(recipe)));
}

Sensitivity sensitivity(const ScenarioRecipe &recipe, std::size_t index, SimulationMemories &memories,
                        const std::stop_token &stop) {
    return sensitivity(recipe, index, [&](const ScenarioRecipe &turned) -> std::optional<RecipeIteration> {
        const auto scenario = makeScenario(turned);
        if (!scenario)
            return {};
        const auto iteration = memories.simulateIteration(*scenario, stop);
        return iteration ? std::optional(RecipeIteration{iteration->iterationSeconds, iteration->confidence}) : std::nullopt;
    });
}

} // namespace syncopate
