// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/predict/measured_points.h"
#include "engine/predict/setting.h"
#include "engine/session/session_state.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace syncopate {

/// Figures behind a curve that outlast its request.
struct ForecastFacts {
    double batchSize = 1;      ///< samples of a step
    double windowBytes = 0;    ///< of HTTP/2 streams, infinite = off
    double bytesPerSecond = 0; ///< of the first node's link
    std::int32_t servers = 1;
    std::int32_t recordedSteps = 1; ///< number of steps to sample from
    bool operator==(const ForecastFacts &) const = default;
};

/// A predicted curve with its inputs.
struct Forecast {
    SessionState state; ///< its job, profile, cluster and knobs; of the sides only A's cluster
    PredictSetting setting;
    std::shared_ptr<const PredictRequest> request;        ///< null in a forecast read from a project: withRequest()
    std::shared_ptr<const Reconstruction> reconstruction; ///< null where the profile recorded no transfers
    Prediction prediction;
    std::int32_t steps = 0; ///< simulated for each worker: fewer than the setting's in a first draft
    ForecastFacts facts;

    [[nodiscard]] bool isDraft() const { return steps < setting.steps; }
    [[nodiscard]] double batchSize() const { return facts.batchSize; }
    [[nodiscard]] std::int32_t servers() const { return facts.servers; }
    [[nodiscard]] std::vector<Throughput> curve() const;
    /// The point of that many workers, or null.
    [[nodiscard]] const CurvePoint *at(std::int32_t workers) const;
};

/// A curve of the throughput panel with its name and its measured points.
struct KeptCurve {
    std::string name;
    std::int32_t color = 0;
    bool shown = true;
    PredictSetting setting;                   ///< of the knobs; `forecast` has one of its own
    std::shared_ptr<const Forecast> forecast; ///< null: not predicted, or to be predicted again
    MeasuredSeries measured;                  ///< no points: none
};

/// Strips from `state` everything that predictions ignore: strategies, policies, and all of B.
[[nodiscard]] SessionState predictedState(const SessionState &state);

/// Prepares a forecast up to its prediction: the analysis of the recorded transfers, and the request. Reuses the reconstruction
/// of `known` where it would come out the same. Errors: those of reconstructionOf() and predictRequest(); no job, no cluster.
[[nodiscard]] Result<Forecast> prepareForecast(const SessionState &state, const PredictSetting &setting,
                                               const Forecast *known = nullptr);

/// Restores request and reconstruction of a forecast that was read from a project. Errors: those of prepareForecast(), or the
/// profile differs from the one that it was made from.
[[nodiscard]] Result<std::shared_ptr<const Forecast>> withRequest(const Forecast &read, const Forecast *known = nullptr);

} // namespace syncopate
