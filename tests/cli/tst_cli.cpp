// SPDX-License-Identifier: GPL-3.0-or-later
// The command-line contract of docs/command-line.md, on the built program.
#include "engine/base/units.h"
#include "engine/job/catalogue.h"
#include "engine/session/session_state.h"
#include "engine/simulate/run.h"
#include "engine/strategy/policy.h"
#include "tests/checks.h"
#include "tests/cli/cli.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>

using namespace syncopate;
using namespace syncopate::testing;

class TestCli : public QObject {
    Q_OBJECT

private slots:
    void help() {
        const ProcessResult all = cli({"--help"});
        QCOMPARE(all.exitCode, 0);
        for (const char *command : {"catalog", "import", "build", "simulate", "compare", "sweep", "why", "predict", "export",
                                    "validate", "calibrate", "tune", "lint", "plan", "query", "diff"}) {
            QVERIFY2(all.out.contains(command), command);
            const ProcessResult one = cli({command, "--help"});
            QCOMPARE(one.exitCode, 0);
            QVERIFY(one.out.contains("--json"));
        }
    }

    /// The version matches CMake's: a bug report starts with it.
    void version() {
        const ProcessResult answer = cli({"--version"});
        QCOMPARE(answer.exitCode, 0);
        QFile project(SYNCOPATE_SOURCE "/CMakeLists.txt");
        QVERIFY(project.open(QFile::ReadOnly));
        const auto version = QRegularExpression("project\\(Syncopate VERSION ([0-9.]+)").match(project.readAll()).captured(1);
        QCOMPARE(QString::fromUtf8(answer.out), "syncopate-cli " + version + "\n");
    }

    /// Users see the same figures, bit for bit, for one scenario in both programs.
    void theExplorerGivesTheSameFigures_data() {
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<QString>("policy");
        QTest::newRow("built") << "PSLoadBalancing"
                               << "fifo(barrier=off)";
        QTest::newRow("random order") << "PartitionedPS"
                                      << "random";
        QTest::newRow("collectives") << "AllReduce(chunk_size=64)"
                                     << "ddp";
        QTest::newRow("file") << "file"
                              << "bytescheduler(barrier=off)";
    }
    void theExplorerGivesTheSameFigures() {
        QFETCH(QString, strategy);
        QFETCH(QString, policy);
        QTemporaryDir dir;
        if (strategy == "file") {
            strategy = dir.filePath("s.pb");
            QCOMPARE(cli({"build", "--job", "alexnet", "--cluster", "A2", "--workers", "3", "--servers", "2", "--builder",
                          "PSLoadBalancing", "-o", strategy, "--quiet"})
                         .exitCode,
                     0);
        }
        const ProcessResult answer =
            cli({"simulate", "--job", "alexnet", "--cluster", "A2", "--workers", "3", "--servers", "2", "--bandwidth",
                 "7.3Gbit/s", "--latency", "31us", "--strategy", strategy, "--policy", policy, "--json"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        SessionState state;
        state.job = std::make_shared<const Job>(*catalogueJob("alexnet"));
        state.cluster = std::make_shared<const Cluster>(*catalogueCluster("A2"));
        state.workers = 3;
        state.servers = 2;
        state.bandwidthGbits = 7.3;
        state.latencySeconds = *parseSeconds("31us");
        state.side(Side::A) = {readSource(strategy.toStdString()), policy.toStdString()};
        const auto scenario = makeScenario(state, Side::A);
        VERIFY_VALUE(scenario);
        const auto run = simulate(*scenario);
        VERIFY_VALUE(run);
        const auto same = [&](const char *figure, double wanted) {
            const double got = answer.json().value(QString::fromLatin1(figure)).toDouble();
            QVERIFY2(got == wanted, qPrintable(QStringLiteral("%1: got %2, want %3, ratio - 1 = %4")
                                                   .arg(QString::fromLatin1(figure))
                                                   .arg(got, 0, 'g', 17)
                                                   .arg(wanted, 0, 'g', 17)
                                                   .arg(got / wanted - 1)));
        };
        same("iteration_seconds", (*run)->iterationSeconds);
        same("samples_per_second", (*run)->samplesPerSecond);
        same("events", static_cast<double>((*run)->events));
        same("workers", 3);
    }

    void everyExportFormatWritesItsFile() {
        QTemporaryDir dir;
        const QByteArray help = cli({"export", "--help"}).out;
        const QHash<QString, QByteArray> beginnings{{"chrome", "{\"displayTimeUnit"},
                                                    {"csv", "variable,layer"},
                                                    {"tsv", "variable\tlayer"},
                                                    {"markdown", "| variable |"},
                                                    {"svg", "<svg "},
                                                    {"png", "\x89PNG"},
                                                    {"pdf", "%PDF-"},
                                                    {"html", "<!DOCTYPE html>"},
                                                    {"bytescheduler", "# ByteSch"},
                                                    {"horovod", "# Horovod"},
                                                    {"horovod-yaml", "# Hor"},
                                                    {"ddp", "# PyTorch DDP"},
                                                    {"fsdp2", "# PyTorch FSDP2"},
                                                    {"deepspeed", "{"},
                                                    {"megatron", "# Megatron-LM"},
                                                    {"xla", "# XLA"}};
        for (const QString &format : beginnings.keys()) {
            QVERIFY2(help.contains(format.toUtf8()), qPrintable(format));
            QString policy = "fifo";
            if (const QString name = format.section('-', 0, 0); findPolicy(name.toStdString()) != nullptr)
                policy = name;
            const QString file = dir.filePath("out." + format);
            const ProcessResult answer = cli({"export", "--job", "alexnet", "--cluster", "A2", "--builder", "AllReduce",
                                              "--policy", policy, "--format", format, "-o", file, "--json"});
            QVERIFY2(answer.exitCode == 0, answer.err.constData());
            QCOMPARE(answer.json()["format"].toString(), format);
            QFile written(file);
            QVERIFY2(written.open(QIODevice::ReadOnly), qPrintable(format));
            QVERIFY2(written.readAll().startsWith(beginnings[format]), qPrintable(format));
        }
        QFile svg(dir.filePath("out.svg"));
        // If something cannot be written or expressed: one line, and no files left behind.
        const auto files = QDir(dir.path()).entryList(QDir::Files).size();
        for (const QStringList &bad :
             {QStringList{"--format", "byteps", "-o", dir.filePath("never")},
              QStringList{"--format", "csv", "-o", dir.filePath("no/folder/out.csv")},
              QStringList{"--format", "svg", "-o", dir.path()}, QStringList{"--format", "docx", "-o", "x"}}) {
            const ProcessResult answer =
                cli(QStringList{"export", "--job", "alexnet", "--cluster", "A2", "--strategy", "AllReduce"} + bad);
            QVERIFY2(answer.exitCode == 1 || answer.exitCode == 2, qPrintable(bad.join(' ')));
            QVERIFY2(answer.err.startsWith("error: ") && answer.err.count('\n') == 1, answer.err.constData());
        }
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files).size(), files);
    }

