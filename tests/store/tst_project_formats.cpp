// SPDX-License-Identifier: GPL-3.0-or-later
// Project files written by earlier versions (tests/data/projects): they open unchanged, and searches continue as they would have.
#include "engine/profile/profile.h"
#include "engine/store/database.h"
#include "engine/store/project_file.h"
#include "engine/strategy/strategy_file.h"
#include "tests/checks.h"

#include <QtTest>

#include <QTemporaryDir>
#include <cmath>
#include <functional>
#include <set>

using namespace syncopate;

namespace {

std::string dataPath(const std::string &name) { return std::string(SYNCOPATE_SOURCE "/tests/data/projects/") + name; }

/// Compares the figures that depend only on the strategy: simulated times may become more accurate from version to version.
bool sameStrategyFigures(const CandidateMetrics &a, const CandidateMetrics &b) {
    return a.psVariables == b.psVariables && a.partitionedVariables == b.partitionedVariables && a.shards == b.shards &&
           a.servers == b.servers && a.groups == b.groups && a.psBytes == b.psBytes &&
           a.largestServerBytes == b.largestServerBytes;
}

} // namespace

class TestProjectFormats : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// A copy, so that no test can change the file; opened, and opened again after a save in the present format.
    void forBothFormats(const char *name, const std::function<void(const Project &)> &check) {
        const std::string copy = m_folder.filePath(QString::fromLatin1(name)).toStdString();
        QFile::remove(QString::fromStdString(copy));
        QVERIFY(QFile::copy(QString::fromStdString(dataPath(name)), QString::fromStdString(copy)));
        QVERIFY(QFile::setPermissions(QString::fromStdString(copy), QFile::ReadOwner | QFile::WriteOwner));
        for (int saves = 0; saves < 2; ++saves) {
            const auto read = readProject(copy);
            VERIFY_VALUE(read);
            QVERIFY2(read->losses.empty(), read->losses.empty() ? "" : read->losses.front().toString().c_str());
            check(*read);
            if (QTest::currentTestFailed())
                return;
            const auto written = writeProject(*read, copy);
            VERIFY_VALUE(written);
        }
        auto database = Database::open(copy, Database::Mode::Read);
        QCOMPARE(database->number("PRAGMA user_version").value(), std::int64_t(7));
    }

    /// Decodes every trial; some strategies are compared with exports of the old version.
    static void checkTrials(const SearchState &search, const char *name, const std::vector<std::size_t> &exported) {
        const auto planned = planSearch(search.plan);
        VERIFY_VALUE(planned);
        for (const SearchTrial &trial : search.history.trials) {
            const auto scenario = planned->method->decode(trial.genes);
            VERIFY_VALUE(scenario);
            const CandidateMetrics described = describeStrategy(*scenario->job, *scenario->strategy);
            QVERIFY2(sameStrategyFigures(described, trial.metrics), qPrintable(QStringLiteral("trial %1").arg(trial.trial)));
        }
        for (const std::size_t number : exported) {
            const std::string file = dataPath(std::string("format3_") + name + "_trial" + std::to_string(number) + ".json");
            const auto want = readStrategyFile(file);
            VERIFY_VALUE(want);
            const auto matched = matchStrategy(*want, *search.plan.state.job, file);
            VERIFY_VALUE(matched);
            const auto got = planned->method->decode(search.history.trials[number].genes);
            QVERIFY2(got->strategy->nodes == matched->nodes, file.c_str());
            QVERIFY2(got->strategy->replicas == matched->replicas, file.c_str());
        }
    }

