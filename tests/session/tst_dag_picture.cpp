// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a plan's DAG: its nodes have the times and channels of the plan as played, and the critical path is the one
// found by hand.
#include "engine/plan/job_dag.h"
#include "engine/session/dag_picture.h"
#include "tests/checks.h"
#include "tests/plan/dags.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <set>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

using Kind = DagEdge::Kind;

std::shared_ptr<const Job> anyJob() { return std::make_shared<const Job>(chainJob({{0.002, 0.004, 5'000'000}})); }

PlannedWork workOf(TrainingDag dag, ExecutionPlan plan) {
    PlannedWork work;
    work.title = "made";
    work.dag = std::move(dag);
    work.plan = std::move(plan);
    return work;
}

/// Fails the test if the plan cannot be played or drawn.
DagPicture pictureOf(const PlannedWork &work, DagOpId around = {}, std::size_t most = maxDagNodes) {
    const auto run = plannedRun(work, anyJob(), uniformCluster(2, 10));
    if (!run)
        qFatal("%s", run.error().toString().c_str());
    auto picture = planPicture(work, **run, around, {}, most);
    if (!picture)
        qFatal("%s", picture.error().toString().c_str());
    return *std::move(picture);
}

/// f takes 1 s, followed by communication a of 2 s and b of 1 s, then by g of 1 s, which waits for both.
TrainingDag diamond() {
    const auto kind = CollectiveKind::AllReduce;
    return dagOf(
        {computeOp("f", 1), commOp("a", kind, 2, {0_op}), commOp("b", kind, 1, {0_op}), computeOp("g", 1, {1_op, 2_op})});
}

/// "f>a" for each critical edge, with "+" for edges from a channel's order and "~" for edges into the next iteration.
std::set<std::string> criticalEdges(const DagPicture &picture) {
    std::set<std::string> found;
    const auto name = [&](std::int32_t node) {
        return picture.dag->ops[picture.nodes[static_cast<std::size_t>(node)].op.index()].name;
    };
    for (const DagEdge &edge : picture.edges)
        if (edge.isCritical)
            found.insert(name(edge.from) + ">" + name(edge.to) +
                         (edge.kind == Kind::ChannelOrder    ? "+"
                          : edge.kind == Kind::NextIteration ? "~"
                                                             : ""));
    return found;
}

std::set<std::string> criticalOps(const DagPicture &picture) {
    std::set<std::string> found;
    for (const DagNode &node : picture.nodes)
        if (node.isCritical)
            found.insert(picture.dag->ops[node.op.index()].name);
    return found;
}

} // namespace

class TestDagPicture : public QObject {
    Q_OBJECT

private slots:
    /// On two channels the longer collective is critical, on one channel both are, one after the other.
    void theCriticalPathIsMarked() {
        const TrainingDag dag = diamond();
        const std::vector<Channel> channels{unitChannel("x"), unitChannel("y")};
        const DagPicture two = pictureOf(workOf(dag, cutPlan(dag, {{}, {}}, {0_channel, 1_channel}, channels)));
        QVERIFY(two.isPlanned);
        QCOMPARE(criticalOps(two), (std::set<std::string>{"f", "a", "g"}));
        QCOMPARE(criticalEdges(two), (std::set<std::string>{"f>a", "a>g"}));
        ExecutionPlan plan = cutPlan(dag, {{}, {}}, {0_channel, 0_channel}, channels);
        std::swap(plan.orders[0][0], plan.orders[0][1]); // b first
        const DagPicture one = pictureOf(workOf(dag, std::move(plan)));
        QCOMPARE(criticalOps(one), (std::set<std::string>{"f", "b", "a", "g"}));
        QCOMPARE(criticalEdges(one), (std::set<std::string>{"f>b", "b>a+", "a>g"}));
        // Edges from channels' orders do not belong to the DAG: they are not laid out.
        QCOMPARE(one.layout.routes.size(), std::size_t{5}); // four of the DAG, and one of the compute stream
        QVERIFY(one.layout == two.layout);
    }

