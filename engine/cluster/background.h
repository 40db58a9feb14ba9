// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// Traffic of others that takes a share of one direction of a node's link for a while. Workers are counted as replicas in the
/// order of the nodes (Cluster::replicaNodes()), servers as nodes that only serve (Cluster::serverNodes()).
struct BackgroundTraffic {
    bool server = false;    ///< of a parameter server; else of a worker
    std::int32_t index = 0; ///< of that worker or server; without effect in a cluster that has fewer
    bool up = false;        ///< bytes that the node sends; else those it receives
    double fromSeconds = 0, toSeconds = 0;
    double share = 0; ///< of the link's rate, 0 to below 1; shares that meet add up
    bool operator==(const BackgroundTraffic &) const = default;
};

/// "worker0.up:0.3@0-2s,server0.down:0.5@1-4s". Errors name the part that is wrong; as checkBackground().
[[nodiscard]] Result<std::vector<BackgroundTraffic>> parseBackground(std::string_view text);
/// A CSV table with the columns link,from_seconds,to_seconds,share; links as above. Errors name file and line.
[[nodiscard]] Result<std::vector<BackgroundTraffic>> parseBackgroundTable(std::string_view text, const std::string &file = {});
[[nodiscard]] Result<std::vector<BackgroundTraffic>> readBackgroundFile(const std::string &path);
/// At most 10000 entries, times from 0 that end after they begin, and less than the whole of a link at any time.
[[nodiscard]] Result<void> checkBackground(const std::vector<BackgroundTraffic> &background);

/// How much of one direction of a node's link is left from a time on.
struct NicChange {
    double seconds = 0;
    std::int32_t node = 0;
    bool up = false;
    double left = 1; ///< of its rate, above 0
};
/// The changes that `background` makes, in the order of time. `workers` and `servers` are their nodes; traffic of one that is not
/// among them, or without a share, changes nothing.
[[nodiscard]] std::vector<NicChange> nicChangesOf(const std::vector<BackgroundTraffic> &background,
                                                  std::span<const std::int32_t> workers, std::span<const std::int32_t> servers);

} // namespace syncopate
