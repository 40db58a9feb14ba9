// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace syncopate {

/// The error of a mean.
struct MeanError {
    double standardError = 0;
    double degreesOfFreedom = 1; ///< of its estimate, >= 1
    /// Half of the two-sided 95 % interval by Student's t.
    [[nodiscard]] double half() const;
};

/// Student's t for a two-sided interval of 95 %, by degrees of freedom; below 1 as of 1. Exact to a thousandth (a table of whole
/// degrees up to 19, fractions rounded down; beyond, Cornish and Fisher's expansion).
[[nodiscard]] double studentT(double degreesOfFreedom);

/// The error of the mean of `series`, a stationary process of which neighbours may be correlated: the sum of its autocovariances
/// as long as sums of two neighbouring ones are positive, made monotone (Geyer 1992, initial monotone sequence estimator), or the
/// estimate from the means of 20 to 39 batches (fewer than 40 values are a batch each), if that is larger. With the sum cut at
/// lag M, n / (2 M + 1) degrees of freedom are left. It cannot account for states that the whole series never enters. Series
/// beyond 4096 values are taken in groups. O(4096 * M).
[[nodiscard]] MeanError errorOfMean(const std::vector<double> &series);

/// A confidence interval.
struct Interval {
    double low = 0, high = 0;
};

/// 95 % interval of the mean of which `values` (2 to 1000, independent) are a sample: Student's, widened to the interval of their
/// median that the binomial distribution gives for any distribution (the sign test's: of up to 8 values from the smallest to the
/// largest, which for fewer than 6 holds it with less than 95 %). Student's alone is too narrow for a few values of a skewed
/// distribution. O(n log n).
[[nodiscard]] Interval intervalOfMean(std::vector<double> values);

} // namespace syncopate
