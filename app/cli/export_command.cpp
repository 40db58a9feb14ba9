// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/export_command.h"

#include "app/cli/load_scenario.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "engine/base/json_writer.h"
#include "engine/export/export.h"
#include "engine/export/html_report.h"
#include "engine/export/launcher_settings.h"
#include "engine/export/table.h"
#include "engine/export/timeline_svg.h"
#include "engine/strategy/strategy_file.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <optional>

namespace syncopate::cli {

namespace {

bool isFile(const std::string &path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

std::string today() {
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
    input.programVersion = SYNCOPATE_VERSION;
    input.date = today();
    return writeHtmlReport(input);
}

void printJson(const Common &common, const ExportArguments &arguments) {
    if (!common.json)
        return;
    JsonWriter out;
    out.beginObject().member("file", arguments.output).member("format", arguments.format);
    print(out.endObject().newLine().take());
}

/// The strategy alone, which a file holds without any job.
Outcome exportStrategy(const Common &common, const ExportArguments &arguments, const ScenarioOptions &options) {
    if (isFile(options.strategy) && options.job.empty()) {
        const auto strategy = readStrategyFile(options.strategy);
        return strategy ? saveStrategy(common, arguments, *strategy) : Outcome(badInput(strategy.error()));
    }
    if (options.job.empty() || options.cluster.empty())
        return badInput(fmt::format("'{}' is no file, and a builder needs a job and a cluster", options.strategy),
                        "name a strategy file, or add --job and --cluster");
    const auto scenario = loadScenario(options, common.seed);
    if (!scenario)
        return badInput(scenario.error());
    return saveStrategy(common, arguments, *scenario->strategy);
}

} // namespace

const std::vector<ExportFormat> &exportFormats() {
    static const std::vector<ExportFormat> formats = [] {
        std::vector<ExportFormat> list{{"autodist", "strategy for AutoDist, with the StrategyBuilder that loads it"},
                                       {"json", "strategy as JSON"},
                                       {"chrome", "timeline as Chrome trace JSON (opens in Perfetto)"},
                                       {"csv", "table of variables, comma-separated"},
                                       {"tsv", "table of variables, tab-separated"},
                                       {"markdown", "table of variables, Markdown"},
                                       {"svg", "picture of the timeline"},
                                       {"png", "picture of the panes, drawn by the explorer"},
                                       {"pdf", "picture of the panes, drawn by the explorer"},
                                       {"html", "report in one file"}};
        for (const Launcher *launcher : launchers())
            list.push_back({launcher->format, fmt::format("settings for {}", launcher->title)});
        return list;
    }();
    return formats;
}

bool isLauncherFormat(const std::string &format) { return findLauncher(format) != nullptr; }

Outcome saveStrategy(const Common &common, const ExportArguments &arguments, Strategy strategy) {
    if (strategy.id.empty())
        strategy.id = newStrategyId();
    const bool json = arguments.format == "json";
    TRY(save(common, arguments.output, json ? writeStrategyJson(strategy) : writeStrategyProto(strategy)));
    if (!json) {
        const std::filesystem::path path(arguments.output);
        const std::string name = path.filename().string();
        TRY(save(common, (path.parent_path() / autoDistStubName(name)).string(), writeAutoDistStub(name)));
    }
    if (common.json) {
        JsonWriter out;
        out.beginObject().member("id", strategy.id).member("file", arguments.output).member("format", arguments.format);
        print(out.endObject().newLine().take());
    }
    return {};
}

Outcome saveSettings(const Common &common, const ExportArguments &arguments, const Scenario &scenario) {
    const auto text = writeLauncherSettings(*findLauncher(arguments.format), scenario);
    if (!text)
        return badInput(text.error());
    TRY(save(common, arguments.output, *text));
    printJson(common, arguments);
    return {};
}

Outcome saveRuns(const Common &common, const ExportArguments &arguments, const ExportedRuns &runs) {
    const std::string &format = arguments.format;
    const Run &run = *runs.sides.front().run;
    std::string text;
    TextSource source = [&text](const TextSink &sink) { return sink(text); };
    if (format == "chrome")
        source = [&run](const TextSink &sink) { return writeChromeTrace(run, sink); };
    else if (format == "svg")
        text = writeTimelineSvg(run, {.title = runs.sides.front().strategy + ", " + runs.policy});
    else if (format == "html")
        text = reportOf(runs);
    else
        text = writeTable(variableTable(run), format == "csv"   ? TableFormat::Csv
                                              : format == "tsv" ? TableFormat::Tsv
                                                                : TableFormat::Markdown);
    TRY(save(common, arguments.output, source));
    printJson(common, arguments);
    return {};
}

Outcome saveRecording(const Common &common, const ExportArguments &arguments, const Recording &recording,
                      const std::string &title) {
    if (arguments.format == "chrome")
        TRY(save(common, arguments.output, [&](const TextSink &sink) { return writeChromeTrace(recording, sink); }));
    else
        TRY(save(common, arguments.output, writeTimelineSvg(recording, {.title = title})));
    printJson(common, arguments);
    return {};
}

Outcome sayExported(const Common &common, const ExportArguments &arguments) {
    sayWrote(common, arguments.output);
    printJson(common, arguments);
    return {};
}

Outcome exportCommand(const Common &common, const ExportArguments &arguments, const ScenarioOptions &options) {
    if (!arguments.project.empty())
        return exportProject(common, arguments);
    const std::string &format = arguments.format;
    if (options.strategy.empty())
        return badInput("nothing is named to be exported", "give --strategy, or --project");
    if (format == "autodist" || format == "json")
        return exportStrategy(common, arguments, options);
    if (options.job.empty() || options.cluster.empty())
        return badInput(fmt::format("the format {} needs a job and a cluster", format), "add --job and --cluster");
    const auto scenario = loadScenario(options, common.seed);
    if (!scenario)
        return badInput(scenario.error());
    if (isLauncherFormat(format))
        return saveSettings(common, arguments, *scenario);
    const auto run = simulate(*scenario);
    if (!run)
        return badInput(run.error());
    ExportedRuns runs{options.job, options.cluster, {{options.strategy, *run}}, options.policy};
    ScenarioOptions optionsB = options;
    if (!arguments.b.empty()) {
        optionsB.strategy = arguments.b;
        optionsB.policy = arguments.policyB.empty() ? options.policy : arguments.policyB;
        const auto scenarioB = loadScenario(optionsB, common.seed);
        if (!scenarioB)
            return badInput(scenarioB.error());
        const auto runB = simulate(*scenarioB);
        if (!runB)
            return badInput(runB.error());
        runs.sides.push_back({arguments.b, *runB});
    }
    if (format != "png" && format != "pdf")
        return saveRuns(common, arguments, runs);
    // Drawn by the explorer, which writes the file itself.
    const auto second = runs.sides.size() == 2 ? std::optional(PictureSide{optionsB.strategy, optionsB.policy}) : std::nullopt;
    if (const auto drawn = drawPicture(**run, options, {options.strategy, options.policy}, second, arguments.output, format);
        !drawn)
        return failedRunning(drawn.error());
    return sayExported(common, arguments);
}

} // namespace syncopate::cli
