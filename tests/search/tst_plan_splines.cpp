// SPDX-License-Identifier: GPL-3.0-or-later
// Splines of gathers, scatters, broadcasts and reduces in planned steps: used where they are faster, and not where they are not.
#include "engine/search/plan_search.h"
#include "engine/simulate/rank_player.h"
#include "tests/checks.h"
#include "tests/plan/dags.h"

#include <QtTest>
#include <algorithm>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

using enum CollectiveKind;

/// A second of compute, and a collective among four processes, on channels of 1 kB and one step a second.
PlanRequest requestOf(CollectiveKind kind, double kilobytes, int channels) {
    PlanRequest request;
    request.dag = std::make_shared<const TrainingDag>(
        dagOf({computeOp("step", 1, {}, {1_op}), commOp("x", kind, 1e3 * kilobytes, {0_op})}, 4));
    for (int c = 0; c < channels; ++c) {
        request.channels.push_back(unitChannel("c" + std::to_string(c)));
        request.channels.back().bandwidthBytesPerSecond = 1e3;
        request.channels.back().latencySeconds = 1;
    }
    return request;
}

struct Planned {
    double iterationSeconds = 0;
    std::int32_t splines = 1; ///< maximum of a collective
};
Planned planned(const PlanRequest &request, PlanMethod method = PlanMethod::Syndicate) {
    const auto found = must(findPlan(request, method));
    Planned made{found.run.iterationSeconds};
    for (const PlannedMotif &motif : found.plan.motifs)
        made.splines = std::max(made.splines, motif.motif.spline.of);
    return made;
}

} // namespace

class TestPlanSplines : public QObject {
    Q_OBJECT

private slots:
    /// Small messages among four on three channels: a process reaches all others in one step, where a ring takes three and
    /// doubling two. The bound allows it.
    void smallMessagesTakeOneStep_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("all-gather") << static_cast<int>(AllGather);
        QTest::newRow("reduce-scatter") << static_cast<int>(ReduceScatter);
        QTest::newRow("broadcast") << static_cast<int>(Broadcast);
        QTest::newRow("reduce") << static_cast<int>(Reduce);
    }
    void smallMessagesTakeOneStep() {
        QFETCH(int, kind);
        const auto of = static_cast<CollectiveKind>(kind);
        const PlanRequest request = requestOf(of, 4e-9, 3);
        const Planned found = planned(request);
        COMPARE_CLOSE(found.iterationSeconds, 2, 1e-6);
        QCOMPARE(found.splines, 4);
        COMPARE_CLOSE(planBoundSeconds(request), 2, 1e-6);
        // The plan is the same in its file, and played by each process on its own.
        const auto plan = findPlan(request, PlanMethod::Syndicate)->plan;
        const auto again = readExecutionPlanText(writeExecutionPlan(plan, *request.dag), *request.dag);
        VERIFY_VALUE(again);
        QVERIFY(*again == plan);
        const TrainingDag dag = withSubmission(*request.dag, true);
        RankRequest ranks{.dag = &dag, .plan = &plan, .costs = {}};
        const auto run = playRanks(ranks);
        VERIFY_VALUE(run);
        QVERIFY(!run->deadlock);
        COMPARE_CLOSE(run->iterationSeconds(8), 2, 1e-6);
        // Each channel's share is sent in a step of its own where there is one channel: there they are no faster.
        COMPARE_AT_LEAST(planned(requestOf(of, 4e-9, 1)).iterationSeconds, 3);
    }

    /// Where bytes dominate, the root of a broadcast or a reduce would send all of them three times; segments distribute them.
    void largeBroadcastsAreNotSplined() {
        for (const CollectiveKind kind : {Broadcast, Reduce}) {
            const Planned found = planned(requestOf(kind, 300, 3));
            QCOMPARE(found.splines, 1);
            COMPARE_AT_MOST(found.iterationSeconds, 1 + 3 * (2 + 300 / 8.) + 1e-9); // eight segments, three on a channel
        }
    }

    /// With several processes on a node, a ring leaves the node once, splines leave it from each process.
    void gathersOfFullNodesAreNotSplined() {
        PlanRequest request = requestOf(AllGather, 300, 3);
        request.costs.processesPerNode = 2;
        request.costs.localRates = {{"c0", 1e9}, {"c1", 1e9}, {"c2", 1e9}};
        QCOMPARE(planned(request).splines, 1);
        request.costs.processesPerNode = 1; // as many bytes then, and a step instead of the three of each ring
        const Planned found = planned(request);
        QCOMPARE(found.splines, 4);
        COMPARE_CLOSE(found.iterationSeconds, 1 + 1 + 300 / 4.);
    }

    /// Baselines stay like the stacks that they stand for, which spline all-to-alls at most.
    void baselinesDoNotSplineThem() {
        for (const PlanMethod method : {PlanMethod::Fifo, PlanMethod::BsPlus, PlanMethod::HandMade, PlanMethod::Sched})
            QCOMPARE(planned(requestOf(AllGather, 4e-9, 3), method).splines, 1);
    }
};

QTEST_APPLESS_MAIN(TestPlanSplines)
#include "tst_plan_splines.moc"
