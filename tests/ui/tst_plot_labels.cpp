// SPDX-License-Identifier: GPL-3.0-or-later
// What plots have in common. Labels of an axis in seconds: one unit, and as many decimals as tell its ticks apart. Small plots: a
// hidden legend takes no place, and numbers do not run into each other.
#include "tests/checks.h"
#include "ui/runs/plot_parts.h"

#include <QFontMetrics>
#include <QTest>

using namespace syncopate::testing;
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

    void numbersShareTheirForm_data() {
        QTest::addColumn<QVector<double>>("ticks");
        QTest::addColumn<QVector<QString>>("labels");
        QTest::newRow("plain") << QVector<double>{0, 0.25, 0.5} << QVector<QString>{"0", "0.25", "0.5"};
        QTest::newRow("decades") << QVector<double>{1e-5, 1e-4, 1e-3}
                                 << QVector<QString>{"10\u207b\u2075", "10\u207b\u2074", "10\u207b\u00b3"};
        QTest::newRow("small") << QVector<double>{0, 1.5e-4, 1e-3}
                               << QVector<QString>{"0", "1.5\u00b710\u207b\u2074", "10\u207b\u00b3"};
        QTest::newRow("large") << QVector<double>{-2e12} << QVector<QString>{"-2\u00b710\u00b9\u00b2"};
    }
    void numbersShareTheirForm() {
        QFETCH(QVector<double>, ticks);
        QFETCH(QVector<QString>, labels);
        QCOMPARE(numberLabels(ticks), labels);
    }

    /// Long numbers beside each other: as few as stand apart, whatever the width.
    void narrowAxesHaveFewNumbers() {
        QCustomPlot plot;
        plot.xAxis->setTicker(QSharedPointer<SecondsTicker<>>::create());
        plot.xAxis->setRange(0.10011, 0.10019);
        plot.show();
        for (const int width : {180, 260, 320, 700}) {
            plot.resize(width, 200);
            plot.replot();
            fitNumbers(plot);
            QVERIFY2(standApart(*plot.xAxis), qPrintable(QString::number(width)));
        }
        COMPARE_AT_LEAST(plot.xAxis->ticker()->tickCount(), 5);
    }

    /// The entries of a hidden legend, in a row as wide as the plot, would squeeze the scale of a map beside it to less than
    /// nothing.
    void aHiddenLegendLeavesTheScaleItsRoom() {
        QCustomPlot plot;
        layLegendAbove(plot);
        const HeatMap heat = addHeatMap(plot);
        heat.map->setDataRange({100, 900});
        for (const char *name : {"random()", "coordinate()", "nelder_mead()", "direct()"})
            plot.addGraph()->setName(QString::fromLatin1(name));
        plot.resize(240, 100);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        for (const bool shown : {false, true, false}) {
            fitLegendAbove(plot, shown ? QSize(2000, 2000) : QSize(240, 10));
            plot.replot();
            QCOMPARE(plot.legend->visible(), shown);
            if (!shown) {
                QCOMPARE(heat.scale->axis()->axisRect()->width(), heat.scale->barWidth());
                COMPARE_AT_MOST(plot.legend->outerRect().height(), 2);
            }
        }
    }

    void lowAxesHaveFewNumbers() {
        QCustomPlot plot;
        plot.yAxis->setRange(0, 1);
        plot.show();
        for (const int height : {60, 100, 150, 400}) {
            plot.resize(400, height);
            plot.replot();
            fitNumbers(plot);
            plot.replot();
            const double first = plot.yAxis->coordToPixel(0), step = plot.yAxis->ticker()->tickCount();
            const int apart = static_cast<int>(plot.axisRect()->height() / step);
            COMPARE_ABOVE(first, 0.0);
            if (step > 2) // as few as an axis needs to have a scale
                COMPARE_AT_LEAST(apart, QFontMetrics(plot.yAxis->tickLabelFont()).height());
            COMPARE_AT_MOST(static_cast<int>(step), 5);
        }
        QCOMPARE(plot.yAxis->ticker()->tickCount(), 5);
    }
};

QTEST_MAIN(TestPlotLabels)
#include "tst_plot_labels.moc"
