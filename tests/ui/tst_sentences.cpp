// SPDX-License-Identifier: GPL-3.0-or-later
// Assumptions, facts of profiles, pitfalls and rules in German: the explorer's patterns are the engine's own, read from its
// sources, and the sentences of simulations, readers, lints and searches fit them. Other texts stay unchanged.
#include "engine/cluster/cluster.h"
#include "engine/job/catalogue.h"
#include "engine/profile/recording/recording.h"
#include "engine/rewrite/scenario_lint.h"
#include "engine/search/common_traits.h"
#include "engine/search/plan_methods.h"
#include "engine/search/rule.h"
#include "engine/search/search_methods.h"
#include "engine/search/tune/tuners.h"
#include "engine/session/first_contact.h"
#include "engine/simulate/run.h"
#include "engine/simulate/steady_state.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/policy.h"
#include "engine/trial/judge.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/foreign_traces.h"
#include "tests/ui/window_fixture.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/profile_panel.h"
#include "ui/theme/sentences.h"
#include "ui/theme/translation.h"
#include "ui/variables/variables_panel.h"

#include <QCoreApplication>
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

/// Skips a comment or a character literal that begins at `at`. False: neither begins there.
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

/// The literals of a source file, adjacent ones joined.
std::set<std::string> literalsOf(const std::string &source) {
    std::set<std::string> all;
    std::string text;
    bool isOpen = false; // a text that the next one may continue
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
        const std::string whole = filled(one, [](int field) { return '%' + std::to_string(field); });
        // The continuation of a sentence, or the next piece of a rule, begins with the separator.
        for (const std::string &pattern : {whole, whole.substr(std::min(whole.size(), whole.find_first_not_of(" ,;")))}) {
            patterns.insert(pattern);
            patterns.insert(pattern + "%1"); // a text that a value is added to
            patterns.insert("%1 " + pattern);
            patterns.insert("%1 " + pattern + "."); // a text that a count is put before
        }
        patterns.insert(whole.substr(0, whole.find(','))); // the part of a job's description about its variables
    }
    static const QRegularExpression nouns(QStringLiteral("\\bcounted\\([^\"]*\"([a-z]+)\""));
    for (auto found = nouns.globalMatch(QString::fromStdString(source)); found.hasNext();) {
        const std::string noun = found.next().captured(1).toStdString();
        patterns.insert("1 " + noun);
        patterns.insert("%1 " + noun + "s");
    }
    return patterns;
}

/// All tables of patterns.
std::vector<std::string> allPatterns() {
    std::vector<std::string> all;
    for (const auto *table : {&sentencePatterns(), &fragmentPatterns(), &rulePatterns()})
        for (const SentencePattern &pattern : *table)
            all.emplace_back(pattern.text);
    return all;
}

/// The sources below folders of the engine, and single files.
QStringList sourcesOf(const QStringList &places) {
    QStringList all;
    for (const QString &place : places) {
        const QString path = QStringLiteral(SYNCOPATE_SOURCE "/engine/") + place;
        if (!QFileInfo::exists(path))
            qFatal("there is no %s", qPrintable(path));
        if (!QFileInfo(path).isDir()) {
            all.push_back(path);
            continue;
        }
        QDirIterator files(path, {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext())
            all.push_back(files.next());
    }
    return all;
}

std::set<std::string> literalsIn(const QString &path) { return literalsOf(testing::contentOf(path).toStdString()); }

/// Whether it has letters beside its fields.
bool hasWords(const std::string &literal) {
    const std::string text = filled(literal, [](int) { return ""; });
    return text.find(' ') != std::string::npos && std::ranges::any_of(text, [](unsigned char c) { return std::isalpha(c) != 0; });
}

/// Whether a text is known as a sentence's value, as sentences are, too.
bool isKnownWithin(const std::string &text) {
    const auto phrase = phraseOf("Machines. " + text);
    return phrase && !phrase->values.front().isName;
}

bool isEnglish(const QString &text) {
    static const QRegularExpression english(
        QStringLiteral("\\b(the|of|with|from|and|are|is|its|each|which|has|takes|when|not|node)\\b"));
    return text.contains(english);
}

} // namespace

class TestSentences : public QObject, WindowFixture {
    Q_OBJECT

