// SPDX-License-Identifier: GPL-3.0-or-later
// Random search, compared with brute force and with itself: stopped, resumed, on several threads, at the bound, with failing
// candidates.
#include "engine/search/trial_log.h"
#include "engine/search/tuned_baselines.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/fingerprint.h"
#include "engine/strategy/strategy_file.h"
#include "tests/checks.h"
#include "tests/search/searches.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace syncopate;
using namespace syncopate::testing;

class TestSearch : public QObject {
    Q_OBJECT

private slots:
    void bestIsThatOfBruteForce() {
        const Job job = chainJob({{4e-3, 8e-3, 4'000'000}, {6e-3, 3e-3, 9'000'000}});
        Cluster cluster = plainCluster(3, 1e9);
        cluster.nodes[1].bandwidthBytesPerSecond = 0.4e9;
        SearchRequest asked = request(job, cluster, 400);
        SamplerSettings settings;
        settings.wholeUpToBytes = settings.splitFromBytes = 1e12;
        settings.balanceLoads = settings.mergeAdjacent = false;
        double least = std::numeric_limits<double>::infinity();
        // A variable on server 0, 1 or 2, or reduced in group 0 or 1.
        for (int a = 0; a < 5; ++a)
            for (int b = 0; b < 5; ++b) {
                Strategy strategy = allReduceEach(job);
                strategy.replicas = cluster.replicaDevices();
                for (const auto &[v, choice] : {std::pair<std::size_t, int>{0, a}, {1, b}}) {
                    Synchronizer &s = strategy.nodes[v].synchronizer;
                    s.spec = AllReduceSpec::Nccl;
                    s.group = choice - 3;
                    if (choice < 3) {
                        s.kind = SynchronizerKind::ParameterServer;
                        s.reductionDestination = cluster.reductionDevices()[static_cast<std::size_t>(choice)];
                    }
                }
                Scenario scenario = asked.base;
                scenario.strategy = std::make_shared<const Strategy>(strategy);
                least = std::min(least, (*simulate(scenario))->iterationSeconds);
            }
        Listener listener;
        const auto history = search(asked, *randomSearch(asked, settings), listener);
        QVERIFY(history);
        const std::int64_t best = history->bestTrial(asked.objective);
        COMPARE_AT_LEAST(best, 0);
        QCOMPARE(history->trials[static_cast<std::size_t>(best)].metrics.iterationSeconds, least);
        for (const SearchTrial &trial : history->trials)
            COMPARE_AT_LEAST(trial.metrics.iterationSeconds, least);
    }

    void threadsAndStopsChangeNothing() {
        SearchRequest asked = request(mixedJob(), plainCluster(4, 1e9));
        asked.threads = 1;
        Listener alone, three;
        const auto whole = search(asked, *randomSearch(asked), alone);
        QVERIFY(whole);
        QVERIFY(!whole->stopped);
        QCOMPARE(whole->trials.size(), std::size_t(100));
        asked.threads = 3;
        const auto parallel = search(asked, *randomSearch(asked), three);
        QVERIFY(same(*whole, *parallel));
        QCOMPARE(three.baselines.size(), strategyBuilders().size());
        for (std::size_t i = 0; i < three.trials.size(); ++i)
            QCOMPARE(three.trials[i].trial, std::uint64_t(i)); // in order, whichever was ready first

        // Stopped in the middle of a batch, twice, and resumed by independent methods.
        Listener first;
        first.stopAfter = 37;
        const auto stopped = search(asked, *randomSearch(asked), first, {}, first.stop.get_token());
        QVERIFY(stopped->stopped);
        COMPARE_AT_LEAST(stopped->trials.size(), 37);
        COMPARE_BELOW(stopped->trials.size(), 100);
        Listener second;
        second.stopAfter = 20;
        const auto again = search(asked, *randomSearch(asked), second, *stopped, second.stop.get_token());
        QVERIFY(again->stopped);
        QVERIFY(second.baselines.empty()); // they are known
        Listener third;
        const auto resumed = search(asked, *randomSearch(asked), third, *again);
        QVERIFY(!resumed->stopped);
        QVERIFY(same(*whole, *resumed));

        asked.seed = 8;
        Listener other;
        QVERIFY(!same(*whole, *search(asked, *randomSearch(asked), other)));
    }

