// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/motif_costs.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// The time of one way to carry out a collective over its size, alone on one channel: the sum of its motifs, which a channel runs
/// one after the other.
struct CostCurve {
    MotifCut cut{};
    ChannelId channel{0};
    bool isMeasured = false; ///< from measured collectives; else steps * latency + bytes / bandwidth
    /// Plans are priced with this curve; false: the model of a measured way, for comparison.
    bool isPriced = true;
    std::int32_t sameAs = -1;               ///< an earlier curve that takes the same time at every size
    std::vector<CollectiveSample> points{}; ///< by size, those of all curves the same; straight in between

    /// Beyond the points, the time of the nearest one. O(log points).
    [[nodiscard]] double seconds(double sizeBytes) const;
};

/// A size at which the curves of two ways cross.
struct Crossover {
    std::size_t below = 0, above = 0; ///< the curves that are faster with smaller and with larger sizes
    double sizeBytes = 0;
    double seconds = 0;
    bool isOfFastest = false; ///< no other curve is faster there: the best choice changes
};

/// The times of a collective over its size, by every way and channel, and the sizes at which they cross.
struct CostCurves {
    std::vector<CostCurve> curves;     ///< by channel, then by way; unpriced ones come last
    std::vector<Crossover> crossovers; ///< of curves that plans are priced with, by size
    std::size_t channelsLeftOut = 0;   ///< beyond maxCurveChannels
};

inline constexpr std::size_t maxCurveChannels = 8;
/// Beyond this number of measured sizes, only every n-th is a point of the curves; a file may have millions.
inline constexpr std::size_t maxCurveBends = 4000;

/// The ways to compare: whole; of an all-reduce as a ring (reduce-scatter, all-gather), a tree and groups; of all others in 2 and
/// 4 splines, and in groups; of permutes only whole. Trees and groups are of the processes of a node, where these divide the
/// collective's, else of the smallest number that does.
[[nodiscard]] std::vector<MotifCut> comparedCuts(CollectiveKind kind, std::int32_t processes, std::int32_t processesPerNode);

/// Curves of the collective of `like`, among its group, over sizes of [minBytes, maxBytes] (0 < minBytes < maxBytes) as `like`
/// counts them. Between two of its points a curve is straight, as costs of no more than maxCurveBends measured sizes are, so
/// crossovers are exact but for rounding. O(curves^2 points).
[[nodiscard]] CostCurves costCurves(const DagOp &like, std::int32_t processes, const std::vector<Channel> &channels,
                                    const MotifCosts &costs, double minBytes, double maxBytes);

/// The crossovers of curves over the same sizes; curves that are equal over a stretch cross at its beginning. Leaves out unpriced
/// curves and those that are the same as others.
[[nodiscard]] std::vector<Crossover> crossoversOf(const std::vector<CostCurve> &curves);

} // namespace syncopate
