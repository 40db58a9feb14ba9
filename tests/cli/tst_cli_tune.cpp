// SPDX-License-Identifier: GPL-3.0-or-later
// `tune` of docs/command-line.md, on the built program.
#include "tests/cli/cli.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QtTest>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace syncopate::testing;

namespace {

const QStringList scenario{"--job", "alexnet", "--cluster", "A2", "--workers", "4", "--bandwidth", "5"};
const QStringList scenario10{"--job", "alexnet", "--cluster", "A2", "--workers", "4", "--bandwidth", "10"};
const QStringList servers{"--servers", "4"};

} // namespace

class TestCliTune : public QObject {
    Q_OBJECT

private slots:
    void theChosenSettingIsWhatSimulateSays() {
        const ProcessResult answer =
            cli(QStringList{"tune", "--json", "--method", "random", "--evaluations", "6", "--grid", "3x3"} + scenario + servers);
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QJsonObject json = answer.json();
        QCOMPARE(json["evaluations"].toInt(), 6);
        QCOMPARE(json["cost_iterations"].toInt(), 60);
        QCOMPARE(static_cast<int>(json["path"].toArray().size()), 6);
        QCOMPARE(static_cast<int>(json["grid"].toObject()["points"].toArray().size()), 9);
        QVERIFY(json["unimodal"].isBool());
        QVERIFY(json["no_gain_possible"].isBool());
        COMPARE_AT_LEAST(json["iteration_seconds"].toDouble(), json["bound"].toObject()["iteration_seconds"].toDouble());
        COMPARE_AT_LEAST(json["regret"].toDouble(-1), 0);
        QCOMPARE(json["strategy"].toString(), QString("PSLoadBalancing"));
        const QString policy = json["policy"].toString();
        QVERIFY2(policy.contains("hash=mxnet") &&
                     policy.contains(QString("partition=%1,").arg(json["partition_bytes"].toDouble(), 0, 'f', 0)),
                 qPrintable(policy));
        const ProcessResult simulated =
            cli(QStringList{"simulate", "--json", "--strategy", json["strategy"].toString(), "--policy", policy} + scenario +
                servers);
        QVERIFY2(simulated.exitCode == 0, simulated.err.constData());
        COMPARE_CLOSE(json["samples_per_second"].toDouble(), simulated.json()["samples_per_second"].toDouble());
    }

    void anyKnobsAreTuned() {
        const ProcessResult answer =
            cli(QStringList{"tune", "--json", "--method", "bo(preset=horovod)", "--arch", "allreduce", "--policy", "horovod",
                            "--knob", "fusion", "--knob", "cycle=1ms..100ms", "--grid", "off"} +
                scenario);
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        QCOMPARE(answer.json()["evaluations"].toInt(), 20);
        COMPARE_ABOVE(answer.json()["fusion_bytes"].toDouble(), 0);
        COMPARE_AT_MOST(answer.json()["fusion_bytes"].toDouble(), 64 * 1048576);
        COMPARE_AT_LEAST(answer.json()["cycle_seconds"].toDouble(), 1e-3);
        QVERIFY(answer.json()["unimodal"].isNull());
    }

    /// Without --grid the number of values suits the number of knobs; the default's regret is not negative without a grid either.
    void gridsSuitTheKnobs() {
        const QStringList tune{"tune",     "--json", "--arch",        "allreduce", "--policy", "horovod",
                               "--method", "random", "--evaluations", "1",         "--knob",   "fusion=1MiB..128MiB"};
        const ProcessResult one = cli(tune + scenario);
        QVERIFY2(one.exitCode == 0, one.err.constData());
        QCOMPARE(static_cast<int>(one.json()["grid"].toObject()["points"].toArray().size()), 12);
        const ProcessResult two = cli(tune + QStringList{"--knob", "cycle=1ms..100ms"} + scenario);
        QVERIFY2(two.exitCode == 0, two.err.constData());
        QCOMPARE(static_cast<int>(two.json()["grid"].toObject()["points"].toArray().size()), 96);
        const ProcessResult off = cli(tune + QStringList{"--knob", "cycle=50ms..100ms", "--grid", "off"} + scenario);
        QVERIFY2(off.exitCode == 0, off.err.constData());
        COMPARE_AT_LEAST(off.json()["regret"].toDouble(-1), 0);
        COMPARE_AT_LEAST(off.json()["default"].toObject()["regret"].toDouble(-1), 0);
    }

