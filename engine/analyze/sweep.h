// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/space/space.h"

#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace syncopate {

/// The values that one dimension of scenarioSpace() takes in a sweep, ascending.
struct SweepAxis {
    std::size_t dimension = 0; ///< index into scenarioSpace()
    std::vector<double> values;
    bool operator==(const SweepAxis &) const = default;
};

/// `count` values of a dimension from its min to its max, evenly or, where its scale is logarithmic, by equal factors; whole
/// numbers once each.
[[nodiscard]] SweepAxis sweepAxis(std::size_t dimension, int count);
/// As sweepAxis(), for a heat map: logarithmic integers double from value to value, up to the max at most, whatever `count` is.
[[nodiscard]] SweepAxis mapAxis(std::size_t dimension, int count);

inline constexpr int maxSweepValues = 10000;          ///< of one dimension
inline constexpr std::size_t maxSweepPoints = 100000; ///< of all together
/// Errors: more than maxSweepPoints, which are in memory at once.
[[nodiscard]] Result<void> checkSweepPoints(std::size_t points);

/// Parses an axis written as K=FROM..TO[:STEPS][:log], such as "partition=64KiB..64MiB:13:log": STEPS values from FROM to TO,
/// both included, evenly or by equal factors. Integers come once each; bytes are whole. Without STEPS there are 11 values, or
/// every integer where there are up to 32. Errors: an unknown dimension, values that Dimension::parse() or Dimension::check()
/// refuse, a size or time without unit that is outside the knob's range as bytes or seconds, an infinite end, TO below FROM, 1
/// step for several values, more than maxSweepValues, equal factors from 0.
[[nodiscard]] Result<SweepAxis> parseSweepAxis(std::string_view text);

/// The result of one simulation of a sweep.
struct SweepPoint {
    double iterationSeconds = std::numeric_limits<double>::quiet_NaN(); ///< NaN: not yet, or it cannot be simulated
    double confidence = std::numeric_limits<double>::quiet_NaN();       ///< Recording::confidence
    double samplesPerSecond = std::numeric_limits<double>::quiet_NaN();
    double exposedSeconds = std::numeric_limits<double>::quiet_NaN();  ///< of that iteration, iterationStatistics()
    double nodes = std::numeric_limits<double>::quiet_NaN();           ///< of the cluster, servers among them
    double peakMemoryBytes = std::numeric_limits<double>::quiet_NaN(); ///< of the device that needs most, trainingMemory()
    std::string error{};                                               ///< why it cannot be simulated
};

/// Judges one point's recipe. Pure, from any thread.
using SweepJudge = std::function<SweepPoint(const ScenarioRecipe &recipe, const std::stop_token &stop)>;

/// A sweep: each recipe at every value of `x`, or at every pair of values of `x` and `y`, everything else as in the recipe. A
/// recipe to which a dimension does not apply is the same at all of its values.
struct SweepPlan {
    std::vector<ScenarioRecipe> recipes;
    SweepAxis x;
    std::optional<SweepAxis> y{};
    std::vector<SweepJudge> judges{}; ///< one per recipe; none: strategies are simulated
    unsigned threads = 0;             ///< that judge points; 0 = one per core
    /// The number of points of one recipe. Points are x-major: index of x * values of y + index of y.
    [[nodiscard]] std::size_t size() const { return x.values.size() * (y ? y->values.size() : 1); }
};

/// The points of a grid, the coarse grids before the finer ones: every prefix covers it evenly.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> coarseToFine(std::size_t columns, std::size_t rows);

/// Receives a point of recipe `recipe` of the plan; `point` is its index.
using SweepSink = std::function<void(std::size_t recipe, std::size_t point, const SweepPoint &result)>;

/// Simulates one point of recipe `recipe`, as runSweep() does. Pure, from any thread. A stopped point has an error.
[[nodiscard]] SweepPoint sweptPoint(const SweepPlan &plan, std::size_t recipe, std::size_t point, const std::stop_token &stop);

/// Simulates a sweep from coarse to fine, so its shape appears early. A curve grows for all recipes together; a map is finished
/// for one recipe before the next. One simulation a point, several at once; the sink gets them one by one, on this thread and in
/// that order. Errors: only a requested stop; a point that cannot be simulated has an error.
[[nodiscard]] Result<void> runSweep(const SweepPlan &plan, const std::stop_token &stop, const SweepSink &sink);

} // namespace syncopate
