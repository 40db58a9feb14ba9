// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/motif_costs.h"

#include "engine/base/numbers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace syncopate {

namespace {

/// Whether each member sends to several others or receives from several, one message each: all-to-alls, and splines.
bool isDirect(const Motif &motif) {
    return motif.kind == CollectiveKind::AllToAll || (motif.spline.of > 1 && motif.kind != CollectiveKind::Permute);
}

/// Messages that a process sends one after the other in a motif among n members. A pairwise all-to-all is n - 1 rounds, in round
/// r of which every process i sends to i + r. Spline c of k has the rounds r = c n/k .. (c + 1) n/k - 1 (appendix A.1), but for
/// r = 0, which is its own part: n/k of them, and n/k - 1 of the first. All k together have the n - 1 rounds of the whole, and in
/// n splines each is a permute by r, of one step. Splines of other kinds have as many rounds; of a reduce it is the messages that
/// the first member receives.
double steps(const Motif &motif, std::int32_t members) {
    if (isDirect(motif))
        return directPeers(motif, members);
    switch (motif.kind) {
    case CollectiveKind::AllReduce:
        return 2.0 * (members - 1);
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::AllGather:
        return members - 1;
    case CollectiveKind::Permute:
        return 1;
    case CollectiveKind::AllToAll:
    case CollectiveKind::Reduce:
    case CollectiveKind::Broadcast:
        break;
    }
    return std::ceil(std::log2(members));
}

/// How a group is spread over nodes.
struct Spread {
    double members = 0, perNode = 1; ///< processes in all, and on one node
    [[nodiscard]] bool crosses() const { return members > perNode; }
};
Spread spreadOf(const ProcessGroup &group, std::int32_t members, std::int32_t processesPerNode) {
    const double onNode = std::max(1.0, std::floor(static_cast<double>(processesPerNode) / group.stride));
    return {static_cast<double>(members), std::min(static_cast<double>(members), onNode)};
}

/// The processes of a node that has as many of each of the equal groups. Of groups that neither stay inside a node nor fill
/// nodes, such as three processes on nodes of eight, some have fewer members on one node than on another: they take the time that
/// they would on nodes of the greatest common divisor, as where nodes differ. Where all `processes` share a node, so do groups.
std::int32_t evenNode(const ProcessGroup &group, std::int32_t processesPerNode, std::int32_t processes) {
    return processes <= processesPerNode ? processesPerNode : std::gcd(processesPerNode, group.stride * group.size);
}

/// Factor by which a transfer takes longer when this many processes of other nodes send to one at once.
double incastFactor(const Channel &channel, double senders) { return 1 + channel.incast * std::log2(std::max(1.0, senders)); }

/// The largest of `seconds` of an op over the sizes of its groups. Called for every motif that a planner prices, so it does not
/// sort thousands of groups.
template <class Seconds> double slowestGroup(const DagOp &op, const Seconds &seconds) {
    std::vector<bool> isPriced(asIndex(*std::max_element(op.groupSizes.begin(), op.groupSizes.end())) + 1);
    double slowest = 0;
    for (const std::int32_t size : op.groupSizes)
        if (!isPriced[asIndex(size)]) {
            isPriced[asIndex(size)] = true;
            slowest = std::max(slowest, seconds(ofGroupSize(op, size)));
        }
    return slowest;
}

/// Whether a kind that was not measured takes half of a measured all-reduce.
bool isHalfOfAllReduce(CollectiveKind kind) { return kind == CollectiveKind::ReduceScatter || kind == CollectiveKind::AllGather; }

bool isRooted(CollectiveKind kind) { return kind == CollectiveKind::Broadcast || kind == CollectiveKind::Reduce; }

/// The number of the `peers` of directPeers() that are on other nodes. In some spline of an all-to-all, all-gather or
/// reduce-scatter no process has one on its own node. Those of a broadcast or reduce are the neighbours of the first member, by
/// their number.
double peersAbroad(const Motif &motif, const Spread &spread, double peers) {
    if (!spread.crosses())
        return 0;
    if (motif.spline.of == 1)
        return spread.members - spread.perNode;
    if (!isRooted(motif.kind))
        return peers;
    return std::clamp(spread.members / motif.spline.of * (motif.spline.index + 1) - spread.perNode, 0.0, peers);
}

/// Members of a node whose partner in a permute is on another node, if neighbouring members share nodes.
double leavingMembers(std::int32_t shift, const Spread &spread) {
    if (!spread.crosses())
        return 0;
    const auto n = static_cast<std::int32_t>(spread.members);
    const std::int32_t ahead = (shift % n + n) % n;
    return std::min(spread.perNode, static_cast<double>(std::min(ahead, n - ahead)));
}

} // namespace

