// SPDX-License-Identifier: GPL-3.0-or-later
// Search methods: expressions, genes, decoding, resuming.
#include "engine/strategy/arguments.h"
#include "tests/checks.h"
#include "tests/search/searches.h"

#include <QtTest>
#include <limits>
#include <set>
#include <thread>

using namespace syncopate;
using namespace syncopate::testing;

class TestSearchMethod : public QObject {
    Q_OBJECT

private slots:
    /// decode() is pure: any trial, in any order, on any thread, from a method that has seen none of them.
    void genesDecodeToWhatWasJudged() {
        const SearchRequest asked = request(mixedJob(), plainCluster(4, 1e9), 150);
        Listener listener;
        const auto history = search(asked, *randomSearch(asked), listener);
        const auto method = randomSearch(asked);
        std::vector<Strategy> decoded(150);
        {
            std::vector<std::jthread> threads;
            for (std::size_t t = 0; t < 4; ++t)
                threads.emplace_back([&, t] {
                    for (std::size_t i = 150; i-- > 0;)
                        if (i % 4 == t)
                            decoded[i] = *method->decode(history->trials[i].genes)->strategy;
                });
        }
        for (std::size_t i = 0; i < 150; ++i) {
            const auto again = method->decode(history->trials[i].genes);
            QVERIFY(again);
            QVERIFY2(*again->strategy == decoded[i], qPrintable(QStringLiteral("trial %1").arg(i)));
            const CandidateMetrics described = describeStrategy(*asked.base.job, decoded[i]);
            QCOMPARE(described.shards, history->trials[i].metrics.shards);
            QCOMPARE(described.largestServerBytes, history->trials[i].metrics.largestServerBytes);
            if (i % 10 == 0)
                QCOMPARE((*simulate(*again))->iterationSeconds, history->trials[i].metrics.iterationSeconds);
        }
        std::set<std::uint64_t> seeds;
        for (const SearchTrial &trial : history->trials)
            seeds.insert(trial.genes.whole.at(0));
        QCOMPARE(seeds.size(), std::size_t(150));
        for (const Genes &wrong : {Genes{}, Genes{{1, 2}, {}}, Genes{{1}, {0.5}}}) {
            const auto refused = method->decode(wrong);
            QVERIFY2(!refused && refused.error().what.find("not a seed") != std::string::npos, formatGenes(wrong).c_str());
        }
    }

    void genesReadBack() {
        for (const Genes &genes : {Genes{}, Genes{{0}, {}}, Genes{{17, std::numeric_limits<std::uint64_t>::max(), 0}, {}},
                                   Genes{{}, {0.1, -0.0, 5e-324}}, Genes{{4, 5}, {1.0 / 3, 1.7976931348623157e308, -2, 1}}}) {
            const std::string text = formatGenes(genes);
            const auto read = parseGenes(text);
            QVERIFY2(read && *read == genes, text.c_str());
            QCOMPARE(std::hash<Genes>()(*read), std::hash<Genes>()(genes));
        }
        QCOMPARE(formatGenes({{17, 4}, {0.25, 1}}), std::string("17 4;0.25 1"));
        QCOMPARE(formatGenes({{17, 4}, {0.25, 1e-3}}), std::string("17 4;0.25 0.001"));
        QVERIFY(std::hash<Genes>()({{1}, {}}) != std::hash<Genes>()({{2}, {}}));
        QVERIFY(std::hash<Genes>()({{1}, {}}) != std::hash<Genes>()({{1}, {0.5}}));
        for (const char *text : {"x", "1 x", "1;2;3", "1;nan", "1;inf", "-1", "1,2", "99999999999999999999", "1;1e999", "1  2",
                                 "1;0.5.25", "1;0.5-2", "1+2"})
            QVERIFY2(!parseGenes(text), text);
        QCOMPARE(parseGenes("1;0.5.25").error().place, std::string("byte 2")); // where the number begins
        QVERIFY(*parseGenes("1;0.5 -2") == (Genes{{1}, {0.5, -2}}));
    }

