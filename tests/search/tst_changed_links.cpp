// SPDX-License-Identifier: GPL-3.0-or-later
// Links that changed their rate while a job trained over them (tests/data/measured/changing), compared with the present
// simulation of each iteration.
#include "engine/base/input_file.h"
#include "engine/base/median.h"
#include "engine/cluster/cluster_file.h"
#include "engine/job/job_file.h"
#include "engine/parse/csv_table.h"
#include "engine/search/tune/retuning.h"
#include "engine/trial/judge.h"
#include "tests/checks.h"

#include <QtTest>
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

const std::string folder = std::string(SYNCOPATE_SOURCE) + "/tests/data/measured/changing/";
constexpr double slowGbits = 0.1;

struct MeasuredIteration {
    std::string arm;
    double round = 0, iteration = 0, gbits = 0, partitionBytes = 0, creditBytes = 0, seconds = 0;
    bool settled = false; ///< not among the first two at its rate
};

std::vector<MeasuredIteration> readIterations() {
    const std::string path = folder + "runs.csv";
    const CsvTable table = must(CsvTable::parse(must(readInputFile(path)), path, {"arm", "measured_seconds"}, "arm"));
    std::vector<MeasuredIteration> rows;
    double before = -1, since = 0;
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        const auto number = [&](const char *column) { return must(table.number(row, column, 0, 1e12)); };
        rows.push_back({table.text(row, "arm"), number("round"), number("iteration"), number("bandwidth_gbits"),
                        number("partition_bytes"), number("credit_bytes"), number("measured_seconds")});
        since = rows.back().gbits == before && rows.back().iteration > 0 ? since + 1 : 0;
        before = rows.back().gbits;
        rows.back().settled = since >= 2;
    }
    return rows;
}

ScenarioRecipe recipe() {
    ScenarioRecipe recipe;
    recipe.job = std::make_shared<const Job>(must(readJobFile(folder + "job.json")));
    recipe.cluster = std::make_shared<const Cluster>(must(readClusterFile(folder + "cluster.yml")));
    recipe.strategy = BuiltStrategy{"PS"};
    recipe.policy = must(parsePolicy("bytescheduler(barrier=off)"));
    return recipe;
}

} // namespace

class TestChangedLinks : public QObject {
    Q_OBJECT

    std::vector<MeasuredIteration> m_rows;
    std::map<std::tuple<double, double, double>, double> m_predicted; ///< by rate, partition and credit

    double predicted(const MeasuredIteration &row) {
        auto &seconds = m_predicted[{row.gbits, row.partitionBytes, row.creditBytes}];
        if (seconds == 0) {
            Condition condition;
            condition.bandwidthGbits = row.gbits;
            const auto space = must(TuneSpace::make(underCondition(recipe(), condition), TuneSpace::partitionAndCredit()));
            const Scenario scenario = must(space.scenarioOf({row.partitionBytes, row.creditBytes}));
            seconds = must(must(makeJudge("simulated()"))->judge(scenario, {})).iterationSeconds;
        }
        return seconds;
    }
    /// Median time of an arm's iterations at one rate.
    double settled(const std::string &arm, bool slow) {
        std::vector<double> seconds;
        for (const MeasuredIteration &row : m_rows)
            if (row.arm == arm && (row.gbits == slowGbits) == slow && row.settled)
                seconds.push_back(row.seconds);
        return median(seconds);
    }

private slots:
    void initTestCase() { m_rows = readIterations(); }

    /// Settled iterations of every setting at every rate. Only message costs were fitted, to single messages; on fast links, 4
    /// KiB messages cost less, as a process reads several at a time.
    void iterationsTakeWhatIsPredicted() {
        std::map<std::tuple<double, double, double>, std::vector<double>> measured;
        for (const MeasuredIteration &row : m_rows)
            if (row.settled)
                measured[{row.gbits, row.partitionBytes, row.creditBytes}].push_back(row.seconds / predicted(row));
        QCOMPARE(measured.size(), std::size_t{17});
        std::vector<double> errors;
        for (const auto &[setting, ratios] : measured) {
            const auto &[gbits, partition, credit] = setting;
            const double error = 1 / median(ratios) - 1;
            const std::string name =
                std::to_string(gbits) + " Gbit/s, " + std::to_string(partition) + ", " + std::to_string(credit);
            COMPARE_AT_LEAST(error, -0.05, name);
            COMPARE_AT_MOST(error, gbits > slowGbits && partition < 5000 ? 0.5 : 0.02, name);
            errors.push_back(std::abs(error));
        }
        COMPARE_AT_MOST(median(errors), 0.03);
    }

    /// A setting tuned for the slow links is as good as any there. On fast ones re-tuning gains a few percent where predicted,
    /// nothing where not, and not a gain that is only due to the cost of small messages.
    void tuningAgainGainsWhatIsPredicted() {
        const double slow = settled("bo() once", true), fast = settled("bo() once", false);
        for (const char *arm : {"bo() re-tuned", "random() re-tuned", "coordinate() once", "grid(steps=5) once", "oracle"})
            COMPARE_WITHIN(settled(arm, true) / slow, 1.0, 0.03, arm);
        COMPARE_AT_LEAST(settled("default", true) / slow, 1.2);
        COMPARE_AT_LEAST(settled("default", false) / fast, 1.4);
        COMPARE_WITHIN(settled("bo() re-tuned", false) / fast, 1.0, 0.01);
        COMPARE_WITHIN(settled("coordinate() once", false) / settled("coordinate() re-tuned", false), 1.04, 0.02);
        COMPARE_WITHIN(settled("grid(steps=5) once", false) / settled("grid(steps=5) re-tuned", false), 1.01, 0.02);
    }

    /// In total, the arm without a search takes the time that playRetuning() predicts for the schedule that was run.
    void theDefaultIsPlayedAsItWasMeasured() {
        const auto schedule = must(readConditions(folder + "conditions.csv"));
        RetuningOptions options;
        options.method = "random";
        options.evaluations = 1;
        options.grid = {};
        std::vector<std::vector<double>> rounds(2);
        for (const MeasuredIteration &row : m_rows)
            if (row.arm == "default" && row.round <= 2)
                rounds[static_cast<std::size_t>(row.round) - 1].push_back(row.seconds);
        QCOMPARE(rounds[1].size(), rounds[0].size());
        options.iterations = static_cast<std::int32_t>(rounds[0].size());
        const auto judge = must(makeJudge("simulated()"));
        const auto arms = must(playRetuning(recipe(), TuneSpace::partitionAndCredit(), schedule, options, *judge));
        for (std::size_t r = 0; r < rounds.size(); ++r) {
            const double sum = std::accumulate(rounds[r].begin(), rounds[r].end(), 0.0);
            COMPARE_WITHIN(arms[0].totalSeconds / sum, 1.0, 0.06, QString("round %1").arg(r + 1));
        }
    }
};

QTEST_GUILESS_MAIN(TestChangedLinks)
#include "tst_changed_links.moc"
