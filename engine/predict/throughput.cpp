// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/throughput.h"

#include "engine/predict/mean_interval.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <vector>

namespace syncopate {

namespace {

/// Mean completion times over rounds of `workers` completions each, which removes the effect of workers taking turns; single
/// completions if there are fewer than two rounds.
std::vector<double> roundsOf(const Generated &generated, std::size_t workers) {
    const auto &ends = generated.completionSeconds;
    const std::size_t size = ends.size() < 2 * workers ? 1 : workers;
    std::vector<double> rounds;
    double before = generated.warmUpEndSeconds;
    for (std::size_t last = size - 1; last < ends.size(); last += size) {
        rounds.push_back((ends[last] - before) / static_cast<double>(size));
        before = ends[last];
    }
    return rounds;
}

} // namespace

Result<Throughput> throughputOf(const Generated &generated, double batchSize, std::int32_t workers) {
    const auto &ends = generated.completionSeconds;
    const std::size_t n = ends.size();
    const double end = generated.endSeconds > 0 ? generated.endSeconds : n == 0 ? 0 : ends.back();
    if (n < 2 || !(ends.back() > generated.warmUpEndSeconds))
        return fail(
            fmt::format("{} steps in {} s say nothing about throughput", n, n == 0 ? 0 : end - generated.warmUpEndSeconds),
            "simulate more steps, of a job that takes time");
    Throughput throughput;
    throughput.workers = workers;
    throughput.events = generated.events;
    throughput.ops = generated.ops;
    throughput.utilisation = generated.utilisation;
    const double mean = (end - generated.warmUpEndSeconds) / static_cast<double>(n); // seconds between completions
    throughput.samplesPerSecond = batchSize / mean;
    const double half = errorOfMean(roundsOf(generated, static_cast<std::size_t>(std::max(workers, 1)))).half();
    throughput.low = batchSize / (mean + half);
    throughput.high = half < mean ? batchSize / (mean - half) : std::numeric_limits<double>::infinity();
    const auto busiest = std::max_element(throughput.utilisation.begin(), throughput.utilisation.end(),
                                          [](const Utilisation &a, const Utilisation &b) { return a.busy < b.busy; });
    if (busiest != throughput.utilisation.end() && busiest->busy >= saturatedShare)
        throughput.saturated = busiest->name();
    return throughput;
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
