// SPDX-License-Identifier: GPL-3.0-or-later
// The tests' own tools: checks that print the values they saw, and the list of tests that a clone alone skips.
#include "tests/checks.h"
#include "tests/files.h"

#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QtTest>
#include <limits>
#include <optional>

using namespace syncopate::testing;

class TestChecks : public QObject {
    Q_OBJECT

private slots:
    void aFailurePrintsAll() {
        const Checked off = closeTo(1.05, 0.95, 1e-9, "row 7");
        QVERIFY(!off.holds);
        QCOMPARE(off.text, std::string("row 7: got 1.05, want 0.95, ratio 1.105263, tolerance 1e-09"));
        const Checked apart = within(3, 2.5, 0.4);
        QVERIFY(!apart.holds);
        QCOMPARE(apart.text, std::string("got 3, want 2.5, ratio 1.2, difference 0.5, tolerance 0.4"));
        QVERIFY(!atMost(7, 5).holds);
        QCOMPARE(atMost(7, 5).text, std::string("got 7, want 5, ratio 1.4"));
    }

    /// Passing checks print nothing, so that they cost nothing in a long loop.
    void whatHoldsIsSilent() {
        for (const Checked &check : {closeTo(1, 1), within(1, 2, 3), atMost(1, 2), above(2, 1), hasValue(std::optional(1))}) {
            QVERIFY(check.holds);
            QCOMPARE(check.text, std::string());
        }
    }

    void aMissingValueIsExplained() {
        const syncopate::Result<int> result = syncopate::fail("no cluster", "load one", "a.yml");
        QVERIFY(!hasValue(result).holds);
        QCOMPARE(hasValue(result).text, result.error().toString());
        QVERIFY(!hasValue(std::optional<int>()).holds && !hasValue(std::optional<int>()).text.empty());
    }

    /// As a reader of a log sees it: this program is run again, with a check that fails.
    void aFailureInALog() {
        if (qEnvironmentVariableIsSet("SYNCOPATE_FAIL_A_CHECK")) {
            const double milliseconds = 1.05;
            COMPARE_CLOSE(milliseconds, 0.75 + 2 * 0.1, 1e-3, "a row's name");
        }
        QProcess again;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("SYNCOPATE_FAIL_A_CHECK", "1");
        again.setProcessEnvironment(environment);
        again.start(QCoreApplication::applicationFilePath(), {"aFailureInALog"});
        QVERIFY(again.waitForFinished(patience));
        QCOMPARE(again.exitCode(), 1);
        const QString log = QString::fromUtf8(again.readAllStandardOutput());
        QVERIFY2(log.contains("'milliseconds close to 0.75 + 2 * 0.1' returned FALSE. "
                              "(a row's name: got 1.05, want 0.95, ratio 1.105263, tolerance 0.001)"),
                 qPrintable(log));
    }

    void bounds() {
        QVERIFY(closeTo(100.9, 100, 0.01).holds);
        QVERIFY(!closeTo(101.1, 100, 0.01).holds);
        QVERIFY(!closeTo(98.9, 100, 0.01).holds);
        QVERIFY(closeTo(-100.9, -100, 0.01).holds);
        QVERIFY(closeTo(0, 0).holds);
        QVERIFY(!closeTo(1e-30, 0).holds);
        QVERIFY(within(2.25, 2.5, 0.25).holds);
        QVERIFY(!within(2.2, 2.5, 0.25).holds);
        QVERIFY(atMost(5, 5).holds && atLeast(5, 5).holds && !below(5, 5).holds && !above(5, 5).holds);
        QVERIFY(below(4, 5).holds && above(6, 5).holds && !atLeast(4, 5).holds);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (const Checked &check : {closeTo(nan, 1), closeTo(1, nan), within(nan, 1, 9), atMost(nan, 1), above(nan, 1)})
            QVERIFY2(!check.holds, check.text.c_str());
        // Counts that need more than the 53 bits of a double.
        QVERIFY(below(std::int64_t{9007199254740992}, std::int64_t{9007199254740993}).holds);
    }

    /// tests/foreign_traces.txt names every test that skips for lack of foreign files, and only those.
    void foreignTracesAreListed() {
        const QString root = QStringLiteral(SYNCOPATE_SOURCE "/tests");
        const QRegularExpression required(QStringLiteral("REQUIRE_FOREIGN_TRACE\\(\"([a-z_]+)\"\\)"));
        QSet<QString> used, listed;
        for (QDirIterator it(root, {"tst_*.cpp"}, QDir::Files, QDirIterator::Subdirectories); it.hasNext();) {
            const QString path = it.next(), text = contentOf(path);
            for (auto match = required.globalMatch(text); match.hasNext();)
                used += QFileInfo(path).completeBaseName() + " " + match.next().captured(1);
            QVERIFY2(!text.contains(QRegularExpression(QStringLiteral("\\bforeignTrace\\("))) || text.contains(required),
                     qPrintable(path + ": skip with REQUIRE_FOREIGN_TRACE"));
            QVERIFY2(!text.contains(QLatin1String("SYNCOPATE_"
                                                  "SHARED")),
                     qPrintable(path + ": use tests/foreign_traces.h"));
        }
        for (const QString &line : QString::fromUtf8(contentOf(root + "/foreign_traces.txt")).split('\n', Qt::SkipEmptyParts))
            if (!line.startsWith('#'))
                listed += line.simplified().section(' ', 0, 1);
        QVERIFY(!listed.isEmpty());
        QCOMPARE(QStringList(QSet(used).subtract(listed).values()), QStringList());
        QCOMPARE(QStringList(QSet(listed).subtract(used).values()), QStringList());
    }
};

QTEST_GUILESS_MAIN(TestChecks)
#include "tst_checks.moc"
