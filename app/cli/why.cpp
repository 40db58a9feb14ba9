// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/dag_runs.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/plan_why.h"
#include "app/cli/why_report.h"
#include "app/cli/why_scaling.h"
#include "engine/analyze/explain.h"
#include "engine/base/json_writer.h"
#include "engine/base/units.h"
#include "engine/search/alternatives.h"
#include "engine/session/dag_job.h"
#include "engine/session/load_scenario.h"
#include "engine/session/search_winners.h"
#include "engine/store/project_file.h"
#include "engine/strategy/strategy_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <optional>

namespace syncopate::cli {

namespace {

struct WhyArguments {
    ScenarioOptions scenario;
    std::string project; ///< the winners of its searches are remedies, too
    std::size_t maxSimulations = WhyOptions().maxSimulations;
    unsigned threads = 0; ///< 0 = one per core
    bool all = false;     ///< list remedies that do not help, too
    std::string scaling;  ///< "1-64": printed instead of the explanation
    double worthwhilePercent = 100 * ScalingOptions().worthwhileShare;
    PlanCosts costs; ///< of a training DAG
};

void writeRemedies(JsonWriter &json, const Explanation &answer, const Scenario &present, const std::string &strategy) {
    json.newLine().key("remedies").beginArray();
    for (const RemedyRow &row : answer.remedies) {
        const auto &[changed, origin] = std::get<ScenarioChange>(row.remedy.change);
        json.newLine().beginObject().member("what", row.remedy.text.english()).member("kind", nameOf(row.remedy.kind));
        json.member("policy", formatPolicy(changed.policy));
        json.key("strategy");
        if (const auto *built = std::get_if<BuiltStrategy>(&origin))
            json.value(built->expression);
        else if (changed.strategy == present.strategy)
            json.value(strategy);
        else
            json.json(writeStrategyJson(*changed.strategy));
        if (changed.cluster != present.cluster)
            json.member("cluster", writeResourceSpec(*changed.cluster));
        json.member("iteration_seconds", row.iterationSeconds.value_or(std::numeric_limits<double>::quiet_NaN()));
        json.member("gain", row.gain);
        if (!row.iterationSeconds)
            json.member("error", row.iterationSeconds.error().toString());
        json.endObject();
    }
    json.endArray().newLine().member("tried", answer.tried).member("left_out", answer.leftOut);
}

void writeJson(const Explanation &answer, const Run &run, const ScenarioRecipe &recipe, const std::string &strategy,
               const std::optional<Result<Stragglers>> &stragglers) {
    JsonWriter json;
    json.beginObject().member("job", run.scenario.job->name).member("cluster", run.scenario.cluster->name);
    json.member("strategy", strategy).member("policy", formatPolicy(run.scenario.policy));
    json.member("iteration_seconds", run.iterationSeconds);
    writeCauses(json, answer);
    writeRemedies(json, answer, run.scenario, strategy);
    writeSensitivities(json, answer, recipe);
    json.newLine().key("links").beginArray();
    for (const LinkSlope &slope : answer.links)
        json.newLine()
            .beginObject()
            .member("link", run.graph.links[slope.link.index()].name)
            .member("limited_seconds", slope.limitedSeconds)
            .member("seconds_per_gbit", slope.secondsPerGbit)
            .member("saved_seconds", slope.savedSeconds.value_or(std::numeric_limits<double>::quiet_NaN()))
            .endObject();
    json.endArray().newLine().key("bounds").beginObject();
    json.member("compute_seconds", answer.bounds.computeSeconds).member("host_wait_seconds", answer.bounds.hostWaitSeconds);
    json.member("network_seconds", answer.bounds.networkSeconds);
    json.member("queue_seconds", answer.bounds.queueSeconds).member("dependency_seconds", answer.bounds.dependencySeconds);
    json.member("busiest_link", answer.busiestLink).member("busiest_queue", answer.busiestQueue);
    json.endObject().key("assumptions").beginArray();
    for (const std::string &assumption : run.assumptions)
        json.value(assumption);
    json.endArray();
    if (stragglers)
        writeStragglers(json, *stragglers);
    json.endObject().newLine();
    printJson(json);
}

std::string boundsText(const Explanation &answer, const Run &run) {
    const IterationBounds &bounds = answer.bounds;
    const std::string compute =
        formatSeconds(bounds.computeSeconds) +
        (bounds.hostWaitSeconds > 0 ? fmt::format(" ({} of it waiting for the host)", formatSeconds(bounds.hostWaitSeconds))
                                    : "");
    if (!run.graph.workersInStep)
        return fmt::format("\nbounds: compute {} for a step of all workers; workers drift apart, so there are no others\n",
                           compute);
    return fmt::format("\nbounds: compute {}, network {} ({}), queues {} ({}), dependencies {}\n", compute,
                       formatSeconds(bounds.networkSeconds), answer.busiestLink.empty() ? "no traffic" : answer.busiestLink,
                       formatSeconds(bounds.queueSeconds), answer.busiestQueue.empty() ? "none" : answer.busiestQueue,
                       formatSeconds(bounds.dependencySeconds));
}

std::string report(const Explanation &answer, const Run &run, const ScenarioRecipe &recipe, bool all) {
    const double present = run.iterationSeconds;
    std::string text =
        causesText(answer, present) + remediesText(answer, present, all) + sensitivitiesText(answer, present, recipe);
    for (const LinkSlope &slope : answer.links)
        text +=
            fmt::format("{}{}: limits {}{}\n", &slope == answer.links.data() ? "\n" : "",
                        run.graph.links[slope.link.index()].name, formatSeconds(slope.limitedSeconds),
                        slope.savedSeconds ? fmt::format(", 1 Gbit/s more saves {}", formatSeconds(*slope.savedSeconds)) : "");
    return text + boundsText(answer, run);
}

/// The best trials of a project's searches.
Result<std::vector<BestTrial>> searchedIn(const std::string &path) {
    if (path.empty())
        return std::vector<BestTrial>();
    const auto project = TRY(readProject(path));
    return bestTrials(project.search ? bestTrialOf(project.search->plan, project.search->history) : std::nullopt,
                      project.pastSearches);
}

Outcome scalingCommand(const Common &common, const WhyArguments &arguments, const ScenarioRecipe &recipe) {
    auto options = TRY(orBadInput(inFile(parseScalingRange(arguments.scaling), "--scaling")));
    options.worthwhileShare = arguments.worthwhilePercent / 100;
    const auto scaling = findScaling(recipe, options);
    if (!scaling)
        return failedRunning(scaling.error());
    if (!scaling->knee)
        return badInput(scaling->points.front().error, "choose another range of workers");
    JsonWriter json;
    json.beginObject().member("job", recipe.job->name).member("cluster", recipe.cluster->name);
    json.member("strategy", arguments.scenario.strategy).member("policy", formatPolicy(recipe.policy));
    writeScaling(json, *recipe.job, *scaling);
    json.endObject().newLine();
    printEither(common, json, scalingText(*recipe.job, *scaling));
    return {};
}

/// Explains a plan of a training DAG.
Outcome whyOfDag(const Common &common, const WhyArguments &arguments) {
    const ScenarioOptions &options = arguments.scenario;
    TRY(orBadInput(refuseStrategyOptions(options, {{"--project", !arguments.project.empty()},
                                                   {"--simulations", arguments.maxSimulations != WhyOptions().maxSimulations},
                                                   {"--threads", arguments.threads != 0},
                                                   {"--scaling", !arguments.scaling.empty()}})));
    const DagJob dag = TRY(orBadInput(loadDagJob(options, arguments.costs, common.seed)));
    const std::string planner = options.strategy.empty() ? usualPlanner : options.strategy;
    const DagRun played = TRY(orBadInput(playDag(dag, planner, options.strategyOption)));
    const auto answer = explained(dag.job, played.work, 0);
    if (!answer)
        return failedRunning(answer.error());
    JsonWriter json;
    json.beginObject().member("job", dag.job.job->name).member("cluster", dag.job.cluster.name);
    json.member("strategy", planner).member("plan", played.work.title);
    writeExplanation(json, *answer);
    json.newLine().key("assumptions").beginArray();
    for (const std::string &assumption : played.run->assumptions)
        json.value(assumption);
    json.endArray().endObject().newLine();
    printEither(common, json, reportExplained(*answer, arguments.all));
    return {};
}

Outcome whyCommand(const Common &common, const WhyArguments &arguments) {
    if (TRY(orBadInput(playsPlans(arguments.scenario, arguments.costs))))
        return whyOfDag(common, arguments);
    TRY(orBadInput(requireStrategy(arguments.scenario)));
    std::shared_ptr<const ImportedProfile> profile;
    const auto recipe = TRY(orBadInput(loadRecipe(arguments.scenario, common.seed, &profile)));
    if (!arguments.scaling.empty())
        return scalingCommand(common, arguments, recipe);
    const auto searched = TRY(orBadInput(searchedIn(arguments.project)));
    const auto scenario = TRY(orBadInput(inOption(makeScenario(recipe), "--strategy")));
    const auto run = TRY(orBadInput(simulate(scenario)));
    const WhyOptions options{.alternatives = [&] { return alternativesTo(*run, winnersFor(*recipe.job, searched)); },
                             .maxSimulations = arguments.maxSimulations,
                             .threads = arguments.threads};
    const auto answer = explain(*run, recipe, options);
    if (!answer)
        return failedRunning(answer.error());
    std::optional<Result<Stragglers>> stragglers;
    if (profile && profile->ranks.size() > 1)
        stragglers = findStragglers(*profile);
    if (common.json)
        writeJson(*answer, *run, recipe, arguments.scenario.strategy, stragglers);
    else
        print(report(*answer, *run, recipe, arguments.all) + (stragglers ? stragglersText(*stragglers) : ""));
    return {};
}

Action declareWhy(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<WhyArguments>();
    addScenario(command, arguments->scenario);
    addStrategy(command, arguments->scenario, false);
    takeDags(command, arguments->costs);
    addBackground(command, arguments->scenario);
    addSharing(command, arguments->scenario);
    CLI::Option *const project = command.add_option("--project", arguments->project,
                                                    "Project file: the winners of its searches for this job are tried, too");
    CLI::Option *const simulations =
        command.add_option("--simulations", arguments->maxSimulations, "Simulate at most this many remedies")
            ->check(CLI::Range(0, 1'000'000));
    CLI::Option *const threads = command
                                     .add_option("--threads", arguments->threads,
                                                 "Remedies and knobs simulated at once, 0: one per core; changes only the time")
                                     ->check(CLI::Range(0, 1024))
                                     ->capture_default_str();
    CLI::Option *const all = command.add_flag("--all", arguments->all, "List the remedies that do not help, too");
    CLI::Option *const scaling =
        command
            .add_option("--scaling", arguments->scaling,
                        "Instead: how far it scales over a range of workers such as 1-64, what limits it where, and the knee")
            ->excludes(project, simulations, threads, all); // no remedies are tried
    command
        .add_option("--knee", arguments->worthwhilePercent,
                    "With --scaling: a worker pays while it brings so many percent of one worker's samples/s")
        ->check(between(0.1, 99.9))
        ->needs(scaling)
        ->capture_default_str();
    return [&common, arguments] { return whyCommand(common, *arguments); };
}

} // namespace

const CommandEntry whyEntry{
    "why", "Explain an iteration: causes, remedies by gain, the effect of halving or doubling each knob, and bounds", declareWhy};

} // namespace syncopate::cli
