// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/write_file.h"
#include "engine/job/catalogue.h"
#include "engine/store/project_file.h"
#include "engine/store/project_lock.h"
#include "tests/checks.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <array>
#include <csignal>
#include <cstdio>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace syncopate;

namespace {

Project projectCalled(const std::string &name) {
    Project project;
    project.present.source = name;
    project.scenarios.push_back({name, {}, 1, {}, {}});
    return project;
}

} // namespace

class TestProjectLock : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string at(const char *name) const { return m_folder.filePath(QString::fromUtf8(name)).toStdString(); }

private slots:
    void oneAtATime() {
        const std::string path = at("one.syncopate");
        auto first = ProjectLock::take(path);
        QVERIFY(first && *first);
        QVERIFY((*first)->lastVisitor().empty());
        const auto second = ProjectLock::take(path);
        QVERIFY(!second);
        QVERIFY(second.error().kind == ErrorKind::Unavailable);
        const std::string me = "process " + std::to_string(getpid());
        QVERIFY2(second.error().what.find(me) != std::string::npos, second.error().what.c_str());
        QVERIFY2((*first)->lastVisitor().find(me) != std::string::npos, (*first)->lastVisitor().c_str());
        first->reset();
        VERIFY_VALUE(ProjectLock::take(path));
        QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 0); // nothing is left behind
    }

    void oneFileByTwoNames() {
        QFile file(QString::fromStdString(at("named.syncopate")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.link(QString::fromStdString(at("link.syncopate"))));
        const auto first = ProjectLock::take(at("named.syncopate"));
        QVERIFY(first && *first);
        QVERIFY(!ProjectLock::take(at("link.syncopate")));
    }

    /// If the owner is killed the lock is free at once, and its leftover file does not matter.
    void aCrashFreesIt() {
        const std::string path = at("crash.syncopate");
        std::array<int, 2> ready{};
        QCOMPARE(pipe(ready.data()), 0);
        const pid_t child = fork();
        if (child == 0) {
            const auto lock = ProjectLock::take(path);
            const char taken = lock && *lock ? 'y' : 'n';
            static_cast<void>(!write(ready[1], &taken, 1));
            pause();
            _exit(0);
        }
        char taken = 0;
        QCOMPARE(read(ready[0], &taken, 1), 1);
        QCOMPARE(taken, 'y');
        const auto held = ProjectLock::take(path);
        QVERIFY(!held);
        QVERIFY2(held.error().what.find("process " + std::to_string(child)) != std::string::npos, held.error().what.c_str());
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        const auto after = ProjectLock::take(path);
        QVERIFY(after && *after);
        QVERIFY((*after)->lastVisitor().empty());
    }

    /// A foreign file in place of the lock neither blocks nor is followed as a link.
    void strangeLockFilesDoNotHurt() {
        QCOMPARE(mkfifo(at(".pipe.syncopate.lock").c_str(), 0600), 0);
        const auto pipe = ProjectLock::take(at("pipe.syncopate"));
        QVERIFY(pipe && !*pipe);
        QVERIFY(QFile::link(QStringLiteral("/dev/zero"), QString::fromStdString(at(".zero.syncopate.lock"))));
        const auto zero = ProjectLock::take(at("zero.syncopate"));
        QVERIFY(zero && !*zero);
        const auto nowhere = ProjectLock::take(at("no/such/folder.syncopate"));
        QVERIFY(nowhere && !*nowhere);
    }

    void aConflictIsKeptBeside() {
        const std::string path = at("both.syncopate");
        QCOMPARE(*writeProject(projectCalled("first"), path), 1);
        Project mine = *readProject(path);
        Project others = mine;
        others.scenarios[0].name = "others";
        QCOMPARE(*writeProject(others, path), 2);
        mine.scenarios[0].name = "mine";
        const auto saved = saveProject(mine, path);
        VERIFY_VALUE(saved);
        QCOMPARE(saved->path, at("both (2).syncopate"));
        QCOMPARE(readProject(path)->scenarios[0].name, std::string("others"));
        QCOMPARE(readProject(saved->path)->scenarios[0].name, std::string("mine"));
        QCOMPARE(readProject(saved->path)->revision, saved->revision);
        QCOMPARE(saveProject(mine, path)->path, at("both (3).syncopate"));
    }

    /// A project file that was moved or deleted is written again. Its revision continues, so that the old file, put back, is
    /// recognised as another save.
    void aFileThatIsGoneIsWrittenAnew() {
        const std::string path = at("gone.syncopate"), away = at("away.syncopate");
        QCOMPARE(*writeProject(projectCalled("first"), path), 1);
        Project mine = *readProject(path);
        QCOMPARE(rename(path.c_str(), away.c_str()), 0);
        mine.scenarios[0].name = "mine";
        const auto saved = saveProject(mine, path);
        VERIFY_VALUE(saved);
        QCOMPARE(saved->path, path);
        QCOMPARE(saved->revision, 2);
        QCOMPARE(readProject(path)->scenarios[0].name, std::string("mine"));
        QCOMPARE(readProject(path)->revision, saved->revision);
        mine.revision = saved->revision;
        QCOMPARE(rename(away.c_str(), path.c_str()), 0);
        QCOMPARE(saveProject(mine, path)->path, at("gone (2).syncopate"));
        QCOMPARE(readProject(path)->scenarios[0].name, std::string("first"));
    }

    /// Under the name of an older project: it is replaced by a whole file, or stays as it was.
    void anOlderProjectIsReplacedAsAWhole() {
        const std::string from = at("from.syncopate"), path = at("older.syncopate");
        VERIFY_VALUE(writeProject(projectCalled("from"), from));
        VERIFY_VALUE(writeProject(projectCalled("older"), path));
        const auto bytes = [&] {
            QFile file(QString::fromStdString(path));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const auto parts = [&] { return QDir(QString::fromStdString(at(""))).entryList({"older*"}, QDir::Files).size(); };
        const QByteArray older = bytes();
        QVERIFY(!older.isEmpty());
        Project mine = *readProject(from);
        mine.scenarios[0].name = "mine";
        mine.revision = 7; // of no file here: a copy is not the next save of a file
        QCOMPARE(readProject(at("")).error().what, std::string("this is a folder"));

        ignoreFileSizeSignal();
        rlimit limit{};
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &limit), 0);
        const rlimit full{1000, limit.rlim_max};
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &full), 0);
        const auto refused = saveProjectAs(mine, path, from);
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &limit), 0);
        QVERIFY(!refused);
        QCOMPARE(refused.error().file, path);
        QCOMPARE(bytes(), older);
        QCOMPARE(parts(), 1);

        const auto saved = saveProjectAs(mine, path, from);
        VERIFY_VALUE(saved);
        QCOMPARE(saved->path, path);
        QVERIFY(saved->hasCopy);
        QCOMPARE(readProject(path)->scenarios[0].name, std::string("mine"));
        QCOMPARE(readProject(path)->revision, saved->revision);
        QCOMPARE(parts(), 1);
    }

    void contentIsComparedWithoutRevision() {
        const std::string path = at("same.syncopate");
        VERIFY_VALUE(writeProject(projectCalled("same"), path));
        const Project read = *readProject(path);
        Project other = read;
        other.revision = 7;
        other.views["panels"] = "{}";
        QVERIFY(sameContent(read, other, {"panels"}));
        QVERIFY(!sameContent(read, other, {}));
        other = read;
        other.scenarios[0].note = "a note";
        QVERIFY(!sameContent(read, other, {"panels"}));
        other = read;
        other.present.workers = 3;
        QVERIFY(!sameContent(read, other, {"panels"}));
        other = read;
        other.curves.push_back({});
        QVERIFY(!sameContent(read, other, {"panels"}));
    }
};

QTEST_GUILESS_MAIN(TestProjectLock)
#include "tst_project_lock.moc"