    void schedulesAreTold() {
        QTemporaryFile file;
        QVERIFY(file.open());
        file.write("iteration,bandwidth_gbits\n0,10\n10,1\n");
        file.close();
        const ProcessResult answer = cli(QStringList{"tune", "--json", "--method", "coordinate", "--evaluations", "8", "--grid",
                                                     "4x2", "--length", "20", "--schedule", file.fileName()} +
                                         scenario + servers);
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QJsonArray arms = answer.json()["arms"].toArray();
        QCOMPARE(static_cast<int>(arms.size()), 7);
        QCOMPARE(arms[4].toObject()["name"].toString(), QString("autobyte"));
        QCOMPARE(static_cast<int>(arms[4].toObject()["looks"].toArray().size()), 1);
        QVERIFY(!arms[6].toObject()["changes"].toArray()[0].toObject().contains("partition_bytes"));
        const ProcessResult plain =
            cli(QStringList{"simulate", "--json", "--strategy", "PSLoadBalancing", "--policy", "fifo"} + scenario10 + servers);
        COMPARE_CLOSE(arms[6].toObject()["iterations"].toArray()[0].toObject()["iteration_seconds"].toDouble(),
                      plain.json()["iteration_seconds"].toDouble());
        COMPARE_ABOVE(arms[3].toObject()["total_seconds"].toDouble(), 0);
        for (const auto &arm : arms) {
            QCOMPARE(static_cast<int>(arm.toObject()["iterations"].toArray().size()), 20);
            COMPARE_AT_MOST(arms[3].toObject()["total_seconds"].toDouble(),
                            arm.toObject()["total_seconds"].toDouble() * (1 + 1e-9));
        }
        QCOMPARE(static_cast<int>(answer.json()["conditions"].toArray().size()), 2);
        // A knob of the cluster would undo the conditions.
        const ProcessResult refused = cli(QStringList{"tune", "--knob", "bandwidth=1..10", "--method", "random", "--evaluations",
                                                      "2", "--length", "20", "--schedule", file.fileName()} +
                                          scenario + servers);
        QVERIFY2(refused.exitCode == 2 && refused.isOneError() &&
                     refused.err.contains("--knob: bandwidth is set by the schedule"),
                 refused.err.constData());
    }

    /// A grid is judged as a whole, as without a schedule; columns are as wide as the longest name.
    void aGridIsWholeUnderASchedule() {
        QTemporaryFile file;
        QVERIFY(file.open());
        file.write("iteration,compute\n0,1\n2,2\n");
        file.close();
        const QStringList played =
            QStringList{"tune", "--length", "4", "--grid", "off", "--schedule", file.fileName()} + scenario + servers;
        const QStringList tune = played + QStringList{"--method", "grid(steps=40)", "--knob", "credit=4MiB..64MiB"};
        QCOMPARE(cli(tune + QStringList{"--json"}).json()["evaluations"].toInt(), 40);
        QCOMPARE(cli(tune + QStringList{"--json", "--evaluations", "5"}).json()["evaluations"].toInt(), 5);
        const ProcessResult named = cli(played + QStringList{"--method", "bo(preset=bytescheduler)"});
        QVERIFY2(named.exitCode == 0, named.err.constData());
        QList<qsizetype> ends; // of the column before the last, which is a percentage
        for (const QByteArray &line : named.out.split('\n').mid(1, 7))
            ends += line.lastIndexOf('%');
        QVERIFY2(std::count(ends.begin(), ends.end(), ends.front()) == 7 && ends.front() > 0, named.out.constData());
    }

