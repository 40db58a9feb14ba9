// SPDX-License-Identifier: GPL-3.0-or-later
// `diff` of docs/command-line.md, on the built program.
#include "tests/cli/cli.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

using namespace syncopate::testing;

namespace {

const QString sample = QStringLiteral(SYNCOPATE_SOURCE "/sample_data/resnet50_cpu_gloo_rank0.json.gz");
const QString recording = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/recordings/rocpd_v3.db");

} // namespace

class TestCliDiff : public QObject {
    Q_OBJECT

private slots:
    void aTraceAndItself() {
        QTemporaryDir dir;
        const QString file = dir.filePath("diff.csv");
        const ProcessResult answer = cli({"diff", sample, sample, "--json", "-o", file});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QJsonObject json = answer.json();
        COMPARE_ABOVE(json["a"].toObject()["steps"].toInt(), 0);
        COMPARE_ABOVE(json["a"].toObject()["step_seconds"].toDouble(), 0);
        qsizetype rows = 0;
        for (const char *by : {"ops", "layers", "streams"}) {
            const QJsonArray table = json[QLatin1String(by)].toArray();
            QVERIFY2(!table.isEmpty(), by);
            rows += table.size();
            for (const QJsonValue &row : table) {
                QCOMPARE(row["delta_seconds"].toDouble(), 0.0);
                QCOMPARE(row["a_count"].toDouble(), row["b_count"].toDouble());
            }
        }
        QFile csv(file);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readLine(), QByteArray("by,name,a_seconds,b_seconds,delta_seconds,a_count,b_count\n"));
        COMPARE_AT_LEAST(csv.readAll().count('\n'), rows);
        const ProcessResult text = cli({"diff", sample, sample, "--rows", "3"});
        QCOMPARE(text.exitCode, 0);
        QVERIFY(text.out.contains("\nlayer ") && text.out.contains(" more\n") && !text.out.contains("%"));
    }

    void whatCannotBeCompared_data() {
        QTest::addColumn<QStringList>("profiles");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("one profile") << QStringList{sample} << QByteArray("At least 2 required");
        QTest::newRow("no such file") << QStringList{sample, "/no/such.json"} << QByteArray("error: /no/such.json: ");
        QTest::newRow("a job") << QStringList{sample, "resnet50"}
                               << QByteArray("error: resnet50: a job has no timeline to compare; give a profile");
    }
    void whatCannotBeCompared() {
        QFETCH(QStringList, profiles);
        QFETCH(QByteArray, says);
        const ProcessResult answer = cli(QStringList{"diff"} + profiles);
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(answer.isOneError() && answer.err.contains(says), answer.err.constData());
        QVERIFY(answer.out.isEmpty());
    }

    void aRecordingWithoutStepsIsComparedWhole() {
        const ProcessResult whole = cli({"diff", recording, recording, "--json"});
        QVERIFY2(whole.exitCode == 0, whole.err.constData());
        QVERIFY(whole.json()["layers"].toArray().isEmpty() && !whole.json()["notes"].toArray().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestCliDiff)
#include "tst_cli_diff.moc"
