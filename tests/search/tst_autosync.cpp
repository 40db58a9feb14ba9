// SPDX-License-Identifier: GPL-3.0-or-later
// Algorithm 1: how proposals are rejected and chosen, and that a good ranker finds more than its control.
#include "engine/search/autosync_search.h"
#include "engine/search/ranking.h"
#include "engine/search/search_methods.h"
#include "engine/simulate/run.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/similarity.h"
#include "tests/checks.h"
#include "tests/search/searches.h"

#include <QtTest>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// Orders strategies by their simulated time, multiplied by `sign`; if it learns, only once it has learned.
class TellTale final : public Ranker {
public:
    TellTale(Scenario base, double sign) : m_base(std::move(base)), m_sign(sign) {}
    std::string text() const override { return m_sign > 0 ? "oracle()" : "liar()"; }
    bool learns() const override { return true; }
    Result<std::vector<double>> score(std::span<const std::shared_ptr<const Strategy>> strategies,
                                      const std::stop_token &stop) const override {
        std::vector<double> scores;
        for (const auto &strategy : strategies) {
            Scenario scenario = m_base;
            scenario.strategy = strategy;
            scores.push_back(m_sign * (*TRY(simulate(scenario, stop))).iterationSeconds);
        }
        return scores;
    }
    Result<void> learn(std::span<const RankedTrial> trials, const std::stop_token &) override {
        learned = trials.size();
        return {};
    }
    std::string save() const override { return "{}"; }
    Result<void> load(std::string_view) override { return {}; }
    std::size_t learned = 0;

private:
    Scenario m_base;
    double m_sign;
};

SearchRequest hardRequest(std::uint64_t trials) {
    Cluster cluster = plainCluster(4, 5e9);
    cluster.connectionBytesPerSecond = 1e9;
    cluster.latencySeconds = 30e-6;
    std::vector<LayerSpec> layers;
    for (int l = 0; l < 8; ++l)
        layers.push_back({1e-3, 2e-3, l % 3 == 0 ? 4000000 : 50000});
    SearchRequest asked = request(chainJob(layers), cluster, trials);
    asked.enough = 0;
    return asked;
}

} // namespace

class TestAutosync : public QObject {
    Q_OBJECT

private slots:
    void accuracyCountsPairs() {
        QCOMPARE(pairAccuracy({1, 2, 3}, {10, 20, 30}), 1.0);
        QCOMPARE(pairAccuracy({3, 2, 1}, {10, 20, 30}), 0.0);
        COMPARE_CLOSE(pairAccuracy({1, 3, 2}, {10, 20, 30}), 2.0 / 3);
        QCOMPARE(pairAccuracy({1, 1}, {10, 20}), 0.5);
        QVERIFY(std::isnan(pairAccuracy({1, 2}, {10, 10})));
        QCOMPARE(topRecall({1, 2, 3, 4, 5, 6, 7, 8}, {2, 1, 9, 9, 9, 9, 9, 9}), 1.0);
        QCOMPARE(topRecall({1, 9, 2, 4, 5, 6, 7, 8}, {2, 1, 9, 9, 9, 9, 9, 9}), 0.5);
        QVERIFY(std::isnan(topRecall({1, 2, 3}, {1, 2, 3})));
    }

    /// A pair counts once in the bucket of each of its two members.
    void accuracyIsToldByBuckets() {
        const auto buckets = bucketAccuracies({6, 1, 5, 2, 4, 3}, {50, 10, 60, 20, 40, 30}); // 5 and 6 are in the wrong order
        QCOMPARE(buckets[0], 1.0);
        QCOMPARE(buckets[1], 1.0);
        COMPARE_CLOSE(buckets[2], 8.0 / 9); // one pair within the bucket, eight with the others
        const auto wrong = bucketAccuracies({1, 2, 3}, {30, 20, 10});
        QVERIFY(wrong[0] == 0 && wrong[1] == 0 && wrong[2] == 0);
        for (const double none : bucketAccuracies({1, 2, 3}, {7, 7, 7}))
            QVERIFY(std::isnan(none));
        // Compared with every pair, for scores with ties in the values.
        Rng rng(5);
        std::vector<double> scores, values;
        for (int i = 0; i < 20; ++i) {
            scores.push_back(i);
            values.push_back(static_cast<double>(rng.next() % 9));
        }
        const auto many = bucketAccuracies(scores, values);
        for (std::size_t k = 0; k < scoreBuckets; ++k) {
            double right = 0, pairs = 0;
            for (std::size_t slow = 0; slow < 20; ++slow)
                for (std::size_t fast = 0; fast < slow; ++fast)
                    if (values[slow] != values[fast] && (slow * 3 / 20 == k || fast * 3 / 20 == k)) {
                        right += values[fast] < values[slow] ? 1 : 0;
                        ++pairs;
                    }
            COMPARE_CLOSE(many[k], right / pairs);
        }
    }

    /// Proposals are rejected below the lowest score from which the ranker orders pairs as the judge does: below it, it guesses.
    void rejectsWhereItIsToBeTrusted() {
        const std::vector<std::pair<double, double>> recent{{1, 2}, {2, 1}, {3, 1.5}, {10, 5}, {11, 6}, {12, 7}};
        // From 3 on, 13 of 14 pairs are in order; including the pair of 1 and 2, 13 of 15, enough for 0.8 but not for 0.9.
        QCOMPARE(rejectionScore(recent, 0.8), 2.0);
        QCOMPARE(rejectionScore(recent, 0.9), 3.0);
        QVERIFY(std::isinf(rejectionScore({{1, 3}, {2, 2}, {3, 1}}, 0.8)));
        QVERIFY(std::isinf(rejectionScore({}, 0.8)));
        QCOMPARE(rejectionScore({{1, 1}, {2, 2}, {3, 1}}, 0.5), 2.0); // one of two pairs is enough for a half
    }

