// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/space/space.h"

#include <optional>
#include <stop_token>

namespace syncopate {

/// The iteration time with one dimension at half and at twice its value (or at its min and max), everything else unchanged.
struct Sensitivity {
    std::size_t dimension = 0; ///< index into scenarioSpace()
    double lowValue = 0, highValue = 0;
    std::optional<double> lowSeconds, highSeconds;           ///< none: the value is at its end, or cannot be simulated
    [[nodiscard]] double reach(double presentSeconds) const; ///< largest change either way
};

/// Simulates twice for the sensitivity of `recipe`'s iteration to a dimension that applies to it.
[[nodiscard]] Sensitivity sensitivity(const ScenarioRecipe &recipe, std::size_t dimension, const std::stop_token &stop = {});

} // namespace syncopate
