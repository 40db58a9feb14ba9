// SPDX-License-Identifier: GPL-3.0-or-later
// `plan` of the command line: docs/command-line.md, on the built program.
#include "tests/checks.h"
#include "tests/cli/cli.h"
#include "tests/cli/measured_plans.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <limits>
#include <map>
#include <vector>

using namespace syncopate::testing;

namespace {

const QStringList planA2{"plan", "--job", "syndicate:a2", "--cluster", "syndicate", "--evaluations", "5", "--method", "fifo"};

/// The answer for A2 of the catalogue, by `fifo` unless `more` has a method; empty if the command failed.
QJsonObject plannedA2(const QStringList &more) {
    QStringList arguments = planA2 + QStringList{"--json"};
    if (more.contains(QStringLiteral("--method")))
        arguments.remove(arguments.indexOf(QStringLiteral("--method")), 2);
    const ProcessResult answer = cli(arguments + more);
    if (answer.exitCode == 0)
        return answer.json();
    qWarning("%s", answer.err.constData());
    return {};
}

/// A figure in seconds; NaN if it is missing, so that every check fails.
double secondsIn(const QJsonObject &answer, const char *key) {
    return answer[QLatin1String(key)].toDouble(std::numeric_limits<double>::quiet_NaN());
}

} // namespace

class TestCliPlan : public QObject {
    Q_OBJECT

private slots:
    /// --why: the shares on the critical path add up to the iteration, and idle times to its part without compute; a remedy that
    /// is another method takes as long as --method says; without --all the text folds away remedies that do not help.
    void whyAddsUp() {
        const QTemporaryDir folder;
        const ProcessResult answer = cli(plan(folder, {"--json", "--why", "--method", "fifo"}));
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const QJsonObject json = answer.json(), why = json["why"].toObject();
        const double iteration = why["iteration_seconds"].toDouble();
        QCOMPARE(iteration, json["iteration_seconds"].toDouble());
        const auto sum = [&](const char *list, const char *member) {
            double seconds = 0;
            for (const QJsonValue &row : why[list].toArray())
                seconds += row[member].toDouble();
            return seconds;
        };
        COMPARE_CLOSE(sum("causes", "seconds"), iteration);
        const double compute = why["bounds"]["compute_seconds"].toDouble();
        for (const char *list : {"collectives", "channels"}) {
            COMPARE_CLOSE(why["compute_path_seconds"].toDouble() + sum(list, "path_seconds"), iteration, 1e-9, About(list));
            COMPARE_CLOSE(compute + sum(list, "idle_seconds"), iteration, 1e-9, About(list));
        }
        QCOMPARE(why["bounds"]["plan_seconds"].toDouble(), json["lower_bound_seconds"].toDouble());
        int planners = 0, refused = 0;
        double before = std::numeric_limits<double>::infinity();
        for (const QJsonValue &row : why["remedies"].toArray()) {
            if (row["gain"].isNull()) {
                QVERIFY(!row["error"].toString().isEmpty());
                ++refused;
                continue;
            }
            COMPARE_AT_MOST(row["gain"].toDouble(), before);
            before = row["gain"].toDouble();
            const QString method = row["method"].toString();
            if (!method.isEmpty() && method != "exec" && method != "syndicate") // these search as long as the panel's do
                QCOMPARE(row["iteration_seconds"].toDouble(), json["methods"][method].toDouble());
            planners += method.isEmpty() ? 0 : 1;
        }
        COMPARE_AT_LEAST(planners, 4);
        QCOMPARE(refused, 1); // the latency of the one channel that FIFO uses: times were measured
        const QByteArray some = cli(plan(folder, {"--why", "--method", "fifo"})).out,
                         all = cli(plan(folder, {"--why", "--all", "--method", "fifo"})).out;
        QVERIFY2(some.contains("because of") && some.contains("--all lists them"), some.constData());
        QVERIFY2(!some.contains("Half the latency") && all.contains("Half the latency"), all.constData());
        for (const QStringList &bad : {QStringList{"--all"}, {"--why", "--curves", "all"}})
            QCOMPARE(cli(plan(folder, bad)).exitCode, 2);
    }

