// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/remedies.h"

#include "engine/base/units.h"
#include "engine/strategy/policy.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

namespace syncopate {

namespace {

bool isTraffic(CauseKind kind) {
    return kind == CauseKind::Latency || kind == CauseKind::Transfer || kind == CauseKind::Sharing || kind == CauseKind::Host;
}

/// A copy of the run's scenario with one part replaced.
template <class Part> ScenarioChange with(const Run &run, std::shared_ptr<const Part> Scenario::*member, Part part) {
    ScenarioChange changed{run.scenario};
    changed.scenario.*member = std::make_shared<const Part>(std::move(part));
    return changed;
}

ScenarioChange withPolicy(const Run &run, const CommPolicy &policy) {
    ScenarioChange changed{run.scenario};
    changed.scenario.policy = policy;
    return changed;
}

/// Triggered by transfers or sharing on the critical path: doubles the link that delays it most.
void doubleLink(const Run &run, const CauseFinder &finder, const CauseChain &chain, std::vector<Remedy> &remedies) {
    std::vector<double> seconds(run.graph.links.size(), 0);
    for (const Cause &cause : chain.causes)
        if (cause.kind == CauseKind::Transfer || cause.kind == CauseKind::Sharing)
            if (const LinkId link = finder.slowestLink(cause.task); link.exists())
                seconds[link.index()] += cause.seconds();
    const auto worst = std::max_element(seconds.begin(), seconds.end());
    if (worst == seconds.end() || *worst <= 0)
        return;
    const FluidLink &link = run.graph.links[static_cast<std::size_t>(worst - seconds.begin())];
    Cluster cluster = *run.scenario.cluster;
    if (link.nodes.empty())
        return;
    if (link.hostLane >= 0) {
        HostLane &lane = cluster.hostLanes[static_cast<std::size_t>(link.hostLane)];
        lane.bytesPerSecond *= 2;
        Phrase text = phrase("Double the lane %1 of every node: %2", lane.name, formatBandwidth(lane.bytesPerSecond));
        remedies.push_back({RemedyKind::DoubleLink, std::move(text),
                            with(run, &Scenario::cluster, withoutStaleCurves(std::move(cluster), *run.scenario.cluster))});
        return;
    }
    if (link.isFabric) {
        cluster.intraNodeBandwidthBytesPerSecond *= 2;
        remedies.push_back({RemedyKind::DoubleLink, phrase("Double the bandwidth inside every node"),
                            with(run, &Scenario::cluster, withoutStaleCurves(std::move(cluster), *run.scenario.cluster))});
        return;
    }
    for (const std::int32_t node : link.nodes)
        cluster.nodes[static_cast<std::size_t>(node)].bandwidthBytesPerSecond *= 2;
    const Node &first = cluster.nodes[static_cast<std::size_t>(link.nodes.front())];
    const std::string rate = formatBandwidth(first.bandwidthBytesPerSecond);
    remedies.push_back({RemedyKind::DoubleLink,
                        link.nodes.size() == 1
                            ? phrase("Double the link of %1: %2", first.address, rate)
                            : phrase("Double the links of %1 nodes: %2", std::to_string(link.nodes.size()), rate),
                        with(run, &Scenario::cluster, withoutStaleCurves(std::move(cluster), *run.scenario.cluster))});
}

/// Triggered by a policy with choices: sets each as its knob says.
void choose(const Run &run, const PolicyParameter &parameter, std::vector<Remedy> &remedies) {
    for (const double value : parameter.knob->remedyValues) {
        CommPolicy policy = run.scenario.policy;
        if (policy.value(parameter.key) == value)
            continue;
        policy.set(parameter.key, value);
        remedies.push_back({RemedyKind::ResizeParts,
                            phrase("Set %1 to %2", parameter.key, parameter.words[static_cast<std::size_t>(value)]),
                            withPolicy(run, policy)});
    }
}

/// Triggered by a policy with sizes: scales each by its knob's factors, or limits one that is unlimited.
void resizeParts(const Run &run, std::vector<Remedy> &remedies) {
    const CommPolicy &given = run.scenario.policy;
    for (const PolicyParameter &parameter : given.kind().parameters) {
        if (parameter.knob)
            choose(run, parameter, remedies);
        const bool isWord = std::isfinite(parameter.meaning) && !parameter.words.empty() &&
                            given.value(parameter.key) == parameter.meaning; // "auto": a multiple of it means nothing
        if (!parameter.knob || parameter.knob->remedyFactors.empty() || isWord)
            continue;
        std::string what = parameter.knob->label;
        what.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(what.front())));
        const auto resize = [&](const char *pattern, double size) {
            CommPolicy policy = given;
            policy.set(parameter.key, std::max(1.0, std::round(size)));
            const double set = policy.value(parameter.key);
            remedies.push_back(
                {RemedyKind::ResizeParts,
                 phrase(pattern, Phrase{what},
                        parameter.unit == ParameterUnit::Elements ? phrase("%1 elements", fmt::format("{:.0f}", set))
                                                                  : named(formatBytes(set))),
                 withPolicy(run, policy)});
        };
        const double present = given.value(parameter.key);
        if (std::isinf(present))
            resize(translatable("Limit the %1: %2"), parameter.usual);
        else
            for (const double factor : parameter.knob->remedyFactors)
                if (present * factor >= 1) // else there is nothing to halve or double
                    resize(factor < 1 ? translatable("Halve the %1: %2") : translatable("Double the %1: %2"), present * factor);
    }
}

