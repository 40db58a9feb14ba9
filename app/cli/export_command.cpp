// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/export_command.h"

#include "app/cli/dag_runs.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "engine/base/json_writer.h"
#include "engine/export/export.h"
#include "engine/export/html_report.h"
#include "engine/export/launcher_settings.h"
#include "engine/export/table.h"
#include "engine/plan/execution_plan.h"
#include "engine/session/dag_job.h"
#include "engine/session/load_scenario.h"
#include "engine/strategy/strategy_file.h"

#include <CLI/CLI.hpp>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>

namespace syncopate::cli {

namespace {

/// Path of the StrategyBuilder stub that is written beside AutoDist's strategy file.
std::string stubPath(const std::string &strategyFile) {
    const std::filesystem::path path(strategyFile);
    return (path.parent_path() / autoDistStubName(path.filename().string())).string();
}

std::string nowUtc() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    std::string text(32, '\0');
    if (gmtime_r(&now, &parts) == nullptr)
        return {};
    text.resize(std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts));
    return text;
}

std::string reportOf(const ExportedRuns &runs) {
    ReportInput input;
    const std::vector<ReportSide> &sides = runs.sides;
    input.title = sides.size() == 2
                      ? fmt::format("{}: {} against {}", sides[0].run->scenario.job->name, sides[0].strategy, sides[1].strategy)
                      : fmt::format("{}: {}", sides[0].run->scenario.job->name, sides[0].strategy);
    input.jobSource = runs.jobSource;
    input.clusterSource = runs.clusterSource;
    input.sides = sides;
    input.firstSide = runs.firstSide;
    input.programVersion = SYNCOPATE_VERSION;
    input.date = nowUtc();
    return writeHtmlReport(input);
}

/// Refuses options of a job or a cluster beside a strategy file that is exported without either: they would be ignored.
Result<void> refuseUnmatched(const ScenarioOptions &options) {
    std::string option = clusterOptionIn(options);
    if (option.empty())
        option = strategyOptionIn(options);
    if (option.empty())
        return {};
    return fail("without a job a strategy file is exported as it is", "leave it out, or add --job and --cluster", option);
}

/// Refuses options of the simulation for a format that is written without one: they would be ignored. A strategy has no policy
/// either.
Result<void> refuseSimulation(const ScenarioOptions &options, const std::string &format) {
    const ScenarioOptions usual;
    const bool hasPolicy = isLauncherFormat(format);
    for (const auto &[option, isGiven] : {std::pair("--policy", !hasPolicy && options.policy != usual.policy),
                                          {"--iterations", options.iterations != usual.iterations},
                                          {"--no-fold", options.fold != usual.fold},
                                          {"--curves", options.curves != usual.curves},
                                          {"--background", options.background != usual.background}})
        if (isGiven)
            return fail(fmt::format("it is about simulations, and the format {} is written without one", format), "leave it out",
                        option);
    return {};
}

/// Exports a strategy: a file's unchanged, or, with a job and a cluster, a builder's or a file's matched with the job.
Outcome exportStrategy(const Common &common, const ExportArguments &arguments) {
    const ScenarioOptions &options = arguments.described;
    if (namesStrategyFile(options.strategy) && options.job.empty()) {
        TRY(orBadInput(refuseUnmatched(options)));
        const auto strategy = TRY(orBadInput(readStrategyFile(options.strategy)));
        return saveStrategy(common, arguments, strategy);
    }
    if (options.cluster.empty() && namesStrategyFile(options.strategy))
        return badInput("a job to match the strategy with needs a cluster", "add --cluster, or leave --job out");
    if (options.job.empty() || options.cluster.empty())
        return badInput(fmt::format("'{}' is not a file, and a builder needs a job and a cluster", options.strategy),
                        "name a strategy file, or add --job and --cluster");
    TRY(orBadInput(refuseSimulation(options, arguments.format)));
    const auto scenario = TRY(orBadInput(loadScenario(options, common.seed)));
    return saveStrategy(common, arguments, *scenario.strategy);
}

