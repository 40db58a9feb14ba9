// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "engine/collective/collective_curve.h"
#include "engine/graph/graph_builder.h"
#include "engine/job/job.h"
#include "engine/rewrite/collectives.h"
#include "engine/rewrite/placement.h"
#include "engine/strategy/policy.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <utility>
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
    std::vector<std::vector<std::int32_t>> children;      ///< per layer: layers that read its output
    const std::vector<CollectiveCurve> *curves = nullptr; ///< Scenario::collectiveCurves
    std::stop_token stop{};
    Discipline discipline{}; ///< what the policy asks of the queues
};

/// The compute ops of one worker class in one iteration.
struct ComputeOps {
    std::vector<std::int32_t> forward;     ///< per layer
    std::vector<std::int32_t> backward;    ///< per layer
    std::int32_t update = -1;              ///< barrier mode: the one update; else -1
    std::vector<std::int32_t> layerUpdate; ///< per-layer mode: per layer, -1 where the layer has no variables
    std::int32_t worker = -1;
    std::int32_t queue = -1; ///< its compute stream
    /// Workers that drift apart do different numbers of iterations: one that is through has no ops left.
    [[nodiscard]] bool empty() const { return forward.empty(); }
};

/// Replication kernel: forward, backward and update ops of every worker class in `iteration`, with the job's dataflow; none
/// of a class that does fewer iterations (TaskGraph::workerIterations).
[[nodiscard]] std::vector<ComputeOps> replicate(RewriteContext &context, const std::vector<std::int32_t> &computeQueues,
                                                std::int32_t iteration);

/// The synchronisation kernels keep their queues over the iterations.
class Synchroniser {
public:
    explicit Synchroniser(RewriteContext &context);
    /// Adds the traffic of every unit in one iteration: from the backward ops that complete a gradient to one task per
    /// worker class after which that worker has the new value.
    /// Returns [unit][worker class] -> that task; not whole when the context is stopped.
    [[nodiscard]] std::vector<std::vector<std::int32_t>> synchronise(const std::vector<ComputeOps> &ops, std::int32_t iteration);

    /// Adds the collectives of the job itself (Layer::collectives) in one iteration. `children`: per layer, its readers.
    void jobCollectives(const std::vector<ComputeOps> &ops, const std::vector<std::vector<std::int32_t>> &children,
                        std::int32_t iteration);

private:
    struct Flow {
        std::size_t unit;
        std::int32_t iteration;
    };
    void allReduce(const Flow &flow, const std::vector<ComputeOps> &ops, std::vector<std::int32_t> &done);
    void parameterServer(const Flow &flow, const std::vector<ComputeOps> &ops, std::vector<std::int32_t> &done);
    /// What a worker's share of a unit waits for: its gradients, their compression, the start of the next cycle.
    void gradientEdges(const Flow &flow, const ComputeOps &ops, std::int32_t child);
    void decode(const Flow &flow, const ComputeOps &ops, std::int32_t &done);
    [[nodiscard]] std::size_t serverOf(const std::string &device) const;
    [[nodiscard]] std::int32_t credit(std::int32_t worker);
    /// The tasks of one message, which waits for a turn again after the first `streamBytes`: first and last.
    [[nodiscard]] std::pair<std::int32_t, std::int32_t> stream(const TaskRow &message);
    using Connections = std::map<std::pair<std::size_t, std::size_t>, std::int32_t>; ///< [from][server] -> queue
    /// The queue of the connection of number `from` with a server, made on first use; it belongs to class `worker`.
    [[nodiscard]] std::int32_t connection(Connections &queues, const char *what, std::int32_t worker, std::size_t from,
                                          std::size_t server, bool byPriority = false);

    RewriteContext &m_context;
    const Discipline &m_discipline;
    Collectives m_collectives;
    std::int32_t m_credit = -1;                ///< of all workers together; policies with a credit only
    std::vector<std::int32_t> m_workerCredit;  ///< per worker, for units that workers do not wait for together
    Connections m_sendQueues, m_receiveQueues; ///< [worker][server]
    Connections m_upQueues, m_downQueues;      ///< [station][server]
    /// [unit][iteration]: every worker's gradient is on the server. Bounded staleness looks back at earlier iterations.
    std::vector<std::vector<std::int32_t>> m_arrived;
};

} // namespace syncopate
