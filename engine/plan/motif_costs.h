// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/collective/collective_log.h"
#include "engine/plan/execution_plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// Measured times of a collective, or of one spline of it, among all processes over a link on its own.
struct MotifCurve {
    CollectiveKind kind = CollectiveKind::AllReduce;
    std::string link;
    Slice spline{};
    std::vector<CollectiveSample> samples; ///< by size, which is that of the whole buffer of one process
    bool operator==(const MotifCurve &) const = default;

    /// Linear between samples, proportional to bytes beyond the last, and the smallest sample's time below it.
    [[nodiscard]] double secondsAt(double bytes) const;
    /// The least that a buffer of `bytes` takes, cut into as many segments as is best, one after the other. O(samples).
    [[nodiscard]] double segmentedSeconds(double bytes) const;
};

/// What a process sends to others of its node over, on channels whose first link it is.
struct LocalRate {
    std::string link;
    double bytesPerSecond = 0;
    bool operator==(const LocalRate &) const = default;
};

/// How much longer motifs take over a link while another link is in use, too: channels with different links still have the
/// processes' CPUs and memory in common.
struct LinkSlowdown {
    struct Sample {
        double aloneSeconds = 0; ///< of the motif
        double factor = 1;       ///< 1 to maxSlowdown
        bool operator==(const Sample &) const = default;
    };
    std::string link;
    std::vector<Sample> samples; ///< by time alone, ascending
    /// Between two samples linear in the logarithm of the time, beyond them as at the nearest. 1 without samples.
    [[nodiscard]] double factor(double aloneSeconds) const;
    bool operator==(const LinkSlowdown &) const = default;
};
inline constexpr double maxSlowdown = 2; ///< beyond it, two links together would carry no more than one
/// Of LinkSlowdown::Sample::aloneSeconds.
inline constexpr double minSlowedSeconds = 1e-12, maxSlowedSeconds = 1e6;
/// The slowdown of the channel's first link; null: none.
[[nodiscard]] const LinkSlowdown *findSlowdown(const std::vector<LinkSlowdown> &slowdowns, const Channel &channel);

/// What a motif takes when it has its links to itself, and how much longer where others are busy.
struct MotifCosts {
    std::vector<MotifCurve> curves;
    std::vector<LinkSlowdown> slowdowns; ///< of links that are not in it: none
    /// Of dispatching a motif, where measurements do not say it (launchSecondsOn()).
    double launchSeconds = 0;
    /// Processes p of a node are those that agree in p / processesPerNode. They talk at localRates, and to other nodes at the
    /// channel's bandwidth, each by a NIC of its own.
    std::int32_t processesPerNode = 1;
    /// The most processes that a node has. Where nodes differ, processesPerNode is what divides the processes of all of them.
    std::int32_t largestNode = 1;
    std::vector<LocalRate> localRates; ///< of channels that are not in it, the channel's bandwidth

    /// From a measured curve of its kind and spline on the channel's first link, between two sizes linearly and beyond the last
    /// in proportion; curves are of all processes, and include what dispatching the motif takes. A piece of which only the whole
    /// was measured: launch + its share of the rest. Where neither was: launch + steps * latency + the larger of two, what a
    /// process sends inside its node over the local rate, and outside over the bandwidth. A ring enters and leaves a node once,
    /// and there are as many rings as the node has members, each over a NIC of its own (as NCCL builds them). What an all-to-all
    /// sends outside takes longer where the channel has incast. Steps: n - 1 each for reduce-scatter, all-gather, and all-to-all
    /// (pairwise; of a spline as many as processes that it sends to), twice that for all-reduce, one for a permute (of which
    /// those that send to another node may be slower than the others), log2 n for the others. Splines of all-gather,
    /// reduce-scatter, broadcast and reduce are direct sends, too, with a step for each; what they send outside leaves over one
    /// NIC and, but for a broadcast's, comes to one process with others' at once (incast).
    /// Of groups of different sizes what the slowest takes, each by its own size; they lie evenly on nodes, as
    /// checkGroupsOnNodes() has it.
    [[nodiscard]] double seconds(const Motif &motif, const DagOp &op, std::int32_t processes, const Channel &channel) const;
    /// Of a comm-op among all processes.
    [[nodiscard]] double seconds(const Motif &motif, double opBytes, std::int32_t processes, const Channel &channel) const;

