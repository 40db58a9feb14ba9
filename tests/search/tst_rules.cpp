// SPDX-License-Identifier: GPL-3.0-or-later
// Rules: what they state, and whether climbing over them finds what random draws do not.
#include "engine/search/rule_search.h"
#include "engine/search/search_methods.h"
#include "engine/search/tuned_baselines.h"
#include "tests/checks.h"
#include "tests/search/searches.h"

#include <QtTest>
#include <limits>
#include <map>
#include <set>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

std::unique_ptr<SearchMethod> methodOf(const char *text, const SearchRequest &asked) {
    auto made = makeSearchMethod(text, asked);
    if (!made)
        qFatal("%s", made.error().toString().c_str());
    return std::move(*made);
}

double bestOf(const SearchHistory &history) {
    double best = std::numeric_limits<double>::infinity();
    for (const SearchTrial &trial : history.trials)
        best = std::min(best, objectiveOf(trial.metrics, SearchObjective::IterationTime));
    return best;
}

} // namespace

class TestRules : public QObject {
    Q_OBJECT

private slots:
    /// Stretches, classes, parts, groups and servers are where the rule says.
    void rulesStateStrategies() {
        const Job job = chainJob({{1e-3, 1e-3, 1000}, {1e-3, 1e-3, 1000000}, {1e-3, 1e-3, 2000}, {1e-3, 1e-3, 3000000}});
        const Cluster cluster = plainCluster(4, 1e9);
        Rule rule;
        rule.sizeBounds = {100e3};
        rule.cells[0][1] = {true, 1e6, true};
        rule.groupBytes = 1e6;
        rule.servers = 3;
        const Strategy strategy = strategyOf(rule, job, cluster);
        QCOMPARE(strategy.nodes.size(), std::size_t{4});
        QVERIFY(strategy.nodes[0].synchronizer.kind == SynchronizerKind::AllReduce);
        QCOMPARE(strategy.nodes[0].synchronizer.group, strategy.nodes[2].synchronizer.group); // 12 kB in all
        QCOMPARE(strategy.nodes[1].parts.size(), std::size_t{4});                             // 4 MB
        QCOMPARE(strategy.nodes[3].parts.size(), std::size_t{12});
        std::map<std::string, int> shards;
        for (const std::size_t v : {1, 3})
            for (const PartConfig &part : strategy.nodes[v].parts) {
                QVERIFY(part.synchronizer.kind == SynchronizerKind::ParameterServer && part.synchronizer.localReplication);
                ++shards[part.synchronizer.reductionDestination];
            }
        QCOMPARE(shards.size(), std::size_t{3});
        for (const auto &[server, count] : shards)
            QVERIFY2(count == 5 || count == 6, server.c_str());
        rule.layerBounds = {0.5}; // the later half is all-reduced, whatever its size
        rule.cells[1] = {};
        QVERIFY(strategyOf(rule, job, cluster).nodes[3].synchronizer.kind == SynchronizerKind::AllReduce);
        QVERIFY(strategyOf(rule, job, cluster).nodes[1].isPartitioned());
        rule.groupBytes = 0;
        QVERIFY(strategyOf(rule, job, cluster).nodes[2].synchronizer.group !=
                strategyOf(rule, job, cluster).nodes[3].synchronizer.group);
    }

    /// Sparse variables are served, and nobody has a copy of them.
    void sparseVariablesAreServed() {
        Job job = chainJob({{1e-3, 1e-3, 100000}});
        job.variables[0].sparse = true;
        Rule rule;
        rule.cells[0][0].proxy = true;
        const Strategy strategy = strategyOf(rule, job, plainCluster(2, 1e9));
        QVERIFY(strategy.nodes[0].synchronizer.kind == SynchronizerKind::ParameterServer);
        QVERIFY(!strategy.nodes[0].synchronizer.localReplication);
    }

