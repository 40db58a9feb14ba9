// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/network_effects.h"
#include "engine/base/spread.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// The cost of a message over TCP in seconds, where platform.json has no message_seconds: fitted on the row (fcnet, ps, 1 worker,
/// 1 Gbit/s) of tests/data/measured (docs/validation.md).
inline constexpr double tcpMessageSeconds = 80e-6;
/// The throughput of gloo's ring all-reduce as a share of a plain stream's goodput, for every row of ddp: fitted on (fcnet, ddp,
/// 2 workers, 1 Gbit/s).
inline constexpr double tcpCollectiveEfficiency = 0.927;

/// A measured run and its prediction.
struct ValidationRow {
    std::string job;
    std::string architecture;
    std::int32_t workers = 0;
    double bandwidthGbits = 0;
    double measuredSeconds = 0; ///< median iteration; async_ps: mean iteration of a worker, workers / their iterations per second
    double predictedSeconds = 0;
    double partitionBytes = 0, creditBytes = 0; ///< bsps and bsar; 0 = whole layers, no limit
    std::string scheduler;                      ///< bsps and bsar: "own" or "rank0"
    std::string policy;                         ///< fsdp2: the policy with the settings that differ from its defaults
    [[nodiscard]] double error() const { return predictedSeconds / measuredSeconds - 1; } ///< signed, relative
};

/// How well predictions choose among the settings of one set of runs. The rows' order in the file makes no difference.
struct ValidationGrid {
    ValidationRow first;                 ///< job, architecture, workers, bandwidth and scheduler of all
    std::vector<ValidationRow> settings; ///< each with the median of its measured iterations
    double bestSeconds = 0;              ///< the shortest measured iteration
    /// The measured iteration of the setting that is predicted to be the shortest; the median of those predicted to be equally
    /// short.
    double chosenSeconds = 0;
    double spearman = 0; ///< of measured and predicted iterations
    [[nodiscard]] double loss() const { return chosenSeconds / bestSeconds - 1; }
};

/// The effects that predictions of bsps, bsar and fsdp2 use; message_cost.csv and the README beside it give their size.
inline constexpr NetworkEffects effectsOfRuns{.latencyPipelines = true, .hosts = true, .buckets = true, .channels = true};

/// All rows of a folder with their predictions, and the errors.
struct Validation {
    std::vector<ValidationRow> rows;
    double medianError = 0; ///< of |error|
    double maxError = 0;
    std::vector<ValidationGrid> grids; ///< of bsps, bsar and fsdp2, three settings or more
    std::vector<std::string> notes;    ///< how predictions were made
};

/// Predicts every row of `folder`/runs.csv (jobs/ and platform.json beside it, as tests/data/README.md describes) and compares it
/// with the measurement. Architectures: ddp (one ring of all workers, 25 MiB buckets, two collectives in
/// flight, barrier), ps (one dedicated server, per-layer), async_ps (the same, workers do not wait for each other), bsps and bsar
/// (ByteScheduler's partitions and credit over a server or gloo's all-reduces), fsdp2 (sharded parameters; columns with the names
/// of the policy's settings). message_cost.csv beside it is all that is fitted for these three, and `effects` apply to them.
/// Errors name file and line. The result does not depend on `spread`.
[[nodiscard]] Result<Validation> validateFolder(const std::string &folder, const NetworkEffects &effects = effectsOfRuns,
                                                const Spread &spread = {});

} // namespace syncopate
