// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/strategy/strategy.h"

namespace syncopate {

/// sim of Eq. 11, first approach (AutoSync's supplement, section 7): over all variables, the share of synchronisation-affecting
/// choices that two strategies of one job make alike, 0 to 1; 1 for equal ones. The choices of a variable are its axis, number of
/// parts, and, averaged over the parts where both have equally many (the first part's otherwise), the five of its synchroniser:
/// of parameter servers kind, destination, transfer destination, proxy, and mode with staleness; of all-reduces kind, group
/// (which counts twice), compressor and spec. Different kinds share none of these, all-reduces of different reductions the kind
/// alone. O(shards). 0 for different numbers of variables.
[[nodiscard]] double similarity(const Strategy &a, const Strategy &b);

} // namespace syncopate
