// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs in layers, tested by invariants of every layout: edges go one way, nodes do not overlap, edges do not run through nodes,
// and the number of crossings equals a count in the picture.
#include "engine/base/rng.h"
#include "engine/plan/layered_layout.h"
#include "tests/checks.h"

#include <QtTest>
#include <set>

using namespace syncopate;

namespace {

/// Edges from lower to higher numbers, with nodes then renamed, so that numbers carry no order.
std::vector<LayoutEdge> randomDag(Rng &rng, std::int32_t nodes, std::int32_t edges) {
    std::vector<std::int32_t> name(static_cast<std::size_t>(nodes));
    for (std::int32_t n = 0; n < nodes; ++n)
        name[static_cast<std::size_t>(n)] = n;
    for (std::size_t n = name.size(); n > 1; --n)
        std::swap(name[n - 1], name[rng.next() % n]);
    std::set<std::pair<std::int32_t, std::int32_t>> made;
    for (std::int32_t e = 0; e < edges && nodes > 1; ++e) {
        const auto a = static_cast<std::int32_t>(rng.next() % static_cast<std::uint64_t>(nodes));
        const auto b = static_cast<std::int32_t>(rng.next() % static_cast<std::uint64_t>(nodes));
        if (a != b)
            made.insert({std::min(a, b), std::max(a, b)});
    }
    std::vector<LayoutEdge> all;
    for (const auto &[a, b] : made)
        all.push_back({name[static_cast<std::size_t>(a)], name[static_cast<std::size_t>(b)]});
    return all;
}

/// Counts crossing pairs of lines between two neighbouring layers, one by one.
std::int64_t countCrossings(const LayeredLayout &layout, const LayoutMetrics &metrics) {
    const double pitch = metrics.nodeWidth + metrics.columnGap;
    std::vector<std::vector<std::pair<double, double>>> lines(static_cast<std::size_t>(layout.layers));
    for (const auto &route : layout.routes)
        for (std::size_t i = 0; i + 1 < route.size(); i += 2) // from the right side of a column to the left of the next
            lines[static_cast<std::size_t>(std::lround((route[i].x - metrics.nodeWidth) / pitch))].emplace_back(route[i].y,
                                                                                                                route[i + 1].y);
    std::int64_t crossings = 0;
    for (const auto &between : lines)
        for (std::size_t a = 0; a < between.size(); ++a)
            for (std::size_t b = 0; b < a; ++b)
                if ((between[a].first - between[b].first) * (between[a].second - between[b].second) < -1e-9)
                    ++crossings;
    return crossings;
}

} // namespace

class TestLayeredLayout : public QObject {
    Q_OBJECT

private slots:
    void everyGraphIsInOrder() {
        const LayoutMetrics metrics;
        Rng rng(7);
        for (int run = 0; run < 60; ++run) {
            const auto nodes = static_cast<std::int32_t>(1 + rng.next() % 40);
            const auto edges = randomDag(rng, nodes, static_cast<std::int32_t>(rng.next() % 80));
            const auto layout = layOutLayers(nodes, edges, metrics);
            QVERIFY(layout.has_value());
            const testing::About about(QStringLiteral("run %1").arg(run));
            QCOMPARE(layout->nodes.size(), static_cast<std::size_t>(nodes));
            QCOMPARE(layout->routes.size(), edges.size());
            QCOMPARE(layout->straightEdges, std::size_t{0});
            QVERIFY(*layOutLayers(nodes, edges, metrics) == *layout); // the same bits
            const auto &at = layout->nodes;
            for (std::size_t a = 0; a < at.size(); ++a) {
                COMPARE_AT_LEAST(at[a].y, -1e-9, about);
                COMPARE_AT_MOST(at[a].y + metrics.nodeHeight, layout->height + 1e-9, about);
                COMPARE_AT_MOST(at[a].x + metrics.nodeWidth, layout->width + 1e-9, about);
                for (std::size_t b = 0; b < a; ++b)
                    if (at[a].layer == at[b].layer)
                        COMPARE_AT_LEAST(std::abs(at[a].y - at[b].y), metrics.nodeHeight + metrics.rowGap - 1e-6, about);
            }
            for (std::size_t e = 0; e < edges.size(); ++e) {
                const auto &route = layout->routes[e];
                const auto &from = at[static_cast<std::size_t>(edges[e].from)], &to = at[static_cast<std::size_t>(edges[e].to)];
                COMPARE_BELOW(from.layer, to.layer, about);
                COMPARE_WITHIN(route.front().x, from.x + metrics.nodeWidth, 1e-9, about);
                COMPARE_WITHIN(route.front().y, from.y + metrics.nodeHeight / 2, 1e-6, about);
                COMPARE_WITHIN(route.back().x, to.x, 1e-9, about);
                COMPARE_WITHIN(route.back().y, to.y + metrics.nodeHeight / 2, 1e-6, about);
                QCOMPARE(route.size(), static_cast<std::size_t>(2 * (to.layer - from.layer)));
                for (std::size_t i = 1; i < route.size(); ++i)
                    COMPARE_ABOVE(route[i].x, route[i - 1].x, about);
                // Level through the layers that it crosses, and clear of their nodes.
                for (std::size_t i = 1; i + 1 < route.size(); i += 2) {
                    COMPARE_WITHIN(route[i].y, route[i + 1].y, 1e-9, about);
                    for (const auto &node : at)
                        if (std::abs(node.x - route[i].x) < 1)
                            QVERIFY(route[i].y <= node.y + 1e-6 || route[i].y >= node.y + metrics.nodeHeight - 1e-6);
                }
            }
            QCOMPARE(layout->crossings, countCrossings(*layout, metrics));
        }
    }

