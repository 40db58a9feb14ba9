// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/infragraph_document.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace syncopate::infragraph {

/// The links between the accelerators of a machine.
struct Fabric {
    double bytesPerSecond = 0; ///< each way; 0: no way between all of them has bandwidths
    std::size_t link = 0;      ///< of the document
    bool isOneLink = true; ///< the links of one name join all; else they are joined by several, of which this is the narrowest
};

/// Links of one name that join all accelerators, at the rate that the accelerator with fewest of them has together; of several
/// such names the fastest. Where there is none, the narrowest link on the widest path between any two. O(n log n).
[[nodiscard]] Fabric fabricOf(const Inside &inside, const std::vector<Link> &links);

} // namespace syncopate::infragraph
