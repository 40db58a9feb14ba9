// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/rewrite/scenario.h"
#include "engine/strategy/lint.h"

#include <vector>

namespace syncopate {

/// All lint marks of a scenario: of its strategy, of its policy's treatment of it, and of the background traffic, in this order.
/// Leaves out marks on groups that the policy does not send, and on loads of servers that it places itself. Where it places them,
/// slow-server is about the loads that it chooses, and so is unbalanced-servers, which is left out if the strategy uses all the
/// cluster's servers: the policy chooses only among those that the strategy uses. As costly as to cut the variables into what is
/// sent, where the policy places them.
[[nodiscard]] std::vector<LintMark> lintScenario(const Scenario &scenario);

} // namespace syncopate
