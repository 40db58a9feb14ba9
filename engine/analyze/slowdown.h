// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/fit_error.h"
#include "engine/profile/profile.h"

#include <cstddef>

namespace syncopate {

/// How much longer compute takes while its worker communicates, from two profiles of one model.
struct Slowdown {
    double factor = 1;           ///< as measured; below 1 is noise
    double lower = 1, upper = 1; ///< quartiles of the single ops' ratios
    std::size_t ops = 0;         ///< ops of all steps that lie under communication
    double seconds = 0;          ///< total time of these ops
    FitError error;              ///< of the factor, over the single ops
    double clearFactor = 1;      ///< the same ratio for ops clear of communication: 1 where both profiles have one speed
    std::size_t clearOps = 0;
    double matchedShare = 0; ///< share of the compute of the profile with communication that has a partner in the other
};

/// The factor is the sum of the durations of the ops that lie under communication for at least 90 % of their time, over the sum
/// of the same ops' durations in the profile `alone`. An op is a span of a compute lane; its partner has the same name and the
/// same place among the ops of that name in its step; names whose number per step differs between the profiles (copies into
/// buckets) have no partner. In `alone`, an op's duration is the median over the steps in which nothing communicated beside it.
///
/// Limits: a collective's kernel that waits for other ranks counts as communication, so the factor is a lower bound where ranks
/// are uneven. Only this worker's communication is seen, not other workers' traffic to its node. Different clocks or batch sizes
/// of the profiles enter the factor: compare `clearFactor`.
///
/// Errors: a profile without ops in time or without steps; less than 80 % of the compute of either has a partner (other models);
/// no op of the second lies under communication; no op of the first is clear of it; clearFactor outside 0.5 to 2 (other batch
/// size or device). O(spans log spans).
[[nodiscard]] Result<Slowdown> measureSlowdown(const ImportedProfile &alone, const ImportedProfile &beside);

/// Seconds of compute that lie under the same worker's communication, per second of compute: tells which of two profiles is the
/// one with communication.
[[nodiscard]] double communicatingShare(const ImportedProfile &profile);

} // namespace syncopate
