// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace syncopate {

// Limits of measured collectives (Cluster::collectives) in a cluster file, for reading it and so for writing it.
inline constexpr std::size_t maxMeasuredCurves = 64, maxMeasuredPoints = 1024; ///< points of a curve
inline constexpr std::int32_t maxMeasuredRanks = 1 << 20;
inline constexpr double minMeasuredBytes = 1, maxMeasuredBytes = 1e15, minMeasuredSeconds = 1e-12, maxMeasuredSeconds = 1e6;

} // namespace syncopate
