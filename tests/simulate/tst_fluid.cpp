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

/// Max-min fairness by definition: all flows grow by tiny equal amounts until one of their links is full.
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
                if (left[g.pathHops[h].link.index()] < g.pathHops[h].weight * step)
                    fixed[f] = true;
            if (fixed[f])
                continue;
            for (std::uint32_t h = g.pathOffsets[p]; h < g.pathOffsets[p + 1]; ++h)
                left[g.pathHops[h].link.index()] -= g.pathHops[h].weight * step;
            rate[f] += step;
            any = true;
        }
    }
    return rate;
}

/// A network of at most a dozen links and two dozen paths. Few distinct capacities, so that shares tie; some flows are those of
/// folded nodes, some have limits.
LinkPaths randomNetwork(Rng &rng) {
    LinkPaths network;
    const int links = 2 + static_cast<int>(rng.uniform(0, 10));
    for (int l = 0; l < links; ++l)
        network.addLink({"", rng.uniform(0, 1) < 0.6 ? 10.0 : rng.uniform(1, 30)});
    const int paths = 2 + static_cast<int>(rng.uniform(0, 22));
    for (int p = 0; p < paths; ++p) {
        std::vector<PathHop> hops;
        for (int l = 0; l < links; ++l)
            if (l == p % links || rng.uniform(0, 1) < 1.5 / links)
                hops.push_back({LinkId(l), rng.uniform(0, 1) < 0.2 ? 3.0 : 1.0});
        network.addPath(hops, rng.uniform(0, 1) < 0.3 ? (rng.uniform(0, 1) < 0.5 ? 2.0 : rng.uniform(0.1, 12)) : infinity);
    }
    return network;
}

/// The calls made to a FluidLinks, and their consequences.
struct Told {
    const LinkPaths &network;
    std::vector<double> capacity;
    std::vector<std::int32_t> flows; ///< per path

