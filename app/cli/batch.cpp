// SPDX-License-Identifier: GPL-3.0-or-later
// simulate --batch: many scenarios in one process. Jobs, clusters and strategies that lines share are loaded once; apart from
// these, memory holds a few lines per core, however long the file is.
#include "app/cli/batch.h"

#include "app/cli/dag_runs.h"
#include "app/cli/lint_report.h"
#include "app/cli/output.h"
#include "app/cli/run_report.h"
#include "engine/base/parallel_in_order.h"
#include "engine/cluster/cluster.h"
#include "engine/job/catalogue.h"
#include "engine/parse/line_reader.h"
#include "engine/plan/dag_catalogue.h"
#include "engine/rewrite/scenario_lint.h"
#include "engine/session/load_plan.h"
#include "engine/session/load_scenario.h"
#include "engine/session/scenario_line.h"
#include "engine/simulate/run.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace syncopate::cli {

namespace {

constexpr std::size_t linesAheadPerThread = 16;

constexpr int pollMilliseconds = 100;
constexpr int maxLonelyPolls = 20; ///< how long a named pipe may have no writer: a shell may start both ends at once
constexpr const char *inputRemedy = "name a file of JSON lines, or - for stdin";

/// A file, a pipe, a terminal or stdin, read as its bytes arrive.
class Input {
public:
    /// Errors: there is no such file, or it is a device, which may never end. Of a folder, read() fails.
    [[nodiscard]] static Result<Input> open(const std::string &file) {
        Input input;
        input.m_name = file == "-" ? "stdin" : file;
        if (file == "-") {
            input.m_descriptor = STDIN_FILENO;
            return input;
        }
        // Without O_NONBLOCK, opening a named pipe waits for its writer, and nothing but a signal ends that.
        input.m_descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        struct stat status {};
        if (input.m_descriptor < 0 || ::fstat(input.m_descriptor, &status) != 0)
            return fail(fmt::format("cannot be read: {}", std::strerror(errno)), inputRemedy, input.m_name);
        input.m_isPipe = S_ISFIFO(status.st_mode);
        if (S_ISBLK(status.st_mode) || (S_ISCHR(status.st_mode) && ::isatty(input.m_descriptor) == 0))
            return fail("this is not a regular file", inputRemedy, input.m_name);
        return input;
    }
    Input(Input &&other) noexcept
        : m_name(std::move(other.m_name)), m_descriptor(std::exchange(other.m_descriptor, -1)), m_isPipe(other.m_isPipe) {}
    Input &operator=(Input &&) = delete;
    ~Input() {
        if (m_descriptor > STDIN_FILENO)
            ::close(m_descriptor);
    }
    [[nodiscard]] const std::string &name() const { return m_name; }

