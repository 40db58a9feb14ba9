// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives on different links that slow each other down: as measured in pairs, and as plans are scheduled and played.
#include "engine/plan/list_schedule.h"
#include "engine/session/planned_work.h"
#include "engine/simulate/planned_run.h"
#include "engine/simulate/rank_player.h"
#include "tests/checks.h"
#include "tests/plan/dags.h"

#include <QtTest>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

const std::string header = "case,collective,channel,spline,bytes_per_process,all_ranks_seconds_median\n";
const std::string alone = header + "alone,all_reduce,x,0/1,1000,1\n"
                                   "alone,all_reduce,x,0/1,10000,10\n"
                                   "alone,all_reduce,y,0/1,1000,1\n"
                                   "alone,all_reduce,y,0/1,10000,10\n";

std::string pairOf(int xBytes, double x, int yBytes, double y) {
    const auto line = [](const char *link, int bytes, double seconds) {
        return "two channels,all_reduce," + std::string(link) + ",0/1," + std::to_string(bytes) + "," + std::to_string(seconds) +
               "\n";
    };
    return line("x", xBytes, x) + line("y", yBytes, y);
}

double factorOf(const MotifCosts &costs, const std::string &link, double aloneSeconds) {
    const LinkSlowdown *const slowdown = findSlowdown(costs.slowdowns, unitChannel(link));
    return slowdown ? slowdown->factor(aloneSeconds) : 1;
}

/// A step of 1 s, and two all-reduces that depend on it and that the next step waits for.
TrainingDag twoReduces(double a, double b) {
    return dagOf({computeOp("step", 1, {}, {1_op, 2_op}), commOp("a", CollectiveKind::AllReduce, a, {0_op}),
                  commOp("b", CollectiveKind::AllReduce, b, {0_op})});
}
const std::vector<PlannedMotif> eachOnItsOwn{{1_op, {CollectiveKind::AllReduce}, 0_channel},
                                             {2_op, {CollectiveKind::AllReduce}, 1_channel}};

MotifCosts slowTogether(double x, double y) {
    MotifCosts costs;
    costs.slowdowns = {{"x", {{1, x}}}, {"y", {{1, y}}}};
    return costs;
}

} // namespace

class TestLinkSlowdown : public QObject {
    Q_OBJECT

private slots:
    /// The shorter of a pair was slowed down all the time, the longer one until the shorter had ended.
    void slowdownsFollowFromPairs() {
        const auto equal = readMotifCostsText(alone + pairOf(1000, 1.2, 1000, 1.2));
        VERIFY_VALUE(equal);
        for (const char *link : {"x", "y"})
            COMPARE_CLOSE(factorOf(*equal, link, 1), 1.2);
        QVERIFY(equal->slowdowns.size() == 2 && factorOf(*equal, "z", 1) == 1);
        // In the 1.25 s beside x, y does 0.75 of its 10 s.
        const auto unequal = readMotifCostsText(alone + pairOf(1000, 1.25, 10000, 10.5));
        VERIFY_VALUE(unequal);
        COMPARE_CLOSE(factorOf(*unequal, "x", 1), 1.25);
        COMPARE_CLOSE(factorOf(*unequal, "y", 10), 1.25 / 0.75);
        QVERIFY(readMotifCostsText(alone)->slowdowns.empty());
    }

    /// Collectives, channels and splines each have their curve, in the order of the file, which has one line for each size.
    void curvesAreOfSplines() {
        const auto costs = readMotifCostsText(alone + "alone,all_reduce,x,0/2,1000,3\nalone,all_to_all,x,0/1,1000,4\n"
                                                      "alone,all_reduce,x,1/2,1000,5\nalone,all_reduce,x,0/2,2000,6\n");
        VERIFY_VALUE(costs);
        QCOMPARE(costs->curves.size(), std::size_t{5});
        const double seconds[] = {1, 1, 3, 4, 5};
        for (std::size_t c = 0; c < 5; ++c)
            COMPARE_CLOSE(costs->curves[c].samples.front().seconds, seconds[c]);
        QCOMPARE(costs->curves[2].samples.size(), std::size_t{2});
        const auto twice = readMotifCostsText(alone + "alone,all_reduce,x,0/2,1000,3\nalone,all_reduce,x,0/1,1000,4\n");
        QVERIFY(!twice);
        QVERIFY2(twice.error().what.find("measured alone twice") != std::string::npos, twice.error().toString().c_str());
    }

