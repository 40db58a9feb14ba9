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
    /// The min time of a buffer of `bytes` over all numbers of segments, which run one after the other. O(samples).
    [[nodiscard]] double segmentedSeconds(double bytes) const;
};

/// The rate at which a process sends to others of its node, on channels whose first link is `link`.
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

/// The times of motifs alone on their links, and their slowdowns where other links are busy.
struct MotifCosts {
    std::vector<MotifCurve> curves;
    std::vector<LinkSlowdown> slowdowns; ///< links that are not listed have none
    /// Of dispatching a motif, where measurements do not state it (launchSecondsOn()).
    double launchSeconds = 0;
    /// Processes with the same p / processesPerNode share a node. They communicate at localRates, and with other nodes at the
    /// channel's bandwidth, each over a NIC of its own.
    std::int32_t processesPerNode = 1;
    /// Max processes of a node. Where nodes differ, processesPerNode is the greatest common divisor of their processes.
    std::int32_t largestNode = 1;
    std::vector<LocalRate> localRates; ///< channels that are not listed have their own bandwidth

    /// The time of a motif: from a measured curve of its kind and spline on the channel's first link, between two sizes linearly
    /// and beyond the last in proportion; curves are of all processes, and include the dispatch of the motif. A piece of which
    /// only the whole was measured: launch + its share of the rest. Where neither was: launch + steps * latency + the max of two,
    /// bytes that a process sends inside its node over the local rate, and outside over the bandwidth. A ring enters and leaves a
    /// node once, and there are as many rings as the node has members, each over a NIC of its own (as NCCL builds them). Bytes
    /// that an all-to-all sends outside take longer where the channel has incast. Steps: n - 1 each for reduce-scatter,
    /// all-gather, and all-to-all (pairwise; of a spline as many as processes that it sends to), twice that for all-reduce, one
    /// for a permute (of which those that send to another node may be slower than the others), log2 n for the others. Splines of
    /// all-gather, reduce-scatter, broadcast and reduce are direct sends, too, with a step for each; their bytes to other nodes
    /// leave over one NIC and, but for a broadcast's, arrive at one process with others' at once (incast). For groups of
    /// different sizes the time of the slowest, each by its own size; they lie evenly on nodes (checkGroupsOnNodes()). Equal
    /// groups that do not are priced on nodes of the greatest common divisor of a node and the processes that a group spans.
    [[nodiscard]] double seconds(const Motif &motif, const DagOp &op, std::int32_t processes, const Channel &channel) const;
    /// Of a comm-op among all processes.
    [[nodiscard]] double seconds(const Motif &motif, double opBytes, std::int32_t processes, const Channel &channel) const;

    /// Seconds to dispatch one more motif on the channel, whatever its size (section 4.2). Splines together carry the bytes and
    /// the pattern of the whole, so it is the time of k of them beyond the whole's, over k - 1, at the smallest size measured for
    /// all, where bytes count least: the min over k = 2, 4 and 8, clamped to 0 and the whole's time there. Splines have less
    /// incast, so this is a lower estimate. launchSeconds on links whose splines were not measured. O(curves).
    [[nodiscard]] double launchSecondsOn(const Channel &channel) const;
    /// The part of seconds() that is dispatch; 0 for a motif that was measured itself, whose curve does not state it.
    [[nodiscard]] double launchSecondsOf(const Motif &motif, const DagOp &op, std::int32_t processes,
                                         const Channel &channel) const;
    /// Whether a motif's seconds() are from measurements, of it or of the whole.
    [[nodiscard]] bool isMeasured(const Motif &motif, const DagOp &op, std::int32_t processes, const Channel &channel) const;

    /// Whether whole collectives of the kind have measured times on some channel, or splines of them: their own, or half of an
    /// all-reduce's.
    [[nodiscard]] bool isMeasured(CollectiveKind kind) const;
    /// Replaces the measured costs by those of `from`, and keeps the costs that follow from the cluster.
    void takeMeasured(const MotifCosts &from);

