// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/search_report.h"

#include "app/cli/output.h"
#include "app/cli/winner_text.h"
#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/strategy/strategy_file.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace syncopate::cli {

namespace {

void writeMetrics(JsonWriter &json, const CandidateMetrics &metrics) {
    json.member("iteration_seconds", metrics.iterationSeconds).member("confidence", metrics.confidence);
    json.member("exposed_communication_seconds", metrics.exposedSeconds);
}

std::string iterationText(const CandidateMetrics &metrics) {
    return formatIteration(metrics.iterationSeconds, metrics.confidence);
}

/// A dash where the judge does not tell.
std::string exposedText(const CandidateMetrics &metrics) {
    return std::isnan(metrics.exposedSeconds) ? "-" : formatSeconds(metrics.exposedSeconds);
}

void writePhase(JsonWriter &json, const SearchPhase &phase) {
    json.newLine().beginObject().member("first_trial", phase.firstTrial).member("trials", phase.trials);
    json.member("ranker", phase.ranker).member("pair_accuracy", phase.pairAccuracy).member("top_recall", phase.topRecall);
    json.key("bucket_accuracy").beginArray();
    for (const double accuracy : phase.bucketAccuracy)
        json.value(accuracy);
    json.endArray()
        .member("proposed", phase.proposed)
        .member("rejected", phase.rejected)
        .member("learn_seconds", phase.learnSeconds);
    json.endObject();
}

void writeBest(JsonWriter &json, const BestCandidate &best) {
    json.key("best").beginObject().member("from", best.from);
    writeMetrics(json, best.metrics);
    if (!best.explanation.empty())
        json.member("explanation", best.explanation);
    json.key("strategy").json(writeStrategyJson(*best.strategy)).endObject().newLine();
}

void writeBaselines(JsonWriter &json, const std::vector<SearchBaseline> &baselines, const std::vector<TunedBaseline> &tuned) {
    json.key("baselines").beginObject();
    for (const SearchBaseline &baseline : baselines)
        json.member(baseline.builder, baseline.metrics.iterationSeconds);
    json.endObject().newLine().key("baselines_tuned").beginObject();
    for (const TunedBaseline &baseline : tuned)
        json.key(baseline.builder)
            .beginObject()
            .member("expression", baseline.expression)
            .member("iteration_seconds", baseline.metrics.iterationSeconds)
            .endObject();
    json.endObject().newLine();
}

/// Writes all trials, each with the best and the hit rate up to it; returns the hit rate of all.
double writeTrials(JsonWriter &json, const PlannedSearch &planned, const SearchHistory &history) {
    SearchTally tally(planned.request.objective, history.baselines);
    json.key("trials").beginArray();
    for (const SearchTrial &trial : history.trials) {
        tally.add(trial);
        json.newLine().beginObject().member("trial", trial.trial);
        writeMetrics(json, trial.metrics);
        json.member("best_so_far_seconds", tally.bestIterationSeconds()).member("hit_rate", tally.hitRate());
        json.member("ps_variables", trial.metrics.psVariables).member("shards", trial.metrics.shards);
        json.member("servers", trial.metrics.servers).member("groups", trial.metrics.groups);
        if (const std::string source = planned.method->source(trial.genes); !source.empty())
            json.member("source", source);
        if (!trial.error.empty())
            json.member("error", trial.error);
        json.endObject();
    }
    json.endArray();
    return tally.hitRate();
}

void writeRanks(JsonWriter &json, const std::vector<std::uint64_t> &judgedByRank, const std::vector<unsigned> &lostRanks) {
    json.key("judged_by_rank").beginArray();
    for (const std::uint64_t judged : judgedByRank)
        json.value(judged);
    json.endArray().key("lost_ranks").beginArray();
    for (const unsigned rank : lostRanks)
        json.value(static_cast<std::uint64_t>(rank));
    json.endArray();
}

} // namespace

double Yardsticks::bestTuned(SearchObjective objective) const {
    double best = std::numeric_limits<double>::infinity();
    for (const TunedBaseline &baseline : tuned)
        best = std::min(best, objectiveOf(baseline.metrics, objective));
    return best;
}

