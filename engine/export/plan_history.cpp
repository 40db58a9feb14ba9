// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/plan_export.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace syncopate {

std::string writePlanHistory(const std::vector<PlanStep> &steps) {
    std::string csv = "iteration,chain,proposal,cost_seconds,accepted,best_seconds\n";
    std::int64_t iteration = 0;
    double best = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
        const PlanStep &step = steps[s];
        const bool isFirst = s == 0 || steps[s - 1].chain != step.chain;
        iteration = isFirst ? 1 : iteration + 1;
        best = isFirst ? step.seconds : std::min(best, step.seconds);
        fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{}\n", iteration, step.chain, nameOf(step.proposal), step.seconds,
                       step.accepted ? 1 : 0, best);
    }
    return csv;
}

} // namespace syncopate
