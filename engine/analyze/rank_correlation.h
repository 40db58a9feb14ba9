// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace syncopate {

/// How far two lists of equal length order the same things in the same way: 1 = the same order, -1 = reversed, NaN where one of
/// them has no order at all (fewer than two values, or all equal). The lists must not hold NaN.

/// Spearman's rho: the correlation of the ranks, equal values taking the mean of theirs. O(n log n).
[[nodiscard]] double spearman(const std::vector<double> &a, const std::vector<double> &b);
/// Kendall's tau-b: pairs ordered alike minus pairs ordered differently, over the geometric mean of the pairs that each list
/// orders (M. G. Kendall, The treatment of ties in ranking problems, Biometrika 1945). O(n^2).
[[nodiscard]] double kendall(const std::vector<double> &a, const std::vector<double> &b);

} // namespace syncopate
