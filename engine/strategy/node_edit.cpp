// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/node_edit.h"

#include <fmt/format.h>

namespace syncopate {

namespace {

Result<void> cut(NodeConfig &node, const Variable &variable, std::int32_t parts, std::optional<std::int32_t> wantedAxis) {
    const Synchronizer first = synchronizerOf(node);
    if (parts <= 1) {
        node.partitions.clear();
        node.parts.clear();
        node.synchronizer = first;
        return {};
    }
    std::size_t axis = variable.shape.size();
    for (std::size_t a = 0; a < variable.shape.size(); ++a)
        if (variable.shape[a] >= parts && (!wantedAxis || *wantedAxis == static_cast<std::int32_t>(a))) {
            axis = a;
            break;
        }
    if (axis == variable.shape.size())
        return fail(fmt::format("'{}' cannot be cut into {} parts{}", variable.name, parts,
                                wantedAxis ? fmt::format(" along dimension {}", *wantedAxis) : ""),
                    "choose fewer parts, or leave it out");
    const NodeConfig before = node;
    node.partitions.assign(variable.shape.size(), 1);
    node.partitions[axis] = parts;
    node.parts.clear();
    for (std::int32_t p = 0; p < parts; ++p) {
        const bool had = before.isPartitioned() && static_cast<std::size_t>(p) < before.parts.size();
        node.parts.push_back({partName(variable.name, p), had ? before.parts[static_cast<std::size_t>(p)].synchronizer : first});
    }
    node.synchronizer = {};
    return {};
}

} // namespace

bool NodeEdit::isEmpty() const {
    return !kind && !parts && destinations.empty() && !localReplication && !sync && !staleness && !group && !compressor;
}

Result<Strategy> editNodes(Strategy strategy, const Job &job, const std::vector<std::int32_t> &variables, const NodeEdit &edit,
                           const std::string &usualDestination) {
    std::size_t turn = 0;
    const auto change = [&](Synchronizer &synchronizer) {
        if (edit.kind)
            synchronizer.kind = *edit.kind;
        if (synchronizer.kind == SynchronizerKind::ParameterServer) {
            if (!edit.destinations.empty())
                synchronizer.reductionDestination = edit.destinations[turn++ % edit.destinations.size()];
            else if (synchronizer.reductionDestination.empty())
                synchronizer.reductionDestination = usualDestination;
            synchronizer.localReplication = edit.localReplication.value_or(synchronizer.localReplication);
            synchronizer.sync = edit.sync.value_or(synchronizer.sync);
            synchronizer.staleness = edit.staleness.value_or(synchronizer.staleness);
        } else {
            synchronizer.group = edit.group.value_or(synchronizer.group);
            synchronizer.compressor = edit.compressor.value_or(synchronizer.compressor);
        }
    };
    for (const std::int32_t v : variables) {
        const auto variable = static_cast<std::size_t>(v);
        if (v < 0 || variable >= job.variables.size() || variable >= strategy.nodes.size())
            return fail(fmt::format("there is no variable {}", v), "choose some of the job's");
        NodeConfig &node = strategy.nodes[variable];
        if (edit.parts)
            TRY(cut(node, job.variables[variable], *edit.parts, edit.axis));
        if (node.isPartitioned())
            for (PartConfig &part : node.parts)
                change(part.synchronizer);
        else
            change(node.synchronizer);
    }
    return strategy;
}

} // namespace syncopate