    /// On a terminal, stderr shows progress in one line that is erased at the end; not with --quiet or in scripts.
    void progressIsForTerminals() {
        for (const bool quiet : {false, true}) {
            const QTemporaryDir folder;
            const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
            QVERIFY(terminal >= 0 && ::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0);
            const int end = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
            QVERIFY(end >= 0);
            QProcess process;
            process.setChildProcessModifier([end] { ::dup2(end, STDERR_FILENO); });
            QStringList arguments{"tune", "--json", "--train", folder.filePath("n.json"), "--conditions", "3", "--epochs", "2"};
            process.start(QStringLiteral(SYNCOPATE_CLI), quiet ? arguments + QStringList{"--quiet"} : arguments);
            QVERIFY(process.waitForFinished(patience));
            QCOMPARE(process.exitCode(), 0);
            ::fcntl(terminal, F_SETFL, O_NONBLOCK);
            QByteArray seen; // the more of it, the slower the program; a terminal gives 4 KiB at a time
            std::array<char, 4096> piece{};
            for (ssize_t count = 0; (count = ::read(terminal, piece.data(), piece.size())) > 0;)
                seen.append(piece.data(), count);
            ::close(end);
            ::close(terminal);
            QCOMPARE(seen.contains("simulating the training set: "), !quiet);
            QCOMPARE(seen.contains(" conditions, "), !quiet);
            QCOMPARE(seen.contains("training: "), !quiet);
            QVERIFY2(quiet ? seen.isEmpty() : seen.endsWith("\r\033[K"), seen.constData());
        }
    }

