// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/similarity.h"

#include <algorithm>
#include <functional>

namespace syncopate {

namespace {

constexpr double choicesOfSynchronizer = 5, choicesOfNode = 2; ///< each counts as one choice of the variable

double equalChoices(const Synchronizer &a, const Synchronizer &b) {
    if (a.kind != b.kind)
        return 0;
    if (a.kind == SynchronizerKind::AllReduce)
        return 1 + 2.0 * (a.group == b.group) + (a.compressor == b.compressor) + (a.spec == b.spec);
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

void mix(std::size_t &hash, std::size_t value) { hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2); }

/// Of all of a node config but group and placement.
std::size_t hashOf(const NodeConfig &node) {
    std::size_t hash = node.parts.size();
    mix(hash, static_cast<std::size_t>(node.partitionAxis() + 1));
    for (std::size_t p = 0; p < std::max<std::size_t>(1, node.parts.size()); ++p) {
        const Synchronizer &s = synchronizerOf(node, p);
        mix(hash, static_cast<std::size_t>(s.kind));
        if (s.kind == SynchronizerKind::AllReduce) {
            mix(hash, static_cast<std::size_t>(s.compressor) * 8 + static_cast<std::size_t>(s.spec));
        } else {
            mix(hash, (s.localReplication ? 1U : 0U) + (s.sync ? 2U : 0U) + (s.transferDestination.empty() ? 4U : 0U));
            mix(hash, static_cast<std::size_t>(s.staleness));
        }
    }
    return hash;
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

double ConfigNovelty::noveltyOf(const Strategy &strategy) const {
    if (strategy.nodes.empty())
        return 0;
    std::size_t fresh = 0;
    for (std::size_t v = 0; v < strategy.nodes.size(); ++v)
        fresh += v >= m_seen.size() || !m_seen[v].contains(hashOf(strategy.nodes[v])) ? 1 : 0;
    return static_cast<double>(fresh) / static_cast<double>(strategy.nodes.size());
}

void ConfigNovelty::pick(const Strategy &strategy) {
    if (m_seen.size() < strategy.nodes.size())
        m_seen.resize(strategy.nodes.size());
    for (std::size_t v = 0; v < strategy.nodes.size(); ++v)
        m_seen[v].insert(hashOf(strategy.nodes[v]));
}

} // namespace syncopate