double MotifCurve::secondsAt(double bytes) const {
    const auto above = std::lower_bound(samples.begin(), samples.end(), bytes,
                                        [](const CollectiveSample &sample, double size) { return sample.sizeBytes < size; });
    if (above == samples.begin())
        return samples.front().seconds;
    const CollectiveSample &below = *std::prev(above);
    if (above == samples.end())
        return below.seconds * bytes / below.sizeBytes;
    return below.seconds + (above->seconds - below.seconds) * (bytes - below.sizeBytes) / (above->sizeBytes - below.sizeBytes);
}

double MotifCurve::segmentedSeconds(double bytes) const {
    double shortest = secondsAt(bytes);
    const auto tryOut = [&](double segments) {
        if (segments >= 1 && segments <= static_cast<double>(maxMotifs))
            shortest = std::min(shortest, segments * secondsAt(bytes / segments));
    };
    // Between two samples seconds per byte only rise or only fall, so the best segments are as near to a sample as they can be.
    tryOut(static_cast<double>(maxMotifs));
    for (const CollectiveSample &sample : samples) {
        tryOut(std::floor(bytes / sample.sizeBytes));
        tryOut(std::ceil(bytes / sample.sizeBytes));
    }
    return shortest;
}

const MotifCurve *MotifCosts::curveOf(CollectiveKind kind, const Slice &spline, const Channel &channel) const {
    const auto curve = std::find_if(curves.begin(), curves.end(), [&](const MotifCurve &each) {
        return each.kind == kind && each.link == channel.links.front() && each.spline == spline;
    });
    return curve == curves.end() ? nullptr : &*curve;
}

double LinkSlowdown::factor(double aloneSeconds) const {
    if (samples.empty())
        return 1;
    const auto above = std::lower_bound(samples.begin(), samples.end(), aloneSeconds,
                                        [](const Sample &sample, double seconds) { return sample.aloneSeconds < seconds; });
    if (above == samples.begin())
        return above->factor;
    const Sample &below = *std::prev(above);
    if (above == samples.end())
        return below.factor;
    const double share = std::log(aloneSeconds / below.aloneSeconds) / std::log(above->aloneSeconds / below.aloneSeconds);
    return below.factor + share * (above->factor - below.factor);
}

const LinkSlowdown *findSlowdown(const std::vector<LinkSlowdown> &slowdowns, const Channel &channel) {
    const auto found = std::find_if(slowdowns.begin(), slowdowns.end(),
                                    [&](const LinkSlowdown &each) { return each.link == channel.links.front(); });
    return found == slowdowns.end() ? nullptr : &*found;
}

double MotifCosts::localRate(const Channel &channel) const {
    const auto rate = std::find_if(localRates.begin(), localRates.end(),
                                   [&](const LocalRate &each) { return each.link == channel.links.front(); });
    return rate == localRates.end() ? channel.bandwidthBytesPerSecond : rate->bytesPerSecond;
}

