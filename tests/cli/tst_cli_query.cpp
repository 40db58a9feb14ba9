// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/checks.h"
#include "tests/cli/cli.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

using namespace syncopate::testing;

namespace {

const QStringList scenario{"--job", "alexnet", "--cluster", "A2", "--strategy", "PSLoadBalancing"};
const QString sample = QStringLiteral(SYNCOPATE_SOURCE "/sample_data/resnet50_cpu_gloo_rank0.json.gz");

} // namespace

class TestCliQuery : public QObject {
    Q_OBJECT

private slots:
    void aScenarioIsAsked() {
        const QJsonObject run = cli(QStringList{"simulate"} + scenario + QStringList{"--json"}).json();
        const ProcessResult answer =
            cli(QStringList{"query"} + scenario +
                QStringList{"SELECT side, max(start_ns) - min(start_ns) AS ns FROM (SELECT side, start_ns FROM steps ORDER BY "
                            "start_ns DESC LIMIT 2 OFFSET 1)",
                            "--json"});
        QCOMPARE(answer.exitCode, 0);
        const QJsonArray rows = answer.json()["rows"].toArray();
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows[0].toArray()[0].toString(), "A");
        COMPARE_CLOSE(rows[0].toArray()[1].toDouble() * 1e-9, run["iteration_seconds"].toDouble(), 0.05);
    }

    void aProfileIsAsked() {
        const ProcessResult imported = cli({"import", sample, "--json"});
        const ProcessResult answer = cli({"query", sample, "SELECT count(*) AS n FROM steps", "--format", "csv"});
        QCOMPARE(answer.exitCode, 0);
        QCOMPARE(answer.out, QByteArray("n\n") + QByteArray::number(imported.json()["steps"].toArray().size()) + '\n');
    }

    void aProjectIsAsked() {
        const QString project = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/projects/format5_search.syncopate");
        const ProcessResult answer =
            cli({"query", project, "SELECT count(*) AS n, count(iteration_ns) AS judged FROM trials", "--json"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        COMPARE_ABOVE(answer.json()["rows"].toArray()[0].toArray()[0].toInt(), 0);
        const ProcessResult sides = cli({"query", project, "SELECT DISTINCT side FROM spans ORDER BY side", "--format", "csv"});
        QVERIFY2(sides.out.startsWith("side\nA\n"), sides.out.constData());
    }

    void tablesAreListed() {
        const ProcessResult answer = cli({"query", "--tables"});
        QCOMPARE(answer.exitCode, 0);
        for (const char *name : {"spans:", "steps:", "tasks:", "variables:", "links:", "trials:", "duration_ns", "iteration_ns"})
            QVERIFY2(answer.out.contains(name), name);
        const QJsonArray tables = cli({"query", "--tables", "--json"}).json()["tables"].toArray();
        QVERIFY(tables.size() >= 6);
        for (const QJsonValue &table : tables) {
            QVERIFY(answer.out.contains(table["name"].toString().toUtf8() + ": "));
            QVERIFY(!table["columns"].toArray().isEmpty());
        }
    }

    void formats() {
        const QStringList ask = QStringList{"query"} + scenario + QStringList{"SELECT 'a' || char(10) || 'b' AS t, 1.5 AS n"};
        QCOMPARE(cli(ask).out, QByteArray("t       n\na\\nb  1.5\n"));
        QCOMPARE(cli(ask + QStringList{"--format", "csv"}).out, QByteArray("t,n\na\\nb,1.5\n"));
        const QTemporaryDir folder;
        const QString file = folder.filePath("r.csv");
        QCOMPARE(cli(ask + QStringList{"--format", "csv", "-o", file}).exitCode, 0);
        QCOMPARE(contentOf(file), QByteArray("t,n\na\\nb,1.5\n"));
        const ProcessResult cut =
            cli(QStringList{"query"} + scenario + QStringList{"SELECT name FROM spans", "--rows", "3", "--json"});
        QCOMPARE(cut.json()["rows"].toArray().size(), 3);
        QVERIFY(cut.json()["is_cut"].toBool());
        QVERIFY(cut.err.startsWith("note: "));
    }

    void refusals() {
        for (const QStringList &bad : {QStringList{"query"}, QStringList{"query", "SELECT 1"},
                                       QStringList{"query"} + scenario + QStringList{"DROP TABLE spans"},
                                       QStringList{"query"} + scenario + QStringList{"SELECT bogus FROM spans"},
                                       QStringList{"query", "/nowhere.json", "SELECT 1"},
                                       QStringList{"query"} + scenario + QStringList{"SELECT 1", "--rows", "0"},
                                       QStringList{"query"} + scenario + QStringList{"SELECT 1", "--format", "xml"},
                                       QStringList{"query", "a", "b", "SELECT 1"}}) {
            const ProcessResult answer = cli(bad);
            QVERIFY2(answer.exitCode == 2 && answer.isOneError(), (bad.join(' ') + ": " + answer.err).toUtf8().constData());
        }
        // A file is asked alone, and --tables prints: what would be ignored is refused by name.
        for (const QStringList &option : {QStringList{"--job", "alexnet"},
                                          {"--cluster", "A2"},
                                          {"--strategy", "PS"},
                                          {"--workers", "3"},
                                          {"--servers", "1"},
                                          {"--bandwidth", "3"},
                                          {"--latency", "1ms"},
                                          {"--policy", "ddp"},
                                          {"--iterations", "9"},
                                          {"--no-fold"},
                                          {"--curves", "x"},
                                          {"--background", "worker0.up:0.3@0-1s"},
                                          {"--measured", "x"},
                                          {"--costs", "e0=x.csv"},
                                          {"--incast", "2"},
                                          {"--batch-size", "8"}}) {
            const ProcessResult answer = cli(QStringList{"query", sample, "SELECT 1"} + option);
            QVERIFY2(answer.exitCode == 2 && answer.err.startsWith("error: " + option.first().toUtf8() + ": "),
                     answer.err.constData());
        }
        for (const QStringList &option : {QStringList{"-o", "tables.txt"}, {"SELECT 1"}}) {
            const ProcessResult answer = cli(QStringList{"query", "--tables"} + option);
            QVERIFY2(answer.exitCode == 2 && answer.isOneError() && answer.err.contains("--tables"), answer.err.constData());
        }
    }
};

QTEST_GUILESS_MAIN(TestCliQuery)
#include "tst_cli_query.moc"
