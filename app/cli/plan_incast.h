// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/plan_search.h"

#include <string>
#include <vector>

namespace syncopate::cli {

/// Sets the channels' incast according to --incast: one share for all of them, name=share for single ones (of the request, or all
/// parts of one that `cluster` names), or "fit" for a fit to the measured all-to-alls in the request's costs, reported in
/// `notes`. An empty text changes nothing. Errors: an invalid share, an unknown channel, "fit" without measurements to fit.
[[nodiscard]] Result<void> setIncast(PlanRequest &request, const Cluster &cluster, const std::string &text,
                                     std::vector<std::string> &notes);

} // namespace syncopate::cli
