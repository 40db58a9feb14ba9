// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/batch.h"
#include "engine/query/query_cells.h"
#include "engine/query/run_tables.h"
#include "engine/query/span_table.h"

#include <cmath>
#include <limits>
#include <utility>

namespace syncopate {

namespace {

using namespace query_cells;

/// Figures for each trial in the course of the search.
struct TrialProgress {
    std::vector<double> best, hitRate;
};
TrialProgress progressOf(const SearchState &search) {
    TrialProgress made;
    SearchTally tally(search.plan.objective, search.history.baselines);
    double best = std::numeric_limits<double>::quiet_NaN();
    for (const SearchTrial &trial : search.history.trials) {
        const double before = tally.bestTrial();
        tally.add(trial);
        if (tally.bestTrial() < before)
            best = trial.metrics.iterationSeconds;
        made.best.push_back(best);
        made.hitRate.push_back(tally.hitRate());
    }
    return made;
}

/// NULL where the time is not known or not steady, as in the JSON of a search.
QueryCell confidence(const CandidateMetrics &metrics) {
    return std::isfinite(metrics.confidence) ? QueryCell(metrics.confidence) : QueryCell();
}

QueryCell trialCell(const SearchState &search, const TrialProgress &progress, std::size_t t, std::size_t column) {
    const SearchTrial &trial = search.history.trials[t];
    const CandidateMetrics &metrics = trial.metrics;
    switch (column) {
    case 1:
        return number(static_cast<std::int64_t>(trial.trial));
    case 2:
        return nanoseconds(metrics.iterationSeconds);
    case 3:
        return confidence(metrics);
    case 4:
        return nanoseconds(metrics.exposedSeconds);
    case 5:
        return nanoseconds(metrics.communicationSeconds);
    case 6:
        return samplesOnly(!search.plan.state.job || statesBatch(*search.plan.state.job),
                           metrics.samplesPerSecond); // NaN is NULL
    case 7:
        return nanoseconds(progress.best[t]);
    case 8:
        return progress.hitRate[t];
    case 9:
        return number(metrics.psVariables);
    case 10:
        return number(metrics.partitionedVariables);
    case 11:
        return number(metrics.shards);
    case 12:
        return number(metrics.servers);
    case 13:
        return number(metrics.groups);
    default:
        return text(trial.error);
    }
}

} // namespace

TablePointer makeTrialTable(const std::shared_ptr<const SearchState> &search) {
    auto progress = std::make_shared<Lazy<TrialProgress>>([search] { return progressOf(*search); });
    return std::make_unique<SideTable>(
        "trials", "the candidates of the search, in their order",
        std::vector<QueryColumn>{
            {"trial_id", "INTEGER", "key"},
            {"trial", "INTEGER", "number of the trial, from 0"},
            {"iteration_ns", "INTEGER", "ns; NULL where it could not be judged"},
            {"confidence", "REAL", "share by which iteration_ns may differ; 0 = exact, NULL = unknown or not steady"},
            {"exposed_ns", "INTEGER", "exposed communication, ns"},
            {"communication_ns", "INTEGER", "ns"},
            {"samples_per_second", "REAL", "throughput; NULL where the job does not state its batch"},
            {"best_so_far_ns", "INTEGER", "ns"},
            {"hit_rate", "REAL", "trials better than the best builder / trials so far"},
            {"ps_variables", "INTEGER", "variables on parameter servers"},
            {"partitioned_variables", "INTEGER", "variables that are cut"},
            {"shards", "INTEGER", "parts of all variables"},
            {"servers", "INTEGER", "reduction destinations"},
            {"groups", "INTEGER", "all-reduce groups"},
            {"error", "TEXT", "why it has no times"}},
        std::vector<std::size_t>{search ? search->history.trials.size() : 0},
        [search, progress](std::size_t, std::size_t index, std::size_t column) {
            return trialCell(*search, progress->get(), index, column);
        });
}

std::vector<TablePointer> queryTables(const QueryInput &input) {
    const auto firstOf = [](const std::vector<std::size_t> &counts) {
        std::vector<std::size_t> first;
        std::size_t next = 0;
        for (const std::size_t count : counts) {
            first.push_back(next);
            next += count;
        }
        return first;
    };
    const std::vector<QuerySide> &sides = input.sides;
    std::vector<TablePointer> tables;
    tables.push_back(std::make_unique<SpanTable>(sides, firstOf(taskCounts(sides)), firstOf(variableCounts(sides))));
    tables.push_back(makeStepTable(sides));
    tables.push_back(makeTaskTable(sides));
    tables.push_back(makeVariableTable(sides));
    tables.push_back(makeLinkTable(sides));
    tables.push_back(makeTrialTable(input.search));
    return tables;
}

QuerySide querySide(std::string name, const std::shared_ptr<const Run> &run) {
    return {std::move(name), run, run.get(), run.get()};
}

QuerySide querySide(std::string name, std::shared_ptr<const Recording> recording,
                    std::shared_ptr<const ImportedProfile> profile) {
    return {std::move(name), std::move(recording), nullptr, nullptr, std::move(profile)};
}

std::optional<QuerySpan> spanOfKey(const QueryInput &input, std::int64_t key) {
    if (key < 0)
        return {};
    auto left = static_cast<std::uint64_t>(key);
    for (std::size_t s = 0; s < input.sides.size(); ++s) {
        const auto &lanes = input.sides[s].recording->timeline.lanes;
        for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
            if (left < lanes[lane].size())
                return QuerySpan{s, {lane, static_cast<std::size_t>(left)}};
            left -= lanes[lane].size();
        }
    }
    return {};
}

} // namespace syncopate