private slots:
    void aSearchOfTheCommandLine() {
        forBothFormats("format3_search.syncopate", [](const Project &project) {
            QCOMPARE(project.present.source, std::string("alexnet"));
            QCOMPARE(project.present.clusterSource, std::string("B7"));
            QCOMPARE(std::get<Edited>(project.present.side(Side::B).source).name, std::string("trial 10"));
            QCOMPARE(project.present.side(Side::A).policy, std::string("tic(barrier=off)"));
            QVERIFY(project.search);
            const SearchState &search = *project.search;
            QCOMPARE(search.plan.method, std::string("random(parts=3..9,merge=off,groups=2..12)"));
            QCOMPARE(search.plan.judge, std::string("simulated()"));
            QCOMPARE(search.plan.seed, std::uint64_t(9));
            QCOMPARE(search.plan.trials, std::uint64_t(40));
            QVERIFY(search.plan.objective == SearchObjective::IterationTime);
            QVERIFY(!search.history.stopped);
            QVERIFY(search.pins.empty());
            QCOMPARE(search.history.baselines.size(), std::size_t(8));
            QCOMPARE(search.history.baselines[0].builder, std::string("PS"));
            QCOMPARE(search.history.baselines[0].metrics.iterationSeconds, 0.49146058498992784);
            QVERIFY(search.history.baselines[0].strategy);
            QCOMPARE(search.history.trials.size(), std::size_t(40));
            QCOMPARE(search.history.bestTrial(SearchObjective::IterationTime), std::int64_t(10));
            QCOMPARE(search.history.trials[10].metrics.iterationSeconds, 0.08413452314244607);
            QCOMPARE(search.history.trials[10].metrics.exposedSeconds, 0.064404424);
            QCOMPARE(search.history.trials[10].metrics.spreadSeconds, 0.0);
            checkTrials(search, "search", {4, 17});
            // Trial 10 was put on B, with the strategy made by the old version.
            const auto planned = planSearch(search.plan);
            QVERIFY(planned->method->decode(search.history.trials[10].genes)->strategy->nodes ==
                    std::get<Edited>(project.present.side(Side::B).source).strategy->nodes);
        });
    }

    void aWindowWithMeasuredAndEditedSides() {
        forBothFormats("format3_window.syncopate", [](const Project &project) {
            const SessionState &state = project.present;
            QCOMPARE(state.source, std::string("tiny.json"));
            QVERIFY(state.profile);
            QCOMPARE(state.profile->steps.size(), std::size_t(1));
            COMPARE_ABOVE(state.profile->timeline.spanCount(), 0);
            QCOMPARE(state.bandwidthGbits, std::optional(12.5));
            QCOMPARE(state.latencySeconds, std::optional(3e-5));
            QCOMPARE(state.workers, std::optional<std::int32_t>(6));
            QCOMPARE(state.servers, std::optional<std::int32_t>(2));
            QVERIFY(std::holds_alternative<Measured>(state.side(Side::A).source));
            const Edited &b = std::get<Edited>(state.side(Side::B).source);
            QCOMPARE(b.name, std::string("by hand"));
            QCOMPARE(b.strategy->nodes[0].synchronizer.staleness, 3);
            QCOMPARE(b.strategy->nodes[1].synchronizer.transferDestination, std::string("10.0.0.1:GPU:0"));
            QCOMPARE(project.scenarios.size(), std::size_t(1));
            const KeptScenario &kept = project.scenarios[0];
            QCOMPARE(kept.name, std::string("before the change"));
            QCOMPARE(kept.note, std::string("slow links"));
            QCOMPARE(kept.keptAt, std::int64_t(1700000000));
            QCOMPARE(kept.iterationSeconds[0], std::optional(0.25));
            QVERIFY(!kept.iterationSeconds[1]);
            QCOMPARE(textOf(kept.state.side(Side::A).source), std::string("AllReduce(chunk_size=64)"));
            QCOMPARE(project.views.at("timeline"), std::string(R"({"from":1.5})"));

            const SearchState &search = *project.search;
            QCOMPARE(search.plan.method,
                     std::string("random(whole=150KB,split=3MB,parts=3..17,slack=4096.5,merge=off,groups=2..9,"
                                 "shares=off)"));
            QVERIFY(search.plan.objective == SearchObjective::ExposedCommunication);
            QCOMPARE(search.plan.seed, std::uint64_t(2147483647));
            QCOMPARE(search.plan.trials, std::uint64_t(60));
            QVERIFY(search.history.stopped);
            QCOMPARE(search.history.trials.size(), std::size_t(26));
            QVERIFY(search.pins == (std::set<std::int64_t>{-3, 4, 19}));
            checkTrials(search, "window", {4, 10, 17});

            QCOMPARE(project.curves.size(), std::size_t(2));
            QCOMPARE(project.curves[0].measured.points.size(), std::size_t(2));
            QCOMPARE(project.curves[0].setting.staleness, 3);
            QCOMPARE(project.curves[1].color, 3);
            QVERIFY(!project.curves[1].shown);
            const auto &points = project.curves[1].forecast->prediction.points;
            QCOMPARE(points.size(), std::size_t(3));
            QCOMPARE(points[0].throughput.samplesPerSecond, 75287.768673813523);
            QCOMPARE(points[2].throughput.samplesPerSecond, 301074.91270709224);
        });
    }

    /// Format 5 records neither the end of a search nor its tuned builders, and has one search.
    void aSearchOfFormat5() {
        forBothFormats("format5_search.syncopate", [](const Project &project) {
            const std::string plan = "{\"evaluations\":300,\"planner\":\"exec()\",\"seed\":7}";
            QCOMPARE(project.views.size(), std::size_t(3));
            QCOMPARE(project.views.at("plan"), plan);
            QVERIFY(project.search && project.pastSearches.empty());
            const SearchState &search = *project.search;
            QCOMPARE(search.plan.method, std::string("autosync()"));
            QCOMPARE(search.plan.seed, std::uint64_t(5));
            QVERIFY(search.pins == (std::set<std::int64_t>{-2, 3}));
            QVERIFY(!search.history.stopped && !search.history.enough);
            QVERIFY(!search.isTuned && search.tuned.empty() && search.boundSeconds == 0 && search.history.phases.empty());
            QCOMPARE(search.history.baselines.size(), std::size_t(8));
            QCOMPARE(search.history.trials.size(), std::size_t(24));
            QCOMPARE(search.history.bestTrial(SearchObjective::IterationTime), std::int64_t(15));
            QCOMPARE(search.history.trials[15].metrics.iterationSeconds, 0.06980750157659465);
            QCOMPARE(search.history.trials[23].metrics.exposedSeconds, 0.127635299);
            for (const SearchTrial &trial : search.history.trials)
                QVERIFY(trial.strategy == StrategyFingerprint());
            checkTrials(search, "search", {});
        });
    }

    /// Format 6 does not record how sure the figures are.
    void aSearchOfFormat6() {
        forBothFormats("format6_search.syncopate", [](const Project &project) {
            QVERIFY(project.search);
            QCOMPARE(project.pastSearches.size(), std::size_t(1));
            const SearchState &search = *project.search, &past = *project.pastSearches.front();
            QCOMPARE(search.plan.method, std::string("anneal()"));
            QCOMPARE(past.plan.method, std::string("rules()"));
            QVERIFY(search.isTuned && past.isTuned);
            QCOMPARE(search.boundSeconds, 0.01973009901582734);
            QCOMPARE(search.history.trials.size(), std::size_t(24));
            QCOMPARE(past.history.trials.size(), std::size_t(2)); // the others are the present search's
            QCOMPARE(search.history.trials[15].metrics.iterationSeconds, 0.06980750157659465);
            for (const SearchTrial &trial : search.history.trials)
                QVERIFY(std::isnan(trial.metrics.confidence));
            checkTrials(search, "search", {});
        });
    }

    /// A resumed search of format 3 tries the same strategies as the version that wrote it would have.
    void aStoppedSearchGoesOn() {
        const auto project = readProject(dataPath("format3_window.syncopate"));
        VERIFY_VALUE(project);
        const SearchState &search = *project->search;
        auto planned = planSearch(search.plan);
        SearchObserver silent;
        const auto whole = runSearch(planned->request, *planned->method, *planned->judge, silent);
        const auto resumed = runSearch(planned->request, *planned->method, *planned->judge, silent, search.history);
        QVERIFY(whole && resumed);
        QCOMPARE(resumed->trials.size(), std::size_t(60));
        for (std::size_t t = 0; t < 60; ++t) {
            QVERIFY(resumed->trials[t].genes == whole->trials[t].genes);
            QVERIFY2(sameStrategyFigures(resumed->trials[t].metrics, whole->trials[t].metrics), qPrintable(QString::number(t)));
        }
    }

    /// docs/project-file.md states the format that is written, and has a row for each format before it.
    void theDocumentationStatesTheFormat() {
        const std::string path = m_folder.filePath("new.syncopate").toStdString();
        VERIFY_VALUE(writeProject({}, path));
        const auto format = Database::open(path, Database::Mode::Read)->number("PRAGMA user_version").value();
        QFile page(QStringLiteral(SYNCOPATE_SOURCE "/docs/project-file.md"));
        QVERIFY(page.open(QFile::ReadOnly));
        const QString text = QString::fromUtf8(page.readAll());
        QVERIFY(text.contains(QStringLiteral("`PRAGMA user_version` is the format, %1.").arg(format)));
        QVERIFY(text.contains(QStringLiteral("become format %1").arg(format)));
        for (std::int64_t before = 1; before < format; ++before)
            QVERIFY2(text.contains(QStringLiteral("\n| %1 | ").arg(before)), qPrintable(QStringLiteral("format %1").arg(before)));
    }

    void theFilesAreSmall() {
        QDir folder(QString::fromStdString(dataPath("")));
        const QFileInfoList files = folder.entryInfoList({QStringLiteral("*.syncopate")}, QDir::Files);
        COMPARE_AT_LEAST(files.size(), 2);
        for (const QFileInfo &file : files)
            COMPARE_BELOW(file.size(), 200'000, file.fileName());
    }
};

QTEST_GUILESS_MAIN(TestProjectFormats)
#include "tst_project_formats.moc"
