// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/layered_layout.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

namespace syncopate {

namespace {

constexpr int orderSweeps = 12, placeSweeps = 16;

/// A node, or the place where an edge passes through a layer.
struct LayoutPlace {
    std::int32_t layer = 0;
    std::int32_t node = -1; ///< -1 = place of an edge
    struct Neighbour {
        std::int32_t place = 0;
        double pull = 1;
    };
    std::vector<Neighbour> before{}; ///< in the layer to the left
    std::vector<Neighbour> behind{}; ///< in the layer to the right
    std::size_t position = 0;        ///< in its layer
    double middle = 0;               ///< from the top
    double half = 0;                 ///< half of its height, gap included
};

/// Layer per node: the longest path to it. Nodes without parents move up to just before their first child, for short edges.
std::vector<std::int32_t> layersOf(const std::vector<std::int32_t> &order, const std::vector<LayoutEdge> &edges) {
    std::vector<std::int32_t> layer(order.size(), 0), parents(order.size(), 0);
    std::vector<std::vector<std::int32_t>> children(order.size());
    for (const LayoutEdge &edge : edges) {
        children[static_cast<std::size_t>(edge.from)].push_back(edge.to);
        ++parents[static_cast<std::size_t>(edge.to)];
    }
    for (const std::int32_t node : order)
        for (const std::int32_t child : children[static_cast<std::size_t>(node)])
            layer[static_cast<std::size_t>(child)] =
                std::max(layer[static_cast<std::size_t>(child)], layer[static_cast<std::size_t>(node)] + 1);
    for (const std::int32_t node : order) {
        const auto n = static_cast<std::size_t>(node);
        if (parents[n] > 0 || children[n].empty())
            continue;
        std::int32_t first = std::numeric_limits<std::int32_t>::max();
        for (const std::int32_t child : children[n])
            first = std::min(first, layer[static_cast<std::size_t>(child)]);
        layer[n] = first - 1;
    }
    return layer;
}

/// Counts the crossings of edges between two layers. `ends`: the edges' positions in the second layer, sorted by their position
/// in the first and then by `ends` itself. O(n log n).
std::int64_t crossingsOf(const std::vector<std::size_t> &ends, std::size_t positions) {
    std::vector<std::int64_t> counted(positions + 1, 0); // a Fenwick tree
    std::int64_t crossings = 0, seen = 0;
    for (const std::size_t end : ends) {
        std::int64_t atMost = 0;
        for (std::size_t i = end + 1; i > 0; i -= i & (~i + 1))
            atMost += counted[i];
        crossings += seen++ - atMost;
        for (std::size_t i = end + 1; i <= positions; i += i & (~i + 1))
            ++counted[i];
    }
    return crossings;
}

class LayerLayout {
public:
    LayerLayout(const std::vector<LayoutEdge> &edges, const LayoutMetrics &metrics, const std::vector<std::int32_t> &order)
        : m_edges(edges), m_metrics(metrics), m_chains(edges.size()) {
        const std::vector<std::int32_t> layer = layersOf(order, edges);
        m_places.resize(order.size());
        for (std::size_t n = 0; n < order.size(); ++n) {
            m_places[n].layer = layer[n];
            m_places[n].node = static_cast<std::int32_t>(n);
            m_layers.resize(std::max(m_layers.size(), static_cast<std::size_t>(layer[n]) + 1));
        }
        for (const std::int32_t node : order) // neighbours start side by side
            m_layers[static_cast<std::size_t>(layer[static_cast<std::size_t>(node)])].push_back(node);
        addChains();
        for (LayoutPlace &place : m_places)
            place.half = (place.node >= 0 ? metrics.nodeHeight : metrics.laneHeight) / 2 + metrics.rowGap / 2;
        number();
    }

    Result<LayeredLayout> make(const std::stop_token &stop) {
        reduceCrossings(stop);
        moveToNeighbours(stop);
        if (stop.stop_requested())
            return cancelled();
        return layout();
    }

private:
    [[nodiscard]] LayoutPlace &place(std::int32_t p) { return m_places[static_cast<std::size_t>(p)]; }
    [[nodiscard]] const LayoutPlace &place(std::int32_t p) const { return m_places[static_cast<std::size_t>(p)]; }
    [[nodiscard]] std::int32_t lengthOf(const LayoutEdge &edge) const { return place(edge.to).layer - place(edge.from).layer; }

