// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/similarity.h"

#include <algorithm>
#include <cstddef>

namespace syncopate {

namespace {

constexpr double choicesOfSynchronizer = 5, choicesOfNode = 2; ///< numbers of choices, all of the same weight

double equalChoices(const Synchronizer &a, const Synchronizer &b) {
    if (a.kind != b.kind)
        return 0;
    if (a.kind == SynchronizerKind::AllReduce)
        return a.reduction != b.reduction ? 1
                                          : 1 + 2.0 * (a.group == b.group) + (a.compressor == b.compressor) + (a.spec == b.spec);
    return 1.0 + (a.reductionDestination == b.reductionDestination) + (a.transferDestination == b.transferDestination) +
           (a.localReplication == b.localReplication) + (a.sync == b.sync && a.staleness == b.staleness);
}

const Synchronizer &synchronizerOf(const NodeConfig &node, std::size_t part) {
    return node.isPartitioned() ? node.parts[part].synchronizer : node.synchronizer;
}

double equalChoices(const NodeConfig &a, const NodeConfig &b) {
    const std::size_t parts = a.parts.size() == b.parts.size() ? std::max<std::size_t>(1, a.parts.size()) : 1;
    double equal = 0;
    for (std::size_t p = 0; p < parts; ++p)
        equal += equalChoices(synchronizerOf(a, p), synchronizerOf(b, p));
    return equal / static_cast<double>(parts) + (a.partitionAxis() == b.partitionAxis()) + (a.parts.size() == b.parts.size());
}

} // namespace

double similarity(const Strategy &a, const Strategy &b) {
    if (a.nodes.size() != b.nodes.size())
        return 0;
    if (a.nodes.empty())
        return 1;
    double equal = 0;
    for (std::size_t v = 0; v < a.nodes.size(); ++v)
        equal += equalChoices(a.nodes[v], b.nodes[v]);
    return equal / ((choicesOfSynchronizer + choicesOfNode) * static_cast<double>(a.nodes.size()));
}

} // namespace syncopate
