// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/dag_runs.h"
#include "app/cli/interruption.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "engine/base/json_writer.h"
#include "engine/profile/recording/recording.h"
#include "engine/query/query_export.h"
#include "engine/query/query_sides.h"
#include "engine/session/dag_job.h"
#include "engine/session/load_scenario.h"
#include "engine/simulate/measured_run.h"
#include "engine/store/project_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace syncopate::cli {

namespace {

struct QueryArguments {
    std::vector<std::string> texts; ///< a profile or project and the statement, or only one of them
    ScenarioOptions scenario;
    std::string format = "table";
    std::string output;
    bool listTables = false;
    QueryLimits limits;
    PlanCosts costs; ///< of a training DAG
};

bool isProject(const std::string &path) { return path.ends_with(".syncopate"); }

/// The project's present sides and its search.
Result<QueryInput> inputOfProject(const std::string &path, const std::stop_token &stop) {
    const auto project = TRY(readProject(path, stop));
    QueryInput input;
    input.sides = TRY(querySides(project.present, stop));
    input.search = project.search;
    return input;
}

Result<QueryInput> inputOfProfile(const std::string &path, const ScenarioOptions &options, const std::stop_token &stop) {
    ImportOptions import;
    import.variables = options.variables;
    const auto profile = TRY(importRecording(path, import, stop));
    const std::shared_ptr<const Job> job(profile, &profile->job);
    return QueryInput{{querySide("A", measuredRecording(profile, job, stop), profile)}};
}

/// A plan of a training DAG.
Result<QueryInput> inputOfDag(const ScenarioOptions &options, const PlanCosts &costs, std::int32_t seed) {
    const DagJob dag = TRY(loadDagJob(options, costs, seed));
    const std::string planner = options.strategy.empty() ? usualPlanner : options.strategy;
    const auto run = TRY(playDag(dag, planner, options.strategyOption)).run;
    return QueryInput{{QuerySide{"A", run, run.get()}}};
}

Result<QueryInput> inputOfScenario(const ScenarioOptions &options, std::int32_t seed, const std::stop_token &stop) {
    if (options.job.empty() || options.cluster.empty() || options.strategy.empty())
        return fail("there is nothing to ask",
                    "name a profile or a project before the SELECT, or give --job, --cluster and --strategy");
    const auto scenario = TRY(loadScenario(options, seed));
    const auto run = TRY(simulate(scenario, stop));
    return QueryInput{{querySide("A", run)}};
}

std::string describeTables() {
    std::string text;
    for (const auto &table : queryTables({})) {
        text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", table->name(), table->about());
        for (const QueryColumn &column : table->columns())
            text += fmt::format("  {:22} {:8} {}\n", column.name, column.type, column.about);
    }
    return text;
}

std::string tablesJson() {
    JsonWriter json;
    json.beginObject().key("tables").beginArray();
    for (const auto &table : queryTables({})) {
        json.newLine().beginObject().member("name", table->name()).member("about", table->about());
        json.key("columns").beginArray();
        for (const QueryColumn &column : table->columns())
            json.beginObject().member("name", column.name).member("type", column.type).member("about", column.about).endObject();
        json.endArray().endObject();
    }
    json.endArray().endObject().newLine();
    return json.take();
}

std::string textOf(const QueryResult &result, const std::string &format) {
    if (format == "json")
        return queryResultJson(result);
    return format == "csv" ? writeTable(tableOf(result), TableFormat::Csv) : alignedText(tableOf(result));
}

Outcome answer(const Common &common, const QueryArguments &arguments, const QueryResult &result) {
    const std::string format = common.json ? "json" : arguments.format;
    if (result.isCut && !common.quiet)
        printNote(fmt::format("only the first {} rows are shown: --rows N shows more", result.rows.size()));
    if (!arguments.output.empty())
        return save(common, arguments.output, textOf(result, format));
    if (format == "table") {
        print(textOf(result, format));
        return {};
    }
    return printJsonLine(textOf(result, format)); // CSV too: its cells are made of visible text, and must not be truncated
}

/// Refuses the options of a scenario beside a file, which is asked instead.
Result<void> refuseScenario(const ScenarioOptions &options, const PlanCosts &costs, const std::string &path) {
    TRY(refuseSharing(options, fmt::format("\"{}\"", path)));
    ScenarioOptions others = options;
    if (!isProject(path))
        others.variables.clear(); // sizes for a profile that lacks them
    std::string option = strategyOptionIn(others);
    for (const auto &[name, isGiven] : {std::pair("--job", !options.job.empty()),
                                        {"--cluster", !options.cluster.empty()},
                                        {"--strategy", !options.strategy.empty()},
                                        {"--workers", options.workers > 0},
                                        {"--bandwidth", options.bandwidthGbits > 0},
                                        {"--latency", !options.latency.empty()},
                                        {"--costs", !costs.measured.empty()},
                                        {"--incast", !costs.incast.empty()}})
        if (option.empty() && isGiven)
            option = name;
    if (option.empty())
        return {};
    return fail(fmt::format("it is about a simulation, and \"{}\" is asked", path), "leave it out, or the file", option);
}

Outcome query(const Common &common, const QueryArguments &arguments) {
    if (arguments.listTables) {
        print(common.json ? tablesJson() : describeTables());
        return {};
    }
    if (arguments.texts.empty())
        return badInput("there is no query", "give a SELECT (docs/query.md); --tables lists what it may name");
    const std::string &sql = arguments.texts.back();
    const Interruption interruption;
    const auto load = [&]() -> Result<QueryInput> {
        const bool isScenario = arguments.texts.size() == 1; // --job is asked, no file
        if (TRY(playsPlans(isScenario ? arguments.scenario : ScenarioOptions(), arguments.costs)))
            return inputOfDag(arguments.scenario, arguments.costs, common.seed);
        if (isScenario)
            return inputOfScenario(arguments.scenario, common.seed, interruption.token());
        const std::string &path = arguments.texts.front();
        TRY(refuseScenario(arguments.scenario, arguments.costs, path));
        return isProject(path) ? inputOfProject(path, interruption.token())
                               : inputOfProfile(path, arguments.scenario, interruption.token());
    };
    const auto input = TRY(orBadInput(load()));
    const auto result = runQuery(input, sql, arguments.limits, interruption.token());
    if (!result)
        return result.error().kind == ErrorKind::Input ? Outcome(badInput(inFile(result.error(), "SQL")))
                                                       : Outcome(failedRunning(result.error()));
    return answer(common, arguments, *result);
}

Action declareQuery(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<QueryArguments>();
    CLI::Option *const what =
        command.add_option("what", arguments->texts, "A profile or a project, which may be left out, and one SELECT")
            ->expected(0, 2);
    addScenario(command, arguments->scenario, false);
    addBackground(command, arguments->scenario);
    addSharing(command, arguments->scenario);
    addStrategy(command, arguments->scenario, false);
    takeDags(command, arguments->costs);
    command.get_option("--costs")->allow_extra_args(false); // the SELECT may follow it
    command.add_option("--format", arguments->format, "How the result is written; --json is --format json")
        ->check(CLI::IsMember({"table", "csv", "json"}))
        ->capture_default_str();
    command.add_option("--rows", arguments->limits.maxRows, "Rows of the result")
        ->check(CLI::Range(1, 100'000'000))
        ->capture_default_str();
    command.add_option("--seconds", arguments->limits.maxSeconds, "Time that the query may take; 0 = any")
        ->check(between(0, 1e6))
        ->capture_default_str();
    CLI::Option *const tables =
        command.add_flag("--tables", arguments->listTables, "List the tables and their columns, with units");
    tables->excludes(what, addOutput(command, common, "-o,--output", arguments->output, "Write the result to a file"));
    return [&common, arguments] { return query(common, *arguments); };
}

} // namespace

const CommandEntry queryEntry{"query", "Query spans, steps, tasks, variables, links and trials with SQL", declareQuery};

} // namespace syncopate::cli
