// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/topology_data.h"

#include <algorithm>

namespace syncopate::ui {

namespace {

/// Why a faster link would not speed up anything on the critical path.
std::string whyNoSlope(const CauseChain &chain) {
    if (chain.seconds(CauseKind::Transfer) + chain.seconds(CauseKind::Sharing) <= 0)
        return "no link is worth more: no transfer is on the critical path";
    return "no link is worth more: the critical path's transfers are at their connections' own limits";
}

} // namespace

TopologyData makeTopologyData(const Cluster &cluster, const std::shared_ptr<const ShownRun> &run) {
    TopologyData data;
    data.cluster = std::make_shared<const Cluster>(cluster);
    const Run *simulation = run ? run->simulation() : nullptr;
    if (simulation && simulation->scenario.cluster->nodes.size() == cluster.nodes.size()) {
        data.loads = std::make_shared<const LinkLoads>(*simulation);
        data.links = linksOfNodes(*simulation);
        data.servers = serverShares(*simulation);
        data.run = {run, simulation};
        const CauseFinder finder(*simulation);
        const CauseChain chain = finder.ofIteration();
        data.slopes = linkSlopes(*simulation, finder, chain);
        for (const LinkSlope &slope : data.slopes)
            if (!simulation->graph.links[slope.link.index()]
                     .nodes.empty()) // of nodes; others are connections, which are not drawn
                data.steepestSecondsPerGbit = std::min(data.steepestSecondsPerGbit, slope.secondsPerGbit);
        if (data.steepestSecondsPerGbit == 0)
            data.whyNoSlope = whyNoSlope(chain);
    }
    return data;
}

double TopologyData::secondsPerGbit(LinkId link) const {
    const auto found = std::find_if(slopes.begin(), slopes.end(), [link](const LinkSlope &slope) { return slope.link == link; });
    return found == slopes.end() ? 0 : found->secondsPerGbit;
}

} // namespace syncopate::ui
