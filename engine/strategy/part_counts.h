// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/job.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace syncopate {

/// Smallest divisor above 1: the number itself where it has none up to `most`, as a prime, 1 for 1. PartitionedPS and
/// PartitionedAR cut dimension 0 by it. Without the limit a shape of 60 bits in a job file would take seconds.
/// O(min(sqrt(number), most)).
[[nodiscard]] std::int64_t smallestDivisor(std::int64_t number, std::int64_t most);

/// The smallest count above 1 that does not divide the number, as UnevenPartitionedPS cuts dimension 0.
[[nodiscard]] std::int64_t smallestNonDivisor(std::int64_t number);

/// The dimension along which RandomAxisPartitionAR cuts each variable, -1 where none has more than one row: dimension 0 of sparse
/// variables, of others drawn as NumPy's legacy generator draws with `seed`.
[[nodiscard]] std::vector<std::int32_t> randomAxes(const Job &job, std::int32_t seed);

} // namespace syncopate
