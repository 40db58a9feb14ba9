// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/project_search.h"

#include "engine/search/random_search.h"
#include "engine/trial/judge.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <unordered_set>
#include <utility>

namespace syncopate {

// The id of a candidate is its CandidateId::row(). Tables of older
// formats are dropped: a save writes all rows anew.
const char *const searchSchema = R"(
    DROP TABLE IF EXISTS search;
    DROP TABLE IF EXISTS candidate;
    DROP TABLE IF EXISTS phase;
    CREATE TABLE search(id INTEGER PRIMARY KEY, method TEXT NOT NULL, judge TEXT NOT NULL, objective INTEGER NOT NULL,
        seed INTEGER NOT NULL, trials INTEGER NOT NULL, stopped INTEGER NOT NULL, enough INTEGER NOT NULL,
        tuned INTEGER NOT NULL, bound_seconds REAL);
    CREATE TABLE candidate(search INTEGER NOT NULL, id INTEGER NOT NULL, builder TEXT NOT NULL, error TEXT NOT NULL,
        strategy INTEGER, pinned INTEGER NOT NULL, genes TEXT NOT NULL, fingerprint TEXT NOT NULL, iteration_seconds REAL,
        spread_seconds REAL, exposed_seconds REAL, communication_seconds REAL, samples_per_second REAL,
        ps_variables INTEGER NOT NULL, partitioned_variables INTEGER NOT NULL, shards INTEGER NOT NULL,
        servers INTEGER NOT NULL, groups INTEGER NOT NULL, ps_bytes REAL NOT NULL, largest_server_bytes REAL NOT NULL,
        PRIMARY KEY(search, id)) WITHOUT ROWID;
    CREATE TABLE phase(search INTEGER NOT NULL, first_trial INTEGER NOT NULL, trials INTEGER NOT NULL, ranker TEXT NOT NULL,
        pair_accuracy REAL, top_recall REAL, first_accuracy REAL, next_accuracy REAL, last_accuracy REAL,
        learn_seconds REAL NOT NULL, rejected INTEGER NOT NULL, proposed INTEGER NOT NULL, PRIMARY KEY(search, first_trial)) WITHOUT ROWID;
    PRAGMA user_version = 6;
)";
const char *const confidenceSchema = R"(
    ALTER TABLE candidate ADD COLUMN confidence REAL;
    PRAGMA user_version = 7;
)";

namespace {

constexpr std::int64_t versionWithGenes = 4, versionWithPast = 6, versionWithConfidence = 7;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Columns are bound and read by position: keep the two in step.

void bindMetrics(Statement &row, const CandidateMetrics &metrics) {
    row.bind(metrics.iterationSeconds).bind(metrics.spreadSeconds).bind(metrics.exposedSeconds); // NaN becomes NULL
    row.bind(metrics.communicationSeconds).bind(metrics.samplesPerSecond);
    row.bind(metrics.psVariables).bind(metrics.partitionedVariables).bind(metrics.shards);
    row.bind(metrics.servers)
        .bind(metrics.groups)
        .bind(metrics.psBytes)
        .bind(metrics.largestServerBytes)
        .bind(metrics.confidence);
}

std::int32_t count(Statement &row) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(row.integer(), 0, std::numeric_limits<std::int32_t>::max()));
}

CandidateMetrics metricsOf(Statement &row) {
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
    metrics.confidence = row.optionalNumber().value_or(none);
    return metrics;
}

/// 32 hexadecimal digits; empty if unknown.
std::string textOf(const StrategyFingerprint &strategy) {
    return strategy == StrategyFingerprint() ? std::string() : fmt::format("{:016x}{:016x}", strategy.high, strategy.low);
}

/// Unknown if the text is not a fingerprint.
StrategyFingerprint fingerprintFrom(std::string_view text) {
    constexpr std::size_t half = 16;
    StrategyFingerprint read;
    if (text.size() != 2 * half)
        return {};
    for (const auto &[from, to] : {std::pair{text.substr(0, half), &read.high}, {text.substr(half), &read.low}})
        if (const auto [end, error] = std::from_chars(from.data(), from.data() + half, *to, 16);
            error != std::errc() || end != from.data() + half)
            return {};
    return read;
}

