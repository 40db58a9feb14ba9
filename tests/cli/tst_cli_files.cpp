// SPDX-License-Identifier: GPL-3.0-or-later
// The command line's effects on files and the terminal: inputs and existing files stay unchanged, failed writes leave nothing
// behind, and names cannot control the terminal.
#include "tests/checks.h"
#include "tests/cli/cli.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <filesystem>

using namespace syncopate::testing;

namespace {

/// `script` in a shell, where "$0" is the command line and "$1" the folder.
ProcessResult shell(const QString &script, const QString &folder) {
    return runProgram(QStringLiteral("bash"), {"-c", script, QStringLiteral(SYNCOPATE_CLI), folder});
}

bool actsOnTerminal(const QByteArray &bytes) {
    const QString text = QString::fromUtf8(bytes);
    return text.contains(QChar::ReplacementCharacter) || std::any_of(text.begin(), text.end(), [](QChar c) {
               return (c.unicode() < 0x20 && c != u'\n') || (c.unicode() >= 0x7f && c.unicode() < 0xa0);
           });
}

const QByteArray layers = "node1 -- Linear(in_features=10, out_features=4, bias=True) -- forward_compute_time=2.0, "
                          "backward_compute_time=3.0, activation_size=4.0, parameter_size=176.0\n";

} // namespace

class TestCliFiles : public QObject {
    Q_OBJECT

    /// A new folder with a profile in it.
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_profile;
    [[nodiscard]] QString path(const char *name) const { return m_folder->filePath(QString::fromLatin1(name)); }
    [[nodiscard]] QStringList files() const { return QDir(m_folder->path()).entryList(QDir::Files | QDir::System, QDir::Name); }
    QString write(const QString &name, const QByteArray &bytes) const {
        QFile file(m_folder->filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
    }

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_profile = write("model_graph.txt", layers);
        QVERIFY(!m_profile.isEmpty());
    }

    /// By its own name, through links, and in a folder that is read as a whole; even with --force.
    void whatIsReadIsNeverOverwritten() {
        QVERIFY(QFile::link(m_profile, path("link")));
        std::filesystem::create_hard_link(m_profile.toStdString(), path("hard").toStdString());
        const QString beside = m_folder->path() + "/../" + QDir(m_folder->path()).dirName() + "/model_graph.txt";
        for (const QString &output : {m_profile, path("link"), path("hard"), beside})
            for (const QStringList &force : {QStringList{}, {"--force"}}) {
                const ProcessResult answer = cli(QStringList{"import", m_profile, "-o", output} + force);
                QVERIFY2(answer.exitCode == 2 && answer.isOneError(), answer.err);
                QVERIFY2(answer.err.startsWith("error: " + output.toUtf8() + ":") && answer.err.contains("is read"), answer.err);
                QCOMPARE(contentOf(m_profile), layers);
            }
        const ProcessResult folder = cli({"import", m_folder->path(), "-o", m_profile, "--force"});
        QVERIFY2(folder.exitCode == 2 && folder.err.contains("is read"), folder.err);
        QCOMPARE(contentOf(m_profile), layers);
    }

    /// Files that an expression names are inputs, too: a judge's recorded times, the strategies in them, and its program. So is a
    /// file named through /proc.
    void whatExpressionsNameIsNeverOverwritten() {
        const QByteArray measured = "strategy,iteration_seconds\nPS,1\n", program = "#!/bin/sh\necho 1\n";
        const QString times = write("times.csv", measured), judge = write("judge.sh", program);
        const QStringList search{"search", "--job", "alexnet", "--cluster", "A2", "--trials", "2", "--force"};
        for (const char *output : {"-o", "--trials-out"}) {
            const ProcessResult byTimes = cli(search + QStringList{"--judge", "imported(\"" + times + "\")", output, times}),
                                byProgram = cli(search + QStringList{"--judge", "command(\"sh " + judge + "\")", output, judge});
            const ProcessResult single = cli(search + QStringList{"--judge", "imported('" + times + "')", output, times}),
                                nested = cli(search + QStringList{"--judge", "command(\"sh '" + judge + "' .\")", output, judge});
            for (const ProcessResult &answer : {byTimes, byProgram, single, nested})
                QVERIFY2(answer.exitCode == 2 && answer.err.contains("is read"), answer.err);
        }
        QCOMPARE(contentOf(times), measured);
        QCOMPARE(contentOf(judge), program);
        const QString strategy = path("st.json");
        QCOMPARE(cli({"build", "--job", "alexnet", "--cluster", "A2", "--builder", "PS", "-o", strategy}).exitCode, 0);
        const QByteArray built = contentOf(strategy);
        const QString ofFiles = write("files.csv", "strategy,seconds\nst.json,0.5\n");
        for (const char *output : {"-o", "--trials-out"}) {
            const ProcessResult answer = cli(search + QStringList{"--judge", "imported(\"" + ofFiles + "\")", output, strategy});
            QVERIFY2(answer.exitCode == 2 && answer.err.contains("is read"), answer.err);
        }
        QCOMPARE(contentOf(strategy), built);
        const ProcessResult throughProc = cli({"import", m_profile, "-o", "/proc/self/root" + m_profile});
        QVERIFY2(throughProc.exitCode == 2 && throughProc.err.contains("is read"), throughProc.err);
        QCOMPARE(contentOf(m_profile), layers);
    }

