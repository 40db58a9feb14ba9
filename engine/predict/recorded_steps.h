// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/predict/step_set.h"
#include "engine/profile/op_graph/op_graph.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// When each op of one step started and ended, seconds from the step's first op. Of a transfer: when it was requested, and when
/// its data could be used (async-SGD paper, section 2), not when its bytes moved.
struct RecordedOpTimes {
    std::vector<double> start, end;
};

/// Steps as recorded: the set with compute and update times filled in, and beside it the recorded times of all ops.
struct RecordedSteps {
    StepSet set;
    std::vector<RecordedOpTimes> steps; ///< as many as set.seconds
};

/// The variable that a transfer down of this name brings: "conv/kernel" of "conv/kernel/read". A part of `transfer`.
[[nodiscard]] std::string_view variableOfTransfer(std::string_view transfer);

/// The steps of a profile whose ops record what they waited for (ImportedProfile::opGraphs): those of the first worker and of the
/// servers, matched over the steps by name, place and turn; ranks are the first step's order of starts. Steps with other ops are
/// left out and counted in the notes. Edges to ops of other workers, and ops of servers before a transfer down (a step starts
/// with it), are dropped. Errors: no transfers, transfers without a size or a name, or several servers where a transfer's sender
/// is not known.
[[nodiscard]] Result<RecordedSteps> recordedStepsOf(const std::vector<std::shared_ptr<const OpGraph>> &graphs,
                                                    const std::string &name, double batchSize);

} // namespace syncopate
