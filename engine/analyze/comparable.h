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
    Device,   ///< busy with compute, waiting, overlapped, exposed: a profile's layers are simulated with their launch gaps
    Messages, ///< pushes, pulls and single transfers: a strategy's own units
};

/// Seconds of the window in which the device of a measured worker idles and no communication is the cause: it waits for the
/// host that launches its work, or for another worker's compute. 0 of what was simulated: a job's layers last as long as they did
/// in the profile, so that such gaps are part of their time there.
[[nodiscard]] double hostWaitSeconds(const Recording &recording, const AreaStatistics &area);

/// Why figures of the quantity are no difference of one thing, in a sentence; empty = they are. The areas are of the same kind of
/// window, such as the last full iteration.
[[nodiscard]] std::string whyNotComparable(Quantity quantity, const Recording &a, const AreaStatistics &ofA, const Recording &b,
                                           const AreaStatistics &ofB);

} // namespace syncopate
