// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Plays a plan on processes that are not equally fast. playPlan() plays equal processes as one; here each has a compute stream
// and an enforcer of its own (SYNDICATE, pseudocode 2), and a motif runs when the last of its members has dispatched it. This
// shows both the cost of strict sequence numbers (waits behind a late motif) and the deadlocks that they prevent (processes that
// wait for each other in different motifs).

#include "engine/plan/motif_costs.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// A process that computes slower than the others.
struct Straggler {
    ProcessId process{0};
    double slowdown = 1;
    std::int32_t fromIteration = 0;
};

/// How compute-ops differ from their times in the DAG. A function of its arguments: the same op of the same process and iteration
/// always takes the same time.
struct ComputeNoise {
    double jitter = 0; ///< standard deviation of the logarithm of an op's time, whose mean stays
    std::vector<Straggler> stragglers;
    std::uint64_t seed = 1;

    [[nodiscard]] double factor(ProcessId process, std::int32_t iteration, DagOpId op) const;
};

/// The next motif that a channel of a process dispatches.
enum class Dispatch : std::uint8_t {
    Strict,     ///< the next motif of its order, and waits until it is ready
    FirstReady, ///< of the motifs that are ready the one that comes first in its order: priorities without sequence numbers
};

/// A plan to play with every process on its own.
struct RankRequest {
    const TrainingDag *dag = nullptr; ///< withSubmission()
    const ExecutionPlan *plan = nullptr;
    /// Another plan over the same channels, which process p has from iteration changeAt[p] on; null: none.
    const ExecutionPlan *nextPlan = nullptr;
    std::vector<std::int32_t> changeAt{};
    MotifCosts costs{};
    ComputeNoise noise{};
    Dispatch dispatch = Dispatch::Strict;
    std::int32_t iterations = 32;
};

/// Processes that wait for each other.
struct RankDeadlock {
    double atSeconds = 0; ///< the last time that anything happened
    struct Wait {
        ProcessId process{0};
        std::string motif; ///< that it does not get past, with its op and iteration
        std::string reason;
    };
    std::vector<Wait> cycle; ///< each waits for the next one, the last for the first
};
/// The cycle in a sentence.
[[nodiscard]] std::string describe(const RankDeadlock &deadlock);

/// The course of the processes; iterations that were not begun have no entries.
struct RankRun {
    std::int32_t iterations = 0;                     ///< that all processes have computed
    std::vector<std::vector<double>> startSeconds{}; ///< per process and iteration: the first op of the compute order
    /// Per process and iteration, of the channel that has most of it: the channel is idle, since the next motif of its order is
    /// not ready, while another one is. These are the waits of SYNDICATE's busy loop, whose queue has a motif other than the
    /// next. A wait counts in the iterations that the process is in meanwhile, so that it is no longer than they are.
    std::vector<std::vector<double>> heldUpSeconds{};
    /// The same for a motif that is dispatched and waits for the other members.
    std::vector<std::vector<double>> othersSeconds{};
    std::optional<RankDeadlock> deadlock{};
    /// The process by which iterations are measured: the first one, or, where groups differ in size, the slowest, since processes
    /// of small groups may run ahead of the others.
    ProcessId timedBy{0};

    /// Mean iteration from `from` on, by the process `timedBy`. `from` + 1 < iterations.
    [[nodiscard]] double iterationSeconds(std::int32_t from) const;
    /// The share of iteration `i` for which a channel of a process is held up, of the worst channel and process; 0 to 1.
    [[nodiscard]] double heldUpRatio(std::int32_t i) const;
    /// The same for waits for other processes.
    [[nodiscard]] double othersRatio(std::int32_t i) const;
};

/// Plays every process. O(processes * iterations * (edges + motifs log motifs)). Errors: a plan that validatePlan() refuses,
/// plans over different channels, more than can be played, `stop` was requested. Processes that wait for each other are not an
/// error.
[[nodiscard]] Result<RankRun> playRanks(const RankRequest &request, const std::stop_token &stop = {});

} // namespace syncopate
