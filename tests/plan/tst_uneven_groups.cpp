// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives of groups of different sizes: their times by hand, how they are planned and played, read and refused.
#include "engine/base/numbers.h"
#include "engine/base/rng.h"
#include "engine/export/plan_export.h"
#include "engine/plan/dag_text.h"
#include "engine/plan/planned_costs.h"
#include "engine/search/plan_search.h"
#include "engine/session/plan_settings.h"
#include "engine/simulate/plan_memory.h"
#include "engine/simulate/planned_run.h"
#include "engine/simulate/rank_player.h"
#include "tests/checks.h"
#include "tests/plan/dags.h"

#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// A channel of a byte in 2 ns, with latencies of a microsecond.
const Channel channel{"c", {"l"}, 5e8, 1e-6};

DagOp unevenOp(CollectiveKind kind, double bytes, std::vector<std::int32_t> sizes, std::vector<DagOpId> parents = {}) {
    DagOp op = commOp("uneven", kind, bytes, std::move(parents));
    op.groupSizes = std::move(sizes);
    return op;
}

/// A forward of 10 ms, whose gradients of 4 MB are reduced among 2 and among 6 processes before the next one.
TrainingDag unevenDag() {
    return dagOf({computeOp("fwd", 0.010, {}, {1_op}), unevenOp(CollectiveKind::AllReduce, 4e6, {2, 6}, {0_op})}, 8);
}

/// The time of a whole collective among n processes, one a node, on `channel`.
double closedForm(CollectiveKind kind, double n, double bytes) {
    const double perByte = 1 / 5e8, latency = 1e-6, others = (n - 1) * latency + (n - 1) / n * bytes * perByte;
    if (kind == CollectiveKind::AllReduce)
        return 2 * others;
    return kind == CollectiveKind::Broadcast ? std::ceil(std::log2(n)) * latency + bytes * perByte : others;
}

/// Sizes of groups of two or more, which together have all processes.
std::vector<std::int32_t> randomSizes(Rng &rng, std::int32_t processes) {
    std::vector<std::int32_t> sizes;
    for (std::int32_t left = processes; left > 0; left -= sizes.back()) {
        const auto size = 2 + static_cast<std::int32_t>(rng.next() % 4);
        sizes.push_back(left - size < 2 ? left : size);
    }
    return sizes;
}

/// Compute-ops and collectives of such groups in turn, all in a row.
TrainingDag randomChain(Rng &rng) {
    using K = CollectiveKind;
    std::vector<DagOp> ops;
    for (std::size_t pair = 0; pair < 2 + rng.next() % 3; ++pair) {
        ops.push_back(computeOp("compute " + std::to_string(pair), 0.002 * static_cast<double>(1 + rng.next() % 5)));
        const K kind = std::array{K::AllReduce, K::AllGather, K::ReduceScatter, K::Broadcast, K::AllToAll}[rng.next() % 5];
        ops.push_back(unevenOp(kind, 1e6 * static_cast<double>(1 + rng.next() % 4), randomSizes(rng, 12)));
        ops.back().name += std::to_string(pair);
    }
    for (std::size_t o = 1; o < ops.size(); ++o)
        ops[o].parents = {DagOpId(o - 1)};
    ops.front().previousParents = {DagOpId(ops.size() - 1)};
    return dagOf(std::move(ops), 12);
}

/// When each process begins each iteration of a chain, by following every process: a group begins when its last member is
/// there, and ends for all of its members.
std::vector<std::vector<double>> followed(const TrainingDag &dag, std::int32_t iterations) {
    std::vector<std::vector<double>> starts(asIndex(dag.processes));
    std::vector<double> now(asIndex(dag.processes), 0);
    for (std::int32_t i = 0; i < iterations; ++i) {
        for (std::size_t p = 0; p < now.size(); ++p)
            starts[p].push_back(now[p]);
        for (const DagOp &op : dag.ops) {
            for (double &of : now)
                of += op.seconds;
            std::size_t first = 0;
            for (const std::int32_t size : op.groupSizes) {
                const auto begin = now.begin() + static_cast<std::ptrdiff_t>(first), end = begin + size;
                std::fill(begin, end, *std::max_element(begin, end) + closedForm(*op.collective, size, op.sizeBytes));
                first += asIndex(size);
            }
        }
    }
    return starts;
}

} // namespace

