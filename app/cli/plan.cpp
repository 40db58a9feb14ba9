// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/plan_curves.h"
#include "app/cli/plan_enforced.h"
#include "app/cli/plan_job.h"
#include "app/cli/plan_why.h"
#include "engine/base/json_writer.h"
#include "engine/base/units.h"
#include "engine/export/export.h"
#include "engine/export/plan_export.h"
#include "engine/search/plan_methods.h"
#include "engine/session/plan_settings.h"
#include "engine/simulate/plan_memory.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace syncopate::cli {

namespace {

struct PlanArguments {
    ScenarioOptions scenario;
    std::string method = "syndicate";
    PlanCosts costs;
    std::string collectives; ///< for a profile: "recorded" or "gradients"; empty = recorded if there are any
    std::string given;       ///< a plan file to play besides the others, empty = none
    std::string output;
    std::string format = "json";        ///< of the output
    std::string historyFile, traceFile; ///< of the search's steps, and of the played plan; empty = none
    std::string op;                     ///< the comm-op for an MSCCL++ plan
    std::string curves;                 ///< the collectives whose cost curves are printed instead of plans; empty = plans
    std::int32_t evaluations = PlanRequest{}.evaluations;
    double budgetSeconds = 0;      ///< 0 = none
    std::string maxMemory;         ///< for a process's buffers, empty = unlimited
    bool why = false, all = false; ///< explain the plan; list remedies that do not help, too
    EnforceArguments enforce;
};

/// The plan of --plan, the run that it makes, and the bound over its own channels, which need not be the cluster's.
struct GivenPlan {
    ExecutionPlan plan;
    PlannedRun run;
    double boundSeconds = 0;
};

/// All methods, the requested one first, and the bound.
struct Planned {
    std::vector<FoundPlan> found;
    std::vector<PlanStep> steps; ///< of the requested method, if --history wants them
    std::optional<GivenPlan> given;
    std::optional<EnforcedPlan> enforced;   ///< the best one, or the given one, played process by process
    std::optional<ExplainedPlan> explained; ///< the best one, or the given one
    double boundSeconds = 0;
    std::vector<std::string> notes;   ///< assumptions made in deriving a DAG from a recording
    std::vector<std::string> refused; ///< parts that the output's format cannot express
};

Result<PlanRequest> requestOf(const PlanArguments &arguments, PlanJob &job, std::int32_t seed, std::vector<std::string> &notes) {
    job = TRY(loadPlanJob(arguments.scenario, arguments.collectives));
    PlanTask task = TRY(planTaskOf(job, arguments.costs, seed));
    PlanRequest request = std::move(task.request);
    notes = std::move(task.notes);
    request.evaluations = arguments.evaluations;
    request.minEvaluations = std::min(request.minEvaluations, arguments.evaluations);
    request.budgetSeconds = arguments.budgetSeconds;
    request.maxBytes = TRY(inFile(readMemoryBound(arguments.maxMemory), "--max-memory"));
    return request;
}

/// The found plan, or the given one, as the explorer shows it. A file's plan has its own channels; --incast changes those of the
/// cluster, which then follow no knob.
PlannedWork shownWork(const PlanArguments &arguments, const PlanJob &job, const PlanRequest &request, const FoundPlan &found,
                      const std::optional<GivenPlan> &given) {
    PlannedWork work = plannedWork({.request = request,
                                    .ofJob = job.ofJob,
                                    .ofRecording = job.ofRecording,
                                    .clusterCosts = arguments.costs.measured.empty()},
                                   found);
    work.onCluster = !given && arguments.costs.incast.empty();
    if (given) {
        work.title = fmt::format("{} plan of {}", given->plan.name, given->plan.dag);
        work.plan = given->plan;
    }
    return work;
}

void writeJson(const TrainingDag &dag, const Planned &planned, std::int32_t seed) {
    JsonWriter json;
    const FoundPlan &best = planned.found.front();
    json.beginObject().member("method", nameOf(best.method)).member("iteration_seconds", best.run.iterationSeconds);
    json.member("compute_idle_ratio", best.run.computeIdleRatio()).member("lower_bound_seconds", planned.boundSeconds);
    json.member("steady", best.run.isSteady).member("seed", seed);
    json.member("evaluations", best.evaluations).newLine().key("methods").beginObject();
    for (const FoundPlan &found : planned.found)
        json.member(nameOf(found.method), found.run.iterationSeconds);
    json.endObject().key("idle_ratios").beginObject();
    for (const FoundPlan &found : planned.found)
        json.member(nameOf(found.method), found.run.computeIdleRatio());
    json.endObject().key("peak_memory_bytes").beginObject();
    for (const FoundPlan &found : planned.found)
        json.member(nameOf(found.method), found.peakBytes);
    json.endObject();
    if (planned.given)
        json.member("given_iteration_seconds", planned.given->run.iterationSeconds)
            .member("given_lower_bound_seconds", planned.given->boundSeconds)
            .member("given_peak_memory_bytes", peakMemoryBytes(dag, planned.given->run));
    if (planned.enforced)
        writeEnforced(json, *planned.enforced);
    if (planned.explained)
        writeExplained(json, *planned.explained);
    for (const auto &[key, sentences] : {std::pair("notes", &planned.notes), std::pair("refused", &planned.refused)}) {
        if (sentences->empty())
            continue;
        json.newLine().key(key).beginArray();
        for (const std::string &sentence : *sentences)
            json.value(sentence);
        json.endArray();
    }
    json.newLine().key("order");
    writeOrders(json, best.plan, dag);
    json.newLine().key("motifs").beginArray();
    for (const PlannedMotif &each : best.plan.motifs) {
        json.newLine().beginObject().member("op", dag.ops[each.op.index()].name);
        json.member("motif", nameOf(each.motif));
        json.member("channel", best.plan.channels[each.channel.index()].name).endObject();
    }
    json.endArray().endObject().newLine();
    printJson(json);
}

/// The bound of the found plans and, if its own channels change it, that of the given plan.
std::string describeBounds(const Planned &planned, std::int32_t seed) {
    const FoundPlan &best = planned.found.front();
    std::string text =
        fmt::format("no plan can be faster than {}; {} is {}; seed {}\n", formatSeconds(planned.boundSeconds),
                    nameOf(best.method), describeAboveBound(best.run.iterationSeconds, planned.boundSeconds), seed);
    const auto &given = planned.given;
    if (!given)
        return text;
    text += formatSeconds(given->boundSeconds) == formatSeconds(planned.boundSeconds)
                ? std::string("the given plan")
                : fmt::format("over the channels of the given plan none can be faster than {}; it",
                              formatSeconds(given->boundSeconds));
    return text + fmt::format(" is {}\n", describeAboveBound(given->run.iterationSeconds, given->boundSeconds));
}

std::string report(const TrainingDag &dag, const Planned &planned, std::int32_t seed, bool all) {
    std::string text =
        fmt::format("{:10} {:>12} {:>12} {:>12} {:>12}\n", "method", "iteration", "compute idle", "peak memory", "schedules");
    for (const FoundPlan &found : planned.found)
        text += fmt::format("{:10} {:>12} {:>11.1f}% {:>12} {:>12}\n", nameOf(found.method),
                            formatSeconds(found.run.iterationSeconds), 100 * found.run.computeIdleRatio(),
                            formatBytes(found.peakBytes), found.evaluations);
    if (planned.given)
        text += fmt::format("{:10} {:>12} {:>11.1f}% {:>12}\n", "given", formatSeconds(planned.given->run.iterationSeconds),
                            100 * planned.given->run.computeIdleRatio(), formatBytes(peakMemoryBytes(dag, planned.given->run)));
    const FoundPlan &best = planned.found.front();
    text += describeBounds(planned, seed);
    if (!best.run.isSteady)
        text += "the schedule does not repeat; its iteration is a mean, or a bound if that is longer\n";
    for (const std::string &note : planned.notes)
        text += note + '\n';
    constexpr std::size_t shown = 40;
    for (std::size_t r = 0; r < std::min(planned.refused.size(), shown); ++r)
        text += fmt::format("not in the file: {}\n", planned.refused[r]);
    if (planned.refused.size() > shown)
        text += fmt::format("not in the file: {} more, which --json names\n", planned.refused.size() - shown);
    for (std::size_t c = 0; c < best.plan.orders.size(); ++c) {
        text += fmt::format("\n{} runs, in this order:\n", best.plan.channels[c].name);
        const auto &order = best.plan.orders[c];
        for (std::size_t e = 0; e < std::min(order.size(), shown); ++e) {
            const PlannedMotif &motif = best.plan.motifs[order[e].motif.index()];
            const std::int32_t ahead = order[e].iterationOffset;
            text += fmt::format("  {}: {}{}\n", dag.ops[motif.op.index()].name, nameOf(motif.motif),
                                ahead == 0 ? std::string() : fmt::format(", of iteration {:+}", ahead));
        }
        if (order.size() > shown)
            text += fmt::format("  and {} more\n", order.size() - shown);
    }
    if (planned.enforced)
        text += reportEnforced(*planned.enforced, dag.processes);
    if (planned.explained)
        text += reportExplained(*planned.explained, all);
    return text;
}

/// The plans of all methods, that of `first` first, which has its own arguments and whose steps `observer` receives.
Result<std::vector<FoundPlan>> findAll(const PlanRequest &request, const PlanRequest &ofFirst, PlanMethod first,
                                       const PlanObserver &observer) {
    std::vector<FoundPlan> found{TRY(findPlan(ofFirst, first, {}, observer))};
    for (const PlanMethod method : comparedMethods(request, first))
        if (method != first)
            found.push_back(TRY(findPlan(request, method)));
    return found;
}

Result<GivenPlan> playGiven(const std::string &file, const PlanRequest &request) {
    auto plan = TRY(readExecutionPlanFile(file, *request.dag));
    auto run = TRY(inFile(playPlan(withSubmission(*request.dag, plan.enforced), plan, request.costs), file));
    PlanRequest over = request;
    over.channels = plan.channels;
    return GivenPlan{std::move(plan), std::move(run), planBoundSeconds(over)};
}

Outcome checkFits(const FoundPlan &best, const PlanRequest &request) {
    if (best.fits(request))
        return {};
    return failedRunning(Error{fmt::format("no plan of {} was found that holds {} or less; the smallest found holds {}",
                                           nameOf(best.method), formatBytes(request.maxBytes), formatBytes(best.peakBytes)),
                               "allow more with --max-memory, or another --method",
                               {},
                               {}});
}

/// The search that makes another plan in place of a given one.
PlanMethod searchLike(const ExecutionPlan &plan) { return plan.enforced ? PlanMethod::Syndicate : PlanMethod::Exec; }

/// Plays process by process, and explains, the given plan or else the best one, as far as the options ask for it.
Result<void> examine(const PlanArguments &arguments, const PlanJob &job, const PlanRequest &request, Planned &planned) {
    const FoundPlan &best = planned.found.front();
    if (arguments.enforce.isWanted())
        planned.enforced =
            TRY(planned.given ? enforced(arguments.enforce, request, searchLike(planned.given->plan), planned.given->plan)
                              : enforced(arguments.enforce, request, best.method, best.plan));
    if (arguments.why)
        planned.explained = TRY(explained(job, shownWork(arguments, job, request, best, planned.given), request.maxBytes));
    return {};
}

/// Writes the best plan to --output; notes the parts that the format cannot express.
Outcome saveBest(const Common &common, const PlanArguments &arguments, const PlanRequest &request, Planned &planned) {
    if (arguments.output.empty())
        return {};
    const FoundPlan &best = planned.found.front();
    auto text = TRY(orBadInput(exportPlan(arguments.format, {best.plan, *request.dag, request.costs, arguments.op, &best.run})));
    planned.refused = std::move(text.refused);
    return save(common, arguments.output, text.text);
}

/// Writes the search's steps to --history, and the timeline of the best or the given plan to --trace.
Outcome saveRecords(const Common &common, const PlanArguments &arguments, const PlanJob &job, const PlanRequest &request,
                    const Planned &planned) {
    if (!arguments.historyFile.empty())
        TRY(save(common, arguments.historyFile, writePlanHistory(planned.steps)));
    if (arguments.traceFile.empty())
        return {};
    const PlannedWork work = shownWork(arguments, job, request, planned.found.front(), planned.given);
    const auto run = TRY(orBadInput(plannedRun(work, job.job, job.cluster)));
    return save(common, arguments.traceFile, [&run](const TextSink &sink) { return writeChromeTrace(*run, sink); });
}

/// Refuses outputs that cannot be written, and an option that would be ignored, before minutes of search.
Outcome checkWanted(const PlanArguments &arguments, const TrainingDag &dag, PlanMethod method) {
    const PlanFormat *const format = findPlanFormat(arguments.format);
    const bool isOfOneOp = format && format->isOfOneOp && !arguments.output.empty();
    if (isOfOneOp && arguments.op.empty())
        return badInput(fmt::format("the format {} writes one collective", format->name), "name it with --op");
    std::string ofOneOp;
    for (const PlanFormat &each : planFormats())
        if (each.isOfOneOp)
            ofOneOp += (ofOneOp.empty() ? "" : ", ") + std::string(each.name);
    if (!arguments.op.empty() && !isOfOneOp)
        return badInput("no file of one collective is written",
                        "leave out --op, or give --output and a --format of one: " + ofOneOp);
    const auto isNamed = [&](const DagOp &op) { return !op.isCompute() && op.name == arguments.op; };
    if (isOfOneOp && std::ranges::none_of(dag.ops, isNamed))
        return badInput(fmt::format("the DAG has no collective \"{}\" (--op)", arguments.op), "name one that the plan lists");
    if (arguments.enforce.planningSeconds > 0 && !arguments.enforce.isWanted())
        return badInput("nothing is planned again unless every process is played",
                        "leave it out, or give --jitter, --straggler or --iterations", "--planning");
    if (!arguments.historyFile.empty() && !isSearch(method))
        return badInput(fmt::format("{} does not search, so there is no history", nameOf(method)),
                        "plan by exec, syndicate or random with --method");
    return {};
}

Outcome planCommand(const Common &common, const PlanArguments &arguments) {
    Planned planned;
    PlanJob job;
    const auto request = TRY(orBadInput(requestOf(arguments, job, common.seed, planned.notes)));
    if (common.quiet && !common.json)
        planned.notes.clear();
    if (!arguments.curves.empty())
        return printCostCurves(common, request, arguments.curves, planned.notes);
    PlanRequest ofMethod = request;
    const auto method = TRY(orBadInput(inOption(readPlanMethod(arguments.method, ofMethod), "--method")));
    TRY(checkWanted(arguments, *request.dag, method));
    if (!arguments.given.empty())
        planned.given = TRY(orBadInput(playGiven(arguments.given, request)));
    PlanObserver observer;
    if (!arguments.historyFile.empty())
        observer = [&planned](const PlanStep &step) { planned.steps.push_back(step); };
    planned.found = TRY(orBadInput(findAll(request, ofMethod, method, observer)));
    TRY(checkFits(planned.found.front(), request));
    planned.boundSeconds = planBoundSeconds(request);
    TRY(orBadInput(examine(arguments, job, request, planned)));
    TRY(saveBest(common, arguments, request, planned));
    TRY(saveRecords(common, arguments, job, request, planned));
    if (common.json)
        writeJson(*request.dag, planned, common.seed);
    else
        print(report(*request.dag, planned, common.seed, arguments.all));
    return {};
}

/// Adds --curves, which excludes the options that only plans use.
void addCurves(CLI::App &command, PlanArguments &arguments) {
    CLI::Option *const curves =
        command.add_option("--curves", arguments.curves,
                           "Instead of plans print the time of a collective over its size, by way and channel, and where two "
                           "ways change places: all, or a kind such as all_to_all");
    for (const char *const ofPlans :
         {"--method", "--plan", "--evaluations", "--budget", "--max-memory", "--jitter", "--straggler", "--iterations",
          "--planning", "--output", "--format", "--op", "--why", "--history", "--trace"})
        curves->excludes(command.get_option(ofPlans));
}

Action declarePlan(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<PlanArguments>();
    addCluster(command, arguments->scenario);
    command.get_option("--job")->description("Training DAG (.json, .dag), or a catalogue name, job file or profile");
    command.add_option("--method", arguments->method,
                       "The method whose plan is printed and written (default syndicate); all are compared, the others with "
                       "their defaults, exhaustive where it takes about a second. " +
                           nameExpressions(planMethods(), "planners"));
    addPlanCosts(command, arguments->costs);
    command
        .add_option("--collectives", arguments->collectives,
                    "What to plan for a profile: recorded, the collectives of its step where they were launched and waited for "
                    "(the default if there are any), or gradients, data-parallel training of its layers")
        ->check(CLI::IsMember({"recorded", "gradients"}));
    command.add_option("--plan", arguments->given, "A plan file to play beside them")->check(CLI::ExistingFile);
    command
        .add_option("--evaluations", arguments->evaluations,
                    "Execution plans that exec, syndicate and random judge at most, in each of two chains")
        ->check(between(1, 10'000'000));
    command
        .add_option("--budget", arguments->budgetSeconds,
                    "Seconds after which exec, syndicate and random stop; their plans then depend on the machine")
        ->check(between(0.01, 1e6));
    command.add_option("--max-memory", arguments->maxMemory,
                       "Memory that the buffers of the plan's collectives may take in a process, such as 2GiB (docs/plan.md)");
    CLI::Option *const why = command.add_flag(
        "--why", arguments->why,
        "Explain the plan, or that of --plan: what is on its critical path, and other methods, channels and knobs by gain");
    command.add_flag("--all", arguments->all, "With --why: list the remedies that do not help, too")->needs(why);
    addEnforce(command, arguments->enforce);
    std::vector<std::string> formats;
    std::string titles;
    for (const PlanFormat &format : planFormats()) {
        formats.emplace_back(format.name);
        titles += fmt::format("{}{}: {}{}", titles.empty() ? "" : "; ", format.name, format.title,
                              format.name == arguments->format ? " (default)"
                              : format.isOfOneOp               ? ", of --op"
                                                               : "");
    }
    CLI::Option *const output = addOutput(command, common, "-o,--output", arguments->output, "Plan file to write, in --format");
    command.add_option("--format", arguments->format, titles)->check(CLI::IsMember(formats))->needs(output);
    addOutput(command, common, "--history", arguments->historyFile,
              "Write the steps of the method's search as CSV: iteration, chain, proposal, cost, whether accepted, best so far");
    addOutput(command, common, "--trace", arguments->traceFile,
              "Write the timeline of the plan, or that of --plan, as Chrome JSON (opens in Perfetto)");
    command.add_option("--op", arguments->op,
                       "Collective of the DAG that --format mscclpp, mscclpp-program or msccl-xml is written for");
    addCurves(command, *arguments);
    return [&common, arguments] { return planCommand(common, *arguments); };
}

} // namespace

const CommandEntry planEntry{
    "plan", "Plan collectives of a training DAG: motifs, channels and order together, beside simpler planners", declarePlan};

} // namespace syncopate::cli
