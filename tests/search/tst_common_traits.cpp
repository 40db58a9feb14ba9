// SPDX-License-Identifier: GPL-3.0-or-later
// Common traits of winners, in searches with hand-made strategies.
#include "engine/search/common_traits.h"

#include "engine/strategy/builders.h"
#include "engine/strategy/fingerprint.h"
#include "tests/checks.h"
#include "tests/search/searches.h"

#include <QtTest>
#include <algorithm>
#include <cmath>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// Decodes the first whole gene as an index into a list of strategies.
class Listed final : public SearchMethod {
public:
    explicit Listed(Scenario base) : m_base(std::move(base)) {}
    std::vector<Strategy> strategies;

    [[nodiscard]] std::string text() const override { return "listed()"; }
    [[nodiscard]] std::string description() const override { return {}; }
    [[nodiscard]] Result<std::vector<Genes>> ask(std::uint64_t, std::stop_token) override { return std::vector<Genes>(); }
    [[nodiscard]] Result<Scenario> decode(const Genes &genes) const override {
        Scenario scenario = m_base;
        scenario.strategy = std::make_shared<const Strategy>(strategies.at(genes.whole.at(0)));
        return scenario;
    }

private:
    Scenario m_base;
};

constexpr std::size_t sparse = 2; ///< variable of mixedJob()

void split(NodeConfig &node, int parts) {
    node.partitions = {parts, 1, 1};
    for (int p = 0; p < parts; ++p)
        node.parts.push_back({partName(node.variableName, p), node.synchronizer});
}

} // namespace

class TestCommonTraits : public QObject {
    Q_OBJECT

    const SearchRequest m_request = request(mixedJob(), plainCluster(3, 1e8));

    /// Strategies whose times are their indices: `best` of the first ten and `others` of the 30 others split the sparse variable
    /// in four; all serve it.
    [[nodiscard]] std::pair<std::unique_ptr<Listed>, SearchHistory> made(int best, int others) const {
        auto method = std::make_unique<Listed>(m_request.base);
        SearchHistory history;
        const Strategy served = *buildStrategy("PS", *m_request.base.job, *m_request.base.cluster);
        for (int t = 0; t < 40; ++t) {
            Strategy strategy = served;
            if (t < 10 ? t < best : t - 10 < others)
                split(strategy.nodes[sparse], 4);
            strategy.nodes[0].synchronizer.staleness = t; // makes each strategy distinct
            method->strategies.push_back(strategy);
            add(history, static_cast<std::uint64_t>(t), 1 + t);
        }
        return {std::move(method), history};
    }
    static void add(SearchHistory &history, std::uint64_t strategy, double seconds) {
        SearchTrial trial;
        trial.trial = history.trials.size();
        trial.genes = {{strategy}, {}};
        trial.metrics.iterationSeconds = seconds;
        history.trials.push_back(trial);
    }
    [[nodiscard]] std::vector<CommonTrait> traitsOf(const SearchMethod &method, const SearchHistory &history) const {
        const auto traits = commonTraits(m_request, history, method);
        if (!traits)
            QTest::qFail(traits.error().toString().c_str(), __FILE__, __LINE__);
        return traits.value_or(std::vector<CommonTrait>());
    }

private slots:
    void traitsAreCounted() {
        const auto [method, history] = made(8, 3);
        const auto traits = traitsOf(*method, history);
        QCOMPARE(traits.size(), std::size_t(1)); // that all of them are served says nothing
        QCOMPARE(traits[0].what, std::string("split sparse variables in 4 parts"));
        QCOMPARE(traits[0].winners, std::size_t(8));
        QCOMPARE(traits[0].of, std::size_t(10));
        COMPARE_CLOSE(traits[0].others, 0.1);
        QCOMPARE(describe(traits[0]), std::string("8 of the best 10 split sparse variables in 4 parts (10 % of the others)"));
    }

    /// Traits that too few of the best have, or too many of the others, are not reported.
    void whatDoesNotTellIsLeftOut() {
        const auto [few, fewHistory] = made(6, 0);
        QVERIFY(traitsOf(*few, fewHistory).empty());
        const auto [many, manyHistory] = made(8, 19); // 63 %, 17 points less
        QVERIFY(traitsOf(*many, manyHistory).empty());
        const auto [enough, enoughHistory] = made(8, 18); // 60 %
        QCOMPARE(traitsOf(*enough, enoughHistory).size(), std::size_t(1));
        // A kind of variable that few of the best split is left whole by most: the trait is reported from that side.
        const auto [whole, wholeHistory] = made(1, 20);
        QCOMPARE(traitsOf(*whole, wholeHistory).at(0).what, std::string("leave sparse variables whole"));
    }

    /// A strategy that was tried repeatedly counts once, and trials without a time do not count.
    void aStrategyCountsOnce() {
        auto [method, history] = made(8, 3);
        const auto before = traitsOf(*method, history);
        for (int again = 0; again < 50; ++again)
            add(history, 0, 0.5);
        add(history, 15, std::nan(""));
        QVERIFY(traitsOf(*method, history) == before);
    }

