// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/chakra/chakra_layers.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <string>
#include <string_view>

namespace syncopate {

namespace {

using Index = std::size_t;
using kineto::Phase;

class LayerFinder {
public:
    explicit LayerFinder(const ChakraStep &step) : m_step(step) {}

    ChakraLayers find() {
        findForwardLayers();
        pairBackward();
        if (m_found.paired > 0)
            spreadBackward();
        return std::move(m_found);
    }

private:
    void findForwardLayers() {
        auto &layers = m_found.layers;
        m_found.ofNode.assign(m_step.trace.nodes.size(), -1);
        std::uint32_t last = none;
        std::int64_t lastSequence = -1;
        std::map<std::string, int> names;
        for (Index i = 0; i < m_step.trace.nodes.size(); ++i) {
            const ChakraNode &n = m_step.node(i);
            if (!n.onHost || m_step.phase[i] != Phase::Forward || n.communicates())
                continue;
            const ChakraNameFacts &facts = m_step.factsOf(n);
            if (n.sequence >= 0 && !facts.ownerKind.empty() &&
                !(facts.whole == last && n.sequence == lastSequence && !facts.firstPiece)) {
                const std::string &name = m_step.wholes[facts.whole];
                const std::size_t space = name.rfind("::");
                const std::string plain = space == std::string::npos ? name : name.substr(space + 2);
                Layer layer;
                layer.name = fmt::format("{}_{}", plain, ++names[plain]);
                m_owners[facts.ownerKind].push_back(static_cast<std::int32_t>(layers.size()));
                layers.push_back(std::move(layer));
            }
            last = facts.whole;
            lastSequence = n.sequence;
            m_found.ofNode[i] = std::max<std::int32_t>(0, static_cast<std::int32_t>(layers.size()) - 1);
            if (!layers.empty() && n.sequence >= 0)
                addParents(i, layers[static_cast<Index>(m_found.ofNode[i])].parents);
        }
        if (layers.empty()) {
            layers.push_back({});
            layers.back().name = "model";
        }
        for (Index l = 1; l < layers.size(); ++l) {
            if (layers[l].parents.empty())
                layers[l].parents = {static_cast<std::int32_t>(l) - 1};
        }
    }

    /// Adds the layers before op `i`'s own that it reads from. Ops without a sequence number have none.
    void addParents(Index i, std::vector<std::int32_t> &parents) const {
        for (const std::int32_t input : m_step.trace.inputsOf(m_step.node(i))) {
            if (input < 0 || static_cast<Index>(input) >= i || m_step.node(static_cast<Index>(input)).sequence < 0)
                continue;
            const std::int32_t parent = m_found.ofNode[static_cast<Index>(input)];
            if (parent < 0 || parent >= m_found.ofNode[i])
                continue;
            const auto place = std::lower_bound(parents.begin(), parents.end(), parent);
            if (place == parents.end() || *place != parent)
                parents.insert(place, parent);
        }
    }

    /// Pairs the k-th backward op of a kind with the kind's k-th last forward op, if there are equally many.
    void pairBackward() {
        std::map<std::string_view, std::vector<Index>> found; // first piece of each op
        std::uint32_t last = none;
        for (Index i = 0; i < m_step.trace.nodes.size(); ++i) {
            const ChakraNode &n = m_step.node(i);
            const ChakraNameFacts &facts = m_step.factsOf(n);
            if (!n.onHost || m_step.phase[i] != Phase::Backward || !facts.backward)
                continue;
            if (!facts.ownerKind.empty() && (facts.whole != last || facts.firstPiece || facts.isWhole))
                found[facts.ownerKind].push_back(i);
            last = facts.whole;
        }
        for (const auto &[kind, ops] : found) {
            const auto owners = m_owners.find(kind);
            if (owners == m_owners.end() || owners->second.size() != ops.size())
                continue;
            for (Index k = 0; k < ops.size(); ++k)
                m_found.ofNode[ops[k]] = owners->second[ops.size() - 1 - k];
            m_found.paired += ops.size();
        }
    }

    /// An op that differentiates belongs to the next op with a layer; others (accumulation, scaling) to the one before.
    void spreadBackward() {
        std::vector<std::int32_t> next(m_step.trace.nodes.size(), -1);
        std::int32_t coming = -1;
        for (Index i = m_step.trace.nodes.size(); i-- > 0;) {
            coming = m_step.phase[i] == Phase::Backward && m_step.node(i).onHost && m_found.ofNode[i] >= 0 ? m_found.ofNode[i]
                                                                                                           : coming;
            next[i] = coming;
        }
        std::int32_t before = static_cast<std::int32_t>(m_found.layers.size()) - 1;
        std::uint32_t current = none;
        for (Index i = 0; i < m_step.trace.nodes.size(); ++i) {
            if (m_step.phase[i] != Phase::Backward || !m_step.node(i).onHost)
                continue;
            const ChakraNameFacts &facts = m_step.factsOf(m_step.node(i));
            if (m_found.ofNode[i] < 0)
                m_found.ofNode[i] = facts.whole == current || !facts.wholeBackward || next[i] < 0 ? before : next[i];
            before = m_found.ofNode[i];
            current = facts.whole;
        }
    }

    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max(); ///< name of no op
    const ChakraStep &m_step;
    ChakraLayers m_found;
    std::map<std::string_view, std::vector<std::int32_t>> m_owners; ///< layers by kind of op
};

} // namespace

ChakraLayers findChakraLayers(const ChakraStep &step) { return LayerFinder(step).find(); }

} // namespace syncopate
