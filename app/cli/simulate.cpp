// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/batch.h"
#include "app/cli/commands.h"
#include "app/cli/dag_runs.h"
#include "app/cli/lint_report.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/run_report.h"
#include "engine/export/export.h"
#include "engine/rewrite/scenario_lint.h"
#include "engine/session/dag_job.h"
#include "engine/session/load_scenario.h"
#include "engine/simulate/run.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace syncopate::cli {

namespace {

struct SimulateArguments {
    ScenarioOptions scenario;
    std::string traceFile, tableFile, pictureFile;
    std::string batchFile; ///< empty = one scenario
    PlanCosts costs;       ///< of a training DAG
};

Outcome writeOutputs(const Common &common, const SimulateArguments &arguments, const std::shared_ptr<const Run> &run) {
    const ScenarioOptions &options = arguments.scenario;
    if (!arguments.traceFile.empty())
        TRY(save(common, arguments.traceFile, [&run](const TextSink &sink) { return writeChromeTrace(*run, sink); }));
    if (!arguments.tableFile.empty())
        TRY(save(common, arguments.tableFile, writeTableCsv(*run)));
    if (arguments.pictureFile.empty())
        return {};
    if (const auto drawn = drawPicture({{options.strategy, run}}, options, arguments.pictureFile); !drawn)
        return failedRunning(drawn.error());
    sayWrote(common, arguments.pictureFile);
    return {};
}

/// --job, --cluster and --strategy are required except for a batch, whose lines may name them.
Outcome checkNamed(const ScenarioOptions &options) {
    for (const auto &[name, text] :
         {std::pair("--job", &options.job), std::pair("--cluster", &options.cluster), std::pair("--strategy", &options.strategy)})
        if (text->empty())
            return badInput(std::string(name) + " is required", "see syncopate-cli --help");
    return {};
}

/// Plays a plan of a training DAG.
Outcome simulateDag(const Common &common, const SimulateArguments &arguments) {
    const ScenarioOptions &options = arguments.scenario;
    if (!arguments.tableFile.empty())
        return badInput(fmt::format("the table lists variables, which the training DAG \"{}\" does not have", options.job),
                        "ask for its collectives with query, or write --trace", "--table");
    const DagJob dag = TRY(orBadInput(loadDagJob(options, arguments.costs, common.seed)));
    const std::string planner = options.strategy.empty() ? usualPlanner : options.strategy;
    const DagRun played = TRY(orBadInput(playDag(dag, planner, options.strategyOption)));
    if (!arguments.traceFile.empty())
        TRY(save(common, arguments.traceFile,
                 [&run = *played.run](const TextSink &sink) { return writeChromeTrace(run, sink); }));
    if (!arguments.pictureFile.empty()) {
        if (const auto drawn = drawDagPicture(options, dag, played, nullptr, arguments.pictureFile); !drawn)
            return failedRunning(drawn.error());
        sayWrote(common, arguments.pictureFile);
    }
    JsonWriter json;
    json.beginObject();
    writeDagRun(json, dag, planner, played);
    json.endObject().newLine();
    printEither(common, json, describeDagRun(common, dag, played));
    return {};
}

Outcome simulateCommand(const Common &common, const SimulateArguments &arguments) {
    if (!arguments.batchFile.empty())
        return simulateBatch(common, arguments.scenario, arguments.costs, arguments.batchFile);
    if (TRY(orBadInput(playsPlans(arguments.scenario, arguments.costs))))
        return simulateDag(common, arguments);
    TRY(checkNamed(arguments.scenario));
    if (!arguments.pictureFile.empty())
        TRY(orBadInput(refuseUndrawn(arguments.scenario)));
    const auto scenario = TRY(orBadInput(loadScenario(arguments.scenario, common.seed)));
    const auto run = TRY(orBadInput(simulate(scenario)));
    TRY(writeOutputs(common, arguments, run));
    const std::vector<LintMark> marks = lintScenario(scenario);
    JsonWriter json;
    json.beginObject();
    writeRun(json, *run);
    writeLint(json, marks);
    json.endObject().newLine();
    printEither(common, json, describeRun(*run) + (common.quiet ? std::string() : lintReport(marks)));
    return {};
}

Action declareSimulate(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<SimulateArguments>();
    addScenario(command, arguments->scenario, false);
    addBackground(command, arguments->scenario);
    addSharing(command, arguments->scenario);
    addStrategy(command, arguments->scenario, false);
    takeDags(command, arguments->costs);
    CLI::Option *const batch = command.add_option("--batch", arguments->batchFile,
                                                  "Simulate the scenario of each line of a JSONL file (- = stdin): objects with "
                                                  "the keys job, cluster, strategy, policy and so "
                                                  "on; options are the lines' defaults. Prints one JSON result a line, in order");
    batch->excludes(
        addOutput(command, common, "--trace", arguments->traceFile, "Write the timeline as Chrome JSON (opens in Perfetto)"),
        addOutput(command, common, "--table", arguments->tableFile, "Write the per-variable table as CSV"),
        addOutput(command, common, "--picture", arguments->pictureFile, "Write a picture of the timeline as PNG"));
    return [&common, arguments] { return simulateCommand(common, *arguments); };
}

} // namespace

const CommandEntry simulateEntry{"simulate", "Simulate one strategy and print its iteration time and overlap", declareSimulate};

} // namespace syncopate::cli
