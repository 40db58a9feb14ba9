// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/link_slopes.h"

#include "engine/base/units.h"

#include <algorithm>

namespace syncopate {

namespace {

bool isAtItsOwnLimit(const TaskGraph &graph, const CauseFinder &finder, const Cause &cause) {
    const std::int32_t path = graph.path[static_cast<std::size_t>(cause.task)], link = finder.slowestLink(cause.task);
    if (path < 0 || link < 0 || cause.kind == CauseKind::Sharing)
        return false;
    double rate = graph.links[static_cast<std::size_t>(link)].bytesPerSecond;
    for (const PathHop &hop : graph.hopsOf(path))
        if (hop.link == link)
            rate /= hop.weight;
    return graph.pathLimits[static_cast<std::size_t>(path)] < rate;
}

} // namespace

std::vector<LinkSlope> linkSlopes(const Run &run, const CauseFinder &finder, const CauseChain &chain) {
    const TaskGraph &graph = run.graph;
    std::vector<LinkSlope> all(graph.links.size());
    for (const Cause &cause : chain.causes) {
        if ((cause.kind != CauseKind::Transfer && cause.kind != CauseKind::Sharing) || isAtItsOwnLimit(graph, finder, cause))
            continue;
        if (const std::int32_t link = finder.slowestLink(cause.task); link >= 0) {
            all[static_cast<std::size_t>(link)].link = link;
            all[static_cast<std::size_t>(link)].limitedSeconds += cause.seconds();
        }
    }
    std::erase_if(all, [](const LinkSlope &slope) { return slope.link < 0; });
    for (LinkSlope &slope : all)
        slope.secondsPerGbit =
            -slope.limitedSeconds / gbitsFromBytesPerSecond(graph.links[static_cast<std::size_t>(slope.link)].bytesPerSecond);
    std::stable_sort(all.begin(), all.end(),
                     [](const LinkSlope &a, const LinkSlope &b) { return a.secondsPerGbit < b.secondsPerGbit; });
    return all;
}

} // namespace syncopate
