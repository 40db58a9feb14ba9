// SPDX-License-Identifier: GPL-3.0-or-later
// Judges that measure: with noise, by a user's program, from records.
#include "engine/strategy/builders.h"
#include "engine/strategy/strategy_file.h"
#include "engine/trial/judge.h"
#include "engine/trial/program.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <chrono>
#include <csignal>
#include <sys/resource.h>
#include <thread>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

Scenario scenarioOf(const char *builder) {
    Scenario scenario;
    scenario.job = std::make_shared<const Job>(chainJob({{1e-3, 2e-3, 500'000}, {2e-3, 4e-3, 1'000'000}}));
    scenario.cluster = std::make_shared<const Cluster>(plainCluster(3, 1e9));
    scenario.strategy = std::make_shared<const Strategy>(*buildStrategy(builder, *scenario.job, *scenario.cluster));
    return scenario;
}

Result<Verdict> judged(const std::string &judge, const char *builder = "AllReduce", std::stop_token stop = {}) {
    return (*makeJudge(judge))->judge(scenarioOf(builder), std::move(stop));
}

} // namespace

class TestMeasuringJudges : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// Writes a program that executes `lines`; returns its path.
    std::string script(const char *name, const char *lines) {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("no script");
        file.write("#!/bin/sh\n");
        file.write(lines);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName().toStdString();
    }

private slots:
    void noiseIsSeeded() {
        const auto plain = judged("simulated()");
        const auto noisy = judged("noisy()"), again = judged("noisy()"), other = judged("noisy(seed=2)");
        QVERIFY(noisy && again && other);
        QCOMPARE(noisy->iterationSeconds, again->iterationSeconds);
        QVERIFY(noisy->iterationSeconds != other->iterationSeconds);
        QVERIFY(noisy->iterationSeconds != plain->iterationSeconds);
        // The mean of 40 has a standard error of 5 % / sqrt(40); four times that is allowed.
        COMPARE_CLOSE(noisy->iterationSeconds, plain->iterationSeconds, 4 * 0.05 / std::sqrt(40.0));
        COMPARE_CLOSE(noisy->spreadSeconds, 0.05 * plain->iterationSeconds, 0.5);
        // An iteration slowed down as a whole exposes the same share of itself.
        COMPARE_ABOVE(plain->exposedSeconds, 0);
        COMPARE_CLOSE(noisy->exposedSeconds / noisy->iterationSeconds, plain->exposedSeconds / plain->iterationSeconds);
        COMPARE_CLOSE(noisy->communicationSeconds / noisy->iterationSeconds,
                      plain->communicationSeconds / plain->iterationSeconds);
        const auto many = judged("noisy(iterations=100010)");
        COMPARE_CLOSE(many->iterationSeconds, plain->iterationSeconds, 1e-3);
        COMPARE_CLOSE(many->spreadSeconds, 0.05 * plain->iterationSeconds, 0.02);
        QCOMPARE(judged("noisy(cv=0)")->iterationSeconds, plain->iterationSeconds);
        QCOMPARE(judged("noisy(iterations=1, warmup=0)")->spreadSeconds, 0.0);
        QVERIFY((*makeJudge("noisy"))->isDeterministic());
        QCOMPARE((*makeJudge("noisy(20, cv=3)"))->text(), std::string("noisy(iterations=20,cv=3)"));
    }

    /// The program receives three files, in this order, and prints seconds.
    void programsMeasure() {
        const std::string program =
            script("measure", "test \"$1\" = 'two words' || exit 9\n"
                              "grep -q AllReduce \"$2\" || grep -q all_reduce \"$2\" || exit 3\n"
                              "grep -q layers \"$3\" || exit 4\n"
                              "grep -q nodes \"$4\" || exit 5\n"
                              "test -s \"$(dirname \"$2\")/strategy.pb\" || exit 6\n"
                              "test \"$(cat \"$(dirname \"$2\")/policy.txt\")\" = 'fifo(barrier=on)' || exit 7\n"
                              "echo noise >&2; echo 0.25; echo 0.75\n");
        const std::string text = "command(\"" + program + " 'two words'\")";
        const auto judge = makeJudge(text);
        VERIFY_VALUE(judge);
        QCOMPARE((*judge)->text(), text);
        QVERIFY(!(*judge)->isDeterministic());
        QCOMPARE((*judge)->maxConcurrent(), 1U);
        QCOMPARE((*makeJudge("command('x', jobs=4)"))->maxConcurrent(), 4U);
        QCOMPARE((*makeJudge("command('x', jobs=4)"))->text(), std::string("command(\"x\",jobs=4)"));
        const auto verdict = (*judge)->judge(scenarioOf("AllReduce"), {});
        VERIFY_VALUE(verdict);
        QCOMPARE(verdict->iterationSeconds, 0.5);
        COMPARE_CLOSE(verdict->spreadSeconds, std::sqrt(0.125));
        COMPARE_CLOSE(verdict->samplesPerSecond, 3 * scenarioOf("AllReduce").job->batchSize / 0.5);
    }

    void failuresOfProgramsAreTold_data() {
        QTest::addColumn<QString>("lines");
        QTest::addColumn<QString>("says");
        QTest::newRow("exit code") << "echo before >&2; echo 'no such GPU' >&2; exit 3"
                                   << "exit code 3: no such GPU";
        QTest::newRow("below a launcher")
            << "echo 'error: job.json: no layers; add some' >&2; echo 'no error: here' >&2; echo ---- >&2; exit 2"
            << "exit code 2: job.json: no layers; add some";
        QTest::newRow("a sentence") << "echo 'Try --help for more.' >&2; exit 1"
                                    << "--help for more; run it by hand";
        QTest::newRow("signal") << "kill -9 $$"
                                << "exit code 137";
        QTest::newRow("nothing") << "true"
                                 << "prints no time";
        QTest::newRow("garbage") << "echo 'done in 3 s'"
                                 << "prints 'done in 3 s'";
        QTest::newRow("not a time") << "echo -1"
                                    << "prints '-1'";
        QTest::newRow("nan") << "echo nan"
                             << "prints 'nan'";
        QTest::newRow("too much") << "yes 1 | head -c 100000"
                                  << "too many times";
        QTest::newRow("endless") << "while :; do echo 1; done"
                                 << "longer than 1 s";
        QTest::newRow("without pause") << "yes 1 >&2"
                                       << "longer than 1 s";
        QTest::newRow("too long") << "sleep 60"
                                  << "longer than 1 s";
    }
    void failuresOfProgramsAreTold() {
        QFETCH(QString, lines);
        QFETCH(QString, says);
        const auto verdict = judged("command('" + script("failing", lines.toUtf8()) + "', timeout=1)");
        QVERIFY(!verdict);
        QVERIFY2(verdict.error().toString().find(says.toStdString()) != std::string::npos, verdict.error().toString().c_str());
        QVERIFY(verdict.error().kind == ErrorKind::Unavailable); // no input was bad
    }

    void missingProgramsAreTold() {
        const auto verdict = judged("command('/nowhere/at-all')");
        QVERIFY(!verdict && verdict.error().toString().find("cannot be started") != std::string::npos);
        // No shell interprets the words.
        const auto words = splitWords("a \"b c\" d'e f'g ''  ; $HOME");
        QVERIFY(words && *words == (std::vector<std::string>{"a", "b c", "de fg", "", ";", "$HOME"}));
    }

    /// Where the kernel keeps the exit status to itself, a program is not waited for until its timeout.
    void ignoredChildrenEndToo() {
        const std::string program = script("short", "echo 0.5");
        const auto usual = std::signal(SIGCHLD, SIG_IGN);
        const auto begin = std::chrono::steady_clock::now();
        const auto ran = runProgram({program}, std::chrono::seconds(60), {});
        const auto took = std::chrono::steady_clock::now() - begin;
        const auto late = runProgram({script("long", "sleep 60")}, std::chrono::seconds(1), {});
        std::signal(SIGCHLD, usual);
        QVERIFY(!ran && !late);
        QVERIFY2(ran.error().what.find("SIGCHLD") != std::string::npos, ran.error().toString().c_str());
        QVERIFY(ran.error().kind == ErrorKind::Unavailable);
        QVERIFY(took < std::chrono::seconds(30));
        QVERIFY2(late.error().what.find("longer than 1 s") != std::string::npos, late.error().toString().c_str());
        QCOMPARE(runProgram({program}, std::chrono::seconds(60), {})->output, std::string("0.5\n"));
    }

    /// No memory for a process is no fault of the command's.
    void programsWithoutMemoryAreUnavailable() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("the sanitizer needs memory of its own");
#endif
        const std::vector<std::string> words{script("short", "echo 0.5")};
        VERIFY_VALUE(runProgram(words, std::chrono::seconds(60), {}));
        rlimit usual{};
        QCOMPARE(getrlimit(RLIMIT_AS, &usual), 0);
        const rlimit full{1, usual.rlim_max}; // what is mapped stays
        QCOMPARE(setrlimit(RLIMIT_AS, &full), 0);
        const auto refused = runProgram(words, std::chrono::seconds(60), {});
        QCOMPARE(setrlimit(RLIMIT_AS, &usual), 0);
        QVERIFY(!refused);
        QVERIFY2(refused.error().what.find("cannot be started") != std::string::npos, refused.error().toString().c_str());
        QVERIFY(refused.error().kind == ErrorKind::Unavailable);
        QVERIFY(runProgram({"/nowhere/at-all"}, std::chrono::seconds(60), {}).error().kind == ErrorKind::Input);
    }

    /// Without a folder for temporary files nothing is written, in particular not into the working directory.
    void nothingIsWrittenWithoutATemporaryFolder() {
        const QTemporaryDir work;
        const QString strategy = work.filePath("strategy.json"), before = QDir::currentPath();
        QFile file(strategy);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("the user's own");
        file.close();
        const QByteArray usual = qgetenv("TMPDIR");
        QVERIFY(QDir::setCurrent(work.path()));
        qputenv("TMPDIR", "/nonexistent");
        const auto verdict = judged("command('true')");
        usual.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", usual);
        QVERIFY(QDir::setCurrent(before));
        QVERIFY(!verdict);
        QVERIFY2(verdict.error().remedy.find("TMPDIR") != std::string::npos, verdict.error().toString().c_str());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("the user's own"));
        QCOMPARE(QDir(work.path()).entryList(QDir::Files), QStringList{"strategy.json"});
    }

    /// When a judge is stopped or times out, the processes that its program started end with it.
    void processGroupsAreKilled_data() {
        QTest::addColumn<bool>("isStopped");
        QTest::newRow("stopped") << true;
        QTest::newRow("out of time") << false;
    }
    void processGroupsAreKilled() {
        QFETCH(bool, isStopped);
        const std::string pidFile = m_folder.filePath(isStopped ? "pid" : "pid2").toStdString();
        const std::string program = script(
            "parent", ("sleep 1000 & echo $! > " + pidFile + ".new; mv " + pidFile + ".new " + pidFile + "; wait\n").c_str());
        std::stop_source stop;
        std::jthread stopper([&] {
            while (isStopped && !QFile::exists(QString::fromStdString(pidFile)))
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (isStopped)
                stop.request_stop();
        });
        const auto verdict = judged("command('" + program + (isStopped ? "')" : "', timeout=2)"), "PS", stop.get_token());
        QVERIFY(!verdict);
        QVERIFY2(isStopped ? verdict.error().isCancelled()
                           : verdict.error().toString().find("longer than 2 s") != std::string::npos,
                 verdict.error().toString().c_str());
        QFile file(QString::fromStdString(pidFile));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto pid = static_cast<pid_t>(file.readAll().trimmed().toInt());
        COMPARE_ABOVE(pid, 0);
        // Killed; its new parent may not have reaped it yet, in which case it is a zombie.
        const auto isGone = [&] {
            if (kill(pid, 0) != 0)
                return true;
            QFile status(QStringLiteral("/proc/%1/stat").arg(pid));
            return !status.open(QIODevice::ReadOnly) || status.readAll().contains(") Z ");
        };
        QTRY_VERIFY_WITH_TIMEOUT(isGone(), patience);
    }

    /// Times are found by the content of the strategy, from a file or a builder; repetitions are averaged.
    void recordsAreLookedUp() {
        const Scenario ps = scenarioOf("PS");
        QFile strategy(m_folder.filePath("ps.pb"));
        QVERIFY(strategy.open(QIODevice::WriteOnly));
        strategy.write(QByteArray::fromStdString(writeStrategyProto(*ps.strategy)));
        strategy.close();
        const auto record = [&](const char *text) {
            QFile file(m_folder.filePath("times.csv"));
            if (!file.open(QIODevice::WriteOnly))
                qFatal("no file");
            file.write(text);
            return "imported(\"" + file.fileName().toStdString() + "\")";
        };
        const std::string judge = record("run,seconds,strategy\r\n1,0.5,ps.pb\r\n2,0.7,ps.pb\r\n3,2,AllReduce\n\n");
        QVERIFY((*makeJudge(judge))->isDeterministic());
        QCOMPARE((*makeJudge(judge))->text(), judge);
        COMPARE_CLOSE(judged(judge, "PS")->iterationSeconds, 0.6);
        COMPARE_CLOSE(judged(judge, "PS")->spreadSeconds, std::sqrt(0.02));
        COMPARE_CLOSE(judged(judge, "AllReduce")->iterationSeconds, 2.0);
        for (const auto &[builder, count] : {std::pair{"PS", "times.csv, 2 times."}, {"AllReduce", "times.csv, 1 time."}}) {
            const std::string assumption = judged(judge, builder)->assumptions.front();
            QVERIFY2(assumption.ends_with(count), assumption.c_str());
        }
        const auto missing = judged(judge, "PartitionedPS");
        QVERIFY(!missing && missing.error().toString().find("is recorded") != std::string::npos);
        for (const auto &[text, says] : {std::pair{"a,b\n", "column"},
                                         {"strategy,seconds\nPS,x\n", "line 2"},
                                         {"strategy,seconds\nPS,-1\n", "line 2"},
                                         {"strategy,seconds\n", "no recorded time"}}) {
            const auto broken = makeJudge(record(text));
            QVERIFY2(!broken && broken.error().toString().find(says) != std::string::npos, text);
        }
        const auto unknown = judged(record("strategy,seconds\nMagic,1\n"), "PS");
        QVERIFY(!unknown && unknown.error().toString().find("Magic") != std::string::npos);
    }

    /// Arguments of builders are separated by commas: such a field is quoted. Spreadsheets put a mark before the first column.
    void recordsMayBeQuoted() {
        QFile file(m_folder.filePath("quoted.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("\xef\xbb\xbf"
                   "strategy,note,seconds\r\n"
                   "\"Parallax(chunk_size=1, local_proxy_variable=True)\",\"a \"\"b\"\", c\",2\r\n"
                   "PS,,3\r\n");
        file.close();
        const std::string judge = "imported(\"" + file.fileName().toStdString() + "\")";
        const auto parallax = judged(judge, "Parallax(chunk_size=1, local_proxy_variable=True)"), ps = judged(judge, "PS");
        VERIFY_VALUE(parallax);
        VERIFY_VALUE(ps);
        COMPARE_CLOSE(parallax->iterationSeconds, 2.0);
        COMPARE_CLOSE(ps->iterationSeconds, 3.0);
    }
};

QTEST_GUILESS_MAIN(TestMeasuringJudges)
#include "tst_measuring_judges.moc"
