// SPDX-License-Identifier: GPL-3.0-or-later
// Not every trace is one of training: there is inference, a part of a step, a profiler without layers. Such a trace cannot be
// simulated, but can be shown and queried. It becomes a recording: a profile whose job has a name and notes, and no layers.
#pragma once

#include "engine/base/progress.h"
#include "engine/profile/profile.h"

#include <memory>
#include <stop_token>
#include <string>

namespace syncopate {

/// Whether `job` cannot be simulated, as it was made without a training step.
[[nodiscard]] inline bool isRecordingOnly(const Job &job) { return job.layers.empty(); }
/// The reason, in a sentence; `job` is one of a recording.
[[nodiscard]] inline std::string whyNoJob(const Job &job) { return job.notes.empty() ? std::string() : job.notes.front(); }

/// The error of functions that would have to simulate it.
[[nodiscard]] inline Unexpected recordingOnly() {
    return fail("this recording holds no training step, so nothing can be simulated",
                "view and query it, or open a profile of training or a job of the catalogue");
}

/// Reads a profile as importProfile() does or, where that finds no training step, as a recording: Kineto traces, Nsight Systems
/// exports, and formats that know no layers (rocpd, XPlane, Perfetto). Errors: those of importProfile() for everything else;
/// of kind Cancelled.
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>> importRecording(const std::string &path,
                                                                             const ImportOptions &options = {},
                                                                             std::stop_token stop = {},
                                                                             Progress *progress = nullptr);
/// As loadJob(), but a profile without a training step is loaded as a recording.
[[nodiscard]] Result<LoadedJob> loadJobOrRecording(const std::string &nameOrPath, const ImportOptions &options = {},
                                                   std::stop_token stop = {}, Progress *progress = nullptr);

} // namespace syncopate
