// SPDX-License-Identifier: GPL-3.0-or-later
// How far a scenario scales, asked before the machines are rented: throughput over the number of workers, what limits it where,
// and the knee beyond which another worker is not worth its price. A knee read off one curve promises more than a
// simulation knows: links reach their stated rate on good days only, and one of many workers is slow. So it comes with a band,
// the knees of the same scenario under other conditions, and with the few counts that are worth a real benchmark.
#pragma once

#include "engine/analyze/bottleneck.h"
#include "engine/base/phrase.h"
#include "engine/space/recipe.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// The range of workers that findScaling() looks at, and how closely.
struct ScalingOptions {
    std::int32_t from = 1, to = 64; ///< workers
    /// A worker pays while it brings at least this share of the samples/s that each worker brings at the first point that can be
    /// simulated. In (0, 1).
    double worthwhileShare = 0.5;
    /// Counts that bound a region or are the knee are found to within this share of themselves. In [0, 1); 0 = exactly.
    double resolution = 1.0 / 32;
    bool band = true; ///< simulate the other conditions, too
};

inline constexpr std::int32_t maxScalingWorkers = 100000;

/// The scenario on one number of workers. Figures are NaN where it cannot be simulated.
struct ScalingPoint {
    std::int32_t workers = 0;
    double iterationSeconds = std::numeric_limits<double>::quiet_NaN();
    double samplesPerSecond = std::numeric_limits<double>::quiet_NaN();
    /// Samples/s of each worker / that at the first point that can be simulated.
    double efficiency = std::numeric_limits<double>::quiet_NaN();
    /// Samples/s that each additional worker brings since the simulated point before / that of each worker at the first one. NaN
    /// there.
    double marginalEfficiency = std::numeric_limits<double>::quiet_NaN();
    /// Over all conditions; NaN until each has been simulated with this number of workers.
    double lowSamplesPerSecond = std::numeric_limits<double>::quiet_NaN();
    double highSamplesPerSecond = std::numeric_limits<double>::quiet_NaN();
    IterationBottleneck bottleneck;
    IterationBounds bounds;
    std::string error; ///< why it cannot be simulated
    [[nodiscard]] bool isSimulated() const { return error.empty(); }
};

/// Neighbouring points with one bottleneck. From its last point to the next region's first nothing was simulated.
struct ScalingRegion {
    std::int32_t from = 0, to = 0;
    Bottleneck bottleneck = Bottleneck::Compute;
    std::string resource; ///< of its last point
};

/// The number of workers n that maximises R(n) - s r n, where R is the throughput, r that of a worker at the first point that can
/// be simulated and s the worthwhile share; of equals the smallest. No larger number brings s r for each additional worker, and
/// where R is concave it is the last whose worker brings s r. Unlike the first point whose marginal efficiency is below s, it
/// does not take the one dip from one worker to two, or from a full node to the next, for the end.
struct ScalingKnee {
    std::int32_t workers = 0;
    bool isBeyond = false; ///< it is the end of the range: more workers still pay
};

/// The scenario under another condition.
struct ScalingCondition {
    Phrase name; ///< "links at half"
    std::optional<ScalingKnee> knee;
};

/// A number of workers that is most worth measuring.
struct WorthBenchmarking {
    std::int32_t workers = 0;
    Phrase why; ///< "the knee", "network instead of compute"
};

/// How far a scenario scales.
struct Scaling {
    ScalingOptions options;
    std::vector<ScalingPoint> points; ///< ascending
    std::vector<ScalingRegion> regions;
    std::optional<ScalingKnee> knee;          ///< none: nothing could be simulated
    std::optional<ScalingKnee> low, high;     ///< its band: the smallest and largest of all conditions; none until all are known
    std::vector<ScalingCondition> conditions; ///< besides the unchanged scenario
    std::vector<WorthBenchmarking> worth;     ///< ascending
    std::size_t simulations = 0;              ///< so far
    bool isComplete = false;
    std::vector<std::string> assumptions; ///< what the figures mean, a sentence each
};

/// Receives the answer so far after each simulation.
using ScalingSink = std::function<void(const Scaling &)>;

/// Reads "1-64". Errors: anything but two whole numbers from 1 to maxScalingWorkers, the second larger.
[[nodiscard]] Result<ScalingOptions> parseScalingRange(std::string_view text);

/// Simulates `recipe` on 1, 2, 3, 4, 6, 8, 12, .. workers of the range and its ends, then between points whose bottlenecks differ
/// and beside the best until they are as close as `resolution` says; then the same, regardless of bottlenecks, with links at half
/// and at twice their rate, where measured times of collectives between nodes are left out, and with one worker at two thirds of
/// its speed. It takes about 2 log2 N + (regions + 2) log2(1 / resolution) simulations for the scenario and a little fewer for
/// each condition, 50 to 80 in all for 1 to 64 workers; one takes as long as simulate() with as many workers and a search of its
/// causes. A strategy from a file is carried out on all workers. Errors: bad options, or a requested stop; a number of workers
/// that cannot be simulated is a point with an error.
[[nodiscard]] Result<Scaling> findScaling(const ScenarioRecipe &recipe, const ScalingOptions &options,
                                          const std::stop_token &stop = {}, const ScalingSink &sink = {});

/// The knee, as ScalingKnee defines it, of ascending points that are all simulated, the last of which is the end of the range;
/// none without points. `samplesPerSecondOfOne`: r of ScalingKnee, the throughput of a worker at the first simulated point.
[[nodiscard]] std::optional<ScalingKnee> kneeOf(const std::vector<ScalingPoint> &points, double worthwhileShare,
                                                double samplesPerSecondOfOne);

} // namespace syncopate
