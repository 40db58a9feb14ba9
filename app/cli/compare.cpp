// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/run_report.h"
#include "engine/base/units.h"
#include "engine/session/load_scenario.h"
#include "engine/simulate/run.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace syncopate::cli {

namespace {

struct Arguments {
    ScenarioOptions scenario; ///< without a strategy
    std::string a, b;
    std::string policyB; ///< empty = A's
    std::string pictureFile;
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

Outcome compare(const Common &common, const Arguments &arguments) {
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
    const auto sides = TRY(orBadInput(simulateBoth(optionsA, optionsB, common.seed)));
    const Run &a = *sides.a, &b = *sides.b;
    if (!arguments.pictureFile.empty()) {
        if (const auto drawn = drawPicture(a, arguments.scenario, {optionsA.strategy, optionsA.policy},
                                           PictureSide{optionsB.strategy, optionsB.policy}, arguments.pictureFile);
            !drawn)
            return failedRunning(drawn.error());
        sayWrote(common, arguments.pictureFile);
    }
    const double delta = b.iterationSeconds - a.iterationSeconds;
    JsonWriter json;
    json.beginObject().key("a").beginObject();
    writeRun(json, a);
    json.endObject().key("b").beginObject();
    writeRun(json, b);
    json.endObject().member("delta_seconds", delta).endObject().newLine();
    const std::string verdict = readTheSame(a.iterationSeconds, b.iterationSeconds)
                                    ? "B takes as long as A per iteration"
                                    : fmt::format("B is {} {} per iteration ({:+.1f} %)", formatSeconds(std::abs(delta)),
                                                  delta < 0 ? "faster" : "slower", 100 * delta / a.iterationSeconds);
    printEither(common, json,
                fmt::format("A: {}\n{}\nB: {}\n{}\n{}\n", arguments.a, describeRun(a), arguments.b, describeRun(b), verdict));
    return {};
}

Action declare(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<Arguments>();
    addScenario(command, arguments->scenario);
    addBackground(command, arguments->scenario);
    command.add_option("--a", arguments->a, "Strategy A: builder expression or strategy file")->required();
    command.add_option("--b", arguments->b, "Strategy B")->required();
    command.add_option("--policy-b", arguments->policyB, "Policy of B, where it is not A's");
    addOutput(command, common, "--picture", arguments->pictureFile, "Write a picture of both timelines as PNG")
        ->excludes(command.get_option("--background")); // the explorer draws it, without such traffic
    return [&common, arguments] { return compare(common, *arguments); };
}

} // namespace

const CommandEntry compareEntry{"compare", "Simulate two strategies and print both and the difference", declare};

} // namespace syncopate::cli
