// SPDX-License-Identifier: GPL-3.0-or-later
// --sharing: every command that simulates plays the same network, and names it.
#include "tests/cli/cli.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace syncopate::testing;

namespace {

const QStringList scenario{"--job", "alexnet", "--cluster", "A2", "--workers", "4"};
const QStringList ofStrategy{"--strategy", "PS"};
const QStringList overTcp{"--sharing", "tcp"};

double secondsIn(const ProcessResult &answer) { return answer.json()["iteration_seconds"].toDouble(-1); }

} // namespace

class TestCliSharing : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        const QStringList simulate = QStringList{"simulate", "--json"} + scenario + ofStrategy;
        const ProcessResult fluid = cli(simulate), tcp = cli(simulate + overTcp);
        QVERIFY2(tcp.exitCode == 0, tcp.err.constData());
        m_fluid = secondsIn(fluid);
        m_tcp = secondsIn(tcp);
        QCOMPARE(secondsIn(cli(simulate + QStringList{"--sharing", "fluid"})), m_fluid);
        QVERIFY(m_tcp > 0 && m_tcp != m_fluid);
        COMPARE_CLOSE(m_tcp, m_fluid, 0.2); // the same bytes over the same links
        QVERIFY(tcp.out.contains("segments of TCP connections") && !fluid.out.contains("TCP"));
    }

    /// Each gives the iteration time of simulate, over TCP and without.
    void commandsAgree() {
        const auto both = [&](const QStringList &command, const auto &secondsOf) {
            for (const bool tcp : {false, true}) {
                const ProcessResult answer = cli(command + QStringList{"--json"} + scenario + (tcp ? overTcp : QStringList()));
                QVERIFY2(answer.exitCode == 0, answer.err.constData());
                COMPARE_CLOSE(secondsOf(answer), tcp ? m_tcp : m_fluid, 1e-12, command.first());
            }
        };
        both(QStringList{"why", "--simulations", "1"} + ofStrategy, secondsIn);
        both(QStringList{"trial", "--judge", "simulated()"} + ofStrategy, secondsIn);
        both({"compare", "--a", "PS", "--b", "AllReduce"},
             [](const ProcessResult &answer) { return answer.json()["a"].toObject()["iteration_seconds"].toDouble(-1); });
        both(QStringList{"sweep", "--knob", "workers=2..4:2"} + ofStrategy, [](const ProcessResult &answer) {
            return answer.json()["points"].toArray()[1].toObject()["iteration_seconds"].toDouble(-1);
        });
        both({"search", "--trials", "1"},
             [](const ProcessResult &answer) { return answer.json()["baselines"].toObject()["PS"].toDouble(-1); });
        // The mean distance of the last two iterations' starts, as simulate states it.
        const QString starts =
            "SELECT max(start_ns) AS last FROM (SELECT min(start_ns) AS start_ns FROM spans GROUP BY iteration)";
        const auto rows = [&](const QStringList &sharing) {
            return cli(QStringList{"query", starts} + scenario + ofStrategy + sharing).out;
        };
        QVERIFY(!rows({}).isEmpty() && rows({}) != rows(overTcp));
    }

    /// A line of a batch may say how links share; the option is the lines' default.
    void aLineOfABatch() {
        const QByteArray lines = "{\"sharing\": \"tcp\"}\n{\"sharing\": \"fluid\"}\n{}\n{\"sharing\": \"udp\"}\n";
        const ProcessResult answer = cli(QStringList{"simulate", "--batch", "-"} + scenario + ofStrategy + overTcp, lines);
        const auto results = answer.lines();
        QCOMPARE(results.size(), 4);
        QCOMPARE(results[0]["iteration_seconds"].toDouble(), m_tcp);
        QCOMPARE(results[1]["iteration_seconds"].toDouble(), m_fluid);
        QCOMPARE(results[2]["iteration_seconds"].toDouble(), m_tcp);
        QVERIFY2(answer.out.contains("use fluid or tcp"), answer.out.constData());
    }

    /// The explorer draws the run that the command has simulated: here of flows, which take some percent longer over TCP.
    void picturesAndTraces() {
        QTemporaryDir dir;
        QByteArrayList pictures, traces;
        for (const QStringList &sharing : {QStringList(), overTcp}) {
            const QString picture = dir.filePath(QString::number(pictures.size()) + ".png");
            const QString trace = dir.filePath(QString::number(pictures.size()) + ".json");
            const QStringList ofFlows{"--strategy", "AllReduce", "--policy", "fifo(form=flows)"};
            const ProcessResult answer =
                cli(QStringList{"simulate", "--quiet", "--picture", picture, "--trace", trace} + scenario + ofFlows + sharing);
            QVERIFY2(answer.exitCode == 0, answer.err.constData());
            pictures += contentOf(picture);
            traces += contentOf(trace);
        }
        QVERIFY(!pictures[0].isEmpty() && !pictures[1].isEmpty() && pictures[0] != pictures[1]);
        QVERIFY(!traces[0].isEmpty() && !traces[1].isEmpty() && traces[0] != traces[1]);
    }

    /// Projects and plans of training DAGs know fluid links only, and the explorer does not draw these in place of TCP.
    void picturesOfFluidLinksOnly() {
        QTemporaryDir dir;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        for (const QString &job : {dir.filePath("p.syncopate"), QStringLiteral("syndicate:a2")}) {
            QProcess explorer;
            explorer.setProcessEnvironment(environment);
            explorer.start(QFileInfo(QStringLiteral(SYNCOPATE_CLI)).dir().filePath("syncopate"),
                           QStringList{job, "--picture", dir.filePath("x.png")} + overTcp);
            QVERIFY(explorer.waitForFinished(patience));
            const QByteArray error = explorer.readAllStandardError();
            QVERIFY2(explorer.exitCode() == 2 && error.contains("fluid links only"), error.constData());
        }
    }

    /// Synchronous workers are simulated by predict, too, with equal shares unless told otherwise.
    void predictOfSynchronousWorkers() {
        const QStringList predict{"predict",   "alexnet",  "--cluster",        "A2",    "--workers", "4", "--strategy",
                                  "AllReduce", "--policy", "fifo(form=flows)", "--json"};
        const auto rate = [](const ProcessResult &answer) {
            return answer.json()["curve"].toArray()[0].toObject()["samples_per_second"].toDouble(-1);
        };
        const ProcessResult equal = cli(predict), tcp = cli(predict + overTcp);
        QVERIFY2(equal.exitCode == 0 && tcp.exitCode == 0, tcp.err.constData());
        COMPARE_BELOW(rate(tcp), rate(equal));
        const ProcessResult uneven = cli(predict + QStringList{"--sharing", "uneven"});
        QVERIFY2(uneven.exitCode == 2 && uneven.isOneError() && uneven.err.contains("--sharing"), uneven.err.constData());
    }

    /// Asynchronous steps follow no policy: one that is given is refused instead of ignored.
    void predictOfAsynchronousWorkersRefusesAPolicy() {
        for (const QStringList &strategy : {QStringList(), QStringList{"--strategy", "PSLoadBalancing(sync=False)"}}) {
            const QStringList predict =
                QStringList{"predict", "alexnet", "--cluster", "A2", "--workers", "1", "--steps", "20"} + strategy;
            const ProcessResult answer = cli(predict + QStringList{"--policy", "ddp"});
            QVERIFY2(answer.exitCode == 2 && answer.isOneError() && answer.err.startsWith("error: --policy: "),
                     answer.err.constData());
            const ProcessResult plain = cli(predict + QStringList{"--policy", "fifo"});
            QVERIFY2(plain.exitCode == 0, plain.err.constData());
        }
    }

    /// So are the other options without effect: a TCP window without TCP, a link of transfers that were not recorded, the share
    /// that defines a bottleneck point where none is looked for.
    void predictOfAsynchronousWorkersRefusesWhatItIgnores() {
        const QStringList predict{"predict", "alexnet", "--cluster", "A2", "--steps", "20", "--starts", "1"};
        const QStringList window{"--tcp-window", "64KiB"}, gain{"--gain", "0.2"}, one{"--workers", "1"}, two{"--workers", "1-2"};
        for (const QStringList &option :
             {window + one, window + QStringList{"--sharing", "uneven"} + one, QStringList{"--profile-bandwidth", "1"} + one,
              gain + QStringList{"--workers", "1,3"}, gain + one}) {
            const ProcessResult answer = cli(predict + option);
            QVERIFY2(answer.exitCode == 2 && answer.isOneError() &&
                         answer.err.startsWith("error: " + option.first().toUtf8() + ": "),
                     qPrintable(option.join(u' ') + QStringLiteral(": ") + QString::fromUtf8(answer.err)));
        }
        for (const QStringList &used : {window + overTcp + one, gain + two}) {
            const ProcessResult answer = cli(predict + used);
            QVERIFY2(answer.exitCode == 0, answer.err.constData());
        }
    }

    /// The seed is a random policy's, as in simulate.
    void predictOfSynchronousWorkersSeedsThePolicy() {
        const QStringList on{"--cluster", "A2",       "--workers",           "11",    "--bandwidth", "1", "--strategy",
                             "PS",        "--policy", "random(barrier=off)", "--json"};
        double before = 0;
        for (const char *seed : {"2", "3"}) {
            const QStringList seeded = on + QStringList{"--seed", QLatin1String(seed)};
            const ProcessResult predicted = cli(QStringList{"predict", "resnet50"} + seeded);
            QVERIFY2(predicted.exitCode == 0, predicted.err.constData());
            const double rate =
                cli(QStringList{"simulate", "--job", "resnet50"} + seeded).json()["samples_per_second"].toDouble(-1);
            COMPARE_CLOSE(predicted.json()["curve"].toArray()[0].toObject()["samples_per_second"].toDouble(), rate, 1e-9);
            QVERIFY(rate != before);
            before = rate;
        }
    }

    /// Options of asynchronous steps are refused by name where the strategy is simulated, which ignores them.
    void predictOfSynchronousWorkersRefusesOptionsOfSteps() {
        const QStringList predict{"predict", "alexnet", "--cluster", "A2", "--workers", "2", "--strategy", "AllReduce"};
        for (const QStringList &option :
             {QStringList{"--steps", "40"}, QStringList{"--starts", "2"}, QStringList{"--order", "tic"},
              QStringList{"--staleness", "0"}, QStringList{"--per-layer"}, QStringList{"--price", "2"},
              QStringList{"--window", "64KiB"}, QStringList{"--warm-up", "5"}, QStringList{"--overhead", "off"},
              QStringList{"--gain", "0.2"}, QStringList{"--tcp-window", "2MiB"}, QStringList{"--profile-bandwidth", "1"},
              QStringList{"--pairs", "pairs.csv"}}) {
            const ProcessResult answer = cli(predict + option);
            QVERIFY2(answer.exitCode == 2 && answer.isOneError() && answer.err.contains(option.first().toUtf8()),
                     qPrintable(option.join(u' ') + QStringLiteral(": ") + QString::fromUtf8(answer.err)));
        }
        const ProcessResult plain = cli(predict);
        QVERIFY2(plain.exitCode == 0, plain.err.constData());
    }

    void refused() {
        QTemporaryDir dir;
        const auto isRefused = [](const QStringList &command, const char *says) {
            const ProcessResult answer = cli(command);
            QVERIFY2(answer.exitCode == 2 && answer.isOneError() && answer.err.contains(says), answer.err.constData());
        };
        isRefused(QStringList{"simulate", "--sharing", "udp"} + scenario + ofStrategy, "--sharing");
        isRefused(QStringList{"search", "--project", dir.filePath("p.syncopate")} + scenario + overTcp, "--sharing");
        isRefused(QStringList{"simulate", "--job", "syndicate:a2", "--cluster", "B7"} + overTcp, "--sharing is about strategies");
        // Commands that do not simulate by the options.
        isRefused(QStringList{"query", dir.filePath("p.syncopate"), "SELECT 1"} + overTcp, "--sharing: it says how");
        for (const char *format : {"json", "autodist", "bytescheduler"}) {
            const QStringList written =
                QStringList{"export", "--format", QLatin1String(format), "-o", dir.filePath("x")} + scenario + ofStrategy;
            isRefused(written + overTcp, "--sharing: it says how");
            for (const QStringList &option :
                 {QStringList{"--iterations", "9"}, QStringList{"--no-fold"}, QStringList{"--curves", dir.path()},
                  QStringList{"--background", "worker0.up:0.3@0-2s"}})
                isRefused(written + option, qPrintable(option.first() + QStringLiteral(": it is about simulations")));
        }
    }

private:
    double m_fluid = 0, m_tcp = 0;
};

QTEST_GUILESS_MAIN(TestCliSharing)
#include "tst_cli_sharing.moc"