/// The name in "AllReduce(chunk_size=32)".
std::string builderOf(const std::string &expression) { return expression.substr(0, expression.find('(')); }

class CandidateRows {
public:
    CandidateRows(Database &file, SearchId search, const std::set<std::int64_t> &pins)
        : m_row(file, "INSERT INTO candidate VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"), m_search(search), m_pins(pins) {
    }

    struct Texts {
        std::string_view builder, error, genes, fingerprint;
    };
    Result<void> add(std::int64_t id, const Texts &texts, std::optional<RowId<Strategy>> strategy,
                     const CandidateMetrics &metrics) {
        m_row.bind(m_search).bind(id).bind(texts.builder).bind(texts.error).bind(strategy).bind(m_pins.contains(id));
        m_row.bind(texts.genes).bind(texts.fingerprint);
        bindMetrics(m_row, metrics);
        return m_row.run();
    }

private:
    Statement m_row;
    SearchId m_search;
    const std::set<std::int64_t> &m_pins;
};

/// `isNew` decides which trials are written.
Result<void> writeCandidates(Database &file, ObjectWriter &objects, SearchId id, const SearchState &search,
                             const std::function<bool(const SearchTrial &)> &isNew) {
    CandidateRows rows(file, id, search.pins);
    using Kind = CandidateId::Kind;
    std::size_t index = 0;
    for (const SearchBaseline &baseline : search.history.baselines) {
        // Baselines of past searches can be built again.
        const auto strategy = id == presentSearch ? objects.strategy(baseline.strategy) : std::nullopt;
        TRY(rows.add(CandidateId{Kind::Baseline, index++}.row(), {baseline.builder, baseline.error, "", ""}, strategy,
                     baseline.metrics));
    }
    index = 0;
    for (const TunedBaseline &tuned : search.tuned)
        TRY(rows.add(CandidateId{Kind::Tuned, index++}.row(), {tuned.expression, "", "", ""}, std::nullopt, tuned.metrics));
    for (const SearchTrial &trial : search.history.trials)
        if (isNew(trial))
            TRY(rows.add(static_cast<std::int64_t>(trial.trial),
                         {"", trial.error, formatGenes(trial.genes), textOf(trial.strategy)}, std::nullopt, trial.metrics));
    return {};
}

Result<void> writePhases(Database &file, SearchId id, const std::vector<SearchPhase> &phases) {
    Statement row(file, "INSERT INTO phase VALUES(?,?,?,?,?,?,?,?,?,?,?,?)");
    for (const SearchPhase &phase : phases) {
        row.bind(id).bind(static_cast<std::int64_t>(phase.firstTrial)).bind(static_cast<std::int64_t>(phase.trials));
        row.bind(std::string_view(phase.ranker)).bind(phase.pairAccuracy).bind(phase.topRecall); // NaN becomes NULL
        for (const double accuracy : phase.bucketAccuracy)
            row.bind(accuracy);
        row.bind(phase.learnSeconds).bind(static_cast<std::int64_t>(phase.rejected));
        TRY(row.bind(static_cast<std::int64_t>(phase.proposed)).run());
    }
    return {};
}

std::uint64_t natural(Statement &row) { return static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.integer())); }

Result<void> readPhases(Database &file, SearchId id, std::vector<SearchPhase> &phases) {
    Statement rows(file, "SELECT * FROM phase WHERE search = ? ORDER BY first_trial");
    rows.bind(id);
    while (TRY(rows.step())) {
        if (phases.size() >= SearchRequest::maxTrials)
            return fail("the search in the project has too many phases", "the file is damaged: open an older copy", file.path());
        SearchPhase phase;
        static_cast<void>(rows.integer()); // the search's id
        phase.firstTrial = natural(rows);
        phase.trials = natural(rows);
        phase.ranker = rows.text();
        phase.pairAccuracy = rows.optionalNumber().value_or(none);
        phase.topRecall = rows.optionalNumber().value_or(none);
        for (double &accuracy : phase.bucketAccuracy)
            accuracy = rows.optionalNumber().value_or(none);
        phase.learnSeconds = rows.optionalNumber().value_or(0);
        phase.rejected = natural(rows);
        phase.proposed = natural(rows);
        phases.push_back(std::move(phase));
    }
    return {};
}

