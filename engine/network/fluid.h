// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/link_paths.h"
#include "engine/network/network.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace syncopate {

/// Flows over shared links. The problem: rates change whenever a flow starts or ends, and there are thousands of flows. All flows
/// of one path have the same max-min fair rate, so a path keeps the bytes that each of its flows has had so far ("virtual time")
/// and a heap of the totals at which they end: a flow costs O(log flows of its path). A path may limit its flows
/// (LinkPaths::pathLimits): they get at most that rate. Times are absolute seconds and never go back.
///
/// Rates are recomputed where the number of flows on a path or a capacity has changed, per component (links that no chain of
/// paths connects never influence each other), and only paths whose rate changes are touched. A change that leaves the other
/// rates of its component alone costs only the active paths on the links of its own path. Either way, rates have the bits that a
/// solve from scratch gives: they are a function of the flows and capacities, not of what happened before.
class FluidLinks {
public:
    /// `network` must outlive it; NetworkOverTime applies its capacityChanges. Every path crosses a link.
    explicit FluidLinks(const LinkPaths &network);

    /// `flow` starts moving `bytes` along `path` at `now`. Rates are stale until next().
    void start(FlowId flow, PathId path, double bytes, double now);
    /// Sets the rate of a link from the next next() on.
    void setCapacity(LinkId link, double bytesPerSecond);
    /// When the next flow ends; infinity if none flows. Recomputes rates where something changed: O(square root of the number of
    /// paths), and O(hops of active paths + links log links) of the components concerned.
    [[nodiscard]] double next(double now) {
        settle(now);
        return idle() ? std::numeric_limits<double>::infinity() : nextEnd();
    }
    /// Appends the flows that end at `now`, the time of next(), to `seen`, including those within rounding of it.
    void advance(double now, std::vector<NetworkEvent> &seen);
    [[nodiscard]] bool idle() const { return m_flows == 0; }
    /// Rate of one flow on `path`, bytes/s; 0 when idle.
    [[nodiscard]] double rate(PathId path) const { return m_paths[path.index()].rate; }
    /// Rate of a flow on `path` if it were the only one anywhere: that of its narrowest link, or its limit.
    [[nodiscard]] double rateAlone(PathId path) const;

private:
    using ComponentId = Id<struct LinkComponentKind>;
    struct End {
        double service;
        FlowId flow;
        bool operator>(const End &other) const { return service != other.service ? service > other.service : other.flow < flow; }
    };
    /// The part of a path that solves and ends of flows read: one cache line, as a solve reads it for each active path.
    struct alignas(64) Path {
        double service = 0; ///< bytes each of its flows has moved since the path became active, at the time `since`
        double since = 0;
        double rate = 0;
        double flows = 0;      ///< when the rates were last computed; above 0: the path is active
        std::vector<End> ends; ///< heap, smallest first
        LinkId fixedBy;        ///< the link whose share is its rate; none: it is idle or at its limit
        bool touched = false;
    };
    /// Where a path is listed.
    struct Place {
        ComponentId component;
        std::int32_t limit = -1;        ///< into its component's limits; -1 = none
        std::uint32_t amongLimited = 0; ///< there, among the active
    };
    /// An active path on a link: its hop there.
    struct Crossing {
        PathId path;
        std::uint32_t hop;
    };
    struct Link {
        double capacity = 0; ///< bytes/s; the network's until setCapacity()
        double total = 0;    ///< weighted flows when the rates were last computed; whole numbers, so sums are exact
        // Of a solve: `open` weighted flows without a rate share `left`, less `taken` flows that have the rate `share`.
        double left = 0, open = 0, taken = 0, share = 0;
        std::uint32_t first = 0, active = 0; ///< its crossings
        std::uint32_t fixes = 0;             ///< paths that have its share as their rate
        ComponentId component;
        std::uint32_t place = 0; ///< among its component's active links
    };
    /// Active paths of a component with the same limit.
    struct Limit {
        double bytesPerSecond = 0;
        std::vector<PathId> active;
    };
    struct Component {
        std::vector<LinkId> activeLinks;
        std::vector<Limit> limits; ///< ascending
        std::uint32_t activePaths = 0;
        bool dirty = false; ///< to be solved as a whole
    };
    /// A link that waits for its turn in a solve, with its share when it was queued: never more than its share now.
    struct Turn {
        double share;
        LinkId link;
        bool operator<(const Turn &other) const { return share != other.share ? share < other.share : link < other.link; }
    };

    void findComponents();
    void findLimits();
    void activate(PathId path);
    void deactivate(PathId path);
    void settle(double now);
    /// Finds the rate of a path whose number of flows has changed, if that leaves all other rates alone; false if it might not.
    bool settleApart(PathId path, double now);
    [[nodiscard]] double shareBeside(PathId path, const PathHop &hop);
    [[nodiscard]] double nextEnd();
    /// Ends the flows of a path that end at `now`, or within `tie` seconds after it.
    void endFlows(PathId path, double now, double tie, std::vector<NetworkEvent> &seen);
    void solve(Component &component, double now);
    /// Gives the open flows of a path their rate and takes them off its links, but not off the link `by`, which they fill.
    void fix(PathId path, double rate, LinkId by, double now);
    /// Sets the rate of each flow of a path; `by`: the link that limits it, none for the path's own limit. If the rate is the
    /// same, the flows keep their ends.
    void setRate(PathId path, double rate, LinkId by, double now);
    [[nodiscard]] static double shareOf(const Link &link);
    void sinkTurn(std::size_t i);
    void serve(Path &path, double now) const {
        path.service += path.rate * (now - path.since);
        path.since = now;
    }
    void setEnd(PathId path, double end);
    void updateEnd(PathId path);

    const LinkPaths &m_network;
    std::vector<Path> m_paths;
    std::vector<Place> m_places; ///< per path
    std::vector<Link> m_links;
    std::vector<Component> m_components;
    std::vector<Crossing> m_crossings;              ///< per link room for all of its paths, the active ones first
    std::vector<std::uint32_t> m_crossingOfHop;     ///< where the hop of an active path is in m_crossings
    std::vector<std::uint32_t> m_fixedIn;           ///< per path: the solve that fixed its rate last
    std::vector<Turn> m_turns;                      ///< scratch of solve(): heap, smallest first
    std::vector<std::pair<double, double>> m_taken; ///< scratch of shareBeside(): rates and weighted flows
    std::vector<PathId> m_touched;                  ///< paths whose number of flows may have changed since settle()
    std::vector<ComponentId> m_dirtyComponents;
    std::uint32_t m_solve = 0;
    std::size_t m_flows = 0;
    // The next end of each path, in blocks with their min: finding the smallest of all and moving one both cost O(square root of
    // paths), and moving all of them O(paths), which lockstep collectives do.
    std::vector<double> m_end, m_blockEnd;
    std::vector<std::uint8_t> m_blockStale;
    std::vector<std::int32_t> m_staleBlocks;
    std::size_t m_blockShift = 4; ///< log2 of paths per block
};

} // namespace syncopate
