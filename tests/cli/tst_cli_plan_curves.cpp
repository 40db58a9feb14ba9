// SPDX-License-Identifier: GPL-3.0-or-later
// Costs of plans on the command line: incast, a cluster file's measured times, logs of collectives, and curves in place of plans.
#include "tests/checks.h"
#include "tests/cli/cli.h"
#include "tests/cli/measured_plans.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <limits>
#include <map>
#include <vector>

using namespace syncopate::testing;

namespace {

/// Eight nodes of a cluster file.
QByteArray eightNodes() {
    QByteArray text = "nodes:\n- {address: 10.0.0.1, gpus: [0], chief: true, network_bandwidth: 10}\n";
    for (int n = 2; n <= 8; ++n)
        text += "- {address: 10.0.0." + QByteArray::number(n) + ", gpus: [0], network_bandwidth: 10, ssh_config: c}\n";
    return text + "ssh: {c: {username: me}}\n";
}

/// The iteration of the FIFO plan in an answer of `plan --json`; NaN for a failed command, so that every check fails.
double fifoSeconds(const ProcessResult &answer) {
    if (answer.exitCode == 0)
        return answer.json()["methods"].toObject()["fifo"].toDouble(std::numeric_limits<double>::quiet_NaN());
    qWarning("%s", answer.err.constData());
    return std::numeric_limits<double>::quiet_NaN();
}

} // namespace

