// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_why.h"

#include "app/cli/why_report.h"
#include "engine/base/units.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <vector>

namespace syncopate::cli {

namespace {

void writeShares(JsonWriter &json, const char *key, const char *of, const std::vector<PlanShare> &shares) {
    json.newLine().key(key).beginArray();
    for (const PlanShare &share : shares)
        json.newLine()
            .beginObject()
            .member(of, share.name)
            .member("path_seconds", share.pathSeconds)
            .member("latency_seconds", share.latencySeconds)
            .member("sharing_seconds", share.sharingSeconds)
            .member("blocking_seconds", share.blockingSeconds)
            .member("idle_seconds", share.idleSeconds)
            .endObject();
    json.endArray();
}

void writePlanRemedies(JsonWriter &json, const Explanation &answer) {
    json.newLine().key("remedies").beginArray();
    for (const RemedyRow &row : answer.remedies) {
        json.newLine().beginObject().member("what", row.remedy.text.english()).member("kind", nameOf(row.remedy.kind));
        if (const auto *change = std::get_if<std::shared_ptr<const PlanChange>>(&row.remedy.change);
            change && !(*change)->method.empty())
            json.member("method", (*change)->method);
        json.member("iteration_seconds", row.iterationSeconds.value_or(std::numeric_limits<double>::quiet_NaN()));
        json.member("gain", row.gain);
        if (!row.iterationSeconds)
            json.member("error", row.iterationSeconds.error().toString());
        json.endObject();
    }
    json.endArray().newLine().member("tried", answer.tried);
}

std::string sharesText(const char *of, const std::vector<PlanShare> &shares) {
    constexpr std::size_t shown = 20;
    std::string text =
        fmt::format("\n{:24} {:>10} {:>10} {:>10} {:>10} {:>10}\n", of, "on path", "latency", "sharing", "blocking", "idle");
    const auto time = [](double seconds) { return seconds > 0 ? formatSeconds(seconds) : std::string("-"); };
    for (std::size_t s = 0; s < std::min(shares.size(), shown); ++s)
        text += fmt::format("{:24} {:>10} {:>10} {:>10} {:>10} {:>10}\n", shares[s].name, time(shares[s].pathSeconds),
                            time(shares[s].latencySeconds), time(shares[s].sharingSeconds), time(shares[s].blockingSeconds),
                            time(shares[s].idleSeconds));
    if (shares.size() > shown)
        text += fmt::format("and {} more, which --json lists\n", shares.size() - shown);
    return text;
}

} // namespace

Result<ExplainedPlan> explained(const PlanJob &job, const PlannedWork &work, double maxBytes) {
    ExplainedPlan explained;
    explained.recipe.job = job.job;
    explained.recipe.cluster = std::make_shared<const Cluster>(job.cluster);
    const auto run = TRY(plannedRun(work, job.job, job.cluster));
    explained.iterationSeconds = run->iterationSeconds;
    explained.answer = TRY(explainPlan(*run, work, explained.recipe, {.maxBytes = maxBytes}));
    return explained;
}

void writeExplanation(JsonWriter &json, const ExplainedPlan &explained) {
    const Explanation &answer = explained.answer;
    json.member("iteration_seconds", explained.iterationSeconds);
    writeCauses(json, answer);
    json.newLine().member("compute_path_seconds", answer.shares.computePathSeconds);
    writeShares(json, "collectives", "op", answer.shares.collectives);
    writeShares(json, "channels", "channel", answer.shares.channels);
    writePlanRemedies(json, answer);
    writeSensitivities(json, answer, explained.recipe);
    json.newLine().key("bounds").beginObject();
    json.member("compute_seconds", answer.bounds.computeSeconds).member("network_seconds", answer.bounds.networkSeconds);
    json.member("queue_seconds", answer.bounds.queueSeconds).member("plan_seconds", answer.bounds.planSeconds);
    json.member("busiest_link", answer.busiestLink).member("busiest_queue", answer.busiestQueue);
    json.endObject();
}

void writeExplained(JsonWriter &json, const ExplainedPlan &explained) {
    json.newLine().key("why").beginObject();
    writeExplanation(json, explained);
    json.endObject();
}

std::string reportExplained(const ExplainedPlan &explained, bool all) {
    const Explanation &answer = explained.answer;
    const double present = explained.iterationSeconds;
    std::string text = "\n" + causesText(answer, present);
    text += sharesText("collective", answer.shares.collectives) + sharesText("channel", answer.shares.channels);
    text += remediesText(answer, present, all);
    if (!answer.sensitivities.empty())
        text += sensitivitiesText(answer, present, explained.recipe);
    return text +
           fmt::format("\nbounds: compute {}, links {} ({}), channels {} ({}), any plan on these channels {}\n",
                       formatSeconds(answer.bounds.computeSeconds), formatSeconds(answer.bounds.networkSeconds),
                       answer.busiestLink.empty() ? "no traffic" : answer.busiestLink, formatSeconds(answer.bounds.queueSeconds),
                       answer.busiestQueue.empty() ? "none" : answer.busiestQueue, formatSeconds(answer.bounds.planSeconds));
}

} // namespace syncopate::cli
