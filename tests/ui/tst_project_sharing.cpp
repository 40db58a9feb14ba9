// SPDX-License-Identifier: GPL-3.0-or-later
// A project that is opened stays unchanged, and two windows on one project lose nothing.
#include "engine/export/write_file.h"
#include "engine/job/catalogue.h"
#include "engine/profile/profile.h"

#include "tests/ui/window_fixture.h"
#include "ui/project/project_keeper.h"
#include "ui/throughput/throughput_panel.h"
#include "ui/timeline/notes.h"
#include "ui/window/message_bar.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <sys/resource.h>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

QByteArray bytesOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void turn(MainWindow &window, double gbits) {
    SessionState next = window.session().state();
    next.bandwidthGbits = gbits;
    window.session().change(std::move(next), QStringLiteral("Bandwidth"));
}

std::optional<double> gbitsIn(const QString &path) {
    const auto project = readProject(path.toStdString());
    return project ? project->present.bandwidthGbits : std::nullopt;
}

bool openProject(MainWindow &window, const QString &path) {
    QSignalSpy opened(&window.keeper(), &ProjectKeeper::opened);
    window.show();
    window.session().open(path);
    return QTest::qWaitFor([&] { return !opened.isEmpty(); }, syncopate::testing::patience) && settle(window);
}

constexpr int longerThanThePause = 1500; ///< milliseconds; changes are saved one second after they are made

} // namespace

class TestProjectSharing : public QObject {
    Q_OBJECT

    Theme m_theme;
    QTemporaryDir m_folder;
    QString at(const char *name) const { return m_folder.filePath(QString::fromUtf8(name)); }

