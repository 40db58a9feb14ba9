// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"
#include "engine/rewrite/kernels.h"
#include "engine/rewrite/pace.h"
#include "engine/rewrite/scenario.h"

#include <cstdint>
#include <string>

namespace syncopate {

/// States the assumptions of the graph: how links are shared, which nodes are folded, which costs are 0.
void stateAssumptions(const Scenario &scenario, const RewriteContext &context, const Pace &pace, TaskGraph &graph);

/// The first assumption of a graph whose workers are in step.
[[nodiscard]] std::string unrolledNote(std::int32_t iterations);

} // namespace syncopate
