// SPDX-License-Identifier: GPL-3.0-or-later
// Assumptions and notes in German: the explorer's patterns are the engine's own, read from its sources, and what simulations say
// fits them, whatever the policy. What fits none stays as it is.
#include "engine/cluster/cluster.h"
#include "engine/job/catalogue.h"
#include "engine/simulate/run.h"
#include "engine/simulate/steady_state.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/policy.h"
#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
#include "ui/inspector/inspector.h"
#include "ui/theme/sentences.h"
#include "ui/theme/translation.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <QTextBrowser>
#include <algorithm>
#include <cctype>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

/// Skips what begins at `at` and is no text: a comment, or a character between quotes. False: neither.
bool skipsOther(const std::string &source, std::size_t &at) {
    if (source.compare(at, 2, "//") == 0) {
        at = std::min(source.size(), source.find('\n', at));
        return true;
    }
    const bool isSeparator = at > 0 && std::isalnum(static_cast<unsigned char>(source[at - 1])) != 0; // 1'000
    if (source[at] != '\'' || isSeparator)
        return false;
    at += source[at + 1] == '\\' ? 4 : 3;
    return true;
}

/// The texts of a source file, those that stand together as one.
std::set<std::string> literalsOf(const std::string &source) {
    std::set<std::string> all;
    std::string text;
    bool isOpen = false; // a text that the next one may go on
    for (std::size_t at = 0; at < source.size();) {
        if (skipsOther(source, at))
            continue;
        if (source[at] != '"') {
            if (isOpen && std::isspace(static_cast<unsigned char>(source[at])) == 0) {
                all.insert(std::exchange(text, {}));
                isOpen = false;
            }
            ++at;
            continue;
        }
        for (++at; at < source.size() && source[at] != '"'; ++at) {
            if (source[at] == '\\')
                ++at;
            text += source[at];
        }
        ++at;
        isOpen = true;
    }
    return all;
}

/// A literal with `value(number)` for the fields of fmt.
template <class Value> std::string filled(const std::string &literal, Value value) {
    std::string text;
    int fields = 0;
    for (std::size_t c = 0; c < literal.size(); ++c)
        if (literal[c] == '{' && literal.find('}', c) != std::string::npos) {
            text += value(++fields);
            c = literal.find('}', c);
        } else {
            text += literal[c];
        }
    return text;
}

/// The patterns that a source file may make sentences of, with %1, %2, ... for the fields of fmt.
std::set<std::string> textsOf(const std::string &source) {
    std::set<std::string> patterns;
    for (const std::string &one : literalsOf(source)) {
        const std::string pattern = filled(one, [](int field) { return '%' + std::to_string(field); });
        patterns.insert(pattern);
        patterns.insert(pattern.substr(std::min(pattern.size(), pattern.find_first_not_of(' ')))); // what follows a sentence
        patterns.insert(pattern + "%1");                                                           // what a value is added to
        patterns.insert(pattern.substr(0, pattern.find(','))); // what a job's description has of its variables
    }
    return patterns;
}

bool isEnglish(const QString &text) {
    static const QRegularExpression english(
        QStringLiteral("\\b(the|of|with|from|and|are|is|its|each|which|has|takes|when|not|node)\\b"));
    return text.contains(english);
}

} // namespace

class TestSentences : public QObject, WindowFixture {
    Q_OBJECT

    /// A sentence of the engine is known, and said in German.
    static void check(const std::string &sentence) {
        const auto phrase = phraseOf(sentence);
        QVERIFY2(phrase.has_value(), sentence.c_str());
        QCOMPARE(phrase->english(), sentence);
        const QString german = said(sentence);
        QVERIFY2(german != QString::fromStdString(sentence) && !isEnglish(german), qPrintable(german));
    }
    static std::vector<std::string> assumptionsOf(const std::string &job, const Cluster &cluster, const char *builder,
                                                  const char *policy, LinkModel links = LinkModel::Fluid) {
        Scenario scenario;
        scenario.job = std::make_shared<const Job>(*catalogueJob(job));
        scenario.cluster = std::make_shared<const Cluster>(cluster);
        scenario.strategy = std::make_shared<const Strategy>(*buildStrategy(builder, *scenario.job, cluster));
        scenario.policy = *parsePolicy(policy);
        scenario.linkModel = links;
        const auto run = simulate(scenario);
        return run ? (*run)->assumptions : std::vector<std::string>{"cannot be simulated: " + run.error().toString()};
    }

private Q_SLOTS:
    void initTestCase() {
        if (languages().size() == 1)
            QSKIP("built without lrelease (qt6-l10n-tools)");
    }
    void init() { speak({QStringLiteral("de")}); }
    void cleanup() {
        stop();
        speak({});
    }

    void patternsAreTheEngines() {
        std::set<std::string> texts;
        QDirIterator files(QStringLiteral(SYNCOPATE_SOURCE "/engine"), {QStringLiteral("*.cpp"), QStringLiteral("*.h")},
                           QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            texts.merge(textsOf(file.readAll().toStdString()));
        }
        for (const auto *patterns : {&sentencePatterns(), &fragmentPatterns()})
            for (const std::string pattern : *patterns) // what links that change do is made of several, and checked below
                if (!pattern.starts_with("Links change their rates"))
                    QVERIFY2(texts.contains(pattern), pattern.c_str());
    }

