// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/rewrite/scenario.h"
#include "engine/rewrite/shape_units.h"
#include "engine/strategy/lint.h"
#include "engine/strategy/policy.h"

#include <vector>

namespace syncopate {

/// All lint marks of a scenario: of its strategy, of its policy's treatment of it, and of the background traffic, in this order.
[[nodiscard]] inline std::vector<LintMark> lintScenario(const Scenario &scenario) {
    std::vector<LintMark> marks = lint(*scenario.job, *scenario.cluster, *scenario.strategy);
    if (const Policy &kind = scenario.policy.kind(); kind.fuse || !kind.joinsGroups) // it does not send groups as such
        std::erase_if(marks, [](const LintMark &mark) { return mark.rule == "one-group"; });
    for (std::vector<LintMark> more :
         {lintPolicy(*scenario.strategy, scenario.policy), lintChannels(*scenario.cluster, scenario.policy),
          lintCredit(*scenario.strategy, scenario.policy, trainingNodes(*scenario.cluster)),
          lintBackground(*scenario.cluster, scenario.background)})
        marks.insert(marks.end(), more.begin(), more.end());
    return marks;
}

} // namespace syncopate
