// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"
#include "engine/profile/profile.h"
#include "engine/session/source.h"
#include "engine/space/recipe.h"

namespace syncopate::cli {

/// The cluster that `options` describe: a catalogue name, a resource_spec file or what the job's profile was recorded on, then
/// workers, bandwidth, servers, latency.
[[nodiscard]] Result<Cluster> loadCluster(const ScenarioOptions &options, const LoadedJob &job);
/// What --strategy names: a file that is there, which is read, or else a builder expression.
[[nodiscard]] Source loadSource(const std::string &fileOrExpression);
/// What --background says: shares of links over time, or the CSV file of that name. Errors name the option or the file.
[[nodiscard]] Result<std::vector<BackgroundTraffic>> loadBackground(const std::string &textOrFile);
/// The job of --job, with the variables of --variables and the times of --measured.
[[nodiscard]] Result<LoadedJob> loadScenarioJob(const ScenarioOptions &options);
/// What the scenario of `options` is made from: its cluster without --workers and the like, which are the recipe's knobs.
/// `profile` becomes what the job was read from, null where that is no profile.
[[nodiscard]] Result<ScenarioRecipe> loadRecipe(const ScenarioOptions &options, std::int32_t seed,
                                                std::shared_ptr<const ImportedProfile> *profile = nullptr);
/// The scenario of that recipe. `profile` becomes what the job was read from, null where that is no profile.
[[nodiscard]] Result<Scenario> loadScenario(const ScenarioOptions &options, std::int32_t seed,
                                            std::shared_ptr<const ImportedProfile> *profile = nullptr);

} // namespace syncopate::cli
