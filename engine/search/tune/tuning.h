// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/search/search.h"
#include "engine/search/tune/point_search.h"
#include "engine/trial/judge.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// A judged setting.
struct TuneStep {
    std::vector<double> values; ///< of the axes, in the dimensions' units
    double iterationSeconds = std::numeric_limits<double>::quiet_NaN();
    double samplesPerSecond = std::numeric_limits<double>::quiet_NaN();
    std::string error; ///< why it has no times, else empty
};

/// The course of a tuning.
struct Tuning {
    std::string method;         ///< the expression
    std::vector<TuneStep> path; ///< in the order of judging
    int iterationsPerPoint = 0; ///< that a running system spends on a point
    double wallSeconds = 0;
    std::optional<MetaOrigin> network{}; ///< that was asked

    /// Index of the fastest of the first `count` points, the first of equals; none where none has times.
    [[nodiscard]] std::optional<std::size_t> best(std::size_t count = std::numeric_limits<std::size_t>::max()) const;
    /// Training iterations that it cost.
    [[nodiscard]] std::int64_t iterations() const { return static_cast<std::int64_t>(path.size()) * iterationsPerPoint; }
};

inline constexpr std::uint64_t usualTuneEvaluations = 30;
/// Max number of settings that `tuner` has judged: `asked` or, where that is 0, all points of a tuner with a fixed number of
/// them, up to `maxPoints`, and usualTuneEvaluations of any other.
[[nodiscard]] std::uint64_t evaluationsOf(const PointSearch &tuner, std::uint64_t asked, std::uint64_t maxPoints);

/// The budget of a tuning.
struct TuningOptions {
    std::uint64_t evaluations = usualTuneEvaluations; ///< at most
    unsigned threads = 0;                             ///< 0 = one per core
};

/// Judges the setting with these values of the space's axes. Errors: it cannot be simulated, `stop` was requested.
[[nodiscard]] Result<TuneStep> judgeSetting(const TuneSpace &space, std::vector<double> values, Judge &judge,
                                            std::stop_token stop = {});

/// Lets `tuner` choose settings and `judge` judge them, until the tuner asks for no more or the evaluations are spent. Errors:
/// `stop` was requested.
[[nodiscard]] Result<Tuning> runTuning(PointSearch &tuner, Judge &judge, const TuningOptions &options, std::stop_token stop = {},
                                       Progress *progress = nullptr);

/// The iteration time over a grid of a space: the reference for tuners.
struct Landscape {
    std::vector<std::size_t> counts; ///< of values, per axis
    std::vector<TuneStep> points;    ///< the last axis changes first
    double wallSeconds = 0;

    /// The fastest point; none where none has times.
    [[nodiscard]] std::optional<std::size_t> best() const;
    /// Counts valleys (local minima): points from which every path to a faster point, by one value of one axis at a time, crosses
    /// a point slower by more than a share of `tolerance`; equally fast points of a valley count once. With only one valley, a
    /// search that accepts such small steps up reaches the best setting from anywhere. O(points log points).
    [[nodiscard]] std::size_t valleys(double tolerance = 1e-3) const;
};
/// Values for each axis of a grid of some 100 points; none for more than three axes, whose grids would be coarse or large.
[[nodiscard]] std::vector<std::size_t> usualGrid(std::size_t axes);
/// The grid that is asked for `counts` values of each axis; the landscape's counts are gridCounts() of them.
[[nodiscard]] Result<Landscape> landscapeOf(const TuneSpace &space, const std::vector<std::size_t> &counts, Judge &judge,
                                            unsigned threads = 0, std::stop_token stop = {}, Progress *progress = nullptr);

/// A bound in seconds that no setting of the space can beat, and its reason: the compute of the slowest worker, or the busiest
/// link's bytes at its rate (CauseFinder::bounds()). Where the policy chooses the servers of variables that have any, the cards'
/// time for all pushes and pulls replaces the busiest link, if all variables are served; where it fuses gradients, the bytes of
/// its collectives at their connections' rates, if they take longer; where sizes of modules decide how much is gathered (fsdp2),
/// on named channels and with breduce, compute alone counts.
struct TuneBound {
    double seconds = 0;
    std::string what; ///< "the compute of a worker", "the bytes over <link>", "a worker's gradients over its card"..
    /// Whether a setting with that iteration time is within 1 % of it: no gain is possible.
    [[nodiscard]] bool isReached(double iterationSeconds) const { return !what.empty() && iterationSeconds <= seconds * 1.01; }
};
/// The bound of the default scenario. Axes of the cluster have none: an empty `what`. Errors: it cannot be simulated.
[[nodiscard]] Result<TuneBound> boundOf(const TuneSpace &space, std::stop_token stop = {});

} // namespace syncopate