    /// Without diversity the best scores are chosen; with high diversity, one of each kind.
    void choosesByScoreAndDiversity() {
        const std::vector<double> scores{0, 1, 2, 10};
        const auto sameParity = [](std::size_t a, std::size_t b) { return a % 2 == b % 2 ? 1.0 : 0.0; };
        QCOMPARE(selectDiverse(scores, 2, 0, sameParity), (std::vector<std::size_t>{0, 1}));
        QCOMPARE(selectDiverse({0, 10, 1, 9}, 2, 5, sameParity), (std::vector<std::size_t>{0, 3}));
        QCOMPARE(selectDiverse(scores, 9, 1, sameParity).size(), std::size_t{4});
        QVERIFY(selectDiverse({}, 3, 1, sameParity).empty());
    }

    void similarityIsOfChoices() {
        const SearchRequest asked = hardRequest(1);
        const auto built = [&](const char *text) { return *buildStrategy(text, *asked.base.job, *asked.base.cluster); };
        QCOMPARE(similarity(built("PS"), built("PS")), 1.0);
        COMPARE_BELOW(similarity(built("PS"), built("AllReduce")), 0.5);
        COMPARE_BELOW(similarity(built("PS"), built("AllReduce")), similarity(built("PS"), built("PSLoadBalancing")));
    }

    /// A correct ranker is trusted and chooses; a wrong one is detected and never does.
    void trustIsMeasured() {
        for (const double sign : {1.0, -1.0}) {
            const SearchRequest asked = hardRequest(60);
            AutosyncSearch::Settings settings;
            settings.explore = 4;
            auto learned = std::make_unique<TellTale>(asked.base, sign);
            const TellTale &told = *learned;
            AutosyncSearch method(asked, settings, std::make_unique<TellTale>(asked.base, -1.0), std::move(learned));
            Listener listener;
            const auto history = search(asked, method, listener);
            VERIFY_VALUE(history);
            QCOMPARE(history->phases.size(), std::size_t{6});
            QCOMPARE(told.learned, std::size_t{60});
            std::size_t ranked = 0, random = 0;
            for (const SearchTrial &trial : history->trials) {
                ranked += method.source(trial.genes) == "ranked" ? 1 : 0;
                random += method.source(trial.genes) == "random" ? 1 : 0;
            }
            QVERIFY2(sign > 0 ? ranked > 5 : ranked == 0, qPrintable(QString::number(ranked)));
            COMPARE_AT_LEAST(random, 3); // always one arm
            const SearchPhase &last = history->phases.back();
            QCOMPARE(last.pairAccuracy, sign > 0 ? 1.0 : 0.0);
            for (const double bucket : last.bucketAccuracy)
                QCOMPARE(bucket, sign > 0 ? 1.0 : 0.0);
            QCOMPARE(last.proposed > 0, sign > 0);
        }
    }

    /// Draws of the sampler cannot be moved: what the ranker does not choose is drawn, and is called so.
    void drawsAreNoMoves() {
        const SearchRequest asked = hardRequest(60);
        AutosyncSearch::Settings settings;
        settings.explore = 4;
        settings.rules = false;
        AutosyncSearch method(asked, settings, std::make_unique<TellTale>(asked.base, -1.0),
                              std::make_unique<TellTale>(asked.base, 1.0));
        Listener listener;
        const auto history = search(asked, method, listener);
        VERIFY_VALUE(history);
        std::map<std::string, int> sources;
        for (const SearchTrial &trial : history->trials)
            ++sources[method.source(trial.genes)];
        COMPARE_ABOVE(sources["ranked"], 0);
        COMPARE_AT_LEAST(sources["random"], 20); // the first batch, before any trust, and at least one of every other
        QCOMPARE(sources["ranked"] + sources["random"], 60);
    }

    /// Every phase of the closed form is measured, too.
    void phasesTellTheRanker() {
        const SearchRequest asked = hardRequest(40);
        const auto method = makeSearchMethod("autosync()", asked);
        VERIFY_VALUE(method);
        Listener listener;
        const auto history = search(asked, **method, listener);
        QCOMPARE(history->phases.size(), std::size_t{4});
        for (std::size_t p = 0; p < 4; ++p) {
            QCOMPARE(history->phases[p].firstTrial, 10 * p);
            QCOMPARE(history->phases[p].ranker, std::string("predefined()"));
            COMPARE_AT_LEAST(history->phases[p].pairAccuracy, 0);
            COMPARE_AT_MOST(history->phases[p].pairAccuracy, 1);
        }
    }

    /// Without a ranker nothing is ranked: the control.
    void controlRanksNothing() {
        const SearchRequest asked = hardRequest(40);
        const auto method = makeSearchMethod("autosync(simulator=none)", asked);
        VERIFY_VALUE(method);
        Listener listener;
        const auto history = search(asked, **method, listener);
        for (const SearchTrial &trial : history->trials)
            QVERIFY((*method)->source(trial.genes) != "ranked");
        QVERIFY(std::isnan(history->phases.back().pairAccuracy));
    }

    void genesOfOthersAreRefused() {
        const SearchRequest asked = hardRequest(1);
        for (const char *text : {"autosync()", "autosync(proposals=random)"}) {
            const auto method = makeSearchMethod(text, asked);
            for (const Genes &wrong : {Genes{}, Genes{{1}, {}}, Genes{{9, 1}, {}}, Genes{{1, 2, 3}, {0.5}}})
                QVERIFY(!(*method)->decode(wrong));
        }
    }
};

QTEST_GUILESS_MAIN(TestAutosync)
#include "tst_autosync.moc"
