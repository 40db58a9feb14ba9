// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/graph_builder.h"
#include "engine/job/job.h"
#include "engine/plan/motif_costs.h"
#include "engine/strategy/policy.h"

#include <cstdint>
#include <vector>

namespace syncopate {

/// A cluster's named channels, as plans use them (plan_graph.h). Each runs as many collectives at once as it states and occupies
/// its links, whose time all collectives on them share; latency occupies no link. A policy that limits collectives in flight uses
/// the first channels of the list, the last of them in part. Collectives of an iteration are placed in the order in which their
/// gradients become ready, each on the channel that would finish it first if all had begun at once.
class NamedChannels {
public:
    /// There are none where the cluster names none, or where the policy plays collectives as flows, which use the nodes' NICs.
    NamedChannels(const Cluster &cluster, const CommPolicy &policy, const Discipline &discipline, std::int32_t replicas);

    [[nodiscard]] bool empty() const { return m_channels.empty(); }
    /// Puts a collective of one task on a channel: its queue, path, fixed time and bytes. `sizeBytes` as in CollectivePlan.
    /// Queues and links are added to the graph on first use.
    void place(CollectiveKind kind, double sizeBytes, TaskRow &row, GraphBuilder &builder);

private:
    void addLinks(GraphBuilder &builder);

    std::vector<Channel> m_channels;
    MotifCosts m_costs;
    bool m_byPriority = false;
    std::int32_t m_replicas = 0, m_iteration = -1;
    double m_bytesPerSecond =
        0; ///< of every link: the fastest channel's; a collective gets as many bytes as take its seconds at that
    std::vector<QueueId> m_queues;     ///< by channel
    std::vector<PathId> m_paths;       ///< by channel
    std::vector<double> m_busySeconds; ///< by channel, in m_iteration
};

} // namespace syncopate
