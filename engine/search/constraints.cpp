// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/constraints.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace syncopate {

std::size_t uniformIndex(Rng &rng, std::size_t count) {
    const auto index = static_cast<std::size_t>(rng.uniform(0, static_cast<double>(count)));
    return std::min(index, count - 1);
}

std::vector<std::size_t> balanceLoads(const std::vector<double> &shardBytes, const std::vector<double> &serverBandwidth,
                                      double temperatureBytes, Rng &rng) {
    std::vector<std::size_t> order(shardBytes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return shardBytes[a] > shardBytes[b]; });
    const double allBandwidth = std::accumulate(serverBandwidth.begin(), serverBandwidth.end(), 0.0);
    std::vector<double> loads(serverBandwidth.size(), 0.0), weights(serverBandwidth.size());
    double allLoads = 0;
    std::vector<std::size_t> serverOf(shardBytes.size());
    for (const std::size_t shard : order) {
        for (std::size_t j = 0; j < loads.size(); ++j)
            weights[j] = (allLoads * serverBandwidth[j] / allBandwidth - loads[j]) / temperatureBytes;
        // Softmax, relative to the largest exponent, because exp() of bytes would overflow.
        const double largest = *std::max_element(weights.begin(), weights.end());
        double sum = 0;
        for (double &weight : weights)
            sum += weight = std::exp(weight - largest);
        double left = rng.uniform(0, sum);
        std::size_t chosen = 0;
        while (chosen + 1 < weights.size() && left >= weights[chosen])
            left -= weights[chosen++];
        serverOf[shard] = chosen;
        loads[chosen] += shardBytes[shard];
        allLoads += shardBytes[shard];
    }
    return serverOf;
}

std::vector<std::int32_t> mergeAdjacent(const std::vector<double> &shardBytes, std::int32_t groups) {
    const double share = std::accumulate(shardBytes.begin(), shardBytes.end(), 0.0) / groups;
    std::vector<std::int32_t> groupOf(shardBytes.size());
    std::int32_t group = 0;
    double load = 0;
    for (std::size_t shard = 0; shard < shardBytes.size(); ++shard) {
        if (load >= share && group + 1 < groups) { // the last group takes the remainder of rounding
            ++group;
            load = 0;
        }
        groupOf[shard] = group;
        load += shardBytes[shard];
    }
    return groupOf;
}

} // namespace syncopate
