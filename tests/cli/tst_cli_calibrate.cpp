// SPDX-License-Identifier: GPL-3.0-or-later
// `calibrate` and `validate --effects` of docs/command-line.md, on the built program.
#include "tests/checks.h"
#include "tests/cli/cli.h"
#include "tests/profile/tiny_trace.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <limits>

using namespace syncopate::testing;

namespace {

/// The member of the figure with this key; NaN without it, so that every check fails.
double figureOf(const ProcessResult &answer, const char *key, const char *member = "after") {
    for (const QJsonValue &value : answer.json()["figures"].toArray())
        if (value.toObject()["key"] == QLatin1String(key))
            return value.toObject()[QLatin1String(member)].toDouble(std::numeric_limits<double>::quiet_NaN());
    return std::numeric_limits<double>::quiet_NaN();
}

bool isBadInput(const ProcessResult &answer) { return answer.exitCode == 2 && answer.isOneError(); }

const QString data = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/calibrate/");

const QByteArray clusterText = R"(# Ours, in rack 7.
# Do not lose this.
name: "ours"
nodes:
  - {address: 10.0.0.1, chief: true, network_bandwidth: 25}
  - {address: 10.0.0.2, ssh_config: conf, network_bandwidth: 25}
  - {address: 10.0.0.3, ssh_config: conf, network_bandwidth: 25}
  - {address: 10.0.0.4, ssh_config: conf, network_bandwidth: 25}
ssh:
  conf: {username: trainer}
channels: 3
burst_bytes: 4096
notes:
  - "A note of mine."
)";

} // namespace

