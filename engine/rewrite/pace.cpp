// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/pace.h"

#include <algorithm>
#include <cmath>

namespace syncopate {

namespace {

constexpr std::int32_t fewestWhenFree = 24;
constexpr std::int32_t fewestWhenAlike = 8; ///< identical workers hardly drift apart
constexpr std::int32_t maxAdded = 200;
constexpr double maxRatio = 64;
constexpr double closeSpeeds = 1.005; ///< closer workers take too long to reach the staleness bound, and it matters little

/// The minimum time of a worker's iteration: that of its compute or of its NIC's traffic, without other workers.
double aloneSeconds(const Job &job, const Cluster &cluster, const std::vector<SyncUnit> &units, const WorkerClass &worker) {
    double bytes = 0;
    for (const SyncUnit &unit : units)
        bytes += unit.wireBytes;
    const Node &node = cluster.nodes[static_cast<std::size_t>(worker.nodes.front())];
    const double rate = node.bandwidthBytesPerSecond * cluster.linkEfficiency;
    const double compute = (job.forwardSeconds() + job.backwardSeconds() + job.updateSeconds) / worker.computeScale;
    return std::max({compute, rate > 0 ? bytes / rate : 0, 1e-12});
}

} // namespace

Pace paceWorkers(const Job &job, const Cluster &cluster, const std::vector<SyncUnit> &units, const Placement &placement,
                 std::int32_t iterations) {
    Pace pace;
    const std::size_t classes = placement.workers.size();
    pace.iterations.assign(classes, iterations);
    pace.warmUp.assign(classes, iterations - 2);
    pace.staleness = units.empty() ? 0 : unboundedStaleness;
    std::int32_t loosest = 0;
    for (const SyncUnit &unit : units) {
        const std::int32_t unitStaleness = unit.kind == SynchronizerKind::AllReduce ? 0 : unit.staleness;
        pace.staleness = std::min(pace.staleness, unitStaleness);
        loosest = std::max(loosest, unitStaleness);
    }
    // Identical workers that start together stay together even if they are allowed to drift apart.
    if (loosest == 0 || classes == 1)
        return pace;

    pace.inStep = false;
    std::vector<double> seconds;
    for (const WorkerClass &worker : placement.workers)
        seconds.push_back(aloneSeconds(job, cluster, units, worker));
    const double slowest = *std::max_element(seconds.begin(), seconds.end());
    if (pace.staleness != unboundedStaleness) {
        const double k = pace.staleness;
        double added = 0;
        for (const double classSeconds : seconds)
            if (slowest > classSeconds * closeSpeeds && pace.staleness > 0)
                added = std::max(added, (k + 1) / (slowest / classSeconds - 1));
        added = std::ceil(added) + k + 1;
        iterations = std::max(iterations, fewestWhenAlike);
        const auto warmUp = static_cast<std::int32_t>(std::min<double>(added, maxAdded));
        pace.reachesSteady = added <= std::max<double>(warmUp, (iterations + warmUp) / 2); // figures are of the later half
        pace.iterations.assign(classes, iterations + warmUp);
        pace.warmUp.assign(classes, warmUp);
        return pace;
    }
    const bool alike = std::all_of(seconds.begin(), seconds.end(), [&](double own) { return slowest <= own * closeSpeeds; });
    const double base = std::max(iterations, alike ? fewestWhenAlike : fewestWhenFree);
    for (std::size_t w = 0; w < classes; ++w) {
        pace.iterations[w] = static_cast<std::int32_t>(std::ceil(base * std::min(slowest / seconds[w], maxRatio)));
        pace.warmUp[w] = pace.iterations[w] / 2;
    }
    return pace;
}

} // namespace syncopate
