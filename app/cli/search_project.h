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

/// A search in a project file: results are saved while it runs, so that a crash loses little, and the same search continues from
/// there. A save writes all trials; saving is limited to a twentieth of the time, and trials that take longer than a second are
/// saved one by one.
class KeptSearch final : public SearchObserver {
public:
    /// The project at `path`, or a new one if there is no such file. `profile` is the job's, if it has one; the project then
    /// keeps its measured timeline, too. Errors: the file is not a project, another program has it open, or `options` have
    /// settings that projects do not keep.
    [[nodiscard]] static Result<std::unique_ptr<KeptSearch>> open(const ScenarioOptions &options, const std::string &path,
                                                                  const PlannedSearch &planned,
                                                                  const std::shared_ptr<const ImportedProfile> &profile);

    /// The part of this search that the project has already: same job, cluster, policy, method, judge, objective, seed and
    /// budget.
    [[nodiscard]] const SearchHistory &soFar() const { return m_search.history; }
    void baselineDone(const SearchBaseline &baseline) override;
    void trialDone(const SearchTrial &trial) override;
    /// Saves the project with this search as the current one; the previous one becomes a past search. A new project shows the
    /// best builder and the best trial side by side.
    [[nodiscard]] Outcome end(const Common &common, const SearchHistory &history);
    /// Saves them with the finished search. Tuned builders whose best arguments are the defaults are baselines already.
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
    Clock::duration m_saving{}; ///< duration of the last save
};

} // namespace syncopate::cli