    /// The other way round, for assumptions: a sentence that is added to the engine alone would stay English.
    void everyAssumptionHasAPattern() {
        QFile file(QStringLiteral(SYNCOPATE_SOURCE "/engine/rewrite/assumptions.cpp"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        int sentences = 0;
        for (const std::string &literal : literalsOf(file.readAll().toStdString())) {
            const std::string sentence = filled(literal.substr(literal.starts_with(' ') ? 1 : 0), [](int) { return "7"; });
            if (!sentence.ends_with('.') || sentence.find(' ') == std::string::npos) // what is put into others
                continue;
            check(sentence);
            ++sentences;
        }
        COMPARE_AT_LEAST(sentences, 25);
    }

    void everyPolicyIsSaid_data() {
        QTest::addColumn<QString>("policy");
        for (const Policy *policy : policies())
            QTest::newRow(policy->name.c_str()) << QString::fromStdString(policy->name);
    }
    void everyPolicyIsSaid() {
        QFETCH(QString, policy);
        const Cluster cluster = *catalogueCluster("B7");
        for (const char *builder : {"PSLoadBalancing", "AllReduce"})
            for (const std::string &sentence : assumptionsOf("alexnet", cluster, builder, qPrintable(policy)))
                check(sentence);
    }

    void everyEffectIsSaid() {
        Cluster cluster = *catalogueCluster("A2");
        cluster.connectionBytesPerSecond = 1e9;
        cluster.host = {.sendSeconds = 1e-5, .receiveSeconds = 1e-5};
        cluster.burstBytes = 1e6;
        cluster.nodes.front().nics = 2;
        for (const char *builder : {"PS", "AllReduce", "PS(staleness=2)", "PS(sync=False)"})
            for (const LinkModel links : {LinkModel::Fluid, LinkModel::Tcp})
                for (const std::string &sentence : assumptionsOf("alexnet", cluster, builder, "bytescheduler", links))
                    check(sentence);
        cluster.acrossRacksBytesPerSecond = 5e8;
        for (const char *builder : {"Parallax", "AllReduce(compressor=HorovodCompressor)"})
            for (const std::string &sentence : assumptionsOf("lm1b", cluster, builder, "ddp"))
                check(sentence);
    }

    void everySteadyStateIsSaid() {
        TaskGraph graph;
        graph.iterations = 7;
        const double never = std::numeric_limits<double>::infinity();
        for (const SteadyState &state :
             {SteadyState{.fromSeconds = 1, .toSeconds = 2, .isChanging = true}, SteadyState{.bucketsChange = true},
              SteadyState{.period = 1}, SteadyState{.period = 3}, SteadyState{.confidence = never},
              SteadyState{.confidence = 0.01, .isEven = true}, SteadyState{.confidence = 0.01}})
            for (const bool inStep : {true, false}) {
                graph.workersInStep = inStep;
                check(describeSteadyState(state, graph));
            }
    }

    void everyJobIsSaid() {
        for (const CatalogueJob &job : catalogueJobs()) {
            check(job.description);
            const Job made = *catalogueJob(job.name);
            for (const std::string &note : made.notes)
                if (!note.starts_with("Published: variables of ")) // a citation
                    check(note);
        }
    }

    void othersStayAsTheyAre() {
        for (const char *text :
             {"", "Move it to node 3.", "The cluster of building 7; ask Ann. Do not use it at night.", "100 %"})
            QCOMPARE(said(text), QString::fromUtf8(text));
        speak({});
        for (const std::string &sentence : assumptionsOf("alexnet", *catalogueCluster("B7"), "PS", "fifo"))
            QCOMPARE(said(sentence).toStdString(), sentence);
    }

    /// What only ends or fills a sentence is not recognised in a user's own words.
    void fragmentsAloneAreNoSentences() {
        for (const std::string fragment : fragmentPatterns()) {
            QCOMPARE(said(fragment).toStdString(), fragment);
            QVERIFY2(!phraseOf("Nothing but " + fragment), fragment.c_str());
        }
        for (const char *note : {"5 % above", "2.5 % above; any rate", "variables of Keras' definition"})
            QCOMPARE(said(note), QString::fromUtf8(note));
        check("No plan of these collectives on these channels has iterations below 2 ms; this one is 5 % above.");
    }

    /// Trying each way of cutting such a note would take 2^40 steps and more.
    void longNotesAreReadAtOnce() {
        std::string unknown, ambiguous;
        for (int i = 0; i < 40; ++i) {
            unknown += "Ask Ann about rack " + std::to_string(i) + (i % 2 == 0 ? ". " : "; ");
            ambiguous += "Measured, not simulated: rack " + std::to_string(i) + ". "; // any beginning fits the pattern
        }
        unknown += "She knows";
        ambiguous += "Ask Ann";
        QElapsedTimer timer;
        timer.start();
        for (const std::string &note : {unknown, ambiguous})
            QCOMPARE(said(note).toStdString(), note);
        COMPARE_BELOW(timer.elapsed(), 5000);
        // Known ones in a row are all said.
        std::string known = "What the servers' CPUs do is free.";
        for (int i = 0; i < 40; ++i)
            known += i % 2 == 0 ? " Identical nodes are folded: one is simulated for all of them, which is exact."
                                : " What the servers' CPUs do is free.";
        check(known);
    }

    void theInspectorSpeaksGerman() {
        start();
        QVERIFY(open(QStringLiteral("alexnet"), QStringLiteral("B7")));
        const QString notes = window().inspector().findChild<QTextBrowser *>()->toPlainText();
        for (const Side side : {Side::A, Side::B})
            for (const std::string &sentence : session().run(side)->recording().assumptions) {
                QVERIFY2(notes.contains(said(sentence)), qPrintable(said(sentence)));
                QVERIFY2(!notes.contains(QString::fromStdString(sentence)), sentence.c_str());
            }
    }
};

QTEST_MAIN(TestSentences)
#include "tst_sentences.moc"