    /// All methods are listed, and the plan that was written is as fast as reported when it is read back.
    void jsonKeepsTheContract() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("plan.json"));
        const ProcessResult first = cli(plan(folder, {"--json", "-o", file}));
        QVERIFY2(first.exitCode == 0, first.err.constData());
        const QJsonObject json = first.json();
        const double joint = json["iteration_seconds"].toDouble();
        const QJsonObject methods = json["methods"].toObject();
        QCOMPARE(methods.size(), 8);
        COMPARE_AT_MOST(joint, methods["exhaustive"].toDouble()); // five collectives: few enough to play all plans
        COMPARE_AT_MOST(joint, methods["random"].toDouble());
        QCOMPARE(methods["syndicate"].toDouble(), joint);
        COMPARE_BELOW(joint, methods["fifo"].toDouble());
        COMPARE_AT_LEAST(joint, json["lower_bound_seconds"].toDouble());
        COMPARE_CLOSE(json["compute_idle_ratio"].toDouble(), 1 - 0.215 / joint);
        const QJsonObject order = json["order"].toObject();
        QCOMPARE(order["e0"].toArray().size() + order["e1"].toArray().size(), json["motifs"].toArray().size());
        const ProcessResult again = cli(plan(folder, {"--json", "--plan", file, "--method", "fifo"}));
        QVERIFY2(again.exitCode == 0, again.err.constData());
        COMPARE_CLOSE(again.json()["given_iteration_seconds"].toDouble(), joint);
        COMPARE_CLOSE(again.json()["given_peak_memory_bytes"].toDouble(),
                      json["peak_memory_bytes"].toObject()["syndicate"].toDouble());
        QCOMPARE(again.json()["method"].toString(), QStringLiteral("fifo"));
    }

    /// A saved plan takes as long as printed, with an enforcer or without, and process by process, too.
    void savedPlansTakeAsLongAsPrinted() {
        const QTemporaryDir folder;
        for (const char *method : {"bs+", "sched"}) {
            const QString file = folder.filePath(QLatin1String(method) + QStringLiteral(".json"));
            const double printed = plannedA2({"--method", method, "-o", file})["iteration_seconds"].toDouble();
            COMPARE_ABOVE(printed, 0.1, About(method));
            const QJsonObject given = plannedA2({"--plan", file, "--iterations", "16"});
            COMPARE_CLOSE(given["given_iteration_seconds"].toDouble(), printed, 1e-9, About(method));
            COMPARE_CLOSE(given["enforced"]["strict"]["iteration_seconds"].toDouble(), printed, 1e-6, About(method));
            const ProcessResult simulated =
                cli({"simulate", "--strategy", file, "--job", "syndicate:a2", "--cluster", "syndicate", "--json"});
            COMPARE_CLOSE(simulated.json()["iteration_seconds"].toDouble(), printed, 1e-9, About(method));
            if (method != QLatin1String("bs+"))
                continue;
            QByteArray text = contentOf(file);
            QCOMPARE(text.count("\"enforced\": false"), 1);
            writeFile(file, text.replace("\"enforced\": false", "\"enforced\": true"));
            COMPARE_BELOW(secondsIn(plannedA2({"--plan", file}), "given_iteration_seconds"), 0.95 * printed);
        }
    }

    /// The bound of a given plan is over its own channels, here ten times as fast as the cluster's, and is never above its time,
    /// not even by rounding.
    void aGivenPlanHasItsOwnBound() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("plan.json"));
        QVERIFY(!plannedA2({"--method", "bs+", "-o", file}).isEmpty());
        const QJsonObject same = plannedA2({"--plan", file});
        COMPARE_CLOSE(same["given_lower_bound_seconds"].toDouble(), same["lower_bound_seconds"].toDouble());
        QByteArray text = contentOf(file);
        text.replace("\"enforced\": false", "\"enforced\": true");
        for (const char *gbits : {"\"gbits\": 100", "\"gbits\": 25"}) {
            QVERIFY(text.contains(gbits));
            text.replace(gbits, QByteArray(gbits) + "0");
        }
        writeFile(file, text);
        const QJsonObject fast = plannedA2({"--plan", file});
        const double bound = fast["given_lower_bound_seconds"].toDouble();
        COMPARE_ABOVE(bound, 0.1);
        COMPARE_BELOW(bound, 0.99 * secondsIn(fast, "lower_bound_seconds"));
        COMPARE_AT_LEAST(secondsIn(fast, "given_iteration_seconds"), bound);
        const QByteArray told = cli(planA2 + QStringList{"--plan", file}).out;
        QVERIFY2(told.contains("over the channels of the given plan none can be faster than 37"), told.constData());
    }

    /// A DAG as text is planned as its JSON is; an error names the line.
    void textIsPlannedAsJson() {
        const QTemporaryDir folder;
        QStringList arguments = plan(folder, {"--json", "--method", "sched"});
        const ProcessResult json = cli(arguments);
        QVERIFY2(json.exitCode == 0, json.err.constData());
        const QString text = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/plans/a2a-prefetch.dag");
        arguments[2] = text;
        const ProcessResult same = cli(arguments);
        QVERIFY2(same.exitCode == 0, same.err.constData());
        QCOMPARE(same.out, json.out);
        QFile file(text);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QFile bad(folder.filePath(QStringLiteral("bad.dag")));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write(file.readAll().replace("30ms after a2a-emb-bwd", "30ms after a2a-emb"));
        bad.close();
        arguments[2] = bad.fileName();
        const ProcessResult refused = cli(arguments);
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.isOneError() && refused.err.contains("bad.dag:9: there is no op \"a2a-emb\""), refused.err.constData());
    }

    /// Plans the recorded collectives of a profile or, on request, data-parallel training of its layers.
    void recordingsArePlanned() {
        const QString profile = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/profiles/hybrid_rank0.json");
        const QStringList arguments{"plan",      "--job", profile,         "--cluster", "syndicate",
                                    "--workers", "4",     "--evaluations", "50",        "--json"};
        const ProcessResult recorded = cli(arguments);
        QVERIFY2(recorded.exitCode == 0, recorded.err.constData());
        const auto opsOf = [](const ProcessResult &answer) {
            QSet<QString> ops;
            for (const auto &motif : answer.json()["motifs"].toArray())
                ops.insert(motif.toObject()["op"].toString());
            return ops;
        };
        QCOMPARE(opsOf(recorded),
                 (QSet<QString>{"alltoall 0", "allreduce 1", "alltoall 2", "allreduce 3", "allgather 4", "broadcast 5"}));
        QVERIFY(recorded.json()["notes"].toArray().first().toString().startsWith("6 collectives of the measured step"));
        const ProcessResult gradients = cli(arguments + QStringList{"--collectives", "gradients"});
        QVERIFY2(gradients.exitCode == 0, gradients.err.constData());
        QVERIFY(!opsOf(gradients).contains("alltoall 0"));
        QVERIFY(!gradients.json().contains("notes"));
        // A profile without collectives is planned by its gradients, and a note says so.
        const QString single = QStringLiteral(SYNCOPATE_SOURCE "/sample_data/async_grpc/profiles/"
                                                               "alexnet_over48_1.0gbits_flow_control_off_order_random");
        const ProcessResult fallback =
            cli({"plan", "--job", single, "--cluster", "syndicate", "--workers", "4", "--evaluations", "50", "--json"});
        QVERIFY2(fallback.exitCode == 0, fallback.err.constData());
        QVERIFY(fallback.json()["notes"].toArray().first().toString().contains("gradients of its layers"));
        const ProcessResult none = cli({"plan", "--job", "vgg16", "--cluster", "syndicate", "--collectives", "recorded"});
        QCOMPARE(none.exitCode, 2);
        QVERIFY2(none.err.contains("no step with recorded collectives"), none.err.constData());
        // A DAG has its own collectives, so --collectives is refused.
        for (const char *which : {"recorded", "gradients"}) {
            const ProcessResult dag = cli({"plan", "--job", "syndicate:a1", "--cluster", "syndicate", "--collectives", which});
            QCOMPARE(dag.exitCode, 2);
            QVERIFY2(dag.err.contains("is a training DAG"), dag.err.constData());
        }
    }

    /// The DAG of a recorded step is written as a job file, and takes as long as the step, with every planner and in `simulate`.
    void recordedStepsBecomeDags() {
        const QTemporaryDir folder;
        const QString dag = folder.filePath("step.dag.json");
        const QStringList where{"--cluster", "syndicate", "--workers", "4", "--json"};
        const auto planned = [&](const QString &job, const QStringList &more) {
            return cli(QStringList{"plan", "--evaluations", "50", "--method", "sched", "--job", job} + where + more);
        };
        const QString profile = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/profiles/hybrid_rank0.json");
        const QString trace = folder.filePath("trace.json");
        const ProcessResult recorded = planned(profile, {"--format", "dag", "-o", dag, "--trace", trace});
        QVERIFY2(recorded.exitCode == 0, recorded.err.constData());
        QFile file(trace);
        QVERIFY(file.open(QFile::ReadOnly) && file.readAll().contains("The DAG is the profile's recorded step: "));
        QVERIFY(!recorded.json().contains("refused"));
        const ProcessResult again = planned(dag, {});
        QVERIFY2(again.exitCode == 0, again.err.constData());
        QCOMPARE(again.json()["methods"].toObject(), recorded.json()["methods"].toObject());
        QCOMPARE(again.json()["lower_bound_seconds"].toDouble(), recorded.json()["lower_bound_seconds"].toDouble());
        for (const char *planner : {"fifo", "sched"}) {
            const ProcessResult simulated = cli(QStringList{"simulate", "--job", dag, "--strategy", planner} + where);
            QVERIFY2(simulated.exitCode == 0, simulated.err.constData());
            COMPARE_CLOSE(simulated.json()["iteration_seconds"].toDouble(),
                          recorded.json()["methods"].toObject()[planner].toDouble());
        }
    }

    /// Commands that need layers and variables refuse a DAG in any form (tst_cli_dag.cpp: commands that play its plans).
    void dagsHaveNoLayers() {
        for (const char *job : {"syndicate:a2", SYNCOPATE_SOURCE "/tests/data/plans/a2a-prefetch.dag",
                                SYNCOPATE_SOURCE "/tests/data/measured/plan/dags/a2a.dag.json"})
            for (const QStringList &command : {QStringList{"trial", "--job", job, "--strategy", "PS"},
                                               {"tune", "--job", job, "--method", "grid"},
                                               {"predict", job}}) {
                const ProcessResult answer = cli(command + QStringList{"--cluster", "A2"});
                QCOMPARE(answer.exitCode, 2);
                QVERIFY2(answer.isOneError() && answer.err.contains("is a training DAG"), answer.err.constData());
                const QByteArray remedy = QByteArray("syncopate-cli plan --job ") + job + "; simulate";
                QVERIFY2(answer.err.contains(remedy), answer.err.constData());
            }
    }

    /// A chain more judges as many plans more; an argument out of its bounds is refused by name.
    void methodsHaveArguments() {
        const QTemporaryDir folder;
        const auto evaluations = [&](const QString &method) {
            const ProcessResult answer = cli(plan(folder, {"--json", "--method", method}));
            return answer.exitCode == 0 ? answer.json()["evaluations"].toInt() : -1;
        };
        const int one = evaluations("random(chains=1)"), two = evaluations("random(chains=2)");
        QVERIFY(one > 0 && two > one);
        QCOMPARE(evaluations("random(chains=3)") - two, two - one);
        const ProcessResult wrong = cli(plan(folder, {"--method", "syndicate(chains=0)"}));
        QCOMPARE(wrong.exitCode, 2);
        QVERIFY2(wrong.err.contains("chains"), wrong.err.constData());
    }

    /// Two exchanges of 4 MB hold two inputs and two results at once, and one input less one after the other, which takes longer
    /// over links of different rates. A limit that nothing fits is refused.
    void memoryIsBounded() {
        const QTemporaryDir folder;
        const QString dag = folder.filePath(QStringLiteral("two.dag"));
        writeFile(dag, "dag two processes 4\n"
                       "op step compute 10ms previous first previous second\n"
                       "op first all_to_all 4MB after step\n"
                       "op second all_to_all 4MB after step\n");
        const QStringList two{"plan", "--json", "--job", dag, "--cluster", channels(folder), "--evaluations", "200"};
        const auto peakOf = [](const ProcessResult &answer) {
            const QJsonObject peaks = answer.json()["peak_memory_bytes"].toObject();
            return peaks.size() == 8 ? secondsIn(peaks, "syndicate") : std::numeric_limits<double>::quiet_NaN();
        };
        const ProcessResult unbounded = cli(two), bounded = cli(two + QStringList{"--max-memory", "13MB"});
        QVERIFY2(unbounded.exitCode == 0 && bounded.exitCode == 0, (unbounded.err + bounded.err).constData());
        COMPARE_CLOSE(peakOf(unbounded), 16e6);
        COMPARE_CLOSE(peakOf(bounded), 12e6);
        COMPARE_ABOVE(secondsIn(bounded.json(), "iteration_seconds"), secondsIn(unbounded.json(), "iteration_seconds"));
        struct Refusal {
            const char *size, *reason;
            int exitCode;
        };
        // Only a search shows that nothing fits; a bad size is bad usage.
        for (const auto &[size, reason, exitCode] : {Refusal{"1KiB", "no plan of syndicate was found", 1},
                                                     Refusal{"0", "one byte or more", 2}, Refusal{"much", "--max-memory", 2}}) {
            const ProcessResult refused = cli(plan(folder, {"--max-memory", size}));
            QCOMPARE(refused.exitCode, exitCode);
            QVERIFY2(refused.err.contains(reason), refused.err.constData());
        }
    }

    /// --history has a line for each step of each chain, whose best falls to the lowest cost; methods that do not search have
    /// none.
    void historyIsWritten() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("steps.csv"));
        const ProcessResult answer = cli(plan(folder, {"--json", "--method", "random(chains=3)", "--history", file}));
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        QFile csv(file);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QList<QByteArray> lines = csv.readAll().trimmed().split('\n');
        QCOMPARE(lines.takeFirst(), QByteArray("iteration,chain,proposal,cost_seconds,accepted,best_seconds"));
        QCOMPARE(lines.size(), 2 * 3 * 200); // orders, chains, --evaluations
        double best = 0;
        for (qsizetype l = 0; l < lines.size(); ++l) {
            const QList<QByteArray> fields = lines[l].split(',');
            QCOMPARE(fields.size(), 6);
            QCOMPARE(fields[0].toInt(), static_cast<int>(l % 200) + 1);
            QCOMPARE(fields[1].toInt(), static_cast<int>(l / 200));
            QCOMPARE(fields[2], QByteArray("draw"));
            const double cost = fields[3].toDouble();
            best = l % 200 == 0 ? cost : std::min(best, cost);
            QCOMPARE(fields[5].toDouble(), best);
            if (fields[4] == "1")
                QCOMPARE(cost, best); // of draws, the best so far is accepted
        }
        const ProcessResult none = cli(plan(folder, {"--method", "fifo", "--history", folder.filePath("none.csv")}));
        QCOMPARE(none.exitCode, 2);
        QVERIFY2(none.isOneError() && none.err.contains("fifo does not search"), none.err.constData());
    }

    /// --trace has the ops of several iterations, one iteration time apart where the plan has settled.
    void traceIsWritten() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("plan.trace.json"));
        const ProcessResult answer = cli(plan(folder, {"--json", "--method", "fifo", "--trace", file}));
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        const double iteration = answer.json()["iteration_seconds"].toDouble();
        QFile trace(file);
        QVERIFY(trace.open(QIODevice::ReadOnly));
        std::map<QString, std::vector<double>> starts; // in seconds
        for (const QJsonValue &event : QJsonDocument::fromJson(trace.readAll()).object()["traceEvents"].toArray())
            if (event["ph"].toString() == "X")
                starts[event["name"].toString()].push_back(event["ts"].toDouble() * 1e-6);
        for (const char *const op : {"fwd-emb", "bwd-emb"}) {
            std::vector<double> &of = starts[QString::fromLatin1(op)];
            COMPARE_AT_LEAST(of.size(), std::size_t{3}, About(op));
            std::sort(of.begin(), of.end());
            const std::size_t middle = of.size() / 2;
            COMPARE_CLOSE(of[middle] - of[middle - 1], iteration, 1e-5, About(op));
        }
        QVERIFY(std::any_of(starts.begin(), starts.end(),
                            [](const auto &each) { return each.first.startsWith(QStringLiteral("a2a-emb-fwd")); }));
    }

    /// Formats for compilers report the parts that they cannot express.
    void compilersAreToldTimes() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("estimates.json"));
        const ProcessResult inductor = cli(plan(folder, {"--json", "--method", "fifo", "--format", "inductor", "-o", file}));
        QVERIFY2(inductor.exitCode == 0, inductor.err.constData());
        QVERIFY(inductor.json()["refused"].toArray().first().toString().startsWith("compute-ops"));
        QVERIFY(QFile::exists(file));
        const ProcessResult xla =
            cli(plan(folder, {"--json", "--method", "fifo", "--format", "xla", "-o", folder.filePath("costs.pbtxt")}));
        QVERIFY2(xla.exitCode == 0, xla.err.constData());
        QVERIFY(xla.json()["refused"].toArray().first().toString().contains("HLO instruction"));
    }

    /// With every process played, a straggler that computes twice as long delays all of them; a bad one is refused.
    void processesAreEnforced() {
        const QTemporaryDir folder;
        const ProcessResult alone = cli(plan(folder, {"--json", "--method", "fifo", "--iterations", "16"}));
        QVERIFY2(alone.exitCode == 0, alone.err.constData());
        const double iteration = alone.json()["iteration_seconds"].toDouble();
        const QJsonObject strict = alone.json()["enforced"].toObject()["strict"].toObject();
        COMPARE_CLOSE(strict["iteration_seconds"].toDouble(), iteration, 1e-6);
        COMPARE_WITHIN(strict["waiting_for_others_ratio"].toDouble(), 0, 1e-9);
        const ProcessResult even = cli(plan(folder, {"--json", "--method", "fifo", "--jitter", "0"})); // played, too
        COMPARE_CLOSE(even.json()["enforced"].toObject()["strict"].toObject()["iteration_seconds"].toDouble(), iteration, 1e-6);
        const ProcessResult idle = cli(plan(folder, {"--method", "fifo", "--planning", "5"}));
        QVERIFY2(idle.exitCode == 2 && idle.isOneError() && idle.err.contains("--planning: "), idle.err.constData());
        const ProcessResult slow = cli(plan(folder, {"--json", "--method", "fifo", "--straggler", "3:2:4", "--jitter", "5"}));
        QVERIFY2(slow.exitCode == 0, slow.err.constData());
        const QJsonObject waits = slow.json()["enforced"].toObject()["strict"].toObject();
        COMPARE_ABOVE(waits["iteration_seconds"].toDouble(), iteration * 1.1);
        COMPARE_ABOVE(waits["waiting_for_others_ratio"].toDouble(), 0.1);
        for (const char *bad : {"4:2", "0:-1", "0", "0:2:3:4", "x:2", "0:nan", "0:2:32"}) {
            const ProcessResult answer = cli(plan(folder, {"--straggler", bad}));
            QCOMPARE(answer.exitCode, 2);
            QVERIFY2(answer.err.contains("--straggler"), answer.err.constData());
        }
    }

    /// A data-parallel job can be planned, too.
    void jobsArePlanned() {
        const ProcessResult answer = cli({"plan", "--job", "alexnet", "--cluster", "A2", "--evaluations", "20"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        QVERIFY(answer.out.contains("no plan can be faster than"));
        QVERIFY(answer.out.contains("nic runs, in this order:"));
    }

    /// A DAG of the catalogue on four of its nodes, and its plan exported for other systems.
    void catalogueDagsArePlannedAndExported() {
        const QTemporaryDir folder;
        const auto planned = [&](const QStringList &more) {
            return cli(QStringList{"plan", "--job", "gpt:6.7b", "--cluster", "syndicate", "--workers", "32", "--evaluations", "5",
                                   "--method", "fifo"} +
                       more);
        };
        const QString file = folder.filePath(QStringLiteral("tuner.csv"));
        const ProcessResult tuner = planned({"--json", "--format", "nccl-tuner", "-o", file});
        QVERIFY2(tuner.exitCode == 0, tuner.err.constData());
        QVERIFY(tuner.json()["refused"].toArray().isEmpty());
        QFile csv(file);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QByteArray rows = csv.readAll();
        // Activations within a node of eight, gradients between one GPU from each of four nodes.
        QVERIFY2(rows.contains("simple,8,1,8\n") && rows.contains("simple,1,4,4\n"), rows.constData());
        const ProcessResult mscclpp =
            planned({"--format", "mscclpp", "--op", "tp-fwd-mlp-0", "-o", folder.filePath(QStringLiteral("x.json"))});
        QVERIFY2(mscclpp.exitCode == 0, mscclpp.err.constData());
        const ProcessResult none =
            planned({"--format", "mscclpp", "--op", "dp-layer-0", "-o", folder.filePath(QStringLiteral("y.json"))});
        QCOMPARE(none.exitCode, 2);
        QVERIFY2(none.err.contains("several nodes"), none.err.constData());
        const ProcessResult unknown = cli({"plan", "--job", "syndicate:a9", "--cluster", "syndicate"});
        QCOMPARE(unknown.exitCode, 2);
        QVERIFY2(unknown.err.contains("syndicate:a6"), unknown.err.constData());
        QVERIFY(cli({"catalog", "dags"}).out.contains("SYNDICATE, Table 2"));
    }

    void badInputIsRefused() {
        const QTemporaryDir folder;
        const ProcessResult method = cli(plan(folder, {"--method", "magic"}));
        QCOMPARE(method.exitCode, 2);
        QVERIFY2(method.err.contains("fifo, bs+, ho, exec, sched, syndicate, random, exhaustive"), method.err.constData());
        const ProcessResult other = cli(plan(folder, {"--plan", measured + "plans/ar-fifo-s1.plan.json"}));
        QCOMPARE(other.exitCode, 2);
        QVERIFY2(other.err.contains("the plan is for the DAG"), other.err.constData());
        QVERIFY(other.out.isEmpty());
        // Nothing is searched for a file that cannot be written.
        const QString output = folder.filePath(QStringLiteral("x.json"));
        const QStringList ofOne{"--format", "mscclpp", "-o", output, "--op"};
        for (const auto &[arguments, what] :
             {std::pair(ofOne + QStringList{"nothing"}, "has no collective \"nothing\""),
              std::pair(QStringList{"--op", "a2a-data", "-o", output}, "no file of one collective")}) {
            const ProcessResult op = cli(plan(folder, arguments));
            QCOMPARE(op.exitCode, 2);
            QVERIFY2(op.err.contains(what), op.err.constData());
            QVERIFY(!QFile::exists(output));
        }
    }
};

QTEST_APPLESS_MAIN(TestCliPlan)
#include "tst_cli_plan.moc"
