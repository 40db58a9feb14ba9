// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/background.h"
#include "engine/cluster/cluster.h"
#include "engine/collective/collective_curve.h"
#include "engine/job/job.h"
#include "engine/strategy/comm_policy.h"
#include "engine/strategy/strategy.h"

#include <memory>
#include <vector>

namespace syncopate {

/// Everything a simulation depends on. A value: a knob makes a new one, so undo is a stack of them.
struct Scenario {
    std::shared_ptr<const Job> job;
    std::shared_ptr<const Cluster> cluster;
    std::shared_ptr<const Strategy> strategy;
    CommPolicy policy;
    std::int32_t iterations = 4; ///< unrolled; at least 3
    bool fold = true;            ///< simulate one node of each class of identical nodes (exact, tested against false)
    /// What collectives were measured to take. An analytic collective whose kind and number of replicas is among them takes
    /// that long; others their closed form.
    std::shared_ptr<const std::vector<CollectiveCurve>> collectiveCurves = nullptr;
    /// Traffic of others on the nodes' links; of a worker or server that the cluster lacks nothing is taken.
    std::vector<BackgroundTraffic> background{};
};

} // namespace syncopate
