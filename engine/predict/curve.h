// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/spread.h"
#include "engine/cluster/cluster.h"
#include "engine/predict/baselines.h"
#include "engine/predict/throughput.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// Everything a throughput curve depends on: a value, as Scenario is.
struct PredictRequest {
    std::shared_ptr<const StepSet> steps; ///< with its variables placed on `servers`
    Cluster cluster;                      ///< grown or shrunk to each number of workers (withWorkers)
    std::vector<std::int32_t> workers;    ///< points of the curve, ascending
    TransferOrder order = TransferOrder::Recorded;
    GenerateOptions generate; ///< transferRank is made from `order`
    double gain = 0.1;        ///< of bottleneckPoint()
    /// Independent runs of every point, each from a start of its own: the curve is their mean. Workers may lock into step or take
    /// turns for a whole run, which a single run cannot reveal.
    std::int32_t starts = 1;
};

/// The prediction for one number of workers.
struct CurvePoint {
    /// With several starts the mean of their rates and its 95 % interval (intervalOfMean()); utilisation and saturation are the
    /// first's.
    Throughput throughput;
    std::vector<double> starts;       ///< samples/s of each
    double cynthia = 0, queueing = 0; ///< samples/s of the coarse models
};

/// A predicted throughput curve.
struct Prediction {
    std::vector<CurvePoint> points;
    std::int32_t bottleneckWorkers = -1; ///< -1: not reached, or the numbers of workers are not consecutive
    StepPhases phases;                   ///< of one worker
    std::uint64_t events = 0, ops = 0;
    double wallSeconds = 0;
    std::vector<std::string> assumptions; ///< model, window, sharing, seed: shown with the numbers
};

/// The assumption of a bound of staleness, 0 or more, in a sentence.
[[nodiscard]] std::string describeStaleness(std::int32_t staleness);

/// Goodput of a connection of the first node that trains with the first server, over one NIC at either end, bytes/s. A cluster
/// without nodes has none: 0.
[[nodiscard]] double connectionRate(const Cluster &cluster);

/// Generates a trace for each number of workers, on all cores. The result does not depend on the number of threads, nor on
/// `spread`, which has other processes play runs, too. Errors: those of generateTrace().
[[nodiscard]] Result<Prediction> predictCurve(const PredictRequest &request, std::stop_token stop = {},
                                              Progress *progress = nullptr, const Spread &spread = {});

} // namespace syncopate
