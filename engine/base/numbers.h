// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace syncopate {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// To look a number up in a vector that is known to be one of its places.
[[nodiscard]] constexpr std::size_t asIndex(std::int32_t number) { return static_cast<std::size_t>(number); }

} // namespace syncopate
