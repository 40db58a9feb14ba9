// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/collective/collective_log.h"
#include "engine/plan/execution_plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// Measured times of a collective, or of one spline of it, among all processes over a link on its own.
struct MotifCurve {
    CollectiveKind kind = CollectiveKind::AllReduce;
    std::string link;
    Slice spline{};
    std::vector<CollectiveSample> samples; ///< by size, which is that of the whole buffer of one process
};

/// What a motif takes when it has its links to itself.
struct MotifCosts {
    std::vector<MotifCurve> curves;
    double launchSeconds = 0; ///< of dispatching a motif, beyond its curve or model

    /// From a measured curve of its kind and spline on the channel's first link, between two sizes linearly and beyond the last
    /// in proportion. Where none was measured: launchSeconds + steps * latency + sentBytes() / bandwidth, the steps of a ring: N
    /// - 1 each for reduce-scatter, all-gather, and all-to-all (pairwise), twice that for all-reduce, log2 N for the others.
    [[nodiscard]] double seconds(const Motif &motif, double opBytes, std::int32_t processes, const Channel &channel) const;

private:
    [[nodiscard]] const MotifCurve *curveOf(CollectiveKind kind, const Slice &spline, const Channel &channel) const;
};

/// collectives.csv of measured plans: case, collective, channel, spline, bytes_per_process, all_ranks_seconds_median; of each
/// case "alone" the time until the last process had finished, since the collectives of the next wait for all of them. Errors name
/// file and line.
[[nodiscard]] Result<MotifCosts> readMotifCostsText(std::string_view csv, const std::string &file = {});
[[nodiscard]] Result<MotifCosts> readMotifCostsFile(const std::string &path);

} // namespace syncopate