    /// What dispatching one more motif on the channel costs, whatever it carries (section 4.2). Splines carry the bytes and the
    /// pattern of the whole between them, so it is what k of them take beyond the whole, over k - 1, at the smallest size that
    /// was measured of all, where bytes count least: the lowest of k = 2, 4 and 8, between 0 and what the whole takes there. Less
    /// incast in splines makes it an estimate from below. launchSeconds on links whose splines were not measured. O(curves).
    [[nodiscard]] double launchSecondsOn(const Channel &channel) const;
    /// The part of seconds() that is dispatching; 0 of a motif that was measured itself, whose curve does not say it.
    [[nodiscard]] double launchSecondsOf(const Motif &motif, const DagOp &op, std::int32_t processes,
                                         const Channel &channel) const;
    /// Whether a motif's seconds() are from measurements, of it or of the whole.
    [[nodiscard]] bool isMeasured(const Motif &motif, const DagOp &op, std::int32_t processes, const Channel &channel) const;

    [[nodiscard]] bool isMeasured(CollectiveKind kind) const; ///< on some channel
    /// Replaces what is measured by that of `from`, and keeps what follows from the cluster.
    void takeMeasured(const MotifCosts &from);

    /// Where bytes are counted that have to get through: around each process or around each node. Where nodes are equal these
    /// two sorts of cuts are all that count.
    enum class Cut : std::uint8_t { Process, Node };
    /// No way to carry out a comm-op over one channel takes less, latencies aside: the bytes that have to cross a cut over what
    /// it carries (ForestColl, whose bound is the largest over cuts). Of sums, what crosses all k equal cuts together: an
    /// all-reduce has to move 2 (k-1) payloads between k nodes. Of a group inside a node both cuts are around processes.
    [[nodiscard]] double cutBoundSeconds(const DagOp &op, std::int32_t processes, const Channel &channel, Cut cut) const;
    /// The same where collectives were measured: what the cheapest way takes to cut the op into segments, splines and, of an
    /// all-reduce, reduce-scatter and all-gather. Splines that were measured stand for the whole as if all were as cheap for what
    /// they send. Trees and partitions of what was measured whole are left out: nothing was measured in their groups.
    /// cutBoundSeconds() of what was not measured. O(curves * samples).
    [[nodiscard]] double boundSeconds(const DagOp &op, std::int32_t processes, const Channel &channel, Cut cut) const;
    bool operator==(const MotifCosts &) const = default;

private:
    /// What was measured of a motif.
    struct Measured {
        const MotifCurve *curve = nullptr; ///< none: nothing
        bool isItself = true;              ///< else the curve is of the whole
        double share = 1;                  ///< of the whole
    };
    [[nodiscard]] Measured measuredOf(const Motif &motif, const DagOp &op, std::int32_t processes, const Channel &channel) const;
    [[nodiscard]] double launchSecondsOf(const Measured &measured, const Channel &channel) const;
    [[nodiscard]] double measuredBoundSeconds(const DagOp &op, std::int32_t processes, const Channel &channel, Cut cut) const;
    [[nodiscard]] const MotifCurve *curveOf(CollectiveKind kind, const Slice &spline, const Channel &channel) const;
    [[nodiscard]] double localRate(const Channel &channel) const;
    [[nodiscard]] double modelSeconds(const Motif &motif, const DagOp &op, const ProcessGroup &group, std::int32_t members,
                                      const Channel &channel) const;
};

/// How the processes of a cluster share nodes: as many to a node as divide the replicas of each, which is all of them where nodes
/// are equal. The local rate is that of the nodes' fabric; of a channel whose first link is called "pcie", that of the host lane
/// "pcie", else PCIe 3's. Dispatching a motif takes as long as launching a collective (HostCosts::collectiveSeconds): SYNDICATE
/// gives no figure.
[[nodiscard]] MotifCosts modelledCosts(const Cluster &cluster, const std::vector<Channel> &channels);
/// What that means where nodes differ, as an assumption.
[[nodiscard]] std::string unevenNodesNote(const MotifCosts &costs);

/// collectives.csv of measured plans: case, collective, channel, spline, bytes_per_process, all_ranks_seconds_median; of each
/// case "alone" the time until the last process had finished, since the collectives of the next wait for all of them. Two lines
/// of the case "two channels" are one pair that began together; from them follow `slowdowns`, medians over all pairs of a size.
/// Errors name file and line.
[[nodiscard]] Result<MotifCosts> readMotifCostsText(std::string_view csv, const std::string &file = {});
[[nodiscard]] Result<MotifCosts> readMotifCostsFile(const std::string &path);

} // namespace syncopate
