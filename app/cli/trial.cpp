// SPDX-License-Identifier: GPL-3.0-or-later
// trial: judges a single strategy, in the way that a search judges each of its candidates.
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/rate.h"
#include "engine/base/json_writer.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "engine/session/load_scenario.h"
#include "engine/trial/judge.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace syncopate::cli {

namespace {

void writeJson(const Judge &judge, const Job &job, const Verdict &verdict) {
    JsonWriter json;
    json.beginObject().member("judge", judge.text()).member("deterministic", judge.isDeterministic());
    json.member("iteration_seconds", verdict.iterationSeconds).member("confidence", verdict.confidence);
    json.member("spread_seconds", verdict.spreadSeconds);
    json.member("exposed_communication_seconds", verdict.exposedSeconds);
    json.member("communication_seconds", verdict.communicationSeconds);
    writeRate(json, job.batchSize, verdict.samplesPerSecond);
    json.member("cost_seconds", verdict.costSeconds).key("assumptions").beginArray();
    for (const std::string &assumption : verdict.assumptions)
        json.value(assumption);
    json.endArray().endObject().newLine();
    printJson(json);
}

std::string report(const Judge &judge, const Job &job, const Verdict &verdict, bool quiet) {
    std::string text;
    const auto line = [&](const char *name, double seconds) {
        if (!std::isnan(seconds))
            text += fmt::format("{:15} {}\n", name, formatSeconds(seconds));
    };
    line("iteration", verdict.iterationSeconds);
    line("spread", verdict.spreadSeconds);
    line("communication", verdict.communicationSeconds);
    line("exposed", verdict.exposedSeconds);
    if (!std::isnan(verdict.samplesPerSecond))
        text += fmt::format("{:15} {:.5g} {}\n", "throughput", verdict.samplesPerSecond, rateUnit(statesBatch(job)));
    text += fmt::format("{:15} {}, {}\n", "judged by", judge.text(), formatSeconds(verdict.costSeconds));
    for (const std::string &assumption : verdict.assumptions)
        if (!quiet)
            text += assumption + "\n";
    return text;
}

struct TrialArguments {
    ScenarioOptions scenario;
    std::string judge = "simulated()";
};

Outcome trialCommand(const Common &common, const TrialArguments &arguments) {
    const auto judge = TRY(orBadInput(inOption(makeJudge(arguments.judge), "--judge")));
    const auto scenario = TRY(orBadInput(loadScenario(arguments.scenario, common.seed)));
    const auto verdict = judge->judge(scenario, {});
    if (!verdict)
        return verdict.error().kind == ErrorKind::Input ? badInput(verdict.error()) : failedRunning(verdict.error());
    if (common.json)
        writeJson(*judge, *scenario.job, *verdict);
    else
        print(report(*judge, *scenario.job, *verdict, common.quiet));
    return {};
}

Action declareTrial(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<TrialArguments>();
    addScenario(command, arguments->scenario);
    addBackground(command, arguments->scenario);
    addSharing(command, arguments->scenario);
    addStrategy(command, arguments->scenario);
    addJudge(command, arguments->judge);
    return [&common, arguments] { return trialCommand(common, *arguments); };
}

} // namespace

const CommandEntry trialEntry{"trial", "Judge one strategy as a search judges its candidates", declareTrial};

} // namespace syncopate::cli
