// SPDX-License-Identifier: GPL-3.0-or-later
// A change of rates, followed from link to link. A link's level is the height up to which its flows may grow, each no further
// than the lowest of its other links. Levels of which each is what the others leave it are the max-min fair ones: were there
// two such sets of levels, take the lowest level at which they differ; what a link has at that height depends only on lower
// levels, which are equal. So any order of corrections will do. The one taken, lowest level first, is that of Dijkstra's
// algorithm: a link is seldom corrected twice, because what happens at a level changes nothing below it.
#include "engine/simulate/max_min.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace syncopate {

namespace {
/// A level that differs by less from what its flows leave it is right: rounding.
constexpr double sameLevel = 4e-15;
/// Flows that exceed a link by less than this do not fill it.
constexpr double fullTie = 1 + 1e-12;
constexpr std::size_t mostQueued = 64;
constexpr std::size_t fewPaths = 128; ///< over one link
constexpr std::uint32_t mostSets = 16;
/// A link that is not full is looked at again when its load comes this close: the load kept is exact to far less.
constexpr double nearlyFull = 1 - 1e-6;
} // namespace

/// The level of `link` given those of all others. O(paths over it), times the number of their demands between its present
/// level and the new one at worst. No more than `fewPaths`.
double MaxMin::waterLevel(const Component &component, std::int32_t link) {
    const auto l = static_cast<std::size_t>(link);
    const double capacity = m_links[l].capacity;
    const double present = m_level[l];
    std::array<double, fewPaths> demands, uses;
    std::size_t count = 0;
    double total = 0, demanded = 0;                          // of all flows
    double taken = 0, less = 0, below = 0, above = infinity; // by those that want less than the present level
    for (std::uint32_t i = m_linkPathOffsets[l]; i < m_linkPathOffsets[l + 1]; ++i) {
        const double use = m_entryUse[i];
        if (use == 0)
            continue;
        double demand = infinity;
        const std::int32_t other = m_entryOther[i];
        if (other >= 0) {
            demand = m_level[static_cast<std::size_t>(other)];
        } else if (other == -2) {
            const auto p = static_cast<std::size_t>(m_linkPaths[i]);
            for (std::uint32_t h = m_graph.pathOffsets[p]; h < m_graph.pathOffsets[p + 1]; ++h)
                if (m_graph.pathHops[h].link != link)
                    demand = std::min(demand, m_level[static_cast<std::size_t>(m_graph.pathHops[h].link)]);
        }
        demands[count] = demand;
        uses[count] = use;
        ++count;
        total += use;
        demanded += use * demand;
        if (demand < present) {
            taken += use * demand;
            less += use;
            below = std::max(below, demand);
        } else {
            above = std::min(above, demand);
        }
    }
    if (total == 0 || demanded <= capacity * fullTie) {
        m_links[l].load = demanded;
        m_links[l].loadOf = component.epoch;
        return infinity;
    }
    // What the flows use up to a height is concave in the height: each step of Newton's method stays below the root, and is
    // there when no demand lies between two of them.
    double level = (capacity - taken) / (total - less);
    if (total - less > 0.5 && below < level && level <= above)
        return level;
    level = capacity / total;
    for (double before = 0;;) { // weighted flows that want less than the level; whole numbers
        taken = less = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const bool lower = demands[i] < level;
            taken += lower ? uses[i] * demands[i] : 0;
            less += lower ? uses[i] : 0;
        }
        if (less <= before || total - less < 0.5)
            return level;
        before = less;
        level = std::max(level, (capacity - taken) / (total - less));
    }
}

/// `link` may want another level, though none below `key`.
void MaxMin::look(std::int32_t link, double key) {
    Link &l = m_links[static_cast<std::size_t>(link)];
    if (!l.queued) {
        l.queued = true;
        m_queue.push_back(link);
    }
    l.evaluate = true;
    l.key = key;
}

