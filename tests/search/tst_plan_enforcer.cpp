// SPDX-License-Identifier: GPL-3.0-or-later
// Plans on processes of unequal speed: closed forms, equality with a single process for all if speeds are equal, what strict
// order prevents, plans changed in two phases or at once, and replanning.
#include "engine/base/rng.h"
#include "engine/search/plan_enforcer.h"
#include "engine/simulate/plan_edit.h"
#include "tests/checks.h"
#include "tests/plan/dags.h"

#include <QDir>
#include <QJsonDocument>
#include <QtTest>
#include <set>
#include <type_traits>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// A process, an iteration and an op: numbers all three, in one order only.
using Factor = decltype(&ComputeNoise::factor);
static_assert(std::is_invocable_v<Factor, const ComputeNoise &, ProcessId, std::int32_t, DagOpId>);
static_assert(!std::is_invocable_v<Factor, const ComputeNoise &, DagOpId, std::int32_t, ProcessId> &&
              !std::is_invocable_v<Factor, const ComputeNoise &, std::int32_t, ProcessId, DagOpId>);

const QString measured = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/plan/");

ExecutionPlan wholePlan(const TrainingDag &dag) {
    return planOf(dag, {unitChannel("c")}, {{2_op, {CollectiveKind::AllReduce}, 0_channel}}, {{{0_motif, 0}}});
}

/// An all-reduce of the result of "one", and one of the result of "two", sent in the wrong order.
TrainingDag twoSums() {
    return dagOf({computeOp("one", 1, {}, {2_op, 3_op}), computeOp("two", 4, {0_op}),
                  commOp("early", CollectiveKind::AllReduce, 3, {0_op}), commOp("late", CollectiveKind::AllReduce, 2, {1_op})});
}
ExecutionPlan lateFirst(const TrainingDag &dag) {
    return planOf(dag, {unitChannel("c")},
                  {{2_op, {CollectiveKind::AllReduce}, 0_channel}, {3_op, {CollectiveKind::AllReduce}, 0_channel}},
                  {{{1_motif, 0}, {0_motif, 0}}});
}

RankRun played(const TrainingDag &dag, const ExecutionPlan &plan, ComputeNoise noise = {}, Dispatch dispatch = Dispatch::Strict,
               std::int32_t iterations = 8) {
    RankRequest request{.dag = &dag, .plan = &plan, .costs = {}, .noise = std::move(noise), .dispatch = dispatch};
    request.iterations = iterations;
    return must(playRanks(request));
}

} // namespace

class TestPlanEnforcer : public QObject {
    Q_OBJECT

private slots:
    /// With equal speeds, individual processes behave like a single one: measured plans over two channels.
    void equalProcessesArePlayedAsOne() {
        const MotifCosts costs = readMotifCostsFile((measured + "collectives.csv").toStdString()).value();
        int compared = 0;
        for (const QString &name : QDir(measured + "plans").entryList({"*.json"})) {
            QFile file(measured + "plans/" + name);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString dagName = QJsonDocument::fromJson(file.readAll())["dag"].toString();
            const TrainingDag dag =
                withSubmission(readTrainingDagFile((measured + "dags/" + dagName + ".dag.json").toStdString()).value(), true);
            const auto plan = readExecutionPlanFile((measured + "plans/" + name).toStdString(), dag);
            const auto one = playPlan(dag, *plan, costs);
            RankRequest request{.dag = &dag, .plan = &*plan, .costs = costs};
            request.iterations = 64;
            const auto all = playRanks(request);
            QVERIFY2(all.has_value() && !all->deadlock, qPrintable(name));
            COMPARE_CLOSE(all->iterationSeconds(32), one->iterationSeconds, 2e-3, About(name));
            ++compared;
        }
        QCOMPARE(compared, 27);
    }

    /// The same with groups: rings, trees and partitions over a shared link, with eight processes.
    void groupsArePlayedAsOne_data() {
        QTest::addColumn<MotifCut>("cut");
        QTest::newRow("whole") << MotifCut{};
        QTest::newRow("ring in two") << MotifCut{.segments = 2, .ring = true};
        QTest::newRow("tree of two") << MotifCut{.tree = 2};
        QTest::newRow("in groups of four") << MotifCut{.segments = 2, .partition = 4};
    }
    void groupsArePlayedAsOne() {
        QFETCH(MotifCut, cut);
        TrainingDag dag = dataParallel(1, 2, 8);
        dag.processes = 8;
        ExecutionPlan plan = wholePlan(dag);
        plan.channels.push_back({"d", {"c", "d"}, 1, 0}); // shares its first link with the other channel
        plan.orders.emplace_back();
        const auto made = editPlan(dag, plan, {}, RecutOp{2_op, cut, {0_channel, 1_channel}});
        VERIFY_VALUE(made);
        const RankRun all = played(dag, *made, {}, Dispatch::Strict, 20);
        QVERIFY(!all.deadlock && all.iterations == 20);
        COMPARE_CLOSE(all.iterationSeconds(8), playPlan(dag, *made, {})->iterationSeconds);
    }

