// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/load_scenario.h"
#include "app/cli/output.h"
#include "app/cli/search_project.h"
#include "engine/base/json_writer.h"
#include "engine/base/units.h"
#include "engine/search/random_search.h"
#include "engine/search/search_methods.h"
#include "engine/strategy/strategy_file.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

namespace syncopate::cli {

namespace {

/// "2-40" or "8".
Result<void> parseRange(const std::string &text, const char *option, std::int32_t &min, std::int32_t &max) {
    if (text.empty())
        return {};
    const std::size_t dash = text.find('-');
    const auto from = parseNumber(text.substr(0, dash));
    const auto to = dash == std::string::npos ? from : parseNumber(text.substr(dash + 1));
    const auto whole = [](const Result<double> &n) { return n && *n >= 1 && *n <= 1e9 && std::floor(*n) == *n; };
    if (!whole(from) || !whole(to))
        return fail(fmt::format("{} '{}' is not a range of whole numbers", option, text), "write two of 1 or more, such as 2-40");
    min = static_cast<std::int32_t>(*from);
    max = static_cast<std::int32_t>(*to);
    return {};
}

/// The method's expression with the options that are arguments of Random+G folded into it.
Result<std::string> methodOf(const SearchArguments &arguments) {
    if (!arguments.hasSamplerOptions())
        return arguments.method;
    const Expression expression = TRY(parseExpression(arguments.method));
    if (expression.name != randomSearchInfo().name)
        return fail(fmt::format("options of the method {} are given for {}", randomSearchInfo().name, expression.name),
                    "write the method's arguments in --method");
    SamplerSettings settings = TRY(readRandomSearch(expression));
    for (const auto &[text, bytes] : {std::pair{&arguments.wholeUpTo, &settings.wholeUpToBytes},
                                      {&arguments.splitFrom, &settings.splitFromBytes},
                                      {&arguments.balanceSlack, &settings.loadTemperatureBytes}})
        if (!text->empty())
            *bytes = TRY(parseBytes(*text));
    TRY(parseRange(arguments.parts, "--parts", settings.minParts, settings.maxParts));
    TRY(parseRange(arguments.groups, "--groups", settings.minGroups, settings.maxGroups));
    settings.balanceLoads = settings.balanceLoads && arguments.balance;
    settings.mergeAdjacent = settings.mergeAdjacent && arguments.merge;
    if (!arguments.synchronisers.empty()) {
        settings.parameterServers = arguments.synchronisers != "allreduce";
        settings.allReduce = arguments.synchronisers != "ps";
    }
    TRY(validateSampler(settings));
    return formatRandomSearch(settings);
}

/// The best candidate of a search. A builder's strategy wins where no trial beats it.
struct Best {
    std::string from; ///< "trial 17", "AllReduce"
    CandidateMetrics metrics;
    std::shared_ptr<const Strategy> strategy;
};

Result<Best> bestOf(const SearchHistory &history, SearchObjective objective, const SearchMethod &method) {
    const std::int64_t b = history.bestBaseline(objective), t = history.bestTrial(objective);
    SearchTally tally(objective, history.baselines);
    if (t >= 0)
        tally.add(history.trials[static_cast<std::size_t>(t)]);
    if (t >= 0 && tally.bestTrial() < tally.bestBaseline()) {
        const SearchTrial &trial = history.trials[static_cast<std::size_t>(t)];
        return Best{fmt::format("trial {}", trial.trial), trial.metrics, TRY(method.decode(trial.genes)).strategy};
    }
    if (b < 0)
        return fail("no candidate of the search could be judged",
                    history.trials.empty() ? std::string() : history.trials.front().error);
    const SearchBaseline &baseline = history.baselines[static_cast<std::size_t>(b)];
    return Best{baseline.builder, baseline.metrics, baseline.strategy};
}

void writeMetrics(JsonWriter &json, const CandidateMetrics &metrics) {
    json.member("iteration_seconds", metrics.iterationSeconds).member("exposed_communication_seconds", metrics.exposedSeconds);
}

void writeJson(const SearchHistory &history, const PlannedSearch &planned, const Best &best, double wallSeconds) {
    const SearchRequest &request = planned.request;
    JsonWriter json;
    json.beginObject().member("method", planned.method->text()).member("judge", planned.judge->text());
    json.member("seed", request.seed);
    json.member("objective", request.objective == SearchObjective::IterationTime ? "iteration" : "exposed");
    json.newLine();
    json.key("best").beginObject().member("from", best.from);
    writeMetrics(json, best.metrics);
    json.key("strategy").json(writeStrategyJson(*best.strategy)).endObject();
    json.newLine().key("baselines").beginObject();
    for (const SearchBaseline &baseline : history.baselines)
        json.member(baseline.builder, baseline.metrics.iterationSeconds);
    json.endObject().newLine().key("trials").beginArray();
    SearchTally tally(request.objective, history.baselines);
    double bestSoFar = std::numeric_limits<double>::quiet_NaN();
    for (const SearchTrial &trial : history.trials) {
        const double before = tally.bestTrial();
        tally.add(trial);
        if (tally.bestTrial() < before)
            bestSoFar = trial.metrics.iterationSeconds;
        json.newLine().beginObject().member("trial", trial.trial);
        writeMetrics(json, trial.metrics);
        json.member("best_so_far_seconds", bestSoFar).member("hit_rate", tally.hitRate());
        json.member("ps_variables", trial.metrics.psVariables).member("shards", trial.metrics.shards);
        json.member("servers", trial.metrics.servers).member("groups", trial.metrics.groups);
        if (!trial.error.empty())
            json.member("error", trial.error);
        json.endObject();
    }
    json.endArray().newLine().member("hit_rate", tally.hitRate()).member("wall_seconds", wallSeconds).endObject().newLine();
    print(json.take());
}

std::string report(const SearchHistory &history, const PlannedSearch &planned, const Best &best, double wallSeconds) {
    const SearchRequest &request = planned.request;
    std::vector<const SearchBaseline *> sorted;
    for (const SearchBaseline &baseline : history.baselines)
        sorted.push_back(&baseline);
    std::stable_sort(sorted.begin(), sorted.end(), [](const SearchBaseline *a, const SearchBaseline *b) {
        return a->metrics.iterationSeconds < b->metrics.iterationSeconds; // NaN stays where it is
    });
    std::string text = fmt::format("{:24} {:>12} {:>12}\n", "baseline", "iteration", "exposed");
    for (const SearchBaseline *baseline : sorted)
        text += baseline->error.empty()
                    ? fmt::format("{:24} {:>12} {:>12}\n", baseline->builder, formatSeconds(baseline->metrics.iterationSeconds),
                                  formatSeconds(baseline->metrics.exposedSeconds))
                    : fmt::format("{:24} cannot be judged: {}\n", baseline->builder, baseline->error);
    SearchTally tally(request.objective, history.baselines);
    for (const SearchTrial &trial : history.trials)
        tally.add(trial);
    text += fmt::format("\n{:24} {:>12} {:>12}\n", "best: " + best.from, formatSeconds(best.metrics.iterationSeconds),
                        formatSeconds(best.metrics.exposedSeconds));
    text += fmt::format("hit rate                 {:>10.1f} %  of {} trials in {}\n", 100 * tally.hitRate(), tally.trials(),
                        formatSeconds(wallSeconds));
    text += fmt::format("{} variables on {} servers, {} partitioned, {} shards, {} groups\n", best.metrics.psVariables,
                        best.metrics.servers, best.metrics.partitionedVariables, best.metrics.shards, best.metrics.groups);
    text += fmt::format("tried: {}; seed {}; judged by {}\n", planned.method->description(), request.seed, planned.judge->text());
    return text;
}

} // namespace

Outcome searchCommand(const Common &common, ScenarioOptions options, const SearchArguments &arguments) {
    options.strategy = "AllReduce"; // replaced by each candidate
    std::shared_ptr<const ImportedProfile> profile;
    auto base = loadScenario(options, common.seed, &profile);
    if (!base)
        return badInput(base.error());
    const auto methodText = methodOf(arguments);
    if (!methodText)
        return badInput(methodText.error());
    PlannedSearch planned;
    SearchRequest &request = planned.request;
    request.base = *std::move(base);
    request.objective = arguments.objective == "exposed" ? SearchObjective::ExposedCommunication : SearchObjective::IterationTime;
    request.seed = static_cast<std::uint64_t>(common.seed);
    request.trials = arguments.trials;
    request.threads = arguments.threads;
    auto method = makeSearchMethod(*methodText, request);
    if (!method)
        return badInput(method.error());
    planned.method = *std::move(method);
    auto judge = makeJudge(arguments.judge);
    if (!judge)
        return badInput(judge.error());
    planned.judge = *std::move(judge);
    Project project;
    if (!arguments.project.empty()) { // before hours are spent on results that cannot be kept
        auto read = projectForSearch(options, arguments.project);
        if (!read)
            return badInput(read.error());
        project = *std::move(read);
    }
    const auto begin = std::chrono::steady_clock::now();
    SearchObserver silent;
    const auto history = runSearch(request, *planned.method, *planned.judge, silent);
    if (!history)
        return badInput(history.error());
    const double wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    auto best = bestOf(*history, request.objective, *planned.method);
    if (!best)
        return badInput(best.error());
    Strategy strategy = *best->strategy;
    strategy.id = newStrategyId();
    best->strategy = std::make_shared<const Strategy>(std::move(strategy));
    if (!arguments.output.empty()) {
        const bool json = arguments.output.ends_with(".json");
        if (auto saved =
                save(common, arguments.output, json ? writeStrategyJson(*best->strategy) : writeStrategyProto(*best->strategy));
            !saved)
            return saved;
    }
    if (!arguments.project.empty())
        if (auto saved = saveSearch(common, std::move(project), arguments.project, options, planned, profile, *history); !saved)
            return saved;
    if (common.json)
        writeJson(*history, planned, *best, wallSeconds);
    else
        print(report(*history, planned, *best, wallSeconds));
    return {};
}

} // namespace syncopate::cli