    /// The cut that bytes have to cross: around each process or around each node. Where nodes are equal no other cuts matter.
    enum class Cut : std::uint8_t { Process, Node };
    /// Lower bound, without latencies, of any way to carry out a comm-op over one channel: the bytes that have to cross a cut
    /// over its bandwidth (ForestColl, whose bound is the max over cuts). For all-reduces and their halves, the bytes across all
    /// k equal cuts together: an all-reduce has to move 2 (k-1) payloads between k nodes. For a group inside a node both cuts are
    /// around processes.
    [[nodiscard]] double cutBoundSeconds(const DagOp &op, std::int32_t processes, const Channel &channel, Cut cut) const;
    /// The same where collectives were measured: the time of the cheapest way to cut the op into segments, splines and, for an
    /// all-reduce, reduce-scatter and all-gather, both at the time of the cheaper one, as the other may be on another channel. A
    /// measured spline stands for the whole as if all were as cheap per byte sent. Trees and partitions of collectives measured
    /// whole are left out: nothing was measured in their groups. cutBoundSeconds() where nothing was measured. O(curves *
    /// samples).
    [[nodiscard]] double boundSeconds(const DagOp &op, std::int32_t processes, const Channel &channel, Cut cut) const;
    bool operator==(const MotifCosts &) const = default;

private:
    /// The measured curve for a motif.
    struct Measured {
        const MotifCurve *curve = nullptr; ///< null: not measured
        bool isItself = true;              ///< else the curve is of the whole
        double share = 1;                  ///< of the whole
    };
    [[nodiscard]] Measured measuredOf(const Motif &motif, const DagOp &op, std::int32_t processes, const Channel &channel) const;
    [[nodiscard]] double launchSecondsOf(const Measured &measured, const Channel &channel) const;
    [[nodiscard]] double measuredBoundSeconds(const DagOp &op, std::int32_t processes, const Channel &channel, Cut cut) const;
    [[nodiscard]] const MotifCurve *curveOf(CollectiveKind kind, const Slice &spline, const Channel &channel) const;
    [[nodiscard]] double localRate(const Channel &channel) const;
    /// Of an op with groups of one size; `liesEvenly`: they stay inside nodes or fill them, wherever they begin.
    [[nodiscard]] double groupSeconds(const Motif &motif, const DagOp &op, std::int32_t processes, const Channel &channel,
                                      bool liesEvenly) const;
    /// Of a motif whose `group` states its size, on nodes of `node` processes.
    [[nodiscard]] double modelSeconds(const Motif &motif, const DagOp &op, const ProcessGroup &group, std::int32_t node,
                                      const Channel &channel) const;
};

/// How the processes of a cluster share nodes: processesPerNode is the greatest common divisor of the nodes' replicas, which is
/// all of them where nodes are equal. The local rate is that of the nodes' fabric; of a channel whose first link is called
/// "pcie", that of the host lane "pcie", else PCIe 3's. Dispatching a motif takes as long as launching a collective
/// (HostCosts::collectiveSeconds): SYNDICATE gives no figure.
[[nodiscard]] MotifCosts modelledCosts(const Cluster &cluster, const std::vector<Channel> &channels);
/// The assumption that this makes where nodes differ.
[[nodiscard]] std::string unevenNodesNote(const MotifCosts &costs);

/// collectives.csv of measured plans: case, collective, channel, spline, bytes_per_process, all_ranks_seconds_median; of each
/// case "alone" the time until the last process had finished, since the collectives of the next wait for all of them. Two lines
/// of the case "two channels" are one pair that began together; from them follow `slowdowns`, medians over all pairs of a size.
/// Errors name file and line.
[[nodiscard]] Result<MotifCosts> readMotifCostsText(std::string_view csv, const std::string &file = {});
[[nodiscard]] Result<MotifCosts> readMotifCostsFile(const std::string &path);

} // namespace syncopate
