// SPDX-License-Identifier: GPL-3.0-or-later
// Processes that wait for each other: cycles that are known by hand, word for word.
#include "engine/simulate/rank_player.h"
#include "tests/checks.h"
#include "tests/plan/dags.h"

#include <QtTest>
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

PlannedMotif sumOf(DagOpId op) { return {op, {CollectiveKind::AllReduce}, 0_channel}; }

/// The deadlock in which a plan ends; none if it is played to its end. Ends the program if the plan is refused.
std::optional<RankDeadlock> deadlockOf(const RankRequest &request) {
    const auto run = playRanks(request);
    if (!run)
        qFatal("%s", run.error().toString().c_str());
    return run->deadlock;
}

/// The waits of a cycle, from the one on that reads `first`: a cycle has no beginning of its own.
QStringList cycleFrom(const RankDeadlock &deadlock, const QString &first) {
    QStringList waits = QString::fromStdString(describe(deadlock)).split(QStringLiteral("; "));
    if (const auto at = std::find(waits.begin(), waits.end(), first); at != waits.end())
        std::rotate(waits.begin(), at, waits.end());
    return waits;
}

} // namespace

class TestRankDeadlock : public QObject {
    Q_OBJECT

private slots:
    /// Orders that no process can follow, so that nothing is ever dispatched: the cycle is within process 0.
    void anOrderAgainstTheDataIsNamed_data() {
        QTest::addColumn<TrainingDag>("dag");
        QTest::addColumn<ExecutionPlan>("plan");
        QTest::addColumn<QString>("cycle");
        const auto row = [](const char *name, const TrainingDag &dag, std::vector<PlannedMotif> motifs,
                            std::vector<OrderEntry> order, const char *cycle) {
            QTest::newRow(name) << dag << planOf(dag, {unitChannel("c")}, std::move(motifs), {std::move(order)})
                                << QString::fromLatin1(cycle);
        };
        // "b" reads "two", which reads "a".
        row("what the collective reads",
            dagOf({computeOp("one", 1), commOp("a", CollectiveKind::AllReduce, 1, {0_op}), computeOp("two", 1, {1_op}),
                   commOp("b", CollectiveKind::AllReduce, 1, {2_op})}),
            {sumOf(1_op), sumOf(3_op)}, {{1_motif, 0}, {0_motif, 0}},
            "process 0: \"b: all_reduce\" of iteration 0 waits for its collective's inputs; process 0: \"a: all_reduce\" of "
            "iteration 0 waits for its turn");
        // "b" reads "two", which reads nothing; but the compute stream is still at "one", which reads "a".
        row("the compute stream is not there yet",
            dagOf({commOp("a", CollectiveKind::AllReduce, 1, {}), computeOp("one", 1, {0_op}), computeOp("two", 1),
                   commOp("b", CollectiveKind::AllReduce, 1, {2_op})}),
            {sumOf(0_op), sumOf(3_op)}, {{1_motif, 0}, {0_motif, 0}},
            "process 0: \"b: all_reduce\" of iteration 0 waits for its collective's inputs; process 0: \"a: all_reduce\" of "
            "iteration 0 waits for its turn");
        // "next" of iteration 1 goes before "sum" of iteration 0, which is before the backward that "next" waits for.
        row("an iteration ahead",
            dagOf({commOp("next", CollectiveKind::AllReduce, 1, {}, {3_op}), computeOp("fwd", 1, {0_op}),
                   commOp("sum", CollectiveKind::AllReduce, 1, {1_op}), computeOp("bwd", 1, {2_op})}),
            {sumOf(0_op), sumOf(2_op)}, {{0_motif, 1}, {1_motif, 0}},
            "process 0: \"next: all_reduce\" of iteration 1 waits for its collective's inputs; process 0: \"sum: all_reduce\" of "
            "iteration 0 waits for its turn");
        row("the halves of a ring are exchanged", dataParallel(1, 2, 5),
            {{2_op, {CollectiveKind::ReduceScatter}, 0_channel}, {2_op, {CollectiveKind::AllGather, {}, {}, {0}}, 0_channel}},
            {{1_motif, 0}, {0_motif, 0}},
            "process 0: \"ar: all_gather\" of iteration 0 waits for the motif before it; "
            "process 0: \"ar: reduce_scatter\" of iteration 0 waits for its turn");
    }
    void anOrderAgainstTheDataIsNamed() {
        QFETCH(TrainingDag, dag);
        QFETCH(ExecutionPlan, plan);
        QFETCH(QString, cycle);
        RankRequest request{.dag = &dag, .plan = &plan, .costs = {}, .noise = {}};
        request.iterations = 4;
        const auto deadlock = deadlockOf(request);
        VERIFY_VALUE(deadlock);
        const QStringList waits = cycle.split(QStringLiteral("; "));
        QCOMPARE(cycleFrom(*deadlock, waits.front()), waits);
        plan.orders = {{{0_motif, 0}, {1_motif, 0}}}; // as the data go
        QVERIFY(!deadlockOf(request));
    }

