// SPDX-License-Identifier: GPL-3.0-or-later
// The request for a tuning of side A and its results so far, as values passed between threads.
#pragma once

#include "engine/job/batch.h"
#include "engine/search/tune/tuning.h"
#include "engine/session/session_state.h"

#include <QString>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace syncopate::ui {

/// The axes for two dimensions, indices into scenarioSpace(): partition and credit as in TuneSpace::partitionAndCredit(), others
/// over the whole range of their knobs.
[[nodiscard]] std::vector<TuneAxis> tuneAxes(std::size_t x, std::size_t y);

/// A map of side A's iteration over two dimensions, and the tuners that search it.
struct TunePlan {
    SessionState state;
    std::vector<TuneAxis> axes;      ///< two
    std::vector<std::size_t> counts; ///< values of the map per axis, as gridCounts() allows
    std::vector<std::string> tuners; ///< expressions
    std::uint64_t evaluations = usualTuneEvaluations, seed = 1;
    bool coarse = false; ///< only the coarsest points of the map and the bound, no tuners
};

/// One tuner of a plan.
struct TunerRun {
    std::string expression;
    std::optional<Tuning> tuning; ///< set once it has ended
    std::string error;            ///< why it has none
};

/// The results so far of a landscape and its tuners.
struct TuneRun {
    TunePlan plan;
    Landscape map; ///< points not judged yet have values at most; empty until the space is made
    std::size_t judged = 0;
    std::size_t simulations = 0;                                     ///< for the map and all tuners
    double coarseSeconds = std::numeric_limits<double>::quiet_NaN(); ///< wall time until the coarse map was complete
    std::optional<TuneStep> usual, present;                          ///< the policy's default; A's present setting
    std::vector<TunerRun> tuners;                                    ///< in the plan's order
    TuneBound bound;
    std::optional<Error> error; ///< why there is no result at all
    bool complete = false;

    [[nodiscard]] bool hasMap() const { return !map.points.empty(); }
    [[nodiscard]] bool hasWholeMap() const { return hasMap() && judged == map.points.size(); }
    /// Whether rates count samples, else steps.
    [[nodiscard]] bool statesBatch() const { return syncopate::statesBatch(*plan.state.job); }
    /// The fastest iteration of map, default, present setting and tuners, in seconds; none if none has a time.
    [[nodiscard]] std::optional<double> bestSeconds() const;
    /// How much longer an iteration takes than the fastest, 0.05 = 5 %; NaN if either is unknown.
    [[nodiscard]] double regretOf(const TuneStep &step) const;
    /// "449 ms an iteration, 570 samples/s, 3.1 % slower than the fastest", or why there are no figures.
    [[nodiscard]] QString describe(const TuneStep &step) const;
    /// Summarises the map: its fastest setting, the default's loss, valleys, the bound. Empty: nothing yet.
    [[nodiscard]] QString findings() const;
};

/// `state` with A's scenario on `side` and these values of the axes: policy settings change on that side only, cluster knobs on
/// both. Values that a dimension refuses change nothing.
[[nodiscard]] SessionState withSetting(SessionState state, Side side, const std::vector<TuneAxis> &axes,
                                       const std::vector<double> &values);
/// A side's values of the axes, in the dimensions' units; none if its policy lacks one of them.
[[nodiscard]] std::optional<std::vector<double>> settingOf(const SessionState &state, Side side,
                                                           const std::vector<TuneAxis> &axes);
/// Whether A's scenario is the same in both apart from the values of the axes.
[[nodiscard]] bool sameButFor(const std::vector<TuneAxis> &axes, const SessionState &a, const SessionState &b);
/// The place of values on a plan's map: a point of the unit square, over which cells have equal sizes, so that a cell's values
/// are in its middle. Beyond the map its edge.
[[nodiscard]] TunePoint placeOnMap(const TunePlan &plan, const std::vector<double> &values);

} // namespace syncopate::ui
