// SPDX-License-Identifier: GPL-3.0-or-later
// The files installed beside the programs: man pages that agree with --help, desktop file, metadata, icons.
#include "tests/checks.h"
#include "tests/cli/cli.h"
#include "tests/files.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtEndian>
#include <QtTest>
#include <algorithm>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace {

const QString cli = QStringLiteral(SYNCOPATE_CLI);
const QDir programs = QFileInfo(cli).dir();
const QDir build = QDir(programs.filePath(".."));
const QDir source(QStringLiteral(SYNCOPATE_SOURCE));

QString outputOf(const QString &program, const QStringList &arguments) {
    const syncopate::testing::ProcessResult told = syncopate::testing::runProgram(program, arguments);
    return QString::fromUtf8(told.out) + QString::fromUtf8(told.err);
}

/// "--job", "--policy-b" and so on.
QSet<QString> optionsIn(const QString &text) {
    static const QRegularExpression option("(?<![\\w-])--[a-z][a-z-]*");
    QSet<QString> options;
    for (auto match = option.globalMatch(text); match.hasNext();)
        options.insert(match.next().captured());
    return options;
}

QString manText(const QString &program) {
    return syncopate::testing::contentOf(build.filePath("packaging/" + program + ".1"))
        .replace("\\-", "-")
        .replace("\\(aq", "'")
        .replace("\\(dq", "\"");
}

} // namespace

class TestPackaging : public QObject {
    Q_OBJECT

private slots:
    void manPagesSayWhatHelpSays() {
        const QString page = manText("syncopate-cli");
        QVERIFY2(!page.isEmpty(), "there is no packaging/syncopate-cli.1 in the build folder");
        const QString all = outputOf(cli, {"--help"});
        QSet<QString> helped = optionsIn(all);
        static const QRegularExpression command("^  ([a-z][a-z-]*)  +(.*)$", QRegularExpression::MultilineOption);
        int commands = 0;
        for (auto match = command.globalMatch(all.mid(all.indexOf("Subcommands:"))); match.hasNext();) {
            const auto one = match.next();
            QVERIFY2(page.contains(".SS " + one.captured(1) + "\n" + one.captured(2)), qPrintable(one.captured(1)));
            helped += optionsIn(outputOf(cli, {one.captured(1), "--help"}));
            ++commands;
        }
        COMPARE_AT_LEAST(commands, 7);
        QVERIFY(helped.contains("--cluster") && helped.contains("--policy-b"));
        const QSet<QString> paged = optionsIn(page);
        QVERIFY2(helped.subtract(paged).isEmpty(), "an option of --help is not in the man page");
        for (const char *option : {"--screenshot", "--sample", "--theme"})
            QVERIFY2(manText("syncopate").contains(option), option);
        // The synopsis names all that the usage line does.
        static const QRegularExpression operand("\\[[A-Z|]+\\]");
        const QString named = operand.match(outputOf(programs.filePath("syncopate"), {"--help"})).captured();
        QVERIFY(named.contains("PROJECT"));
        QVERIFY2(manText("syncopate").contains(".I [OPTION]... " + named + "\n"), qPrintable(named));
        if (QStandardPaths::findExecutable("python3").isEmpty())
            QSKIP("there is no python3, which prints the help of the replay");
        for (const char *option : {"--backend", "--policy", "--blocks", "--interface", "STRATEGY", "PLAN DAG"})
            QVERIFY2(manText("syncopate-replay").contains(option), option);
    }

    void manPagesAreClean() {
        const QString groff = QStandardPaths::findExecutable("groff");
        if (groff.isEmpty())
            QSKIP("there is no groff");
        for (const char *program : {"syncopate", "syncopate-cli", "syncopate-replay"}) {
            if (!QFile::exists(build.filePath(QString("packaging/%1.1").arg(program))))
                continue; // the replay judge's needs python3
            QCOMPARE(outputOf(groff, {"-man", "-Tutf8", "-ww", "-z", build.filePath(QString("packaging/%1.1").arg(program))}),
                     QString());
        }
    }

    /// The replay judge is a link in PATH to a script with its modules beside it.
    void theReplayJudgeIsInstalled() {
        const QString python = QStandardPaths::findExecutable("python3"), cmake = QStandardPaths::findExecutable("cmake");
        if (python.isEmpty() || cmake.isEmpty())
            QSKIP("there is no python3 or cmake");
        const QTemporaryDir prefix;
        const QString said = outputOf(cmake, {"--install", build.path(), "--component", "replay", "--prefix", prefix.path()});
        const QString program = prefix.filePath("bin/syncopate-replay");
        QVERIFY2(QFileInfo(program).isExecutable(), qPrintable(said));
        const QString help = outputOf(program, {"--help"});
        QVERIFY2(help.contains("STRATEGY JOB CLUSTER") && help.contains("PLAN DAG"), qPrintable(help));
        for (const char *option :
             {"--policy", "--backend", "--interface", "--iterations", "--warm-up", "--blocks", "--timeout", "--times"})
            QVERIFY2(help.contains(option), option);
    }