    /// A process that takes twice as long delays all: 2 (1 + 2) + 5 s, 3 of which the others wait.
    void stragglersAddUp() {
        const TrainingDag dag = dataParallel(1, 2, 5);
        ComputeNoise noise;
        noise.stragglers = {{1_process, 2, 4}};
        const RankRun run = played(dag, wholePlan(dag), noise);
        const std::vector<double> &starts = run.startSeconds[0];
        COMPARE_CLOSE(starts[4] - starts[3], 1 + 2 + 5);
        COMPARE_CLOSE(starts[6] - starts[5], 2 * (1 + 2) + 5);
        COMPARE_CLOSE(run.othersSeconds[0][5], 3);
        COMPARE_CLOSE(run.othersRatio(5), 3.0 / 11);
        COMPARE_WITHIN(run.othersSeconds[1][5], 0, 1e-12);
        COMPARE_WITHIN(run.heldUpRatio(5), 0, 1e-12);
    }

    /// With a barrier in every iteration, each takes the slowest process's compute plus the all-reduce.
    void jitterIsTheSlowestOfAll() {
        TrainingDag dag = dataParallel(1, 2, 5);
        dag.processes = 4; // the ring takes 2 * 3/4 * 5 s
        ComputeNoise noise;
        noise.jitter = 0.2;
        noise.seed = 7;
        const RankRun run = played(dag, wholePlan(dag), noise, Dispatch::Strict, 50);
        double mean = 0;
        for (std::int32_t i = 0; i + 1 < 50; ++i) {
            double slowest = 0;
            for (ProcessId p = 0_process; p < 4_process; p = p.next()) {
                slowest = std::max(slowest, noise.factor(p, i, 0_op) + 2 * noise.factor(p, i, 1_op));
                mean += (noise.factor(p, i, 0_op) + noise.factor(p, i, 1_op)) / (2 * 4 * 49);
            }
            const auto at = static_cast<std::size_t>(i);
            COMPARE_CLOSE(run.startSeconds[2][at + 1] - run.startSeconds[2][at], slowest + 7.5);
        }
        COMPARE_WITHIN(mean, 1, 0.05); // jitter does not change an op's mean
        QVERIFY(played(dag, wholePlan(dag), noise, Dispatch::Strict, 50).startSeconds == run.startSeconds);
        noise.seed = 8;
        QVERIFY(played(dag, wholePlan(dag), noise, Dispatch::Strict, 50).startSeconds != run.startSeconds);
    }

    /// "early" is ready after 1 s and runs after "late", which is ready after 5: its channel is blocked for 4 s.
    void strictOrderHoldsUp() {
        const TrainingDag dag = twoSums();
        const RankRun run = played(dag, lateFirst(dag));
        COMPARE_CLOSE(run.iterationSeconds(1), 1 + 4 + 2 + 3);
        COMPARE_CLOSE(run.heldUpSeconds[0][3], 4);
        COMPARE_CLOSE(run.heldUpRatio(3), 0.4);
        const RankRun ready = played(dag, lateFirst(dag), {}, Dispatch::FirstReady);
        COMPARE_CLOSE(ready.iterationSeconds(1), 1 + 4 + 2);
        COMPARE_WITHIN(ready.heldUpRatio(3), 0, 1e-12);
    }

    /// "later" and "urgent" are ready at one moment, and "urgent" comes first in the order: 4 s of "second", 2 s of "urgent",
    /// then 3 s of "later", behind which "first" hides, with or without sequence numbers.
    void firstReadyFollowsTheOrderWithinAMoment() {
        const TrainingDag dag = dagOf({computeOp("first", 1, {}, {3_op}), computeOp("second", 4, {0_op}, {2_op}),
                                       commOp("later", CollectiveKind::AllReduce, 3, {1_op}),
                                       commOp("urgent", CollectiveKind::AllReduce, 2, {1_op})});
        const ExecutionPlan plan = lateFirst(dag);
        COMPARE_CLOSE(played(dag, plan).iterationSeconds(4), 4 + 2 + 3);
        COMPARE_CLOSE(played(dag, plan, {}, Dispatch::FirstReady).iterationSeconds(4), 4 + 2 + 3);
    }