/// Whether `id` may be that of the row after those in `read`: the present search has all trials, past ones lack those that are
/// stored with other searches.
bool isNext(std::int64_t id, SearchId search, const SearchState &read) {
    const SearchHistory &history = read.history;
    const CandidateId candidate = CandidateId::ofRow(id);
    if (candidate.kind == CandidateId::Kind::Tuned)
        return candidate.index == read.tuned.size() && candidate.index < CandidateId::maxBaselines;
    if (candidate.kind == CandidateId::Kind::Baseline)
        return candidate.index == history.baselines.size();
    const std::int64_t next = history.trials.empty() ? 0 : static_cast<std::int64_t>(history.trials.back().trial) + 1;
    return (search == presentSearch ? id == next : id >= next) && id < static_cast<std::int64_t>(SearchRequest::maxTrials);
}

/// Baselines in order, then tuned builders, then trials. Format 3 has neither genes nor spread: its judge was
/// deterministic.
const char *candidatesOf(std::int64_t version) {
    if (version >= versionWithConfidence)
        return "SELECT * FROM candidate WHERE search = ? ORDER BY id < 0 DESC, abs(id)";
    if (version >= versionWithPast)
        return "SELECT *, NULL FROM candidate WHERE search = ? ORDER BY id < 0 DESC, abs(id)";
    if (version >= versionWithGenes)
        return "SELECT ?, id, builder, error, strategy, pinned, genes, '', iteration_seconds, spread_seconds, exposed_seconds, "
               "communication_seconds, samples_per_second, ps_variables, partitioned_variables, shards, servers, groups, "
               "ps_bytes, largest_server_bytes, NULL FROM candidate ORDER BY id < 0 DESC, abs(id)";
    return "SELECT ?, id, builder, error, strategy, pinned, '', '', iteration_seconds, iteration_seconds * 0, exposed_seconds, "
           "communication_seconds, samples_per_second, ps_variables, partitioned_variables, shards, servers, groups, ps_bytes, "
           "largest_server_bytes, NULL FROM candidate ORDER BY id < 0 DESC, abs(id)";
}

Result<void> readCandidates(Database &file, std::int64_t version, ObjectReader &objects, SearchId search, SearchState &read) {
    Statement rows(file, candidatesOf(version));
    rows.bind(search);
    SearchHistory &history = read.history;
    while (TRY(rows.step())) {
        static_cast<void>(rows.integer()); // the search's id
        const std::int64_t id = rows.integer();
        if (!isNext(id, search, read))
            return fail("the search in the project lacks trials or has too many", "the file is damaged: open an older copy",
                        file.path());
        std::string builder = rows.text(), error = rows.text();
        const auto strategyId = rows.optionalId<Strategy>();
        if (rows.integer() != 0)
            read.pins.insert(id);
        const std::string genes = rows.text();
        const StrategyFingerprint fingerprint = fingerprintFrom(rows.text());
        const CandidateMetrics metrics = metricsOf(rows);
        const CandidateId::Kind kind = CandidateId::ofRow(id).kind;
        if (kind == CandidateId::Kind::Tuned) {
            read.tuned.push_back({builderOf(builder), builder, metrics});
        } else if (kind == CandidateId::Kind::Baseline) {
            auto strategy = TRY(objects.strategy(strategyId, read.plan.state.job));
            history.baselines.push_back({std::move(builder), metrics, std::move(strategy), std::move(error)});
        } else {
            const auto number = static_cast<std::uint64_t>(id);
            Genes decoded = version >= versionWithGenes ? TRY(inFile(parseGenes(genes), file.path()))
                                                        : RandomSearch::genesOf(read.plan.seed, number);
            history.trials.push_back({number, std::move(decoded), metrics, std::move(error), fingerprint});
        }
    }
    return {};
}

/// The method in a row of format 2 or 3, which has a name and the settings of Random+G. Damaged settings are refused when the
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

/// The strategies written so far, grouped by the inputs of their figures.
class WrittenStrategies {
public:
    /// Strategies whose figures depend on the same inputs.
    struct Group {
        const SearchPlan *plan;
        bool deterministic;
        std::unordered_set<StrategyFingerprint> strategies{};

