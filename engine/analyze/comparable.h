// SPDX-License-Identifier: GPL-3.0-or-later
// Both a profile and a simulation have a timeline, and both answer every question, but two answers may be about different things.
// A difference is shown only where one definition holds for both.
#pragma once

#include "engine/analyze/metrics.h"

#include <string>

namespace syncopate {

/// A kind of figure of a recording, by what its definition depends on.
enum class Quantity : std::uint8_t {
    Length,   ///< iteration, throughput, and time under communication: one definition for all timelines
    Device,   ///< busy with compute, waiting, overlapped, exposed: where both sides tell waiting for the host from compute
    Messages, ///< pushes, pulls and single transfers: a strategy's own units
};

/// Seconds of the window in which a worker's device waits for the host that launches its work. Measured: it idles, copies
/// nothing, and no communication is the cause (another worker's compute may be). Simulated: as the job states from its profile.
[[nodiscard]] double hostWaitSeconds(const Recording &recording, const AreaStatistics &area);

/// Why two figures of the quantity are not comparable, in a sentence; empty if they are. The areas are of the same kind of
/// window, such as the last full iteration.
[[nodiscard]] std::string whyNotComparable(Quantity quantity, const Recording &a, const AreaStatistics &ofA, const Recording &b,
                                           const AreaStatistics &ofB);

} // namespace syncopate
