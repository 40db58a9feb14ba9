// SPDX-License-Identifier: GPL-3.0-or-later
// Options that several commands share.
#pragma once

#include "app/cli/commands.h"

#include <string>

namespace CLI {
class Option;
class Validator;
} // namespace CLI

namespace syncopate::cli {

/// A scenario as given on the command line. Unset = as the job, cluster or policy has it.
struct ScenarioOptions {
    std::string job, cluster, strategy;
    std::string policy = "fifo";
    std::int32_t workers = 0;  ///< 0 = the cluster's own
    std::int32_t servers = -1; ///< dedicated servers, -1 = the cluster's own
    double bandwidthGbits = 0; ///< 0 = the cluster's own
    std::string latency;       ///< "50us", empty = the cluster's own
    std::int32_t iterations = 4;
    bool fold = true;
    std::string variables;  ///< list of variables for a profile without sizes, empty = none
    std::string measured;   ///< profile or job file whose times the job takes, empty = its own
    std::string curves;     ///< logs of collectives, empty = none
    std::string background; ///< links with shares over time, or a CSV file of them; empty = none
};

/// A number from `min` to `max`, which NaN is not: CLI::Range, which compares, lets it through.
[[nodiscard]] CLI::Validator between(double min, double max);

/// --json, --quiet, --force and --seed, which stand before or after the command.
void addCommon(CLI::App &command, Common &common);
/// An option that names a file to write. checkOutputs() looks at it before the command runs.
CLI::Option *addOutput(CLI::App &command, Common &common, const std::string &name, std::string &path, const std::string &help);
/// --job, --cluster and what changes either.
void addCluster(CLI::App &command, ScenarioOptions &options, bool needed = true);
/// addCluster(), --policy and how a scenario is simulated.
void addScenario(CLI::App &command, ScenarioOptions &options, bool needed = true);
/// The strategy that a command must be given.
void addStrategy(CLI::App &command, ScenarioOptions &options);
void addBandwidthAndLatency(CLI::App &command, ScenarioOptions &options);
void addBackground(CLI::App &command, ScenarioOptions &options);
void addJudge(CLI::App &command, std::string &judge);

} // namespace syncopate::cli
