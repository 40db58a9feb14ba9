// SPDX-License-Identifier: GPL-3.0-or-later
// Plans edited by hand: the effect of an edit on motifs and orders, the reasons for refusing it, and that no edit makes a plan
// that is not equivalent to the collectives of its DAG.
#include "engine/base/rng.h"
#include "engine/simulate/plan_edit.h"
#include "tests/checks.h"
#include "tests/plan/dags.h"

#include <QtTest>
#include <type_traits>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// Ops, motifs and channels count from 0 each. Functions of two of them take them in their order only, and no plain number.
template <class Op, class Channel>
concept plans = requires(Op op, Channel channel) {
    PlannedMotif{op, Motif{}, channel};
};
static_assert(plans<DagOpId, ChannelId> && !plans<ChannelId, DagOpId> && !plans<int, int>);
template <class Motif, class Channel>
concept moves = requires(Motif motif, Channel channel) {
    MoveMotif{motif, channel};
    ShiftMotif{motif, channel};
};
static_assert(moves<MotifId, ChannelId> && !moves<ChannelId, MotifId> && !moves<DagOpId, ChannelId> && !moves<int, int>);
template <class Id>
concept orders = requires(Id id) {
    OrderEntry{id};
};
static_assert(orders<MotifId> && !orders<DagOpId> && !orders<ChannelId> && !orders<int>);
static_assert(!std::is_convertible_v<DagOpId, MotifId> && !std::is_convertible_v<MotifId, ChannelId> &&
              !std::is_convertible_v<ChannelId, DagOpId> && !std::is_convertible_v<MotifId, std::int32_t>);
static_assert(!std::is_constructible_v<DagOpId, MotifId> && !std::is_constructible_v<ChannelId, MotifId>);

/// Two layers trained data-parallel, preceded by an all-to-all, on two channels.
TrainingDag twoLayers(std::int32_t processes = 4) {
    return withSubmission(
        dagOf({commOp("prep", CollectiveKind::AllToAll, 4, {}, {1_op}), computeOp("fwd", 3, {0_op}, {3_op, 4_op}),
               computeOp("bwd", 3, {1_op}), commOp("a", CollectiveKind::AllReduce, 2, {2_op}),
               commOp("b", CollectiveKind::AllReduce, 3, {2_op})},
              processes),
        true);
}

/// All uncut: prep and a on x, b on y.
ExecutionPlan wholePlan(const TrainingDag &dag) {
    return {"made",
            dag.name,
            {unitChannel("x"), unitChannel("y")},
            {{0_op, {CollectiveKind::AllToAll}, 0_channel},
             {3_op, {CollectiveKind::AllReduce}, 0_channel},
             {4_op, {CollectiveKind::AllReduce}, 1_channel}},
            {{{0_motif, 0}, {1_motif, 0}}, {{2_motif, 0}}}};
}

std::vector<std::string> namesIn(const ExecutionPlan &plan, const TrainingDag &dag, std::size_t channel) {
    std::vector<std::string> names;
    for (const OrderEntry &entry : plan.orders[channel]) {
        const PlannedMotif &planned = plan.motifs[entry.motif.index()];
        names.push_back(dag.ops[planned.op.index()].name + " " + nameOf(planned.motif) +
                        (entry.iterationOffset == 0 ? "" : " " + std::to_string(entry.iterationOffset)));
    }
    return names;
}

} // namespace

class TestPlanEdit : public QObject {
    Q_OBJECT

private slots:
    /// New motifs take the place of the old one, also on a channel new to the op, and the other motifs are renumbered.
    void recutsStayInPlace() {
        const TrainingDag dag = twoLayers();
        const auto cut = editPlan(dag, wholePlan(dag), {}, RecutOp{3_op, {.segments = 2}, {0_channel}});
        QVERIFY2(cut.has_value(), cut ? "" : cut.error().toString().c_str());
        QCOMPARE(namesIn(*cut, dag, 0), (std::vector<std::string>{"prep all_to_all", "a segment 1 of 2 of all_reduce",
                                                                  "a segment 2 of 2 of all_reduce"}));
        QCOMPARE(namesIn(*cut, dag, 1), (std::vector<std::string>{"b all_reduce"}));
        const auto spread = editPlan(dag, *cut, {}, RecutOp{0_op, {.splines = 4}, {1_channel, 0_channel}});
        QVERIFY2(spread.has_value(), spread ? "" : spread.error().toString().c_str());
        QCOMPARE(namesIn(*spread, dag, 1), (std::vector<std::string>{"prep spline 1 of 4 of all_to_all",
                                                                     "prep spline 3 of 4 of all_to_all", "b all_reduce"}));
        const auto back = editPlan(dag, *spread, {}, RecutOp{0_op, {}, {0_channel}});
        QVERIFY(back.has_value());
        QCOMPARE(back->motifs, cut->motifs);
        QCOMPARE(back->orders[1], cut->orders[1]);
    }

