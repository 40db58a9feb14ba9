// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Tuners ask for one partition with many credits. A graph of small partitions takes nearly as long to make as to play, and a
// credit is just the window of one of its queues, so the graph of another credit is made by setting that.

#include "engine/graph/task_graph.h"
#include "engine/rewrite/scenario.h"

namespace syncopate {

/// The name of the queues whose window is a policy's credit.
inline constexpr const char *creditQueue = "credit";

/// Whether the two are alike but for the values of their policy's knob "credit". Jobs and strategies are alike if they are the
/// same object.
[[nodiscard]] bool differInCreditAlone(const Scenario &a, const Scenario &b);

/// Turns `graph`, which rewrite() made from `made`, into the graph of `scenario`. Returns false, and leaves the graph as it is,
/// where they differ in more than the credit, or the policy refuses the new one. O(queues).
[[nodiscard]] bool changeCredit(const Scenario &made, const Scenario &scenario, TaskGraph &graph);

} // namespace syncopate
