// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trial/imported_judge.h"

#include "engine/base/csv.h"
#include "engine/base/input_file.h"
#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "engine/parse/byte_order_mark.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/fingerprint.h"
#include "engine/strategy/strategy_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace syncopate {

namespace {

namespace fs = std::filesystem;

std::uint64_t keyOf(Strategy strategy) {
    strategy.replicas.clear();
    return fingerprintOf(strategy).low;
}

} // namespace

const ExpressionInfo &ImportedJudge::info() {
    static const ExpressionInfo info{
        "imported", "recorded times of strategies, a CSV file with columns strategy and seconds", {}, "file"};
    return info;
}

std::string ImportedJudge::text() const {
    ArgumentValues values(info());
    values.setSubject(m_path);
    return values.text();
}

std::vector<std::string> ImportedJudge::files() const {
    std::vector<std::string> files;
    for (const Row &row : m_rows)
        if (!row.file.empty())
            files.push_back(row.file);
    return files;
}

Result<std::unique_ptr<Judge>> ImportedJudge::make(const Expression &expression) {
    const ArgumentValues values = TRY(ArgumentValues::read(expression, info()));
    const std::string &path = values.subject();
    const std::string bytes = TRY(readInputFile(path));
    std::string_view rest = withoutByteOrderMark(bytes);
    std::vector<Row> rows;
    std::size_t strategyColumn = 0, secondsColumn = 0;
    for (int line = 1; !rest.empty(); ++line) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::vector<std::string> fields = splitQuotedCsvLine(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const auto column = [&](const char *name) {
            return static_cast<std::size_t>(std::find(fields.begin(), fields.end(), name) - fields.begin());
        };
        if (line == 1) {
            strategyColumn = column("strategy");
            secondsColumn = column("seconds");
            if (strategyColumn == fields.size() || secondsColumn == fields.size())
                return fail("recorded times lack a column 'strategy' or 'seconds'", "name both in the first line", path,
                            "line 1");
            continue;
        }
        if (fields.size() == 1 && fields.front().empty())
            continue;
        const auto seconds = fields.size() > std::max(strategyColumn, secondsColumn) ? parseNumber(fields[secondsColumn])
                                                                                     : Result<double>(fail("no number"));
        if (!seconds || !(*seconds > 0) || !std::isfinite(*seconds))
            return fail("a recorded time is not a number of seconds above 0", "correct or remove the line", path,
                        fmt::format("line {}", line));
        const fs::path file = fs::path(path).parent_path() / fields[strategyColumn];
        std::error_code ignored;
        rows.push_back({fields[strategyColumn], fs::is_regular_file(file, ignored) ? file.string() : std::string(), *seconds});
    }
    if (rows.empty())
        return fail("there is no recorded time", "give lines after the first", path);
    return std::unique_ptr<Judge>(new ImportedJudge(path, std::move(rows)));
}

Result<void> ImportedJudge::load(const Scenario &scenario) {
    if (m_job == scenario.job && m_cluster == scenario.cluster)
        return {};
    Times times;
    for (const Row &row : m_rows) {
        const Strategy strategy = row.file.empty()
                                      ? TRY(inFile(buildStrategy(row.strategy, *scenario.job, *scenario.cluster), m_path))
                                      : TRY(readStrategyFile(row.file));
        times[keyOf(strategy)].push_back(row.seconds);
    }
    m_times = std::move(times);
    m_job = scenario.job;
    m_cluster = scenario.cluster;
    return {};
}

Result<Verdict> ImportedJudge::judge(const Scenario &scenario, std::stop_token stop) {
    if (stop.stop_requested())
        return cancelled();
    const std::scoped_lock lock(m_mutex);
    TRY(load(scenario));
    const auto found = m_times.find(keyOf(*scenario.strategy));
    if (found == m_times.end())
        return fail("no time of this strategy is recorded", "measure it, or use another judge", m_path);
    const std::vector<double> &seconds = found->second;
    double sum = 0, squares = 0;
    for (const double s : seconds)
        sum += s;
    Verdict verdict;
    verdict.iterationSeconds = sum / static_cast<double>(seconds.size());
    for (const double s : seconds)
        squares += (s - verdict.iterationSeconds) * (s - verdict.iterationSeconds);
    if (seconds.size() > 1)
        verdict.spreadSeconds = std::sqrt(squares / static_cast<double>(seconds.size() - 1));
    verdict.samplesPerSecond =
        countOfStep(*scenario.job) * static_cast<double>(scenario.strategy->replicas.size()) / verdict.iterationSeconds;
    verdict.assumptions.push_back(fmt::format("Recorded in {}, {}.", m_path, counted(seconds.size(), "time")));
    return verdict;
}

} // namespace syncopate