    /// At one byte per second prep takes 3 s, a 3 s, b 4.5 s, and fwd and bwd 6 s together.
    void editsChangeTheIteration() {
        const TrainingDag dag = twoLayers();
        const ExecutionPlan plan = wholePlan(dag);
        const auto seconds = [&](const ExecutionPlan &of) { return playPlan(dag, of, {})->iterationSeconds; };
        COMPARE_CLOSE(seconds(plan), 6 + 3 + 3); // prep after a, b in parallel
        const auto ahead =
            editPlan(dag, plan, {}, MoveMotif{0_motif, 0_channel, 0, 1}); // prep of the next iteration, during this one
        QVERIFY2(ahead.has_value(), ahead ? "" : ahead.error().toString().c_str());
        COMPARE_CLOSE(seconds(*ahead), 6 + 4.5);
        const auto halves =
            editPlan(dag, *ahead, {}, RecutOp{4_op, {.segments = 2}, {1_channel, 0_channel}}); // one of them after a
        QVERIFY(halves.has_value());
        COMPARE_CLOSE(seconds(*halves), 6 + 3 + 2.25);
        const auto quarters =
            editPlan(dag, *ahead, {}, RecutOp{4_op, {.segments = 4}, {1_channel, 1_channel, 1_channel, 0_channel}});
        QVERIFY(quarters.has_value());
        COMPARE_CLOSE(seconds(*quarters), 6 + 3 + 1.125);
    }

    /// A gather of four in splines on two channels in turn: to the process 2 ahead on one channel (beside the local part), to the
    /// processes 1 and 3 ahead on the other, a second each. The editor finds the cut again.
    void gathersAreSplined() {
        const TrainingDag dag =
            dagOf({computeOp("step", 2, {}, {1_op}), commOp("gather", CollectiveKind::AllGather, 4, {0_op})}, 4);
        const ExecutionPlan whole{"made",
                                  dag.name,
                                  {unitChannel("x"), unitChannel("y")},
                                  {{1_op, {CollectiveKind::AllGather}, 0_channel}},
                                  {{{0_motif, 0}}, {}}};
        COMPARE_CLOSE(playPlan(dag, whole, {})->iterationSeconds, 2 + 3);
        const auto splined = editPlan(dag, whole, {}, RecutOp{1_op, {.splines = 4}, {0_channel, 1_channel}});
        VERIFY_VALUE(splined);
        COMPARE_CLOSE(playPlan(dag, *splined, {})->iterationSeconds, 2 + 2);
        std::vector<Motif> motifs;
        for (const PlannedMotif &planned : splined->motifs)
            motifs.push_back(planned.motif);
        QVERIFY((cutOf(CollectiveKind::AllGather, motifs, 4) == MotifCut{.splines = 4}));
        const auto grouped = editPlan(dag, whole, {}, RecutOp{1_op, {.splines = 2, .partition = 2}, {0_channel}});
        QVERIFY(!grouped && grouped.error().what.find("a spline has no steps") != std::string::npos);
    }

