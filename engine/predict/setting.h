// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/predict/curve.h"
#include "engine/predict/reconstruct.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

namespace syncopate {

/// What a throughput curve is asked for, beside the profile and the machines it is of.
struct PredictSetting {
    std::int32_t mostWorkers = 10; ///< the curve goes from 1 to here
    std::int32_t servers = 0;      ///< 0 = the cluster's dedicated ones, or one
    double bandwidthGbits = 0;     ///< of every node, 0 = the cluster's
    double recordedGbits = 0;      ///< of the link that the profile was recorded on, 0 = the cluster's
    /// HTTP/2 window in bytes, infinite = off; empty = the one that explains the profile's recorded transfers best.
    std::optional<double> windowBytes = std::numeric_limits<double>::infinity();
    TransferOrder order = TransferOrder::Recorded;
    LinkSharing sharing = LinkSharing::Equal;
    double batchSize = 0; ///< samples of a step, 0 = the job's
    std::int32_t steps = 1000, warmUp = 50;
    std::uint64_t seed = 1;
    double gain = 0.1; ///< of bottleneckPoint()
    bool operator==(const PredictSetting &) const = default;
};

/// What can be found out about recorded transfers before any worker is simulated; null where a profile has none.
/// `bytesPerSecond` is the goodput of the link that the profile was recorded on. Errors as recordedStepsOf(), reconstruct().
[[nodiscard]] Result<std::shared_ptr<const Reconstruction>>
reconstructionOf(const Job &job, const ImportedProfile *profile, double bytesPerSecond, std::optional<double> windowBytes);

/// The request for a curve of workers 1 to mostWorkers: the steps of `reconstruction` or, without one, of the job's layers
/// (`profile` may be null), variables placed greedily by bytes on dedicated servers beside the machines of `cluster`.
/// Errors: no variable sizes, no recorded transfers to estimate a window from, as stepSetFromJob() and withPlacement().
[[nodiscard]] Result<std::shared_ptr<const PredictRequest>> predictRequest(const Job &job, const ImportedProfile *profile,
                                                                           const Reconstruction *reconstruction,
                                                                           const Cluster &cluster, const PredictSetting &setting);

} // namespace syncopate
