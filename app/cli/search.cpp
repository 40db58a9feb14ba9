// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/dag_runs.h"
#include "app/cli/interruption.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/ranks/rank_judge.h"
#include "app/cli/search_dag.h"
#include "app/cli/search_project.h"
#include "app/cli/search_report.h"
#include "engine/base/units.h"
#include "engine/search/random_search.h"
#include "engine/search/search_methods.h"
#include "engine/search/trial_log.h"
#include "engine/session/dag_job.h"
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

struct SearchArguments {
    ScenarioOptions scenario;
    std::string method = "random()", judge = "simulated()", objective = "iteration", output;
    double enough = 100 * SearchRequest().enough; ///< percent
    std::string trialsOut;                        ///< file for all trials, empty = none
    bool explain = false;                         ///< explain the winner
    std::string project;                          ///< project file to keep the search in, empty = none
    std::uint64_t trials = 200;
    std::uint32_t threads = 0;                 ///< 0 = one per core
    PlanCosts costs;                           ///< of a training DAG
    bool hasMethod = false, hasTrials = false; ///< `method` and `trials` were given
    // Arguments of random() as separate options; empty or true = as in `method`
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

/// The method's expression, with the options that are arguments of Random+G merged into it.
Result<std::string> methodOf(const SearchArguments &arguments) {
    if (!arguments.hasSamplerOptions())
        return arguments.method;
    const Expression expression = TRY(inOption(parseExpression(arguments.method), "--method"));
    if (expression.name != randomSearchInfo().name)
        return fail(fmt::format("options of the method {} are given for {}", randomSearchInfo().name, expression.name),
                    "write the method's arguments in --method");
    SamplerSettings settings = TRY(inOption(readRandomSearch(expression), "--method"));
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

/// The input of a search.
struct PreparedSearch {
    ScenarioOptions options;
    PlannedSearch planned;
    std::shared_ptr<const ImportedProfile> profile; ///< of the job, or null
};

Result<PreparedSearch> prepare(const Common &common, const SearchArguments &arguments) {
    TRY(refusePlanCosts(arguments.scenario, arguments.costs));
    PreparedSearch prepared;
    SearchRequest &request = prepared.planned.request;
    prepared.options = arguments.scenario;
    prepared.options.strategy = "AllReduce"; // replaced by each candidate's
    request.base = TRY(loadScenario(prepared.options, common.seed, &prepared.profile));
    const auto methodText = TRY(methodOf(arguments));
    request.objective = arguments.objective == "exposed" ? SearchObjective::ExposedCommunication : SearchObjective::IterationTime;
    request.seed = static_cast<std::uint64_t>(common.seed);
    request.trials = arguments.trials;
    request.threads = arguments.threads;
    request.enough = arguments.enough / 100;
    prepared.planned.method = TRY(inOption(makeSearchMethod(methodText, request), "--method"));
    prepared.planned.judge = TRY(inOption(makeJudge(arguments.judge), "--judge"));
    return prepared;
}

/// The part of the ranks other than rank 0: judging for it.
Outcome judgeForFirst(Ranks &ranks, const Common &common, const SearchArguments &arguments) {
    const auto prepared = prepare(common, arguments);
    if (!prepared) {
        ranks.refuse(prepared.error());
        return {}; // rank 0 reports it
    }
    const auto &[request, method, judge] = prepared->planned;
    const auto helped =
        ranks.help(workOf(request, *judge), ranks.threadsHere(arguments.threads),
                   [&base = request.base, &judge = *judge](const std::string &question, const std::stop_token &stop) {
                       return judgeForRank0(question, base, judge, stop);
                   });
    return helped ? Outcome() : failedRunning(helped.error());
}

/// A judge that distributes a search over all ranks, if that changes nothing but the time; else null.
Result<std::shared_ptr<RankJudge>> spread(Ranks &ranks, const SearchArguments &arguments, PlannedSearch &planned) {
    const auto slots = TRY(ranks.begin(workOf(planned.request, *planned.judge)));
    if (!canSpread(*planned.judge)) {
        printNote(fmt::format("rank 0 judges alone: {} measures, or does not say the same everywhere", planned.judge->text()));
        return nullptr;
    }
    auto judge =
        std::make_shared<RankJudge>(planned.judge, planned.request.base, ranks, slots, ranks.threadsHere(arguments.threads));
    planned.request.threads = judge->maxConcurrent();
    planned.judge = judge;
    return judge;
}

/// The best candidate, its strategy with a new id.
Result<BestCandidate> identifiedBest(const SearchHistory &history, const PlannedSearch &planned) {
    auto best = TRY(bestCandidate(history, planned.request.objective, *planned.method));
    Strategy strategy = *best.strategy;
    strategy.id = newStrategyId();
    best.strategy = std::make_shared<const Strategy>(std::move(strategy));
    return best;
}

/// Writes the trials to wherever they are to be kept.
Outcome keep(const Common &common, const SearchArguments &arguments, const PlannedSearch &planned, const SearchHistory &history,
             KeptSearch *kept) {
    const Outcome inProject = kept != nullptr ? kept->end(common, history) : Outcome(); // first, since it holds hours of work
    if (!arguments.trialsOut.empty()) {
        const auto lines = trialLines(planned.request, *planned.method, *planned.judge, history);
        if (!lines)
            return failedRunning(lines.error());
        TRY(save(common, arguments.trialsOut, *lines));
    }
    return inProject;
}

/// A search that has ended.
struct Ended {
    SearchHistory history;
    double wallSeconds = 0;
    bool toldToEnd = false; ///< ended early by a signal
};

/// Searches, and keeps the trials even if the process is told to end.
tl::expected<Ended, Failure> searchAndKeep(const Common &common, const SearchArguments &arguments, const PreparedSearch &prepared,
                                           KeptSearch *kept) {
    const PlannedSearch &planned = prepared.planned;
    const auto begin = std::chrono::steady_clock::now();
    const Interruption interruption;
    SearchObserver silent;
    auto history = TRY(orBadInput(runSearch(planned.request, *planned.method, *planned.judge, kept != nullptr ? *kept : silent,
                                            kept != nullptr ? kept->soFar() : SearchHistory(), interruption.token())));
    const double wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    TRY(keep(common, arguments, planned, history, kept));
    const bool toldToEnd = interruption.token().stop_requested() && history.stopped;
    return Ended{std::move(history), wallSeconds, toldToEnd};
}

/// Writes the best strategy where the user wants it.
Outcome saveBest(const Common &common, const SearchArguments &arguments, const Strategy &best) {
    if (arguments.output.empty())
        return {};
    const bool isJson = arguments.output.ends_with(".json");
    if (const auto writable = isJson ? checkWritable(best) : checkForAutoDist(best); !writable)
        return failedRunning(writable.error());
    TRY(save(common, arguments.output, strategyBytes(best, arguments.output)));
    return {};
}

/// The end of a search that a signal stopped. Writes the best so far unless a project has it: there, the same command resumes the
/// search, and must not find an existing output file.
tl::unexpected<Failure> toldToEnd(const Common &common, const SearchArguments &arguments, const PlannedSearch &planned,
                                  const SearchHistory &history) {
    const bool isKept = !arguments.project.empty();
    std::string remedy = isKept ? "the project has them: the same command goes on from there"
                                : "with --project the same command would go on from there";
    const auto best = identifiedBest(history, planned);
    if (best && !isKept && !arguments.output.empty()) {
        if (const Outcome saved = saveBest(common, arguments, *best->strategy); !saved)
            return tl::unexpected(saved.error());
        remedy += fmt::format("; the best so far is in {}", arguments.output);
    }
    return failedRunning(
        Error{fmt::format("the search was told to end after {} of {} trials", history.trials.size(), planned.request.trials),
              std::move(remedy),
              {},
              {}});
}

/// Refuses an output in AutoDist's format if the best strategy may not fit into it, before hours of search.
Result<void> checkFormat(const SearchArguments &arguments, const SearchMethod &method) {
    if (arguments.output.empty() || arguments.output.ends_with(".json"))
        return {};
    const Expression expression = TRY(parseExpression(method.text()));
    const bool choosesReductions = std::ranges::any_of(expression.arguments, [](const Expression::Argument &argument) {
        return argument.key == "reductions" && argument.value == "on";
    });
    if (choosesReductions)
        return fail("reductions=on may find two collectives for a variable, which AutoDist's format has no field for",
                    "name a .json file, or leave out reductions=on", arguments.output);
    return {};
}

/// The report on a complete search; judges the tuned builders and the winner's parts for it.
tl::expected<SearchReport, Failure> reportOf(const SearchArguments &arguments, const PlannedSearch &planned, const Ended &ended,
                                             const BestCandidate &best) {
    SearchReport report{planned, ended.history, best, {{}, computeBoundSeconds(planned.request.base)}, {}, ended.wallSeconds};
    if (planned.judge->isDeterministic()) // a run for each of some fifty arguments would cost more than the search
        report.yardsticks.tuned = tuneBaselines(planned.request, *planned.judge).value_or(std::vector<TunedBaseline>());
    if (arguments.explain) {
        auto answer = reportWinner(planned.request, *planned.method, *planned.judge, ended.history, report.yardsticks.tuned);
        if (!answer)
            return failedRunning(answer.error());
        report.explained = *std::move(answer);
    }
    return report;
}

Outcome searchAsFirst(const Common &common, const SearchArguments &arguments, PreparedSearch prepared) {
    PlannedSearch &planned = prepared.planned;
    TRY(checkOutputs(common, *planned.judge));
    TRY(orBadInput(checkFormat(arguments, *planned.method)));
    std::unique_ptr<KeptSearch> kept;
    if (!arguments.project.empty()) // before hours are spent on results that cannot be kept
        kept = TRY(orBadInput(KeptSearch::open(prepared.options, arguments.project, planned, prepared.profile)));
    std::shared_ptr<RankJudge> spreadJudge;
    if (common.ranks != nullptr)
        spreadJudge = TRY(orBadInput(spread(*common.ranks, arguments, planned)));
    const Ended ended = TRY(searchAndKeep(common, arguments, prepared, kept.get()));
    if (ended.toldToEnd) {
        if (common.ranks != nullptr)
            common.ranks->abandon();
        return toldToEnd(common, arguments, planned, ended.history);
    }
    const auto best = TRY(orBadInput(identifiedBest(ended.history, planned)));
    TRY(saveBest(common, arguments, *best.strategy));
    SearchReport report = TRY(reportOf(arguments, planned, ended, best));
    if (kept)
        TRY(kept->addYardsticks(planned, report.yardsticks));
    if (spreadJudge) {
        report.judgedByRank = spreadJudge->judged();
        report.lostRanks = common.ranks->lost();
    }
    if (common.json)
        writeSearchJson(report);
    else
        print(searchText(report));
    return {};
}

/// Searches plans of a training DAG. They are not spread over ranks.
Outcome searchPlans(const Common &common, const SearchArguments &arguments) {
    if (common.ranks != nullptr && !common.ranks->isFirst()) {
        common.ranks->refuse({"plans are searched by rank 0 alone", {}, {}, {}});
        return {};
    }
    const SearchArguments usual;
    TRY(orBadInput(refuseStrategyOptions(arguments.scenario, {{"--judge", arguments.judge != usual.judge},
                                                              {"--objective", arguments.objective != usual.objective},
                                                              {"--enough", arguments.enough != usual.enough},
                                                              {"--trials-out", !arguments.trialsOut.empty()},
                                                              {"--explain", arguments.explain},
                                                              {"--project", !arguments.project.empty()},
                                                              {"an option of random()", arguments.hasSamplerOptions()}})));
    DagSearchOptions options;
    options.scenario = arguments.scenario;
    options.costs = arguments.costs;
    options.output = arguments.output;
    if (arguments.hasMethod)
        options.planner = arguments.method;
    if (arguments.hasTrials)
        options.evaluations = static_cast<std::int32_t>(arguments.trials);
    return searchDag(common, options);
}

Outcome searchCommand(const Common &common, const SearchArguments &arguments) {
    if (namesTrainingDag(arguments.scenario.job))
        return searchPlans(common, arguments);
    if (common.ranks != nullptr && !common.ranks->isFirst())
        return judgeForFirst(*common.ranks, common, arguments);
    return searchAsFirst(common, arguments, TRY(orBadInput(prepare(common, arguments))));
}

CLI::Option *addMethod(CLI::App &command, std::string &method) {
    return command
        .add_option("--method", method,
                    nameExpressions(searchMethods(), "methods") +
                        "; of a training DAG a planner that searches (plan --method), by default syndicate")
        ->capture_default_str();
}

Action declareSearch(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<SearchArguments>();
    addScenario(command, arguments->scenario);
    addBackground(command, arguments->scenario);
    addSharing(command, arguments->scenario);
    const CLI::Option *const method = addMethod(command, arguments->method);
    addJudge(command, arguments->judge);
    const CLI::Option *const trials =
        command
            .add_option("--trials", arguments->trials,
                        "Strategies to try; of a training DAG plans that each chain judges at most, where it is given")
            ->check(CLI::Range(1, 1000000))
            ->capture_default_str();
    takeDags(command, arguments->costs);
    command
        .add_option("--enough", arguments->enough,
                    "End once the compute alone proves that at most this many percent of the iteration can be gained; 0: never")
        ->check(between(0, 100))
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
    command.add_flag("!--no-merge", arguments->merge,
                     "Without c_am: groups are drawn variable by variable, not from neighbouring layers");
    command.add_flag("--explain", arguments->explain,
                     "Also show what the best have in common, the worth of each part of the best, set back to the best builder's "
                     "choice, and which of the best stay good with faster and slower links and a slow worker");
    addOutput(command, common, "-o,--output", arguments->output,
              "Strategy file for the best; .json for JSON, anything else AutoDist's format; of a training DAG a plan file");
    addOutput(command, common, "--trials-out", arguments->trialsOut,
              "File for all trials as JSON lines: job and cluster first, then each strategy with its time");
    command.add_option("--project", arguments->project,
                       "Project file (.syncopate) to keep the search in, for the explorer to open; created if missing");
    common.keptFiles.push_back(&arguments->project);
    return [&common, arguments, method, trials] {
        arguments->hasMethod = method->count() > 0;
        arguments->hasTrials = trials->count() > 0;
        return searchCommand(common, *arguments);
    };
}

} // namespace

const CommandEntry searchEntry{"search", "Search for a strategy that is faster than every builder's", declareSearch, true};

} // namespace syncopate::cli