/// Triggered by a served variable on the critical path under a policy that leaves it where the strategy has it: moves the
/// costliest, or its costliest part, to the least loaded server.
void moveVariable(const Run &run, const CauseChain &chain, std::vector<Remedy> &remedies) {
    if (choosesServers(run.scenario.policy))
        return;
    const TaskGraph &graph = run.graph;
    struct Cost {
        double seconds = 0;
        std::size_t unit = 0; ///< the first
    };
    std::map<std::pair<std::int32_t, std::int32_t>, Cost> costs; // by variable and part; a policy cuts either into several units
    for (const Cause &cause : chain.causes) {
        const UnitId unit = cause.task.exists() && isTraffic(cause.kind) ? graph.unit[cause.task.index()] : UnitId();
        if (!unit.exists())
            continue;
        const SyncUnit &moved = graph.units[unit.index()];
        if (moved.kind != SynchronizerKind::ParameterServer || moved.variables.size() != 1)
            continue;
        Cost &cost = costs.try_emplace({moved.variables.front(), moved.part}, Cost{0, unit.index()}).first->second;
        cost.seconds += cause.seconds();
        cost.unit = std::min(cost.unit, unit.index());
    }
    const auto costliest = std::max_element(costs.begin(), costs.end(), [](const auto &a, const auto &b) {
        return a.second.seconds != b.second.seconds ? a.second.seconds < b.second.seconds : a.second.unit > b.second.unit;
    });
    if (costliest == costs.end())
        return;
    std::map<std::string, double> load; // bytes per reduction device
    for (const std::string &device : run.scenario.cluster->reductionDevices())
        load[device] = 0;
    for (const SyncUnit &unit : graph.units)
        if (unit.kind == SynchronizerKind::ParameterServer)
            load[unit.destination] += unit.wireBytes;
    const auto leastLoaded =
        std::min_element(load.begin(), load.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
    if (leastLoaded->first == graph.units[costliest->second.unit].destination)
        return;
    const auto &[variable, part] = costliest->first;
    Strategy strategy = *run.scenario.strategy;
    NodeConfig &config = strategy.nodes[static_cast<std::size_t>(variable)];
    const bool isPart = part >= 0 && config.isPartitioned();
    (isPart ? config.parts[static_cast<std::size_t>(part)].synchronizer : config.synchronizer).reductionDestination =
        leastLoaded->first;
    const std::string name = config.variableName + (isPart ? fmt::format(" part {}", part) : "");
    remedies.push_back({RemedyKind::MoveVariable, phrase("Move %1 to %2", name, leastLoaded->first),
                        with(run, &Scenario::strategy, std::move(strategy))});
}

/// Triggered by two or more all-reduce groups under a policy that keeps them: joins them in pairs.
void group(const Run &run, std::vector<Remedy> &remedies) {
    const Policy &policy = run.scenario.policy.kind();
    if (policy.fuse || !policy.joinsGroups) // it has rules of its own, or sends every variable by itself
        return;
    std::set<std::int32_t> groups;
    const auto collect = [&](const Synchronizer &s) {
        if (s.kind == SynchronizerKind::AllReduce)
            groups.insert(s.group);
    };
    for (const NodeConfig &config : run.scenario.strategy->nodes) {
        if (config.isPartitioned())
            for (const PartConfig &part : config.parts)
                collect(part.synchronizer);
        else
            collect(config.synchronizer);
    }
    if (groups.size() < 2)
        return;
    std::map<std::int32_t, std::int32_t> merged; // pairs of neighbours
    for (const std::int32_t g : groups)
        merged.emplace(g, static_cast<std::int32_t>(merged.size() / 2));
    Strategy strategy = *run.scenario.strategy;
    const auto move = [&](Synchronizer &s) {
        if (s.kind == SynchronizerKind::AllReduce)
            s.group = merged.at(s.group);
    };
    for (NodeConfig &config : strategy.nodes) {
        if (!config.isPartitioned())
            move(config.synchronizer);
        for (PartConfig &part : config.parts)
            move(part.synchronizer);
    }
    remedies.push_back(
        {RemedyKind::Group,
         phrase("Reduce in %1 groups instead of %2", std::to_string((groups.size() + 1) / 2), std::to_string(groups.size())),
         with(run, &Scenario::strategy, std::move(strategy))});
}

/// Triggered by a barrier, which is dropped, and by sending in order of readiness: ByteScheduler sends by priority.
void changePolicy(const Run &run, std::vector<Remedy> &remedies) {
    CommPolicy policy = run.scenario.policy;
    if (policy.barrier) {
        policy.barrier = false;
        remedies.push_back(
            {RemedyKind::DropBarrier, phrase("No barrier: layers wait for their own variables"), withPolicy(run, policy)});
    }
    if (sendsWhatIsReady(policy)) {
        CommPolicy priority(*findPolicy("bytescheduler"));
        priority.connections = policy.connections;
        priority.sharing = policy.sharing;
        priority.form = policy.form;
        priority.algorithm = policy.algorithm;
        remedies.push_back(
            {RemedyKind::Prioritise,
             phrase("ByteScheduler: partitions of %1, most urgent first", formatBytes(priority.value("partition"))),
             withPolicy(run, priority)});
    }
}

} // namespace

