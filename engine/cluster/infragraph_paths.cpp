// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/infragraph_paths.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

namespace syncopate::infragraph {

namespace {

constexpr std::size_t exitRanks = 4;

/// How likely a machine reaches others through such a component: 0 = most.
std::size_t exitRank(ComponentKind kind) {
    switch (kind) {
    case ComponentKind::Nic:
    case ComponentKind::Port:
    case ComponentKind::Switch:
        return 0;
    case ComponentKind::Xpu:
        return 1;
    case ComponentKind::Cpu:
        return 2;
    default:
        return 3;
    }
}

/// Calls `visit` with machine and rank for each end of `edge` that is at a machine.
template <class Visit> void forMachineEnds(const Machines &machines, const InstanceLink &edge, Visit visit) {
    for (const Place &place : {edge.a, edge.b})
        if (const std::int32_t machine = machines.ofInstance[place.instance]; machine >= 0) {
            const auto &kinds = *machines.kinds.at(machines.list[static_cast<std::size_t>(machine)].device);
            visit(static_cast<std::size_t>(machine), exitRank(kinds[place.component]));
        }
}

/// Finds the switch with the worst oversubscription among the instances without accelerators.
void findBlocking(const Document &document, const Machines &machines, Exits &exits) {
    std::vector<double> down(machines.ofInstance.size(), 0), up(machines.ofInstance.size(), 0);
    const auto isMachine = [&](const Place &place) { return machines.ofInstance[place.instance] >= 0; };
    for (std::size_t e = 0; e < document.edges.size(); ++e) {
        const InstanceLink &edge = document.edges[e];
        const double rate = document.links[edge.link].bytesPerSecond;
        for (const auto &[here, there] : {std::pair(edge.a, edge.b), std::pair(edge.b, edge.a)})
            if (exits.counts[e] != 0 && !isMachine(here))
                (isMachine(there) ? down : up)[here.instance] += rate;
    }
    double worst = 1;
    for (std::size_t i = 0; i < down.size(); ++i)
        if (up[i] > 0 && down[i] / up[i] > worst) {
            worst = down[i] / up[i];
            exits.blocking = Exits::Blocking{static_cast<std::uint32_t>(i), down[i], up[i]};
        }
}

} // namespace

Exits exitsOf(const Document &document, const Machines &machines) {
    std::vector<std::size_t> best(machines.list.size(), exitRanks);
    for (const InstanceLink &edge : document.edges)
        forMachineEnds(machines, edge,
                       [&](std::size_t machine, std::size_t rank) { best[machine] = std::min(best[machine], rank); });
    Exits exits;
    exits.ofMachine.resize(machines.list.size());
    exits.counts.resize(document.edges.size(), 1);
    for (std::size_t e = 0; e < document.edges.size(); ++e) {
        forMachineEnds(machines, document.edges[e], [&](std::size_t machine, std::size_t rank) {
            if (rank != best[machine])
                exits.counts[e] = 0;
        });
        exits.leftOut += exits.counts[e] == 0 ? 1 : 0;
    }
    for (std::size_t e = 0; e < document.edges.size(); ++e) {
        if (exits.counts[e] == 0)
            continue;
        const double rate = document.links[document.edges[e].link].bytesPerSecond;
        bool isAtMachine = false;
        forMachineEnds(machines, document.edges[e], [&](std::size_t machine, std::size_t) {
            exits.ofMachine[machine].bytesPerSecond += rate;
            ++exits.ofMachine[machine].links;
            isAtMachine = true;
        });
        exits.links += isAtMachine ? 1 : 0;
        exits.stated += isAtMachine && rate > 0 ? 1 : 0;
    }
    findBlocking(document, machines, exits);
    return exits;
}

FarthestMachine farthestMachine(const Document &document, const Machines &machines, const Exits &exits) {
    // Ways are grouped by instance: those of i begin at firstOf[i].
    struct Way {
        std::uint32_t to = 0;
        double seconds = 0;
    };
    FarthestMachine far;
    const std::size_t count = machines.ofInstance.size();
    std::vector<std::size_t> firstOf(count + 1, 0);
    for (std::size_t e = 0; e < document.edges.size(); ++e)
        if (exits.counts[e] != 0)
            for (const Place &place : {document.edges[e].a, document.edges[e].b})
                ++firstOf[place.instance + 1];
    std::partial_sum(firstOf.begin(), firstOf.end(), firstOf.begin());
    std::vector<Way> ways(firstOf.back());
    std::vector<std::size_t> next(firstOf.begin(), firstOf.end() - 1);
    for (std::size_t e = 0; e < document.edges.size(); ++e)
        if (exits.counts[e] != 0) {
            const InstanceLink &edge = document.edges[e];
            const auto &latency = document.links[edge.link].latencySeconds;
            far.statesLatency |= latency.has_value();
            ways[next[edge.a.instance]++] = {edge.b.instance, latency.value_or(0)};
            ways[next[edge.b.instance]++] = {edge.a.instance, latency.value_or(0)};
        }
    // Dijkstra's algorithm.
    using Reached = std::pair<double, std::uint32_t>;
    std::vector<double> seconds(count, std::numeric_limits<double>::infinity());
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
    const auto reach = [&](std::uint32_t instance, double at) {
        if (at >= seconds[instance])
            return;
        seconds[instance] = at;
        open.emplace(at, instance);
    };
    reach(machines.list.front().instance, 0);
    while (!open.empty()) {
        const auto [at, instance] = open.top();
        open.pop();
        if (at == seconds[instance])
            for (std::size_t way = firstOf[instance]; way < firstOf[instance + 1]; ++way)
                reach(ways[way].to, at + ways[way].seconds);
    }
    for (const Machine &machine : machines.list)
        if (const double at = seconds[machine.instance]; at < std::numeric_limits<double>::infinity())
            far.seconds = std::max(far.seconds, at);
        else
            ++far.unreached;
    return far;
}

std::vector<std::int64_t> switchesOf(const Document &document, const Machines &machines, const Exits &exits) {
    constexpr std::int64_t none = -1, several = -2;
    std::vector<std::int64_t> switches(machines.list.size(), none);
    for (std::size_t e = 0; e < document.edges.size(); ++e) {
        const InstanceLink &edge = document.edges[e];
        for (const auto &[here, there] : {std::pair(edge.a, edge.b), std::pair(edge.b, edge.a)}) {
            const std::int32_t machine = machines.ofInstance[here.instance];
            if (exits.counts[e] == 0 || machine < 0)
                continue;
            std::int64_t &switchOfMachine = switches[static_cast<std::size_t>(machine)];
            const bool isSwitch = machines.ofInstance[there.instance] < 0;
            switchOfMachine =
                !isSwitch || (switchOfMachine != none && switchOfMachine != there.instance) ? several : there.instance;
        }
    }
    std::ranges::replace(switches, several, none);
    return switches;
}

} // namespace syncopate::infragraph
