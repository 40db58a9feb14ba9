// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/learn/matrix.h"
#include "engine/rewrite/scenario.h"

#include <span>
#include <vector>

namespace syncopate {

/// AutoByte's measurements of a running job (section III-A, Table II), except for the two settings that it tunes and the speed.
///
/// Bandwidth is a series. Table II gives B_d and B_u one value per worker, and section III-A feeds the "real-time measured
/// bandwidth series", measured "at the end of every mini-batch": so here a look of the monitor is one training iteration, and a
/// series has a row per look and a column per worker. A monitor knows only finished iterations; it sees the events of the next
/// one a look later.
struct RuntimeMetrics {
    double batchSamples = 1; ///< of all replicas, in an iteration
    // Static parameters.
    std::vector<double> layerBytes;  ///< m, which tells models apart: gradient bytes per layer, in forward order
    double largestVariableBytes = 0; ///< of those of one variable
    double servedShare = 0;          ///< arc: share of the bytes that go over parameter servers; the rest is all-reduced
    double servers = 0;              ///< nodes that serve, 0 without any
    double serverBytesPerSecond = 0; ///< of all of them together, each direction
    bool serversTrain = false;       ///< they are on the workers' nodes
    double latencySeconds = 0;       ///< per message between nodes, one way
    double messageSeconds = 0;       ///< that a sender spends on a message beyond latency
    /// B_d and B_u: looks (one or more, oldest first) x workers. Before the oldest look, the bandwidth was the same.
    Matrix<double> downBytesPerSecond, upBytesPerSecond;
    Matrix<double> backwardSeconds;   ///< T: layers x workers, at the newest look, as all that follows
    std::vector<double> otherSeconds; ///< forward passes and update, per worker

    [[nodiscard]] std::size_t workers() const { return otherSeconds.size(); }
    [[nodiscard]] double gradientBytes() const;
    /// Compute seconds of the slowest worker in an iteration.
    [[nodiscard]] double computeSeconds() const;
    /// The speed that no setting exceeds by much: that of the slowest worker's compute, or of its gradients over its card and the
    /// servers', in samples per second, by the newest look. A MetaNetwork predicts a share of it.
    [[nodiscard]] double boundSamplesPerSecond() const;
};

/// The metrics that such a measurement would find in a scenario. A worker is a node with replicas. Errors: no job, cluster or
/// strategy; no worker; nothing to compute or send.
[[nodiscard]] Result<RuntimeMetrics> runtimeMetricsOf(const Scenario &scenario);

/// Looks that a bandwidth series has at most; older ones are forgotten.
inline constexpr std::size_t bandwidthLooks = 8;
/// The metrics after a monitor's looks at one job (one or more, oldest first): the newest's, with the series of them all.
[[nodiscard]] RuntimeMetrics metricsAfter(std::span<const RuntimeMetrics> looks);

} // namespace syncopate
