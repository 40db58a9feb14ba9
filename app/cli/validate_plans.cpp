// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/validate.h"

#include "app/cli/output.h"
#include "engine/analyze/plan_validation.h"
#include "engine/base/json_writer.h"
#include "engine/base/units.h"

#include <fmt/format.h>

namespace syncopate::cli {

namespace {

void writeJson(JsonWriter &json, const PlanValidation &validation) {
    json.beginObject().key("rows").beginArray();
    for (const PlanRow &row : validation.rows)
        json.newLine()
            .beginObject()
            .member("plan", row.plan)
            .member("dag", row.dag)
            .member("measured_seconds", row.measuredSeconds)
            .member("predicted_seconds", row.predictedSeconds)
            .member("error", row.error())
            .member("measured_idle_ratio", row.measuredIdleRatio)
            .member("predicted_idle_ratio", row.predictedIdleRatio)
            .endObject();
    json.endArray().member("median_error", validation.medianError).member("max_error", validation.maxError);
    json.key("rankings").beginArray();
    for (const PlanRanking &ranking : validation.rankings) {
        json.beginObject().key("dags").beginArray();
        for (const std::string &dag : ranking.dags)
            json.value(dag);
        json.endArray()
            .member("plans", ranking.plans)
            .member("spearman", ranking.spearman)
            .member("best_seconds", ranking.bestSeconds)
            .member("chosen_seconds", ranking.chosenSeconds)
            .endObject();
    }
    json.endArray().endObject().newLine();
}

std::string report(const PlanValidation &validation) {
    std::string text = fmt::format("{:32} {:>10} {:>10} {:>8} {:>10} {:>10}\n", "plan", "measured", "predicted", "error",
                                   "idle meas.", "idle pred.");
    for (const PlanRow &row : validation.rows)
        text += fmt::format("{:32} {:>10} {:>10} {:>+7.1f}% {:>9.1f}% {:>9.1f}%\n", row.plan, formatSeconds(row.measuredSeconds),
                            formatSeconds(row.predictedSeconds), 100 * row.error(), 100 * row.measuredIdleRatio,
                            100 * row.predictedIdleRatio);
    text += fmt::format("median error {:.2f} %, worst {:.2f} %\n", 100 * validation.medianError, 100 * validation.maxError);
    for (const PlanRanking &ranking : validation.rankings)
        text += fmt::format("{}: of {} plans the predicted best is {:.1f} % slower than the measured best, rank correlation {}\n",
                            fmt::join(ranking.dags, " and "), ranking.plans,
                            100 * (ranking.chosenSeconds / ranking.bestSeconds - 1), correlationText(ranking.spearman));
    return text;
}

} // namespace

Outcome validatePlanFolder(const Common &common, const std::string &folder) {
    const auto validation = TRY(orBadInput(validatePlans(folder)));
    JsonWriter json;
    writeJson(json, validation);
    printEither(common, json, report(validation));
    return {};
}

} // namespace syncopate::cli
