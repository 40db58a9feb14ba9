// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"
#include "engine/job/job.h"
#include "engine/simulate/event_loop.h"
#include "engine/timeline/timeline.h"

#include <limits>
#include <stop_token>
#include <utility>
#include <vector>

namespace syncopate {

/// A stretch of a schedule, in seconds.
struct TimeWindow {
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();
};

/// The lanes of a schedule: per worker class compute, push, pull, all-reduce and traffic inside the node; tasks that
/// overlap in one of them get lanes of their own ("pull 2"). Tasks without duration are left out. An op's wait for the host is a
/// gap after its span (Lane::hostUntil), of at least 1 ns. Spans that do not touch `window` are left out, which may
/// move others to other lanes of their row. O(tasks log tasks); incomplete when `stop` was requested.
[[nodiscard]] Timeline makeTimeline(const Job &job, const TaskGraph &graph, const Schedule &schedule,
                                    const TimeWindow &window = {}, const std::stop_token &stop = {});

/// The spans of a worker class's streams, or of all servers without a worker: in no order, and perhaps overlapping.
struct WorkerSpans {
    using Span = std::pair<Nanoseconds, Nanoseconds>;
    std::vector<Span> compute, communication;
    std::vector<Span> hostWaits; ///< of the compute stream, Lane::hostUntil
};

/// The spans of makeTimeline() that touch [from, to), cut to it, without lanes, names and order: per worker class, and last of
/// servers. A task that has not ended is cut, too. O(tasks).
[[nodiscard]] std::vector<WorkerSpans> spansWithin(const Job &job, const TaskGraph &graph, const Schedule &schedule,
                                                   Nanoseconds from, Nanoseconds to);

} // namespace syncopate
