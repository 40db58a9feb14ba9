// SPDX-License-Identifier: GPL-3.0-or-later
// `syncopate-cli simulate --batch`, on the built program.
#include "tests/checks.h"
#include "tests/cli/cli.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <sys/stat.h>

using namespace syncopate::testing;

namespace {

ProcessResult batch(const QByteArray &lines, const QStringList &defaults = {}) {
    return cli(QStringList{"simulate", "--batch", "-"} + defaults, lines);
}

/// Removes members that differ from run to run, or that a batch adds.
QJsonObject figures(QJsonObject result) {
    result.remove("wall_seconds");
    result.remove("line");
    return result;
}

QString errorOf(const QJsonObject &result, const char *member) {
    return result["error"].toObject()[QLatin1String(member)].toString();
}

} // namespace

class TestCliBatch : public QObject {
    Q_OBJECT

private slots:
    /// Each line's output equals that of a process of its own, even if the previous line built another strategy of the same name,
    /// or the same strategy on another cluster.
    void linesAreWhatProcessesPrint() {
        QTemporaryDir dir;
        const QString strategy = dir.filePath("s.pb"), file = dir.filePath("batch.jsonl");
        QCOMPARE(cli({"build", "--job", "alexnet", "--cluster", "A2", "--builder", "PSLoadBalancing", "-o", strategy}).exitCode,
                 0);
        const QList<QStringList> scenarios{
            {"job", "alexnet", "cluster", "A2", "strategy", "PSLoadBalancing", "workers", "3", "servers", "2"},
            {"job", "alexnet", "cluster", "A2", "strategy", "PSLoadBalancing", "workers", "3", "servers", "1"},
            {"job", "alexnet", "cluster", "A2", "strategy", "PSLoadBalancing", "workers", "4", "servers", "2"},
            {"job", "alexnet", "cluster", "B7", "strategy", "PSLoadBalancing", "policy", "bytescheduler(barrier=off)"},
            {"job", "vgg16", "cluster", "B7", "strategy", "PSLoadBalancing", "bandwidth", "7.3", "latency", "31us"},
            {"job", "alexnet", "cluster", "A2", "strategy", strategy},
            {"job", "vgg16", "cluster", "B7", "strategy", "AllReduce(chunk_size=64)", "policy", "random", "seed", "3"},
            {"job", "vgg16", "cluster", "B7", "strategy", "AllReduce(chunk_size=64)", "policy", "random", "seed", "4"},
            {"job", "vgg16", "cluster", "A2", "strategy", "AllReduce(all_reduce_spec=RING)", "policy", "ddp(algorithm=tree)"},
            {"job", "alexnet", "cluster", "A2", "strategy", "PS", "background", "worker0.up:0.3@0-2s,worker99.up:0.1@0-1s"},
        };
        QByteArray lines;
        for (const QStringList &scenario : scenarios) {
            QJsonObject line;
            for (qsizetype i = 0; i < scenario.size(); i += 2)
                line[scenario[i]] = scenario[i + 1];
            lines += QJsonDocument(line).toJson(QJsonDocument::Compact) + "\n";
        }
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(lines) == lines.size());
        out.close();
        const ProcessResult all = cli({"simulate", "--batch", file, "--json"});
        QVERIFY2(all.exitCode == 0 && all.err.isEmpty(), all.err.constData());
        QCOMPARE(all.lines().size(), scenarios.size());
        for (qsizetype i = 0; i < scenarios.size(); ++i) {
            QStringList arguments{"simulate", "--json"};
            for (qsizetype k = 0; k < scenarios[i].size(); k += 2)
                arguments += {"--" + scenarios[i][k], scenarios[i][k + 1]};
            const ProcessResult one = cli(arguments);
            QCOMPARE(one.lines().size(), 1);
            COMPARE_ABOVE(one.lines()[0]["iteration_seconds"].toDouble(), 0);
            QCOMPARE(all.lines()[i]["line"].toInt(), static_cast<int>(i + 1));
            QCOMPARE(figures(all.lines()[i]), figures(one.lines()[0]));
        }
    }

    /// A training DAG's line prints the plan's object as `simulate` does: of the catalogue, of a file with measured costs and an
    /// own incast, of a plan file; beside a line of a job with layers.
    void dagsArePlayedAsByTheCommand() {
        const QString dag = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/plan/dags/a2a-prefetch.dag.json");
        const QString costs = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/plan/collectives.csv");
        QTemporaryDir dir;
        const QString cluster = dir.filePath("two.yml"), plan = dir.filePath("plan.json");
        QFile yaml(cluster);
        QVERIFY(yaml.open(QIODevice::WriteOnly));
        yaml.write("nodes: [{address: 10.0.0.1, gpus: [0], chief: true, network_bandwidth: 1}, {address: 10.0.0.2, gpus: [0], "
                   "network_bandwidth: 1, ssh_config: c}]\nssh: {c: {username: me}}\n"
                   "channels:\n- {name: e0, bandwidth: 1}\n- {name: e1, bandwidth: 0.4}\n");
        yaml.close();
        QCOMPARE(cli({"plan", "--job", dag, "--cluster", cluster, "--costs", costs, "--method", "ho", "-o", plan}).exitCode, 0);
        const QList<QStringList> scenarios{
            {"job", "syndicate:a1", "cluster", "syndicate", "workers", "16"},
            {"job", "syndicate:a1", "cluster", "syndicate", "workers", "16", "strategy", "bs+", "bandwidth", "20"},
            {"job", dag, "cluster", cluster, "strategy", "syndicate(chains=1)", "costs", costs, "seed", "3"},
            {"job", dag, "cluster", cluster, "strategy", "syndicate(chains=1)", "costs", costs, "seed", "4"},
            {"job", dag, "cluster", cluster, "strategy", "fifo", "costs", costs},
            {"job", dag, "cluster", cluster, "strategy", "fifo"},
            {"job", dag, "cluster", cluster, "strategy", plan, "incast", "e0=0.3"},
            {"job", dag, "cluster", cluster, "strategy", "fifo", "incast", "e0=0.3"},
            {"job", "alexnet", "cluster", "A2", "strategy", "PS"},
        };
        QByteArray lines;
        for (const QStringList &scenario : scenarios) {
            QJsonObject line;
            for (qsizetype i = 0; i < scenario.size(); i += 2)
                line[scenario[i]] = scenario[i + 1];
            lines += QJsonDocument(line).toJson(QJsonDocument::Compact) + "\n";
        }
        const ProcessResult all = batch(lines);
        QVERIFY2(all.exitCode == 0 && all.err.isEmpty(), (all.err + all.out).constData());
        QCOMPARE(all.lines().size(), scenarios.size());
        for (qsizetype i = 0; i < scenarios.size(); ++i) {
            QStringList arguments{"simulate", "--json"};
            for (qsizetype k = 0; k < scenarios[i].size(); k += 2)
                arguments += {"--" + scenarios[i][k], scenarios[i][k + 1]};
            const ProcessResult one = cli(arguments);
            QVERIFY2(one.exitCode == 0, one.err.constData());
            COMPARE_ABOVE(one.json()["iteration_seconds"].toDouble(), 0);
            QCOMPARE(all.lines()[i]["line"].toInt(), static_cast<int>(i + 1));
            QCOMPARE(figures(all.lines()[i]), figures(one.json()));
        }
        QVERIFY(all.lines()[0]["plan"] != all.lines()[1]["plan"]);
        for (const qsizetype other : {4, 7}) // with measured costs, with an own incast
            QVERIFY(all.lines()[5]["iteration_seconds"] != all.lines()[other]["iteration_seconds"]);
    }

    /// Errors of a DAG's line name its key, or the option where that is the default of all lines.
    void linesOfDagsRefuseWhatIsAboutStrategies() {
        const QByteArray lines = "{\"policy\": \"ddp\"}\n{\"fold\": false}\n{\"batch_size\": 8}\n{\"strategy\": \"Magic\"}\n"
                                 "{\"incast\": 1e9}\n{\"costs\": \"/nonexistent.csv\"}\n{\"costs\": 3}\n"
                                 "{\"job\": \"alexnet\", \"strategy\": \"PS\", \"incast\": 0.4}\n{\"job\": \"alexnet\"}\n{}\n";
        const ProcessResult answer = batch(lines, {"--job", "syndicate:a1", "--cluster", "syndicate", "--workers", "16"});
        QCOMPARE(answer.exitCode, 1);
        QCOMPARE(answer.lines().size(), 10);
        const char *const places[] = {"policy", "fold", "batch_size", nullptr, nullptr, nullptr, "costs", nullptr, "strategy"};
        const char *const files[] = {"", "", "", "strategy", "incast", "/nonexistent.csv", "", "incast", ""};
        for (qsizetype i = 0; i < 9; ++i) {
            const QString what = errorOf(answer.lines()[i], "what");
            QVERIFY2(!what.isEmpty() && !errorOf(answer.lines()[i], "remedy").isEmpty(), qPrintable(QString::number(i)));
            if (places[i] != nullptr)
                QCOMPARE(errorOf(answer.lines()[i], "place"), QString(places[i]));
            QCOMPARE(errorOf(answer.lines()[i], "file"), QString(files[i]));
        }
        QVERIFY(errorOf(answer.lines()[0], "what").startsWith("policy is about strategies"));
        QVERIFY(errorOf(answer.lines()[4], "remedy").startsWith("give incast a number"));
        QVERIFY(errorOf(answer.lines()[8], "what").startsWith("the key 'strategy' is missing"));
        QVERIFY(answer.lines()[9].contains("iteration_seconds"));
        const ProcessResult defaulted = batch("{}\n{\"policy\": \"fifo\"}\n", {"--job", "syndicate:a1", "--cluster", "syndicate",
                                                                               "--workers", "16", "--policy", "ddp"});
        QVERIFY(errorOf(defaulted.lines()[0], "what").startsWith("--policy is about strategies"));
        QVERIFY(defaulted.lines()[1].contains("iteration_seconds"));
        // A line may take back one of two options; then the other one is to blame, and the line has neither key.
        const ProcessResult two = batch("{\"policy\": \"fifo\"}\n",
                                        {"--job", "syndicate:a1", "--cluster", "syndicate", "--policy", "p3", "--servers", "2"});
        QVERIFY2(errorOf(two.lines()[0], "what").startsWith("--servers is about"), qPrintable(errorOf(two.lines()[0], "what")));
        QCOMPARE(errorOf(two.lines()[0], "place"), QString());
    }

    void optionsAreTheDefaultsOfAllLines() {
        const QStringList defaults{"--job", "alexnet", "--cluster", "A2", "--strategy", "PS", "--workers", "2"};
        const ProcessResult answer = batch("{}\n{\"workers\": 3}\n{\"strategy\": \"AllReduce\"}\n", defaults);
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        QCOMPARE(answer.lines().size(), 3);
        QCOMPARE(answer.lines()[0]["workers"].toInt(), 2);
        QCOMPARE(answer.lines()[1]["workers"].toInt(), 3);
        QCOMPARE(answer.lines()[2]["workers"].toInt(), 2);
        QVERIFY(answer.lines()[2]["iteration_seconds"] != answer.lines()[0]["iteration_seconds"]);
    }

    void linesThatFailAreResultsInTheirPlace() {
        const QStringList defaults{"--job", "alexnet", "--cluster", "A2", "--strategy", "PS"};
        const ProcessResult failed = batch("{}\n\n{\"job\": \"nosuch\"}\n{\"wrokers\": 3}\n{\"workers\": 3}", defaults);
        QCOMPARE(failed.exitCode, 1);
        QCOMPARE(failed.lines().size(), 4);
        QCOMPARE(failed.lines()[1]["line"].toInt(), 3); // the second is empty
        QVERIFY(errorOf(failed.lines()[1], "what").contains("nosuch") &&
                errorOf(failed.lines()[1], "remedy").contains("resnet50"));
        QCOMPARE(errorOf(failed.lines()[1], "place"), QString("job"));
        QCOMPARE(errorOf(failed.lines()[2], "place"), QString("wrokers"));
        QVERIFY(!errorOf(failed.lines()[2], "remedy").isEmpty());
        QCOMPARE(failed.lines()[3]["workers"].toInt(), 3);
        QVERIFY2(failed.err.startsWith("error: stdin:3: 2 of 4 lines") && failed.err.count('\n') == 1, failed.err.constData());

        const ProcessResult notJson = batch("{}\n{\"job\": \"nosuch\"}\n{\"workers\": NaN}\n{}\n", defaults);
        QCOMPARE(notJson.exitCode, 2);
        QCOMPARE(notJson.lines().size(), 4);
        QCOMPARE(errorOf(notJson.lines()[2], "place"), QString("byte 12"));
        QVERIFY(notJson.lines()[3].contains("iteration_seconds"));
        QVERIFY2(notJson.err.startsWith("error: stdin:3: 2 of 4 lines"), notJson.err.constData());
        QVERIFY2(notJson.err.contains("not a JSON object"), notJson.err.constData());

        // 1 MiB and a byte, of which every one is valid JSON.
        const ProcessResult tooLong = batch("{}\n{" + QByteArray((1 << 20) - 1, ' ') + "}\n", defaults);
        QCOMPARE(tooLong.exitCode, 2);
        QVERIFY2(tooLong.err.startsWith("error: stdin:2: 1 of 2 lines") && tooLong.err.contains("too long") &&
                     !tooLong.err.contains("JSON"),
                 tooLong.err.constData());
    }

    /// A latency is seconds or has a unit; neither is taken for a text without one.
    void latenciesHaveUnits() {
        const ProcessResult answer =
            batch("{\"latency\": \"50ms\"}\n{\"latency\": 0.05}\n{\"latency\": 5e-5}\n{\"latency\": \"50us\"}\n",
                  {"--job", "alexnet", "--cluster", "A2", "--strategy", "PS"});
        QCOMPARE(answer.lines().size(), 4);
        const auto seconds = [&](int line) { return answer.lines()[line]["iteration_seconds"].toDouble(); };
        COMPARE_ABOVE(seconds(0), seconds(2));
        QCOMPARE(seconds(0), seconds(1));
        QCOMPARE(seconds(2), seconds(3));
    }

    /// The place is the key whose value is wrong as a whole.
    void placesAreKeys() {
        const ProcessResult answer = batch("{\"cluster\": \"nosuch\"}\n{\"batch_size\": 3}\n{\"workers\": 2.5}\n"
                                           "{\"job\": \"syndicate:a1\", \"cluster\": \"nosuch\", \"strategy\": \"fifo\"}\n",
                                           {"--job", "alexnet", "--cluster", "A2", "--strategy", "PS"});
        const char *const places[] = {"cluster", "batch_size", "workers", "cluster"};
        QCOMPARE(answer.lines().size(), 4);
        for (int line = 0; line < 4; ++line) {
            QCOMPARE(errorOf(answer.lines()[line], "place"), QString(places[line]));
            QCOMPARE(errorOf(answer.lines()[line], "file"), QString());
        }
    }

    /// An error in a line's own text names its key; an error in the defaults names their option, also where a line has the same
    /// text.
    void errorsNameTheKeyOrTheOption() {
        const QStringList defaults{"--job", "alexnet", "--cluster", "A2", "--strategy", "Magic"};
        const QByteArray lines =
            "{\"policy\": \"lifo\", \"strategy\": \"PS\"}\n{\"strategy\": \"Foo\"}\n{\"strategy\": \"Magic\"}\n{}\n"
            "{\"background\": \"worker0.up@\", \"strategy\": \"PS\"}\n";
        const ProcessResult answer = batch(lines, defaults);
        const QStringList named{"policy", "strategy", "strategy", "--strategy", "background"};
        QCOMPARE(answer.lines().size(), named.size());
        for (qsizetype i = 0; i < named.size(); ++i)
            QCOMPARE(errorOf(answer.lines()[i], "file"), named[i]);
        const ProcessResult defaulted = batch("{}\n{\"policy\": \"lifo\"}\n", defaults + QStringList{"--policy", "lifo"});
        QCOMPARE(errorOf(defaulted.lines()[0], "file"), QString("--policy"));
        QCOMPARE(errorOf(defaulted.lines()[1], "file"), QString("policy"));
    }

    void hostileLines() {
        QByteArray lines = "{\"job\": \"\\u001b[31mred\"}\n";
        lines += "{\"job\": \"" + QByteArray(3 << 20, 'x') + "\"}\n";
        lines += QByteArray(1000, '[') + "\n";
        lines += QByteArray("{\"job\": \"a\0b\"}\n", 15);
        lines += "{\"workers\": 100001}\n{}\n";
        const ProcessResult answer = batch(lines, {"--job", "alexnet", "--cluster", "A2", "--strategy", "PS"});
        QCOMPARE(answer.exitCode, 2);
        QCOMPARE(answer.lines().size(), 6);
        for (qsizetype i = 0; i < 5; ++i)
            QVERIFY2(!errorOf(answer.lines()[i], "what").isEmpty(), qPrintable(QString::number(i)));
        QVERIFY(errorOf(answer.lines()[1], "what").contains("longer than"));
        QVERIFY(answer.lines()[5].contains("iteration_seconds"));
        QVERIFY2(!answer.err.contains('\x1b'), answer.err.constData());
    }

    void filesThatCannotBeRead() {
        QTemporaryDir dir;
        for (const QString &file : {dir.filePath("none.jsonl"), dir.path()}) {
            const ProcessResult answer = cli({"simulate", "--batch", file});
            QCOMPARE(answer.exitCode, 2);
            QVERIFY2(answer.err.contains(file.toUtf8()) && answer.err.count('\n') == 1, answer.err.constData());
            QVERIFY(answer.lines().isEmpty());
        }
        const ProcessResult device = cli({"simulate", "--batch", "/dev/zero"});
        QCOMPARE(device.exitCode, 2);
        QVERIFY2(device.isOneError() && device.err.contains("not a regular file"), device.err.constData());
        const ProcessResult empty = batch("");
        QCOMPARE(empty.exitCode, 0);
        QVERIFY(empty.lines().isEmpty());
    }

    /// A pipe that nothing writes to is an error; opening it used to block for ever.
    void aPipeWithoutWriter() {
        QTemporaryDir dir;
        const QString fifo = dir.filePath("lines");
        QVERIFY(::mkfifo(fifo.toLocal8Bit().constData(), 0600) == 0);
        const ProcessResult answer = cli({"simulate", "--batch", fifo});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(answer.isOneError() && answer.err.contains(fifo.toUtf8() + ": no program writes to this pipe"),
                 answer.err.constData());
    }

    /// Pipes with a writer are read to their end, under any name, also if the writer comes late or pauses between lines.
    void pipesAreRead_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<int>("lines");
        const QString lines = QStringLiteral("{ echo '{}'; sleep 0.3; echo '{\"workers\": 3}'; }");
        QTest::newRow("stdin by name") << lines + QStringLiteral(" | run /dev/stdin") << 2;
        QTest::newRow("process substitution") << QStringLiteral("run <(%1)").arg(lines) << 2;
        QTest::newRow("an empty one") << QStringLiteral("run <(true)") << 0;
        QTest::newRow("a named pipe") << QStringLiteral("%1 > \"$2\" & run \"$2\"").arg(lines) << 2;
        QTest::newRow("a late writer") << QStringLiteral("{ sleep 0.5; %1 > \"$2\"; } & run \"$2\"").arg(lines) << 2;
        QTest::newRow("a writer that thinks") << QStringLiteral("{ sleep 3; echo '{}'; } > \"$2\" & run \"$2\"") << 1;
    }
    void pipesAreRead() {
        QFETCH(QString, command);
        QFETCH(int, lines);
        QTemporaryDir dir;
        const QString fifo = dir.filePath("lines");
        QVERIFY(::mkfifo(fifo.toLocal8Bit().constData(), 0600) == 0);
        const QString run =
            QStringLiteral("cli=$1; run() { \"$cli\" simulate --batch \"$1\" --job alexnet --cluster A2 --strategy PS; }; ");
        const ProcessResult answer = runProgram("bash", {"-c", run + command, "bash", QStringLiteral(SYNCOPATE_CLI), fifo});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        QCOMPARE(answer.lines().size(), lines);
    }

    void outputsOfOneScenarioAreRefused() {
        for (const char *option : {"--trace", "--table", "--picture"}) {
            const ProcessResult answer = cli({"simulate", "--batch", "-", option, "/nonexistent/x"});
            QCOMPARE(answer.exitCode, 2);
            QVERIFY2(answer.err.contains("--batch"), answer.err.constData());
        }
        const ProcessResult nothing = cli({"simulate", "--job", "alexnet", "--cluster", "A2"});
        QCOMPARE(nothing.exitCode, 2);
        QVERIFY2(nothing.err.contains("--strategy is required"), nothing.err.constData());
    }

    /// A result is printed before the next line is written, so that a program may base that line on it.
    void answersLineByLine() {
        QProcess process;
        process.start(QStringLiteral(SYNCOPATE_CLI), {"simulate", "--batch", "-", "--job", "alexnet", "--cluster", "A2"});
        for (const char *strategy : {"PS", "AllReduce", "PartitionedPS"}) {
            process.write("{\"strategy\": \"" + QByteArray(strategy) + "\"}\n");
            QTRY_VERIFY(process.canReadLine());
            COMPARE_ABOVE(QJsonDocument::fromJson(process.readLine()).object()["iteration_seconds"].toDouble(), 0);
        }
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(syncopate::testing::patience));
        QCOMPARE(process.exitCode(), 0);
    }

    void isStopped() {
        QProcess process;
        process.start(QStringLiteral(SYNCOPATE_CLI), {"simulate", "--batch", "-", "--job", "alexnet", "--cluster", "A2"});
        process.write("{\"strategy\": \"PS\"}\n");
        QTRY_VERIFY(process.canReadLine());
        ::kill(static_cast<pid_t>(process.processId()), SIGINT); // while it waits for a line
        QVERIFY(process.waitForFinished(syncopate::testing::patience));
        QCOMPARE(process.exitStatus(), QProcess::CrashExit); // by the signal, like all commands
    }

    /// If the reader of the results is gone, the batch ends, although its input continues and the signal is ignored.
    void endsWithItsReader() {
        QTemporaryDir dir;
        const QString fifo = dir.filePath("lines");
        QVERIFY(::mkfifo(fifo.toLocal8Bit().constData(), 0600) == 0);
        QProcess process;
        // The shell keeps the pipe open for writing after the line, and `true` reads nothing.
        process.start("bash", {"-c",
                               "trap '' PIPE; exec 3<>\"$2\"; yes '{}' | head -50 >&3; "
                               "\"$1\" simulate --batch \"$2\" --job alexnet --cluster A2 --strategy PS | true; "
                               "echo \"${PIPESTATUS[0]}\"",
                               "bash", QStringLiteral(SYNCOPATE_CLI), fifo});
        QVERIFY(process.waitForFinished(syncopate::testing::patience));
        QCOMPARE(process.readAllStandardOutput().trimmed(), QByteArray("1"));
        QVERIFY(process.readAllStandardError().contains("cannot write all of the output"));
    }
};

QTEST_GUILESS_MAIN(TestCliBatch)
#include "tst_cli_batch.moc"
