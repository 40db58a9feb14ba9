// SPDX-License-Identifier: GPL-3.0-or-later
// Files are written as a whole or not at all, however the program ends meanwhile.
#include "engine/export/write_file.h"
#include "tests/checks.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace syncopate;

class TestWriteFile : public QObject {
    Q_OBJECT

private slots:
    void anEndedProgramLeavesNothing() {
        const QTemporaryDir folder;
        const int nameless = open(folder.path().toUtf8().constData(), O_TMPFILE | O_WRONLY, 0600);
        if (nameless < 0)
            QSKIP("this file system has no files without a name");
        close(nameless);
        const std::string path = folder.filePath("out").toStdString();
        const pid_t child = fork();
        if (child == 0) {
            static_cast<void>(writeFile(path, [](const TextSink &sink) {
                static_cast<void>(sink(std::string(1 << 20, 'x')));
                std::raise(SIGKILL);
                return true;
            }));
            _exit(0);
        }
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status));
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden), QStringList());
    }

    /// Both or neither, and a private file stays private.
    void filesAreReplacedTogether() {
        const QTemporaryDir folder;
        const QString first = folder.filePath("first"), second = folder.filePath("second");
        for (const QString &path : {first, second}) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write("old") == 3);
        }
        QCOMPARE(chmod(first.toUtf8().constData(), 0600), 0);
        const auto text = [](const char *piece) { return [piece](const TextSink &sink) { return sink(piece); }; };
        const auto content = [](const QString &path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const TextSource broken = [](const TextSink &sink) { return sink("new") && false; };
        QVERIFY(!writeFiles({{first.toStdString(), text("new")}, {second.toStdString(), broken}}));
        QCOMPARE(content(first) + content(second), QByteArray("oldold"));
        QVERIFY(writeFiles({{first.toStdString(), text("new")}, {second.toStdString(), text("new")}}));
        QCOMPARE(content(first) + content(second), QByteArray("newnew"));
        struct stat now {};
        QCOMPARE(stat(first.toUtf8().constData(), &now), 0);
        QCOMPARE(now.st_mode & 0777, 0600U);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList({"first", "second"}));
    }

    void oneFileHasOneTarget() {
        const QTemporaryDir folder;
        const std::string at = targetOf(folder.path().toStdString());
        QVERIFY(QFile::link("absent", folder.filePath("link")) && QFile::link("link", folder.filePath("second")));
        QVERIFY(QFile::link("loop", folder.filePath("loop")));
        for (const char *name : {"absent", "./absent", "link", "second", "none/../absent"})
            QCOMPARE(targetOf(at + "/" + name), at + "/absent");
        QCOMPARE(targetOf(at + "/loop"), at + "/loop");
        QCOMPARE(targetOf("absent"), targetOf("./absent"));
    }
};

QTEST_GUILESS_MAIN(TestWriteFile)
#include "tst_write_file.moc"