    void refusalsNameTheReason_data() {
        QTest::addColumn<PlanEdit>("edit");
        QTest::addColumn<QString>("reason");
        QTest::newRow("splined all-reduce") << PlanEdit{RecutOp{3_op, {.splines = 2}, {0_channel}}}
                                            << "an all-reduce has no splines";
        QTest::newRow("splines that do not divide")
            << PlanEdit{RecutOp{0_op, {.splines = 3}, {0_channel}}} << "splines divide the number of processes";
        QTest::newRow("ring of an all-to-all")
            << PlanEdit{RecutOp{0_op, {.ring = true}, {0_channel}}} << "only all-reduces are rings";
        QTest::newRow("tree of an all-to-all") << PlanEdit{RecutOp{0_op, {.tree = 2}, {0_channel}}} << "only all-reduces";
        QTest::newRow("groups that do not divide")
            << PlanEdit{RecutOp{3_op, {.partition = 3}, {0_channel}}} << "several groups of that size";
        QTest::newRow("ring and tree") << PlanEdit{RecutOp{3_op, {.ring = true, .tree = 2}, {0_channel}}} << "one of them";
        QTest::newRow("too many") << PlanEdit{RecutOp{3_op, {.segments = 100'000}, {0_channel}}} << "1024 motifs";
        QTest::newRow("no segments") << PlanEdit{RecutOp{3_op, {.segments = 0}, {0_channel}}} << "motifs";
        QTest::newRow("compute") << PlanEdit{RecutOp{1_op, {}, {0_channel}}} << "no such collective";
        QTest::newRow("no channel") << PlanEdit{RecutOp{3_op, {}, {}}} << "runs on a channel";
        QTest::newRow("other channel") << PlanEdit{RecutOp{3_op, {}, {2_channel}}} << "no such channel";
        QTest::newRow("no motif") << PlanEdit{MoveMotif{3_motif, 0_channel, 0, 0}} << "no such motif";
        QTest::newRow("no place") << PlanEdit{MoveMotif{1_motif, 1_channel, 2, 0}} << "no such place";
        QTest::newRow("far iteration") << PlanEdit{MoveMotif{1_motif, 0_channel, 0, 17}} << "-16 to 16";
        // a before this iteration's prep: a waits for bwd, bwd for fwd, fwd for prep, and prep for its channel.
        QTest::newRow("deadlock") << PlanEdit{MoveMotif{1_motif, 0_channel, 0, 0}} << "\"prep: all_to_all\" of iteration";
    }
    void refusalsNameTheReason() {
        QFETCH(PlanEdit, edit);
        QFETCH(QString, reason);
        const TrainingDag dag = twoLayers();
        const auto made = editPlan(dag, wholePlan(dag), {}, edit);
        QVERIFY(!made.has_value());
        QVERIFY2(made.error().what.find(reason.toStdString()) != std::string::npos, made.error().what.c_str());
        QVERIFY(!made.error().remedy.empty());
    }

    /// Any sequence of recuts yields a valid plan of the DAG; none deadlocks, since each motif's position is a time.
    void recutsNeverStandStill() {
        const TrainingDag dag = twoLayers();
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            Rng rng(seed);
            ExecutionPlan plan = wholePlan(dag);
            for (int step = 0; step < 12; ++step) {
                const auto pick = [&](int count) {
                    return static_cast<std::int32_t>(rng.next() % static_cast<std::uint64_t>(count));
                };
                RecutOp edit{std::array{0_op, 3_op, 4_op}[static_cast<std::size_t>(pick(3))],
                             {.segments = 1 + pick(3)},
                             {ChannelId(pick(2))}};
                if (pick(2) == 0)
                    edit.channels.emplace_back(1 - edit.channels.front().number());
                if (edit.op == 0_op)
                    edit.cut.splines = 1 << pick(3);
                else if (const std::int32_t shape = pick(4); shape == 1)
                    edit.cut.ring = true;
                else if (shape > 1)
                    (shape == 2 ? edit.cut.tree : edit.cut.partition) = 2;
                const auto made = editPlan(dag, plan, {}, edit);
                QVERIFY2(made.has_value(), made ? "" : made.error().toString().c_str());
                const ExecutionPlan::Range range = made->rangesByOp(dag.ops.size())[edit.op.index()];
                std::vector<Motif> motifs;
                for (std::int32_t m = 0; m < range.count; ++m)
                    motifs.push_back(made->motifs[range.at(m).index()].motif);
                const auto cut = cutOf(*dag.ops[edit.op.index()].collective, motifs, 4);
                QVERIFY(cut.has_value());
                QCOMPARE(cutMotifs(*dag.ops[edit.op.index()].collective, *cut, 4), motifs);
                plan = *made;
            }
        }
    }

    /// A motif shifted to where it already runs stays there; shifted past another one, it comes after that.
    void shiftsAreTimes() {
        const TrainingDag dag = twoLayers();
        const auto plan = editPlan(dag, wholePlan(dag), {}, RecutOp{4_op, {.segments = 4}, {1_channel, 0_channel}});
        QVERIFY(plan.has_value());
        const auto run = playPlan(dag, *plan, {});
        QVERIFY(run.has_value());
        for (std::size_t m = 0; m < plan->motifs.size(); ++m) {
            const auto same = editPlan(dag, *plan, {}, ShiftMotif{MotifId(m), plan->motifs[m].channel, 0});
            QVERIFY2(same.has_value(), same ? "" : same.error().toString().c_str());
            COMPARE_CLOSE(playPlan(dag, *same, {})->iterationSeconds, run->iterationSeconds, 1e-9, About(std::to_string(m)));
        }
        const ExecutionPlan whole = wholePlan(dag);
        const auto across =
            editPlan(dag, whole, {}, ShiftMotif{1_motif, 1_channel, 1}); // a, 1 s later on b's channel, where b began at once
        QVERIFY2(across.has_value(), across ? "" : across.error().toString().c_str());
        QCOMPARE(namesIn(*across, dag, 1), (std::vector<std::string>{"b all_reduce", "a all_reduce"}));
        const auto before = editPlan(dag, whole, {}, ShiftMotif{1_motif, 1_channel, -1});
        QVERIFY(before.has_value());
        QCOMPARE(namesIn(*before, dag, 1), (std::vector<std::string>{"a all_reduce", "b all_reduce"}));
        QVERIFY(!editPlan(dag, whole, {}, ShiftMotif{1_motif, 2_channel, 0}));
        QVERIFY(!editPlan(dag, whole, {}, ShiftMotif{1_motif, 1_channel, std::nan("")}));
    }
};

QTEST_APPLESS_MAIN(TestPlanEdit)
#include "tst_plan_edit.moc"
