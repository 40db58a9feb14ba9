// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/bottleneck.h"

#include "engine/analyze/link_slopes.h"
#include "engine/base/phrase.h"

#include <algorithm>
#include <map>

namespace syncopate {

namespace {

/// The queue in which the host's pieces of the chain take longest; empty where devices wait for their hosts for longer.
std::string busiestHost(const GraphRun &run, const CauseChain &chain) {
    if (chain.seconds(CauseKind::HostWait) > chain.seconds(CauseKind::Host))
        return {};
    std::map<QueueId, double> seconds;
    for (const Cause &cause : chain.causes)
        if (cause.kind == CauseKind::Host)
            seconds[run.graph.queue[cause.task.index()]] += cause.seconds();
    const auto longest =
        std::max_element(seconds.begin(), seconds.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
    return longest == seconds.end() || !longest->first.exists() ? std::string() : run.graph.queues[longest->first.index()].name;
}

/// What limits the transfers of a period for longest: a link or, for those that no link limits, their connections.
std::string longestLimit(const Run &run, const CauseFinder &finder) {
    const CauseChain chain = finder.ofPeriod();
    const std::vector<LinkSlope> slopes = linkSlopes(run, finder, chain);
    double unlimitedSeconds = chain.seconds(CauseKind::Transfer) + chain.seconds(CauseKind::Sharing);
    for (const LinkSlope &slope : slopes)
        unlimitedSeconds -= slope.limitedSeconds;
    const auto longest = std::max_element(
        slopes.begin(), slopes.end(), [](const LinkSlope &a, const LinkSlope &b) { return a.limitedSeconds < b.limitedSeconds; });
    return longest == slopes.end() || longest->limitedSeconds < unlimitedSeconds ? translatable("connections at their own limit")
                                                                                 : run.graph.links[longest->link.index()].name;
}

} // namespace

const char *nameOf(Bottleneck bottleneck) {
    switch (bottleneck) {
    case Bottleneck::Compute:
        return "compute";
    case Bottleneck::Network:
        return "network";
    case Bottleneck::Host:
        return "host";
    case Bottleneck::Latency:
        return "latency";
    }
    return "";
}

Bottleneck bottleneckOf(CauseKind kind) {
    switch (kind) {
    case CauseKind::Forward:
    case CauseKind::Backward:
    case CauseKind::Update:
        return Bottleneck::Compute;
    case CauseKind::Transfer:
    case CauseKind::Sharing:
        return Bottleneck::Network;
    case CauseKind::Host:
    case CauseKind::HostWait:
        return Bottleneck::Host;
    case CauseKind::Latency:
    case CauseKind::Start:
        break;
    }
    return Bottleneck::Latency;
}

IterationBottleneck bottleneckOf(const Run &run, const CauseFinder &finder, const CauseChain &chain) {
    IterationBottleneck found;
    double whole = 0;
    for (std::size_t kind = 0; kind < causeKindCount; ++kind) {
        found.shares[static_cast<std::size_t>(bottleneckOf(static_cast<CauseKind>(kind)))] += chain.secondsByKind[kind];
        whole += chain.secondsByKind[kind];
    }
    for (double &share : found.shares)
        share = whole > 0 ? share / whole : 0;
    found.kind = static_cast<Bottleneck>(std::max_element(found.shares.begin(), found.shares.end()) - found.shares.begin());
    if (found.kind == Bottleneck::Network)
        found.resource = longestLimit(run, finder);
    else if (found.kind == Bottleneck::Host)
        found.resource = busiestHost(run, chain);
    return found;
}

} // namespace syncopate
