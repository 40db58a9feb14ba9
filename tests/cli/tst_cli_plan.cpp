// SPDX-License-Identifier: GPL-3.0-or-later
// `plan` of the command line: docs/command-line.md, on the built program.
#include "tests/checks.h"
#include "tests/cli/cli.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

using namespace syncopate::testing;

namespace {

const QString measured = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/plan/");

/// The two channels of the measured plans, as a cluster file.
QString channels(const QTemporaryDir &folder) {
    QFile file(folder.filePath(QStringLiteral("two.yml")));
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("nodes: [{address: 10.0.0.1, gpus: [0], chief: true, network_bandwidth: 1}, {address: 10.0.0.2, gpus: [0], "
               "network_bandwidth: 1, ssh_config: c}]\nssh: {c: {username: me}}\n"
               "channels:\n- {name: e0, bandwidth: 1}\n- {name: e1, bandwidth: 0.4}\n");
    return file.fileName();
}

QStringList plan(const QTemporaryDir &folder, const QStringList &more) {
    return QStringList{"plan",
                       "--job",
                       measured + "dags/a2a-prefetch.dag.json",
                       "--cluster",
                       channels(folder),
                       "--costs",
                       measured + "collectives.csv",
                       "--evaluations",
                       "200"} +
           more;
}

} // namespace

class TestCliPlan : public QObject {
    Q_OBJECT

private slots:
    /// All methods beside each other, and the plan that was written is as fast as it says when it is read back.
    void jsonKeepsTheContract() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("plan.json"));
        const Answer first = cli(plan(folder, {"--json", "-o", file}));
        QVERIFY2(first.exitCode == 0, first.err.constData());
        const QJsonObject json = first.json();
        const double joint = json["iteration_seconds"].toDouble();
        const QJsonObject methods = json["methods"].toObject();
        QCOMPARE(methods.size(), 7);
        COMPARE_AT_MOST(joint, methods["random"].toDouble());
        QCOMPARE(methods["syndicate"].toDouble(), joint);
        COMPARE_BELOW(joint, methods["fifo"].toDouble());
        COMPARE_AT_LEAST(joint, json["lower_bound_seconds"].toDouble());
        COMPARE_CLOSE(json["compute_idle_ratio"].toDouble(), 1 - 0.215 / joint);
        const QJsonObject order = json["order"].toObject();
        QCOMPARE(order["e0"].toArray().size() + order["e1"].toArray().size(), json["motifs"].toArray().size());
        const Answer again = cli(plan(folder, {"--json", "--plan", file, "--method", "fifo"}));
        QVERIFY2(again.exitCode == 0, again.err.constData());
        COMPARE_CLOSE(again.json()["given_iteration_seconds"].toDouble(), joint);
        QCOMPARE(again.json()["method"].toString(), QStringLiteral("fifo"));
    }

    /// Every process played: a straggler that computes twice as long makes all of them wait, and a bad one is refused.
    void processesAreEnforced() {
        const QTemporaryDir folder;
        const Answer alone = cli(plan(folder, {"--json", "--method", "fifo", "--iterations", "16"}));
        QVERIFY2(alone.exitCode == 0, alone.err.constData());
        const double iteration = alone.json()["iteration_seconds"].toDouble();
        const QJsonObject strict = alone.json()["enforced"].toObject()["strict"].toObject();
        COMPARE_CLOSE(strict["iteration_seconds"].toDouble(), iteration, 1e-6);
        COMPARE_WITHIN(strict["waiting_for_others_ratio"].toDouble(), 0, 1e-9);
        const Answer slow = cli(plan(folder, {"--json", "--method", "fifo", "--straggler", "3:2:4", "--jitter", "5"}));
        QVERIFY2(slow.exitCode == 0, slow.err.constData());
        const QJsonObject waits = slow.json()["enforced"].toObject()["strict"].toObject();
        COMPARE_ABOVE(waits["iteration_seconds"].toDouble(), iteration * 1.1);
        COMPARE_ABOVE(waits["waiting_for_others_ratio"].toDouble(), 0.1);
        for (const char *bad : {"4:2", "0:-1", "0", "0:2:3:4", "x:2", "0:nan"}) {
            const Answer answer = cli(plan(folder, {"--straggler", bad}));
            QCOMPARE(answer.exitCode, 2);
            QVERIFY2(answer.err.contains("--straggler"), answer.err.constData());
        }
    }

    /// A job that is trained data-parallel is planned as well.
    void jobsArePlanned() {
        const Answer answer = cli({"plan", "--job", "alexnet", "--cluster", "A2", "--evaluations", "20"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        QVERIFY(answer.out.contains("no plan can be faster than"));
        QVERIFY(answer.out.contains("nic runs, in this order:"));
    }

    /// A DAG of the catalogue on four of its nodes, and its plan as other systems' files.
    void catalogueDagsArePlannedAndExported() {
        const QTemporaryDir folder;
        const auto planned = [&](const QStringList &more) {
            return cli(QStringList{"plan", "--job", "gpt:6.7b", "--cluster", "syndicate", "--workers", "32", "--evaluations", "5",
                                   "--method", "fifo"} +
                       more);
        };
        const QString file = folder.filePath(QStringLiteral("tuner.csv"));
        const Answer tuner = planned({"--json", "--format", "nccl-tuner", "-o", file});
        QVERIFY2(tuner.exitCode == 0, tuner.err.constData());
        QVERIFY(tuner.json()["refused"].toArray().isEmpty());
        QFile csv(file);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QByteArray rows = csv.readAll();
        // Activations in a node of eight, gradients among one GPU of each of four nodes.
        QVERIFY2(rows.contains("simple,8,1,8\n") && rows.contains("simple,1,4,4\n"), rows.constData());
        const Answer mscclpp =
            planned({"--format", "mscclpp", "--op", "tp-fwd-mlp-0", "-o", folder.filePath(QStringLiteral("x.json"))});
        QVERIFY2(mscclpp.exitCode == 0, mscclpp.err.constData());
        const Answer none =
            planned({"--format", "mscclpp", "--op", "dp-layer-0", "-o", folder.filePath(QStringLiteral("y.json"))});
        QCOMPARE(none.exitCode, 2);
        QVERIFY2(none.err.contains("several nodes"), none.err.constData());
        const Answer unknown = cli({"plan", "--job", "syndicate:a9", "--cluster", "syndicate"});
        QCOMPARE(unknown.exitCode, 2);
        QVERIFY2(unknown.err.contains("syndicate:a6"), unknown.err.constData());
        QVERIFY(cli({"catalog", "dags"}).out.contains("SYNDICATE, Table 2"));
    }

    void badInputIsRefused() {
        const QTemporaryDir folder;
        const Answer method = cli(plan(folder, {"--method", "magic"}));
        QCOMPARE(method.exitCode, 2);
        QVERIFY2(method.err.contains("fifo, bs+, ho, exec, sched, syndicate or random"), method.err.constData());
        const Answer other = cli(plan(folder, {"--plan", measured + "plans/ar-fifo-s1.plan.json"}));
        QCOMPARE(other.exitCode, 2);
        QVERIFY2(other.err.contains("the plan is for the DAG"), other.err.constData());
        QVERIFY(other.out.isEmpty());
    }
};

QTEST_APPLESS_MAIN(TestCliPlan)
#include "tst_cli_plan.moc"
