// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/lint.h"

#include <fmt/format.h>
#include <set>

namespace syncopate {

std::vector<LintMark> lintBackground(const Cluster &cluster, const std::vector<BackgroundTraffic> &background) {
    const std::size_t workers = cluster.replicaNodes().size(), servers = cluster.serverNodes().size();
    std::set<std::pair<bool, std::int32_t>> missing;
    for (const BackgroundTraffic &traffic : background)
        if (static_cast<std::size_t>(traffic.index) >= (traffic.server ? servers : workers))
            missing.emplace(traffic.server, traffic.index);
    std::vector<LintMark> marks;
    for (const auto &[server, index] : missing)
        marks.push_back(
            {LintSeverity::Warning,
             "background-nowhere",
             {},
             server
                 ? fmt::format("background traffic of server {}, where the cluster's dedicated servers number {}", index, servers)
                 : fmt::format("background traffic of worker {}, where the cluster's workers number {}", index, workers),
             server ? "count dedicated servers from 0; a server on a worker's node shares that worker's link"
                    : "count workers (replicas) from 0"});
    return marks;
}

} // namespace syncopate
