// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/forecast.h"
#include "engine/store/database.h"

#include <vector>

namespace syncopate {

/// The tables of throughput curves: the present one and the kept ones, with their points and measured points.
extern const char *const curveSchema;

/// The scenario that holds the state of curve `number`.
[[nodiscard]] constexpr ScenarioId curveScenario(std::size_t number) { return {-2 - static_cast<std::int64_t>(number)}; }

/// Writes curves into a project that has none. The states of their forecasts are scenarios, which the caller writes. O(points).
[[nodiscard]] Result<void> writeCurves(Database &file, const std::vector<KeptCurve> &curves);

/// Reads the curves back; a curve's forecast has no state and no request yet. Errors name the curve and the fault: rows that are
/// missing, too many, out of order, or with impossible figures.
[[nodiscard]] Result<std::vector<KeptCurve>> readCurves(Database &file);

} // namespace syncopate
