// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

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

/// The strategy alone, which a file holds without any job.
Outcome exportStrategy(const Common &common, const ExportArguments &arguments, const ScenarioOptions &options) {
    Result<Strategy> strategy = fail("");
    if (isFile(options.strategy) && options.job.empty()) {
        strategy = readStrategyFile(options.strategy);
    } else {
        if (options.job.empty() || options.cluster.empty())
            return badInput(fmt::format("'{}' is no file, and a builder needs a job and a cluster", options.strategy),
                            "name a strategy file, or add --job and --cluster");
        const auto scenario = loadScenario(options, common.seed);
        if (!scenario)
            return badInput(scenario.error());
        strategy = *scenario->strategy;
    }
    if (!strategy)
        return badInput(strategy.error());
    if (strategy->id.empty())
        strategy->id = newStrategyId();
    const bool json = arguments.format == "json";
    if (auto saved = save(common, arguments.output, json ? writeStrategyJson(*strategy) : writeStrategyProto(*strategy)); !saved)
        return saved;
    if (!json) {
        const std::filesystem::path path(arguments.output);
        const std::string name = path.filename().string();
        if (auto saved = save(common, (path.parent_path() / autoDistStubName(name)).string(), writeAutoDistStub(name)); !saved)
            return saved;
    }
    if (common.json) {
        JsonWriter out;
        out.beginObject().member("id", strategy->id).member("file", arguments.output).member("format", arguments.format);
        print(out.endObject().newLine().take());
    }
    return {};
}

std::string reportOf(const ScenarioOptions &options, const std::vector<ReportSide> &sides) {
    ReportInput input;
    input.title = sides.size() == 2
                      ? fmt::format("{}: {} against {}", sides[0].run->scenario.job->name, sides[0].strategy, sides[1].strategy)
                      : fmt::format("{}: {}", sides[0].run->scenario.job->name, sides[0].strategy);
    input.jobSource = options.job;
    input.clusterSource = options.cluster;
    input.sides = sides;
    input.programVersion = SYNCOPATE_VERSION;
    input.date = today();
    return writeHtmlReport(input);
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
        for (const LauncherInfo &launcher : launchers())
            list.push_back({launcher.format, fmt::format("settings for {}", launcher.title)});
        return list;
    }();
    return formats;
}

Outcome exportCommand(const Common &common, const ExportArguments &arguments, const ScenarioOptions &options) {
    const std::string &format = arguments.format;
    if (format == "autodist" || format == "json")
        return exportStrategy(common, arguments, options);
    if (options.job.empty() || options.cluster.empty())
        return badInput(fmt::format("the format {} needs a job and a cluster", format), "add --job and --cluster");
    const auto scenario = loadScenario(options, common.seed);
    if (!scenario)
        return badInput(scenario.error());
    const auto known =
        std::find_if(launchers().begin(), launchers().end(), [&](const LauncherInfo &l) { return l.format == format; });
    Result<std::string> bytes = std::string();
    if (known != launchers().end()) {
        bytes = writeLauncherSettings(known->launcher, *scenario);
        if (!bytes)
            return badInput(bytes.error());
    } else {
        const auto run = simulate(*scenario);
        if (!run)
            return badInput(run.error());
        std::vector<ReportSide> sides{{options.strategy, *run}};
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
            sides.push_back({arguments.b, *runB});
        }
        if (format == "chrome")
            bytes = writeChromeTrace(**run);
        else if (format == "csv" || format == "tsv" || format == "markdown")
            bytes = writeTable(variableTable(**run), format == "csv"   ? TableFormat::Csv
                                                     : format == "tsv" ? TableFormat::Tsv
                                                                       : TableFormat::Markdown);
        else if (format == "svg")
            bytes = writeTimelineSvg(**run, {.title = options.strategy + ", " + options.policy});
        else if (format == "html")
            bytes = reportOf(options, sides);
        else { // drawn by the explorer, which writes the file itself
            const auto second = sides.size() == 2 ? std::optional(PictureSide{optionsB.strategy, optionsB.policy}) : std::nullopt;
            if (const auto drawn =
                    drawPicture(**run, options, {options.strategy, options.policy}, second, arguments.output, format);
                !drawn)
                return failedRunning(drawn.error());
        }
    }
    if (format != "png" && format != "pdf")
        if (auto saved = save(common, arguments.output, *bytes); !saved)
            return saved;
    if (common.json) {
        JsonWriter out;
        out.beginObject().member("file", arguments.output).member("format", format);
        print(out.endObject().newLine().take());
    }
    return {};
}

} // namespace syncopate::cli
