// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace syncopate {

/// The nearest whole number. Files decide how large values are, and the conversion of one that does not fit is undefined: beyond
/// 2^61 it is 2^61, so that sums and differences of two fit as well; NaN is 0.
[[nodiscard]] inline std::int64_t roundToInteger(double value) {
    constexpr double bound = 0x1p61;
    return std::isnan(value) ? 0 : std::llround(std::clamp(value, -bound, bound));
}

/// The same of nanoseconds: times beyond 73 years are 73 years.
[[nodiscard]] inline std::int64_t toNanoseconds(double seconds) { return roundToInteger(seconds * 1e9); }

} // namespace syncopate