    /// Completion scripts are where bash and zsh look for them.
    void completionIsInstalled() {
        const QString cmake = QStandardPaths::findExecutable("cmake");
        if (cmake.isEmpty())
            QSKIP("there is no cmake");
        const QTemporaryDir prefix;
        const QString said = outputOf(cmake, {"--install", build.path(), "--component", "completion", "--prefix", prefix.path()});
        for (const auto &[shell, file] : {std::pair{"bash", "share/bash-completion/completions/syncopate-cli"},
                                          std::pair{"zsh", "share/zsh/vendor-completions/_syncopate-cli"}}) {
            const QString installed = syncopate::testing::contentOf(prefix.filePath(file));
            QVERIFY2(!installed.isEmpty(), qPrintable(said));
            QVERIFY2(installed == outputOf(cli, {"completion", shell}), "the installed script is not what the program prints");
        }
    }

    void desktopFileIsValid() {
        const QString file = source.filePath("packaging/syncopate.desktop");
        QVERIFY(syncopate::testing::contentOf(file).contains("\nExec=syncopate %f\n"));
        const QString validator = QStandardPaths::findExecutable("desktop-file-validate");
        if (validator.isEmpty())
            QSKIP("there is no desktop-file-validate");
        QCOMPARE(outputOf(validator, {file}), QString());
    }