    /// Nor is a file behind the name of its link.
    void whatFollowsAnEqualsSignIsNeverOverwritten() {
        const QByteArray measured = contentOf(SYNCOPATE_SOURCE "/tests/data/calibrate/nccl_tests_4_hosts.json");
        const QString log = write("log.json", measured);
        const ProcessResult answer = cli({"plan", "--job", "syndicate:a2", "--cluster", "syndicate", "--workers", "16",
                                          "--method", "fifo", "--costs", "tcp=" + log, "-o", log, "--force"});
        QVERIFY2(answer.exitCode == 2 && answer.err.contains("is read"), answer.err);
        QCOMPARE(contentOf(log), measured);
    }

    /// An output that cannot be made is an error before the work, which would be lost; here a missing job would be the next one.
    void outputsAreCheckedBeforeTheWork() {
        const QStringList search{"search", "--job", "/no/such.json", "--cluster", "A2"};
        for (const char *output : {"-o", "--trials-out"}) {
            const ProcessResult nowhere = cli(search + QStringList{output, path("no/folder/best.json")});
            QVERIFY2(nowhere.exitCode == 1 && nowhere.isOneError() && nowhere.err.contains("its folder does not exist"),
                     nowhere.err);
            const ProcessResult folder = cli(search + QStringList{output, m_folder->path()});
            QVERIFY2(folder.exitCode == 1 && folder.isOneError() && folder.err.contains("this is a folder"), folder.err);
            const ProcessResult empty = cli(search + QStringList{output, ""});
            QVERIFY2(empty.exitCode == 2 && empty.isOneError() && empty.err.contains("it names no file"), empty.err);
        }
    }

    /// A missing strategy is reported as a file if its name is a file's.
    void missingStrategiesAreNamed() {
        const ProcessResult answer = cli({"simulate", "--job", "alexnet", "--cluster", "A2", "--strategy", path("missing.json")});
        QVERIFY2(answer.exitCode != 0 && answer.isOneError(), answer.err);
        QVERIFY2(answer.err.contains("missing.json"), answer.err);
    }

    void filesThatAreThereNeedForce() {
        const QString output = write("job.json", "mine");
        const ProcessResult refused = cli({"import", m_profile, "-o", output});
        QVERIFY2(refused.exitCode == 2 && refused.isOneError(), refused.err);
        QVERIFY2(refused.err.contains(output.toUtf8()) && refused.err.contains("--force"), refused.err);
        QCOMPARE(contentOf(output), QByteArray("mine"));
        QCOMPARE(cli({"--force", "import", m_profile, "-o", output}).exitCode, 0);
        QVERIFY(contentOf(output).startsWith("{"));
        // A link's target is replaced, and the link stays a link.
        const QString target = write("target", "mine");
        QVERIFY(QFile::link(target, path("link")));
        QCOMPARE(cli({"import", m_profile, "-o", path("link")}).exitCode, 2);
        QCOMPARE(cli({"import", m_profile, "-o", path("link"), "--force"}).exitCode, 0);
        QVERIFY(QFileInfo(path("link")).isSymLink() && contentOf(target).startsWith("{"));
        QCOMPARE(cli({"import", m_profile, "-o", "/dev/null"}).exitCode, 0);
        // AutoDist's loader, written beside a strategy, is checked like the strategy.
        const QString stub = write("s_builder.py", "mine");
        const QStringList exported{"export", "--job", "alexnet", "--cluster", "A2", "--strategy", "PS", "-o", path("s.pb")};
        QCOMPARE(cli(exported).exitCode, 2);
        QVERIFY(!QFile::exists(path("s.pb")));
        QCOMPARE(contentOf(stub), QByteArray("mine"));
        QCOMPARE(cli(exported + QStringList{"--force"}).exitCode, 0);
        QVERIFY(QFile::exists(path("s.pb")) && contentOf(stub).contains("StrategyBuilder"));
    }

