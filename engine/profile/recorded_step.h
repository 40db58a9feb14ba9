// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// A piece of a step's computation, or a collective that was launched in it.
struct RecordedOp {
    std::string name;         ///< "forward 2", "alltoall 0"; unique
    std::string collective{}; ///< as its library calls it ("allreduce"); empty = computation
    double seconds = 0;   ///< of computation, launch gaps included; of a collective as recorded, waits for other ranks included
    double sizeBytes = 0; ///< of a collective, as in CommOp; 0 = not recorded
    bool backward = false;
    std::vector<std::int32_t> parents{};         ///< ops of the same step
    std::vector<std::int32_t> previousParents{}; ///< ops of the step before
    std::int64_t groupSize = 0;                  ///< ranks that take part, 0 = not recorded
    std::int64_t groupStride = 1;                ///< between their numbers; 0 = not evenly spaced
    std::int64_t shift = 1;                      ///< of a permute: members from the sender to the receiver

    [[nodiscard]] bool isCompute() const { return collective.empty(); }
};

/// One step as one rank ran it: its computation in the order in which it ran, cut where a collective was launched or waited for,
/// and all of its collectives in the order in which they were launched.
struct RecordedStep {
    std::vector<RecordedOp> ops;
    std::vector<std::string> leftOut; ///< communication that is none of `ops` ("send (partner not recorded)")
    std::vector<std::string> notes;   ///< conclusions, and what cannot be known, one sentence each
};

/// The part of a training step that work belongs to.
enum class StepPhase : std::uint8_t { Forward, Backward, Update };

/// A kernel, or another piece of computation that is not cut.
struct StepWork {
    double seconds = 0;
    StepPhase phase = StepPhase::Forward;
};

/// A collective among a step's work.
struct StepCollective {
    RecordedOp op;                    ///< without name and edges
    std::size_t from = 0;             ///< it waits for the work before this one
    std::size_t to = 0;               ///< this work waits for it; past the last: the next step's first does
    std::vector<std::size_t> after{}; ///< earlier collectives in the list that it waits for, too
};

/// Makes a step of `work`, which is in order of execution and not empty. It is cut where collectives and phases begin and end;
/// collectives follow it in the given order.
[[nodiscard]] RecordedStep assembleStep(const std::vector<StepWork> &work, std::vector<StepCollective> collectives);

} // namespace syncopate
