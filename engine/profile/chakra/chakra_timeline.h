// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/chakra/chakra_step.h"

namespace syncopate {

/// Adds the step's nodes to the profile, as spans on lanes of streams and threads, in the order of their starts.
/// O(nodes log nodes).
void addChakraTimeline(const ChakraStep &step, ImportedProfile &profile);

} // namespace syncopate
