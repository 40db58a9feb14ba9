// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/link_loads.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/comm_policy.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>

using namespace syncopate;

namespace {

std::shared_ptr<const Run> runOf(const std::string &builder, const std::string &policy, const Cluster &cluster, bool fold) {
    Scenario scenario;
    scenario.job = std::make_shared<const Job>(testing::chainJob({{0.002, 0.004, 500000}, {0.001, 0.002, 250000}}));
    scenario.cluster = std::make_shared<const Cluster>(cluster);
    scenario.strategy = std::make_shared<const Strategy>(*buildStrategy(builder, *scenario.job, *scenario.cluster));
    scenario.policy = *parsePolicy(policy);
    scenario.fold = fold;
    return *simulate(scenario);
}

double end(const Run &run) { return *std::max_element(run.endSeconds.begin(), run.endSeconds.end()) + 1; }

} // namespace

class TestLinkLoads : public QObject {
    Q_OBJECT

private slots:
    /// All workers' gradients reach the dedicated server and all values leave it, folded or not.
    void aServersLinks_data() {
        QTest::addColumn<bool>("fold");
        QTest::newRow("folded") << true;
        QTest::newRow("every node") << false;
    }
    void aServersLinks() {
        QFETCH(bool, fold);
        const Cluster cluster = withDedicatedServers(uniformCluster(3, 10), 1);
        const auto run = runOf("PS", "fifo", cluster, fold);
        const auto nodes = linksOfNodes(*run);
        QCOMPARE(nodes.size(), std::size_t{4});
        const LinkLoads loads(*run);
        const double gradients = 4.0 * 750000 * run->graph.iterations;
        COMPARE_CLOSE(loads.bytes(nodes[3].receive, 0, end(*run)), 3 * gradients, 1e-12);
        COMPARE_CLOSE(loads.bytes(nodes[3].transmit, 0, end(*run)), 3 * gradients, 1e-12);
        for (std::size_t worker = 0; worker < 3; ++worker) {
            COMPARE_CLOSE(loads.bytes(nodes[worker].transmit, 0, end(*run)), gradients, 1e-12);
            COMPARE_CLOSE(loads.bytes(nodes[worker].receive, 0, end(*run)), gradients, 1e-12);
        }
        const auto shares = serverShares(*run);
        QVERIFY(nodes[3].lanes.empty()); // its only device is its host
        QCOMPARE(nodes[0].lanes.size(), std::size_t{2});
        QCOMPARE(shares[3].bytes, 4.0 * 750000);
        QCOMPARE(shares[3].units, 2);
        QCOMPARE(shares[0].units, 0);
    }

    /// A ring moves 2 (n - 1) / n of the bytes over each link, in every form of simulation.
    void aRingsLinks_data() {
        QTest::addColumn<QString>("policy");
        QTest::newRow("analytic") << QStringLiteral("fifo");
        QTest::newRow("flows") << QStringLiteral("fifo(form=flows)");
    }
    void aRingsLinks() {
        QFETCH(QString, policy);
        const auto run = runOf("AllReduce(chunk_size=1)", policy.toStdString(), uniformCluster(4, 10), true);
        const auto nodes = linksOfNodes(*run);
        const LinkLoads loads(*run);
        const double sent = 4.0 * 750000 * 2 * 3 / 4 * run->graph.iterations;
        QCOMPARE(nodes.size(), std::size_t{4});
        for (const NodeLinks &node : nodes) {
            COMPARE_CLOSE(loads.bytes(node.transmit, 0, end(*run)), sent, 1e-9);
            COMPARE_CLOSE(loads.bytes(node.receive, 0, end(*run)), sent, 1e-9);
        }
    }

    /// Over the whole run no link carries more than its capacity, and windows add up.
    void sharesAreShares() {
        const auto run = runOf("PSLoadBalancing", "fifo(barrier=off)", uniformCluster(5, 10), false);
        const LinkLoads loads(*run);
        const double whole = end(*run);
        double carried = 0;
        for (std::size_t l = 0; l < run->graph.links.size(); ++l) {
            const LinkId link(l);
            double sum = 0;
            constexpr int pieces = 97;
            for (int i = 0; i < pieces; ++i) {
                const double from = whole * i / pieces, to = whole * (i + 1) / pieces;
                const double share = loads.share(link, from, to);
                // A message's rate changes while it flows; its mean may temporarily exceed the free capacity.
                COMPARE_AT_LEAST(share, -1e-12);
                sum += loads.bytes(link, from, to);
            }
            COMPARE_WITHIN(sum, loads.bytes(link, 0, whole), 1e-9 * (1 + sum));
            COMPARE_AT_MOST(loads.share(link, 0, whole), 1 + 1e-9);
            carried += sum;
        }
        COMPARE_ABOVE(carried, 4.0 * 750000 * run->graph.iterations);
        QCOMPARE(loads.share({}, 0, 1), 0.0);
        QCOMPARE(loads.share(LinkId(1000000), 0, 1), 0.0);
        QCOMPARE(loads.bytes(LinkId(0), 1, 1), 0.0);
    }
};

QTEST_GUILESS_MAIN(TestLinkLoads)
#include "tst_link_loads.moc"
