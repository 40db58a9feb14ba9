// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/rng.h"
#include "engine/rewrite/graph_builder.h"
#include "engine/simulate/fluid.h"
#include "engine/simulate/max_min.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>

using namespace syncopate;

namespace {

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

/// The textbook's progressive filling, one flow count per path: the rate of one flow on each.
std::vector<double> filled(const TaskGraph &g, const std::vector<double> &flows) {
    std::vector<double> rate(flows.size(), 0), left;
    for (const FluidLink &link : g.links)
        left.push_back(link.bytesPerSecond);
    std::vector<bool> open;
    for (const double n : flows)
        open.push_back(n > 0);
    const auto forHops = [&](auto &&call) {
        for (std::size_t p = 0; p < flows.size(); ++p)
            for (std::uint32_t h = g.pathOffsets[p]; h < g.pathOffsets[p + 1]; ++h)
                call(p, static_cast<std::size_t>(g.pathHops[h].link), g.pathHops[h].weight * flows[p]);
    };
    while (std::find(open.begin(), open.end(), true) != open.end()) {
        std::vector<double> weight(left.size(), 0), room = left;
        forHops([&](std::size_t p, std::size_t l, double w) { (open[p] ? weight[l] : room[l]) += open[p] ? w : -w * rate[p]; });
        std::size_t least = 0;
        double level = std::numeric_limits<double>::infinity();
        for (std::size_t l = 0; l < left.size(); ++l)
            if (weight[l] > 0 && room[l] / weight[l] < level) {
                level = room[l] / weight[l];
                least = l;
            }
        std::vector<bool> fixed(flows.size(), false);
        forHops([&](std::size_t p, std::size_t l, double) { fixed[p] = fixed[p] || (open[p] && l == least); });
        for (std::size_t p = 0; p < flows.size(); ++p)
            if (fixed[p]) {
                rate[p] = level;
                open[p] = false;
            }
    }
    return rate;
}

struct Network {
    const char *name;
    int servers, workers; ///< every worker has a path to and from every server; servers 0: paths at random
    bool colocated;       ///< the servers' links are the first workers'
};

TaskGraph networkOf(const Network &network, Rng &rng) {
    GraphBuilder builder;
    const double few[] = {1e9, 1e9, 1e9, 2e9, 5e8}; // equal ones are the rule
    const auto link = [&] { return builder.addLink({"", few[static_cast<std::size_t>(rng.uniform(0, 4.99))]}); };
    const int nodes = network.workers + (network.colocated ? 0 : network.servers);
    for (int l = 0; l < 2 * nodes; ++l)
        link();
    if (network.servers == 0) {
        for (int p = 0; p < 3 * network.workers; ++p) {
            std::vector<PathHop> hops;
            for (int h = 1 + static_cast<int>(rng.uniform(0, 4)); h > 0; --h) {
                const auto next = static_cast<std::int32_t>(rng.uniform(0, 2 * nodes));
                if (std::none_of(hops.begin(), hops.end(), [&](const PathHop &hop) { return hop.link == next; }))
                    hops.push_back({next, rng.uniform(0, 1) < 0.2 ? 3.0 : 1.0});
            }
            builder.addPath(hops);
        }
    }
    for (int s = 0; s < network.servers; ++s)
        for (int w = 0; w < network.workers; ++w) {
            const int server = network.colocated ? s : network.workers + s;
            if (server == w)
                continue;
            builder.addPath({{2 * w, 1}, {2 * server + 1, 1}});
            builder.addPath({{2 * server, 1}, {2 * w + 1, 1}});
        }
    return builder.take();
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
                builder.addPath(hops);
            }
            const TaskGraph graph = builder.take();
            FluidLinks fluid(graph);
            std::vector<std::int32_t> flows;
            for (int f = 0; f < 8; ++f) {
                flows.push_back(static_cast<std::int32_t>(rng.uniform(0, paths)));
                fluid.start(f, flows.back(), 1, 0);
            }
            fluid.settle(0);
            const std::vector<double> expected = filledSlowly(graph, flows);
            for (std::size_t f = 0; f < flows.size(); ++f)
                QVERIFY2(std::abs(fluid.rate(flows[f]) - expected[f]) < 0.01, qPrintable(QString::number(trial)));
        }
    }

    void followsChangesAsFillingDoes_data() {
        QTest::addColumn<int>("servers");
        QTest::addColumn<int>("workers");
        QTest::addColumn<bool>("colocated");
        QTest::addColumn<int>("way"); ///< that this network is there for: 0 adjusted, 1 followed, 2 filled
        QTest::newRow("any paths") << 0 << 60 << false << 1;
        QTest::newRow("one server") << 1 << 40 << false << 0;
        QTest::newRow("one server, many workers") << 1 << 150 << false << 0;
        QTest::newRow("two servers") << 2 << 60 << false << 0;
        QTest::newRow("every node a server") << 10 << 10 << true << 1;
        QTest::newRow("many servers, many workers") << 3 << 140 << false << 2;
    }
    /// Rates after any changes are those of filling from nothing, whichever way they were computed.
    void followsChangesAsFillingDoes() {
        QFETCH(int, servers);
        QFETCH(int, workers);
        QFETCH(bool, colocated);
        QFETCH(int, way);
        std::uint64_t efforts[3] = {0, 0, 0};
        for (int seed = 1; seed <= (workers > 100 ? 3 : 8); ++seed) {
            Rng rng(static_cast<std::uint64_t>(seed));
            const TaskGraph graph = networkOf({"", servers, workers, colocated}, rng);
            MaxMin rates(graph);
            std::vector<double> flows(graph.pathCount(), 0);
            for (int step = 0; step < 200; ++step) {
                // Mostly one change at a time, sometimes many; the network fills and empties slowly.
                const double busy = 0.5 + 0.5 * std::sin(step / 20.0);
                for (int changes = rng.uniform(0, 1) < 0.8 ? 1 : static_cast<int>(rng.uniform(2, 30)); changes > 0; --changes) {
                    const auto p = static_cast<std::size_t>(rng.uniform(0, static_cast<double>(flows.size())));
                    flows[p] = rng.uniform(0, 1) < busy ? flows[p] + 1 : std::max(0.0, flows[p] - 1);
                    if (servers > 0) // one message at a time on a connection
                        flows[p] = std::min(flows[p], 1.0);
                    rates.setFlows(static_cast<std::int32_t>(p), flows[p]);
                }
                rates.update();
                const std::vector<double> expected = filled(graph, flows);
                for (std::size_t p = 0; p < flows.size(); ++p) {
                    const std::int32_t link = rates.bottleneck(static_cast<std::int32_t>(p));
                    QCOMPARE(link >= 0, flows[p] > 0);
                    const double rate = link < 0 ? 0 : rates.level(link);
                    QVERIFY2(std::abs(rate - expected[p]) <= 1e-9 * expected[p],
                             qPrintable(QString("seed %1 step %2 path %3: %4 for %5")
                                            .arg(seed)
                                            .arg(step)
                                            .arg(p)
                                            .arg(rate, 0, 'g', 17)
                                            .arg(expected[p], 0, 'g', 17)));
                }
            }
            efforts[0] += rates.effort().adjustments;
            efforts[1] += rates.effort().propagations;
            efforts[2] += rates.effort().fillings;
        }
        qInfo("%llu adjusted, %llu followed, %llu filled", static_cast<unsigned long long>(efforts[0]),
              static_cast<unsigned long long>(efforts[1]), static_cast<unsigned long long>(efforts[2]));
        QVERIFY(efforts[way] > 100);
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
        fluid.settle(1);
        QCOMPARE(fluid.nextEnd(), 3.0); // 5 each
        std::vector<std::int32_t> ended;
        fluid.collect(3, ended);
        QCOMPARE(ended, (std::vector<std::int32_t>{0}));
        fluid.settle(3);
        QCOMPARE(fluid.nextEnd(), 4.0); // 10 left, alone
        ended.clear();
        fluid.collect(4, ended);
        QCOMPARE(ended, (std::vector<std::int32_t>{1}));
        fluid.settle(4);
        QVERIFY(fluid.idle());
    }
};

QTEST_GUILESS_MAIN(TestFluid)
#include "tst_fluid.moc"
