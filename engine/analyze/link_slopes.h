// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/causes.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace syncopate {

/// The gain of a faster link: a derivative, known from one run, and the saving that another simulation shows.
struct LinkSlope {
    LinkId link;               ///< of the run's graph
    double limitedSeconds = 0; ///< of the chain: transfers that this link limits, shared or alone
    double secondsPerGbit = 0; ///< change of the chain's length for each Gbit/s more, as clusters state rates; 0 or below
    std::optional<double> savedSeconds{}; ///< savedByFasterLink() of 1 Gbit/s; none: not simulated
};

/// For each link that limits transfers of `chain`, the most valuable first. A transfer of b bytes at rate B takes b / B, so a
/// chain that spends t seconds on a link of rate B changes by -t / B for each unit of rate: the derivative of the iteration time
/// while the chain stays the critical path and the link stays the slowest of the transfer's (of equally slow links the first
/// counts for all). A connection at its own limit gains nothing; for one that a shared link held below its limit, all of its time
/// counts. Connections that collectives share are one link. An analytic collective's rounds inside nodes count for their lanes.
[[nodiscard]] std::vector<LinkSlope> linkSlopes(const Run &run, const CauseFinder &finder, const CauseChain &chain);

/// Simulates the seconds of an iteration that `gbits` more save, as clusters state rates, on a node's card in both directions or
/// on the lanes of that kind inside a node. The derivative holds only until another path becomes critical, which with several
/// equally slow links is at once. A class of folded nodes gets faster links as a whole. Errors: those of simulate().
[[nodiscard]] Result<double> savedByFasterLink(const Run &run, LinkId link, double gbits, const std::stop_token &stop = {});

/// Whether savedByFasterLink() of `link` speeds up `other`, too: the same link, a card's other direction, a lane of the same kind
/// inside the same node.
[[nodiscard]] bool belongTogether(const TaskGraph &graph, LinkId link, LinkId other);

/// At most this many links, the most valuable first, are simulated.
inline constexpr std::size_t maxSimulatedLinks = 16;

/// Sets the saving of 1 Gbit/s more for the first maxSimulatedLinks of `slopes`, with one simulation for links that belong
/// together; none where it fails. `progress` is called on this thread after each simulation. Errors: only a requested stop.
[[nodiscard]] Result<void> simulateSavings(const Run &run, std::vector<LinkSlope> &slopes, unsigned threads,
                                           const std::stop_token &stop = {}, const std::function<void()> &progress = {});

} // namespace syncopate
