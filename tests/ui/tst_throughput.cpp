// SPDX-License-Identifier: GPL-3.0-or-later
// The throughput panel, clicked through: curves drawn, kept, measured against and opened as steps.
#include "engine/store/project_file.h"
#include "tests/checks.h"
#include "tests/ui/throughput_fixture.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/theme/qcustomplot.h"
#include "ui/throughput/overhead_view.h"
#include "ui/throughput/setting_sheet.h"
#include "ui/throughput/throughput_panel.h"
#include "ui/throughput/throughput_plot.h"
#include "ui/timeline/timeline_view.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QListWidget>
#include <QMouseEvent>
#include <QPushButton>
#include <QScopeGuard>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <algorithm>
#include <set>

using namespace syncopate;
using namespace syncopate::ui;

class TestThroughput : public QObject, ThroughputFixture {
    Q_OBJECT

    /// A place on the separator above a dock.
    [[nodiscard]] QPoint separatorAbove(const QDockWidget &dock) {
        QPoint at(dock.geometry().center().x(), dock.y());
        while (at.y() > 0 && !window().isSeparator(at))
            at.ry() -= 1;
        return at;
    }
    /// Drags the separator above a dock up until the dock is as high as wanted.
    [[nodiscard]] bool dragTo(const QDockWidget &dock, int height) {
        const QPoint at = separatorAbove(dock);
        const QPoint to = at - QPoint(0, height - dock.height());
        QTest::mousePress(&window(), Qt::LeftButton, {}, at);
        QMouseEvent move(QEvent::MouseMove, to, window().mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(&window(), &move); // QTest's own only moves the pointer
        const bool moved = QTest::qWaitFor([&] { return dock.height() == height; }, syncopate::testing::patience);
        QTest::mouseRelease(&window(), Qt::LeftButton, {}, to);
        return moved;
    }

private Q_SLOTS:
    void init() {
        start();
        QVERIFY(open(QStringLiteral("alexnet")));
        panel().sheet().workersBox().setValue(4);
        panel().sheet().stepsBox().setValue(60);
    }
    void cleanup() { stop(); }

    void panelGetsRoomWhileItIsSeen() {
        auto *variables = window().findChild<QDockWidget *>(QStringLiteral("variables"));
        auto *dock = window().findChild<QDockWidget *>(QStringLiteral("throughput"));
        variables->show();
        variables->raise();
        QTRY_VERIFY(!variables->visibleRegion().isEmpty());
        const int before = variables->height();
        window().action(QStringLiteral("throughput"))->trigger();
        const int room = std::min(360, window().height() * 2 / 5) - 2;
        QTRY_VERIFY(dock->height() >= room);
        COMPARE_ABOVE(dock->height(), before);
        variables->raise();
        QTRY_COMPARE(variables->height(), before);
        // A height that the user chooses in the meantime is kept.
        window().action(QStringLiteral("throughput"))->trigger();
        QTRY_VERIFY(dock->height() >= room);
        const int given = dock->height();
        QVERIFY(dragTo(*dock, given + 60));
        variables->raise();
        QTRY_VERIFY(!variables->visibleRegion().isEmpty());
        QTest::qWait(50);
        QCOMPARE(variables->height(), given + 60);
    }

    /// Long texts pushed the button beyond the panel's edge. Where there is room for the plot alone, the list of curves and the
    /// table have a page of their own.
    void smallWindowsCutNothing_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << QString();
        QTest::newRow("German") << QStringLiteral("de");
    }
    void smallWindowsCutNothing() {
        QFETCH(QString, language);
        const auto english = qScopeGuard([] { speak({}); });
        stop();
        speak({language});
        start({1280, 720});
        QVERIFY(open(QStringLiteral("alexnet")));
        window().action(QStringLiteral("throughput"))->trigger();
        QTabWidget &tabs = panel().tabs();
        for (const QSize size : {QSize(1280, 720), QSize(960, 540), QSize(1280, 720)}) {
            window().resize(size);
            const int pages = size.width() < 1000 ? 3 : 2;
            QTRY_COMPARE(tabs.count(), pages);
            if (language.isEmpty())
                QCOMPARE(tabs.accessibleName(), pages == 3 ? QStringLiteral("Throughput, parsing overhead and curves")
                                                           : QStringLiteral("Throughput and parsing overhead"));
            QCOMPARE(window().size(), size);
            const auto right = [this](const QWidget &part) { return part.mapTo(&panel(), QPoint(part.width(), 0)).x(); };
            QTRY_VERIFY2(right(panel().runButton()) <= panel().width(),
                         qPrintable(QStringLiteral("%1 of %2").arg(right(panel().runButton())).arg(panel().width())));
            QVERIFY(panel().plot().isVisible());
            tabs.setCurrentIndex(pages == 3 ? 2 : 0);
            QTRY_VERIFY(panel().list().isVisible() && panel().table().isVisible());
            COMPARE_AT_MOST(right(panel().table()), panel().width());
            tabs.setCurrentIndex(0);
        }
    }

