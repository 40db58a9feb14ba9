// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
};

struct CurvePoint {
    Throughput throughput;
    double cynthia = 0, queueing = 0; ///< samples/s of the coarse models
};

struct Prediction {
    std::vector<CurvePoint> points;
    std::int32_t bottleneckWorkers = -1; ///< -1: not reached, or the points are not 1 apart
    StepPhases phases;                   ///< of one worker
    std::uint64_t events = 0, ops = 0;
    double wallSeconds = 0;
    std::vector<std::string> assumptions; ///< model, window, sharing, seed: shown with the numbers
};

/// Generates a trace for each number of workers, on as many threads as the machine has cores; the result does not depend on how
/// many. Errors as generateTrace().
[[nodiscard]] Result<Prediction> predictCurve(const PredictRequest &request, std::stop_token stop = {},
                                              Progress *progress = nullptr);

} // namespace syncopate
