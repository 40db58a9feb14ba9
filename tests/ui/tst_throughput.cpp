// SPDX-License-Identifier: GPL-3.0-or-later
// The throughput panel, clicked through and compared with engine/predict called directly.
#include "engine/store/project_file.h"
#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
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
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProcess>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <set>

using namespace syncopate;
using namespace syncopate::ui;

class TestThroughput : public QObject, WindowFixture {
    Q_OBJECT

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
        QTRY_VERIFY(dock->height() >= std::min(360, window().height() * 2 / 5) - 2);
        QVERIFY(dock->height() > before);
        variables->raise();
        QTRY_COMPARE(variables->height(), before);
        // A height that the user chooses in the meantime is kept.
        window().action(QStringLiteral("throughput"))->trigger();
        QTRY_VERIFY(dock->height() > before);
        const int given = dock->height();
        window().resizeDocks({dock}, {given + 60}, Qt::Vertical);
        QTRY_VERIFY(dock->height() > given);
        const int chosen = dock->height();
        variables->raise();
        QTRY_VERIFY(!variables->visibleRegion().isEmpty());
        QTest::qWait(50);
        QCOMPARE(variables->height(), chosen);
    }

    void nothingIsPredictedUnseen() {
        QTest::qWait(300);
        QVERIFY(!panel().entries().front().forecast);
        QCOMPARE(panel().predictor().status(), Predictor::Status::Idle);
    }

    void curveIsWhatTheEngineSays() {
        QVERIFY(predicted());
        const Prediction expected = byEngine(panel().sheet().setting());
        const auto &points = forecast().prediction.points;
        QCOMPARE(points.size(), std::size_t(4));
        const QCPGraph *graph = panel().plot().plot().graph(0);
        QCOMPARE(graph->dataCount(), 4);
        for (std::size_t i = 0; i < 4; ++i) {
            const Throughput &a = points[i].throughput, &b = expected.points[i].throughput;
            QCOMPARE(a.samplesPerSecond, b.samplesPerSecond);
            QCOMPARE(a.low, b.low);
            QCOMPARE(points[i].cynthia, expected.points[i].cynthia);
            QCOMPARE(points[i].queueing, expected.points[i].queueing);
            QCOMPARE(graph->data()->at(static_cast<int>(i))->value, b.samplesPerSecond);
            QCOMPARE(cell(static_cast<int>(i), PointsModel::Predicted), rateText(b.samplesPerSecond));
        }
        QCOMPARE(forecast().prediction.bottleneckWorkers, expected.bottleneckWorkers);
        QVERIFY(panel().stateLabel().text().contains(QStringLiteral("single step"))); // of a catalogue job
    }

    void everyKnobReachesTheEngine() {
        SettingSheet &sheet = panel().sheet();
        QVERIFY(predicted());
        sheet.workersBox().setValue(3);
        sheet.serversBox().setValue(2);
        sheet.bandwidthBox().setValue(2.5);
        sheet.orderBox().setCurrentIndex(static_cast<int>(TransferOrder::Tac));
        sheet.sharingBox().setCurrentIndex(2);
        sheet.windowBox().setEditText(QStringLiteral("64KiB"));
        QTest::keyClick(sheet.windowBox().lineEdit(), Qt::Key_Return);
        QVERIFY(predicted());
        PredictSetting setting;
        setting.workers = workersUpTo(3);
        setting.servers = 2;
        setting.bandwidthGbits = 2.5;
        setting.order = TransferOrder::Tac;
        setting.sharing = LinkSharing::Uneven;
        setting.windowBytes = 65536;
        setting.steps = 60;
        QVERIFY(sheet.setting() == setting);
        const Prediction expected = byEngine(setting);
        QCOMPARE(forecast().servers(), 2);
        for (std::size_t i = 0; i < 3; ++i)
            QCOMPARE(forecast().prediction.points[i].throughput.samplesPerSecond, expected.points[i].throughput.samplesPerSecond);
        sheet.sharingBox().setCurrentIndex(3);
        QVERIFY(predicted());
        setting.sharing = LinkSharing::Tcp;
        QVERIFY(sheet.setting() == setting);
        QCOMPARE(forecast().prediction.points[2].throughput.samplesPerSecond,
                 byEngine(setting).points[2].throughput.samplesPerSecond);
        // An invalid window is reverted; without recorded transfers the field says why there is no estimate.
        sheet.windowBox().setEditText(QStringLiteral("wide"));
        QTest::keyClick(sheet.windowBox().lineEdit(), Qt::Key_Return);
        QVERIFY(sheet.setting() == setting);
        sheet.windowBox().setCurrentIndex(1);
        Q_EMIT sheet.windowBox().activated(1);
        QVERIFY(QTest::qWaitFor([this] { return panel().predictor().status() == Predictor::Status::Failed; },
                                syncopate::testing::patience));
        QVERIFY(panel().stateLabel().text().contains(QStringLiteral("recorded transfers")));
        QCOMPARE(panel().points().rowCount(), 0); // no curve of other knobs under that message
    }

    /// The options shared by the panel and `predict`, set in both, give the same figures: for a job with several steps, opened
    /// from a file, and for recorded transfers.
    void panelAndCommandLineAgree_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QStringList>("options");
        const QString profiles = QStringLiteral(SYNCOPATE_SOURCE "/sample_data/async_grpc/profiles");
        const QStringList recorded = QDir(profiles).entryList({QStringLiteral("resnet50*off*")}, QDir::Dirs);
        QTest::newRow("steps of a job file") << QString() << QStringList{"--servers", "2", "--sharing", "uneven"};
        QTest::newRow("bounded staleness") << QString() << QStringList{"--staleness", "2"};
        QTest::newRow("synchronous") << QString() << QStringList{"--staleness", "0", "--seed", "5"};
        QTest::newRow("layer by layer") << QString() << QStringList{"--per-layer", "--sharing", "tcp", "--tcp-window", "2MiB"};
        QTest::newRow("background") << QString() << QStringList{"--background", "server0.down:0.5@0-100s", "--bandwidth", "2"};
        if (!recorded.isEmpty()) {
            const QString folder = profiles + QLatin1Char('/') + recorded.first();
            QTest::newRow("recorded transfers") << folder << QStringList{"--bandwidth", "2", "--profile-bandwidth", "1"};
            QTest::newRow("overhead by hand") << folder << QStringList{"--overhead", "2e-10,50us", "--window", "auto"};
        }
    }
    void panelAndCommandLineAgree() {
        QFETCH(QString, source);
        QFETCH(QStringList, options);
        if (source.isEmpty()) {
            QByteArray text = R"({"name": "steps", "batch_size": 8, "layers": [
                {"name": "a", "forward_seconds": 0.01, "backward_seconds": 0.02, "variables": [{"name": "a/w", "shape": [2000000]}]},
                {"name": "b", "forward_seconds": 0.01, "backward_seconds": 0.02, "variables": [{"name": "b/w", "shape": [500000]}]}],
                "step_samples": [)";
            for (int s = 0; s < 7; ++s)
                text += QByteArray(s > 0 ? "," : "") + "{\"forward_seconds\": [0.0" + QByteArray::number(1 + s) +
                        ", 0.01], \"backward_seconds\": [0.02, 0.0" + QByteArray::number(1 + 3 * s % 7) + "]}";
            source = file("steps.json", text + "]}");
        }
        session().open(source, QStringLiteral("A2"));
        QVERIFY(QTest::qWaitFor([&] { return session().state().source == source.toStdString(); }, syncopate::testing::patience));
        QVERIFY(settle());
        SettingSheet &sheet = panel().sheet();
        PredictSetting setting = sheet.setting();
        setting.workers = workersUpTo(3);
        setting.steps = 60;
        setting.warmUp = 5;
        setting.starts = 2;
        for (int o = 0; o < options.size(); ++o) {
            const QString option = options[o], value = options.value(o + 1);
            if (option == QLatin1String("--servers"))
                setting.servers = value.toInt();
            else if (option == QLatin1String("--sharing"))
                setting.sharing = value == QLatin1String("tcp") ? LinkSharing::Tcp : LinkSharing::Uneven;
            else if (option == QLatin1String("--staleness"))
                setting.staleness = value.toInt();
            else if (option == QLatin1String("--warm-up"))
                setting.warmUp = value.toInt();
            else if (option == QLatin1String("--starts"))
                setting.starts = value.toInt();
            else if (option == QLatin1String("--seed"))
                setting.seed = value.toULongLong();
            else if (option == QLatin1String("--per-layer"))
                setting.perLayer = true;
            else if (option == QLatin1String("--tcp-window"))
                setting.tcpWindowBytes = 2 << 20;
            else if (option == QLatin1String("--background"))
                setting.background = {{true, 0, false, 0, 100, 0.5}};
            else if (option == QLatin1String("--bandwidth"))
                setting.bandwidthGbits = value.toDouble();
            else if (option == QLatin1String("--profile-bandwidth"))
                setting.recordedGbits = value.toDouble();
            else if (option == QLatin1String("--overhead"))
                setting.overhead = ParsingOverhead{2e-10, 50e-6};
            else if (option == QLatin1String("--window"))
                setting.windowBytes.reset();
        }
        sheet.setSetting(setting);
        Q_EMIT sheet.settingChanged();
        QVERIFY(predicted());
        // By default, links are shared as in the recorded transfers.
        const bool recorded = hasRecordedTransfers(session().state().profile.get());
        QCOMPARE(forecast().request->generate.sharing, setting.sharing ? *setting.sharing
                                                       : recorded      ? LinkSharing::Tcp
                                                                       : LinkSharing::Equal);
        QProcess process;
        process.start(QStringLiteral(SYNCOPATE_CLI), QStringList{"predict", source, "--cluster", "A2", "--workers", "1-3",
                                                                 "--steps", "60", "--warm-up", "5", "--starts", "2", "--json"} +
                                                         options);
        QVERIFY(process.waitForFinished(syncopate::testing::patience));
        const QByteArray errors = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 0, errors.constData());
        const QJsonArray curve = QJsonDocument::fromJson(process.readAllStandardOutput()).object()["curve"].toArray();
        QCOMPARE(curve.size(), 3);
        for (int p = 0; p < 3; ++p) {
            const CurvePoint &point = forecast().prediction.points[static_cast<std::size_t>(p)];
            // JSON has the shortest exact text of each double: no tolerance but QCOMPARE's.
            QCOMPARE(point.throughput.samplesPerSecond, curve[p]["samples_per_second"].toDouble());
            QCOMPARE(point.throughput.low, curve[p]["low"].toDouble());
            QCOMPARE(point.queueing, curve[p]["queueing"].toDouble());
        }
    }

    /// The knobs with texts, files or conditions.
    void knobsOfTheRest() {
        SettingSheet &sheet = panel().sheet();
        QVERIFY(!sheet.stalenessBox().isEnabled() && sheet.followBox().isEnabled() && !sheet.tcpWindowField().isEnabled());
        QVERIFY(!sheet.overheadBox().isEnabled()); // nothing recorded
        sheet.modeBox().setCurrentIndex(1);
        sheet.stalenessBox().setValue(4);
        QCOMPARE(sheet.setting().staleness, 4);
        QVERIFY(!sheet.followBox().isEnabled()); // only for asynchronous steps
        sheet.modeBox().setCurrentIndex(2);
        QCOMPARE(sheet.setting().staleness, 0);
        sheet.modeBox().setCurrentIndex(0);
        sheet.followBox().setCurrentIndex(1);
        QCOMPARE(sheet.setting().staleness, -1);
        QVERIFY(sheet.setting().perLayer);
        sheet.sharingBox().setCurrentIndex(3);
        sheet.tcpWindowField().setText(QStringLiteral("256KiB"));
        QTest::keyClick(&sheet.tcpWindowField(), Qt::Key_Return);
        QCOMPARE(sheet.setting().tcpWindowBytes, 262144.0);
        sheet.backgroundField().setText(QStringLiteral("worker0.up:0.3@0-2s"));
        QTest::keyClick(&sheet.backgroundField(), Qt::Key_Return);
        QCOMPARE(sheet.setting().background.size(), std::size_t(1));
        QCOMPARE(sheet.setting().background[0].share, 0.3);
        const PredictSetting before = sheet.setting();
        sheet.backgroundField().setText(QStringLiteral("worker0.sideways:0.3@0-2s"));
        QTest::keyClick(&sheet.backgroundField(), Qt::Key_Return);
        QVERIFY(sheet.setting() == before); // reverted, with the reason
        QVERIFY2(sheet.problem().contains(QStringLiteral("sideways")), qPrintable(sheet.problem()));
        QVERIFY(predicted());
        sheet.readBackground(file("bad.csv", "link,from_seconds,to_seconds,share\nworker0.up,0,1,7\n"));
        QVERIFY(
            QTest::qWaitFor([&] { return sheet.problem().contains(QStringLiteral("bad.csv:2")); }, syncopate::testing::patience));
        QVERIFY2(panel().stateLabel().text().contains(QStringLiteral("bad.csv:2")), qPrintable(panel().stateLabel().text()));
        sheet.readBackground(file("good.csv", "link,from_seconds,to_seconds,share\nserver0.down,0,1,0.25\n"));
        QVERIFY(QTest::qWaitFor([&] { return sheet.problem().isEmpty(); }, syncopate::testing::patience));
        QCOMPARE(sheet.backgroundField().text(), QStringLiteral("server0.down:0.25@0-1s"));
        sheet.setRecorded(true);
        QVERIFY(sheet.overheadBox().isEnabled() && !sheet.followBox().isEnabled() && !sheet.setting().perLayer);
        // Three pairs on one line: alpha 1e-9, beta 1e-5.
        sheet.readPairs(file("pairs.csv", "bytes,arrived_us,end_us\n10000,0,20\n20000,100,130\n30000,200,240\n"));
        QVERIFY(QTest::qWaitFor([&] { return sheet.setting().overhead.has_value(); }, syncopate::testing::patience));
        COMPARE_WITHIN(sheet.setting().overhead->secondsPerByte, 1e-9, 1e-15);
        COMPARE_WITHIN(sheet.setting().overhead->seconds, 1e-5, 1e-12);
        QVERIFY(sheet.setting().overheadNote.find("3 pairs") != std::string::npos);
        sheet.startsBox().setValue(2); // another knob keeps the fit
        QVERIFY(sheet.setting().overheadNote.find("3 pairs") != std::string::npos);
        sheet.overheadBox().setEditText(QStringLiteral("3e-10,20us"));
        QTest::keyClick(sheet.overheadBox().lineEdit(), Qt::Key_Return);
        QCOMPARE(sheet.setting().overhead->secondsPerByte, 3e-10);
        COMPARE_WITHIN(sheet.setting().overhead->seconds, 20e-6, 1e-12);
        QVERIFY(sheet.setting().overheadNote.empty());
        for (const QWidget *knob : sheet.findChildren<QWidget *>(Qt::FindDirectChildrenOnly))
            if (knob->focusPolicy() != Qt::NoFocus)
                QVERIFY2(!knob->toolTip().isEmpty(), qPrintable(knob->accessibleName()));
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

    void theSessionsClusterCounts() {
        QVERIFY(predicted());
        const double before = forecast().prediction.points[3].throughput.samplesPerSecond;
        SessionState next = session().state();
        next.bandwidthGbits = 0.5;
        session().change(next, QStringLiteral("test"));
        QVERIFY(predicted());
        COMPARE_BELOW(forecast().prediction.points[3].throughput.samplesPerSecond, before);
        const auto same = panel().entries().front().forecast;
        next = session().state();
        next.side(Side::B).policy = "tic"; // the curve does not depend on it
        session().change(next, QStringLiteral("test"));
        QTest::qWait(300);
        QCOMPARE(panel().entries().front().forecast, same);
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
        QVERIFY(builder >= 0);
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

    void recordedTransfersAreFitted() {
        const QString folder = QStringLiteral(SYNCOPATE_SOURCE "/sample_data/async_grpc/profiles");
        const QStringList profiles = QDir(folder).entryList({QStringLiteral("resnet50*off*")}, QDir::Dirs);
        QVERIFY(!profiles.isEmpty());
        session().open(folder + QLatin1Char('/') + profiles.first());
        QVERIFY(QTest::qWaitFor([this] { return session().state().profile != nullptr; }, syncopate::testing::patience));
        QVERIFY(settle());
        QVERIFY(predicted());
        const auto &reconstruction = forecast().reconstruction;
        QVERIFY(reconstruction && !reconstruction->pairs.empty());
        QCOMPARE(panel().overhead().plot().graph(0)->dataCount(), static_cast<int>(reconstruction->pairs.size()));
        QVERIFY(!panel().stateLabel().text().contains(QStringLiteral("single step")));
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

private:
    [[nodiscard]] ThroughputPanel &panel() { return window().throughput(); }
    [[nodiscard]] const Forecast &forecast() { return *panel().entries().front().forecast; }
    [[nodiscard]] QString cell(int row, int column) { return panel().points().index(row, column).data().toString(); }
    QString file(const QString &name, const QByteArray &text) {
        QFile out(m_folder.filePath(name));
        if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size())
            qFatal("cannot write");
        return out.fileName();
    }
    /// Opens the panel and waits for the complete curve of its knobs and the session.
    bool predicted() {
        window().action(QStringLiteral("throughput"))->trigger();
        return QTest::qWaitFor(
            [this] {
                const auto &made = panel().entries().front().forecast;
                return panel().predictor().status() == Predictor::Status::Done && made && !made->isDraft() &&
                       made->setting == panel().sheet().setting() && made->state.job == session().state().job &&
                       !panel().isOutdated();
            },
            syncopate::testing::patience);
    }
    Prediction byEngine(const PredictSetting &setting) {
        const SessionState &state = session().state();
        const auto request = predictRequest(*state.job, {}, nullptr, effectiveCluster(state, Side::A), setting);
        return *predictCurve(**request);
    }
    QTemporaryDir m_folder;
};

QTEST_MAIN(TestThroughput)
#include "tst_throughput.moc"