    /// The list of curves keeps the focus when it gets a page of its own, and when it leaves it.
    void theFocusFollowsTheList() {
        window().resize(1280, 720);
        window().action(QStringLiteral("throughput"))->trigger();
        window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        QTRY_VERIFY(panel().list().isVisible());
        panel().list().setFocus();
        for (const QSize size : {QSize(960, 540), QSize(1280, 720)}) {
            const int pages = panel().tabs().count() == 2 ? 3 : 2;
            window().resize(size);
            QTRY_COMPARE(panel().tabs().count(), pages);
            QTRY_VERIFY(panel().list().isVisible() && panel().list().hasFocus());
        }
        QCOMPARE(panel().tabs().currentIndex(), 0); // not the parsing overhead, which is next to the page that went
    }

    /// A click on a separator chooses no height: the one before comes back.
    void aClickOnASeparatorChoosesNoHeight() {
        auto *variables = window().findChild<QDockWidget *>(QStringLiteral("variables"));
        auto *dock = window().findChild<QDockWidget *>(QStringLiteral("throughput"));
        variables->raise();
        QTRY_VERIFY(!variables->visibleRegion().isEmpty());
        const int before = variables->height();
        window().action(QStringLiteral("throughput"))->trigger();
        QTRY_VERIFY(dock->height() > before && !dock->visibleRegion().isEmpty());
        QTest::mouseClick(&window(), Qt::LeftButton, {}, separatorAbove(*dock));
        variables->raise();
        QTRY_COMPARE(variables->height(), before);
    }

    /// The height before room was made is forgotten when a layout is restored, which has heights of its own.
    void aRestoredLayoutKeepsItsHeights() {
        auto *variables = window().findChild<QDockWidget *>(QStringLiteral("variables"));
        auto *dock = window().findChild<QDockWidget *>(QStringLiteral("throughput"));
        const auto reset = [&] {
            window().action(QStringLiteral("resetLayout"))->trigger();
            QTest::qWait(100); // for work deferred until the layout is there
        };
        reset();
        const int usual = variables->height();
        QVERIFY(dragTo(*variables, usual + 30));
        window().action(QStringLiteral("throughput"))->trigger();
        QTRY_VERIFY(dock->height() > usual + 30 && !dock->visibleRegion().isEmpty());
        reset();
        QVERIFY(!variables->visibleRegion().isEmpty());
        QCOMPARE(variables->height(), usual);
    }

