// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/batch.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace syncopate {

namespace {

/// The note of a batch that was stated, by which job files and projects keep that it was.
std::string noteOf(double samples) { return fmt::format("Stated: batch {}.", samples); }

} // namespace

Result<Job> withBatch(Job job, double samples) {
    if (!std::isfinite(samples) || samples <= 0 || samples > maxBatch)
        return fail(fmt::format("the batch size is {}", samples), "give the samples per worker and iteration, above 0");
    if (samples != job.batchSize)
        job.notes.push_back(statesBatch(job) ? fmt::format("Stated: batch {}, instead of {}.", samples, job.batchSize)
                                             : noteOf(samples));
    job.batchSize = samples;
    return job;
}

bool isBatchStated(const Job &job) { return statesBatch(job) && std::ranges::count(job.notes, noteOf(job.batchSize)) > 0; }

Job withoutStatedBatch(Job job) {
    if (isBatchStated(job)) {
        std::erase(job.notes, noteOf(job.batchSize));
        job.batchSize = 0;
    }
    return job;
}

} // namespace syncopate
