// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "engine/job/job.h"
#include "engine/rewrite/graph_builder.h"
#include "engine/rewrite/placement.h"
#include "engine/strategy/comm_policy.h"

#include <cstdint>
#include <vector>

namespace syncopate {

/// What the kernels share while they build one graph.
struct RewriteContext {
    const Job &job;
    const Cluster &cluster;
    const CommPolicy &policy;
    const std::vector<SyncUnit> &units;
    Placement &placement;
    GraphBuilder &builder;
    std::vector<std::vector<std::int32_t>> children; ///< per layer: layers that read its output
};

/// The compute ops of one worker class in one iteration.
struct ComputeOps {
    std::vector<std::int32_t> forward;     ///< per layer
    std::vector<std::int32_t> backward;    ///< per layer
    std::int32_t update = -1;              ///< barrier mode: the one update; else -1
    std::vector<std::int32_t> layerUpdate; ///< per-layer mode: per layer, -1 where the layer has no variables
};

/// Replication kernel: forward, backward and update ops of every worker class in `iteration`, with the job's dataflow.
[[nodiscard]] std::vector<ComputeOps> replicate(RewriteContext &context, const std::vector<std::int32_t> &computeQueues,
                                                std::int32_t iteration);

/// The synchronisation kernels keep their queues over the iterations.
class Synchroniser {
public:
    explicit Synchroniser(RewriteContext &context);
    /// Adds the traffic of every unit in one iteration: from the backward ops that complete a gradient to one task per
    /// worker class after which that worker has the new value.
    /// Returns [unit][worker class] -> that task.
    [[nodiscard]] std::vector<std::vector<std::int32_t>> synchronise(const std::vector<ComputeOps> &ops, std::int32_t iteration);

private:
    struct Flow {
        std::size_t unit;
        std::int32_t iteration;
    };
    void allReduce(const Flow &flow, const std::vector<ComputeOps> &ops, std::vector<std::int32_t> &done);
    void parameterServer(const Flow &flow, const std::vector<ComputeOps> &ops, std::vector<std::int32_t> &done);
    /// A message of a ring in each of its steps.
    struct RingHop {
        RingLane lane;
        std::int32_t worker; ///< class that sends
    };
    [[nodiscard]] const std::vector<RingHop> &ringHops();
    [[nodiscard]] double ringStepBytes(const SyncUnit &unit) const; ///< per hop and step
    [[nodiscard]] bool streamsSteps();                              ///< too many steps for a task each: the event loop plays them
    [[nodiscard]] std::int32_t ringShape();
    void ringSteps(const Flow &flow, std::int32_t begin, std::int32_t end);
    void gradientEdges(const SyncUnit &unit, const ComputeOps &ops, std::int32_t child);
    /// The queue of the connection between a worker and a server, in `queues`, made on first use.
    [[nodiscard]] std::int32_t connection(std::vector<std::int32_t> &queues, const char *what, std::size_t worker,
                                          std::size_t server);

    RewriteContext &m_context;
    std::int32_t m_channels = -1;              ///< the communicator
    std::int32_t m_credit = -1;                ///< Priority only
    std::vector<std::int32_t> m_sendQueues;    ///< [worker][server], made on first use
    std::vector<std::int32_t> m_receiveQueues; ///< [worker][server]
    std::vector<RingHop> m_ringHops;           ///< of the explicit ring, made on first use
    std::int32_t m_ringShape = -1;
};

} // namespace syncopate
