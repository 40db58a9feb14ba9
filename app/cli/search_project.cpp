// SPDX-License-Identifier: GPL-3.0-or-later
// search --project: the search in a project file, where the explorer goes on with it.
#include "app/cli/search_project.h"

#include "app/cli/output.h"
#include "engine/cluster/cluster_file.h"
#include "engine/job/job_file.h"
#include "engine/store/project_lock.h"
#include "engine/strategy/comm_policy.h"

#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace syncopate::cli {

Result<Project> projectForSearch(const ScenarioOptions &options, const std::string &path) {
    if (!options.curves.empty() || !options.background.empty() || !options.fold || options.iterations != Scenario().iterations)
        return fail("a project keeps no --curves, --background, --no-fold or --iterations",
                    "leave them out, or leave out --project", path);
    TRY(ProjectLock::take(path)); // told now rather than when the search is done
    std::error_code ignored;
    return std::filesystem::exists(path, ignored) ? readProject(path) : Result<Project>(Project());
}

Outcome saveSearch(const Common &common, Project project, const std::string &path, const ScenarioOptions &options,
                   const PlannedSearch &planned, const std::shared_ptr<const ImportedProfile> &profile, SearchState found) {
    const SearchRequest &request = planned.request;
    auto search = std::make_shared<SearchState>(std::move(found));
    const SearchHistory &history = search->history;
    SearchPlan &plan = search->plan;
    SessionState &state = plan.state;
    state.source = options.job;
    state.job = request.base.job;
    state.profile = profile;
    // Where it is the project's own job, the explorer may put candidates on its sides.
    if (project.present.job && writeJobText(*project.present.job) == writeJobText(*state.job))
        state.job = project.present.job;
    state.clusterSource = options.cluster;
    state.cluster = request.base.cluster;
    if (project.search) { // the same objects, or its trials would be taken for those of another job or cluster
        const SessionState &before = project.search->plan.state;
        if (writeJobText(*before.job) == writeJobText(*state.job))
            state.job = before.job;
        if (writeResourceSpec(*before.cluster) == writeResourceSpec(*state.cluster))
            state.cluster = before.cluster;
    }
    state.clusterEdited = options.workers > 0 || options.servers >= 0 || options.bandwidthGbits > 0 || !options.latency.empty();
    const std::string policy = formatPolicy(request.base.policy);
    state.sides = {SideState{Built{"AllReduce"}, policy}, SideState{Built{"AllReduce"}, policy}};
    plan.method = planned.method->text();
    plan.judge = planned.judge->text();
    plan.objective = request.objective;
    plan.seed = request.seed;
    plan.trials = request.trials;
    if (!project.present.job) { // a new project: the best builder's strategy beside the best trial's
        project.present = state;
        if (const std::int64_t best = history.bestBaseline(request.objective); best >= 0)
            project.present.side(Side::A).source = Built{history.baselines[static_cast<std::size_t>(best)].builder};
        if (const std::int64_t best = history.bestTrial(request.objective); best >= 0) {
            const auto scenario = planned.method->decode(history.trials[static_cast<std::size_t>(best)].genes);
            if (!scenario)
                return failedRunning(scenario.error());
            SideState &b = project.present.side(Side::B);
            b.source = replaced(b.source, scenario->strategy, fmt::format("trial {}", best));
        }
    }
    project.pastSearches = withSearch(std::move(project.pastSearches), std::move(project.search));
    project.search = std::move(search);
    const auto saved = saveProject(std::move(project), path);
    if (!saved)
        return failedRunning(saved.error());
    sayWrote(common, saved->path);
    return {};
}

} // namespace syncopate::cli
