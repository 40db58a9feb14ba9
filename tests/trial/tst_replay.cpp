// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates of a search that were replayed on real links (tests/data/measured/replay), compared with their present simulation:
// shows if a change of the simulation departs from the measurements.
#include "engine/analyze/rank_correlation.h"
#include "engine/base/input_file.h"
#include "engine/cluster/cluster_file.h"
#include "engine/job/job_file.h"
#include "engine/parse/csv_table.h"
#include "engine/strategy/strategy_file.h"
#include "engine/trial/judge.h"
#include "tests/checks.h"

#include <QtTest>
#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

const std::string folder = std::string(SYNCOPATE_SOURCE) + "/tests/data/measured/replay/";

/// A candidate: its present simulated seconds per iteration, and the median of each of its replays.
struct Replayed {
    std::string source;
    double predictedSeconds = 0;
    std::vector<double> measuredSeconds{};
    [[nodiscard]] double median() const {
        std::vector<double> sorted = measuredSeconds;
        std::sort(sorted.begin(), sorted.end());
        return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
    }
    [[nodiscard]] bool isFrom(const std::string &word) const {
        return ("+" + source + "+").find("+" + word + "+") != std::string::npos;
    }
};

std::map<std::string, Replayed> readCandidates() {
    const std::string path = folder + "runs.csv";
    const CsvTable table =
        must(CsvTable::parse(must(readInputFile(path)), path, {"candidate", "source", "measured_seconds"}, "candidate"));
    std::map<std::string, Replayed> candidates;
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        Replayed &candidate = candidates[table.text(row, "candidate")];
        candidate.source = table.text(row, "source");
        candidate.measuredSeconds.push_back(must(table.number(row, "measured_seconds", 1e-6, 1e3)));
    }
    Scenario scenario;
    scenario.job = std::make_shared<const Job>(must(readJobFile(folder + "job.json")));
    scenario.cluster = std::make_shared<const Cluster>(must(readClusterFile(folder + "cluster.yml")));
    const auto judge = must(makeJudge("simulated()"));
    for (auto &[name, candidate] : candidates) {
        const Strategy strategy = must(readStrategyFile(folder + "strategies/" + name + ".json"));
        scenario.strategy = std::make_shared<const Strategy>(must(matchStrategy(strategy, *scenario.job)));
        candidate.predictedSeconds = must(judge->judge(scenario, {})).iterationSeconds;
    }
    return candidates;
}

} // namespace

class TestReplay : public QObject {
    Q_OBJECT

    std::map<std::string, Replayed> m_candidates;

private slots:
    void initTestCase() { m_candidates = readCandidates(); }

    /// The five best and five random candidates, chosen so that neighbouring predictions differ by more than 3 %, the
    /// simulation's error, rank nearly as measured.
    void predictionsOrderCandidatesAsMeasured() {
        std::vector<double> predicted, measured;
        for (const auto &[name, candidate] : m_candidates)
            if (candidate.isFrom("top_apart") || candidate.isFrom("random_apart")) {
                predicted.push_back(candidate.predictedSeconds);
                measured.push_back(candidate.median());
            }
        QCOMPARE(predicted.size(), std::size_t{10});
        COMPARE_AT_LEAST(spearman(predicted, measured), 0.9);
    }

    /// Large all-reduces, and servers on two slow nodes, take longer than predicted; nothing is faster by more than 3 %.
    void predictionsMissByLessThanSaid() {
        std::vector<double> errors;
        for (const auto &[name, candidate] : m_candidates) {
            const double error = candidate.predictedSeconds / candidate.median() - 1;
            COMPARE_AT_LEAST(error, -0.15, name);
            COMPARE_AT_MOST(error, 0.03, name);
            errors.push_back(std::abs(error));
        }
        std::sort(errors.begin(), errors.end());
        QCOMPARE(errors.size(), std::size_t{20});
        COMPARE_AT_MOST((errors[9] + errors[10]) / 2, 0.035);
    }

    /// The slowest replay of the winner is faster than the fastest of the best builders, tuned or with defaults.
    void theWinnerIsFasterThanTheBuilders() {
        const auto winner = std::min_element(m_candidates.begin(), m_candidates.end(), [](const auto &a, const auto &b) {
            return a.second.predictedSeconds < b.second.predictedSeconds;
        });
        QVERIFY2(winner->second.isFrom("top"), winner->first.c_str());
        const auto &own = winner->second.measuredSeconds;
        for (const char *builder : {"builder", "tuned_builder"}) {
            const auto &others = m_candidates.at(builder).measuredSeconds;
            COMPARE_AT_MOST(*std::max_element(own.begin(), own.end()), 0.87 * *std::min_element(others.begin(), others.end()),
                            builder);
            COMPARE_BELOW(winner->second.predictedSeconds, m_candidates.at(builder).predictedSeconds, builder);
        }
    }
};

QTEST_GUILESS_MAIN(TestReplay)
#include "tst_replay.moc"
