// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"

#include <string>

namespace syncopate::cli {

class RankSpread;

/// validate of a folder of published charts.
[[nodiscard]] Outcome validateCharts(const Common &common, const std::string &folder, RankSpread &ranks);
/// The same of a folder that the testbed of asynchronous training wrote.
[[nodiscard]] Outcome validateTestbed(const Common &common, const std::string &folder, RankSpread &ranks);
/// The same of a folder of measured plans.
[[nodiscard]] Outcome validatePlanFolder(const Common &common, const std::string &folder);
/// The same of a folder of logs of collectives: cost curves fitted to each, with what they miss.
[[nodiscard]] Outcome validateCurves(const Common &common, const std::string &folder);

} // namespace syncopate::cli
