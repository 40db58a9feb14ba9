// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/search_dag.h"

#include "app/cli/dag_runs.h"
#include "app/cli/output.h"
#include "engine/analyze/metrics.h"
#include "engine/base/json_writer.h"
#include "engine/base/units.h"
#include "engine/search/plan_methods.h"
#include "engine/strategy/expression.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <vector>

namespace syncopate::cli {

namespace {

/// A search that has ended.
struct EndedDagSearch {
    FoundPlan searched;
    std::vector<FoundPlan> baselines; ///< of the planners that do not search
    std::vector<PlanStep> steps;      ///< of all chains, in the order in which they were judged
    double boundSeconds = 0, exposedSeconds = 0;
    double wallSeconds = 0;

    [[nodiscard]] const FoundPlan &bestBaseline() const {
        return *std::ranges::min_element(baselines, {}, [](const FoundPlan &f) { return f.run.iterationSeconds; });
    }
    /// A baseline where the search found nothing faster.
    [[nodiscard]] const FoundPlan &best() const {
        return searched.run.iterationSeconds < bestBaseline().run.iterationSeconds ? searched : bestBaseline();
    }
    /// The share of steps that beat all baselines.
    [[nodiscard]] double hitRate() const {
        const auto hits = std::ranges::count_if(
            steps, [bar = bestBaseline().run.iterationSeconds](const PlanStep &step) { return step.seconds < bar; });
        return steps.empty() ? 0 : static_cast<double>(hits) / static_cast<double>(steps.size());
    }
};

Result<EndedDagSearch> searched(const DagJob &dag, const PlanRequest &request, PlanMethod method) {
    const auto begin = std::chrono::steady_clock::now();
    EndedDagSearch ended;
    for (std::int32_t m = 0; m < planMethodCount; ++m)
        if (const auto other = static_cast<PlanMethod>(m); isBaseline(other))
            ended.baselines.push_back(TRY(findPlan(dag.task.request, other)));
    ended.searched = TRY(findPlan(request, method, {}, [&ended](const PlanStep &step) { ended.steps.push_back(step); }));
    ended.boundSeconds = planBoundSeconds(request);
    PlannedWork work = plannedWork(dag.task, ended.best());
    work.onCluster = !dag.ownIncast;
    ended.exposedSeconds = iterationStatistics(*TRY(plannedRun(work, dag.job.job, dag.job.cluster))).exposedSeconds;
    ended.wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return ended;
}

void writeSteps(JsonWriter &json, const EndedDagSearch &ended) {
    const double bar = ended.bestBaseline().run.iterationSeconds;
    double best = std::numeric_limits<double>::infinity();
    std::size_t hits = 0;
    json.newLine().key("trials").beginArray();
    for (std::size_t s = 0; s < ended.steps.size(); ++s) {
        const PlanStep &step = ended.steps[s];
        best = std::min(best, step.seconds);
        hits += step.seconds < bar ? 1 : 0;
        json.newLine().beginObject().member("trial", static_cast<std::uint64_t>(s));
        json.member("iteration_seconds", step.seconds).member("best_so_far_seconds", best);
        json.member("hit_rate", static_cast<double>(hits) / static_cast<double>(s + 1));
        json.member("chain", step.chain).member("source", nameOf(step.proposal)).member("accepted", step.accepted).endObject();
    }
    json.endArray();
}

void writeDagSearch(const DagJob &dag, const DagSearchOptions &options, const EndedDagSearch &ended) {
    const FoundPlan &best = ended.best();
    JsonWriter json;
    json.beginObject().member("method", options.planner).member("judge", "simulated()");
    json.member("seed", dag.task.request.seed).member("objective", "iteration").newLine();
    json.key("best").beginObject().member("from", nameOf(best.method)).member("iteration_seconds", best.run.iterationSeconds);
    json.member("exposed_communication_seconds", ended.exposedSeconds).member("peak_memory_bytes", best.peakBytes);
    json.key("strategy").json(writeExecutionPlan(best.plan, *dag.task.request.dag)).endObject();
    json.newLine().key("baselines").beginObject();
    for (const FoundPlan &baseline : ended.baselines)
        json.member(nameOf(baseline.method), baseline.run.iterationSeconds);
    json.endObject().newLine().key("baselines_tuned").beginObject().endObject();
    writeSteps(json, ended);
    json.newLine().member("hit_rate", ended.hitRate()).member("hit_rate_default", ended.hitRate());
    json.member("hit_rate_tuned", std::numeric_limits<double>::quiet_NaN()).member("evaluations", ended.searched.evaluations);
    json.member("judge_deterministic", true).member("lower_bound_seconds", ended.boundSeconds);
    json.member("wall_seconds", ended.wallSeconds).key("notes").beginArray();
    for (const std::string &note : dag.task.notes)
        json.value(note);
    json.endArray().endObject().newLine();
    printJson(json);
}

std::string dagSearchText(const Common &common, const DagJob &dag, const DagSearchOptions &options, const EndedDagSearch &ended) {
    std::string text = fmt::format("{:24} {:>20}\n", "baseline", "iteration");
    for (const FoundPlan &baseline : ended.baselines)
        text += fmt::format("{:24} {:>20}\n", nameOf(baseline.method), formatSeconds(baseline.run.iterationSeconds));
    const FoundPlan &best = ended.best();
    text += fmt::format("\n{:24} {:>20} {:>12} exposed\n", fmt::format("best: {}", nameOf(best.method)),
                        formatSeconds(best.run.iterationSeconds), formatSeconds(ended.exposedSeconds));
    text += fmt::format("hit rate                 {:>10.1f} %  of {} trials in {}, each as its list schedule\n",
                        100 * ended.hitRate(), ended.steps.size(), formatSeconds(ended.wallSeconds));
    text +=
        fmt::format("no plan can be faster than {}; the best is {}\ntried: {}; seed {}\n", formatSeconds(ended.boundSeconds),
                    describeAboveBound(best.run.iterationSeconds, ended.boundSeconds), options.planner, dag.task.request.seed);
    if (!common.quiet)
        for (const std::string &note : dag.task.notes)
            text += note + '\n';
    return text;
}

} // namespace

Outcome searchDag(const Common &common, const DagSearchOptions &options) {
    const DagJob dag = TRY(orBadInput(loadDagJob(options.scenario, options.costs, common.seed)));
    PlanRequest request = dag.task.request;
    if (options.evaluations) {
        request.evaluations = *options.evaluations;
        request.minEvaluations = std::min(request.minEvaluations, *options.evaluations);
    }
    const auto method = TRY(orBadInput(inOption(readPlanMethod(options.planner, request), "--method")));
    if (!isSearch(method))
        return badInput(fmt::format("{} does not search", nameOf(method)),
                        fmt::format("search by exec, syndicate or random, or play its plan: syncopate-cli simulate --job {} "
                                    "--cluster {} --strategy {}",
                                    options.scenario.job, options.scenario.cluster, nameOf(method)),
                        "--method");
    const EndedDagSearch ended = TRY(orBadInput(searched(dag, request, method)));
    if (!options.output.empty())
        TRY(save(common, options.output, writeExecutionPlan(ended.best().plan, *request.dag)));
    if (common.json)
        writeDagSearch(dag, options, ended);
    else
        print(dagSearchText(common, dag, options, ended));
    return {};
}

} // namespace syncopate::cli
