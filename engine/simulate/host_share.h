// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"
#include "engine/job/job.h"

namespace syncopate {

/// The share, in [0, 1], of a compute task's duration in which its device waits for the host, at the task's end: 0 for all other
/// tasks. Timelines, with the figures counted in them, and causes ask this one function, so that they name the same time.
/// `graph` was rewritten from `job`: its layers are the job's.
[[nodiscard]] double hostShareOf(const Job &job, const TaskGraph &graph, TaskId task);

} // namespace syncopate
