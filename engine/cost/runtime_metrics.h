// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/learn/matrix.h"
#include "engine/rewrite/scenario.h"

#include <vector>

namespace syncopate {

/// AutoByte's measurements of a running job (section III-A, Table II), except for the two settings that it tunes and the speed.
struct RuntimeMetrics {
    double batchSamples = 1; ///< of all replicas, in an iteration
    // Static parameters.
    std::vector<double> layerBytes;  ///< m, what tells models apart: gradient bytes per layer, in forward order
    double largestVariableBytes = 0; ///< of those of one variable
    double servedShare = 0;          ///< arc: share of the bytes that go over parameter servers; the rest is all-reduced
    double servers = 0;              ///< nodes that serve, 0 without any
    double serverBytesPerSecond = 0; ///< of all of them together, each direction
    bool serversTrain = false;       ///< they are on the workers' nodes
    double latencySeconds = 0;       ///< per message between nodes, one way
    double messageSeconds = 0;       ///< that a sender spends on a message beyond latency
    std::vector<double> downBytesPerSecond, upBytesPerSecond; ///< B_d and B_u, per worker
    Matrix<double> backwardSeconds;                           ///< T: layers x workers
    std::vector<double> otherSeconds;                         ///< forward passes and update, per worker

    [[nodiscard]] std::size_t workers() const { return otherSeconds.size(); }
    [[nodiscard]] double gradientBytes() const;
    /// Compute seconds of the slowest worker in an iteration.
    [[nodiscard]] double computeSeconds() const;
    /// The speed that no setting exceeds by much: that of the slowest worker's compute, or of its gradients over its card and the
    /// servers', in samples per second. What a MetaNetwork predicts is a share of it.
    [[nodiscard]] double boundSamplesPerSecond() const;
};

/// The metrics that such a measurement would find in a scenario. A worker is a node with replicas. Errors: no job, cluster or
/// strategy; no worker; nothing to compute or send.
[[nodiscard]] Result<RuntimeMetrics> runtimeMetricsOf(const Scenario &scenario);

} // namespace syncopate
