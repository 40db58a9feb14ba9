// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace syncopate {

/// The middle value, or the mean of the two in the middle. `values` is not empty.
[[nodiscard]] inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/// The same; NaN without values.
[[nodiscard]] inline double medianOrNaN(std::vector<double> values) {
    return values.empty() ? std::numeric_limits<double>::quiet_NaN() : median(std::move(values));
}

} // namespace syncopate
