// SPDX-License-Identifier: GPL-3.0-or-later
// Peak memory of plans: closed forms of every kind, every moment of small random DAGs, and plans within a limit.
#include "engine/base/rng.h"
#include "engine/search/plan_search.h"
#include "engine/simulate/plan_memory.h"
#include "tests/checks.h"
#include "tests/plan/dags.h"

#include <QtTest>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// forward (1 s) -> `kind` -> backward (1 s), in groups of four.
TrainingDag between(CollectiveKind kind) {
    TrainingDag dag;
    dag.name = "between";
    dag.processes = 4;
    dag.ops = {{.name = "forward", .seconds = 1}, {.name = "comm", .sizeBytes = 8}, {.name = "backward", .seconds = 1}};
    dag.ops[1].collective = kind;
    dag.ops[1].parents = {0_op};
    dag.ops[2].parents = {1_op};
    dag.computeOrder = {0_op, 2_op};
    dag.submissionOrder = {1_op};
    return dag;
}

/// forward from 0 to 1, the collective from 2 to 3, backward from 4 to 5; 5 s per iteration.
PlannedRun played() {
    PlannedRun run;
    run.iterationSeconds = 5;
    run.spans = {
        {0_op, {}, {}, 0, 1}, {2_op, {}, {}, 4, 5}, {1_op, 0_motif, 0_channel, 2, 2.5}, {1_op, 1_motif, 0_channel, 2.5, 3}};
    return run;
}

struct Held {
    double bytes, from, to;
};

/// The maximum that any iterations' buffers hold when one is allocated: every pair is examined.
double slowPeak(const std::vector<HeldBuffer> &buffers, double period) {
    constexpr int around = 40;
    double peak = 0;
    for (const HeldBuffer &at : buffers) {
        const double moment = at.fromSeconds + period * 1e-8;
        double held = 0;
        for (const HeldBuffer &other : buffers)
            for (int i = -around; i <= around; ++i)
                if (other.fromSeconds + i * period <= moment && moment < other.toSeconds + i * period)
                    held += other.bytes;
        peak = std::max(peak, held);
    }
    return peak;
}

TrainingDag randomDag(Rng &rng) {
    TrainingDag dag;
    dag.name = "random";
    dag.processes = 4;
    const auto count = static_cast<std::int32_t>(4 + rng.next() % 6);
    for (std::int32_t o = 0; o < count; ++o) {
        DagOp op{.name = std::to_string(o)};
        if (o == 0 || rng.next() % 2 == 0) {
            op.seconds = rng.uniform(0.01, 0.1);
            dag.computeOrder.emplace_back(o);
        } else {
            op.collective = static_cast<CollectiveKind>(rng.next() % 6);
            op.sizeBytes = static_cast<double>(1 + rng.next() % 50) * 1e6;
            if (rng.next() % 4 == 0)
                op.group = {2, 1};
            dag.submissionOrder.emplace_back(o);
        }
        for (std::int32_t p = 0; p < o; ++p)
            if (rng.next() % 3 == 0)
                op.parents.emplace_back(p);
        if (!op.isCompute() || rng.next() % 2 == 0)
            if (rng.next() % 2 == 0)
                op.previousParents.emplace_back(static_cast<std::int32_t>(rng.next() % static_cast<std::uint64_t>(count)));
        dag.ops.push_back(std::move(op));
    }
    return dag;
}

PlanRequest requestOf(const TrainingDag &dag) {
    PlanRequest request;
    request.dag = std::make_shared<const TrainingDag>(dag);
    request.channels = {{"one", {"one"}, 1e9, 1e-5}, {"two", {"two"}, 5e8, 1e-5}};
    request.evaluations = 100;
    return request;
}

} // namespace

