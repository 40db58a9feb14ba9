// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/median.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace syncopate {

/// |predicted / measured - 1| over the measurements.
struct FitError {
    std::size_t count = 0;
    double median = 0, worst = 0;
};

/// Summarises errors, each at least 0.
[[nodiscard]] inline FitError fitError(std::vector<double> errors) {
    if (errors.empty())
        return {};
    return {errors.size(), median(errors), *std::max_element(errors.begin(), errors.end())};
}

} // namespace syncopate
