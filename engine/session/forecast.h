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

/// What a curve was played from, in figures that outlast the request.
struct ForecastFacts {
    double batchSize = 1;      ///< samples of a step
    double windowBytes = 0;    ///< of HTTP/2 streams, infinite = off
    double bytesPerSecond = 0; ///< of the first node's link
    std::int32_t servers = 1;
    std::int32_t recordedSteps = 1; ///< that are sampled from
    bool operator==(const ForecastFacts &) const = default;
};

/// A predicted curve with what it was made from.
struct Forecast {
    SessionState state; ///< job, profile, cluster and knobs that it is of; nothing of its sides but A's cluster
    PredictSetting setting;
    std::shared_ptr<const PredictRequest> request;        ///< null in one that was read from a project: withRequest()
    std::shared_ptr<const Reconstruction> reconstruction; ///< null where the profile recorded no transfers
    Prediction prediction;
    std::int32_t steps = 0; ///< simulated for each worker: fewer than the setting's in a first draft
    ForecastFacts facts;

    [[nodiscard]] bool isDraft() const { return steps < setting.steps; }
    [[nodiscard]] double batchSize() const { return facts.batchSize; }
    [[nodiscard]] std::int32_t servers() const { return facts.servers; }
    [[nodiscard]] std::vector<Throughput> curve() const;
    /// The point of so many workers, or null.
    [[nodiscard]] const CurvePoint *at(std::int32_t workers) const;
};

/// What the user made of the throughput panel: a curve with its name, and what was measured of it.
struct KeptCurve {
    std::string name;
    std::int32_t color = 0;
    bool shown = true;
    PredictSetting setting;                   ///< of the knobs; `forecast` has one of its own
    std::shared_ptr<const Forecast> forecast; ///< null: not predicted, or to be predicted again
    MeasuredSeries measured;                  ///< no points: none
};

/// `state` without what no prediction knows of: strategies, policies, and all of B.
[[nodiscard]] SessionState predictedState(const SessionState &state);

/// A forecast up to its prediction: what the recorded transfers tell, and the request. `known` is taken over where it is what
/// would be found again. Errors as reconstructionOf() and predictRequest(); no job, no cluster.
[[nodiscard]] Result<Forecast> prepareForecast(const SessionState &state, const PredictSetting &setting,
                                               const Forecast *known = nullptr);

/// A forecast that was read from a project, with its request and reconstruction made again. Errors as prepareForecast(), or the
/// profile is not the one that it was made from.
[[nodiscard]] Result<std::shared_ptr<const Forecast>> withRequest(const Forecast &read, const Forecast *known = nullptr);

} // namespace syncopate