    /// The channel is free after 0.3 s, and "urgent" ready after 0.1 + 0.2 s, which is later in the last bit only: it goes before
    /// "later", which waits since 0.1 s.
    void roundingDoesNotChooseWhatIsReady() {
        const TrainingDag dag = dagOf({computeOp("first", 0.1, {}, {4_op}), computeOp("second", 0.2, {0_op}),
                                       commOp("long", CollectiveKind::AllReduce, 0.3, {}, {4_op}),
                                       commOp("later", CollectiveKind::AllReduce, 3, {0_op}),
                                       commOp("urgent", CollectiveKind::AllReduce, 2, {1_op})});
        const auto sum = CollectiveKind::AllReduce;
        const ExecutionPlan plan =
            planOf(dag, {unitChannel("c")}, {{2_op, {sum}, 0_channel}, {3_op, {sum}, 0_channel}, {4_op, {sum}, 0_channel}},
                   {{{0_motif, 0}, {2_motif, 0}, {1_motif, 0}}});
        for (const Dispatch dispatch : {Dispatch::Strict, Dispatch::FirstReady})
            COMPARE_CLOSE(played(dag, plan, {}, dispatch).startSeconds[0][1], 0.3 + 2);
    }

    /// When "first" ends, the fast process has "early" and "late" ready and takes "late"; the slow one only has "early".
    void withoutStrictOrderProcessesStandStill() {
        const TrainingDag dag =
            dagOf({computeOp("zero", 1, {}, {4_op, 5_op}), computeOp("one", 1, {0_op}), computeOp("two", 1, {1_op}),
                   commOp("first", CollectiveKind::AllReduce, 3, {0_op}), commOp("early", CollectiveKind::AllReduce, 1, {1_op}),
                   commOp("late", CollectiveKind::AllReduce, 1, {2_op})});
        const auto sum = CollectiveKind::AllReduce;
        const ExecutionPlan plan =
            planOf(dag, {unitChannel("c")}, {{3_op, {sum}, 0_channel}, {4_op, {sum}, 0_channel}, {5_op, {sum}, 0_channel}},
                   {{{0_motif, 0}, {2_motif, 0}, {1_motif, 0}}});
        ComputeNoise noise;
        noise.stragglers = {{0_process, 2, 0}};
        QVERIFY(!played(dag, plan, noise).deadlock);
        QVERIFY(!played(dag, plan, {}, Dispatch::FirstReady).deadlock);
        const RankRun run = played(dag, plan, noise, Dispatch::FirstReady);
        VERIFY_VALUE(run.deadlock);
        QCOMPARE(run.iterations, 1); // computed iterations; the next one never begins
        QCOMPARE(run.deadlock->cycle.size(), std::size_t{4});
        std::set<std::pair<ProcessId, std::string>> held;
        for (const RankDeadlock::Wait &wait : run.deadlock->cycle)
            held.emplace(wait.process, wait.motif);
        for (const ProcessId process : {0_process, 1_process})
            for (const char *op : {"\"early: all_reduce\" of iteration 0", "\"late: all_reduce\" of iteration 0"})
                QVERIFY2(held.contains({process, op}), describe(*run.deadlock).c_str());
        QVERIFY2(describe(*run.deadlock).find("runs it and waits for process") != std::string::npos,
                 describe(*run.deadlock).c_str());
    }

