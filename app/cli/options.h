// SPDX-License-Identifier: GPL-3.0-or-later
// Options that several commands share.
#pragma once

#include "app/cli/commands.h"
#include "engine/session/scenario_options.h"
#include "engine/strategy/arguments.h"

#include <string>
#include <vector>

namespace CLI {
class Option;
class Validator;
} // namespace CLI

namespace syncopate::cli {

/// A number from `min` to `max`. Unlike CLI::Range, it rejects NaN.
[[nodiscard]] CLI::Validator between(double min, double max);
/// For transform(): makes Gbit/s of a bandwidth, which may have a unit ("800Mbit/s").
[[nodiscard]] CLI::Validator bandwidth();

/// Adds --json, --quiet, --force and --seed, which may stand before or after the command.
void addCommon(CLI::App &command, Common &common);
/// Adds an option that names a file to write, and refuses an empty name; checkOutputs() checks it before the command runs.
CLI::Option *addOutput(CLI::App &command, Common &common, const std::string &name, std::string &path, const std::string &help);
/// Adds --job, --cluster and the options that modify either.
void addCluster(CLI::App &command, ScenarioOptions &options, bool needed = true);
/// addCluster(), --policy and the options for the simulation.
void addScenario(CLI::App &command, ScenarioOptions &options, bool needed = true);
inline constexpr const char *strategyHelp = "Builder expression or strategy file"; ///< of --strategy, unless DAGs are taken
/// Adds --strategy.
void addStrategy(CLI::App &command, ScenarioOptions &options, bool needed = true);
void addBandwidthAndLatency(CLI::App &command, ScenarioOptions &options);
void addBackground(CLI::App &command, ScenarioOptions &options);
void addSharing(CLI::App &command, ScenarioOptions &options);
/// Refuses --sharing where it would be ignored: `what` is read or written without a simulation that follows the options.
[[nodiscard]] Result<void> refuseSharing(const ScenarioOptions &options, const std::string &what);
void addJudge(CLI::App &command, std::string &judge);
/// For help: the names, and the list of `syncopate-cli catalog` that has the rest.
[[nodiscard]] std::string nameExpressions(const std::vector<ExpressionInfo> &expressions, const char *catalogue);

} // namespace syncopate::cli
