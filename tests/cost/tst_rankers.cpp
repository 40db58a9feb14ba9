// SPDX-License-Identifier: GPL-3.0-or-later
// The rankers that learn, on a small job.
#include "engine/base/rng.h"
#include "engine/cost/ranker.h"
#include "engine/job/catalogue.h"
#include "engine/search/random_sampler.h"
#include "tests/checks.h"

#include <QtTest>
#include <cmath>
#include <memory>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

RankerDomain domainOf(const char *job, const char *cluster) {
    return {std::make_shared<const Job>(*catalogueJob(job)), std::make_shared<const Cluster>(*catalogueCluster(cluster)), 1};
}

/// A time that the closed form cannot predict: served bytes, more for late layers, and a little for each part.
double secondsOf(const Job &job, const Strategy &strategy) {
    double seconds = 1, place = 0;
    for (const Layer &layer : job.layers) {
        place += 1.0 / static_cast<double>(job.layers.size());
        for (const std::int32_t v : layer.variables) {
            const NodeConfig &node = strategy.nodes[static_cast<std::size_t>(v)];
            const Synchronizer &s = node.isPartitioned() ? node.parts[0].synchronizer : node.synchronizer;
            seconds += s.kind == SynchronizerKind::ParameterServer ? 0.3 * place : 0;
            seconds += 0.001 * static_cast<double>(node.parts.size());
        }
    }
    return seconds;
}

std::vector<RankedTrial> trialsOf(const RankerDomain &domain, std::size_t count, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<RankedTrial> trials;
    for (std::size_t i = 0; i < count; ++i) {
        auto strategy = std::make_shared<const Strategy>(sampleStrategy(*domain.job, *domain.cluster, {}, rng));
        const double seconds = secondsOf(*domain.job, *strategy);
        trials.push_back({std::move(strategy), seconds});
    }
    return trials;
}

std::vector<double> scoresOf(const Ranker &ranker, const std::vector<RankedTrial> &trials) {
    std::vector<std::shared_ptr<const Strategy>> strategies;
    for (const RankedTrial &trial : trials)
        strategies.push_back(trial.strategy);
    const auto scores = ranker.score(strategies, {});
    return scores ? *scores : std::vector<double>{};
}

/// Share of correctly ordered pairs; equal scores count half.
double accuracyOf(const Ranker &ranker, const std::vector<RankedTrial> &trials) {
    const std::vector<double> scores = scoresOf(ranker, trials);
    double right = 0, pairs = 0;
    for (std::size_t i = 0; i < scores.size(); ++i)
        for (std::size_t j = 0; j < i; ++j, ++pairs) {
            const double ordered = (scores[i] - scores[j]) * (trials[i].seconds - trials[j].seconds);
            right += ordered > 0 ? 1 : ordered == 0 ? 0.5 : 0;
        }
    return right / pairs;
}

} // namespace

class TestRankers : public QObject {
    Q_OBJECT

private slots:
    void learners_data() {
        QTest::addColumn<QString>("expression");
        QTest::newRow("rnn") << "rnn(hidden=16, epochs=40)";
        QTest::newRow("rnn, two layers") << "rnn(hidden=8, layers=2, epochs=40)";
        QTest::newRow("gat") << "gat(hidden=16, epochs=40)";
        QTest::newRow("xgboost") << "xgboost(rounds=60)";
    }
    void learners() {
        QFETCH(QString, expression);
        const RankerDomain domain = domainOf("vgg16", "B7");
        const auto trials = trialsOf(domain, 120, 1), held = trialsOf(domain, 60, 2);
        auto ranker = *makeRanker(expression.toStdString(), domain, 7);
        QVERIFY(ranker->learns());
        const auto untrained = scoresOf(*ranker, held);
        QCOMPARE(untrained.size(), held.size());
        QVERIFY(ranker->learn(trials, {}).has_value());
        COMPARE_ABOVE(accuracyOf(*ranker, held), 0.85);

        // The same seed and trials give the same bits, regardless of earlier learning.
        auto again = *makeRanker(ranker->text(), domain, 7);
        QCOMPARE(scoresOf(*again, held), untrained);
        QVERIFY(again->learn(std::span(trials).subspan(0, 50), {}).has_value());
        QVERIFY(scoresOf(*again, held) != scoresOf(*ranker, held));
        QVERIFY(again->learn(trials, {}).has_value());
        QCOMPARE(scoresOf(*again, held), scoresOf(*ranker, held));

        // Saved and loaded, it gives the same scores, and it can score in another domain, too.
        auto loaded = *makeRanker(ranker->text(), domain, 8);
        const auto read = loaded->load(ranker->save());
        QVERIFY2(read.has_value(), read ? "" : read.error().toString().c_str());
        QCOMPARE(scoresOf(*loaded, held), scoresOf(*ranker, held));
        QCOMPARE(loaded->save(), ranker->save());
        const RankerDomain other = domainOf("ncf_sparse", "A2");
        auto elsewhere = *makeRanker(ranker->text(), other, 8);
        QVERIFY(elsewhere->load(ranker->save()).has_value());
        const auto there = trialsOf(other, 40, 3);
        const auto scores = scoresOf(*elsewhere, there);
        QCOMPARE(scores.size(), there.size());
        QVERIFY(std::all_of(scores.begin(), scores.end(), [](double score) { return std::isfinite(score); }));
        QVERIFY(elsewhere->learn(there, {}).has_value());
        QVERIFY(scoresOf(*elsewhere, there) != scores);

        // A score does not depend on the others scored with it.
        const auto all = scoresOf(*ranker, held);
        QCOMPARE(scoresOf(*ranker, {held[41]}).at(0), all[41]);
        QCOMPARE(scoresOf(*ranker, {held.begin() + 7, held.begin() + 50}).at(34), all[41]);
    }

