// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "engine/rewrite/scenario.h"

namespace syncopate::cli {

/// The cluster that `options` describe: a catalogue name or a resource_spec file, then workers, bandwidth, servers, latency.
[[nodiscard]] Result<Cluster> loadCluster(const ScenarioOptions &options);
/// A strategy file's strategy, matched with the job, or what a builder expression builds.
[[nodiscard]] Result<Strategy> loadStrategy(const std::string &fileOrExpression, const Job &job, const Cluster &cluster);
/// The job of --job, with the variables of --variables and the times of --measured.
[[nodiscard]] Result<std::shared_ptr<const Job>> loadScenarioJob(const ScenarioOptions &options);
[[nodiscard]] Result<Scenario> loadScenario(const ScenarioOptions &options, std::int32_t seed);

} // namespace syncopate::cli