    /// A project as saved by a window: with a kept scenario, a note, and curves.
    QString savedByAWindow(const char *name) {
        const QString path = at(name);
        MainWindow window(m_theme);
        window.show();
        if (!openAndSettle(window, QStringLiteral("alexnet")))
            return {};
        turn(window, 20);
        window.keeper().keepPresent(QStringLiteral("kept"));
        window.notes().add({0, 1e6, 2e6, {}, "here"});
        QSignalSpy saved(&window.keeper(), &ProjectKeeper::saved);
        window.keeper().saveAs(path);
        return saved.wait(syncopate::testing::patience) ? path : QString();
    }
    /// A project as saved by the command line: without any views.
    QString savedWithoutViews(const char *name) {
        Project project;
        SessionState &state = project.present;
        state.source = "vgg16";
        state.job = std::make_shared<const Job>(*catalogueJob("vgg16"));
        state.clusterSource = "A2";
        state.cluster = std::make_shared<const Cluster>(*catalogueCluster("A2"));
        state.sides = {SideState{Built{"AllReduce"}, "ddp"}, SideState{Built{"PS"}, "fifo"}};
        return writeProject(project, at(name).toStdString()) ? at(name) : QString();
    }

private Q_SLOTS:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("SyncopateTest"));
    }

    void openingChangesNothing_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("of a window") << savedByAWindow("window.syncopate");
        QTest::newRow("of the command line") << savedWithoutViews("line.syncopate");
    }
    void openingChangesNothing() {
        QFETCH(QString, path);
        QVERIFY(!path.isEmpty());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QDateTime then = QDateTime::fromSecsSinceEpoch(1000000000);
        QVERIFY(file.setFileTime(then, QFileDevice::FileModificationTime));
        file.close();
        const QByteArray before = bytesOf(path);
        {
            MainWindow window(m_theme);
            window.resize(1100, 700);
            QVERIFY(openProject(window, path));
            window.resize(1500, 900);
            QTest::qWait(longerThanThePause);
            window.close();
        }
        QVERIFY(bytesOf(path) == before);
        QCOMPARE(QFileInfo(path).lastModified(), then);
        // While a change is being saved.
        MainWindow window(m_theme);
        QVERIFY(openProject(window, path));
        turn(window, 41);
        QVERIFY(QTest::qWaitFor([&] { return gbitsIn(path) == 41.0; }, syncopate::testing::patience));
    }

    /// A save that was asked for while another one was in progress is of the project of then, not of the one opened next.
    void aWantedSaveIsNotOfTheNextProject() {
        const QString path = savedWithoutViews("next.syncopate");
        QVERIFY(!path.isEmpty());
        const QByteArray before = bytesOf(path);
        MainWindow window(m_theme);
        window.show();
        QVERIFY(openAndSettle(window, QStringLiteral("alexnet")));
        window.keeper().saveAs(at("previous.syncopate"));
        window.keeper().save();
        window.keeper().flush();
        QVERIFY(QFile::exists(at("previous.syncopate")));
        QVERIFY(openProject(window, path));
        QTest::qWait(longerThanThePause);
        window.close();
        QVERIFY2(bytesOf(path) == before, "the opened project was written again without a change");
    }

    void twoWindowsAreToldOfEachOther() {
        const QString path = savedByAWindow("shared.syncopate");
        MainWindow first(m_theme), second(m_theme);
        QVERIFY(openProject(first, path));
        QVERIFY(openProject(second, path));
        QCOMPARE(first.keeper().path(), path);
        QVERIFY(second.keeper().path().isEmpty());
        QCOMPARE(second.keeper().copyOf(), path);
        QVERIFY2(second.messageBar().text().contains(QStringLiteral("open in another window")),
                 qPrintable(second.messageBar().text()));
        QCOMPARE(second.windowTitle(), QStringLiteral("Copy of shared – Syncopate"));
        QVERIFY(QTest::qWaitFor([&] { return first.messageBar().text().contains(QStringLiteral("opened in another window")); },
                                syncopate::testing::patience));
        // Changes of both are kept.
        turn(second, 51);
        turn(first, 31);
        QVERIFY(QTest::qWaitFor([&] { return gbitsIn(path) == 31.0; }, syncopate::testing::patience));
        const QString other = at("other.syncopate");
        second.keeper().saveAs(path); // owned by the first one
        QVERIFY(second.keeper().path().isEmpty());
        second.keeper().saveAs(other);
        QVERIFY(QTest::qWaitFor([&] { return gbitsIn(other) == 51.0; }, syncopate::testing::patience));
        turn(first, 32);
        turn(second, 52);
        first.close();
        second.close();
        QCOMPARE(gbitsIn(path), std::optional(32.0));
        QCOMPARE(gbitsIn(other), std::optional(52.0));
        // The first one has closed it: it is free again.
        MainWindow third(m_theme);
        QVERIFY(openProject(third, path));
        QCOMPARE(third.keeper().path(), path);
    }

    /// The file of a session is there until what it has is in another one, a profile whose own file is gone included.
    void aContinuedSessionLosesNoProfile() {
        QDir sessions(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/sessions"));
        sessions.removeRecursively();
        const QString profile = at("continued.json.gz");
        QVERIFY(QFile::copy(QStringLiteral(SYNCOPATE_SOURCE "/sample_data/resnet50_cpu_gloo_rank0.json.gz"), profile));
        {
            MainWindow window(m_theme);
            window.keeper().setKeepsSessions(true);
            window.show();
            QVERIFY(openAndSettle(window, profile));
            window.close();
        }
        QVERIFY(QFile::remove(profile));
        for (int times = 0; times < 2; ++times) {
            const QString last = ProjectKeeper::lastSession();
            QVERIFY(!last.isEmpty());
            MainWindow window(m_theme);
            window.keeper().setKeepsSessions(true);
            QVERIFY(openProject(window, last));
            QVERIFY(window.session().state().profile);
            QVERIFY(QTest::qWaitFor([&] { return !QFile::exists(last); }, syncopate::testing::patience));
            const QStringList files = sessions.entryList({QStringLiteral("*.syncopate")}, QDir::Files);
            QCOMPARE(files.size(), 1); // its content has moved there
            const auto read = readProject(sessions.filePath(files.front()).toStdString());
            QVERIFY(read.has_value());
            QVERIFY(read->losses.empty() && read->present.profile);
            window.close();
        }
        sessions.removeRecursively();
    }

    /// While the disk has no room for its profile, the session goes on in a file without it, and its file stays.
    void aSessionWhoseProfileDoesNotFitStays() {
        QDir sessions(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/sessions"));
        sessions.removeRecursively();
        const QString profile = at("large.json.gz");
        QVERIFY(QFile::copy(QStringLiteral(SYNCOPATE_SOURCE "/sample_data/resnet50_cpu_gloo_rank0.json.gz"), profile));
        const qint64 profileBytes = QFileInfo(profile).size();
        {
            MainWindow window(m_theme);
            window.keeper().setKeepsSessions(true);
            window.show();
            QVERIFY(openAndSettle(window, profile));
            window.close();
        }
        QVERIFY(QFile::remove(profile));
        const QString last = ProjectKeeper::lastSession();
        COMPARE_ABOVE(QFileInfo(last).size(), profileBytes);
        MainWindow window(m_theme);
        window.keeper().setKeepsSessions(true);
        QSignalSpy saved(&window.keeper(), &ProjectKeeper::saved);
        ignoreFileSizeSignal();
        rlimit usual{};
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &usual), 0);
        const rlimit small{static_cast<rlim_t>(QFileInfo(last).size() - profileBytes / 2), usual.rlim_max};
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
        const bool isSaved =
            openProject(window, last) && QTest::qWaitFor([&] { return !saved.isEmpty(); }, syncopate::testing::patience);
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &usual), 0);
        QVERIFY(isSaved);
        const QString next = saved.last().first().toString();
        QVERIFY(next != last && QFile::exists(last));
        QVERIFY(!readProject(next.toStdString())->present.profile);
        window.close(); // there is room again
        QVERIFY(!QFile::exists(last));
        const auto read = readProject(next.toStdString());
        QVERIFY(read.has_value());
        QVERIFY(read->losses.empty() && read->present.profile);
        sessions.removeRecursively();
    }

    /// A save under a second name fails, one under a third succeeds: the profile, which only the first file has, comes along.
    void aFailedSaveAsLosesNoProfile() {
        const QString first = at("first.syncopate"), second = at("second.syncopate"), third = at("third.syncopate"),
                      profile = at("profile.json.gz");
        QVERIFY(QFile::copy(QStringLiteral(SYNCOPATE_SOURCE "/sample_data/resnet50_cpu_gloo_rank0.json.gz"), profile));
        Project project = *readProject(savedWithoutViews("plain.syncopate").toStdString());
        const auto loaded = loadJob(profile.toStdString());
        QVERIFY(loaded.has_value());
        project.present.source = profile.toStdString();
        project.present.job = loaded->job;
        project.present.profile = loaded->profile;
        project.revision = 0;
        QVERIFY(writeProject(project, first.toStdString()).has_value());
        QVERIFY(QFile::remove(profile));
        const QByteArray older = bytesOf(savedWithoutViews("second.syncopate"));

        MainWindow window(m_theme);
        QVERIFY(openProject(window, first));
        QSignalSpy failed(&window.session(), &Session::failed);
        ignoreFileSizeSignal();
        rlimit usual{};
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &usual), 0);
        const rlimit full{1000, usual.rlim_max};
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &full), 0);
        window.keeper().saveAs(second);
        const bool hasFailed = QTest::qWaitFor([&] { return !failed.isEmpty(); }, syncopate::testing::patience);
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &usual), 0);
        QVERIFY(hasFailed);
        QVERIFY(bytesOf(second) == older);

        QSignalSpy saved(&window.keeper(), &ProjectKeeper::saved);
        window.keeper().saveAs(third);
        QVERIFY(QTest::qWaitFor([&] { return !saved.isEmpty() && saved.last().first().toString() == third; },
                                syncopate::testing::patience));
        window.close();
        const auto read = readProject(third.toStdString());
        QVERIFY(read.has_value());
        QVERIFY(read->losses.empty());
        QVERIFY(read->present.profile);
    }

    /// Without a lock the revision in the file reveals that another program has saved: this window continues in a file beside it.
    void whatOthersSavedIsNotOverwritten() {
        const QString path = savedByAWindow("conflict.syncopate");
        MainWindow window(m_theme);
        QVERIFY(openProject(window, path));
        Project others = *readProject(path.toStdString());
        others.present.bandwidthGbits = 61;
        QVERIFY(writeProject(others, path.toStdString()).has_value());
        turn(window, 71);
        const QString beside = at("conflict (2).syncopate");
        QVERIFY(QTest::qWaitFor([&] { return window.keeper().path() == beside; }, syncopate::testing::patience));
        QCOMPARE(gbitsIn(path), std::optional(61.0));
        QCOMPARE(gbitsIn(beside), std::optional(71.0));
        QVERIFY2(window.messageBar().text().contains(QStringLiteral("conflict (2).syncopate")),
                 qPrintable(window.messageBar().text()));
        turn(window, 72);
        window.close();
        QCOMPARE(gbitsIn(path), std::optional(61.0));
        QCOMPARE(gbitsIn(beside), std::optional(72.0));
    }

    /// A window that opens its own project again, under any spelling of its path, shows what it had not saved yet, and goes on in
    /// the same file, which has what the window shows.
    void aProjectOpenedAgainGoesOnInItsFile() {
        const QString path = savedByAWindow("again.syncopate");
        MainWindow window(m_theme);
        QVERIFY(openProject(window, path));
        const auto shown = [&] { return window.session().state().bandwidthGbits; };
        std::optional<double> gbits = 81;
        for (const QString &again : {path, QDir::current().relativeFilePath(path)}) {
            turn(window, *gbits);
            QVERIFY(openProject(window, again));
            QCOMPARE(shown(), gbits);
            QCOMPARE(gbitsIn(path), gbits);
            // A change made while it is read may be saved first or give way to what was read: neither needs another file.
            QSignalSpy opened(&window.keeper(), &ProjectKeeper::opened);
            window.session().open(again);
            turn(window, 99);
            QVERIFY(QTest::qWaitFor([&] { return !opened.isEmpty(); }, syncopate::testing::patience) && settle(window));
            turn(window, ++*gbits);
            window.keeper().flush();
            QCOMPARE(window.keeper().path(), again);
            QCOMPARE(gbitsIn(path), gbits);
            ++*gbits;
        }
        window.keeper().saveAs(path); // not another file either
        turn(window, *gbits);
        window.keeper().flush();
        QCOMPARE(window.keeper().path(), path);
        QCOMPARE(gbitsIn(path), gbits);
        QVERIFY(!QFile::exists(at("again (2).syncopate")));
    }

    /// An older copy that is put in the place of the open project is not a save of another program.
    void anOlderCopyIsOpened() {
        const QString path = savedByAWindow("older.syncopate"), copy = at("copy.syncopate");
        QVERIFY(QFile::copy(path, copy));
        MainWindow window(m_theme);
        QVERIFY(openProject(window, path));
        for (const double gbits : {81, 82, 83}) {
            turn(window, gbits);
            window.keeper().flush();
        }
        QVERIFY(QFile::remove(path) && QFile::copy(copy, path));
        QVERIFY(openProject(window, path));
        QVERIFY(window.session().state().bandwidthGbits != std::optional(83.0));
        turn(window, 84);
        window.keeper().flush();
        QCOMPARE(window.keeper().path(), path);
        QCOMPARE(gbitsIn(path), std::optional(84.0));
    }

    /// What others saved is kept, too, if the window closes before its first save.
    void closingLosesNothing() {
        const QString path = savedByAWindow("closing.syncopate");
        MainWindow window(m_theme);
        QVERIFY(openProject(window, path));
        Project others = *readProject(path.toStdString());
        others.present.bandwidthGbits = 61;
        QVERIFY(writeProject(others, path.toStdString()).has_value());
        turn(window, 71);
        window.close();
        QCOMPARE(gbitsIn(path), std::optional(61.0));
        QCOMPARE(gbitsIn(at("closing (2).syncopate")), std::optional(71.0));
    }
};

QTEST_MAIN(TestProjectSharing)
#include "tst_project_sharing.moc"
