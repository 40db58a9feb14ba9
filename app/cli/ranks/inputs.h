// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/rewrite/scenario.h"

#include <string>
#include <vector>

namespace syncopate::cli {

/// Everything that a scenario is made from except its strategy, as texts for workText(): equal if all ranks read the same input.
[[nodiscard]] std::vector<std::string> inputTexts(const Scenario &scenario);

} // namespace syncopate::cli
