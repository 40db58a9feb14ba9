// SPDX-License-Identifier: GPL-3.0-or-later
// A project file's contents come back unchanged: after a save, a second one, another format, and a kill in the middle of a save.
#include "engine/simulate/run.h"
#include "engine/store/database.h"
#include "engine/strategy/strategy_file.h"
#include "tests/checks.h"
#include "tests/profile/tiny_trace.h"
#include "tests/store/projects.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <cstdio>
#include <fstream>
#include <random>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

constexpr const char *sample = SYNCOPATE_SOURCE "/sample_data/resnet50_cpu_gloo_rank0.json.gz";

} // namespace

class TestProjectFile : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    [[nodiscard]] std::string path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

private slots:
    void comesBackAsItWas() {
        const std::string file = path("full.syncopate");
        const Project project = fullProject();
        const auto revision = writeProject(project, file);
        VERIFY_VALUE(revision);
        QCOMPARE(*revision, 1);
        const auto read = readProject(file);
        VERIFY_VALUE(read);
        QVERIFY(same(*read, project));
        QVERIFY(read->losses.empty());
        QCOMPARE(read->revision, 1);
        // Scenarios that shared a job share it again.
        QCOMPARE(read->scenarios[0].state.job, read->present.job);
        QCOMPARE(read->search->plan.state.job, read->present.job); // the explorer identifies the candidates' job by this pointer
        // Its simulation is unchanged, too.
        const auto was = simulate(*makeScenario(project.present, Side::A)), is = simulate(*makeScenario(read->present, Side::A));
        QVERIFY(was && is);
        QCOMPARE((*is)->iterationSeconds, (*was)->iterationSeconds);
    }

    void everyClusterAndModelComesBack() {
        const std::string file = path("catalogue.syncopate");
        Project project;
        for (const CatalogueCluster &cluster : catalogueClusters())
            project.scenarios.push_back({cluster.name, {}, 0, stateOf("vgg11", cluster.name), {}});
        VERIFY_VALUE(writeProject(project, file));
        const auto read = readProject(file);
        VERIFY_VALUE(read);
        QVERIFY(same(*read, project));
    }

    /// The file stores the path; the strategy is read with the project, and steps are replaced by the strategy that they were
    /// played over.
    void everySourceComesBack() {
        const std::string file = path("sources.syncopate"), strategyFile = path("chosen.json");
        Project project;
        project.present = stateOf("vgg11", "B7");
        const Strategy strategy = *buildStrategy("PartitionedPS", *project.present.job, *project.present.cluster);
        std::ofstream(strategyFile) << writeStrategyJson(strategy);
        project.present.sides[0].source = readSource(strategyFile);
        project.present.sides[1].source =
            Edited{std::make_shared<const Strategy>(strategy), std::get<FromFile>(project.present.sides[0].source), "trial 3"};
        Project shown = project;
        shown.present.sides[1].source = played(project.present.sides[1].source, {});
        VERIFY_VALUE(writeProject(shown, file));
        const auto read = readProject(file);
        VERIFY_VALUE(read);
        VERIFY_VALUE(std::get<FromFile>(read->present.sides[0].source).strategy);
        QVERIFY(same(read->present, project.present));
        QVERIFY(QFile::remove(QString::fromStdString(strategyFile)));
        VERIFY_VALUE(makeScenario(read->present, Side::A));
        const auto without = readProject(file);
        VERIFY_VALUE(without);
        QVERIFY(!makeScenario(without->present, Side::A).has_value());
        QCOMPARE(textOf(without->present.sides[0].source), strategyFile);
    }

    void aProfileTravelsWithTheProject() {
        const std::string file = path("profile.syncopate"), copy = path("profile copy.json.gz");
        QVERIFY(QFile::copy(QString::fromLatin1(sample), QString::fromStdString(copy)));
        Project project;
        project.present = stateOf(copy, "B7");
        project.present.sides[0].source = Measured{};
        VERIFY_VALUE(writeProject(project, file));
        QVERIFY(QFile::remove(QString::fromStdString(copy)));
        for (int save = 0; save < 2; ++save) { // a project that was read keeps the profile without its file
            const auto read = readProject(file);
            VERIFY_VALUE(read);
            QVERIFY(read->losses.empty());
            QVERIFY(same(read->present, project.present));
            QVERIFY(read->present.profile);
            QCOMPARE(read->present.profile->file, copy);
            QCOMPARE(read->present.profile->timeline.spanCount(), project.present.profile->timeline.spanCount());
            VERIFY_VALUE(writeProject(*read, file));
        }
        // A project without the profile does not carry its bytes along.
        const qint64 with = QFileInfo(QString::fromStdString(file)).size();
        auto read = readProject(file);
        read->present = stateOf("alexnet", "B7");
        VERIFY_VALUE(writeProject(*read, file));
        auto database = Database::open(file, Database::Mode::Read);
        const auto pages = database->number("PRAGMA page_count"), unused = database->number("PRAGMA freelist_count"),
                   pageBytes = database->number("PRAGMA page_size");
        COMPARE_BELOW((*pages - *unused) * *pageBytes, with / 4);
    }

    /// Another recording under the name of an embedded one does not take its place, unless it is opened.
    void anEmbeddedProfileOutlivesItsName() {
        const std::string file = path("outlives.syncopate"), name = path("recording.json.gz");
        QVERIFY(QFile::copy(QString::fromLatin1(sample), QString::fromStdString(name)));
        Project project;
        project.present = stateOf(name, "B7");
        VERIFY_VALUE(writeProject(project, file));
        std::ofstream(name, std::ios::trunc) << tiny::trace();
        for (int save = 0; save < 2; ++save) {
            const auto read = readProject(file);
            VERIFY_VALUE(read);
            QVERIFY2(read->losses.empty(), read->losses.empty() ? "" : read->losses.front().toString().c_str());
            QVERIFY(read->present.profile);
            QCOMPARE(read->present.profile->timeline.spanCount(), project.present.profile->timeline.spanCount());
            VERIFY_VALUE(writeProject(*read, file));
        }
        Project other = *readProject(file);
        other.present = stateOf(name, "B7");
        QVERIFY(other.present.profile);
        VERIFY_VALUE(writeProject(other, file));
        QCOMPARE(readProject(file)->present.profile->timeline.spanCount(), other.present.profile->timeline.spanCount());
    }

    /// The only copy of a profile goes with its project file: the next save and read say so, and do not take another recording
    /// of its name for it.
    void aProfileThatWentWithItsProjectIsLost_data() {
        QTest::addColumn<bool>("isReplaced");
        QTest::newRow("its own file is gone, too") << false;
        QTest::newRow("another recording has its name") << true;
    }
    void aProfileThatWentWithItsProjectIsLost() {
        QFETCH(bool, isReplaced);
        const std::string file = path("went.syncopate"), name = path("went.json.gz");
        QFile::remove(QString::fromStdString(file));
        QFile::remove(QString::fromStdString(name));
        QVERIFY(QFile::copy(QString::fromLatin1(sample), QString::fromStdString(name)));
        Project project;
        project.present = stateOf(name, "B7");
        VERIFY_VALUE(writeProject(project, file));
        QVERIFY(QFile::remove(QString::fromStdString(name)));
        Project read = *readProject(file);
        QVERIFY(read.present.profile);
        if (isReplaced)
            std::ofstream(name, std::ios::trunc) << tiny::trace();
        const SessionState other = isReplaced ? stateOf(name, "B7") : SessionState();
        if (isReplaced)
            read.scenarios.push_back({"other", {}, 0, other, {}});
        QVERIFY(QFile::remove(QString::fromStdString(file)));
        for (int save = 0; save < 2; ++save) {
            const auto revision = writeProject(read, file);
            VERIFY_VALUE(revision);
            read.revision = *revision;
            const auto after = readProject(file);
            VERIFY_VALUE(after);
            QVERIFY(!after->present.profile);
            QCOMPARE(after->losses.size(), std::size_t{1});
            QCOMPARE(after->losses.front().file, name);
            QVERIFY(same(after->present, read.present)); // the job is intact
            if (isReplaced) {
                QVERIFY(after->scenarios[0].state.profile);
                QCOMPARE(after->scenarios[0].state.profile->timeline.spanCount(), other.profile->timeline.spanCount());
            }
        }
    }

    /// Another program overwrites a profile that is open and was not saved yet: the project does not take the new content for it,
    /// nor what an earlier save left of the file.
    void aProfileOverwrittenSinceItWasOpenedIsLost_data() {
        QTest::addColumn<bool>("hadAnother");
        QTest::newRow("a new project") << false;
        QTest::newRow("a project with the file as it was before") << true;
    }
    void aProfileOverwrittenSinceItWasOpenedIsLost() {
        QFETCH(bool, hadAnother);
        const std::string file = path("overwritten.syncopate"), name = path("overwritten.json.gz");
        QFile::remove(QString::fromStdString(file));
        Project project;
        if (hadAnother) {
            std::ofstream(name, std::ios::trunc) << tiny::trace();
            project.present = stateOf(name, "B7");
            VERIFY_VALUE(writeProject(project, file));
        }
        QFile::remove(QString::fromStdString(name));
        QVERIFY(QFile::copy(QString::fromLatin1(sample), QString::fromStdString(name)));
        project.present = stateOf(name, "B7");
        QVERIFY(project.present.profile);
        std::ofstream(name, std::ios::trunc) << tiny::trace() << '\n';
        for (const bool isThere : {true, false}) {
            if (!isThere)
                QVERIFY(QFile::remove(QString::fromStdString(name)));
            VERIFY_VALUE(writeProject(project, file));
            const auto read = readProject(file);
            VERIFY_VALUE(read);
            QVERIFY(!read->present.profile);
            QCOMPARE(read->losses.size(), std::size_t{1});
            QCOMPARE(read->losses.front().file, name);
            QVERIFY2(!isThere || read->losses.front().what.ends_with("its file has changed"), read->losses.front().what.c_str());
            QVERIFY(same(read->present, project.present)); // the job is intact
        }
    }

    /// A profile that the open project has stays in it, even if its file is overwritten between two saves of the same window.
    void anEmbeddedProfileStaysWhenItIsOverwritten() {
        const std::string file = path("stays.syncopate"), name = path("stays.json.gz");
        QVERIFY(QFile::copy(QString::fromLatin1(sample), QString::fromStdString(name)));
        Project project;
        project.present = stateOf(name, "B7");
        VERIFY_VALUE(writeProject(project, file));
        std::ofstream(name, std::ios::trunc) << tiny::trace();
        VERIFY_VALUE(writeProject(project, file));
        const auto read = readProject(file);
        VERIFY_VALUE(read);
        QVERIFY(read->losses.empty() && read->present.profile);
        QCOMPARE(read->present.profile->timeline.spanCount(), project.present.profile->timeline.spanCount());
    }

    /// The project that profiles would come from is damaged: those of an earlier save under the new name stay.
    void aSaveUnderAnotherNameKeepsWhatIsThere() {
        const std::string file = path("kept.syncopate"), name = path("kept.json.gz"), from = path("damaged.syncopate");
        QVERIFY(QFile::copy(QString::fromLatin1(sample), QString::fromStdString(name)));
        Project project;
        project.present = stateOf(name, "B7");
        VERIFY_VALUE(writeProject(project, file));
        QVERIFY(QFile::remove(QString::fromStdString(name)));
        const Project read = *readProject(file);
        QVERIFY(read.present.profile);
        std::ofstream(from, std::ios::trunc) << "no project";
        const auto saved = saveProjectAs(read, file, from);
        VERIFY_VALUE(saved);
        QVERIFY(!saved->hasCopy);
        const auto after = readProject(file);
        VERIFY_VALUE(after);
        QVERIFY(after->losses.empty() && after->present.profile);
        QCOMPARE(after->present.profile->timeline.spanCount(), read.present.profile->timeline.spanCount());
    }

    void aFolderOfRanksStaysWhereItIs() {
        const std::string file = path("ranks.syncopate"), folder = path("ranks");
        QVERIFY(QDir().mkpath(QString::fromStdString(folder)));
        QVERIFY(QFile::copy(QString::fromLatin1(sample), QString::fromStdString(folder + "/rank0.json.gz")));
        Project project;
        project.present = stateOf(folder, "B7");
        VERIFY_VALUE(writeProject(project, file));
        QVERIFY(readProject(file)->present.profile);
        QVERIFY(QDir(QString::fromStdString(folder)).removeRecursively());
        const auto read = readProject(file);
        VERIFY_VALUE(read);
        QVERIFY(!read->present.profile);
        QCOMPARE(read->losses.size(), std::size_t{1});
        const Error &loss = read->losses.front();
        QCOMPARE(loss.file, folder);
        QVERIFY2(loss.what.starts_with("the measured timeline is not shown: "), loss.what.c_str());
        QVERIFY2(loss.remedy.starts_with("put the profile back where it was"), loss.remedy.c_str());
        QVERIFY(same(read->present, project.present)); // the job is intact
    }

    /// A folder of ranks, or a file that is too large, under the name of a profile that an earlier save embedded: the project
    /// refers to what was opened, not to the embedded file.
    void whatIsNotEmbeddedIsNotTheFileBefore() {
        const std::string file = path("replaced.syncopate"), name = path("run.json.gz");
        const QString was = QString::fromStdString(name);
        QVERIFY(QFile::copy(QString::fromLatin1(sample), was));
        Project project;
        project.present = stateOf(name, "B7");
        VERIFY_VALUE(writeProject(project, file));
        const std::size_t before = project.present.profile->timeline.spanCount();
        QVERIFY(QFile::remove(was) && QDir().mkpath(was));
        std::ofstream(name + "/rank1.json") << tiny::trace();
        project.present = stateOf(name, "B7");
        QVERIFY(project.present.profile);
        const std::size_t spans = project.present.profile->timeline.spanCount();
        QVERIFY(spans != before);
        for (int save = 0; save < 2; ++save) {
            VERIFY_VALUE(writeProject(project, file));
            const auto read = readProject(file);
            VERIFY_VALUE(read);
            QVERIFY2(read->losses.empty(), read->losses.empty() ? "" : read->losses.front().toString().c_str());
            QVERIFY(read->present.profile);
            QCOMPARE(read->present.profile->timeline.spanCount(), spans);
        }
    }

    /// If the profile inside a project is damaged, users are told to open its own file again.
    void aDamagedProfileNamesItsFile() {
        const std::string file = path("taken.syncopate"), profile = path("taken.json.gz");
        QVERIFY(QFile::copy(QString::fromLatin1(sample), QString::fromStdString(profile)));
        Project project;
        project.present = stateOf(profile, "B7");
        VERIFY_VALUE(writeProject(project, file));
        auto database = Database::open(file, Database::Mode::Write);
        VERIFY_VALUE(database->run("UPDATE object SET content = x'7b7d' WHERE kind = 'profile'"));
        const auto read = readProject(file);
        VERIFY_VALUE(read);
        QCOMPARE(read->losses.size(), std::size_t{1});
        QCOMPARE(read->losses.front().file, profile);
        QVERIFY2(read->losses.front().remedy.starts_with("open the profile again"), read->losses.front().remedy.c_str());
    }

    void aSearchGoesOnWhereItWasStopped() {
        SearchState search;
        search.plan.state = stateOf("alexnet", "B7");
        search.plan.trials = 90;
        const auto planned = planSearch(search.plan);
        VERIFY_VALUE(planned);
        SearchObserver silent;
        const auto whole = runSearch(planned->request, *planned->method, *planned->judge, silent);
        SearchRequest half = planned->request;
        half.trials = 41;
        search.history = *runSearch(half, *planned->method, *planned->judge, silent);
        search.history.stopped = true; // of 90
        Project project;
        project.present = search.plan.state;
        project.search = std::make_shared<const SearchState>(search);
        const std::string file = path("search.syncopate");
        VERIFY_VALUE(writeProject(project, file));
        const auto read = readProject(file);
        QVERIFY(read->search->history.stopped);
        const auto again = planSearch(read->search->plan);
        struct : SearchObserver {
            void trialDone(const SearchTrial &trial) override { first = std::min(first, trial.trial); }
            std::uint64_t first = 90;
        } resumed;
        const auto rest = runSearch(again->request, *again->method, *again->judge, resumed, read->search->history);
        VERIFY_VALUE(rest);
        QCOMPARE(resumed.first, std::uint64_t{41}); // none is judged again
        QCOMPARE(rest->trials.size(), std::size_t(90));
        for (std::size_t t = 0; t < 90; ++t)
            QVERIFY(rest->trials[t].metrics == whole->trials[t].metrics);
        const auto best = static_cast<std::size_t>(whole->bestTrial(SearchObjective::IterationTime));
        QVERIFY(rest->trials[best].genes == whole->trials[best].genes);
        QVERIFY(*again->method->decode(rest->trials[best].genes)->strategy ==
                *planned->method->decode(whole->trials[best].genes)->strategy);
    }

    /// Files of the first format: no searches, no names of edited strategies; saving converts them to the newest.
    void olderFilesOpen() {
        const std::string file = path("older.syncopate");
        Project project = fullProject();
        VERIFY_VALUE(writeProject(project, file));
        {
            auto database = Database::open(file, Database::Mode::Write);
            VERIFY_VALUE(database->run(
                "ALTER TABLE side DROP COLUMN plan; ALTER TABLE side DROP COLUMN edited_name; DROP TABLE search; "
                "DROP TABLE candidate; DROP TABLE phase; "
                "DROP TABLE curve; DROP TABLE curve_setting; DROP TABLE curve_point; DROP TABLE curve_start; "
                "DROP TABLE curve_busy; DROP TABLE curve_note; DROP TABLE measured_point; "
                "DELETE FROM scenario WHERE id = -1; DELETE FROM side WHERE scenario = -1; PRAGMA user_version = 1"));
        }
        const auto read = readProject(file);
        VERIFY_VALUE(read);
        Project older = project;
        older.search = nullptr;
        std::get<Edited>(older.present.sides[1].source).name.clear();
        QVERIFY(same(*read, older));
        project.revision = read->revision;
        VERIFY_VALUE(writeProject(project, file));
        const auto now = readProject(file);
        VERIFY_VALUE(now);
        QVERIFY(same(*now, project));
    }

    void othersSavesAreNotOverwritten() {
        const std::string file = path("shared.syncopate");
        Project mine = fullProject();
        mine.revision = *writeProject(mine, file);
        Project theirs = *readProject(file);
        theirs.present.bandwidthGbits = 99;
        QCOMPARE(*writeProject(theirs, file), 2);
        const auto late = writeProject(mine, file);
        QVERIFY(!late.has_value());
        QVERIFY2(late.error().toString().find("another window") != std::string::npos, late.error().toString().c_str());
        QCOMPARE(*readProject(file)->present.bandwidthGbits, 99.0);
        mine.revision = 0;
        QCOMPARE(*writeProject(mine, file), 3);
    }
    void cancels() {
        const std::string file = path("cancel.syncopate");
        VERIFY_VALUE(writeProject(fullProject(), file));
        std::stop_source stop;
        stop.request_stop();
        const auto read = readProject(file, stop.get_token());
        QVERIFY(!read);
        QVERIFY2(read.error().isCancelled(), read.error().toString().c_str());
    }

    /// A program that saves one project after another is killed at a random moment, two hundred times; the file is always intact,
    /// and never older than the last confirmed save.
    void nothingIsLostWhenKilled() {
        const std::string file = path("killed.syncopate");
        const Project project = fullProject();
        VERIFY_VALUE(writeProject(project, file));
        std::mt19937 random(7);
        int interrupted = 0;
        for (int round = 0; round < 200; ++round) {
            QProcess saver;
            saver.start(QCoreApplication::applicationFilePath(),
                        {QStringLiteral("--save-for-ever"), QString::fromStdString(file)});
            QVERIFY(saver.waitForStarted());
            QVERIFY(saver.waitForReadyRead(20000)); // the first save is complete
            QTest::qSleep(static_cast<int>(random() % 12));
            saver.kill();
            QVERIFY(saver.waitForFinished());
            const QList<QByteArray> confirmed = saver.readAllStandardOutput().split('\n');
            interrupted += QFile::exists(QString::fromStdString(file + "-journal")) ? 1 : 0;
            const auto read = readProject(file);
            VERIFY_VALUE(read);
            QVERIFY(read->present.bandwidthGbits);
            // Each save increments the bandwidth everywhere it occurs.
            Project expected = project;
            expected.present.bandwidthGbits = read->present.bandwidthGbits;
            expected.views["save"] = std::to_string(static_cast<int>(*read->present.bandwidthGbits));
            QVERIFY(same(*read, expected));
            COMPARE_AT_LEAST(confirmed.size(), 2);
            COMPARE_AT_LEAST(*read->present.bandwidthGbits, confirmed[confirmed.size() - 2].toDouble());
        }
        COMPARE_ABOVE(interrupted, 10, "hardly any save was interrupted: the test shows nothing");
    }
};

namespace {
/// The other half of nothingIsLostWhenKilled(): saves with increasing numbers, confirming each, until killed.
int saveForEver(const std::string &file) {
    Project project = fullProject();
    for (int save = 1; save < 100000; ++save) {
        project.present.bandwidthGbits = save;
        project.views["save"] = std::to_string(save);
        if (!writeProject(project, file))
            return 1;
        std::printf("%d\n", save);
        std::fflush(stdout);
    }
    return 0;
}
} // namespace

int main(int argc, char **argv) {
    if (argc == 3 && std::string_view(argv[1]) == "--save-for-ever")
        return saveForEver(argv[2]);
    QCoreApplication app(argc, argv);
    TestProjectFile test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_project_file.moc"