double Yardsticks::hitRate(const SearchHistory &history, SearchObjective objective) const {
    if (tuned.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const double best = bestTuned(objective);
    const auto hits = std::count_if(history.trials.begin(), history.trials.end(),
                                    [&](const SearchTrial &trial) { return objectiveOf(trial.metrics, objective) < best; });
    return history.trials.empty() ? 0 : static_cast<double>(hits) / static_cast<double>(history.trials.size());
}

void writeSearchJson(const SearchReport &search) {
    const auto &[planned, history, best, yardsticks, explained, wallSeconds, judgedByRank, lostRanks] = search;
    const SearchRequest &request = planned.request;
    JsonWriter json;
    json.beginObject().member("method", planned.method->text()).member("judge", planned.judge->text());
    json.member("seed", request.seed);
    json.member("objective", request.objective == SearchObjective::IterationTime ? "iteration" : "exposed");
    json.newLine();
    writeBest(json, best);
    writeBaselines(json, history.baselines, yardsticks.tuned);
    const double hitRate = writeTrials(json, planned, history);
    json.newLine().key("phases").beginArray();
    for (const SearchPhase &phase : history.phases)
        writePhase(json, phase);
    json.endArray();
    if (explained)
        writeExplained(json, *explained);
    json.newLine().member("hit_rate", hitRate).member("hit_rate_default", hitRate);
    json.member("hit_rate_tuned", yardsticks.hitRate(history, request.objective));
    const bool early = history.trials.size() < request.trials;
    json.member("at_most_gain", atMostGain(request, history)).member("stopped_early", early);
    json.member("ended_by", history.enough ? "bound" : early ? "exhausted" : "budget");
    json.member("judge_deterministic", planned.judge->isDeterministic());
    if (!judgedByRank.empty())
        writeRanks(json, judgedByRank, lostRanks);
    json.member("lower_bound_seconds", yardsticks.boundSeconds).member("wall_seconds", wallSeconds).endObject().newLine();
    printJson(json);
}

std::string searchText(const SearchReport &search) {
    const auto &[planned, history, best, yardsticks, explained, wallSeconds, judgedByRank, lostRanks] = search;
    const SearchRequest &request = planned.request;
    std::vector<const SearchBaseline *> sorted;
    for (const SearchBaseline &baseline : history.baselines)
        sorted.push_back(&baseline);
    const auto seconds = [](const SearchBaseline *baseline) { // those that cannot be judged come last
        const double known = baseline->metrics.iterationSeconds;
        return std::isnan(known) ? std::numeric_limits<double>::infinity() : known;
    };
    std::ranges::stable_sort(sorted, {}, seconds);
    std::string text = fmt::format("{:24} {:>20} {:>12}\n", "baseline", "iteration", "exposed");
    for (const SearchBaseline *baseline : sorted)
        text += baseline->error.empty() ? fmt::format("{:24} {:>20} {:>12}\n", baseline->builder,
                                                      iterationText(baseline->metrics), exposedText(baseline->metrics))
                                        : fmt::format("{:24} cannot be judged: {}\n", baseline->builder, baseline->error);
    if (!yardsticks.tuned.empty())
        text += fmt::format("\n{:40} {:>20}\n", "tuned baseline", "iteration");
    for (const TunedBaseline &baseline : yardsticks.tuned)
        text += fmt::format("{:40} {:>20}\n", baseline.expression, iterationText(baseline.metrics));
    SearchTally tally(request.objective, history.baselines);
    for (const SearchTrial &trial : history.trials)
        tally.add(trial);
    text += fmt::format("\n{:24} {:>20} {:>12}\n", "best: " + best.from, iterationText(best.metrics), exposedText(best.metrics));
    if (!best.explanation.empty())
        text += "its rule: " + best.explanation + "\n";
    text += fmt::format("hit rate                 {:>10.1f} %  of {} trials in {}", 100 * tally.hitRate(), tally.trials(),
                        formatSeconds(wallSeconds));
    if (const double rate = yardsticks.hitRate(history, request.objective); !std::isnan(rate))
        text += fmt::format("; {:.1f} % beat the tuned builders", 100 * rate);
    text += "\n";
    text +=
        fmt::format("no synchronous strategy can be faster than {}, the compute alone", formatSeconds(yardsticks.boundSeconds));
    if (const double gain = atMostGain(request, history); !std::isnan(gain))
        text += fmt::format(": at most {:.2g} % to gain", 100 * gain);
    if (history.trials.size() < request.trials)
        text += history.enough ? "; ended early for that" : "; ended early: nothing is left to try";
    text += "\n";
    text += fmt::format("{} on {}, {} partitioned, {}, {}\n", counted(best.metrics.psVariables, "variable"),
                        counted(best.metrics.servers, "server"), best.metrics.partitionedVariables,
                        counted(best.metrics.shards, "shard"), counted(best.metrics.groups, "group"));
    text +=
        fmt::format("tried: {}; seed {}; judged by {}{}\n", planned.method->description(), request.seed, planned.judge->text(),
                    planned.judge->isDeterministic() ? "" : ", which is not deterministic: another run ends otherwise");
    if (!history.phases.empty() && !std::isnan(history.phases.back().pairAccuracy)) {
        const SearchPhase &last = history.phases.back();
        const auto percent = [](double share) { return std::isnan(share) ? "-" : fmt::format("{:.0f} %", 100 * share); };
        const auto &[fast, middle, slow] = last.bucketAccuracy;
        text += fmt::format("ranking of the last {} trials by {}: {} of pairs in order; of the third that it ranks first {}, of "
                            "the next {}, of the last {}\n",
                            last.trials, last.ranker, percent(last.pairAccuracy), percent(fast), percent(middle), percent(slow));
    }
    if (!judgedByRank.empty())
        text += fmt::format("judged on {}, {} of them lost; each judged {}\n", counted(judgedByRank.size(), "rank"),
                            lostRanks.size(), fmt::join(judgedByRank, ", "));
    return text + (explained ? explainedText(*explained) : std::string());
}

} // namespace syncopate::cli
