// SPDX-License-Identifier: GPL-3.0-or-later
// Rules: how they map to strategies, and whether climbing over them finds strategies that random draws do not.
#include "engine/search/rule_search.h"
#include "engine/search/rule_space.h"
#include "engine/search/search_methods.h"
#include "engine/search/tuned_baselines.h"
#include "engine/strategy/builders.h"
#include "tests/checks.h"
#include "tests/search/searches.h"

#include <QtTest>
#include <array>
#include <fmt/format.h>
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
    /// Ranges, classes, parts, groups and servers are where the rule says.
    void rulesStateStrategies() {
        const Job job = chainJob({{1e-3, 1e-3, 1000}, {1e-3, 1e-3, 1000000}, {1e-3, 1e-3, 2000}, {1e-3, 1e-3, 3000000}});
        const Cluster cluster = plainCluster(4, 1e9);
        Rule rule;
        rule.sizeBounds = {100e3};
        rule.cells[0][0].groupBytes = 1e6;
        rule.cells[0][1] = {true, RuleCut::Size, 1e6, true, 0};
        rule.servers = 3;
        const Strategy strategy = strategyOf(rule, {}, job, cluster);
        QCOMPARE(strategy.nodes.size(), std::size_t{4});
        QVERIFY(strategy.nodes[0].synchronizer.kind == SynchronizerKind::AllReduce);
        QCOMPARE(strategy.nodes[0].synchronizer.group, strategy.nodes[2].synchronizer.group); // 12 kB in total
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
        rule.layerBounds = {0.5};        // the later half is all-reduced, at any size
        rule.cells[0][0].groupBytes = 0; // or it would limit the group that it begins
        rule.cells[1].fill({false, RuleCut::Size, 0, false, 1e9});
        const std::vector<VariableChange> changes{{.variable = 2, .served = true, .proxy = true, .parts = 3}};
        const Strategy changed = strategyOf(rule, changes, job, cluster);
        for (std::size_t v = 0; v < job.variables.size(); ++v) { // a variable alone is made as with all others
            const NodeConfig alone = nodeConfigOf(rule, changes, job, cluster, v), &whole = changed.nodes[v];
            QCOMPARE(alone.variableName, whole.variableName);
            QVERIFY(alone.partitions == whole.partitions && alone.parts.size() == whole.parts.size());
            const Synchronizer &own = alone.isPartitioned() ? alone.parts.front().synchronizer : alone.synchronizer;
            const Synchronizer &wanted = whole.isPartitioned() ? whole.parts.front().synchronizer : whole.synchronizer;
            QVERIFY(own.kind == wanted.kind && own.localReplication == wanted.localReplication);
        }
        QVERIFY(strategyOf(rule, {}, job, cluster).nodes[3].synchronizer.kind == SynchronizerKind::AllReduce);
        QVERIFY(strategyOf(rule, {}, job, cluster).nodes[1].isPartitioned());
        QCOMPARE(strategyOf(rule, {}, job, cluster).nodes[2].synchronizer.group,
                 strategyOf(rule, {}, job, cluster).nodes[3].synchronizer.group);
        rule.cells[1].fill({});
        QVERIFY(strategyOf(rule, {}, job, cluster).nodes[2].synchronizer.group !=
                strategyOf(rule, {}, job, cluster).nodes[3].synchronizer.group);
    }

    /// The parts of a variable that a change sets apart go one by one, whether other groups go by size or by count: in one group
    /// they would be one collective, as if the variable were whole.
    void partsOfAVariableAloneAreNotJoined() {
        const Job job = chainJob({{1e-3, 1e-3, 1000}, {1e-3, 1e-3, 1000}, {1e-3, 1e-3, 1000}});
        const std::vector<VariableChange> changes{{.variable = 1, .parts = 3, .alone = true}};
        for (const std::int32_t groupCount : {0, 128}) {
            Rule rule;
            rule.cells[0][0].groupBytes = 1e6;
            rule.groupCount = groupCount;
            const Strategy strategy = strategyOf(rule, changes, job, plainCluster(2, 1e9));
            QCOMPARE(strategy.nodes[1].parts.size(), std::size_t{3});
            std::set<std::int32_t> groups{strategy.nodes[0].synchronizer.group, strategy.nodes[2].synchronizer.group};
            const std::size_t others = groups.size();
            for (const PartConfig &part : strategy.nodes[1].parts)
                groups.insert(part.synchronizer.group);
            QCOMPARE(groups.size(), others + 3);
        }
    }

    /// Sparse variables are served, and no worker has a proxy of them.
    void sparseVariablesAreServed() {
        Job job = chainJob({{1e-3, 1e-3, 100000}});
        job.variables[0].sparse = true;
        Rule rule;
        rule.cells[0][0].proxy = true;
        const Strategy strategy = strategyOf(rule, {}, job, plainCluster(2, 1e9));
        QVERIFY(strategy.nodes[0].synchronizer.kind == SynchronizerKind::ParameterServer);
        QVERIFY(!strategy.nodes[0].synchronizer.localReplication);
        rule.sparseServed = false;
        QVERIFY(strategyOf(rule, {}, job, plainCluster(2, 1e9)).nodes[0].synchronizer.kind == SynchronizerKind::AllReduce);
    }

    /// Each of AutoDist's builders is a rule: the same node configs, except for the all-reduce spec.
    void buildersAreRules() {
        Job job = mixedJob();
        job.variables[4].shape = {3, 3, 100, 333}; // a kernel used in control flow
        const Cluster cluster = plainCluster(3, 1e9);
        for (const BuilderInfo &builder : strategyBuilders())
            for (const std::int32_t chunk : {1, 2, 128}) {
                const bool chunked = builder.signature.find("chunk_size") != std::string::npos;
                const bool proxied = builder.signature.find("local_proxy") != std::string::npos;
                std::string text = builder.name;
                if (chunked)
                    text += fmt::format("(chunk_size={})", chunk);
                else if (proxied && chunk == 1)
                    text += "(local_proxy_variable=True)";
                auto built = buildStrategy(text, job, cluster);
                QVERIFY2(built.has_value(), text.c_str());
                const auto rule = ruleOfBuilder(builder.name, chunk, !chunked && proxied && chunk == 1, cluster);
                QVERIFY2(rule.has_value(), text.c_str());
                const Strategy stated = strategyOf(*rule, {}, job, cluster);
                QCOMPARE(stated.replicas, built->replicas);
                for (std::size_t v = 0; v < job.variables.size(); ++v) {
                    NodeConfig &node = built->nodes[v];
                    const auto withNccl = [&](Synchronizer &s) {
                        if (s.kind == SynchronizerKind::AllReduce)
                            s.spec = AllReduceSpec::Nccl;
                        if (job.variables[v].sparse) // builders ask for proxies, which AutoDist then omits
                            s.localReplication = false;
                    };
                    withNccl(node.synchronizer);
                    for (PartConfig &part : node.parts)
                        withNccl(part.synchronizer);
                    if (node.isPartitioned())
                        node.synchronizer = {};
                    QVERIFY2(stated.nodes[v] == node, qPrintable(QString::fromStdString(text + ": " + node.variableName)));
                }
                // And as genes, with which searches start.
                const RuleSpace space(request(job, cluster).base, 3, 3);
                const auto read = space.ruleOf(space.genesOf(*rule));
                QVERIFY2(read && strategyOf(*read, {}, job, cluster) == stated, text.c_str());
            }
        QVERIFY(!ruleOfBuilder("Magic", 1, false, cluster));
    }

    /// An exception applies to its variable only.
    void variablesHaveExceptions() {
        const Job job = chainJob({{1e-3, 1e-3, 1000}, {1e-3, 1e-3, 1000000}, {1e-3, 1e-3, 2000}});
        const Cluster cluster = plainCluster(4, 1e9);
        Rule rule;
        for (auto &cells : rule.cells)
            cells.fill({false, RuleCut::Size, 0, false, 1e9});
        const Strategy plain = strategyOf(rule, {}, job, cluster);
        const Strategy changed = strategyOf(rule, {{1, true, true, 7, 2, false}}, job, cluster);
        QVERIFY(changed.nodes[0] == plain.nodes[0]);
        QCOMPARE(changed.nodes[1].parts.size(), std::size_t{7});
        for (const PartConfig &part : changed.nodes[1].parts) {
            QVERIFY(part.synchronizer.localReplication);
            QCOMPARE(part.synchronizer.reductionDestination, cluster.reductionDevices()[2]);
        }
        const Strategy apart = strategyOf(rule, {{1, false, false, 1, -1, true}}, job, cluster);
        QCOMPARE(apart.nodes[0].synchronizer.group, 0);
        QCOMPARE(apart.nodes[1].synchronizer.group, 1);
        QCOMPARE(apart.nodes[2].synchronizer.group, 2);
        rule.groupCount = 10;
        const Strategy counted = strategyOf(rule, {{1, false, false, 1, -1, true}}, job, cluster);
        QCOMPARE(counted.nodes[0].synchronizer.group, counted.nodes[2].synchronizer.group);
        QVERIFY(counted.nodes[1].synchronizer.group != counted.nodes[0].synchronizer.group);
    }

    /// All moves yield decodable rules that differ from their origin.
    void movesMakeRules() {
        const SearchRequest asked = request(mixedJob(), plainCluster(4, 1e9));
        const RuleSpace space(asked.base, 3, 3);
        Rng rng(3);
        Genes genes = space.usual().front();
        for (int i = 0; i < 500; ++i) {
            const RuleMove move = std::array{RuleMove::Step, RuleMove::Leap, RuleMove::Split, RuleMove::Variable}[i % 4U];
            const Genes next = i % 50 == 49 ? space.mixed(genes, space.fresh(rng), rng) : space.moved(genes, move, rng);
            QVERIFY2(space.decode(next), formatGenes(next).c_str());
            QVERIFY(*parseGenes(formatGenes(next)) == next);
            QVERIFY(!space.explain(next).empty());
            genes = next;
        }
    }

    /// With reductions=on cells choose among all reductions, and name theirs; otherwise all of them use all-reduce.
    void reductionsAreAskedFor() {
        const SearchRequest asked = request(mixedJob(), plainCluster(4, 1e9), 300);
        const auto seen = [&](const char *text) {
            std::set<Reduction> reductions;
            Listener listener;
            const auto method = methodOf(text, asked);
            const auto history = search(asked, *method, listener);
            for (const SearchTrial &trial : history->trials) {
                const auto scenario = method->decode(trial.genes); // which the loop over its nodes would not keep alive
                for (const NodeConfig &node : scenario->strategy->nodes) {
                    if (!node.isPartitioned())
                        reductions.insert(node.synchronizer.reduction);
                    for (const PartConfig &part : node.parts)
                        reductions.insert(part.synchronizer.reduction);
                }
            }
            return reductions;
        };
        QCOMPARE(seen("rules()"), std::set<Reduction>{Reduction::AllReduce});
        QCOMPARE(seen("rules(reductions=on)").size(), std::size_t{3});
        QCOMPARE(methodOf("rules(reductions=off)", asked)->text(), std::string("rules()"));
        Rule rule;
        for (auto &cells : rule.cells)
            cells.fill({false, RuleCut::Size, 0, false, 1e9, Reduction::ReduceBroadcast});
        rule.cells[0][0].reduction = Reduction::ScatterGather;
        rule.sizeBounds = {1e5};
        const RuleSpace space(asked.base, 3, 3, true);
        const auto read = space.ruleOf(space.genesOf(rule));
        VERIFY_VALUE(read);
        QCOMPARE(read->cells[0][0].reduction, Reduction::ScatterGather);
        QCOMPARE(read->cells[0][1].reduction, Reduction::ReduceBroadcast);
        QVERIFY(describe(*read).find("reduce-scattered and gathered") != std::string::npos);
    }

    void genesOfOthersAreRefused() {
        const SearchRequest asked = request(mixedJob(), plainCluster(4, 1e9), 20);
        const auto method = methodOf("rules()", asked);
        const std::size_t size = RuleSpace(asked.base, 3, 3).usual().front().real.size();
        for (const Genes &wrong :
             {Genes{}, Genes{{1}, {}}, Genes{{7}, std::vector<double>(size, 0.5)}, Genes{{0}, std::vector<double>(size, 2.0)},
              Genes{{0}, {0.5}}, Genes{{}, std::vector<double>(size, 0.5)},
              Genes{{0, std::uint64_t{5} << 29}, std::vector<double>(size, 0.5)}, // a variable that does not exist
              Genes{{0}, std::vector<double>(size, std::numeric_limits<double>::quiet_NaN())}})
            QVERIFY2(!method->decode(wrong), formatGenes(wrong).c_str());
        QVERIFY(method->decode(Genes{{0}, std::vector<double>(size, 1.0)}));
        QVERIFY(method->decode(Genes{{6}, std::vector<double>(size, 0.0)}));
    }

    /// Stopped after any number of trials, a search resumes as if it had not been, on any number of threads.
    void resumesAtAnyPoint() {
        for (const char *text : {"rules()", "anneal()", "autosync()", "autosync(proposals=random)"}) {
            SearchRequest asked = request(mixedJob(), plainCluster(3, 1e9), 50);
            asked.enough = 0;
            Listener listener;
            asked.threads = 1;
            const auto whole = search(asked, *methodOf(text, asked), listener);
            QCOMPARE(whole->trials.size(), std::size_t{50});
            asked.threads = 3;
            for (const std::uint64_t at : {1, 9, 10, 33, 40}) {
                SearchRequest part = asked;
                part.trials = at;
                const auto stopped = search(part, *methodOf(text, part), listener);
                const auto resumed = search(asked, *methodOf(text, asked), listener, *stopped);
                QVERIFY2(same(*whole, *resumed), qPrintable(QStringLiteral("%1 stopped at %2").arg(text).arg(at)));
            }
        }
    }

    /// With connections at a fifth of the NIC: better than Random+G with equally many trials, and than every tuned builder.
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
        const auto anneal = search(asked, *methodOf("anneal()", asked), listener);
        COMPARE_BELOW(bestOf(*rules), bestOf(*random));
        COMPARE_BELOW(bestOf(*anneal), bestOf(*random));
        const auto judge = makeJudge("simulated()");
        const auto tuned = tuneBaselines(asked, **judge);
        VERIFY_VALUE(tuned);
        for (const TunedBaseline &baseline : *tuned)
            COMPARE_AT_MOST(bestOf(*rules), baseline.metrics.iterationSeconds, baseline.expression);
        COMPARE_AT_LEAST(bestOf(*rules), computeBoundSeconds(asked.base));
    }

    /// A builder's grid contains its defaults, so tuning never does worse.
    void tunedBuildersAreNoWorse() {
        const SearchRequest asked = request(mixedJob(), plainCluster(4, 1e9), 1);
        Listener listener;
        const auto history = search(asked, *methodOf("random()", asked), listener);
        const auto judge = makeJudge("simulated()");
        const auto tuned = tuneBaselines(asked, **judge);
        VERIFY_VALUE(tuned);
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
