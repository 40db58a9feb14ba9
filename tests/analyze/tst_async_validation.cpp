// SPDX-License-Identifier: GPL-3.0-or-later
// Measured asynchronous training (sample_data/async_grpc) against predictions from one worker's profiles.
#include "engine/analyze/async_validation.h"
#include "tests/checks.h"
#include "tests/files.h"

#include <QtTest>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace syncopate;

namespace {
const std::string folder = SYNCOPATE_SOURCE "/sample_data/async_grpc";

} // namespace

class TestAsyncValidation : public QObject {
    Q_OBJECT

private slots:
    /// Promises to users what docs/validation.md reports, with some margin: a model that drifts from the measurements fails.
    void sampleData() {
        AsyncValidationOptions options;
        options.job = "alexnet_over48";
        const auto made = validateAsync(folder, options);
        VERIFY_VALUE(made);
        int single = 0;
        for (const AsyncRow &row : made->rows)
            if (row.workers == 1) {
                ++single;
                COMPARE_WITHIN(row.error(), 0, 0.07,
                               QString("%1 Gbit/s, flow control %2")
                                   .arg(row.configuration.bandwidthGbits)
                                   .arg(row.configuration.flowControl ? "on" : "off"));
            }
        COMPARE_ABOVE(single, 0);
        COMPARE_BELOW(made->medianError, 0.1);
        COMPARE_BELOW(made->maxError, 0.3);
    }

    /// Bursts have tc's units, and sysctl's figures stand between tabs.
    void platformsAreReadAsLinuxPrintsThem() {
        const QTemporaryDir scratch;
        const QString from = QString::fromStdString(folder);
        QVERIFY(QFile::link(from + "/profiles", scratch.filePath("profiles")));
        QVERIFY(QFile::link(from + "/runs.csv", scratch.filePath("runs.csv")));
        AsyncValidationOptions options;
        options.job = "alexnet_over48";
        options.maxWorkers = 1;
        options.steps = 2;
        options.warmUp = 1;
        using Row = std::pair<const char *, const char *>;
        for (const auto &[burst, says] :
             {Row{"128kb", "128 KiB"}, {"128kbit)", "16 KiB"}, {"1Mbit,", "128 KiB"}, {"1540", "1.5"}}) {
            testing::writeFile(scratch.filePath("platform.json"),
                               QString(R"({"shaping": "tbf, burst %1", "tcp": {"net.ipv4.tcp_rmem": "4096\t131072\t262144"}})")
                                   .arg(QLatin1String(burst))
                                   .toUtf8());
            const auto made = validateAsync(scratch.path().toStdString(), options);
            VERIFY_VALUE(made);
            const QString all = QString::fromStdString(fmt::format("{}", fmt::join(made->notes, "\n")));
            QVERIFY2(all.contains(QStringLiteral("bursts of ") + says), qPrintable(all));
            QVERIFY2(all.contains("windows of 128 KiB"), qPrintable(all));
        }
    }

    void hostile_data() {
        QTest::addColumn<QString>("runs");
        QTest::addColumn<QString>("platform");
        QTest::addColumn<QString>("expected");
        const QString header = "job,bandwidth_gbits,flow_control,workers,servers,steps_per_second\n",
                      good = R"({"link_efficiency": 0.9})";
        QTest::newRow("empty") << header << good << "runs.csv";
        QTest::newRow("flow") << header + "a,1,maybe,1,1,2\n" << good << "runs.csv:2";
        QTest::newRow("rate") << header + "a,1,on,1,1,nan\n" << good << "runs.csv:2";
        QTest::newRow("workers") << header + "a,1,on,1000000,1,2\n" << good << "runs.csv:2";
        QTest::newRow("path") << header + "../a,1,on,1,1,2\n" << good << "runs.csv:2";
        QTest::newRow("short") << header + "a,1,on,1\n" << good << "runs.csv:2";
        QTest::newRow("column") << "job,flow_control\na,on\n" << good << "runs.csv:1";
        QTest::newRow("profile") << header + "a,1,on,1,1,2\n" << good << "a_1.0gbits_flow_control_on";
        QTest::newRow("platform") << header + "a,1,on,1,1,2\n"
                                  << "{"
                                  << "platform.json";
        QTest::newRow("efficiency") << header + "a,1,on,1,1,2\n"
                                    << R"({"link_efficiency": 7})"
                                    << "platform.json";
        QTest::newRow("window") << header + "a,1,on,1,1,2\n"
                                << R"({"tcp": {"net.ipv4.tcp_rmem": "1 2 -3"}})"
                                << "platform.json";
        const auto of = [&](const char *name, const char *platform) {
            QTest::newRow(name) << header + "a,1,on,1,1,2\n" << platform << "platform.json";
        };
        of("efficiency as text", R"({"link_efficiency": "0.955"})");
        of("seconds as text", R"({"warmup_seconds": "4"})");
        of("half a core", R"({"cores": 2.5})");
        of("burst of no unit of tc's", R"({"shaping": "tbf, burst 128xb limit 64mb"})");
        of("no text", R"({"shaping": 128})");
        of("no object", R"([{"link_efficiency": 0.9}])");
        of("number in place of an object", R"({"link_efficiency": 0.9, "tcp": 5})");
        of("text in place of an object", R"({"tcp_observed": "65536"})");
        QTest::newRow("half a worker") << header + "a,1,on,1.5,1,2\n" << good << "runs.csv:2";
        QTest::newRow("bandwidth of no folder") << header + "a,0.55,on,1,1,2\n" << good << "runs.csv:2";
        QTest::newRow("cores") << header + "a,1,on,1,1,2\n"
                               << R"({"cores": 0})"
                               << "platform.json";
        QTest::newRow("seconds") << header + "a,1,on,1,1,2\n"
                                 << R"({"warmup_seconds": -1, "measured_seconds": 12})"
                                 << "platform.json";
    }
    void hostile() {
        QFETCH(QString, runs);
        QFETCH(QString, platform);
        QFETCH(QString, expected);
        const QTemporaryDir scratch;
        QVERIFY(QDir(scratch.path()).mkdir("profiles"));
        testing::writeFile(scratch.filePath("runs.csv"), runs.toUtf8());
        testing::writeFile(scratch.filePath("platform.json"), platform.toUtf8());
        QVERIFY(isAsyncFolder(scratch.path().toStdString()));
        const auto made = validateAsync(scratch.path().toStdString());
        QVERIFY(!made);
        QVERIFY2(QString::fromStdString(made.error().toString()).contains(expected), made.error().toString().c_str());
    }
};

QTEST_APPLESS_MAIN(TestAsyncValidation)
#include "tst_async_validation.moc"