/// Gives `link` its level and looks at the links that see the difference.
void MaxMin::setLevel(Component &component, std::int32_t link, double level) {
    const auto l = static_cast<std::size_t>(link);
    const double before = m_level[l];
    const double lower = std::min(level, before);
    m_level[l] = level;
    m_touchedLinks.push_back(link);
    const double seen = lower * (1 + sameLevel);
    for (std::uint32_t i = m_linkPathOffsets[l]; i < m_linkPathOffsets[l + 1]; ++i) {
        if (m_entryUse[i] == 0)
            continue;
        const std::int32_t other = m_entryOther[i];
        if (other >= 0) {
            Link &m = m_links[static_cast<std::size_t>(other)];
            const double height = m_level[static_cast<std::size_t>(other)];
            if (height == infinity && m.loadOf == component.epoch && before < infinity) {
                m.load += m_entryUse[m_entryTwin[i]] * (level - before);
                if (m.load < m.capacity * nearlyFull && !m.queued)
                    continue;
            } else if (std::max(height, m.queued ? m.wanted : 0) <= seen) {
                continue;
            }
            look(other, lower);
        } else if (other == -2) {
            const auto p = static_cast<std::size_t>(m_linkPaths[i]);
            for (std::uint32_t h = m_graph.pathOffsets[p]; h < m_graph.pathOffsets[p + 1]; ++h)
                if (m_graph.pathHops[h].link != link)
                    look(m_graph.pathHops[h].link, lower);
        }
    }
}

void MaxMin::chooseBottleneck(std::int32_t path) {
    const auto i = static_cast<std::size_t>(path);
    std::int32_t found = -1;
    if (m_paths[i].flows > 0) {
        double least = infinity;
        for (std::uint32_t h = m_graph.pathOffsets[i]; h < m_graph.pathOffsets[i + 1]; ++h) {
            const std::int32_t link = m_graph.pathHops[h].link;
            const double level = m_level[static_cast<std::size_t>(link)];
            if (level < least || (level == least && link == m_bottleneck[i])) {
                least = level;
                found = link;
            }
        }
    }
    if (found == m_bottleneck[i])
        return;
    m_bottleneck[i] = found;
    m_movedPaths.push_back(path);
}

bool MaxMin::propagate(Component &component) {
    const auto drop = [&](std::size_t place) {
        m_links[static_cast<std::size_t>(m_queue[place])].queued = false;
        m_queue[place] = m_queue.back();
        m_queue.pop_back();
    };
    while (!m_queue.empty()) {
        if (m_queue.size() > mostQueued)
            return false;
        std::size_t first = 0;
        for (std::size_t i = 1; i < m_queue.size(); ++i) {
            const Link &a = m_links[static_cast<std::size_t>(m_queue[i])], &b = m_links[static_cast<std::size_t>(m_queue[first])];
            // Among equals those to be evaluated come first: they may turn out to be the lowest.
            if (a.key < b.key || (a.key == b.key && a.evaluate && !b.evaluate))
                first = i;
        }
        const std::int32_t link = m_queue[first];
        const auto i = static_cast<std::size_t>(link);
        Link &l = m_links[i];
        if (!l.evaluate) {
            drop(first);
            l.sets = l.setIn == m_propagation ? l.sets + 1 : 1;
            l.setIn = m_propagation;
            if (l.sets > mostSets)
                return false;
            setLevel(component, link, l.wanted);
            continue;
        }
        if (m_linkPathOffsets[i + 1] - m_linkPathOffsets[i] > fewPaths)
            return false;
        l.evaluate = false;
        l.wanted = waterLevel(component, link);
        const double level = m_level[i];
        if (l.wanted == level || (level < infinity && std::abs(l.wanted - level) <= level * sameLevel))
            drop(first);
        else
            l.key = std::min(l.wanted, level);
    }
    for (const std::int32_t link : m_touchedLinks) {
        const auto l = static_cast<std::size_t>(link);
        for (std::uint32_t i = m_linkPathOffsets[l]; i < m_linkPathOffsets[l + 1]; ++i) {
            if (m_entryUse[i] == 0)
                continue;
            const std::int32_t path = m_linkPaths[i], other = m_entryOther[i];
            const std::int32_t now = m_bottleneck[static_cast<std::size_t>(path)];
            if (other >= 0 && now >= 0) { // the common case of chooseBottleneck()
                const std::int32_t rival = now == link ? other : link;
                if (!(m_level[static_cast<std::size_t>(rival)] < m_level[static_cast<std::size_t>(now)]))
                    continue;
            }
            chooseBottleneck(path);
        }
    }
    return true;
}

} // namespace syncopate