struct ExportFormat {
    std::string name, description;
};

const std::vector<ExportFormat> &exportFormats() {
    static const std::vector<ExportFormat> formats = [] {
        std::vector<ExportFormat> list{{"autodist", "strategy for AutoDist, with the StrategyBuilder that loads it"},
                                       {"json", "strategy as JSON; of a training DAG the plan file"},
                                       {"csv", "table of variables, comma-separated"},
                                       {"tsv", "table of variables, tab-separated"},
                                       {"markdown", "table of variables, Markdown"},
                                       {"png", "picture of the panes, drawn by the explorer"},
                                       {"pdf", "picture of the panes, drawn by the explorer"},
                                       {"html", "report in one file"},
                                       {"trials", "all searches of a project as JSON lines, each strategy with its time"}};
        for (const TimelineFormat &format : timelineFormats())
            list.push_back({format.name, fmt::format("timeline as {}", format.title)});
        for (const Launcher *launcher : launchers())
            list.push_back({launcher->format, fmt::format("settings for {}", launcher->title)});
        return list;
    }();
    return formats;
}

} // namespace

void describeExport(const Common &common, const ExportArguments &arguments, const std::string &id) {
    if (!common.json)
        return;
    JsonWriter out;
    out.beginObject();
    if (!id.empty())
        out.member("id", id);
    out.member("file", arguments.output).member("format", arguments.format);
    out.endObject().newLine();
    printJson(out);
}

bool isLauncherFormat(const std::string &format) { return findLauncher(format) != nullptr; }

Outcome saveStrategy(const Common &common, const ExportArguments &arguments, Strategy strategy) {
    TRY(orBadInput(arguments.format == "json" ? checkWritable(strategy) : checkForAutoDist(strategy)));
    if (strategy.id.empty())
        strategy.id = newStrategyId();
    if (arguments.format == "json") {
        TRY(save(common, arguments.output, writeStrategyJson(strategy)));
    } else {
        const std::string bytes = writeStrategyProto(strategy);
        const std::string stub = writeAutoDistStub(std::filesystem::path(arguments.output).filename().string());
        TRY(saveBoth(common, {arguments.output, [&bytes](const TextSink &sink) { return sink(bytes); }},
                     {stubPath(arguments.output), [&stub](const TextSink &sink) { return sink(stub); }}));
    }
    describeExport(common, arguments, strategy.id);
    return {};
}

Outcome saveSettings(const Common &common, const ExportArguments &arguments, const Scenario &scenario) {
    const auto text = TRY(orBadInput(writeLauncherSettings(*findLauncher(arguments.format), scenario)));
    TRY(save(common, arguments.output, text));
    describeExport(common, arguments);
    return {};
}

Outcome saveRuns(const Common &common, const ExportArguments &arguments, const ExportedRuns &runs) {
    const std::string &format = arguments.format;
    const Run &run = *runs.sides.front().run;
    if (findTimelineFormat(format))
        return saveTimeline(common, arguments, {run, &run, runs.sides.front().strategy + ", " + runs.policy});
    const std::string text = format == "html" ? reportOf(runs)
                                              : writeTable(variableTable(run), format == "csv"   ? TableFormat::Csv
                                                                               : format == "tsv" ? TableFormat::Tsv
                                                                                                 : TableFormat::Markdown);
    TRY(save(common, arguments.output, text));
    describeExport(common, arguments);
    return {};
}

Outcome saveTimeline(const Common &common, const ExportArguments &arguments, const TimelineToExport &timeline) {
    const TimelineFormat &format = *findTimelineFormat(arguments.format);
    TRY(save(common, arguments.output, [&](const TextSink &sink) { return format.write(timeline, sink); }));
    describeExport(common, arguments);
    return {};
}

