// SPDX-License-Identifier: GPL-3.0-or-later
// Two traces of one model, before and after a change: which ops, layers and streams take longer? Traces hold different numbers of
// steps and ranks, so sums are not comparable: figures are per step and rank, and rows are paired by name.
#pragma once

#include "engine/base/result.h"
#include "engine/profile/profile.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// The rows of one name in both traces, or in one.
struct DifferenceRow {
    std::string name;
    std::array<double, 2> seconds{}; ///< per step and rank, sum of the spans' lengths; 0 where the trace has none
    std::array<double, 2> count{};   ///< spans per step and rank

    [[nodiscard]] bool isInBoth() const { return count[0] > 0 && count[1] > 0; }
    /// Seconds of the second trace minus those of the first; 0 where they are equal within rounding, to the nanosecond that
    /// traces have.
    [[nodiscard]] double change() const;
};

/// The part of one trace that was compared.
struct ComparedTrace {
    std::string file;
    std::int64_t steps = 0; ///< that were added up; 0 = none marked, the whole trace counts as one
    std::int64_t ranks = 1;
    double stepSeconds = 0; ///< mean length of these steps, or all of the timeline
};

/// The comparison of two traces: seconds and spans per step and rank, by op, layer and stream.
struct TraceDifference {
    std::array<ComparedTrace, 2> of;
    /// The largest change first; equal ones by name.
    std::vector<DifferenceRow> ops;     ///< by label, over all lanes: an op on a thread includes the ops that it calls
    std::vector<DifferenceRow> layers;  ///< by layer and phase ("conv1, backward"), of the job's step
    std::vector<DifferenceRow> streams; ///< by lane: its busy time
    /// What could not be compared and why, and what the figures cover, one sentence each.
    std::vector<std::string> notes;
};

/// Compares two measured traces, step by step where both mark steps, else as a whole. Only complete steps count where the reader
/// knows them. Errors: only one of the two marks steps, or one has no span in its steps.
[[nodiscard]] Result<TraceDifference> compareTraces(const ImportedProfile &a, const ImportedProfile &b);

} // namespace syncopate
