// SPDX-License-Identifier: GPL-3.0-or-later
// search --project: keeps the search in a project file, where the explorer or the same command can continue it.
#include "app/cli/search_project.h"

#include "app/cli/output.h"
#include "engine/job/job_file.h"
#include "engine/strategy/comm_policy.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace syncopate::cli {

namespace {

constexpr std::chrono::seconds minBetweenSaves(1);
constexpr int minBetweenPerSave = 20; ///< minimum number of seconds between saves for each second of the last one

} // namespace

KeptSearch::KeptSearch(std::string path, std::unique_ptr<ProjectLock> lock, Project project)
    : m_path(std::move(path)), m_lock(std::move(lock)), m_project(std::move(project)), m_isNew(!m_project.present.job) {}

Result<std::unique_ptr<KeptSearch>> KeptSearch::open(const ScenarioOptions &options, const std::string &path,
                                                     const PlannedSearch &planned,
                                                     const std::shared_ptr<const ImportedProfile> &profile) {
    if (!options.curves.empty() || !options.background.empty() || !options.fold || options.iterations != Scenario().iterations ||
        options.linkModel != LinkModel::Fluid)
        return fail("a project keeps no --curves, --background, --sharing, --no-fold or --iterations",
                    "leave them out, or leave out --project", path);
    auto lock = TRY(ProjectLock::take(path));
    std::error_code ignored;
    auto project = std::filesystem::exists(path, ignored) ? TRY(readProject(path)) : Project();
    std::unique_ptr<KeptSearch> kept(new KeptSearch(path, std::move(lock), std::move(project)));
    if (kept->hasSameSearch(planned)) {
        kept->m_search = *kept->m_project.search; // including its pins
        kept->m_search.plan = {};
    }
    kept->m_search.history.stopped = true; // a search saved in progress can be resumed
    kept->setPlan(options, planned, profile);
    if (kept->m_search.history.trials.empty())
        kept->m_project.pastSearches = withSearch(std::move(kept->m_project.pastSearches), std::move(kept->m_project.search));
    return kept;
}

bool KeptSearch::hasSameSearch(const PlannedSearch &planned) const {
    if (!m_project.search || m_project.search->history.trials.size() >= planned.request.trials)
        return false; // a finished one is searched again
    const auto theirs = planSearch(m_project.search->plan);
    if (!theirs)
        return false;
    const SearchRequest &a = theirs->request, &b = planned.request;
    return theirs->method->text() == planned.method->text() && theirs->judge->text() == planned.judge->text() &&
           a.objective == b.objective && a.seed == b.seed && a.trials == b.trials &&
           writeJobText(*a.base.job) == writeJobText(*b.base.job) &&
           writeResourceSpec(*a.base.cluster) == writeResourceSpec(*b.base.cluster) &&
           formatPolicy(a.base.policy) == formatPolicy(b.base.policy);
}

void KeptSearch::setPlan(const ScenarioOptions &options, const PlannedSearch &planned,
                         const std::shared_ptr<const ImportedProfile> &profile) {
    const SearchRequest &request = planned.request;
    SearchPlan &plan = m_search.plan;
    SessionState &state = plan.state;
    state.source = lastingJobName(options.job);
    state.job = request.base.job;
    state.profile = profile;
    // If it is the project's own job, the explorer can put candidates on its sides.
    if (!m_isNew && writeJobText(*m_project.present.job) == writeJobText(*state.job))
        state.job = m_project.present.job;
    state.clusterSource = options.cluster;
    state.cluster = request.base.cluster;
    if (m_project.search) { // use the same objects, or its trials would be taken for those of another job or cluster
        const SessionState &before = m_project.search->plan.state;
        if (writeJobText(*before.job) == writeJobText(*state.job))
            state.job = before.job;
        if (writeResourceSpec(*before.cluster) == writeResourceSpec(*state.cluster))
            state.cluster = before.cluster;
    }
    state.clusterEdited = options.overridesCluster();
    const std::string policy = formatPolicy(request.base.policy);
    state.sides = {SideState{Built{"AllReduce"}, policy}, SideState{Built{"AllReduce"}, policy}};
    plan.method = planned.method->text();
    plan.judge = planned.judge->text();
    plan.objective = request.objective;
    plan.seed = request.seed;
    plan.trials = request.trials;
    m_method = planned.method;
    if (m_isNew)
        m_project.present = state;
}

void KeptSearch::baselineDone(const SearchBaseline &baseline) {
    m_search.history.baselines.push_back(baseline);
    saveNowAndThen();
}

void KeptSearch::trialDone(const SearchTrial &trial) {
    m_search.history.trials.push_back(trial);
    saveNowAndThen();
}

void KeptSearch::saveNowAndThen() {
    if (Clock::now() - m_savedAt < std::max<Clock::duration>(minBetweenSaves, minBetweenPerSave * m_saving))
        return;
    if (!save()) // end() tries again, and reports the error
        m_savedAt = Clock::now();
}

Result<void> KeptSearch::save() {
    const auto begin = Clock::now();
    m_project.search = std::make_shared<SearchState>(m_search);
    const auto saved = TRY(saveProject(m_project, m_path));
    m_path = saved.path;
    m_project.revision = saved.revision;
    m_savedAt = Clock::now();
    m_saving = m_savedAt - begin;
    return {};
}

/// A new project shows the best builder's strategy beside the best trial's.
Result<void> KeptSearch::showBest() {
    const SearchHistory &history = m_search.history;
    if (const std::int64_t best = history.bestBaseline(m_search.plan.objective); best >= 0)
        m_project.present.side(Side::A).source = Built{history.baselines[static_cast<std::size_t>(best)].builder};
    if (const std::int64_t best = history.bestTrial(m_search.plan.objective); best >= 0) {
        const auto scenario = TRY(m_method->decode(history.trials[static_cast<std::size_t>(best)].genes));
        SideState &b = m_project.present.side(Side::B);
        b.source = replaced(b.source, scenario.strategy, fmt::format("trial {}", best));
    }
    return {};
}

Outcome KeptSearch::end(const Common &common, const SearchHistory &history) {
    m_search.history = history;
    if (m_isNew)
        if (const auto shown = showBest(); !shown)
            return failedRunning(shown.error());
    if (const auto saved = save(); !saved)
        return failedRunning(saved.error());
    sayWrote(common, m_path);
    return {};
}

Outcome KeptSearch::addYardsticks(const PlannedSearch &planned, const Yardsticks &yardsticks) {
    m_search.tuned = yardsticks.tuned;
    std::erase_if(m_search.tuned, [](const TunedBaseline &own) { return own.expression == own.builder; });
    m_search.isTuned = planned.judge->isDeterministic();
    if (planned.request.objective == SearchObjective::IterationTime)
        m_search.boundSeconds = yardsticks.boundSeconds;
    const auto saved = save();
    return saved ? Outcome() : failedRunning(saved.error());
}

} // namespace syncopate::cli