    void twoOutputsAreTwoFiles() {
        const QStringList simulate{"simulate", "--job", "alexnet", "--cluster", "A2", "--strategy", "PS"};
        const ProcessResult answer = cli(simulate + QStringList{"--trace", path("out"), "--table", path("./out")});
        QVERIFY2(answer.exitCode == 2 && answer.isOneError(), answer.err);
        QVERIFY(!QFile::exists(path("out")));
        const ProcessResult project = cli({"search", "--job", "alexnet", "--cluster", "A2", "--trials", "2", "--project",
                                           path("p.syncopate"), "-o", path("p.syncopate")});
        QVERIFY2(project.exitCode == 2 && project.isOneError(), project.err);
        QVERIFY(!QFile::exists(path("p.syncopate")));
        QCOMPARE(cli(simulate + QStringList{"--trace", "/dev/null", "--table", "/dev/null"}).exitCode, 0);
    }

    /// A script that means stdout would not notice a file called "-".
    void aDashIsNoOutput() {
        const QStringList simulate{"simulate", "--job", "alexnet", "--cluster", "A2", "--strategy", "PS", "--quiet", "--trace"};
        const ProcessResult answer = shell("cd \"$1\" && \"$0\" " + (simulate + QStringList{"-"}).join(' '), m_folder->path());
        QVERIFY2(answer.exitCode == 2 && answer.isOneError() && answer.err.contains("/dev/stdout"), answer.err.constData());
        QCOMPARE(files(), QStringList{"model_graph.txt"});
        const ProcessResult meant = cli(simulate + QStringList{"/dev/stdout"});
        QVERIFY2(meant.exitCode == 0 && meant.out.contains("\"traceEvents\""), meant.err.constData());
    }

    /// One file by two names, before it is there: relative, beside a bare name, or through links that lead nowhere yet.
    void anAbsentFileHasManyNames() {
        QVERIFY(QDir(m_folder->path()).mkdir("sub"));
        QVERIFY(QFile::link("..", path("sub/up")) && QFile::link("target", path("l1")) && QFile::link("target", path("l2")));
        const QStringList before = files();
        for (const QString two : {"a ./a", "a sub/../a", "a sub/up/a", "target l1", "l1 l2"}) {
            const QString names = QString("--trace %1 --table %2").arg(two.section(' ', 0, 0), two.section(' ', 1));
            const ProcessResult answer =
                shell("cd \"$1\" && \"$0\" simulate --job alexnet --cluster A2 --strategy PS " + names, m_folder->path());
            QVERIFY2(answer.exitCode == 2 && answer.isOneError() && answer.err.contains("two outputs"),
                     qPrintable(two + answer.err));
            QCOMPARE(files(), before);
        }
        const QString search =
            "cd \"$1\" && \"$0\" search --job alexnet --cluster A2 --trials 2 --project p.syncopate -o ./p.syncopate";
        const ProcessResult project = shell(search, m_folder->path());
        QVERIFY2(project.exitCode == 2 && project.err.contains("two outputs"), project.err);
        QCOMPARE(files(), before);
        // A link to a file that is not there is followed.
        QCOMPARE(cli({"import", m_profile, "-o", path("l1")}).exitCode, 0);
        QVERIFY(QFileInfo(path("l1")).isSymLink() && contentOf(path("target")).startsWith("{"));
    }

    /// A private file stays private when it is replaced.
    void aReplacedFileKeepsItsPermissions() {
        const QString output = write("job.json", "mine");
        const auto mine = QFile::ReadOwner | QFile::WriteOwner;
        QVERIFY(QFile::setPermissions(output, mine));
        QCOMPARE(cli({"import", m_profile, "-o", output, "--force"}).exitCode, 0);
        QVERIFY(contentOf(output).startsWith("{"));
        QCOMPARE(QFile::permissions(output) & ~(QFile::ReadUser | QFile::WriteUser), mine);
    }

