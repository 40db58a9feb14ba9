// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/validate.h"

#include "app/cli/output.h"
#include "app/cli/ranks/rank_spread.h"
#include "engine/analyze/async_validation.h"
#include "engine/analyze/effect_table.h"
#include "engine/analyze/plan_validation.h"
#include "engine/analyze/published.h"
#include "engine/analyze/validation.h"
#include "engine/base/json_writer.h"
#include "engine/base/text.h"
#include "engine/base/units.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace syncopate::cli {

namespace {

void writeJson(JsonWriter &json, const Validation &validation, const RankSpread &ranks) {
    json.beginObject().key("rows").beginArray();
    for (const ValidationRow &row : validation.rows) {
        json.beginObject()
            .member("job", row.job)
            .member("architecture", row.architecture)
            .member("workers", row.workers)
            .member("bandwidth_gbits", row.bandwidthGbits)
            .member("measured_seconds", row.measuredSeconds)
            .member("predicted_seconds", row.predictedSeconds)
            .member("error", row.error());
        if (!row.scheduler.empty())
            json.member("partition_bytes", row.partitionBytes)
                .member("credit_bytes", row.creditBytes)
                .member("scheduler", row.scheduler);
        if (!row.policy.empty())
            json.member("policy", row.policy);
        json.endObject();
    }
    json.endArray().member("median_error", validation.medianError).member("max_error", validation.maxError);
    json.key("grids").beginArray();
    for (const ValidationGrid &grid : validation.grids)
        json.beginObject()
            .member("job", grid.first.job)
            .member("architecture", grid.first.architecture)
            .member("workers", grid.first.workers)
            .member("bandwidth_gbits", grid.first.bandwidthGbits)
            .member("scheduler", grid.first.scheduler)
            .member("settings", static_cast<std::uint64_t>(grid.settings.size()))
            .member("best_seconds", grid.bestSeconds)
            .member("chosen_seconds", grid.chosenSeconds)
            .member("loss", grid.loss())
            .member("spearman", grid.spearman)
            .endObject();
    json.endArray().key("assumptions").beginArray();
    for (const std::string &note : validation.notes)
        json.value(note);
    json.endArray();
    ranks.write(json, "rows_by_rank");
    json.endObject().newLine();
}

std::string settingText(const ValidationRow &row) {
    if (!row.policy.empty())
        return "  " + row.policy;
    if (row.partitionBytes == 0)
        return {};
    return fmt::format("  partition {}, credit {}, {}", formatBytes(row.partitionBytes),
                       row.creditBytes > 0 ? formatBytes(row.creditBytes) : "off", row.scheduler);
}

std::string report(const Validation &validation, bool quiet) {
    std::string text = fmt::format("{:10} {:6} {:>7} {:>9} {:>12} {:>12} {:>8}\n", "job", "arch", "workers", "Gbit/s", "measured",
                                   "predicted", "error");
    for (const ValidationRow &row : validation.rows)
        text += fmt::format("{:10} {:6} {:>7} {:>9} {:>12} {:>12} {:>+7.1f}%{}\n", row.job, row.architecture, row.workers,
                            row.bandwidthGbits, formatSeconds(row.measuredSeconds), formatSeconds(row.predictedSeconds),
                            100 * row.error(), settingText(row));
    text += fmt::format("median error {:.2f} %, worst {:.2f} %\n", 100 * validation.medianError, 100 * validation.maxError);
    for (const ValidationGrid &grid : validation.grids)
        text += fmt::format("{} {}, {}, {} Gbit/s{}: of {} settings the predicted best is {:.1f} % slower than the measured "
                            "best, rank correlation {}\n",
                            grid.first.job, grid.first.architecture, counted(grid.first.workers, "worker"),
                            grid.first.bandwidthGbits, grid.first.scheduler.empty() ? "" : ", " + grid.first.scheduler,
                            grid.settings.size(), 100 * grid.loss(), correlationText(grid.spearman));
    if (!quiet)
        for (const std::string &note : validation.notes)
            text += note + "\n";
    return text;
}

std::string report(const std::vector<EffectRow> &table) {
    std::string text = fmt::format("{:18}", "effect, alone");
    for (const EffectErrors &errors : table.front().errors)
        text += fmt::format(" {:>32}", errors.rows + ": median, worst, rank");
    text += "\n";
    for (const EffectRow &row : table) {
        text += fmt::format("{:18}", row.effect);
        for (const EffectErrors &errors : row.errors)
            text += fmt::format(" {:>14.1f} % {:>6.1f} % {:>5}", 100 * errors.median, 100 * errors.worst,
                                std::isnan(errors.spearman) ? "-" : fmt::format("{:.2f}", errors.spearman));
        text += "\n";
    }
    return text;
}

Outcome validateEffects(const Common &common, const std::string &folder, RankSpread &ranks) {
    const auto table = tabulateEffects(folder, ranks.spread());
    if (!table)
        return ranks.failed(table.error());
    JsonWriter json;
    json.beginObject().key("effects").beginArray();
    for (const EffectRow &row : *table) {
        json.newLine().beginObject().member("effect", row.effect).key("errors").beginArray();
        for (const EffectErrors &errors : row.errors)
            json.beginObject()
                .member("rows", errors.rows)
                .member("median_error", errors.median)
                .member("max_error", errors.worst)
                .member("median_spearman", errors.spearman) // null if there is no ranking
                .endObject();
        json.endArray().endObject();
    }
    json.endArray();
    ranks.write(json, "effects_by_rank");
    json.endObject().newLine();
    printEither(common, json, report(*table));
    return {};
}

Outcome validate(const Common &common, const std::string &folder, RankSpread &ranks) {
    if (isPublishedFolder(folder))
        return validateCharts(common, folder, ranks);
    if (isAsyncFolder(folder))
        return validateTestbed(common, folder, ranks);
    // Plans and logs of collectives take less time than starting ranks: only rank 0 validates them.
    if (isPlanFolder(folder))
        return ranks.helps() ? Outcome() : validatePlanFolder(common, folder);
    if (std::error_code ignored; !std::filesystem::exists(folder + "/runs.csv", ignored) &&
                                 !std::filesystem::exists(folder + "/platform.json", ignored) &&
                                 std::filesystem::exists(folder, ignored))
        return ranks.helps() ? Outcome() : validateCurves(common, folder);
    const auto validation = validateFolder(folder, effectsOfRuns, ranks.spread());
    if (!validation)
        return ranks.failed(validation.error());
    JsonWriter json;
    writeJson(json, *validation, ranks);
    printEither(common, json, report(*validation, common.quiet));
    return {};
}

Action declareValidate(CLI::App &command, Common &common) {
    auto folder = std::make_shared<std::string>();
    command
        .add_option("folder", *folder,
                    "Folder with runs.csv, platform.json and jobs/ or profiles/, with plans/ and dags/, with charts as in "
                    "tests/data/measured/published, or with logs of nccl-tests, OSU or vTrain")
        ->required();
    auto effects = std::make_shared<bool>(false);
    command.add_flag(
        "--effects", *effects,
        "The errors of predictions with each effect of real networks switched on alone (flow limits, hosts, latency that "
        "pipelines, ...), over published charts or ByteScheduler's runs");
    return [&common, folder, effects] {
        RankSpread ranks(common, "validate");
        return *effects ? validateEffects(common, *folder, ranks) : validate(common, *folder, ranks);
    };
}

} // namespace

std::string correlationText(double correlation) {
    return std::isnan(correlation) ? "not defined, as all are equal" : fmt::format("{:.2f}", correlation);
}

const CommandEntry validateEntry{
    "validate",
    "Compare predictions with a folder of measured runs, published charts or logs of collectives, and print the errors",
    declareValidate, true};

} // namespace syncopate::cli
