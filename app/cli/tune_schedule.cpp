// SPDX-License-Identifier: GPL-3.0-or-later
// tune --schedule: a job under changing conditions, tuned once, re-tuned, and at its best.
#include "app/cli/lint_report.h"
#include "app/cli/output.h"
#include "app/cli/rate.h"
#include "app/cli/tune.h"
#include "engine/analyze/sweep.h"
#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "engine/search/tune/retuning.h"
#include "engine/search/tune/tuners.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace syncopate::cli {

namespace {

/// The result, and the inputs for printing it.
struct Played {
    ConditionSchedule schedule;
    RetuningOptions options;
    std::vector<TuneAxis> axes;
    double samplesPerIteration = 0; ///< or steps, where the batch is not known
    double batchSize = 0;           ///< 0 = not known
    std::vector<RetuningArm> arms;
    std::vector<LintMark> lint; ///< of the schedule

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
    for (const TuneAxis &axis : played.axes)
        if (axis.of().isOfCluster())
            return fail(fmt::format("{} is set by the schedule's conditions", axis.of().id), "tune settings of the policy",
                        "--knob");
    const auto recipe = TRY(tuneRecipeOf(common, arguments));
    RetuningOptions &options = played.options;
    options.iterations = arguments.length;
    options.method = arguments.method;
    options.grid = TRY(tuneGridOf(arguments, played.axes.size()));
    options.seed = static_cast<std::uint64_t>(common.seed);
    options.threads = arguments.threads;
    options.compares = true;
    options.network = TRY(tuneNetworkOf(arguments));
    const auto space = TRY(inOption(TuneSpace::make(recipe, played.axes), "--strategy"));
    const auto tuner = TRY(inOption(makeTuner(options.method, space, options.seed, options.network), "--method"));
    options.evaluations = evaluationsOf(*tuner, arguments.evaluations, maxSweepPoints);
    played.lint = lintConditions(played.schedule, TRY(space.defaultScenario()));
    const auto judge = TRY(makeJudge("simulated()"));
    played.arms = TRY(playRetuning(recipe, played.axes, played.schedule, options, *judge));
    if (!arguments.network.empty() && !played.autoByte() && !options.method.starts_with("meta"))
        return fail("neither the method nor an arm of these knobs has a network",
                    "leave it out, tune by --method meta, or leave --knob out", "--network");
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
    // A tuner would now choose the re-tuned arm's last setting.
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
    json.endArray();
    writeLint(json, played.lint);
    json.newLine().key("arms").beginArray();
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

/// Compares AutoByte's arm with the arms it has to beat.
std::string verdictOn(const Played &played, const RetuningArm &autoByte) {
    const auto adaptations =
        std::count_if(autoByte.looks.begin(), autoByte.looks.end(), [](const RetuningArm::Look &look) { return look.adapted; });
    std::string text = fmt::format("AutoByte looked {} and adapted its network {}.", counted(autoByte.looks.size(), "time"),
                                   counted(adaptations, "time"));
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

/// The width of a column that holds each of `texts`.
std::size_t widthOf(const std::vector<std::string> &texts, std::size_t min) {
    for (const std::string &text : texts)
        min = std::max(min, text.size());
    return min;
}

/// Under `condition` alone, which was the condition of whole iterations; "-" where it never was.
std::string speedUnder(const Played &played, const RetuningArm &arm, std::size_t condition) {
    double seconds = 0, count = 0;
    for (const ConditionStep &step : arm.steps)
        if (step.condition == condition && !step.isMixed) {
            seconds += step.seconds;
            ++count;
        }
    return count > 0 ? fmt::format("{:.5g}", count * played.samplesPerIteration / seconds) : "-";
}

/// A line for each condition, a column for each arm.
std::string speedTable(const Played &played) {
    std::vector<std::string> conditions;
    for (const Condition &condition : played.schedule.conditions)
        conditions.push_back(
            fmt::format("from {}{}: {}", condition.from, played.schedule.inSeconds ? " s" : "", condition.describe()));
    const std::size_t width = widthOf(conditions, 40);
    std::string text = fmt::format("{} by condition\n{:{}}", rateUnit(played.batchSize > 0), "", width);
    for (const RetuningArm &arm : played.arms)
        text += fmt::format(" {:>18}", arm.name);
    for (std::size_t c = 0; c < conditions.size(); ++c) {
        text += fmt::format("\n{:{}}", conditions[c], width);
        for (const RetuningArm &arm : played.arms)
            text += fmt::format(" {:>{}}", speedUnder(played, arm, c), std::max<std::size_t>(18, arm.name.size()));
    }
    return text;
}

std::string report(const Played &played, bool quiet) {
    std::vector<std::string> names;
    for (const RetuningArm &arm : played.arms)
        names.push_back(arm.name);
    const std::size_t width = widthOf(names, 26);
    std::string text =
        fmt::format("{:{}} {:>10} {:>12} {:>8}  {}\n", "", width, "total", rateUnit(played.batchSize > 0), "regret", "changes");
    for (const RetuningArm &arm : played.arms)
        text += fmt::format("{:{}} {:>10} {:>12.5g} {:>7.2f}%  {}\n", arm.name, width, formatSeconds(arm.totalSeconds),
                            arm.samplesPerSecond, 100 * (arm.totalSeconds / played.oracle().totalSeconds - 1),
                            arm.changes.size() - 1);
    if (quiet)
        return text;
    text += "\n" + speedTable(played);
    text += "\n\n" + changesOf(played, played.retuned());
    if (const RetuningArm *autoByte = played.autoByte())
        text += changesOf(played, *autoByte) + verdictOn(played, *autoByte);
    return text + lintReport(played.lint);
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
