// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/chakra/chakra_layers.h"
#include "engine/profile/profile.h"

#include <cstdint>

namespace syncopate {

/// Facts that follow from a step's times, besides job and step.
struct ChakraTimes {
    bool knowsHostWaits = false;       ///< every node that counts has a start: idle time is known to be idle
    double hostSeconds = 0;            ///< the device waits for the host
    std::uint64_t unknownLaunches = 0; ///< kernels that depend on no op of the host
};

/// Gives the layers of `profile.job`, which are those of `layers`, the time of their work and of the idle time after it while
/// nothing communicates; adds the step and its sample. O(nodes log nodes).
[[nodiscard]] ChakraTimes addChakraTimes(const ChakraStep &step, const ChakraLayers &layers, ImportedProfile &profile);

} // namespace syncopate
