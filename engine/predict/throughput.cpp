// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/throughput.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace syncopate {

namespace {

/// Student's t, two-sided 95 %, by degrees of freedom 1..19.
constexpr std::array<double, 19> student{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                         2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093};
constexpr std::size_t batchCount = 20;

} // namespace

double studentT(std::size_t degreesOfFreedom) {
    return student[std::clamp<std::size_t>(degreesOfFreedom, 1, student.size()) - 1];
}

Result<Throughput> throughputOf(const Generated &generated, double batchSize, std::int32_t workers) {
    const auto &ends = generated.completionSeconds;
    const std::size_t n = ends.size();
    const double end = generated.endSeconds > 0 ? generated.endSeconds : n == 0 ? 0 : ends.back();
    if (n < 2 || !(ends.back() > generated.warmUpEndSeconds))
        return fail(
            fmt::format("{} steps in {} s say nothing about throughput", n, n == 0 ? 0 : end - generated.warmUpEndSeconds),
            "simulate more steps, of a job that takes time");
    Throughput made;
    made.workers = workers;
    made.events = generated.events;
    made.ops = generated.ops;
    made.utilisation = generated.utilisation;
    const double mean = (end - generated.warmUpEndSeconds) / static_cast<double>(n); // seconds between completions
    made.samplesPerSecond = batchSize / mean;
    const std::size_t batches = std::min(batchCount, n);
    double before = generated.warmUpEndSeconds, squares = 0;
    for (std::size_t b = 0; b < batches; ++b) {
        const std::size_t from = b * n / batches, to = (b + 1) * n / batches;
        const double own = (ends[to - 1] - before) / static_cast<double>(to - from);
        before = ends[to - 1];
        squares += (own - mean) * (own - mean);
    }
    const double half = studentT(batches - 1) * std::sqrt(squares / static_cast<double>((batches - 1) * batches));
    made.low = batchSize / (mean + half);
    made.high = half < mean ? batchSize / (mean - half) : std::numeric_limits<double>::infinity();
    const auto busiest = std::max_element(made.utilisation.begin(), made.utilisation.end(),
                                          [](const Utilisation &a, const Utilisation &b) { return a.busy < b.busy; });
    if (busiest != made.utilisation.end() && busiest->busy >= saturatedShare)
        made.saturated = busiest->resource;
    return made;
}

std::int32_t bottleneckPoint(const std::vector<Throughput> &curve, double gain) {
    for (std::size_t i = 0; i + 1 < curve.size(); ++i) {
        const double alone = curve.front().samplesPerSecond / curve.front().workers;
        if (curve[i + 1].samplesPerSecond - curve[i].samplesPerSecond < gain * alone)
            return curve[i].workers;
    }
    return -1;
}

} // namespace syncopate
