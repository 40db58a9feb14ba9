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

// From texts to a scenario: what the command line's options, the lines of a batch and Python's arguments name is loaded here.

/// The cluster of that name: a file that is there, what `profile` was recorded on ("recorded"), or one of the catalogue. No knob
/// is turned.
[[nodiscard]] Result<std::shared_ptr<const Cluster>> loadBareCluster(const std::string &nameOrPath,
                                                                     const ImportedProfile *profile);
/// The cluster that `options` describe: a catalogue name, a resource_spec file or what the job's profile was recorded on, then
/// workers, bandwidth, servers, latency.
[[nodiscard]] Result<Cluster> loadCluster(const ScenarioOptions &options, const LoadedJob &job);
/// What a strategy's text names: a file that is there, which is read, or else a builder expression.
[[nodiscard]] Source loadSource(const std::string &fileOrExpression);
/// The curves fitted to a file or folder of logs; null where none is named.
[[nodiscard]] Result<std::shared_ptr<const std::vector<CollectiveCurve>>> loadCurves(const std::string &fileOrFolder);
/// What --background says: shares of links over time, or the CSV file of that name. Errors name the option or the file.
[[nodiscard]] Result<std::vector<BackgroundTraffic>> loadBackground(const std::string &textOrFile);
/// The job of --job, with the variables of --variables and the times of --measured. Reading a profile is cancelled by `stop`.
[[nodiscard]] Result<LoadedJob> loadScenarioJob(const ScenarioOptions &options, const std::stop_token &stop = {});
/// The settings of a recipe that need no file: knobs, policy with its seed, iterations, folding.
[[nodiscard]] Result<ScenarioRecipe> settingsOf(const ScenarioOptions &options, std::int32_t seed);
/// What the scenario of `options` is made from: its cluster without --workers and the like, which are the recipe's knobs.
/// `profile` becomes what the job was read from, null where that is no profile.
[[nodiscard]] Result<ScenarioRecipe> loadRecipe(const ScenarioOptions &options, std::int32_t seed,
                                                std::shared_ptr<const ImportedProfile> *profile = nullptr);
/// The scenario of that recipe. `profile` becomes what the job was read from, null where that is no profile.
[[nodiscard]] Result<Scenario> loadScenario(const ScenarioOptions &options, std::int32_t seed,
                                            std::shared_ptr<const ImportedProfile> *profile = nullptr);

/// Loads many scenarios, on any threads: what several of them name is read, or built, once. Files that change meanwhile are
/// not read again.
class ScenarioLoader {
public:
    [[nodiscard]] Result<ScenarioRecipe> recipe(const ScenarioOptions &options, std::int32_t seed,
                                                std::shared_ptr<const ImportedProfile> *profile = nullptr);
    [[nodiscard]] Result<Scenario> scenario(const ScenarioOptions &options, std::int32_t seed);

private:
    using Curves = std::shared_ptr<const std::vector<CollectiveCurve>>;
    using BuiltOn = std::pair<std::shared_ptr<const Cluster>, std::shared_ptr<const Strategy>>;

    // Profiles may take gigabytes, so few of them are kept.
    Memo<Result<LoadedJob>> m_jobs{8};
    Memo<Result<std::shared_ptr<const Cluster>>> m_clusters{64};
    Memo<Result<StrategyRecipe>> m_strategies{256}; ///< matched with a job
    Memo<Result<BuiltOn>> m_built{256};             ///< on a cluster whose knobs are turned
    Memo<Result<std::vector<BackgroundTraffic>>> m_backgrounds{64};
    Memo<Result<Curves>> m_curves{16};
};

} // namespace syncopate