const char *nameOf(RemedyKind kind) {
    switch (kind) {
    case RemedyKind::DoubleLink:
        return "double_link";
    case RemedyKind::ResizeParts:
        return "resize_parts";
    case RemedyKind::MoveVariable:
        return "move_variable";
    case RemedyKind::Group:
        return "group";
    case RemedyKind::DropBarrier:
        return "drop_barrier";
    case RemedyKind::Prioritise:
        return "prioritise";
    case RemedyKind::Knob:
        return "knob";
    case RemedyKind::Builder:
        return "builder";
    case RemedyKind::TunedBuilder:
        return "tuned_builder";
    case RemedyKind::Policy:
        return "policy";
    case RemedyKind::Winner:
        return "search_winner";
    case RemedyKind::Planner:
        return "planner";
    case RemedyKind::Channel:
        return "channel";
    case RemedyKind::PlannedChannel:
        return "planned_channel";
    }
    return ""; // there is no other
}

bool hasTraffic(const CauseChain &chain) {
    return std::any_of(chain.causes.begin(), chain.causes.end(), [](const Cause &c) { return isTraffic(c.kind); });
}

std::vector<Remedy> proposeRemedies(const Run &run, const CauseFinder &finder, const CauseChain &chain) {
    std::vector<Remedy> remedies;
    if (!hasTraffic(chain))
        return remedies;
    moveVariable(run, chain, remedies);
    resizeParts(run, remedies);
    group(run, remedies);
    changePolicy(run, remedies);
    doubleLink(run, finder, chain, remedies);
    return remedies;
}

} // namespace syncopate
