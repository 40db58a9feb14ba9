// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/tune/pair_choice.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace syncopate {

namespace {

constexpr double unlikeFrom = 3; ///< factor between partitions or credits

using Indices = std::vector<std::size_t>;

/// Distance in octaves.
double distance(const SchedulerSetting &a, const SchedulerSetting &b) {
    return std::hypot(std::log2(a.partitionBytes / b.partitionBytes), std::log2(a.creditBytes / b.creditBytes));
}

/// The candidate with the highest value, the first of equals.
template <class Value> std::size_t highest(const Indices &candidates, const Value &value) {
    return *std::max_element(candidates.begin(), candidates.end(),
                             [&](std::size_t a, std::size_t b) { return value(a) < value(b); });
}

double meanAround(std::size_t pair, const Indices &candidates, std::span<const SchedulerSetting> settings,
                  std::span<const double> speeds) {
    double weights = 0, sum = 0;
    for (const std::size_t other : candidates) {
        const double deviations = distance(settings[pair], settings[other]) / neighbourOctaves;
        const double weight = std::exp(-deviations * deviations / 2);
        weights += weight;
        sum += weight * speeds[other];
    }
    return sum / weights;
}

} // namespace

std::string_view nameOf(PairChoice choice) {
    switch (choice) {
    case PairChoice::Fastest:
        return "fastest";
    case PairChoice::Middle:
        return "middle";
    case PairChoice::Averaged:
        return "averaged";
    case PairChoice::LargestPartition:
        return "largest_partition";
    }
    return {};
}

bool areUnlike(const SchedulerSetting &a, const SchedulerSetting &b) {
    const auto isFar = [](double x, double y) { return std::max(x, y) >= unlikeFrom * std::min(x, y); };
    return isFar(a.partitionBytes, b.partitionBytes) || isFar(a.creditBytes, b.creditBytes);
}

std::optional<std::size_t> choosePair(std::span<const SchedulerSetting> settings, std::span<const double> speeds,
                                      std::span<const SchedulerSetting> tried, PairChoice choice) {
    Indices candidates, tied;
    for (std::size_t i = 0; i < settings.size(); ++i)
        if (std::all_of(tried.begin(), tried.end(), [&](const auto &other) { return areUnlike(settings[i], other); }))
            candidates.push_back(i);
    if (candidates.empty())
        return std::nullopt;
    const std::size_t fastest = highest(candidates, [&](std::size_t i) { return speeds[i]; });
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(tied),
                 [&](std::size_t i) { return speeds[fastest] / speeds[i] - 1 <= tieOfPairs; });
    switch (choice) {
    case PairChoice::Fastest:
        break;
    case PairChoice::Middle:
        return highest(tied, [&](std::size_t i) {
            double sum = 0;
            for (const std::size_t other : tied)
                sum += distance(settings[i], settings[other]);
            return -sum;
        });
    case PairChoice::Averaged:
        return highest(candidates, [&](std::size_t i) { return meanAround(i, candidates, settings, speeds); });
    case PairChoice::LargestPartition:
        return highest(tied, [&](std::size_t i) { return std::pair(settings[i].partitionBytes, speeds[i]); });
    }
    return fastest;
}

} // namespace syncopate