    /// Waits for bytes; returns 0 once `stopped` is set, which a reader of a pipe notices within a tenth of a second. Errors: the
    /// file cannot be read; a named pipe has had no writer for two seconds.
    [[nodiscard]] Result<std::size_t> read(char *into, std::size_t size, const std::atomic<bool> &stopped) {
        for (int lonelyPolls = 0;;) {
            pollfd waiting{m_descriptor, POLLIN, 0};
            const int ready = ::poll(&waiting, 1, pollMilliseconds);
            if (stopped)
                return 0;
            if ((ready == 0 && !m_isPipe) || (ready < 0 && errno == EINTR))
                continue;
            const ssize_t count = ::read(m_descriptor, into, size);
            if (count > 0 || (count == 0 && ready != 0))
                return static_cast<std::size_t>(count);
            if (count < 0 && errno != EINTR && errno != EAGAIN)
                return fail(fmt::format("cannot be read: {}", std::strerror(errno)), inputRemedy, m_name);
            lonelyPolls = count == 0 ? lonelyPolls + 1 : 0; // an empty pipe that has a writer says EAGAIN
            if (lonelyPolls == maxLonelyPolls)
                return fail("no program writes to this pipe", "start that program first, or name a file of JSON lines", m_name);
        }
    }

private:
    Input() = default;
    std::string m_name;
    int m_descriptor = -1;
    bool m_isPipe = false; ///< opened by name, without blocking
};

/// Outcomes of a line, worst last.
enum class LineEnd { Simulated, Failed, TooLong, NotJson };

struct LineResult {
    std::uint64_t number = 0;
    LineEnd end = LineEnd::Simulated;
    std::string json;
};

LineResult refused(std::uint64_t number, LineEnd end, const Error &error) {
    JsonWriter json;
    json.beginObject().member("line", number).key("error").beginObject();
    json.member("what", error.what).member("file", error.file).member("place", error.place).member("remedy", error.remedy);
    json.endObject().endObject().newLine();
    return {number, end, json.take()};
}

/// Sets an error's place to the line's key if the loader names an option, or if it names no place and the job or cluster is
/// unknown. Errors of the options for all lines are returned unchanged.
Error atKey(Error error, const ScenarioOptions &options, const ScenarioOptions &defaults) {
    const auto isUnknown = [](const std::string &name, const std::string &ofAll, const auto &ofCatalogue) {
        std::error_code ignored;
        return name != ofAll && !std::filesystem::exists(name, ignored) && !ofCatalogue(name);
    };
    const auto isJobOrDag = [](const std::string &name) { return isCatalogueDag(name) || catalogueJob(name); };
    if (error.place == "--batch-size" && options.batchSize != defaults.batchSize)
        error.place = keyOfOption(error.place);
    else if (error.file.empty() && error.place.empty())
        error.place = isUnknown(options.job, defaults.job, isJobOrDag)                 ? "job"
                      : isUnknown(options.cluster, defaults.cluster, catalogueCluster) ? "cluster"
                                                                                       : "";
    return error;
}

/// The loaders that lines share.
struct Loaders {
    ScenarioLoader scenarios;
    DagLoader dags;
};

/// Refuses settings of strategies: a key, or an option that is the default of all lines.
Result<void> refuseStrategyKeys(const ScenarioOptions &options, const ScenarioOptions &defaults) {
    const std::string option = strategyOptionIn(options);
    if (option.empty())
        return {};
    if (const auto ofAll = strategyOptionsIn(defaults); std::ranges::find(ofAll, option) != ofAll.end())
        return isAboutStrategies(option, options.job);
    const std::string key = keyOfOption(option);
    Error error = isAboutStrategies(key, options.job).value();
    error.place = key;
    return Unexpected(std::move(error));
}

/// Plays a plan for a line whose job is a training DAG, as the command does.
LineResult playLine(std::uint64_t number, const ScenarioLine &line, const ScenarioOptions &defaults, DagLoader &loader) {
    const auto failed = [number](const Error &error) { return refused(number, LineEnd::Failed, error); };
    if (const auto fits = refuseStrategyKeys(line.options, defaults); !fits)
        return failed(fits.error());
    const auto dag = loader.load(line.options, line.costs, line.seed);
    if (!dag)
        return failed(atKey(dag.error(), line.options, defaults));
    const std::string planner = line.options.strategy.empty() ? usualPlanner : line.options.strategy;
    const auto played = playDag(*dag, planner, line.options.strategyOption);
    if (!played)
        return failed(played.error());
    JsonWriter json;
    json.beginObject().member("line", number);
    writeDagRun(json, *dag, planner, *played);
    json.endObject().newLine();
    return {number, LineEnd::Simulated, json.take()};
}

LineResult simulateLine(const TextLine &line, const ScenarioLine &defaults, Loaders &loaders) {
    if (line.isTooLong)
        return refused(line.number, LineEnd::TooLong,
                       Error{fmt::format("the line is longer than {} bytes", ScenarioLine::maximumBytes),
                             "write one scenario a line",
                             {},
                             {}});
    const auto read = readScenarioLine(line.text, defaults);
    if (!read)
        return refused(line.number, read.error().isJson ? LineEnd::Failed : LineEnd::NotJson, read.error().error);
    if (loaders.dags.isDag(read->options.job))
        return playLine(line.number, *read, defaults.options, loaders.dags);
    if (read->options.strategy.empty())
        return refused(line.number, LineEnd::Failed, missingKey("strategy"));
    if (const auto fits = refusePlanCosts(read->options, read->costs); !fits)
        return refused(line.number, LineEnd::Failed, fits.error());
    const auto scenario = loaders.scenarios.scenario(read->options, read->seed);
    if (!scenario)
        return refused(line.number, LineEnd::Failed, atKey(scenario.error(), read->options, defaults.options));
    const auto run = simulateFigures(*scenario);
    if (!run)
        return refused(line.number, LineEnd::Failed, run.error());
    JsonWriter json;
    json.beginObject().member("line", line.number);
    writeRun(json, **run);
    writeLint(json, lintScenario(*scenario));
    json.endObject().newLine();
    return {line.number, LineEnd::Simulated, json.take()};
}

/// Counts the outcomes of lines, and reports them in one error.
class Tally {
public:
    void add(const LineResult &result) {
        ++m_lines;
        if (result.end == LineEnd::Simulated)
            return;
        ++m_failed;
        if (result.end > m_worst) {
            m_worst = result.end;
            m_place = result.number;
        }
    }
    [[nodiscard]] Outcome outcome(const std::string &file) const {
        if (m_worst == LineEnd::Simulated)
            return {};
        Error error{fmt::format("{} of {} lines could not be simulated, this one {}", m_failed, m_lines,
                                m_worst == LineEnd::NotJson   ? "because it is not a JSON object"
                                : m_worst == LineEnd::TooLong ? "because it is too long"
                                                              : "first"),
                    "their results say why, as `error`", file, fmt::format("{}", m_place)};
        return m_worst == LineEnd::Failed ? failedRunning(std::move(error)) : badInput(std::move(error));
    }

private:
    LineEnd m_worst = LineEnd::Simulated;
    std::uint64_t m_lines = 0, m_failed = 0, m_place = 0;
};

} // namespace

Outcome simulateBatch(const Common &common, const ScenarioOptions &defaults, const PlanCosts &costs, const std::string &file) {
    auto input = TRY(orBadInput(Input::open(file)));
    std::atomic<bool> stopped = false; // stdout no longer accepts output
    LineReader lines([&](char *into, std::size_t size) { return input.read(into, size, stopped); }, ScenarioLine::maximumBytes);
    std::optional<Error> unreadable;
    Loaders loaders;
    Tally tally;
    Outcome printed;
    const auto next = [&]() -> std::optional<TextLine> {
        auto line = lines.next();
        if (line)
            return std::move(*line);
        unreadable = std::move(line).error();
        return std::nullopt;
    };
    const auto work = [&](const TextLine &line) { return simulateLine(line, {defaults, common.seed, costs}, loaders); };
    const auto deliver = [&](const LineResult &result) {
        tally.add(result);
        printed = printJsonLine(result.json);
        stopped = !printed;
        return printed.has_value();
    };
    const unsigned threads = threadsFor();
    parallelInOrder<TextLine, LineResult>(threads, threads * linesAheadPerThread, next, work, deliver);
    TRY(printed);
    if (unreadable)
        return badInput(*unreadable);
    return tally.outcome(input.name());
}

} // namespace syncopate::cli
