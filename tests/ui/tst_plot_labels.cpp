// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of plots. Labels of an axis in seconds: one unit, and as many decimals as distinguish its ticks. Small plots: a
// hidden legend takes no space, numbers do not run into each other, and names are cut only where they have no room.
#include "tests/checks.h"
#include "tests/scenarios.h"
#include "ui/runs/history_plot.h"
#include "ui/runs/plot_parts.h"
#include "ui/runs/winner_sheet.h"
#include "ui/theme/theme.h"
#include "ui/theme/translation.h"
#include "ui/throughput/throughput_plot.h"
#include "ui/why/remedy_table.h"
#include "ui/why/tornado.h"

#include <QApplication>
#include <QFontMetrics>
#include <QHeaderView>
#include <QHelpEvent>
#include <QTest>
#include <QToolTip>
#include <QTreeWidget>

using namespace syncopate;
using namespace syncopate::testing;
using namespace syncopate::ui;

class TestPlotLabels : public QObject {
    Q_OBJECT

    /// An explanation without content, of an iteration of three seconds.
    static std::shared_ptr<WhyAnswer> answerOfThreeSeconds() {
        auto recording = std::make_shared<Recording>();
        recording->job = std::make_shared<const Job>();
        recording->iterationSeconds = 3;
        Lane lane;
        lane.name = "compute";
        lane.isCompute = true;
        lane.start = {0};
        lane.end = {1000};
        lane.category = {Category::Forward};
        lane.label = {0};
        lane.variable = lane.task = {-1};
        lane.sizeBytes = {0};
        recording->timeline.labels = {"op"};
        recording->timeline.lanes.push_back(lane);
        recording->timeline.duration = 1'000'000;
        auto answer = std::make_shared<WhyAnswer>();
        answer->run = std::make_shared<const ShownRun>(std::shared_ptr<const Recording>(std::move(recording)));
        return answer;
    }

    /// The tooltip in the first row.
    static QString tipOf(Tornado &tornado) {
        const QPoint at(tornado.plot().axisRect()->center().x(), static_cast<int>(tornado.plot().yAxis->coordToPixel(1)));
        QHelpEvent help(QEvent::ToolTip, at, tornado.mapToGlobal(at));
        QApplication::sendEvent(&tornado, &help);
        return QToolTip::text();
    }

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

    /// Long numbers beside each other: only as many as stand apart, at any width.
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

    /// "-2000-1000 0 100020003000" in a narrow panel.
    void tornadosNumbersStandApart() {
        const auto answer = answerOfThreeSeconds();
        answer->sensitivities = {{0, 1, 4, 5.9, 1.1}};
        const Theme theme;
        Tornado tornado(theme);
        tornado.resize(900, 160);
        tornado.show();
        tornado.set(answer);
        int most = 0;
        for (const int width : {240, 300, 360, 700, 240}) {
            tornado.resize(width, 160);
            QTest::qWait(50);
            const QCPAxis &axis = *tornado.plot().xAxis;
            const QFontMetrics metrics(axis.tickLabelFont());
            double end = -HUGE_VAL;
            const QVector<double> ticks = axis.tickVector();
            for (int t = 0; t < ticks.size(); ++t) {
                if (!axis.range().contains(ticks[t]))
                    continue;
                const double middle = axis.coordToPixel(ticks[t]),
                             half = metrics.horizontalAdvance(axis.tickVectorLabels()[t]) / 2.0;
                QVERIFY2(middle - half > end, qPrintable(QStringLiteral("%1 of width %2").arg(ticks[t]).arg(width)));
                end = middle + half;
            }
            most = std::max(most, axis.ticker()->tickCount());
        }
        COMPARE_AT_LEAST(most, 5);
    }

