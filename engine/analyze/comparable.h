// SPDX-License-Identifier: GPL-3.0-or-later
// A profile beside a simulation: both have timelines, and both answer every question, but not every two answers are of the same
// thing. A difference is a statement, and is made only where one definition holds for both.
#pragma once

#include "engine/analyze/metrics.h"

#include <string>

namespace syncopate {

/// What figures of a recording are of.
enum class Quantity : std::uint8_t {
    Length,   ///< iteration, throughput, and time under communication: one definition for all timelines
    Device,   ///< busy with compute, waiting, overlapped, exposed: where both sides tell waiting for the host from compute
    Messages, ///< pushes, pulls and single transfers: a strategy's own units
};

/// Seconds of the window in which a worker's device waits for the host that launches its work. Measured: it idles and no
/// communication is the cause (another worker's compute may be). Simulated: as the job says, which knows it from a profile.
[[nodiscard]] double hostWaitSeconds(const Recording &recording, const AreaStatistics &area);

/// Why figures of the quantity are no difference of one thing, in a sentence; empty = they are. The areas are of the same kind of
/// window, such as the last full iteration.
[[nodiscard]] std::string whyNotComparable(Quantity quantity, const Recording &a, const AreaStatistics &ofA, const Recording &b,
                                           const AreaStatistics &ofB);

} // namespace syncopate
