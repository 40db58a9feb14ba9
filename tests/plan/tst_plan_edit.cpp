// SPDX-License-Identifier: GPL-3.0-or-later
// Plans edited by hand: the effect of an edit on motifs and orders, the reasons for refusing it, and that no edit makes a plan
// that is not equivalent to the collectives of its DAG.
#include "engine/base/rng.h"
#include "engine/simulate/plan_edit.h"
#include "tests/checks.h"
#include "tests/plan/dags.h"

#include <QtTest>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// Two layers trained data-parallel, preceded by an all-to-all, on two channels.
TrainingDag twoLayers(std::int32_t processes = 4) {
    return withSubmission(
        dagOf({commOp("prep", CollectiveKind::AllToAll, 4, {}, {1}), computeOp("fwd", 3, {0}, {3, 4}), computeOp("bwd", 3, {1}),
               commOp("a", CollectiveKind::AllReduce, 2, {2}), commOp("b", CollectiveKind::AllReduce, 3, {2})},
              processes),
        true);
}

/// All uncut: prep and a on x, b on y.
ExecutionPlan wholePlan(const TrainingDag &dag) {
    return {"made",
            dag.name,
            {unitChannel("x"), unitChannel("y")},
            {{0, {CollectiveKind::AllToAll}, 0}, {3, {CollectiveKind::AllReduce}, 0}, {4, {CollectiveKind::AllReduce}, 1}},
            {{{0, 0}, {1, 0}}, {{2, 0}}}};
}

