// SPDX-License-Identifier: GPL-3.0-or-later
// What a tuning of side A is asked for and what is known of it so far, as values that threads hand over.
#pragma once

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

/// The axes over two dimensions, indices into scenarioSpace(): partition and credit as TuneSpace::partitionAndCredit() has them,
/// others over the whole range of their knobs.
[[nodiscard]] std::vector<TuneAxis> tuneAxes(std::size_t x, std::size_t y);

/// A map over two dimensions of what side A does, and the tuners that search it.
struct TunePlan {
    SessionState state;
    std::vector<TuneAxis> axes;      ///< two
    std::vector<std::size_t> counts; ///< of the map's values
    std::vector<std::string> tuners; ///< expressions
    std::uint64_t evaluations = usualTuneEvaluations, seed = 1;
    bool coarse = false; ///< only the coarsest points of the map and the bound, no tuners
};

/// One tuner of a plan.
struct TunerRun {
    std::string expression;
    std::optional<Tuning> tuning; ///< when it has ended
    std::string error;            ///< why it has none
};

struct TuneRun {
    TunePlan plan;
    Landscape map; ///< of points that are not judged yet: values, or nothing at all before the space is made
    std::size_t judged = 0;
    std::size_t simulations = 0;                                     ///< of the map and all tuners
    double coarseSeconds = std::numeric_limits<double>::quiet_NaN(); ///< wall time until the coarse map was there
    std::optional<TuneStep> usual, present;                          ///< what the policy ships with; what A has
    std::vector<TunerRun> tuners;                                    ///< in the plan's order
    TuneBound bound;
    std::optional<Error> error; ///< why there is nothing at all
    bool complete = false;

    [[nodiscard]] bool hasMap() const { return !map.points.empty(); }
    [[nodiscard]] bool hasWholeMap() const { return hasMap() && judged == map.points.size(); }
    /// The fastest iteration of map, default, present setting and tuners, seconds; none where none has times.
    [[nodiscard]] std::optional<double> bestSeconds() const;
    /// How much longer an iteration takes than the fastest, 0.05 = 5 %; NaN where either is not known.
    [[nodiscard]] double regretOf(const TuneStep &step) const;
    /// "449 ms an iteration, 570 samples/s, 3.1 % slower than the fastest", or why there are no figures.
    [[nodiscard]] QString describe(const TuneStep &step) const;
    /// What the map tells: its fastest setting, what the default loses, valleys, the bound. Empty: nothing yet.
    [[nodiscard]] QString findings() const;
};

/// `state` with what A does on `side`, and these values of the axes: of the policy on that side alone; of the cluster, whose
/// knobs are both sides'. Values that a dimension refuses change nothing.
[[nodiscard]] SessionState withSetting(SessionState state, Side side, const std::vector<TuneAxis> &axes,
                                       const std::vector<double> &values);
/// The values of the axes that a side has, in the dimensions' units; none where its policy lacks one.
[[nodiscard]] std::optional<std::vector<double>> settingOf(const SessionState &state, Side side,
                                                           const std::vector<TuneAxis> &axes);
/// Whether A does the same in both but for the values of the axes.
[[nodiscard]] bool sameButFor(const std::vector<TuneAxis> &axes, const SessionState &a, const SessionState &b);
/// The point of the unit square where values of two axes lie, each moved into [0, 1].
[[nodiscard]] TunePoint pointOf(const std::vector<TuneAxis> &axes, const std::vector<double> &values);

} // namespace syncopate::ui
