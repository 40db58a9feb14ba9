// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/phrase.h"
#include "engine/simulate/simulated_iteration.h"
#include "engine/space/space.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace syncopate {

/// The iteration time with one dimension at half and at twice its value (or at its min and max), everything else unchanged.
struct Sensitivity {
    std::size_t dimension = 0; ///< index into scenarioSpace()
    double lowValue = 0, highValue = 0;
    std::optional<double> lowSeconds, highSeconds; ///< none: the value is at its end, or cannot be simulated
    double lowConfidence = 0, highConfidence = 0;  ///< RecipeIteration::confidence
    double presentValue = 0;
    [[nodiscard]] double reach(double presentSeconds) const; ///< largest change either way
};

/// The iteration of a recipe.
struct RecipeIteration {
    double seconds = 0;
    double confidence = 0; ///< Recording::confidence; 0 of plans
};
/// Returns the iteration of a recipe; none: it cannot be simulated.
using IterationOf = std::function<std::optional<RecipeIteration>(const ScenarioRecipe &)>;
/// Asks `iterationOf` for both ends of a dimension that applies to `recipe`.
[[nodiscard]] Sensitivity sensitivity(const ScenarioRecipe &recipe, std::size_t dimension, const IterationOf &iterationOf);
/// Simulates twice for the sensitivity of `recipe`'s iteration to a dimension that applies to it. From any thread.
[[nodiscard]] Sensitivity sensitivity(const ScenarioRecipe &recipe, std::size_t dimension, SimulationMemories &memories,
                                      const std::stop_token &stop = {});

/// Inserts a row where it ranks: the largest change from `presentSeconds` first.
void insertByReach(std::vector<Sensitivity> &rows, Sensitivity row, double presentSeconds);
/// "Bandwidth: 50 Gbit/s instead of 25 Gbit/s".
[[nodiscard]] Phrase knobText(const Dimension &dimension, const ScenarioRecipe &recipe, double value);

} // namespace syncopate
