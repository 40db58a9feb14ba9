// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/project_search.h"

#include "engine/search/random_search.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace syncopate {

// The id of a candidate is its trial's number, or -1 - i of baseline i. The tables of formats 2 and 3 go: they held the settings
// of Random+G in columns and no genes, and a save writes all rows anew.
const char *const searchSchema = R"(
    DROP TABLE IF EXISTS search;
    DROP TABLE IF EXISTS candidate;
    CREATE TABLE search(method TEXT NOT NULL, judge TEXT NOT NULL, objective INTEGER NOT NULL, seed INTEGER NOT NULL,
        trials INTEGER NOT NULL);
    CREATE TABLE candidate(id INTEGER PRIMARY KEY, builder TEXT NOT NULL, error TEXT NOT NULL, strategy INTEGER,
        pinned INTEGER NOT NULL, genes TEXT NOT NULL, iteration_seconds REAL, spread_seconds REAL, exposed_seconds REAL,
        communication_seconds REAL, samples_per_second REAL, ps_variables INTEGER NOT NULL,
        partitioned_variables INTEGER NOT NULL, shards INTEGER NOT NULL, servers INTEGER NOT NULL, groups INTEGER NOT NULL,
        ps_bytes REAL NOT NULL, largest_server_bytes REAL NOT NULL);
    PRAGMA user_version = 4;
)";

namespace {

constexpr std::size_t maxBaselines = 1000;
constexpr std::int64_t versionWithGenes = 4;

// Columns are bound and read by position: keep the two in step.

void bindMetrics(Statement &row, const CandidateMetrics &metrics) {
    row.bind(metrics.iterationSeconds).bind(metrics.spreadSeconds).bind(metrics.exposedSeconds); // NaN is null
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
    metrics.spreadSeconds = row.optionalNumber().value_or(none);
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
    Statement row(file, "INSERT INTO candidate VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    for (std::size_t b = 0; b < search.history.baselines.size(); ++b) {
        const SearchBaseline &baseline = search.history.baselines[b];
        const std::int64_t id = -1 - static_cast<std::int64_t>(b);
        row.bind(id).bind(std::string_view(baseline.builder)).bind(std::string_view(baseline.error));
        row.bind(objects.strategy(baseline.strategy)).bind(search.pins.contains(id)).bind(std::string_view(""));
        bindMetrics(row, baseline.metrics);
        TRY(row.run());
    }
    for (const SearchTrial &trial : search.history.trials) {
        const auto id = static_cast<std::int64_t>(trial.trial);
        row.bind(id).bind(std::string_view("")).bind(std::string_view(trial.error)).bind(std::optional<std::int64_t>());
        row.bind(search.pins.contains(id)).bind(std::string_view(formatGenes(trial.genes)));
        bindMetrics(row, trial.metrics);
        TRY(row.run());
    }
    return {};
}

/// The id of the row after what was read.
std::int64_t nextId(const SearchHistory &history, bool isBaseline) {
    return isBaseline ? -1 - static_cast<std::int64_t>(history.baselines.size())
                      : static_cast<std::int64_t>(history.trials.size());
}

Result<void> readCandidates(Database &file, std::int64_t version, ObjectReader &objects, SearchState &search) {
    // Baselines in their order, then trials in theirs. Format 3 has neither genes nor spread: its judge was deterministic.
    Statement rows(file, version >= versionWithGenes
                             ? "SELECT * FROM candidate ORDER BY id < 0 DESC, abs(id)"
                             : "SELECT id, builder, error, strategy, pinned, '', iteration_seconds, "
                               "iteration_seconds * 0, exposed_seconds, communication_seconds, "
                               "samples_per_second, ps_variables, partitioned_variables, shards, servers, "
                               "groups, ps_bytes, largest_server_bytes "
                               "FROM candidate ORDER BY id < 0 DESC, abs(id)");
    SearchHistory &history = search.history;
    for (;;) {
        const auto row = TRY(rows.step());
        if (!row)
            return {};
        const std::int64_t id = rows.integer();
        const bool isBaseline = id < 0;
        if (id != nextId(history, isBaseline) || history.trials.size() >= SearchRequest::maxTrials ||
            history.baselines.size() > maxBaselines)
            return fail("the search in the project lacks trials or has too many", "the file is damaged: open an older copy",
                        file.path());
        std::string builder = rows.text(), error = rows.text();
        const auto strategyId = rows.optionalInteger();
        if (rows.integer() != 0)
            search.pins.insert(id);
        const std::string genes = rows.text();
        const CandidateMetrics metrics = metricsOf(rows);
        if (isBaseline) {
            auto strategy = TRY(objects.strategy(strategyId, search.plan.state.job));
            history.baselines.push_back({std::move(builder), metrics, std::move(strategy), std::move(error)});
            continue;
        }
        const auto number = static_cast<std::uint64_t>(id);
        Genes read = version >= versionWithGenes ? TRY(inFile(parseGenes(genes), file.path()))
                                                 : RandomSearch::genesOf(search.plan.seed, number);
        history.trials.push_back({number, std::move(read), metrics, std::move(error)});
    }
}

/// The method of a row of format 2 or 3, which has a name and the settings of Random+G. Damaged settings are refused when the
/// search is resumed.
std::string readMethodOfFormat3(Statement &row, const std::string &name) {
    SamplerSettings sampler;
    sampler.wholeUpToBytes = row.optionalNumber().value_or(0);
    sampler.splitFromBytes = row.optionalNumber().value_or(0);
    sampler.minParts = count(row);
    sampler.maxParts = count(row);
    sampler.balanceLoads = row.integer() != 0;
    sampler.loadTemperatureBytes = row.optionalNumber().value_or(0);
    sampler.mergeAdjacent = row.integer() != 0;
    sampler.minGroups = count(row);
    sampler.maxGroups = count(row);
    sampler.parameterServers = row.integer() != 0;
    sampler.allReduce = row.integer() != 0;
    sampler.drawShares = row.integer() != 0;
    return name == randomSearchInfo().name ? formatRandomSearch(sampler) : name;
}

} // namespace