    void refusals_data() { learners_data(); }
    void refusals() {
        QFETCH(QString, expression);
        const RankerDomain domain = domainOf("vgg16", "B7");
        const auto trials = trialsOf(domain, 20, 1);
        auto ranker = *makeRanker(expression.toStdString(), domain, 7);
        QVERIFY(ranker->learn(trials, {}).has_value());
        const auto before = scoresOf(*ranker, trials);
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = ranker->learn(trialsOf(domain, 20, 5), stop.get_token());
        QVERIFY(!cancelled && cancelled.error().isCancelled());
        // Equal times teach nothing, and cause no forgetting.
        QVERIFY(ranker->learn(std::vector<RankedTrial>(5, trials[0]), {}).has_value());
        QVERIFY(ranker->learn({}, {}).has_value());
        // Rejects weights of other rankers, and damaged ones.
        auto other = *makeRanker(expression.startsWith("gat") ? "rnn(hidden=16)" : "gat(hidden=16)", domain, 7);
        std::string damaged = ranker->save();
        damaged.resize(damaged.size() / 2);
        for (const std::string &wrong : {other->save(), damaged, std::string("{}"), std::string()}) {
            const auto loaded = ranker->load(wrong);
            QVERIFY(!loaded.has_value());
            QVERIFY(!loaded.error().remedy.empty());
        }
        std::vector<RankedTrial> foreign = trials;
        foreign[3].strategy = std::make_shared<const Strategy>();
        QVERIFY(!ranker->learn(foreign, {}).has_value());
        QCOMPARE(scoresOf(*ranker, trials), before);
        QVERIFY(ranker->score({}, {}).has_value());
    }

    /// A job without variables is refused: there is nothing to rank, and means over its rows would divide by zero.
    void jobWithoutVariables() {
        RankerDomain domain = domainOf("vgg16", "B7");
        Job job = *domain.job;
        job.variables.clear();
        for (Layer &layer : job.layers)
            layer.variables.clear();
        domain.job = std::make_shared<const Job>(std::move(job));
        for (const char *expression : {"predefined()", "rnn()", "gat()", "xgboost()"}) {
            const auto ranker = makeRanker(expression, domain, 1);
            QVERIFY2(!ranker.has_value(), expression);
            QVERIFY2(!ranker.error().remedy.empty(), expression);
        }
    }

    /// Embeddings have length 1, and different strategies have different ones.
    void embeddings() {
        const RankerDomain domain = domainOf("vgg16", "B7");
        const auto trials = trialsOf(domain, 40, 1);
        std::vector<std::shared_ptr<const Strategy>> strategies;
        for (const RankedTrial &trial : trials)
            strategies.push_back(trial.strategy);
        for (const char *expression : {"rnn(hidden=8)", "gat(hidden=8)"}) {
            const auto ranker = *makeRanker(expression, domain, 1);
            const auto vectors = *ranker->embed(strategies, {});
            QCOMPARE(vectors.size(), strategies.size());
            for (const std::vector<float> &vector : vectors) {
                double square = 0;
                for (const float value : vector)
                    square += static_cast<double>(value) * value;
                COMPARE_WITHIN(square, 1, 1e-5);
                QVERIFY(vector != vectors[static_cast<std::size_t>(&vector - vectors.data() + 1) % 40]);
            }
        }
        QVERIFY((*makeRanker("predefined()", domain, 1))->embed(strategies, {})->empty());
    }
};

QTEST_GUILESS_MAIN(TestRankers)
#include "tst_rankers.moc"
