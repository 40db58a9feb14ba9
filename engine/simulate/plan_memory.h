// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/training_dag.h"
#include "engine/simulate/planned_run.h"

#include <cstdint>
#include <vector>

namespace syncopate {

/// Memory of one process that is held for an op in every iteration; seconds as in PlannedSpan.
struct HeldBuffer {
    DagOpId op{0};
    double bytes = 0;
    double fromSeconds = 0, toSeconds = 0; ///< not held at the end
};

/// The buffers that a process holds for the comm-ops of a played plan (docs/plan.md, "Peak memory"): a DAG states no other sizes.
/// B is a comm-op's payload, n its group; it is ready when the last of its parents has ended, begins with its first motif, ends
/// with its last, and is used until the last op that waits for it has ended.
///     all-reduce, reduce, broadcast   B from ready until used: in place
///     all-gather                      B/n from ready until it begins, B from then until used
///     reduce-scatter                  B from ready until it ends, B/n from then until used
///     all-to-all, permute             B from ready until it ends, another B from its beginning until used
/// Where groups differ in size, n is the smallest: no process holds more. A comm-op that waits for comm-ops only has their
/// results as its input, which are not held twice; one that waits for nothing is ready when it begins. `dag` is the one without
/// withSubmission(): an application that may run ahead uses no results of the ops it runs ahead of. O(ops + edges + spans).
[[nodiscard]] std::vector<HeldBuffer> heldBuffers(const TrainingDag &dag, const PlannedRun &run);

/// Max bytes held at once, where every iteration is like the settled one: overlapping buffers of several iterations all count.
/// O(b log b) of b buffers.
[[nodiscard]] double peakBytes(const std::vector<HeldBuffer> &buffers, double iterationSeconds);

[[nodiscard]] inline double peakMemoryBytes(const TrainingDag &dag, const PlannedRun &run) {
    return peakBytes(heldBuffers(dag, run), run.iterationSeconds);
}

} // namespace syncopate
