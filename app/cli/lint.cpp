// SPDX-License-Identifier: GPL-3.0-or-later
// lint: checks a launcher's settings against its system's rules and against a job on a cluster.
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "engine/base/json_writer.h"
#include "engine/base/units.h"
#include "engine/session/load_scenario.h"
#include "engine/session/settings_report.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <vector>

namespace syncopate::cli {

namespace {

struct LintArguments {
    ScenarioOptions scenario;
    std::string settings; ///< a file, or the settings themselves
};

Result<SettingsReport> find(const Common &common, const LintArguments &arguments) {
    std::optional<ScenarioRecipe> recipe;
    if (!arguments.scenario.job.empty()) {
        ScenarioOptions options = arguments.scenario;
        options.strategy = "AllReduce"; // replaced by the strategy that the settings describe
        recipe = TRY(loadRecipe(options, common.seed));
    }
    return reportSettings(arguments.settings, recipe);
}

void writeJson(const SettingsReport &findings) {
    JsonWriter json;
    json.beginObject().key("systems").beginArray();
    for (const SettingsMeaning &meaning : findings.found.meanings)
        json.value(meaning.system);
    json.endArray().newLine().key("findings").beginArray();
    for (const SettingMark &mark : findings.found.marks) {
        json.newLine().beginObject().member("fault", nameOf(mark.fault)).member("setting", mark.setting);
        json.member("place", mark.place).member("text", mark.text).member("remedy", mark.remedy).endObject();
    }
    json.endArray().newLine().key("predictions").beginArray();
    for (const SettingsCost &cost : findings.costs) {
        json.newLine().beginObject().member("system", cost.meaning.system).member("policy", cost.meaning.policy);
        json.member("iteration_seconds", cost.seconds).member("cost_seconds", cost.seconds - cost.bestSeconds);
        json.member("default_policy", cost.meaning.defaultPolicy).member("default_iteration_seconds", cost.defaultSeconds);
        json.member("best_policy", cost.bestPolicy).member("best_iteration_seconds", cost.bestSeconds);
        json.key("left_out").beginArray();
        for (const LeftOut &left : cost.meaning.leftOut)
            json.beginObject().member("setting", left.setting).member("text", left.text).endObject();
        json.endArray().endObject();
    }
    json.endArray().endObject().newLine();
    printJson(json);
}

/// "; leaves out A: why; B: why", or nothing.
std::string leftOutText(const std::vector<LeftOut> &leftOut) {
    std::string text;
    for (const LeftOut &left : leftOut)
        text += fmt::format("{}{}: {}", text.empty() ? "; leaves out " : "; ", left.setting, left.text);
    return text;
}

std::string report(const SettingsReport &findings) {
    std::string text;
    for (const SettingMark &mark : findings.found.marks)
        text += fmt::format("{}: {}{}: {}; {}\n", nameOf(mark.fault), mark.place.empty() ? "" : "line " + mark.place + ": ",
                            mark.setting, mark.text, mark.remedy);
    for (const SettingsCost &cost : findings.costs)
        text += fmt::format("{}: {} an iteration ({}), {} with its defaults ({}), {} at best ({}){}\n", cost.meaning.system,
                            formatSeconds(cost.seconds), cost.meaning.policy, formatSeconds(cost.defaultSeconds),
                            cost.meaning.defaultPolicy, formatSeconds(cost.bestSeconds), cost.bestPolicy,
                            leftOutText(cost.meaning.leftOut));
    return text.empty() ? "nothing found\n" : text;
}

Outcome lintCommand(const Common &common, const LintArguments &arguments) {
    if (arguments.scenario.job.empty() != arguments.scenario.cluster.empty())
        return badInput("settings are checked against a job on a cluster", "name both --job and --cluster, or neither");
    const auto findings = TRY(orBadInput(find(common, arguments)));
    if (common.json)
        writeJson(findings);
    else
        print(report(findings));
    return {};
}

Action declareLint(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<LintArguments>();
    command
        .add_option(
            "--settings", arguments->settings,
            "DeepSpeed's JSON, Horovod's YAML, a script or environment file, or the settings themselves: Megatron, torchrun and "
            "horovodrun arguments, XLA_FLAGS=..., HOROVOD_, BYTEPS_ and BYTESCHEDULER_ variables")
        ->required();
    const std::vector<CLI::Option *> own = command.get_options();
    addCluster(command, arguments->scenario, false);
    CLI::Option *job = command.get_option("--job");
    for (CLI::Option *option : command.get_options()) // without a job they would do nothing
        if (option != job && std::ranges::find(own, option) == own.end())
            option->needs(job);
    return [&common, arguments] { return lintCommand(common, *arguments); };
}

} // namespace

const CommandEntry lintEntry{"lint", "Find settings of a launcher that are ignored, harmful or in a wrong unit", declareLint};

} // namespace syncopate::cli
