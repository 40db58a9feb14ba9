// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/query/query.h"

#include <stop_token>

namespace syncopate {

/// The sides that a state shows: A, and B where it compares. Built and edited sides are simulated, plans and steps are played.
/// Errors: those of makeScenario() and simulate(), of plannedRun() and traceRun(); a measured side without a profile.
[[nodiscard]] Result<std::vector<QuerySide>> querySides(const SessionState &state, const std::stop_token &stop = {});

} // namespace syncopate