    /// A named pipe without a reader is an error after two seconds; one with a reader is written to.
    void aPipeNeedsAReader() {
        const QString script = "mkfifo \"$1/pipe\"; \"$0\" import \"$1/model_graph.txt\" -o \"$1/pipe\"";
        const ProcessResult lonely = shell(script, m_folder->path());
        QVERIFY2(lonely.exitCode == 1 && lonely.isOneError() && lonely.err.contains("no program reads"), lonely.err);
        const ProcessResult read =
            shell("exec 3<>\"$1/pipe\"; \"$0\" import \"$1/model_graph.txt\" -o \"$1/pipe\" && head -c 1 <&3 > \"$1/copy\"",
                  m_folder->path());
        QVERIFY2(read.exitCode == 0, read.err);
        QCOMPARE(contentOf(path("copy")), QByteArray("{"));
    }

    void aFullStdoutIsAnError() {
        for (const char *command : {"catalog clusters", "catalog clusters --json", "--help", "import --help",
                                    "simulate --job alexnet --cluster A2 --strategy PS --json"}) {
            const ProcessResult answer = shell(QString("\"$0\" %1 > /dev/full").arg(QLatin1String(command)), {});
            QVERIFY2(answer.exitCode == 1 && answer.isOneError(), command + (": " + answer.err));
            QVERIFY2(answer.err.contains("output"), answer.err);
        }
    }

    /// A limit on file sizes stands in for a full disk: the first bytes are written, the others are not.
    void failedWritesLeaveNothing() {
        const QStringList before = files();
        const QString simulate = "ulimit -f 4; \"$0\" simulate --job resnet50 --cluster A2 --strategy PS ";
        for (const QString &output : {simulate + "--trace \"$1/out.json\"", simulate + "--table \"$1/out.csv\"",
                                      QString("ulimit -f 4; \"$0\" export --job resnet50 --cluster A2 --strategy PartitionedPS "
                                              "--format autodist -o \"$1/out.pb\"")}) {
            const ProcessResult answer = shell(output, m_folder->path());
            QVERIFY2(answer.exitCode == 1 && answer.isOneError(), qPrintable(output + QString::fromUtf8(answer.err)));
            QVERIFY2(answer.err.contains("cannot write"), answer.err);
            QCOMPARE(files(), before);
        }
        const QString kept = write("kept.json", "mine");
        QCOMPARE(shell(simulate + "--force --trace \"$1/kept.json\"", m_folder->path()).exitCode, 1);
        QCOMPARE(contentOf(kept), QByteArray("mine"));
    }

    /// A project that cannot be saved is not there afterwards, not even as an empty file that later commands refuse; one that
    /// was there keeps its content.
    void failedProjectsLeaveNothing() {
        const QStringList before = files();
        const QString search = "\"$0\" search --job resnet50 --cluster A2 --trials 2 --project \"$1/searched.syncopate\"";
        const ProcessResult answer = shell("ulimit -f 4; " + search, m_folder->path());
        QVERIFY2(answer.exitCode == 1 && answer.isOneError(), answer.err);
        QVERIFY2(answer.err.contains("room left"), answer.err);
        QCOMPARE(files(), before);
        // A link that leads to nothing stays, without the file behind it.
        const QString target = path("searched target");
        QVERIFY(QFile::link(target, path("searched.syncopate")));
        QCOMPARE(shell("ulimit -f 4; " + search, m_folder->path()).exitCode, 1);
        QVERIFY(QFileInfo(path("searched.syncopate")).isSymLink() && !QFile::exists(target));
        QVERIFY(QFile::remove(path("searched.syncopate")));
        QCOMPARE(shell(search, m_folder->path()).exitCode, 0);
        const QByteArray saved = contentOf(path("searched.syncopate"));
        QCOMPARE(shell("ulimit -f 4; " + search, m_folder->path()).exitCode, 1);
        QCOMPARE(contentOf(path("searched.syncopate")), saved);
    }

