// SPDX-License-Identifier: GPL-3.0-or-later
// Remedies that follow from no cause: everything else that could replace a run's strategy, policy or settings. The causes suggest
// a handful of changes; the most helpful one is often another builder or policy, which no cause points to.
#pragma once

#include "engine/analyze/remedy_trials.h"

#include <vector>

namespace syncopate {

/// Lists the builders as released, the policies as they ship, the winners of searches, then the builders with the other arguments
/// of their grids (tunedExpressions()), all with the run's job and cluster. Builders keep its policy; policies keep its strategy,
/// form and algorithm of collectives. Policies that only fuse collectives are left out where the strategy has none. Some may
/// equal the run. O(expressions).
[[nodiscard]] std::vector<Alternative> alternativesTo(const Run &run, const std::vector<SearchWinner> &winners);

} // namespace syncopate
