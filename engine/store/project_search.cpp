// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/project_search.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace syncopate {

// A candidate's id is its trial's number, or -1 - i of baseline i.
const char *const searchSchema = R"(
    CREATE TABLE search(method TEXT NOT NULL, objective INTEGER NOT NULL, seed INTEGER NOT NULL, trials INTEGER NOT NULL,
        whole_up_to REAL NOT NULL, split_from REAL NOT NULL, least_parts INTEGER NOT NULL, most_parts INTEGER NOT NULL,
        balance INTEGER NOT NULL, temperature REAL NOT NULL, merge INTEGER NOT NULL, least_groups INTEGER NOT NULL,
        most_groups INTEGER NOT NULL, ps INTEGER NOT NULL, all_reduce INTEGER NOT NULL, draw_shares INTEGER NOT NULL);
    CREATE TABLE candidate(id INTEGER PRIMARY KEY, builder TEXT NOT NULL, error TEXT NOT NULL, strategy INTEGER,
        pinned INTEGER NOT NULL, iteration_seconds REAL, exposed_seconds REAL, communication_seconds REAL,
        samples_per_second REAL, ps_variables INTEGER NOT NULL, partitioned_variables INTEGER NOT NULL,
        shards INTEGER NOT NULL, servers INTEGER NOT NULL, groups INTEGER NOT NULL, ps_bytes REAL NOT NULL,
        largest_server_bytes REAL NOT NULL);
)";

namespace {

constexpr std::size_t mostBaselines = 1000;

// What went in comes out in the same order: keep the two in step.

void bindMetrics(Statement &row, const CandidateMetrics &metrics) {
    row.bind(metrics.iterationSeconds).bind(metrics.exposedSeconds); // NaN is null
    row.bind(metrics.communicationSeconds).bind(metrics.samplesPerSecond);
    row.bind(metrics.psVariables).bind(metrics.partitionedVariables).bind(metrics.shards);
    row.bind(metrics.servers).bind(metrics.groups).bind(metrics.psBytes).bind(metrics.largestServerBytes);
}

std::int32_t count(Statement &row) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(row.integer(), 0, std::numeric_limits<std::int32_t>::max()));
}

CandidateMetrics metricsOf(Statement &row) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    CandidateMetrics metrics;
    metrics.iterationSeconds = row.optionalNumber().value_or(none);
    metrics.exposedSeconds = row.optionalNumber().value_or(none);
    metrics.communicationSeconds = row.optionalNumber().value_or(none);
    metrics.samplesPerSecond = row.optionalNumber().value_or(none);
    metrics.psVariables = count(row);
    metrics.partitionedVariables = count(row);
    metrics.shards = count(row);
    metrics.servers = count(row);
    metrics.groups = count(row);
    metrics.psBytes = row.optionalNumber().value_or(0);
    metrics.largestServerBytes = row.optionalNumber().value_or(0);
    return metrics;
}

Result<void> writeCandidates(Database &file, ObjectWriter &objects, const SearchState &search) {
    Statement row(file, "INSERT INTO candidate VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    const auto write = [&](std::int64_t id, std::string_view builder, const auto &entry) {
        row.bind(id).bind(builder).bind(std::string_view(entry.error)).bind(objects.strategy(entry.strategy));
        row.bind(search.pins.contains(id));
        bindMetrics(row, entry.metrics);
        return row.run();
    };
    for (std::size_t b = 0; b < search.history.baselines.size(); ++b) {
        const SearchBaseline &baseline = search.history.baselines[b];
        TRY(write(-1 - static_cast<std::int64_t>(b), baseline.builder, baseline));
    }
    for (const SearchTrial &trial : search.history.trials)
        TRY(write(static_cast<std::int64_t>(trial.trial), "", trial));
    return {};
}

