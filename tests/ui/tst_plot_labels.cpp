// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of an axis in seconds: one unit, and as many decimals as tell its ticks apart.
#include "tests/checks.h"
#include "ui/runs/plot_parts.h"

#include <QTest>

using namespace syncopate::ui;

class TestPlotLabels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void secondsShareUnitAndDecimals_data() {
        QTest::addColumn<QVector<double>>("ticks");
        QTest::addColumn<QVector<QString>>("labels");
        QTest::newRow("none") << QVector<double>{} << QVector<QString>{};
        QTest::newRow("one") << QVector<double>{0.02} << QVector<QString>{"20 ms"};
        QTest::newRow("close") << QVector<double>{5.47, 5.475, 5.48} << QVector<QString>{"5.470 s", "5.475 s", "5.480 s"};
        QTest::newRow("from zero") << QVector<double>{0, 0.5, 1} << QVector<QString>{"0", "0.5 s", "1.0 s"};
        QTest::newRow("below a unit") << QVector<double>{0.0002, 0.0004} << QVector<QString>{"200 µs", "400 µs"};
        QTest::newRow("negative") << QVector<double>{-0.01, 0, 0.01} << QVector<QString>{"\u221210 ms", "0", "10 ms"};
        QTest::newRow("nearly zero") << QVector<double>{-0.01, 1e-19, 0.01} << QVector<QString>{"\u221210 ms", "0", "10 ms"};
    }

    void secondsShareUnitAndDecimals() {
        QFETCH(QVector<double>, ticks);
        QFETCH(QVector<QString>, labels);
        QCOMPARE(secondsLabels(ticks), labels);
    }
};

QTEST_GUILESS_MAIN(TestPlotLabels)
#include "tst_plot_labels.moc"
