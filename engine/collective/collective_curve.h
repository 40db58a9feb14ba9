// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "engine/job/job.h"

#include <cstdint>
#include <vector>

namespace syncopate {

/// alpha + bytes * beta, from `fromBytes` on.
struct CurveSegment {
    double fromBytes = 0;
    double alphaSeconds = 0;
    double secondsPerByte = 0;
    bool operator==(const CurveSegment &) const = default;
};

/// The time of one collective among `ranks` replicas over its size, with nothing else going on: piecewise alpha-beta, because
/// libraries change algorithm and protocol with the size (NCCL Tuner; Thakur et al. 2005).
struct CollectiveCurve {
    CollectiveKind kind = CollectiveKind::AllReduce;
    std::int32_t ranks = 0;                  ///< 0 = not known
    std::vector<CurveSegment> segments;      ///< by fromBytes; the first also holds below it, the last beyond the measured sizes
    double measuredFrom = 0, measuredTo = 0; ///< bytes; 0 = not known
    /// Seconds for a size as nccl-tests counts it: the large buffer; for an all-to-all all bytes that one replica sends. O(log
    /// segments).
    [[nodiscard]] double seconds(double sizeBytes) const;
    bool operator==(const CollectiveCurve &) const = default;
};

/// The curve through a cluster's measured points: straight lines between them, the smallest one's time below it, and beyond the
/// largest the slope of the last line, if it rises.
[[nodiscard]] CollectiveCurve curveThrough(const MeasuredCollective &measured);

} // namespace syncopate
