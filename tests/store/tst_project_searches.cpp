// SPDX-License-Identifier: GPL-3.0-or-later
// The searches of a project: the current one completely, past ones with the trials that no other search has.
#include "engine/job/catalogue.h"
#include "engine/store/database.h"
#include "engine/store/project_file.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>

#include <QTemporaryDir>
#include <memory>
#include <vector>

using namespace syncopate;

namespace {

SessionState someState() {
    SessionState state;
    state.source = "alexnet";
    state.job = std::make_shared<const Job>(*catalogueJob("alexnet"));
    state.clusterSource = "A2";
    state.cluster = std::make_shared<const Cluster>(*catalogueCluster("A2"));
    state.workers = state.servers = 2;
    for (SideState &side : state.sides)
        side = {Built{"AllReduce"}, "fifo"};
    return state;
}

std::shared_ptr<const SearchState> searched(const SessionState &state, const char *method, std::uint64_t seed,
                                            const char *judge = "simulated()") {
    auto search = std::make_shared<SearchState>();
    search->plan = {state, method, judge, SearchObjective::IterationTime, seed, 30};
    const PlannedSearch planned = *planSearch(search->plan);
    SearchObserver silent;
    search->history = *runSearch(planned.request, *planned.method, *planned.judge, silent);
    return search;
}

struct Tried {
    Strategy strategy;
    double seconds;
};

/// Every trial of a search, decoded.
std::vector<Tried> triedIn(const SearchState &search) {
    const PlannedSearch planned = *planSearch(search.plan);
    std::vector<Tried> all;
    for (const SearchTrial &trial : search.history.trials)
        all.push_back({*planned.method->decode(trial.genes)->strategy, trial.metrics.iterationSeconds});
    return all;
}

bool has(const std::vector<Tried> &all, const Strategy &strategy) {
    return std::any_of(all.begin(), all.end(), [&](const Tried &one) { return testing::sameStrategy(one.strategy, strategy); });
}

} // namespace

class TestProjectSearches : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Project saved(Project project) {
        const std::string file = m_folder.filePath(QStringLiteral("p.syncopate")).toStdString();
        QFile::remove(QString::fromStdString(file));
        project.revision = 0;
        const auto written = writeProject(project, file);
        auto read = readProject(file);
        if (!written || !read)
            QTest::qFail(written ? read.error().toString().c_str() : written.error().toString().c_str(), __FILE__, __LINE__);
        return read.value_or(Project());
    }

