// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/validate.h"

#include "app/cli/output.h"
#include "app/cli/ranks/rank_spread.h"
#include "engine/analyze/async_validation.h"
#include "engine/base/json_writer.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <string>

namespace syncopate::cli {

namespace {

std::string nameOf(const AsyncConfiguration &configuration) {
    return fmt::format("{:16} {:>6} {:>5} {:8}", configuration.job, configuration.bandwidthGbits,
                       configuration.flowControl ? "on" : "off", configuration.order.empty() ? "-" : configuration.order);
}

JsonWriter &members(JsonWriter &json, const AsyncConfiguration &configuration) {
    return json.member("job", configuration.job)
        .member("bandwidth_gbits", configuration.bandwidthGbits)
        .member("flow_control", configuration.flowControl ? "on" : "off")
        .member("order", configuration.order)
        .member("servers", configuration.servers);
}

JsonWriter json(const AsyncValidation &validation, const RankSpread &ranks) {
    JsonWriter json;
    json.beginObject().key("rows").beginArray();
    for (const AsyncRow &row : validation.rows) {
        members(json.newLine().beginObject(), row.configuration).member("workers", row.workers).member("starts", row.starts);
        json.member("measured_steps_per_second", row.measured).member("measured_least", row.measuredMin);
        json.member("measured_most", row.measuredMax).member("predicted_steps_per_second", row.predicted);
        json.member("predicted_least", row.predictedMin).member("predicted_most", row.predictedMax);
        json.member("error", row.error()).endObject();
    }
    json.endArray().key("curves").beginArray();
    const auto point = [&](const char *name, std::int32_t workers) {
        json.key(name);
        if (workers > 0)
            json.value(workers);
        else
            json.value(std::nan("")); // null: not reached
    };
    for (const AsyncCurve &curve : validation.curves) {
        members(json.newLine().beginObject(), curve.configuration);
        point("measured_bottleneck_workers", curve.measuredBottleneck);
        point("predicted_bottleneck_workers", curve.predictedBottleneck);
        json.endObject();
    }
    json.endArray().member("median_error", validation.medianError).member("max_error", validation.maxError);
    json.member("within_10_percent", static_cast<std::uint64_t>(validation.within10)).key("assumptions").beginArray();
    for (const std::string &note : validation.notes)
        json.value(note);
    json.endArray();
    ranks.write(json, "configurations_by_rank");
    json.endObject().newLine();
    return json;
}

std::string table(const AsyncValidation &validation, bool quiet) {
    std::string text = fmt::format("{:16} {:>6} {:>5} {:8} {:>7} {:>8} {:>17} {:>9} {:>17} {:>7}\n", "job", "Gbit/s", "flow",
                                   "order", "workers", "steps/s", "of starts", "predicted", "of starts", "error");
    for (const AsyncRow &row : validation.rows)
        text += fmt::format("{} {:>7} {:>8.2f} {:>7.2f} .. {:>6.2f} {:>9.2f} {:>7.2f} .. {:>6.2f} {:>+6.1f}%\n",
                            nameOf(row.configuration), row.workers, row.measured, row.measuredMin, row.measuredMax, row.predicted,
                            row.predictedMin, row.predictedMax, 100 * row.error());
    text += "\nbottleneck: workers past which another one adds less than a tenth of the first\n";
    const auto point = [](std::int32_t workers) { return workers > 0 ? fmt::format("{}", workers) : std::string("not reached"); };
    std::size_t near = 0;
    for (const AsyncCurve &curve : validation.curves) {
        text += fmt::format("{} measured {}, predicted {}\n", nameOf(curve.configuration), point(curve.measuredBottleneck),
                            point(curve.predictedBottleneck));
        near += std::abs(curve.measuredBottleneck - curve.predictedBottleneck) <= 1 &&
                (curve.measuredBottleneck > 0) == (curve.predictedBottleneck > 0);
    }
    text += fmt::format(
        "\nmedian error {:.2f} %, worst {:.2f} %, {} of {} rows within 10 %; bottleneck within one worker on {} of {} "
        "curves\n",
        100 * validation.medianError, 100 * validation.maxError, validation.within10, validation.rows.size(), near,
        validation.curves.size());
    if (!quiet)
        for (const std::string &note : validation.notes)
            text += note + "\n";
    return text;
}

} // namespace

Outcome validateTestbed(const Common &common, const std::string &folder, RankSpread &ranks) {
    AsyncValidationOptions options;
    options.seed = static_cast<std::uint64_t>(common.seed);
    const auto validation = validateAsync(folder, options, {}, ranks.spread());
    if (!validation)
        return ranks.failed(validation.error());
    JsonWriter written = json(*validation, ranks);
    printEither(common, written, table(*validation, common.quiet));
    return {};
}

} // namespace syncopate::cli
