// SPDX-License-Identifier: GPL-3.0-or-later
// A graph whose credit is changed equals the graph built with that credit, for every policy that has one.
#include "engine/rewrite/change_credit.h"
#include "engine/rewrite/rewrite.h"
#include "engine/simulate/graph_beginning.h"
#include "engine/simulate/simulated_iteration.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

constexpr double megabyte = 1e6;

/// Where a job's variables are: on three servers, of workers with one device or two, or all-reduced by four workers.
enum class Where { Servers, ServersOfTwo, Nowhere };

Scenario withCredits(const Policy &kind, Where where, double partition, double credit) {
    static const auto job =
        std::make_shared<const Job>(chainJob({{1e-3, 2e-3, 3'000'000}, {1e-3, 1e-3, 200'000}, {2e-3, 1e-3, 5'000'000}}));
    static const auto served = std::make_shared<const Cluster>(servedCluster(3, 1e9)),
                      plain = std::make_shared<const Cluster>(plainCluster(4, 1e9)), ofTwo = [] {
                          Cluster cluster = servedCluster(3, 1e9);
                          for (Node &node : cluster.nodes)
                              node.gpus = {0, 1};
                          return std::make_shared<const Cluster>(cluster);
                      }();
    const bool servers = where != Where::Nowhere;
    static const auto onServers = std::make_shared<const Strategy>(parameterServers(*job, {"n3:CPU:0"})),
                      reduced = std::make_shared<const Strategy>(allReduceEach(*job));
    Scenario scenario;
    scenario.job = job;
    scenario.cluster = where == Where::Nowhere ? plain : where == Where::ServersOfTwo ? ofTwo : served;
    scenario.strategy = servers ? onServers : reduced;
    scenario.policy = CommPolicy(kind);
    scenario.policy.set(*scenario.policy.keyOfKnob("partition"), partition);
    scenario.policy.set(*scenario.policy.keyOfKnob("credit"), credit);
    return scenario;
}

bool isSame(const TaskGraph &a, const TaskGraph &b) {
    const auto sameUnit = [](const SyncUnit &x, const SyncUnit &y) {
        return x.name == y.name && x.sizeBytes == y.sizeBytes && x.wireBytes == y.wireBytes && x.priority == y.priority &&
               x.destination == y.destination && x.variables == y.variables;
    };
    return isBeginningOf(a, b) && isBeginningOf(b, a) && a.layer == b.layer && a.unit == b.unit && a.iterations == b.iterations &&
           a.assumptions == b.assumptions && a.workerIterations == b.workerIterations &&
           std::equal(a.units.begin(), a.units.end(), b.units.begin(), b.units.end(), sameUnit);
}

std::vector<const Policy *> policiesWithCredit() {
    std::vector<const Policy *> found;
    for (const Policy *policy : policies())
        if (CommPolicy(*policy).keyOfKnob(creditKnob().id))
            found.push_back(policy);
    return found;
}

} // namespace

class TestChangeCredit : public QObject {
    Q_OBJECT

private slots:
    void graphsAreThoseOfTheirCredit() {
        COMPARE_AT_LEAST(policiesWithCredit().size(), std::size_t{2});
        for (const Policy *kind : policiesWithCredit())
            for (const Where where : {Where::Servers, Where::ServersOfTwo, Where::Nowhere}) {
                const Scenario made = withCredits(*kind, where, megabyte, 2 * megabyte);
                TaskGraph graph = *rewrite(made);
                Scenario before = made;
                for (const double credits : {1.5, 4.0, 64.0, 1.25}) {
                    const Scenario wanted = withCredits(*kind, where, megabyte, credits * megabyte);
                    const TaskGraph fresh = *rewrite(wanted);
                    QVERIFY2(!isSame(graph, fresh), "credits do not show in the graph");
                    QVERIFY2(changeCredit(before, wanted, graph), kind->name.c_str());
                    QVERIFY2(isSame(graph, fresh), kind->name.c_str());
                    before = wanted;
                }
            }
    }

    /// Nothing but the credit may differ; a credit that the policy refuses is left to rewrite(), whose error it is.
    void otherGraphsAreMadeAnew() {
        for (const Policy *kind : policiesWithCredit()) {
            const Scenario made = withCredits(*kind, Where::ServersOfTwo, megabyte, 2 * megabyte);
            const TaskGraph graph = *rewrite(made);
            const auto isLeft = [&](const Scenario &scenario) {
                TaskGraph changed = graph;
                return !changeCredit(made, scenario, changed) && isSame(changed, graph);
            };
            const Scenario wanted = withCredits(*kind, Where::ServersOfTwo, megabyte, 4 * megabyte);
            QVERIFY(!isLeft(wanted));
            QVERIFY(isLeft(withCredits(*kind, Where::ServersOfTwo, 2 * megabyte, 4 * megabyte)));
            QVERIFY(isLeft(withCredits(*kind, Where::Nowhere, megabyte, 4 * megabyte)));
            QVERIFY(isLeft(withCredits(*kind, Where::ServersOfTwo, megabyte, 0)));
            const auto with = [&](auto change) {
                Scenario other = wanted;
                change(other);
                return other;
            };
            QVERIFY(isLeft(with([](Scenario &s) { s.iterations = 5; })));
            QVERIFY(isLeft(with([](Scenario &s) { s.fold = false; })));
            QVERIFY(isLeft(with([](Scenario &s) { s.linkModel = LinkModel::Tcp; })));
            QVERIFY(isLeft(with([](Scenario &s) { s.background = *parseBackground("worker0.up:0.3@0-2s"); })));
            QVERIFY(isLeft(with([](Scenario &s) { s.policy.barrier = !s.policy.barrier; })));
            QVERIFY(isLeft(with([](Scenario &s) { s.policy.connections = 2; })));
            QVERIFY(isLeft(with([](Scenario &s) { s.job = std::make_shared<const Job>(*s.job); })));
            QVERIFY(isLeft(with([](Scenario &s) { s.cluster = std::make_shared<const Cluster>(servedCluster(3, 2e9)); })));
            QVERIFY(isLeft(with([](Scenario &s) { s.cluster = nullptr; })));
            // The same cluster by value is the same.
            QVERIFY(!isLeft(with([](Scenario &s) { s.cluster = std::make_shared<const Cluster>(*s.cluster); })));
        }
    }

    /// Simulations that share memory give the same bits as others, whichever ones came before them.
    void sharedMemoryChangesNothing() {
        for (const Policy *kind : policiesWithCredit())
            for (const Where where : {Where::Servers, Where::ServersOfTwo, Where::Nowhere}) {
                SimulationMemory memory;
                SimulationMemories memories;
                for (const double partition : {megabyte, 0.1 * megabyte, megabyte})
                    for (const double credits : {2.0, 1.25, 0.0, 16.0, 3.0}) { // one that is refused
                        const Scenario scenario = withCredits(*kind, where, partition, credits * partition);
                        const auto fresh = simulateIteration(scenario), shared = simulateIteration(scenario, memory),
                                   pooled = memories.simulateIteration(scenario);
                        QCOMPARE(fresh.has_value(), credits > 0);
                        for (const auto *other : {&shared, &pooled}) {
                            QCOMPARE(other->has_value(), fresh.has_value());
                            if (!fresh) {
                                QCOMPARE(other->error().toString(), fresh.error().toString());
                                continue;
                            }
                            COMPARE_WITHIN((*other)->iterationSeconds, fresh->iterationSeconds, 0.0);
                            COMPARE_WITHIN((*other)->confidence, fresh->confidence, 0.0);
                            COMPARE_WITHIN((*other)->samplesPerSecond, fresh->samplesPerSecond, 0.0);
                            QVERIFY((*other)->window == fresh->window);
                            QVERIFY((*other)->assumptions == fresh->assumptions);
                        }
                    }
            }
    }
};

QTEST_APPLESS_MAIN(TestChangeCredit)
#include "tst_change_credit.moc"
