// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/graph/task_graph.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace syncopate {

struct Schedule {
    std::vector<double> readySeconds; ///< per task: its last parent was done
    std::vector<double> startSeconds; ///< per task: it got its slot
    std::vector<double> endSeconds;   ///< per task
    std::uint64_t events = 0;         ///< task starts and completions
    bool complete = false;            ///< every task ran; false = cancelled (or the graph has a cycle: a kernel's bug)
};

/// Runs a task graph. Deterministic. Cost: O(log n) per fixed-time task, O(active paths) per batch of simultaneous flow
/// events. Polls `stop` every few thousand events; progress counts tasks.
[[nodiscard]] Schedule runEventLoop(const TaskGraph &graph, std::stop_token stop = {}, Progress *progress = nullptr);

} // namespace syncopate
