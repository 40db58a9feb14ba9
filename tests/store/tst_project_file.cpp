// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/job_file.h"
#include "engine/simulate/run.h"
#include "engine/store/database.h"
#include "engine/store/project_file.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/strategy_file.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/scenarios.h"
#include "tests/sqlite_circles.h"

#include <QtTest>

#include <QProcess>
#include <QTemporaryDir>
#include <cmath>
#include <csignal>
#include <fstream>
#include <random>

using namespace syncopate;

namespace {

SessionState stateOf(const std::string &jobName, const std::string &cluster) {
    SessionState state;
    const auto loaded = loadJob(jobName);
    state.source = jobName;
    state.job = loaded->job;
    state.profile = loaded->profile;
    state.clusterSource = cluster;
    state.cluster = std::make_shared<const Cluster>(*catalogueCluster(cluster));
    state.sides = {SideState{Built{"AllReduce(chunk_size=128)"}, "ddp"},
                   SideState{Built{"PSLoadBalancing"}, "fifo(barrier=off)"}};
    return state;
}

/// Equal in value; pointers differ after reading.
bool same(const SessionState &a, const SessionState &b) {
    const auto sameValue = [](const auto &x, const auto &y) { return (!x && !y) || (x && y && *x == *y); };
    SessionState left = a, right = b;
    if (!a.job != !b.job || (a.job && writeJobText(*a.job) != writeJobText(*b.job)) || !sameValue(a.cluster, b.cluster))
        return false;
    for (std::size_t s = 0; s < 2; ++s) {
        auto *x = std::get_if<Edited>(&left.sides[s].source), *y = std::get_if<Edited>(&right.sides[s].source);
        if (!x != !y || (x && *x->strategy != *y->strategy) || !sameValue(a.sides[s].cluster, b.sides[s].cluster))
            return false;
        if (x)
            x->strategy = y->strategy;
        left.sides[s].cluster = right.sides[s].cluster = nullptr;
    }
    left.job = right.job = nullptr;
    left.cluster = right.cluster = nullptr;
    left.profile = right.profile = nullptr;
    return left == right;
}

/// A search as it was when stopped: builders that cannot build, trials that cannot be simulated, the strategies of some.
SearchState someSearch(const SessionState &searched) {
    SearchState search;
    search.plan = {searched,      "random(parts=3..17,slack=4096.5,merge=off)",
                   "simulated()", SearchObjective::ExposedCommunication,
                   2147483647,    70};
    search.plan.state.side(Side::A).policy = "tic";
    CandidateMetrics none, all{0.1, 1.0 / 7, 1.0 / 3, 0.2, 1234.5, 1, 2, 3, 4, 5, 6.5e9, 7.25};
    const auto strategy = std::make_shared<const Strategy>(*buildStrategy("AllReduce", *searched.job, *searched.cluster));
    search.history.baselines = {{"AllReduce", all, strategy, ""}, {"Parallax", none, nullptr, "no server; add one"}};
    for (std::uint64_t t = 0; t < 40; ++t) {
        all.iterationSeconds = 1.0 / static_cast<double>(t + 3);
        search.history.trials.push_back(
            {t, {{t, ~t}, {1.0 / static_cast<double>(t + 3)}}, t % 7 == 3 ? none : all, t % 7 == 3 ? "cannot \"be\"" : ""});
    }
    search.history.stopped = true;
    search.history.phases = {{0, 10, "predefined()", 0.7, none.iterationSeconds, {0.5, none.iterationSeconds, 1}, 0, 0, 0},
                             {10, 10, "rnn()", 0.9, 1, {0.25, 0.75, 1}, 0.125, 30, 200}};
    for (SearchTrial &trial : search.history.trials)
        trial.strategy = {~trial.trial, 1 + trial.trial};
    search.tuned = {{"AllReduce", "AllReduce(chunk_size=32)", all}, {"PS", "PS(local_replication=True)", none}};
    search.isTuned = true;
    search.boundSeconds = 1.0 / 3;
    search.pins = {-2, 0, 39};
    return search;
}

Project fullProject() {
    Project project;
    project.present = stateOf("vgg16", "B7");
    SessionState &state = project.present;
    state.clusterEdited = true;
    state.bandwidthGbits = 12.3456789;
    state.latencySeconds = 1.0 / 3e5;
    state.workers = 7;
    state.servers = 3;
    state.compare = false;
    Strategy edited = *buildStrategy("PSLoadBalancing", *state.job, *state.cluster);
    edited.nodes[1].synchronizer.transferDestination = "10.0.0.1:GPU:0";
    edited.nodes[2].synchronizer.staleness = 3;
    state.sides[1].source = Edited{std::make_shared<const Strategy>(edited), Built{"PSLoadBalancing"}, "trial 17, edited"};
    state.sides[0].clusterSource = "somewhere/x.yml";
    state.sides[0].cluster = std::make_shared<const Cluster>(withBandwidth(*catalogueCluster("A2"), 7.7));
    KeptScenario kept{"before \"the\" change\n", "two\nlines, ünïcode", 1700000000, state, {0.25, {}}};
    kept.state.sides[1].source = Built{"PSLoadBalancing"};
    kept.state.bandwidthGbits.reset();
    project.scenarios = {kept, {"other job", "", -5, stateOf("alexnet", "A2"), {}}};
    project.views = {{"timeline", R"({"from":1.5})"}, {"empty", ""}};
    project.search = std::make_shared<const SearchState>(someSearch(project.scenarios[0].state));
    return project;
}

bool sameNumber(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

/// Equal in every figure, with NaN equal to NaN.
bool same(const CandidateMetrics &a, const CandidateMetrics &b) {
    return sameNumber(a.iterationSeconds, b.iterationSeconds) && sameNumber(a.spreadSeconds, b.spreadSeconds) &&
           sameNumber(a.exposedSeconds, b.exposedSeconds) && sameNumber(a.communicationSeconds, b.communicationSeconds) &&
           sameNumber(a.samplesPerSecond, b.samplesPerSecond) && a.psVariables == b.psVariables &&
           a.partitionedVariables == b.partitionedVariables && a.shards == b.shards && a.servers == b.servers &&
           a.groups == b.groups && a.psBytes == b.psBytes && a.largestServerBytes == b.largestServerBytes;
}

bool same(const SearchState &a, const SearchState &b) {
    const auto sameBaseline = [](const SearchBaseline &x, const SearchBaseline &y) {
        return x.builder == y.builder && same(x.metrics, y.metrics) && x.error == y.error && !x.strategy == !y.strategy &&
               (!x.strategy || *x.strategy == *y.strategy);
    };
    const auto sameTrial = [](const SearchTrial &x, const SearchTrial &y) {
        return x.trial == y.trial && x.genes == y.genes && same(x.metrics, y.metrics) && x.error == y.error &&
               x.strategy == y.strategy;
    };
    const auto sameTuned = [](const TunedBaseline &x, const TunedBaseline &y) {
        return x.builder == y.builder && x.expression == y.expression && same(x.metrics, y.metrics);
    };
    const auto samePhase = [](const SearchPhase &x, const SearchPhase &y) {
        return x.firstTrial == y.firstTrial && x.trials == y.trials && x.ranker == y.ranker &&
               sameNumber(x.pairAccuracy, y.pairAccuracy) && sameNumber(x.topRecall, y.topRecall) &&
               std::equal(x.bucketAccuracy.begin(), x.bucketAccuracy.end(), y.bucketAccuracy.begin(), sameNumber) &&
               x.learnSeconds == y.learnSeconds && x.rejected == y.rejected && x.proposed == y.proposed;
    };
    return same(a.plan.state, b.plan.state) && a.plan.method == b.plan.method && a.plan.judge == b.plan.judge &&
           a.plan.objective == b.plan.objective && a.plan.seed == b.plan.seed && a.plan.trials == b.plan.trials &&
           a.pins == b.pins && a.history.stopped == b.history.stopped && a.history.enough == b.history.enough &&
           a.isTuned == b.isTuned && a.boundSeconds == b.boundSeconds &&
           std::equal(a.tuned.begin(), a.tuned.end(), b.tuned.begin(), b.tuned.end(), sameTuned) &&
           std::equal(a.history.phases.begin(), a.history.phases.end(), b.history.phases.begin(), b.history.phases.end(),
                      samePhase) &&
           std::equal(a.history.baselines.begin(), a.history.baselines.end(), b.history.baselines.begin(),
                      b.history.baselines.end(), sameBaseline) &&
           std::equal(a.history.trials.begin(), a.history.trials.end(), b.history.trials.begin(), b.history.trials.end(),
                      sameTrial);
}

bool same(const Project &a, const Project &b) {
    if (!same(a.present, b.present) || a.scenarios.size() != b.scenarios.size() || a.views != b.views || !a.search != !b.search ||
        (a.search && !same(*a.search, *b.search)))
        return false;
    for (std::size_t i = 0; i < a.scenarios.size(); ++i)
        if (a.scenarios[i].name != b.scenarios[i].name || a.scenarios[i].note != b.scenarios[i].note ||
            a.scenarios[i].keptAt != b.scenarios[i].keptAt ||
            a.scenarios[i].iterationSeconds != b.scenarios[i].iterationSeconds ||
            !same(a.scenarios[i].state, b.scenarios[i].state))
            return false;
    return true;
}

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

    /// The file stores the path; the strategy is read with the project, and steps are replaced by what they were played over.
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
        const auto rest = runSearch(again->request, *again->method, *again->judge, silent, read->search->history);
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
        QVERIFY(!after("UPDATE scenario SET job = NULL WHERE id = -1").value().search);
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

    void refusesWhatIsNoProject() {
        const auto says = [](const Result<Project> &read, const char *text) {
            return !read && read.error().toString().find(text) != std::string::npos;
        };
        QVERIFY(says(readProject(path("absent")), "no such file"));
        QVERIFY(says(readProject(m_folder.path().toStdString()), "no such file"));
        std::ofstream(path("text")) << "not a database, but long enough to be looked at: " << std::string(2000, 'x');
        QVERIFY(says(readProject(path("text")), "not a Syncopate project"));
        std::ofstream(path("nothing"));
        QVERIFY(says(readProject(path("nothing")), "empty"));
        {
            auto other = Database::open(path("other.db"), Database::Mode::Write);
            VERIFY_VALUE(other->run("CREATE TABLE t(x); INSERT INTO t VALUES(1)"));
        }
        QVERIFY(says(readProject(path("other.db")), "another program"));
        QVERIFY(!writeProject(fullProject(), path("other.db")).has_value());
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

    void cancels() {
        const std::string file = path("cancel.syncopate");
        VERIFY_VALUE(writeProject(fullProject(), file));
        std::stop_source stop;
        stop.request_stop();
        const auto read = readProject(file, stop.get_token());
        QVERIFY(!read || read->losses.empty());
        if (!read)
            QVERIFY(read.error().isCancelled());
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
