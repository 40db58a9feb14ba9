// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/link_model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// A scenario as the texts and numbers of a command's options or of a batch line. Unset = as the job, cluster or policy has it.
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
    /// Named by errors in these texts: the option, or the key of a batch line, that gave the text.
    std::string strategyOption = "--strategy", policyOption = "--policy", backgroundOption = "--background";
    LinkModel linkModel = LinkModel::Fluid;
    double batchSize = 0; ///< samples of a worker's step, for a profile that does not state it; 0 = the job's

    /// Whether an option replaces one of the cluster's own figures.
    [[nodiscard]] bool overridesCluster() const { return workers > 0 || servers >= 0 || bandwidthGbits > 0 || !latency.empty(); }

    static constexpr std::int32_t minIterations = 3, maxIterations = 10000;
};

/// The costs of a plan's motifs that replace the cluster's.
struct PlanCosts {
    std::vector<std::string> measured; ///< files of measured collectives; none = the channels' figures
    std::string incast;                ///< of the channels, empty = the cluster's
    /// Named by errors: the option, or the key of a batch line, that gave the text.
    std::string measuredOption = "--costs", incastOption = "--incast";
};

} // namespace syncopate