    void genesOfOthersAreRefused() {
        const SearchRequest asked = request(mixedJob(), plainCluster(4, 1e9), 20);
        const auto method = methodOf("rules()", asked);
        for (const Genes &wrong : {Genes{}, Genes{{1}, {}}, Genes{{}, std::vector<double>(35, 2.0)}, Genes{{}, {0.5}},
                                   Genes{{}, std::vector<double>(35, std::numeric_limits<double>::quiet_NaN())}})
            QVERIFY(!method->decode(wrong));
        QVERIFY(method->decode(Genes{{}, std::vector<double>(35, 1.0)}));
        QVERIFY(method->decode(Genes{{}, std::vector<double>(35, 0.0)}));
    }

    /// Stopped after any number of trials it goes on as if it had not been, on any number of threads.
    void resumesAtAnyPoint() {
        SearchRequest asked = request(mixedJob(), plainCluster(3, 1e9), 70);
        Listener listener;
        asked.threads = 1;
        const auto whole = search(asked, *methodOf("rules()", asked), listener);
        asked.threads = 3;
        for (const std::uint64_t at : {1, 19, 20, 33, 60}) {
            SearchRequest part = asked;
            part.trials = at;
            const auto stopped = search(part, *methodOf("rules()", part), listener);
            const auto resumed = search(asked, *methodOf("rules()", asked), listener, *stopped);
            QVERIFY2(same(*whole, *resumed), qPrintable(QStringLiteral("stopped at %1").arg(at)));
        }
    }

    /// On connections of a fifth of the NIC: better than Random+G with as many trials, and than every tuned builder.
    void climbsAboveRandomDraws() {
        Cluster cluster = plainCluster(4, 5e9);
        cluster.connectionBytesPerSecond = 1e9;
        cluster.latencySeconds = 30e-6;
        for (Node &node : cluster.nodes)
            node.gpus = {0, 1};
        std::vector<LayerSpec> layers;
        for (int l = 0; l < 12; ++l)
            layers.push_back({1e-3, 2e-3, l % 3 == 0 ? 4000000 : 50000});
        const SearchRequest asked = request(chainJob(layers), cluster, 200);
        Listener listener;
        const auto random = search(asked, *methodOf("random()", asked), listener);
        const auto rules = search(asked, *methodOf("rules()", asked), listener);
        COMPARE_BELOW(bestOf(*rules), bestOf(*random));
        const auto judge = makeJudge("simulated()");
        const auto tuned = tuneBaselines(asked, **judge);
        QVERIFY(tuned.has_value());
        for (const TunedBaseline &baseline : *tuned)
            COMPARE_AT_MOST(bestOf(*rules), baseline.metrics.iterationSeconds, baseline.expression);
        COMPARE_AT_LEAST(bestOf(*rules), computeBoundSeconds(asked.base));
    }

    /// A builder's grid holds its defaults, and never does worse than they.
    void tunedBuildersAreNoWorse() {
        const SearchRequest asked = request(mixedJob(), plainCluster(4, 1e9), 1);
        Listener listener;
        const auto history = search(asked, *methodOf("random()", asked), listener);
        const auto judge = makeJudge("simulated()");
        const auto tuned = tuneBaselines(asked, **judge);
        QVERIFY(tuned.has_value());
        QCOMPARE(tuned->size(), history->baselines.size());
        for (std::size_t b = 0; b < tuned->size(); ++b) {
            QCOMPARE((*tuned)[b].builder, history->baselines[b].builder);
            COMPARE_AT_MOST((*tuned)[b].metrics.iterationSeconds, history->baselines[b].metrics.iterationSeconds,
                            (*tuned)[b].expression);
        }
        QCOMPARE(tunedExpressions("AllReduce").size(), std::size_t{9});
        QCOMPARE(tunedExpressions("Parallax").size(), std::size_t{18});
        QCOMPARE(tunedExpressions("PartitionedPS").size(), std::size_t{2});
    }
};

QTEST_GUILESS_MAIN(TestRules)
#include "tst_rules.moc"
