// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/trial/judge.h"

#include <cstdint>
#include <limits>

namespace syncopate {

/// Figures of a candidate that tables sort and filter by. Times are NaN where there is no verdict.
struct CandidateMetrics {
    double iterationSeconds = std::numeric_limits<double>::quiet_NaN();
    double confidence = std::numeric_limits<double>::quiet_NaN();           ///< Verdict::confidence
    double spreadSeconds = std::numeric_limits<double>::quiet_NaN();        ///< Verdict::spreadSeconds
    double exposedSeconds = std::numeric_limits<double>::quiet_NaN();       ///< iterationStatistics()
    double communicationSeconds = std::numeric_limits<double>::quiet_NaN(); ///< the same
    double samplesPerSecond = std::numeric_limits<double>::quiet_NaN();
    std::int32_t psVariables = 0;          ///< with at least one part on a parameter server
    std::int32_t partitionedVariables = 0; ///< in more than one part
    std::int32_t shards = 0;               ///< parts, a whole variable being one
    std::int32_t servers = 0;              ///< distinct reduction destinations
    std::int32_t groups = 0;               ///< distinct all-reduce groups
    double psBytes = 0;                    ///< of all parameters, on parameter servers
    double largestServerBytes = 0;         ///< on the server with most
    bool operator==(const CandidateMetrics &) const = default;
};

/// The figures that need no verdict; times stay NaN. The strategy matches the job. O(shards).
[[nodiscard]] CandidateMetrics describeStrategy(const Job &job, const Strategy &strategy);
/// All figures of a judged scenario.
[[nodiscard]] CandidateMetrics describeCandidate(const Scenario &scenario, const Verdict &verdict);

} // namespace syncopate
