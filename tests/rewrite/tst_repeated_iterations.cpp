// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/background.h"
#include "engine/rewrite/rewrite.h"
#include "tests/checks.h"
#include "tests/simulate/random_scenarios.h"

#include <QtTest>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <tuple>
#include <vector>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// The name of the first columns in which two graphs differ; null if they do not.
const char *columnsThatDiffer(const TaskGraph &a, const TaskGraph &b) {
    const auto about = [](const TaskGraph &g) { return std::tie(g.kind, g.worker, g.layer, g.unit, g.iteration); };
    const auto places = [](const TaskGraph &g) { return std::tie(g.queue, g.releases, g.path, g.ring); };
    const auto amounts = [](const TaskGraph &g) {
        return std::tie(g.fixedSeconds, g.flightSeconds, g.sizeBytes, g.windowBytes, g.orderKey);
    };
    const auto edges = [](const TaskGraph &g) { return std::tie(g.successorOffsets, g.successors, g.parentCount); };
    const auto network = [](const TaskGraph &g) { return std::tie(g.pathOffsets, g.pathHops, g.pathLimits, g.capacityChanges); };
    const auto queues = [](const TaskGraph &g) {
        std::vector<std::tuple<std::string, WorkerClassId, std::int32_t, double, bool, bool>> all;
        for (const TaskQueue &q : g.queues)
            all.emplace_back(q.name, q.worker, q.slotCount, q.windowBytes, q.strictWindow, q.byPriority);
        return all;
    };
    const auto links = [](const TaskGraph &g) {
        std::vector<std::tuple<std::string, double, std::vector<std::int32_t>>> all;
        for (const FluidLink &link : g.links)
            all.emplace_back(link.name, link.bytesPerSecond, link.nodes);
        return all;
    };
    const auto rings = [](const TaskGraph &g) {
        std::vector<std::tuple<std::int32_t, PathId, double>> all;
        for (const RingShape &ring : g.rings)
            for (const RingLane &lane : ring.lanes)
                all.emplace_back(ring.steps, lane.path, lane.fixedSeconds);
        return all;
    };
    const auto rest = [](const TaskGraph &g) {
        return std::tuple(g.units.size(), g.workerNames, g.workerReplicas, g.workerIterations, g.workerWarmUp, g.iterations,
                          g.assumptions);
    };
    return about(a) != about(b)       ? "what tasks are about"
           : places(a) != places(b)   ? "where tasks run"
           : amounts(a) != amounts(b) ? "what tasks take"
           : edges(a) != edges(b)     ? "their order"
           : network(a) != network(b) ? "the network"
           : queues(a) != queues(b)   ? "queues"
           : links(a) != links(b)     ? "links"
           : rings(a) != rings(b)     ? "rings"
           : rest(a) != rest(b)       ? "the rest"
                                      : nullptr;
}

} // namespace

class TestRepeatedIterations : public QObject {
    Q_OBJECT

private slots:
    /// Iterations copied from the previous one equal the iterations that the kernels add, to the last bit, also when they are
    /// added later, and again: of all systems, with background traffic in a third of the scenarios.
    void repeatedIterationsAreThoseOfTheKernels() {
        std::size_t extended = 0, withServers = 0, withChanges = 0;
        const auto check = [&](const Drawn &drawn) -> std::string {
            Scenario s = drawn.scenario;
            if (s.job->layers.size() % 3 == 0)
                s.background = *parseBackground("worker0.up:0.5@0.002-0.01s,worker0.down:0.3@0.004-1000s");
            auto graph = rewrite(s);
            for (const std::int32_t further : {7, 16, 0}) {
                const auto wanted = rewrite(s, {}, Unroll::ByKernels);
                if (graph.has_value() != wanted.has_value())
                    return "only one of the two can be rewritten";
                if (!graph)
                    return {};
                if (const char *columns = columnsThatDiffer(*graph, *wanted))
                    return fmt::format("{} differ with {} iterations", columns, s.iterations);
                s.iterations = further;
                if (further == 0 || !unrollFurther(*graph, further))
                    break;
            }
            extended += s.iterations == 0 ? 1 : 0;
            withServers += std::ranges::count(graph->kind, TaskKind::Push) > 0 ? 1 : 0;
            withChanges += graph->capacityChanges.empty() ? 0 : 1;
            return {};
        };
        QCOMPARE(wrongScenarios(drawWithEffects, check), 0);
        if (qEnvironmentVariableIsSet("SYNCOPATE_SEED"))
            return;
        COMPARE_ABOVE(extended, static_cast<std::size_t>(randomScenarios) / 2);
        for (const std::size_t ofKind : {withServers, withChanges})
            COMPARE_ABOVE(ofKind, static_cast<std::size_t>(randomScenarios) / 100);
    }

    /// Rings of many steps, which are one task each.
    void ringsAreRepeated() {
        const Job job = chainJob({{1e-3, 1e-3, 1'000'000}, {1e-3, 1e-3, 2'000'000}});
        Cluster cluster = plainCluster(120, 1e9);
        for (std::size_t n = 0; n < cluster.nodes.size(); ++n) // else they are folded
            cluster.nodes[n].bandwidthBytesPerSecond *= 1 + 1e-3 * static_cast<double>(n);
        CommPolicy policy = policyOf("fifo");
        policy.form = CollectiveForm::Flows;
        policy.algorithm = CollectiveAlgorithm::Ring;
        Scenario s = scenario(job, cluster, allReduceEach(job), policy);
        auto graph = rewrite(s);
        QVERIFY(graph && !graph->rings.empty());
        QCOMPARE(columnsThatDiffer(*graph, *rewrite(s, {}, Unroll::ByKernels)), nullptr);
        s.iterations = 9;
        QVERIFY(unrollFurther(*graph, s.iterations));
        QCOMPARE(columnsThatDiffer(*graph, *rewrite(s, {}, Unroll::ByKernels)), nullptr);
    }

    /// The first iteration gathers parameters without an update before it, with as many tasks as the next: otherwise kernels add
    /// all iterations.
    void gathersAreRepeated() {
        const Job job = chainJob({{1e-3, 1e-3, 1'000'000}, {1e-3, 1e-3, 2'000'000}});
        for (const char *policy : {"deepspeed", "deepspeed(barrier=off)"}) {
            const auto graph = rewrite(scenario(job, plainCluster(4, 1e9), allReduceEach(job), must(parsePolicy(policy))), {},
                                       Unroll::ByKernels);
            VERIFY_VALUE(graph);
            const auto tasksOf = [&](std::int32_t iteration) { return std::ranges::count(graph->iteration, iteration); };
            COMPARE_ABOVE(tasksOf(0), 0);
            QVERIFY2(tasksOf(1) == tasksOf(0) && tasksOf(2) == tasksOf(0), policy);
        }
    }

    /// Where workers may be ahead of each other, kernels add all iterations.
    void driftingWorkersAreNotRepeated() {
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            const Scenario s = drawDrifting(seed);
            auto graph = rewrite(s);
            const auto wanted = rewrite(s, {}, Unroll::ByKernels);
            QVERIFY(graph && wanted);
            QVERIFY2(!columnsThatDiffer(*graph, *wanted), qPrintable(QStringLiteral("seed %1").arg(seed)));
            QVERIFY2(!unrollFurther(*graph, s.iterations + 4), qPrintable(QStringLiteral("seed %1").arg(seed)));
        }
    }
};

QTEST_GUILESS_MAIN(TestRepeatedIterations)
#include "tst_repeated_iterations.moc"
