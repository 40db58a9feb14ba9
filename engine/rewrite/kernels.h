// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "engine/collective/collective_curve.h"
#include "engine/graph/graph_builder.h"
#include "engine/job/job.h"
#include "engine/rewrite/collectives.h"
#include "engine/rewrite/placement.h"
#include "engine/rewrite/sharded_order.h"
#include "engine/strategy/policy.h"

#include <cstdint>
#include <limits>
#include <map>
#include <stop_token>
#include <utility>
#include <variant>
#include <vector>

namespace syncopate {

/// The sizes of the collectives that take the times of a measured curve.
struct CurveUse {
    double minBytes = std::numeric_limits<double>::infinity(), maxBytes = 0;
};

/// State shared by the kernels while they build one graph.
struct RewriteContext {
    const Job &job;
    const Cluster &cluster;
    const CommPolicy &policy;
    const std::vector<SyncUnit> &units;
    Placement &placement;
    GraphBuilder &builder;
    std::vector<std::vector<std::int32_t>> children;           ///< per layer: layers that read its output
    std::vector<std::vector<std::int32_t>> layersOfVariable{}; ///< per variable: layers that have a gradient of it, ascending
    std::vector<CollectiveCurve> curves{};                     ///< Scenario::collectiveCurves, then the cluster's
    std::map<CollectiveKind, CurveUse> curveUses{};
    std::stop_token stop{};
    Discipline discipline{};             ///< the policy's rules for the queues
    std::vector<double> gatheredBytes{}; ///< of each all-gather of parameters between two iterations (gatherPieces())
    /// Per variable, and of all bytes of parameters: the share that a replica updates, which is all that it keeps of sharded
    /// units (SyncUnit::shards).
    std::vector<double> keptShares{};
    double keptOfAll = 1;
};

/// The compute ops of one worker class in one iteration.
struct ComputeOps {
    std::vector<TaskId> forward;     ///< per layer
    std::vector<TaskId> backward;    ///< per layer
    TaskId update;                   ///< barrier mode: the one update; else none
    std::vector<TaskId> layerUpdate; ///< per-layer mode: per layer, none where the layer has no variables
    WorkerClassId worker;
    QueueId queue; ///< its compute stream
    /// Workers that drift apart do different numbers of iterations; one that has finished has no ops left.
    [[nodiscard]] bool empty() const { return forward.empty(); }
};

/// Replication kernel: forward, backward and update ops of every worker class in `iteration`, with the job's dataflow; none
/// of a class that does fewer iterations (TaskGraph::workerIterations).
[[nodiscard]] std::vector<ComputeOps> replicate(RewriteContext &context, const std::vector<QueueId> &computeQueues,
                                                std::int32_t iteration);

/// The synchronisation kernels; they keep their queues over the iterations.
class Synchroniser {
public:
    explicit Synchroniser(RewriteContext &context);
    /// Adds the traffic of every unit in one iteration: from the backward ops that complete a gradient to one task per worker
    /// class after which that worker has the new value.
    /// Returns [unit][worker class] -> that task; incomplete when the context is stopped.
    [[nodiscard]] std::vector<std::vector<TaskId>> synchronise(const std::vector<ComputeOps> &ops, std::int32_t iteration);