Result<void> writeSearch(Database &file, ObjectWriter &objects, const SearchState &search) {
    const SearchPlan &plan = search.plan;
    Statement row(file, "INSERT INTO search VALUES(?,?,?,?,?)");
    row.bind(std::string_view(plan.method)).bind(std::string_view(plan.judge));
    row.bind(static_cast<std::int64_t>(plan.objective)).bind(static_cast<std::int64_t>(plan.seed));
    TRY(row.bind(static_cast<std::int64_t>(plan.trials)).run());
    return writeCandidates(file, objects, search);
}

Result<bool> readSearch(Database &file, std::int64_t version, ObjectReader &objects, SearchState &search) {
    Statement row(file, "SELECT * FROM search");
    const Result<bool> there = row.step();
    if (!there || !*there)
        return there;
    SearchPlan &plan = search.plan;
    plan.method = row.text();
    if (version >= versionWithGenes)
        plan.judge = row.text();
    plan.objective = row.integer() == 1 ? SearchObjective::ExposedCommunication : SearchObjective::IterationTime;
    plan.seed = static_cast<std::uint64_t>(row.integer());
    const std::int64_t trials = row.integer();
    if (version < versionWithGenes)
        plan.method = readMethodOfFormat3(row, plan.method);
    TRY(readCandidates(file, version, objects, search));
    const auto done = static_cast<std::int64_t>(search.history.trials.size());
    plan.trials =
        static_cast<std::uint64_t>(std::clamp<std::int64_t>(trials, std::max<std::int64_t>(1, done), SearchRequest::maxTrials));
    search.history.stopped = search.history.trials.size() < plan.trials;
    return true;
}

} // namespace syncopate
