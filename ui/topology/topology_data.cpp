// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/topology_data.h"

#include <algorithm>
#include <vector>

namespace syncopate::ui {

namespace {

/// The steepest slope, in seconds per Gbit/s, among the links that are drawn: those of a node's first NIC, and its lanes.
double steepestDrawn(const TopologyData &data) {
    std::vector<bool> isDrawn(data.run->graph.links.size());
    for (const NodeLinks &node : data.links) {
        for (const LinkId link : {node.transmit, node.receive})
            if (link.exists())
                isDrawn[link.index()] = true;
        for (const LinkId lane : node.lanes)
            isDrawn[lane.index()] = true;
    }
    double steepest = 0;
    for (const LinkSlope &slope : data.slopes)
        if (isDrawn[slope.link.index()])
            steepest = std::min(steepest, slope.secondsPerGbit);
    return steepest;
}

/// Why a faster link would not speed up anything on the critical path.
std::string whyNoSlope(const TopologyData &data, const CauseChain &chain) {
    for (const LinkSlope &slope : data.slopes)
        if (slope.secondsPerGbit < 0 && !data.run->graph.links[slope.link.index()].nodes.empty())
            return "no drawn link is worth more: the critical path crosses further NICs of its nodes";
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
        const CauseChain chain = finder.ofPeriod();
        data.slopes = linkSlopes(*simulation, finder, chain);
        data.steepestSecondsPerGbit = steepestDrawn(data);
        if (data.steepestSecondsPerGbit == 0)
            data.whyNoSlope = whyNoSlope(data, chain);
    }
    return data;
}

double TopologyData::secondsPerGbit(LinkId link) const {
    const auto found = std::find_if(slopes.begin(), slopes.end(), [link](const LinkSlope &slope) { return slope.link == link; });
    return found == slopes.end() ? 0 : found->secondsPerGbit;
}

} // namespace syncopate::ui
