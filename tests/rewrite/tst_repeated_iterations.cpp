// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/rewrite.h"
#include "tests/checks.h"
#include "tests/simulate/random_scenarios.h"

#include <QtTest>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <tuple>

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
    const auto rest = [](const TaskGraph &g) {
        return std::tuple(g.links.size(), g.queues.size(), g.rings.size(), g.units.size(), g.workerNames, g.workerReplicas,
                          g.workerIterations, g.workerWarmUp, g.iterations, g.assumptions);
    };
    return about(a) != about(b)       ? "what tasks are about"
           : places(a) != places(b)   ? "where tasks run"
           : amounts(a) != amounts(b) ? "what tasks take"
           : edges(a) != edges(b)     ? "their order"
           : network(a) != network(b) ? "the network"
           : rest(a) != rest(b)       ? "the rest"
                                      : nullptr;
}

} // namespace

class TestRepeatedIterations : public QObject {
    Q_OBJECT

private slots:
    /// Iterations that are copies of the one before are those that the kernels add, to the last bit, also when they are added
    /// later.
    void repeatedIterationsAreThoseOfTheKernels() {
        std::size_t extended = 0;
        const auto check = [&](const Drawn &drawn) -> std::string {
            Scenario s = drawn.scenario;
            auto graph = rewrite(s);
            for (bool isFirst = true; graph; isFirst = false) {
                const auto wanted = rewrite(s, {}, Unroll::ByKernels);
                if (!wanted)
                    return "it can be rewritten with repetition alone";
                if (const char *columns = columnsThatDiffer(*graph, *wanted))
                    return fmt::format("{} differ with {} iterations", columns, s.iterations);
                s.iterations = 7;
                if (!isFirst || !unrollFurther(*graph, s.iterations))
                    return {};
                ++extended;
            }
            return {};
        };
        QCOMPARE(wrongScenarios(draw, check), 0);
        if (!qEnvironmentVariableIsSet("SYNCOPATE_SEED"))
            COMPARE_ABOVE(extended, static_cast<std::size_t>(randomScenarios) / 4);
    }
};

QTEST_GUILESS_MAIN(TestRepeatedIterations)
#include "tst_repeated_iterations.moc"
