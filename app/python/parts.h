// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's objects held by Python: shared, immutable values.
#pragma once

#include "engine/analyze/metrics.h"
#include "engine/analyze/training_memory.h"
#include "engine/profile/profile.h"
#include "engine/query/query.h"
#include "engine/rewrite/scenario.h"
#include "engine/search/search.h"
#include "engine/session/load_plan.h"
#include "engine/session/settings_report.h"
#include "engine/simulate/run.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <variant>

namespace syncopate::python {

/// A cluster, as Python holds it.
struct PyCluster {
    std::shared_ptr<const Cluster> cluster;
};

/// A strategy, as Python holds it.
struct PyStrategy {
    std::shared_ptr<const Strategy> strategy;
};

/// A scenario, with the profile that its job was read from.
struct PyScenario {
    Scenario scenario;
    std::shared_ptr<const ImportedProfile> profile; ///< null: its job was not read from a profile
};

/// The members common to a simulation and a played plan.
struct PyRecording {
    std::shared_ptr<const GraphRun> recording;
    AreaStatistics area; ///< of the iteration that the figures describe
    double wallSeconds = 0;
    double peakBytes = 0; ///< of the device, or of a process's collectives, in that iteration
};

/// A simulation.
struct PyRun : PyRecording {
    std::shared_ptr<const Run> run;
    TrainingMemory memory;                          ///< in that iteration
    std::shared_ptr<const ImportedProfile> profile; ///< of its scenario
};

/// A plan of collectives, played.
struct PyPlannedRun : PyRecording {
    std::shared_ptr<const DagRun> played;
    MotifCosts costs; ///< with how processes share the cluster's nodes
};

/// A search that has ended.
struct PySearch {
    SearchHistory history;
    SearchObjective objective;
    BestCandidate best;
};

// Functions accept a loaded object, or the name or path to load it from.
using JobArgument = std::variant<LoadedJob, std::filesystem::path>;
using ClusterArgument = std::variant<PyCluster, std::filesystem::path>;
using StrategyArgument = std::variant<PyStrategy, std::filesystem::path>;

[[nodiscard]] LoadedJob loadJobNamed(const std::filesystem::path &nameOrPath, const std::string &variables,
                                     const std::string &measured, double batchSize);
[[nodiscard]] PyCluster loadClusterNamed(const std::filesystem::path &nameOrPath);
[[nodiscard]] PyStrategy buildStrategyNamed(const std::filesystem::path &expressionOrFile, const JobArgument &job,
                                            const ClusterArgument &cluster);
/// A scenario of these parts; `settings` has the keys of a batch's line (engine/session/scenario_line.h) except those three.
[[nodiscard]] PyScenario scenarioOf(const JobArgument &job, const ClusterArgument &cluster, const StrategyArgument &strategy,
                                    const pybind11::kwargs &settings);
[[nodiscard]] PyRun simulated(const PyScenario &scenario);
/// Plans the collectives of a training DAG, or of any other job that `plan --job` takes, by a planner or a plan file, and plays
/// the plan; `settings` has the keys of a batch's line that change job, cluster, costs or seed. No evaluations: the planner's
/// default.
[[nodiscard]] PyPlannedRun plannedBy(const JobArgument &job, const ClusterArgument &cluster,
                                     const std::filesystem::path &methodOrFile, const std::string &collectives,
                                     std::optional<std::int32_t> evaluations, const pybind11::kwargs &settings);
/// Writes the plan in one of planFormats(), replacing a file. Returns what the format cannot express.
[[nodiscard]] std::vector<std::string> savedPlan(const PyPlannedRun &run, const std::filesystem::path &path,
                                                 const std::string &format, const std::string &op);
[[nodiscard]] PySearch searched(const PyScenario &scenario, const std::string &method, const std::string &judge,
                                std::uint64_t trials, std::uint64_t seed, const std::string &objective, unsigned threads);
/// Lints a launcher's settings, given as a file or as text, with a job and a cluster also against these; `settings` has the keys
/// of a batch's line that change either.
[[nodiscard]] SettingsReport lintedSettings(const std::filesystem::path &fileOrText, const std::optional<JobArgument> &job,
                                            const std::optional<ClusterArgument> &cluster, const pybind11::kwargs &settings);
/// The answer to a SELECT over `input` (docs/query.md), with at most `rows` rows.
[[nodiscard]] QueryResult queried(const QueryInput &input, const std::string &sql, std::size_t rows);

} // namespace syncopate::python
