// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/lint_report.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "engine/base/json_writer.h"
#include "engine/session/load_scenario.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/expression.h"
#include "engine/strategy/strategy_file.h"

#include <CLI/CLI.hpp>
#include <memory>

namespace syncopate::cli {

namespace {

struct BuildArguments {
    ScenarioOptions scenario;
    std::string builder, output;
};

/// The builder's strategy for the job and cluster, with an id of its own, and the lint findings on it.
Result<std::pair<Strategy, std::vector<LintMark>>> buildNamed(const BuildArguments &arguments) {
    const auto job = TRY(loadScenarioJob(arguments.scenario));
    const auto cluster = TRY(loadCluster(arguments.scenario, job));
    auto strategy = TRY(inOption(buildStrategy(arguments.builder, *job.job, cluster), "--builder"));
    strategy.id = newStrategyId();
    auto marks = lint(*job.job, cluster, strategy);
    return std::pair{std::move(strategy), std::move(marks)};
}

Outcome build(const Common &common, const BuildArguments &arguments) {
    const auto built = TRY(orBadInput(buildNamed(arguments)));
    const auto &[strategy, marks] = built;
    TRY(save(common, arguments.output, strategyBytes(strategy, arguments.output)));
    JsonWriter json;
    json.beginObject().member("id", strategy.id).member("file", arguments.output);
    json.member("variables", static_cast<std::uint64_t>(strategy.nodes.size()));
    json.member("replicas", static_cast<std::uint64_t>(strategy.replicas.size()));
    writeLint(json, marks);
    json.endObject().newLine();
    printEither(common, json, common.quiet ? std::string() : lintReport(marks));
    return {};
}

Action declareBuild(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<BuildArguments>();
    addCluster(command, arguments->scenario);
    command.add_option("--builder", arguments->builder, "Builder expression, such as 'AllReduce(chunk_size=128)'")->required();
    addOutput(command, common, "-o,--output", arguments->output, "Strategy file; .json for JSON, anything else AutoDist's format")
        ->required();
    return [&common, arguments] { return build(common, *arguments); };
}

} // namespace

const CommandEntry buildEntry{"build", "Build a strategy and write it as AutoDist .pb or as .json", declareBuild};

} // namespace syncopate::cli
