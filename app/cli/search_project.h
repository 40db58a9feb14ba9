// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/search_report.h"
#include "engine/store/project_file.h"
#include "engine/store/project_lock.h"

#include <chrono>
#include <memory>
#include <string>

namespace syncopate::cli {

/// A search in a project file: what it finishes is saved while it runs, so that a program or machine that ends takes little with
/// it, and the same search goes on from there. A save writes all trials; what saves take is kept under a twentieth of the time,
/// and trials that take longer than a second are saved one by one.
class KeptSearch final : public SearchObserver {
public:
    /// The project at `path`, or a new one where there is no such file. `profile` is that of the job, if any; the project then
    /// keeps its measured timeline, too. Errors: the file is no project, another program has it open, or `options` have settings
    /// that projects do not keep.
    [[nodiscard]] static Result<std::unique_ptr<KeptSearch>> open(const ScenarioOptions &options, const std::string &path,
                                                                  const PlannedSearch &planned,
                                                                  const std::shared_ptr<const ImportedProfile> &profile);

    /// As far as the project has this search already: of the same job, cluster, policy, method, judge, objective, seed and
    /// budget.
    [[nodiscard]] const SearchHistory &soFar() const { return m_search.history; }
    void baselineDone(const SearchBaseline &baseline) override;
    void trialDone(const SearchTrial &trial) override;
    /// Saves the project with the search in place of the one it had, which becomes one of the past; a new one shows the best
    /// builder and the best trial side by side.
    [[nodiscard]] Outcome end(const Common &common, const SearchHistory &history);
    /// Saves them with the search that has ended. Tuned builders whose defaults are best are baselines already.
    [[nodiscard]] Outcome addYardsticks(const PlannedSearch &planned, const Yardsticks &yardsticks);

private:
    KeptSearch(std::string path, std::unique_ptr<ProjectLock> lock, Project project);
    void setPlan(const ScenarioOptions &options, const PlannedSearch &planned,
                 const std::shared_ptr<const ImportedProfile> &profile);
    [[nodiscard]] bool hasSameSearch(const PlannedSearch &planned) const;
    void saveNowAndThen();
    [[nodiscard]] Result<void> save();
    [[nodiscard]] Result<void> showBest();

    using Clock = std::chrono::steady_clock;
    std::string m_path;
    std::unique_ptr<ProjectLock> m_lock;
    Project m_project;
    bool m_isNew; ///< the project shows nothing yet
    SearchState m_search;
    std::shared_ptr<SearchMethod> m_method;
    Clock::time_point m_savedAt = Clock::now();
    Clock::duration m_saving{}; ///< what the last save took
};

} // namespace syncopate::cli
