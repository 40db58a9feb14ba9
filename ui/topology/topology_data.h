// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/link_loads.h"
#include "engine/analyze/link_slopes.h"
#include "ui/session/session.h"

#include <cstdint>
#include <memory>
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
    /// The gain of the iteration from a faster link; only for links on the critical path.
    std::vector<LinkSlope> slopes;
    /// Change of the iteration in seconds per additional Gbit/s of a link, 0 or negative.
    [[nodiscard]] double secondsPerGbit(LinkId link) const;
    double steepestSecondsPerGbit = 0; ///< among the drawn links; 0: no link would help
    std::string whyNoSlope{};          ///< the reason; empty if there is a slope
};

/// Not for the GUI thread if there is a run: O(hops log hops + tasks).
[[nodiscard]] TopologyData makeTopologyData(const Cluster &cluster, const std::shared_ptr<const ShownRun> &run);

} // namespace syncopate::ui