class TestUnevenGroups : public QObject {
    Q_OBJECT

private slots:
    /// One process a node: the closed forms of six, the largest group; for a ring, of each half.
    void theLargestGroupIsTheSlowest() {
        const double bytes = 3e6, n = 6;
        const MotifCosts costs;
        const auto seconds = [&](CollectiveKind kind, CollectiveKind motif) {
            return costs.seconds({motif}, unevenOp(kind, bytes, {2, 6, 4}), 12, channel);
        };
        using K = CollectiveKind;
        COMPARE_CLOSE(seconds(K::AllReduce, K::AllReduce), closedForm(K::AllReduce, n, bytes));
        COMPARE_CLOSE(seconds(K::AllReduce, K::ReduceScatter), closedForm(K::ReduceScatter, n, bytes));
        COMPARE_CLOSE(seconds(K::AllGather, K::AllGather), closedForm(K::AllGather, n, bytes));
        COMPARE_CLOSE(seconds(K::AllToAll, K::AllToAll), closedForm(K::AllToAll, n, bytes));
        COMPARE_CLOSE(seconds(K::Broadcast, K::Broadcast), closedForm(K::Broadcast, n, bytes));
        COMPARE_CLOSE(seconds(K::Permute, K::Permute), 1e-6 + bytes / 5e8);
    }

    /// Nodes of four, whose fabric is slower than their cards: a pair inside a node takes longer than eight on two nodes.
    void aSmallGroupMayBeTheSlowest() {
        MotifCosts costs;
        costs.processesPerNode = 4;
        costs.localRates = {{"l", 1e8}};
        const Channel fast{"c", {"l"}, 1e9, 0};
        const auto of = [&](std::vector<std::int32_t> sizes) {
            return costs.seconds({CollectiveKind::AllToAll}, unevenOp(CollectiveKind::AllToAll, 8e6, std::move(sizes)), 12, fast);
        };
        const double ofTwo = 4e6 / 1e8;                        // half of it to the other
        const double ofEight = std::max(3e6 / 1e8, 4e6 / 1e9); // a megabyte to each: three here, four elsewhere
        COMPARE_CLOSE(of({2, 2, 8}), ofTwo);
        COMPARE_CLOSE(of({4, 8}), std::max(6e6 / 1e8, ofEight)); // two megabytes to each of three
        // As for each size alone.
        DagOp pairs = commOp("pairs", CollectiveKind::AllToAll, 8e6, {});
        pairs.group = {2, 1};
        COMPARE_CLOSE(costs.seconds({CollectiveKind::AllToAll}, pairs, 12, fast), ofTwo);
    }

    /// Every planner's plan is valid, none is below the bound, and FIFO's equals the time by hand. With each process played, the
    /// slowest takes the same time, and one of the pair takes a pair's time.
    void isPlannedAndPlayed() {
        PlanRequest request;
        request.dag = std::make_shared<const TrainingDag>(unevenDag());
        request.channels = {channel};
        request.evaluations = request.minEvaluations = 200;
        const double iteration = 0.010 + 10 * 1e-6 + 10.0 / 6 * 4e6 / 5e8;
        const double bound = planBoundSeconds(request);
        COMPARE_ABOVE(bound, 0.010 + 10.0 / 6 * 4e6 / 5e8 * 0.999);
        for (const PlanMethod method : {PlanMethod::Fifo, PlanMethod::HandMade, PlanMethod::Sched, PlanMethod::Syndicate}) {
            const auto found = findPlan(request, method);
            VERIFY_VALUE(found);
            QVERIFY(validatePlan(found->plan, *request.dag).has_value());
            COMPARE_AT_LEAST(found->run.iterationSeconds, bound * (1 - 1e-9), About(std::string(nameOf(method))));
            if (method == PlanMethod::Fifo)
                COMPARE_CLOSE(found->run.iterationSeconds, iteration, 1e-9);
            const TrainingDag submitted = withSubmission(*request.dag, isEnforced(method));
            RankRequest ranks{.dag = &submitted, .plan = &found->plan, .costs = request.costs};
            const auto run = playRanks(ranks);
            VERIFY_VALUE(run);
            QVERIFY(!run->deadlock && run->startSeconds.size() == 8);
            COMPARE_CLOSE(run->iterationSeconds(8), found->run.iterationSeconds, 1e-6);
            if (method == PlanMethod::Fifo)
                COMPARE_CLOSE(run->startSeconds[1][9] - run->startSeconds[1][8],
                              0.010 + closedForm(CollectiveKind::AllReduce, 2, 4e6), 1e-9);
        }
    }

