// SPDX-License-Identifier: GPL-3.0-or-later
// `sweep` and `why` of docs/command-line.md, on the built program: the numbers are those of `simulate`.
#include "tests/checks.h"
#include "tests/cli/cli.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

using namespace syncopate::testing;

namespace {

const QStringList scenario{"--job", "alexnet", "--cluster", "A2"};

double simulated(const QStringList &options) {
    const ProcessResult answer = cli(QStringList{"simulate", "--json"} + scenario + options);
    return answer.exitCode == 0 ? answer.json()["iteration_seconds"].toDouble() : -1;
}

} // namespace

class TestCliSweep : public QObject {
    Q_OBJECT

private slots:
    void aCurveIsSimulations() {
        const QStringList strategy{"--strategy", "PSLoadBalancing", "--latency", "50us"};
        QTemporaryDir dir;
        const QString file = dir.filePath("curve.csv");
        const ProcessResult answer = cli(QStringList{"sweep", "--json"} + scenario + strategy +
                                         QStringList{"--knob", "bandwidth=1..100:3:log", "-o", file});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        QCOMPARE(static_cast<int>(answer.out.count('{')), 1 + 1 + 3); // one object, nothing else
        const QJsonObject json = answer.json();
        QCOMPARE(static_cast<int>(json["knobs"].toArray().size()), 1);
        QCOMPARE(json["knobs"].toArray()[0].toObject()["knob"].toString(), QString("bandwidth"));
        QCOMPARE(json["knobs"].toArray()[0].toObject()["unit"].toString(), QString("Gbit/s"));
        const QJsonArray points = json["points"].toArray();
        QCOMPARE(static_cast<int>(points.size()), 3);
        QFile csv(file);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readLine(), QByteArray("bandwidth_gbits,iteration_seconds,samples_per_second\n"));
        for (const auto &[point, gbits] : {std::pair(0, "1"), {1, "10"}, {2, "100"}}) {
            const QJsonObject at = points[point].toObject();
            QCOMPARE(at["bandwidth"].toDouble(), QString(gbits).toDouble());
            QCOMPARE(at["iteration_seconds"].toDouble(), simulated(strategy + QStringList{"--bandwidth", gbits}));
            COMPARE_ABOVE(at["samples_per_second"].toDouble(), 0);
            const QList<QByteArray> fields = csv.readLine().trimmed().split(',');
            QCOMPARE(static_cast<int>(fields.size()), 3);
            QCOMPARE(fields[1].toDouble(), at["iteration_seconds"].toDouble());
        }
        QVERIFY(csv.atEnd());
    }

    /// More workers are faster and more expensive; points dominated in both are not on the front.
    void theFrontIsMarked() {
        const QStringList question = QStringList{"sweep"} + scenario +
                                     QStringList{"--strategy",   "PSLoadBalancing", "--latency",        "50us",    "--knob",
                                                 "workers=1..4", "--knob",          "bandwidth=1..2:2", "--price", "3.6"};
        const ProcessResult answer = cli(question + QStringList{"--json"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QJsonArray points = answer.json()["points"].toArray();
        QCOMPARE(static_cast<int>(points.size()), 8);
        const auto figure = [&](qsizetype p, const char *key) { return points[p].toObject()[QLatin1String(key)].toDouble(); };
        const auto costOfSample = [&](qsizetype p) { return figure(p, "nodes") / figure(p, "samples_per_second"); };
        int onFront = 0;
        for (qsizetype p = 0; p < points.size(); ++p) {
            COMPARE_CLOSE(figure(p, "nodes"), figure(p, "workers"), 0, "no dedicated servers");
            COMPARE_CLOSE(figure(p, "cost_per_step"), figure(p, "iteration_seconds") * figure(p, "nodes") * 1e-3);
            COMPARE_CLOSE(figure(p, "cost_per_sample"), costOfSample(p) * 1e-3);
            COMPARE_AT_MOST(figure(p, "exposed_communication_seconds"), figure(p, "iteration_seconds"));
            bool beaten = false;
            for (qsizetype q = 0; q < points.size(); ++q) {
                const double faster = figure(q, "samples_per_second") / figure(p, "samples_per_second") - 1;
                const double cheaper = 1 - costOfSample(q) / costOfSample(p);
                beaten = beaten || (faster > -1e-9 && cheaper > -1e-9 && (faster > 1e-9 || cheaper > 1e-9));
            }
            QCOMPARE(points[p].toObject()["pareto_front"].toBool(), !beaten);
            onFront += beaten ? 0 : 1;
        }
        COMPARE_ABOVE(onFront, 1);
        COMPARE_BELOW(onFront, 8);
        QStringList negative = question;
        negative.last() = QStringLiteral("-1");
        const ProcessResult refused = cli(negative);
        QVERIFY2(refused.exitCode == 2 && refused.isOneError() && refused.err.contains("--price: Value -1"),
                 refused.err.constData());
    }

    /// Two knobs, one of them a policy's; changing workers or servers rebuilds the strategy.
    void aMapIsSimulations() {
        const QStringList strategy{"--strategy", "PSLoadBalancing"};
        const ProcessResult answer =
            cli(QStringList{"sweep", "--json"} + scenario + strategy +
                QStringList{"--policy", "bytescheduler", "--knob", "workers=2..8:2", "--knob", "servers=0..2"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QJsonArray points = answer.json()["points"].toArray();
        QCOMPARE(static_cast<int>(points.size()), 6);
        for (const QJsonValue &value : points) {
            const QJsonObject point = value.toObject();
            QCOMPARE(point["iteration_seconds"].toDouble(),
                     simulated(strategy + QStringList{"--policy", "bytescheduler", "--workers",
                                                      QString::number(point["workers"].toInt()), "--servers",
                                                      QString::number(point["servers"].toInt())}));
        }
        const ProcessResult parts = cli(QStringList{"sweep", "--json"} + scenario + strategy +
                                        QStringList{"--policy", "bytescheduler", "--knob", "partition=64KiB..4MiB:2:log"});
        QVERIFY2(parts.exitCode == 0, parts.err.constData());
        QCOMPARE(parts.json()["points"].toArray()[0].toObject()["iteration_seconds"].toDouble(),
                 simulated(strategy + QStringList{"--policy", "bytescheduler(partition=64KiB)"}));
        const ProcessResult table = cli(QStringList{"sweep"} + scenario + strategy +
                                        QStringList{"--knob", "bandwidth=1..10:2", "--knob", "workers=2..4"});
        QCOMPARE(table.exitCode, 0);
        QCOMPARE(static_cast<int>(table.out.count('\n')), 4); // a title, the second knob's values, two lines
    }

    void badKnobsAreRefused_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *name, const QStringList &arguments, const char *says) {
            QTest::newRow(name) << arguments << QByteArray(says);
        };
        row("none", {}, "--knob");
        row("unknown", {"--knob", "bandwith=1..2"}, "bandwidth, latency, workers");
        row("another policy's", {"--knob", "bucket_cap=1MiB..8MiB"}, "the policy is fifo");
        row("reversed", {"--knob", "bandwidth=10..1"}, "smaller value first");
        row("not a number", {"--knob", "bandwidth=nan..1"}, "nan");
        row("zero by factors", {"--knob", "latency=0..1ms:4:log"}, "above 0");
        row("no steps", {"--knob", "bandwidth=1..10:0"}, "steps");
        row("a billion steps", {"--knob", "bandwidth=1..10:1000000000"}, "steps");
        row("too large a map", {"--knob", "bandwidth=1..10:10000", "--knob", "latency=1us..1ms:10000"}, "too many");
        row("twice", {"--knob", "bandwidth=1..10", "--knob", "bandwidth=1..5"}, "twice");
        row("three", {"--knob", "bandwidth=1..2", "--knob", "workers=1..2", "--knob", "servers=0..1"}, "one or two");
        row("no such strategy", {"--strategy", "PSS", "--knob", "bandwidth=1..2"}, "PSS");
    }
    void badKnobsAreRefused() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        const QStringList strategy = arguments.contains("--strategy") ? QStringList{} : QStringList{"--strategy", "PS"};
        const ProcessResult answer = cli(QStringList{"sweep", "--json"} + scenario + strategy + arguments);
        QCOMPARE(answer.exitCode, 2);
        QVERIFY(answer.out.isEmpty());
        QVERIFY2(answer.err.startsWith("error: ") && answer.err.count('\n') == 1 && answer.err.contains(says),
                 answer.err.constData());
    }

    void whyIsSimulations() {
        const QStringList strategy{"--strategy", "PSLoadBalancing", "--policy", "bytescheduler(partition=1MB,credit=4MB)"};
        const ProcessResult answer = cli(QStringList{"why", "--json"} + scenario + strategy);
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QJsonObject json = answer.json();
        const double present = simulated(strategy);
        QCOMPARE(json["iteration_seconds"].toDouble(), present);
        double sum = 0;
        for (const QJsonValue &cause : json["causes"].toArray()) {
            QVERIFY(!cause.toObject()["what"].toString().isEmpty());
            sum += cause.toObject()["seconds"].toDouble();
        }
        COMPARE_CLOSE(sum, present, 1e-9);
        const QJsonObject bounds = json["bounds"].toObject();
        for (const char *bound : {"compute_seconds", "network_seconds", "dependency_seconds"}) {
            const double seconds = bounds[QLatin1String(bound)].toDouble(-1);
            COMPARE_ABOVE(seconds, 0);
            COMPARE_AT_MOST(seconds, present * (1 + 1e-9), bound);
        }
        checkRemedies(json["remedies"].toArray());
        if (QTest::currentTestFailed())
            return;
        // Half and twice the bandwidth, which is 10 Gbit/s or the cluster's.
        bool found = false;
        for (const QJsonValue &value : json["sensitivities"].toArray()) {
            const QJsonObject row = value.toObject();
            if (row["knob"].toString() != "bandwidth")
                continue;
            found = true;
            for (const char *end : {"low", "high"}) {
                const QJsonObject at = row[QLatin1String(end)].toObject();
                QCOMPARE(at["iteration_seconds"].toDouble(),
                         simulated(strategy + QStringList{"--bandwidth", QString::number(at["value"].toDouble(), 'g', 17)}));
            }
            QCOMPARE(row["low"].toObject()["value"].toDouble() * 4, row["high"].toObject()["value"].toDouble());
        }
        QVERIFY(found);
        const ProcessResult text = cli(QStringList{"why"} + scenario + strategy);
        QCOMPARE(text.exitCode, 0);
        for (const char *part : {"because of", "remedies", "lower", "higher\n", "bounds: compute"})
            QVERIFY2(text.out.contains(part), text.out.constData());
    }

    /// Workers that drift apart have the bound of computation alone: the others would be zeros that say nothing.
    void driftingWorkersHaveOneBound() {
        const ProcessResult why = cli(QStringList{"why"} + scenario + QStringList{"--strategy", "PS(sync=False)"});
        QVERIFY2(why.exitCode == 0, why.err.constData());
        QVERIFY2(why.out.contains("for a step of all workers; workers drift apart"), why.out.constData());
        QVERIFY2(!why.out.contains("no traffic"), why.out.constData());
    }

    /// With background traffic on a link, a point of a curve and the step that why explains match simulate.
    void backgroundIsHeeded() {
        const QStringList traffic{"--strategy", "AllReduce", "--background", "worker0.up:0.8@0-1000s"};
        const double slowed = simulated(traffic);
        COMPARE_ABOVE(slowed, 1.2 * simulated({"--strategy", "AllReduce"}), "the traffic takes nothing");
        const ProcessResult swept =
            cli(QStringList{"sweep", "--json", "--knob", "bandwidth=10..20:2"} + scenario + traffic + QStringList{"--no-fold"});
        QVERIFY2(swept.exitCode == 0, swept.err.constData());
        QCOMPARE(swept.json()["points"].toArray()[1].toObject()["iteration_seconds"].toDouble(),
                 simulated(traffic + QStringList{"--bandwidth", "20"}));
        const ProcessResult why = cli(QStringList{"why", "--json"} + scenario + traffic);
        QVERIFY2(why.exitCode == 0, why.err.constData());
        QCOMPARE(why.json()["iteration_seconds"].toDouble(), slowed);
    }

    void remediesArePromises_data() {
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<QString>("policy");
        QTest::newRow("p3") << "PSLoadBalancing"
                            << "p3(slice=1MB)";
        QTest::newRow("ddp") << "AllReduce"
                             << "ddp";
        QTest::newRow("horovod") << "AllReduce"
                                 << "horovod(fusion=8MiB)";
        QTest::newRow("fifo, groups") << "AllReduce(chunk_size=1)"
                                      << "fifo";
    }
    void remediesArePromises() {
        QFETCH(QString, strategy);
        QFETCH(QString, policy);
        const ProcessResult answer =
            cli(QStringList{"why", "--json"} + scenario + QStringList{"--strategy", strategy, "--policy", policy});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        checkRemedies(answer.json()["remedies"].toArray());
    }

    /// A single worker waits for no other: knobs that change nothing are not offered as remedies.
    void computingAloneSaysSo() {
        const ProcessResult answer =
            cli(QStringList{"why"} + scenario + QStringList{"--strategy", "AllReduce", "--workers", "1"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        QVERIFY2(answer.out.contains("compute alone decides"), answer.out.constData());
        QVERIFY2(!answer.out.contains("remedies ("), answer.out.constData());
    }

    void badScenariosAreRefused() {
        const ProcessResult answer = cli(QStringList{"why", "--json"} + scenario + QStringList{"--strategy", "PSS"});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(answer.out.isEmpty() && answer.err.startsWith("error: ") && answer.err.count('\n') == 1, answer.err.constData());
    }

private:
    /// A remedy applied with `simulate` gives the iteration that it promises; the best comes first.
    void checkRemedies(const QJsonArray &remedies) {
        QVERIFY(!remedies.isEmpty());
        QTemporaryDir dir;
        double before = 0;
        for (const QJsonValue &value : remedies) {
            const QJsonObject row = value.toObject();
            if (row.contains("error"))
                continue; // ranked last, without seconds
            const double promised = row["iteration_seconds"].toDouble();
            COMPARE_AT_LEAST(promised, before);
            before = promised;
            QString strategy = row["strategy"].toString();
            if (row["strategy"].isObject()) {
                strategy = dir.filePath("strategy.json");
                QFile file(strategy);
                QVERIFY(file.open(QIODevice::WriteOnly));
                file.write(QJsonDocument(row["strategy"].toObject()).toJson());
            }
            QString cluster = "A2";
            if (row.contains("cluster")) {
                cluster = dir.filePath("cluster.yml");
                QFile file(cluster);
                QVERIFY(file.open(QIODevice::WriteOnly));
                file.write(row["cluster"].toString().toUtf8());
            }
            const ProcessResult tried = cli({"simulate", "--json", "--job", "alexnet", "--cluster", cluster, "--strategy",
                                             strategy, "--policy", row["policy"].toString()});
            QVERIFY2(tried.exitCode == 0, tried.err.constData());
            const double got = tried.json()["iteration_seconds"].toDouble();
            COMPARE_CLOSE(got, promised, 1e-9, row["what"].toString());
        }
        COMPARE_ABOVE(before, 0); // some could be simulated
    }
};

QTEST_GUILESS_MAIN(TestCliSweep)
#include "tst_cli_sweep.moc"
