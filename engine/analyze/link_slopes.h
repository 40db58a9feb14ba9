// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/causes.h"

#include <cstdint>
#include <vector>

namespace syncopate {

/// The worth of a faster link, derived from one run without another simulation.
struct LinkSlope {
    LinkId link;               ///< of the run's graph
    double limitedSeconds = 0; ///< of the chain: transfers that this link limits, shared or alone
    double secondsPerGbit = 0; ///< change of the chain's length for each Gbit/s more, as clusters state rates; 0 or below
};

/// For each link that limits transfers of `chain`, the most valuable first. A transfer of b bytes at rate B takes b / B, so a
/// chain of which t seconds hang on a link of rate B changes by -t / B for each unit of rate: the derivative of the iteration
/// time while the chain stays the critical path and the link stays the slowest of the transfer's (of equally slow ones the first
/// counts, for all of them). A connection that is at its own limit gains nothing; one that a shared link held below it, all of
/// its time. Connections that collectives share are a link. An analytic collective's rounds inside nodes count for their lanes.
[[nodiscard]] std::vector<LinkSlope> linkSlopes(const Run &run, const CauseFinder &finder, const CauseChain &chain);

} // namespace syncopate
