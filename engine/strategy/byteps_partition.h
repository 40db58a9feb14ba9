// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>

namespace syncopate {

inline constexpr double maxBytePsPartitionBytes = 2147483647; ///< BYTEPS_PARTITION_BYTES is a signed 32-bit number
inline constexpr double maxBytePsParts = 65536;               ///< of a tensor: key = (tensor << 16) + part
/// Capacity of BytePS's queue if no credit is set.
inline constexpr double unlimitedBytePsCreditBytes = 32.0 * 1024 * 1024 * 1024;

/// The bytes of which BytePS's partitions are multiples: a page for each device of a machine (byteps/common/global.cc).
[[nodiscard]] inline double bytePsPartitionUnit(double devices) { return 4096 * std::max(devices, 1.0); }

/// A partition as BytePS rounds it up: whole pages for each device of a machine, at least one.
[[nodiscard]] inline double bytePsPartition(double bytes, double devices) {
    const double unit = bytePsPartitionUnit(devices);
    return std::max(1.0, std::ceil(bytes / unit)) * unit;
}

/// The largest partition that it does not round beyond maxBytePsPartitionBytes.
[[nodiscard]] inline double largestBytePsPartition(double devices) {
    const double unit = bytePsPartitionUnit(devices);
    return std::floor(maxBytePsPartitionBytes / unit) * unit;
}

} // namespace syncopate