    /// An edge into the next iteration is critical if the critical path uses it.
    void edgesIntoTheNextIteration() {
        TrainingDag dag =
            dagOf({computeOp("f", 1, {}, {2_op}), computeOp("g", 1, {0_op}), commOp("s", CollectiveKind::AllReduce, 3, {1_op})});
        const DagPicture picture = pictureOf(workOf(dag, cutPlan(dag, {{}}, {0_channel}, {unitChannel("x")})));
        QCOMPARE(criticalEdges(picture), (std::set<std::string>{"f>g", "g>s", "s>f~"}));
        QCOMPARE(picture.edges.size(), std::size_t{3});
        QVERIFY(picture.edges.back().kind == Kind::NextIteration);
        QCOMPARE(picture.edges.back().from, picture.nodeOfOp[2]);
        QCOMPARE(picture.edges.back().to, picture.nodeOfOp[0]);
        // Here "s" of the next iteration waits for "g", and the first op waits for it in its own iteration.
        dag =
            dagOf({computeOp("f", 1, {2_op}), computeOp("g", 1, {0_op}), commOp("s", CollectiveKind::AllReduce, 3, {}, {1_op})});
        QCOMPARE(criticalEdges(pictureOf(workOf(dag, cutPlan(dag, {{}}, {0_channel}, {unitChannel("x")})))),
                 (std::set<std::string>{"f>g", "g>s~", "s>f"}));
    }

