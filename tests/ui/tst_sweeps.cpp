// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps, compared with single simulations of the same settings.
#include "engine/job/batch.h"
#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
#include "ui/knobs/knob_bindings.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/sweep_model.h"
#include "ui/runs/sweep_plot.h"
#include "ui/runs/sweep_preset.h"
#include "ui/tables/filter_line.h"
#include "ui/theme/qcustomplot.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <cmath>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

std::size_t bindingNamed(const QString &id) {
    const auto knobs = knobBindings();
    for (std::size_t k = 0; k < knobs.size(); ++k)
        if (knobs[k].id == id)
            return k;
    qFatal("no such knob");
}

double iterationOf(SessionState state, Side side) {
    const auto scenario = makeScenario(state, side);
    return (*simulate(*scenario))->iterationSeconds;
}

} // namespace

class TestSweeps : public QObject, WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        start();
        QVERIFY(open());
    }
    void cleanup() { stop(); }

    void axesCoverTheKnob() {
        const SweepAxis bandwidth = sweepAxis(bindingNamed(QStringLiteral("bandwidth")), 5);
        const KnobInfo info = knobBindings()[bandwidth.dimension].info;
        QCOMPARE(bandwidth.values.front(), info.least);
        COMPARE_CLOSE(bandwidth.values.back(), info.most, 1e-12);
        COMPARE_WITHIN(bandwidth.values[1] / bandwidth.values[0], bandwidth.values[4] / bandwidth.values[3], 1e-9);
        const SweepAxis servers = sweepAxis(bindingNamed(QStringLiteral("servers")), 41);
        QCOMPARE(servers.values.size(), std::size_t(17)); // 0..16 without duplicates
        const SweepAxis workers = mapAxis(bindingNamed(QStringLiteral("workers")), 17);
        QCOMPARE(workers.values, (std::vector<double>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}));
    }

    void aHiddenPlotIsDrawnWhenItIsSeen() {
        auto *plot = &window().sweeps().plot();
        QVERIFY(plot && plot->visibleRegion().isEmpty()); // behind another tab
        int drawn = 0;
        connect(plot, &QCustomPlot::afterReplot, this, [&drawn] { ++drawn; });
        for (const Theme::Setting setting : {Theme::Setting::Light, Theme::Setting::Dark, Theme::Setting::Light}) {
            theme().setSetting(setting);
            QTest::qWait(20);
        }
        QCOMPARE(drawn, 0);
        window().action(QStringLiteral("sweep"))->trigger();
        QTRY_VERIFY(drawn > 0);
        QTRY_VERIFY(plot->grab().toImage().pixelColor(3, 3).lightness() > 200);
    }

    void curveIsWhatTheSimulatorSays() {
        window().action(QStringLiteral("sweep"))->trigger();
        window().sweeps().sweepKnob(QStringLiteral("bandwidth"));
        QVERIFY(complete());
        const auto sweep = window().sweeps().sweep();
        QVERIFY(!sweep->y);
        for (const std::size_t i : {std::size_t(0), sweep->x.values.size() / 2, sweep->x.values.size() - 1})
            for (const Side side : {Side::A, Side::B}) {
                SessionState at = session().state();
                at.bandwidthGbits = sweep->x.values[i];
                QCOMPARE(sweep->points[indexOf(side)][i].iterationSeconds, iterationOf(at, side));
            }
        QCOMPARE(window().sweeps().plot().graph(0)->dataCount(), static_cast<int>(sweep->size()));
    }

    /// As by a user: right-click the knob, choose the first entry of its menu.
    void aKnobsMenuSweepsIt() {
        Knob *knob = window().knobs().knob(QStringLiteral("bandwidth"));
        const QPoint at(6, 6);
        QContextMenuEvent click(QContextMenuEvent::Mouse, at, knob->mapToGlobal(at));
        QApplication::sendEvent(knob, &click);
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QVERIFY(menu && !menu->actions().isEmpty());
        QCOMPARE(menu->actions().first()->text(), QStringLiteral("Sweep this knob…"));
        menu->actions().first()->trigger();
        menu->close();
        QVERIFY(complete());
        QCOMPARE(scenarioSpace()[window().sweeps().sweep()->x.dimension].id, std::string("bandwidth"));
        QTRY_VERIFY(window().sweeps().plot().isVisible());
    }

    /// From zero, unless values span decades: then a tenth of the longest is still drawn well above the shortest.
    void smallValuesAreSeenBesideLargeOnes() {
        window().action(QStringLiteral("sweep"))->trigger();
        QCustomPlot &plot = window().sweeps().plot();
        window().sweeps().sweepKnob(QStringLiteral("latency"));
        QVERIFY(complete());
        plot.replot();
        QCOMPARE(plot.yAxis->range().lower, 0.0);
        window().sweeps().sweepKnob(QStringLiteral("bandwidth"));
        QVERIFY(complete());
        plot.replot();
        const auto &points = window().sweeps().sweep()->points[0];
        double least = points.front().iterationSeconds, most = least;
        for (const SweepPoint &point : points) {
            least = std::min(least, point.iterationSeconds);
            most = std::max(most, point.iterationSeconds);
            QVERIFY(plot.yAxis->range().contains(point.iterationSeconds));
        }
        COMPARE_ABOVE(most, 30 * least);
        const double shown = plot.yAxis->coordToPixel(least) - plot.yAxis->coordToPixel(most / 10);
        COMPARE_ABOVE(shown, plot.axisRect()->height() / 20.0);
        window().sweeps().sweepKnob(QStringLiteral("latency"));
        QVERIFY(complete());
        plot.replot();
        QCOMPARE(plot.yAxis->range().lower, 0.0);
    }

    void clickSetsTheKnobAndKeepsTheCurve() {
        window().action(QStringLiteral("sweep"))->trigger();
        window().sweeps().sweepKnob(QStringLiteral("bandwidth"));
        QVERIFY(complete());
        const auto sweep = window().sweeps().sweep();
        QCustomPlot &plot = window().sweeps().plot();
        plot.replot();
        const QRect rect = plot.axisRect()->rect();
        QTest::mouseClick(&plot, Qt::LeftButton, {}, rect.center());
        QVERIFY(settle());
        const double set = session().state().bandwidthGbits.value_or(0);
        COMPARE_WITHIN(std::log10(set), plot.xAxis->pixelToCoord(rect.center().x()), 0.01);
        QCOMPARE(window().sweeps().sweep(), sweep); // the same curve: only the mark moved
        session().undoStack()->undo();
        QVERIFY(!session().state().bandwidthGbits);
    }

    /// The dots are the present runs, at the present setting: also after the knob was turned along a curve that stays.
    void dotsFollowTheRuns() {
        window().action(QStringLiteral("sweep"))->trigger();
        window().sweeps().sweepKnob(QStringLiteral("bandwidth"));
        QVERIFY(complete());
        const auto sweep = window().sweeps().sweep();
        const QCustomPlot &plot = window().sweeps().plot();
        std::vector<const QCPItemTracer *> dots; // of A and B
        for (int i = 0; i < plot.itemCount(); ++i)
            if (const auto *dot = qobject_cast<const QCPItemTracer *>(plot.item(i)))
                dots.push_back(dot);
        QCOMPARE(dots.size(), std::size_t{2});
        for (const std::size_t i : {std::size_t{5}, std::size_t{35}}) {
            SessionState next = session().state();
            next.bandwidthGbits = sweep->x.values[i];
            session().change(next, QStringLiteral("test"));
            QVERIFY(settle());
            QCOMPARE(window().sweeps().sweep(), sweep);
            for (const Side side : {Side::A, Side::B}) {
                const QCPItemTracer &dot = *dots[indexOf(side)];
                QVERIFY(dot.visible());
                COMPARE_WITHIN(dot.position->coords().x(), std::log10(sweep->x.values[i]), 1e-9);
                COMPARE_CLOSE(dot.position->coords().y(), sweep->points[indexOf(side)][i].iterationSeconds, 1e-9);
            }
        }
    }

    /// A sweep that counted steps is named so until one that counts samples takes its place.
    void theRateIsThatOfTheCurve() {
        SessionState next = session().state();
        auto job = std::make_shared<Job>(*next.job);
        job->batchSize = 0;
        next.job = job;
        session().change(next, QStringLiteral("No batch"));
        window().action(QStringLiteral("sweep"))->trigger();
        window().sweeps().sweepKnob(QStringLiteral("bandwidth"));
        QVERIFY(settle() && complete());
        const auto rate = [this] { return window().sweeps().measureBox().itemText(1); };
        QCOMPARE(rate(), QStringLiteral("steps/s"));
        window().sweeps().measureBox().setCurrentIndex(1);
        window().findChild<SweepPlot *>()->resize(500, 300); // with room for captions
        QCOMPARE(window().sweeps().plot().yAxis->label(), QStringLiteral("steps/s"));
        const auto before = window().sweeps().sweep();
        next = session().state();
        next.job = std::make_shared<const Job>(*withBatch(*next.job, 32));
        session().change(next, QStringLiteral("Batch"));
        QCOMPARE(window().sweeps().sweep(), before);
        QCOMPARE(rate(), QStringLiteral("steps/s"));
        QTRY_VERIFY_WITH_TIMEOUT(window().sweeps().sweep() && window().sweeps().sweep() != before, syncopate::testing::patience);
        QCOMPARE(rate(), QStringLiteral("samples/s"));
    }

    /// A stopped sweep is not continued by that of another job, whose columns differ.
    void anotherJobIsAnotherSweep() {
        Sweep stopped{session().state(), sweepAxis(bindingNamed(QStringLiteral("bandwidth")), 5), {}, {}, 3};
        stopped.state.compare = false;
        stopped.points[0].resize(stopped.size());
        Sweep more = stopped, other = stopped;
        more.done = other.done = 4;
        auto job = std::make_shared<Job>(*stopped.state.job);
        job->batchSize = 0;
        other.state.job = job;
        SweepModel model;
        const auto names = [&model] {
            QStringList headers;
            for (int column = 0; column < model.columnCount(); ++column)
                headers += model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
            return headers;
        };
        model.setSweep(std::make_shared<const Sweep>(stopped));
        QVERIFY2(names().contains(QStringLiteral("Samples/s")), qPrintable(names().join(u',')));
        model.setPinned(2, true);
        model.setSweep(std::make_shared<const Sweep>(more));
        QVERIFY(model.isPinned(2));
        model.setSweep(std::make_shared<const Sweep>(other));
        QVERIFY2(names().contains(QStringLiteral("Steps/s")), qPrintable(names().join(u',')));
        QVERIFY(!model.isPinned(2));
    }

    /// Points of other knobs are other scenarios, also where their sweep is done before it is first shown.
    void anotherSettingLeavesNoPins() {
        Sweep before{session().state(), sweepAxis(bindingNamed(QStringLiteral("bandwidth")), 5), {}, {}, 10};
        for (auto &points : before.points)
            points.resize(before.size());
        Sweep after = before;
        after.state.workers = before.state.workers.value_or(0) == 4 ? 6 : 4;
        SweepModel model;
        model.setSweep(std::make_shared<const Sweep>(before));
        model.setPinned(2, true);
        model.setSweep(std::make_shared<const Sweep>(after));
        QVERIFY(!model.isPinned(2));
    }

    /// A filter by a column that the next sweep does not have hides nothing, and no row is asked for that column.
    void aFilterEndsWithItsColumn() {
        Sweep both{session().state(), sweepAxis(bindingNamed(QStringLiteral("bandwidth")), 5), {}, {}, 10};
        both.state.compare = true;
        for (auto &points : both.points)
            points.assign(both.size(), {.iterationSeconds = 1, .samplesPerSecond = 1, .error = {}});
        Sweep alone = both;
        alone.state.compare = false;
        alone.points[1].clear();
        alone.done = 5;
        auto *model = new SweepModel;
        RunsTable table(theme(), model,
                        {.name = {}, .toolTip = {}, .filterName = {}, .filterExample = {}, .keys = {}, .rows = [](int rows) {
                             return QString::number(rows);
                         }});
        model->setSweep(std::make_shared<const Sweep>(both));
        table.filter().setText(QStringLiteral("difference<-1s"));
        QVERIFY(!table.filter().error());
        QCOMPARE(table.proxy().rowCount(), 0);
        model->setSweep(std::make_shared<const Sweep>(alone));
        QVERIFY(table.filter().error());
        QCOMPARE(table.proxy().rowCount(), 5);
        model->setSweep(std::make_shared<const Sweep>(both));
        QVERIFY(!table.filter().error());
        QCOMPARE(table.proxy().rowCount(), 0);
    }

    /// In a map of differences the colour for "better" is where B is faster, in either measure.
    void betterIsFasterInEitherMeasure() {
        Sweep sweep{session().state(),
                    sweepAxis(bindingNamed(QStringLiteral("bandwidth")), 2),
                    sweepAxis(bindingNamed(QStringLiteral("latency")), 2),
                    {},
                    8};
        sweep.points[0].assign(sweep.size(), {.iterationSeconds = 2, .samplesPerSecond = 50, .error = {}});
        sweep.points[1].assign(sweep.size(), {.iterationSeconds = 1, .samplesPerSecond = 100, .error = {}});
        SweepModel model;
        SweepPlot plot(theme(), session(), model);
        model.setSweep(std::make_shared<const Sweep>(sweep));
        QCPColorMap *map = nullptr;
        for (int i = 0; i < plot.plot().plottableCount() && !map; ++i)
            map = qobject_cast<QCPColorMap *>(plot.plot().plottable(i));
        QVERIFY(map);
        for (const auto measure : {SweepPlot::Measure::IterationTime, SweepPlot::Measure::SamplesPerSecond}) {
            plot.setShown(measure, SweepPlot::Shown::Difference);
            const QCPRange range = map->dataRange();
            const double place = (map->data()->cell(0, 0) - range.lower) / range.size();
            QVERIFY2(place == 0 || place == 1, qPrintable(QString::number(place)));
            QCOMPARE(map->gradient().colorStops().value(place), theme().color(ColorId::Better));
        }
    }

    void otherKnobsSweepAgain() {
        window().action(QStringLiteral("sweep"))->trigger();
        window().sweeps().sweepKnob(QStringLiteral("bandwidth"));
        QVERIFY(complete());
        const auto before = window().sweeps().sweep();
        SessionState next = session().state();
        next.workers = 4;
        session().change(next, QStringLiteral("test"));
        QVERIFY(QTest::qWaitFor([&] { return window().sweeps().sweep() != before; }, syncopate::testing::patience));
        QVERIFY(complete());
        QCOMPARE(window().sweeps().sweep()->state.workers.value_or(0), 4);
    }

    void sweepOfAStateBeforeIsNotKept() {
        window().action(QStringLiteral("sweep"))->trigger();
        SweepPreset &panel = window().sweeps();
        panel.sweepKnob(QStringLiteral("bandwidth"));
        QVERIFY(complete());
        SessionState next = session().state();
        next.workers = next.workers.value_or(0) == 6 ? 5 : 6;
        session().change(next, QStringLiteral("test"));
        panel.setSeen(false); // before the new sweep is started
        panel.setSeen(true);
        QVERIFY(QTest::qWaitFor([&] { return panel.sweep() && panel.sweep()->state.workers == next.workers; },
                                syncopate::testing::patience));
        QVERIFY(complete());
    }

    void stopKeepsWhatIsThere() {
        window().action(QStringLiteral("sweep"))->trigger();
        SweepPreset &panel = window().sweeps();
        panel.yBox().setCurrentIndex(panel.yBox().findData(static_cast<int>(bindingNamed(QStringLiteral("latency")))));
        QVERIFY(panel.stopButton().isEnabled());
        QVERIFY(QTest::qWaitFor([&] { return panel.sweep() && panel.sweep()->done > 0; }, syncopate::testing::patience));
        const auto stopped = panel.sweep();
        QVERIFY(!stopped->isComplete());
        QTest::mouseClick(&panel.stopButton(), Qt::LeftButton);
        QCOMPARE(panel.stateLabel().text(),
                 QStringLiteral("stopped at %1 of %2 simulations").arg(stopped->done).arg(stopped->total()));
        QTest::qWait(200); // nothing more arrives
        QCOMPARE(panel.sweep(), stopped);
        panel.setSeen(false); // not even after being hidden for a while
        panel.setSeen(true);
        QCOMPARE(panel.stopButton().text(), QStringLiteral("Again"));
        QTest::mouseClick(&panel.stopButton(), Qt::LeftButton);
        QVERIFY(complete());
        QVERIFY(!panel.stopButton().isEnabled());
        QVERIFY(!panel.stateLine().elapsedLabel().text().isEmpty());
    }

    void pairIsAMap() {
        window().action(QStringLiteral("sweep"))->trigger();
        SweepPreset &panel = window().sweeps();
        panel.sweepKnob(QStringLiteral("bandwidth"));
        panel.yBox().setCurrentIndex(panel.yBox().findData(static_cast<int>(bindingNamed(QStringLiteral("latency")))));
        QVERIFY(QTest::qWaitFor([&] { return panel.sweep() && panel.sweep()->y && panel.sweep()->isComplete(); },
                                syncopate::testing::patience));
        const auto sweep = panel.sweep();
        const std::size_t rows = sweep->y->values.size();
        SessionState at = session().state();
        at.bandwidthGbits = sweep->x.values[3];
        at.latencySeconds = sweep->y->values[5];
        QCOMPARE(sweep->points[0][3 * rows + 5].iterationSeconds, iterationOf(at, Side::A));
        // More bandwidth is never slower, more latency never faster, for sequential all-reduces.
        for (std::size_t i = 1; i < sweep->x.values.size(); ++i)
            for (std::size_t j = 0; j < rows; ++j)
                QVERIFY(sweep->points[0][i * rows + j].iterationSeconds <=
                        sweep->points[0][(i - 1) * rows + j].iterationSeconds * (1 + 1e-9));
    }

    /// The table has the same points as the plot, with the swept knob's name and unit, and its rows set the knob.
    void pointsAreATableToo() {
        window().action(QStringLiteral("sweep"))->trigger();
        SweepPreset &panel = window().sweeps();
        RunsTable &table = panel.table();
        QAbstractItemModel *model = table.proxy().sourceModel();
        const QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QAbstractItemModelTester proxy(&table.proxy(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        panel.sweepKnob(QStringLiteral("latency"));
        QVERIFY(complete());
        panel.sweepKnob(QStringLiteral("bandwidth"));
        QVERIFY(complete());
        window().runs().viewBox().setCurrentText(QStringLiteral("table"));
        QVERIFY(table.isVisible());
        const auto sweep = panel.sweep();
        const KnobInfo info = knobBindings()[sweep->x.dimension].info;
        QCOMPARE(model->rowCount(), static_cast<int>(sweep->size()));
        QCOMPARE(model->headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), info.name);
        for (int row = 0; row < model->rowCount(); ++row) {
            const auto i = static_cast<std::size_t>(row);
            QCOMPARE(model->index(row, 1).data(Qt::UserRole).toDouble(), sweep->x.values[i]);
            QCOMPARE(model->index(row, 2).data(Qt::UserRole).toDouble(), sweep->points[0][i].iterationSeconds);
            QCOMPARE(model->index(row, 4).data(Qt::UserRole).toDouble(), sweep->points[1][i].iterationSeconds);
        }
        QCOMPARE(model->index(0, 1).data().toString(), info.format(sweep->x.values[0]));

        table.filter().setText(QStringLiteral("bandwidth>%1").arg(sweep->x.values[30], 0, 'g', 17));
        QVERIFY2(!table.filter().error(), qPrintable(table.stateLabel().text()));
        QCOMPARE(table.proxy().rowCount(), static_cast<int>(sweep->size()) - 31);
        table.select(35);
        QTest::keyClick(&table.table(), Qt::Key_P);
        table.filter().setText(QStringLiteral("iteration_a<1ns"));
        QCOMPARE(table.proxy().rowCount(), 1); // the pinned one
        QTest::keyClick(&table.table(), Qt::Key_Return);
        QCOMPARE(session().state().bandwidthGbits.value_or(0), sweep->x.values[35]);
        QCOMPARE(panel.sweep(), sweep);
        QVERIFY(settle());
        QCOMPARE(session().run(Side::A)->recording().iterationSeconds, sweep->points[0][35].iterationSeconds);

        panel.yBox().setCurrentIndex(panel.yBox().findData(static_cast<int>(bindingNamed(QStringLiteral("latency")))));
        QVERIFY(QTest::qWaitFor([&] { return panel.sweep() && panel.sweep()->y; }, syncopate::testing::patience));
        QVERIFY(table.filter().error() == std::nullopt);
        QCOMPARE(model->headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Latency"));
        QCOMPARE(model->rowCount(), static_cast<int>(panel.sweep()->size()));
    }

    /// Selected rows are copied; where there are none, the clipboard keeps what it holds.
    void rowsAreCopied() {
        window().action(QStringLiteral("sweep"))->trigger();
        SweepPreset &panel = window().sweeps();
        panel.sweepKnob(QStringLiteral("bandwidth"));
        QVERIFY(complete());
        window().runs().viewBox().setCurrentText(QStringLiteral("table"));
        QTableView &table = panel.table().table();
        table.selectRow(0);
        table.selectionModel()->clearSelection(); // the row stays the current one
        QApplication::clipboard()->setText(QStringLiteral("mine"));
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("mine"));
        table.selectRow(0);
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        const QStringList cells = QApplication::clipboard()->text().split(QLatin1Char('\t'));
        QCOMPARE(cells.value(1), table.model()->index(0, 1).data().toString());
    }

    /// A map, or a curve, over a part of the knobs' ranges; invalid ranges say so.
    void rangesAreSwept() {
        window().action(QStringLiteral("sweep"))->trigger();
        SweepPreset &panel = window().sweeps();
        panel.sweepKnob(QStringLiteral("bandwidth"));
        QVERIFY(complete());
        const auto enter = [](QLineEdit &field, const char *text) {
            field.setText(QString::fromLatin1(text));
            Q_EMIT field.editingFinished();
        };
        enter(panel.xRange(), "2..8");
        QVERIFY(complete());
        const auto &curve = panel.sweep()->x.values;
        QCOMPARE(curve.size(), std::size_t{41});
        QCOMPARE(curve.front(), 2.0);
        QCOMPARE(curve.back(), 8.0);
        COMPARE_CLOSE(curve[20], 4.0, 1e-9); // in equal factors
        enter(panel.xRange(), "2..8:3");
        QVERIFY(complete());
        QCOMPARE(panel.sweep()->x.values, (std::vector<double>{2, 5, 8}));
        panel.yBox().setCurrentIndex(panel.yBox().findData(static_cast<int>(bindingNamed(QStringLiteral("workers")))));
        QVERIFY(panel.yRange().isEnabled());
        enter(panel.yRange(), "3..13");
        QVERIFY(complete());
        QVERIFY(panel.sweep()->y.has_value());
        QCOMPARE(panel.sweep()->y->values, (std::vector<double>{3, 6, 12, 13})); // both ends, as on the command line
        SessionState at = session().state();
        at.bandwidthGbits = 5;
        at.workers = 6;
        QCOMPARE(panel.sweep()->points[0][4 + 1].iterationSeconds, iterationOf(at, Side::A));
        at.workers = 13;
        QCOMPARE(panel.sweep()->points[0][4 + 3].iterationSeconds, iterationOf(at, Side::A));
        enter(panel.yRange(), "4..8"); // an end that the doubling meets is there once
        QVERIFY(complete());
        QCOMPARE(panel.sweep()->y->values, (std::vector<double>{4, 8}));
        enter(panel.yRange(), "13..3");
        QVERIFY(!panel.sweep());
        QVERIFY2(panel.stateLine().state().text.contains(QStringLiteral("goes down")),
                 qPrintable(panel.stateLine().state().text));
        panel.sweepKnob(QStringLiteral("latency")); // another knob has another range
        QVERIFY(panel.xRange().text().isEmpty() && panel.yRange().text().isEmpty());
        QVERIFY(complete());
        enter(panel.xRange(), "8..2");
        QVERIFY(!panel.sweep());
        panel.sweepKnob(QStringLiteral("latency")); // asked for again: not over a range that is none
        QVERIFY(panel.xRange().text().isEmpty());
        QVERIFY(complete());
    }

    /// A map shows each value at its place, however the values are spaced on the knob's axis: here evenly on a logarithmic one.
    void aMapShowsEachValueAtItsPlace() {
        window().action(QStringLiteral("sweep"))->trigger();
        SweepPreset &panel = window().sweeps();
        panel.sweepKnob(QStringLiteral("bandwidth"));
        panel.yBox().setCurrentIndex(panel.yBox().findData(static_cast<int>(bindingNamed(QStringLiteral("latency")))));
        panel.yRange().setText(QStringLiteral("1us..1ms:3:log"));
        panel.xRange().setText(QStringLiteral("1..5:5"));
        Q_EMIT panel.xRange().editingFinished();
        QVERIFY(complete());
        const auto sweep = panel.sweep();
        QCOMPARE(sweep->x.values, (std::vector<double>{1, 2, 3, 4, 5}));
        QVERIFY(sweep->y && sweep->y->values.size() == 3);
        QCPColorMap *map = nullptr;
        for (int i = 0; i < panel.plot().plottableCount() && !map; ++i)
            map = qobject_cast<QCPColorMap *>(panel.plot().plottable(i));
        QVERIFY(map);
        for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                QCOMPARE(map->data()->data(std::log10(sweep->x.values[i]), std::log10(sweep->y->values[j])),
                         sweep->points[0][3 * i + j].iterationSeconds);
        // On either side of the middle between two values.
        const double middle = (std::log10(2) + std::log10(3)) / 2, row = std::log10(sweep->y->values[0]);
        QCOMPARE(map->data()->data(middle - 0.01, row), sweep->points[0][3].iterationSeconds);
        QCOMPARE(map->data()->data(middle + 0.01, row), sweep->points[0][6].iterationSeconds);
        QVERIFY(sweep->points[0][3].iterationSeconds != sweep->points[0][6].iterationSeconds); // else this would prove nothing
    }

    /// As on the command line: they would take gigabytes.
    void tooManyPointsAreRefused() {
        window().action(QStringLiteral("sweep"))->trigger();
        SweepPreset &panel = window().sweeps();
        panel.sweepKnob(QStringLiteral("bandwidth"));
        panel.yBox().setCurrentIndex(panel.yBox().findData(static_cast<int>(bindingNamed(QStringLiteral("latency")))));
        panel.yRange().setText(QStringLiteral("1us..1ms:400"));
        panel.xRange().setText(QStringLiteral("1..40:400"));
        Q_EMIT panel.xRange().editingFinished();
        QVERIFY(!panel.isRunning() && !panel.sweep());
        QVERIFY2(panel.stateLine().state().text.contains(QStringLiteral("160000 points are too many")),
                 qPrintable(panel.stateLine().state().text));
        panel.xRange().setText(QStringLiteral("1..40:2"));
        panel.yRange().setText(QStringLiteral("1us..1ms:2"));
        Q_EMIT panel.xRange().editingFinished();
        QVERIFY(complete());
        QCOMPARE(panel.sweep()->size(), std::size_t{4});
    }

    void knobsOfOtherPoliciesSayWhyNot() {
        window().action(QStringLiteral("sweep"))->trigger();
        window().sweeps().sweepKnob(QStringLiteral("credit"));
        QVERIFY(!window().sweeps().sweep());
        const QCustomPlot &plot = window().sweeps().plot();
        const auto *reason = plot.parentWidget()->findChild<QLabel *>();
        QVERIFY(plot.isHidden() && !reason->isHidden()); // no empty axes
        QVERIFY2(reason->text().contains(QStringLiteral("bytescheduler")), qPrintable(reason->text()));
        QCOMPARE(reason->text(), window().sweeps().stateLine().state().text);
        window().sweeps().sweepKnob(QStringLiteral("bandwidth"));
        QVERIFY(complete());
        QVERIFY(!plot.isHidden() && reason->isHidden());
    }

private:
    bool complete() {
        return QTest::qWaitFor(
            [this] {
                const auto sweep = window().sweeps().sweep();
                return sweep && sweep->isComplete() && !window().sweeps().isRunning(); // not one that another will replace
            },
            syncopate::testing::patience);
    }
};

QTEST_MAIN(TestSweeps)
#include "tst_sweeps.moc"
