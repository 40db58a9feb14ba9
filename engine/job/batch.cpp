// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/batch.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

Result<Job> withBatch(Job job, double samples) {
    if (!std::isfinite(samples) || samples <= 0 || samples > maxBatch)
        return fail(fmt::format("the batch size is {}", samples), "give the samples per worker and iteration, above 0");
    if (samples != job.batchSize)
        job.notes.push_back(statesBatch(job) ? fmt::format("Stated: batch {}, instead of {}.", samples, job.batchSize)
                                             : fmt::format("Stated: batch {}.", samples));
    job.batchSize = samples;
    return job;
}

} // namespace syncopate
