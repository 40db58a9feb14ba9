// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/link_loads.h"
#include "engine/analyze/link_slopes.h"
#include "ui/session/session.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace syncopate::ui {

/// Why no faster link saves anything.
enum class NoSaving : std::uint8_t {
    NoTransfer,       ///< none is on the critical path
    ConnectionLimits, ///< the critical path's transfers are at their connections' own limits
    OtherLinks,       ///< others keep the iteration as long
};

/// The contents of a cluster's picture beside its nodes: a run's links and servers.
struct TopologyData {
    std::shared_ptr<const Cluster> cluster;
    std::shared_ptr<const Run> run; ///< null: the cluster alone
    std::shared_ptr<const LinkLoads> loads;
    std::vector<NodeLinks> links;
    std::vector<ServerShare> servers;
    /// The nodes of a ring of gradients, in the order of the ranks, which is the cluster's; empty if the run has none.
    std::vector<std::size_t> ring;
    std::vector<LinkSlope> slopes; ///< of the links on the critical path
    /// Seconds of the iteration saved by 1 Gbit/s more on a link and on those that belong to it (belongTogether()). 0 off the
    /// critical path; none: not simulated (yet).
    [[nodiscard]] std::optional<double> savedSeconds(LinkId link) const;
    bool savingsKnown = false;             ///< simulateSavings() is through
    double largestSaving = 0;              ///< seconds, among the drawn links; 0: no link alone would help
    std::optional<NoSaving> whyNoSaving{}; ///< none: a link saves time, or it is not known yet
};

/// Not for the GUI thread if there is a run: O(hops log hops + tasks).
[[nodiscard]] TopologyData makeTopologyData(const Cluster &cluster, const std::shared_ptr<const ShownRun> &run);

/// Simulates the savings of the most valuable links (maxSimulatedLinks). Not for the GUI thread. Without meaning when `stop` is
/// requested.
void simulateSavings(TopologyData &data, const std::stop_token &stop);

} // namespace syncopate::ui