    /// A click asks for the value of the bar under it, also where both bars are on one side of zero; neither a click on a knob's
    /// name nor one of another button asks for any.
    void theBarUnderThePointerIsAskedFor() {
        const auto answer = answerOfThreeSeconds();
        const Theme theme;
        Tornado tornado(theme);
        tornado.resize(900, 200);
        tornado.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tornado));
        auto *plot = tornado.findChild<QCustomPlot *>();
        QVector<double> asked;
        connect(&tornado, &Tornado::valueWanted, &tornado, [&asked](std::size_t, double value) { asked.push_back(value); });
        const auto askedAt = [&](double change, Qt::MouseButton button = Qt::LeftButton) {
            plot->replot();
            asked.clear();
            const QPointF at(plot->xAxis->coordToPixel(change * 1e3), plot->yAxis->coordToPixel(1));
            QTest::mouseClick(plot, button, {}, at.toPoint());
            return asked;
        };
        using Values = QVector<double>;
        answer->sensitivities = {{0, 1, 4, 2.5, 1.0}}; // 0.5 s less at 1, 2 s less at 4
        tornado.set(answer);
        QCOMPARE(askedAt(-0.25), Values{4}); // drawn over the other one
        QCOMPARE(askedAt(-1.5), Values{4});
        QCOMPARE(askedAt(0.1), Values{});
        QCOMPARE(askedAt(-1.5, Qt::RightButton), Values{});
        answer->sensitivities = {{0, 1, 4, 1.0, 2.5}};
        tornado.set(answer);
        QCOMPARE(askedAt(-0.25), Values{4});
        QCOMPARE(askedAt(-1.5), Values{1});
        answer->sensitivities = {{0, 1, 4, 4.0, 2.5}};
        tornado.set(answer);
        QCOMPARE(askedAt(0.5), Values{1});
        QCOMPARE(askedAt(-0.25), Values{4});
        asked.clear();
        QTest::mouseClick(plot, Qt::LeftButton, {}, {4, static_cast<int>(plot->yAxis->coordToPixel(1))});
        QCOMPARE(asked, Values{});
    }

    /// A knob at an end of its slider or beyond, or with a value that cannot be simulated, has one bar; beside it and in the
    /// tooltip stands why.
    void aSingleBarSaysWhy() {
        const auto answer = answerOfThreeSeconds();
        const Theme theme;
        Tornado tornado(theme);
        tornado.resize(900, 200);
        tornado.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tornado));
        const QCustomPlot &plot = tornado.plot();
        struct Case {
            Sensitivity row; ///< of the bandwidth
            const char *beside, *tip;
            bool left; ///< of zero
        };
        const Case cases[] = {
            {{0, 200, 400, 5.0, std::nullopt, 0, 0, 400}, "max", "the slider ends at 400 Gbit/s", true},
            {{0, 400, 400, 5.0, std::nullopt, 0, 0, 800}, "\u2013", "800 Gbit/s is beyond the slider's end, 400 Gbit/s", true},
            {{0, 0.1, 0.2, std::nullopt, 2.5, 0, 0, 0.1}, "min", "the slider begins at 0.1 Gbit/s", false},
            {{0, 1, 4, std::nullopt, 2.5, 0, 0, 2}, "\u2013", "1 Gbit/s: cannot be simulated", false}};
        for (const auto &[row, beside, tip, left] : cases) {
            answer->sensitivities = {row};
            tornado.set(answer);
            tornado.findChild<QCustomPlot *>()->replot();
            const QCPItemText *found = nullptr;
            for (int i = 0; i < plot.itemCount(); ++i)
                if (const auto *text = qobject_cast<QCPItemText *>(plot.item(i));
                    text && text->text() == QString::fromUtf8(beside))
                    found = text;
            QVERIFY2(found, beside);
            QCOMPARE(found->position->coords().x(), 0.0);
            QCOMPARE(found->positionAlignment().testFlag(Qt::AlignRight), left);
            QVERIFY2(tipOf(tornado).contains(QString::fromUtf8(tip)), qPrintable(QToolTip::text()));
        }
    }

    /// A size that a system chooses itself has neither half nor twice: the tooltip has the policy's word for it.
    void aWordIsNoNumber() {
        const Job job = chainJob({{0.01, 0.02, 1000}});
        const CommPolicy policy = *parsePolicy("megatron(overlap_grad_reduce=on)");
        const auto answer = std::make_shared<WhyAnswer>();
        answer->run = std::make_shared<const ShownRun>(runOf(scenario(job, plainCluster(2, 1e9), allReduceEach(job), policy)));
        answer->sensitivities.resize(1); // without bars
        answer->sensitivities.front().dimension = *scenarioSpace().indexOf("bucket_size");
        const Theme theme;
        Tornado tornado(theme);
        tornado.resize(900, 200);
        tornado.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tornado));
        tornado.set(answer);
        tornado.findChild<QCustomPlot *>()->replot();
        QVERIFY2(tipOf(tornado).contains(QStringLiteral("Half and twice of auto mean nothing.")), qPrintable(QToolTip::text()));
    }

    /// A bound of 0 is not known, as where workers drift apart: no line stands for it, however far the axis goes.
    void unknownBoundsHaveNoLine() {
        const auto answer = answerOfThreeSeconds();
        answer->sensitivities = {{0, 1, 4, 9.0, 0.1}};
        answer->bounds.computeSeconds = 2;
        const Theme theme;
        Tornado tornado(theme);
        tornado.resize(900, 200);
        tornado.set(answer);
        QVector<double> lines;
        for (int i = 0; i < tornado.plot().itemCount(); ++i)
            if (const auto *line = qobject_cast<QCPItemStraightLine *>(tornado.plot().item(i)))
                lines.push_back(line->point1->coords().x());
        QCOMPARE(lines, QVector<double>{-1000}); // ms
    }

    /// The only trial of a run without a bar lay outside an axis from 0 to 1.
    void aSingleTrialIsInView() {
        struct OneTrial final : HistoryModel {
            OneTrial() { setColumns({}); }
            [[nodiscard]] int rowCount(const QModelIndex & = {}) const override { return 0; }
            [[nodiscard]] RunId idOf(int row) const override { return row; }
            [[nodiscard]] int rowOf(RunId) const override { return -1; }
            [[nodiscard]] QString describe(int) const override { return {}; }
            [[nodiscard]] std::size_t trials() const override { return 1; }
            [[nodiscard]] std::size_t budget() const override { return 10; }
            [[nodiscard]] double valueOf(std::size_t) const override { return 2.5; }
            [[nodiscard]] double hitRateAt(std::size_t) const override { return 0; }
            [[nodiscard]] std::vector<Level> levels() const override { return {}; }
            [[nodiscard]] QString valueName() const override { return {}; }
            [[nodiscard]] QStringList groups() const override { return {QStringLiteral("all")}; }
            [[nodiscard]] std::size_t groupOf(std::size_t) const override { return 0; }
        };
        const OneTrial model;
        const Theme theme;
        HistoryPlot plot(theme, model, QStringLiteral("Trials"));
        const QCPRange range = plot.plot().yAxis->range();
        QVERIFY2(range.contains(2.5), qPrintable(QStringLiteral("%1 to %2").arg(range.lower).arg(range.upper)));
    }

    /// Builders with and without their arguments are rows apart, and both read "Build with UnevenPartiti…".
    void remediesReadApart() {
        const auto answer = answerOfThreeSeconds();
        for (const char *text : {"Build with UnevenPartitionedPS(local_proxy_variable=True)", "Concurrent: 2 instead of 1",
                                 "Build with UnevenPartitionedPS"})
            answer->remedies.push_back({{RemedyKind::Builder, named(text)}, 2.0, 0.3});
        const Theme theme;
        RemedyTable table(theme);
        table.resize(310, 160);
        table.setAlternatingRowColors(false);
        table.setSelectionMode(QAbstractItemView::NoSelection); // cells differ by their texts alone
        table.setFocusPolicy(Qt::NoFocus);
        table.show();
        table.fill(answer);
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        COMPARE_BELOW(table.columnWidth(0),
                      table.fontMetrics().horizontalAdvance(QStringLiteral("Build with UnevenPartitioned")));
        const auto cell = [&](int row) {
            return table.viewport()->grab(table.visualRect(table.model()->index(row, 0))).toImage();
        };
        QVERIFY(cell(0) != cell(2));
    }

    /// A curve's name was cut to 64 pixels, at any width.
    void curvesHaveTheirNamesWhereThereIsRoom() {
        const auto entry = [](const char *name) {
            auto forecast = std::make_shared<Forecast>();
            forecast->prediction.points.resize(2);
            forecast->prediction.points[0].throughput.workers = 1;
            forecast->prediction.points[1].throughput.workers = 2;
            CurveEntry made;
            made.name = QString::fromUtf8(name);
            made.forecast = std::move(forecast);
            return made;
        };
        const std::vector<CurveEntry> entries{entry("gegenwärtige Einstellung"), entry("resnet50, 10 Gbit/s, 2 Server"),
                                              entry("resnet50, 10 Gbit/s, 4 Server")};
        const Theme theme;
        ThroughputPlot plot(theme);
        plot.resize(900, 200);
        plot.show(entries, 0, {});
        const auto shown = [&](std::size_t i) { return plot.plot().graph(static_cast<int>(i))->name(); };
        for (std::size_t i = 0; i < entries.size(); ++i)
            QCOMPARE(shown(i), entries[i].name);
        plot.resize(300, 200);
        static_cast<QWidget &>(plot).show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        QVERIFY2(shown(0) != entries[0].name && shown(1) != shown(2), qPrintable(shown(1) + QStringLiteral(", ") + shown(2)));
        plot.plot().replot();
        COMPARE_AT_MOST(plot.plot().legend->outerRect().right(), plot.plot().width());
    }

    /// A strategy was cut to "Une…ue)" beside German headers.
    void strategiesOfAWinnerAreReadable() {
        const auto english = qScopeGuard([] { speak({}); });
        speak({QStringLiteral("de")});
        {
            const Theme theme;
            WinnerSheet sheet(theme);
            for (const char *name :
                 {"UnevenPartitionedPS(max_shards=4, sync=True)", "UnevenPartitionedPS(max_shards=4, sync=False)"})
                new QTreeWidgetItem(&sheet.elsewhere(), QStringList(QString::fromLatin1(name)) +
                                                            QStringList(4, QStringLiteral("1.86 s")) +
                                                            QStringList(QStringLiteral("12.5 % langsamer")));
            sheet.resize(620, 480);
            sheet.show();
            QVERIFY(QTest::qWaitForWindowExposed(&sheet));
            const QHeaderView &header = *sheet.elsewhere().header();
            QTRY_VERIFY2(header.sectionSize(0) >= sheet.elsewhere().viewport()->width() / 2 - 1,
                         qPrintable(QString::number(header.sectionSize(0))));
            sheet.elsewhere().header()->resizeSection(0, 120);
            const int before = sheet.elsewhere().viewport()->width();
            sheet.resize(700, 480);
            QTRY_VERIFY(sheet.elsewhere().viewport()->width() > before);
            QCOMPARE(header.sectionSize(0), 120); // the user's stays
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
