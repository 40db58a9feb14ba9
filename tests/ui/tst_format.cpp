// SPDX-License-Identifier: GPL-3.0-or-later
// Figures as texts: what rounding makes equal, and signs.
#include "tests/checks.h"
#include "ui/runs/run_text.h"
#include "ui/theme/format.h"

#include <QtTest>

using namespace syncopate::ui;

class TestFormat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void roundingIsNoDifference_data() {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::addColumn<bool>("same");
        QTest::newRow("equal") << 0.03 << 0.03 << true;
        QTest::newRow("nanoseconds of a spans' sum") << 0.03 << 0.030000004 << true;
        QTest::newRow("a steady state's last digits") << 0.721 << 0.72099607 << true;
        QTest::newRow("721 ms both, 0.0 %") << 0.721 << 0.7211 << true;
        QTest::newRow("1 s both, but 0.4 %") << 1.0 << 1.004 << false;
        QTest::newRow("less than 0.1 %, but another digit") << 0.72145 << 0.72155 << false;
        QTest::newRow("short, but ten times as long") << 2e-8 << 2e-7 << false;
        QTest::newRow("below the clock's resolution") << 0.0 << 5e-10 << true;
    }
    void roundingIsNoDifference() {
        QFETCH(double, from);
        QFETCH(double, to);
        QFETCH(bool, same);
        QCOMPARE(sameSeconds(from, to), same);
        QCOMPARE(secondsDeltaText(from, to) == QStringLiteral("0"), same);
    }
    void onlySmallFiguresHaveAnExponent() {
        QCOMPARE(figureText(0.000012346), QStringLiteral("1.235e-05"));
        QCOMPARE(figureText(0.00012346), QStringLiteral("0.0001235"));
        QCOMPARE(figureText(0.12346), QStringLiteral("0.1235"));
        QCOMPARE(figureText(9999.4), QStringLiteral("9999"));
        QCOMPARE(figureText(9999.6), QStringLiteral("10000"));
        QCOMPARE(figureText(19236.4), QStringLiteral("19236"));
    }
    void slowRatesAreNotZero() {
        QCOMPARE(samplesText(0.04), QStringLiteral("0.04"));
        QCOMPARE(samplesText(0.00123456), QStringLiteral("0.001235"));
        QCOMPARE(samplesText(0.5), QStringLiteral("0.5"));
        QCOMPARE(samplesText(1.04), QStringLiteral("1.0"));
        QCOMPARE(samplesText(34.62), QStringLiteral("34.6"));
        QCOMPARE(samplesText(570.2), QStringLiteral("570"));
    }
    void changesThatRoundToZeroHaveNoSign() {
        QCOMPARE(changeText(0.0004), QStringLiteral("0"));
        QCOMPARE(changeText(-0.0004), QStringLiteral("0"));
        QCOMPARE(changeText(0.0006), QStringLiteral("+0.1 %"));
    }
};

QTEST_GUILESS_MAIN(TestFormat)
#include "tst_format.moc"
