// SPDX-License-Identifier: GPL-3.0-or-later
// The explorer in German: translated texts are shown, others are English, and no translation loses a placeholder.
#include "engine/cost/ranker.h"
#include "engine/export/plan_export.h"
#include "engine/search/plan_methods.h"
#include "engine/search/search_methods.h"
#include "engine/search/tune/tuners.h"
#include "engine/space/space.h"
#include "engine/strategy/policy.h"
#include "engine/trial/judge.h"
#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
#include "ui/knobs/knob_names.h"
#include "ui/runs/tune_sheet.h"
#include "ui/theme/translation.h"
#include "ui/why/why_panel.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenuBar>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableWidget>
#include <QXmlStreamReader>
#include <QtTest>
#include <set>
#include <tuple>
#include <vector>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

struct Entry {
    QString source;
    QStringList forms;
    bool done = false;
};

/// The messages of translations/syncopate_LANGUAGE.ts; `forms` are several where they depend on a number.
std::vector<Entry> messagesOf(const QString &language) {
    QFile file(QStringLiteral(SYNCOPATE_SOURCE "/translations/syncopate_%1.ts").arg(language));
    std::vector<Entry> messages;
    if (!file.open(QIODevice::ReadOnly))
        return messages;
    QXmlStreamReader xml(&file);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1String("source"))
            messages.push_back({xml.readElementText(), {}, false});
        if (xml.name() == QLatin1String("translation")) {
            messages.back().done = xml.attributes().value(QLatin1String("type")).isEmpty();
            QString whole;
            while (xml.readNext() != QXmlStreamReader::EndElement && !xml.atEnd())
                if (xml.isStartElement()) // which readElementText() reads to its end
                    messages.back().forms += xml.readElementText();
                else
                    whole += xml.text();
            if (messages.back().forms.isEmpty())
                messages.back().forms += whole;
        }
    }
    return messages;
}

std::vector<Entry> germanMessages() { return messagesOf(QStringLiteral("de")); }

std::multiset<QString> placeholders(const QString &text) {
    static const QRegularExpression placeholder(QStringLiteral("%(\\d|n)"));
    std::multiset<QString> found;
    for (auto match = placeholder.globalMatch(text); match.hasNext();)
        found.insert(match.next().captured());
    return found;
}

} // namespace

