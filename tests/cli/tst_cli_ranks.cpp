// SPDX-License-Identifier: GPL-3.0-or-later
// `mpirun -n N syncopate-cli search`, sweep, tune, predict and validate: the results equal those of one process, no matter what
// happens to ranks; and searches that are ended early. Without mpirun or MPI, the tests that need them are skipped.
#include "engine/search/genes.h"
#include "engine/store/project_file.h"
#include "engine/strategy/strategy_file.h"
#include "tests/checks.h"
#include "tests/cli/cli.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QThread>
#include <QtTest>
#include <csignal>
#include <memory>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

const QString program = QStringLiteral(SYNCOPATE_CLI);
const QStringList small{"search", "--job", "alexnet", "--cluster", "B7", "--enough", "0", "--seed", "5"};
/// A search in the background with slow trials, which the test ends.
const QStringList endless{"search",   "--job",    "bert_large", "--cluster", "B5",        "--enough", "0",
                          "--method", "random()", "--trials",   "100000",    "--threads", "1"};

QStringList onRanks(int ranks, const QStringList &arguments) {
    return QStringList{"--oversubscribe", "-n", QString::number(ranks), program} + arguments;
}

/// Two ranks, each with arguments of its own. A shell chooses them: mpirun itself, given "first : second", crashes in Debian 13
/// (Open MPI 5.0.7), for any program.
QStringList onTwoRanks(const QStringList &first, const QStringList &second) {
    const QString choice = QStringLiteral("if [ \"$OMPI_COMM_WORLD_RANK\" = 0 ]; then exec \"$0\" %1; else exec \"$0\" %2; fi")
                               .arg(first.join(QLatin1Char(' ')), second.join(QLatin1Char(' ')));
    return {"--oversubscribe", "-n", "2", "sh", "-c", choice, program};
}

/// Trials of the search in a project; none if there is no such file yet.
std::vector<SearchTrial> trialsIn(const QString &project) {
    if (!QFileInfo::exists(project))
        return {};
    const auto read = readProject(project.toStdString());
    return read && read->search ? read->search->history.trials : std::vector<SearchTrial>();
}

/// The process that mpirun started as this rank; 0 if there is none.
qint64 processOfRank(qint64 mpirun, int rank) {
    const QByteArray mine = "OMPI_COMM_WORLD_RANK=" + QByteArray::number(rank);
    for (const QByteArray &child : contentOf(QStringLiteral("/proc/%1/task/%1/children").arg(mpirun)).split(' '))
        if (!child.isEmpty() && contentOf("/proc/" + child + "/environ").split('\0').contains(mine))
            return child.toLongLong();
    return 0;
}

/// A running program, killed with all its children if a test gives up.
struct Running {
    QProcess process;
    Running(const QString &name, const QStringList &arguments) { process.start(name, arguments); }
    ~Running() {
        process.terminate();
        if (process.state() != QProcess::NotRunning && !process.waitForFinished(10'000))
            process.kill();
        process.waitForFinished();
    }
};

/// Names the first of `compared` kept trials that differs in any bit from a search in one process; empty = none.
QString differenceFromOneProcess(const std::vector<SearchTrial> &trials, std::size_t compared) {
    QTemporaryDir folder;
    const QString project = folder.filePath(QStringLiteral("alone.syncopate"));
    QStringList arguments = endless;
    const std::size_t count = std::min(trials.size(), compared);
    arguments[arguments.indexOf(QStringLiteral("100000"))] = QString::number(count);
    const ProcessResult answer = cli(arguments + QStringList{"--project", project});
    const std::vector<SearchTrial> want = trialsIn(project);
    if (answer.exitCode != 0 || want.size() != count || count == 0)
        return QStringLiteral("%1 of %2 trials alone: %3").arg(want.size()).arg(count).arg(QString::fromUtf8(answer.err));
    for (std::size_t t = 0; t < count; ++t)
        if (formatGenes(trials[t].genes) != formatGenes(want[t].genes) || !(trials[t].metrics == want[t].metrics))
            return QString::fromStdString(
                numbers(trials[t].metrics.iterationSeconds, want[t].metrics.iterationSeconds, "", fmt::format("trial {}", t)));
    return {};
}

} // namespace

class TestCliRanks : public QObject {
    Q_OBJECT