    /// The median of the measurements at a size; between sizes by the logarithm of the time alone; never a gain.
    void slowdownsAreInterpolated() {
        const auto costs = readMotifCostsText(alone + pairOf(1000, 1.1, 1000, 1.1) + pairOf(1000, 1.8, 1000, 1.8) +
                                              pairOf(1000, 1.4, 1000, 1.4) + pairOf(10000, 9, 10000, 9));
        VERIFY_VALUE(costs);
        for (const auto &[seconds, factor] :
             std::vector<std::pair<double, double>>{{0.01, 1.4}, {1, 1.4}, {std::sqrt(10.0), 1.2}, {10, 1}, {1000, 1}})
            COMPARE_CLOSE(factorOf(*costs, "x", seconds), factor);
        const auto huge = readMotifCostsText(alone + pairOf(1000, 50, 1000, 60));
        VERIFY_VALUE(huge);
        for (const char *link : {"x", "y"})
            COMPARE_CLOSE(factorOf(*huge, link, 1), maxSlowdown);
    }

    /// Each moves at 2 / (1.2 + 1.4) while both are under way: b ends after 1.3 s, with 1 of a's 3 s done. The schedule, the
    /// played plan and every process on its own say the same.
    void motifsSlowEachOtherDown() {
        const MotifCosts costs = slowTogether(1.2, 1.4);
        const TrainingDag dag = twoReduces(3, 1);
        const std::vector<Channel> channels{unitChannel("x"), unitChannel("y")};
        const double expected = 1 + 1.3 + 2;
        const ListSchedule listed =
            ListScheduler(dag, channels, costs.slowdowns).schedule(eachOnItsOwn, {3, 1}, MotifOrder::CriticalPath);
        COMPARE_CLOSE(listed.iterationSeconds, expected);
        const ExecutionPlan plan = planOf(dag, channels, eachOnItsOwn, listed.orders);
        const auto played = playPlan(dag, plan, costs);
        VERIFY_VALUE(played);
        COMPARE_CLOSE(played->iterationSeconds, expected);
        const auto ranks = playRanks({.dag = &dag, .plan = &plan, .costs = costs});
        VERIFY_VALUE(ranks);
        COMPARE_CLOSE(ranks->iterationSeconds(8), expected);
        COMPARE_CLOSE(playPlan(dag, plan, {})->iterationSeconds, 1 + 3);
    }

    /// Motifs on one link share it as before, and motifs one after the other do not meet.
    void motifsThatDoNotOverlapKeepTheirPace() {
        const MotifCosts costs = slowTogether(1.5, 1.5);
        const TrainingDag dag = twoReduces(3, 2);
        Channel other = unitChannel("y");
        other.links = {"x"};
        const ExecutionPlan shared = planOf(dag, {unitChannel("x"), other}, eachOnItsOwn, {{{0_motif, 0}}, {{1_motif, 0}}});
        COMPARE_CLOSE(playPlan(dag, shared, costs)->iterationSeconds, 1 + 3 + 2);
        const TrainingDag chain = dagOf({computeOp("step", 1, {}, {2_op}), commOp("a", CollectiveKind::AllReduce, 3, {0_op}),
                                         commOp("b", CollectiveKind::AllReduce, 2, {1_op})});
        const ExecutionPlan after =
            planOf(chain, {unitChannel("x"), unitChannel("y")}, eachOnItsOwn, {{{0_motif, 0}}, {{1_motif, 0}}});
        COMPARE_CLOSE(playPlan(chain, after, costs)->iterationSeconds, 1 + 3 + 2);
    }

