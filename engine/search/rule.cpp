// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/rule.h"

#include "engine/base/units.h"
#include "engine/search/candidate.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace syncopate {

namespace {

std::size_t placeIn(const std::vector<double> &bounds, double value) {
    return static_cast<std::size_t>(std::upper_bound(bounds.begin(), bounds.end(), value) - bounds.begin());
}

/// The dimension along which a variable is cut, -1 where it cannot be.
std::int32_t axisOf(const Variable &variable) {
    if (variable.controlFlow)
        return -1;
    for (std::size_t axis = 0; axis < variable.shape.size() && (axis == 0 || !variable.sparse); ++axis)
        if (variable.shape[axis] > 1)
            return static_cast<std::int32_t>(axis);
    return -1;
}

NodeConfig configure(const Variable &variable, const RuleCell &cell) {
    NodeConfig node;
    node.variableName = variable.name;
    Synchronizer synchronizer;
    const bool served = cell.served || variable.sparse;
    synchronizer.kind = served ? SynchronizerKind::ParameterServer : SynchronizerKind::AllReduce;
    synchronizer.localReplication = served && cell.proxy && !variable.sparse;
    if (!served)
        synchronizer.spec = AllReduceSpec::Nccl;
    const std::int32_t axis = axisOf(variable);
    const double wanted = cell.partBytes > 0 ? std::ceil(static_cast<double>(variable.sizeBytes()) / cell.partBytes) : 1;
    const std::int64_t parts =
        axis < 0 ? 1
                 : static_cast<std::int64_t>(std::min({wanted, static_cast<double>(maxRuleParts),
                                                       static_cast<double>(variable.shape[static_cast<std::size_t>(axis)])}));
    if (parts < 2) {
        node.synchronizer = synchronizer;
        return node;
    }
    node.partitions.assign(variable.shape.size(), 1);
    node.partitions[static_cast<std::size_t>(axis)] = static_cast<std::int32_t>(parts);
    for (std::int64_t p = 0; p < parts; ++p)
        node.parts.push_back({partName(variable.name, p), synchronizer});
    return node;
}

struct Shard {
    Synchronizer *synchronizer;
    double bytes;
};

/// Largest first, each to the server with the fewest bytes.
void place(std::vector<Shard> &shards, const std::vector<std::string> &devices, std::size_t servers) {
    std::stable_sort(shards.begin(), shards.end(), [](const Shard &a, const Shard &b) { return a.bytes > b.bytes; });
    std::vector<double> load(std::clamp<std::size_t>(servers, 1, devices.size()), 0);
    for (const Shard &shard : shards) {
        const auto emptiest = std::min_element(load.begin(), load.end());
        *emptiest += shard.bytes;
        shard.synchronizer->reductionDestination = devices[static_cast<std::size_t>(emptiest - load.begin())];
    }
}

/// Shards in the order of layers.
void join(const std::vector<Shard> &shards, double groupBytes) {
    std::int32_t group = -1;
    double room = 0;
    for (const Shard &shard : shards) {
        if (group < 0 || shard.bytes > room) {
            ++group;
            room = groupBytes;
        }
        room -= shard.bytes;
        shard.synchronizer->group = group;
    }
}

std::string describe(const RuleCell &cell) {
    std::string text = cell.served ? (cell.proxy ? "served, with a copy on each node" : "served") : "all-reduced";
    if (cell.partBytes > 0)
        text += ", in parts of " + formatBytes(cell.partBytes);
    return text;
}

} // namespace

const RuleCell &Rule::cellOf(double layerShare, double sizeBytes) const {
    return cells[placeIn(layerBounds, layerShare)][placeIn(sizeBounds, sizeBytes)];
}

Strategy strategyOf(const Rule &rule, const Job &job, const Cluster &cluster) {
    Strategy strategy;
    strategy.replicas = cluster.replicaDevices();
    strategy.nodes.resize(job.variables.size());
    std::vector<std::size_t> order; // of variables, by layer
    for (std::size_t l = 0; l < job.layers.size(); ++l)
        for (const std::int32_t v : job.layers[l].variables) {
            const auto index = static_cast<std::size_t>(v);
            const Variable &variable = job.variables[index];
            const double share = static_cast<double>(l) / static_cast<double>(job.layers.size());
            if (strategy.nodes[index].variableName.empty()) // shared by layers: the first one's
                order.push_back(index);
            else
                continue;
            strategy.nodes[index] = configure(variable, rule.cellOf(share, static_cast<double>(variable.sizeBytes())));
        }
    std::vector<Shard> served, reduced;
    for (const std::size_t v : order) {
        NodeConfig &node = strategy.nodes[v];
        const auto add = [&](Synchronizer &synchronizer, double bytes) {
            (synchronizer.kind == SynchronizerKind::ParameterServer ? served : reduced).push_back({&synchronizer, bytes});
        };
        const auto parts = static_cast<std::int64_t>(node.parts.size());
        if (parts == 0)
            add(node.synchronizer, static_cast<double>(job.variables[v].sizeBytes()));
        for (std::int64_t p = 0; p < parts; ++p)
            add(node.parts[static_cast<std::size_t>(p)].synchronizer,
                partBytes(job.variables[v], node.partitionAxis(), p, parts));
    }
    place(served, cluster.reductionDevices(), rule.servers);
    join(reduced, rule.groupBytes);
    return strategy;
}

std::string describe(const Rule &rule) {
    std::string text;
    for (std::size_t s = 0; s <= rule.layerBounds.size(); ++s)
        for (std::size_t c = 0; c <= rule.sizeBounds.size(); ++c) {
            std::string where;
            if (!rule.layerBounds.empty())
                where = s < rule.layerBounds.size() ? fmt::format("layers up to {:.0f} %", 100 * rule.layerBounds[s])
                                                    : std::string("later layers");
            if (!rule.sizeBounds.empty())
                where += std::string(where.empty() ? "" : ", ") +
                         (c < rule.sizeBounds.size() ? "below " + formatBytes(rule.sizeBounds[c]) : std::string("larger"));
            text += (text.empty() ? "" : "; ") + (where.empty() ? "all" : where) + ": " + describe(rule.cells[s][c]);
        }
    text += rule.groupBytes > 0 ? "; groups of up to " + formatBytes(rule.groupBytes) : std::string("; no groups");
    return text + fmt::format("; {} server{}", rule.servers, rule.servers == 1 ? "" : "s");
}

} // namespace syncopate
