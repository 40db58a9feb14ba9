// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/mean_interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace syncopate {

namespace {

/// Student's t for a two-sided 95 % interval, by degrees of freedom 1..19.
constexpr std::array<double, 19> student{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                         2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093};
constexpr std::size_t minBatches = 20, maxValues = 4096;

double meanOf(const std::vector<double> &values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Means of groups of equal size; an incomplete last group is left out.
std::vector<double> grouped(const std::vector<double> &series, std::size_t size) {
    std::vector<double> means;
    for (std::size_t from = 0; from + size <= series.size(); from += size)
        means.push_back(std::accumulate(series.begin() + static_cast<std::ptrdiff_t>(from),
                                        series.begin() + static_cast<std::ptrdiff_t>(from + size), 0.0) /
                        static_cast<double>(size));
    return means;
}

/// Squared standard error of the mean of `values` if they were independent.
double independentVariance(const std::vector<double> &values) {
    const double mean = meanOf(values);
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    const auto n = static_cast<double>(values.size());
    return squares / (n * (n - 1));
}

/// Sum of the autocovariances at lags -M to M.
struct LagSum {
    double sum = 0;
    std::size_t lags = 0; ///< M
};

LagSum sumOfAutocovariances(const std::vector<double> &series) {
    const std::size_t n = series.size();
    const double mean = meanOf(series);
    const auto covariance = [&](std::size_t lag) {
        double sum = 0;
        for (std::size_t i = 0; i + lag < n; ++i)
            sum += (series[i] - mean) * (series[i + lag] - mean);
        return sum / static_cast<double>(n);
    };
    LagSum lagSum;
    lagSum.sum = -covariance(0);
    double before = std::numeric_limits<double>::infinity();
    for (std::size_t lag = 0; lag + 1 < n / 2; lag += 2) {
        const double pair = std::min(covariance(lag) + covariance(lag + 1), before);
        if (!(pair > 0))
            break;
        before = pair;
        lagSum.sum += 2 * pair;
        lagSum.lags = lag + 1;
    }
    return lagSum;
}

} // namespace

double studentT(double degreesOfFreedom) {
    const double nu = std::max(1.0, degreesOfFreedom);
    if (nu < static_cast<double>(student.size() + 1))
        return student[static_cast<std::size_t>(nu) - 1];
    const double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z; // Abramowitz and Stegun 26.7.5
    return z + (z3 + z) / (4 * nu) + (5 * z5 + 16 * z3 + 3 * z) / (96 * nu * nu);
}

double MeanError::half() const { return standardError > 0 ? studentT(degreesOfFreedom) * standardError : 0; }

MeanError errorOfMean(const std::vector<double> &all) {
    if (all.size() < 2)
        return {std::numeric_limits<double>::infinity(), 1};
    const std::vector<double> series = grouped(all, (all.size() + maxValues - 1) / maxValues);
    const auto n = static_cast<double>(series.size());
    const LagSum found = sumOfAutocovariances(series);
    const double window = 2 * static_cast<double>(found.lags) + 1;
    // Deviations from the series' own mean sum to zero, which lowers the sum by the window's share of the series.
    const double correlated = std::max(0.0, found.sum) / n / (1 - std::min(0.5, window / n));
    const std::vector<double> batches = grouped(series, std::max<std::size_t>(1, series.size() / minBatches));
    const double batched = independentVariance(batches);
    const double freedom = std::max(1.0, n / window), batchFreedom = static_cast<double>(batches.size() - 1);
    return batched > correlated ? MeanError{std::sqrt(batched), std::min(freedom, batchFreedom)}
                                : MeanError{std::sqrt(correlated), freedom};
}

Interval intervalOfMean(std::vector<double> values) {
    const std::size_t n = values.size();
    const double mean = meanOf(values);
    const double half = MeanError{std::sqrt(independentVariance(values)), static_cast<double>(n - 1)}.half();
    std::sort(values.begin(), values.end());
    // Leaves out k values on each side, for the largest k such that n tossed coins show more than k heads and more than k tails
    // with a probability of at least 95 %.
    std::size_t left = 0;
    double tail = std::pow(0.5, static_cast<double>(n)), term = tail;
    for (std::size_t k = 0; 2 * (k + 1) < n; ++k) {
        term *= static_cast<double>(n - k) / static_cast<double>(k + 1);
        tail += term;
        if (tail > 0.025)
            break;
        left = k + 1;
    }
    return {std::min(mean - half, values[left]), std::max(mean + half, values[n - 1 - left])};
}

} // namespace syncopate
