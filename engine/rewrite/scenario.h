// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/background.h"
#include "engine/cluster/cluster.h"
#include "engine/collective/collective_curve.h"
#include "engine/graph/link_model.h"
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
    /// Measured times of collectives. An analytic collective whose kind and number of replicas is among them takes the measured
    /// time; others take their closed form.
    std::shared_ptr<const std::vector<CollectiveCurve>> collectiveCurves = nullptr;
    /// Other jobs' traffic on the nodes' links. An entry for a worker or server that the cluster lacks has no effect.
    std::vector<BackgroundTraffic> background{};
    /// How messages between nodes share links. Over TCP no nodes fold, as the places in a queue differ.
    LinkModel linkModel = LinkModel::Fluid;
};

} // namespace syncopate
