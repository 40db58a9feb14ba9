// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/rewrite/scenario.h"
#include "engine/session/source.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace syncopate {

/// What the knobs say of a cluster. Unset = as the cluster is.
struct ClusterKnobs {
    std::optional<double> bandwidthGbits;
    std::optional<double> latencySeconds;
    std::optional<std::int32_t> workers;
    std::optional<std::int32_t> servers; ///< dedicated ones
    bool operator==(const ClusterKnobs &) const = default;
    [[nodiscard]] bool areTurned() const { return *this != ClusterKnobs(); }
};

[[nodiscard]] Cluster withKnobs(Cluster cluster, const ClusterKnobs &knobs);

/// A scenario as it is asked for, by a side of the explorer or by options of the command line.
struct ScenarioRequest {
    std::shared_ptr<const Job> job;
    std::shared_ptr<const Cluster> cluster; ///< before the knobs
    ClusterKnobs knobs;
    Source source;
    std::string policy;
    std::optional<std::int32_t> seed; ///< of a policy that does not name its own; unset = the policy's default
    std::int32_t iterations = Scenario().iterations;
    bool fold = true;
    std::shared_ptr<const std::vector<CollectiveCurve>> collectiveCurves = nullptr;
    std::vector<BackgroundTraffic> background{}; ///< of others, on the nodes' links
};

/// The scenario of a request: cluster by the knobs, strategy by its source, policy parsed. Errors: those of makeStrategy() and
/// parsePolicy(); no job or no cluster. Not for the GUI thread: builders look at every variable.
[[nodiscard]] Result<Scenario> makeScenario(const ScenarioRequest &request);

} // namespace syncopate
