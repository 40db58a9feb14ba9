// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/validation.h"
#include "tests/checks.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

using namespace syncopate;

class TestValidation : public QObject {
    Q_OBJECT

private slots:
    /// The bounds we promise against real training steps; docs/validation.md has the tables.
    void measured_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<double>("median");
        QTest::addColumn<double>("worst");
        QTest::newRow("ps") << "ps" << 0.02 << 0.10;
        QTest::newRow("ddp") << "ddp" << 0.05 << 0.15;
    }

    void measured() {
        QFETCH(QString, folder);
        QFETCH(double, median);
        QFETCH(double, worst);
        const QString path = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/") + folder;
        const auto validation = validateFolder(path.toStdString());
        QVERIFY2(validation.has_value(), validation ? "" : validation.error().toString().c_str());
        QVERIFY(validation->rows.size() >= 16);
        COMPARE_AT_MOST(validation->medianError, median);
        COMPARE_AT_MOST(validation->maxError, worst);
    }

    /// A run whose time is known in closed form: one worker, one server, one layer, no overlap possible.
    void closedForm() {
        QTemporaryDir dir;
        write(dir, "platform.json", R"({"link_efficiency": 1.0, "message_seconds": 0})");
        write(dir, "runs.csv", "job,architecture,workers,bandwidth_gbits,iteration_seconds_median\none,ps,2,8,0.9\n");
        QDir(dir.path()).mkdir("jobs");
        write(dir, "jobs/one.job.json", R"({"name": "one", "batch_size": 1, "layers": [{"name": "a", "forward_seconds": 0.1,
            "backward_seconds": 0.3, "variables": [{"name": "a/k", "shape": [12500000], "dtype": "float32", "sparse": false}]}]})");
        const auto validation = validateFolder(dir.path().toStdString());
        QVERIFY2(validation.has_value(), validation ? "" : validation.error().toString().c_str());
        // 0.4 s of compute; 2 x 50 MB in and 2 x 50 MB out of the server at 1 GB/s
        COMPARE_WITHIN(validation->rows.front().predictedSeconds, 0.6, 1e-9);
        COMPARE_WITHIN(validation->maxError, 0.3 / 0.9, 1e-9);
    }

    /// Workers that drift apart over links that TCP shares unevenly: the bound is the one that measured/README.md's set is held
    /// to.
    void asynchronous() {
        const std::string folder = SYNCOPATE_SOURCE "/tests/data/measured/async";
        const auto validation = validateFolder(folder);
        QVERIFY2(validation.has_value(), validation ? "" : validation.error().toString().c_str());
        QCOMPARE(validation->rows.size(), std::size_t{6});
        QCOMPARE(validation->rows.front().measuredSeconds, 1 / 1.5121);
        for (const ValidationRow &row : validation->rows)
            COMPARE_CLOSE(row.measuredSeconds, row.predictedSeconds, 0.1, row.job); // of throughput
    }

    void damaged_data() {
        QTest::addColumn<QByteArray>("platform");
        QTest::addColumn<QByteArray>("runs");
        QTest::addColumn<QString>("says");
        const QByteArray good = R"({"link_efficiency": 1.0})";
        const QByteArray header = "job,architecture,workers,bandwidth_gbits,iteration_seconds_median\n";
        QTest::newRow("platform no JSON") << QByteArray("{") << header + "one,ps,1,1,1\n"
                                          << "platform.json";
        QTest::newRow("efficiency out of range") << QByteArray(R"({"link_efficiency": -3})") << header << "link_efficiency";
        QTest::newRow("no header") << good << QByteArray("one,ps,1,1,1\n") << "no column";
        QTest::newRow("empty") << good << QByteArray() << "no run";
        QTest::newRow("short line") << good << header + "one,ps,1\n"
                                    << "runs.csv:2";
        QTest::newRow("NaN") << good << header + "one,ps,1,nan,1\n"
                             << "runs.csv:2";
        QTest::newRow("no workers") << good << header + "one,ps,0,1,1\n"
                                    << "runs.csv:2";
        QTest::newRow("unknown architecture") << good << header + "one,gossip,1,1,1\n"
                                              << "gossip";
        QTest::newRow("no job file") << good << header + "one,ps,1,1,1\n"
                                     << "one.job.json";
    }

    void damaged() {
        QFETCH(QByteArray, platform);
        QFETCH(QByteArray, runs);
        QFETCH(QString, says);
        QTemporaryDir dir;
        write(dir, "platform.json", platform);
        write(dir, "runs.csv", runs);
        const auto validation = validateFolder(dir.path().toStdString());
        QVERIFY(!validation.has_value());
        const QString text = QString::fromStdString(validation.error().toString());
        QVERIFY2(text.contains(says), qPrintable(text));
        QVERIFY2(!validation.error().remedy.empty(), qPrintable(text));
    }

private:
    static void write(const QTemporaryDir &dir, const QString &name, const QByteArray &bytes) {
        QFile file(dir.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
};

QTEST_GUILESS_MAIN(TestValidation)
#include "tst_validation.moc"