class TestCliCalibrate : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    [[nodiscard]] QString path(const char *name) const { return m_folder->filePath(QString::fromLatin1(name)); }
    QString write(const char *name, const QByteArray &bytes) const {
        QFile file(path(name));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
    }
    [[nodiscard]] QByteArray written() const {
        QFile file(path("out.yml"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    [[nodiscard]] ProcessResult calibrate(const QStringList &arguments) const {
        return cli(QStringList{"calibrate"} + arguments + QStringList{"--cluster", path("c.yml"), "-o", path("out.yml")});
    }

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(!write("c.yml", clusterText).isEmpty());
    }

    /// A table and a log at once; the rest of the cluster file stays, and its figures are those of --json.
    void tablesAndLogs() {
        const ProcessResult answer = calibrate({data + "message_cost.csv", "--json"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        COMPARE_CLOSE(figureOf(answer, "link_efficiency"), 0.9, 1e-6);
        COMPARE_CLOSE(figureOf(answer, "latency_seconds"), 60e-6, 1e-3);
        COMPARE_AT_MOST(figureOf(answer, "link_efficiency", "max_error"), 1e-6);
        QCOMPARE(static_cast<int>(answer.json()["rows"].toArray().size()), 26);
        const QByteArray text = written();
        QVERIFY2(text.startsWith("# Ours, in rack 7.\n# Do not lose this.\n"), text.constData());
        for (const char *kept : {"channels: 3", "burst_bytes: 4096", "A note of mine.", "username: \"trainer\"", "name: \"ours\"",
                                 "link_efficiency: 0.9", "Calibrated: link_efficiency 0.9 from message_cost.csv"})
            QVERIFY2(text.contains(kept), kept + (" is not in " + text));
        QCOMPARE(cli({"simulate", "--job", "alexnet", "--cluster", path("out.yml"), "--strategy", "AllReduce"}).exitCode, 0);

        const ProcessResult log =
            cli({"calibrate", data + "nccl_tests_4_hosts.json", "--cluster", path("c.yml"), "-o", path("log.yml"), "--json"});
        QVERIFY2(log.exitCode == 0, log.err.constData());
        COMPARE_CLOSE(figureOf(log, "collective_efficiency"), 0.8, 1e-4);
        COMPARE_CLOSE(figureOf(log, "latency_seconds"), 20e-6, 1e-4);
        QCOMPARE(log.json()["logs"].toArray().at(0).toObject()["ranks"].toInt(), 4);
        const ProcessResult people = cli({"calibrate", data + "inspector", "--cluster", path("c.yml"), "-o", path("people.yml")});
        QVERIFY2(people.exitCode == 2 && people.err.contains("times the rate of the cluster's links"), people.err); // 100 Gbit/s
    }

    /// Two traces of one step, distinguished by content or by name: matched ops, and ops under communication.
    void twoProfiles() {
        const tiny::Spelling plain;
        const std::string whole = tiny::trace(plain);
        const std::string reduce = tiny::collective(plain, 350, 40, 6, 2), last = tiny::collective(plain, 460, 15, 7, 6);
        const std::string alone = tiny::replaced(tiny::replaced(whole, ",\n" + reduce, ""), ",\n" + last, "");
        // The convolution's backward takes 120 instead of 100 and is covered by an all-reduce.
        const std::string backward = tiny::device(plain, plain.stream, "conv_backward", 340, 120, 4);
        const std::string beside = tiny::replaced(whole, reduce, tiny::collective(plain, 335, 124, 6, 2));
        const QString alonePath =
            write("alone.json", QByteArray::fromStdString(tiny::replaced(
                                    alone, backward, tiny::device(plain, plain.stream, "conv_backward", 340, 100, 4))));
        const QString besidePath = write("beside.json", QByteArray::fromStdString(beside));
        for (const QStringList &inputs : {QStringList{besidePath, alonePath}, {"--alone", alonePath, "--beside", besidePath}}) {
            const ProcessResult answer = calibrate(inputs + QStringList{"--json", "--force"});
            QVERIFY2(answer.exitCode == 0, answer.err.constData());
            COMPARE_CLOSE(figureOf(answer, "communication_slowdown"), 1.2, 1e-6);
            const QJsonObject slowdown = answer.json()["slowdowns"].toArray().at(0).toObject();
            QCOMPARE(slowdown["ops"].toInt(), 1);
            COMPARE_CLOSE(slowdown["clear_factor"].toDouble(), 1.0, 1e-6);
            QCOMPARE(static_cast<int>(written().count("communication_slowdown: 1.2\n")), 4);
        }
        const QString other =
            write("other.json", QByteArray::fromStdString(tiny::replaced(tiny::replaced(alone, "conv_backward", "gemm_backward"),
                                                                         "\"norm\"", "\"relu\"")));
        const ProcessResult refused = calibrate({"--alone", other, "--beside", besidePath, "--force"});
        QVERIFY2(isBadInput(refused) && refused.err.contains("do not have the same ops"), refused.err);
        QVERIFY2(isBadInput(calibrate({besidePath, "--force"})), "one profile is not enough");
        QCOMPARE(calibrate({"--alone", alonePath, "--force"}).exitCode, 2);
    }

    void files() {
        QVERIFY(isBadInput(calibrate({})));
        const ProcessResult same =
            cli({"calibrate", data + "message_cost.csv", "--cluster", path("c.yml"), "-o", path("c.yml"), "--force"});
        QVERIFY2(isBadInput(same) && same.err.contains("is read"), same.err);
        QVERIFY(isBadInput(calibrate({path("none.csv")})));
        const QString binary = write("binary", QByteArray("\x1b]0;x\x07\0\xff", 7));
        const ProcessResult unknown = calibrate({binary});
        QVERIFY2(isBadInput(unknown) && !unknown.err.contains('\x07'), unknown.err);
        QVERIFY(!QFile::exists(path("out.yml")));
        const QString cut =
            write("busy.log", "#       size         count      type   redop    root     time   algbw   busbw #wrong\n"
                              "1024 256 float sum -1 nan 0.05 0.05 0\n");
        const ProcessResult log = calibrate({cut});
        QVERIFY2(isBadInput(log) && log.err.contains("busy.log:2"), log.err);
    }

    void peopleSeeErrors() {
        const ProcessResult answer = calibrate({data + "message_cost.csv"});
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        QVERIFY2(answer.out.contains("link_efficiency") && answer.out.contains("one at a time"), answer.out.constData());
        const ProcessResult quiet = calibrate({data + "message_cost.csv", "--quiet", "--force"});
        QVERIFY(quiet.out.contains("link_efficiency") && !quiet.out.contains("one at a time"));
    }

    /// A row for no effect, for each alone, and for the effects in use; folders without such rows are rejected.
    void effectsOfValidate() {
        const QString measured = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/");
        const ProcessResult answer = cli({"validate", measured + "sched", "--effects", "--json"});
        QCOMPARE(answer.exitCode, 0);
        const QJsonArray rows = answer.json()["effects"].toArray();
        QCOMPARE(rows.size(), 9);
        QCOMPARE(rows.first().toObject()["effect"].toString(), QString("none"));
        QCOMPARE(rows.last().toObject()["effect"].toString(), QString("as used"));
        for (const QJsonValue &row : rows) {
            const QJsonArray errors = row.toObject()["errors"].toArray();
            QCOMPARE(errors.size(), 2);
            QCOMPARE(errors[0].toObject()["rows"].toString(), QString("bsps"));
            COMPARE_ABOVE(errors[1].toObject()["median_error"].toDouble(), 0);
            COMPARE_AT_LEAST(errors[1].toObject()["max_error"].toDouble(), errors[1].toObject()["median_error"].toDouble());
        }
        QVERIFY(isBadInput(cli({"validate", measured + "ps", "--effects"})));
    }

    /// Settings that take equally long have no order for predictions to agree with.
    void equalSettingsHaveNoRankCorrelation() {
        const QTemporaryDir folder;
        const QString sched = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/sched/");
        QVERIFY(QDir().mkpath(folder.filePath("jobs")));
        for (const char *file : {"platform.json", "message_cost.csv", "jobs/vggish.job.json"})
            QVERIFY2(QFile::copy(sched + file, folder.filePath(file)), file);
        QByteArray runs;
        for (const QByteArray &line : contentOf(sched + "runs.csv").split('\n')) {
            QList<QByteArray> cells = line.split(',');
            const qsizetype seconds = 9; // iteration_seconds_median
            if (!runs.isEmpty() && (!line.startsWith("vggish,bsps,2,2,") || runs.count('\n') > 4))
                continue;
            if (!runs.isEmpty())
                cells[seconds] = "1.1";
            runs += cells.join(',') + '\n';
        }
        writeFile(folder.filePath("runs.csv"), runs);
        const ProcessResult answer = cli({"validate", folder.path()});
        QVERIFY2(answer.out.contains("of 4 settings ") && answer.out.contains("rank correlation not defined") &&
                     !answer.out.contains("nan"),
                 (answer.err + answer.out).constData());
    }
};

QTEST_GUILESS_MAIN(TestCliCalibrate)
#include "tst_cli_calibrate.moc"
