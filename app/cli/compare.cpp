// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/dag_runs.h"
#include "app/cli/lint_report.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/run_report.h"
#include "engine/base/units.h"
#include "engine/rewrite/scenario_lint.h"
#include "engine/session/dag_job.h"
#include "engine/session/load_scenario.h"
#include "engine/simulate/run.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace syncopate::cli {

namespace {

struct CompareArguments {
    ScenarioOptions scenario; ///< without a strategy
    std::string a, b;
    std::string policyB; ///< empty = A's
    std::string pictureFile;
    PlanCosts costs; ///< of a training DAG
};

/// The scenarios of both sides, made before either is simulated, so that an error in B is reported at once.
struct Sides {
    std::shared_ptr<const Run> a, b;
};

Result<Sides> simulateBoth(const ScenarioOptions &optionsA, const ScenarioOptions &optionsB, std::int32_t seed) {
    const auto a = TRY(loadScenario(optionsA, seed));
    const auto b = TRY(loadScenario(optionsB, seed));
    Sides sides;
    sides.a = TRY(simulate(a));
    sides.b = TRY(simulate(b));
    return sides;
}

std::string verdictOn(double a, double b) {
    if (readTheSame(a, b))
        return "B takes as long as A per iteration";
    return fmt::format("B is {} {} per iteration ({:+.1f} %)", formatSeconds(std::abs(b - a)), b < a ? "faster" : "slower",
                       100 * (b - a) / a);
}

/// Compares two plans of a training DAG.
Outcome compareDag(const Common &common, const CompareArguments &arguments) {
    TRY(orBadInput(refuseStrategyOptions(arguments.scenario, {{"--policy-b", !arguments.policyB.empty()}})));
    const DagJob dag = TRY(orBadInput(loadDagJob(arguments.scenario, arguments.costs, common.seed)));
    const DagRun a = TRY(orBadInput(playDag(dag, arguments.a, "--a"))), b = TRY(orBadInput(playDag(dag, arguments.b, "--b")));
    if (!arguments.pictureFile.empty()) {
        if (const auto drawn = drawDagPicture(arguments.scenario, dag, a, &b, arguments.pictureFile); !drawn)
            return failedRunning(drawn.error());
        sayWrote(common, arguments.pictureFile);
    }
    JsonWriter json;
    json.beginObject().key("a").beginObject();
    writeDagRun(json, dag, arguments.a, a);
    json.endObject().key("b").beginObject();
    writeDagRun(json, dag, arguments.b, b);
    json.endObject().member("delta_seconds", b.run->iterationSeconds - a.run->iterationSeconds).endObject().newLine();
    printEither(common, json,
                fmt::format("A: {}\n{}\nB: {}\n{}\n{}\n", arguments.a, describeDagRun(common, dag, a), arguments.b,
                            describeDagRun(common, dag, b), verdictOn(a.run->iterationSeconds, b.run->iterationSeconds)));
    return {};
}

void writeSide(JsonWriter &json, const Run &run, const ScenarioOptions &options) {
    json.member("strategy", options.strategy);
    writeRun(json, run);
    writeLint(json, lintScenario(run.scenario));
}

Outcome compare(const Common &common, const CompareArguments &arguments) {
    if (TRY(orBadInput(playsPlans(arguments.scenario, arguments.costs))))
        return compareDag(common, arguments);
    ScenarioOptions optionsA = arguments.scenario;
    optionsA.strategy = arguments.a;
    optionsA.strategyOption = "--a";
    ScenarioOptions optionsB = arguments.scenario;
    optionsB.strategy = arguments.b;
    optionsB.strategyOption = "--b";
    if (!arguments.policyB.empty()) {
        optionsB.policy = arguments.policyB;
        optionsB.policyOption = "--policy-b";
    }
    if (!arguments.pictureFile.empty())
        TRY(orBadInput(refuseUndrawn(arguments.scenario)));
    const auto sides = TRY(orBadInput(simulateBoth(optionsA, optionsB, common.seed)));
    const Run &a = *sides.a, &b = *sides.b;
    if (!arguments.pictureFile.empty()) {
        if (const auto drawn = drawPicture({{optionsA.strategy, sides.a}, {optionsB.strategy, sides.b}}, arguments.scenario,
                                           arguments.pictureFile);
            !drawn)
            return failedRunning(drawn.error());
        sayWrote(common, arguments.pictureFile);
    }
    JsonWriter json;
    json.beginObject().key("a").beginObject();
    writeSide(json, a, optionsA);
    json.endObject().key("b").beginObject();
    writeSide(json, b, optionsB);
    json.endObject().member("delta_seconds", b.iterationSeconds - a.iterationSeconds).endObject().newLine();
    printEither(common, json,
                fmt::format("A: {}\n{}\nB: {}\n{}\n{}\n{}", arguments.a, describeRun(a), arguments.b, describeRun(b),
                            verdictOn(a.iterationSeconds, b.iterationSeconds),
                            common.quiet ? "" : lintReport(lintBackground(*a.scenario.cluster, a.scenario.background))));
    return {};
}

Action declareCompare(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<CompareArguments>();
    addScenario(command, arguments->scenario);
    addBackground(command, arguments->scenario);
    addSharing(command, arguments->scenario);
    command
        .add_option("--a", arguments->a,
                    "Strategy A: builder expression or strategy file; of a training DAG a planner (plan --method) or a plan file")
        ->required();
    command.add_option("--b", arguments->b, "Strategy B")->required();
    takeDags(command, arguments->costs);
    command.add_option("--policy-b", arguments->policyB, "Policy of B, where it is not A's");
    addOutput(command, common, "--picture", arguments->pictureFile, "Write a picture of both timelines as PNG");
    return [&common, arguments] { return compare(common, *arguments); };
}

} // namespace

const CommandEntry compareEntry{"compare", "Simulate two strategies and print both and the difference", declareCompare};

} // namespace syncopate::cli
