// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/predict/curve.h"
#include "engine/predict/reconstruct.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// 1, 2, ... max.
[[nodiscard]] std::vector<std::int32_t> workersUpTo(std::int32_t max);

/// Reads "1-10", "4", "1,2,4,8-16": ascending, each once, of 1 to 4096 workers. Errors: anything else, and a list of more than
/// 100000 numbers, repetitions included.
[[nodiscard]] Result<std::vector<std::int32_t>> parseWorkers(std::string_view text);
/// Reverses parseWorkers(), writing ranges as "1-10".
[[nodiscard]] std::string formatWorkers(const std::vector<std::int32_t> &workers);

/// The settings of a throughput curve, besides the profile and the machines. The explorer's panel and `predict` both fill one of
/// these in, so they get the same numbers.
struct PredictSetting {
    std::vector<std::int32_t> workers = workersUpTo(10); ///< points of the curve, ascending
    std::int32_t servers = 0;                            ///< 0 = the cluster's dedicated ones, or one
    double bandwidthGbits = 0;                           ///< of every node, 0 = the cluster's
    double recordedGbits = 0; ///< goodput of a stream where the profile was recorded, 0 = of the links that are predicted for
    /// HTTP/2 window in bytes, infinite = off; empty = the one that explains the profile's recorded transfers best.
    std::optional<double> windowBytes = std::numeric_limits<double>::infinity();
    /// Parsing of received tensors; empty = fitted to the profile's recorded transfers, {0, 0} = none.
    std::optional<ParsingOverhead> overhead;
    std::string overheadNote; ///< how the overhead was found, for the assumptions; empty = given by hand
    TransferOrder order = TransferOrder::Recorded;
    /// Empty = by TCP where the profile's transfers were recorded, as those went over it; equally elsewhere.
    std::optional<LinkSharing> sharing;
    double tcpWindowBytes = TcpOptions().windowBytes; ///< of a connection, with LinkSharing::Tcp
    std::vector<BackgroundTraffic> background;
    std::int32_t staleness = -1; ///< steps a worker may be ahead of the slowest; -1 = asynchronous, 0 = synchronous
    bool perLayer = false;       ///< a variable comes back as soon as its gradient arrived; only where steps are of layers
    double batchSize = 0;        ///< samples of a step, 0 = the job's
    std::int32_t steps = 500, warmUp = 150; ///< per worker in the mean, in each start
    std::int32_t starts = 6;                ///< independent runs of every point
    std::uint64_t seed = 1;
    double gain = 0.1; ///< of bottleneckPoint()
    bool operator==(const PredictSetting &) const = default;
};

/// The sharing of links under `setting`, for a profile whose transfers were recorded or not.
[[nodiscard]] LinkSharing sharingOf(const PredictSetting &setting, bool recorded);

/// "2e-10,50us": seconds per byte and per tensor; "auto" (empty) and "off" (none).
[[nodiscard]] Result<std::optional<ParsingOverhead>> parseOverhead(std::string_view text);
[[nodiscard]] std::string formatOverhead(const std::optional<ParsingOverhead> &overhead);
/// Fits the overhead of `setting` to captured pairs, and notes the residuals. Errors: those of readOverheadPairs().
[[nodiscard]] Result<void> fitOverheadTo(const std::string &pairsFile, PredictSetting &setting);
/// "64KiB", "off" (infinite) or "auto" (empty).
[[nodiscard]] Result<std::optional<double>> parseWindow(std::string_view text);

/// Traffic as parseBackground() reads it, exactly.
[[nodiscard]] std::string formatBackground(const std::vector<BackgroundTraffic> &background);

/// Whether prediction goes by ops rather than layers, because the profile records what each op waited for.
[[nodiscard]] bool hasRecordedTransfers(const ImportedProfile *profile);

/// Analyses recorded transfers before any worker is simulated; null where a profile has none. Uses bandwidthGbits, recordedGbits,
/// windowBytes, overhead, overheadNote, sharing, tcpWindowBytes and seed of `setting`. Errors: those of recordedStepsOf() and
/// reconstruct().
[[nodiscard]] Result<std::shared_ptr<const Reconstruction>>
reconstructionOf(const Job &job, const ImportedProfile *profile, const Cluster &cluster, const PredictSetting &setting);

/// The recorded steps of the job opened as `source`: the profile's, or those in the job file of that path; else none. Errors as
/// readStepSamples().
[[nodiscard]] Result<std::vector<StepSample>> samplesOf(const Job &job, const ImportedProfile *profile,
                                                        const std::string &source);

/// The request for a curve: the steps of `reconstruction` or, without one, `samples` of the job's layers, variables on `placed`
/// (the server of each of the job's) or else, where as many servers were recorded, as recorded, or greedily by bytes, on
/// dedicated servers beside the machines of `cluster`. Errors: no variable sizes, more than 4096 workers or 1000 servers, or
/// none, a cluster without nodes, settings that need recorded transfers or exclude them, as stepSetFromJob() and withPlacement().
[[nodiscard]] Result<std::shared_ptr<const PredictRequest>> predictRequest(const Job &job, const std::vector<StepSample> &samples,
                                                                           const Reconstruction *reconstruction,
                                                                           const Cluster &cluster, const PredictSetting &setting,
                                                                           const std::vector<std::int32_t> &placed = {});

} // namespace syncopate
