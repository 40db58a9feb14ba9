// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/collective/collective_curve.h"
#include "engine/collective/collective_plan.h"
#include "engine/graph/graph_builder.h"
#include "engine/rewrite/named_channels.h"
#include "engine/rewrite/placement.h"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace syncopate {

struct RewriteContext;

/// Adds collectives to a graph, in the form and by the algorithm of the policy. Each holds a slot of the communicator
/// from its start to its end.
///
/// Analytic: one task, with the measured time (Scenario::collectiveCurves, or else the cluster's), or with the time of its plan
/// on idle links where all nodes finish each round together; its bytes load every node's NIC (and fabric) evenly, so that
/// concurrent collectives share them. Where a plan has rounds inside nodes before or after those between them (hierarchical,
/// tree), each stretch is a task on its own links. On a cluster with named channels it is on one of these instead, and
/// takes the time that plans give it (named_channels.h), whatever the algorithm. Flows: the plan's messages on the links, those
/// of a pipeline with a task for their latency, which has no span. Where nodes are equal and nothing contends both take equally
/// long.
class Collectives {
public:
    Collectives(RewriteContext &context, QueueId channels);

    /// Adds a collective. `row` has its unit, layer, iteration and order key; `sizeBytes` is S of CollectivePlan. Returns its
    /// first and its last task. At least two replicas. `isLaunched`: the host's launch before it counts, which a measured time
    /// has in it.
    std::pair<TaskId, TaskId> add(CollectiveKind kind, const TaskRow &row, double sizeBytes, bool isLaunched = true);
    /// Adds an all-gather: all replicas get each other's `sizeBytes`, in n-1 steps around the ring.
    std::pair<TaskId, TaskId> gather(const TaskRow &row, double sizeBytes);

    /// Whether one node may stand for all in collectives of `kinds`, in the form and algorithm of the policy (analytic: always).
    [[nodiscard]] static bool foldsExactly(const CommPolicy &policy, const Placement &placement,
                                           const std::set<CollectiveKind> &kinds);
    /// Estimates the number of tasks of one collective of `kind` in a graph of `units`, which decide whether the steps of a ring
    /// are tasks of their own.
    [[nodiscard]] static double taskEstimate(const CommPolicy &policy, const Placement &placement, CollectiveKind kind,
                                             double units);
    /// The most messages between nodes in the rounds of an all-to-all, which its plan lists in any form.
    [[nodiscard]] static double maxAllToAllMessages(const Cluster &cluster);

private:
    /// A message of a ring in each of its steps.
    struct RingHop {
        RingLane lane;
        WorkerClassId worker; ///< class that sends
    };
    using Ends = std::pair<TaskId, TaskId>;
    /// Time of a message of a step between nodes besides that of its bytes. The thread that steps a collective waits for all of
    /// it, but for the latency of a pipeline's chunks, which go on while one is in flight.
    [[nodiscard]] double messageSeconds() const;
    [[nodiscard]] const std::vector<CollectivePlan> &plansOf(CollectiveKind kind);
    Ends addPlan(const CollectivePlan &plan, const TaskRow &row, double sizeBytes);
    Ends addAnalytic(const CollectivePlan &plan, const TaskRow &row, double sizeBytes, bool isLaunched);
    Ends addRing(const CollectivePhase &phase, const TaskRow &row, double sizeBytes);
    /// Adds ring steps as tasks, or as one task whose steps the event loop plays.
    Ends ringSteps(const TaskRow &row, std::int32_t steps, double stepBytes, bool inside);
    void stepTasks(const TaskRow &row, std::int32_t steps, double stepBytes, const std::vector<RingHop> &hops, Ends ends);
    class ChunkSteps;
    Ends addRounds(const CollectivePhase &phase, const TaskRow &row, double sizeBytes);
    /// `classes`: the worker class of every node, as plans number them.
    void addRound(const CollectiveRound &round, const TaskRow &row, double sizeBytes, const std::vector<WorkerClassId> &classes,
                  bool isPipelined, ChunkSteps &steps);
    [[nodiscard]] const std::vector<RingHop> &ringHops(bool inside);
    [[nodiscard]] PathId pathBetween(WorkerClassId from, WorkerClassId to);
    [[nodiscard]] RingId shapeOf(std::int32_t steps, bool inside);
    /// The time of a round over its size, of the slowest node: between nodes and inside them.
    struct RoundCost {
        double farSeconds = 0, farSecondsPerByte = 0, nearSeconds = 0, nearSecondsPerByte = 0;
        double flightSeconds = 0;                 ///< of farSeconds: the latency, for which the next chunk does not wait
        bool overNics = false, overLanes = false; ///< messages leave nodes; some stay inside
        /// The time of the slower of both: the part that does not depend on bandwidth, and the part that does.
        [[nodiscard]] std::pair<double, double> seconds(double sizeBytes) const;
        /// The same between two chunks of a pipeline.
        [[nodiscard]] std::pair<double, double> secondsApart(double sizeBytes) const;
    };
    [[nodiscard]] const CollectiveCurve *measured(CollectiveKind kind) const;
    /// Consecutive rounds of a plan on the same links: the time that does not depend on bandwidth, and that which does.
    struct Stretch {
        bool overNics = false, overLanes = false;
        double fixedSeconds = 0, busySeconds = 0;
    };
    [[nodiscard]] std::vector<Stretch> stretchesOf(const CollectivePlan &plan, double sizeBytes);
    /// The bytes that take `seconds` on an otherwise idle path.
    [[nodiscard]] double bytesFor(double seconds, PathId path) const;
    using PlanNodes = std::vector<std::pair<std::int32_t, WorkerClassId>>; ///< node of the cluster and worker class
    [[nodiscard]] RoundCost costOf(const CollectiveRound &round, const PlanNodes &nodes) const;
    [[nodiscard]] const std::vector<RoundCost> &costsOf(const CollectivePlan &plan);

    RewriteContext &m_context;
    QueueId m_channels;
    NamedChannels m_named;
    std::map<CollectiveKind, std::vector<CollectivePlan>> m_plans;
    std::map<const CollectivePlan *, std::vector<RoundCost>> m_costs;
    std::vector<RingHop> m_hops, m_outsideHops;
    std::map<std::pair<WorkerClassId, WorkerClassId>, PathId> m_paths;
    std::map<std::pair<std::int32_t, bool>, RingId> m_shapes;
};

} // namespace syncopate
