// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/rewrite/task_graph.h"

#include <cstdint>
#include <queue>
#include <vector>

namespace syncopate {

/// Flows over shared links. All flows of one path have the same max-min fair rate, so a path keeps the service that each of
/// its flows has had so far ("virtual time") and a heap of the services at which they end: a flow costs O(log n).
class FluidLinks {
public:
    explicit FluidLinks(const TaskGraph &graph);

    /// Task `task` starts moving `bytes` along `path` now. Rates are stale until settle().
    void start(std::int32_t task, std::int32_t path, double bytes);
    /// Recomputes the rates if the set of active paths changed (progressive filling, all bottlenecks of a round at once).
    void settle();
    /// Time until the next flow ends at the present rates, infinity if none flows.
    [[nodiscard]] double secondsToNextEnd() const;
    /// Moves every flow on by `seconds` and appends the tasks whose flow ended to `ended`.
    void advance(double seconds, std::vector<std::int32_t> &ended);
    [[nodiscard]] bool idle() const { return m_activePaths.empty(); }
    /// Rate of one flow on `path`, bytes/s; 0 when idle. For tests.
    [[nodiscard]] double rate(std::int32_t path) const { return m_paths[static_cast<std::size_t>(path)].rate; }

private:
    struct End {
        double service;
        std::int32_t task;
        bool operator>(const End &other) const { return service != other.service ? service > other.service : task > other.task; }
    };
    struct Path {
        double service = 0; ///< bytes each of its flows has moved since the path became active
        double rate = 0;
        double settledFlows = 0; ///< flows when the rates were last computed
        std::priority_queue<End, std::vector<End>, std::greater<>> ends;
        bool listed = false;
        bool open = false; ///< settle(): its rate is not fixed yet
    };
    const TaskGraph &m_graph;
    std::vector<Path> m_paths;
    std::vector<std::int32_t> m_activePaths;
    std::vector<std::int32_t> m_touched;          ///< paths whose number of flows may have changed since settle()
    std::vector<std::uint32_t> m_linkPathOffsets; ///< CSR: the paths over each link
    std::vector<std::int32_t> m_linkPaths;
    /// Scratch of settle(); weight is 0 between calls.
    struct Link {
        double left = 0, weight = 0, share = 0;
    };
    std::vector<Link> m_links;
    std::vector<std::int32_t> m_usedLinks, m_fixed;
};

} // namespace syncopate
