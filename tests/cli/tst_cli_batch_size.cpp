// SPDX-License-Identifier: GPL-3.0-or-later
// A job that does not state its batch: rates are steps of workers and say so; with --batch-size they are samples.
#include "tests/checks.h"
#include "tests/cli/cli.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

using syncopate::testing::cli;
using syncopate::testing::ProcessResult;

class TestCliBatchSize : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// A job file, with a batch or without.
    QString job(const QByteArray &batch = {}) {
        const QString path = m_folder.filePath(batch.isEmpty() ? QStringLiteral("bare.json") : QStringLiteral("stated.json"));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(R"({"name": "j", )" + (batch.isEmpty() ? QByteArray() : R"("batch_size": )" + batch + ", ") +
                       R"("layers": [{"name": "a", "forward_seconds": 0.02, "backward_seconds": 0.04,
                           "variables": [{"name": "a/w", "shape": [1000000]}]}]})");
        return path;
    }
    /// The options that every command needs to simulate that job.
    QStringList scene(const QString &ofJob) { return {"--job", ofJob, "--cluster", "A2", "--workers", "4"}; }
    /// Whether a rate of `point` counts steps alone, and which: 4 workers' steps in each iteration.
    static void checkSteps(const QJsonObject &point) {
        QVERIFY(point.contains("samples_per_second") && point["samples_per_second"].isNull());
        COMPARE_CLOSE(point["steps_per_second"].toDouble(), 4 / point["iteration_seconds"].toDouble());
    }
    static void checkSamples(const QJsonObject &point, double batch) {
        COMPARE_CLOSE(point["samples_per_second"].toDouble(), batch * 4 / point["iteration_seconds"].toDouble());
        COMPARE_CLOSE(point["steps_per_second"].toDouble(), 4 / point["iteration_seconds"].toDouble());
    }

