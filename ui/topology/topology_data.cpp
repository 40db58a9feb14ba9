// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/topology_data.h"

#include "engine/base/parallel_in_order.h"

#include <algorithm>
#include <vector>

namespace syncopate::ui {

namespace {

/// The drawn links: of each node, the first NIC's and its lanes.
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

NoSaving whyNoSaving(const TopologyData &data) {
    if (std::ranges::any_of(data.slopes, [](const LinkSlope &slope) { return slope.secondsPerGbit < 0; }))
        return NoSaving::OtherLinks;
    const CauseChain chain = CauseFinder(*data.run).ofPeriod();
    return chain.seconds(CauseKind::Transfer) + chain.seconds(CauseKind::Sharing) <= 0 ? NoSaving::NoTransfer
                                                                                       : NoSaving::ConnectionLimits;
}

std::vector<std::size_t> ringOf(const Run &run) {
    const Scenario &scenario = run.scenario;
    const auto isAllReduced = [](const SyncUnit &unit) { return unit.kind == SynchronizerKind::AllReduce; };
    if (scenario.policy.algorithm != CollectiveAlgorithm::Ring || std::ranges::none_of(run.graph.units, isAllReduced))
        return {};
    const std::vector<std::int32_t> nodes = scenario.cluster->trainingNodes();
    return {nodes.begin(), nodes.end()};
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
        data.ring = ringOf(*simulation);
        data.run = {run, simulation};
        const CauseFinder finder(*simulation);
        data.slopes = linkSlopes(*simulation, finder, finder.ofPeriod());
    }
    return data;
}

std::optional<double> TopologyData::savedSeconds(LinkId link) const {
    bool isOnPath = false;
    for (const LinkSlope &slope : slopes)
        if (link.exists() && belongTogether(run->graph, slope.link, link)) {
            if (slope.savedSeconds)
                return slope.savedSeconds;
            isOnPath = true;
        }
    return isOnPath ? std::nullopt : std::optional(0.0);
}

void simulateSavings(TopologyData &data, const std::stop_token &stop) {
    // Unrequested work: a core stays free for the user's actions.
    if (!simulateSavings(*data.run, data.slopes, std::max(1U, threadsFor() - 1), stop))
        return;
    for (const LinkId link : drawnLinks(data))
        data.largestSaving = std::max(data.largestSaving, data.savedSeconds(link).value_or(0));
    constexpr double rounding = 1e-9;
    if (data.largestSaving < rounding)
        data.largestSaving = 0;
    if (data.largestSaving == 0)
        data.whyNoSaving = whyNoSaving(data);
    data.savingsKnown = true;
}

} // namespace syncopate::ui
