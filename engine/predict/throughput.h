// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/predict/generate.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// Steady-state throughput of one configuration.
struct Throughput {
    std::int32_t workers = 0;
    double samplesPerSecond = 0;
    /// 95 % confidence interval of the mean by errorOfMean(), over the times of rounds (as many completions as there are
    /// workers). It says how well this many simulated steps determine the simulation's mean, not how good the model is, nor how
    /// other starts would differ: workers may keep to one pattern for a whole run.
    double low = 0, high = 0;
    std::string saturated; ///< the busiest resource, where it is busy at least `saturatedShare` of the time; else empty
    std::vector<Utilisation> utilisation;
    std::uint64_t events = 0, ops = 0;
};
inline constexpr double saturatedShare = 0.9;

/// Throughput, samples per second, of the counted steps of a trace. Errors: fewer than 2 counted steps, or no time passed.
[[nodiscard]] Result<Throughput> throughputOf(const Generated &generated, double batchSize, std::int32_t workers);

/// The point past which another worker no longer pays: the first W whose successor adds less than `gain` of what the first
/// worker brings (gain 0.1: less than a tenth of its throughput). `curve` is ascending in workers, by ones. -1 = not reached.
[[nodiscard]] std::int32_t bottleneckPoint(const std::vector<Throughput> &curve, double gain);

/// Price of one sample, in the unit of `pricePerNodeHour`, for `nodes` nodes.
[[nodiscard]] constexpr double costPerSample(double samplesPerSecond, double nodes, double pricePerNodeHour) {
    return samplesPerSecond > 0 ? nodes * pricePerNodeHour / 3600 / samplesPerSecond : 0;
}
/// Price of a step that holds `nodes` nodes for its iteration time, in the same unit.
[[nodiscard]] constexpr double costPerStep(double iterationSeconds, double nodes, double pricePerNodeHour) {
    return iterationSeconds * nodes * pricePerNodeHour / 3600;
}

} // namespace syncopate
