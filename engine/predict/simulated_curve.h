// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/spread.h"
#include "engine/cluster/background.h"
#include "engine/graph/link_model.h"
#include "engine/predict/throughput.h"
#include "engine/profile/profile.h"
#include "engine/strategy/comm_policy.h"
#include "engine/strategy/strategy.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// The other use of a profile: workers that wait for each other, by collectives or synchronous servers.
struct SimulatedRequest {
    std::shared_ptr<const Job> job;
    std::vector<StepSample> samples; ///< empty: the job's own times
    Cluster cluster;                 ///< grown or shrunk to each number of workers
    std::function<Result<std::shared_ptr<const Strategy>>(const Cluster &)> strategy; ///< for a cluster of that size
    CommPolicy policy;
    std::vector<BackgroundTraffic> background;
    LinkModel linkModel = LinkModel::Fluid;
    std::vector<std::int32_t> workers;
    std::int32_t draws = 20; ///< of a sampled step for every node
    std::uint64_t seed = 1;
};

/// Throughputs of a request, in the order of its workers, and the assumptions of the simulation with the most workers.
struct SimulatedCurve {
    std::vector<Throughput> points;
    std::vector<std::string> assumptions;
};

/// Throughput by simulate(): in each draw every node takes one of the profile's steps (the first node its layers, the others the
/// same layers at the speed of their own step), and iterations wait for the slowest as the strategy has it. The mean iteration
/// over the draws, and its 95 % confidence interval; one draw and no interval without samples. The result on `spread` is the
/// same. Errors: those of simulate().
[[nodiscard]] Result<SimulatedCurve> simulatedCurve(const SimulatedRequest &request, const std::stop_token &stop = {},
                                                    const Spread &spread = {});

} // namespace syncopate