    void stoppedBeforeItBeginsIsAnEmptyHistory() {
        const SearchRequest asked = request(mixedJob(), plainCluster(4, 1e9));
        std::stop_source stop;
        stop.request_stop();
        Listener listener;
        Progress progress;
        const auto history = search(asked, *randomSearch(asked), listener, {}, stop.get_token(), &progress);
        QVERIFY(history);
        QVERIFY(history->stopped);
        QVERIFY(history->trials.empty());
        QCOMPARE(progress.total.load(), std::uint64_t(100));
    }

    void tallyCountsWhatIsBetterThanTheBestBaseline() {
        SearchRequest asked = request(mixedJob(), plainCluster(4, 1e9), 60);
        for (const auto objective : {SearchObjective::IterationTime, SearchObjective::ExposedCommunication}) {
            asked.objective = objective;
            Listener listener;
            const auto history = search(asked, *randomSearch(asked), listener);
            const auto value = [&](const CandidateMetrics &m) {
                return objective == SearchObjective::IterationTime ? m.iterationSeconds : m.exposedSeconds;
            };
            double best = std::numeric_limits<double>::infinity();
            for (const BuilderInfo &builder : strategyBuilders()) { // not from the history: simulated again
                Scenario scenario = asked.base;
                scenario.strategy =
                    std::make_shared<const Strategy>(*buildStrategy(builder.name, *asked.base.job, *asked.base.cluster));
                best = std::min(best, value(describeCandidate(scenario, *(*makeJudge("simulated()"))->judge(scenario, {}))));
            }
            SearchTally tally(objective, history->baselines);
            QCOMPARE(tally.bestBaseline(), best);
            QCOMPARE(tally.hitRate(), 0.0);
            int hits = 0;
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t t = 0; t < history->trials.size(); ++t) {
                tally.add(history->trials[t]);
                hits += value(history->trials[t].metrics) < best ? 1 : 0;
                least = std::min(least, value(history->trials[t].metrics));
                QCOMPARE(tally.hitRate(), hits / static_cast<double>(t + 1));
                QCOMPARE(tally.bestTrial(), least);
            }
            SearchTrial faster;
            faster.metrics = history->baselines.front().metrics;
            faster.metrics.iterationSeconds = faster.metrics.exposedSeconds = best / 2;
            tally.add(faster);
            if (best > 0)
                QCOMPARE(tally.hitRate(), (hits + 1) / static_cast<double>(history->trials.size() + 1));
            SearchTrial level; // as fast as the best builder does not count as a hit
            level.metrics = history->baselines[static_cast<std::size_t>(history->bestBaseline(objective))].metrics;
            SearchTally tie(objective, history->baselines);
            tie.add(level);
            QCOMPARE(tie.hitRate(), 0.0);
        }
    }

    void metricsDescribeTheStrategy() {
        const Job job = mixedJob();
        Strategy strategy = allReduceEach(job);
        strategy.nodes[0].synchronizer.group = 1; // shares the group of the next
        NodeConfig &table = strategy.nodes[2];
        table.partitions = {3, 1, 1};
        for (int p = 0; p < 3; ++p) {
            PartConfig part;
            part.synchronizer.kind = SynchronizerKind::ParameterServer;
            part.synchronizer.reductionDestination = p == 0 ? "n0:CPU:0" : "n1:CPU:0";
            table.parts.push_back(part);
        }
        const CandidateMetrics metrics = describeStrategy(job, strategy);
        QCOMPARE(metrics.shards, 7);
        QCOMPARE(metrics.groups, 3); // 1, 3, 4
        QCOMPARE(metrics.servers, 2);
        QCOMPARE(metrics.psVariables, 1);
        QCOMPARE(metrics.partitionedVariables, 1);
        QCOMPARE(metrics.psBytes, 4e6);
        QCOMPARE(metrics.largestServerBytes, 2 * 333 * 4000.0); // 334, 333 and 333 rows of 4000 bytes
        QVERIFY(std::isnan(metrics.iterationSeconds));
    }

    void batchesAreAskedForKnowingThoseBefore() {
        struct Recorder final : SearchMethod {
            Scenario only;
            std::vector<std::string> calls;
            std::string text() const override { return "recorder()"; }
            std::string description() const override { return {}; }
            std::size_t batchSize() const override { return 8; }
            Result<std::vector<Genes>> ask(std::uint64_t first, std::stop_token) override {
                calls.push_back("ask " + std::to_string(first));
                return std::vector<Genes>(8);
            }
            void tell(const std::vector<SearchTrial> &batch) override {
                calls.push_back("tell " + std::to_string(batch.front().trial) + "+" + std::to_string(batch.size()));
            }
            Result<Scenario> decode(const Genes &) const override { return only; }
        };
        SearchRequest asked = request(chainJob({{1e-3, 1e-3, 1000}}), plainCluster(2, 1e9), 20);
        asked.threads = 1;
        Recorder once;
        once.only = asked.base;
        once.only.strategy = std::make_shared<const Strategy>(allReduceEach(*asked.base.job));
        Listener listener;
        listener.stopAfter = 11;
        const auto stopped = search(asked, once, listener, {}, listener.stop.get_token());
        // The thread may have finished the batch before the listener stopped it.
        const bool whole = stopped->trials.size() == 16;
        std::vector<std::string> expected{"ask 0", "tell 0+8", "ask 8"};
        if (whole)
            expected.emplace_back("tell 8+8");
        QCOMPARE(once.calls, expected);
        Recorder next;
        next.only = once.only;
        Listener quiet;
        const auto resumed = search(asked, next, quiet, *stopped);
        expected = {"tell 0+8", "ask 8", "tell 8+8", "ask 16"};
        if (whole)
            expected.erase(expected.begin() + 1);
        QCOMPARE(next.calls, expected);
        QCOMPARE(resumed->trials.size(), std::size_t(20));
        QCOMPARE(quiet.trials.size(), 20 - stopped->trials.size());
    }

    /// If compute alone takes as long as the best, the search ends; otherwise it uses up the budget.
    void endsWhereNothingIsToGain() {
        SearchRequest asked = request(chainJob({{0.1, 0.2, 10}}), plainCluster(2, 1e9), 70);
        const auto judge = makeJudge("simulated()");
        Listener listener;
        const auto ended = search(asked, *randomSearch(asked), listener);
        QCOMPARE(ended->trials.size(), randomSearch(asked)->batchSize());
        QVERIFY(!ended->stopped); // nothing to resume
        COMPARE_AT_MOST(atMostGain(asked, *ended), asked.enough);
        const auto again = search(asked, *randomSearch(asked), listener, *ended);
        QVERIFY(same(*ended, *again));
        SearchHistory part = *ended; // as if it had been stopped within the batch: resumed, it ends where it would have ended
        part.trials.resize(5);
        part.stopped = true;
        QVERIFY(same(*ended, *search(asked, *randomSearch(asked), listener, part)));
        asked.enough = 0;
        QCOMPARE(search(asked, *randomSearch(asked), listener)->trials.size(), std::size_t{70});
        const SearchRequest slow = request(chainJob({{1e-4, 2e-4, 1000000}}), plainCluster(2, 1e9), 70);
        const auto spent = search(slow, *randomSearch(slow), listener);
        QCOMPARE(spent->trials.size(), std::size_t{70});
        const double best = spent->trials[static_cast<std::size_t>(spent->bestTrial(slow.objective))].metrics.iterationSeconds;
        const double baseline =
            spent->baselines[static_cast<std::size_t>(spent->bestBaseline(slow.objective))].metrics.iterationSeconds;
        COMPARE_CLOSE(atMostGain(slow, *spent), 1 - 3e-4 / std::min(best, baseline));
        SearchRequest exposed = slow;
        exposed.objective = SearchObjective::ExposedCommunication;
        QVERIFY(std::isnan(atMostGain(exposed, *spent)));
    }

    /// Where the policy shards the optimiser, each of four replicas updates a quarter of the dense parameters: the bound has no
    /// whole update, at which searches would end.
    void theBoundHasAShareOfShardedUpdates() {
        Job job = chainJob({{1e-3, 2e-3, 1'000'000}, {1e-3, 2e-3, 3'000'000}});
        job.updateSeconds = 0.02;
        const SearchRequest whole = request(job, plainCluster(4, 1e9), 40);
        job.variables[1].sparse = true;
        const SearchRequest sparse = request(job, plainCluster(4, 1e9), 40);
        COMPARE_CLOSE(computeBoundSeconds(whole.base), 6e-3 + 0.02);
        for (const CommPolicy &policy :
             {policyOf("fsdp2"), policyOf("deepspeed", {{"stage", 1}}), policyOf("megatron", {{"distributed_optimizer", 1}})}) {
            SearchRequest asked = whole;
            asked.base.policy = policy;
            const double bound = 6e-3 + 0.02 / 4;
            COMPARE_CLOSE(computeBoundSeconds(asked.base), bound);
            Listener listener;
            const auto history = search(asked, *randomSearch(asked), listener);
            VERIFY_VALUE(history);
            QCOMPARE(history->trials.size(), std::size_t{40});
            for (const SearchBaseline &baseline : history->baselines)
                if (baseline.error.empty())
                    COMPARE_AT_LEAST(baseline.metrics.iterationSeconds, bound * (1 - 1e-9), baseline.builder);
            asked.base = sparse.base;
            asked.base.policy = policy;
            COMPARE_CLOSE(computeBoundSeconds(asked.base), 6e-3 + 0.02 * (1.0 / 4 + 3) / 4);
        }
    }

    /// A deterministic judge sees each strategy once.
    void strategiesAreJudgedOnce() {
        struct Repeater final : SearchMethod {
            Scenario only;
            std::string text() const override { return "repeater()"; }
            std::string description() const override { return {}; }
            Result<std::vector<Genes>> ask(std::uint64_t, std::stop_token) override { return std::vector<Genes>(32); }
            Result<Scenario> decode(const Genes &) const override { return only; }
        };
        struct Counter final : Judge {
            bool deterministic = true;
            int calls = 0;
            std::string text() const override { return "counter()"; }
            unsigned maxConcurrent() const override { return 1; }
            bool isDeterministic() const override { return deterministic; }
            Result<Verdict> judge(const Scenario &, std::stop_token) override {
                Verdict verdict;
                verdict.iterationSeconds = 1 + ++calls;
                return verdict;
            }
        };
        const SearchRequest asked = request(chainJob({{1e-3, 1e-3, 1000}}), plainCluster(2, 1e9), 40);
        Repeater method;
        method.only = asked.base;
        method.only.strategy = std::make_shared<const Strategy>(allReduceEach(*asked.base.job));
        SearchObserver silent;
        for (const bool deterministic : {true, false}) {
            Counter judge;
            judge.deterministic = deterministic;
            const auto history = runSearch(asked, method, judge, silent);
            const auto baselines = static_cast<int>(history->baselines.size());
            if (deterministic)
                COMPARE_AT_MOST(judge.calls, baselines + 1);
            else
                QCOMPARE(judge.calls, baselines + 40);
            QCOMPARE(history->trials.front().metrics.iterationSeconds == history->trials.back().metrics.iterationSeconds,
                     deterministic);
        }
    }

    /// The data set has each strategy of a search with its time, once, after the common header.
    void trialsAreADataSet() {
        SearchRequest asked = request(mixedJob(), uniformCluster(3, 10), 20);
        const auto method = makeSearchMethod("rules()", asked);
        const auto judge = makeJudge("simulated()");
        SearchObserver silent;
        const auto history = runSearch(asked, **method, **judge, silent);
        const auto lines = trialLines(asked, **method, **judge, *history);
        VERIFY_VALUE(lines);
        const QStringList rows = QString::fromStdString(*lines).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        const QJsonObject head = QJsonDocument::fromJson(rows.front().toUtf8()).object();
        QCOMPARE(head["judge"].toString(), QStringLiteral("simulated()"));
        QVERIFY(head["job"].toObject()["layers"].toArray().size() == 5);
        QVERIFY(readResourceSpecText(head["cluster"].toString().toStdString()));
        COMPARE_ABOVE(rows.size(), 20);
        COMPARE_AT_MOST(rows.size(), 1 + 20 + static_cast<int>(history->baselines.size()));
        std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
        for (qsizetype r = 1; r < rows.size(); ++r) {
            const QJsonObject row = QJsonDocument::fromJson(rows[r].toUtf8()).object();
            const auto text = QJsonDocument(row["strategy"].toObject()).toJson(QJsonDocument::Compact).toStdString();
            const auto strategy = readStrategyJson(text);
            QVERIFY2(strategy.has_value(), text.c_str());
            const StrategyFingerprint fingerprint = fingerprintOf(*strategy);
            QVERIFY(seen.insert({fingerprint.high, fingerprint.low}).second);
            COMPARE_ABOVE(row["seconds"].toDouble(), 0);
            if (row.contains("trial"))
                QCOMPARE(row["seconds"].toDouble(),
                         history->trials[static_cast<std::size_t>(row["trial"].toInt())].metrics.iterationSeconds);
        }
    }

    void failuresAreTrialsWithAnError() {
        struct Wrong final : SearchMethod {
            Scenario only;
            std::string text() const override { return "wrong()"; }
            std::string description() const override { return {}; }
            Result<std::vector<Genes>> ask(std::uint64_t, std::stop_token) override {
                return std::vector<Genes>{{{0}, {}}, {{1}, {}}, {{2}, {}}};
            }
            Result<Scenario> decode(const Genes &genes) const override {
                return genes.whole[0] == 1 ? Result<Scenario>(fail("odd genes")) : only;
            }
        };
        const SearchRequest asked = request(chainJob({{1e-3, 1e-3, 1000}}), plainCluster(2, 1e9), 3);
        Wrong wrong;
        wrong.only = asked.base;
        wrong.only.strategy = std::make_shared<const Strategy>(parameterServers(*asked.base.job, {"nowhere:CPU:0"}));
        Listener listener;
        const auto history = search(asked, wrong, listener);
        QVERIFY(history);
        QCOMPARE(history->trials.size(), std::size_t(3));
        QCOMPARE(history->trials[1].error, std::string("odd genes"));
        QCOMPARE(history->trials[0].metrics.psVariables, 1); // known without a verdict
        QVERIFY(history->trials[0].error.find("nowhere") != std::string::npos);
        QCOMPARE(history->bestTrial(asked.objective), std::int64_t(-1));
        SearchTally tally(asked.objective, history->baselines);
        tally.add(history->trials[0]);
        QCOMPARE(tally.hitRate(), 0.0);
    }

    void wrongRequestsAreRefused() {
        SearchRequest asked = request(mixedJob(), plainCluster(2, 1e9));
        const auto method = randomSearch(asked);
        Listener listener;
        asked.trials = 0;
        QVERIFY(!search(asked, *method, listener));
        asked.trials = SearchRequest::maxTrials + 1;
        QVERIFY(!search(asked, *method, listener));
        asked.trials = 1;
        asked.base.job = nullptr;
        QVERIFY(!search(asked, *method, listener));
        QVERIFY(!makeSearchMethod("random()", asked));
        const auto refuses = [](auto change) {
            SamplerSettings settings;
            change(settings);
            return !validateSampler(settings).has_value();
        };
        QVERIFY(!refuses([](SamplerSettings &) {}));
        QVERIFY(refuses([](SamplerSettings &s) { s.minParts = 1; }));
        QVERIFY(refuses([](SamplerSettings &s) { s.maxParts = 1; }));
        QVERIFY(refuses([](SamplerSettings &s) { s.maxParts = 100000; }));
        QVERIFY(refuses([](SamplerSettings &s) { s.minGroups = 0; }));
        QVERIFY(refuses([](SamplerSettings &s) { s.maxGroups = 0; }));
        QVERIFY(refuses([](SamplerSettings &s) { s.wholeUpToBytes = NAN; }));
        QVERIFY(refuses([](SamplerSettings &s) { s.splitFromBytes = 1; }));
        QVERIFY(refuses([](SamplerSettings &s) { s.loadTemperatureBytes = 0; }));
        QVERIFY(refuses([](SamplerSettings &s) { s.loadTemperatureBytes = NAN; }));
        QVERIFY(refuses([](SamplerSettings &s) { s.parameterServers = s.allReduce = false; }));
    }
};

QTEST_GUILESS_MAIN(TestSearch)
#include "tst_search.moc"
