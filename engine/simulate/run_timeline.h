// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"
#include "engine/job/job.h"
#include "engine/simulate/event_loop.h"
#include "engine/timeline/timeline.h"

#include <stop_token>

namespace syncopate {

/// The lanes of a schedule: per worker class compute, push, pull, all-reduce and traffic inside the node; tasks that
/// overlap in one of them get lanes of their own ("pull 2"). Tasks without duration are left out. What a job's op waits for the
/// host is a gap after its span (Lane::hostUntil), of 1 ns at least. O(tasks log tasks); not whole when `stop` is requested.
[[nodiscard]] Timeline makeTimeline(const Job &job, const TaskGraph &graph, const Schedule &schedule,
                                    const std::stop_token &stop = {});

} // namespace syncopate
