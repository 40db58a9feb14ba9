// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/profile.h"
#include "engine/simulate/recording.h"

#include <memory>
#include <stop_token>

namespace syncopate {

/// The step that a profile's job was made from, or all of its timeline where no step is marked. Seconds from the profile's start.
struct MeasuredStep {
    double startSeconds = 0, lengthSeconds = 0;
};
[[nodiscard]] MeasuredStep measuredStep(const ImportedProfile &profile);

/// Makes a recording of a profile, so that it can stand beside a simulation of the same step: its timeline, with the job's step
/// as the iteration (or all of the timeline where the profile has no steps). `job` is the job of the simulation beside it. The
/// timeline is a copy, O(spans), and incomplete when `stop` was requested.
[[nodiscard]] std::shared_ptr<const Recording> measuredRecording(const std::shared_ptr<const ImportedProfile> &profile,
                                                                 std::shared_ptr<const Job> job,
                                                                 const std::stop_token &stop = {});

} // namespace syncopate
