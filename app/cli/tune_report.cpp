// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"
#include "app/cli/rate.h"
#include "app/cli/tune.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"

#include <cmath>
#include <fmt/format.h>

namespace syncopate::cli {

namespace {

void writePath(JsonWriter &json, const TuneSpace &space, const Tuning &tuning) {
    json.key("path").beginArray();
    double best = std::nan("");
    for (std::size_t i = 0; i < tuning.path.size(); ++i) {
        json.newLine().beginObject().member("evaluation", static_cast<std::uint64_t>(i));
        writeTuneSetting(json, space, tuning.path[i]);
        if (const double seconds = tuning.path[i].iterationSeconds; std::isfinite(seconds) && !(seconds >= best))
            best = seconds;
        json.member("best_so_far_seconds", best);
        json.member("cost_iterations", static_cast<std::uint64_t>(i + 1) * static_cast<std::uint64_t>(tuning.iterationsPerPoint));
        json.endObject();
    }
    json.endArray();
}

void writeGrid(JsonWriter &json, const TuneSpace &space, const Landscape &grid, std::size_t valleys) {
    json.newLine().key("grid").beginObject().key("counts").beginArray();
    for (const std::size_t count : grid.counts)
        json.value(static_cast<std::uint64_t>(count));
    json.endArray().member("evaluations", static_cast<std::uint64_t>(grid.points.size()));
    json.member("wall_seconds", grid.wallSeconds);
    if (const auto best = grid.best()) {
        json.key("best").beginObject();
        writeTuneSetting(json, space, grid.points[*best]);
        json.endObject();
    }
    json.member("valleys", static_cast<std::uint64_t>(valleys)).member("unimodal", valleys == 1);
    json.key("points").beginArray();
    for (const TuneStep &point : grid.points) {
        json.newLine().beginObject();
        writeTuneSetting(json, space, point);
        json.endObject();
    }
    json.endArray().endObject();
}

} // namespace

void writeNetwork(JsonWriter &json, const MetaOrigin &origin) {
    json.newLine().key("meta_network").beginObject();
    origin.write(json);
    json.endObject().newLine();
}

void writeTuneSetting(JsonWriter &json, const TuneSpace &space, const TuneStep &step) {
    for (std::size_t i = 0; i < space.axes().size(); ++i)
        json.member(space.axes()[i].of().column(), step.values[i]);
    json.member("iteration_seconds", step.iterationSeconds);
    writeRate(json, space.recipe().job->batchSize, step.samplesPerSecond);
    if (!step.error.empty())
        json.member("error", step.error);
}

void writeTuneJson(const Common &common, const TuneSpace &space, const TuneFindings &findings) {
    const Tuning &tuning = findings.tuning;
    JsonWriter json;
    json.beginObject().member("method", tuning.method).member("seed", common.seed);
    writeTuneSetting(json, space, findings.chosen());
    json.member("strategy", findings.strategy).member("policy", findings.policy);
    json.member("evaluations", static_cast<std::uint64_t>(tuning.path.size())).member("cost_iterations", tuning.iterations());
    json.member("regret", findings.chosen().iterationSeconds / findings.bestSeconds() - 1);
    json.member("wall_seconds", tuning.wallSeconds);
    json.member("evaluations_per_second", static_cast<double>(tuning.path.size()) / tuning.wallSeconds);
    if (tuning.network)
        writeNetwork(json, *tuning.network);
    json.newLine().key("default").beginObject();
    writeTuneSetting(json, space, findings.usual);
    json.member("regret", findings.usual.iterationSeconds / findings.bestSeconds() - 1).endObject();
    json.newLine().key("random").beginObject();
    if (const auto best = findings.random.best()) {
        writeTuneSetting(json, space, findings.random.path[*best]);
        json.member("regret", findings.random.path[*best].iterationSeconds / findings.bestSeconds() - 1);
    }
    json.endObject().newLine().member("no_gain_possible", findings.noGainPossible()).key("bound").beginObject();
    json.member("iteration_seconds", findings.bound.what.empty() ? std::nan("") : findings.bound.seconds);
    json.member("what", findings.bound.what).endObject().newLine();
    const std::size_t valleys = findings.grid ? findings.grid->valleys() : 0;
    if (findings.grid)
        json.member("unimodal", valleys == 1);
    else
        json.key("unimodal").value(std::nan(""));
    json.newLine();
    writePath(json, space, tuning);
    if (findings.grid)
        writeGrid(json, space, *findings.grid, valleys);
    if (!findings.judgedByRank.empty()) {
        json.newLine().key("judged_by_rank").beginArray();
        for (const std::uint64_t judged : findings.judgedByRank)
            json.value(judged);
        json.endArray();
    }
    json.endObject().newLine();
    printJson(json);
}

std::string tuneReport(const TuneSpace &space, const TuneFindings &findings, bool quiet) {
    std::string text = fmt::format("{:24} {:>12} {:>12} {:>8} {:>12} {:>12}  {}\n", "", "iteration",
                                   rateUnit(statesBatch(*space.recipe().job)), "regret", "evaluations", "iterations", "setting");
    const auto line = [&](const std::string &name, const TuneStep &step, std::size_t count, std::int64_t iterations) {
        text += fmt::format("{:24} {:>12} {:>12.5g} {:>7.2f}% {:>12} {:>12}  {}\n", name, formatSeconds(step.iterationSeconds),
                            step.samplesPerSecond, 100 * (step.iterationSeconds / findings.bestSeconds() - 1), count, iterations,
                            space.describe(step.values));
    };
    line(findings.tuning.method, findings.chosen(), findings.tuning.path.size(), findings.tuning.iterations());
    if (const auto best = findings.random.best())
        line("random()", findings.random.path[*best], findings.random.path.size(), findings.random.iterations());
    line("default", findings.usual, 0, 0);
    if (findings.grid && findings.grid->best())
        line("grid", findings.grid->points[*findings.grid->best()], findings.grid->points.size(),
             static_cast<std::int64_t>(findings.grid->points.size()) * 10);
    if (quiet)
        return text;
    if (!findings.policy.empty())
        text +=
            fmt::format("{} chose --strategy '{}' --policy '{}'.\n", findings.tuning.method, findings.strategy, findings.policy);
    const auto faster = [&](const TuneStep &step) { return step.iterationSeconds < findings.chosen().iterationSeconds; };
    if (findings.random.best() && faster(findings.random.path[*findings.random.best()]))
        text += fmt::format("As many random points found a faster setting than {}.\n", findings.tuning.method);
    if (faster(findings.usual))
        text += fmt::format("The policy's default is faster than the best setting that {} found.\n", findings.tuning.method);
    if (findings.tuning.network)
        text += "The meta-network: " + findings.tuning.network->describe() + ".\n";
    if (findings.grid) {
        const std::size_t valleys = findings.grid->valleys();
        text +=
            valleys == 1
                ? "The grid has one valley: going downhill from any setting ends at the best one.\n"
                : fmt::format("The grid has {} valleys: a search that only goes downhill may end in the wrong one.\n", valleys);
    }
    if (!findings.bound.what.empty())
        text += fmt::format("No setting can be faster than {}, {}{}.\n", formatSeconds(findings.bound.seconds),
                            findings.bound.what, findings.noGainPossible() ? ": no gain is possible here" : "");
    return text;
}

} // namespace syncopate::cli