    /// If the loader cannot be written, the strategy is not written either, and the previous one stays.
    void autoDistGetsBothFilesOrNone() {
        QVERIFY(QDir(m_folder->path()).mkdir("s_builder.py"));
        const QStringList before = files();
        const QStringList exported{"export", "--job", "alexnet", "--cluster", "A2", "--strategy", "PS", "-o", path("s.pb")};
        const ProcessResult answer = cli(exported);
        QVERIFY2(answer.exitCode == 1 && answer.isOneError(), answer.err);
        QCOMPARE(files(), before);
        const QString old = write("s.pb", "mine");
        QCOMPARE(cli(exported + QStringList{"--force"}).exitCode, 1);
        QCOMPARE(contentOf(old), QByteArray("mine"));
    }

    void namesActOnNoTerminal() {
        const QByteArray escape = "\x1b]0;owned\x07\x1b[2J", broken = "\xff\xfe", huge(100'000, 'n');
        for (const QByteArray &name : {escape, broken, huge,
                                       QByteArray("\xc2\x9b"
                                                  "31m")}) {
            const QByteArray shown = QByteArray(name).replace("\x1b", "\\u001b").replace("\x07", "\\u0007");
            const QByteArray layer = "{'name': 'fc', 'forward_seconds': 1, 'backward_seconds': 1, 'parents': ['" + shown + "']}";
            const QString orphan = write("job.json", QByteArray("{'name': 'j', 'layers': [" + layer + "]}").replace('\'', '"'));
            const ProcessResult error = cli({"simulate", "--job", orphan, "--cluster", "A2", "--strategy", "PS"});
            QVERIFY2(error.exitCode == 2 && error.isOneError(), error.err.left(300));
            QVERIFY2(!actsOnTerminal(error.err), error.err.left(300));
            COMPARE_BELOW(error.err.size(), 2000, error.err.left(300));
            const ProcessResult usage =
                cli({"simulate", "--job", "alexnet", "--cluster", QString::fromLatin1(name.left(5000)), "x"});
            QVERIFY2(usage.exitCode == 2, usage.err.left(300));
            QVERIFY2(!actsOnTerminal(usage.err), usage.err.left(300));
            COMPARE_BELOW(usage.err.size(), 2000, usage.err.left(300));
        }
        const ProcessResult table = cli({"import", write("esc_graph.txt", QByteArray(layers).replace("node1", "node1" + escape)),
                                         "-o", path("\x1b[31mred.json")});
        QVERIFY2(table.exitCode == 0, table.err);
        QVERIFY2(!actsOnTerminal(table.out) && table.out.contains("\\x1b[31mred.json"), table.out);
        QVERIFY(!actsOnTerminal(contentOf(path("\x1b[31mred.json"))));
    }

    void numbersAreFinite_data() {
        QTest::addColumn<QStringList>("arguments");
        const QStringList simulate{"simulate", "--job", "alexnet", "--cluster", "A2", "--strategy", "PS"},
            predict{"predict", "alexnet", "--cluster", "A2", "--workers", "1", "--steps", "5"};
        for (const char *value : {"nan", "-nan", "inf", "NAN", "1e400"}) {
            QTest::addRow("bandwidth %s", value) << simulate + QStringList{"--bandwidth", value};
            for (const char *option : {"--bandwidth", "--gain", "--price", "--profile-bandwidth", "--batch-size"})
                QTest::addRow("predict %s %s", option, value) << predict + QStringList{option, value};
        }
        for (const char *value : {"nan", "1e300s", "-1ms", "50", "5"})
            QTest::addRow("latency %s", value) << simulate + QStringList{"--latency", value};
        QTest::addRow("background") << simulate + QStringList{"--background", "worker0.up:nan@0-2s"};
        QTest::addRow("window") << predict + QStringList{"--window", "nan"};
        QTest::addRow("overhead") << predict + QStringList{"--overhead", "nan,50us"};
        QTest::addRow("tcp window") << predict + QStringList{"--tcp-window", "nan"};
        QTest::addRow("knob") << QStringList{"sweep",      "--job", "alexnet", "--cluster",       "A2",
                                             "--strategy", "PS",    "--knob",  "bandwidth=1..nan"};
    }
    void numbersAreFinite() {
        QFETCH(QStringList, arguments);
        const ProcessResult answer = cli(arguments);
        QVERIFY2(answer.exitCode == 2 && answer.isOneError(), answer.err + answer.out);
        QVERIFY2(answer.err.contains(arguments[arguments.size() - 2].toUtf8()), answer.err);
    }
};

QTEST_GUILESS_MAIN(TestCliFiles)
#include "tst_cli_files.moc"
