// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/rule.h"

#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/search/candidate.h"
#include "engine/strategy/part_counts.h"
#include "engine/strategy/variable_parts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <optional>

namespace syncopate {

namespace {

std::size_t placeIn(const std::vector<double> &bounds, double value) {
    return static_cast<std::size_t>(std::upper_bound(bounds.begin(), bounds.end(), value) - bounds.begin());
}

/// How a variable is split: its axis and number of parts.
struct Division {
    std::size_t axis = 0;
    std::int64_t parts = 1;
};

/// Splits into `wanted` parts along the first axis with enough rows, or else along the one with most rows.
Division divide(const Variable &variable, double wanted) {
    Division division;
    std::int64_t rows = 1;
    if (variable.controlFlow || !(wanted > 1))
        return division;
    for (std::size_t axis = 0; axis < variable.shape.size() && (axis == 0 || !variable.sparse); ++axis)
        if (variable.shape[axis] > rows && static_cast<double>(rows) < wanted) {
            rows = variable.shape[axis];
            division.axis = axis;
        }
    division.parts = static_cast<std::int64_t>(std::min({wanted, static_cast<double>(maxRuleParts), static_cast<double>(rows)}));
    return division;
}

struct RuleShard {
    Synchronizer *synchronizer;
    double bytes;
    double groupBytes;
    std::size_t variable;
};

class RuleBuilder {
public:
    RuleBuilder(const Rule &rule, const std::vector<VariableChange> &changes, const Job &job, const Cluster &cluster)
        : m_rule(rule), m_job(job), m_cluster(cluster), m_devices(cluster.reductionDevices()),
          m_servers(std::clamp<std::size_t>(rule.servers, 1, m_devices.size())), m_changes(job.variables.size(), nullptr) {
        for (const VariableChange &change : changes)
            if (change.variable < m_changes.size())
                m_changes[change.variable] = &change;
        for (const auto &row : rule.cells)
            for (const RuleCell &cell : row)
                if (cell.cut == RuleCut::RandomAxis && m_axes.empty())
                    m_axes = randomAxes(job, 0);
    }

    Strategy run() {
        m_strategy.replicas = m_cluster.replicaDevices();
        m_strategy.nodes.resize(m_job.variables.size());
        std::vector<std::size_t> byLayer;
        std::vector<double> groupBytes(m_job.variables.size(), 0);
        for (std::size_t l = 0; l < m_job.layers.size(); ++l)
            for (const std::int32_t v : m_job.layers[l].variables) {
                const auto index = static_cast<std::size_t>(v);
                if (!m_strategy.nodes[index].variableName.empty()) // of another layer, too: only where a job is not valid
                    continue;
                const RuleCell &cell = cellOf(index, l);
                m_strategy.nodes[index] = configure(index, cell);
                groupBytes[index] = cell.groupBytes;
                byLayer.push_back(index);
            }
        std::vector<std::size_t> byIndex(m_job.variables.size());
        std::iota(byIndex.begin(), byIndex.end(), std::size_t{0});
        if (m_rule.placement == RulePlacement::InOrder)
            placeInOrder();
        else
            placeLargestFirst(shardsOf(byLayer, groupBytes, SynchronizerKind::ParameterServer));
        if (m_rule.groupCount > 0)
            joinByCount();
        else
            joinBySize(shardsOf(byLayer, groupBytes, SynchronizerKind::AllReduce));
        return std::move(m_strategy);
    }

    /// Without server and group; the default where no layer has the variable.
    NodeConfig nodeOf(std::size_t variable) const {
        for (std::size_t l = 0; l < m_job.layers.size(); ++l)
            for (const std::int32_t v : m_job.layers[l].variables)
                if (static_cast<std::size_t>(v) == variable)
                    return configure(variable, cellOf(variable, l));
        return {};
    }

private:
    /// The cell of a variable whose first layer is `layer`.
    const RuleCell &cellOf(std::size_t variable, std::size_t layer) const {
        const double share = static_cast<double>(layer) / static_cast<double>(m_job.layers.size());
        return m_rule.cellOf(share, static_cast<double>(m_job.variables[variable].sizeBytes()));
    }