    explicit Told(const LinkPaths &links) : network(links), flows(links.pathCount(), 0) {
        for (const FluidLink &link : links.links)
            capacity.push_back(link.bytesPerSecond);
    }
    /// Rates of a network that gets all of them at once.
    [[nodiscard]] std::vector<double> ratesFromNothing() const {
        FluidLinks fluid(network);
        for (std::size_t l = 0; l < capacity.size(); ++l)
            fluid.setCapacity(LinkId(l), capacity[l]);
        for (std::size_t p = flows.size(); p-- > 0;) // in reverse: the order must not matter
            for (std::int32_t f = 0; f < flows[p]; ++f)
                fluid.start(FlowId(0), PathId(p), 1, 0);
        static_cast<void>(fluid.next(0));
        std::vector<double> rates;
        for (std::size_t p = 0; p < flows.size(); ++p)
            rates.push_back(fluid.rate(PathId(p)));
        return rates;
    }
    /// Rates are max-min fair if no link exceeds its capacity, and each flow is at its limit or crosses a full link on which none
    /// is faster (Bertsekas and Gallager, section 6.5.2).
    void expectFair(const std::vector<double> &rates) const {
        std::vector<double> load(capacity.size(), 0), fastest(capacity.size(), 0);
        for (std::size_t p = 0; p < flows.size(); ++p)
            for (const PathHop &hop : network.hopsOf(PathId(p))) {
                const std::size_t l = hop.link.index();
                load[l] += hop.weight * flows[p] * rates[p];
                fastest[l] = std::max(fastest[l], rates[p]);
            }
        for (std::size_t l = 0; l < load.size(); ++l)
            COMPARE_AT_MOST(load[l], capacity[l] * (1 + 1e-9), QString("link %1").arg(l));
        for (std::size_t p = 0; p < flows.size(); ++p) {
            const double limit = network.pathLimits[p];
            bool held = flows[p] == 0 || std::abs(rates[p] - limit) <= 1e-9 * rates[p];
            for (const PathHop &hop : network.hopsOf(PathId(p))) {
                const std::size_t l = hop.link.index();
                held |= load[l] >= capacity[l] * (1 - 1e-9) && rates[p] >= fastest[l] * (1 - 1e-9);
            }
            QVERIFY2(held, qPrintable(QString("path %1: %2, limit %3").arg(p).arg(rates[p]).arg(limit)));
            COMPARE_AT_MOST(rates[p], limit, QString("path %1").arg(p));
        }
    }
};

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
                        hops.push_back({LinkId(l), rng.uniform(0, 1) < 0.3 ? 3.0 : 1.0});
                builder.addPath(hops, rng.uniform(0, 1) < 0.4 ? rng.uniform(0.1, 3) : infinity);
            }
            const TaskGraph graph = builder.take();
            FluidLinks fluid(graph);
            std::vector<std::int32_t> flows;
            for (int f = 0; f < 8; ++f) {
                flows.push_back(static_cast<std::int32_t>(rng.uniform(0, paths)));
                fluid.start(FlowId(f), PathId(flows.back()), 1, 0);
            }
            COMPARE_ABOVE(fluid.next(0), 0);
            const std::vector<double> expected = filledSlowly(graph, flows);
            for (std::size_t f = 0; f < flows.size(); ++f)
                COMPARE_WITHIN(fluid.rate(PathId(flows[f])), expected[f], 0.01);
        }
    }

    /// Flows start and end, and links change: however the rates were computed, they equal bit for bit those of a network given
    /// the same flows at once, and they are fair.
    void ratesDoNotDependOnWhatWasBefore() {
        Rng rng(11);
        std::vector<NetworkEvent> ended;
        for (int trial = 0; trial < 300; ++trial) {
            const LinkPaths network = randomNetwork(rng);
            const auto paths = static_cast<double>(network.pathCount());
            FluidLinks fluid(network);
            Told told(network);
            std::vector<std::size_t> pathOf;
            double now = 0;
            for (int step = 0; step < 100; ++step) {
                const double choice = rng.uniform(0, 1);
                if (choice < 0.55 || fluid.idle()) {
                    const auto path = static_cast<std::size_t>(rng.uniform(0, paths));
                    fluid.start(FlowId(pathOf.size()), PathId(path), rng.uniform(1, 50), now);
                    pathOf.push_back(path);
                    ++told.flows[path];
                } else if (choice < 0.6) {
                    const auto link = static_cast<std::size_t>(rng.uniform(0, static_cast<double>(told.capacity.size())));
                    told.capacity[link] = rng.uniform(0, 1) < 0.5 ? 10.0 : rng.uniform(1, 30);
                    fluid.setCapacity(LinkId(link), told.capacity[link]);
                } else {
                    now = fluid.next(now);
                    ended.clear();
                    fluid.advance(now, ended);
                    QVERIFY(!ended.empty());
                    for (const NetworkEvent &event : ended)
                        --told.flows[pathOf[event.flow.index()]];
                }
                if (rng.uniform(0, 1) < 0.3)
                    continue; // several changes at the same time
                static_cast<void>(fluid.next(now));
                const std::vector<double> fresh = told.ratesFromNothing();
                for (std::size_t p = 0; p < fresh.size(); ++p)
                    QVERIFY2(fluid.rate(PathId(p)) == fresh[p],
                             qPrintable(QString("trial %1, step %2, path %3: got %4, want %5, ratio - 1 %6")
                                            .arg(trial)
                                            .arg(step)
                                            .arg(p)
                                            .arg(fluid.rate(PathId(p)), 0, 'g', 17)
                                            .arg(fresh[p], 0, 'g', 17)
                                            .arg(fluid.rate(PathId(p)) / fresh[p] - 1)));
                told.expectFair(fresh);
                if (QTest::currentTestFailed())
                    return;
            }
        }
    }

    /// One of three connections reaches its limit before the link's share; the others get the rest. Alone it also has its limit,
    /// or the link's rate if that is lower.
    void aFlowHasALimitOfItsOwn() {
        GraphBuilder builder;
        builder.addLink({"", 10});
        const PathId limited(builder.addPath({{LinkId(0), 1}}, 2)), free(builder.addPath({{LinkId(0), 1}})),
            wide(builder.addPath({{LinkId(0), 1}}, 12));
        const TaskGraph graph = builder.take();
        FluidLinks fluid(graph);
        QCOMPARE(fluid.rateAlone(limited), 2.0);
        QCOMPARE(fluid.rateAlone(free), 10.0);
        QCOMPARE(fluid.rateAlone(wide), 10.0);
        fluid.start(FlowId(0), limited, 4, 0);
        QCOMPARE(fluid.next(0), 2.0);
        fluid.start(FlowId(1), free, 12, 0);
        fluid.start(FlowId(2), wide, 100, 0);
        QCOMPARE(fluid.next(0), 2.0); // 2, 4 and 4: the limited flow ends as if it were alone
        QCOMPARE(fluid.rate(limited), 2.0);
        QCOMPARE(fluid.rate(free), 4.0);
        QCOMPARE(fluid.rate(wide), 4.0);
        std::vector<NetworkEvent> ended;
        fluid.advance(2, ended);
        QCOMPARE(ended.size(), 1U);
        QCOMPARE(fluid.next(2), 2.8); // 4 of the 12 are left, at 5
        fluid.start(FlowId(3), limited, 100, 2.5);
        fluid.start(FlowId(4), limited, 100, 2.5); // the limit applies to each flow: 2 and 2
        COMPARE_ABOVE(fluid.next(2.5), 2.8);
        QCOMPARE(fluid.rate(limited), 2.0);
        QCOMPARE(fluid.rate(free), 3.0);
        QCOMPARE(fluid.rate(wide), 3.0);
    }

    /// Flows join and leave: each gets its bytes, and they end in the order of service.
    void flowsEndWhenTheirBytesAreThrough() {
        GraphBuilder builder;
        builder.addLink({"", 10});
        const PathId path(builder.addPath({{LinkId(0), 1}}));
        const TaskGraph graph = builder.take();
        FluidLinks fluid(graph);
        fluid.start(FlowId(0), path, 10, 1);
        fluid.start(FlowId(1), path, 20, 1);
        QCOMPARE(fluid.next(1), 3.0); // 5 each
        std::vector<NetworkEvent> ended;
        fluid.advance(3, ended);
        QCOMPARE(ended.size(), 1U);
        QCOMPARE(ended.front().flow.number(), 0);
        QCOMPARE(fluid.next(3), 4.0); // 10 left, alone
        ended.clear();
        fluid.advance(4, ended);
        QCOMPARE(ended.size(), 1U);
        QCOMPARE(ended.front().flow.number(), 1);
        QCOMPARE(fluid.next(4), infinity);
        QVERIFY(fluid.idle());
    }
};

QTEST_GUILESS_MAIN(TestFluid)
#include "tst_fluid.moc"
