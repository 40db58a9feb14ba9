// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/search_method.h"

#include <array>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace syncopate {

/// Share of pairs with different values that scores order as values do; equal scores count half. NaN without such a pair. O(n^2).
[[nodiscard]] double pairAccuracy(const std::vector<double> &scores, const std::vector<double> &values);

/// pairAccuracy() of the pairs with at least one trial in each bucket of scores: the trials in the order of their scores, in
/// parts of nearly equal size. NaN where a bucket has no pair with different values. O(n^2).
[[nodiscard]] std::array<double, scoreBuckets> bucketAccuracies(const std::vector<double> &scores,
                                                                const std::vector<double> &values);

/// Of the quarter with the lowest values the share that is in the quarter with the lowest scores. NaN below four.
[[nodiscard]] double topRecall(const std::vector<double> &scores, const std::vector<double> &values);

/// The lowest score from which on the ranker is trusted to say "slower": of the pairs of `recent` trials (score, value) whose
/// larger score is at least that, it orders `desired` as their values are (AutoDist, section 2.4: the fidelity level, of scores
/// of which higher is better). Infinity where there is no such score, and nothing is rejected. O(n^2 log n).
[[nodiscard]] double rejectionScore(const std::vector<std::pair<double, double>> &recent, double desired);

/// Greedy minimum of Eq. 11: the sum of `count` scores, scaled to [0, 1], plus alpha times the mean similarity to those chosen
/// before. Indices into `scores`, in the order of choice. O(n count).
[[nodiscard]] std::vector<std::size_t> selectDiverse(const std::vector<double> &scores, std::size_t count, double alpha,
                                                     const std::function<double(std::size_t, std::size_t)> &similarity);

} // namespace syncopate
