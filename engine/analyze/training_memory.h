// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The memory that strategies need. All replicas hold the same parameters whatever the strategy; what differs is who keeps the
// optimiser's state, how long gradients wait, and which copies of them communication makes. These are read off a simulated run:
// each buffer has a size and the span in which it is held, and the worst moment of a steady iteration counts.

#include "engine/simulate/run.h"

#include <string>

namespace syncopate {

/// Values of optimiser state for each parameter: Adam's two moments. A job does not say which optimiser it has.
inline constexpr double adamValues = 2;

/// Bytes, of one device that trains and of one process that serves.
struct TrainingMemory {
    double parameterBytes = 0; ///< every variable once, or its shard
    double optimizerBytes = 0; ///< of variables that the device updates itself
    double bufferBytes =
        0; ///< gradients, copies of them and gathered parameters at the worst moment of the worker that needs most
    double serverBytes = 0; ///< of the server that needs most; 0 = there is none

    [[nodiscard]] double deviceBytes() const { return parameterBytes + optimizerBytes + bufferBytes; }
};

/// Memory in the iteration of a run's figures. Held on a device, with G the bytes of a gradient, W those of the message that it
/// is sent in, n the replicas:
///     parameters                  always
///     optimiser state             always, of all-reduced variables: `optimizerValues` per parameter
///     a gradient                  G from the start of its backward op until the end of its update; where a server updates, until
///                                 its bytes have left
///     a bucket, a compressed one  W beside its gradients, while it is compressed or under way
///     a sparse one                its rows with their indices; n W from the start of its collective until its update
/// of a sharded unit (SyncUnit::shards) 1/n of parameters and optimiser state, and
///     its parameters            G from the start of a gather until the last op of its layers in that pass, or of their backward
///                               where they are kept; the root's until the end of the backward pass
///     a gradient                G until it is scattered, then G/n until the update; W beside it while it is scattered
/// where parameters stay whole (Sharding::keepsParameters, ParameterGather), 1/n of the optimiser state only: gradients as if
/// all-reduced, or (ParameterGather::shardsGradients) G until it is reduced, then G/n until the update
/// and on a server (of a strategy with transfer destinations, gradients are theirs):
///     variables that it serves    always, with their optimiser state
///     a push                      W while it is under way
///     a sum                       G from the first push of an iteration until the last one is there, where it waits for all
/// Pulls overwrite the parameters. Not counted: activations, which no job states, the workspace of a running op, and a library's
/// own staging buffers. So it tells strategies apart and is a lower bound. O(tasks + b log b) of b buffers.
[[nodiscard]] TrainingMemory trainingMemory(const Run &run, double optimizerValues = adamValues);

/// States what trainingMemory() counts, in a sentence shown with its figures.
[[nodiscard]] std::string trainingMemoryAssumption();

} // namespace syncopate