Result<void> readCandidates(Database &file, ObjectReader &objects, SearchState &search) {
    // Baselines in their order, then trials in theirs.
    Statement rows(file, "SELECT * FROM candidate ORDER BY id < 0 DESC, abs(id)");
    SearchHistory &history = search.history;
    for (;;) {
        const auto row = TRY(rows.step());
        if (!row)
            return {};
        const std::int64_t id = rows.integer();
        const bool isBaseline = id < 0;
        const auto expected = isBaseline ? -1 - static_cast<std::int64_t>(history.baselines.size())
                                         : static_cast<std::int64_t>(history.trials.size());
        if (id != expected || history.trials.size() >= SearchRequest::mostTrials || history.baselines.size() > mostBaselines)
            return fail("the search in the project lacks trials or has too many", "the file is damaged: open an older copy",
                        file.path());
        std::string builder = rows.text(), error = rows.text();
        const auto strategyId = rows.optionalInteger();
        if (rows.integer() != 0)
            search.pins.insert(id);
        const CandidateMetrics metrics = metricsOf(rows);
        auto strategy = TRY(objects.strategy(strategyId, search.plan.state.job));
        if (isBaseline)
            history.baselines.push_back({std::move(builder), metrics, std::move(strategy), std::move(error)});
        else
            history.trials.push_back({static_cast<std::uint64_t>(id), metrics, std::move(error), std::move(strategy)});
    }
}

} // namespace

Result<void> writeSearch(Database &file, ObjectWriter &objects, const SearchState &search) {
    const SearchPlan &plan = search.plan;
    const SamplerSettings &sampler = plan.sampler;
    Statement row(file, "INSERT INTO search VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    row.bind(std::string_view(plan.method)).bind(static_cast<std::int64_t>(plan.objective));
    row.bind(static_cast<std::int64_t>(plan.seed)).bind(static_cast<std::int64_t>(plan.trials));
    row.bind(sampler.wholeUpToBytes).bind(sampler.splitFromBytes).bind(sampler.leastParts).bind(sampler.mostParts);
    row.bind(sampler.balanceLoads).bind(sampler.loadTemperatureBytes).bind(sampler.mergeAdjacent);
    row.bind(sampler.leastGroups).bind(sampler.mostGroups).bind(sampler.parameterServers).bind(sampler.allReduce);
    TRY(row.bind(sampler.drawShares).run());
    return writeCandidates(file, objects, search);
}

Result<bool> readSearch(Database &file, ObjectReader &objects, SearchState &search) {
    Statement row(file, "SELECT * FROM search");
    const Result<bool> there = row.step();
    if (!there || !*there)
        return there;
    SearchPlan &plan = search.plan;
    SamplerSettings &sampler = plan.sampler; // a damaged one is refused when the search goes on
    plan.method = row.text();
    plan.objective = row.integer() == 1 ? SearchObjective::ExposedCommunication : SearchObjective::IterationTime;
    plan.seed = static_cast<std::uint64_t>(row.integer());
    const std::int64_t trials = row.integer();
    sampler.wholeUpToBytes = row.optionalNumber().value_or(0);
    sampler.splitFromBytes = row.optionalNumber().value_or(0);
    sampler.leastParts = count(row);
    sampler.mostParts = count(row);
    sampler.balanceLoads = row.integer() != 0;
    sampler.loadTemperatureBytes = row.optionalNumber().value_or(0);
    sampler.mergeAdjacent = row.integer() != 0;
    sampler.leastGroups = count(row);
    sampler.mostGroups = count(row);
    sampler.parameterServers = row.integer() != 0;
    sampler.allReduce = row.integer() != 0;
    sampler.drawShares = row.integer() != 0;
    TRY(readCandidates(file, objects, search));
    const auto done = static_cast<std::int64_t>(search.history.trials.size());
    plan.trials =
        static_cast<std::uint64_t>(std::clamp<std::int64_t>(trials, std::max<std::int64_t>(1, done), SearchRequest::mostTrials));
    search.history.stopped = search.history.trials.size() < plan.trials;
    return true;
}

} // namespace syncopate
