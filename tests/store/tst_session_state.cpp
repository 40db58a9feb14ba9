// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/session_state.h"
#include "tests/scenarios.h"

#include <QtTest>

using namespace syncopate;

namespace {

SessionState twoClusters() {
    SessionState state;
    state.job = std::make_shared<const Job>(testing::chainJob({{0.002, 0.004, 500000}, {0.002, 0.004, 500000}}));
    state.clusterSource = "shared";
    state.cluster = std::make_shared<const Cluster>(uniformCluster(4, 10));
    state.sides = {SideState{Built{"AllReduce(chunk_size=1)"}, "fifo"}, SideState{Built{"AllReduce(chunk_size=1)"}, "fifo"}};
    state.side(Side::B).clusterSource = "clusters/own.yml";
    state.side(Side::B).cluster = std::make_shared<const Cluster>(uniformCluster(2, 40));
    return state;
}

} // namespace

class TestSessionState : public QObject {
    Q_OBJECT

private slots:
    void knobsTurnEveryCluster() {
        SessionState state = twoClusters();
        QCOMPARE(effectiveCluster(state, Side::A), uniformCluster(4, 10));
        QCOMPARE(effectiveCluster(state, Side::B), uniformCluster(2, 40));
        state.bandwidthGbits = 25;
        QCOMPARE(effectiveCluster(state, Side::A), withBandwidth(uniformCluster(4, 10), 25));
        QCOMPARE(effectiveCluster(state, Side::B), withBandwidth(uniformCluster(2, 40), 25));
        QCOMPARE(strategyTitle(state.side(Side::B)), std::string("AllReduce(chunk_size=1) on own.yml"));
    }

    /// A remedy changes the cluster of the side it was requested for; the other side keeps its cluster with the knobs applied.
    void aRemedyChangesOneSide_data() {
        QTest::addColumn<int>("side");
        QTest::newRow("shared") << 0;
        QTest::newRow("own") << 1;
    }
    void aRemedyChangesOneSide() {
        QFETCH(int, side);
        const Side changing = side == 0 ? Side::A : Side::B, other = side == 0 ? Side::B : Side::A;
        SessionState state = twoClusters();
        state.latencySeconds = 3e-5;
        const Cluster kept = effectiveCluster(state, other);
        const Result<Scenario> present = makeScenario(state, changing);
        QVERIFY(present.has_value());
        Scenario changed = *present;
        changed.cluster = std::make_shared<const Cluster>(withBandwidth(*present->cluster, 80));
        const SessionState next = withScenario(state, changing, *present, changed);
        QCOMPARE(effectiveCluster(next, changing), *changed.cluster);
        QCOMPARE(effectiveCluster(next, other), kept);
        QVERIFY(next.clusterEdited); // by the remedy, or by the knob that was applied to it
    }

    void theSameScenario() {
        const SessionState state = twoClusters();
        SessionState next = state;
        QVERIFY(next.sameScenario(state, Side::A) && next.sameScenario(state, Side::B));
        next.side(Side::B).cluster = std::make_shared<const Cluster>(uniformCluster(2, 1));
        QVERIFY(next.sameScenario(state, Side::A) && !next.sameScenario(state, Side::B));
        next = state;
        next.profile = std::make_shared<const ImportedProfile>();
        QVERIFY(next.sameScenario(state, Side::A));
        SessionState measured = state;
        measured.side(Side::A).source = Measured{};
        next.side(Side::A).source = Measured{};
        QVERIFY(!next.sameScenario(measured, Side::A));
    }
};

QTEST_GUILESS_MAIN(TestSessionState)
#include "tst_session_state.moc"
