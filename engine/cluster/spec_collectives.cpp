// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/spec_collectives.h"

#include "engine/base/yaml_text.h"
#include "engine/cluster/measured_limits.h"
#include "engine/cluster/spec_values.h"

#include <fmt/format.h>
#include <string>
#include <utility>

namespace syncopate {

namespace {

MeasuredCollective readCollective(const YAML::Node &entry) {
    constexpr const char *example = "{kind: all_reduce, ranks: 8, points: [[4096, 5e-5], [1048576, 9e-4]]}";
    checkKeys(entry, "collectives", {"kind", "ranks", "points", "note"}, example);
    if (!entry["kind"] || !entry["ranks"] || !entry["points"])
        refuse(entry.Mark(), "a measured collective has a kind, ranks and points", fmt::format("write {}", example));
    MeasuredCollective measured;
    const std::string kind = readText(entry["kind"], "kind");
    auto known = static_cast<std::uint8_t>(CollectiveKind::AllReduce);
    while (known < static_cast<std::uint8_t>(CollectiveKind::Permute) && nameOf(static_cast<CollectiveKind>(known)) != kind)
        ++known;
    measured.kind = static_cast<CollectiveKind>(known);
    if (measured.kind == CollectiveKind::Permute)
        refuse(entry["kind"].Mark(), fmt::format("kind is {}", shown(entry["kind"])),
               "write all_reduce, reduce_scatter, all_gather, reduce, broadcast or all_to_all");
    measured.ranks = readInteger(entry["ranks"], "ranks", 2, maxMeasuredRanks);
    if (const YAML::Node note = entry["note"])
        measured.note = readText(note, "note");
    const YAML::Node points = entry["points"];
    if (!points.IsSequence() || points.size() < 2 || points.size() > maxMeasuredPoints)
        refuse(points.Mark(), fmt::format("2 to {} points are expected", maxMeasuredPoints), fmt::format("write {}", example));
    for (const auto &pair : points) {
        if (!pair.IsSequence() || pair.size() != 2)
            refuse(pair.Mark(), "a point is not a pair of a size and a time", "write [bytes, seconds]");
        const MeasuredCollective::Point point{readNumber(pair[0], "a size in bytes", minMeasuredBytes, maxMeasuredBytes),
                                              readNumber(pair[1], "a time in seconds", minMeasuredSeconds, maxMeasuredSeconds)};
        if (!measured.points.empty() && !(point.sizeBytes > measured.points.back().sizeBytes))
            refuse(pair.Mark(),
                   fmt::format("a size of {} follows one of {} bytes", point.sizeBytes, measured.points.back().sizeBytes),
                   "list points by size, each size once");
        measured.points.push_back(point);
    }
    return measured;
}

} // namespace

void readCollectives(const YAML::Node &curves, Cluster &cluster) {
    if (!curves.IsSequence() || curves.size() > maxMeasuredCurves)
        refuse(curves.Mark(), fmt::format("up to {} measured collectives are expected", maxMeasuredCurves),
               "write collectives: [{kind: all_reduce, ranks: 8, points: [[4096, 5e-5], [1048576, 9e-4]]}]");
    for (const auto &entry : curves) {
        MeasuredCollective measured = readCollective(entry);
        for (const MeasuredCollective &other : cluster.collectives)
            if (other.kind == measured.kind && other.ranks == measured.ranks)
                refuse(entry.Mark(), fmt::format("{} among {} ranks is listed twice", nameOf(measured.kind), measured.ranks),
                       "keep one of them");
        cluster.collectives.push_back(std::move(measured));
    }
}

} // namespace syncopate
