// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/trial_log.h"

#include "engine/base/json_writer.h"
#include "engine/job/job_file.h"
#include "engine/strategy/fingerprint.h"
#include "engine/strategy/strategy_file.h"

#include <algorithm>
#include <unordered_set>

namespace syncopate {

namespace {

/// Removes line breaks from JSON text; strings contain none.
std::string onOneLine(std::string json) {
    std::replace(json.begin(), json.end(), '\n', ' ');
    return json;
}

} // namespace

Result<std::string> trialLines(const SearchRequest &request, const SearchMethod &method, const Judge &judge,
                               const SearchHistory &history) {
    JsonWriter json;
    json.beginObject().member("format", "syncopate trials 1");
    json.key("job").json(onOneLine(writeJobText(*request.base.job)));
    json.member("cluster", writeResourceSpec(*request.base.cluster)).member("judge", judge.text());
    json.member("deterministic", judge.isDeterministic()).member("method", method.text()).member("seed", request.seed);
    json.endObject().newLine();
    std::string text = json.take();
    std::unordered_set<StrategyFingerprint> written;
    const auto line = [&](const Strategy &strategy, const CandidateMetrics &metrics, const std::string &error, auto &&name) {
        if (judge.isDeterministic() && !written.insert(fingerprintOf(strategy)).second)
            return;
        JsonWriter one;
        one.beginObject();
        name(one);
        one.key("strategy").json(onOneLine(writeStrategyJson(strategy)));
        one.member("seconds", metrics.iterationSeconds).member("confidence", metrics.confidence);
        one.member("spread_seconds", metrics.spreadSeconds);
        if (!error.empty())
            one.member("error", error);
        one.endObject().newLine();
        text += one.take();
    };
    for (const SearchBaseline &baseline : history.baselines)
        if (baseline.strategy)
            line(*baseline.strategy, baseline.metrics, baseline.error,
                 [&](JsonWriter &one) { one.member("builder", baseline.builder); });
    for (const SearchTrial &trial : history.trials) {
        const Scenario scenario = TRY(method.decode(trial.genes));
        line(*scenario.strategy, trial.metrics, trial.error, [&](JsonWriter &one) {
            one.member("trial", trial.trial);
            if (const std::string source = method.source(trial.genes); !source.empty())
                one.member("source", source);
        });
    }
    return text;
}

} // namespace syncopate