    /// Graphs that can be drawn without crossings are: parallel chains, and trees.
    void planarGraphsDoNotCross() {
        std::vector<LayoutEdge> chains; // three, whose nodes alternate in the numbering
        for (std::int32_t n = 0; n + 3 < 30; ++n)
            chains.push_back({n, n + 3});
        QCOMPARE(layOutLayers(30, chains)->crossings, std::int64_t{0});
        std::vector<LayoutEdge> tree;
        for (std::int32_t n = 1; n < 31; ++n)
            tree.push_back({(n - 1) / 2, n});
        const auto made = layOutLayers(31, tree);
        QCOMPARE(made->crossings, std::int64_t{0});
        QCOMPARE(made->layers, 5);
        // Two parents whose children are swapped by number.
        QCOMPARE(layOutLayers(4, {{0, 3}, {1, 2}})->crossings, std::int64_t{0});
    }

    /// A chain is straight, or nearly so if another edge joins it, and a source stands next to its successor.
    void chainsAreStraight() {
        std::vector<LayoutEdge> edges;
        for (std::int32_t n = 0; n < 9; ++n)
            edges.push_back({n, n + 1, 8});
        const auto chain = layOutLayers(10, edges);
        for (std::size_t n = 1; n < 10; ++n)
            COMPARE_WITHIN(chain->nodes[n].y, chain->nodes[0].y, 1e-9);
        COMPARE_CLOSE(chain->height, LayoutMetrics{}.nodeHeight);
        edges.push_back({10, 9});
        const auto made = layOutLayers(11, edges);
        QCOMPARE(made->layers, 10);
        QCOMPARE(made->nodes[10].layer, 8);
        for (std::size_t n = 1; n < 10; ++n)
            COMPARE_WITHIN(made->nodes[n].y, made->nodes[0].y, LayoutMetrics{}.nodeHeight / 2);
    }

    /// Beyond the budget of places, the longest edges are drawn straight and counted.
    void longEdgesAreBounded() {
        std::vector<LayoutEdge> edges;
        for (std::int32_t n = 0; n < 99; ++n)
            edges.push_back({n, n + 1});
        for (std::int32_t n = 0; n < 98; ++n)
            edges.push_back({n, 99}); // 1 + 2 + ... + 98 places
        LayoutMetrics metrics;
        metrics.maxPlaces = 55; // 1 + ... + 10
        const auto made = layOutLayers(100, edges, metrics);
        QCOMPARE(made->straightEdges, std::size_t{88});
        for (std::size_t e = 0; e < edges.size(); ++e)
            QCOMPARE(made->routes[e].size(), e < 99 + 88 ? std::size_t{2} : 2 * (198 - e));
        metrics.maxPlaces = 98 * 99 / 2;
        QCOMPARE(layOutLayers(100, edges, metrics)->straightEdges, std::size_t{0});
    }

    void whatCannotBeLaidOutIsRefused() {
        QVERIFY(layOutLayers(0, {}).has_value());
        const auto cycle = layOutLayers(3, {{0, 1}, {1, 2}, {2, 0}});
        QVERIFY(!cycle && cycle.error().what.find("cycle") != std::string::npos && !cycle.error().remedy.empty());
        QVERIFY(!layOutLayers(2, {{0, 2}}));
        QVERIFY(!layOutLayers(2, {{-1, 0}}));
        QVERIFY(!layOutLayers(1, {{0, 0}}));
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = layOutLayers(3, {{0, 1}}, {}, stop.get_token());
        QVERIFY(!stopped && stopped.error().isCancelled());
    }

    void ordersAreTopological() { QCOMPARE(*topologicalOrder(4, {{3, 1}, {1, 0}}), (std::vector<std::int32_t>{2, 3, 1, 0})); }
};

QTEST_GUILESS_MAIN(TestLayeredLayout)
#include "tst_layered_layout.moc"