double MotifCosts::modelSeconds(const Motif &motif, const DagOp &op, const ProcessGroup &group, std::int32_t node,
                                const Channel &channel) const {
    const std::int32_t members = group.size;
    const Spread spread = spreadOf(group, members, node);
    const double opBytes = op.sizeBytes, sent = sentBytes(motif, opBytes, members), nic = channel.bandwidthBytesPerSecond,
                 local = localRate(channel);
    double outside = 0, inside = 0;
    if (const double peers = directPeers(motif, members); isDirect(motif) && peers > 0) {
        const double toOne = motif.kind == CollectiveKind::AllToAll ? opBytes / motif.segment.of / spread.members : sent / peers;
        const double abroad = peersAbroad(motif, spread, peers);
        outside = abroad < peers ? toOne * abroad : sent;
        if (toOne > 0 && motif.kind != CollectiveKind::Broadcast) // a process receives from as many at once as it sends to
            outside *= incastFactor(channel, outside / toOne);
        inside = isRooted(motif.kind) ? toOne * (peers - abroad) : std::min(sent, toOne * (spread.perNode - 1));
    } else if (motif.kind == CollectiveKind::Permute) { // the slower of the transfers that leave the node and those that stay
        const double leaving = leavingMembers(op.shift, spread);
        outside = leaving > 0 ? sent : 0;
        inside = leaving < spread.perNode ? sent : 0;
    } else {
        outside = spread.crosses() ? sent / spread.perNode : 0;
        inside = spread.perNode > 1 ? sent : 0;
    }
    return steps(motif, members) * channel.latencySeconds + std::max(outside / nic, inside / local);
}

double MotifCosts::seconds(const Motif &motif, double opBytes, std::int32_t processes, const Channel &channel) const {
    return seconds(motif, DagOp{.name = {}, .sizeBytes = opBytes}, processes, channel);
}

MotifCosts::Measured MotifCosts::measuredOf(const Motif &motif, const DagOp &op, std::int32_t processes,
                                            const Channel &channel) const {
    const std::int32_t members = motif.group.sizeAmong(op.membersAmong(processes));
    if (members != processes || motif.group.shards() > 1)
        return {};
    if (const MotifCurve *curve = curveOf(motif.kind, motif.spline, channel))
        return {curve};
    // A piece that was not measured takes its share of the measured whole, so that it is no faster for lack of measurements.
    double share = 1;
    if (motif.spline.of > 1) {
        const double whole = sentBytes({motif.kind, motif.segment, {}, {}}, op.sizeBytes, processes);
        share = whole > 0 ? sentBytes(motif, op.sizeBytes, processes) / whole : 1;
    }
    if (const MotifCurve *curve = curveOf(motif.kind, {}, channel))
        return {curve, false, share};
    return isHalfOfAllReduce(motif.kind) ? Measured{curveOf(CollectiveKind::AllReduce, {}, channel), false, 0.5 * share}
                                         : Measured{};
}

double MotifCosts::launchSecondsOn(const Channel &channel) const {
    const MotifCurve *const whole = curves.empty() ? nullptr : curveOf(CollectiveKind::AllToAll, {}, channel);
    double lowest = infinity;
    for (const std::int32_t k : {2, 4, 8}) {
        std::vector<const MotifCurve *> splines;
        for (std::int32_t c = 0; c < k && whole; ++c)
            if (const MotifCurve *spline = curveOf(CollectiveKind::AllToAll, {c, k}, channel))
                splines.push_back(spline);
        if (!whole || splines.size() != static_cast<std::size_t>(k))
            continue;
        double bytes = whole->samples.front().sizeBytes, together = 0;
        for (const MotifCurve *spline : splines)
            bytes = std::max(bytes, spline->samples.front().sizeBytes);
        for (const MotifCurve *spline : splines)
            together += spline->secondsAt(bytes);
        const double wholeSeconds = whole->secondsAt(bytes);
        lowest = std::min(lowest, std::clamp((together - wholeSeconds) / (k - 1), 0.0, wholeSeconds));
    }
    return std::isfinite(lowest) ? lowest : launchSeconds;
}

