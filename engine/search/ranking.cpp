// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/ranking.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace syncopate {

namespace {

/// 1 = the scores order the pair as the values do, 0 = the other way round, 0.5 = they are equal.
double agreement(double scoreA, double scoreB, double valueA, double valueB) {
    if (scoreA == scoreB)
        return 0.5;
    return (scoreA < scoreB) == (valueA < valueB) ? 1 : 0;
}

/// Indices of the `count` lowest numbers.
std::vector<std::size_t> lowest(const std::vector<double> &numbers, std::size_t count) {
    std::vector<std::size_t> order(numbers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return numbers[a] < numbers[b]; });
    order.resize(count);
    return order;
}

} // namespace

double pairAccuracy(const std::vector<double> &scores, const std::vector<double> &values) {
    double right = 0, pairs = 0;
    for (std::size_t a = 0; a < values.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            if (values[a] != values[b]) {
                right += agreement(scores[a], scores[b], values[a], values[b]);
                ++pairs;
            }
    return pairs > 0 ? right / pairs : std::numeric_limits<double>::quiet_NaN();
}

std::array<double, scoreBuckets> bucketAccuracies(const std::vector<double> &scores, const std::vector<double> &values) {
    const std::size_t count = values.size();
    std::vector<std::size_t> bucket(count, 0);
    const std::vector<std::size_t> order = lowest(scores, count);
    for (std::size_t rank = 0; rank < count; ++rank)
        bucket[order[rank]] = rank * scoreBuckets / count;
    std::array<double, scoreBuckets> right{}, pairs{};
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = 0; b < a; ++b) {
            if (values[a] == values[b])
                continue;
            const double agrees = agreement(scores[a], scores[b], values[a], values[b]);
            right[bucket[a]] += agrees;
            ++pairs[bucket[a]];
            if (bucket[b] != bucket[a]) {
                right[bucket[b]] += agrees;
                ++pairs[bucket[b]];
            }
        }
    std::array<double, scoreBuckets> accuracies = SearchPhase::noBuckets();
    for (std::size_t k = 0; k < scoreBuckets; ++k)
        if (pairs[k] > 0)
            accuracies[k] = right[k] / pairs[k];
    return accuracies;
}

double topRecall(const std::vector<double> &scores, const std::vector<double> &values) {
    const std::size_t count = values.size() / 4;
    if (count == 0)
        return std::numeric_limits<double>::quiet_NaN();
    const std::vector<std::size_t> best = lowest(values, count), guessed = lowest(scores, count);
    const auto found = std::count_if(
        best.begin(), best.end(), [&](std::size_t i) { return std::find(guessed.begin(), guessed.end(), i) != guessed.end(); });
    return static_cast<double>(found) / static_cast<double>(count);
}

double rejectionScore(const std::vector<std::pair<double, double>> &recent, double desired) {
    struct Pair {
        double larger, right;
    };
    std::vector<Pair> pairs;
    for (std::size_t a = 0; a < recent.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            if (recent[a].second != recent[b].second)
                pairs.push_back({std::max(recent[a].first, recent[b].first),
                                 agreement(recent[a].first, recent[b].first, recent[a].second, recent[b].second)});
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair &a, const Pair &b) { return a.larger > b.larger; });
    double right = 0, limit = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        right += pairs[i].right;
        const bool last = i + 1 == pairs.size() || pairs[i + 1].larger < pairs[i].larger;
        if (last && right >= desired * static_cast<double>(i + 1))
            limit = pairs[i].larger;
    }
    return limit;
}

std::vector<std::size_t> selectDiverse(const std::vector<double> &scores, std::size_t count, double alpha,
                                       const std::function<double(std::size_t, std::size_t)> &similarity) {
    std::vector<std::size_t> chosen;
    if (scores.empty())
        return chosen;
    const auto [min, max] = std::minmax_element(scores.begin(), scores.end());
    const double base = *min, range = *max > *min ? *max - *min : 1;
    std::vector<double> alike(scores.size(), 0);
    std::vector<char> taken(scores.size(), 0);
    while (chosen.size() < std::min(count, scores.size())) {
        std::size_t best = scores.size();
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < scores.size(); ++i) {
            const double mean = chosen.empty() ? 0 : alike[i] / static_cast<double>(chosen.size());
            const double cost = (scores[i] - base) / range + alpha * mean;
            if (!taken[i] && (best == scores.size() || cost < least)) {
                least = cost;
                best = i;
            }
        }
        taken[best] = 1;
        chosen.push_back(best);
        for (std::size_t i = 0; i < scores.size(); ++i)
            if (!taken[i])
                alike[i] += similarity(i, best);
    }
    return chosen;
}

} // namespace syncopate