    /// Gives edges a place in every layer that they pass, shortest edges first, within the budget of places.
    void addChains() {
        std::vector<std::size_t> byLength(m_edges.size());
        std::iota(byLength.begin(), byLength.end(), std::size_t{0});
        std::stable_sort(byLength.begin(), byLength.end(),
                         [this](std::size_t a, std::size_t b) { return lengthOf(m_edges[a]) < lengthOf(m_edges[b]); });
        std::size_t left = m_metrics.maxPlaces;
        std::vector<bool> fits(m_edges.size(), false);
        for (const std::size_t e : byLength) {
            const auto wanted = static_cast<std::size_t>(lengthOf(m_edges[e]) - 1);
            fits[e] = wanted <= left;
            if (!fits[e])
                break; // nor do the longer ones
            left -= wanted;
        }
        for (std::size_t e = 0; e < m_edges.size(); ++e) {
            if (!fits[e]) {
                ++m_straight;
                continue;
            }
            std::int32_t last = m_edges[e].from;
            for (std::int32_t layer = place(last).layer + 1; layer < place(m_edges[e].to).layer; ++layer) {
                const auto added = static_cast<std::int32_t>(m_places.size());
                m_places.push_back({.layer = layer});
                m_layers[static_cast<std::size_t>(layer)].push_back(added);
                m_chains[e].push_back(added);
                join(last, added, m_edges[e].pull);
                last = added;
            }
            join(last, m_edges[e].to, m_edges[e].pull);
        }
    }

    void join(std::int32_t from, std::int32_t to, double pull) {
        place(from).behind.push_back({to, pull});
        place(to).before.push_back({from, pull});
    }

    void number() {
        for (const auto &layer : m_layers)
            for (std::size_t i = 0; i < layer.size(); ++i)
                place(layer[i]).position = i;
    }

    [[nodiscard]] std::int64_t crossings() const {
        std::int64_t sum = 0;
        for (std::size_t l = 0; l + 1 < m_layers.size(); ++l) {
            std::vector<std::size_t> ends;
            for (const std::int32_t p : m_layers[l]) {
                const std::size_t first = ends.size();
                for (const auto &next : place(p).behind)
                    ends.push_back(place(next.place).position);
                std::sort(ends.begin() + static_cast<std::ptrdiff_t>(first), ends.end());
            }
            sum += crossingsOf(ends, m_layers[l + 1].size());
        }
        return sum;
    }

    /// Orders each layer by the mean position of its neighbours on one side, sweeping from end to end and back, and keeps the
    /// best order seen. Places without such neighbours stay put.
    void reduceCrossings(const std::stop_token &stop) {
        auto best = m_layers;
        std::int64_t fewest = crossings();
        for (int sweep = 0; sweep < orderSweeps && fewest > 0 && !stop.stop_requested(); ++sweep) {
            const bool right = sweep % 2 == 0;
            for (std::size_t i = 1; i < m_layers.size(); ++i)
                orderLayer(m_layers[right ? i : m_layers.size() - 1 - i], right);
            if (const std::int64_t now = crossings(); now < fewest) {
                fewest = now;
                best = m_layers;
            }
        }
        m_layers = std::move(best);
        number();
        m_crossings = fewest;
    }

