// SPDX-License-Identifier: GPL-3.0-or-later
// Invariants of every policy: folding changes no figure, bytes and order are kept, impossible settings are refused.
#include "engine/base/rng.h"
#include "tests/checks.h"
#include "tests/scenarios.h"
#include "tests/simulate/policies.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

using namespace syncopate;
using namespace syncopate::testing;

class TestPolicyProperties : public QObject {
    Q_OBJECT

private slots:
    void foldingIsExact_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("servers");
        QTest::addColumn<bool>("barrier");
        for (const Policy *policy : policies())
            for (const bool servers : {false, true})
                for (const bool barrier : {false, true})
                    QTest::addRow("%s %s %s", policy->name.c_str(), servers ? "servers" : "all-reduce",
                                  barrier ? "barrier" : "per layer")
                        << QString::fromStdString(policy->name) << servers << barrier;
    }

    void foldingIsExact() {
        QFETCH(QString, name);
        QFETCH(bool, servers);
        QFETCH(bool, barrier);
        Rng rng(17);
        std::vector<LayerSpec> layers;
        for (int l = 0; l < 8; ++l)
            layers.push_back(
                {rng.uniform(1e-3, 9e-3), rng.uniform(1e-3, 9e-3), static_cast<std::int64_t>(rng.uniform(1e3, 3e6))});
        Job job = chainJob(layers);
        job.variables[3].sparse = true;
        job.variables[3].rowsTouched = 5000;
        CommPolicy policy = smallParts(name.toStdString());
        policy.barrier = barrier;
        Cluster cluster = servedCluster(6, gigabyte);
        cluster.latencySeconds = 20e-6;
        cluster.nodes[2].computeScale = cluster.nodes[4].computeScale = 0.7;
        Scenario s =
            scenario(job, cluster, servers ? parameterServers(job, {"n6:CPU:0", "n0:CPU:0"}) : allReduceEach(job), policy);
        const auto folded = runOf(s);
        s.fold = false;
        const auto whole = runOf(s);
        QVERIFY(folded && whole);
        COMPARE_BELOW(folded->graph.workerNames.size(), whole->graph.workerNames.size());
        COMPARE_CLOSE(folded->iterationSeconds, whole->iterationSeconds, 1e-6);
    }

    /// Every policy, mode and speed terminates, moves exactly the bytes of its units, is never faster than its slowest worker if
    /// workers are synchronised, nor than the servers' links, is deterministic bit for bit, and folded gives the same figure as
    /// with every node. SYNCOPATE_TRIALS=10000 tries more scenarios.
    void properties() {
        Rng rng(99);
        const int trials = std::max(300, qEnvironmentVariableIntValue("SYNCOPATE_TRIALS"));
        int folds = 0;
        for (int trial = 0; trial < trials; ++trial) {
            std::vector<LayerSpec> layers;
            const int count = 1 + static_cast<int>(rng.uniform(0, 6));
            for (int l = 0; l < count; ++l)
                layers.push_back({rng.uniform(0, 5e-3), rng.uniform(0, 5e-3), static_cast<std::int64_t>(rng.uniform(1, 3e6))});
            Job job = chainJob(layers);
            for (Variable &variable : job.variables) {
                variable.sparse = rng.uniform(0, 1) < 0.2;
                variable.rowsTouched = rng.uniform(0, 1e5);
            }
            const int nodes = 1 + static_cast<int>(rng.uniform(0, 4));
            Cluster cluster = servedCluster(nodes, rng.uniform(1e8, 2e9));
            const bool alike = rng.uniform(0, 1) < 0.4;
            for (Node &node : cluster.nodes) {
                node.bandwidthBytesPerSecond *= alike ? 1 : rng.uniform(0.3, 1);
                node.computeScale = alike ? 1 : rng.uniform(0.3, 2);
                if (!alike && rng.uniform(0, 1) < 0.3)
                    node.gpus = {0, 1};
            }
            CommPolicy policy = smallParts(policies()[static_cast<std::size_t>(trial) % policies().size()]->name);
            policy.barrier = rng.uniform(0, 1) < 0.5;
            const int concurrent = 1 + static_cast<int>(rng.uniform(0, 3));
            if (policy.has("concurrent"))
                policy.set("concurrent", concurrent);
            const std::string server = "n" + std::to_string(nodes) + ":CPU:0";
            Strategy strategy = rng.uniform(0, 1) < 0.3 ? allReduceEach(job) : parameterServers(job, {server, "n0:CPU:0"});
            const bool free = rng.uniform(0, 1) < 0.6;
            for (NodeConfig &node : strategy.nodes) {
                Synchronizer &s = node.synchronizer;
                s.sync = s.kind == SynchronizerKind::AllReduce || !free || rng.uniform(0, 1) < 0.5;
                s.staleness =
                    free && s.sync && s.kind == SynchronizerKind::ParameterServer ? static_cast<int>(rng.uniform(0, 4)) : 0;
                s.localReplication = rng.uniform(0, 1) < 0.5;
                if (rng.uniform(0, 1) < 0.2)
                    s.transferDestination = server;
            }
            const Scenario s = scenario(job, cluster, strategy, policy);
            const auto r = runOf(s);
            const std::string about = fmt::format("trial {}, {}", trial, formatPolicy(policy));
            QVERIFY2(r, about.c_str());
            double pushed = 0, wire = 0;
            for (std::size_t t = 0; t < r->graph.size(); ++t)
                if (r->graph.kind[t] == TaskKind::Push && r->graph.iteration[t] == 1 && r->graph.worker[t] == WorkerClassId(0))
                    pushed += r->graph.sizeBytes[t];
            const auto isOnOwnHost = [&](const SyncUnit &unit) { // where the sum of several devices already is
                return cluster.nodes[0].gpus.size() > 1 &&
                       cluster.nodeOf(unit.transferDestination.empty() ? unit.destination : unit.transferDestination) == 0;
            };
            for (const SyncUnit &unit : r->graph.units)
                if (unit.kind == SynchronizerKind::ParameterServer && !isOnOwnHost(unit))
                    wire += unit.wireBytes * (unit.sparse ? std::min<double>(static_cast<double>(cluster.nodes[0].gpus.size()),
                                                                             1 / unit.touchedShare)
                                                          : 1);
            COMPARE_CLOSE(pushed, wire, 1e-9, about);
            double slowest = 0;
            for (int n = 0; n < nodes; ++n)
                slowest = std::max(slowest, (job.forwardSeconds() + job.backwardSeconds()) /
                                                cluster.nodes[static_cast<std::size_t>(n)].computeScale);
            if (r->graph.workersInStep)
                COMPARE_AT_LEAST(r->iterationSeconds, slowest * (1 - 1e-9), about);
            // Bytes that a link carries for one step of every worker, at best at full rate. Without a barrier, traffic shifts
            // between iterations, and periods may alternate.
            std::vector<double> carried(r->graph.links.size(), 0);
            for (std::size_t t = 0; t < r->graph.size(); ++t)
                if (r->graph.iteration[t] == 1 && r->graph.path[t].exists())
                    for (const PathHop &hop : r->graph.hopsOf(r->graph.path[t]))
                        carried[hop.link.index()] += hop.weight * r->graph.sizeBytes[t];
            for (std::size_t l = 0; l < carried.size() && r->graph.workersInStep && policy.barrier; ++l)
                COMPARE_AT_LEAST(r->iterationSeconds * r->graph.links[l].bytesPerSecond, carried[l] * (1 - 1e-9),
                                 QString("trial %1 link %2").arg(trial).arg(l));
            if (r->graph.workersInStep && r->graph.workerNames.size() < static_cast<std::size_t>(nodes)) {
                Scenario every = s;
                every.fold = false;
                const auto whole = runOf(every);
                QVERIFY(whole);
                ++folds;
                if (whole->graph.workersInStep)
                    COMPARE_CLOSE(whole->iterationSeconds, r->iterationSeconds, 1e-6, QString("trial %1").arg(trial));
            }
            for (std::size_t t = 0; t < r->graph.size(); ++t)
                for (std::uint32_t c = r->graph.successorOffsets[t]; c < r->graph.successorOffsets[t + 1]; ++c)
                    COMPARE_AT_LEAST(r->readySeconds[r->graph.successors[c].index()], r->endSeconds[t]);
            COMPARE_ABOVE(r->samplesPerSecond, 0);
            QVERIFY(std::isfinite(r->samplesPerSecond));
            QCOMPARE(runOf(s)->endSeconds, r->endSeconds);
        }
        COMPARE_ABOVE(folds, trials / 10);
    }

    void impossibleSettingsAreRefused() {
        const Job job = chainJob({{1, 1, 1'000'000}});
        const auto refused = [&](CommPolicy policy) {
            return !simulate(scenario(job, servedCluster(2, gigabyte), parameterServers(job, {"n2:CPU:0"}), policy)).has_value();
        };
        for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
            for (const auto &[name, key] : {std::pair{"bytescheduler", "credit"}, {"p3", "slice"}, {"byteps", "credit"}}) {
                CommPolicy policy = smallParts(name);
                policy.set(key, bad);
                QVERIFY2(refused(policy), formatPolicy(policy).c_str());
            }
        }
        CommPolicy policy = smallParts("horovod");
        policy.set("cycle", 1e9);
        QVERIFY(refused(policy));
    }
};

QTEST_GUILESS_MAIN(TestPolicyProperties)
#include "tst_policy_properties.moc"