double MotifCosts::launchSecondsOf(const Measured &measured, const Channel &channel) const {
    if (!measured.curve)
        return launchSecondsOn(channel);
    // A launch is in the whole's time, too, so it takes no longer than the smallest whole.
    return measured.isItself ? 0 : std::min(launchSecondsOn(channel), measured.curve->samples.front().seconds);
}

double MotifCosts::launchSecondsOf(const Motif &motif, const DagOp &op, std::int32_t processes, const Channel &channel) const {
    return launchSecondsOf(measuredOf(motif, op, processes, channel), channel);
}

bool MotifCosts::isMeasured(const Motif &motif, const DagOp &op, std::int32_t processes, const Channel &channel) const {
    return measuredOf(motif, op, processes, channel).curve != nullptr;
}

double MotifCosts::seconds(const Motif &motif, const DagOp &op, std::int32_t processes, const Channel &channel) const {
    if (op.isUneven()) // its groups stay inside nodes or fill them
        return slowestGroup(op, [&](const DagOp &each) { return groupSeconds(motif, each, processes, channel, true); });
    return groupSeconds(motif, op, processes, channel, false);
}

double MotifCosts::groupSeconds(const Motif &motif, const DagOp &op, std::int32_t processes, const Channel &channel,
                                bool liesEvenly) const {
    const Measured measured = measuredOf(motif, op, processes, channel);
    const double launch = launchSecondsOf(measured, channel);
    if (measured.curve) // with all of the launch, and a share of the rest
        return launch + (measured.curve->secondsAt(op.sizeBytes / motif.segment.of) - launch) * measured.share;
    const std::int32_t among = op.group.sizeAmong(processes), members = motif.group.sizeAmong(among);
    Motif whole = motif; // a whole motif of its group; `group` says where that lies among all processes
    whole.group = ProcessGroup{members, motif.group.shards(), 1};
    const ProcessGroup group{members, motif.group.stride * op.group.stride, motif.group.every * op.group.stride};
    const std::int32_t node = liesEvenly ? processesPerNode : evenNode(group, processesPerNode, processes);
    return launch + modelSeconds(whole, op, group, node, channel);
}

bool MotifCosts::isMeasured(CollectiveKind kind) const {
    return std::any_of(curves.begin(), curves.end(), [kind](const MotifCurve &curve) {
        return curve.kind == kind || (curve.kind == CollectiveKind::AllReduce && isHalfOfAllReduce(kind));
    });
}

void MotifCosts::takeMeasured(const MotifCosts &from) {
    curves = from.curves;
    slowdowns = from.slowdowns;
}

double MotifCosts::cutBoundSeconds(const DagOp &op, std::int32_t processes, const Channel &channel, Cut cut) const {
    if (op.isUneven())
        return slowestGroup(op, [&](const DagOp &each) { return cutBoundSeconds(each, processes, channel, cut); });
    // As if all nodes were as large as the largest: no cut of the real ones carries more.
    const ProcessGroup group{op.group.sizeAmong(processes), op.group.stride, 1};
    const Spread spread = spreadOf(group, group.size, std::max(processesPerNode, largestNode));
    const bool aroundNodes = cut == Cut::Node && spread.crosses();
    const double inside = aroundNodes ? spread.perNode : 1, nic = channel.bandwidthBytesPerSecond;
    const double cuts = std::ceil(spread.members / inside);
    double rate = inside * nic;
    // A group that is no larger than the largest node may lie across several.
    const bool leavesNode = spread.crosses() || largestNode > processesPerNode ||
                            spreadOf(group, group.size, evenNode(group, processesPerNode, processes)).crosses();
    if (!aroundNodes && spread.perNode > 1)
        rate = localRate(channel) + (leavesNode ? nic : 0);
    switch (*op.collective) {
    case CollectiveKind::AllToAll:
        return inside * op.sizeBytes * (spread.members - inside) / spread.members / rate;
    case CollectiveKind::AllReduce:
        return 2 * (cuts - 1) / cuts * op.sizeBytes / rate;
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::AllGather:
        return (cuts - 1) / cuts * op.sizeBytes / rate;
    case CollectiveKind::Permute:
        return op.sizeBytes * (aroundNodes ? leavingMembers(op.shift, spread) : 1) / rate;
    case CollectiveKind::Reduce:
    case CollectiveKind::Broadcast:
        break;
    }
    return op.sizeBytes / rate;
}