    /// More trials than are decoded: the sampled ones count for those that were left out.
    void samplesCountForTheOthers() {
        constexpr int trials = 10000, firstRanks = 500;
        for (const bool alsoEverySecond : {false, true}) { // of the other 9,500
            auto method = std::make_unique<Listed>(m_request.base);
            SearchHistory history;
            const Strategy served = *buildStrategy("PS", *m_request.base.job, *m_request.base.cluster);
            double others = 0; // that have the trait, beside the best ten
            for (int t = 0; t < trials; ++t) {
                Strategy strategy = served;
                if (t < firstRanks || (alsoEverySecond && t % 2 == 0)) {
                    split(strategy.nodes[sparse], 4);
                    others += t < 10 ? 0 : 1;
                }
                strategy.nodes[0].synchronizer.staleness = t;
                method->strategies.push_back(strategy);
                add(history, static_cast<std::uint64_t>(t), 1 + t);
            }
            const auto traits = traitsOf(*method, history);
            QCOMPARE(traits.size(), std::size_t(1));
            QCOMPARE(traits[0].what, std::string("split sparse variables in 4 parts"));
            QCOMPARE(traits[0].winners, std::size_t(10));
            COMPARE_CLOSE(traits[0].others, others / (trials - 10));
        }
    }

    /// Repeated trials of known strategies are neither sampled nor counted for others.
    void repetitionsAreNotSampled() {
        constexpr int strategies = 600, withTrait = 110, repetitions = 20;
        auto method = std::make_unique<Listed>(m_request.base);
        SearchHistory history;
        const Strategy served = *buildStrategy("PS", *m_request.base.job, *m_request.base.cluster);
        for (int t = 0; t < strategies; ++t) {
            Strategy strategy = served;
            if (t < withTrait)
                split(strategy.nodes[sparse], 4);
            strategy.nodes[0].synchronizer.staleness = t;
            method->strategies.push_back(strategy);
            for (int again = 0; again < (t < withTrait ? 1 : repetitions); ++again) {
                add(history, static_cast<std::uint64_t>(t), 1 + t);
                history.trials.back().strategy = fingerprintOf(strategy);
            }
        }
        const auto traits = traitsOf(*method, history);
        QCOMPARE(traits.size(), std::size_t(1));
        COMPARE_CLOSE(traits[0].others, (withTrait - 10.0) / (strategies - 10));
    }

    /// Large and small variables are distinguished by a size; servers and groups are counted.
    void classesAndTheWhole() {
        auto method = std::make_unique<Listed>(m_request.base);
        SearchHistory history;
        const Strategy reduced = *buildStrategy("AllReduce(chunk_size=1)", *m_request.base.job, *m_request.base.cluster),
                       served = *buildStrategy("PS", *m_request.base.job, *m_request.base.cluster);
        for (int t = 0; t < 40; ++t) {
            Strategy strategy = t < 10 ? reduced : served;
            strategy.nodes[0].synchronizer.group = 100 + t; // makes each strategy distinct
            if (t < 10) {                                   // 500,000 of 801,007 floats are more than half of the dense bytes
                strategy.nodes[1] = served.nodes[1];
                strategy.nodes[1].synchronizer.localReplication = true;
            } else {
                strategy.nodes[0].synchronizer.staleness = t;
            }
            method->strategies.push_back(strategy);
            add(history, static_cast<std::uint64_t>(t), 1 + t);
        }
        std::vector<std::string> texts;
        for (const CommonTrait &trait : traitsOf(*method, history))
            texts.push_back(trait.what);
        const auto has = [&](const char *text) {
            const bool found = std::find(texts.begin(), texts.end(), text) != texts.end();
            if (!found)
                for (const std::string &one : texts)
                    qWarning("%s", one.c_str());
            return found;
        };
        QVERIFY(has("keep a copy of dense variables of 1.91 MiB and more on each node"));
        QVERIFY(has("all-reduce dense variables below 1.91 MiB"));
        QVERIFY(std::find(texts.begin(), texts.end(), "serve dense variables of 1.91 MiB and more") == texts.end()); // all do
    }

    void fewTrialsTellNothing() {
        auto [method, history] = made(8, 3);
        history.trials.resize(11);
        QVERIFY(traitsOf(*method, history).empty());
        history.trials.clear();
        QVERIFY(traitsOf(*method, history).empty());
        std::stop_source stop;
        stop.request_stop();
        const auto [other, full] = made(8, 3);
        const auto stopped = commonTraits(m_request, full, *other, stop.get_token());
        QVERIFY(!stopped && stopped.error().isCancelled());
    }
};

QTEST_GUILESS_MAIN(TestCommonTraits)
#include "tst_common_traits.moc"
