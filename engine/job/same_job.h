// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/job.h"

#include <tuple>

namespace syncopate {

/// Whether two jobs are interchangeable for every strategy: equal in all but notes and whether the batch was
/// stated, which tell their origin. A job that is opened
/// again is the same one; another of the same name is not. O(layers + variables).
[[nodiscard]] inline bool isSameJob(const Job &a, const Job &b) {
    const auto figures = [](const Job &job) {
        return std::tie(job.name, job.batchSize, job.layers, job.variables, job.updateSeconds, job.updateHostSeconds,
                        job.hostSecondsPerByteBeforeSend, job.hostSecondsPerByteAfterReceive, job.encodeSecondsPerByte,
                        job.decodeSecondsPerByte, job.compressionRatio);
    };
    return &a == &b || figures(a) == figures(b);
}

} // namespace syncopate
