// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/simulate/simulated_iteration.h"

namespace syncopate {

/// The two figures of iterationStatistics() that a search needs, from a simulation without a timeline:
/// AreaStatistics::communicationSeconds and exposedSeconds, bit for bit.
struct CommunicationStatistics {
    double communicationSeconds = 0, exposedSeconds = 0;
};

/// O(n log n) for n spans. Defined beside iterationStatistics(), in metrics.cpp.
[[nodiscard]] CommunicationStatistics communicationStatistics(const SimulatedIteration &iteration);

} // namespace syncopate
