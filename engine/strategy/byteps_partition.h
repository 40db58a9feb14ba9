// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>

namespace syncopate {

/// The bytes of which BytePS's partitions are multiples: a page for each device of a machine (byteps/common/global.cc).
[[nodiscard]] inline double bytePsPages(double devices) { return 4096 * std::max(devices, 1.0); }

/// A partition as BytePS rounds it up: whole pages for each device of a machine, at least one.
[[nodiscard]] inline double bytePsPartition(double bytes, double devices) {
    const double pages = bytePsPages(devices);
    return std::max(1.0, std::ceil(bytes / pages)) * pages;
}

} // namespace syncopate
