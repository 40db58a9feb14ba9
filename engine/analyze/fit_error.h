// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace syncopate {

/// |predicted / measured - 1| over the measurements.
struct FitError {
    std::size_t count = 0;
    double median = 0, worst = 0;
};

/// Summarises errors, each at least 0; the median of an even number is the mean of the middle two.
[[nodiscard]] inline FitError fitError(std::vector<double> errors) {
    if (errors.empty())
        return {};
    std::sort(errors.begin(), errors.end());
    return {errors.size(), (errors[(errors.size() - 1) / 2] + errors[errors.size() / 2]) / 2, errors.back()};
}

} // namespace syncopate
