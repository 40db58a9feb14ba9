// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/rewrite/scenario.h"
#include "engine/strategy/lint.h"

#include <vector>

namespace syncopate {

/// What lint finds in a scenario's strategy, in what its policy makes of it, and in the background traffic, in this order.
[[nodiscard]] inline std::vector<LintMark> lintScenario(const Scenario &scenario) {
    std::vector<LintMark> marks = lint(*scenario.job, *scenario.cluster, *scenario.strategy);
    for (std::vector<LintMark> more :
         {lintPolicy(*scenario.strategy, scenario.policy), lintChannels(*scenario.cluster, scenario.policy),
          lintBackground(*scenario.cluster, scenario.background)})
        marks.insert(marks.end(), more.begin(), more.end());
    return marks;
}

} // namespace syncopate
