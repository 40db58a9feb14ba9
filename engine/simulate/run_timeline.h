// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/job.h"
#include "engine/rewrite/task_graph.h"
#include "engine/simulate/event_loop.h"
#include "engine/timeline/timeline.h"

namespace syncopate {

/// The lanes of a schedule: per worker class compute, push, pull, all-reduce and traffic inside the node; tasks that
/// overlap in one of them get lanes of their own ("pull 2"). Tasks without duration are left out.
[[nodiscard]] Timeline makeTimeline(const Job &job, const TaskGraph &graph, const Schedule &schedule);

} // namespace syncopate
