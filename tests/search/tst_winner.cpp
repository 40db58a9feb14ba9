// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a winner, and whether it wins under other conditions, compared with strategies and clusters changed by hand.
#include "engine/search/winner.h"

#include "engine/simulate/run.h"
#include "engine/strategy/builders.h"
#include "tests/checks.h"
#include "tests/search/searches.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

Strategy built(const SearchRequest &request, const char *expression) {
    return *buildStrategy(expression, *request.base.job, *request.base.cluster);
}

double secondsOf(const SearchRequest &request, const Strategy &strategy) {
    Scenario scenario = request.base;
    scenario.strategy = std::make_shared<const Strategy>(strategy);
    return (*simulate(scenario))->iterationSeconds;
}

/// The row of `rows` whose text starts with `start`, or one without a time.
SetBack rowOf(const std::vector<SetBack> &rows, const char *start) {
    const auto row = std::find_if(rows.begin(), rows.end(), [start](const SetBack &r) { return r.what.starts_with(start); });
    return row == rows.end() ? SetBack{"no such row", 0, std::nan(""), {}} : *row;
}

} // namespace

class TestWinner : public QObject {
    Q_OBJECT

    const SearchRequest m_request = request(mixedJob(), plainCluster(3, 1e8));
    std::unique_ptr<Judge> m_judge = *makeJudge("simulated()");

private slots:
    /// A row equals the winner with its variables changed by hand to the builder's choice, and all else unchanged.
    void aPieceIsWhatAHandWouldDo() {
        const Strategy servers = built(m_request, "PS"), reduced = built(m_request, "AllReduce(chunk_size=1)");
        Strategy winner = reduced; // its second and fifth variable are served, unlike the builder's
        winner.nodes[1] = servers.nodes[1];
        winner.nodes[4] = servers.nodes[4];
        const auto rows = explainWinner(m_request, winner, reduced, *m_judge);
        QVERIFY2(rows, qPrintable(QString::fromStdString(rows ? "" : rows.error().toString())));
        QCOMPARE(rows->size(), std::size_t(3)); // both together, and each alone
        const SetBack both = rowOf(*rows, "2 variables: on a server; by the builder all-reduced");
        QCOMPARE(both.variables, 2);
        COMPARE_WITHIN(both.iterationSeconds, secondsOf(m_request, reduced), 1e-9);
        for (const std::size_t v : {std::size_t(1), std::size_t(4)}) {
            Strategy byHand = winner;
            byHand.nodes[v] = reduced.nodes[v];
            const SetBack alone = rowOf(*rows, (m_request.base.job->variables[v].name + ": ").c_str());
            QCOMPARE(alone.variables, 1);
            COMPARE_WITHIN(alone.iterationSeconds, secondsOf(m_request, byHand), 1e-9);
            COMPARE_ABOVE(std::abs(alone.iterationSeconds - both.iterationSeconds),
                          1e-6); // or both together would show nothing
        }
        QVERIFY(std::is_sorted(rows->begin(), rows->end(),
                               [](const SetBack &a, const SetBack &b) { return a.iterationSeconds > b.iterationSeconds; }));
    }

    /// Variables set back are not reduced together with the winner's variables whose group has the same number.
    void groupsAreNotMixedUp() {
        Cluster far = plainCluster(3, 1e9);
        far.latencySeconds = 5e-3; // an additional collective takes longer
        const SearchRequest distant = request(mixedJob(), far);
        const Strategy reduced = built(distant, "AllReduce(chunk_size=1)"); // variable 1 is in group 1
        Strategy winner = reduced;
        for (NodeConfig &node : winner.nodes)
            node.synchronizer.group = 1;
        winner.nodes[1].synchronizer.group = 0;
        const auto rows = explainWinner(distant, winner, reduced, *m_judge);
        QVERIFY(rows);
        const SetBack alone = rowOf(*rows, (distant.base.job->variables[1].name + ": ").c_str());
        Strategy apart = winner, together = winner;
        apart.nodes[1].synchronizer.group = 78;
        together.nodes[1].synchronizer.group = 1;
        COMPARE_ABOVE(std::abs(secondsOf(distant, apart) - secondsOf(distant, together)), 1e-6);
        COMPARE_WITHIN(alone.iterationSeconds, secondsOf(distant, apart), 1e-9);
    }

    void nothingDiffersFromItself() {
        const Strategy servers = built(m_request, "PS");
        const auto rows = explainWinner(m_request, servers, servers, *m_judge);
        QVERIFY(rows && rows->empty());
        Strategy other = servers;
        other.nodes.pop_back();
        QVERIFY(!explainWinner(m_request, other, servers, *m_judge));
    }

