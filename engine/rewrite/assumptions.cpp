// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/assumptions.h"

#include "engine/base/units.h"
#include "engine/plan/motif_costs.h"
#include "engine/rewrite/shape_units.h"
#include "engine/strategy/policy.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <string>
#include <vector>

namespace syncopate {

namespace {

void backgroundAssumptions(const Scenario &scenario, TaskGraph &graph) {
    if (scenario.background.empty())
        return;
    if (graph.capacityChanges.empty()) {
        graph.assumptions.emplace_back("Background traffic takes nothing: it is on no link that this strategy uses.");
        return;
    }
    std::set<LinkId> links;
    for (const CapacityChange &change : graph.capacityChanges)
        links.insert(change.link);
    graph.assumptions.push_back(fmt::format("Background traffic takes a share of {} of the {} links for a while, and the rest is "
                                            "shared; policies and measured collectives ignore it.",
                                            links.size(), graph.links.size()));
}

/// The traffic that shares a pair's connections, and the number that the system opens.
std::string connectionsText(const CommPolicy &policy) {
    std::string text;
    switch (policy.sharing) {
    case ConnectionSharing::Messages:
        text = "messages take turns on them, and a collective in flight has its own";
        break;
    case ConnectionSharing::All:
        text = "messages take turns on them, and collectives in flight have them together";
        break;
    case ConnectionSharing::None:
        text = "so has every message and every collective in flight for itself";
        break;
    }
    if (const std::string &opens = policy.kind().opens; !opens.empty())
        text += "; " + opens;
    return text;
}

void flowLimitAssumptions(const Scenario &scenario, std::vector<std::string> &notes) {
    const Cluster &cluster = *scenario.cluster;
    const auto text = [](double limit) { return std::isfinite(limit) ? formatBandwidth(limit) : std::string("any rate"); };
    const double inRack = cluster.connectionBytesPerSecond, across = cluster.acrossRacksBytesPerSecond.value_or(inRack);
    if (across != inRack)
        notes.push_back(fmt::format(
            "One connection carries at most {} between two nodes of a rack and {} between racks; each pair has {} in each "
            "direction, {}.",
            text(inRack), text(across), scenario.policy.connections, connectionsText(scenario.policy)));
    else if (std::isfinite(inRack))
        notes.push_back(
            fmt::format("One connection between two nodes carries at most {}, and each pair has {} in each direction, {}.",
                        text(inRack), scenario.policy.connections, connectionsText(scenario.policy)));
    if (std::isfinite(cluster.inNodeConnectionBytesPerSecond))
        notes.push_back(fmt::format("One connection between a worker and a server on its node carries at most {}.",
                                    text(cluster.inNodeConnectionBytesPerSecond)));
}

/// Notes on connections' limits and CPUs' costs; costs of 0 are mentioned where they would matter.
void hostAssumptions(const Scenario &scenario, const Placement &placement, std::vector<std::string> &notes) {
    const Cluster &cluster = *scenario.cluster;
    flowLimitAssumptions(scenario, notes);
    if (std::any_of(cluster.nodes.begin(), cluster.nodes.end(), [](const Node &node) { return node.nics > 1; }))
        notes.push_back(fmt::format("A connection uses one NIC at either end; the connections of two nodes take the NICs in "
                                    "turn, and each pair has {} in each direction.",
                                    scenario.policy.connections));
    const HostCosts &host = cluster.host;
    if (!placement.servers.empty() && scenario.job->updateSeconds > 0)
        notes.emplace_back("Workers take the time of the optimizer's update as measured, of served variables too.");
    if (!placement.servers.empty() && host.isFreeForServers())
        notes.emplace_back("The work of the servers' CPUs is free.");
    else if (host != HostCosts{})
        notes.push_back(fmt::format("CPUs take turns on {} thread{} of each worker and {} of each server: {} to send a message, "
                                    "{} to receive one, {} for each variable on a server, {} to launch a collective and {} more "
                                    "for each message of its steps, and the cluster's cost for each byte.",
                                    host.threads, host.threads == 1 ? "" : "s",
                                    disciplineOf(scenario.policy, trainingNodes(cluster)).serverThreads.value_or(host.threads),
                                    formatSeconds(host.sendSeconds), formatSeconds(host.receiveSeconds),
                                    formatSeconds(host.variableSeconds), formatSeconds(host.collectiveSeconds),
                                    formatSeconds(host.collectiveMessageSeconds)));
    if (cluster.burstBytes > 0)
        notes.push_back(fmt::format("Links are shaped by token buckets: {} of pushes and pulls pass at once after a pause.",
                                    formatBytes(cluster.burstBytes)));
    const auto slowed = [](const WorkerClass &w) { return w.communicationSlowdown > 1; };
    if (std::any_of(placement.workers.begin(), placement.workers.end(), slowed))
        notes.emplace_back("Compute is slower while its node communicates, by the factor that the cluster states.");
}

/// Host lanes, where bytes cross them.
void hostLaneAssumptions(const Scenario &scenario, const Placement &placement, std::vector<std::string> &notes) {
    const std::vector<HostLane> &lanes = scenario.cluster->hostLanes;
    const bool crossed =
        !placement.servers.empty() && std::any_of(placement.workers.begin(), placement.workers.end(), [&](const WorkerClass &w) {
            return w.replicas > 1 || std::any_of(placement.servers.begin(), placement.servers.end(),
                                                 [&](const ServerPlace &s) { return s.node == w.nodes.front(); });
        });
    if (lanes.empty() || !crossed)
        return;
    std::string names;
    for (const HostLane &lane : lanes)
        names +=
            fmt::format("{}{} ({}{}{})", names.empty() ? "" : ", ", lane.name, formatBandwidth(lane.bytesPerSecond),
                        lane.isShared ? " for all devices of a node" : " a device", lane.isDuplex ? "" : ", both ways together");
    notes.push_back(fmt::format("Devices and the host of their node exchange over {}.", names));
}

/// Collectives that take measured times, and sizes that were not measured.
void curveAssumptions(const Scenario &scenario, const RewriteContext &context, std::vector<std::string> &notes) {
    if (scenario.policy.form != CollectiveForm::Analytic)
        return;
    const std::int32_t replicas = context.placement.replicas;
    std::set<CollectiveKind> said;
    for (const CollectiveCurve &curve : context.curves) {
        const auto use = context.curveUses.find(curve.kind);
        if (curve.ranks != replicas || use == context.curveUses.end() || !said.insert(curve.kind).second)
            continue;
        std::string note = fmt::format("{} takes the time measured with {} ranks; it holds its channel, not the links.",
                                       nameOf(curve.kind), curve.ranks);
        if (curve.measuredTo > 0) {
            const auto [least, most] = use->second;
            if (most > curve.measuredTo * (1 + 1e-9))
                note += fmt::format(" Sizes up to {} go beyond the {} that were measured: its last slope goes on there.",
                                    formatBytes(most), formatBytes(curve.measuredTo));
            if (least < curve.measuredFrom * (1 - 1e-9))
                note += fmt::format(" Sizes down to {} are below the {} that were measured: its first segment goes on there.",
                                    formatBytes(least), formatBytes(curve.measuredFrom));
        }
        notes.push_back(std::move(note));
    }
    std::string others;
    for (const MeasuredCollective &measured : scenario.cluster->collectives)
        if (measured.ranks != replicas && !said.contains(measured.kind))
            others += fmt::format("{}{} with {} ranks", others.empty() ? "" : ", ", nameOf(measured.kind), measured.ranks);
    const bool anyCollective = std::any_of(context.units.begin(), context.units.end(),
                                           [](const SyncUnit &unit) { return unit.kind == SynchronizerKind::AllReduce; });
    if (!others.empty() && anyCollective)
        notes.push_back(
            fmt::format("The cluster's measured times ({}) are not used: here {} replicas take part.", others, replicas));
}

void paceAssumptions(const Pace &pace, TaskGraph &graph) {
    auto &notes = graph.assumptions;
    if (pace.inStep) {
        notes.push_back(unrolledNote(graph.iterations));
    } else {
        notes.push_back(
            fmt::format("Workers may drift apart: up to {} iterations are unrolled, the first {} left out; throughput "
                        "is samples over time while all workers are busy, and the iteration time is that of as many "
                        "samples as all replicas take in one step.",
                        *std::max_element(pace.iterations.begin(), pace.iterations.end()),
                        *std::max_element(pace.warmUp.begin(), pace.warmUp.end())));
        if (!pace.reachesSteady)
            notes.push_back(
                fmt::format("The staleness of {} is not reached in {} iterations: the figures are for the time before.",
                            pace.staleness, graph.iterations));
    }
}

} // namespace

std::string unrolledNote(std::int32_t iterations) { return fmt::format("{} iterations are unrolled.", iterations); }

void stateAssumptions(const Scenario &scenario, const RewriteContext &context, const Pace &pace, TaskGraph &graph) {
    const Cluster &cluster = *scenario.cluster;
    const Placement &placement = context.placement;
    auto &notes = graph.assumptions;
    paceAssumptions(pace, graph);
    const bool apart = std::any_of(graph.units.begin(), graph.units.end(), [](const SyncUnit &u) { return u.staleness > 0; });
    if (apart &&
        std::any_of(placement.workers.begin(), placement.workers.end(), [&](const WorkerClass &w) { return w.nodes.size() > 1; }))
        notes.emplace_back("Identical workers start together and, sharing links fairly, stay together: a lower bound of their "
                           "asynchronous throughput.");
    notes.emplace_back(graph.linkModel == LinkModel::Tcp
                           ? "Messages between nodes are segments of TCP connections, which wait at links first come, first "
                             "served; nothing is lost. Traffic inside nodes and analytic collectives share links max-min fairly "
                             "beside them. A node is one worker whose devices compute in step."
                           : "Links share bandwidth max-min fairly; a node is one worker whose devices compute in step.");
    notes.push_back(
        fmt::format("Links reach {:.3g} of their stated rate, collectives {:.3g} of that; {} latency and {} per message.",
                    cluster.linkEfficiency, cluster.collectiveEfficiency, formatSeconds(cluster.latencySeconds),
                    formatSeconds(cluster.messageSeconds)));
    if (std::any_of(graph.units.begin(), graph.units.end(), [](const SyncUnit &u) { return u.sparse && u.touchedShare < 1; }))
        notes.emplace_back(
            "Sparse gradients are the rows that the job states, with 8 bytes of index each; replicas touch different "
            "rows; collectives gather them.");
    if (std::any_of(graph.units.begin(), graph.units.end(), [](const SyncUnit &u) { return u.sparse && u.touchedShare >= 1; }))
        notes.emplace_back("Sparse gradients whose number of rows the job does not state count as all rows, with 8 bytes of "
                           "index each: an upper bound.");
    if (std::any_of(placement.workers.begin(), placement.workers.end(), [](const WorkerClass &w) { return w.nodes.size() > 1; }))
        notes.emplace_back("Identical nodes are folded: one is simulated for all of them, which is exact.");
    if (std::any_of(graph.units.begin(), graph.units.end(), [](const SyncUnit &u) { return u.wireBytes < u.sizeBytes; }))
        notes.push_back(scenario.job->compressionRatio > 0
                            ? fmt::format("Compressors send {:.3g} of the bytes.", scenario.job->compressionRatio)
                            : "Compressors halve float32 traffic (a cast to float16).");
    backgroundAssumptions(scenario, graph);
    if (const std::string &own = scenario.policy.kind().assumption; !own.empty())
        notes.push_back(own);
    const auto hasDevices = [](const WorkerClass &w) { return w.replicas > 1; };
    if (context.discipline.pullsOncePerNode && !placement.servers.empty() &&
        std::any_of(placement.workers.begin(), placement.workers.end(), hasDevices))
        notes.emplace_back("A machine pulls a value once and broadcasts it to its devices, whatever the strategy's proxies.");
    hostLaneAssumptions(scenario, placement, notes);
    hostAssumptions(scenario, placement, notes);
    if (!cluster.namedChannels.empty() && scenario.policy.form == CollectiveForm::Analytic)
        notes.emplace_back(
            "Collectives run on the cluster's named channels, on each as many at once as it states (one, if it states none), as "
            "fast as these state and apart from the nodes' NICs; each goes to the channel that would finish it first.");
    if (const MotifCosts costs = modelledCosts(cluster, {}); !cluster.namedChannels.empty() &&
                                                             scenario.policy.form == CollectiveForm::Analytic &&
                                                             costs.largestNode > costs.processesPerNode)
        notes.push_back(unevenNodesNote(costs));
    if (!placement.rankNodes.empty())
        notes.emplace_back("Collectives go from replica to replica in the order in which the strategy lists them.");
    curveAssumptions(scenario, context, notes);
}

} // namespace syncopate
