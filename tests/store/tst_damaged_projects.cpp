// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are no project, or a damaged or hostile one: refused, never executed, and never written over.
#include "engine/store/database.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/sqlite_circles.h"
#include "tests/store/projects.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

using namespace syncopate;
using namespace syncopate::testing;

class TestDamagedProjects : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    [[nodiscard]] std::string path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

private slots:
    void aDamagedSearchIsRefused() {
        const auto after = [this](const char *sql) {
            const std::string file = path("damaged search.syncopate");
            Project project = fullProject();
            project.revision = 0;
            return writeProject(project, file).has_value() && Database::open(file, Database::Mode::Write)->run(sql).has_value()
                       ? readProject(file)
                       : Result<Project>(Project());
        };
        for (const char *sql : {"DELETE FROM candidate WHERE id = 7", "DELETE FROM candidate WHERE id = -1",
                                "UPDATE candidate SET id = -9223372036854775807 - 1 WHERE id = 3",
                                "UPDATE candidate SET strategy = 99 WHERE id = -1",
                                "UPDATE candidate SET genes = '1 x' WHERE id = 2", "DELETE FROM candidate WHERE id = -1001"})
            QVERIFY2(!after(sql).has_value(), sql);
        const auto strange = after("UPDATE search SET objective = 99, seed = -1, trials = -5, "
                                   "method = 'nonsense'; UPDATE candidate SET shards = -1, iteration_seconds = 'x'");
        VERIFY_VALUE(strange);
        QVERIFY(strange->search);
        QCOMPARE(strange->search->plan.trials, std::uint64_t(40)); // as many as exist
        QVERIFY(!planSearch(strange->search->plan).has_value());
        // A search without a job is dropped as useless.
        const auto jobless = after("UPDATE scenario SET job = NULL WHERE id = -1");
        VERIFY_VALUE(jobless);
        QVERIFY(!jobless->search && jobless->scenarios.size() == fullProject().scenarios.size());
    }

    void refusesWhatIsNoProject() {
        const auto says = [](const Result<Project> &read, const char *text) {
            return !read && read.error().toString().find(text) != std::string::npos;
        };
        QVERIFY(says(readProject(path("absent")), "no such file"));
        QVERIFY(says(readProject(m_folder.path().toStdString()), "this is a folder"));
        std::ofstream(path("text")) << "not a database, but long enough to be looked at: " << std::string(2000, 'x');
        QVERIFY(says(readProject(path("text")), "not a Syncopate project"));
        std::ofstream(path("nothing"));
        QVERIFY(says(readProject(path("nothing")), "empty"));
        {
            auto other = Database::open(path("other.db"), Database::Mode::Write);
            VERIFY_VALUE(other->run("CREATE TABLE t(x); INSERT INTO t VALUES(1)"));
        }
        QVERIFY(says(readProject(path("other.db")), "another program"));
        const QString other = m_folder.filePath("other.db");
        const QByteArray before = contentOf(other);
        QVERIFY(!writeProject(fullProject(), path("other.db")).has_value());
        QVERIFY(!before.isEmpty());
        QCOMPARE(contentOf(other), before);
        QVERIFY(!writeProject(fullProject(), "/nonexistent/folder/x").has_value());
        const std::string newer = path("newer.syncopate");
        VERIFY_VALUE(writeProject(fullProject(), newer));
        {
            auto file = Database::open(newer, Database::Mode::Write);
            VERIFY_VALUE(file->run("PRAGMA user_version = 1000"));
        }
        QVERIFY(says(readProject(newer), "newer Syncopate"));
    }

    /// A hostile schema: a recursive view in place of a table must not run for ever.
    void aHostileSchemaDoesNotRun() {
        const std::string file = path("hostile.syncopate");
        VERIFY_VALUE(writeProject(fullProject(), file));
        {
            auto database = Database::open(file, Database::Mode::Write);
            VERIFY_VALUE(
                database->run("DROP TABLE view; CREATE VIEW view AS WITH RECURSIVE n(name) AS (SELECT 1 UNION ALL SELECT name+1 "
                              "FROM n) SELECT name, name AS value FROM n"));
        }
        QVERIFY(!readProject(file).has_value());
    }

    /// The module of a virtual table in the schema is not executed.
    void aVirtualTableIsRefused() {
        const std::string file = path("virtual.syncopate");
        VERIFY_VALUE(writeProject(fullProject(), file));
        {
            auto database = Database::open(file, Database::Mode::Write);
            VERIFY_VALUE(database->run("DROP TABLE view; CREATE VIRTUAL TABLE view USING fts5(name, value)"));
        }
        const auto read = readProject(file);
        QVERIFY(!read);
        QVERIFY2(read.error().what.find("virtual tables") != std::string::npos, read.error().toString().c_str());
        QCOMPARE(read.error().file, file);
    }

    /// Pages that refer to each other in circles are an endless table in a file of a few kilobytes.
    void endlessRows_data() {
        QTest::addColumn<QString>("table");
        for (const char *table : {"view", "scenario", "transfer"})
            QTest::newRow(table) << QString(table);
    }
    void endlessRows() {
        QFETCH(QString, table);
        const std::string file = path("circles.syncopate");
        std::filesystem::remove(file);
        VERIFY_VALUE(writeProject(fullProject(), file));
        testing::nameInCircles(file, table.toStdString(), 4);
        const auto read = readProject(file);
        QVERIFY(!read);
        QVERIFY2(read.error().what.find("in circles") != std::string::npos ||
                     read.error().what.find("damaged") != std::string::npos,
                 read.error().toString().c_str());
    }

    /// Such a file is not overwritten by a save: it is refused at once, wherever the circle is, and stays unchanged.
    void endlessFilesAreNotSavedOver_data() {
        endlessRows_data();
        QTest::newRow("save") << QStringLiteral("save"); // reading takes one row of it, but saving changes all of them
    }
    void endlessFilesAreNotSavedOver() {
        QFETCH(QString, table);
        const std::string file = path("over.syncopate"), copy = path("copy.syncopate");
        std::filesystem::remove(file);
        std::filesystem::remove(copy);
        VERIFY_VALUE(writeProject(fullProject(), file));
        testing::nameInCircles(file, table.toStdString(), 4);
        const QByteArray before = testing::contentOf(QString::fromStdString(file));
        Project project = fullProject();
        project.revision = 0;
        const auto written = writeProject(project, file);
        QVERIFY(!written);
        QVERIFY2(written.error().what.find("damaged") != std::string::npos, written.error().toString().c_str());
        QCOMPARE(written.error().remedy, std::string("save under another name"));
        QCOMPARE(testing::contentOf(QString::fromStdString(file)), before);
        // Copying takes time by the size of the file, not of its tables.
        const auto copied = copyProject(file, copy);
        VERIFY_VALUE(copied);
        QCOMPARE(testing::contentOf(QString::fromStdString(copy)).size(), before.size());
        const std::string other = path("other.syncopate"); // the remedy
        std::filesystem::remove(other);
        const auto saved = saveProjectAs(project, other, file);
        VERIFY_VALUE(saved);
        QVERIFY(!saved->hasCopy);
        VERIFY_VALUE(readProject(other));
    }

    /// Truncated anywhere and with bytes changed anywhere: an error or a project, never a crash.
    void damagedFiles() {
        const std::string file = path("good.syncopate"), bad = path("bad.syncopate");
        Project project;
        project.present = stateOf("alexnet", "B7");
        project.views["timeline"] = "{}";
        VERIFY_VALUE(writeProject(project, file));
        QFile good(QString::fromStdString(file));
        QVERIFY(good.open(QIODevice::ReadOnly));
        const QByteArray bytes = good.readAll();
        std::mt19937 random(1);
        int refused = 0;
        for (int i = 0; i < 300; ++i) {
            QByteArray damaged = bytes;
            if (i % 3 == 0)
                damaged.truncate(static_cast<int>(random() % static_cast<unsigned>(bytes.size())));
            for (int k = 0; k < 20 && !damaged.isEmpty(); ++k)
                damaged[static_cast<int>(random() % static_cast<unsigned>(damaged.size()))] = static_cast<char>(random());
            QFile out(QString::fromStdString(bad));
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(damaged);
            out.close();
            const auto read = readProject(bad);
            if (!read) {
                ++refused;
                QVERIFY(!read.error().what.empty());
                QVERIFY2(!read.error().file.empty(), read.error().toString().c_str());
            }
        }
        COMPARE_ABOVE(refused, 100);
    }
};

QTEST_GUILESS_MAIN(TestDamagedProjects)
#include "tst_damaged_projects.moc"