    void elsewhereIsAnotherCluster() {
        const std::vector<NamedStrategy> strategies{
            {"servers", std::make_shared<const Strategy>(built(m_request, "PS"))},
            {"reduced", std::make_shared<const Strategy>(built(m_request, "AllReduce(chunk_size=1)"))}};
        const auto rows = judgeElsewhere(m_request, strategies, *m_judge);
        QVERIFY(rows);
        QCOMPARE(rows->size(), std::size_t(2));
        for (const Elsewhere &row : *rows) {
            const Strategy &strategy = row.name == "servers" ? *strategies[0].strategy : *strategies[1].strategy;
            for (const auto &[condition, scale] : {std::pair(std::size_t(0), 1.0), {1, 0.5}, {2, 2.0}}) {
                SearchRequest scaled = m_request;
                scaled.base.cluster = std::make_shared<const Cluster>(plainCluster(3, 1e8 * scale));
                COMPARE_WITHIN(row.iterationSeconds[condition], secondsOf(scaled, strategy), 1e-12);
            }
            SearchRequest slowed = m_request;
            Cluster cluster = *m_request.base.cluster;
            cluster.nodes[2].computeScale = 2.0 / 3;
            slowed.base.cluster = std::make_shared<const Cluster>(cluster);
            COMPARE_WITHIN(row.iterationSeconds[3], secondsOf(slowed, strategy), 1e-12);
        }
        // The first has the smallest maximum regret, which equals that of the table's own figures.
        double worst = 0;
        for (std::size_t c = 0; c < elsewhereConditions().size(); ++c)
            worst = std::max(
                worst,
                (*rows)[0].iterationSeconds[c] / std::min((*rows)[0].iterationSeconds[c], (*rows)[1].iterationSeconds[c]) - 1);
        COMPARE_WITHIN((*rows)[0].worstRegret, worst, 1e-12);
        COMPARE_AT_MOST((*rows)[0].worstRegret, (*rows)[1].worstRegret);
    }

    /// Measured times of collectives are of the links as they are: everywhere they give way to modelled ones.
    void elsewhereHasNoMeasuredCollectives() {
        const std::vector<NamedStrategy> strategies{
            {"reduced", std::make_shared<const Strategy>(built(m_request, "AllReduce(chunk_size=1)"))}};
        SearchRequest measured = m_request;
        measured.base.collectiveCurves =
            std::make_shared<const std::vector<CollectiveCurve>>(1, CollectiveCurve{CollectiveKind::AllReduce, 3, {{0, 5, 0}}});
        COMPARE_ABOVE(secondsOf(measured, *strategies[0].strategy), 5);
        const auto rows = judgeElsewhere(measured, strategies, *m_judge),
                   modelled = judgeElsewhere(m_request, strategies, *m_judge);
        QVERIFY(rows && modelled);
        QVERIFY(rows->front().iterationSeconds == modelled->front().iterationSeconds);
    }

    void theTunedBuilderIsTheBar() {
        auto method = randomSearch(m_request);
        SearchObserver silent;
        const auto history = search(m_request, *method, silent);
        QVERIFY(history);
        const auto tuned = tuneBaselines(m_request, *m_judge);
        QVERIFY(tuned);
        const auto builder = bestBuilder(m_request, *history, *tuned);
        QVERIFY(builder);
        double best = HUGE_VAL;
        for (const TunedBaseline &own : *tuned)
            best = std::min(best, own.metrics.iterationSeconds);
        COMPARE_WITHIN(secondsOf(m_request, *builder->strategy), best, 1e-12);
        const auto contenders = bestStrategies(*history, m_request.objective, *method, 3, *builder);
        QVERIFY(contenders);
        QCOMPARE(contenders->size(), std::size_t(4));
        QCOMPARE(contenders->back().name, builder->name);
        const auto first = static_cast<std::size_t>(history->bestTrial(m_request.objective));
        COMPARE_WITHIN(secondsOf(m_request, *contenders->front().strategy), history->trials[first].metrics.iterationSeconds,
                       1e-12);
    }

    /// A strategy that was tried twice is one contender, also where figures are not known, as of a job without a batch size.
    void contendersDiffer() {
        auto method = randomSearch(m_request);
        SearchObserver silent;
        auto history = search(m_request, *method, silent);
        QVERIFY(history);
        for (SearchTrial &trial : history->trials)
            trial.metrics.samplesPerSecond = std::nan("");
        const SearchTrial again = history->trials[static_cast<std::size_t>(history->bestTrial(m_request.objective))];
        history->trials.push_back(again);
        const NamedStrategy builder{"PS", std::make_shared<const Strategy>(built(m_request, "PS"))};
        const auto contenders = bestStrategies(*history, m_request.objective, *method, 2, builder);
        VERIFY_VALUE(contenders);
        QCOMPARE(contenders->size(), std::size_t(3));
        QVERIFY((*contenders)[0].strategy->nodes != (*contenders)[1].strategy->nodes);
    }

    /// Recorded times are of one cluster, so they say nothing of others.
    void recordedTimesAreOfOneCluster() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("times.csv")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("strategy,seconds\nPS,0.3\nAllReduce,0.2\n");
        file.close();
        const auto recorded = makeJudge("imported(\"" + file.fileName().toStdString() + "\")");
        VERIFY_VALUE(recorded);
        SearchRequest few = m_request;
        few.trials = 1;
        auto method = randomSearch(few);
        SearchObserver silent;
        const auto history = runSearch(few, *method, **recorded, silent);
        VERIFY_VALUE(history);
        const auto report = reportWinner(few, *method, **recorded, *history, {});
        VERIFY_VALUE(report);
        QCOMPARE(report->winnerSeconds, 0.2);
        QVERIFY(report->elsewhere.empty());
        QVERIFY(m_judge->followsCluster());
    }

    void aStopEndsIt() {
        std::stop_source stop;
        stop.request_stop();
        const Strategy servers = built(m_request, "PS"), reduced = built(m_request, "AllReduce");
        const auto rows = explainWinner(m_request, servers, reduced, *m_judge, stop.get_token());
        QVERIFY(!rows && rows.error().kind == ErrorKind::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestWinner)
#include "tst_winner.moc"
