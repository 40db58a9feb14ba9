// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/dag_runs.h"

#include "app/cli/picture.h"
#include "app/cli/run_report.h"
#include "engine/base/units.h"
#include "engine/store/project_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <set>
#include <string_view>

namespace syncopate::cli {

void takeDags(CLI::App &command, PlanCosts &costs) {
    addPlanCosts(command, costs, "Of a training DAG. ");
    command.get_option("--job")->description("Catalogue name, job file, profile, or training DAG (.json, .dag)");
    if (CLI::Option *const strategy = command.get_option_no_throw("--strategy");
        strategy != nullptr && strategy->get_description() == strategyHelp)
        strategy->description(std::string(strategyHelp) + "; of a training DAG a planner (plan --method) or a plan file");
}

Result<void> requireStrategy(const ScenarioOptions &options) {
    if (options.strategy.empty())
        return fail("--strategy is required", "name a builder or a strategy file");
    return {};
}

void writeDagRun(JsonWriter &json, const DagJob &dag, const std::string &planner, const DagRun &played) {
    const PlannedRecording &run = *played.run;
    json.member("job", dag.job.job->name).member("cluster", dag.job.cluster.name);
    json.member("strategy", planner).member("plan", played.work.title);
    writeFigures(json, run, iterationStatistics(run));
    json.member("wall_seconds", played.wallSeconds).member("compute_idle_ratio", run.computeIdleRatio);
    json.member("lower_bound_seconds", run.boundSeconds).member("peak_memory_bytes", played.peakBytes);
    json.key("assumptions").beginArray();
    const std::vector<std::string> ofCluster = dag.job.cluster.allNotes();
    std::set<std::string_view> said; // a plan's assumptions have notes of its task and of its cluster, too
    for (const auto *sentences : {&run.assumptions, &dag.task.notes, &ofCluster})
        for (const std::string &sentence : *sentences)
            if (said.insert(sentence).second)
                json.value(sentence);
    json.endArray();
}

std::string describeDagRun(const Common &common, const DagJob &dag, const DagRun &played) {
    std::string text =
        describeRun(*played.run) + fmt::format("peak memory     {}\nno plan can be faster than {}; this one is {}\n",
                                               formatBytes(played.peakBytes), formatSeconds(played.run->boundSeconds),
                                               describeAboveBound(played.run->iterationSeconds, played.run->boundSeconds));
    if (!common.quiet)
        for (const std::string &note : dag.task.notes)
            text += note + '\n';
    return text;
}

Result<void> drawDagPicture(const ScenarioOptions &options, const DagJob &dag, const DagRun &a, const DagRun *b,
                            const std::string &file, const std::string &format) {
    Project project;
    SessionState &state = project.present;
    state.source = options.job;
    state.job = dag.job.job;
    state.clusterSource = options.cluster;
    state.cluster = std::make_shared<const Cluster>(dag.job.cluster);
    state.compare = b != nullptr;
    state.side(Side::A).source = planned(Source(), std::make_shared<const PlannedWork>(a.work));
    if (b != nullptr)
        state.side(Side::B).source = planned(Source(), std::make_shared<const PlannedWork>(b->work));
    return drawProject(project, file, format);
}

} // namespace syncopate::cli