    /// Chains whose collectives divide the processes in different ways: the plan waits for every collective's slowest group, each
    /// process alone only for its own, and the bound holds for both.
    void everyProcessTakesItsOwnGroups() {
        Rng rng(7);
        int faster = 0;
        for (int round = 0; round < 100; ++round) {
            PlanRequest request;
            request.dag = std::make_shared<const TrainingDag>(randomChain(rng));
            request.channels = {channel};
            const auto found = findPlan(request, PlanMethod::Fifo);
            VERIFY_VALUE(found);
            double slowest = 0;
            for (const DagOp &op : request.dag->ops)
                slowest +=
                    op.isCompute() ? op.seconds : std::ranges::max(op.groupSizes | std::views::transform([&](std::int32_t size) {
                                                                       return closedForm(*op.collective, size, op.sizeBytes);
                                                                   }));
            COMPARE_CLOSE(found->run.iterationSeconds, slowest, 1e-9);
            const TrainingDag submitted = withSubmission(*request.dag, isEnforced(PlanMethod::Fifo));
            const auto run = playRanks({.dag = &submitted, .plan = &found->plan, .costs = request.costs});
            VERIFY_VALUE(run);
            const auto expected = followed(*request.dag, 32);
            for (std::size_t p = 0; p < expected.size(); ++p)
                for (std::size_t i = 0; i < 32; ++i)
                    COMPARE_CLOSE(1 + run->startSeconds[p][i], 1 + expected[p][i], 1e-9);
            COMPARE_AT_LEAST(run->iterationSeconds(16), planBoundSeconds(request) * (1 - 1e-9));
            faster += run->iterationSeconds(16) < slowest * 0.99 ? 1 : 0;
        }
        COMPARE_ABOVE(faster, 5); // else the cases prove nothing
    }

    /// A process of the smallest group keeps the largest part after a reduce-scatter.
    void memoryIsOfTheSmallestGroup() {
        const TrainingDag dag = dagOf({computeOp("fwd", 0.010), unevenOp(CollectiveKind::ReduceScatter, 6e6, {2, 6}, {0_op}),
                                       computeOp("bwd", 0.010, {1_op})},
                                      8);
        const ExecutionPlan plan = cutPlan(dag, {MotifCut{}}, {0_channel}, {channel});
        const auto run = playPlan(withSubmission(dag, true), plan, {});
        VERIFY_VALUE(run);
        double smallest = 1e300;
        for (const HeldBuffer &held : heldBuffers(dag, *run))
            smallest = std::min(smallest, held.bytes);
        COMPARE_CLOSE(smallest, 3e6);
    }

    void filesAreReadBack() {
        const auto text =
            readDagText("dag uneven processes 8\nop fwd compute 10ms previous ar\nop ar all_reduce 4MB group 2+6 after fwd\n");
        VERIFY_VALUE(text);
        QCOMPARE(text->ops[1].groupSizes, (std::vector<std::int32_t>{2, 6}));
        QCOMPARE(text->groupSize(text->ops[1]), 6);
        const auto json = readTrainingDagText(writeTrainingDag(*text));
        VERIFY_VALUE(json);
        QVERIFY(*json == *text);
        const PlannedCosts costs = plannedCosts(*text, {channel}, {});
        QCOMPARE(costs.kinds.size(), std::size_t{1});
        QCOMPARE(nameOf(costs, costs.kinds.front()), std::string("all_reduce among 2+6"));
        QVERIFY(!costs.kinds.front().costs.curves.empty());
        for (const CostCurve &curve : costs.kinds.front().costs.curves)
            QVERIFY(curve.cut.tree == 1 && curve.cut.partition == 1);
    }

