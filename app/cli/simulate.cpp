// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/lint_report.h"
#include "app/cli/load_scenario.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/run_report.h"
#include "engine/export/export.h"
#include "engine/rewrite/scenario_lint.h"
#include "engine/simulate/run.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

namespace syncopate::cli {

namespace {

struct Arguments {
    ScenarioOptions scenario;
    std::string traceFile, tableFile, pictureFile;
};

Outcome writeOutputs(const Common &common, const Arguments &arguments, const Run &run) {
    const ScenarioOptions &options = arguments.scenario;
    if (!arguments.traceFile.empty())
        TRY(save(common, arguments.traceFile, [&run](const TextSink &sink) { return writeChromeTrace(run, sink); }));
    if (!arguments.tableFile.empty())
        TRY(save(common, arguments.tableFile, writeTableCsv(run)));
    if (arguments.pictureFile.empty())
        return {};
    if (const auto drawn = drawPicture(run, options, {options.strategy, options.policy}, {}, arguments.pictureFile); !drawn)
        return failedRunning(drawn.error());
    sayWrote(common, arguments.pictureFile);
    return {};
}

Outcome simulateCommand(const Common &common, const Arguments &arguments) {
    const auto scenario = loadScenario(arguments.scenario, common.seed);
    if (!scenario)
        return badInput(scenario.error());
    const auto run = simulate(*scenario);
    if (!run)
        return badInput(run.error());
    TRY(writeOutputs(common, arguments, **run));
    JsonWriter json;
    json.beginObject();
    writeRun(json, **run);
    writeLint(json, lintScenario(*scenario));
    json.endObject().newLine();
    printEither(common, json, describeRun(**run) + (common.quiet ? std::string() : lintReport(lintScenario(*scenario))));
    return {};
}

Action declare(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<Arguments>();
    addScenario(command, arguments->scenario);
    addBackground(command, arguments->scenario);
    addStrategy(command, arguments->scenario);
    addOutput(command, common, "--trace", arguments->traceFile, "Write the timeline as Chrome JSON (opens in Perfetto)");
    addOutput(command, common, "--table", arguments->tableFile, "Write the per-variable table as CSV");
    addOutput(command, common, "--picture", arguments->pictureFile, "Write a picture of the timeline as PNG");
    return [&common, arguments] { return simulateCommand(common, *arguments); };
}

} // namespace

const CommandEntry simulateEntry{"simulate", "Simulate one strategy and print its iteration time and overlap", declare};

} // namespace syncopate::cli