class TestPlanMemory : public QObject {
    Q_OBJECT

private slots:
    void everyKindHoldsItsBuffers() {
        const std::vector<std::pair<CollectiveKind, std::vector<Held>>> all{
            {CollectiveKind::AllReduce, {{8, 1, 5}}},
            {CollectiveKind::Reduce, {{8, 1, 5}}},
            {CollectiveKind::Broadcast, {{8, 1, 5}}},
            {CollectiveKind::AllGather, {{2, 1, 2}, {8, 2, 5}}},
            {CollectiveKind::ReduceScatter, {{8, 1, 3}, {2, 3, 5}}},
            {CollectiveKind::AllToAll, {{8, 1, 3}, {8, 2, 5}}},
            {CollectiveKind::Permute, {{8, 1, 3}, {8, 2, 5}}}};
        for (const auto &[kind, expected] : all) {
            const auto buffers = heldBuffers(between(kind), played());
            const std::string name(nameOf(kind));
            QVERIFY2(buffers.size() == expected.size(), name.c_str());
            for (std::size_t b = 0; b < buffers.size(); ++b) {
                COMPARE_CLOSE(buffers[b].bytes, expected[b].bytes, 1e-12, About(name));
                COMPARE_CLOSE(buffers[b].fromSeconds, expected[b].from, 1e-12, About(name));
                COMPARE_CLOSE(buffers[b].toSeconds, expected[b].to, 1e-12, About(name));
            }
        }
        TrainingDag dag = between(CollectiveKind::AllToAll);
        COMPARE_CLOSE(peakMemoryBytes(dag, played()), 16.);
        dag.ops[2].previousParents = {1_op}; // a result that the next iteration uses, too: two of them are held
        COMPARE_CLOSE(peakMemoryBytes(dag, played()), 24.);
        dag.ops[1].group = {2, 1};
        COMPARE_CLOSE(peakMemoryBytes(dag, played()), 24.);
        dag = between(CollectiveKind::AllGather);
        dag.ops[1].group = {2, 1};
        COMPARE_CLOSE(heldBuffers(dag, played())[0].bytes, 4.);
        dag.ops[1].parents.clear(); // data of its own, available when it begins
        COMPARE_CLOSE(heldBuffers(dag, played())[0].bytes, 8.);
        COMPARE_CLOSE(heldBuffers(dag, played())[0].fromSeconds, 2.);
    }

    /// A reduce-scatter's part is the input of the all-gather after it: it is held once.
    void resultsAreNotHeldTwice() {
        TrainingDag dag = between(CollectiveKind::ReduceScatter);
        dag.ops.push_back({.name = "gather", .collective = CollectiveKind::AllGather, .sizeBytes = 8, .parents = {1_op}});
        dag.ops[2].parents = {3_op};
        dag.submissionOrder.push_back(3_op);
        PlannedRun run = played();
        run.spans.push_back({3_op, 2_motif, 0_channel, 3.5, 4});
        const auto buffers = heldBuffers(dag, run);
        QCOMPARE(buffers.size(), std::size_t{3}); // 8 from 1 to 3, 2 from 3 to 4, 8 from 3.5 to 5
        COMPARE_CLOSE(peakMemoryBytes(dag, run), 10.);
        dag.ops[3].collective = CollectiveKind::AllToAll; // its input is the part, which is held until it has ended
        QCOMPARE(heldBuffers(dag, run).size(), std::size_t{3});
        dag.ops[3].parents = {0_op, 1_op}; // and an input of its own
        QCOMPARE(heldBuffers(dag, run).size(), std::size_t{4});
    }

    void peaksAreThoseOfEveryMoment() {
        Rng rng(3);
        int overlapping = 0;
        for (int round = 0; round < 300; ++round) {
            std::vector<HeldBuffer> buffers;
            for (std::uint64_t b = 1 + rng.next() % 8; b > 0; --b) {
                const double from = static_cast<double>(rng.next() % 40) - 20; // on a grid, so that ends coincide with starts
                buffers.push_back(
                    {0_op, static_cast<double>(1 + rng.next() % 9), from, from + static_cast<double>(1 + rng.next() % 30)});
                overlapping += buffers.back().toSeconds - from > 7 ? 1 : 0;
            }
            COMPARE_CLOSE(peakBytes(buffers, 7), slowPeak(buffers, 7), 1e-12, About(std::to_string(round)));
        }
        COMPARE_ABOVE(overlapping, 100);
    }

