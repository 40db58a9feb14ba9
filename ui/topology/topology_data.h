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

/// What the picture of a cluster shows beside its nodes: a run's links and servers.
struct TopologyData {
    std::shared_ptr<const Cluster> cluster;
    std::shared_ptr<const Run> run; ///< null: the cluster alone
    std::shared_ptr<const LinkLoads> loads;
    std::vector<NodeLinks> links;
    std::vector<ServerShare> servers;
    /// What a faster link is worth to the iteration; of links that the critical path does not hang on there is none.
    std::vector<LinkSlope> slopes;
    /// Seconds of an iteration for each Gbit/s more of a link, 0 or below.
    [[nodiscard]] double secondsPerGbit(std::int32_t link) const;
    double steepestSecondsPerGbit = 0; ///< of the links between nodes, which are drawn; 0: none is worth anything
    std::string whyNoSlope{};          ///< why not; empty where one is
};

/// Not for the GUI thread where there is a run: O(hops log hops + tasks).
[[nodiscard]] TopologyData makeTopologyData(const Cluster &cluster, const std::shared_ptr<const ShownRun> &run);

} // namespace syncopate::ui
