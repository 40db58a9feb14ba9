// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/memo.h"
#include "engine/profile/profile.h"
#include "engine/session/scenario_options.h"
#include "engine/session/source.h"
#include "engine/space/recipe.h"

#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace syncopate {

// Loads a scenario from texts: the command line's options, the lines of a batch, or Python's arguments.

/// Loads the cluster of that name: an existing file, the machines on which `profile` was recorded ("recorded"), or one of the
/// catalogue. No knobs are applied.
[[nodiscard]] Result<std::shared_ptr<const Cluster>> loadBareCluster(const std::string &nameOrPath,
                                                                     const ImportedProfile *profile);
/// The cluster that `options` describe: a catalogue name, a resource_spec file or the machines of the job's profile, then
/// workers, bandwidth, servers, latency.
[[nodiscard]] Result<Cluster> loadCluster(const ScenarioOptions &options, const LoadedJob &job);
/// Loads the strategy that a text names: an existing file, or else a builder expression.
[[nodiscard]] Source loadSource(const std::string &fileOrExpression);
/// The curves fitted to a file or folder of logs; null where none is named. Errors: logs of one collective and number of ranks
/// on different numbers of nodes.
[[nodiscard]] Result<std::shared_ptr<const std::vector<CollectiveCurve>>> loadCurves(const std::string &fileOrFolder);
/// Parses the background traffic: shares of links over time, or the CSV file of that name. Errors name the option or the file.
[[nodiscard]] Result<std::vector<BackgroundTraffic>> loadBackground(const ScenarioOptions &options);
/// Refuses a training DAG of the catalogue or in a file, naming the command that plays it.
[[nodiscard]] Result<void> refuseTrainingDag(const std::string &job);
/// The job of --job, with the variables of --variables and the times of --measured. Reading a profile is cancelled by `stop`.
[[nodiscard]] Result<LoadedJob> loadScenarioJob(const ScenarioOptions &options, const std::stop_token &stop = {});
/// The settings of a recipe that need no file: knobs, policy with its seed, iterations, folding.
[[nodiscard]] Result<ScenarioRecipe> settingsOf(const ScenarioOptions &options, std::int32_t seed);
/// Makes the recipe of the scenario of `options`: its cluster without --workers and the like, which are the recipe's knobs. Sets
/// `profile` to the profile from which the job was read, or to null.
[[nodiscard]] Result<ScenarioRecipe> loadRecipe(const ScenarioOptions &options, std::int32_t seed,
                                                std::shared_ptr<const ImportedProfile> *profile = nullptr);
/// Makes the scenario of that recipe. Sets `profile` to the profile from which the job was read, or to null.
[[nodiscard]] Result<Scenario> loadScenario(const ScenarioOptions &options, std::int32_t seed,
                                            std::shared_ptr<const ImportedProfile> *profile = nullptr);

/// Loads many scenarios, on any threads; jobs, clusters and strategies that several of them share are read or built once. Files
/// that change meanwhile are not read again.
class ScenarioLoader {
public:
    [[nodiscard]] Result<ScenarioRecipe> recipe(const ScenarioOptions &options, std::int32_t seed,
                                                std::shared_ptr<const ImportedProfile> *profile = nullptr);
    [[nodiscard]] Result<Scenario> scenario(const ScenarioOptions &options, std::int32_t seed);

private:
    using Curves = std::shared_ptr<const std::vector<CollectiveCurve>>;
    using BuiltOn = std::pair<std::shared_ptr<const Cluster>, std::shared_ptr<const Strategy>>;

    // Profiles may take gigabytes, so few are kept.
    Memo<Result<LoadedJob>> m_jobs{8};
    Memo<Result<std::shared_ptr<const Cluster>>> m_clusters{64};
    Memo<Result<StrategyRecipe>> m_strategies{256}; ///< matched with a job
    Memo<Result<BuiltOn>> m_built{256};             ///< on a cluster whose knobs are turned
    Memo<Result<std::vector<BackgroundTraffic>>> m_backgrounds{64};
    Memo<Result<Curves>> m_curves{16};
};

} // namespace syncopate
