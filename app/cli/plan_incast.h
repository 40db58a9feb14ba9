// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/plan_search.h"

#include <string>
#include <vector>

namespace syncopate::cli {

/// Sets the channels' incast to what --incast says: a share for all of them, name=share of single ones, or "fit", to what the
/// measured all-to-alls of the request's costs have, which is told in `notes`. An empty text leaves them as they are. Errors: a
/// share that is none, a name that no channel has, "fit" where nothing fits.
[[nodiscard]] Result<void> setIncast(PlanRequest &request, const std::string &text, std::vector<std::string> &notes);

} // namespace syncopate::cli