    void nothingIsPredictedUnseen() {
        QTest::qWait(300);
        QVERIFY(!panel().entries().front().forecast);
        QCOMPARE(panel().predictor().status(), Predictor::Status::Idle);
    }
    void curveFollowsAnUndoneJobUnseen() {
        QVERIFY(predicted());
        auto *variables = window().findChild<QDockWidget *>(QStringLiteral("variables"));
        variables->show();
        variables->raise();
        QTRY_VERIFY(!variables->visibleRegion().isEmpty());
        const auto first = session().state().job;
        QVERIFY(openProfile(QStringLiteral("resnet50")));
        QVERIFY(session().state().job != first);
        QVERIFY(panel().entries().front().job == session().state().job);
        session().undoStack()->undo();
        QVERIFY(settle());
        QVERIFY(session().state().job == first);
        QVERIFY(panel().entries().front().job == first);
        QVERIFY(predicted());
    }
    void curvesComeBackWithAProject() {
        QVERIFY(predicted());
        panel().importMeasured(file("points.csv", "workers,samples_per_second\n1,100\n2,150\n"));
        QVERIFY(
            QTest::qWaitFor([this] { return !panel().entries().front().measured.points.empty(); }, syncopate::testing::patience));
        panel().keepCurve();
        panel().list().item(1)->setText(QStringLiteral("before"));
        panel().sheet().serversBox().setValue(2);
        panel().sheet().gainBox().setValue(25);
        QVERIFY(predicted());
        const auto kept = panel().entries()[1].forecast, present = panel().entries()[0].forecast;
        const PredictSetting setting = panel().sheet().setting();
        Project project;
        project.present = session().state();
        project.curves = panel().curvesToKeep();
        const std::string path = m_folder.filePath(QStringLiteral("kept.syncopate")).toStdString();
        QVERIFY(writeProject(project, path).has_value());
        stop();
        start();
        session().open(QString::fromStdString(path));
        QVERIFY(QTest::qWaitFor([this] { return session().state().job && panel().entries().size() == 2; },
                                syncopate::testing::patience));
        QVERIFY(settle());
        QCOMPARE(panel().entries()[1].name, QStringLiteral("before"));
        QVERIFY(panel().sheet().setting() == setting);
        for (const std::size_t e : {0, 1}) {
            QCOMPARE(panel().entries()[e].measured.points.size(), std::size_t(2));
            QCOMPARE(panel().entries()[e].measured.points[1].perSecond, 150.0);
        }
        QVERIFY(predicted());
        for (std::size_t p = 0; p < 4; ++p) {
            QCOMPARE(forecast().prediction.points[p].throughput.samplesPerSecond,
                     present->prediction.points[p].throughput.samplesPerSecond);
            QCOMPARE(panel().entries()[1].forecast->prediction.points[p].throughput.samplesPerSecond,
                     kept->prediction.points[p].throughput.samplesPerSecond);
        }
        // The steps behind a kept point are played again.
        QVERIFY(
            QTest::qWaitFor([this] { return panel().entries()[1].forecast->request != nullptr; }, syncopate::testing::patience));
        panel().openSteps(1, 2);
        QVERIFY(settle());
        QVERIFY(!session().run(Side::B)->simulation());
    }

    void cancelAnswersAndSaysSo() {
        panel().sheet().stepsBox().setValue(1'000'000);
        window().action(QStringLiteral("throughput"))->trigger();
        QVERIFY(QTest::qWaitFor([this] { return panel().predictor().status() == Predictor::Status::Running; },
                                syncopate::testing::patience));
        QTest::keyClick(&panel(), Qt::Key_Escape);
        QCOMPARE(panel().predictor().status(), Predictor::Status::Cancelled);
        QVERIFY(panel().stateLabel().text().contains(QStringLiteral("Cancelled")));
        panel().sheet().stepsBox().setValue(60);
        QVERIFY(predicted());
    }

    void measuredPointsAndTheirErrors() {
        QVERIFY(predicted());
        const auto rate = [this](std::size_t i) { return forecast().prediction.points[i].throughput.samplesPerSecond; };
        const double batch = forecast().batchSize();
        QByteArray text = "job,workers,steps_per_second\n";
        text += "other,1,1\n";
        text += "ours,1," + QByteArray::number(rate(0) / batch / 1.10, 'g', 17) + "\n"; // predicted 10 % too fast
        text += "ours,2," + QByteArray::number(rate(1) / batch / 0.80, 'g', 17) + "\n"; // 20 % too slow
        text += "ours,4," + QByteArray::number(rate(3) / batch, 'g', 17) + "\n";
        text += "ours,9,1\n"; // beyond the curve
        panel().importMeasured(file("points.csv", text));
        QVERIFY(QTest::qWaitFor([this] { return panel().seriesBox().count() == 3; }, syncopate::testing::patience));
        QVERIFY(panel().entries().front().measured.points.empty()); // neither of the two is guessed
        QVERIFY(panel().errorsLabel().text().contains(QStringLiteral("2 series")));
        panel().seriesBox().setCurrentIndex(2);
        Q_EMIT panel().seriesBox().activated(2);
        QCOMPARE(cell(0, PointsModel::ErrorColumn), QStringLiteral("+10.0 %"));
        QCOMPARE(cell(1, PointsModel::ErrorColumn), QStringLiteral("\u221220.0 %"));
        QCOMPARE(cell(2, PointsModel::ErrorColumn), QStringLiteral("–"));
        QCOMPARE(panel().points().rowCount(), 5);
        QCOMPARE(cell(4, PointsModel::Workers), QStringLiteral("9"));
        const QString errors = panel().errorsLabel().text();
        QVERIFY2(errors.contains(QStringLiteral("median error 10.0 %, worst 20.0 % (W = 2)")), qPrintable(errors));
        QVERIFY(errors.contains(QStringLiteral("1 beyond")));
        panel().importMeasured(file("bad.csv", "workers,throughput\n1,-3\n"));
        QVERIFY(QTest::qWaitFor([this] { return panel().errorsLabel().text().contains(QStringLiteral("bad.csv:2")); },
                                syncopate::testing::patience));
    }

