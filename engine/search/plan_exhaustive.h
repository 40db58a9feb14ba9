// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The plans that carry out whole collectives: each assignment to channels, each order of a channel, and for each order every
// choice of entries that run an iteration ahead of the others. Even few collectives have many such plans, so they are counted
// first.

#include "engine/plan/execution_plan.h"

#include <cstddef>
#include <functional>

namespace syncopate {

struct PlanRequest;

/// The number of these plans; beyond 20 collectives that of 20, already too many to play. Microseconds where channels are few,
/// since the explorer asks on the thread that draws.
[[nodiscard]] double wholePlanCount(std::size_t collectives, std::size_t channels);

/// The ops that playing all of them takes: their number times the ops of the request's DAG.
[[nodiscard]] double exhaustiveTasksOf(const PlanRequest &request);

/// Calls `visit` for each plan of a DAG, the same object every time; stops at its first error. Some contradict the DAG and cannot
/// be played. Precondition: fewer than 64 comm-ops.
[[nodiscard]] Result<void> visitWholePlans(const TrainingDag &dag, const std::vector<Channel> &channels,
                                           const std::function<Result<void>(const ExecutionPlan &)> &visit);

} // namespace syncopate
