// SPDX-License-Identifier: GPL-3.0-or-later
// The explorer and the report explain figures in the words of docs/glossary.md; this reads the file, not its compiled form.
#include "engine/base/glossary.h"
#include "tests/checks.h"
#include "ui/inspector/inspector_model.h"
#include "ui/theme/explained.h"
#include "ui/theme/theme.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QtTest>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

const QString source = QStringLiteral(SYNCOPATE_SOURCE);

QString textOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// First paragraphs by heading, their lines joined.
QMap<QString, QString> entries() {
    static const QRegularExpression entry("^## ([^\\n]+)\\n\\n((?:[^\\n]+\\n)+)", QRegularExpression::MultilineOption);
    QMap<QString, QString> found;
    for (auto match = entry.globalMatch(textOf(source + "/docs/glossary.md")); match.hasNext();) {
        const auto one = match.next();
        found[one.captured(1)] = one.captured(2).trimmed().replace(u'\n', u' ');
    }
    return found;
}

} // namespace

class TestGlossary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEntryIsFound() {
        const auto all = entries();
        COMPARE_ABOVE(all.size(), 50);
        for (auto entry = all.begin(); entry != all.end(); ++entry)
            QCOMPARE(explained(entry.key().toUtf8()), entry.value());
    }

    /// findGlossaryText() is asked for the names of arguments, most of which have no entry.
    void unknownTermsHaveNoEntry() {
        QCOMPARE(findGlossaryText("Whole"), glossaryText("Whole"));
        QVERIFY(!findGlossaryText("Whole").empty());
        QVERIFY(findGlossaryText("Parts").empty());
        QVERIFY(findGlossaryText("").empty());
    }

    /// Every explained term has an entry, in plain words: a tooltip would show Markdown's markup.
    void everyTermThatIsShownIsPlain() {
        static const QRegularExpression use("(?:explained|glossaryText)\\(\"([^\"]+)\"\\)");
        const auto all = entries();
        int uses = 0;
        for (const char *folder : {"/ui", "/engine", "/app"})
            for (QDirIterator files(source + folder, {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
                 files.hasNext();)
                for (auto match = use.globalMatch(textOf(files.next())); match.hasNext(); ++uses) {
                    const QString term = match.next().captured(1);
                    QVERIFY2(all.contains(term), qPrintable(files.filePath() + ": the glossary has no " + term));
                    QVERIFY2(!all[term].contains(QRegularExpression("[*`\\[\\]_]")), qPrintable(term + ": " + all[term]));
                }
        COMPARE_ABOVE(uses, 15);
    }

    void theInspectorShowsThem() {
        const Theme theme;
        InspectorModel model(theme);
        const QMap<QString, QString> shown{
            {"Iteration", "Iteration time"}, {"Exposed", "Exposed communication"}, {"Overlap", "Overlap"},     {"Wait", "Wait"},
            {"· for the host", "Host wait"}, {"· while copying", "Copying"},       {"Samples/s", "Throughput"}};
        const auto all = entries();
        int found = 0;
        for (int row = 0; row < model.rowCount({}); ++row) {
            const QModelIndex cell = model.index(row, 0);
            if (const auto term = shown.find(model.data(cell, Qt::DisplayRole).toString()); term != shown.end()) {
                QVERIFY2(all.contains(*term), qPrintable("the glossary has no " + *term));
                QCOMPARE(model.data(cell, Qt::ToolTipRole).toString(), all[*term]);
                ++found;
            }
        }
        QCOMPARE(found, static_cast<int>(shown.size()));
    }
};

QTEST_MAIN(TestGlossary)
#include "tst_glossary.moc"
