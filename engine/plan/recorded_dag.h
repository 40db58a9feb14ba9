// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/training_dag.h"
#include "engine/profile/recorded_step.h"

#include <string>
#include <vector>

namespace syncopate {

/// A training DAG made from a recording, with notes on what was inferred and what the recording does not state.
struct RecordedDag {
    TrainingDag dag;
    std::vector<std::string> notes; ///< one sentence each
};

/// A recorded step as the DAG of `processes` equal processes: its computation in its order, all of its collectives where they
/// were launched and waited for. Groups of ranks become process groups where they are evenly spaced, those of all `ranks`
/// recorded (0 = not known) are of all processes; sizes stay those of the profile. Errors, which name `file`: fewer than two
/// processes, no collective, one whose size was not recorded, groups that do not divide the processes, those of validateDag().
[[nodiscard]] Result<RecordedDag> dagOfStep(const RecordedStep &step, const std::string &name, std::int64_t ranks,
                                            std::int32_t processes, const std::string &file);

} // namespace syncopate
