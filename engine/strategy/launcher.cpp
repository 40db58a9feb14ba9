// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/launcher.h"

#include "engine/strategy/policy.h"
#include "engine/strategy/variable_parts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace syncopate {

const std::vector<const Launcher *> &launchers() {
    static const std::vector<const Launcher *> list = [] {
        std::vector<const Launcher *> found;
        for (const Policy *policy : policies())
            for (const Launcher *launcher : policy->launchers)
                if (std::find(found.begin(), found.end(), launcher) == found.end())
                    found.push_back(launcher);
        return found;
    }();
    return list;
}

const Launcher *findLauncher(std::string_view format) {
    const auto &all = launchers();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Launcher *launcher) { return launcher->format == format; });
    return found == all.end() ? nullptr : *found;
}

Result<VariableWay> commonWay(const Strategy &strategy, const std::string &system) {
    std::optional<VariableWay> way;
    for (const NodeConfig &node : strategy.nodes) {
        if (node.isPartitioned())
            return fail(fmt::format("the strategy splits variable '{}' into {} parts, which {} has no setting for",
                                    node.variableName, node.parts.size(), system),
                        "choose a builder that leaves variables whole, or export to AutoDist");
        const Synchronizer &s = node.synchronizer;
        if (s.kind == SynchronizerKind::AllReduce && s.reduction != Reduction::AllReduce)
            return fail(fmt::format("variable '{}' is reduced by two collectives, which {} has no setting for", node.variableName,
                                    system),
                        "let it be all-reduced");
        const VariableWay own{s.kind, s.kind == SynchronizerKind::AllReduce || s.sync,
                              s.kind == SynchronizerKind::AllReduce ? s.compressor
                                                                    : Compressor::None}; // a served one's is not used
        if (!way)
            way = own;
        if (s.kind != way->kind)
            return fail(fmt::format("some variables are all-reduced and others, such as '{}', are not: {} does the same with all",
                                    node.variableName, system),
                        "choose PS or AllReduce for all variables, or export to AutoDist");
        if (own.sync != way->sync || own.compressor != way->compressor)
            return fail(fmt::format("variable '{}' differs from others in synchrony or compressor: {} does the same with all",
                                    node.variableName, system),
                        "choose one way for all variables, or export to AutoDist");
        if (s.kind == SynchronizerKind::ParameterServer && s.staleness > 0)
            return fail(fmt::format("variable '{}' has a staleness of {}, which {} does not bound", node.variableName,
                                    s.staleness, system),
                        "choose staleness 0, or export to AutoDist");
    }
    if (!way)
        return fail("the strategy has no variables", "choose a strategy of this job");
    return *way;
}

Result<void> needAllReduce(const VariableWay &way, const std::string &system) {
    if (way.kind == SynchronizerKind::AllReduce)
        return {};
    return fail(fmt::format("the strategy uses parameter servers, and {} only all-reduces", system),
                "choose an AllReduce strategy, or export to BytePS, ByteScheduler or AutoDist");
}

Result<void> refuseErrorFeedback(Compressor compressor, const std::string &system) {
    if (compressor != Compressor::HorovodEF)
        return {};
    return fail(fmt::format("{} has no float16 compressor with error feedback (HorovodCompressorEF)", system),
                "choose HorovodCompressor or none");
}

Result<std::int64_t> roundToUnits(CommPolicy &policy, std::string_view key, double unit, const char *unitName) {
    const double bytes = policy.value(key), units = std::round(bytes / unit);
    if (!(units >= 1))
        return fail(fmt::format("the {} of {:.15g} bytes is too small to be said in {}", key, bytes, unitName),
                    fmt::format("choose {:.15g} bytes or more", unit));
    if (!(units < 9e15))
        return fail(fmt::format("the {} of {:.15g} bytes is too large to be said in {}", key, bytes, unitName),
                    "choose fewer bytes");
    policy.set(key, units * unit);
    return static_cast<std::int64_t>(units);
}

Result<std::int64_t> roundPartition(CommPolicy &policy, double unit, const char *unitName) {
    const std::string_view partition = *policy.keyOfKnob(partitionKnob().id);
    const auto credit = policy.keyOfKnob(creditKnob().id);
    const double inPartitions = credit ? policy.value(*credit) / policy.value(partition) : 1;
    const std::int64_t units = TRY(roundToUnits(policy, partition, unit, unitName));
    if (credit)
        policy.set(*credit, inPartitions * policy.value(partition));
    return units;
}

Machines machinesOf(const Cluster &cluster, const Strategy &strategy) {
    Machines machines;
    for (const std::int32_t n : cluster.trainingNodes()) {
        ++machines.workers;
        machines.maxReplicas = std::max(machines.maxReplicas, cluster.nodes[static_cast<std::size_t>(n)].replicaCount());
    }
    std::set<std::int32_t> servers;
    for (const NodeConfig &node : strategy.nodes)
        servers.insert(cluster.nodeOf(node.synchronizer.reductionDestination));
    machines.servers = servers.size();
    return machines;
}

std::string countAssignments(const Machines &machines) {
    return fmt::format("DMLC_NUM_WORKER={}\nDMLC_NUM_SERVER={}\n", machines.workers, machines.servers);
}

std::string settingsComment(const std::string &text) {
    // Names come from files: text after a line break must not become a setting.
    std::string line = "# ";
    for (const char c : text)
        line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    return line + '\n';
}

std::string settingsHeading(const LauncherRequest &request, const CommPolicy &written, const std::string &system,
                            const std::string &use) {
    return settingsComment(fmt::format("{} settings, written by Syncopate.", system)) +
           settingsComment(fmt::format("Job {} on cluster {}, simulated with {}.", request.job.name, request.cluster.name,
                                       formatPolicy(request.policy))) +
           (written == request.policy
                ? std::string()
                : settingsComment(fmt::format("Rounded to values that {} reads: {}.", system, formatPolicy(written)))) +
           settingsComment(use) +
           (request.policy.connections == request.policy.kind().connections
                ? std::string()
                : settingsComment(fmt::format("{} connections between two nodes are simulated; they are a setting of {}'s "
                                              "transport (NCCL: NCCL_SOCKET_NTHREADS times NCCL_NSOCKS_PERTHREAD).",
                                              request.policy.connections, system))) +
           (request.policy.sharing == request.policy.kind().sharing
                ? std::string()
                : settingsComment(fmt::format("What shares the connections (sharing={}) is a setting of {}'s transport, too.",
                                              nameOf(request.policy.sharing), system)));
}

std::string compressorComment(Compressor compressor, const char *call) {
    if (compressor == Compressor::None)
        return {};
    return settingsComment(
        fmt::format("The strategy sends gradients as float16, which no environment variable can set: {}", call));
}

} // namespace syncopate
