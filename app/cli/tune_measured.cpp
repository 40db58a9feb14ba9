// SPDX-License-Identifier: GPL-3.0-or-later
// tune --measured-grid: tuners choose by prediction among settings that were measured in real runs.
#include "app/cli/output.h"
#include "app/cli/rate.h"
#include "app/cli/tune.h"
#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "engine/search/tune/measured_grid.h"
#include "engine/search/tune/meta_tuner.h"

#include <algorithm>
#include <fmt/format.h>

namespace syncopate::cli {

namespace {

/// The requested method, then the methods that it is compared with.
std::vector<std::string> methodsOf(const std::string &asked) {
    std::vector<std::string> methods{asked};
    for (const char *other :
         {"grid(steps=12)", "bo", "bo(preset=bytescheduler)", "coordinate", "nelder_mead", "direct", "random"})
        if (other != asked)
            methods.emplace_back(other);
    return methods;
}

struct Told {
    const MeasuredGrid *grid;
    std::vector<MeasuredChoice> choices; ///< one per method, then the default
};

Result<Told> tellOf(const MeasuredGrid &grid, const Common &common, const TuneArguments &arguments) {
    Told told{&grid, {}};
    for (const std::string &method : methodsOf(arguments.method))
        told.choices.push_back(TRY(chooseMeasured(grid, method, static_cast<std::uint64_t>(common.seed), arguments.evaluations)));
    told.choices.push_back(shippedChoice(grid));
    return told;
}

void writeRow(JsonWriter &json, const MeasuredGrid &grid, const ValidationRow &row) {
    const Job &job = *grid.space.recipe().job;
    json.member("partition_bytes", row.partitionBytes).member("credit_bytes", row.creditBytes);
    json.member("predicted_seconds", row.predictedSeconds).member("measured_seconds", row.measuredSeconds);
    writeRate(json, job.batchSize, countOfStep(job) * row.workers / row.measuredSeconds);
}

/// Writes the chosen setting's members, then all choices.
void writeTold(JsonWriter &json, const Told &told) {
    const MeasuredGrid &grid = *told.grid;
    json.member("row", grid.name()).member("method", told.choices.front().method);
    writeRow(json, grid, told.choices.front().row);
    json.member("evaluations", static_cast<std::uint64_t>(told.choices.front().evaluations));
    json.member("loss", told.choices.front().loss).member("triggered_loss", told.choices.front().triggeredLoss);
    json.member("settings", static_cast<std::uint64_t>(grid.rows.size()));
    json.key("measured_best").beginObject();
    writeRow(json, grid, grid.measuredBest());
    json.endObject().key("choices").beginArray();
    for (const MeasuredChoice &choice : told.choices) {
        json.newLine().beginObject().member("method", choice.method);
        json.member("evaluations", static_cast<std::uint64_t>(choice.evaluations)).member("cost_iterations", choice.iterations);
        writeRow(json, grid, choice.row);
        json.member("loss", choice.loss).member("triggered_loss", choice.triggeredLoss).endObject();
    }
    json.endArray();
}

std::string measuredSettingText(const ValidationRow &row) {
    if (row.partitionBytes == 0)
        return "whole layers";
    return fmt::format("partition {}, credit {}", formatBytes(row.partitionBytes),
                       row.creditBytes > 0 ? formatBytes(row.creditBytes) : "off");
}

std::string report(const Told &told) {
    const MeasuredGrid &grid = *told.grid;
    const ValidationRow &best = grid.measuredBest();
    std::string text = fmt::format("{}: {} settings, the best takes {} ({})\n{:26} {:>11} {:>10} {:>10} {:>8} {:>9}  {}\n",
                                   grid.name(), grid.rows.size(), formatSeconds(best.measuredSeconds), measuredSettingText(best),
                                   "", "evaluations", "predicted", "measured", "loss", "triggered", "setting");
    for (const MeasuredChoice &choice : told.choices)
        text += fmt::format("{:26} {:>11} {:>10} {:>10} {:>7.2f}% {:>8.2f}%  {}\n", choice.method, choice.evaluations,
                            formatSeconds(choice.row.predictedSeconds), formatSeconds(choice.row.measuredSeconds),
                            100 * choice.loss, 100 * choice.triggeredLoss, measuredSettingText(choice.row));
    return text;
}

} // namespace

Outcome tuneMeasured(const Common &common, const TuneArguments &arguments) {
    const auto grids = TRY(orBadInput(readMeasuredGrids(arguments.measuredGrid)));
    std::vector<const MeasuredGrid *> asked;
    if (!arguments.row.empty()) {
        const auto found = TRY(orBadInput(findMeasuredGrid(grids, arguments.row)));
        asked = {found};
    } else {
        for (const MeasuredGrid &grid : grids)
            asked.push_back(&grid);
    }
    JsonWriter json;
    std::string text;
    json.beginObject();
    if (arguments.row.empty())
        json.key("rows").beginArray();
    for (const MeasuredGrid *grid : asked) {
        const auto told = TRY(orBadInput(tellOf(*grid, common, arguments)));
        if (arguments.row.empty())
            json.newLine().beginObject();
        writeTold(json, told);
        if (arguments.row.empty())
            json.endObject();
        text += (text.empty() ? "" : "\n") + report(told);
    }
    if (arguments.row.empty())
        json.endArray();
    json.endObject().newLine();
    text += fmt::format(
        "\nloss: against the best measured one; triggered: where the default is left only for a setting predicted to be {:g} % "
        "faster (AutoByte's trigger)\n",
        100 * MetaTuner::minGain);
    printEither(common, json, text);
    return {};
}

} // namespace syncopate::cli
