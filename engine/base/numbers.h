// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace syncopate {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Converts a number that is known to be a valid place in a vector.
[[nodiscard]] constexpr std::size_t asIndex(std::int32_t number) { return static_cast<std::size_t>(number); }

/// The sum of two numbers that are not negative, at most the largest number: a file may state any sizes.
[[nodiscard]] inline std::int64_t saturatingSum(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

} // namespace syncopate