    QString m_whyNot; ///< why nothing can run on ranks here
    [[nodiscard]] bool hasRanks() const { return m_whyNot.isEmpty(); }

private slots:
    void initTestCase() {
        qputenv("OMPI_ALLOW_RUN_AS_ROOT", "1");
        qputenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        qputenv("LSAN_OPTIONS", "detect_leaks=0"); // in Open MPI itself
        if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty()) {
            m_whyNot = QStringLiteral("there is no mpirun: install openmpi-bin");
            return;
        }
        const ProcessResult answer = runProgram(QStringLiteral("mpirun"), onRanks(2, small + QStringList{"--trials", "1"}));
        if (answer.err.contains("built without MPI"))
            m_whyNot = QStringLiteral("syncopate-cli was built without MPI: install libopenmpi-dev");
    }

    void ranksChangeNothing_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("judge");
        QTest::newRow("random") << "random()"
                                << "simulated()";
        QTest::newRow("rules, noise") << "rules()"
                                      << "noisy()";
        QTest::newRow("autosync") << "autosync()"
                                  << "simulated()";
        QTest::newRow("compressors") << "released()"
                                     << "simulated()";
    }
    void ranksChangeNothing() {
        if (!hasRanks())
            QSKIP(qPrintable(m_whyNot));
        QFETCH(QString, method);
        QFETCH(QString, judge);
        QTemporaryDir folder;
        const QStringList arguments = small + QStringList{"--trials", "40", "--method", method, "--judge", judge, "--json"};
        const QString one = folder.filePath("one"), three = folder.filePath("three");
        const ProcessResult alone = cli(arguments + QStringList{"--trials-out", one});
        const ProcessResult spread =
            runProgram(QStringLiteral("mpirun"), onRanks(3, arguments + QStringList{"--trials-out", three}));
        QVERIFY2(alone.exitCode == 0 && spread.exitCode == 0, (alone.err + spread.err).constData());
        QVERIFY(!contentOf(one).isEmpty());
        QVERIFY(contentOf(one) == contentOf(three));
        QJsonObject want = alone.json(), got = spread.json();
        const QJsonArray judged = got["judged_by_rank"].toArray();
        QCOMPARE(judged.size(), 3);
        for (const QJsonValue &count : judged)
            COMPARE_ABOVE(count.toInt(), 0, spread.out.constData());
        QVERIFY(got["lost_ranks"].isArray() && got["lost_ranks"].toArray().isEmpty());
        for (const char *same : {"trials", "baselines", "baselines_tuned", "at_most_gain", "hit_rate_tuned"})
            QVERIFY2(got[same] == want[same] && !want[same].isUndefined(), same);
    }

    void sweepsAreSpread() {
        if (!hasRanks())
            QSKIP(qPrintable(m_whyNot));
        const QStringList arguments{"sweep",
                                    "--job",
                                    "alexnet",
                                    "--cluster",
                                    "B7",
                                    "--strategy",
                                    "PSLoadBalancing",
                                    "--knob",
                                    "bandwidth=1..100:8:log",
                                    "--knob",
                                    "workers=1..16:4",
                                    "--json"};
        const ProcessResult alone = cli(arguments), spread = runProgram(QStringLiteral("mpirun"), onRanks(3, arguments));
        QVERIFY2(alone.exitCode == 0 && spread.exitCode == 0, (alone.err + spread.err).constData());
        QCOMPARE(alone.json()["points"].toArray().size(), 32);
        QVERIFY(spread.json()["points"] == alone.json()["points"]);
        int points = 0;
        for (const QJsonValue &count : spread.json()["points_by_rank"].toArray()) {
            COMPARE_ABOVE(count.toInt(), 0, spread.out.constData());
            points += count.toInt();
        }
        QCOMPARE(points, 32);
    }

    /// Other commands on several ranks: same answer, apart from the ranks' names and the wall time.
    void commandsAreSpread_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("byRank");
        const QString measured = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/");
        const QStringList alexnet{"--job", "alexnet", "--cluster", "B7"};
        QTest::newRow("predict") << QStringList{"predict", "alexnet",  "--cluster", "B7",      "--workers",
                                                "1-4",     "--starts", "3",         "--steps", "40"}
                                 << "starts_by_rank";
        QTest::newRow("predict, no links") << QStringList{"predict",   "alexnet", "--cluster",  "B7",
                                                          "--workers", "1-6",     "--strategy", "AllReduce"}
                                           << "points_by_rank";
        QTest::newRow("validate, runs") << QStringList{"validate", measured + "ps"} << "rows_by_rank";
        QTest::newRow("validate, charts") << QStringList{"validate", measured + "published"} << "systems_by_rank";
        QTest::newRow("validate, plans") << QStringList{"validate", measured + "plan"} << QString();
        QTest::newRow("tune") << QStringList{"tune",   "--method", "random", "--evaluations",        "12",
                                             "--grid", "8",        "--knob", "partition=4MiB..64MiB"} +
                                     alexnet
                              << "judged_by_rank";
        QTest::newRow("tune, clusters") << QStringList{"tune",   "--method",         "grid",   "--grid",       "4x4",
                                                       "--knob", "bandwidth=1..100", "--knob", "workers=2..16"} +
                                               alexnet
                                        << "judged_by_rank";
    }
    void commandsAreSpread() {
        if (!hasRanks())
            QSKIP(qPrintable(m_whyNot));
        QFETCH(QStringList, arguments);
        QFETCH(QString, byRank);
        arguments << QStringLiteral("--json");
        const ProcessResult alone = cli(arguments), spread = runProgram(QStringLiteral("mpirun"), onRanks(3, arguments));
        QVERIFY2(alone.exitCode == 0 && spread.exitCode == 0, (alone.err + spread.err).constData());
        QJsonObject want = alone.json(), got = spread.json();
        QCOMPARE(got.contains(byRank), !byRank.isEmpty());
        const QJsonArray made = got.take(byRank).toArray();
        QVERIFY(byRank.isEmpty() || made.size() == 3);
        for (const QJsonValue &count : made)
            COMPARE_ABOVE(count.toInt(), 0, spread.out.constData());
        for (QJsonObject *answer : {&want, &got}) {
            answer->remove(QStringLiteral("wall_seconds"));
            answer->remove(QStringLiteral("evaluations_per_second"));
            QJsonObject grid = (*answer)["grid"].toObject();
            grid.remove(QStringLiteral("wall_seconds"));
            if (answer->contains(QStringLiteral("grid")))
                (*answer)["grid"] = grid;
        }
        QVERIFY(!want.isEmpty());
        QVERIFY2(got == want, spread.out.constData());
    }

    /// An input that another rank cannot read, or reads differently, ends the command; rank 0 reports it.
    void allRanksReadTheSame_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("job");
        QTest::addColumn<QByteArray>("says");
        const QByteArray other("has read other input than rank 0"), missing("/nothing/there.json");
        const QStringList search = small + QStringList{"--trials", "9"};
        const QStringList predict{"predict", "alexnet", "--cluster", "B7", "--workers", "1-2", "--steps", "20"};
        const QStringList tune{"tune", "--job", "alexnet", "--cluster", "B7", "--grid", "off"};
        QTest::newRow("search, another job") << search << "vgg16" << other;
        QTest::newRow("search, no job") << search << "/nothing/there.json" << missing;
        QTest::newRow("predict, another job") << predict << "vgg16" << other;
        QTest::newRow("predict, no job") << predict << "/nothing/there.json" << missing;
        QTest::newRow("tune, another job") << tune << "vgg16" << other;
        QTest::newRow("tune, no job") << tune << "/nothing/there.json" << missing;
    }
    void allRanksReadTheSame() {
        if (!hasRanks())
            QSKIP(qPrintable(m_whyNot));
        QFETCH(QStringList, arguments);
        QFETCH(QString, job);
        QFETCH(QByteArray, says);
        QStringList others = arguments;
        others[others.indexOf(QStringLiteral("alexnet"))] = job;
        const ProcessResult answer = runProgram(QStringLiteral("mpirun"), onTwoRanks(arguments, others));
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(answer.err.count("error: ") == 1 && answer.err.contains("error: rank 1 on ") && answer.err.contains(says),
                 answer.err.constData());
    }

    /// A wrong option is reported before the other ranks are waited for: here rank 1, which has read another job, would be
    /// refused.
    void aWrongGridDoesNotWaitForRanks() {
        if (!hasRanks())
            QSKIP(qPrintable(m_whyNot));
        const auto tune = [](const QString &job) { return QStringList{"tune", "--job", job, "--cluster", "B7", "--grid", "3"}; };
        const ProcessResult answer = runProgram(QStringLiteral("mpirun"), onTwoRanks(tune("alexnet"), tune("vgg16")));
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(answer.err.contains("the grid 3 has 1 axis") && !answer.err.contains("other input"), answer.err.constData());
    }

    /// Only rank 0 starts a measuring program, and says so.
    void measurementsAreNotSpread() {
        if (!hasRanks())
            QSKIP(qPrintable(m_whyNot));
        const ProcessResult answer =
            runProgram(QStringLiteral("mpirun"),
                       onRanks(2, small + QStringList{"--trials", "3", "--json", "--judge", "command(\"sh -c 'echo 1'\")"}));
        QVERIFY2(answer.exitCode == 0, answer.err.constData());
        QVERIFY2(answer.err.contains("note: rank 0 judges alone"), answer.err.constData());
        QVERIFY(!answer.json().contains(QStringLiteral("judged_by_rank")));
        QCOMPARE(answer.json()["trials"].toArray().size(), 3);
    }

    void otherCommandsAnswerOnce() {
        if (!hasRanks())
            QSKIP(qPrintable(m_whyNot));
        const QStringList arguments{"catalog", "clusters"};
        const ProcessResult answer = runProgram(QStringLiteral("mpirun"), onRanks(2, arguments));
        QCOMPARE(answer.exitCode, 0);
        QCOMPARE(answer.out, cli(arguments).out);
        QVERIFY2(answer.err.count("note: 'catalog' is not spread over ranks") == 1, answer.err.constData());
        const ProcessResult wrong = runProgram(QStringLiteral("mpirun"), onRanks(2, {"search", "--speed"}));
        QCOMPARE(wrong.exitCode, 2);
        QCOMPARE(wrong.err.count("error: "), 1);
    }

    /// mpirun ends all ranks when one dies: finished trials are in the project, and rank 0 reports that it was ended.
    void aDeadRankLosesNoFinishedTrial() {
        if (!hasRanks())
            QSKIP(qPrintable(m_whyNot));
        QTemporaryDir folder;
        const QString project = folder.filePath(QStringLiteral("dead.syncopate"));
        Running mpirun(QStringLiteral("mpirun"), onRanks(2, endless + QStringList{"--project", project}));
        std::size_t finished = 0;
        QTRY_VERIFY((finished = trialsIn(project).size()) > 0);
        const qint64 process = processOfRank(mpirun.process.processId(), 1);
        COMPARE_ABOVE(process, 0);
        ::kill(static_cast<pid_t>(process), SIGKILL);
        QVERIFY(mpirun.process.waitForFinished(patience));
        QVERIFY(mpirun.process.exitCode() != 0);
        const QByteArray said = mpirun.process.readAllStandardError();
        QVERIFY2(said.contains("the search was told to end after") && said.contains("goes on from there"), said.constData());
        const std::vector<SearchTrial> kept = trialsIn(project);
        COMPARE_AT_LEAST(kept.size(), finished);
        QCOMPARE(differenceFromOneProcess(kept, 200), QString());
    }

    /// With --enable-recovery the others go on: the lost rank's trials are judged again, and the loss is reported.
    void aLostRankIsSaidAndChangesNothing() {
        if (!hasRanks())
            QSKIP(qPrintable(m_whyNot));
        QTemporaryDir folder;
        const QString project = folder.filePath(QStringLiteral("lost.syncopate"));
        Running mpirun(QStringLiteral("mpirun"),
                       QStringList{"--enable-recovery"} + onRanks(3, endless + QStringList{"--project", project}));
        std::size_t finished = 0;
        QTRY_VERIFY((finished = trialsIn(project).size()) > 0);
        const qint64 process = processOfRank(mpirun.process.processId(), 1);
        COMPARE_ABOVE(process, 0);
        ::kill(static_cast<pid_t>(process), SIGKILL);
        QByteArray said;
        QTRY_VERIFY((said += mpirun.process.readAllStandardError()).contains("note: rank 1 is lost"));
        std::vector<SearchTrial> kept;
        QTRY_VERIFY((kept = trialsIn(project)).size() >= finished + 40); // beyond the batch in progress
        ::kill(static_cast<pid_t>(processOfRank(mpirun.process.processId(), 0)), SIGTERM);
        QCOMPARE(differenceFromOneProcess(kept, finished + 40), QString());
    }

    /// A search without a project that is told to end writes the best that it has found.
    void anInterruptedSearchWritesItsBest() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("best.json"));
        QByteArray said;
        for (unsigned long wait = 100; !QFile::exists(file) && wait < 1000UL * 240; wait *= 2) { // until a trial has ended
            Running search(program, endless + QStringList{"-o", file});
            QVERIFY(search.process.waitForStarted(patience));
            QThread::msleep(wait);
            search.process.terminate();
            QVERIFY(search.process.waitForFinished(patience));
            said = search.process.readAllStandardError();
        }
        QVERIFY2(said.contains("the best so far is in"), said.constData());
        VERIFY_VALUE(readStrategyFile(file.toStdString()));
    }

    /// A second signal ends the process, also if it is another one than the first; here both arrive before a thread can react.
    void aSecondSignalEndsTheProcess() {
        QTemporaryDir folder;
        const QString project = folder.filePath(QStringLiteral("ended.syncopate"));
        const auto before = std::signal(SIGINT, SIG_DFL); // a test in a script's background would pass on that it is ignored
        Running search(program, endless + QStringList{"--project", project});
        std::signal(SIGINT, before);
        QTRY_VERIFY(!trialsIn(project).empty());
        for (const int signal : {SIGSTOP, SIGINT, SIGTERM, SIGCONT})
            ::kill(static_cast<pid_t>(search.process.processId()), signal);
        QVERIFY(search.process.waitForFinished(patience));
        QCOMPARE(search.process.exitStatus(), QProcess::CrashExit);
    }

    /// Also without ranks: a signal ends a search, finished trials are kept, and the same command continues from there.
    void anInterruptedSearchGoesOn() {
        QTemporaryDir folder;
        const QString project = folder.filePath(QStringLiteral("interrupted.syncopate"));
        std::size_t finished = 0;
        std::vector<SearchTrial> before;
        constexpr double mark = 1234.5; // a value that no search produces
        for (int time = 0; time < 2; ++time) {
            Running search(program, endless + QStringList{"--project", project});
            const std::size_t last = finished;
            QTRY_VERIFY((finished = trialsIn(project).size()) > last);
            search.process.terminate();
            QVERIFY(search.process.waitForFinished(patience));
            QCOMPARE(search.process.exitStatus(), QProcess::NormalExit);
            QCOMPARE(search.process.exitCode(), 1);
            const QByteArray said = search.process.readAllStandardError();
            QVERIFY2(said.startsWith("error: the search was told to end after ") && said.count('\n') == 1, said.constData());
            std::vector<SearchTrial> kept = trialsIn(project);
            COMPARE_AT_LEAST(kept.size(), finished);
            finished = kept.size();
            if (time == 0) {
                QCOMPARE(differenceFromOneProcess(kept, 200), QString());
                kept.front().metrics.iterationSeconds = mark;
                auto marked = *readProject(project.toStdString());
                auto state = std::make_shared<SearchState>(*marked.search);
                state->history.trials = before = kept;
                marked.search = state;
                VERIFY_VALUE(writeProject(marked, project.toStdString()));
            }
            for (std::size_t t = 0; t < before.size(); ++t)
                QVERIFY(kept[t].metrics == before[t].metrics); // not judged again
        }
        // A different search in the same project starts from the beginning.
        QStringList other = endless + QStringList{"--project", project, "--seed", "2"};
        other[other.indexOf(QStringLiteral("100000"))] = QStringLiteral("2");
        QCOMPARE(cli(other).exitCode, 0);
        QCOMPARE(trialsIn(project).size(), std::size_t{2});
    }
};

QTEST_GUILESS_MAIN(TestCliRanks)
#include "tst_cli_ranks.moc"
