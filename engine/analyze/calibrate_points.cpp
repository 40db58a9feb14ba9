// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/calibrate.h"
#include "engine/base/median.h"
#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/cluster/measured_limits.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace syncopate {

namespace {

/// The times of one collective among a number of ranks, by size; `source`: the first log's file, `logs`: how many logs.
struct PointSamples {
    std::map<double, std::vector<double>> secondsBySize;
    std::string source;
    std::size_t logs = 0;

    /// Returns the number of samples that are beyond the limits of a cluster file, and not added.
    [[nodiscard]] std::size_t add(const CollectiveLog &log) {
        if (logs++ == 0)
            source = shownFileName(log.source);
        std::size_t beyond = 0;
        for (const CollectiveSample &sample : log.samples)
            if (sample.sizeBytes >= minMeasuredBytes && sample.sizeBytes <= maxMeasuredBytes &&
                sample.seconds >= minMeasuredSeconds && sample.seconds <= maxMeasuredSeconds)
                secondsBySize[sample.sizeBytes].push_back(sample.seconds);
            else
                ++beyond;
        return beyond;
    }
};

MeasuredCollective measuredOf(CollectiveKind kind, std::int32_t ranks, const PointSamples &samples) {
    MeasuredCollective measured{.kind = kind, .ranks = ranks, .points = {}};
    std::vector<MeasuredCollective::Point> all;
    for (const auto &[size, seconds] : samples.secondsBySize)
        all.push_back({size, median(seconds)});
    const std::size_t kept = std::min(all.size(), maxMeasuredPoints);
    for (std::size_t p = 0; p < kept; ++p) // evenly thinned, with the first and the last
        measured.points.push_back(all[p * (all.size() - 1) / (kept - 1)]);
    return measured;
}

/// Why a cluster file cannot hold the samples; null if it can.
const char *whyNotKept(CollectiveKind kind, std::int32_t ranks, const PointSamples &samples) {
    if (kind == CollectiveKind::Permute)
        return "a cluster file has no times of that collective";
    if (samples.secondsBySize.size() < 2 || ranks < 2)
        return "at least two sizes and two ranks are needed";
    return ranks > maxMeasuredRanks ? "these are too many ranks" : nullptr;
}

using CurveKey = std::pair<CollectiveKind, std::int32_t>; ///< a collective and its number of ranks

CurveKey curveKeyOf(const CollectiveLog &log, const Cluster &cluster) {
    return {log.kind, log.ranks > 0 ? log.ranks : cluster.replicaCount()};
}

/// Where logs of a collective among as many ranks state different numbers of nodes, as rings inside nodes and across them do: the
/// number of nodes that hold as many replicas of the cluster. A curve has one time for a size.
std::map<CurveKey, std::int32_t> nodesToKeep(const std::vector<CollectiveLog> &logs, const Cluster &cluster) {
    std::map<CurveKey, std::set<std::int32_t>> stated;
    for (const CollectiveLog &log : logs)
        if (log.nodes > 0 && hasWholeSizes(log))
            stated[curveKeyOf(log, cluster)].insert(log.nodes);
    std::map<CurveKey, std::int32_t> nodes;
    for (const auto &[key, numbers] : stated)
        if (numbers.size() > 1 && key.second <= maxMeasuredRanks && cluster.replicaCount() > 0)
            nodes[key] = static_cast<std::int32_t>(withWorkers(cluster, key.second).trainingNodes().size());
    return nodes;
}

/// Why no points of a log are kept; empty if they are. `nodes`: nodesToKeep().
std::string whyLeftOut(const CollectiveLog &log, const CurveKey &key, const std::map<CurveKey, std::int32_t> &nodes) {
    if (!hasWholeSizes(log))
        return pairSizesRemark;
    const auto wanted = nodes.find(key);
    if (wanted == nodes.end() || log.nodes == wanted->second)
        return {};
    if (log.nodes == 0)
        return fmt::format("it does not state its nodes, and other logs of {} ranks differ in theirs", key.second);
    return fmt::format("{} ranks were on {}, the cluster's are on {}", key.second, counted(log.nodes, "node"), wanted->second);
}

} // namespace

Result<void> keepPoints(Calibration &calibration, const std::vector<CollectiveLog> &logs) {
    Cluster &cluster = calibration.cluster;
    const std::map<CurveKey, std::int32_t> nodes = nodesToKeep(logs, cluster);
    std::map<CurveKey, PointSamples> samples;
    for (const CollectiveLog &log : logs) {
        const CurveKey key = curveKeyOf(log, cluster);
        if (const std::string why = whyLeftOut(log, key, nodes); !why.empty()) {
            calibration.notes.push_back(
                fmt::format("No points of {} from {} are kept: {}.", nameOf(log.kind), shownFileName(log.source), why));
            continue;
        }
        PointSamples &own = samples[key];
        if (const std::size_t beyond = own.add(log); beyond > 0)
            calibration.notes.push_back(fmt::format(
                "Left out of {} from {}: {}, as a cluster file has sizes from {:g} to {:g} B and times from {:g} to {:g} s.",
                nameOf(log.kind), shownFileName(log.source), counted(beyond, "sample"), minMeasuredBytes, maxMeasuredBytes,
                minMeasuredSeconds, maxMeasuredSeconds));
    }
    std::size_t kept = 0;
    for (const auto &[which, own] : samples) {
        const CollectiveKind kind = which.first;
        const std::int32_t ranks = which.second;
        if (const char *why = whyNotKept(kind, ranks, own)) {
            calibration.notes.push_back(fmt::format("No points of {} among {} ranks are kept: {}.", nameOf(kind), ranks, why));
            continue;
        }
        std::erase_if(cluster.collectives,
                      [&](const MeasuredCollective &other) { return other.kind == kind && other.ranks == ranks; });
        MeasuredCollective measured = measuredOf(kind, ranks, own);
        measured.note = fmt::format("Measured: {} among {} ranks, {} sizes from {} to {}, from {}{}.", nameOf(kind), ranks,
                                    measured.points.size(), formatBytes(measured.points.front().sizeBytes),
                                    formatBytes(measured.points.back().sizeBytes), own.source,
                                    own.logs > 1 ? fmt::format(" and {} more", own.logs - 1) : "");
        calibration.notes.push_back(measured.note);
        if (const std::size_t sizes = own.secondsBySize.size(); sizes > measured.points.size())
            calibration.notes.push_back(
                fmt::format("Left out of {} among {} ranks: {} of {} sizes, evenly spread, as a cluster file has up to {}.",
                            nameOf(kind), ranks, sizes - measured.points.size(), sizes, maxMeasuredPoints));
        cluster.collectives.push_back(std::move(measured));
        cluster.staleCurvesLeftOut = false;
        ++kept;
    }
    if (kept == 0)
        return fail("no points of a collective can be kept",
                    "give logs of two sizes or more, measured on as many nodes as those ranks occupy in this cluster",
                    logs.empty() ? "" : logs.front().source);
    if (cluster.collectives.size() > maxMeasuredCurves)
        return fail(fmt::format("{} measured collectives would be in the cluster file", cluster.collectives.size()),
                    fmt::format("keep up to {}: give fewer logs", maxMeasuredCurves));
    return {};
}

} // namespace syncopate
