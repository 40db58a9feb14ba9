// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/rank_correlation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace syncopate {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::vector<double> ranksOf(const std::vector<double> &values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first + 1;
        while (end < order.size() && values[order[end]] == values[order[first]])
            ++end;
        for (std::size_t i = first; i < end; ++i)
            ranks[order[i]] = static_cast<double>(first + end - 1) / 2;
        first = end;
    }
    return ranks;
}

} // namespace

double spearman(const std::vector<double> &a, const std::vector<double> &b) {
    const std::vector<double> x = ranksOf(a), y = ranksOf(b);
    const double mean = (static_cast<double>(x.size()) - 1) / 2;
    double both = 0, own = 0, other = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        both += (x[i] - mean) * (y[i] - mean);
        own += (x[i] - mean) * (x[i] - mean);
        other += (y[i] - mean) * (y[i] - mean);
    }
    return own > 0 && other > 0 ? both / std::sqrt(own * other) : none;
}

double kendall(const std::vector<double> &a, const std::vector<double> &b) {
    const auto sign = [](double d) { return (d > 0) - (d < 0); };
    double both = 0, own = 0, other = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const int x = sign(a[i] - a[j]), y = sign(b[i] - b[j]);
            both += x * y;
            own += x * x;
            other += y * y;
        }
    return own > 0 && other > 0 ? both / std::sqrt(own * other) : none;
}

} // namespace syncopate