    /// The measured points stay when the job's batch is stated, which compares them, and go with the job, also with the one that
    /// its file has come to contain.
    void measuredPointsStayWithTheirJob() {
        panel().importMeasured(file("points.csv", "workers,samples_per_second\n1,30\n2,55\n"));
        QVERIFY(
            QTest::qWaitFor([this] { return panel().entries()[0].measured.points.size() == 2; }, syncopate::testing::patience));
        SessionState stated = session().state();
        Job job = *stated.job;
        job.batchSize *= 2;
        stated.job = std::make_shared<const Job>(job);
        session().change(stated, QStringLiteral("batch"));
        QCOMPARE(panel().entries()[0].measured.points.size(), std::size_t{2});
        SessionState rewritten = stated;
        job = *stated.job;
        job.layers.front().forwardSeconds *= 2;
        rewritten.job = std::make_shared<const Job>(job);
        session().change(rewritten, QStringLiteral("opened again"));
        QVERIFY(panel().entries()[0].measured.points.empty());
        panel().importMeasured(m_folder.filePath(QStringLiteral("points.csv")));
        QVERIFY(QTest::qWaitFor([&] { return panel().entries()[0].measured.points.size() == 2; }, syncopate::testing::patience));
        session().open(QStringLiteral("googlenet"));
        QVERIFY(QTest::qWaitFor([this] { return session().state().job->name == "googlenet"; }, syncopate::testing::patience));
        QVERIFY(panel().entries()[0].measured.points.empty());
    }

    /// Points are those of the curve that was current when the file was chosen, and of none if that is removed before they are
    /// read.
    void measuredPointsGoToTheCurveTheyWereChosenFor() {
        QVERIFY(predicted());
        panel().keepCurve();
        const QString points = file("points.csv", "workers,samples_per_second\n1,100\n8,640\n");
        panel().list().setCurrentRow(0);
        panel().importMeasured(points);
        panel().list().setCurrentRow(1); // before the file is read
        QVERIFY(QTest::qWaitFor(
            [this] { return !(panel().entries()[0].measured.points.empty() && panel().entries()[1].measured.points.empty()); },
            syncopate::testing::patience));
        QCOMPARE(panel().entries()[0].measured.points.size(), std::size_t(2));
        QVERIFY(panel().entries()[1].measured.points.empty());
        panel().importMeasured(points);
        QTest::keyClick(&panel().list(), Qt::Key_Delete);
        QCOMPARE(panel().entries().size(), std::size_t(1));
        panel().importMeasured(file("one.csv", "workers,samples_per_second\n1,100\n"));
        QVERIFY(
            QTest::qWaitFor([this] { return panel().entries()[0].measured.points.size() == 1; }, syncopate::testing::patience));
    }

    void synchronousStepsAreNamedSo() {
        panel().sheet().modeBox().setCurrentIndex(2);
        QVERIFY(predicted());
        panel().openSteps(0, 2);
        QVERIFY(settle());
        const auto *played = std::get_if<Played>(&session().state().side(Side::B).source);
        QVERIFY(played);
        QCOMPARE(QString::fromStdString(played->steps->title), QStringLiteral("synchronous, 2 workers"));
    }

    /// Measured samples need no prediction to be drawn: the axes reach them.
    void measuredPointsAreInViewBeforeAPrediction() {
        panel().importMeasured(file("points.csv", "workers,samples_per_second\n1,100\n8,640\n"));
        QVERIFY(
            QTest::qWaitFor([this] { return !panel().entries().front().measured.points.empty(); }, syncopate::testing::patience));
        QVERIFY(!panel().entries().front().forecast);
        const QCustomPlot &plot = panel().plot().plot();
        for (const auto &[workers, samples] : {std::pair(1.0, 100.0), {8.0, 640.0}}) {
            QVERIFY2(plot.xAxis->range().contains(workers), qPrintable(QString::number(plot.xAxis->range().upper)));
            QVERIFY2(plot.yAxis->range().contains(samples), qPrintable(QString::number(plot.yAxis->range().upper)));
        }
    }