    /// A sentence of the engine is known, and translated into German.
    static void check(const std::string &sentence) {
        const auto phrase = phraseOf(sentence);
        QVERIFY2(phrase.has_value(), sentence.c_str());
        QCOMPARE(phrase->english(), sentence);
        const QString german = said(sentence);
        QVERIFY2(german != QString::fromStdString(sentence) && !isEnglish(german), qPrintable(german));
    }
    /// A literal of the sources, which may stand only within sentences.
    static void checkLiteral(const std::string &literal) {
        const std::string text = filled(literal, [](int) { return "7"; });
        QVERIFY2(isKnownWithin(text) || (text.starts_with(' ') && isKnownWithin(text.substr(1))), literal.c_str());
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

    /// Returns the number of facts.
    static std::size_t checkFacts(const ImportedProfile &profile) {
        const ProfileFacts facts = profileFacts(profile);
        std::size_t count = 0;
        for (const auto *column : {&facts.read, &facts.inferred, &facts.missing})
            for (const std::string &fact : *column) {
                if (fact.starts_with("There is no training step")) // contains an error, which stays English
                    [&] { QVERIFY2(said(fact) != QString::fromStdString(fact), fact.c_str()); }();
                else
                    check(fact);
                ++count;
            }
        return count;
    }

    /// Checks the readers' facts of the profiles in a folder and below; returns the number of sentences.
    static std::size_t checkFactsIn(const QString &folder) {
        constexpr qint64 maxFileBytes = 1'000'000; // larger ones take their time to read
        std::size_t facts = 0;
        QDirIterator files(folder, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            if (files.fileInfo().size() <= maxFileBytes)
                if (const auto profile = importRecording(path.toStdString()))
                    facts += checkFacts(**profile);
        }
        return facts;
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
        for (const QString &path : sourcesOf({QString()}))
            texts.merge(textsOf(testing::contentOf(path).toStdString()));
        COMPARE_AT_LEAST(texts.size(), std::size_t{1000});
        for (const std::string &pattern : allPatterns()) // the sentence on changing links is made of several, and checked below
            if (!pattern.starts_with("Links change their rates"))
                QVERIFY2(texts.contains(pattern), pattern.c_str());
    }

    void everyPatternIsTranslated() {
        static const QRegularExpression value(QStringLiteral("%[1-9]"));
        for (const std::string &pattern : allPatterns()) {
            const QString english = QString::fromStdString(pattern);
            const QString german = QCoreApplication::translate("Engine", pattern.c_str());
            QVERIFY2(german != english, pattern.c_str());
            for (auto found = value.globalMatch(german); found.hasNext();)
                QVERIFY2(english.contains(found.next().captured()), qPrintable(german));
        }
    }

    /// The other way round: a sentence that is added to the engine alone would stay English.
    void everyAssumptionHasAPattern() {
        int sentences = 0;
        for (const std::string &literal : literalsIn(QStringLiteral(SYNCOPATE_SOURCE "/engine/rewrite/assumptions.cpp"))) {
            const std::string sentence = filled(literal.substr(literal.starts_with(' ') ? 1 : 0), [](int) { return "7"; });
            if (!sentence.ends_with('.') || sentence.find(' ') == std::string::npos) // a fragment within others
                continue;
            check(sentence);
            ++sentences;
        }
        COMPARE_AT_LEAST(sentences, 25);
    }

    void everyFactHasAPattern_data() {
        QTest::addColumn<QStringList>("sources");
        QTest::addColumn<int>("expected"); // the minimum number
        const auto row = [](const char *name, const std::vector<const char *> &places, int expected) {
            QStringList sources;
            for (const char *place : places)
                sources.push_back(QLatin1String(place));
            QTest::newRow(name) << sources << expected;
        };
        row("profiles", {"profile", "session/first_contact.cpp", "session/recorded_cluster.cpp"}, 100);
        row("predictions",
            {"predict/curve.cpp", "predict/step_set.cpp", "predict/recorded_steps.cpp", "predict/reconstruct.cpp",
             "predict/setting.cpp", "predict/trace_run.cpp"},
            36);
        row("analyses",
            {"analyze/stragglers.cpp", "analyze/trace_difference.cpp", "analyze/scaling.cpp", "analyze/comparable.cpp"}, 18);
        row("plans",
            {"plan/recorded_dag.cpp", "plan/measured_costs.cpp", "session/load_plan.cpp", "session/plan_incast.cpp",
             "session/plan_settings.cpp", "session/planned_work.cpp", "session/dag_job.cpp"},
            20);
    }
    void everyFactHasAPattern() {
        QFETCH(QStringList, sources);
        int facts = 0;
        for (const QString &path : sourcesOf(sources))
            for (const std::string &literal : literalsIn(path))
                // Errors and remedies have no full stop.
                if (hasWords(literal) && literal.ends_with('.') && !literal.ends_with("...")) {
                    checkLiteral(literal);
                    ++facts;
                }
        QFETCH(int, expected);
        COMPARE_AT_LEAST(facts, expected);
    }

    void everyPitfallHasAPattern() {
        int texts = 0;
        for (const QString &path :
             sourcesOf({QStringLiteral("strategy/lint.cpp"), QStringLiteral("strategy/lint_policy.cpp"),
                        QStringLiteral("strategy/lint_servers.cpp"), QStringLiteral("rewrite/scenario_lint.cpp"),
                        QStringLiteral("strategy/lint_background.cpp")}))
            for (const std::string &literal : literalsIn(path))
                if (hasWords(literal)) {
                    checkLiteral(literal);
                    ++texts;
                }
        COMPARE_AT_LEAST(texts, 70);
    }

    /// The readers' facts of the samples and test data here.
    void everyFactIsSaid() {
        const std::size_t facts = checkFactsIn(QStringLiteral(SYNCOPATE_SOURCE "/sample_data")) +
                                  checkFactsIn(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/profiles")) +
                                  checkFactsIn(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/recordings"));
        COMPARE_AT_LEAST(facts, std::size_t{1000});
    }

    void everyFactOfForeignTracesIsSaid() {
        REQUIRE_FOREIGN_TRACE("kineto");
        COMPARE_AT_LEAST(checkFactsIn(QString::fromStdString(testing::foreignTrace(""))), std::size_t{100});
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

    void everyPitfallIsSaid_data() { everyPolicyIsSaid_data(); }
    void everyPitfallIsSaid() {
        QFETCH(QString, policy);
        Cluster cluster = *catalogueCluster("B7");
        std::size_t marks = 0;
        for (const char *job : {"alexnet", "lm1b"})
            for (const char *builder :
                 {"PS(local_proxy_variable=True)", "PSLoadBalancing", "PartitionedPS", "PartitionedAR", "UnevenPartitionedPS",
                  "AllReduce(chunk_size=512)", "AllReduce(chunk_size=1)", "Parallax"}) {
                Scenario scenario;
                scenario.job = std::make_shared<const Job>(*catalogueJob(job));
                scenario.cluster = std::make_shared<const Cluster>(cluster);
                const auto strategy = buildStrategy(builder, *scenario.job, cluster);
                QVERIFY2(strategy.has_value(), builder);
                scenario.strategy = std::make_shared<const Strategy>(*strategy);
                scenario.policy = *parsePolicy(qPrintable(policy));
                scenario.background = {{.index = 99}, {.server = true, .index = 99}};
                for (const LintMark &mark : lintScenario(scenario)) {
                    check(mark.text);
                    check(mark.remedy);
                    ++marks;
                }
            }
        COMPARE_AT_LEAST(marks, std::size_t{16});
    }

    void everyRuleIsSaid() {
        const Cluster cluster = *catalogueCluster("B7");
        static const QRegularExpression words(QStringLiteral("\\b(served|reduced|layers?|larger|below|all|parts?|groups?|servers|"
                                                             "sparse|order|alone|copy|fewest|even|likewise)\\b"));
        const auto checkRule = [](const Rule &rule) {
            const std::string text = describe(rule);
            const QString german = saidRule(text);
            QVERIFY2(!words.match(german).hasMatch() && !isEnglish(german), qPrintable(german));
            QCOMPARE(german.count(QLatin1Char(';')), QString::fromStdString(text).count(QLatin1Char(';')));
        };
        for (const char *builder : {"PS", "PSLoadBalancing", "PartitionedPS", "UnevenPartitionedPS", "AllReduce", "PartitionedAR",
                                    "RandomAxisPartitionAR", "Parallax"})
            for (const bool proxy : {false, true})
                checkRule(*ruleOfBuilder(builder, 128, proxy, cluster));
        for (const bool served : {false, true})
            for (const bool proxy : {false, true})
                for (const RuleCut cut : {RuleCut::Size, RuleCut::Divisor, RuleCut::Uneven, RuleCut::RandomAxis})
                    for (const double bytes : {0.0, 4e6})
                        for (const Reduction reduction :
                             {Reduction::AllReduce, Reduction::ScatterGather, Reduction::ReduceBroadcast}) {
                            Rule rule;
                            rule.layerBounds = {0.25, 0.5};
                            rule.sizeBounds = {65536, 1048576};
                            for (auto &row : rule.cells)
                                row.fill({served, cut, bytes, proxy, bytes, reduction});
                            rule.servers = served ? 1 : 4;
                            rule.sparseServed = proxy;
                            checkRule(rule);
                        }
        // Single variables, as RuleSpace::explain() adds them; a variable's name may be anything.
        QCOMPARE(saidRule("all: all-reduced, each alone; 2 servers; larger of conv, 1: served, in 3 parts, on server 2"),
                 QStringLiteral("alle: mit All-Reduce, jede für sich; 2 Server; larger of conv, 1: auf Servern, in 3 Teilen, auf "
                                "Server 2"));
        for (const char *other : {"", "served by Ann", "bandwidth: 10 Gbit/s", "credit 4 MB; partition 2 MB"})
            QCOMPARE(saidRule(other), QString::fromUtf8(other));
    }

    /// What the best of a search have in common, whichever variables they treat so.
    void everyTraitIsSaid() {
        int texts = 0;
        for (const std::string &literal : literalsIn(QStringLiteral(SYNCOPATE_SOURCE "/engine/search/common_traits.cpp")))
            if (hasWords(literal)) {
                checkLiteral(literal);
                ++texts;
            }
        COMPARE_AT_LEAST(texts, 19);
        const auto checkTrait = [](const std::string &what) {
            static const QRegularExpression words(
                QStringLiteral("\\b(variables|best|others|serve|reduce|keep|split|leave|use|parts|about)\\b"));
            for (const double others : {0.12, std::numeric_limits<double>::quiet_NaN()}) {
                const std::string text = describe(CommonTrait{what, 8, 10, others});
                check(text);
                QVERIFY2(!words.match(said(text)).hasMatch(), qPrintable(said(text)));
                QVERIFY2(said(text).contains(QStringLiteral("12 %")) == (others > 0), qPrintable(said(text)));
            }
        };
        for (const std::string variables :
             {"sparse variables", "all variables", "all dense variables", "variables of 4 MiB and more",
              "dense variables of 4 MiB and more", "variables below 512 B", "dense variables below 4.5 MiB"}) {
            checkTrait("serve " + variables);
            checkTrait("all-reduce " + variables);
            checkTrait("keep a copy of " + variables + " on each node");
            checkTrait("split " + variables + " in 4 parts");
            checkTrait("split " + variables + " in parts of about 2 MiB");
            checkTrait("leave " + variables + " whole");
        }
        for (const char *what : {"use 1 server", "use 12 servers", "all-reduce in one group", "all-reduce in about 8 groups"})
            checkTrait(what);
    }

    void everyMethodIsSaid() {
        std::size_t texts = 0;
        for (const auto *infos : {&searchMethods(), &planMethods(), &tuners(), &judges()})
            for (const ExpressionInfo &info : *infos) {
                check(info.description);
                for (const ArgumentInfo &argument : info.arguments)
                    check(argument.help);
                texts += 1 + info.arguments.size();
            }
        COMPARE_AT_LEAST(texts, std::size_t{50});
    }

    /// Names may look like parts of sentences.
    void namesStayWhole() {
        const char *names[] = {
            "copy of step 3",     "a, the second of 4",      "x; y. Z", "step (of 3)", "served", "all", "3 of 4 servers on 2",
            "A on B with C each", "the first of my steps is"};
        for (const std::string name : names)
            for (const auto &[before, after] : std::vector<std::pair<std::string, std::string>>{
                     {"The job is step 3 (", "), as asked."},
                     {"The job is ", ", the median of the 3 complete steps by length."},
                     {"Device: ", "."},
                     {"The profile names 3 variables without their sizes, such as ",
                      ": they are not synchronised in a simulation."},
                     {"Batch size 32: the first dimension of the first ", "'s input."},
                     {"12 MiB are on ", ", which the cluster does not have"},
                     {"", " carries 12 MiB, 1.5 times the mean of 4 servers"},
                     {"", ": 12 ops, 3 received tensors."},
                     {"Measured: imported from a PyTorch profile, ", "."}}) {
                const QString german = said(before + name + after);
                QVERIFY2(german != QString::fromStdString(before + name + after), qPrintable(german));
                QVERIFY2(german.contains(QString::fromStdString(name)), qPrintable(german));
            }
    }

    void everySteadyStateIsSaid() {
        TaskGraph graph;
        graph.iterations = 7;
        const double never = std::numeric_limits<double>::infinity();
        for (const SteadyState &state :
             {SteadyState{.fromSeconds = 1, .toSeconds = 2, .isChanging = true}, SteadyState{.bucketsChange = true},
              SteadyState{.period = 1}, SteadyState{.period = 3}, SteadyState{.confidence = never},
              SteadyState{.confidence = 0.01, .isEven = true}, SteadyState{.confidence = 0.01},
              SteadyState{.confidence = 4.4e-4, .bucketsDrift = true}})
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
             {"", "Move it to node 3.", "The cluster of building 7; ask Ann. Do not use it at night.", "100 %", "Ann: all ops.",
              "split it into many parts", "Rank of Ann.", "Read: the manual", "2 ranks", "served",
              "My ranks on some nodes with V100 each", "Some are on node 3, which the cluster does not have"})
            QCOMPARE(said(text), QString::fromUtf8(text));
        speak({});
        for (const std::string &sentence : assumptionsOf("alexnet", *catalogueCluster("B7"), "PS", "fifo"))
            QCOMPARE(said(sentence).toStdString(), sentence);
    }

    /// Texts that only end or fill a sentence are not recognised in a user's own words.
    void fragmentsAloneAreNoSentences() {
        for (const SentencePattern &pattern : fragmentPatterns()) {
            const std::string fragment = pattern.text;
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
        // Known sentences in a row are all translated.
        std::string known = "The work of the servers' CPUs is free.";
        for (int i = 0; i < 40; ++i)
            known += i % 2 == 0 ? " Identical nodes are folded: one is simulated for all of them, which is exact."
                                : " The work of the servers' CPUs is free.";
        check(known);
    }

    /// A note that a job file consists of: each of its sentences took room on the stack.
    void endlessNotesStayAsTheyAre() {
        const std::string sentence = "The work of the servers' CPUs is free. ";
        std::string note;
        for (int i = 0; i < 200'000; ++i)
            note += sentence;
        QVERIFY(said(note) == QString::fromStdString(note));
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

    void theProfilePanelSpeaksGerman() {
        start();
        QVERIFY(openProfile(QStringLiteral(SYNCOPATE_SOURCE "/sample_data/resnet50_cpu_gloo_rank0.json.gz")));
        const QString shown = window().profile().facts() + window().profile().sides();
        const ProfileFacts facts = profileFacts(*session().state().profile);
        for (const auto *column : {&facts.read, &facts.inferred, &facts.missing})
            for (const std::string &fact : *column)
                QVERIFY2(shown.contains(said(fact)), qPrintable(said(fact)));
        QVERIFY2(!isEnglish(shown), qPrintable(shown));
    }

    void theVariablesPanelSpeaksGerman() {
        start();
        QVERIFY(open(QStringLiteral("alexnet"), QStringLiteral("B7")));
        SessionState next = session().state();
        next.side(Side::A).source = Built{"PS(local_proxy_variable=True)"};
        session().change(std::move(next), QString());
        QVERIFY(settle());
        const std::vector<LintMark> &marks = session().run(Side::A)->lintMarks();
        QVERIFY(!marks.empty());
        const QString tip = window().variables().marksTip(Side::A);
        QVERIFY2(tip.contains(said(marks.front().text).toHtmlEscaped()), qPrintable(tip));
        QVERIFY2(!isEnglish(tip), qPrintable(tip));
    }
};

QTEST_MAIN(TestSentences)
#include "tst_sentences.moc"
