// SPDX-License-Identifier: GPL-3.0-or-later
// Private to the reader: the text of PipeDream's graph.txt as nodes and edges.
#pragma once

#include "engine/base/result.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace syncopate {

/// The views are into the file's text.
struct LayerNode {
    std::string_view id, description;
    std::int64_t number = 0; ///< of the id
    double forwardMilliseconds = 0, backwardMilliseconds = 0, parameterBytes = 0;
    std::array<double, 2> activationBytes{}; ///< the first ones
    std::size_t activations = 0;
    std::size_t line = 0;

    [[nodiscard]] bool isInput() const { return description.starts_with("Input"); }
    /// "Conv2d" of "Conv2d(3, 64, kernel_size=(3, 3), ...)"
    [[nodiscard]] std::string_view type() const { return description.substr(0, description.find('(')); }
};

/// A list of items for each node, made of `pairs` of a node and an item, in their order.
class NodeLists {
public:
    NodeLists() = default;
    NodeLists(std::size_t nodes, const std::vector<std::pair<std::uint32_t, std::uint32_t>> &pairs)
        : m_from(nodes + 1), m_items(pairs.size()) {
        for (const auto &[node, item] : pairs)
            ++m_from[node + 1];
        for (std::size_t i = 1; i < m_from.size(); ++i)
            m_from[i] += m_from[i - 1];
        std::vector<std::size_t> next = m_from;
        for (const auto &[node, item] : pairs)
            m_items[next[node]++] = item;
    }
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t node) const {
        return std::span(m_items).subspan(m_from[node], m_from[node + 1] - m_from[node]);
    }

private:
    std::vector<std::size_t> m_from;
    std::vector<std::uint32_t> m_items;
};

/// A graph of layers as in its file. Views refer to the text that it was read from.
struct PipeDreamGraph {
    std::vector<LayerNode> nodes;
    std::size_t edges = 0;
    NodeLists parents;
    /// Indices of `nodes` in the order in which they were traced: among the nodes whose parents are all done, the one with the
    /// lowest number comes next.
    std::vector<std::size_t> order;
};

/// Errors: a line that is neither node nor edge, a node twice or without its figures, an edge to nowhere, a cycle; with the
/// line.
[[nodiscard]] Result<PipeDreamGraph> readPipeDreamGraph(std::string_view text, const std::string &file);

/// Strips spaces, tabs and carriage returns from both ends of `text`.
[[nodiscard]] std::string_view trimmedField(std::string_view text);

} // namespace syncopate
