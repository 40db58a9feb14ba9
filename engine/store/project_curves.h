// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/forecast.h"
#include "engine/store/database.h"

#include <vector>

namespace syncopate {

/// The tables of throughput curves: the present one and those that were kept, with their points and what was measured.
extern const char *const curveSchema;

/// Scenario of the state that curve `number` is of.
[[nodiscard]] constexpr ScenarioId curveScenario(std::size_t number) { return {-2 - static_cast<std::int64_t>(number)}; }

/// Puts curves into a project without any; their forecasts' states are scenarios, which the caller writes. O(points).
[[nodiscard]] Result<void> writeCurves(Database &file, const std::vector<KeptCurve> &curves);

/// Takes them out again; a curve's forecast has no state and no request yet. Errors name the curve and say what is wrong: rows
/// that are missing, too many, out of order, or of figures that no prediction has.
[[nodiscard]] Result<std::vector<KeptCurve>> readCurves(Database &file);

} // namespace syncopate