    /// Plans of random DAGs, with and without a limit at the smallest of the others' peaks.
    void boundsAreKept() {
        Rng rng(11);
        int kept = 0, judged = 0;
        for (int round = 0; round < 16; ++round) {
            const TrainingDag dag = randomDag(rng);
            if (!validateDag(dag) || dag.submissionOrder.empty())
                continue;
            PlanRequest request = requestOf(dag);
            double least = std::numeric_limits<double>::infinity();
            for (const PlanMethod method : {PlanMethod::Fifo, PlanMethod::Sched, PlanMethod::Syndicate}) {
                const auto found = findPlan(request, method);
                QVERIFY2(found.has_value(), found ? "" : found.error().toString().c_str());
                COMPARE_CLOSE(found->peakBytes, slowPeak(heldBuffers(dag, found->run), found->run.iterationSeconds), 1e-9,
                              About(std::to_string(round)));
                least = std::min(least, found->peakBytes);
                ++judged;
            }
            request.maxBytes = least;
            const auto bounded = findPlan(request, PlanMethod::Syndicate);
            QVERIFY2(bounded.has_value(), bounded ? "" : bounded.error().toString().c_str());
            if (bounded->peakBytes <= least)
                ++kept;
            QCOMPARE(bounded->fits(request), bounded->peakBytes <= least);
        }
        COMPARE_ABOVE(judged, 20);
        COMPARE_AT_LEAST(kept, judged / 3 - 1);
    }

    /// Two exchanges of 100 MB over two channels: in parallel they hold two inputs and two results; sequentially, each over both
    /// channels, one input less, in the same time. Below two inputs and one result nothing fits.
    void theSearchKeepsWithinMemory() {
        TrainingDag dag;
        dag.name = "two";
        dag.processes = 4;
        dag.ops = {{.name = "compute", .seconds = 0.01}};
        for (const char *name : {"first", "second"})
            dag.ops.push_back({.name = name, .collective = CollectiveKind::AllToAll, .sizeBytes = 1e8, .parents = {0_op}});
        dag.ops[0].previousParents = {1_op, 2_op};
        dag.computeOrder = {0_op};
        dag.submissionOrder = {1_op, 2_op};
        PlanRequest request = requestOf(dag);
        request.channels = {{"one", {"one"}, 1e9, 0}, {"two", {"two"}, 1e9, 0}};
        const double together = 0.01 + 0.75 * 1e8 / 1e9;
        request.maxBytes = 3.1e8;
        const auto found = findPlan(request, PlanMethod::Syndicate);
        QVERIFY(found.has_value());
        COMPARE_CLOSE(found->peakBytes, 3e8);
        QVERIFY(found->fits(request));
        COMPARE_CLOSE(found->run.iterationSeconds, together);
        request.maxSegments = 1; // each whole, or in splines
        const auto whole = findPlan(request, PlanMethod::Fifo);
        COMPARE_CLOSE(whole->peakBytes, 3e8);
        COMPARE_CLOSE(whole->run.iterationSeconds, 0.01 + 2 * 0.75 * 1e8 / 1e9);
        request.maxBytes = 2.9e8;
        const auto none = findPlan(request, PlanMethod::Syndicate);
        QVERIFY(none.has_value() && !none->fits(request));
        COMPARE_CLOSE(none->peakBytes, 3e8); // the closest one
    }
};

QTEST_APPLESS_MAIN(TestPlanMemory)
#include "tst_plan_memory.moc"
