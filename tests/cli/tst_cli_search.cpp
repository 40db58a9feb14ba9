// SPDX-License-Identifier: GPL-3.0-or-later
// `search` of the command line: docs/command-line.md, on the built program.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <limits>

namespace {

struct Answer {
    int exitCode;
    QByteArray out, err;
    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

Answer cli(const QStringList &arguments) {
    QProcess process;
    process.start(QStringLiteral(SYNCOPATE_CLI), arguments);
    process.waitForFinished(240000);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
            process.readAllStandardError()};
}

QStringList search(const QStringList &more) {
    return QStringList{"search", "--job", "resnet50", "--cluster", "B7", "--bandwidth", "10", "--trials", "20"} + more;
}

} // namespace

class TestCliSearch : public QObject {
    Q_OBJECT

private slots:
    void jsonKeepsTheContract() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("best.pb"));
        const Answer answer = cli(search({"--json", "--seed", "3", "-o", file}));
        QCOMPARE(answer.exitCode, 0);
        const QJsonObject result = answer.json();
        const QJsonObject baselines = result["baselines"].toObject();
        QCOMPARE(baselines.size(), 8);
        double baseline = std::numeric_limits<double>::infinity();
        for (const QJsonValue &seconds : baselines)
            baseline = std::min(baseline, seconds.toDouble());
        const QJsonArray trials = result["trials"].toArray();
        QCOMPARE(trials.size(), 20);
        double best = std::numeric_limits<double>::infinity();
        int hits = 0;
        for (int t = 0; t < 20; ++t) {
            const QJsonObject trial = trials[t].toObject();
            QCOMPARE(trial["trial"].toInt(-1), t);
            best = std::min(best, trial["iteration_seconds"].toDouble());
            hits += trial["iteration_seconds"].toDouble() < baseline ? 1 : 0;
            QCOMPARE(trial["best_so_far_seconds"].toDouble(), best);
            QCOMPARE(trial["hit_rate"].toDouble(), hits / (t + 1.0));
        }
        const QJsonObject found = result["best"].toObject();
        QCOMPARE(found["iteration_seconds"].toDouble(), std::min(best, baseline));
        QVERIFY(found["strategy"].isObject());
        // The file says the same as the figures: simulated again, it takes as long.
        const Answer again =
            cli({"simulate", "--job", "resnet50", "--cluster", "B7", "--bandwidth", "10", "--strategy", file, "--json"});
        QCOMPARE(again.json()["iteration_seconds"].toDouble(), found["iteration_seconds"].toDouble());
        const Answer compared = cli(
            {"simulate", "--job", "resnet50", "--cluster", "B7", "--bandwidth", "10", "--strategy", "PartitionedPS", "--json"});
        QCOMPARE(compared.json()["iteration_seconds"].toDouble(), baselines["PartitionedPS"].toDouble());
    }

    void threadsChangeNothingAndSeedsDo() {
        const auto trials = [](const QStringList &more) {
            return cli(search(QStringList{"--json"} + more)).json()["trials"].toArray();
        };
        const QJsonArray once = trials({"--threads", "1"});
        QVERIFY(!once.isEmpty());
        QCOMPARE(trials({"--threads", "3"}), once);
        QVERIFY(trials({"--seed", "2"}) != once);
    }

    void settingsReachTheSampler() {
        const auto trials = [](const QStringList &more) {
            return cli(search(QStringList{"--json"} + more)).json()["trials"].toArray();
        };
        for (const QJsonValue &trial : trials({"--synchronisers", "ps"}))
            QCOMPARE(trial["groups"].toInt(-1), 0);
        for (const QJsonValue &trial : trials({"--synchronisers", "allreduce", "--groups", "4", "--whole-up-to", "1GB"})) {
            QCOMPARE(trial["servers"].toInt(-1), 0);
            QVERIFY(trial["groups"].toInt() <= 4);
            QCOMPARE(trial["shards"].toInt(), 53 * 4 + 2); // all whole: 53 convolutions with bias and batch norm, one dense
        }
    }

    void textNamesTheBest() {
        const Answer answer = cli(search({}));
        QCOMPARE(answer.exitCode, 0);
        for (const char *part : {"PartitionedAR", "best: ", "hit rate", "20 trials", "c_lb", "c_am", "seed 1"})
            QVERIFY2(answer.out.contains(part), part);
    }

    void badUsage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *name, const QStringList &arguments, const char *says) {
            QTest::newRow(name) << arguments << QByteArray(says);
        };
        row("unknown method", {"--method", "tabu"}, "use one of: random");
        row("parts out of order", {"--parts", "9-3"}, "9 to 3 parts");
        row("parts are no range", {"--parts", "many"}, "--parts 'many'");
        row("too many parts", {"--parts", "2-1e9"}, "1000");
        row("groups", {"--groups", "0"}, "--groups '0'");
        row("size", {"--whole-up-to", "big"}, "'big'");
        row("no slack", {"--balance-slack", "0"}, "slack");
        row("objective", {"--objective", "luck"}, "--objective");
        row("no trials", {"--trials", "0"}, "--trials");
    }
    void badUsage() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        const Answer answer = cli(search(arguments));
        QCOMPARE(answer.exitCode, 2);
        QVERIFY(answer.out.isEmpty());
        QVERIFY2(answer.err.startsWith("error: ") && answer.err.count('\n') == 1, answer.err.constData());
        QVERIFY2(answer.err.contains(says), answer.err.constData());
    }
};

QTEST_GUILESS_MAIN(TestCliSearch)
#include "tst_cli_search.moc"
