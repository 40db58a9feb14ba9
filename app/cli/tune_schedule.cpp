// SPDX-License-Identifier: GPL-3.0-or-later
// tune --schedule: a job under changing conditions, tuned once, re-tuned, and at its best.
#include "app/cli/output.h"
#include "app/cli/rate.h"
#include "app/cli/tune.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "engine/search/tune/retuning.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace syncopate::cli {

namespace {

/// The result, and what is needed to print it.
struct Played {
    ConditionSchedule schedule;
    RetuningOptions options;
    std::vector<TuneAxis> axes;
    double samplesPerIteration = 0; ///< or steps, where the batch is not known
    double batchSize = 0;           ///< 0 = not known
    std::vector<RetuningArm> arms;

    [[nodiscard]] const RetuningArm &retuned() const { return arms[retunedArm]; }
    [[nodiscard]] const RetuningArm &oracle() const { return arms[oracleArm]; }
    /// Null if the knobs are not those that AutoByte tunes.
    [[nodiscard]] const RetuningArm *autoByte() const {
        const auto found = std::find_if(arms.begin(), arms.end(), [](const RetuningArm &arm) { return arm.name == "autobyte"; });
        return found == arms.end() ? nullptr : &*found;
    }
};

Result<Played> playSchedule(const Common &common, const TuneArguments &arguments) {
    Played played;
    played.schedule = TRY(readConditions(arguments.schedule));
    played.axes = TRY(tuneAxesOf(arguments));
    const auto recipe = TRY(tuneRecipeOf(common, arguments));
    RetuningOptions &options = played.options;
    options.iterations = arguments.length;
    options.method = arguments.method;
    options.evaluations = arguments.evaluations > 0 ? arguments.evaluations : usualTuneEvaluations;
    options.grid = TRY(tuneGridOf(arguments, played.axes.size()));
    options.seed = static_cast<std::uint64_t>(common.seed);
    options.threads = arguments.threads;
    options.compares = true;
    options.network = TRY(tuneNetworkOf(arguments));
    const auto judge = TRY(makeJudge("simulated()"));
    played.arms = TRY(playRetuning(recipe, played.axes, played.schedule, options, *judge));
    const RetuningArm &first = played.arms.front();
    played.batchSize = recipe.job->batchSize;
    played.samplesPerIteration = first.samplesPerSecond * first.totalSeconds / options.iterations;
    return played;
}

void writeArm(JsonWriter &json, const Played &played, const RetuningArm &arm) {
    json.newLine().beginObject().member("name", arm.name).member("total_seconds", arm.totalSeconds);
    writeRate(json, played.batchSize, arm.samplesPerSecond);
    json.member("regret", arm.totalSeconds / played.oracle().totalSeconds - 1).key("changes").beginArray();
    for (const RetuningArm::Change &change : arm.changes) {
        json.beginObject().member("iteration", change.iteration).member("cost_seconds", change.costSeconds);
        for (std::size_t i = 0; i < change.values.size(); ++i)
            json.member(played.axes[i].of().column(), change.values[i]);
        json.endObject();
    }
    json.endArray();
    if (arm.network)
        writeNetwork(json, *arm.network);
    json.key("looks").beginArray();
    for (const RetuningArm::Look &look : arm.looks) {
        json.beginObject().member("iteration", look.iteration);
        writeRate(json, played.batchSize, look.measuredSamplesPerSecond, "measured_");
        writeRate(json, played.batchSize, look.predictedSamplesPerSecond, "predicted_");
        json.member("predicted_gain", look.gain).member("adapted", look.adapted).endObject();
    }
    json.endArray().key("iterations").beginArray();
    for (const ConditionStep &step : arm.steps) {
        json.beginObject().member("start_seconds", step.startSeconds).member("iteration_seconds", step.seconds);
        writeRate(json, played.batchSize, played.samplesPerIteration / step.seconds);
        json.member("condition", static_cast<std::uint64_t>(step.condition))
            .member("condition_changes", step.isMixed)
            .endObject();
    }
    json.endArray().endObject();
}

void writeJson(const Common &common, const Played &played) {
    JsonWriter json;
    json.beginObject().member("method", played.options.method).member("seed", common.seed);
    // A tuner would now choose what the re-tuned arm ends with.
    const RetuningArm &tuned = played.retuned();
    for (std::size_t i = 0; i < played.axes.size(); ++i)
        json.member(played.axes[i].of().column(), tuned.changes.back().values[i]);
    writeRate(json, played.batchSize, tuned.samplesPerSecond);
    json.member("evaluations", played.options.evaluations).key("conditions").beginArray();
    for (const Condition &condition : played.schedule.conditions)
        json.beginObject()
            .member(played.schedule.inSeconds ? "seconds" : "iteration", condition.from)
            .member("what", condition.describe())
            .endObject();
    json.endArray().newLine().key("arms").beginArray();
    for (const RetuningArm &arm : played.arms)
        writeArm(json, played, arm);
    json.endArray().endObject().newLine();
    printJson(json);
}

std::string changesOf(const Played &played, const RetuningArm &arm) {
    std::string text = arm.name + ":\n";
    for (const RetuningArm::Change &change : arm.changes)
        text += fmt::format("  from iteration {}: {}{}\n", change.iteration, describe(played.axes, change.values),
                            change.costSeconds > 0 ? " (the change took " + formatSeconds(change.costSeconds) + ")" : "");
    return text;
}

/// Compares AutoByte's arm with those it has to beat.
std::string verdictOn(const Played &played, const RetuningArm &autoByte) {
    const auto adaptations =
        std::count_if(autoByte.looks.begin(), autoByte.looks.end(), [](const RetuningArm::Look &look) { return look.adapted; });
    std::string text = fmt::format("AutoByte looked {} time{} and adapted its network {} times.", autoByte.looks.size(),
                                   autoByte.looks.size() == 1 ? "" : "s", adaptations);
    for (const RetuningArm &arm : played.arms) {
        if (&arm == &autoByte)
            continue;
        const double gain = 100 * (autoByte.samplesPerSecond / arm.samplesPerSecond - 1);
        text += fmt::format(" {:.1f} % {} {}{}", std::abs(gain), gain >= 0 ? "ahead of" : "behind", arm.name,
                            &arm == &played.arms.back() ? ".\n" : ",");
    }
    if (autoByte.network)
        text += "Its network: " + autoByte.network->describe() + ".\n";
    return text;
}

std::string report(const Played &played, bool quiet) {
    std::string text =
        fmt::format("{:26} {:>10} {:>12} {:>8}  {}\n", "", "total", rateUnit(played.batchSize > 0), "regret", "changes");
    for (const RetuningArm &arm : played.arms)
        text +=
            fmt::format("{:26} {:>10} {:>12.5g} {:>7.2f}%  {}\n", arm.name, formatSeconds(arm.totalSeconds), arm.samplesPerSecond,
                        100 * (arm.totalSeconds / played.oracle().totalSeconds - 1), arm.changes.size() - 1);
    if (quiet)
        return text;
    text += fmt::format("\n{} by condition\n{:40}", rateUnit(played.batchSize > 0), "");
    for (const RetuningArm &arm : played.arms)
        text += fmt::format(" {:>18}", arm.name);
    for (std::size_t c = 0; c < played.schedule.conditions.size(); ++c) {
        const Condition &condition = played.schedule.conditions[c];
        text += fmt::format(
            "\n{:40}", fmt::format("from {}{}: {}", condition.from, played.schedule.inSeconds ? " s" : "", condition.describe()));
        for (const RetuningArm &arm : played.arms) {
            double seconds = 0, count = 0;
            for (const ConditionStep &step : arm.steps)
                if (step.condition == c && !step.isMixed) {
                    seconds += step.seconds;
                    ++count;
                }
            text +=
                count > 0 ? fmt::format(" {:>18.5g}", count * played.samplesPerIteration / seconds) : fmt::format(" {:>18}", "-");
        }
    }
    text += "\n\n" + changesOf(played, played.retuned());
    if (const RetuningArm *autoByte = played.autoByte())
        text += changesOf(played, *autoByte) + verdictOn(played, *autoByte);
    return text;
}

} // namespace

Outcome tuneScheduled(const Common &common, const TuneArguments &arguments) {
    const auto played = TRY(orBadInput(playSchedule(common, arguments)));
    if (common.json)
        writeJson(common, played);
    else
        print(report(played, common.quiet));
    return {};
}

} // namespace syncopate::cli