    /// Stopped after any number of trials, a method that learns from its batches resumes as if it had not been stopped.
    void resumesAtAnyPoint() {
        struct Climber final : SearchMethod {
            std::unique_ptr<SearchMethod> random;
            double best = std::numeric_limits<double>::infinity();
            std::uint64_t parent = 0;
            explicit Climber(const SearchRequest &request) : random(randomSearch(request)) {}
            std::string text() const override { return "climber()"; }
            std::string description() const override { return {}; }
            std::size_t batchSize() const override { return 5; }
            Result<std::vector<Genes>> ask(std::uint64_t first, std::stop_token) override {
                std::vector<Genes> batch;
                for (std::uint64_t i = 0; i < 5; ++i)
                    batch.push_back({{Rng(parent + first + i).next()}, {}});
                return batch;
            }
            Result<Scenario> decode(const Genes &genes) const override { return random->decode(genes); }
            void tell(const std::vector<SearchTrial> &batch) override {
                for (const SearchTrial &trial : batch)
                    if (trial.metrics.iterationSeconds < best) {
                        best = trial.metrics.iterationSeconds;
                        parent = trial.genes.whole[0];
                    }
            }
        };
        SearchRequest asked = request(mixedJob(), plainCluster(3, 1e9), 23);
        Listener listener;
        Climber climber(asked);
        const auto whole = search(asked, climber, listener);
        QVERIFY(climber.parent != 0); // it learned
        for (std::uint64_t at = 1; at < 23; ++at) {
            SearchRequest part = asked;
            part.trials = at;
            Climber first(asked), second(asked);
            const auto stopped = search(part, first, listener);
            QCOMPARE(stopped->trials.size(), static_cast<std::size_t>(at));
            const auto resumed = search(asked, second, listener, *stopped);
            QVERIFY2(same(*whole, *resumed), qPrintable(QStringLiteral("stopped at %1").arg(at)));
        }
    }

