// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/profile.h"

#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// The job's own times, as a step sample.
[[nodiscard]] StepSample sampleOf(const Job &job);

/// Completes a sample that does not state where its device waits for the host with the job's shares of its times. `sample` has a
/// time for every layer of `job`.
[[nodiscard]] StepSample withHostSeconds(StepSample sample, const Job &job);

/// Writes a job file that carries the steps of the profile from which it was made, under the key step_samples (docs/job-file.md).
/// `samples` have a time for every layer of `job`.
[[nodiscard]] std::string writeJobText(const Job &job, const std::vector<StepSample> &samples);

/// Reads the steps that a job file carries; none where it lacks the key. `job` is that file's. Errors name the field: times that
/// are negative, not finite or not one for each layer, waits for the host longer than the time that they are part of, more than
/// 10000 steps.
[[nodiscard]] Result<std::vector<StepSample>> readStepSamplesText(std::string_view json, const Job &job,
                                                                  const std::string &file = {});
/// As readStepSamplesText(), for a file.
[[nodiscard]] Result<std::vector<StepSample>> readStepSamples(const std::string &path, const Job &job);

} // namespace syncopate
