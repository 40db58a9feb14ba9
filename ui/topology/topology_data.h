// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/link_loads.h"
#include "engine/analyze/link_slopes.h"
#include "ui/session/session.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate::ui {

/// What a cluster's picture shows beside its nodes: a run's links and servers.
struct TopologyData {
    std::shared_ptr<const Cluster> cluster;
    std::shared_ptr<const Run> run; ///< null: the cluster alone
    std::shared_ptr<const LinkLoads> loads;
    std::vector<NodeLinks> links;
    std::vector<ServerShare> servers;
    std::vector<LinkSlope> slopes; ///< of the links on the critical path
    /// Seconds of the iteration that 1 Gbit/s more of a link saves, of a node's card in both directions; 0 where it saves
    /// nothing, or is not known yet.
    [[nodiscard]] double savedSeconds(LinkId link) const;
    bool savingsKnown = false; ///< simulateSavings() has simulated them
    double largestSaving = 0;  ///< seconds, among the drawn links; 0: no link alone would help
    std::string whyNoSaving{}; ///< the reason; empty if there is one, or none is known yet
};

/// Not for the GUI thread if there is a run: O(hops log hops + tasks).
[[nodiscard]] TopologyData makeTopologyData(const Cluster &cluster, const std::shared_ptr<const ShownRun> &run);

/// Simulates what each link is worth, a simulation each. Not for the GUI thread. Without meaning when `stop` is requested.
void simulateSavings(TopologyData &data, const std::stop_token &stop);

} // namespace syncopate::ui