        /// Adds a trial's strategy; returns whether it is to be written: it is new, or the judge is not deterministic, in which
        /// case each trial is a measurement of its own.
        bool add(const SearchTrial &trial) {
            const bool isNew = strategies.insert(trial.strategy).second;
            return isNew || !deterministic || trial.strategy == StrategyFingerprint();
        }
    };

    /// The group of searches that are judged like this one. Valid until the next call.
    Group &of(const SearchPlan &plan) {
        const auto group =
            std::find_if(m_groups.begin(), m_groups.end(), [&](const Group &one) { return judgeAlike(*one.plan, plan); });
        if (group != m_groups.end())
            return *group;
        const auto judge = makeJudge(plan.judge);
        return m_groups.emplace_back(Group{&plan, judge && (*judge)->isDeterministic()});
    }

private:
    std::vector<Group> m_groups;
};

Result<void> writeSearch(Database &file, ObjectWriter &objects, SearchId id, const SearchState &search,
                         WrittenStrategies &written) {
    const SearchPlan &plan = search.plan;
    Statement row(file, "INSERT INTO search VALUES(?,?,?,?,?,?,?,?,?,?)");
    row.bind(id).bind(std::string_view(plan.method)).bind(std::string_view(plan.judge));
    row.bind(static_cast<std::int64_t>(plan.objective)).bind(static_cast<std::int64_t>(plan.seed));
    row.bind(static_cast<std::int64_t>(plan.trials)).bind(search.history.stopped).bind(search.history.enough);
    TRY(row.bind(search.isTuned).bind(search.boundSeconds > 0 ? std::optional(search.boundSeconds) : std::nullopt).run());
    WrittenStrategies::Group &alike = written.of(plan);
    TRY(writeCandidates(file, objects, id, search, [&](const SearchTrial &trial) {
        const bool isNew = alike.add(trial);
        // The present search stays complete, so that it can be resumed; a pin is stored with its trial.
        return isNew || id == presentSearch || search.pins.contains(static_cast<std::int64_t>(trial.trial));
    }));
    return writePhases(file, id, search.history.phases);
}

} // namespace

Result<void> writeSearches(Database &file, ObjectWriter &objects, const std::shared_ptr<const SearchState> &present,
                           const PastSearches &past) {
    WrittenStrategies written;
    if (present)
        TRY(writeSearch(file, objects, presentSearch, *present, written));
    for (std::size_t s = 0; s < past.size(); ++s)
        TRY(writeSearch(file, objects, pastSearch(s), *past[s], written));
    return {};
}

Result<bool> readSearch(Database &file, std::int64_t version, ObjectReader &objects, SearchId id, SearchState &search) {
    const bool hasPast = version >= versionWithPast;
    Statement row(file, hasPast ? "SELECT * FROM search WHERE id = ?" : "SELECT ?, * FROM search");
    const Result<bool> there = row.bind(id).step();
    if (!there || !*there)
        return there;
    static_cast<void>(row.integer()); // the id
    SearchPlan &plan = search.plan;
    plan.method = row.text();
    if (version >= versionWithGenes)
        plan.judge = row.text();
    plan.objective = row.integer() == 1 ? SearchObjective::ExposedCommunication : SearchObjective::IterationTime;
    plan.seed = static_cast<std::uint64_t>(row.integer());
    const std::int64_t trials = row.integer();
    SearchHistory &history = search.history;
    history.stopped = true; // older formats do not record how a search ended
    if (hasPast) {
        history.stopped = row.integer() != 0;
        history.enough = row.integer() != 0;
        search.isTuned = row.integer() != 0;
        const double bound = row.optionalNumber().value_or(0);
        search.boundSeconds = bound > 0 && bound < 1e12 ? bound : 0;
        TRY(readPhases(file, id, history.phases));
    }
    if (version < versionWithGenes)
        plan.method = readMethodOfFormat3(row, plan.method);
    TRY(readCandidates(file, version, objects, id, search));
    const std::int64_t done = history.trials.empty() ? 0 : static_cast<std::int64_t>(history.trials.back().trial) + 1;
    plan.trials =
        static_cast<std::uint64_t>(std::clamp<std::int64_t>(trials, std::max<std::int64_t>(1, done), SearchRequest::maxTrials));
    history.stopped = history.stopped && static_cast<std::uint64_t>(done) < plan.trials;
    return true;
}

} // namespace syncopate
