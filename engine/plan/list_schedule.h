// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/motif_costs.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <tuple>
#include <vector>

namespace syncopate {

/// The rule by which a channel takes its next ready motif.
enum class MotifOrder : std::uint8_t {
    Submission,    ///< first ready, first served, as frameworks do (FIFO)
    LastSubmitted, ///< last ready first, of those ready at once the one submitted last: ByteScheduler's priorities (LIFO)
    AllToAllFirst, ///< all-to-alls before others, else first ready first
    CriticalPath,  ///< the motif with the longest path to the end of training first
};

/// A schedule of settled iterations.
struct ListSchedule {
    double iterationSeconds = 0;                 ///< mean over the last iterations
    std::vector<std::vector<OrderEntry>> orders; ///< per channel, as one settled iteration has them
    /// Per channel, all motifs of an iteration before those of the next, as they start. Never contradicts the DAG, which `orders`
    /// of a schedule that does not settle may.
    std::vector<std::vector<OrderEntry>> plainOrders;
};

/// The motifs of a comm-op as list scheduling needs them. Made once for each way to cut and bind it, and shared by all execution
/// plans that use it: for a plan that differs in one comm-op, only that one is made anew.
struct ListedOp {
    struct Piece {
        double seconds = 0; ///< alone
        ChannelId channel{0};
        std::int32_t waits = 0; ///< number of pieces before it
    };
    std::vector<Piece> pieces;
    std::vector<std::int32_t> followerOffsets, followers; ///< per piece: the pieces after it
    double busiestSeconds = 0;                            ///< of its motifs on the busiest channel

    /// `motifs` of one op, on `channels[i]` for `seconds[i]`.
    static ListedOp of(const std::vector<Motif> &motifs, const std::vector<ChannelId> &channels,
                       const std::vector<double> &seconds);
};

/// Working memory of a schedule; reused, so that one more schedule allocates nothing.
struct ListWorkspace {
    struct Ready {
        int kind;   ///< smaller first, as for key, turn and motif
        double key; ///< by MotifOrder
        std::int64_t
            turn; ///< among those with the same key: the op's place in the submissions of all iterations, or its negative
        std::int32_t iteration;
        MotifId motif;
        bool operator<(const Ready &other) const {
            return std::tie(kind, key, turn, motif) < std::tie(other.kind, other.key, other.turn, other.motif);
        }
    };
    std::vector<std::vector<Ready>> ready;       ///< per channel, a heap
    std::vector<std::int32_t> running;           ///< per channel: motif of an iteration, -1 = idle
    std::vector<double> channelEnds, motifStart; ///< per channel; iterations x motifs
    std::vector<double> slowdown, pace;          ///< per channel, of its motif: slowdown beside others (0 = none), present pace
    std::vector<char> linkBusy;
    std::vector<double> opSeconds, levels, iterationStart;
    std::vector<MotifId> first;           ///< per op: its first motif; one more at the end
    std::vector<DagOpId> opOf;            ///< per motif
    std::vector<std::int32_t> waiting;    ///< iterations x ops: parents that are not done
    std::vector<std::int32_t> motifsLeft; ///< iterations x ops
    std::vector<std::int32_t> motifWaits; ///< iterations x motifs: motifs before it, and its op
};

/// SYNDICATE's optSched (pseudocode 1): greedy list scheduling of compute-ops in their order and of motifs by priority, over
/// several iterations. A motif starts when its op's parents are done, its channel is idle and none of its links is in use: two
/// motifs that share a link take the sum of their times anyway. Links slow each other down as in ChannelLinks. Made once for a
/// DAG and its channels, then called for one set of motifs after the other.
///
/// A fast approximation: playPlan() keeps to strict orders, in which a late motif holds up the motifs behind it.
class ListScheduler {
public:
    /// `dag` has withSubmission(), so that nothing runs ahead without end; it must outlive the scheduler.
    ListScheduler(const TrainingDag &dag, const std::vector<Channel> &channels, const std::vector<LinkSlowdown> &slowdowns = {});

    /// `motifs` as in an ExecutionPlan, `seconds` the time of each alone. O(iterations * (edges + motifs log motifs)), and the
    /// square of the motifs of an op.
    [[nodiscard]] ListSchedule schedule(const std::vector<PlannedMotif> &motifs, const std::vector<double> &seconds,
                                        MotifOrder order) const;

    /// As schedule(), but only the iteration time; `listed` has one entry per op (null for compute-ops). Infinite for a plan that
    /// never ends. Thread-safe with a workspace each.
    [[nodiscard]] double iterationSeconds(const std::vector<const ListedOp *> &listed, MotifOrder order,
                                          ListWorkspace &workspace) const;

    /// The iteration time if collectives took `seconds[op]` each and never waited for a channel: the largest ratio of a cycle of
    /// ops (CycleRatio). `seconds` of compute-ops is ignored. A lower time once `stop` is requested.
    [[nodiscard]] double pathBoundSeconds(const std::vector<double> &seconds, const std::stop_token &stop = {}) const;

private:
    friend class ListRun;
    static constexpr std::int32_t unrolled = 8; ///< iterations of a schedule: it settles within three or four
    void gatherEdges();
    void levels(const std::vector<double> &opSeconds, std::int32_t iterations, std::vector<double> &level) const;

    const TrainingDag *m_dag;
    std::vector<std::vector<std::int32_t>> m_linksOfChannel;
    std::int32_t m_linkCount = 0;
    std::vector<std::optional<LinkSlowdown>> m_slowdowns; ///< per channel; empty: no slowdowns
    /// Per op, from offsets[op]: ops that wait for it. By their parents, or also by the compute order ("ordered"); in the same
    /// iteration, or in the next.
    struct Edges {
        std::vector<std::int32_t> offsets;
        std::vector<DagOpId> to;
    };
    Edges m_children, m_ordered, m_nextChildren, m_nextOrdered;
    std::vector<DagOpId> m_sorted;         ///< each op after its parents and the compute-op before it
    std::vector<std::int32_t> m_submitted; ///< place of a comm-op in the submission order
    std::vector<std::int32_t> m_waiting;   ///< iterations x ops: number of parents that each waits for
};

} // namespace syncopate
