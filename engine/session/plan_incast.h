// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/plan_search.h"
#include "engine/session/scenario_options.h"

#include <string>
#include <vector>

namespace syncopate {

/// Sets the channels' incast from `costs`: one share for all of them, or name=share for single ones (of the request, or all parts
/// of a channel of `cluster`), or "fit" for a fit to the measured all-to-alls in the request's costs, reported in `notes`. An
/// empty text changes nothing. Errors, which name the option that gave the text: an invalid share, an unknown channel, "fit"
/// without measurements to fit.
[[nodiscard]] Result<void> setIncast(PlanRequest &request, const Cluster &cluster, const PlanCosts &costs,
                                     std::vector<std::string> &notes);

} // namespace syncopate
