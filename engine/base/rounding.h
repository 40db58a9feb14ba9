// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace syncopate {

/// Rounds to the nearest integer. Values come from files, and converting one that does not fit is undefined behaviour, so values
/// beyond 2^61 become 2^61, which leaves room for sums and differences of two; NaN becomes 0.
[[nodiscard]] inline std::int64_t roundToInteger(double value) {
    constexpr double bound = 0x1p61;
    return std::isnan(value) ? 0 : std::llround(std::clamp(value, -bound, bound));
}

/// Rounds seconds to nanoseconds; times beyond 73 years become 73 years.
[[nodiscard]] inline std::int64_t toNanoseconds(double seconds) { return roundToInteger(seconds * 1e9); }

} // namespace syncopate