std::vector<std::string> namesIn(const ExecutionPlan &plan, const TrainingDag &dag, std::size_t channel) {
    std::vector<std::string> names;
    for (const OrderEntry &entry : plan.orders[channel]) {
        const PlannedMotif &planned = plan.motifs[static_cast<std::size_t>(entry.motif)];
        names.push_back(dag.ops[static_cast<std::size_t>(planned.op)].name + " " + nameOf(planned.motif) +
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
        const auto cut = editPlan(dag, wholePlan(dag), {}, RecutOp{3, {.segments = 2}, {0}});
        QVERIFY2(cut.has_value(), cut ? "" : cut.error().toString().c_str());
        QCOMPARE(namesIn(*cut, dag, 0), (std::vector<std::string>{"prep all_to_all", "a segment 1 of 2 of all_reduce",
                                                                  "a segment 2 of 2 of all_reduce"}));
        QCOMPARE(namesIn(*cut, dag, 1), (std::vector<std::string>{"b all_reduce"}));
        const auto spread = editPlan(dag, *cut, {}, RecutOp{0, {.splines = 4}, {1, 0}});
        QVERIFY2(spread.has_value(), spread ? "" : spread.error().toString().c_str());
        QCOMPARE(namesIn(*spread, dag, 1), (std::vector<std::string>{"prep spline 1 of 4 of all_to_all",
                                                                     "prep spline 3 of 4 of all_to_all", "b all_reduce"}));
        const auto back = editPlan(dag, *spread, {}, RecutOp{0, {}, {0}});
        QVERIFY(back.has_value());
        QCOMPARE(back->motifs, cut->motifs);
        QCOMPARE(back->orders[1], cut->orders[1]);
    }

    /// At one byte per second prep takes 3 s, a 3 s, b 4.5 s, and fwd and bwd 6 s together.
    void editsChangeTheIteration() {
        const TrainingDag dag = twoLayers();
        const ExecutionPlan plan = wholePlan(dag);
        const auto seconds = [&](const ExecutionPlan &of) { return playPlan(dag, of, {})->iterationSeconds; };
        COMPARE_CLOSE(seconds(plan), 6 + 3 + 3);                           // prep after a, b in parallel
        const auto ahead = editPlan(dag, plan, {}, MoveMotif{0, 0, 0, 1}); // prep of the next iteration, during this one
        QVERIFY2(ahead.has_value(), ahead ? "" : ahead.error().toString().c_str());
        COMPARE_CLOSE(seconds(*ahead), 6 + 4.5);
        const auto halves = editPlan(dag, *ahead, {}, RecutOp{4, {.segments = 2}, {1, 0}}); // one of them after a
        QVERIFY(halves.has_value());
        COMPARE_CLOSE(seconds(*halves), 6 + 3 + 2.25);
        const auto quarters = editPlan(dag, *ahead, {}, RecutOp{4, {.segments = 4}, {1, 1, 1, 0}});
        QVERIFY(quarters.has_value());
        COMPARE_CLOSE(seconds(*quarters), 6 + 3 + 1.125);
    }

    void refusalsNameTheReason_data() {
        QTest::addColumn<PlanEdit>("edit");
        QTest::addColumn<QString>("reason");
        QTest::newRow("splined all-reduce") << PlanEdit{RecutOp{3, {.splines = 2}, {0}}}
                                            << "only all-to-alls and permutes are splined";
        QTest::newRow("splines that do not divide")
            << PlanEdit{RecutOp{0, {.splines = 3}, {0}}} << "only all-to-alls and permutes are splined";
        QTest::newRow("ring of an all-to-all") << PlanEdit{RecutOp{0, {.ring = true}, {0}}} << "only all-reduces are rings";
        QTest::newRow("tree of an all-to-all") << PlanEdit{RecutOp{0, {.tree = 2}, {0}}} << "only all-reduces";
        QTest::newRow("groups that do not divide")
            << PlanEdit{RecutOp{3, {.partition = 3}, {0}}} << "several groups of that size";
        QTest::newRow("ring and tree") << PlanEdit{RecutOp{3, {.ring = true, .tree = 2}, {0}}} << "one of them";
        QTest::newRow("too many") << PlanEdit{RecutOp{3, {.segments = 100'000}, {0}}} << "1024 motifs";
        QTest::newRow("no segments") << PlanEdit{RecutOp{3, {.segments = 0}, {0}}} << "motifs";
        QTest::newRow("compute") << PlanEdit{RecutOp{1, {}, {0}}} << "no such collective";
        QTest::newRow("no channel") << PlanEdit{RecutOp{3, {}, {}}} << "runs on a channel";
        QTest::newRow("other channel") << PlanEdit{RecutOp{3, {}, {2}}} << "no such channel";
        QTest::newRow("no motif") << PlanEdit{MoveMotif{3, 0, 0, 0}} << "no such motif";
        QTest::newRow("no place") << PlanEdit{MoveMotif{1, 1, 2, 0}} << "no such place";
        QTest::newRow("far iteration") << PlanEdit{MoveMotif{1, 0, 0, 17}} << "-16 to 16";
        // a before this iteration's prep: a waits for bwd, bwd for fwd, fwd for prep, and prep for its channel.
        QTest::newRow("deadlock") << PlanEdit{MoveMotif{1, 0, 0, 0}} << "\"prep: all_to_all\" of iteration";
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
                RecutOp edit{std::array{0, 3, 4}[static_cast<std::size_t>(pick(3))], {.segments = 1 + pick(3)}, {pick(2)}};
                if (pick(2) == 0)
                    edit.channels.push_back(1 - edit.channels.front());
                if (edit.op == 0)
                    edit.cut.splines = 1 << pick(3);
                else if (const std::int32_t shape = pick(4); shape == 1)
                    edit.cut.ring = true;
                else if (shape > 1)
                    (shape == 2 ? edit.cut.tree : edit.cut.partition) = 2;
                const auto made = editPlan(dag, plan, {}, edit);
                QVERIFY2(made.has_value(), made ? "" : made.error().toString().c_str());
                const auto [first, count] = made->rangesByOp(dag.ops.size())[static_cast<std::size_t>(edit.op)];
                std::vector<Motif> motifs;
                for (std::int32_t m = first; m < first + count; ++m)
                    motifs.push_back(made->motifs[static_cast<std::size_t>(m)].motif);
                const auto cut = cutOf(*dag.ops[static_cast<std::size_t>(edit.op)].collective, motifs, 4);
                QVERIFY(cut.has_value());
                QCOMPARE(cutMotifs(*dag.ops[static_cast<std::size_t>(edit.op)].collective, *cut, 4), motifs);
                plan = *made;
            }
        }
    }

    /// A motif shifted to where it already runs stays there; shifted past another one, it comes after that.
    void shiftsAreTimes() {
        const TrainingDag dag = twoLayers();
        const auto plan = editPlan(dag, wholePlan(dag), {}, RecutOp{4, {.segments = 4}, {1, 0}});
        QVERIFY(plan.has_value());
        const auto run = playPlan(dag, *plan, {});
        QVERIFY(run.has_value());
        for (std::int32_t m = 0; m < static_cast<std::int32_t>(plan->motifs.size()); ++m) {
            const auto same = editPlan(dag, *plan, {}, ShiftMotif{m, plan->motifs[static_cast<std::size_t>(m)].channel, 0});
            QVERIFY2(same.has_value(), same ? "" : same.error().toString().c_str());
            COMPARE_CLOSE(playPlan(dag, *same, {})->iterationSeconds, run->iterationSeconds, 1e-9, About(std::to_string(m)));
        }
        const ExecutionPlan whole = wholePlan(dag);
        const auto across = editPlan(dag, whole, {}, ShiftMotif{1, 1, 1}); // a, 1 s later on b's channel, where b began at once
        QVERIFY2(across.has_value(), across ? "" : across.error().toString().c_str());
        QCOMPARE(namesIn(*across, dag, 1), (std::vector<std::string>{"b all_reduce", "a all_reduce"}));
        const auto before = editPlan(dag, whole, {}, ShiftMotif{1, 1, -1});
        QVERIFY(before.has_value());
        QCOMPARE(namesIn(*before, dag, 1), (std::vector<std::string>{"a all_reduce", "b all_reduce"}));
        QVERIFY(!editPlan(dag, whole, {}, ShiftMotif{1, 2, 0}));
        QVERIFY(!editPlan(dag, whole, {}, ShiftMotif{1, 1, std::nan("")}));
    }
};

QTEST_APPLESS_MAIN(TestPlanEdit)
#include "tst_plan_edit.moc"