    void priceGivesTheCostOfAMillion() {
        QVERIFY(predicted());
        QVERIFY(panel().table().isColumnHidden(PointsModel::Cost));
        panel().sheet().priceBox().setValue(2);
        QVERIFY(!panel().table().isColumnHidden(PointsModel::Cost));
        const double perHour = forecast().prediction.points[2].throughput.samplesPerSecond * 3600;
        QCOMPARE(cell(2, PointsModel::Cost), rateText(1e6 * (3 + 1) * 2 / perHour)); // three workers and a server
    }

    void clickOpensTheStepsInB() {
        QVERIFY(predicted());
        QCustomPlot &plot = panel().plot().plot();
        plot.replot();
        const CurvePoint &point = forecast().prediction.points[2];
        const QPoint at(static_cast<int>(plot.xAxis->coordToPixel(3)),
                        static_cast<int>(plot.yAxis->coordToPixel(point.throughput.samplesPerSecond)));
        QTest::mouseClick(&plot, Qt::LeftButton, {}, at);
        QVERIFY(settle());
        const auto run = session().run(Side::B);
        QVERIFY(run && std::holds_alternative<Played>(session().state().side(Side::B).source));
        QCOMPARE(run->recording().workers, 3);
        QCOMPARE(run->recording().samplesPerSecond, point.throughput.samplesPerSecond);
        std::set<std::string> names;
        for (const Lane &lane : run->recording().timeline.lanes) {
            names.insert(lane.name);
            QVERIFY2(lane.size() > 0 || lane.name.ends_with(" ps"), lane.name.c_str()); // a job's updates take no time
        }
        QCOMPARE(names.size(), std::size_t(12));
        for (const int worker : {0, 1, 2})
            for (const char *resource : {"downlink", "compute", "uplink", "ps"})
                QVERIFY(names.contains("worker " + std::to_string(worker) + " " + resource));
        QCOMPARE(window().view(Side::B).data(), &run->timeline());
        QCOMPARE(panel().table().currentIndex().row(), 2);
        QCOMPARE(panel().entries().front().forecast->curve()[2].samplesPerSecond, point.throughput.samplesPerSecond);
        session().undoStack()->undo();
        QVERIFY(settle());
        QVERIFY(!std::holds_alternative<Played>(session().state().side(Side::B).source));
        QVERIFY(session().run(Side::B)->simulation());
    }

    void keyboardAloneOpensToo() {
        QVERIFY(predicted());
        QCustomPlot &plot = panel().plot().plot();
        QTest::keyClick(&plot, Qt::Key_Home);
        QTest::keyClick(&plot, Qt::Key_Right);
        QTest::keyClick(&plot, Qt::Key_Return);
        QVERIFY(settle());
        QVERIFY(std::holds_alternative<Played>(session().state().side(Side::B).source));
        QCOMPARE(session().run(Side::B)->recording().workers, 2);
        panel().table().setCurrentIndex(panel().points().index(0, 0));
        QTest::keyClick(&panel().table(), Qt::Key_Return);
        QVERIFY(settle());
        QCOMPARE(session().run(Side::B)->recording().workers, 1);
        // Choosing the builder again that the trace replaced shows its strategy.
        QComboBox *box = nullptr;
        for (QComboBox *one : window().knobs().findChildren<QComboBox *>())
            if (one->accessibleName() == QStringLiteral("Strategy B"))
                box = one;
        QVERIFY(box);
        QCOMPARE(box->currentText(), QStringLiteral("asynchronous, 1 worker"));
        const int builder = box->findText(QString::fromStdString(textOf(session().state().side(Side::B).source)));
        COMPARE_AT_LEAST(builder, 0);
        box->setCurrentIndex(builder);
        Q_EMIT box->activated(builder);
        QVERIFY(settle());
        QVERIFY(!std::holds_alternative<Played>(session().state().side(Side::B).source));
        QVERIFY(session().run(Side::B)->simulation());
    }

