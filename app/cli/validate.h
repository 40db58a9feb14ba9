// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"

#include <string>

namespace syncopate::cli {

class RankSpread;

/// Validates a folder of published charts.
[[nodiscard]] Outcome validateCharts(const Common &common, const std::string &folder, RankSpread &ranks);
/// Validates a folder written by the testbed of asynchronous training.
[[nodiscard]] Outcome validateTestbed(const Common &common, const std::string &folder, RankSpread &ranks);
/// Validates a folder of measured plans.
[[nodiscard]] Outcome validatePlanFolder(const Common &common, const std::string &folder);
/// Validates a folder of logs of collectives: fits cost curves to each and reports their errors.
[[nodiscard]] Outcome validateCurves(const Common &common, const std::string &folder);

/// "0.93", or words where it is NaN: all of one side take equally long.
[[nodiscard]] std::string correlationText(double correlation);

} // namespace syncopate::cli