    /// In two phases all change in one iteration, at any message delays, and continue; at once they may not, and deadlock.
    void twoPhasesChangeTogether() {
        TrainingDag dag = dataParallel(1, 2, 4);
        dag.processes = 4;
        const ExecutionPlan plan = wholePlan(dag);
        const auto next = editPlan(dag, plan, {}, RecutOp{2_op, {.segments = 2}, {0_channel}});
        VERIFY_VALUE(next);
        ComputeNoise noise;
        noise.jitter = 0.3;
        RankRequest request{.dag = &dag, .plan = &plan, .costs = {}, .noise = noise};
        request.iterations = 40;
        const auto before = playRanks(request);
        VERIFY_VALUE(before);
        request.nextPlan = &*next;
        int committed = 0, mixed = 0, repeated = 0;
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            const CommitNetwork network{
                .messageSeconds = static_cast<double>(seed), .lossRatio = 0.3, .retrySeconds = 2, .seed = seed};
            const CommitOutcome both = commitInTwoPhases(before->startSeconds, 40, network);
            if (both.committed) {
                ++committed;
                QVERIFY(std::all_of(both.changeAt.begin(), both.changeAt.end(),
                                    [&](std::int32_t at) { return at == both.changeAt.front(); }));
                // A message takes at least half of the mean: no process had begun the previous iteration when it arrived.
                for (const std::vector<double> &starts : before->startSeconds)
                    if (const auto last = static_cast<std::size_t>(both.changeAt.front()) - 1; last < starts.size())
                        COMPARE_AT_LEAST(starts[last], 40 + network.messageSeconds / 2);
                repeated += both.attempts > 1 ? 1 : 0;
                request.changeAt = both.changeAt;
                const auto run = playRanks(request);
                QVERIFY(run.has_value() && !run->deadlock);
                QCOMPARE(run->iterations, 40);
            }
            request.changeAt = commitAtOnce(before->startSeconds, 40, network).changeAt;
            const auto run = playRanks(request);
            VERIFY_VALUE(run);
            const bool together = std::set<std::int32_t>(request.changeAt.begin(), request.changeAt.end()).size() == 1;
            QCOMPARE(run->deadlock.has_value(), !together);
            mixed += together ? 0 : 1;
            if (run->deadlock)
                COMPARE_AT_LEAST(run->deadlock->cycle.size(), 2, describe(*run->deadlock));
        }
        COMPARE_ABOVE(committed, 20);
        COMPARE_ABOVE(mixed, 20);
        COMPARE_ABOVE(repeated, 5);
    }

    /// Processes in a group of two run ahead of a group of three, by which iterations are measured: planning starts when the
    /// latter is done.
    void planningStartsWithTheSlowest() {
        TrainingDag dag = twoSums();
        dag.processes = 5;
        for (DagOp &op : dag.ops)
            if (!op.isCompute())
                op.groupSizes = {2, 3};
        EnforceRequest request;
        request.plan.dag = std::make_shared<const TrainingDag>(dag);
        request.plan.channels = {unitChannel("c")};
        request.plan.evaluations = 50;
        request.method = PlanMethod::Sched;
        const auto enforced = enforcePlan(request, lateFirst(dag));
        VERIFY_VALUE(enforced);
        VERIFY_VALUE(enforced->replanned);
        const RankRun &strict = enforced->strict;
        QCOMPARE(strict.timedBy, 2_process);
        const auto next = static_cast<std::size_t>(enforced->replanned->noticed) + 1;
        const auto decided = [&](std::size_t process) {
            return commitInTwoPhases(strict.startSeconds, strict.startSeconds[process][next], request.network).decidedSeconds;
        };
        COMPARE_ABOVE(decided(2), decided(0));
        COMPARE_CLOSE(enforced->replanned->commit.decidedSeconds, decided(2));
    }

    /// A plan that blocks its channel for 40 % of an iteration is replaced by the best one, 7 s instead of 10.
    void heldUpPlansAreReplaced() {
        EnforceRequest request;
        request.plan.dag = std::make_shared<const TrainingDag>(twoSums());
        request.plan.channels = {unitChannel("c")};
        request.plan.evaluations = 50;
        request.method = PlanMethod::Sched;
        request.network.messageSeconds = 1e-3;
        const auto enforced = enforcePlan(request, lateFirst(*request.plan.dag));
        VERIFY_VALUE(enforced);
        COMPARE_CLOSE(enforced->strict.iterationSeconds(4), 10);
        VERIFY_VALUE(enforced->replanned);
        QCOMPARE(enforced->replanned->noticed, 2); // the third of three
        COMPARE_CLOSE(enforced->replanned->heldUpRatio, 0.4);
        QVERIFY(enforced->replanned->commit.committed && enforced->replanned->run);
        const std::int32_t from = enforced->replanned->commit.changeAt.front();
        COMPARE_AT_LEAST(from, 4);
        const std::vector<double> &starts = enforced->replanned->run->startSeconds.front();
        COMPARE_CLOSE(starts[static_cast<std::size_t>(from)] - starts[static_cast<std::size_t>(from) - 1], 10);
        COMPARE_CLOSE(enforced->replanned->run->iterationSeconds(from), 7);
        COMPARE_CLOSE(enforced->replanned->presentSeconds, 10);
        COMPARE_CLOSE(enforced->replanned->found.run.iterationSeconds, 7);
        request.heldUpLimit = 0.5;
        QVERIFY(!enforcePlan(request, lateFirst(*request.plan.dag))->replanned);
    }

    /// If the new plan would be no faster, the present one stays: here it is the method's own plan, made once more.
    void slowerPlansAreNotCommitted() {
        EnforceRequest request;
        request.plan.dag = std::make_shared<const TrainingDag>(twoSums());
        request.plan.channels = {unitChannel("c")};
        request.plan.maxSegments = 1;
        request.method = PlanMethod::Sched;
        request.heldUpLimit = -1; // asks for a plan at once
        const auto best = findPlan(request.plan, PlanMethod::Sched);
        VERIFY_VALUE(best);
        const auto enforced = enforcePlan(request, best->plan);
        VERIFY_VALUE(enforced);
        VERIFY_VALUE(enforced->replanned);
        COMPARE_CLOSE(enforced->replanned->presentSeconds, 7);
        QVERIFY(!enforced->replanned->isFaster() && !enforced->replanned->commit.committed && !enforced->replanned->run);
    }

    /// A new plan is made for the times of the delayed iterations, not for those before the straggler came.
    void plansFollowTheLatestTimes() {
        EnforceRequest request;
        request.plan.dag = std::make_shared<const TrainingDag>(twoSums());
        request.plan.channels = {unitChannel("c")};
        request.method = PlanMethod::Sched;
        request.noise.stragglers = {{0_process, 3, 20}};
        request.heldUpLimit = 0.5; // 8 of 10 s and more with a straggler: "early" waits for 12 s, "late" ends after 15 + 2
        const auto enforced = enforcePlan(request, lateFirst(*request.plan.dag));
        VERIFY_VALUE(enforced);
        VERIFY_VALUE(enforced->replanned);
        QCOMPARE(enforced->replanned->noticed, 22);
        COMPARE_CLOSE(enforced->replanned->presentSeconds, 3 * 5 + 2 + 3);
    }

    /// Two channels that wait at the same time, for longer than an iteration, are held up for at most the whole iteration.
    void waitsAreSharesOfAnIteration() {
        const auto sum = CollectiveKind::AllReduce;
        const TrainingDag dag =
            dagOf({computeOp("one", 1, {}, {2_op, 3_op, 4_op, 5_op}), computeOp("two", 9, {0_op}), commOp("a", sum, 1, {0_op}),
                   commOp("b", sum, 1, {1_op}), commOp("c", sum, 1, {0_op}), commOp("d", sum, 1, {1_op})});
        const RankRun run = played(
            dag, planOf(dag, {unitChannel("x"), unitChannel("y")},
                        {{2_op, {sum}, 0_channel}, {3_op, {sum}, 0_channel}, {4_op, {sum}, 1_channel}, {5_op, {sum}, 1_channel}},
                        {{{1_motif, 0}, {0_motif, 0}}, {{3_motif, 0}, {2_motif, 0}}}));
        COMPARE_CLOSE(run.iterationSeconds(1), 1 + 9 + 1 + 1);
        COMPARE_CLOSE(run.heldUpSeconds[0][3], 9);
        COMPARE_CLOSE(run.heldUpRatio(3), 9.0 / 12);
    }

    void whatCannotBePlayedIsRefused() {
        const TrainingDag dag = dataParallel(1, 2, 5);
        const ExecutionPlan plan = wholePlan(dag);
        RankRequest request{.dag = &dag, .plan = &plan, .costs = {}};
        const auto refused = [&](const char *what) {
            const auto run = playRanks(request);
            QVERIFY2(!run && run.error().what.find(what) != std::string::npos, run ? what : run.error().what.c_str());
        };
        request.iterations = 1;
        refused("to be played one by one");
        request.iterations = 2'000'000'000;
        refused("to be played one by one");
        request.iterations = 8;
        ExecutionPlan other = plan;
        other.channels = {unitChannel("d")};
        request.nextPlan = &other;
        request.changeAt = {4, 4};
        refused("over the same channels");
        request.nextPlan = &plan;
        VERIFY_VALUE(playRanks(request));
        request.changeAt = {4};
        refused("by every process");
        std::stop_source stop;
        stop.request_stop();
        request.nextPlan = nullptr;
        const auto stopped = playRanks(request, stop.get_token());
        QVERIFY(!stopped && stopped.error().isCancelled());
    }
};

QTEST_APPLESS_MAIN(TestPlanEnforcer)
#include "tst_plan_enforcer.moc"
