// SPDX-License-Identifier: GPL-3.0-or-later
// Settings in the throughput panel reach engine/predict, as it does from `syncopate-cli predict`.
#include "engine/job/batch.h"
#include "tests/checks.h"
#include "tests/cli/cli.h"
#include "tests/ui/throughput_fixture.h"
#include "ui/theme/qcustomplot.h"
#include "ui/throughput/overhead_view.h"
#include "ui/throughput/setting_sheet.h"
#include "ui/throughput/throughput_panel.h"
#include "ui/throughput/throughput_plot.h"

#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSpinBox>
#include <QTest>
#include <limits>

using namespace syncopate;
using namespace syncopate::ui;

class TestThroughputSettings : public QObject, ThroughputFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        start();
        QVERIFY(open(QStringLiteral("alexnet")));
        panel().sheet().workersBox().setValue(4);
        panel().sheet().stepsBox().setValue(60);
    }
    void cleanup() { stop(); }

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

    /// Values that do not apply to the opened job come back with a job that they apply to.
    void whatIsSetAsideComesBack() {
        constexpr double off = std::numeric_limits<double>::infinity();
        SettingSheet sheet;
        PredictSetting setting;
        setting.windowBytes.reset();
        setting.overhead = ParsingOverhead{2e-10, 50e-6};
        setting.overheadNote = "Fitted to pairs.";
        sheet.setRecorded(true);
        sheet.setSetting(setting);
        for (int job = 0; job < 2; ++job) { // with layers only, one after the other
            sheet.setRecorded(false);
            QCOMPARE(sheet.setting().windowBytes.value_or(0), off);
            QVERIFY(!sheet.setting().overhead && sheet.setting().overheadNote.empty());
        }
        sheet.setRecorded(true);
        QVERIFY(sheet.setting() == setting);
        sheet.setRecorded(false);
        sheet.windowBox().setEditText(QStringLiteral("64KiB")); // chosen meanwhile
        QTest::keyClick(sheet.windowBox().lineEdit(), Qt::Key_Return);
        sheet.setRecorded(true);
        QCOMPARE(sheet.setting().windowBytes.value_or(0), 65536.0);
        QVERIFY(sheet.setting().overhead == setting.overhead);
        // Steps that overlap by layer; and a project's setting is all its own.
        setting = {};
        setting.perLayer = true;
        sheet.setRecorded(false);
        sheet.setSetting(setting);
        sheet.setRecorded(true);
        QVERIFY(!sheet.setting().perLayer && !sheet.setting().overhead);
        sheet.setRecorded(false);
        QVERIFY(sheet.setting() == setting);
        // Not where steps wait for each other meanwhile, and not later.
        sheet.setRecorded(true);
        PredictSetting synchronous = sheet.setting();
        sheet.modeBox().setCurrentIndex(2);
        Q_EMIT sheet.modeBox().activated(2);
        sheet.setRecorded(false);
        sheet.modeBox().setCurrentIndex(0);
        Q_EMIT sheet.modeBox().activated(0);
        sheet.setRecorded(false);
        QVERIFY(sheet.setting() == synchronous);
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
        const syncopate::testing::ProcessResult told =
            syncopate::testing::cli(QStringList{"predict", source, "--cluster", "A2", "--workers", "1-3", "--steps", "60",
                                                "--warm-up", "5", "--starts", "2", "--json"} +
                                    options);
        QVERIFY2(told.exitCode == 0, told.err.constData());
        const QJsonArray curve = told.json()["curve"].toArray();
        QCOMPARE(curve.size(), 3);
        for (int p = 0; p < 3; ++p) {
            const CurvePoint &point = forecast().prediction.points[static_cast<std::size_t>(p)];
            // JSON has the shortest exact text of each double: no tolerance but QCOMPARE's.
            const char *const counted = statesBatch(*session().state().job) ? "samples_per_second" : "steps_per_second";
            QCOMPARE(point.throughput.samplesPerSecond, curve[p][QLatin1String(counted)].toDouble());
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

    /// A text that cannot be read is told although nothing was predicted, and a file that is still being read does not get into
    /// the settings of another project.
    void problemsAreToldAndFilesStayWithTheirProject() {
        SettingSheet &sheet = panel().sheet();
        QVERIFY(!panel().entries().front().forecast);
        sheet.backgroundField().setText(QStringLiteral("worker0.sideways:0.3@0-2s"));
        QTest::keyClick(&sheet.backgroundField(), Qt::Key_Return);
        QVERIFY2(panel().stateLabel().text().contains(QStringLiteral("sideways")), qPrintable(panel().stateLabel().text()));
        sheet.readBackground(file("late.csv", "link,from_seconds,to_seconds,share\nserver0.down,0,1,0.25\n"));
        panel().restore({}, session().state().job);
        QTest::qWait(200);
        QVERIFY(sheet.setting().background.empty());
    }

    /// Numbers of a project that no box has are shown as the nearest, and kept when another knob is turned.
    void numbersBeyondTheBoxesAreKept() {
        SettingSheet sheet;
        const auto *batch = [&sheet]() -> QSpinBox * {
            for (QSpinBox *box : sheet.findChildren<QSpinBox *>())
                if (box->accessibleName() == QStringLiteral("Batch size"))
                    return box;
            qFatal("no box of the batch size");
        }();
        PredictSetting setting = sheet.setting();
        setting.seed = 4294967295U;
        setting.batchSize = 1e300;
        sheet.setSetting(setting);
        QCOMPARE(batch->value(), batch->maximum());
        QCOMPARE(sheet.seedBox().value(), sheet.seedBox().maximum());
        sheet.startsBox().setValue(setting.starts + 1);
        QCOMPARE(sheet.setting().starts, setting.starts + 1);
        QCOMPARE(sheet.setting().batchSize, 1e300);
        QCOMPARE(sheet.setting().seed, std::uint64_t(4294967295U));
        sheet.seedBox().setValue(7);
        QCOMPARE(sheet.setting().seed, std::uint64_t(7));
        QCOMPARE(sheet.setting().batchSize, 1e300);
        setting.batchSize = -1e300;
        sheet.setSetting(setting);
        QCOMPARE(batch->value(), batch->minimum());
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

    /// The curve is of the session's cluster, whatever number of workers its simulations are cut down to, as `predict` has it.
    void theWorkersKnobLeavesTheCurve() {
        Cluster cluster = uniformCluster(2, 10);
        cluster.nodes[1].bandwidthBytesPerSecond /= 10; // the first node alone says nothing about the second
        SessionState next = session().state();
        next.cluster = std::make_shared<const Cluster>(cluster);
        next.workers = 1;
        session().change(next, QStringLiteral("test"));
        QVERIFY(predicted());
        const auto request = predictRequest(*next.job, {}, nullptr, cluster, panel().sheet().setting());
        const Prediction expected = *predictCurve(**request);
        for (std::size_t i = 0; i < 4; ++i)
            QCOMPARE(forecast().prediction.points[i].throughput.samplesPerSecond, expected.points[i].throughput.samplesPerSecond);
        const double alike = byEngine(panel().sheet().setting()).points[3].throughput.samplesPerSecond;
        COMPARE_BELOW(expected.points[3].throughput.samplesPerSecond, 0.9 * alike);
    }

    /// A curve that was kept too early tells so, as it stays as it is.
    void aKeptDraftSaysSo() {
        QVERIFY(predicted());
        std::vector<KeptCurve> curves = panel().curvesToKeep();
        auto draft = std::make_shared<Forecast>(forecast());
        draft->steps = 41;
        curves.push_back({"early", 1, true, draft->setting, draft, {}});
        curves.push_back({"whole", 2, true, draft->setting, std::make_shared<const Forecast>(forecast()), {}});
        panel().restore(curves, session().state().job);
        const auto told = [this](int entry) {
            panel().list().setCurrentRow(entry);
            return panel().stateLabel().text();
        };
        QVERIFY2(told(1).contains(QStringLiteral("draft of 41 steps")), qPrintable(told(1)));
        QVERIFY2(!told(2).contains(QStringLiteral("draft")), qPrintable(told(2)));
    }

    /// Kept curves of settings that give other figures have other names.
    void namesTellSettingsApart() {
        QVERIFY(predicted());
        Forecast one = forecast();
        const QString usual = describe(one);
        one.setting.sharing = LinkSharing::Equal;
        QVERIFY2(describe(one) != usual && describe(one).contains(QStringLiteral("equal shares")), qPrintable(describe(one)));
        one = forecast();
        one.setting.recordedGbits = 2;
        QVERIFY2(describe(one).contains(QStringLiteral("recorded at 2 Gbit/s")), qPrintable(describe(one)));
        QVERIFY2(!usual.contains(QStringLiteral("recorded")) && !usual.contains(QStringLiteral("shares")), qPrintable(usual));
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

private:
    Prediction byEngine(const PredictSetting &setting) {
        const SessionState &state = session().state();
        const auto request = predictRequest(*state.job, {}, nullptr, effectiveCluster(state, Side::A), setting);
        return *predictCurve(**request);
    }
};

QTEST_MAIN(TestThroughputSettings)
#include "tst_throughput_settings.moc"
