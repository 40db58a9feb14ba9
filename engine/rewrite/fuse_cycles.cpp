// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/fuse_cycles.h"

#include "engine/rewrite/sync_units.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace syncopate {

namespace {

constexpr double shortestCycle = 1e-9; ///< below it, no cycle is distinguished

/// A gradient of one cycle, ready at `seconds` after the start of the backward pass.
struct Ready {
    std::size_t unit;
    double seconds, tick;
};

/// Fused together only if equal: the type on the wire.
std::pair<DataType, bool> wireType(const Job &job, const SyncUnit &unit) {
    const DataType type = job.variables[static_cast<std::size_t>(unit.variables.front())].dtype;
    return {type, unit.wireBytes != unit.sizeBytes};
}

} // namespace

std::vector<SyncUnit> fuseCycles(const Job &job, std::vector<SyncUnit> units, const CommPolicy &policy, double computeScale,
                                 double replicasPerNode) {
    // When each layer's gradients are there; the backward pass runs through without a gap.
    std::vector<double> readyAt(job.layers.size(), 0);
    double now = 0;
    for (std::size_t l = job.layers.size(); l-- > 0;) {
        now += job.layers[l].backwardSeconds / computeScale;
        for (const std::int32_t v : job.layers[l].variables)
            now += static_cast<double>(job.variables[static_cast<std::size_t>(v)].sizeBytes()) * job.hostSecondsPerByteBeforeSend;
        readyAt[l] = now;
    }
    std::vector<SyncUnit> fused;
    std::vector<Ready> queue;
    for (std::size_t u = 0; u < units.size(); ++u) {
        if (units[u].kind != SynchronizerKind::AllReduce) {
            fused.push_back(units[u]);
            continue;
        }
        const double ready = readyAt[static_cast<std::size_t>(units[u].lastLayer)];
        double tick = ready;
        if (policy.cycleSeconds > shortestCycle) // rounding must not cost a cycle
            tick = std::max(ready, std::ceil(ready / policy.cycleSeconds * (1 - 1e-12)) * policy.cycleSeconds);
        queue.push_back({u, ready, tick});
    }
    std::stable_sort(queue.begin(), queue.end(), [](const Ready &a, const Ready &b) { return a.seconds < b.seconds; });

    const double unitBytes = 8 * 64 * std::max(1.0, replicasPerNode); // Horovod's FUSION_BUFFER_ATOMIC_UNIT
    const double threshold = policy.fusionBytes > 0 ? std::ceil(policy.fusionBytes / unitBytes) * unitBytes : 0;
    std::vector<bool> taken(queue.size(), false);
    std::int32_t group = 0;
    for (std::size_t first = 0; first < queue.size(); ++first) {
        if (taken[first])
            continue;
        SyncUnit whole = units[queue[first].unit];
        const auto type = wireType(job, whole);
        double last = queue[first].seconds, skipped = 0;
        for (std::size_t i = first + 1; i < queue.size() && !whole.sparse && queue[i].tick == queue[first].tick; ++i) {
            const SyncUnit &other = units[queue[i].unit];
            if (taken[i])
                continue;
            if (!other.sparse && wireType(job, other) == type && whole.wireBytes + other.wireBytes <= threshold) {
                mergeUnits(whole, other);
                last = queue[i].seconds;
                taken[i] = true;
                continue;
            }
            skipped += other.wireBytes;
            if (whole.wireBytes + skipped > threshold)
                break;
        }
        whole.launchDelaySeconds = queue[first].tick - last;
        whole.priority = group; // what is launched in one cycle goes in this order
        whole.group = group++;
        nameFused(whole, job, "fusion");
        fused.push_back(std::move(whole));
    }
    return fused;
}

} // namespace syncopate