    /// A network trained on three conditions still proposes settings; a file that is not a network is rejected.
    void aNetworkIsTrainedAndUsed() {
        QTemporaryDir folder;
        const QString file = folder.filePath("network.json");
        const QStringList train{"tune",     "--json", "--train",   file, "--conditions", "3",
                                "--epochs", "2",      "--members", "2",  "--threads",    "2"};
        const ProcessResult trained = cli(train);
        QVERIFY2(trained.exitCode == 0 && trained.err.isEmpty(), trained.err.constData());
        QCOMPARE(trained.json()["held_out"].toObject()["conditions"].toInt(), 3);
        QCOMPARE(trained.json()["conditions"].toInt(), 6); // of both members
        QCOMPARE(trained.json()["bytes"].toDouble(), static_cast<double>(QFileInfo(file).size()));
        QCOMPARE(cli(train).exitCode, 2); // the file exists
        QStringList tune{"tune", "--json", "--method", "meta", "--grid", "off", "--network", file};
        const ProcessResult own = cli(tune + scenario + servers);
        QVERIFY2(own.exitCode == 0, own.err.constData());
        QCOMPARE(own.json()["path"].toArray()[0].toObject()["partition_bytes"].toDouble(), 4e6);
        COMPARE_AT_LEAST(own.json()["evaluations"].toInt(), 1);
        COMPARE_AT_MOST(own.json()["evaluations"].toInt(), 30);
        QFile damaged(file);
        QVERIFY(damaged.open(QIODevice::WriteOnly | QIODevice::Truncate));
        damaged.write("{\"format\": \"syncopate meta-network\", \"version\": 9}");
        damaged.close();
        const ProcessResult refused = cli(tune + scenario + servers);
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.err.contains("network.json: the network has version 9"), refused.err.constData());
    }

    /// Options that a part of the command would ignore are refused.
    void optionsOfOtherPartsAreRefused() {
        const QTemporaryDir folder;
        const QString network = folder.filePath("network.json"), other = folder.filePath("other.json");
        QCOMPARE(cli({"tune", "--train", network, "--conditions", "3", "--epochs", "2", "--members", "1"}).exitCode, 0);
        const QStringList train{"tune", "--train", other, "--conditions", "3", "--epochs", "2"}, test{"tune", "--test", "1"},
            measured{"tune", "--measured-grid", QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/sched"), "--row",
                     "fcnet,bsps,3,2"},
            tune = QStringList{"tune", "--evaluations", "2", "--grid", "off"} + scenario;
        for (const auto &[arguments, says] :
             {std::pair{train + QStringList{"--network", network}, "--network: --train"},
              {train + QStringList{"--method", "meta"}, "--method: --train"},
              {train + QStringList{"--evaluations", "3"}, "--evaluations: --train"},
              {test + QStringList{"--workers", "8"}, "--workers: --test"},
              {test + QStringList{"--policy", "fifo"}, "--policy: --test"},
              {measured + QStringList{"--method", "meta", "--network", network}, "--network: --measured-grid"},
              {measured + QStringList{"--knob", "credit"}, "--knob: --measured-grid"},
              {measured + QStringList{"--arch", "allreduce"}, "--arch: --measured-grid"},
              {measured + QStringList{"--servers", "0"}, "--servers: --measured-grid"},
              {measured + QStringList{"--newest-look"}, "--newest-look: "},
              {tune + QStringList{"--newest-look"}, "--newest-look: "},
              {tune + QStringList{"--network", network}, "--network: the method bo has no network"}}) {
            const ProcessResult answer = cli(arguments);
            QVERIFY2(answer.exitCode == 2 && answer.isOneError() && answer.err.contains(says), answer.err.constData());
        }
        QVERIFY(!QFile::exists(other));
    }

    /// By each rule, on as many conditions of each kind; figures that the rules share are told once.
    void aNetworkIsTested() {
        const ProcessResult answer = cli({"tune", "--json", "--test", "2", "--seed", "3"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QJsonObject tested = answer.json();
        QVERIFY(tested["meta_network"].toObject()["origin"].toString().startsWith("tune --train"));
        QCOMPARE(tested["held_out"].toObject()["conditions"].toInt(), 2);
        QCOMPARE(tested["left_out"].toObject()["conditions"].toInt(), 2);
        QCOMPARE(tested["all"].toObject()["conditions"].toInt(), 4);
        QCOMPARE(tested["served"].toObject()["conditions"].toInt() + tested["reduced"].toObject()["conditions"].toInt(), 4);
        QStringList rules;
        for (const auto &rule : tested["held_out"].toObject()["rules"].toArray()) {
            rules.push_back(rule.toObject()["rule"].toString());
            const double once = rule.toObject()["mean_regret"].toDouble(-1);
            COMPARE_AT_LEAST(once, 0);
            COMPARE_AT_MOST(rule.toObject()["tried"].toObject()["mean_regret"].toDouble(), once);
        }
        QCOMPARE(rules, (QStringList{"middle", "fastest", "averaged", "largest_partition"}));
        const QByteArray quiet = cli({"tune", "--test", "1", "--quiet"}).out; // the errors are the result
        QVERIFY2(quiet.contains("models left out") && quiet.contains("largest"), quiet.constData());
        QCOMPARE(cli({"tune", "--test", "0"}).exitCode, 2);
        const ProcessResult named = cli({"tune", "--test", "2", "--job", "alexnet"});
        QVERIFY2(named.exitCode == 2 && named.err.contains("leave out --job"), named.err.constData());
        const ProcessResult both = cli({"tune", "--test", "2", "--train", QDir::temp().filePath("never_written.json")});
        QVERIFY2(both.exitCode == 2 && both.err.contains("--train"), both.err.constData());
    }

    void measuredGridsAreTold() {
        const ProcessResult answer =
            cli({"tune", "--json", "--method", "bo", "--measured-grid",
                 QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/sched"), "--row", "fcnet,bsps,3,2"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        COMPARE_AT_MOST(answer.json()["loss"].toDouble(1), 0.03);
        QVERIFY(answer.json()["partition_bytes"].isDouble() && answer.json()["samples_per_second"].isDouble());
        QCOMPARE(answer.json()["choices"].toArray().last().toObject()["method"].toString(), QString("default"));
        const ProcessResult missing =
            cli({"tune", "--measured-grid", QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/sched"), "--row",
                 "fcnet,bsps,9,2"});
        QCOMPARE(missing.exitCode, 2);
        QVERIFY(missing.err.contains("fcnet,bsps,3,2"));
    }

    /// A cycle of 100 ms: detected by its rule, and by its cost.
    void settingsAreHeldAgainstTheJob() {
        const QStringList settings{"lint", "--json", "--settings", "HOROVOD_CYCLE_TIME=100 HOROVOD_AUTOTUNE_LOG=x"};
        const ProcessResult alone = cli(settings);
        QVERIFY2(alone.exitCode == 0, alone.err.constData());
        QCOMPARE(static_cast<int>(alone.json()["findings"].toArray().size()), 2);
        QCOMPARE(static_cast<int>(alone.json()["predictions"].toArray().size()), 0);
        const ProcessResult answer = cli(settings + scenario);
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        QCOMPARE(static_cast<int>(answer.json()["findings"].toArray().size()), 3);
        const QJsonObject prediction = answer.json()["predictions"].toArray()[0].toObject();
        COMPARE_ABOVE(prediction["iteration_seconds"].toDouble(), prediction["default_iteration_seconds"].toDouble() * 1.02);
        COMPARE_AT_MOST(prediction["best_iteration_seconds"].toDouble(), prediction["default_iteration_seconds"].toDouble());
        const ProcessResult simulated = cli(QStringList{"simulate", "--json", "--strategy", "AllReduce(chunk_size=1)", "--policy",
                                                        prediction["policy"].toString()} +
                                            scenario);
        COMPARE_CLOSE(prediction["iteration_seconds"].toDouble(), simulated.json()["iteration_seconds"].toDouble());
        QCOMPARE(static_cast<int>(prediction["left_out"].toArray().size()), 0);
        // The settings that a prediction does not follow stand beside its times.
        const QStringList split{"lint", "--settings=--overlap-grad-reduce --tensor-model-parallel-size 2"};
        const QJsonObject left = cli(split + scenario + QStringList{"--json"}).json()["predictions"].toArray()[0].toObject();
        QCOMPARE(left["left_out"].toArray()[0].toObject()["setting"].toString(), QString("--tensor-model-parallel-size"));
        const QByteArray beside = cli(split + scenario).out;
        QVERIFY2(beside.contains("at best (") && beside.contains("; leaves out --tensor-model-parallel-size: "),
                 beside.constData());
        QCOMPARE(cli({"lint", "--settings", "nothing here"}).exitCode, 2);
        QCOMPARE(cli({"lint", "--settings", "HOROVOD_CYCLE_TIME=1", "--job", "alexnet"}).exitCode, 2);
        for (const char *option : {"--cluster=A2", "--workers=4", "--servers=1", "--bandwidth=1", "--batch-size=8"}) {
            const ProcessResult ofNoJob = cli({"lint", "--settings", "HOROVOD_CYCLE_TIME=1", option});
            QVERIFY2(ofNoJob.exitCode == 2 && ofNoJob.err.contains("--job"), ofNoJob.err.constData());
        }
    }

    void badInputIsOneLine_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("method") << QStringList{"--method", "magic"};
        QTest::newRow("argument") << QStringList{"--method", "bo(xi=3)"};
        QTest::newRow("knob") << QStringList{"--knob", "fusion"};
        QTest::newRow("range") << QStringList{"--knob", "partition=8MiB..1MiB"};
        QTest::newRow("twice") << QStringList{"--knob", "partition", "--knob", "partition"};
        QTest::newRow("grid") << QStringList{"--grid", "3x"};
        QTest::newRow("grid of three") << QStringList{"--grid", "3x3x3"};
        QTest::newRow("grid of one knob") << QStringList{"--knob", "partition", "--grid", "12x8"};
        QTest::newRow("grid too large") << QStringList{"--grid", "999x999"};
        QTest::newRow("meta of another policy") << QStringList{"--method", "meta", "--policy", "byteps"};
        QTest::newRow("a row of no folder") << QStringList{"--row", "fcnet,bsps,3,2"};
        QTest::newRow("a length of no schedule") << QStringList{"--length", "3"};
        QTest::newRow("epochs of no training") << QStringList{"--epochs", "3"};
        QTest::newRow("conditions of no training") << QStringList{"--conditions", "3"};
        QTest::newRow("members of no training") << QStringList{"--members", "3"};
        QTest::newRow("a measured grid beside a job")
            << QStringList{"--measured-grid", QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/sched")};
        QTest::newRow("preset") << QStringList{"--method", "bo(preset=horovod)"};
    }
    void badInputIsOneLine() {
        QFETCH(QStringList, arguments);
        const ProcessResult answer = cli(QStringList{"tune", "--json"} + scenario + servers + arguments);
        QCOMPARE(answer.exitCode, 2);
        QVERIFY(answer.err.startsWith("error: "));
        QCOMPARE(static_cast<int>(answer.err.count('\n')), 1);
        QVERIFY(answer.out.isEmpty());
    }
};

QTEST_APPLESS_MAIN(TestCliTune)
#include "tst_cli_tune.moc"
