// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "engine/search/plan_search.h"

#include <string>
#include <vector>

namespace syncopate::cli {

/// Prints the times of the collectives of the request's DAG over their size, for every cut and channel, and the sizes at which
/// two of these curves cross: the figures of the explorer's page "Costs". `kind` is "all", or a collective of the DAG. `notes`
/// are printed below. Errors: a kind that is not a collective, or one that the DAG does not have.
[[nodiscard]] Outcome printCostCurves(const Common &common, const PlanRequest &request, const std::string &kind,
                                      const std::vector<std::string> &notes);

} // namespace syncopate::cli
