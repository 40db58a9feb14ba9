// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/rewrite/scenario.h"

#include <string>
#include <vector>

namespace syncopate::cli {

/// What a scenario is made from beside its strategy, as texts for workText(): equal where all ranks have read the same.
[[nodiscard]] std::vector<std::string> inputTexts(const Scenario &scenario);

} // namespace syncopate::cli