    void metadataIsValid() {
        const QString file = source.filePath("packaging/syncopate.metainfo.xml");
        QXmlStreamReader xml(syncopate::testing::contentOf(file));
        QString id, launchable;
        while (!xml.atEnd()) {
            xml.readNext();
            if (xml.isStartElement() && xml.name() == QLatin1String("id"))
                id = xml.readElementText();
            else if (xml.isStartElement() && xml.name() == QLatin1String("launchable"))
                launchable = xml.readElementText();
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(id, QString("syncopate.desktop"));
        QCOMPARE(launchable, QString("syncopate.desktop"));
        const QString validator = QStandardPaths::findExecutable("appstreamcli");
        if (validator.isEmpty())
            QSKIP("there is no appstreamcli");
        // One warning is expected: without a domain of its own the component has no reverse-DNS name.
        const QString said = outputOf(validator, {"validate", "--no-net", "--no-color", file});
        QVERIFY2(!said.contains("E: "), qPrintable(said));
        QVERIFY2(said.count("W: ") == said.count("cid-desktopapp-is-not-rdns"), qPrintable(said));
    }

    /// A variable that names a display which is gone, or a platform without a window, is no display.
    void aDisplayIsOneThatAnswers() {
        const auto answers = [](const char *platform, const QString &display, const QString &wayland) {
            QProcess process;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("QT_QPA_PLATFORM", platform);
            environment.insert("DISPLAY", display);
            environment.insert("WAYLAND_DISPLAY", wayland);
            process.setProcessEnvironment(environment);
            process.start(source.filePath("packaging/display.sh"), QStringList());
            return process.waitForFinished(syncopate::testing::patience) && process.exitStatus() == QProcess::NormalExit
                       ? process.exitCode()
                       : -1;
        };
        const QTemporaryDir folder;
        const QByteArray path = QFile::encodeName(folder.filePath("wayland-0"));
        sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
        COMPARE_BELOW(static_cast<std::size_t>(path.size()), sizeof address.sun_path);
        std::copy(path.begin(), path.end(), address.sun_path);
        const int compositor = socket(AF_UNIX, SOCK_STREAM, 0); // a compositor's
        QCOMPARE(bind(compositor, reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
        QCOMPARE(answers("", "", ""), 1);
        QCOMPARE(answers("", ":4711", ""), 1);
        QCOMPARE(answers("", "localhost:4711", ""), 1);
        QCOMPARE(answers("", "; touch /tmp/x", ""), 1);
        QCOMPARE(answers("xcb", "", folder.filePath("wayland-0")), 1);
        QCOMPARE(answers("offscreen:size=1", ":0", folder.filePath("wayland-0")), 1);
        QCOMPARE(answers("offscreen", ":0", folder.filePath("wayland-0")), 1);
        QCOMPARE(answers("", "", folder.filePath("wayland-1")), 1);
        QCOMPARE(answers("", ":4711", folder.filePath("wayland-0")), 0);
        QCOMPARE(answers("vnc", "", ""), 0);
        close(compositor);
    }

    /// Without a display, run.sh compares in the terminal the scenarios that the explorer would have opened: the sample, its
    /// cluster, A and B.
    void theTerminalComparesTheExplorersSample() {
        const QString script = syncopate::testing::contentOf(source.filePath("packaging/run.sh")),
                      sample = syncopate::testing::contentOf(source.filePath("ui/session/sample.cpp"));
        static const QRegularExpression side("SideState\\{Built\\{\"([^\"]+)\"\\}, \"([^\"]+)\"\\}"),
            file("sample\\w+ = \"([^\"]+)\"");
        QStringList expected;
        for (auto match = side.globalMatch(sample); match.hasNext();)
            expected += match.next().capturedTexts().mid(1);
        for (auto match = file.globalMatch(sample); match.hasNext();)
            expected += "sample_data/" + match.next().captured(1);
        QCOMPARE(expected.size(), 6);
        for (const QString &text : expected)
            QVERIFY2(script.contains(text), qPrintable(text));
        QCOMPARE(outputOf("bash", {"-n", source.filePath("packaging/run.sh")}), QString());
        // Its command line is valid: it uses only options that compare and export have.
        QSet<QString> used = optionsIn(script.mid(script.indexOf("scenario=(")).section("cat <<", 0, 0));
        const QSet<QString> known = optionsIn(manText("syncopate-cli")) + optionsIn(manText("syncopate"));
        QCOMPARE(QStringList(used.subtract(known).values()), QStringList());
    }

    /// Scripts that are started from another folder take the files and folders of their arguments from there.
    void argumentsAreOfTheFolderWhereAScriptIsStarted() {
        const QTemporaryDir folder;
        const QString copy = folder.filePath("copy/packaging/"), elsewhere = folder.filePath("elsewhere");
        QVERIFY(QDir().mkpath(copy) && QDir().mkpath(elsewhere) && QDir().mkpath(folder.filePath("bin")));
        for (const char *script : {"run.sh", "python.sh"})
            QVERIFY(QFile::copy(source.filePath(QString("packaging/") + script), copy + script));
        // In place of all that builds: a cmake whose programs say where they were started.
        const QString program = "#!/bin/sh\n";
        for (const auto &[file, text] :
             {std::pair{copy + "display.sh", program},
              {copy + "install-dependencies.sh", program},
              {folder.filePath("bin/python3"), program},
              {folder.filePath("bin/cmake"), program + "mkdir -p build/release/bin build/python/python app/python\n"
                                                       "printf '#!/bin/sh\\necho \"$PWD: $*\"\\n' > build/release/bin/syncopate\n"
                                                       "chmod +x build/release/bin/syncopate\n"
                                                       "touch build/python/python/syncopate.x.so app/python/syncopate.pyi\n"}}) {
            syncopate::testing::writeFile(file, text.toUtf8());
            QVERIFY(QFile::setPermissions(file, QFile::ReadOwner | QFile::ExeOwner));
        }
        const QString path = "cd \"$1\" && PATH=$2/bin:$PATH VIRTUAL_ENV=$2 bash \"$3\" ";
        const auto said = [&](const char *script, const QString &arguments) {
            return outputOf("bash", {"-c", path + arguments, "bash", elsewhere, folder.path(), copy + script});
        };
        const QString opened = said("run.sh", "profile.json");
        QVERIFY2(opened.endsWith("/elsewhere: profile.json\n"), qPrintable(opened));
        const QString installed = said("python.sh", "--into lib");
        QVERIFY2(QFile::exists(elsewhere + "/lib/syncopate.pyi"), qPrintable(installed));
    }

    void iconsHaveTheirSizes() {
        for (const int size : {16, 32, 48, 64, 128, 256}) {
            QFile file(source.filePath(QString("resources/icons/syncopate-%1.png").arg(size)));
            QVERIFY(file.open(QIODevice::ReadOnly));
            // Signature, then the header chunk: width, height, depth, colour type (6: with alpha).
            const QByteArray head = file.read(26);
            QVERIFY(head.startsWith("\x89PNG\r\n\x1a\n"));
            QCOMPARE(qFromBigEndian<quint32>(head.constData() + 16), static_cast<quint32>(size));
            QCOMPARE(qFromBigEndian<quint32>(head.constData() + 20), static_cast<quint32>(size));
            QCOMPARE(static_cast<int>(head[25]), 6);
        }
    }
};

QTEST_GUILESS_MAIN(TestPackaging)
#include "tst_packaging.moc"