    /// A link that was not measured beside others neither slows them down nor is slowed down.
    void unmeasuredLinksKeepTheirPace() {
        const MotifCosts costs = slowTogether(1.5, 1.5);
        const TrainingDag dag = twoReduces(3, 2);
        const std::vector<Channel> channels{unitChannel("x"), unitChannel("z")};
        const ListSchedule listed =
            ListScheduler(dag, channels, costs.slowdowns).schedule(eachOnItsOwn, {3, 2}, MotifOrder::CriticalPath);
        COMPARE_CLOSE(listed.iterationSeconds, 1 + 3);
        COMPARE_CLOSE(playPlan(dag, planOf(dag, channels, eachOnItsOwn, listed.orders), costs)->iterationSeconds, 1 + 3);
    }

    /// Where two channels have one of the links, three motifs of 2 s share the capacity of two links: 3 x 2 s x 1.5 at 2 a
    /// second.
    void eachMotifOfASharedLinkCounts() {
        const TrainingDag dag =
            dagOf({computeOp("step", 1, {}, {1_op, 2_op, 3_op}), commOp("a", CollectiveKind::AllReduce, 2, {0_op}),
                   commOp("b", CollectiveKind::AllReduce, 2, {0_op}), commOp("c", CollectiveKind::AllReduce, 2, {0_op})});
        Channel again = unitChannel("again");
        again.links = {"x"};
        std::vector<PlannedMotif> motifs = eachOnItsOwn;
        motifs.push_back({3_op, {CollectiveKind::AllReduce}, 2_channel});
        const ExecutionPlan plan =
            planOf(dag, {unitChannel("x"), unitChannel("y"), again}, motifs, {{{0_motif, 0}}, {{1_motif, 0}}, {{2_motif, 0}}});
        COMPARE_CLOSE(playPlan(dag, plan, slowTogether(1.5, 1.5))->iterationSeconds, 1 + 4.5);
        COMPARE_CLOSE(playPlan(dag, plan, {})->iterationSeconds, 1 + 4);
    }

    void damagedPairsAreRefused_data() {
        QTest::addColumn<QString>("lines");
        QTest::addColumn<QString>("error");
        QTest::newRow("one alone") << "two channels,all_reduce,x,0/1,1000,1\n"
                                   << "two collectives on two channels are expected";
        QTest::newRow("one channel") << "two channels,all_reduce,x,0/1,1000,1\ntwo channels,all_reduce,x,0/1,1000,1\n"
                                     << "two collectives on two channels are expected";
        QTest::newRow("not measured alone") << "two channels,all_reduce,x,0/1,1000,1\ntwo channels,all_to_all,y,0/1,1000,1\n"
                                            << "a collective of the pair was not measured alone";
        QTest::newRow("no number") << "two channels,all_reduce,x,0/1,1000,-1\ntwo channels,all_reduce,y,0/1,1000,1\n"
                                   << "all_ranks_seconds_median";
    }
    void damagedPairsAreRefused() {
        QFETCH(const QString, lines);
        QFETCH(const QString, error);
        const auto read = readMotifCostsText(alone + lines.toStdString(), "costs.csv");
        QVERIFY(!read);
        QCOMPARE(read.error().file, std::string("costs.csv"));
        QVERIFY(read.error().place.starts_with("6"));
        QVERIFY2(read.error().toString().find(error.toStdString()) != std::string::npos, read.error().toString().c_str());
    }

    /// A project keeps them with the plan's measured times.
    void slowdownsSurviveAProject() {
        PlannedWork work;
        work.title = "made";
        work.dag = twoReduces(3, 1);
        work.plan = planOf(work.dag, {Channel{"x", {"x"}, 1e9, 0}, Channel{"y", {"y"}, 1e9, 0}}, eachOnItsOwn,
                           {{{0_motif, 0}}, {{1_motif, 0}}});
        work.costs = *readMotifCostsText(alone + pairOf(1000, 1.25, 10000, 10.5));
        const auto read = readPlannedWork(writePlannedWork(work), "project");
        VERIFY_VALUE(read);
        QVERIFY(read->costs == work.costs);
    }
};

QTEST_GUILESS_MAIN(TestLinkSlowdown)
#include "tst_link_slowdown.moc"