    /// Times, channels and spans equal those of the plan as it is played.
    void nodesAreThePlans() {
        const std::string measured = SYNCOPATE_SOURCE "/tests/data/measured/plan/";
        PlannedWork work = workOf(*readTrainingDagFile(measured + "dags/a2a-prefetch.dag.json"), {});
        work.plan = *readExecutionPlanFile(measured + "plans/a2a-syndicate-spread-p2-s4.plan.json", work.dag);
        work.costs = *readMotifCostsFile(measured + "collectives.csv");
        const auto run = plannedRun(work, anyJob(), uniformCluster(2, 10));
        const DagPicture picture = *planPicture(work, **run);
        const PlannedRun played = *playPlan(withSubmission(work.dag, true), work.plan, work.costs);
        const auto spans = opSpans(work.dag, played);
        QCOMPARE(picture.nodes.size(), work.dag.ops.size());
        QCOMPARE(picture.channels, (std::vector<std::string>{"e0", "e1"}));
        for (const DagNode &node : picture.nodes) {
            const DagOp &op = work.dag.ops[node.op.index()];
            const About about(op.name);
            QVERIFY(node.span.has_value());
            COMPARE_WITHIN(node.startSeconds, spans[node.op.index()].startSeconds, 1e-9, about);
            COMPARE_WITHIN(node.endSeconds, spans[node.op.index()].endSeconds, 1e-9, about);
            const Lane &lane = (*run)->timeline.lanes[node.span->lane];
            COMPARE_WITHIN(static_cast<double>(lane.start[node.span->span]) * 1e-9 - (*run)->windowStartSeconds,
                           node.startSeconds, 2e-9, about);
            QCOMPARE(picture.opOfLabel(lane.label[node.span->span]).number(), node.op.number());
            std::vector<double> seconds(2, 0.0);
            std::vector<std::int32_t> motifs(2, 0);
            for (const PlannedSpan &span : played.spans)
                if (span.op == node.op && span.motif.exists()) {
                    seconds[span.channel.index()] += span.endSeconds - span.startSeconds;
                    ++motifs[span.channel.index()];
                }
            std::size_t used = 0;
            for (const DagNode::Share &share : node.channels) {
                QCOMPARE(share.motifs, motifs[share.channel.index()]);
                COMPARE_WITHIN(share.seconds, seconds[share.channel.index()], 1e-7, about);
                ++used;
            }
            QCOMPARE(used, static_cast<std::size_t>((motifs[0] > 0 ? 1 : 0) + (motifs[1] > 0 ? 1 : 0)));
        }
        QVERIFY(!picture.opOfLabel(-1).exists());
        QVERIFY(!picture.opOfLabel(100'000).exists());
        // Exactly the ops of the path.
        std::set<std::int32_t> critical, marked;
        for (const TaskId task : (*run)->criticalTasks)
            critical.insert((*run)->graph.layer[task.index()].number());
        for (const DagNode &node : picture.nodes)
            if (node.isCritical)
                marked.insert(node.op.number());
        QCOMPARE(marked, critical);
    }

    /// The DAG alone: all of its edges, and the compute stream's where the DAG has none.
    void theDagAlone() {
        TrainingDag dag =
            dagOf({computeOp("f", 1, {}, {3_op}), computeOp("g", 1), commOp("a", CollectiveKind::AllReduce, 1, {1_op}),
                   commOp("b", CollectiveKind::AllReduce, 1, {1_op})});
        const DagPicture picture = *dagPicture(std::make_shared<const TrainingDag>(dag));
        QVERIFY(!picture.isPlanned && picture.channels.empty() && picture.notes.empty());
        std::multiset<Kind> kinds;
        for (const DagEdge &edge : picture.edges)
            kinds.insert(edge.kind);
        QCOMPARE(kinds, (std::multiset<Kind>{Kind::Parent, Kind::Parent, Kind::ComputeOrder, Kind::NextIteration}));
        QCOMPARE(picture.layout.routes.size(), std::size_t{3});
        QVERIFY(picture.layout.nodes[static_cast<std::size_t>(picture.nodeOfOp[0])].layer <
                picture.layout.nodes[static_cast<std::size_t>(picture.nodeOfOp[1])].layer);
    }

    /// A DAG with too many ops is shown in part, and says so, around the requested op; its critical path only covers what is
    /// shown.
    void largeDagsAreCut() {
        std::vector<DagOp> ops;
        for (std::int32_t i = 0; i < 500; ++i) {
            ops.push_back(
                computeOp("c" + std::to_string(i), 1, i > 0 ? std::vector{DagOpId(2 * i - 2)} : std::vector<DagOpId>{}));
            ops.push_back(commOp("s" + std::to_string(i), CollectiveKind::AllReduce, 1, {DagOpId(2 * i)}));
        }
        const TrainingDag dag = dagOf(std::move(ops));
        const auto shared = std::make_shared<const TrainingDag>(dag);
        const DagPicture first = *dagPicture(shared, {}, {}, 100);
        QCOMPARE(first.nodes.size(), std::size_t{100});
        QVERIFY(first.nodeOfOp[0] >= 0);
        QVERIFY2(first.notes.at(0).find("100 of the DAG's 1000 ops") == 0, first.notes.at(0).c_str());
        const DagPicture around = *dagPicture(shared, 700_op, {}, 100);
        QCOMPARE(around.nodes.size(), std::size_t{100});
        QVERIFY(around.nodeOfOp[700] >= 0 && around.nodeOfOp[0] < 0);
        const DagPicture last = *dagPicture(shared, 998_op, {}, 100);
        QCOMPARE(last.nodes.size(), std::size_t{100});
        QVERIFY(last.nodeOfOp[998] >= 0);
        QCOMPARE(dagPicture(shared, 5000_op, {}, 100)->nodeOfOp, first.nodeOfOp); // an op of another DAG
        const PlannedWork work =
            workOf(dag, cutPlan(dag, std::vector<MotifCut>(500), std::vector(500, 0_channel), {unitChannel("x")}));
        const DagPicture part = pictureOf(work, 700_op, 100);
        QCOMPARE(part.nodes.size(), std::size_t{100});
        for (const DagEdge &edge : part.edges)
            QVERIFY(edge.from >= 0 && edge.to >= 0 && edge.from < 100 && edge.to < 100);
        QVERIFY(!criticalEdges(part).empty());
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = dagPicture(shared, {}, stop.get_token());
        QVERIFY(!stopped && stopped.error().isCancelled());
    }

    /// A run of another plan is refused, not drawn.
    void anotherPlansRunIsRefused() {
        const TrainingDag dag = diamond();
        const PlannedWork work = workOf(dag, cutPlan(dag, {{}, {}}, {0_channel, 0_channel}, {unitChannel("x")}));
        const PlannedWork other = workOf(dag, cutPlan(dag, {{.segments = 2}, {}}, {0_channel, 0_channel}, {unitChannel("x")}));
        const auto run = plannedRun(work, anyJob(), uniformCluster(2, 10));
        QVERIFY(run.has_value());
        QVERIFY(!planPicture(other, **run));
    }
};

QTEST_GUILESS_MAIN(TestDagPicture)
#include "tst_dag_picture.moc"