    /// Four processes as a square, rows and columns of which reduce. Without strict order, those that are slow (0 and 3) take the
    /// row, which is ready, and the others the column, so that each waits for its neighbour around the square.
    void groupsWaitAroundASquare() {
        const auto of = [](DagOp op, std::int32_t stride) {
            op.group = {.size = 2, .stride = stride};
            return op;
        };
        const TrainingDag dag =
            dagOf({computeOp("zero", 1, {}, {4_op, 5_op}), computeOp("one", 1, {0_op}), computeOp("two", 1, {1_op}),
                   commOp("all", CollectiveKind::AllReduce, 2, {0_op}), // 3 s among four
                   of(commOp("row", CollectiveKind::AllReduce, 1, {1_op}), 1),
                   of(commOp("column", CollectiveKind::AllReduce, 1, {2_op}), 2)},
                  4);
        const ExecutionPlan plan = planOf(dag, {unitChannel("c")}, {sumOf(3_op), sumOf(4_op), sumOf(5_op)},
                                          {{{0_motif, 0}, {2_motif, 0}, {1_motif, 0}}});
        RankRequest request{.dag = &dag, .plan = &plan, .costs = {}, .noise = {}};
        request.iterations = 4;
        // The slow ones have ended "one" at 4 s and "two" at 6 s; "all" lasts from 2 s to 5 s.
        request.noise.stragglers = {{0_process, 2, 0}, {3_process, 2, 0}};
        QVERIFY(!deadlockOf(request));
        request.dispatch = Dispatch::FirstReady;
        const auto deadlock = deadlockOf(request);
        VERIFY_VALUE(deadlock);
        COMPARE_CLOSE(deadlock->atSeconds, 6);
        const QString row = QStringLiteral("\"row: all_reduce\" of iteration 0 "),
                      column = QStringLiteral("\"column: all_reduce\" of iteration 0 "),
                      waits = QStringLiteral("runs it and waits for process "),
                      channel = QStringLiteral("waits until its channel is free");
        const QStringList cycle{"process 0: " + row + waits + "1",    "process 1: " + row + channel,
                                "process 1: " + column + waits + "3", "process 3: " + column + channel,
                                "process 3: " + row + waits + "2",    "process 2: " + row + channel,
                                "process 2: " + column + waits + "0", "process 0: " + column + channel};
        QCOMPARE(cycleFrom(*deadlock, cycle.front()), cycle);
    }

    /// Process 0 reduces in two halves from iteration 2 on, process 1 still at once: each waits for the other in a motif of its
    /// own plan.
    void plansAreChangedApart() {
        const TrainingDag dag = dataParallel(1, 2, 4);
        const ExecutionPlan plan = planOf(dag, {unitChannel("c")}, {sumOf(2_op)}, {{{0_motif, 0}}});
        const ExecutionPlan next = cutPlan(dag, {{.ring = true}}, {0_channel}, {unitChannel("c")});
        RankRequest request{.dag = &dag, .plan = &plan, .nextPlan = &next, .changeAt = {2, 3}, .costs = {}, .noise = {}};
        request.iterations = 6;
        const auto deadlock = deadlockOf(request);
        VERIFY_VALUE(deadlock);
        COMPARE_CLOSE(deadlock->atSeconds, 2 * (1 + 2 + 4) + 1 + 2);
        const QStringList cycle{
            QStringLiteral("process 0: \"ar: reduce_scatter\" of iteration 2 runs it and waits for process 1"),
            QStringLiteral("process 1: \"ar: all_reduce\" of iteration 2 runs it and waits for process 0")};
        QCOMPARE(cycleFrom(*deadlock, cycle.front()), cycle);
        request.changeAt = {2, 2};
        QVERIFY(!deadlockOf(request));
    }
};

QTEST_APPLESS_MAIN(TestRankDeadlock)
#include "tst_rank_deadlock.moc"