/// boundSeconds() of an op that keeps its kind.
double MotifCosts::measuredBoundSeconds(const DagOp &op, std::int32_t processes, const Channel &channel, Cut cut) const {
    const CollectiveKind kind = *op.collective;
    const double whole = sentBytes({kind}, op.sizeBytes, processes);
    double shortest = infinity;
    for (const MotifCurve &curve : curves)
        if (curve.kind == kind && curve.link == channel.links.front())
            if (const double sent = sentBytes({kind, {}, curve.spline, {}}, op.sizeBytes, processes); sent > 0)
                shortest = std::min(shortest, curve.segmentedSeconds(op.sizeBytes) * whole / sent);
    if (curveOf(kind, {}, channel))
        return shortest;
    const MotifCurve *const both =
        isHalfOfAllReduce(kind) ? curveOf(CollectiveKind::AllReduce, {}, channel) : nullptr; // stands for two
    return std::min(shortest, both ? both->segmentedSeconds(op.sizeBytes) / 2 : cutBoundSeconds(op, processes, channel, cut));
}

double MotifCosts::boundSeconds(const DagOp &op, std::int32_t processes, const Channel &channel, Cut cut) const {
    if (curves.empty() || op.membersAmong(processes) != processes)
        return cutBoundSeconds(op, processes, channel, cut);
    const auto as = [&](CollectiveKind kind) {
        DagOp other = op;
        other.collective = kind;
        return measuredBoundSeconds(other, processes, channel, cut);
    };
    if (op.collective != CollectiveKind::AllReduce)
        return as(*op.collective);
    // Of a ring, one channel may carry all reduce-scatters and another all all-gathers: each half counts as the cheaper one.
    return std::min(as(CollectiveKind::AllReduce),
                    2 * std::min(as(CollectiveKind::ReduceScatter), as(CollectiveKind::AllGather)));
}

MotifCosts modelledCosts(const Cluster &cluster, const std::vector<Channel> &channels) {
    MotifCosts costs;
    costs.launchSeconds = cluster.host.collectiveSeconds;
    std::int32_t perNode = 0;
    for (const std::int32_t n : cluster.trainingNodes()) {
        const std::int32_t count = cluster.nodes[asIndex(n)].replicaCount();
        perNode = std::gcd(perNode, count);
        costs.largestNode = std::max(costs.largestNode, count);
    }
    costs.processesPerNode = std::max(perNode, 1);
    if (costs.largestNode > 1)
        for (const Channel &channel : channels) {
            const std::string &link = channel.links.front();
            const auto lane = std::find_if(cluster.hostLanes.begin(), cluster.hostLanes.end(),
                                           [&](const HostLane &each) { return each.name == link && !each.isShared; });
            const double pcie =
                lane != cluster.hostLanes.end() ? lane->bytesPerSecond : Cluster{}.intraNodeBandwidthBytesPerSecond;
            costs.localRates.push_back({link, link == "pcie" ? pcie : cluster.intraNodeBandwidthBytesPerSecond});
        }
    return costs;
}

std::string unevenNodesNote(const MotifCosts &costs) {
    return fmt::format("Nodes have up to {} processes, and not all equally many: collectives take the time that they would on "
                       "nodes of {}, each with its share of the links; bounds are for nodes of {}.",
                       costs.largestNode, costs.processesPerNode, costs.largestNode);
}

} // namespace syncopate
