// SPDX-License-Identifier: GPL-3.0-or-later
// A picture of a directed graph reads like time when all its edges go from left to right, and is legible when few of them cross.
// Sugiyama's method does both: nodes get layers (columns) by their longest path, edges that pass layers get a place in each, the
// places of a layer are ordered by those of its neighbours, and finally moved so that their edges are straight. Long edges cost:
// a chain of n nodes that all lead to its end has n²/2 places. Beyond a budget of places, the longest edges are drawn straight,
// across the nodes in between, and are counted.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace syncopate {

/// An edge of a graph, by the numbers of its nodes.
struct LayoutEdge {
    std::int32_t from = 0, to = 0;
    double pull = 1; ///< weight of keeping it level: larger for the edges of a chain that should be a straight row
    bool operator==(const LayoutEdge &) const = default;
};

/// Sizes, in the unit of the layout to be made.
struct LayoutMetrics {
    double nodeWidth = 128, nodeHeight = 36;
    double columnGap = 44, rowGap = 14;
    double laneHeight = 6; ///< of an edge that passes a layer
    std::size_t maxPlaces = 20'000;
};

/// A place in the picture, in its units.
struct LayoutPoint {
    double x = 0, y = 0;
    bool operator==(const LayoutPoint &) const = default;
};

/// The positions of a graph's nodes and the routes of its edges. The picture begins at (0, 0).
struct LayeredLayout {
    struct Node {
        std::int32_t layer = 0;
        double x = 0, y = 0; ///< of its upper left corner
        bool operator==(const Node &) const = default;
    };
    std::vector<Node> nodes;
    /// Per edge, from the middle of its first node's right side to the middle of the other's left side. Never goes left, and is
    /// level and clear of the nodes in each layer that it passes, unless it is one of straightEdges.
    std::vector<std::vector<LayoutPoint>> routes;
    std::int32_t layers = 0;
    std::size_t straightEdges = 0; ///< number of edges too long for the budget of places
    std::int64_t crossings = 0;    ///< number of crossings between neighbouring layers, without straightEdges
    double width = 0, height = 0;
    bool operator==(const LayeredLayout &) const = default;
};

/// Lays a graph out in layers from left to right. The same graph gives the same picture. Sizes in the metrics' unit; O((nodes +
/// edges + places) log) with a constant of some 30 sweeps. Errors: an edge to a node that does not exist, a cycle; `stop` was
/// requested.
[[nodiscard]] Result<LayeredLayout> layOutLayers(std::int32_t nodes, const std::vector<LayoutEdge> &edges,
                                                 const LayoutMetrics &metrics = {}, const std::stop_token &stop = {});

/// Sorts the nodes so that no edge goes back; ready nodes come in the order of their numbers. Errors as above.
[[nodiscard]] Result<std::vector<std::int32_t>> topologicalOrder(std::int32_t nodes, const std::vector<LayoutEdge> &edges);

} // namespace syncopate