    /// Equal sizes mean the same as a single size.
    void equalSizesAreAGroup() {
        const auto read = [](const std::string &group) {
            return must(readDagText("dag d processes 8\nop fwd compute 10ms\nop x all_reduce 1MB group " + group + "\n")).ops[1];
        };
        QVERIFY(read("4+4") == read("4"));
        QVERIFY(read("2+2+2+2") == read("2"));
        const auto one = readTrainingDagText(R"({"name": "d", "hosts": 8, "ops": [{"name": "f", "kind": "compute", "seconds": 1},
            {"name": "x", "kind": "all_reduce", "bytes_per_process": 1, "group": {"sizes": [8]}}]})");
        VERIFY_VALUE(one);
        QVERIFY(!one->ops[1].isUneven() && one->ops[1].group == ProcessGroup{});
    }

    void whatIsWrongIsRefused() {
        const auto refused = [](const std::string &op, const char *what) {
            const auto dag = readDagText("dag d processes 8\nop fwd compute 10ms\nop x " + op + "\n");
            QVERIFY2(!dag.has_value() && dag.error().what.find(what) != std::string::npos, op.c_str());
        };
        refused("all_reduce 1MB group 2+4", "6 processes in all");
        refused("all_reduce 1MB group 4+4+4", "12 processes in all");
        refused("all_reduce 1MB group 1+7", "not a list of group sizes");
        refused("all_reduce 1MB group 2+", "not a list of group sizes");
        refused("all_reduce 1MB group 2+3+x", "not a list of group sizes");
        refused("all_reduce 1MB group 2+6 group 4", "a second group");
        refused("permute 1MB group 2+6 shift 2", "would send to itself");
        refused("compute 1ms group 2+6", "only a collective has a group");
        const auto read = [](const std::string &group) { // beside a compute-op, so that only the group can be wrong
            return readTrainingDagText(R"({"name": "d", "hosts": 8, "ops": [{"name": "f", "kind": "compute", "seconds": 1},
                {"name": "x", "kind": "all_reduce", "bytes_per_process": 1, "group": )" +
                                           group + "}]}",
                                       "my.json");
        };
        VERIFY_VALUE(read(R"({"sizes": [2, 6]})"));
        for (const char *group : {R"({"sizes": []})", R"({"sizes": [2, 5]})", R"({"sizes": [1, 7]})", R"({"sizes": [2, "6"]})",
                                  R"({"sizes": [2, 6], "size": 2, "stride": 1})"}) {
            const auto dag = read(group);
            QVERIFY2(!dag.has_value() && dag.error().file == "my.json" && dag.error().place.starts_with("ops[1]"), group);
        }
        // Splines and groups inside need groups that divide.
        const TrainingDag dag = dagOf({unevenOp(CollectiveKind::AllToAll, 1e6, {4, 6})}, 10);
        QVERIFY(validatePlan(cutPlan(dag, {MotifCut{.segments = 3}}, {0_channel}, {channel}), dag).has_value());
        const auto splined = validatePlan(cutPlan(dag, {MotifCut{.splines = 2}}, {0_channel}, {channel}), dag);
        QVERIFY(!splined.has_value() && splined.error().what.find("different sizes") != std::string::npos);
    }

    /// Where a group lies unevenly on nodes, its time is not known.
    void unevenNodesAreRefused() {
        const TrainingDag dag = unevenDag(); // 2 and 6
        QVERIFY(checkGroupsOnNodes(dag, 1).has_value());
        QVERIFY(checkGroupsOnNodes(dag, 2).has_value());
        QVERIFY(checkGroupsOnNodes(dag, 8).has_value());
        const auto four = checkGroupsOnNodes(dag, 4); // 2 to 7: two on the first node, four on the second
        QVERIFY(!four.has_value() && four.error().what.find("2 to 7") != std::string::npos);
        SessionState state;
        state.job = std::make_shared<const Job>();
        Cluster cluster = uniformCluster(2, 10);
        for (Node &node : cluster.nodes)
            node.gpus = {0, 1, 2, 3};
        state.cluster = std::make_shared<const Cluster>(cluster);
        state.profile = nullptr;
        const auto task = planTask(state, {.dag = std::make_shared<const TrainingDag>(dag), .method = "fifo"});
        QVERIFY(!task.has_value() && task.error().what.find("unevenly") != std::string::npos);
    }

    /// Formats that name one group refuse them, with the reason.
    void exportsRefuse() {
        const TrainingDag dag = unevenDag();
        const ExecutionPlan plan = cutPlan(dag, {MotifCut{}}, {0_channel}, {channel});
        const auto run = playPlan(withSubmission(dag, true), plan, {});
        VERIFY_VALUE(run);
        for (const PlanFormat &format : planFormats()) {
            const auto written = exportPlan(format.name, {plan, dag, {}, "uneven", &*run});
            const bool isOfNames = format.name == "json" || format.name == "dag" || format.name == "xla";
            QVERIFY2(written.has_value() == isOfNames, format.name.data());
            if (!written)
                QVERIFY2(written.error().what.find("differ in size") != std::string::npos ||
                             written.error().what.find("different sizes") != std::string::npos,
                         written.error().what.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestUnevenGroups)
#include "tst_uneven_groups.moc"