private slots:
    /// Only the newest searches are kept, and none without a trial.
    void onlySoManyPastSearchesAreKept() {
        const auto tried = [] {
            auto search = std::make_shared<SearchState>();
            search->history.trials.resize(1);
            return search;
        };
        const std::shared_ptr<const SearchState> newest = tried();
        const PastSearches past = withSearch(PastSearches(maxPastSearches + 3, tried()), newest);
        QCOMPARE(past.size(), maxPastSearches);
        QVERIFY(past.back() == newest && past.front() != newest);
        QVERIFY(withSearch({}, std::make_shared<SearchState>()).empty());
        QVERIFY(withSearch({}, nullptr).empty());
    }

    /// Rules start alike for any seed: a strategy tried by several searches is stored once, and no trial is lost.
    void aStrategyIsKeptOnce() {
        const SessionState state = someState();
        Project project;
        project.present = state;
        project.search = searched(state, "rules()", 2);
        project.pastSearches = {searched(state, "random()", 1), searched(state, "rules()", 1), searched(state, "anneal()", 4)};
        const Project read = saved(project);
        QVERIFY(read.search);
        QCOMPARE(read.search->history.trials.size(), project.search->history.trials.size()); // whole, so that it can be resumed
        QCOMPARE(read.pastSearches.size(), std::size_t(3));

        std::vector<Tried> kept = triedIn(*read.search), distinct = kept;
        const std::size_t present = kept.size();
        for (const auto &past : read.pastSearches)
            for (Tried &one : triedIn(*past)) {
                QVERIFY(!has(kept, one.strategy));
                kept.push_back(std::move(one));
            }
        for (const auto &past : project.pastSearches)
            for (Tried &one : triedIn(*past)) {
                QVERIFY(has(kept, one.strategy));
                if (!has(distinct, one.strategy))
                    distinct.push_back(std::move(one));
            }
        QCOMPARE(kept.size(), distinct.size());
        const std::size_t past = kept.size() - present;
        COMPARE_ABOVE(past, 30);
        COMPARE_BELOW(past, 90); // some were equal, most were not
        for (const auto &search : read.pastSearches)
            for (const SearchTrial &trial : search->history.trials)
                COMPARE_ABOVE(trial.metrics.iterationSeconds, 0);
        // Saved again, or with another search, existing ones do not change.
        Project next = read;
        next.pastSearches = withSearch(next.pastSearches, next.search);
        next.search = searched(state, "random()", 9);
        const Project again = saved(next);
        QCOMPARE(again.pastSearches.size(), std::size_t(4));
        for (std::size_t s = 0; s < 3; ++s)
            QCOMPARE(again.pastSearches[s]->history.trials.size(), read.pastSearches[s]->history.trials.size());
        QCOMPARE(again.pastSearches[3]->history.trials.size(), present);
        QVERIFY(sameContent(again, again, {}) && !sameContent(again, read, {}));
    }

    /// A pin is kept in its search, even if the strategy is that of a trial of a newer search.
    void pinnedTrialsAreKept() {
        Project project;
        project.present = someState();
        project.search = searched(project.present, "random()", 1);
        const auto pinned = std::make_shared<SearchState>(*project.search);
        pinned->pins = {5, CandidateId{CandidateId::Kind::Baseline, 0}.row()};
        project.pastSearches = {pinned};
        for (int round = 0; round < 2; ++round) { // saved again, nothing changes
            project = saved(project);
            QCOMPARE(project.search->history.trials.size(), std::size_t(30));
            QVERIFY(project.search->pins.empty());
            QCOMPARE(project.pastSearches.size(), std::size_t(1));
            const SearchState &past = *project.pastSearches.front();
            QCOMPARE(past.pins, pinned->pins);
            QCOMPARE(past.history.trials.size(), std::size_t(1));
            QCOMPARE(past.history.trials.front().trial, std::uint64_t(5));
            QVERIFY(past.history.trials.front().genes == pinned->history.trials[5].genes);
        }
    }

    /// Another network or judge gives the same strategy another time; a measuring program measures each trial anew.
    void whatIsJudgedOtherwiseIsKept() {
        const QString script = m_folder.filePath(QStringLiteral("measure"));
        QFile program(script);
        QVERIFY(program.open(QIODevice::WriteOnly) && program.write("#!/bin/sh\necho 0.25\n") > 0);
        program.close();
        QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
        const std::string measured = "command(\"" + script.toStdString() + "\")";
        const SessionState state = someState();
        SessionState slow = state;
        slow.bandwidthGbits = 1;
        Project project;
        project.present = state;
        project.search = searched(state, "random()", 1);
        project.pastSearches = {searched(slow, "random()", 1), searched(state, "random()", 1, "noisy()"),
                                searched(state, "random()", 1, measured.c_str()),
                                searched(state, "random()", 1, measured.c_str()), searched(state, "random()", 1)};
        const Project read = saved(project);
        QCOMPARE(read.pastSearches.size(), std::size_t(5));
        for (std::size_t s = 0; s < 4; ++s)
            QCOMPARE(read.pastSearches[s]->history.trials.size(), std::size_t(30));
        QVERIFY(read.pastSearches[4]->history.trials.empty()); // the same as the current one
        QCOMPARE(read.pastSearches[0]->plan.state.bandwidthGbits, slow.bandwidthGbits);
        QCOMPARE(read.pastSearches[2]->history.trials[7].metrics.iterationSeconds, 0.25);
    }

    /// Damage in a past search is reported like damage in the current one.
    void damageIsRefused() {
        Project project;
        project.present = someState();
        project.search = searched(project.present, "random()", 1);
        project.pastSearches = {searched(project.present, "random()", 2)};
        const std::string file = m_folder.filePath(QStringLiteral("damaged.syncopate")).toStdString();
        const auto after = [&](const char *sql) {
            QFile::remove(QString::fromStdString(file));
            return writeProject(project, file).has_value() && Database::open(file, Database::Mode::Write)->run(sql).has_value()
                       ? readProject(file)
                       : Result<Project>(Project());
        };
        QVERIFY(!after("UPDATE candidate SET genes = 'x' WHERE search = 1 AND id = 3").has_value());
        QVERIFY(!after("UPDATE candidate SET id = 1000000 WHERE search = 1 AND id = 3").has_value());
        const auto odd = after("UPDATE candidate SET fingerprint = 'no such thing'; UPDATE search SET bound_seconds = -1");
        VERIFY_VALUE(odd);
        QCOMPARE(odd->search->boundSeconds, 0.0);
        QVERIFY(odd->search->history.trials[0].strategy == StrategyFingerprint());
        const auto jobless = after("UPDATE scenario SET job = NULL WHERE id = -1000000");
        VERIFY_VALUE(jobless);
        QVERIFY(jobless->search && jobless->pastSearches.empty());
    }
};

QTEST_GUILESS_MAIN(TestProjectSearches)
#include "tst_project_searches.moc"
