// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/motif_costs.h"

#include <cstdint>
#include <vector>

namespace syncopate {

/// Which ready motif a channel takes next.
enum class MotifOrder : std::uint8_t {
    Submission,    ///< first ready, first served: what frameworks do (FIFO)
    LastSubmitted, ///< last ready first: ByteScheduler's priorities for layer by layer models (LIFO)
    AllToAllFirst, ///< all-to-alls before others, else first ready first
    CriticalPath,  ///< what the longest path to the end of training goes through
};

/// A schedule of settled iterations.
struct ListSchedule {
    double iterationSeconds = 0;                 ///< mean over the last iterations
    std::vector<std::vector<OrderEntry>> orders; ///< per channel, as one settled iteration has them
    /// Per channel, all motifs of an iteration before those of the next, as they start. Never contradicts the DAG, which `orders`
    /// of a schedule that does not settle may.
    std::vector<std::vector<OrderEntry>> plainOrders;
};

/// SYNDICATE's optSched (pseudocode 1): greedy list scheduling of compute-ops in their order and of motifs by priority, over
/// several iterations. A motif starts when its op's parents are done, its channel is idle and none of its links is in use: two
/// motifs that share a link take the sum of their times anyway. Made once for a DAG and its channels, then asked for one set of
/// motifs after the other.
///
/// A fast judge, not the last word: orders are strict when they are played (playPlan()), where a motif that is late holds up
/// those behind it.
class ListScheduler {
public:
    /// `dag` has withSubmission(), so that nothing runs ahead without end; it must outlive the scheduler.
    ListScheduler(const TrainingDag &dag, const std::vector<Channel> &channels);

    /// `motifs` as in an ExecutionPlan, `seconds` what each takes alone. O(iterations * (edges + motifs log motifs)), and the
    /// square of the motifs of an op.
    [[nodiscard]] ListSchedule schedule(const std::vector<PlannedMotif> &motifs, const std::vector<double> &seconds,
                                        MotifOrder order) const;

    /// Bound of the iteration where collectives took `seconds[op]` each and never waited for a channel: the longest path through
    /// many iterations, a step of it. Of compute-ops `seconds` is ignored.
    [[nodiscard]] double pathBoundSeconds(const std::vector<double> &seconds) const;

private:
    friend class ListRun;
    [[nodiscard]] std::vector<double> levels(const std::vector<double> &opSeconds, std::int32_t iterations) const;

    const TrainingDag *m_dag;
    std::vector<std::vector<std::int32_t>> m_linksOfChannel;
    std::int32_t m_linkCount = 0;
    std::vector<std::vector<std::int32_t>> m_children, m_nextChildren;
    std::vector<std::int32_t> m_nextComputed; ///< per compute-op: the one after it in the compute order, -1 = the last
    std::vector<std::int32_t> m_sorted;       ///< ops, parents and the compute-op before it first
    std::vector<std::int32_t> m_submitted;    ///< place of a comm-op in the submission order
};

} // namespace syncopate