    /// Adds the collectives of the job itself (Layer::collectives) in one iteration. `children`: per layer, its readers.
    void jobCollectives(const std::vector<ComputeOps> &ops, const std::vector<std::vector<std::int32_t>> &children,
                        std::int32_t iteration);

private:
    struct Flow {
        std::size_t unit;
        std::int32_t iteration;
    };
    /// The collectives of one unit, between their begin and their end.
    [[nodiscard]] std::pair<TaskId, TaskId> reduce(const Flow &flow, const TaskRow &row, const std::vector<ComputeOps> &ops);
    void allReduce(const Flow &flow, const std::vector<ComputeOps> &ops, std::vector<TaskId> &done);
    /// The gathers and scatters of all sharded units in one iteration.
    void shardedUnits(const std::vector<ComputeOps> &ops, std::int32_t iteration, std::vector<std::vector<TaskId>> &done);
    /// The gathers of all parameters before an iteration (ParameterGather).
    void gatherParameters(const std::vector<ComputeOps> &ops, std::int32_t iteration);
    /// The task that ends a worker's updates of the iteration before; none where there is nothing to wait for.
    [[nodiscard]] TaskId wholeUpdate(const ComputeOps &ops, std::int32_t iteration);
    /// Adds the edges by which a gather waits for the values that it gathers.
    void updateEdges(const ShardedStep &step, const ComputeOps &ops, TaskId gather, bool isFirst);
    /// Adds the edges from a worker's compute to a step, and from the step to the compute that waits for it. `reached`: ops that
    /// an earlier gather of the iteration has waited for.
    void stepEdges(const ShardedStep &step, const Flow &flow, const ComputeOps &ops, std::pair<TaskId, TaskId> ends,
                   std::int32_t reached);
    /// The job's own collectives of a layer's pass, one after the other: first and last task, none where there are none.
    [[nodiscard]] std::pair<TaskId, TaskId> collectivesOf(LayerId layer, bool backward, IterationId iteration);
    /// Adds the edges from a layer's last collective to the next ops that need its result: those of the layers that read this one
    /// (`children`), or of the backward pass.
    void resultEdges(TaskId collective, std::size_t layer, bool backward, const ComputeOps &worker,
                     const std::vector<std::int32_t> &children);
    void parameterServer(const Flow &flow, const std::vector<ComputeOps> &ops, std::vector<TaskId> &done);
    /// A unit on its way through a parameter server in one iteration: the state that all workers share.
    struct Served {
        Flow flow{};
        ServerId server, station; ///< the station is the peer of workers: the server, or a transfer destination
        std::int32_t stream = 0;  ///< of the connections with the station, and of it with the server
        bool together = true;     ///< every worker waits for every other's gradient
        TaskRow row;              ///< unit, iteration and order key of its tasks
        TaskId arrived;           ///< the server has every worker's gradient
        TaskId updated;           ///< together: the station has the new value
        TaskId gate, release;     ///< together: take the credit before any push, return it after all pulls
    };
    /// One worker's push of it.
    struct Pushed {
        TaskId last;    ///< its last task
        TaskId release; ///< returns the credit that the push took
        double sizeBytes = 0;
    };
    [[nodiscard]] Served join(const Flow &flow);
    /// Whether a worker holds its credit from a push to the end of the pulls.
    [[nodiscard]] bool holdsCreditToPull() const;
    [[nodiscard]] TaskId sumOnNode(const Served &served, const ComputeOps &ops);
    [[nodiscard]] Pushed pushGradient(const Served &served, const ComputeOps &ops);
    /// The task after which the value may be pulled. A worker whose peers do not wait for it is answered when its gradient is
    /// applied: at once, or when the slowest worker has caught up.
    [[nodiscard]] TaskId answer(const Served &served, const ComputeOps &ops, const Pushed &pushed);
    /// Returns the task after which the worker has the value.
    [[nodiscard]] TaskId pullValue(const Served &served, const ComputeOps &ops, TaskId answered, TaskId release);
    /// Bytes of a pull: without a proxy every replica reads the variable from the server itself (AutoSync's features).
    [[nodiscard]] double readBytes(const SyncUnit &unit, const ComputeOps &ops) const;
    /// The row that a push and a pull have in common.
    [[nodiscard]] TaskRow messageOf(const Served &served, const ComputeOps &ops) const;
    /// One message between the station and the server, after `before`; `before` itself where both are on one node.
    [[nodiscard]] TaskId transfer(const Served &served, TaskId before, bool up, double bytes);
    /// A task that ends when every variable of the iteration is updated; none unless values are read after that
    /// (Policy::readsAfterStep).
    TaskId m_stepOver;
    /// A task that ends when every unit of the iteration is scattered; none unless all-reduces go in two halves
    /// (Discipline::splitsAllReduce).
    TaskId m_scattered;
    /// A process of a worker or server: one end of connections, with a queue for its host's costs.
    using Process = std::variant<WorkerClassId, ServerId>;
    [[nodiscard]] static std::size_t indexOf(const Process &process);
    /// The worker class that the process belongs to; none of a dedicated server.
    [[nodiscard]] WorkerClassId classOf(const Process &process) const;
    /// Adds `seconds` of CPU time of a process, for the unit of `row`.
    [[nodiscard]] TaskId hostTask(const TaskRow &row, const Process &process, double seconds);
    [[nodiscard]] QueueId hostQueue(const Process &process);
    /// As hostTask(), after `before`; returns `before` itself where the time is 0.
    [[nodiscard]] TaskId onHost(const TaskRow &row, const Process &process, double seconds, TaskId before);
    /// The sender's CPU time for one message between nodes.
    [[nodiscard]] double sendSeconds(double bytes) const;
    [[nodiscard]] double receiveSeconds(double bytes) const;
    /// A server's CPU time for `pushes` gradients of `bytes` each that arrive from other nodes, or from its own.
    [[nodiscard]] double takeSeconds(double pushes, double bytes, bool isLocal) const;
    /// A server's CPU time to update a unit, `bytes` of whose values change.
    [[nodiscard]] double updateSeconds(double bytes) const;
    /// Without a `worker`, the credit of all workers together.
    [[nodiscard]] TaskId takeCredit(const Served &served, WorkerClassId worker);
    [[nodiscard]] TaskId returnCredit(const Served &served, WorkerClassId worker);
    /// Adds the edges to a worker's share of a unit: from its gradients, their compression, and the start of the next cycle.
    void gradientEdges(const Flow &flow, const ComputeOps &ops, TaskId child);
    /// The task that a collective which begins with `begin` waits for on a worker: its launch, or `begin` itself where launching
    /// is free.
    [[nodiscard]] TaskId launch(const TaskRow &row, const ComputeOps &ops, TaskId begin);
    void decode(const Flow &flow, const ComputeOps &ops, TaskId &done);
    [[nodiscard]] ServerId serverOf(const std::string &device) const;
    [[nodiscard]] QueueId credit(WorkerClassId worker);
    /// Adds the tasks of one message that takes a second turn after the first `streamBytes`; returns the first and the last.
    [[nodiscard]] std::pair<TaskId, TaskId> stream(const TaskRow &message);
    using Connections = std::vector<QueueId>; ///< by pair (Placement::pairIndex()), none = not made yet
    /// The queue of a connection of `from` with a server, or of all of them where they are one stream (Placement::streams), made
    /// on first use; it belongs to the class of `from`.
    [[nodiscard]] QueueId connection(Connections &queues, const char *what, const Process &from, ServerId server,
                                     std::int32_t stream, bool byPriority = false);

