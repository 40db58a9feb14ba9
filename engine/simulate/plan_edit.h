// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/motif_costs.h"
#include "engine/simulate/planned_run.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <variant>
#include <vector>

namespace syncopate {

/// Another way to carry out a comm-op.
struct RecutOp {
    DagOpId op{0};
    MotifCut cut{};
    std::vector<ChannelId> channels{ChannelId(0)}; ///< which the motifs use in turn
};

/// Another channel, place, or iteration of one motif.
struct MoveMotif {
    MotifId motif{0};
    ChannelId channel{0};
    std::int32_t place = 0; ///< in the order of that channel, counted without the motif
    std::int32_t iterationOffset = 0;
};

/// Another start of a motif, later or earlier, perhaps on another channel.
struct ShiftMotif {
    MotifId motif{0};
    ChannelId channel{0};
    double seconds = 0; ///< later than in the played plan; the order of the channel becomes that of the times
};

/// A change to a plan by hand.
using PlanEdit = std::variant<RecutOp, MoveMotif, ShiftMotif>;

/// The plan with one change, proved and played. New motifs stand where the op's first one ran, by the played times of `plan`: an
/// order by these times never contradicts the DAG. `dag` has withSubmission().
/// Errors: ops, motifs, channels and places that do not exist; a cut that the rules of the motif algebra do not allow
/// (rewriteMotif(), checkMotifs()); an order that contradicts the DAG, with the motifs that wait for each other; `stop` was
/// requested.
[[nodiscard]] Result<ExecutionPlan> editPlan(const TrainingDag &dag, const ExecutionPlan &plan, const MotifCosts &costs,
                                             const PlanEdit &edit, const std::stop_token &stop = {});

/// The cut of an op's motifs; null where no MotifCut gives them, as in some plan files.
[[nodiscard]] std::optional<MotifCut> cutOf(CollectiveKind kind, const std::vector<Motif> &motifs, std::int32_t processes);

} // namespace syncopate