    Division divisionOf(std::size_t v, const RuleCell &cell, bool served) const {
        const Variable &variable = m_job.variables[v];
        if (m_changes[v] != nullptr)
            return divide(variable, m_changes[v]->parts);
        const auto bounded = [](std::int64_t parts) { return std::min(parts, maxRuleParts); };
        const std::int64_t rows = variable.shape.empty() || (served && variable.controlFlow) ? 1 : variable.shape.front();
        switch (cell.cut) {
        case RuleCut::Size:
            return divide(variable,
                          cell.partBytes > 0 ? std::ceil(static_cast<double>(variable.sizeBytes()) / cell.partBytes) : 1);
        case RuleCut::Divisor:
            return {0, bounded(smallestDivisor(rows, maxRuleParts))};
        case RuleCut::Uneven:
            return {0, bounded(smallestNonDivisor(rows))};
        case RuleCut::RandomAxis: {
            const auto axis = static_cast<std::size_t>(std::max(m_axes[v], 0));
            return {axis, m_axes[v] < 0 ? 1 : bounded(smallestDivisor(variable.shape[axis], maxRuleParts))};
        }
        }
        return {};
    }

    NodeConfig configure(std::size_t v, const RuleCell &cell) const {
        const Variable &variable = m_job.variables[v];
        const VariableChange *change = m_changes[v];
        const bool served = change != nullptr ? change->served : cell.served || (variable.sparse && m_rule.sparseServed);
        NodeConfig node;
        node.variableName = variable.name;
        Synchronizer synchronizer;
        synchronizer.kind = served ? SynchronizerKind::ParameterServer : SynchronizerKind::AllReduce;
        synchronizer.localReplication = served && !variable.sparse && (change != nullptr ? change->proxy : cell.proxy);
        if (!served) {
            synchronizer.spec = AllReduceSpec::Nccl;
            synchronizer.reduction = variable.sparse ? Reduction::AllReduce : cell.reduction;
        }
        const Division division = divisionOf(v, cell, served);
        if (division.parts < 2) {
            node.synchronizer = synchronizer;
            return node;
        }
        node.partitions.assign(variable.shape.size(), 1);
        node.partitions[division.axis] = static_cast<std::int32_t>(division.parts);
        node.parts.reserve(static_cast<std::size_t>(division.parts));
        for (std::int64_t p = 0; p < division.parts; ++p)
            node.parts.push_back({partName(variable.name, p), synchronizer});
        return node;
    }

    std::vector<RuleShard> shardsOf(const std::vector<std::size_t> &order, const std::vector<double> &groupBytes,
                                    SynchronizerKind kind) {
        std::vector<RuleShard> shards;
        for (const std::size_t v : order)
            forEachShard(m_strategy.nodes[v], m_job.variables[v], [&](Synchronizer &synchronizer, double bytes) {
                if (synchronizer.kind == kind)
                    shards.push_back({&synchronizer, bytes, groupBytes[v], v});
            });
        return shards;
    }

    /// The server that a change assigns to a variable.
    std::optional<std::size_t> fixedServer(std::size_t v) const {
        const VariableChange *change = m_changes[v];
        if (change == nullptr || change->server < 0)
            return std::nullopt;
        return static_cast<std::size_t>(change->server) % m_devices.size();
    }

    void placeLargestFirst(std::vector<RuleShard> shards) {
        std::stable_sort(shards.begin(), shards.end(), [](const RuleShard &a, const RuleShard &b) { return a.bytes > b.bytes; });
        std::vector<double> load(m_devices.size(), 0), bandwidth;
        for (const std::string &device : m_devices)
            bandwidth.push_back(m_cluster.nodes[static_cast<std::size_t>(m_cluster.nodeOf(device))].bandwidthBytesPerSecond);
        const auto put = [&](const RuleShard &shard, std::size_t server) {
            load[server] += shard.bytes / bandwidth[server];
            shard.synchronizer->reductionDestination = m_devices[server];
        };
        for (const RuleShard &shard : shards)
            if (const auto server = fixedServer(shard.variable))
                put(shard, *server);
        const auto end = load.begin() + static_cast<std::ptrdiff_t>(m_servers);
        for (const RuleShard &shard : shards)
            if (!fixedServer(shard.variable))
                put(shard, static_cast<std::size_t>(std::min_element(load.begin(), end) - load.begin()));
    }

