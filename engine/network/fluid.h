// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/link_paths.h"
#include "engine/network/network.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace syncopate {

/// Flows over shared links. All flows of one path have the same max-min fair rate, so a path keeps the service that each of
/// its flows has had so far ("virtual time") and a heap of the services at which they end: a flow costs O(log flows of its
/// path). A path may limit its flows (LinkPaths::pathLimits): they get that rate at most. Only paths whose rate changes are
/// touched when the rates are computed anew, and rates are computed per component (links that no chain of paths connects never
/// influence each other). Times are absolute seconds and never go back.
class FluidLinks {
public:
    /// `network` must outlive it; its capacityChanges are NetworkOverTime's.
    explicit FluidLinks(const LinkPaths &network);

    /// Flow `id` starts moving `bytes` along `path` at `now`. Rates are stale until next().
    void start(std::int32_t id, std::int32_t path, double bytes, double now);
    /// The link has `bytesPerSecond` from the next next() on.
    void setCapacity(std::int32_t link, double bytesPerSecond);
    /// When the next flow ends; infinity if none flows. Recomputes the rates where the number of flows on a path or a capacity
    /// changed. O(square root of the number of paths), and O(active paths and links of the components concerned).
    [[nodiscard]] double next(double now) {
        settle(now);
        return idle() ? std::numeric_limits<double>::infinity() : nextEnd();
    }
    /// Appends the flows that end at `now`, the time of next(), to `seen`; those within rounding of it too.
    void advance(double now, std::vector<NetworkEvent> &seen);
    [[nodiscard]] bool idle() const { return m_flows == 0; }
    /// Rate of one flow on `path`, bytes/s; 0 when idle.
    [[nodiscard]] double rate(std::int32_t path) const { return m_paths[static_cast<std::size_t>(path)].rate; }
    /// Rate of a flow on `path` were it the only one anywhere: of its narrowest link, or its limit.
    [[nodiscard]] double rateAlone(std::int32_t path) const;

private:
    struct End {
        double service;
        std::int32_t id;
        bool operator>(const End &other) const { return service != other.service ? service > other.service : id > other.id; }
    };
    struct Path {
        double service = 0; ///< bytes each of its flows has moved since the path became active, at the time `since`
        double since = 0;
        double rate = 0;
        double settledFlows = 0; ///< flows when the rates were last computed
        double limit = 0;        ///< of each flow, bytes/s; infinity = none
        std::vector<End> ends;   ///< heap, smallest first
        std::int32_t component = 0;
        bool touched = false;
        bool listed = false;          ///< in its component's activePaths
        std::uint32_t fixedRound = 0; ///< the solve that fixed its rate last
    };
    struct Link {
        double total = 0; ///< weighted flows when the rates were last computed; whole numbers, so sums are exact
        double left = 0, weight = 0, share = 0;
        double capacity = 0; ///< bytes/s; the network's until setCapacity()
        std::int32_t component = 0;
    };
    struct Component {
        std::vector<std::int32_t> links;
        std::vector<std::int32_t> activePaths; ///< may hold idle ones until the next solve
        bool dirty = false;
    };

    void findComponents();
    /// Recomputes the rates (progressive filling, all bottlenecks of a round at once).
    void settle(double now);
    [[nodiscard]] double nextEnd();
    void solve(Component &component, double now);
    /// Fixes the rate of a path of m_fixed and takes its flows off its links.
    void fix(std::int32_t path, double rate, double now);
    void serve(Path &path, double now) const {
        path.service += path.rate * (now - path.since);
        path.since = now;
    }
    void setEnd(std::int32_t path, double end);
    void updateEnd(std::int32_t path);

    const LinkPaths &m_network;
    std::vector<Path> m_paths;
    std::vector<Link> m_links;
    std::vector<Component> m_components;
    std::vector<std::int32_t> m_touched;                       ///< paths whose number of flows may have changed since settle()
    std::vector<std::int32_t> m_dirtyComponents;               ///< scratch of settle()
    std::vector<std::int32_t> m_usedLinks, m_limited, m_fixed; ///< scratch of solve()
    std::vector<std::uint32_t> m_linkPathOffsets;              ///< CSR: the paths over each link
    std::vector<std::int32_t> m_linkPaths;
    std::uint32_t m_solve = 0;
    std::size_t m_flows = 0;
    // The next end of each path, in blocks that know their smallest: finding the smallest of all and moving one both cost
    // O(square root of paths), and moving all of them O(paths), which lockstep collectives do.
    std::vector<double> m_end, m_blockEnd;
    std::vector<std::uint8_t> m_blockStale;
    std::vector<std::int32_t> m_staleBlocks;
    std::size_t m_blockShift = 4; ///< log2 of paths per block
};

} // namespace syncopate
