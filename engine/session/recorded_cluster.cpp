// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/recorded_cluster.h"

#include "engine/base/text.h"
#include "engine/base/units.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <vector>

namespace syncopate {

namespace {

constexpr std::int64_t maxRanks = 1 << 16;       ///< a damaged header may state anything
constexpr double minBytes = 1 << 20;             ///< of collectives that show a rate rather than a latency
constexpr double assumedGbits = 25;              ///< of a link, if no collective shows it
constexpr double assumedLatency = 30e-6;         ///< seconds, typical of Ethernet
constexpr double slowest = 0.01, fastest = 8000; ///< Gbit/s; anything else is an error of clocks

/// The rate of the links that recorded gradient all-reduces show.
struct BusRate {
    std::size_t collectives = 0; ///< of at least minBytes and with a duration
    double gbits = 0;            ///< per link of a ring; 0 where there are no such collectives
    [[nodiscard]] bool isPlausible() const { return gbits >= slowest && gbits <= fastest; }
};

/// The 90th percentile of the all-reduces' rates, since single durations may have been cut off.
BusRate busRateOf(const ImportedProfile &profile) {
    const auto ranks = static_cast<double>(profile.platform.ranks);
    std::vector<double> rates;
    for (const GradientCollective &gradient : profile.gradients) {
        const double bytes = static_cast<double>(gradient.elements) * static_cast<double>(sizeOf(gradient.dtype));
        if (bytes >= minBytes && gradient.durationSeconds > 0)
            rates.push_back(gbitsFromBytesPerSecond(2 * (ranks - 1) / ranks * bytes / gradient.durationSeconds));
    }
    if (rates.empty())
        return {};
    const auto at = rates.begin() + static_cast<std::ptrdiff_t>(0.9 * static_cast<double>(rates.size() - 1));
    std::nth_element(rates.begin(), at, rates.end());
    return {rates.size(), *at};
}

std::int64_t devicesOfNode(const RecordedPlatform &platform) {
    return std::clamp<std::int64_t>(platform.devicesOfNode, 1, platform.ranks);
}

std::int64_t nodesOf(const RecordedPlatform &platform) {
    const std::int64_t each = devicesOfNode(platform);
    return (platform.ranks + each - 1) / each;
}

/// For example "8 Tesla V100".
std::string devicesText(const RecordedPlatform &platform, std::int64_t count) {
    return platform.device.empty() ? counted(count, "device") : fmt::format("{} {}", count, platform.device);
}

/// ", nccl", or empty.
std::string backendText(const RecordedPlatform &platform) {
    return platform.backend.empty() ? std::string() : ", " + platform.backend;
}

/// The profile's own statement: "8 ranks, 4 Tesla V100 on the node of the recorded process, nccl."
std::string recordedText(const RecordedPlatform &platform) {
    const std::string ranks = counted(platform.ranks, "rank"), backend = backendText(platform);
    if (platform.devicesOfNode == 0)
        return fmt::format("{} without accelerators{}.", ranks, backend);
    return fmt::format("{}, {} on the node of the recorded process{}.", ranks, devicesText(platform, platform.devicesOfNode),
                       backend);
}

/// The machines that follow from it: "8 ranks on 2 nodes with 4 Tesla V100 each, nccl"; of 6 ranks, "with up to 4".
std::string summary(const RecordedPlatform &platform) {
    const std::string ranks = counted(platform.ranks, "rank"), nodes = counted(nodesOf(platform), "node"),
                      devices = devicesText(platform, devicesOfNode(platform)), backend = backendText(platform);
    if (platform.devicesOfNode == 0)
        return fmt::format("{} on {} without accelerators{}", ranks, nodes, backend);
    if (nodesOf(platform) > 1)
        return platform.ranks % devicesOfNode(platform) == 0
                   ? fmt::format("{} on {} with {} each{}", ranks, nodes, devices, backend)
                   : fmt::format("{} on {} with up to {} each{}", ranks, nodes, devices, backend);
    return platform.backend.empty() ? fmt::format("{} on {} with {}", ranks, nodes, devices)
                                    : fmt::format("{} on {} with {}, {}", ranks, nodes, devices, platform.backend);
}

struct RecordedMachines {
    Cluster cluster;
    std::vector<MachineNote> notes;
};

constexpr const char *insideNodes = "inside nodes";
constexpr const char *betweenNodes = "between nodes";

/// The note on links whose rate is assumed. `bus`: the implausible rate that collectives show of them, if there are any.
MachineNote assumedRate(double gbits, const char *where, const BusRate &bus) {
    if (bus.collectives == 0)
        return {Obtained::Assumed, fmt::format("{:.3g} Gbit/s {}, as no recorded collective shows it.", gbits, where)};
    return {Obtained::Assumed, fmt::format("{:.3g} Gbit/s {}, as the recorded gradient all-reduces show {:.3g} Gbit/s, which "
                                           "is no plausible rate.",
                                           gbits, where, bus.gbits)};
}

/// Gives the links between nodes the rate that the collectives show, since the slowest links of a ring decide; where there is
/// only one node, those inside it. Other links keep an assumed rate. Notes where each rate that matters is from.
void giveLinks(const ImportedProfile &profile, RecordedMachines &machines) {
    Cluster &cluster = machines.cluster;
    const BusRate bus = busRateOf(profile);
    const bool oneNode = cluster.nodes.size() == 1;
    for (Node &node : cluster.nodes)
        node.bandwidthBytesPerSecond = bytesPerSecondFromGbits(!oneNode && bus.isPlausible() ? bus.gbits : assumedGbits);
    if (oneNode && bus.isPlausible())
        cluster.intraNodeBandwidthBytesPerSecond = bytesPerSecondFromGbits(bus.gbits);
    if (bus.isPlausible())
        machines.notes.push_back(
            {Obtained::Inferred, fmt::format("links {} carry {:.3g} Gbit/s, as the fast ones of {} recorded gradient "
                                             "all-reduces did (a ring's bus bandwidth; waiting in them makes it a lower bound).",
                                             oneNode ? insideNodes : betweenNodes, bus.gbits, bus.collectives)});
    else if (!oneNode)
        machines.notes.push_back(assumedRate(assumedGbits, betweenNodes, bus));
    if (devicesOfNode(profile.platform) > 1 && !(oneNode && bus.isPlausible()))
        machines.notes.push_back(assumedRate(gbitsFromBytesPerSecond(cluster.intraNodeBandwidthBytesPerSecond), insideNodes,
                                             oneNode ? bus : BusRate()));
    machines.notes.push_back({Obtained::Assumed, fmt::format("{:g} microseconds of one-way latency, and the nodes' addresses.",
                                                             assumedLatency * 1e6)});
}

Result<RecordedMachines> recordedMachines(const ImportedProfile &profile) {
    const RecordedPlatform &platform = profile.platform;
    if (platform.ranks <= 0 || platform.ranks > maxRanks)
        return fail("the profile does not say how many ranks trained together", "choose a cluster", profile.file);
    const std::int64_t each = devicesOfNode(platform), nodes = nodesOf(platform);
    RecordedMachines machines{uniformCluster(static_cast<std::int32_t>(nodes), assumedGbits), {}};
    machines.cluster.name = recordedClusterName;
    machines.cluster.latencySeconds = assumedLatency;
    std::int64_t left = platform.ranks;
    for (Node &node : machines.cluster.nodes) {
        node.gpus.resize(platform.devicesOfNode > 0 ? static_cast<std::size_t>(std::min(each, left)) : 0);
        std::iota(node.gpus.begin(), node.gpus.end(), 0);
        node.device = platform.device;
        left -= each;
    }
    machines.notes = {{Obtained::Read, recordedText(platform)}};
    if (platform.ranks > 1)
        machines.notes.push_back(
            {Obtained::Assumed, platform.devicesOfNode > 0
                                    ? fmt::format("{}, as every device that the recorded process saw on its node holds a rank.",
                                                  counted(nodes, "node"))
                                    : fmt::format("{}, as every rank has a node of its own.", counted(nodes, "node"))});
    giveLinks(profile, machines);
    return machines;
}

} // namespace

std::string MachineNote::sentence() const {
    switch (how) {
    case Obtained::Read:
        return "Read: " + text;
    case Obtained::Inferred:
        return "Inferred: " + text;
    case Obtained::Assumed:
        break;
    }
    return "Assumed: " + text;
}

Result<std::vector<MachineNote>> notesOnMachines(const ImportedProfile &profile) {
    auto machines = TRY(recordedMachines(profile));
    return std::move(machines.notes);
}

Result<Cluster> recordedCluster(const ImportedProfile &profile) {
    auto machines = TRY(recordedMachines(profile));
    machines.cluster.notes.clear();
    for (const MachineNote &note : machines.notes)
        machines.cluster.notes.push_back(note.sentence());
    return std::move(machines.cluster);
}

std::string clusterRemark(const SessionState &state) {
    if (!state.profile)
        return {};
    const RecordedPlatform &platform = state.profile->platform;
    const auto recorded = recordedCluster(*state.profile);
    if (!recorded)
        return fmt::format(
            "The profile does not say which machines it was recorded on: it is simulated on cluster {}. Choose the "
            "cluster that it belongs to.",
            clusterTitle(state.clusterSource));
    if (state.clusterSource != recordedClusterName)
        return fmt::format(
            "The profile was recorded on {}, and is simulated on cluster {}, which was chosen before. Cluster “{}” is "
            "the profile's own.",
            summary(platform), clusterTitle(state.clusterSource), recordedClusterName);
    return fmt::format("Simulated on the machines of the profile: {}.{}", summary(platform),
                       platform.ranks == 1 ? " One rank synchronises with no other: add workers, or choose a cluster." : "");
}

} // namespace syncopate