Outcome sayExported(const Common &common, const ExportArguments &arguments) {
    sayWrote(common, arguments.output);
    describeExport(common, arguments);
    return {};
}

namespace {

/// The strategies and policies of A and, if given, B.
std::vector<ScenarioOptions> sidesOf(const ExportArguments &arguments) {
    std::vector<ScenarioOptions> sides{arguments.described};
    if (arguments.b.empty())
        return sides;
    sides.push_back(arguments.described);
    sides.back().strategy = arguments.b;
    sides.back().strategyOption = "--b";
    if (!arguments.policyB.empty()) {
        sides.back().policy = arguments.policyB;
        sides.back().policyOption = "--policy-b";
    }
    return sides;
}

Result<ExportedRuns> runsOf(const std::vector<ScenarioOptions> &sides, std::int32_t seed) {
    ExportedRuns runs{sides.front().job, sides.front().cluster, {}, sides.front().policy};
    for (const ScenarioOptions &side : sides) {
        auto run = TRY(simulate(TRY(loadScenario(side, seed))));
        runs.sides.push_back({side.strategy, std::move(run)});
    }
    return runs;
}

Outcome exportRuns(const Common &common, const ExportArguments &arguments) {
    const std::string &format = arguments.format;
    const std::vector<ScenarioOptions> sides = sidesOf(arguments);
    const bool isPicture = format == "png" || format == "pdf";
    if (isPicture)
        TRY(orBadInput(refuseUndrawn(arguments.described)));
    const auto runs = TRY(orBadInput(runsOf(sides, common.seed)));
    if (!isPicture)
        return saveRuns(common, arguments, runs);
    // The explorer draws it and writes the file itself.
    if (const auto drawn = drawPicture(runs.sides, arguments.described, arguments.output, format); !drawn)
        return failedRunning(drawn.error());
    return sayExported(common, arguments);
}

/// Exports a plan of a training DAG: its timeline, the panes of one or two plans, or the plan file.
Outcome exportDag(const Common &common, const ExportArguments &arguments) {
    const std::string &format = arguments.format;
    const ScenarioOptions &options = arguments.described;
    const bool isPicture = format == "png" || format == "pdf";
    if (!isPicture && !findTimelineFormat(format) && format != "json")
        return badInput(fmt::format("the format {} is for strategies, but \"{}\" is a training DAG", format, options.job),
                        fmt::format("export json, chrome, svg, png or pdf, or a format of syncopate-cli plan --job {} --format",
                                    options.job));
    TRY(orBadInput(refuseStrategyOptions(options, {{"--policy-b", !arguments.policyB.empty()}})));
    if (!isPicture && !arguments.b.empty())
        return badInput(fmt::format("the format {} shows one plan", format), "leave --b out, or export png or pdf");
    const DagJob dag = TRY(orBadInput(loadDagJob(options, arguments.costs, common.seed)));
    const DagRun a = TRY(orBadInput(playDag(dag, options.strategy.empty() ? usualPlanner : options.strategy, "--strategy")));
    if (format == "json") {
        TRY(save(common, arguments.output, writeExecutionPlan(a.work.plan, a.work.dag)));
        describeExport(common, arguments);
        return {};
    }
    if (!isPicture)
        return saveTimeline(common, arguments, {.recording = *a.run, .title = a.work.title});
    std::optional<DagRun> b;
    if (!arguments.b.empty())
        b = TRY(orBadInput(playDag(dag, arguments.b, "--b")));
    if (const auto drawn = drawDagPicture(options, dag, a, b ? &*b : nullptr, arguments.output, format); !drawn)
        return failedRunning(drawn.error());
    return sayExported(common, arguments);
}

Outcome exportCommand(const Common &common, const ExportArguments &arguments) {
    const std::string &format = arguments.format;
    if (format == "autodist")
        TRY(checkOutput(common, stubPath(arguments.output)));
    const ScenarioOptions &options = arguments.described;
    const bool isDag = TRY(orBadInput(playsPlans(options, arguments.costs)));
    if (!arguments.project.empty())
        return exportProject(common, arguments);
    if (format == "trials")
        return badInput("the format trials exports a project's searches", "give --project, or search with --trials-out");
    if (isDag)
        return exportDag(common, arguments);
    if (!arguments.b.empty() && format != "html" && format != "png" && format != "pdf")
        return badInput(fmt::format("the format {} has one side", format), "leave --b out, or export html, png or pdf");
    if (options.strategy.empty())
        return badInput("nothing is named to be exported", "give --strategy, or --project");
    const bool isStrategy = format == "autodist" || format == "json";
    if (isStrategy || isLauncherFormat(format))
        TRY(orBadInput(refuseSharing(options, fmt::format("the format {}", format))));
    if (isStrategy)
        return exportStrategy(common, arguments);
    if (options.job.empty() || options.cluster.empty())
        return badInput(fmt::format("the format {} needs a job and a cluster", format), "add --job and --cluster");
    if (!isLauncherFormat(format))
        return exportRuns(common, arguments);
    TRY(orBadInput(refuseSimulation(options, format)));
    const auto scenario = TRY(orBadInput(loadScenario(options, common.seed)));
    return saveSettings(common, arguments, scenario);
}

/// Adds the options that describe a scenario, which a project replaces.
void addDescribed(CLI::App &command, ScenarioOptions &described) {
    addScenario(command, described, false);
    addBackground(command, described);
    addSharing(command, described);
    command.add_option(
        "--strategy,--builder", described.strategy,
        "Strategy file, or builder expression (then --job and --cluster too); of a training DAG a planner or a plan "
        "file");
}

/// Adds --project and the options that choose from it. It excludes all options declared so far.
CLI::Option *addProject(CLI::App &command, ExportArguments &arguments) {
    const std::vector<CLI::Option *> described =
        command.get_options([](const CLI::Option *option) { return option->get_name() != "--help"; });
    CLI::Option *project =
        command.add_option("--project", arguments.project, "Project file (.syncopate) to export from, as the explorer would");
    for (CLI::Option *option : described)
        project->excludes(option);
    command
        .add_option("--scenario", arguments.scenario, "Of a project: a kept scenario's name; without it, what its window showed")
        ->needs(project);
    command.add_option("--side", arguments.side, "Of a project: a or b, in formats of one side")
        ->check(CLI::IsMember({"a", "b"}))
        ->needs(project)
        ->capture_default_str();
    command.add_option("--candidate", arguments.candidate, "Of a project's search: a trial's number, a builder, or best")
        ->needs(project);
    return project;
}

void addFormat(CLI::App &command, std::string &format) {
    std::vector<std::string> names;
    std::string help;
    for (const ExportFormat &one : exportFormats()) {
        names.push_back(one.name);
        help += (help.empty() ? "" : "; ") + one.name + ": " + one.description;
    }
    command.add_option("--format", format, help)->check(CLI::IsMember(names).name(""))->capture_default_str();
}

Action declareExport(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<ExportArguments>();
    addDescribed(command, arguments->described);
    takeDags(command, arguments->costs);
    CLI::Option *project = addProject(command, *arguments);
    addFormat(command, arguments->format);
    CLI::Option *b = command
                         .add_option("--b", arguments->b,
                                     "A second strategy, for html, png and pdf; of a training DAG a second plan, for png and pdf")
                         ->excludes(project);
    command.add_option("--policy-b", arguments->policyB, "Its policy, where it is not the first one's")
        ->excludes(project)
        ->needs(b);
    addOutput(command, common, "-o,--output", arguments->output, "File to write")->required();
    return [&common, arguments] { return exportCommand(common, *arguments); };
}

} // namespace

const CommandEntry exportEntry{"export", "Write a strategy, timeline, table, picture, report or launcher's settings",
                               declareExport};

} // namespace syncopate::cli
