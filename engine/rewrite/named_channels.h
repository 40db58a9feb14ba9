// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/graph_builder.h"
#include "engine/job/job.h"
#include "engine/plan/motif_costs.h"
#include "engine/strategy/policy.h"

#include <cstdint>
#include <vector>

namespace syncopate {

/// A cluster's named channels, as plans use them (plan_graph.h). Each runs up to Channel::concurrent collectives at once; they
/// share its links' time, and their latencies overlap. A policy that limits collectives in flight uses
/// the first channels of the list, the last of them in part. Collectives of an iteration are placed in the order in which their
/// gradients become ready, each on the channel that would finish it first if all had begun at once.
class NamedChannels {
public:
    /// There are none where the cluster names none, or where the policy plays collectives as flows, which use the nodes' NICs.
    NamedChannels(const Cluster &cluster, const CommPolicy &policy, const Discipline &discipline, std::int32_t replicas);

    [[nodiscard]] bool empty() const { return m_channels.empty(); }
    /// Assigns a collective that is one task to a channel: sets the row's queue, path, fixed time and bytes. `sizeBytes` as in
    /// CollectivePlan. Queues and links are added to the graph on first use. Not if empty().
    void place(CollectiveKind kind, double sizeBytes, TaskRow &row, GraphBuilder &builder);

private:
    void addLinks(GraphBuilder &builder);

    std::vector<Channel> m_channels;
    MotifCosts m_costs;
    bool m_byPriority = false;
    std::int32_t m_replicas = 0, m_iteration = -1;
    /// The rate of every link, the fastest channel's; a collective's bytes are scaled so that they take its own time at this
    /// rate.
    double m_bytesPerSecond = 0;
    std::vector<QueueId> m_queues;     ///< by channel
    std::vector<PathId> m_paths;       ///< by channel
    std::vector<double> m_busySeconds; ///< by channel, in m_iteration
};

} // namespace syncopate