class TestCliPlanCurves : public QObject {
    Q_OBJECT

private slots:
    /// A channel that runs several collectives at once goes by its own name, or each of its parts by the part's.
    void incastOfAChannelWithParts() {
        const QTemporaryDir folder;
        const QString cluster = folder.filePath("two.yml");
        writeFile(cluster, eightNodes() + "channels: [{name: tcp, bandwidth: 10, concurrent: 2}]\n");
        const auto iteration = [&](const QString &incast) {
            const ProcessResult answer =
                cli({"plan", "--json", "--job", "syndicate:a2", "--cluster", cluster, "--method", "fifo", "--incast", incast});
            return fifoSeconds(answer);
        };
        const double all = iteration("0.4");
        COMPARE_ABOVE(all, 1.05 * iteration("0"));
        COMPARE_CLOSE(iteration("tcp=0.4"), all);
        COMPARE_CLOSE(iteration("tcp (1 of 2)=0.4,tcp (2 of 2)=0.4"), all);
        const ProcessResult refused =
            cli({"plan", "--job", "syndicate:a2", "--cluster", cluster, "--incast", "tcp (3 of 2)=0.4"});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.err.contains("tcp (3 of 2)"), refused.err.constData());
    }

    /// A cluster file's measured collectives serve as costs if they have the plan's number of processes and there is one link.
    void costsOfTheClusterFile() {
        const QTemporaryDir folder;
        const auto planned = [&](const QByteArray &keys) {
            const QString cluster = folder.filePath("c.yml"), dag = folder.filePath("one.dag");
            writeFile(cluster, eightNodes() + keys);
            writeFile(dag, "dag one processes 8\nop fwd compute 10ms previous ar\nop ar all_reduce 1048576 after fwd\n");
            return cli({"plan", "--json", "--job", dag, "--cluster", cluster, "--method", "fifo"});
        };
        const QByteArray measured = "collectives: [{kind: all_reduce, ranks: 8, points: [[1024, 0.001], [1048576, 0.25]]}]\n";
        // One op of 10 ms, then an all-reduce of 1 MiB on the critical path.
        COMPARE_CLOSE(fifoSeconds(planned(measured)), 0.01 + 0.25);
        const double modelled = fifoSeconds(planned(""));
        COMPARE_BELOW(modelled, 0.1);
        for (const QByteArray &keys :
             {QByteArray("collectives: [{kind: all_reduce, ranks: 4, points: [[1024, 0.001], [1048576, 0.25]]}]\n"),
              measured + "channels: [{name: a, bandwidth: 10}, {name: b, bandwidth: 10}]\n"}) {
            const ProcessResult left = planned(keys);
            COMPARE_BELOW(fifoSeconds(left), 0.1);
            QVERIFY2(left.out.contains("measured times of collectives"), left.out.constData());
        }
    }

    /// Times that were measured on other links are left out, by planners and for plan files, and a note says so, as it does for
    /// jobs.
    void staleTimesAreSaid() {
        const QTemporaryDir folder;
        const QString cluster = folder.filePath("c.yml"), dag = folder.filePath("one.dag"),
                      file = folder.filePath("one.plan.json");
        writeFile(cluster,
                  eightNodes() + "collectives: [{kind: all_reduce, ranks: 8, points: [[1024, 0.001], [1048576, 0.25]]}]\n");
        writeFile(dag, "dag one processes 8\nop fwd compute 10ms previous ar\nop ar all_reduce 1048576 after fwd\n");
        const QStringList where{"--job", dag, "--cluster", cluster};
        QCOMPARE(cli(QStringList{"plan", "--method", "fifo", "-o", file} + where).exitCode, 0);
        const QByteArray note = "Measured times of collectives are left out: they belong to other links.";
        const QList<QStringList> commands{{"plan", "--method", "fifo", "--evaluations", "1"},
                                          {"plan", "--json", "--method", "fifo", "--evaluations", "1"},
                                          {"simulate"},
                                          {"simulate", "--json"},
                                          {"simulate", "--strategy", file},
                                          {"simulate", "--json", "--strategy", file}};
        for (const QStringList &command : commands)
            for (const QStringList &knob : {QStringList(), {"--bandwidth", "20"}, {"--latency", "1ms"}}) {
                const ProcessResult answer = cli(command + where + knob);
                QVERIFY2(answer.exitCode == 0, answer.err.constData());
                COMPARE_WITHIN(answer.out.count(note), knob.isEmpty() ? 0 : 1, 0, (command + knob).join(' '));
                if (command == commands.back()) {
                    const double seconds = answer.json()["iteration_seconds"].toDouble(-1);
                    QVERIFY2(knob.isEmpty() ? seconds > 0.2 : seconds < 0.1, answer.out.constData());
                }
            }
    }

    /// The slowdown of all-to-alls by incast, given for all channels, for one, or as measured; splines then pay off.
    void incastIsSet() {
        const QTemporaryDir folder;
        const auto iteration = [](const QStringList &more) {
            const ProcessResult answer = cli(QStringList{"plan", "--json", "--job", "syndicate:a2", "--cluster", "syndicate",
                                                         "--workers", "32", "--evaluations", "20", "--method", "fifo"} +
                                             more);
            return fifoSeconds(answer);
        };
        const double without = iteration({});
        COMPARE_CLOSE(iteration({"--incast", "0"}), without);
        COMPARE_CLOSE(iteration({"--incast", "tcp=0.4"}), without); // FIFO uses the other channel
        const double all = iteration({"--incast", "0.4"});
        COMPARE_ABOVE(all, 1.2 * without);
        COMPARE_CLOSE(iteration({"--incast", "rdma=0.4,tcp=0.4"}), all);
        const ProcessResult fit = cli(plan(folder, {"--json", "--method", "fifo", "--incast", "fit"}));
        QVERIFY2(fit.exitCode == 0, fit.err.constData());
        QVERIFY(fit.json()["notes"].toArray().first().toString().startsWith("The incast of the channel \"e0\" is 0.3"));
        for (const char *bad : {"much", "-1", "nan", "e7=0.4", "e0=", ","}) {
            const ProcessResult answer = cli(plan(folder, {"--incast", bad}));
            QCOMPARE(answer.exitCode, 2);
            QVERIFY2(answer.err.contains("--incast"), answer.err.constData());
        }
        const ProcessResult nothing = cli({"plan", "--job", "syndicate:a2", "--cluster", "syndicate", "--incast", "fit"});
        QCOMPARE(nothing.exitCode, 2);
        QVERIFY2(nothing.err.contains("was measured"), nothing.err.constData());
    }

    /// Cost curves in place of plans: the closed form of the channels' figures, and where two of the ways cross.
    void curvesArePrinted() {
        const QTemporaryDir folder;
        const QString cluster = channels(folder, ", latency_seconds: 2.0e-4", ", latency_seconds: 1.0e-5");
        const QStringList arguments{"plan", "--job", measured + "dags/a2a-prefetch.dag.json", "--cluster", cluster};
        const ProcessResult all = cli(arguments + QStringList{"--curves", "all", "--json"});
        QVERIFY2(all.exitCode == 0, all.err.constData());
        QVERIFY(!all.json().contains("methods"));
        const QJsonArray kinds = all.json()["curves"].toArray();
        QCOMPARE(kinds.size(), 2);
        const ProcessResult one = cli(arguments + QStringList{"--curves", "all_to_all", "--json"});
        QVERIFY2(one.exitCode == 0, one.err.constData());
        QCOMPARE(one.json()["curves"].toArray().size(), 1);
        const QJsonObject a2a = one.json()["curves"].toArray().first().toObject();
        QVERIFY(kinds.contains(a2a));
        QCOMPARE(a2a["collective"].toString(), QStringLiteral("all_to_all"));
        QCOMPARE(a2a["processes"].toInt(), 4);
        const QJsonArray ways = a2a["ways"].toArray();
        // 3 steps of the latency, and 3 of 4 parts of the buffer over the wire.
        struct Line {
            double alpha, beta;
        };
        std::map<QString, std::pair<int, Line>> whole; // by channel: number and line
        for (int w = 0; w < ways.size(); ++w) {
            const QJsonObject way = ways[w].toObject();
            if (way["way"].toString() != "whole")
                continue;
            QCOMPARE(way["measured"].toBool(true), false);
            const bool isFirst = way["channel"].toString() == "e0";
            const Line want{3 * (isFirst ? 2e-4 : 1e-5), 0.75 / ((isFirst ? 1 : 0.4) * 1.25e8)};
            whole[way["channel"].toString()] = {w, want};
            const QJsonArray points = way["points"].toArray();
            COMPARE_CLOSE(points.last().toObject()["size_bytes"].toDouble(), 1024.0 * 1024 * 1024);
            for (const auto &point : points)
                COMPARE_CLOSE(point.toObject()["seconds"].toDouble(),
                              want.alpha + want.beta * point.toObject()["size_bytes"].toDouble());
        }
        QCOMPARE(whole.size(), std::size_t{2});
        const auto &[first, slow] = whole["e1"];
        const auto &[second, fast] = whole["e0"];
        bool found = false;
        for (const auto &each : a2a["crossovers"].toArray())
            if (const QJsonObject crossover = each.toObject();
                crossover["below"].toInt() == first && crossover["above"].toInt() == second) {
                COMPARE_CLOSE(crossover["size_bytes"].toDouble(), (fast.alpha - slow.alpha) / (slow.beta - fast.beta));
                found = true;
            }
        QVERIFY2(found, one.out.constData());
        // With measured costs, another price, and a table for people.
        const ProcessResult table = cli(arguments + QStringList{"--costs", measured + "collectives.csv", "--curves", "alltoall"});
        QVERIFY2(table.exitCode == 0, table.err.constData());
        for (const char *part : {"all_to_all among 4: ", "e0, whole, measured", "e0, whole, by its figures", "*",
                                 "the fastest way changes at ", "not measured follow from the channels' figures"})
            QVERIFY2(table.out.contains(part), table.out.constData());
    }

    /// A terminal gets the first 40 of many sizes and crossovers, and the number of the others; --json has all.
    void longListsOfCurvesAreCut() {
        const QTemporaryDir folder;
        const QString dagFile = folder.filePath(QStringLiteral("many.dag.json")),
                      costsFile = folder.filePath(QStringLiteral("costs.csv"));
        QJsonArray ops{QJsonObject{{"name", "step"}, {"kind", "compute"}, {"seconds", 1}}};
        for (int i = 1; i <= 42; ++i)
            ops.append(QJsonObject{{"name", QString::number(i)},
                                   {"kind", "all_gather"},
                                   {"bytes_per_process", 1024 * i},
                                   {"parents", QJsonArray{"step"}}});
        QFile dag(dagFile), costs(costsFile);
        QVERIFY(dag.open(QIODevice::WriteOnly) && costs.open(QIODevice::WriteOnly));
        dag.write(QJsonDocument(QJsonObject{{"name", "many"}, {"hosts", 2}, {"ops", ops}}).toJson());
        // For i MiB the one channel takes 1 % more than i ms and the other 1 % less; for i + 1 MiB it is the other way round.
        constexpr int measuredSizes = 46;
        costs.write("case,collective,channel,spline,bytes_per_process,all_ranks_seconds_median,all_done_seconds_median\n");
        for (int i = 1; i <= measuredSizes; ++i)
            for (const int channel : {0, 1}) {
                const QByteArray seconds = QByteArray::number(1e-3 * i * ((i + channel) % 2 == 0 ? 1.01 : 0.99), 'g', 17);
                costs.write("alone,all_gather,e" + QByteArray::number(channel) + ",0/1," + QByteArray::number(i * 1048576) + ',' +
                            seconds + ',' + seconds + '\n');
            }
        dag.close();
        costs.close();
        const QStringList arguments{"plan",    "--job",   dagFile,    "--cluster", channels(folder),
                                    "--costs", costsFile, "--curves", "all"};
        const ProcessResult all = cli(arguments + QStringList{"--json"});
        QVERIFY2(all.exitCode == 0, all.err.constData());
        const QJsonObject gather = all.json()["curves"].toArray().first().toObject();
        QCOMPARE(gather["sizes_bytes"].toArray().size(), 42);
        std::vector<double> crossed;
        for (const auto &each : gather["crossovers"].toArray())
            if (each.toObject()["fastest"].toBool())
                crossed.push_back(each.toObject()["size_bytes"].toDouble());
        QCOMPARE(crossed.size(), std::size_t{measuredSizes - 1});
        for (std::size_t c = 0; c < crossed.size(); ++c) {
            const double i = static_cast<double>(c) + 1;
            COMPARE_CLOSE(crossed[c], (i + i / (2 * i + 1)) * 1048576);
        }
        const ProcessResult table = cli(arguments);
        QVERIFY2(table.exitCode == 0, table.err.constData());
        QVERIFY2(table.out.contains(", 39 KiB, 40 KiB and 2 more in the DAG\n"), table.out.constData());
        QCOMPARE(table.out.count("; beyond "), 40);
        QVERIFY2(table.out.contains("the fastest way changes at 45 sizes:\n"), table.out.constData());
        QVERIFY2(table.out.contains("    and 5 more, which --json names\n"), table.out.constData());
    }

    /// nccl-tests' JSON of 4 hosts, made of 120 us + 0.6 ns a byte, prices the all-reduces of the link that it is given for.
    void logsOfCollectivesAreCosts() {
        const QTemporaryDir folder;
        const QString log = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/calibrate/nccl_tests_4_hosts.json");
        const QStringList arguments{"plan",      "--job",          measured + "dags/a2a-prefetch.dag.json",
                                    "--cluster", channels(folder), "--costs"};
        const ProcessResult answer = cli(arguments + QStringList{"e0=" + log, "--curves", "all_reduce", "--json"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        int points = 0;
        for (const QJsonValue &way : answer.json()["curves"].toArray().first().toObject()["ways"].toArray()) {
            if (way["way"].toString() != "whole" || way["channel"].toString() != "e0" || !way["measured"].toBool())
                continue;
            for (const QJsonValue &point : way["points"].toArray())
                if (const double bytes = point["size_bytes"].toDouble(); bytes <= 134217728) {
                    COMPARE_CLOSE(point["seconds"].toDouble(), 120e-6 + 6e-10 * bytes, 1e-4);
                    ++points;
                }
        }
        COMPARE_ABOVE(points, 20);
        const ProcessResult refused = cli(arguments + QStringList{log});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.isOneError() && refused.err.contains("LINK="), refused.err.constData());
    }

    void curvesRefuseWhatIsOfPlans() {
        const QTemporaryDir folder;
        const QStringList arguments{"plan",      "--job",          measured + "dags/a2a-prefetch.dag.json",
                                    "--cluster", channels(folder), "--curves"};
        for (const auto &[more, reason] : {std::pair(QStringList{"everything"}, "\"everything\" is not a collective"),
                                           std::pair(QStringList{"broadcast"}, "the DAG has no broadcast"),
                                           std::pair(QStringList{"all", "--method", "fifo"}, "--method"),
                                           std::pair(QStringList{"all", "-o", folder.filePath("plan.json")}, "--output")}) {
            const ProcessResult answer = cli(arguments + more);
            QCOMPARE(answer.exitCode, 2);
            QVERIFY2(answer.isOneError() && answer.err.contains(reason), answer.err.constData());
            QVERIFY(answer.out.isEmpty());
        }
    }
};

QTEST_APPLESS_MAIN(TestCliPlanCurves)
#include "tst_cli_plan_curves.moc"
