// SPDX-License-Identifier: GPL-3.0-or-later
// Many profiles do not say how many samples a step trains on. Times, and everything that compares them, do not need it;
// throughput does. Where it is not known, rates count steps instead, and say so: a rate of samples that took the batch for 1
// would be wrong by the batch, and look right.
#pragma once

#include "engine/base/result.h"
#include "engine/job/job.h"

#include <limits>

namespace syncopate {

/// Whether the job says how many samples a step has.
[[nodiscard]] inline bool statesBatch(const Job &job) { return job.batchSize > 0; }
/// The count that a worker's step adds to rates: its samples, or 1 step.
[[nodiscard]] inline double countOfStep(const Job &job) { return statesBatch(job) ? job.batchSize : 1; }
/// The unit of the job's rates (Recording::samplesPerSecond and figures made of it). A step is one worker's.
[[nodiscard]] inline const char *rateUnit(bool statesBatch) { return statesBatch ? "samples/s" : "steps/s"; }
/// The same as a name of figures: "samples_per_second", "steps_per_second".
[[nodiscard]] inline const char *rateName(bool statesBatch) { return statesBatch ? "samples_per_second" : "steps_per_second"; }
/// `rate` where it counts samples, else NaN.
[[nodiscard]] inline double samplesOnly(bool statesBatch, double rate) {
    return statesBatch ? rate : std::numeric_limits<double>::quiet_NaN();
}

inline constexpr double maxBatch = 1e12; ///< samples

/// The job with another batch; its times stay as they are. Job::batchStated and a note say so. Errors: a batch that is not above
/// 0, or above maxBatch.
[[nodiscard]] Result<Job> withBatch(Job job, double samples);
/// Undoes withBatch() of a job that did not say its batch; other jobs stay as they are.
[[nodiscard]] Job withoutStatedBatch(Job job);
/// Whether a note says that the batch was stated: its only mark in job files before the key batch_stated.
[[nodiscard]] bool hasNoteOfStatedBatch(const Job &job);

} // namespace syncopate
