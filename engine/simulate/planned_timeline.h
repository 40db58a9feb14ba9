// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/execution_plan.h"
#include "engine/simulate/planned_run.h"
#include "engine/timeline/timeline.h"

namespace syncopate {

/// The lanes of a played plan: the compute stream, then one per channel, with the channel's name. Motifs carry the bytes that one
/// process sends; tasks without duration are left out. Labels are the names of the DAG's ops, then those of the plan's motifs.
/// O(tasks log tasks); incomplete when `stop` was requested.
[[nodiscard]] Timeline plannedTimeline(const TrainingDag &dag, const ExecutionPlan &plan, const PlayedPlan &played,
                                       const std::stop_token &stop = {});

} // namespace syncopate