    void seedIsOfThePolicy() {
        const auto iteration = [](const QString &policy, const QString &seed) {
            const ProcessResult answer = cli({"simulate", "--job", "resnet50", "--cluster", "A2", "--strategy", "PS", "--policy",
                                              policy, "--bandwidth", "1", "--seed", seed, "--json"});
            return QJsonDocument::fromJson(answer.out).object()["iteration_seconds"].toDouble();
        };
        const QString free = QStringLiteral("random(barrier=off)"), fixed = QStringLiteral("random(seed=2, barrier=off)");
        COMPARE_ABOVE(iteration(free, "2"), 0);
        QCOMPARE(iteration(free, "2"), iteration(fixed, "1")); // the expression's seed takes precedence
        QCOMPARE(iteration(free, "2"), iteration(QStringLiteral("random(2, barrier=off)"), "1"));
        QVERIFY(iteration(free, "1") != iteration(free, "2"));
    }

    void badUsage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("nothing") << QStringList{} << QByteArray("error: ");
        QTest::newRow("unknown command") << QStringList{"frobnicate"} << QByteArray("there is no command 'frobnicate'; see ");
        QTest::newRow("misspelt command") << QStringList{"simlate", "--job", "x"} << QByteArray("did you mean simulate?");
        QTest::newRow("misspelt command after options")
            << QStringList{"--json", "--seed", "3", "simlate"} << QByteArray("did you mean simulate?");
        QTest::newRow("options before the command")
            << QStringList{"--job", "alexnet", "simulate", "--strategy", "PS"} << QByteArray("--job");
        QTest::newRow("unknown job") << QStringList{"simulate", "--job", "nosuch", "--cluster", "B7", "--strategy", "PS"}
                                     << QByteArray("resnet50");
        QTest::newRow("unknown cluster") << QStringList{"simulate", "--job", "resnet50", "--cluster", "Z9", "--strategy", "PS"}
                                         << QByteArray("B7");
        QTest::newRow("unknown builder") << QStringList{"simulate", "--job", "resnet50", "--cluster", "B7", "--strategy", "Magic"}
                                         << QByteArray("error: --strategy:byte 0: there is no builder 'Magic'; use one of PS,");
        QTest::newRow("unknown policy") << QStringList{"simulate",   "--job", "resnet50", "--cluster", "B7",
                                                       "--strategy", "PS",    "--policy", "lifo"}
                                        << QByteArray("error: --policy:byte 0: there is no policy 'lifo'; use one of autodist,");
        QTest::newRow("unknown policy of B") << QStringList{"compare", "--job", "resnet50", "--cluster",  "B7",         "--a",
                                                            "PS",      "--b",   "PS",       "--policy-b", "ddp(pace=1)"}
                                             << QByteArray("error: --policy-b:byte 4: ");
        QTest::newRow("unknown builder of B")
            << QStringList{"compare", "--job", "resnet50", "--cluster", "B7", "--a", "PS", "--b", "Magic"}
            << QByteArray("error: --b:byte 0: ");
        QTest::newRow("builder to write") << QStringList{"build",     "--job", "alexnet", "--cluster", "B7",
                                                         "--builder", "Magic", "-o",      "never.pb"}
                                          << QByteArray("error: --builder:byte 0: ");
        QTest::newRow("nothing measured") << QStringList{"validate", SYNCOPATE_SOURCE "/docs/how-to"}
                                          << QByteArray("no measured runs and no logs of collectives");
        QTest::newRow("prose to calibrate from")
            << QStringList{"calibrate", SYNCOPATE_SOURCE "/CONTRIBUTING.md", "--cluster", "A2", "-o", "never.yml"}
            << QByteArray("nor a log of collectives nor a profile; give CSV with");
        QTest::newRow("negative workers") << QStringList{"simulate",   "--job", "resnet50",  "--cluster", "B7",
                                                         "--strategy", "PS",    "--workers", "-3"}
                                          << QByteArray("--workers");
        QTest::newRow("no folder") << QStringList{"validate", "/nonexistent"} << QByteArray("/nonexistent/");
        QTest::newRow("overlap with a wrong limit") << QStringList{"import", "/nonexistent.json", "--overlap", "--limit", "much"}
                                                    << QByteArray("--limit much is neither a size nor 'none'");
        for (const char *option : {"--step", "--variables", "-o"})
            QTest::addRow("overlap with %s", option)
                << QStringList{"import", "/nonexistent.json", "--overlap", option, "1"} << QByteArray("--overlap");
        QTest::newRow("no profile") << QStringList{"import", "/nonexistent.json"} << QByteArray("/nonexistent.json");
    }

    void badUsage() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        const ProcessResult answer = cli(arguments);
        QCOMPARE(answer.exitCode, 2);
        QVERIFY(answer.out.isEmpty());
        QVERIFY2(answer.err.startsWith("error: ") && answer.err.count('\n') == 1, answer.err.constData());
        QVERIFY2(answer.err.contains(says), answer.err.constData());
    }

    void oneIsSingular() {
        const ProcessResult alone =
            cli({"simulate", "--job", "alexnet", "--cluster", "A2", "--workers", "1", "--strategy", "PS", "--quiet"});
        QVERIFY2(alone.out.endsWith(" on 1 worker\n"), alone.out.constData());
    }

    void measuredTimesAndVariables() {
        QTemporaryDir folder;
        const auto write = [&](const char *name, const QByteArray &text) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName() : QString();
        };
        const QByteArray sizes = "activation_size=4.0, parameter_size=";
        const QString layers = write("two_graph.txt", "node1 -- Linear(in_features=10, out_features=4, bias=True) -- "
                                                      "forward_compute_time=2.0, backward_compute_time=3.0, " +
                                                          sizes + "176.0\n");
        const QString job =
            write("job.json", R"({"name": "x", "layers": [{"name": "fc", "forward_seconds": 1, "backward_seconds": 1,
            "variables": [{"name": "w", "shape": [10, 4]}, {"name": "b", "shape": [4]}]}]})");
        const QStringList simulate{"simulate", "--job", job, "--cluster", "A2", "--strategy", "AllReduce", "--json"};
        const ProcessResult own = cli(simulate), measured = cli(simulate + QStringList{"--measured", layers});
        QCOMPARE(own.exitCode, 0);
        COMPARE_ABOVE(own.json()["compute_seconds"].toDouble(), 1.9);
        COMPARE_WITHIN(measured.json()["compute_seconds"].toDouble(), 5e-3, 1e-4, measured.out + measured.err);
        const ProcessResult other =
            cli({"simulate", "--job", "resnet50", "--cluster", "A2", "--strategy", "AllReduce", "--measured", layers});
        QCOMPARE(other.exitCode, 2);
        QVERIFY2(other.err.contains("not the same model") && other.err.contains("two_graph.txt"), other.err);
        const QString strategy = folder.filePath("s.json");
        QCOMPARE(
            cli({"build", "--job", job, "--cluster", "A2", "--builder", "PS", "-o", strategy, "--measured", layers}).exitCode, 0);
        const QString list = write("list.json", R"({"w": {"shape": [10, 4], "dtype": "F32"}})");
        const ProcessResult needless = cli(simulate + QStringList{"--variables", list});
        QCOMPARE(needless.exitCode, 2);
        const ProcessResult named = cli({"import", layers, "--variables", list, "--json"});
        QCOMPARE(named.exitCode, 2); // [4, 10] is not [10, 4]
        const QString right = write("right.json", R"({"head.weight": {"shape": [4, 10], "dtype": "F32"}})");
        const QString imported = folder.filePath("imported.json");
        QCOMPARE(cli({"import", layers, "--variables", right, "-o", imported, "--json"}).exitCode, 0);
        QFile result(imported);
        QVERIFY(result.open(QIODevice::ReadOnly) && result.readAll().contains("\"head.weight\""));
    }

    void simulateJson() {
        const ProcessResult answer =
            cli({"simulate", "--job", "resnet50", "--cluster", "A2", "--strategy", "AllReduce(chunk_size=1)", "--json"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QJsonObject json = answer.json();
        for (const char *key : {"iteration_seconds", "compute_seconds", "communication_seconds", "exposed_communication_seconds",
                                "overlap_ratio", "samples_per_second", "workers", "events", "wall_seconds", "assumptions",
                                "peak_memory_bytes", "server_memory_bytes"})
            QVERIFY2(json.contains(QLatin1String(key)), key);
        QCOMPARE(json["workers"].toInt(), 11);
        // Every gradient is there when the last one is: with Adam's state four times the parameters.
        COMPARE_CLOSE(json["peak_memory_bytes"].toDouble(), 4 * json["parameter_bytes"].toDouble());
        // With the barrier, exposed communication adds to the compute time, apart from the latency gaps between collectives.
        const double accounted = json["compute_seconds"].toDouble() + json["exposed_communication_seconds"].toDouble();
        COMPARE_CLOSE(accounted, json["iteration_seconds"].toDouble(), 1e-3);
    }

    void knobsChangeTheResult() {
        const auto iteration = [](const QStringList &more) {
            const ProcessResult answer =
                cli(QStringList{"simulate", "--job", "vgg16", "--cluster", "A2", "--strategy", "PS", "--json"} + more);
            return answer.json()["iteration_seconds"].toDouble(std::nan("")); // which fails every check
        };
        const double plain = iteration({});
        COMPARE_BELOW(iteration({"--bandwidth", "100"}), plain);
        COMPARE_ABOVE(iteration({"--workers", "32"}), plain);
        COMPARE_ABOVE(iteration({"--latency", "5ms"}), plain);
    }

    void compareAgreesWithSimulate() {
        const QStringList common{"--job", "bert_large", "--cluster", "B7", "--json"};
        const QJsonObject both = cli(QStringList{"compare", "--a", "AllReduce", "--b", "PartitionedPS"} + common).json();
        const double a = cli(QStringList{"simulate", "--strategy", "AllReduce"} + common).json()["iteration_seconds"].toDouble();
        const double b =
            cli(QStringList{"simulate", "--strategy", "PartitionedPS"} + common).json()["iteration_seconds"].toDouble();
        COMPARE_ABOVE(a, 0);
        COMPARE_ABOVE(b, 0);
        QCOMPARE(both["a"].toObject()["iteration_seconds"].toDouble(), a);
        QCOMPARE(both["b"].toObject()["iteration_seconds"].toDouble(), b);
        QCOMPARE(both["delta_seconds"].toDouble(), b - a);
        const auto equal = cli({"compare", "--a", "AllReduce", "--b", "AllReduce", "--job", "bert_large", "--cluster", "B7"});
        QVERIFY2(equal.out.contains("B takes as long as A per iteration") && !equal.out.contains("0.0 %"), equal.out.constData());
    }

    void strategiesRoundTrip() {
        QTemporaryDir dir;
        const QString pb = dir.filePath("s.pb"), json = dir.filePath("s.json"), again = dir.filePath("again.pb");
        QCOMPARE(cli({"build", "--job", "vgg16", "--cluster", "B7", "--builder", "PartitionedPS", "-o", pb}).exitCode, 0);
        QCOMPARE(cli({"export", "--strategy", pb, "--format", "json", "-o", json}).exitCode, 0);
        QCOMPARE(cli({"export", "--strategy", json, "--format", "autodist", "-o", again}).exitCode, 0);
        for (const QStringList &ignored :
             {QStringList{"--cluster", "A2"}, {"--workers", "3"}, {"--batch-size", "8"}, {"--iterations", "9"}}) {
            const ProcessResult refused =
                cli(QStringList{"export", "--strategy", json, "--format", "json", "-o", dir.filePath("no.json")} + ignored);
            QVERIFY2(refused.exitCode == 2 && refused.isOneError() &&
                         refused.err.contains(ignored.first().toUtf8() + ": without"),
                     refused.err.constData());
        }
        const auto bytes = [](const QString &path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(!bytes(pb).isEmpty());
        QCOMPARE(bytes(again), bytes(pb));
        QVERIFY(bytes(dir.filePath("again_builder.py")).contains("again.pb"));
        const QStringList common{"simulate", "--job", "vgg16", "--cluster", "B7", "--json"};
        QCOMPARE(cli(common + QStringList{"--strategy", pb}).json()["iteration_seconds"],
                 cli(common + QStringList{"--strategy", "PartitionedPS"}).json()["iteration_seconds"]);
    }

    void traceAndTable() {
        QTemporaryDir dir;
        const QString trace = dir.filePath("t.json"), table = dir.filePath("t.csv");
        const ProcessResult answer = cli({"simulate", "--job", "resnet50", "--cluster", "B7", "--strategy", "PSLoadBalancing",
                                          "--trace", trace, "--table", table, "--json"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        QFile file(trace);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonParseError error{};
        const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &error);
        QCOMPARE(error.error, QJsonParseError::NoError);
        const QJsonArray events = document.object()["traceEvents"].toArray();
        COMPARE_ABOVE(events.size(), 1000);
        QHash<int, double> laneEnd; // events of one thread neither overlap nor go back in time: Perfetto would misplace them
        for (const auto &value : events) {
            const QJsonObject event = value.toObject();
            if (event["ph"].toString() != "X")
                continue;
            const int tid = event["tid"].toInt();
            COMPARE_AT_LEAST(event["ts"].toDouble(), laneEnd.value(tid) - 1e-3);
            laneEnd[tid] = event["ts"].toDouble() + event["dur"].toDouble();
        }
        QFile csv(table);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = csv.readAll().trimmed().split('\n');
        const QJsonArray jobs = cli({"catalog", "jobs", "--json"}).json()["jobs"].toArray();
        for (const auto &job : jobs)
            if (job.toObject()["name"].toString() == "resnet50")
                QCOMPARE(lines.size(), job.toObject()["variables"].toInt() + 1);
    }

    void picture() {
        QTemporaryDir dir;
        const QString one = dir.filePath("one.png"), two = dir.filePath("two.png");
        QCOMPARE(cli({"simulate", "--job", "vgg16", "--cluster", "B7", "--strategy", "PS", "--picture", one, "--quiet"}).exitCode,
                 0);
        const ProcessResult both = cli({"compare", "--job", "vgg16", "--cluster", "B7", "--a", "PS", "--b", "AllReduce",
                                        "--bandwidth", "10", "--picture", two, "--json"});
        QVERIFY2(both.exitCode == 0 && both.err.isEmpty(), both.err.constData());
        for (const QString &path : {one, two}) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY(file.read(8) == QByteArray("\x89PNG\r\n\x1a\n", 8));
            COMPARE_ABOVE(file.size(), 10000); // the picture is not empty
        }
        const ProcessResult nowhere =
            cli({"simulate", "--job", "vgg16", "--cluster", "B7", "--strategy", "PS", "--picture", "/no/such/folder/x.png"});
        QCOMPARE(nowhere.exitCode, 1);
    }

    /// Options that change the simulation reach the explorer; options that it lacks are refused.
    void picturesAreOfWhatIsSimulated() {
        QTemporaryDir dir;
        const auto pictureOf = [&](const QStringList &options) {
            const QString file = dir.filePath("picture.png");
            const ProcessResult answer = cli(
                QStringList{"simulate", "--cluster", "A2", "--strategy", "AllReduce", "--picture", file, "--force", "--quiet"} +
                options);
            return answer.exitCode == 0 ? contentOf(file) : answer.err;
        };
        const QByteArray named = R"({"name": "x", "layers": [{"name": "fc", "forward_seconds": %1, "backward_seconds": %1,
                                     "variables": [{"name": "w", "shape": [4000000]}]}]})";
        // Both files have one name, which the picture shows.
        const QString described = dir.filePath("described/job.json"), measured = dir.filePath("measured/job.json");
        writeFile(described, QByteArray(named).replace("%1", "0.01"));
        writeFile(measured, QByteArray(named).replace("%1", "0.02"));
        const QByteArray ofMeasured = pictureOf({"--job", measured});
        QVERIFY2(ofMeasured.startsWith("\x89PNG"), ofMeasured.constData());
        QVERIFY(pictureOf({"--job", described, "--measured", measured}) == ofMeasured);
        QVERIFY(pictureOf({"--job", described}) != ofMeasured);
        const QStringList random{"--job", "alexnet", "--bandwidth", "1", "--policy"};
        const QByteArray ofSeed = pictureOf(random + QStringList{"random(seed=5)"});
        QVERIFY2(ofSeed.startsWith("\x89PNG"), ofSeed.constData());
        QVERIFY(pictureOf(random + QStringList{"random", "--seed", "5"}) == ofSeed);
        QVERIFY(pictureOf(random + QStringList{"random"}) != ofSeed);
        const QString none = dir.filePath("none.png");
        for (const QStringList &option :
             {QStringList{"--iterations", "9"}, QStringList{"--no-fold"}, QStringList{"--curves", dir.path()},
              QStringList{"--background", "worker0.up:0.5@0-9s"}})
            for (const QStringList &command : {QStringList{"simulate", "--strategy", "PS", "--picture", none},
                                               QStringList{"compare", "--a", "PS", "--b", "AllReduce", "--picture", none},
                                               QStringList{"export", "--strategy", "PS", "--format", "png", "-o", none}}) {
                const ProcessResult answer = cli(command + QStringList{"--job", "alexnet", "--cluster", "A2"} + option);
                QVERIFY2(answer.exitCode == 2 && answer.isOneError() && answer.err.contains(option.first().toUtf8()),
                         answer.err.constData());
            }
        QVERIFY(!QFile::exists(none));
    }

    /// The explorer ends with an error where it was asked for a picture of a cluster alone: no run will ever be on its screen.
    void aClusterAloneIsNoPicture() {
        QTemporaryDir dir;
        const QString picture = dir.filePath("cluster.png");
        const ProcessResult answer =
            runProgram("bash", {"-c", "QT_QPA_PLATFORM=offscreen timeout 60 \"$0\" \"$1\" --language en --screenshot \"$2\"",
                                QFileInfo(SYNCOPATE_CLI).dir().filePath("syncopate"),
                                SYNCOPATE_SOURCE "/sample_data/cluster_8x1gbe.yml", picture});
        QVERIFY2(answer.exitCode == 2 && answer.isOneError(), answer.err.constData());
        QVERIFY2(answer.err.contains("--cluster"), answer.err.constData());
        QVERIFY(!QFile::exists(picture));
    }

    /// The explorer's options that it would ignore are refused before a window opens.
    void theExplorerRefusesWhatItDoesNotKnow() {
        QTemporaryDir dir;
        const QString picture = dir.filePath("x.png");
        for (const auto &[option, says] : {std::pair{QStringList{"--size", "axb"}, "--size: 'axb' is no size"},
                                           {QStringList{"--size", "0x900"}, "--size: '0x900' is no size"},
                                           {QStringList{"--size", "10000x900"}, "--size: '10000x900' is no size"},
                                           {QStringList{"--theme", "purple"}, "--theme: there is no theme 'purple'"},
                                           {QStringList{"--picture-format", "gif"}, "--picture-format: there is no format 'gif'"},
                                           {QStringList{"--nonsense"}, "'nonsense'; see syncopate --help"},
                                           {QStringList{"--theme"}, "'--theme'; see syncopate --help"},
                                           {QStringList{"vgg16"}, "vgg16: a window opens one job"}}) {
            const ProcessResult answer = runProgram(
                "bash", QStringList{"-c", "QT_QPA_PLATFORM=offscreen timeout 60 \"$0\" alexnet --cluster A2 --picture \"$@\"",
                                    QFileInfo(SYNCOPATE_CLI).dir().filePath("syncopate"), picture} +
                            option);
            QVERIFY2(answer.exitCode == 2 && answer.isOneError() && answer.err.contains(says), answer.err.constData());
            QVERIFY(!QFile::exists(picture));
        }
    }

    /// So are options that have no effect beside others, or without them.
    void theExplorerRefusesWhatItWouldIgnore() {
        QTemporaryDir dir;
        const QString picture = dir.filePath("x.png"), project = dir.filePath("p.syncopate");
        for (const auto &[options, says] :
             {std::pair{QStringList{"alexnet", "--sample", "--picture", picture}, "--sample: a window opens one job"},
              {QStringList{"alexnet", "--picture", picture, "--screenshot", picture}, "--screenshot: one picture is saved"},
              {QStringList{"alexnet", "--screenshot", picture, "--picture-format", "svg"},
               "--picture-format: it is the format of"},
              {QStringList{"--cluster", "A2", "--screenshot", picture}, "--cluster: it is the cluster of a job"},
              {QStringList{"alexnet", "--a", "PS", "--policy-b", "p3", "--picture", picture},
               "--policy-b: it is the policy of B"},
              {QStringList{project, "--cluster", "A2", "--picture", picture}, "--cluster: a project has a cluster"},
              {QStringList{project, "--b", "PS", "--picture", picture}, "--b: a project has a cluster"}}) {
            const ProcessResult answer =
                runProgram("bash", QStringList{"-c", "QT_QPA_PLATFORM=offscreen timeout 60 \"$0\" \"$@\"",
                                               QFileInfo(SYNCOPATE_CLI).dir().filePath("syncopate")} +
                                       options);
            QVERIFY2(answer.exitCode == 2 && answer.isOneError() && answer.err.contains(says), answer.err.constData());
            QVERIFY(!QFile::exists(picture));
        }
    }

    /// The explorer's options of one side leave the rest as it is without options, and none is ignored.
    void eachOptionOfASideCounts() {
        QTemporaryDir dir;
        const auto pictureOf = [&](const QStringList &options) {
            const QString path = dir.filePath("sides.png");
            const ProcessResult answer = runProgram(
                "bash",
                QStringList{"-c",
                            "QT_QPA_PLATFORM=offscreen timeout 60 \"$0\" alexnet --cluster A2 --language en --theme light "
                            "--size 1000x700 --picture \"$@\"",
                            QFileInfo(SYNCOPATE_CLI).dir().filePath("syncopate"), path} +
                    options);
            QFile file(path);
            return answer.exitCode == 0 && file.open(QIODevice::ReadOnly) ? file.readAll() : answer.err;
        };
        const QStringList a{"--a", "AllReduce(chunk_size=128)"}, b{"--b", "PSLoadBalancing"};
        const QByteArray usual = pictureOf({});
        QVERIFY2(usual.startsWith("\x89PNG"), usual.constData());
        QVERIFY(pictureOf(a + b) == usual);
        for (const QStringList &option :
             {QStringList{"--policy-a", "bytescheduler"}, QStringList{"--policy-b", "bytescheduler"}}) {
            const QByteArray alone = pictureOf(option);
            QVERIFY2(alone.startsWith("\x89PNG"), alone.constData());
            QVERIFY(alone != usual);
            QVERIFY(alone == pictureOf(a + b + option));
        }
        const QByteArray ofB = pictureOf({"--b", "PS"});
        QVERIFY(ofB != usual);
        QVERIFY(ofB == pictureOf(a + QStringList{"--b", "PS"}));
    }

    /// A program that does not end by itself leaves the reason, so that a failing test names it.
    void whyAProgramFailedIsKept() {
        const ProcessResult missing = runProgram("/nonexistent/program", {});
        QCOMPARE(missing.exitCode, -1);
        QVERIFY2(missing.err.startsWith("/nonexistent/program: ") && missing.err.size() > 25, missing.err.constData());
        const ProcessResult killed = runProgram("bash", {"-c", "echo before >&2; kill -KILL $$"});
        QCOMPARE(killed.exitCode, -1);
        QVERIFY2(killed.err.startsWith("before\nbash: ") && killed.err.size() > 15, killed.err.constData());
        QCOMPARE(runProgram("bash", {"-c", "echo before >&2; exit 3"}).err, QByteArray("before\n"));
    }

    /// PartitionedPS splits a dimension that is a large prime into single rows: refused if a machine could not hold them.
    void aPrimeDimensionIsBounded() {
        QTemporaryDir dir;
        QFile job(dir.filePath("wide.json"));
        QVERIFY(job.open(QIODevice::WriteOnly));
        job.write(R"({"name": "wide", "layers": [{"name": "l", "forward_seconds": 0.001, "backward_seconds": 0.002,
                      "variables": [{"name": "v", "shape": [273797, 64]}]}]})");
        job.close();
        const QStringList scenario{
            "simulate", "--job", job.fileName(), "--cluster", SYNCOPATE_SOURCE "/sample_data/cluster_8x1gbe.yml", "--strategy"};
        const ProcessResult rows = cli(scenario + QStringList{"PartitionedPS", "--no-fold"});
        QVERIFY2(rows.exitCode == 2 && rows.isOneError() && rows.err.contains("million tasks"), rows.err.constData());
        QCOMPARE(cli(scenario + QStringList{"UnevenPartitionedPS"}).exitCode, 0);
    }

    /// simulate and compare accept background traffic as predict does, with the same errors.
    void simulateWithBackground() {
        const QStringList base{"simulate", "--job", "resnet50", "--cluster", "A2", "--strategy", "AllReduce", "--json"};
        const double plain = cli(base).json()["iteration_seconds"].toDouble();
        const ProcessResult slowed = cli(base + QStringList{"--background", "worker0.up:0.8@0-1000s"});
        COMPARE_ABOVE(slowed.json()["iteration_seconds"].toDouble(), 1.2 * plain, slowed.out.constData());
        QVERIFY(slowed.out.contains("the figures are those of iteration 3 of 4"));
        QTemporaryDir dir;
        QFile table(dir.filePath("traffic.csv"));
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write("link,from_seconds,to_seconds,share\nworker0.up,0,1000,0.8\n");
        table.close();
        QCOMPARE(cli(base + QStringList{"--background", table.fileName()}).json()["iteration_seconds"],
                 slowed.json()["iteration_seconds"]);
        const ProcessResult nowhere = cli(base + QStringList{"--background", "server9.up:0.8@0-1000s"});
        QCOMPARE(nowhere.json()["iteration_seconds"].toDouble(), plain);
        QVERIFY(nowhere.out.contains("background-nowhere"));
        // The same holds for commands that judge or write such a simulation.
        const QStringList scenario{"--job", "resnet50", "--cluster", "A2", "--background", "worker0.up:0.8@0-1000s"};
        QCOMPARE(cli(QStringList{"trial", "--strategy", "AllReduce", "--json"} + scenario).json()["iteration_seconds"],
                 slowed.json()["iteration_seconds"]);
        const ProcessResult searched = cli(QStringList{"search", "--trials", "1", "--json"} + scenario);
        QCOMPARE(searched.json()["baselines"].toObject()["AllReduce"], slowed.json()["iteration_seconds"]);
        const QString trace = dir.filePath("trace.json"), traceOfExport = dir.filePath("export.json");
        QCOMPARE(cli(base + QStringList{"--background", table.fileName(), "--trace", trace}).exitCode, 0);
        const QStringList chrome{"export", "--strategy", "AllReduce", "--format", "chrome", "-o", traceOfExport};
        QCOMPARE(cli(chrome + scenario).exitCode, 0);
        QVERIFY(!contentOf(trace).isEmpty());
        QCOMPARE(contentOf(traceOfExport), contentOf(trace));
        // Pictures and kept searches belong to the explorer, which has no such traffic.
        const QString file = dir.filePath("not_written");
        for (const QStringList &command :
             {QStringList{"search", "--project", file}, QStringList{"simulate", "--strategy", "PS", "--picture", file},
              QStringList{"export", "--strategy", "PS", "--format", "png", "-o", file}}) {
            const ProcessResult answer = cli(command + scenario);
            QVERIFY2(answer.exitCode == 2 && answer.isOneError() && answer.err.contains("--background"), answer.err.constData());
            QVERIFY(!QFile::exists(file));
        }
        const QStringList both{"compare", "--job", "resnet50", "--cluster", "A2", "--a", "AllReduce", "--b", "PS", "--json"};
        const ProcessResult compared = cli(both + QStringList{"--background", "worker0.up:0.8@0-1000s"});
        QCOMPARE(compared.json()["a"].toObject()["iteration_seconds"], slowed.json()["iteration_seconds"]);
        for (const QStringList &command : {base, both, QStringList{"predict", "resnet50", "--cluster", "A2"}})
            for (const char *bad : {"worker0.up:2@0-1s", "worker0.left:0.1@0-1s", "no-such-file.csv"}) {
                const ProcessResult answer = cli(command + QStringList{"--background", bad});
                QCOMPARE(answer.exitCode, 2);
                QVERIFY2(answer.err.startsWith("error: ") && answer.err.count('\n') == 1, answer.err.constData());
            }
    }

    void predictJson() {
        const QStringList base{"predict", "resnet50", "--cluster", "A2",        "--bandwidth", "10",    "--workers",
                               "1-3",     "--steps",  "60",        "--warm-up", "5",           "--json"};
        const QJsonObject json = cli(base).json();
        const QJsonArray curve = json["curve"].toArray();
        QCOMPARE(curve.size(), 3);
        for (qsizetype i = 0; i < 3; ++i) {
            const QJsonObject point = curve[i].toObject();
            QCOMPARE(point["workers"].toInt(), i + 1);
            const double rate = point["samples_per_second"].toDouble();
            COMPARE_ABOVE(rate, 0);
            COMPARE_AT_MOST(point["low"].toDouble(), rate);
            COMPARE_AT_MOST(rate, point["high"].toDouble());
        }
        QVERIFY(json["events"].toDouble() > 0 && json["wall_seconds"].toDouble() > 0);
        const auto last = [](const QStringList &arguments) {
            const QJsonArray points = cli(arguments).json()["curve"].toArray();
            return points.last().toObject()["samples_per_second"].toDouble(std::nan("")); // which fails every check
        };
        const double plain = last(base);
        QCOMPARE(last(base), plain);
        COMPARE_ABOVE(last(base + QStringList{"--servers", "2"}), plain);
        COMPARE_BELOW(last(base + QStringList{"--window", "64KiB"}), plain);
        COMPARE_BELOW(last(base + QStringList{"--order", "reverse"}), plain);
        COMPARE_AT_LEAST(last(base + QStringList{"--order", "tic"}), plain * 0.999);
        COMPARE_BELOW(last(base + QStringList{"--staleness", "0"}), plain * 1.001);
        for (const QStringList &bad :
             {QStringList{"--workers", "0-3"}, QStringList{"--workers", "3-1"}, QStringList{"--workers", "1-99999"},
              QStringList{"--window", "-1"}, QStringList{"--window", "wide"}, QStringList{"--order", "lifo"},
              QStringList{"--per-layer", "--staleness", "1"}, QStringList{"--workers", "1,4096", "--servers", "1000"}}) {
            const ProcessResult answer = cli(QStringList{"predict", "resnet50", "--cluster", "A2"} + bad);
            QCOMPARE(answer.exitCode, 2);
            QVERIFY2(answer.err.startsWith("error: ") && answer.err.count('\n') == 1, answer.err.constData());
        }
    }

    /// A share below one per cent is not told as none.
    void predictTellsASmallGain() {
        const ProcessResult answer = cli({"predict", "alexnet", "--cluster", "A2", "--bandwidth", "1", "--workers", "1-8",
                                          "--steps", "20", "--starts", "1", "--gain", "0.004"});
        QVERIFY2(answer.out.contains("another one adds less than 0.4 % of"), (answer.err + answer.out).constData());
    }

    /// A server with several devices is one server: variables that a strategy places on its devices share its link.
    void predictCountsServersNotTheirDevices() {
        const QTemporaryDir dir;
        const auto write = [&](const char *name, const QByteArray &text) {
            QFile file(dir.filePath(QLatin1String(name)));
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName() : QString();
        };
        const auto cluster = [&](const char *name, const QByteArray &devices) {
            return write(name, "nodes:\n  - {address: 10.0.0.1, gpus: [0], chief: true, network_bandwidth: 10}\n"
                               "  - {address: 10.0.0.2, gpus: [0], ssh_config: conf, network_bandwidth: 10}\n"
                               "  - {address: 10.0.0.8, " +
                                   devices + "ssh_config: conf, network_bandwidth: 10}\n  - {address: 10.0.0.9, " + devices +
                                   "ssh_config: conf, network_bandwidth: 10}\nssh: {conf: {username: me}}\n"
                                   "server_only: [10.0.0.8, 10.0.0.9]\n");
        };
        const QString single = cluster("single.yml", {}), twin = cluster("twin.yml", "cpus: [0, 1], ");
        const QString strategy = dir.filePath("strategy.json");
        const ProcessResult built = cli({"build", "--job", "alexnet", "--cluster", single, "--builder",
                                         "PSLoadBalancing(sync=False)", "-o", strategy, "--json"});
        QVERIFY2(built.exitCode == 0, built.err.constData());
        QFile placed(strategy);
        QVERIFY(placed.open(QIODevice::ReadOnly));
        QByteArray text = placed.readAll();
        QVERIFY(text.contains("10.0.0.8:CPU:0") && text.contains("10.0.0.9:CPU:0"));
        const QString second = write("second.json", text.replace("10.0.0.8:CPU:0", "10.0.0.8:CPU:1"));
        const auto curveOf = [](const QString &servers, const QString &places) {
            const ProcessResult answer = cli({"predict", "alexnet", "--cluster", servers, "--strategy", places, "--workers",
                                              "1-2", "--steps", "40", "--json"});
            if (answer.exitCode != 0)
                qWarning("%s", answer.err.constData());
            return answer.json()["curve"].toArray();
        };
        const QJsonArray want = curveOf(single, strategy);
        QCOMPARE(want.size(), 2);
        QCOMPARE(curveOf(twin, strategy), want);
        QCOMPARE(curveOf(twin, second), want);
    }

    /// A job file made from timelines has no transfers; users who predict from it are told why the figures differ.
    void predictionOfAJobFileNamesItsLoss() {
        const QString profiles = QStringLiteral(SYNCOPATE_SOURCE "/sample_data/async_grpc/profiles/");
        const QStringList folders = QDir(profiles).entryList({QStringLiteral("alexnet*1.0gbits*off*")}, QDir::Dirs);
        QVERIFY(!folders.isEmpty());
        const QTemporaryDir folder;
        const QString job = folder.filePath("job.json");
        const ProcessResult imported = cli({"import", profiles + folders.first(), "-o", job, "--json"});
        QVERIFY2(imported.exitCode == 0, imported.err.constData());
        const auto of = [&](const QString &what) {
            const ProcessResult answer =
                cli({"predict", what, "--cluster", "A2", "--bandwidth", "1", "--workers", "1", "--steps", "50", "--json"});
            return answer.exitCode == 0 ? answer.json() : QJsonObject();
        };
        const QJsonObject whole = of(profiles + folders.first()), layers = of(job);
        QVERIFY(!whole.isEmpty() && !layers.isEmpty());
        const auto says = [](const QJsonObject &answer, const char *text) {
            const QJsonArray all = answer["assumptions"].toArray();
            return std::any_of(all.begin(), all.end(),
                               [&](const auto &one) { return one.toString().contains(QLatin1String(text)); });
        };
        QVERIFY(says(layers, "predict gives other throughputs"));
        QVERIFY(!says(whole, "predict gives other throughputs"));
        QVERIFY(says(whole, "Recorded transfers are explained by streams of"));
        QVERIFY(whole.contains("reconstruction") && !layers.contains("reconstruction"));
    }

    void lintMarks() {
        QTemporaryDir dir;
        const ProcessResult built = cli(
            {"build", "--job", "vgg16", "--cluster", "B7", "--builder", "PSLoadBalancing", "-o", dir.filePath("s.pb"), "--json"});
        QVERIFY2(built.exitCode == 0, built.err.constData());
        const QJsonArray marks = built.json()["lint"].toArray();
        QCOMPARE(marks.size(), 1);
        QCOMPARE(marks[0].toObject()["rule"].toString(), QString("unbalanced-servers"));
        QCOMPARE(marks[0].toObject()["severity"].toString(), QString("warning"));
        const QStringList sparse{"simulate", "--job", "bert_base_sparse", "--cluster", "B7", "--strategy", "AllReduce"};
        QVERIFY(cli(sparse).out.contains("[sparse-all-reduce]"));
        QVERIFY(!cli(sparse + QStringList{"--quiet"}).out.contains("lint"));
        QVERIFY(cli({"simulate", "--job", "vgg16", "--cluster", "B7", "--strategy", "AllReduce(chunk_size=8)", "--json"})
                    .json()["lint"]
                    .toArray()
                    .isEmpty());
        // For the same strategy, settings that a policy with its own groups ignores are no trap.
        const QStringList ofOneGroup{"compare", "--job",     "vgg16", "--cluster", "B7",
                                     "--a",     "AllReduce", "--b",   "AllReduce", "--json"};
        const auto rules = [](const QJsonValue &side) {
            QStringList all;
            for (const QJsonValue &mark : side["lint"].toArray())
                all += mark["rule"].toString();
            return all;
        };
        const QJsonObject compared = cli(ofOneGroup + QStringList{"--policy-b", "ddp"}).json();
        QVERIFY(rules(compared["a"]).contains("one-group"));
        QVERIFY(!rules(compared["b"]).contains("one-group") && rules(compared["b"]).contains("groups-ignored"));
        QCOMPARE(compared["b"]["strategy"].toString(), QString("AllReduce"));
    }

    void clustersTellPublishedFromAssumed() {
        const ProcessResult answer = cli({"catalog", "clusters"});
        QVERIFY(answer.out.contains("published: ") && answer.out.contains("assumed: "));
        for (const auto &entry : cli({"catalog", "clusters", "--json"}).json()["clusters"].toArray()) {
            QVERIFY(!entry.toObject()["published"].toArray().isEmpty());
            QVERIFY(!entry.toObject()["assumed"].toArray().isEmpty());
        }
    }

    void catalogues() {
        for (const char *what : {"jobs", "clusters", "builders", "policies"}) {
            const ProcessResult answer = cli({"catalog", what, "--json"});
            QCOMPARE(answer.exitCode, 0);
            COMPARE_AT_LEAST(answer.json()[QLatin1String(what)].toArray().size(), 2);
        }
    }

    /// Names are those that options take; the signature, with all defaults, stands beside them.
    void cataloguesTellNameAndSignature() {
        for (const auto &[what, name, signature] : {std::tuple{"builders", "PS", "PS("},
                                                    {"policies", "bytescheduler", "bytescheduler(partition="},
                                                    {"methods", "random", "random("},
                                                    {"tuners", "bo", "bo("},
                                                    {"planners", "syndicate", "syndicate("},
                                                    {"judges", "simulated", "simulated("}}) {
            QStringList names;
            for (const auto &entry : cli({"catalog", what, "--json"}).json()[QLatin1String(what)].toArray()) {
                names += entry.toObject()["name"].toString();
                if (names.back() == QLatin1String(name)) {
                    const QString got = entry.toObject()["signature"].toString();
                    QVERIFY2(got.startsWith(QLatin1String(signature)), qPrintable(names.back() + ": " + got));
                }
            }
            QVERIFY2(names.contains(QLatin1String(name)), qPrintable(QLatin1String(what) + ": " + names.join(' ')));
        }
    }
};

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
