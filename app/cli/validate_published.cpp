// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/validate.h"

#include "app/cli/output.h"
#include "app/cli/ranks/rank_spread.h"
#include "engine/analyze/published.h"
#include "engine/base/json_writer.h"

#include <cmath>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace syncopate::cli {

namespace {

JsonWriter json(const PublishedValidation &validation, const RankSpread &ranks) {
    JsonWriter json;
    json.beginObject().key("rows").beginArray();
    for (const PublishedRow &row : validation.rows)
        json.newLine()
            .beginObject()
            .member("model", row.model)
            .member("system", row.system)
            .member("gpus", row.gpus)
            .member("published_samples_per_second", row.published)
            .member("predicted_samples_per_second", row.predicted)
            .member("error", row.error())
            .member("calibrated", row.calibrated)
            .endObject();
    json.endArray().key("rankings").beginArray();
    for (const PublishedRanking &ranking : validation.rankings) {
        json.newLine()
            .beginObject()
            .member("model", ranking.model)
            .member("gpus", ranking.gpus)
            .member("systems", ranking.systems)
            .member("spearman", ranking.spearman) // null if there is no ranking
            .member("kendall", ranking.kendall)
            .member("published_best", ranking.publishedBest)
            .member("predicted_best", ranking.predictedBest)
            .endObject();
    }
    json.endArray().member("median_error", validation.medianError).member("max_error", validation.maxError);
    json.member("median_spearman", validation.medianSpearman).member("median_kendall", validation.medianKendall);
    const auto list = [&](const char *name, const std::vector<std::string> &lines) {
        json.key(name).beginArray();
        for (const std::string &line : lines)
            json.value(line);
        json.endArray();
    };
    list("not_predicted", validation.notPredicted);
    list("published", validation.published);
    list("assumptions", validation.assumed);
    ranks.write(json, "systems_by_rank");
    json.endObject().newLine();
    return json;
}

std::string table(const PublishedValidation &validation, bool quiet) {
    std::string text =
        fmt::format("{:12} {:17} {:>5} {:>12} {:>12} {:>8}\n", "model", "system", "GPUs", "published", "predicted", "error");
    for (const PublishedRow &row : validation.rows)
        text += fmt::format("{:12} {:17} {:>5} {:>12.1f} {:>12.1f} {:>8}\n", row.model, row.system, row.gpus, row.published,
                            row.predicted, row.calibrated ? "(set)" : fmt::format("{:+.1f}%", 100 * row.error()));
    text += fmt::format("\n{:12} {:>5} {:>7} {:>8} {:>8}  {:17} {:17}\n", "ranking", "GPUs", "systems", "Spearman", "Kendall",
                        "published best", "predicted best");
    const auto number = [](double value) { return std::isnan(value) ? std::string("-") : fmt::format("{:.2f}", value); };
    for (const PublishedRanking &ranking : validation.rankings)
        text += fmt::format("{:12} {:>5} {:>7} {:>8} {:>8}  {:17} {:17}\n", ranking.model, ranking.gpus, ranking.systems,
                            number(ranking.spearman), number(ranking.kendall), ranking.publishedBest, ranking.predictedBest);
    text += fmt::format("\nmedian error {:.2f} %, worst {:.2f} %; median Spearman {}, Kendall {}\n", 100 * validation.medianError,
                        100 * validation.maxError, number(validation.medianSpearman), number(validation.medianKendall));
    if (quiet)
        return text;
    text +=
        "Throughput in samples (transformer: tokens) per second, all GPUs together; (set): compute was calibrated on this row.\n";
    for (const std::string &line : validation.notPredicted)
        text += "Not predicted: " + line + ".\n";
    for (const std::string &line : validation.published)
        text += "Published: " + line + "\n";
    for (const std::string &line : validation.assumed)
        text += "Assumed: " + line + "\n";
    return text;
}

} // namespace

Outcome validateCharts(const Common &common, const std::string &folder, RankSpread &ranks) {
    const auto validation = validatePublished(folder, effectsOfCharts, ranks.spread());
    if (!validation)
        return ranks.failed(validation.error());
    JsonWriter written = json(*validation, ranks);
    printEither(common, written, table(*validation, common.quiet));
    return {};
}

} // namespace syncopate::cli
