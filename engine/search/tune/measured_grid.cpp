// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/tune/measured_grid.h"

#include "engine/job/batch.h"
#include "engine/job/job_file.h"
#include "engine/search/tune/meta_tuner.h"
#include "engine/search/tune/tuners.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace syncopate {

namespace {

constexpr double beyondLargest = 4; ///< factor for whole layers and unlimited credit

/// Largest finite partition and credit of the rows.
std::pair<double, double> largestOf(const std::vector<ValidationRow> &rows) {
    std::pair<double, double> largest{1, 1};
    for (const ValidationRow &row : rows) {
        largest.first = std::max(largest.first, row.partitionBytes);
        largest.second = std::max(largest.second, row.creditBytes);
    }
    return largest;
}

Result<TuneSpace> spaceOf(const std::string &folder, const std::vector<ValidationRow> &rows) {
    const ValidationRow &first = rows.front();
    ScenarioRecipe recipe;
    recipe.job = std::make_shared<const Job>(TRY(readJobFile(folder + "/jobs/" + first.job + ".job.json")));
    Cluster cluster = uniformCluster(first.workers, first.bandwidthGbits);
    const bool servers = first.architecture == "bsps";
    recipe.cluster = std::make_shared<const Cluster>(servers ? withDedicatedServers(std::move(cluster), 1) : std::move(cluster));
    recipe.strategy = BuiltStrategy{servers ? "PS" : "AllReduce(chunk_size=1)"};
    recipe.policy = TRY(parsePolicy("bytescheduler"));
    double smallest = std::numeric_limits<double>::infinity();
    for (const ValidationRow &row : rows)
        if (row.partitionBytes > 0)
            smallest = std::min(smallest, row.partitionBytes);
    const auto [partition, credit] = largestOf(rows);
    return TuneSpace::make(std::move(recipe),
                           {{*scenarioSpace().indexOf("partition"), smallest, partition, Scale::Logarithmic, {}},
                            {*scenarioSpace().indexOf("credit"), smallest, credit, Scale::Logarithmic, {}}});
}

/// Answers with the prediction for the nearest row.
class NearestRow final : public Judge {
public:
    explicit NearestRow(const MeasuredGrid &grid) : m_grid(grid) {}
    [[nodiscard]] std::string text() const override { return "measured settings, as predicted"; }
    [[nodiscard]] bool isDeterministic() const override { return true; }
    [[nodiscard]] Result<Verdict> judge(const Scenario &scenario, std::stop_token /*stop*/) override {
        const ValidationRow &row = m_grid.nearest(scenario.policy.value("partition"), scenario.policy.value("credit"));
        Verdict verdict;
        verdict.iterationSeconds = row.predictedSeconds;
        verdict.samplesPerSecond =
            countOfStep(*scenario.job) * static_cast<double>(scenario.cluster->replicaCount()) / row.predictedSeconds;
        return verdict;
    }

private:
    const MeasuredGrid &m_grid;
};

const ValidationRow &shippedRow(const MeasuredGrid &grid) {
    const std::vector<double> values = grid.space.defaultValues();
    return grid.nearest(values[0], values[1]);
}

MeasuredChoice choice(const MeasuredGrid &grid, std::string method, const ValidationRow &row) {
    const double best = grid.measuredBest().measuredSeconds;
    const ValidationRow &shipped = shippedRow(grid);
    const bool changes = shipped.predictedSeconds / row.predictedSeconds - 1 >= MetaTuner::minGain;
    return {std::move(method), 0, 0, row, row.measuredSeconds / best - 1, (changes ? row : shipped).measuredSeconds / best - 1};
}

} // namespace

const ValidationRow &MeasuredGrid::nearest(double partitionBytes, double creditBytes) const {
    const auto [partition, credit] = largestOf(rows);
    const auto distance = [&, largestPartition = partition, largestCredit = credit](const ValidationRow &row) {
        const double p = row.partitionBytes > 0 ? row.partitionBytes : beyondLargest * largestPartition;
        const double c = row.creditBytes > 0 ? row.creditBytes : beyondLargest * largestCredit;
        return std::hypot(std::log(p / partitionBytes), std::log(c / creditBytes));
    };
    return *std::min_element(rows.begin(), rows.end(),
                             [&](const ValidationRow &a, const ValidationRow &b) { return distance(a) < distance(b); });
}

const ValidationRow &MeasuredGrid::measuredBest() const {
    return *std::min_element(rows.begin(), rows.end(), [](const ValidationRow &a, const ValidationRow &b) {
        return a.measuredSeconds < b.measuredSeconds;
    });
}

std::string MeasuredGrid::name() const {
    return fmt::format("{},{},{},{}", first.job, first.architecture, first.workers, first.bandwidthGbits);
}

Result<std::vector<MeasuredGrid>> readMeasuredGrids(const std::string &folder) {
    const Validation validation = TRY(validateFolder(folder));
    std::map<std::string, MeasuredGrid> largest; // per name, the scheduler with most settings
    std::vector<std::string> order;
    for (const ValidationGrid &known : validation.grids) {
        if (!known.first.policy.empty()) // not of partition and credit
            continue;
        TuneSpace space = TRY(spaceOf(folder, known.settings));
        MeasuredGrid grid{known.first, known.settings, std::move(space)};
        const std::string name = grid.name();
        const auto found = largest.find(name);
        if (found == largest.end()) {
            order.push_back(name);
            largest.emplace(name, std::move(grid));
        } else if (grid.rows.size() > found->second.rows.size()) {
            found->second = std::move(grid);
        }
    }
    if (order.empty())
        return fail("no job was measured with three settings or more", "name a folder laid out as tests/data/measured/sched",
                    folder + "/runs.csv");
    std::vector<MeasuredGrid> grids;
    for (const std::string &name : order)
        grids.push_back(std::move(largest.at(name)));
    return grids;
}

Result<const MeasuredGrid *> findMeasuredGrid(const std::vector<MeasuredGrid> &grids, std::string_view row) {
    std::string names;
    for (const MeasuredGrid &grid : grids) {
        if (grid.name() == row)
            return &grid;
        names += (names.empty() ? "" : "; ") + grid.name();
    }
    return fail(fmt::format("nothing was measured for the row '{}'", row), "use one of " + names, "--row");
}

Result<MeasuredChoice> chooseMeasured(const MeasuredGrid &grid, const std::string &expression, std::uint64_t seed,
                                      std::uint64_t evaluations) {
    const auto tuner = TRY(makeTuner(expression, grid.space, seed));
    constexpr std::uint64_t maxPoints = 1000;
    NearestRow judge(grid);
    const Tuning tuning = TRY(runTuning(*tuner, judge, {evaluationsOf(*tuner, evaluations, maxPoints), 1}));
    const TuneStep &best = tuning.path[tuning.best().value_or(0)];
    MeasuredChoice chosen = choice(grid, tuning.method, grid.nearest(best.values[0], best.values[1]));
    chosen.evaluations = tuning.path.size();
    chosen.iterations = tuning.iterations();
    return chosen;
}

MeasuredChoice shippedChoice(const MeasuredGrid &grid) { return choice(grid, "default", shippedRow(grid)); }

} // namespace syncopate
