// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"
#include "engine/plan/motif_costs.h"

#include <cstdint>

namespace syncopate {

/// The plan as tasks of one process that stands for all: its compute stream and its channels, each in its strict order (the
/// enforcer of SYNDICATE, pseudocode 2, which busy-waits for the next motif in order). A link is a fluid resource that carries
/// one second of motif per second: two motifs that share one take the sum of their times. `unit` of a motif's task is its index
/// in the plan, `layer` of a compute task its op.
/// Errors: an order that contradicts the DAG, so that training would never go on; the error names the motifs that wait for each
/// other.
[[nodiscard]] Result<TaskGraph> planGraph(const TrainingDag &dag, const ExecutionPlan &plan, const MotifCosts &costs,
                                          std::int32_t iterations);

} // namespace syncopate
