// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate::cli {

/// Options of every command.
struct Common {
    bool json = false;
    bool quiet = false;
    std::int32_t seed = 1;
};

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

struct ImportArguments {
    std::vector<std::string> profiles;
    std::string output;       ///< job file to write, empty = none
    std::string step = "all"; ///< a number, or "all"
    std::string variables;    ///< list of variables for a profile without sizes, empty = none
    std::string limit;        ///< memory that reading may take, "8GiB" or "none"; empty = by what the machine has left
    bool overlapOnly = false; ///< only the overlap figures, of any trace
};

struct SearchArguments {
    std::string method = "random()", judge = "simulated()", objective = "iteration", output;
    std::string project; ///< project file that keeps the search, empty = none
    std::uint64_t trials = 200;
    std::uint32_t threads = 0; ///< 0 = one per core
    // Arguments of random() as options of their own; empty or true = as `method` has them
    std::string synchronisers, wholeUpTo, splitFrom, parts, groups, balanceSlack;
    bool balance = true, merge = true; ///< c_lb, c_am

    [[nodiscard]] bool hasSamplerOptions() const {
        return !(synchronisers + wholeUpTo + splitFrom + parts + groups + balanceSlack).empty() || !balance || !merge;
    }
};

struct SweepArguments {
    std::vector<std::string> knobs; ///< one or two of "bandwidth=1..100:13:log"
    std::string output;             ///< CSV file, empty = none
};

struct SimulateOptions {
    std::string traceFile, tableFile, pictureFile;
};

struct ExportArguments {
    std::string format = "autodist"; ///< of exportFormats()
    std::string output;
    std::string b, policyB; ///< the second side of a report or picture, empty = none
    std::string project;    ///< project file to export from, empty = what the other options describe
    std::string scenario;   ///< of the project's kept ones, empty = as its window was
    std::string side = "a"; ///< "a" or "b", in formats of one side
    std::string candidate;  ///< of the project's search: a trial's number, a builder or "best"; empty = a scenario's strategy
};

struct ExportFormat {
    std::string name, description;
};
[[nodiscard]] const std::vector<ExportFormat> &exportFormats();

struct PredictArguments {
    std::string workers = "1-10";
    std::string window = "off";       ///< bytes, "off" or "auto"
    std::string overhead = "auto";    ///< "alpha,beta", "auto" or "off"
    double batchSize = 0;             ///< 0 = the profile's
    double profileBandwidthGbits = 0; ///< 0 = the cluster's
    std::string order = "fifo";
    std::string sharing = "auto";
    std::int32_t steps = 1000, warmUp = 50;
    std::int32_t staleness = -1; ///< -1 = asynchronous
    std::int32_t starts = 1;
    std::string tcpWindow = "1MiB";
    std::string pairs; ///< file of captured pairs, empty = none
    bool perLayer = false;
    double gain = 0.1;
    double pricePerNodeHour = 0; ///< 0 = not given
};

/// How a command ends: 0 done, 1 failed while running, 2 the input is bad.
struct Failure {
    int exitCode = 2;
    Error error;
};
using Outcome = tl::expected<void, Failure>;

[[nodiscard]] Outcome catalog(const Common &common, const std::string &what);
[[nodiscard]] Outcome import(const Common &common, const ImportArguments &arguments);
[[nodiscard]] Outcome build(const Common &common, const ScenarioOptions &options, const std::string &builder,
                            const std::string &output);
[[nodiscard]] Outcome simulateCommand(const Common &common, const ScenarioOptions &options, const SimulateOptions &outputs);
[[nodiscard]] Outcome compare(const Common &common, const ScenarioOptions &options, const std::string &a, const std::string &b,
                              const std::string &policyB, const std::string &pictureFile);
[[nodiscard]] Outcome sweepCommand(const Common &common, const ScenarioOptions &options, const SweepArguments &arguments);
[[nodiscard]] Outcome whyCommand(const Common &common, const ScenarioOptions &options);
[[nodiscard]] Outcome exportCommand(const Common &common, const ExportArguments &arguments, const ScenarioOptions &options);
[[nodiscard]] Outcome searchCommand(const Common &common, ScenarioOptions options, const SearchArguments &arguments);
[[nodiscard]] Outcome trialCommand(const Common &common, const ScenarioOptions &options, const std::string &judge);
[[nodiscard]] Outcome predict(const Common &common, const ScenarioOptions &options, const PredictArguments &arguments);
[[nodiscard]] Outcome validate(const Common &common, const std::string &folder);
/// The same for a folder of published charts.
[[nodiscard]] Outcome validateCharts(const Common &common, const std::string &folder);
/// The same for a folder that the testbed of asynchronous training wrote.
[[nodiscard]] Outcome validateTestbed(const Common &common, const std::string &folder);

} // namespace syncopate::cli
