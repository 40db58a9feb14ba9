// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/batch.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace syncopate {

namespace {

/// The note of a batch that was stated, for people.
std::string noteOf(double samples) { return fmt::format("Stated: batch {}.", samples); }

} // namespace

Result<Job> withBatch(Job job, double samples) {
    if (!std::isfinite(samples) || samples <= 0 || samples > maxBatch)
        return fail(fmt::format("the batch size is {}", samples),
                    fmt::format("give the samples per worker and iteration, above 0 and up to {:g}", maxBatch));
    if (samples == job.batchSize)
        return job;
    job = withoutStatedBatch(std::move(job));
    job.batchStated = !statesBatch(job);
    job.notes.push_back(job.batchStated ? noteOf(samples)
                                        : fmt::format("Stated: batch {}, instead of {}.", samples, job.batchSize));
    job.batchSize = samples;
    return job;
}

Job withoutStatedBatch(Job job) {
    if (job.batchStated) {
        std::erase(job.notes, noteOf(job.batchSize));
        job.batchSize = 0;
        job.batchStated = false;
    }
    return job;
}

bool hasNoteOfStatedBatch(const Job &job) { return statesBatch(job) && std::ranges::count(job.notes, noteOf(job.batchSize)) > 0; }

} // namespace syncopate
