// SPDX-License-Identifier: GPL-3.0-or-later
// Scaling and stragglers in the Why panel, used like a user would, compared with the engine.
#include "engine/analyze/scaling.h"
#include "engine/job/batch.h"
#include "tests/checks.h"
#include "tests/profile/rank_traces.h"
#include "tests/ui/window_fixture.h"
#include "ui/theme/qcustomplot.h"
#include "ui/theme/translation.h"
#include "ui/why/scaling_plot.h"
#include "ui/why/scaling_view.h"
#include "ui/why/why_panel.h"

#include <QAction>
#include <QLabel>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <cmath>

using namespace syncopate;
using namespace syncopate::ui;

class TestWhyScaling : public QObject, WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        start();
        QVERIFY(open());
    }
    void cleanup() {
        stop();
        speak({});
    }

    void nothingIsSimulatedUnseen() {
        window().action(QStringLiteral("explain"))->trigger();
        QTest::qWait(500);
        QVERIFY(!view().isRunning() && !view().scaling());
    }

    /// The curve is the engine's, to the last bit, and its knee is stated.
    void theCurveIsTheEngines() {
        showScaling(12);
        const auto shown = view().scaling();
        ScalingOptions options;
        options.to = 12;
        const auto want = findScaling(*recipeOf(session().state(), Side::A), options);
        QVERIFY(want);
        QCOMPARE(shown->points.size(), want->points.size());
        for (std::size_t i = 0; i < want->points.size(); ++i) {
            QCOMPARE(shown->points[i].workers, want->points[i].workers);
            QCOMPARE(shown->points[i].iterationSeconds, want->points[i].iterationSeconds);
            const double got = shown->points[i].lowSamplesPerSecond, low = want->points[i].lowSamplesPerSecond;
            QVERIFY(got == low || (std::isnan(got) && std::isnan(low)));
        }
        QCOMPARE(shown->knee->workers, want->knee->workers);
        QVERIFY2(view().text().text().contains(QStringLiteral("Knee: %1").arg(want->knee->workers)),
                 qPrintable(view().text().text()));
        QVERIFY(view().text().toolTip().contains(QStringLiteral("two thirds")));
    }

    /// All lines of a long finding are on screen, in the width of the plot.
    void noLineOfTheFindingIsCut() {
        window().resize(1280, 720);
        showScaling(4);
        QLabel &text = view().text();
        text.setText(QStringLiteral("Knie: 64 oder mehr Worker, Band 1 bis 64 oder mehr. Einen Benchmark wert: 1, 3, 64"));
        QTest::qWait(250); // docks move
        COMPARE_AT_LEAST(text.width(), view().plot().width());
        COMPARE_AT_LEAST(text.visibleRegion().boundingRect().height(), text.QLabel::heightForWidth(text.width()));
        COMPARE_AT_LEAST(view().plot().height(), 120);
    }

    /// A click sets the workers of the nearest point; the curve stays, as it covers all of them.
    void aClickSetsTheWorkers() {
        showScaling(8);
        const auto before = view().scaling();
        auto *plot = view().plot().findChild<QCustomPlot *>();
        plot->replot();
        for (int i = 0; i < plot->itemCount(); ++i) // texts stand above the lines
            if (qobject_cast<QCPItemText *>(plot->item(i)))
                QCOMPARE(plot->item(i)->layer()->name(), QStringLiteral("axes"));
        const QPoint point(static_cast<int>(plot->xAxis->coordToPixel(4)), plot->axisRect()->center().y());
        QVERIFY2(view().plot().tipAt(point).startsWith(QStringLiteral("4 workers")), qPrintable(view().plot().tipAt(point)));
        auto fast = std::make_shared<Scaling>(*before);
        for (ScalingPoint &one : fast->points)
            one.samplesPerSecond = 19236.4;
        ScalingPlot another(theme());
        another.resize(400, 300);
        another.show();
        QVERIFY(QTest::qWaitForWindowExposed(&another));
        another.set(fast, 0, false, true);
        auto *anotherPlot = another.findChild<QCustomPlot *>();
        anotherPlot->replot();
        const QPoint first(static_cast<int>(anotherPlot->xAxis->coordToPixel(1)), 100);
        QVERIFY2(another.tipAt(first).contains(QStringLiteral(" 19236 samples/s")), qPrintable(another.tipAt(first)));
        QTest::mouseClick(plot, Qt::LeftButton, {}, point);
        QCOMPARE(session().state().workers.value_or(0), 4);
        QVERIFY(settle());
        QVERIFY(view().scaling() == before);
        QVERIFY(!view().isOutdated());
        double iteration = 0;
        for (const ScalingPoint &one : before->points)
            if (one.workers == 4)
                iteration = one.iterationSeconds;
        QCOMPARE(session().run(Side::A)->recording().iterationSeconds, iteration);
    }

    /// Why a number of workers is worth a benchmark, and under which conditions the knee is where, are in the explorer's
    /// language.
    void reasonsAreTranslated() {
        if (languages().size() == 1)
            QSKIP("built without lrelease (qt6-l10n-tools)");
        showScaling(8);
        speak({QStringLiteral("de")});
        auto scaling = std::make_shared<Scaling>(*view().scaling());
        scaling->worth = {
            {1, joined({phrase("%1 instead of %2", Phrase{"network"}, Phrase{"compute"}),
                        phrase("%1, or beyond", phrase("the knee")), phrase("the band's low end"), phrase("the band's high end")},
                       "; ")}};
        for (ScalingPoint &one : scaling->points)
            one.bottleneck.resource = "connections at their own limit";
        ScalingPlot another(theme());
        another.resize(400, 300);
        another.show();
        QVERIFY(QTest::qWaitForWindowExposed(&another));
        another.set(scaling, 0, false, true);
        auto *plot = another.findChild<QCustomPlot *>();
        plot->replot();
        const QString tip = another.tipAt({static_cast<int>(plot->xAxis->coordToPixel(1)), 100});
        QVERIFY2(tip.contains(QStringLiteral("Netz")) && tip.contains(QStringLiteral("Rechnen")), qPrintable(tip));
        for (const char *english : {"instead of", "beyond", "the knee", "band's", "connections", "network"})
            QVERIFY2(!tip.contains(QLatin1String(english)), qPrintable(tip));
        view().rangeBox().setValue(7); // the finding is put into words anew
        QVERIFY(waitForScaling());
        const QString why = view().text().toolTip();
        for (const ScalingCondition &condition : view().scaling()->conditions)
            QVERIFY2(!why.contains(QString::fromStdString(condition.name.english())), qPrintable(why));
    }

    /// Another setting marks the curve as outdated at once, then replaces it.
    void oldCurvesSaySo() {
        showScaling(8);
        const auto before = view().scaling();
        SessionState slow = session().state();
        slow.bandwidthGbits = 1;
        session().change(slow, QStringLiteral("Bandwidth"));
        QVERIFY(view().isOutdated() && view().scaling() == before);
        QVERIFY2(view().text().text().startsWith(QStringLiteral("Of older settings")), qPrintable(view().text().text()));
        QVERIFY(waitForScaling());
        QVERIFY(view().scaling() != before && !view().isOutdated());
        QVERIFY(!view().text().text().startsWith(QStringLiteral("Of older settings")));
    }

    /// A curve that a knob interrupted is not taken for a whole one after the knob is back and the view was hidden meanwhile.
    void anInterruptedCurveIsSimulatedAgain() {
        showScaling(4);
        view().rangeBox().setValue(512);
        QVERIFY(view().isRunning());
        const SessionState before = session().state();
        SessionState slow = before;
        slow.bandwidthGbits = 1;
        session().change(slow, QStringLiteral("Bandwidth"));
        QVERIFY(!view().isRunning());
        window().why().showScaling(false);
        session().change(before, QStringLiteral("Back"));
        QVERIFY(view().isOutdated());
        window().why().showScaling(true);
        QVERIFY(view().isRunning());
        view().rangeBox().setValue(4);
        QVERIFY(waitForScaling());
        QVERIFY(settle());
    }

    /// A batch that is stated later does not make samples of the steps that were counted.
    void theRateIsThatOfTheCurve() {
        SessionState next = session().state();
        auto job = std::make_shared<Job>(*next.job);
        job->batchSize = 0;
        next.job = job;
        session().change(next, QStringLiteral("No batch"));
        QVERIFY(settle());
        showScaling(4);
        const auto *plot = view().plot().findChild<QCustomPlot *>();
        QCOMPARE(plot->yAxis->label(), QStringLiteral("steps/s"));
        next.job = std::make_shared<const Job>(*withBatch(*next.job, 32));
        session().change(next, QStringLiteral("Batch"));
        QVERIFY(view().isOutdated());
        QCOMPARE(plot->yAxis->label(), QStringLiteral("steps/s"));
        QVERIFY(waitForScaling());
        QCOMPARE(plot->yAxis->label(), QStringLiteral("samples/s"));
    }

    void cancellingKeepsWhatIsFound() {
        window().action(QStringLiteral("explain"))->trigger();
        window().why().showScaling(true);
        // On a busy machine all of it may be there when the first of it is seen: then another is started.
        for (int range = 512; range > 500; --range) {
            view().rangeBox().setValue(range);
            QVERIFY(QTest::qWaitFor([&] { return view().scaling() && view().scaling()->options.to == range; },
                                    syncopate::testing::patience));
            if (view().isRunning())
                break;
        }
        QVERIFY(view().isRunning());
        view().button().click();
        QVERIFY(!view().isRunning() && view().scaling() && !view().scaling()->isComplete);
        QVERIFY2(view().text().text().startsWith(QStringLiteral("Cancelled")), qPrintable(view().text().text()));
        const auto kept = view().scaling();
        QTest::qWait(200);
        QVERIFY(view().scaling() == kept);
        view().rangeBox().setValue(4); // starts again
        QVERIFY(waitForScaling());
        QCOMPARE(view().scaling()->options.to, 4);
        window().why().showScaling(false);
        QVERIFY(view().scaling());
    }

    /// Measured ranks: which of them kept the others waiting, with the engine's numbers, instead of causes.
    void measuredRanksAreCompared() {
        QTemporaryDir folder;
        for (int rank = 0; rank < 2; ++rank)
            ranks::write(folder.filePath(QString("trace_%1.json").arg(rank)), ranks::straggler(rank, rank == 1 ? 40 : 0, 40));
        QVERIFY(open(folder.path() + QLatin1Char('/'))); // as a shell completes it
        SessionState state = session().state();
        QCOMPARE(state.source, folder.path().toStdString());
        QVERIFY(state.profile && state.profile->ranks.size() == 2);
        state.compare = true;
        state.side(Side::A) = {Measured{}, {}};
        state.side(Side::B) = {Built{"AllReduce(chunk_size=128)"}, "ddp"};
        session().change(state, QStringLiteral("test"));
        QVERIFY(settle());
        window().action(QStringLiteral("explain"))->trigger();
        window().why().askIteration(Side::A);
        QVERIFY(QTest::qWaitFor([&] { return window().why().stragglers().found() != nullptr; }, syncopate::testing::patience));
        const Stragglers &found = *window().why().stragglers().found();
        COMPARE_CLOSE(found.stepSeconds, 430e-6);
        QTableWidget &table = *window().why().stragglers().rankTable();
        QVERIFY(table.isVisible() && !window().why().causes().isVisible());
        QCOMPARE(table.rowCount(), 2);
        QCOMPARE(table.item(1, 2)->text(), QStringLiteral("40 µs"));
        QVERIFY(table.item(0, 2)->text().isEmpty());
        QVERIFY(window().why().stragglers().stepTable()->isVisible());
        QCOMPARE(window().why().stragglers().stepTable()->rowCount(), 1);
        QVERIFY2(window().why().stragglers().rankText().contains(QStringLiteral("rank 1")),
                 qPrintable(window().why().stragglers().rankText()));
        // The other side is explained as usual.
        window().why().askIteration(Side::B);
        QVERIFY(QTest::qWaitFor([&] { return window().why().answer() && window().why().answer()->complete; },
                                syncopate::testing::patience));
        QVERIFY(window().why().causes().isVisible() && !table.isVisible());
    }

private:
    ScalingView &view() { return window().why().scaling(); }
    bool waitForScaling() {
        return QTest::qWaitFor(
            [this] { return !view().isRunning() && !view().isOutdated() && view().scaling() && view().scaling()->isComplete; },
            syncopate::testing::patience);
    }
    void showScaling(int to) {
        window().action(QStringLiteral("explain"))->trigger();
        view().rangeBox().setValue(to);
        window().why().showScaling(true);
        QVERIFY(waitForScaling());
    }
};

QTEST_MAIN(TestWhyScaling)
#include "tst_why_scaling.moc"
