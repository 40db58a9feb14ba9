// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/rewrite/task_graph.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace syncopate {

/// Max-min fair rates of flows over shared links (Bertsekas and Gallager, Data Networks, section 6.5.2), kept up to date while
/// flows come and go. A path that has flows is held back by one link, its bottleneck, and all paths that one link holds back
/// have one rate: the link's level. So the result is a level per link and a bottleneck per path, and callers do work per
/// link whose level changed and per path whose bottleneck changed, not per flow.
///
/// Links that no chain of paths connects never influence each other: each such component is computed for itself, in the
/// cheapest of three ways. Where a certificate says that a change alters the level of one link and nothing else, as on the one
/// link of a server, an update costs O(hops of the path). Else the change is followed from link to link, O(paths over the links
/// that it concerns). Where it concerns many, progressive filling of the component costs O(its active paths x hops + its links
/// x levels). A component whose certificates keep failing is asked for one ever more rarely.
class MaxMin {
public:
    explicit MaxMin(const TaskGraph &graph);

    /// `path` has `flows` flows from now on. Takes effect with update().
    void setFlows(std::int32_t path, double flows);
    /// Computes what changed since the last update; fills changedLinks() and movedPaths().
    void update();
    /// Links whose level is another than before the last update, in no order; one may be there twice.
    [[nodiscard]] const std::vector<std::int32_t> &changedLinks() const { return m_changedLinks; }
    /// Paths whose bottleneck is another than before; those that have no flow any more among them. No duplicates needed: one
    /// that is there twice is simply where bottleneck() says.
    [[nodiscard]] const std::vector<std::int32_t> &movedPaths() const { return m_movedPaths; }
    /// Bytes/s of a flow that the link holds back; 0 if it holds back none.
    [[nodiscard]] double level(std::int32_t link) const {
        const double own = m_level[static_cast<std::size_t>(link)];
        return own < infinity ? own : 0;
    }
    /// -1 = no flow.
    [[nodiscard]] std::int32_t bottleneck(std::int32_t path) const { return m_bottleneck[static_cast<std::size_t>(path)]; }

    /// For tests and measurements: in which of the three ways changes were computed.
    struct Effort {
        std::uint64_t adjustments = 0, propagations = 0, fillings = 0;
    };
    [[nodiscard]] const Effort &effort() const { return m_effort; }

private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    struct Link {
        double capacity = 0;
        double total = 0; ///< weighted flows; whole numbers, so sums are exact
        // Filling.
        double left = 0, weight = 0, share = 0;
        std::uint32_t fullIn = 0; ///< the filling in which it was full last
        // The certificate. A link that holds back paths: its level is room / members as long as it stays in [least, most],
        // and nothing else changes with it unless it is coupled. Any other: all levels it sees are at most `ceiling`, and
        // total x ceiling <= capacity, so it holds back nobody.
        double room = 0, members = 0;
        double least = 0, most = infinity;
        double ceiling = 0;
        bool coupled = false;
        // Propagation.
        double wanted = 0; ///< the level that its flows' other links leave it
        double key = 0;    ///< no level below this changes because of it
        double load = 0;   ///< while it is not full and `loadOf` is its component's epoch: what its flows use
        std::uint64_t loadOf = 0;
        std::uint32_t setIn = 0; ///< the propagation that changed its level last,
        std::uint32_t sets = 0;  ///< and how often
        bool queued = false, evaluate = false;
    };
    struct Path {
        double flows = 0;
        std::int32_t component = 0;
        std::uint32_t fixedIn = 0; ///< the filling that fixed it last
        bool listed = false;       ///< in its component's active paths
    };
    struct Component {
        std::vector<std::int32_t> links;
        std::vector<std::int32_t> active;  ///< may hold idle paths until the next filling
        std::vector<std::int32_t> changed; ///< paths, since the last update
        std::uint64_t epoch = 1;           ///< counts computations that leave Link::load behind
        bool dirty = false;
        bool certified = false;
        std::uint32_t adjusted = 0;     ///< adjustments since it was certified
        std::uint32_t fillingsToGo = 0; ///< before it is certified again
        std::uint32_t patience = 1;
    };

    void findComponents();
    void solve(Component &component);
    void fill(Component &component);
    void fixRound(double share, std::size_t &open);
    void certify(Component &component);
    [[nodiscard]] bool adjust(std::int32_t path, double change);
    [[nodiscard]] bool join(std::int32_t path, double &weight);
    // Propagation (max_min_changes.cpp).
    [[nodiscard]] bool propagate(Component &component);
    void look(std::int32_t link, double key);
    void setLevel(Component &component, std::int32_t link, double level);
    [[nodiscard]] double waterLevel(const Component &component, std::int32_t link);
    void chooseBottleneck(std::int32_t path);
    [[nodiscard]] bool full(std::int32_t link) const { return m_level[static_cast<std::size_t>(link)] < infinity; }
    [[nodiscard]] Link &linkOf(const PathHop &hop) { return m_links[static_cast<std::size_t>(hop.link)]; }

    const TaskGraph &m_graph;
    std::vector<Link> m_links;
    std::vector<double> m_level; ///< per link; infinity: it holds back nobody
    std::vector<Path> m_paths;
    std::vector<std::int32_t> m_bottleneck; ///< per path; -1 = no flow
    std::vector<Component> m_components;
    std::vector<std::uint32_t> m_linkPathOffsets; ///< CSR: the paths over each link
    std::vector<std::int32_t> m_linkPaths;
    std::vector<std::int32_t> m_entryOther;         ///< beside m_linkPaths: the path's other link; -1 = none, -2 = several
    std::vector<std::uint32_t> m_entryTwin;         ///< beside m_linkPaths: the path's place among those of that other link
    std::vector<double> m_entryUse;                 ///< beside m_linkPaths: weighted flows
    std::vector<std::uint32_t> m_entryOfHop;        ///< beside the graph's hops: their place in m_linkPaths
    std::vector<std::int32_t> m_dirty;              ///< components
    std::vector<std::int32_t> m_usedLinks, m_fixed; ///< scratch of fill()
    std::vector<std::int32_t> m_changedLinks, m_movedPaths;
    std::vector<std::int32_t> m_queue, m_touchedLinks; ///< scratch of propagate()
    std::uint32_t m_filling = 0, m_propagation = 0;
    Effort m_effort;
    bool m_fresh = true; ///< update() was called since the last setFlows()
};

} // namespace syncopate