    RewriteContext &m_context;
    const Discipline &m_discipline;
    Collectives m_collectives;
    std::vector<ShardedModule> m_modules; ///< the sharded units
    std::vector<ShardedStep> m_steps;     ///< of an iteration, in the order of issue
    TaskId m_gathered, m_scatteredShard;  ///< last task on the communicator of gathers, and of scatters
    std::vector<ComputeOps> m_before;     ///< of the iteration before; where parameters are gathered
    QueueId m_credit;                     ///< of all workers together; policies with a credit only
    std::vector<QueueId> m_workerCredit;  ///< per worker: of its node's sums, or of units that workers do not wait for together
    Connections m_sendQueues, m_receiveQueues;   ///< of workers
    Connections m_upQueues, m_downQueues;        ///< of stations
    std::vector<std::int32_t> m_streams;         ///< by unit: those of a server take its connections in turn
    std::vector<ServerId> m_servers, m_stations; ///< by unit, Served::server and Served::station; none where it is not served
    std::vector<QueueId> m_workerHosts, m_serverHosts; ///< none = not made yet
    /// [unit][iteration]: every worker's gradient is on the server; only of units that workers do not wait for together, because
    /// bounded staleness looks back at earlier iterations.
    std::vector<std::vector<TaskId>> m_arrived;
};

} // namespace syncopate