    void methodsAreExpressions_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("canonical"); // empty: an error
        QTest::addColumn<QString>("says");
        const auto row = [](const char *text, const char *canonical, const char *says = "") {
            QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(canonical) << QString::fromLatin1(says);
        };
        row("random", "random()");
        row("random()", "random()");
        row("random(100000)", "random()"); // the value of whole=
        row("random(parts=2..40, groups=1..20, merge=on)", "random()");
        row("random(parts=2..8, groups=3, merge=off)", "random(parts=2..8,merge=off,groups=3..3)");
        row("random( whole = 98 KiB , slack=4096.5, shares=no)", "random(whole=98KiB,slack=4096.5,shares=off)");
        row("random(synchronisers=ps)", "random(synchronisers=ps)");
        row("rules", "rules()");
        row("rules(2, fresh=50)", "rules(stretches=2,fresh=50)");
        row("anneal", "anneal()");
        row("anneal(hot=50)", "anneal(hot=50)");
        row("anneal(halving=0)", "", "halving is '0'");
        row("autosync", "autosync()");
        row("autosync(proposals=random, explore=5)", "autosync(proposals=random,explore=5)");
        row("autosync(simulator=none)", "autosync(simulator=none)");
        row("released(christy_christy)", "released(variant=christy_christy)");
        row("autosync(simulator=oracle)", "", "simulator is 'oracle'");
        row("rules(classes=9)", "", "classes is '9'");
        row("magic()", "", "use one of: random, rules, anneal, autosync, released");
        row("random(", "", "an argument has no value");
        row("random(part=2..8)", "", "random takes whole, split, parts");
        row("random(parts=8..2)", "", "parts is '8..2'");
        row("random(parts=1..2)", "", "from 2 to 1000");
        row("random(parts=2..)", "", "parts is '2..'");
        row("random(parts=2..3x)", "", "parts is '2..3x'");
        row("random(parts=2-8)", "", "such as 2..40");
        row("random(groups=0..3)", "", "groups is '0..3'");
        row("random(merge=maybe)", "", "merge is 'maybe'");
        row("random(whole=big)", "", "whole: 'big'");
        row("random(slack=0)", "", "slack is 0 bytes");
        row("random(synchronisers=none)", "", "both, ps, allreduce");
        row("random(whole=1MB, split=1KB)", "", "stay whole up to");
    }
    void methodsAreExpressions() {
        QFETCH(QString, text);
        QFETCH(QString, canonical);
        QFETCH(QString, says);
        const SearchRequest asked = request(mixedJob(), plainCluster(2, 1e9));
        const auto method = makeSearchMethod(text.toStdString(), asked);
        if (canonical.isEmpty()) {
            QVERIFY(!method);
            const QString error = QString::fromStdString(method.error().toString());
            QVERIFY2(error.contains(says), qPrintable(error));
            return;
        }
        QVERIFY2(method.has_value(), method ? "" : method.error().toString().c_str());
        QCOMPARE(QString::fromStdString((*method)->text()), canonical);
        const auto again = makeSearchMethod((*method)->text(), asked);
        QCOMPARE(QString::fromStdString((*again)->text()), canonical);
        const auto genes = (*method)->ask(0, {});
        QVERIFY(genes.has_value() && *genes == *(*again)->ask(0, {}));
        for (const Genes &own : *genes)
            QVERIFY((*method)->decode(own)->strategy->nodes == (*again)->decode(own)->strategy->nodes);
    }

    /// All-reduce alone is refused where gradients are sparse, by the method itself, for every caller: a strategy drawn with
    /// servers for these variables would be reported as all-reduced. Trials of older versions are still decoded.
    void sparseGradientsAreNotAllReduced() {
        SamplerSettings allReduceAlone;
        allReduceAlone.parameterServers = false;
        const SearchRequest asked = request(mixedJob(), plainCluster(4, 1e9));
        const auto method = randomSearch(asked, allReduceAlone);
        const auto refused = method->ask(0, {});
        QVERIFY(!refused);
        const std::string text = refused.error().toString();
        for (const std::string &part : {std::string("1 of 5 variables"), asked.base.job->variables[2].name,
                                        std::string("synchronisers both"), std::string("\"sparse\": false")})
            QVERIFY2(text.find(part) != std::string::npos, text.c_str());
        VERIFY_VALUE(method->decode(Genes{{17}, {}}));
        Job dense = mixedJob();
        dense.variables[2].sparse = false;
        VERIFY_VALUE(randomSearch(request(dense, plainCluster(4, 1e9)), allReduceAlone)->ask(0, {}));
    }

    void settingsReadBack() {
        SamplerSettings settings;
        const auto readBack = [&] { return *readRandomSearch(*parseExpression(formatRandomSearch(settings))) == settings; };
        QVERIFY(readBack());
        settings = {1.5e5, 3e6 + 1.0 / 3, 3, 17, false, 4096.5, false, 2, 9, true, false, false};
        QVERIFY2(readBack(), formatRandomSearch(settings).c_str());
        settings.parameterServers = false;
        settings.allReduce = true;
        settings.balanceLoads = true;
        QVERIFY2(readBack(), formatRandomSearch(settings).c_str());
    }

    /// The declarations suffice to lay out a sheet: parsable defaults, bounds, a line of help.
    void argumentsAreDeclared() {
        for (const ExpressionInfo &method : searchMethods()) {
            const auto usual = parseExpression(method.signature());
            QVERIFY2(usual.has_value(), method.signature().c_str());
            const auto read = ArgumentValues::read(*usual, method);
            QVERIFY2(read.has_value(), method.signature().c_str());
            QCOMPARE(read->text(), method.name + "()");
            for (const ArgumentInfo &argument : method.arguments) {
                QVERIFY2(!argument.help.empty() && argument.help.find('\n') == std::string::npos, argument.name.c_str());
                const bool bounded = argument.kind != ArgumentKind::Flag && argument.kind != ArgumentKind::Choice;
                QVERIFY2(bounded == (argument.max > argument.min) && (bounded || argument.unit.empty()), argument.name.c_str());
                QCOMPARE(argument.kind == ArgumentKind::Choice, argument.choices.size() > 1);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestSearchMethod)
#include "tst_search_method.moc"
