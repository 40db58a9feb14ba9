// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/motif_costs.h"

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace syncopate {

/// Which ready motif a channel takes next.
enum class MotifOrder : std::uint8_t {
    Submission,    ///< first ready, first served: what frameworks do (FIFO)
    LastSubmitted, ///< last ready first, of those ready at once the one submitted last: ByteScheduler's priorities (LIFO)
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

/// What list scheduling knows of the motifs of a comm-op. Made once for each way to cut and bind it, and shared by all execution
/// plans that have it: of a plan that differs in one comm-op, only that one is made anew.
struct ListedOp {
    struct Piece {
        double seconds = 0; ///< alone
        ChannelId channel{0};
        std::int32_t waits = 0; ///< pieces that it comes after
    };
    std::vector<Piece> pieces;
    std::vector<std::int32_t> followerOffsets, followers; ///< per piece: which come after it
    double busiestSeconds = 0;                            ///< of the channel that does most of it

    /// `motifs` of one op, on `channels[i]` for `seconds[i]`.
    static ListedOp of(const std::vector<Motif> &motifs, const std::vector<ChannelId> &channels,
                       const std::vector<double> &seconds);
};

/// What a schedule is made in; reused, so that one more schedule allocates nothing.
struct ListWorkspace {
    struct Ready {
        int kind;   ///< smaller first, as all that follows
        double key; ///< by the order
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
    std::vector<double> slowdown, pace;          ///< per channel, of its motif: slowdown beside others, pace now; 0 = none
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
/// motifs that share a link take the sum of their times anyway. On links that slow each other down
/// they do so as over ChannelLinks. Made once for a DAG and its channels, then asked for one set of motifs after the other.
///
/// A fast judge, not the last word: orders are strict when they are played (playPlan()), where a motif that is late holds up
/// those behind it.
class ListScheduler {
public:
    /// `dag` has withSubmission(), so that nothing runs ahead without end; it must outlive the scheduler.
    ListScheduler(const TrainingDag &dag, const std::vector<Channel> &channels, const std::vector<LinkSlowdown> &slowdowns = {});

    /// `motifs` as in an ExecutionPlan, `seconds` what each takes alone. O(iterations * (edges + motifs log motifs)), and the
    /// square of the motifs of an op.
    [[nodiscard]] ListSchedule schedule(const std::vector<PlannedMotif> &motifs, const std::vector<double> &seconds,
                                        MotifOrder order) const;

    /// As schedule(), but only the iteration time; `listed` has one entry per op (null for compute-ops). Infinite for a plan that
    /// never gets to its end. Thread-safe with a workspace each.
    [[nodiscard]] double iterationSeconds(const std::vector<const ListedOp *> &listed, MotifOrder order,
                                          ListWorkspace &workspace) const;

    /// The iteration where collectives take `seconds[op]` each and never wait for a channel: of the cycles of ops that wait for
    /// each other the longest, per iteration that it goes through. Of compute-ops `seconds` is ignored.
    [[nodiscard]] double pathBoundSeconds(const std::vector<double> &seconds) const;

private:
    friend class ListRun;
    static constexpr std::int32_t unrolled = 8; ///< iterations of a schedule: it settles within three or four
    void gatherEdges();
    void levels(const std::vector<double> &opSeconds, std::int32_t iterations, std::vector<double> &level) const;

    const TrainingDag *m_dag;
    std::vector<std::vector<std::int32_t>> m_linksOfChannel;
    std::int32_t m_linkCount = 0;
    std::vector<std::optional<LinkSlowdown>> m_slowdowns; ///< per channel; empty: nothing slows anything down
    /// Per op, from offsets[op]: ops that wait for it. By their parents, or also by the compute order ("ordered"); in the same
    /// iteration, or in the next.
    struct Edges {
        std::vector<std::int32_t> offsets;
        std::vector<DagOpId> to;
    };
    Edges m_children, m_ordered, m_nextChildren, m_nextOrdered;
    std::vector<DagOpId> m_sorted;         ///< ops, parents and the compute-op before it first
    std::vector<std::int32_t> m_submitted; ///< place of a comm-op in the submission order
    std::vector<std::int32_t> m_waiting;   ///< iterations x ops: how many parents each waits for
};

} // namespace syncopate
