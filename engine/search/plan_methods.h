// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/plan_search.h"
#include "engine/strategy/arguments.h"

#include <string_view>
#include <vector>

namespace syncopate {

/// The planning methods as expressions, in the order of PlanMethod: "syndicate(chains=4)".
[[nodiscard]] const std::vector<ExpressionInfo> &planMethods();

/// Reads an expression and puts its arguments into `request`. Errors: an unknown method or argument, values out of bounds.
[[nodiscard]] Result<PlanMethod> readPlanMethod(std::string_view expression, PlanRequest &request);

} // namespace syncopate
