// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/sensitivity.h"

#include "engine/simulate/run.h"

#include <algorithm>
#include <cmath>

namespace syncopate {

namespace {

std::optional<double> iterationAt(const ScenarioRecipe &recipe, const Dimension &dimension, double value,
                                  const std::stop_token &stop) {
    const auto turned = dimension.with(recipe, value);
    if (!turned)
        return {};
    const auto scenario = makeScenario(*turned);
    if (!scenario)
        return {};
    const auto run = simulateFigures(*scenario, stop);
    return run ? std::optional((*run)->iterationSeconds) : std::nullopt;
}

} // namespace

double Sensitivity::reach(double presentSeconds) const {
    return std::max(std::abs(lowSeconds.value_or(presentSeconds) - presentSeconds),
                    std::abs(highSeconds.value_or(presentSeconds) - presentSeconds));
}

Sensitivity sensitivity(const ScenarioRecipe &recipe, std::size_t index, const std::stop_token &stop) {
    const Dimension &dimension = scenarioSpace()[index];
    Sensitivity row;
    row.dimension = index;
    const double present = dimension.get(recipe);
    row.lowValue = std::max(dimension.min, dimension.integer ? std::floor(present / 2) : present / 2);
    row.highValue = std::min(dimension.max, present == 0 ? 1 : present * 2);
    if (row.lowValue < present)
        row.lowSeconds = iterationAt(recipe, dimension, row.lowValue, stop);
    if (row.highValue > present)
        row.highSeconds = iterationAt(recipe, dimension, row.highValue, stop);
    return row;
}

} // namespace syncopate
