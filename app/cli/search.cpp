// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/search_project.h"
#include "app/cli/winner_text.h"
#include "engine/base/json_writer.h"
#include "engine/base/units.h"
#include "engine/search/random_search.h"
#include "engine/search/search_methods.h"
#include "engine/search/trial_log.h"
#include "engine/search/tuned_baselines.h"
#include "engine/search/winner.h"
#include "engine/session/load_scenario.h"
#include "engine/strategy/strategy_file.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <tuple>

namespace syncopate::cli {

namespace {

struct Arguments {
    ScenarioOptions scenario;
    std::string method = "random()", judge = "simulated()", objective = "iteration", output;
    double enough = 100 * SearchRequest().enough; ///< percent
    std::string trialsOut;                        ///< file for all trials, empty = none
    bool explain = false;                         ///< take the winner apart
    std::string project;                          ///< project file that keeps the search, empty = none
    std::uint64_t trials = 200;
    std::uint32_t threads = 0; ///< 0 = one per core
    // Arguments of random() as options of their own; empty or true = as `method` has them
    std::string synchronisers, wholeUpTo, splitFrom, parts, groups, balanceSlack;
    bool balance = true, merge = true; ///< c_lb, c_am

    [[nodiscard]] bool hasSamplerOptions() const {
        return !(synchronisers + wholeUpTo + splitFrom + parts + groups + balanceSlack).empty() || !balance || !merge;
    }
};

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
Result<std::string> methodOf(const Arguments &arguments) {
    if (!arguments.hasSamplerOptions())
        return arguments.method;
    const Expression expression = TRY(parseExpression(arguments.method));
    if (expression.name != randomSearchInfo().name)
        return fail(fmt::format("options of the method {} are given for {}", randomSearchInfo().name, expression.name),
                    "write the method's arguments in --method");
    SamplerSettings settings = TRY(readRandomSearch(expression));
    for (const auto &[option, text, bytes] : {std::tuple{"--whole-up-to", &arguments.wholeUpTo, &settings.wholeUpToBytes},
                                              {"--split-from", &arguments.splitFrom, &settings.splitFromBytes},
                                              {"--balance-slack", &arguments.balanceSlack, &settings.loadTemperatureBytes}})
        if (!text->empty())
            *bytes = TRY(inFile(parseBytes(*text), option));
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

void writeMetrics(JsonWriter &json, const CandidateMetrics &metrics) {
    json.member("iteration_seconds", metrics.iterationSeconds).member("exposed_communication_seconds", metrics.exposedSeconds);
}

/// Builders with their best arguments, and what no strategy can beat.
struct Yardsticks {
    std::vector<TunedBaseline> tuned;
    double boundSeconds = 0;

    [[nodiscard]] double bestTuned(SearchObjective objective) const {
        double best = std::numeric_limits<double>::infinity();
        for (const TunedBaseline &baseline : tuned)
            best = std::min(best, objectiveOf(baseline.metrics, objective));
        return best;
    }
    /// Trials better than every tuned builder / trials.
    [[nodiscard]] double hitRate(const SearchHistory &history, SearchObjective objective) const {
        const double best = bestTuned(objective);
        const auto hits = std::count_if(history.trials.begin(), history.trials.end(),
                                        [&](const SearchTrial &trial) { return objectiveOf(trial.metrics, objective) < best; });
        return history.trials.empty() ? 0 : static_cast<double>(hits) / static_cast<double>(history.trials.size());
    }
};

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

void writeJson(const SearchHistory &history, const PlannedSearch &planned, const BestCandidate &best,
               const Yardsticks &yardsticks, const std::optional<WinnerReport> &explained, double wallSeconds) {
    const SearchRequest &request = planned.request;
    JsonWriter json;
    json.beginObject().member("method", planned.method->text()).member("judge", planned.judge->text());
    json.member("seed", request.seed);
    json.member("objective", request.objective == SearchObjective::IterationTime ? "iteration" : "exposed");
    json.newLine();
    json.key("best").beginObject().member("from", best.from);
    writeMetrics(json, best.metrics);
    if (!best.explanation.empty())
        json.member("explanation", best.explanation);
    json.key("strategy").json(writeStrategyJson(*best.strategy)).endObject();
    json.newLine().key("baselines").beginObject();
    for (const SearchBaseline &baseline : history.baselines)
        json.member(baseline.builder, baseline.metrics.iterationSeconds);
    json.endObject().newLine().key("baselines_tuned").beginObject();
    for (const TunedBaseline &baseline : yardsticks.tuned)
        json.key(baseline.builder)
            .beginObject()
            .member("expression", baseline.expression)
            .member("iteration_seconds", baseline.metrics.iterationSeconds)
            .endObject();
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
        if (const std::string source = planned.method->source(trial.genes); !source.empty())
            json.member("source", source);
        if (!trial.error.empty())
            json.member("error", trial.error);
        json.endObject();
    }
    json.endArray().newLine().key("phases").beginArray();
    for (const SearchPhase &phase : history.phases)
        writePhase(json, phase);
    json.endArray();
    if (explained)
        writeExplained(json, *explained);
    json.newLine().member("hit_rate", tally.hitRate()).member("hit_rate_default", tally.hitRate());
    json.member("hit_rate_tuned", yardsticks.hitRate(history, request.objective));
    json.member("at_most_gain", atMostGain(request, history)).member("stopped_early", history.trials.size() < request.trials);
    json.member("judge_deterministic", planned.judge->isDeterministic());
    json.member("lower_bound_seconds", yardsticks.boundSeconds).member("wall_seconds", wallSeconds).endObject().newLine();
    printJson(json);
}

std::string report(const SearchHistory &history, const PlannedSearch &planned, const BestCandidate &best,
                   const Yardsticks &yardsticks, double wallSeconds) {
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
    text += fmt::format("\n{:40} {:>12}\n", "tuned baseline", "iteration");
    for (const TunedBaseline &baseline : yardsticks.tuned)
        text += fmt::format("{:40} {:>12}\n", baseline.expression, formatSeconds(baseline.metrics.iterationSeconds));
    SearchTally tally(request.objective, history.baselines);
    for (const SearchTrial &trial : history.trials)
        tally.add(trial);
    text += fmt::format("\n{:24} {:>12} {:>12}\n", "best: " + best.from, formatSeconds(best.metrics.iterationSeconds),
                        formatSeconds(best.metrics.exposedSeconds));
    if (!best.explanation.empty())
        text += "its rule: " + best.explanation + "\n";
    text += fmt::format("hit rate                 {:>10.1f} %  of {} trials in {}; {:.1f} % beat the tuned builders\n",
                        100 * tally.hitRate(), tally.trials(), formatSeconds(wallSeconds),
                        100 * yardsticks.hitRate(history, request.objective));
    text +=
        fmt::format("no synchronous strategy can be faster than {}, the compute alone", formatSeconds(yardsticks.boundSeconds));
    if (const double gain = atMostGain(request, history); !std::isnan(gain))
        text += fmt::format(": at most {:.2g} % to gain", 100 * gain);
    text += history.trials.size() < request.trials ? "; ended early for that\n" : "\n";
    text += fmt::format("{} variables on {} servers, {} partitioned, {} shards, {} groups\n", best.metrics.psVariables,
                        best.metrics.servers, best.metrics.partitionedVariables, best.metrics.shards, best.metrics.groups);
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
    return text;
}

/// What a search runs on and with, and what keeps it.
struct Prepared {
    PlannedSearch planned;
    std::shared_ptr<const ImportedProfile> profile; ///< of the job, or null
    Project project;                                ///< as the file has it, where one is named
};

Result<Prepared> prepare(const Common &common, const Arguments &arguments) {
    Prepared prepared;
    SearchRequest &request = prepared.planned.request;
    ScenarioOptions options = arguments.scenario;
    options.strategy = "AllReduce"; // replaced by each candidate
    request.base = TRY(loadScenario(options, common.seed, &prepared.profile));
    const auto methodText = TRY(methodOf(arguments));
    request.objective = arguments.objective == "exposed" ? SearchObjective::ExposedCommunication : SearchObjective::IterationTime;
    request.seed = static_cast<std::uint64_t>(common.seed);
    request.trials = arguments.trials;
    request.threads = arguments.threads;
    request.enough = arguments.enough / 100;
    prepared.planned.method = TRY(makeSearchMethod(methodText, request));
    prepared.planned.judge = TRY(makeJudge(arguments.judge));
    if (!arguments.project.empty()) // before hours are spent on results that cannot be kept
        prepared.project = TRY(projectForSearch(options, arguments.project));
    return prepared;
}

/// The best candidate, its strategy with an id of its own.
Result<BestCandidate> identifiedBest(const SearchHistory &history, const PlannedSearch &planned) {
    auto best = TRY(bestCandidate(history, planned.request.objective, *planned.method));
    Strategy strategy = *best.strategy;
    strategy.id = newStrategyId();
    best.strategy = std::make_shared<const Strategy>(std::move(strategy));
    return best;
}

/// What a project keeps of it. Tuned builders whose defaults are best are baselines already.
SearchState stateOf(const SearchHistory &history, const PlannedSearch &planned, const Yardsticks &yardsticks) {
    SearchState state{.plan = {}, .history = history, .tuned = yardsticks.tuned};
    std::erase_if(state.tuned, [](const TunedBaseline &own) { return own.expression == own.builder; });
    state.isTuned = planned.judge->isDeterministic();
    if (planned.request.objective == SearchObjective::IterationTime)
        state.boundSeconds = yardsticks.boundSeconds;
    return state;
}

Outcome searchCommand(const Common &common, const Arguments &arguments) {
    auto prepared = prepare(common, arguments);
    if (!prepared)
        return badInput(prepared.error());
    const PlannedSearch &planned = prepared->planned;
    const auto begin = std::chrono::steady_clock::now();
    SearchObserver silent;
    const auto history = runSearch(planned.request, *planned.method, *planned.judge, silent);
    if (!history)
        return badInput(history.error());
    const double wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const auto best = identifiedBest(*history, planned);
    if (!best)
        return badInput(best.error());
    if (!arguments.output.empty())
        TRY(save(common, arguments.output, strategyBytes(*best->strategy, arguments.output)));
    if (!arguments.trialsOut.empty()) {
        const auto lines = trialLines(planned.request, *planned.method, *planned.judge, *history);
        if (!lines)
            return failedRunning(lines.error());
        TRY(save(common, arguments.trialsOut, *lines));
    }
    Yardsticks yardsticks{{}, computeBoundSeconds(planned.request.base)};
    if (planned.judge->isDeterministic()) // a run of each of some fifty arguments would cost more than the search
        yardsticks.tuned = tuneBaselines(planned.request, *planned.judge).value_or(std::vector<TunedBaseline>());
    if (!arguments.project.empty())
        TRY(saveSearch(common, std::move(prepared->project), arguments.project, arguments.scenario, planned, prepared->profile,
                       stateOf(*history, planned, yardsticks)));
    std::optional<WinnerReport> taken;
    if (arguments.explain) {
        auto answer = reportWinner(planned.request, *planned.method, *planned.judge, *history, yardsticks.tuned);
        if (!answer)
            return failedRunning(answer.error());
        taken = *std::move(answer);
    }
    if (common.json)
        writeJson(*history, planned, *best, yardsticks, taken, wallSeconds);
    else
        print(report(*history, planned, *best, yardsticks, wallSeconds) + (taken ? explainedText(*taken) : std::string()));
    return {};
}

void addMethod(CLI::App &command, std::string &method) {
    std::string help;
    for (const ExpressionInfo &one : searchMethods())
        help += fmt::format("{}{}: {}", help.empty() ? "" : "; ", one.signature(), one.description);
    command.add_option("--method", method, help)->capture_default_str();
}

Action declare(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<Arguments>();
    addScenario(command, arguments->scenario);
    addBackground(command, arguments->scenario);
    addMethod(command, arguments->method);
    addJudge(command, arguments->judge);
    command.add_option("--trials", arguments->trials, "Strategies to try")->check(CLI::Range(1, 1000000))->capture_default_str();
    command
        .add_option("--enough", arguments->enough,
                    "End once the compute alone says that at most so many percent of the iteration are to gain; 0: never")
        ->check(CLI::Range(0.0, 100.0))
        ->capture_default_str();
    command.add_option("--objective", arguments->objective, "Objective to minimise: iteration or exposed (communication)")
        ->check(CLI::IsMember({"iteration", "exposed"}))
        ->capture_default_str();
    command.add_option("--threads", arguments->threads, "Candidates judged at once, 0: one per core; changes only the time")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    command.add_option("--synchronisers", arguments->synchronisers, "ps, allreduce or both (both)")
        ->check(CLI::IsMember({"ps", "allreduce", "both"}));
    command.add_option("--whole-up-to", arguments->wholeUpTo, "Size up to which variables stay whole (100KB)");
    command.add_option("--split-from", arguments->splitFrom, "Size from which they are always partitioned (2147483647)");
    command.add_option("--parts", arguments->parts, "Parts of a partitioned variable (2-40)");
    command.add_option("--groups", arguments->groups, "All-reduce groups (1-20)");
    command.add_flag("!--no-balance", arguments->balance, "Without c_lb: served variables go to any server");
    command.add_option("--balance-slack", arguments->balanceSlack, "c_lb: temperature of the choice between servers (1 byte)");
    command.add_flag("!--no-merge", arguments->merge, "Without c_am: groups are drawn, not stretches of layers");
    command.add_flag("--explain", arguments->explain,
                     "Also say what the best have in common, what each part of the best is worth, set back to what the best "
                     "builder does, and which of the best "
                     "stay good with faster and slower links and a slow worker");
    addOutput(command, common, "-o,--output", arguments->output,
              "Strategy file for the best; .json for JSON, anything else AutoDist's format");
    addOutput(command, common, "--trials-out", arguments->trialsOut,
              "File for all trials as JSON lines: job and cluster first, then each strategy with its time");
    command.add_option("--project", arguments->project,
                       "Project file (.syncopate) to keep the search in, for the explorer to open; made where there is none");
    return [&common, arguments] { return searchCommand(common, *arguments); };
}

} // namespace

const CommandEntry searchEntry{"search", "Search for a strategy that is faster than every builder's", declare};

} // namespace syncopate::cli
