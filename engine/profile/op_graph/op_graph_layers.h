// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/profile/op_graph/op_graph.h"
#include "engine/profile/profile.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace syncopate {

/// The role of an op in a training graph.
enum class OpRole : std::uint8_t {
    Forward,
    Backward,     ///< in a "gradients" scope
    Update,       ///< Apply... of an optimizer, and ops that wait for one
    Communicates, ///< RecvTensor
    Waits,        ///< the receiving and sending halves of an inserted transfer, on either side
};

/// A training graph cut into layers, by op.
struct GraphLayers {
    std::vector<OpRole> role;                ///< by op
    std::vector<std::int32_t> layer;         ///< by op; -1 = none (update, communication)
    Job job;                                 ///< layers with names and parents; no times and no variables yet
    std::vector<UnsizedVariable> variables;  ///< the trainable ones, in layer order, whether or not their size is known
    std::vector<std::int64_t> variableBytes; ///< -1 = not recorded
    std::string worker;                      ///< "/job:worker/task:0", whose ops are the job's
    std::vector<bool> mine;                  ///< by resource: belongs to that worker
    bool kernels = false;                    ///< the worker's accelerator was traced: its kernels are the compute
    std::int32_t otherWorkers = 0;
};

/// Layers start, in forward order, with each op that reads trainable variables which no earlier op read; an op of the same scope
/// that reads one (a bias) joins the layer whose output it takes, and so do ops that read none. Variables are trainable where an
/// optimizer's op updates them. An error when no op is part of a backward pass.
[[nodiscard]] Result<GraphLayers> findLayers(const OpGraph &graph);

/// Lengths of the roles' times within one step, seconds; time under several ops counts for the first of them.
struct GraphTimes {
    std::vector<double> forwardSeconds, backwardSeconds; ///< by layer
    double updateSeconds = 0, serverSeconds = 0;
    double idleSeconds = 0;                                      ///< part of the above: nothing ran, counted for the layer before
    std::vector<double> forwardHostSeconds, backwardHostSeconds; ///< the idle seconds by layer
    double updateHostSeconds = 0;
    double phaseSeconds[3] = {0, 0, 0};                  ///< forward, backward, update, idle time left out
    double communicationSeconds = 0, exposedSeconds = 0; ///< tensors that the worker receives, or servers from it alone
    Nanoseconds start = 0, end = 0;                      ///< of the worker's ops
    std::uint64_t pulls = 0, pushes = 0;                 ///< tensors received by this worker, by servers
};
[[nodiscard]] GraphTimes measureGraph(const OpGraph &graph, const GraphLayers &layers);

} // namespace syncopate