    void placeInOrder() {
        std::vector<double> load(m_servers, 0);
        std::vector<std::size_t> order(m_servers);
        for (std::size_t v = 0; v < m_strategy.nodes.size(); ++v) {
            NodeConfig &node = m_strategy.nodes[v];
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return load[a] < load[b]; });
            const std::size_t parts = std::max<std::size_t>(1, node.parts.size());
            const double bytes = static_cast<double>(m_job.variables[v].sizeBytes()) / static_cast<double>(parts);
            const auto fixed = fixedServer(v);
            for (std::size_t p = 0; p < parts; ++p) {
                Synchronizer &synchronizer = node.parts.empty() ? node.synchronizer : node.parts[p].synchronizer;
                if (synchronizer.kind != SynchronizerKind::ParameterServer)
                    continue;
                const std::size_t server = fixed.value_or(order[p % order.size()]);
                if (server < load.size())
                    load[server] += bytes;
                synchronizer.reductionDestination = m_devices[server];
            }
        }
    }

    bool isAlone(std::size_t v) const { return m_changes[v] != nullptr && m_changes[v]->alone; }

    /// Groups shards in the order of layers; each shard limits the size of its group.
    void joinBySize(const std::vector<RuleShard> &shards) {
        std::int32_t group = -1;
        double filled = 0, limit = 0;
        for (const RuleShard &shard : shards) {
            const bool alone = isAlone(shard.variable);
            if (group < 0 || alone || filled + shard.bytes > std::min(limit, shard.groupBytes)) {
                ++group;
                filled = 0;
                limit = alone ? 0 : shard.groupBytes;
            }
            filled += shard.bytes;
            limit = std::min(limit, shard.groupBytes);
            shard.synchronizer->group = group;
        }
    }

    /// Groups as the builders do: every part counts, in the order of variables, but only all-reduced ones join.
    void joinByCount() {
        std::int32_t counted = 0, last = 0;
        for (NodeConfig &node : m_strategy.nodes) {
            const auto join = [&](Synchronizer &synchronizer) {
                const std::int32_t group = counted++ / m_rule.groupCount;
                if (synchronizer.kind == SynchronizerKind::AllReduce)
                    last = synchronizer.group = group;
            };
            if (node.parts.empty())
                join(node.synchronizer);
            for (PartConfig &part : node.parts)
                join(part.synchronizer);
        }
        for (std::size_t v = 0; v < m_strategy.nodes.size(); ++v)
            if (NodeConfig &node = m_strategy.nodes[v]; isAlone(v) && !m_changes[v]->served) {
                if (node.parts.empty())
                    node.synchronizer.group = ++last;
                for (PartConfig &part : node.parts) // as joinBySize(): one collective of all parts would undo the cut
                    part.synchronizer.group = ++last;
            }
    }

    const Rule &m_rule;
    const Job &m_job;
    const Cluster &m_cluster;
    std::vector<std::string> m_devices;
    std::size_t m_servers;
    std::vector<const VariableChange *> m_changes; ///< per variable
    std::vector<std::int32_t> m_axes;              ///< for RuleCut::RandomAxis
    Strategy m_strategy;
};

std::string describe(const RuleCell &cell, bool counted) {
    std::string text = cell.served                                  ? (cell.proxy ? "served, with a copy on each node" : "served")
                       : cell.reduction == Reduction::ScatterGather ? "reduce-scattered and gathered"
                       : cell.reduction == Reduction::ReduceBroadcast ? "reduced and broadcast"
                                                                      : "all-reduced";
    if (cell.cut == RuleCut::Size && cell.partBytes > 0)
        text += ", in parts of " + formatBytes(cell.partBytes);
    if (cell.cut != RuleCut::Size)
        text += cell.cut == RuleCut::Uneven       ? ", in the fewest uneven parts"
                : cell.cut == RuleCut::RandomAxis ? ", in the fewest even parts of a random dimension"
                                                  : ", in the fewest even parts";
    if (!cell.served && !counted)
        text += cell.groupBytes > 0 ? ", in groups of up to " + formatBytes(cell.groupBytes) : std::string(", each alone");
    return text;
}

