// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/link_slopes.h"

#include "engine/base/parallel_in_order.h"
#include "engine/base/units.h"
#include "engine/simulate/simulated_iteration.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

namespace syncopate {

namespace {

bool isAtItsOwnLimit(const TaskGraph &graph, const CauseFinder &finder, TaskId task) {
    const PathId path = graph.path[task.index()];
    const LinkId link = finder.slowestLink(task);
    if (!path.exists() || !link.exists())
        return false;
    double rate = graph.links[link.index()].bytesPerSecond;
    for (const PathHop &hop : graph.hopsOf(path))
        if (hop.link == link)
            rate /= hop.weight;
    return graph.pathLimits[path.index()] < rate;
}

/// The rate of a link as clusters state it: before their link_efficiency or, of named channels' links, whose rates in the graph
/// are all alike (NamedChannels), that of the fastest channel over it. A policy may use fewer channels than the cluster has.
double statedGbits(const Run &run, LinkId link) {
    const FluidLink &of = run.graph.links[link.index()];
    double ofChannels = 0;
    if (of.nodes.empty())
        for (const Channel &channel : run.scenario.cluster->namedChannels)
            if (std::ranges::find(channel.links, of.name) != channel.links.end() &&
                std::ranges::find(run.graph.queues, channel.name, &TaskQueue::name) != run.graph.queues.end())
                ofChannels = std::max(ofChannels, channel.bandwidthBytesPerSecond);
    if (ofChannels > 0)
        return gbitsFromBytesPerSecond(ofChannels);
    return gbitsFromBytesPerSecond(of.bytesPerSecond / (of.isFabric ? 1 : run.scenario.cluster->linkEfficiency));
}

} // namespace

bool belongTogether(const TaskGraph &graph, LinkId link, LinkId other) {
    const FluidLink &a = graph.links[link.index()], &b = graph.links[other.index()];
    return link == other || a.opposite == other ||
           (a.isFabric && b.isFabric && !a.nodes.empty() && a.nodes == b.nodes && a.hostLane == b.hostLane);
}

Result<double> savedByFasterLink(const Run &run, LinkId link, double gbits, const std::stop_token &stop) {
    const double more = run.graph.links[link.index()].bytesPerSecond * gbits / statedGbits(run, link);
    const auto speedUp = [link, more](TaskGraph &graph) {
        for (std::size_t l = 0; l < graph.links.size(); ++l)
            if (belongTogether(graph, link, LinkId(l)))
                graph.links[l].bytesPerSecond += more;
        for (CapacityChange &change : graph.capacityChanges)
            if (belongTogether(graph, link, change.link))
                change.bytesPerSecond += more;
    };
    return run.iterationSeconds - TRY(iterationSecondsWith(speedUp, run.scenario, stop));
}

Result<void> simulateSavings(const Run &run, std::vector<LinkSlope> &slopes, unsigned threads, const std::stop_token &stop,
                             const std::function<void()> &progress) {
    const std::span simulated(slopes.data(), std::min(slopes.size(), maxSimulatedLinks));
    const auto isFirst = [&](std::size_t at) { // of links that belong together
        return std::ranges::none_of(simulated.first(at), [&](const LinkSlope &before) {
            return belongTogether(run.graph, before.link, simulated[at].link);
        });
    };
    using Saving = std::pair<LinkId, std::optional<double>>;
    std::size_t offered = 0;
    const auto next = [&]() -> std::optional<LinkId> {
        while (offered < simulated.size() && !isFirst(offered))
            ++offered;
        return offered < simulated.size() && !stop.stop_requested() ? std::optional(simulated[offered++].link) : std::nullopt;
    };
    const auto simulate = [&](LinkId link) {
        const auto saved = savedByFasterLink(run, link, 1, stop);
        return Saving(link, saved ? std::optional(*saved) : std::nullopt);
    };
    const auto take = [&](const Saving &saving) {
        if (stop.stop_requested())
            return false;
        for (LinkSlope &slope : simulated)
            if (belongTogether(run.graph, saving.first, slope.link))
                slope.savedSeconds = saving.second;
        if (progress)
            progress();
        return true;
    };
    parallelInOrder<LinkId, Saving>(threads, threads, next, simulate, take);
    return stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

std::vector<LinkSlope> linkSlopes(const Run &run, const CauseFinder &finder, const CauseChain &chain) {
    const TaskGraph &graph = run.graph;
    std::vector<LinkSlope> all(graph.links.size());
    std::set<TaskId> shared; // transfers that a shared link kept below their connection's limit
    for (const Cause &cause : chain.causes)
        if (cause.kind == CauseKind::Sharing && cause.seconds() > 1e-9 * finder.aloneSeconds(cause.task))
            shared.insert(cause.task);
    for (const Cause &cause : chain.causes) {
        if ((cause.kind != CauseKind::Transfer && cause.kind != CauseKind::Sharing) ||
            (!shared.contains(cause.task) && isAtItsOwnLimit(graph, finder, cause.task)))
            continue;
        if (const LinkId link = finder.slowestLink(cause.task); link.exists()) {
            all[link.index()].link = link;
            all[link.index()].limitedSeconds += cause.seconds();
        }
    }
    std::erase_if(all, [](const LinkSlope &slope) { return !slope.link.exists(); });
    for (LinkSlope &slope : all)
        slope.secondsPerGbit = -slope.limitedSeconds / statedGbits(run, slope.link);
    std::stable_sort(all.begin(), all.end(),
                     [](const LinkSlope &a, const LinkSlope &b) { return a.secondsPerGbit < b.secondsPerGbit; });
    return all;
}

} // namespace syncopate
