// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"
#include "engine/job/job.h"
#include "engine/rewrite/placement.h"

#include <cstdint>
#include <vector>

namespace syncopate {

/// How far each worker class is unrolled. Per class: `iterations` in all, of which the first `warmUp` are left out of
/// steady-state figures.
struct Pace {
    std::vector<std::int32_t> iterations, warmUp;
    bool inStep = true;         ///< all variables are synchronous, so all iterations are alike
    std::int32_t staleness = 0; ///< of the variable that is strictest
    bool reachesSteady = true;  ///< bounded staleness: enough iterations that faster workers meet their bound
};

/// Decides how many iterations each worker class is unrolled. Workers that wait for each other for every variable do the same
/// number, `iterations`.
/// Where all variables are updated asynchronously, workers drift apart: each class does as many iterations as keep all of them
/// busy as long as the slowest, at most 64 times as many, and the slowest does at least 24 (8 where all are about as fast), of
/// which half are left out. Under bounded staleness K the strictest variable holds workers together once every faster one has run
/// K steps ahead of the slowest. That takes (K + 1) / (speed ratio - 1) iterations for one that is faster by more than 0.5 %; up
/// to 200 are added, and at least 8 are left.
[[nodiscard]] Pace paceWorkers(const Job &job, const Cluster &cluster, const std::vector<SyncUnit> &units,
                               const Placement &placement, std::int32_t iterations);

} // namespace syncopate
