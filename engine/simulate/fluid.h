// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/rewrite/task_graph.h"
#include "engine/simulate/max_min.h"

#include <cstdint>
#include <vector>

namespace syncopate {

/// Flows over shared links. All flows that one link holds back have one max-min fair rate, so that link keeps a clock of the
/// bytes that each of them has had so far ("virtual time"), a heap of its paths by their next end on that clock, and each path
/// a heap of its flows: a flow costs O(log paths of its link + log flows of its path), whatever happens to its rate. Only
/// links whose level changes and paths whose bottleneck changes (engine/simulate/max_min.h) are touched. Times are absolute
/// seconds and never go back.
class FluidLinks {
public:
    explicit FluidLinks(const TaskGraph &graph);

    /// Task `task` starts moving `bytes` along `path` at `now`. Rates and ends are stale until settle(), which must follow
    /// at the same `now`.
    void start(std::int32_t task, std::int32_t path, double bytes, double now);
    /// Recomputes the rates where the number of flows on a path changed.
    void settle(double now);
    /// When the next flow ends at the present rates; infinity if none flows. O(square root of the number of links).
    [[nodiscard]] double nextEnd();
    /// Appends the tasks whose flow ends at `now`, the time of nextEnd(), to `ended`; those within rounding of it too.
    void collect(double now, std::vector<std::int32_t> &ended);
    [[nodiscard]] bool idle() const { return m_flows == 0; }
    /// Rate of one flow on `path`, bytes/s; 0 when idle.
    [[nodiscard]] double rate(std::int32_t path) const;
    /// Rate of a flow on `path` were it the only one anywhere.
    [[nodiscard]] double rateAlone(std::int32_t path) const;
    [[nodiscard]] const MaxMin &rates() const { return m_rates; }

private:
    struct End {
        double service; ///< on the path's own clock
        std::int32_t task;
        bool operator>(const End &other) const { return service != other.service ? service > other.service : task > other.task; }
    };
    struct alignas(64) Path {      // one line of the cache
        std::vector<End> ends;     ///< heap, smallest first
        double ahead = 0;          ///< its clock minus that of its group
        double next = 0;           ///< its first end on the group's clock; infinity: none
        std::int32_t group = -1;   ///< the link that holds it back; -1 = it is idle
        std::int32_t place = 0;    ///< in the group's heap
        std::uint32_t settled = 0; ///< flows at the last settle()
        bool touched = false;
    };
    /// The paths that one link holds back.
    struct alignas(64) Group {
        double clock = 0; ///< bytes that each of its flows has moved, at the time `since`
        double since = 0;
        double rate = 0;
        std::vector<std::int32_t> paths; ///< heap by Path::next, then number
        std::int32_t front = -1;         ///< of that heap; -1 = no path
        std::int32_t slot = -1;          ///< in m_end, from its first path on
        bool stale = false;              ///< its next end is to be computed anew
    };

    [[nodiscard]] Path &pathOf(std::int32_t path) { return m_paths[static_cast<std::size_t>(path)]; }
    [[nodiscard]] Group &groupOf(std::int32_t group) { return m_groups[static_cast<std::size_t>(group)]; }
    static void advance(Group &group, double now) {
        group.clock += group.rate * (now - group.since);
        group.since = now;
    }
    [[nodiscard]] bool before(std::int32_t a, std::int32_t b) const;
    void siftUp(Group &group, std::size_t place);
    void siftDown(Group &group, std::size_t place);
    void resift(Group &group, Path &path);
    void leave(std::int32_t path);
    void enter(std::int32_t path, std::int32_t group, double now);
    void rekey(Path &path);
    void touch(std::int32_t path);
    void markStale(std::int32_t group);
    void setEnd(const Group &group);
    void setEnd(std::int32_t slot, double end);

    const TaskGraph &m_graph;
    MaxMin m_rates;
    std::vector<Path> m_paths;
    std::vector<Group> m_groups;         ///< per link
    std::vector<std::int32_t> m_touched; ///< paths whose flows may have changed since settle()
    std::vector<std::int32_t> m_staleGroups;
    std::size_t m_flows = 0;
    // The next end of each group that ever had a path, in blocks that know their smallest: finding the smallest of all and moving
    // one both cost O(square root of groups), and moving all of them O(groups), which lockstep collectives do.
    std::vector<double> m_end, m_blockEnd;
    std::vector<std::int32_t> m_groupOfSlot;
    std::vector<std::uint8_t> m_blockStale;
    std::vector<std::int32_t> m_staleBlocks;
    std::size_t m_blockShift = 4; ///< log2 of groups per block
};

} // namespace syncopate