class TestTranslation : public QObject, WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (languages().size() == 1)
            QSKIP("built without lrelease (qt6-l10n-tools)");
    }
    void cleanup() {
        stop();
        speak({});
    }

    void theFirstKnownLanguageIsSpoken() {
        QCOMPARE(languages(), QStringList({QStringLiteral("en"), QStringLiteral("de")}));
        QCOMPARE(speak({QStringLiteral("tlh"), QStringLiteral("de-AT"), QStringLiteral("en")}), QStringLiteral("de"));
        QCOMPARE(speak({QStringLiteral("en-US"), QStringLiteral("de")}), QStringLiteral("en"));
        QCOMPARE(speak({QStringLiteral("tlh")}), QStringLiteral("en"));
        QCOMPARE(speak({}), QStringLiteral("en"));
    }

    void oneIsSingular() {
        const auto rows = [](int count) { return QCoreApplication::translate("any", "%n rows", nullptr, count); };
        speak({});
        QCOMPARE(rows(1), QStringLiteral("1 row"));
        QCOMPARE(rows(0), QStringLiteral("0 rows"));
        QCOMPARE(rows(12), QStringLiteral("12 rows"));
        for (const auto &[text, one] : {std::pair("%n measured curves", "1 measured curve"),
                                        {"%n measured points: median error %1 %, worst %2 % (W = %3)",
                                         "1 measured point: median error %1 %, worst %2 % (W = %3)"},
                                        {"%1 on %n servers, at most %2 on one", "%1 on 1 server, at most %2 on one"},
                                        {"%n variables (%1)", "1 variable (%1)"},
                                        {"%n shards", "1 shard"},
                                        {"%n all-reduce groups", "1 all-reduce group"},
                                        {"and %n shorter ones", "and 1 shorter one"}})
            QCOMPARE(QCoreApplication::translate("any", text, nullptr, 1), QString::fromUtf8(one));
    }

    void aWindowSpeaksGerman() {
        speak({QStringLiteral("de")});
        start();
        QStringList menus;
        for (const QAction *menu : window().menuBar()->actions())
            menus += menu->text().remove(QLatin1Char('&'));
        QCOMPARE(menus.join(QLatin1Char(' ')), QStringLiteral("Datei Bearbeiten Ansicht Vergleichen Suchen Hilfe"));
        QCOMPARE(window().action(QStringLiteral("open"))->text().remove(QLatin1Char('&')), QStringLiteral("Öffnen…"));
        QCOMPARE(window().action(QStringLiteral("compare"))->property("whyNot").toString(),
                 QStringLiteral("noch nichts geladen"));
        QVERIFY(window().findChild<QPushButton *>());
        QVERIFY(open(QStringLiteral("alexnet")));
        QStringList docks;
        for (const QDockWidget *dock : window().findChildren<QDockWidget *>())
            docks += dock->windowTitle();
        for (const char *title : {"Regler", "Inspektor", "Variablen", "Warum", "Durchsatz"})
            QVERIFY2(docks.contains(QString::fromUtf8(title)), qPrintable(QString::fromUtf8(title) + " of " + docks.join(", ")));
        // Technical names and names of the engine stay unchanged.
        QVERIFY(window().action(QStringLiteral("job_resnet50"))->text() == QStringLiteral("ResNet-50"));
    }

    /// The engine names them in English: names and definitions have to be in the explorer's table of them, and translated.
    void knobsHaveGermanNames() {
        speak({QStringLiteral("de")});
        QStringList sources;
        for (const Entry &message : germanMessages())
            if (message.done)
                sources += message.source;
        for (const Dimension &dimension : scenarioSpace()) {
            QVERIFY2(sources.contains(QString::fromStdString(dimension.name)), dimension.name.c_str());
            const QString german = knobDescription(dimension), english = QString::fromStdString(dimension.description);
            QVERIFY2(german != english, qPrintable(german));
            const QString said = dimension.policies.empty() ? english : english.section(QStringLiteral(": "), 1).chopped(1);
            QVERIFY2(!german.contains(said), qPrintable(german));
        }
        QCOMPARE(knobName(scenarioSpace()[*scenarioSpace().indexOf("bandwidth")]), QStringLiteral("Bandbreite"));
        speak({});
        for (const Dimension &dimension : scenarioSpace()) { // word for word as the command line has them
            QCOMPARE(knobName(dimension), QString::fromStdString(dimension.name));
            QCOMPARE(knobDescription(dimension), QString::fromStdString(dimension.description));
        }
    }

    /// The engine words them in English, which the command line prints; the explorer says the same in its language.
    void causesAndRemediesAreGerman() {
        static const QRegularExpression english(
            QStringLiteral("\\b(of|with|from|instead|the|twice|waited|waiting|most|layers|forward|sharing)\\b"));
        static const QRegularExpression queueName(QStringLiteral("\\([^)]*\\)")); // "pull from 10.0.0.1:CPU:0"
        speak({QStringLiteral("de")});
        start();
        session().startWith({SideState{Built{"PSLoadBalancing"}, "bytescheduler"}, SideState{Built{"AllReduce"}, "ddp"}}, true);
        QVERIFY(open(QStringLiteral("alexnet"), QStringLiteral("B7")));
        window().action(QStringLiteral("explain"))->trigger();
        for (const Side side : {Side::A, Side::B}) {
            window().why().askIteration(side);
            const auto isExplained = [&] {
                const auto answer = window().why().answer();
                return answer && answer->complete && answer->question.side == side;
            };
            QVERIFY(QTest::qWaitFor(isExplained, syncopate::testing::patience));
            const auto answer = window().why().answer();
            for (int row = 0; row < window().why().causes().rowCount(); ++row)
                for (const int column : {0, 3}) {
                    QString text = window().why().causes().item(row, column)->text();
                    text.remove(queueName);
                    QVERIFY2(!text.contains(english), qPrintable(text));
                }
            window().why().unfold(true);
            std::set<RemedyKind> kinds;
            for (int row = 0; row < window().why().remedies().rowCount(); ++row)
                if (const auto index = window().why().remedyAt(row)) {
                    const Remedy &remedy = answer->remedies[*index].remedy;
                    const QString text = window().why().remedies().item(row, 0)->text();
                    QVERIFY2(text == worded(remedy.text) && text != QString::fromStdString(remedy.text.english()) &&
                                 !text.contains(english),
                             qPrintable(text));
                    kinds.insert(remedy.kind);
                }
            COMPARE_AT_LEAST(kinds.size(), 6);
        }
        const auto answer = window().why().answer();
        stop();
        speak({});
        for (const CauseRow &row : answer->causes)
            QCOMPARE(worded(row.how).toStdString(), row.how.english());
        for (const RemedyRow &row : answer->remedies)
            QCOMPARE(worded(row.remedy.text).toStdString(), row.remedy.text.english());
    }

    /// Texts that no test's scenario shows: kinds of causes, every policy, each setting that a remedy changes, and plan formats'
    /// titles.
    void wordsOfTheEngineAreTranslated() {
        speak({QStringLiteral("de")});
        QStringList sources;
        for (const Entry &message : germanMessages())
            if (message.done)
                sources += message.source;
        const auto isKnown = [&](const std::string &text) { return sources.contains(QString::fromStdString(text)); };
        for (std::size_t kind = 0; kind < causeKindCount; ++kind)
            QVERIFY2(isKnown(nameOf(static_cast<CauseKind>(kind))), nameOf(static_cast<CauseKind>(kind)));
        for (const Policy *policy : policies()) {
            QVERIFY2(isKnown(policy->about), policy->about.c_str());
            for (const PolicyParameter &parameter : policy->parameters)
                if (parameter.knob && !parameter.knob->remedyFactors.empty())
                    QVERIFY2(isKnown(QString::fromStdString(parameter.knob->label).toLower().toStdString()),
                             parameter.knob->label.c_str());
        }
        for (const auto *known : {&searchMethods(), &tuners(), &planMethods(), &judges(), &rankers()})
            for (const ExpressionInfo &info : *known)
                for (const ArgumentInfo &argument : info.arguments)
                    QVERIFY2(argument.unit.empty() || isKnown(argument.unit), argument.unit.c_str());
        for (const PlanFormat &format : planFormats())
            QVERIFY2(sources.contains(QString::fromUtf8(format.title)), format.title);
    }

    /// A project saved in German can be read in English, and vice versa.
    void projectsKeepNoTranslations() {
        const auto settings = [](const char *language) {
            speak({QString::fromLatin1(language)});
            TuneSheet sheet;
            sheet.measureBox().setCurrentIndex(1);
            return QJsonDocument(sheet.settings()).toJson();
        };
        const QByteArray english = settings("en");
        QVERIFY2(english.contains("\"iteration\""), english.constData());
        QCOMPARE(settings("de"), english);
    }

    void whatIsNotTranslatedIsEnglish() {
        speak({QStringLiteral("de")});
        for (const Entry &message : germanMessages())
            if (!message.done)
                QCOMPARE(QCoreApplication::translate("any", qPrintable(message.source)), message.source);
        QCOMPARE(QCoreApplication::translate("any", "no text of ours"), QStringLiteral("no text of ours"));
    }

    /// The program itself, which must set its language before its first message.
    void theProgramTakesALanguage() {
        const auto run = [](const QStringList &arguments) {
            QProcess program;
            program.start(QFileInfo(QStringLiteral(SYNCOPATE_CLI)).dir().filePath(QStringLiteral("syncopate")), arguments);
            const bool ended = program.waitForFinished(syncopate::testing::patience);
            return std::tuple{ended ? program.exitCode() : -1, QString::fromUtf8(program.readAllStandardOutput()),
                              QString::fromUtf8(program.readAllStandardError())};
        };
        const auto [german, help, nothing] = run({QStringLiteral("--language"), QStringLiteral("de"), QStringLiteral("--help")});
        QCOMPARE(german, 0);
        QVERIFY2(help.contains(QStringLiteral("Öffnet das mitgelieferte Beispiel.")), qPrintable(help));
        const auto [refused, silence, error] = run({QStringLiteral("--language=tlh")});
        QCOMPARE(refused, 2);
        QVERIFY2(error.endsWith(QStringLiteral("error: there is no translation into 'tlh'; give one of en, de\n")),
                 qPrintable(error)); // after messages of the platform
    }

    /// In any context: tables and helper functions have none that lupdate could recognise.
    void everyTranslationIsFound() {
        const std::vector<Entry> messages = germanMessages();
        QVERIFY2(messages.size() > 1000, qPrintable(QStringLiteral("%1 messages").arg(messages.size())));
        speak({QStringLiteral("de")});
        for (const Entry &message : messages)
            if (message.done && !message.source.contains(QLatin1String("%n")))
                QCOMPARE(QCoreApplication::translate("any", qPrintable(message.source)), message.forms.front());
        QCOMPARE(QCoreApplication::translate("any", "%n rows", "", 1), QStringLiteral("1 Zeile"));
        QCOMPARE(QCoreApplication::translate("any", "%n rows", "", 2), QStringLiteral("2 Zeilen"));
    }

    /// Only the form for one may do without the number.
    void noTranslationLosesAFigure_data() {
        QTest::addColumn<QString>("language");
        for (const QString &language : languages())
            QTest::newRow(qPrintable(language)) << language;
    }
    void noTranslationLosesAFigure() {
        QFETCH(QString, language);
        qsizetype counted = 0;
        for (const Entry &message : messagesOf(language)) {
            if (!message.done)
                continue;
            const bool counts = message.source.contains(QLatin1String("%n"));
            counted += counts ? 1 : 0;
            QCOMPARE(message.forms.size(), counts ? 2 : 1); // English and German have one and many
            for (qsizetype form = 0; form < message.forms.size(); ++form) {
                auto got = placeholders(message.forms[form]), want = placeholders(message.source);
                if (counts && form == 0) {
                    got.erase(QStringLiteral("%n"));
                    want.erase(QStringLiteral("%n"));
                }
                QVERIFY2(got == want, qPrintable(message.source));
                QVERIFY2(message.forms[form].contains(QLatin1Char('&')) == message.source.contains(QLatin1Char('&')),
                         qPrintable(message.source));
            }
        }
        COMPARE_ABOVE(counted, qsizetype{30});
    }
};

QTEST_MAIN(TestTranslation)
#include "tst_translation.moc"