private slots:
    void simulationsCountSteps() {
        const QStringList simulate = QStringList{"simulate", "--strategy", "AllReduce"} + scene(job());
        const ProcessResult bare = cli(simulate + QStringList{"--json"});
        QVERIFY2(bare.exitCode == 0, bare.err.constData());
        checkSteps(bare.json());
        const QByteArray text = cli(simulate).out;
        QVERIFY2(text.contains("steps/s on 4 workers") && text.contains("--batch-size") && !text.contains("samples/s"), text);
        const ProcessResult stated = cli(simulate + QStringList{"--json", "--batch-size", "32"});
        checkSamples(stated.json(), 32);
        QCOMPARE(stated.json()["iteration_seconds"].toDouble(), bare.json()["iteration_seconds"].toDouble());
        QVERIFY(cli(simulate + QStringList{"--batch-size", "32"}).out.contains("samples/s on 4 workers"));
        // As in the file itself.
        const ProcessResult file = cli(QStringList{"simulate", "--json", "--strategy", "AllReduce"} + scene(job("32")));
        QCOMPARE(file.json()["samples_per_second"].toDouble(), stated.json()["samples_per_second"].toDouble());
    }

    void linesOfABatchStateIt() {
        const QList<QJsonObject> lines =
            cli(QStringList{"simulate", "--strategy", "AllReduce", "--batch", "-"} + scene(job()), "{}\n{\"batch_size\": 8}\n")
                .lines();
        QCOMPARE(lines.size(), 2);
        checkSteps(lines[0]);
        checkSamples(lines[1], 8);
    }

    void everyCommandSaysTheSame() {
        const QJsonObject both =
            cli(QStringList{"compare", "--json", "--a", "AllReduce", "--b", "PSLoadBalancing"} + scene(job())).json();
        for (const char *side : {"a", "b"})
            checkSteps(both[side].toObject());
        const QStringList strategy{"--strategy", "AllReduce"};
        checkSteps(cli(QStringList{"trial", "--json"} + strategy + scene(job())).json());
        const QString csv = m_folder.filePath("sweep.csv");
        const QStringList sweep = QStringList{"sweep", "--knob", "bandwidth=1..2:2"} + strategy + scene(job());
        const ProcessResult swept = cli(sweep + QStringList{"--json", "--price", "1", "-o", csv});
        QVERIFY2(swept.exitCode == 0, swept.err.constData());
        for (const auto &point : swept.json()["points"].toArray()) {
            checkSteps(point.toObject());
            QVERIFY(point.toObject()["cost_per_sample"].isNull() && point.toObject()["cost_per_step"].isDouble());
        }
        QFile table(csv);
        QVERIFY(table.open(QIODevice::ReadOnly));
        QCOMPARE(table.readLine(), QByteArray("bandwidth_gbits,iteration_seconds,steps_per_second\n"));
        const QByteArray text = cli(sweep).out;
        QVERIFY2(text.contains("steps/s") && !text.contains("sample"), text);
        const QJsonArray points =
            cli(QStringList{"why", "--json", "--scaling", "2-4", "--job", job(), "--cluster", "A2"} + strategy)
                .json()["scaling"]
                .toObject()["points"]
                .toArray();
        COMPARE_ABOVE(points.size(), 1);
        for (const auto &at : points) {
            const QJsonObject point = at.toObject();
            QVERIFY(point["samples_per_second"].isNull());
            COMPARE_CLOSE(point["steps_per_second"].toDouble(), point["workers"].toInt() / point["iteration_seconds"].toDouble());
        }
    }

    void predictionsCountSteps() {
        for (const QStringList &by :
             {QStringList{"--steps", "60", "--warm-up", "5", "--starts", "1"}, QStringList{"--strategy", "AllReduce"}}) {
            const QStringList predict = QStringList{"predict", job(), "--cluster", "A2", "--workers", "1-2"} + by;
            const ProcessResult bare = cli(predict + QStringList{"--json"}),
                                stated = cli(predict + QStringList{"--json", "--batch-size", "16"});
            QVERIFY2(bare.exitCode == 0 && stated.exitCode == 0, (bare.err + stated.err).constData());
            const QJsonArray steps = bare.json()["curve"].toArray(), samples = stated.json()["curve"].toArray();
            QCOMPARE(steps.size(), 2);
            for (qsizetype p = 0; p < steps.size(); ++p) {
                QVERIFY(steps[p].toObject()["samples_per_second"].isNull());
                const double rate = steps[p].toObject()["steps_per_second"].toDouble();
                COMPARE_ABOVE(rate, 0.0);
                COMPARE_CLOSE(samples[p].toObject()["samples_per_second"].toDouble(), 16 * rate);
                COMPARE_CLOSE(samples[p].toObject()["high"].toDouble(), 16 * steps[p].toObject()["high"].toDouble());
            }
            QVERIFY(cli(predict).out.contains("steps/s") && !cli(predict).out.contains("samples/s"));
        }
    }

    /// The times of a job that states its batch are of that batch: another one is refused.
    void onlyWhatIsUnknownIsStated() {
        const QStringList strategy{"--strategy", "AllReduce"};
        for (const QString &name : {QStringLiteral("alexnet"), job("32")}) {
            const ProcessResult answer = cli(QStringList{"simulate", "--batch-size", "31"} + strategy + scene(name));
            QCOMPARE(answer.exitCode, 2);
            QVERIFY2(answer.isOneError() && answer.err.contains("--batch-size"), answer.err.constData());
        }
        QCOMPARE(cli(QStringList{"simulate", "--batch-size", "32"} + strategy + scene(job("32"))).exitCode, 0);
        // The batch stated in a file can be restated.
        QFile file(m_folder.filePath(QStringLiteral("taken.json")));
        QFile taken(job("32"));
        QVERIFY(file.open(QIODevice::WriteOnly) && taken.open(QIODevice::ReadOnly));
        file.write(taken.readAll().replace(R"("batch_size": 32,)", R"("batch_size": 32, "batch_stated": true,)"));
        file.close();
        checkSamples(cli(QStringList{"simulate", "--json", "--batch-size", "31"} + strategy + scene(file.fileName())).json(), 31);
        for (const char *size : {"0", "-3", "nan", "1e300"})
            QCOMPARE(cli(QStringList{"simulate", "--batch-size", size} + strategy + scene(job())).exitCode, 2);
    }
};

QTEST_GUILESS_MAIN(TestCliBatchSize)
#include "tst_cli_batch_size.moc"
