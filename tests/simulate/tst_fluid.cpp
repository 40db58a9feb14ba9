// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/rng.h"
#include "engine/graph/graph_builder.h"
#include "engine/network/fluid.h"
#include "tests/checks.h"

#include <QtTest>
#include <cmath>

using namespace syncopate;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Max-min fairness by its definition: fill all flows by tiny equal amounts until one of their links is full.
std::vector<double> filledSlowly(const TaskGraph &g, const std::vector<std::int32_t> &flows) {
    std::vector<double> rate(flows.size(), 0), left;
    for (const FluidLink &link : g.links)
        left.push_back(link.bytesPerSecond);
    std::vector<bool> fixed(flows.size(), false);
    const double step = 1e-4;
    for (bool any = true; any;) {
        any = false;
        for (std::size_t f = 0; f < flows.size(); ++f) {
            if (fixed[f])
                continue;
            const auto p = static_cast<std::size_t>(flows[f]);
            fixed[f] = rate[f] + step > g.pathLimits[p];
            for (std::uint32_t h = g.pathOffsets[p]; h < g.pathOffsets[p + 1]; ++h)
                if (left[static_cast<std::size_t>(g.pathHops[h].link)] < g.pathHops[h].weight * step)
                    fixed[f] = true;
            if (fixed[f])
                continue;
            for (std::uint32_t h = g.pathOffsets[p]; h < g.pathOffsets[p + 1]; ++h)
                left[static_cast<std::size_t>(g.pathHops[h].link)] -= g.pathHops[h].weight * step;
            rate[f] += step;
            any = true;
        }
    }
    return rate;
}

} // namespace

class TestFluid : public QObject {
    Q_OBJECT

private slots:
    void equalsSlowFilling() {
        Rng rng(3);
        for (int trial = 0; trial < 100; ++trial) {
            GraphBuilder builder;
            const int links = 1 + static_cast<int>(rng.uniform(0, 5));
            for (int l = 0; l < links; ++l)
                builder.addLink({"", rng.uniform(1, 10)});
            const int paths = 1 + static_cast<int>(rng.uniform(0, 5));
            for (int p = 0; p < paths; ++p) {
                std::vector<PathHop> hops;
                for (int l = 0; l < links; ++l)
                    if (l == p % links || rng.uniform(0, 1) < 0.4)
                        hops.push_back({l, rng.uniform(0, 1) < 0.3 ? 3.0 : 1.0});
                builder.addPath(hops, rng.uniform(0, 1) < 0.4 ? rng.uniform(0.1, 3) : infinity);
            }
            const TaskGraph graph = builder.take();
            FluidLinks fluid(graph);
            std::vector<std::int32_t> flows;
            for (int f = 0; f < 8; ++f) {
                flows.push_back(static_cast<std::int32_t>(rng.uniform(0, paths)));
                fluid.start(f, flows.back(), 1, 0);
            }
            QVERIFY(fluid.next(0) > 0);
            const std::vector<double> expected = filledSlowly(graph, flows);
            for (std::size_t f = 0; f < flows.size(); ++f)
                COMPARE_WITHIN(fluid.rate(flows[f]), expected[f], 0.01);
        }
    }

    /// One connection of three reaches its limit before the link's share; the others have what it leaves. Alone it has its limit
    /// too, or the link's rate where that is less.
    void aFlowHasALimitOfItsOwn() {
        GraphBuilder builder;
        builder.addLink({"", 10});
        const std::int32_t limited = builder.addPath({{0, 1}}, 2), free = builder.addPath({{0, 1}}),
                           wide = builder.addPath({{0, 1}}, 12);
        const TaskGraph graph = builder.take();
        FluidLinks fluid(graph);
        QCOMPARE(fluid.rateAlone(limited), 2.0);
        QCOMPARE(fluid.rateAlone(free), 10.0);
        QCOMPARE(fluid.rateAlone(wide), 10.0);
        fluid.start(0, limited, 4, 0);
        QCOMPARE(fluid.next(0), 2.0);
        fluid.start(1, free, 12, 0);
        fluid.start(2, wide, 100, 0);
        QCOMPARE(fluid.next(0), 2.0); // 2, 4 and 4: the limited flow ends as it did alone
        QCOMPARE(fluid.rate(limited), 2.0);
        QCOMPARE(fluid.rate(free), 4.0);
        QCOMPARE(fluid.rate(wide), 4.0);
        std::vector<NetworkEvent> ended;
        fluid.advance(2, ended);
        QCOMPARE(ended.size(), 1U);
        QCOMPARE(fluid.next(2), 2.8); // 4 of the 12 are left, at 5
        fluid.start(3, limited, 100, 2.5);
        fluid.start(4, limited, 100, 2.5); // the limit is each flow's: 2 and 2
        QVERIFY(fluid.next(2.5) > 2.8);
        QCOMPARE(fluid.rate(limited), 2.0);
        QCOMPARE(fluid.rate(free), 3.0);
        QCOMPARE(fluid.rate(wide), 3.0);
    }

    /// Flows that join and leave: each gets its bytes, ends in the order of its service.
    void flowsEndWhenTheirBytesAreThrough() {
        GraphBuilder builder;
        builder.addLink({"", 10});
        const std::int32_t path = builder.addPath({{0, 1}});
        const TaskGraph graph = builder.take();
        FluidLinks fluid(graph);
        fluid.start(0, path, 10, 1);
        fluid.start(1, path, 20, 1);
        QCOMPARE(fluid.next(1), 3.0); // 5 each
        std::vector<NetworkEvent> ended;
        fluid.advance(3, ended);
        QCOMPARE(ended.size(), 1U);
        QCOMPARE(ended.front().id, 0);
        QCOMPARE(fluid.next(3), 4.0); // 10 left, alone
        ended.clear();
        fluid.advance(4, ended);
        QCOMPARE(ended.size(), 1U);
        QCOMPARE(ended.front().id, 1);
        QCOMPARE(fluid.next(4), infinity);
        QVERIFY(fluid.idle());
    }
};

QTEST_GUILESS_MAIN(TestFluid)
#include "tst_fluid.moc"