    void orderLayer(std::vector<std::int32_t> &layer, bool byBefore) {
        std::vector<std::pair<double, std::int32_t>> wanted;
        for (const std::int32_t p : layer) {
            const auto &neighbours = byBefore ? place(p).before : place(p).behind;
            double sum = 0;
            for (const auto &next : neighbours)
                sum += static_cast<double>(place(next.place).position);
            wanted.emplace_back(
                neighbours.empty() ? static_cast<double>(place(p).position) : sum / static_cast<double>(neighbours.size()), p);
        }
        std::stable_sort(wanted.begin(), wanted.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
        for (std::size_t i = 0; i < layer.size(); ++i) {
            layer[i] = wanted[i].second;
            place(layer[i]).position = i;
        }
    }

    void moveToNeighbours(const std::stop_token &stop) {
        for (const auto &layer : m_layers) {
            double at = 0;
            for (const std::int32_t p : layer) {
                place(p).middle = at + place(p).half;
                at += 2 * place(p).half;
            }
        }
        for (int sweep = 0; sweep < placeSweeps && !stop.stop_requested(); ++sweep)
            for (std::size_t i = 0; i < m_layers.size(); ++i)
                moveLayer(m_layers[sweep % 2 == 0 ? i : m_layers.size() - 1 - i]);
    }

    /// Moves a layer's places as close (in least squares) to the mean of their neighbours as their order and heights allow.
    /// With the heights above each place subtracted this is isotonic regression, which pooling adjacent violators solves in one
    /// pass. Weights are the pulls of the edges; edges that pass through weigh four times as much, so that they become
    /// straight.
    void moveLayer(const std::vector<std::int32_t> &layer) {
        struct Pool {
            double sum = 0, weight = 0;
            std::size_t count = 0;
            [[nodiscard]] double mean() const { return sum / weight; }
        };
        std::vector<Pool> pools;
        std::vector<double> above(layer.size());
        for (std::size_t i = 0; i < layer.size(); ++i) {
            const LayoutPlace &of = place(layer[i]);
            above[i] = i == 0 ? 0 : above[i - 1] + place(layer[i - 1]).half + of.half;
            const auto [wanted, pull] = wantedMiddle(of);
            const double weight = of.node >= 0 ? pull : 4 * pull;
            pools.push_back({weight * (wanted - above[i]), weight, 1});
            while (pools.size() > 1 && pools[pools.size() - 2].mean() >= pools.back().mean()) {
                const Pool last = pools.back();
                pools.pop_back();
                pools.back() = {pools.back().sum + last.sum, pools.back().weight + last.weight, pools.back().count + last.count};
            }
        }
        std::size_t i = 0;
        for (const Pool &pool : pools)
            for (std::size_t end = i + pool.count; i < end; ++i)
                place(layer[i]).middle = pool.mean() + above[i];
    }

    /// The mean of a place's neighbours, weighted by their pull, and the total pull.
    [[nodiscard]] std::pair<double, double> wantedMiddle(const LayoutPlace &of) const {
        double sum = 0, pull = 0;
        for (const auto *neighbours : {&of.before, &of.behind})
            for (const auto &next : *neighbours) {
                sum += next.pull * place(next.place).middle;
                pull += next.pull;
            }
        return pull > 0 ? std::pair(sum / pull, pull) : std::pair(of.middle, 1.0);
    }

    [[nodiscard]] LayeredLayout layout() const {
        LayeredLayout layered;
        layered.layers = static_cast<std::int32_t>(m_layers.size());
        layered.straightEdges = m_straight;
        layered.crossings = m_crossings;
        double top = std::numeric_limits<double>::infinity(), bottom = -top;
        for (const LayoutPlace &each : m_places) {
            top = std::min(top, each.middle - each.half + m_metrics.rowGap / 2);
            bottom = std::max(bottom, each.middle + each.half - m_metrics.rowGap / 2);
        }
        const double pitch = m_metrics.nodeWidth + m_metrics.columnGap;
        for (const LayoutPlace &each : m_places)
            if (each.node >= 0)
                layered.nodes.push_back({each.layer, each.layer * pitch, each.middle - m_metrics.nodeHeight / 2 - top});
        for (std::size_t e = 0; e < m_edges.size(); ++e) {
            const LayoutPlace &from = place(m_edges[e].from), &to = place(m_edges[e].to);
            std::vector<LayoutPoint> route{{from.layer * pitch + m_metrics.nodeWidth, from.middle - top}};
            for (const std::int32_t p : m_chains[e]) {
                route.push_back({place(p).layer * pitch, place(p).middle - top});
                route.push_back({place(p).layer * pitch + m_metrics.nodeWidth, place(p).middle - top});
            }
            route.push_back({to.layer * pitch, to.middle - top});
            layered.routes.push_back(std::move(route));
        }
        if (!m_places.empty()) {
            layered.width = layered.layers * pitch - m_metrics.columnGap;
            layered.height = bottom - top;
        }
        return layered;
    }

    const std::vector<LayoutEdge> &m_edges;
    const LayoutMetrics &m_metrics;
    std::vector<LayoutPlace> m_places;               ///< nodes first, then places of edges
    std::vector<std::vector<std::int32_t>> m_chains; ///< per edge: its places from left to right
    std::vector<std::vector<std::int32_t>> m_layers; ///< per layer: its places from top to bottom
    std::size_t m_straight = 0;
    std::int64_t m_crossings = 0;
};

} // namespace

Result<std::vector<std::int32_t>> topologicalOrder(std::int32_t nodes, const std::vector<LayoutEdge> &edges) {
    const auto count = static_cast<std::size_t>(std::max(nodes, 0));
    std::vector<std::vector<std::int32_t>> children(count);
    std::vector<std::int32_t> waiting(count, 0), order;
    for (const LayoutEdge &edge : edges) {
        if (edge.from < 0 || edge.to < 0 || edge.from >= nodes || edge.to >= nodes)
            return fail(fmt::format("an edge from {} to {}, of {} nodes", edge.from, edge.to, nodes), "name nodes that exist");
        children[static_cast<std::size_t>(edge.from)].push_back(edge.to);
        ++waiting[static_cast<std::size_t>(edge.to)];
    }
    std::priority_queue<std::int32_t, std::vector<std::int32_t>, std::greater<>> ready;
    for (std::int32_t n = 0; n < nodes; ++n)
        if (waiting[static_cast<std::size_t>(n)] == 0)
            ready.push(n);
    while (!ready.empty()) {
        order.push_back(ready.top());
        ready.pop();
        for (const std::int32_t child : children[static_cast<std::size_t>(order.back())])
            if (--waiting[static_cast<std::size_t>(child)] == 0)
                ready.push(child);
    }
    if (order.size() < count)
        return fail("the graph has a cycle, so its edges cannot all go one way", "leave an edge of the cycle out");
    return order;
}

Result<LayeredLayout> layOutLayers(std::int32_t nodes, const std::vector<LayoutEdge> &edges, const LayoutMetrics &metrics,
                                   const std::stop_token &stop) {
    const std::vector<std::int32_t> order = TRY(topologicalOrder(nodes, edges));
    return LayerLayout(edges, metrics, order).make(stop);
}

} // namespace syncopate
