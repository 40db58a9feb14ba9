// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace syncopate {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Converts a number that is known to be a valid place in a vector.
[[nodiscard]] constexpr std::size_t asIndex(std::int32_t number) { return static_cast<std::size_t>(number); }

} // namespace syncopate
