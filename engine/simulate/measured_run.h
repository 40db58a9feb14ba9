// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/profile.h"
#include "engine/simulate/run.h"

#include <memory>
#include <stop_token>

namespace syncopate {

/// A profile as if it were a run, so that it can stand beside a simulation of the same step: its timeline, and as the iteration
/// the step that the job is of (or all of the timeline where the profile has no steps). There is no graph, no strategy and no
/// cluster. `job` is what the simulation beside it is of; the timeline is shared with nothing, O(spans), and not whole
/// when `stop` is requested.
[[nodiscard]] std::shared_ptr<const Run> measuredRun(const std::shared_ptr<const ImportedProfile> &profile,
                                                     std::shared_ptr<const Job> job, const std::stop_token &stop = {});

} // namespace syncopate
