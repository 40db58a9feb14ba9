// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where each replica updates its share of parameters that it holds all of (ParameterGather), the new values have to be gathered
// before the next forward pass. That traffic belongs to no gradient and no unit: it is cut by a size of its own, after every
// update and before every op of the next iteration, so nothing of the same worker hides it.

#include "engine/base/result.h"
#include "engine/graph/task_graph.h"
#include "engine/job/job.h"
#include "engine/strategy/policy.h"

#include <cstdint>
#include <vector>

namespace syncopate {

/// Sets SyncUnit::updaters of all-reduced units that are not sparse, where a discipline has a ParameterGather.
void shareUpdates(const Discipline &discipline, std::int32_t replicas, std::vector<SyncUnit> &units);

/// Bytes of each all-gather of parameters before an iteration, in order: max(1, floor(E / elements)) equal ones of the E elements
/// of each type. None where nothing is gathered. Errors: more than 65536.
[[nodiscard]] Result<std::vector<double>> gatherPieces(const Job &job, const std::vector<SyncUnit> &units,
                                                       const Discipline &discipline);

} // namespace syncopate