/// Describes the variables of a cell, by layer and size.
std::string whereOf(const Rule &rule, std::size_t layers, std::size_t sizes) {
    std::string where;
    if (!rule.layerBounds.empty())
        where = layers < rule.layerBounds.size() ? fmt::format("layers up to {:.0f} %", 100 * rule.layerBounds[layers])
                                                 : std::string("later layers");
    if (!rule.sizeBounds.empty())
        where += std::string(where.empty() ? "" : ", ") +
                 (sizes < rule.sizeBounds.size() ? "below " + formatBytes(rule.sizeBounds[sizes]) : std::string("larger"));
    return where.empty() ? "all" : where;
}

} // namespace

const RuleCell &Rule::cellOf(double layerShare, double sizeBytes) const {
    return cells[placeIn(layerBounds, layerShare)][placeIn(sizeBounds, sizeBytes)];
}

Strategy strategyOf(const Rule &rule, const std::vector<VariableChange> &changes, const Job &job, const Cluster &cluster) {
    return RuleBuilder(rule, changes, job, cluster).run();
}

NodeConfig nodeConfigOf(const Rule &rule, const std::vector<VariableChange> &changes, const Job &job, const Cluster &cluster,
                        std::size_t variable) {
    return RuleBuilder(rule, changes, job, cluster).nodeOf(variable);
}

Result<Rule> ruleOfBuilder(const std::string &builder, std::int32_t chunkSize, bool proxy, const Cluster &cluster) {
    struct Row {
        const char *name;
        bool served, counted, oneServer;
        RuleCut cut;
    };
    static constexpr std::array<Row, 8> rows{{{"PS", true, false, true, RuleCut::Size},
                                              {"PSLoadBalancing", true, false, false, RuleCut::Size},
                                              {"PartitionedPS", true, false, false, RuleCut::Divisor},
                                              {"UnevenPartitionedPS", true, false, false, RuleCut::Uneven},
                                              {"AllReduce", false, true, false, RuleCut::Size},
                                              {"PartitionedAR", false, true, false, RuleCut::Divisor},
                                              {"RandomAxisPartitionAR", false, true, false, RuleCut::RandomAxis},
                                              {"Parallax", false, true, false, RuleCut::Size}}};
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row &r) { return builder == r.name; });
    if (row == rows.end())
        return fail(fmt::format("no rule is known for the builder '{}'", builder));
    Rule rule;
    for (auto &cells : rule.cells)
        cells.fill({row->served, row->cut, 0, row->served && proxy, 0, Reduction::AllReduce});
    rule.groupCount = row->counted ? std::max(1, chunkSize) : 0;
    rule.servers = row->oneServer ? 1 : std::max<std::size_t>(1, cluster.reductionDevices().size());
    rule.placement = RulePlacement::InOrder;
    rule.sparseServed = row->served || builder == "Parallax";
    return rule;
}

std::string describe(const Rule &rule) {
    std::string text;
    for (std::size_t s = 0; s <= rule.layerBounds.size(); ++s)
        for (std::size_t c = 0; c <= rule.sizeBounds.size(); ++c)
            text += (text.empty() ? "" : "; ") + whereOf(rule, s, c) + ": " + describe(rule.cells[s][c], rule.groupCount > 0);
    if (rule.groupCount > 0)
        text += fmt::format("; groups of {} in the variables' order", rule.groupCount);
    if (!rule.sparseServed)
        text += "; sparse variables likewise";
    return text + fmt::format("; {}{}", counted(rule.servers, "server"),
                              rule.placement == RulePlacement::InOrder ? ", filled in the variables' order" : "");
}

} // namespace syncopate
