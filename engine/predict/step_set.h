// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/job/job.h"
#include "engine/profile/profile.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace syncopate {

/// The four phases of a step of asynchronous SGD (Li et al., async-SGD paper, section 2, op.res): sending by the server, the
/// worker's compute, sending by the worker, the server's updates.
enum class StepResource : std::uint8_t { Downlink, Worker, Uplink, Server };
[[nodiscard]] constexpr bool isTransfer(StepResource r) { return r == StepResource::Downlink || r == StepResource::Uplink; }
[[nodiscard]] const char *nameOf(StepResource resource); ///< "downlink", "worker", "uplink", "ps"

/// One op of a step, the same in all steps.
struct StepOp {
    std::string name;
    StepResource resource = StepResource::Worker;
    std::int32_t server = 0;    ///< parameter server of a transfer or an update
    std::int32_t variable = -1; ///< that it moves or updates, -1 = none
    std::int32_t layer = -1;    ///< that it belongs to, -1 = none
    double sizeBytes = 0;       ///< transfers only
    std::int64_t rank = 0;      ///< place in its resource's recorded order, smaller first
};

/// The dependency DAG that all steps of one job share (section 2: "the dependencies are the same for all training steps").
struct StepGraph {
    std::vector<StepOp> ops;
    std::vector<std::pair<std::int32_t, std::int32_t>> edges; ///< (before, after) within a step
    /// (before, after): op `after` of the next step waits for op `before` of this one. Ops without any edge into them from
    /// the step before wait for the whole of it, so without nextEdges steps follow one another as in Algorithm 3.1.
    std::vector<std::pair<std::int32_t, std::int32_t>> nextEdges;
    std::int32_t servers = 1;
};

/// The set S of sampled steps over one DAG.
struct StepSet {
    std::string name;
    double batchSize = 1; ///< samples per step
    StepGraph graph;
    /// [step][op]: seconds of compute and update ops; of transfers, their cost beyond their bytes (0 where unknown).
    std::vector<std::vector<double>> seconds;
    /// [step][op]: the part of `seconds`, at the op's end, in which the worker's device waits for its host (launch gaps). Empty =
    /// none.
    std::vector<std::vector<double>> hostSeconds;
    /// [step][i]: op that is i-th among the transfers down as this step recorded them; empty: all steps go by the ops' ranks.
    /// TensorFlow requests variables in another order each step.
    std::vector<std::vector<std::int32_t>> downlinkOrder;
    double betweenSeconds = 0;      ///< from a step's last op to the first of the next, when nothing else is on the network
    std::vector<std::string> notes; ///< where this comes from and what was inferred, one sentence each
};

/// How the steps of a job follow one another.
struct StepSetOptions {
    /// false: a step starts when the one before is done, as in TensorFlow and Algorithm 3.1.
    /// true: a variable is sent back as soon as its gradient arrived, and a layer's next forward waits for its own variables.
    bool perLayer = false;
};

/// The steps of a job: per variable a downlink op and an uplink op, per layer a forward and a backward op, no server updates (a
/// job does not know their times). Ranks: transfers down in forward order, up in backward order. `samples` are the profile's
/// complete steps; none: the job's own times are the only step. Launch gaps are kept apart (StepSet::hostSeconds).
/// O(samples * ops).
[[nodiscard]] Result<StepSet> stepSetFromJob(const Job &job, const std::vector<StepSample> &samples = {},
                                             const StepSetOptions &options = {});

/// Checks what the generator relies on: at least one op and one step, known servers, finite non-negative times and sizes, waits
/// for the host no longer than their ops, edges between ops, no cycle (within a step or through the next).
[[nodiscard]] Result<void> validateStepSet(const StepSet &set);

/// Places every variable on one of `servers`: variables in order, each on the server with the fewest bytes so far (TensorFlow's
/// GreedyLoadBalancingStrategy with byte_size_load_fn; section 5). Returns the server of each variable.
[[nodiscard]] std::vector<std::int32_t> placeGreedily(const std::vector<double> &variableBytes, std::int32_t servers);

/// Moves variable v to server `serverOf[v]` in all steps.
[[nodiscard]] Result<StepSet> withPlacement(StepSet set, const std::vector<std::int32_t> &serverOf, std::int32_t servers);

} // namespace syncopate
