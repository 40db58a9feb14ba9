// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/training_dag.h"
#include "engine/simulate/rank_layout.h"
#include "engine/simulate/rank_player.h"

#include <cstdint>
#include <set>
#include <vector>

namespace syncopate {

enum class MotifState : std::uint8_t { Waiting, Ready, Dispatched, Done };

/// A process of a plan while it is played: the waits of its ops and motifs, and its enforcer.
struct RankProcess {
    std::vector<std::int32_t> opWaits;    ///< iterations x ops: parents that are not done
    std::vector<std::int32_t> motifsLeft; ///< iterations x ops: own motifs that are not done; for a compute-op 1 until it is done
    std::vector<std::int32_t> motifWaits; ///< per slot: motifs before it, and its op
    std::vector<MotifState> states;       ///< per slot
    std::size_t computeNext = 0;          ///< into the compute order
    std::int32_t iteration = 0;
    bool computing = false;
    struct Enforcer {
        std::vector<RankSlotId> sequence; ///< as they are to be dispatched
        std::size_t next = 0;             ///< strict: into the sequence
        std::set<std::int32_t> ready;     ///< places in the sequence
        RankSlotId current{};             ///< was dispatched and is not done; none: the channel is free
        double dispatched = 0;
        double heldUpSince = -1;                          ///< below 0: it is not held up
        std::vector<double> heldUpSeconds, othersSeconds; ///< per iteration that the process was in, as those of RankRun
    };
    std::vector<Enforcer> channels;
};

/// The state of all processes at one moment.
struct RankSnapshot {
    const TrainingDag &dag;
    const RankLayout &layout;
    const std::vector<RankProcess> &processes;
    std::int32_t iterations = 0;
    bool isStrict = true; ///< Dispatch::Strict
    double nowSeconds = 0;
};

/// Finds the cycle of processes that wait for each other, in a state in which nothing can proceed. Returns all waits that it
/// followed if they end without a cycle.
[[nodiscard]] RankDeadlock findDeadlock(const RankSnapshot &snapshot);

} // namespace syncopate
