// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/chakra/chakra_layers.h"
#include "engine/profile/profile.h"

#include <cstdint>

namespace syncopate {

/// What the times of a step say beside the job and the step.
struct ChakraTimes {
    bool knowsHostWaits = false;       ///< every node that counts has a start: idle time is known to be idle
    double hostSeconds = 0;            ///< in which the device waits for the host
    std::uint64_t unknownLaunches = 0; ///< kernels that depend on no op of the host
};

/// Gives the layers of `profile.job`, which are those of `layers`, the times of their work and what follows it idle while nothing
/// communicates; adds the step and its sample. O(nodes log nodes).
[[nodiscard]] ChakraTimes addChakraTimes(const ChakraStep &step, const ChakraLayers &layers, ImportedProfile &profile);

} // namespace syncopate
