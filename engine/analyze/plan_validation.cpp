// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/plan_validation.h"

#include "engine/analyze/rank_correlation.h"
#include "engine/base/input_file.h"
#include "engine/base/median.h"
#include "engine/parse/csv_table.h"
#include "engine/simulate/planned_run.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

namespace syncopate {

namespace {

/// Names from a table become names of files in the folder, and must not lead out of it.
Result<std::string> fileNameOf(const std::string &name, const std::string &file, const std::string &place) {
    if (name.empty() || name.size() > 200 || name.find_first_of("/\\") != std::string::npos || name[0] == '.')
        return fail("a plan or DAG is named by a plain file name", "write letters, digits, - and _", file, place);
    return name;
}

/// A plan with the median of its measured iterations.
struct MeasuredPlan {
    double measuredSeconds = 0, predictedSeconds = 0;
};

/// The plans of some rows, each once: it may have been measured in several rounds. A plan of one DAG is another one for another.
std::vector<MeasuredPlan> plansOf(const std::vector<const PlanRow *> &rows) {
    std::map<std::pair<std::string, std::string>, std::pair<std::vector<double>, double>> known; // by DAG and plan
    for (const PlanRow *row : rows) {
        auto &[measured, predicted] = known[{row->dag, row->plan}];
        measured.push_back(row->measuredSeconds);
        predicted = row->predictedSeconds;
    }
    std::vector<MeasuredPlan> plans;
    for (auto &[plan, seconds] : known)
        plans.push_back({median(std::move(seconds.first)), seconds.second});
    return plans;
}

PlanRanking rank(std::vector<std::string> dags, const std::vector<const PlanRow *> &rows) {
    const std::vector<MeasuredPlan> plans = plansOf(rows);
    PlanRanking ranking{.dags = std::move(dags), .plans = static_cast<std::int32_t>(plans.size())};
    std::vector<double> measured, predicted, chosen;
    for (const MeasuredPlan &plan : plans) {
        measured.push_back(plan.measuredSeconds);
        predicted.push_back(plan.predictedSeconds);
    }
    const double bestPredicted = *std::ranges::min_element(predicted);
    for (const MeasuredPlan &plan : plans)
        if (plan.predictedSeconds == bestPredicted)
            chosen.push_back(plan.measuredSeconds);
    ranking.bestSeconds = *std::ranges::min_element(measured);
    ranking.chosenSeconds = median(std::move(chosen));
    ranking.spearman = spearman(measured, predicted);
    return ranking;
}

/// PlanValidation::rankings.
std::vector<PlanRanking> rankingsOf(const std::vector<PlanRow> &rows) {
    std::map<std::string, std::vector<const PlanRow *>> byDag;
    for (const PlanRow &row : rows)
        byDag[row.dag].push_back(&row);
    std::vector<PlanRanking> rankings;
    for (const auto &[dag, own] : byDag)
        rankings.push_back(rank({dag}, own));
    std::set<std::string> variants;
    for (const auto &[dag, own] : byDag) {
        if (variants.contains(dag))
            continue;
        std::vector<std::string> dags{dag};
        std::vector<const PlanRow *> all = own;
        for (const auto &[other, others] : byDag)
            if (other.starts_with(dag + "-")) {
                variants.insert(other);
                dags.push_back(other);
                all.insert(all.end(), others.begin(), others.end());
            }
        if (dags.size() > 1)
            rankings.push_back(rank(std::move(dags), all));
    }
    return rankings;
}

/// Plays the plan of row `r` in `folder`/runs.csv.
Result<PlanRow> validateRow(const std::string &folder, const CsvTable &table, std::size_t r, const MotifCosts &costs) {
    const std::string path = folder + "/runs.csv";
    PlanRow row;
    row.plan = TRY(fileNameOf(table.text(r, "plan"), path, table.place(r)));
    row.dag = TRY(fileNameOf(table.text(r, "dag"), path, table.place(r)));
    row.measuredSeconds = TRY(table.number(r, "iteration_seconds_median", 1e-9, 1e9));
    row.measuredIdleRatio = TRY(table.number(r, "compute_idle_share", 0, 1));
    const auto dag = TRY(readTrainingDagFile(folder + "/dags/" + row.dag + ".dag.json"));
    const auto plan = TRY(readExecutionPlanFile(folder + "/plans/" + row.plan + ".plan.json", dag));
    const PlannedRun run = TRY(inFile(playPlan(dag, plan, costs), folder + "/plans/" + row.plan + ".plan.json"));
    row.predictedSeconds = run.iterationSeconds;
    row.predictedIdleRatio = run.computeIdleRatio();
    return row;
}

} // namespace

bool isPlanFolder(const std::string &folder) {
    std::error_code ignored;
    return std::filesystem::is_directory(folder + "/plans", ignored) &&
           std::filesystem::is_directory(folder + "/dags", ignored) && std::filesystem::exists(folder + "/runs.csv", ignored);
}

Result<PlanValidation> validatePlans(const std::string &folder) {
    const std::string path = folder + "/runs.csv";
    const auto table =
        TRY(CsvTable::parse(TRY(readInputFile(path)), path, {"plan", "dag", "iteration_seconds_median", "compute_idle_share"},
                            "plan,dag,iteration_seconds_median,compute_idle_share,..."));
    const MotifCosts costs = TRY(readMotifCostsFile(folder + "/collectives.csv"));
    PlanValidation validation;
    std::vector<double> errors;
    for (std::size_t r = 0; r < table.rowCount(); ++r) {
        validation.rows.push_back(TRY(validateRow(folder, table, r, costs)));
        errors.push_back(std::abs(validation.rows.back().error()));
    }
    if (validation.rows.empty())
        return fail("there is no run in it", "add one line per run", path);
    validation.medianError = median(errors);
    validation.maxError = *std::max_element(errors.begin(), errors.end());
    validation.rankings = rankingsOf(validation.rows);
    return validation;
}

} // namespace syncopate
