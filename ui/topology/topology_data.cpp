// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/topology_data.h"

#include <algorithm>
#include <vector>

namespace syncopate::ui {

namespace {

/// The links that are drawn: those of a node's first NIC, and its lanes.
std::vector<LinkId> drawnLinks(const TopologyData &data) {
    std::vector<LinkId> drawn;
    for (const NodeLinks &node : data.links) {
        for (const LinkId link : {node.transmit, node.receive})
            if (link.exists())
                drawn.push_back(link);
        drawn.insert(drawn.end(), node.lanes.begin(), node.lanes.end());
    }
    return drawn;
}

/// Why no faster link saves anything.
std::string whyNoSaving(const TopologyData &data) {
    const bool anyOnPath = std::ranges::any_of(data.slopes, [](const LinkSlope &slope) { return slope.secondsPerGbit < 0; });
    if (anyOnPath)
        return "no drawn link alone is worth more: others keep the iteration as long";
    const CauseChain chain = CauseFinder(*data.run).ofPeriod();
    return chain.seconds(CauseKind::Transfer) + chain.seconds(CauseKind::Sharing) <= 0
               ? "no link is worth more: no transfer is on the critical path"
               : "no link is worth more: the critical path's transfers are at their connections' own limits";
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
        data.slopes = linkSlopes(*simulation, finder, finder.ofPeriod());
    }
    return data;
}

double TopologyData::savedSeconds(LinkId link) const {
    const auto isOfLink = [&](const LinkSlope &slope) { // the first of equally slow links stands for both directions
        return slope.savedSeconds && (slope.link == link || run->graph.links[slope.link.index()].opposite == link);
    };
    const auto found = link.exists() ? std::ranges::find_if(slopes, isOfLink) : slopes.end();
    return found == slopes.end() ? 0 : *found->savedSeconds;
}

void simulateSavings(TopologyData &data, const std::stop_token &stop) {
    const std::size_t count = std::min(data.slopes.size(), maxSimulatedLinks);
    for (std::size_t s = 0; s < count && !stop.stop_requested(); ++s)
        if (LinkSlope &slope = data.slopes[s]; slope.secondsPerGbit < 0)
            if (const auto saved = savedByFasterLink(*data.run, slope.link, 1, stop))
                slope.savedSeconds = *saved;
    for (const LinkId link : drawnLinks(data))
        data.largestSaving = std::max(data.largestSaving, data.savedSeconds(link));
    constexpr double rounding = 1e-9;
    if (data.largestSaving < rounding)
        data.largestSaving = 0;
    if (data.largestSaving == 0)
        data.whyNoSaving = whyNoSaving(data);
    data.savingsKnown = true;
}

} // namespace syncopate::ui