    void keptCurvesStayWithTheirJob() {
        QVERIFY(predicted());
        const auto kept = panel().entries().front().forecast;
        panel().keepCurve();
        QCOMPARE(panel().entries().size(), std::size_t(2));
        QVERIFY(panel().entries()[1].color != panel().entries()[0].color);
        panel().list().item(1)->setText(QStringLiteral("before"));
        QCOMPARE(panel().entries()[1].name, QStringLiteral("before"));
        session().open(QStringLiteral("googlenet"));
        QVERIFY(QTest::qWaitFor([this] { return session().state().job->name == "googlenet"; }, syncopate::testing::patience));
        QVERIFY(settle());
        QVERIFY(predicted());
        QCOMPARE(panel().entries()[1].forecast, kept);
        QVERIFY(panel().entries()[0].forecast->state.job->name == "googlenet");
        panel().list().setCurrentRow(1);
        QCOMPARE(cell(0, PointsModel::Predicted), rateText(kept->prediction.points[0].throughput.samplesPerSecond));
        panel().openSteps(1, 2);
        QVERIFY(settle());
        QCOMPARE(session().run(Side::B)->recording().job->name, kept->state.job->name);
        // Hidden curves are not drawn.
        const int graphs = panel().plot().plot().graphCount();
        panel().list().item(0)->setCheckState(Qt::Unchecked);
        QCOMPARE(panel().plot().plot().graphCount(), graphs - 1);
        panel().list().setCurrentRow(1);
        QTest::keyClick(&panel().list(), Qt::Key_Delete);
        QCOMPARE(panel().entries().size(), std::size_t(1));
        QTest::keyClick(&panel().list(), Qt::Key_Delete); // the present one cannot be removed
        QCOMPARE(panel().entries().size(), std::size_t(1));
    }

    void aNewJobTakesTheStepsAway() {
        QVERIFY(predicted());
        panel().openSteps(0, 2);
        QVERIFY(settle());
        session().open(QStringLiteral("googlenet"));
        QVERIFY(QTest::qWaitFor([this] { return session().state().job->name == "googlenet"; }, syncopate::testing::patience));
        QVERIFY(!std::holds_alternative<Played>(session().state().side(Side::B).source));
    }

    void fitIsDrawnAndExplained() {
        Reconstruction made;
        made.fitted = {2e-9, 1e-3};
        made.overheadNote = "Nothing is charged.";
        for (int i = 1; i <= 5; ++i)
            made.pairs.push_back({i * 1e5, 1e-3 + 2e-9 * i * 1e5 + (i == 3 ? 4e-4 : 0)});
        made.errors = {0.011, 0.007, 0.031, 0.052, 5};
        OverheadView view(theme());
        view.show(std::make_shared<const Reconstruction>(made), {});
        const QCPGraph *pairs = view.plot().graph(0), *line = view.plot().graph(1), *residuals = view.plot().graph(2);
        QCOMPARE(pairs->dataCount(), 5);
        for (int i = 0; i < 5; ++i)
            COMPARE_WITHIN(residuals->data()->at(i)->value, i == 2 ? 4e-4 : 0, 1e-12);
        for (const QCPGraphData &at : *line->data())
            COMPARE_WITHIN(at.value, 1e-3 + 2e-9 * at.key, 1e-12);
        for (const char *text : {"1.10 %", "0.70 %", "3.10 %", "5.20 %", "2 ns", "Nothing is charged."})
            QVERIFY2(view.text().text().contains(QString::fromUtf8(text)), text);
        view.show(nullptr, QStringLiteral("why"));
        QCOMPARE(view.text().text(), QStringLiteral("why"));
        QVERIFY(predicted());
        QVERIFY(panel().overhead().text().text().contains(QStringLiteral("no recorded transfers")));
    }

    void modelKeepsItsRules() {
        QVERIFY(predicted());
        const QAbstractItemModelTester tester(&panel().points(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        panel().sheet().workersBox().setValue(6);
        QVERIFY(predicted());
        QCOMPARE(panel().points().rowCount(), 6);
        panel().sheet().priceBox().setValue(1);
        panel().sheet().workersBox().setValue(2);
        QVERIFY(predicted());
        QCOMPARE(panel().points().rowCount(), 2);
    }
};

QTEST_MAIN(TestThroughput)
#include "tst_throughput.moc"
