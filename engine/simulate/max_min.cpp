// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/max_min.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace syncopate {

namespace {
/// Levels that differ by rounding only are one level.
constexpr double levelTie = 1 + 1e-12;
/// An idle link that gets its first flow is certified for levels this far above the present one, if it has the room.
constexpr double headroom = 8;
constexpr std::uint32_t mostPatience = 64;
/// Changes that concern more links than this at once are computed by filling.
constexpr std::size_t mostSeeds = 4;
/// So are all changes where no more paths than this have flows: filling costs little there.
constexpr std::size_t fewActive = 64;
} // namespace

MaxMin::MaxMin(const TaskGraph &graph)
    : m_graph(graph), m_links(graph.links.size()), m_level(graph.links.size(), infinity), m_paths(graph.pathCount()),
      m_bottleneck(graph.pathCount(), -1), m_linkPathOffsets(graph.links.size() + 1, 0), m_linkPaths(graph.pathHops.size()),
      m_entryOther(graph.pathHops.size(), -1), m_entryTwin(graph.pathHops.size(), 0), m_entryUse(graph.pathHops.size(), 0),
      m_entryOfHop(graph.pathHops.size()) {
    for (std::size_t l = 0; l < m_links.size(); ++l)
        m_links[l].capacity = graph.links[l].bytesPerSecond;
    for (const PathHop &hop : graph.pathHops)
        ++m_linkPathOffsets[static_cast<std::size_t>(hop.link) + 1];
    for (std::size_t l = 0; l < m_links.size(); ++l)
        m_linkPathOffsets[l + 1] += m_linkPathOffsets[l];
    std::vector<std::uint32_t> next(m_linkPathOffsets.begin(), m_linkPathOffsets.end() - 1);
    for (std::size_t p = 0; p < m_paths.size(); ++p)
        for (std::uint32_t h = graph.pathOffsets[p]; h < graph.pathOffsets[p + 1]; ++h) {
            const std::int32_t link = graph.pathHops[h].link;
            const std::uint32_t entry = next[static_cast<std::size_t>(link)]++;
            m_linkPaths[entry] = static_cast<std::int32_t>(p);
            m_entryOfHop[h] = entry;
            for (std::uint32_t o = graph.pathOffsets[p]; o < graph.pathOffsets[p + 1]; ++o)
                if (graph.pathHops[o].link != link)
                    m_entryOther[entry] = graph.pathOffsets[p] + 2 == graph.pathOffsets[p + 1] ? graph.pathHops[o].link : -2;
        }
    for (std::size_t p = 0; p < m_paths.size(); ++p)
        if (graph.pathOffsets[p] + 2 == graph.pathOffsets[p + 1]) { // only paths of two hops have twins
            const std::uint32_t first = graph.pathOffsets[p];
            m_entryTwin[m_entryOfHop[first]] = m_entryOfHop[first + 1];
            m_entryTwin[m_entryOfHop[first + 1]] = m_entryOfHop[first];
        }
    findComponents();
}

void MaxMin::findComponents() {
    std::vector<std::int32_t> root(m_links.size());
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&](std::int32_t link) {
        while (root[static_cast<std::size_t>(link)] != link) {
            auto &up = root[static_cast<std::size_t>(link)];
            up = root[static_cast<std::size_t>(up)];
            link = up;
        }
        return link;
    };
    for (std::size_t p = 0; p < m_paths.size(); ++p)
        for (std::uint32_t h = m_graph.pathOffsets[p] + 1; h < m_graph.pathOffsets[p + 1]; ++h)
            root[static_cast<std::size_t>(find(m_graph.pathHops[h].link))] = find(m_graph.pathHops[h - 1].link);
    std::vector<std::int32_t> number(m_links.size(), -1);
    for (std::size_t l = 0; l < m_links.size(); ++l) {
        auto &n = number[static_cast<std::size_t>(find(static_cast<std::int32_t>(l)))];
        if (n < 0) {
            n = static_cast<std::int32_t>(m_components.size());
            m_components.emplace_back();
        }
        m_components[static_cast<std::size_t>(n)].links.push_back(static_cast<std::int32_t>(l));
    }
    for (std::size_t p = 0; p < m_paths.size(); ++p)
        if (m_graph.pathOffsets[p] < m_graph.pathOffsets[p + 1])
            m_paths[p].component = number[static_cast<std::size_t>(find(m_graph.pathHops[m_graph.pathOffsets[p]].link))];
}

void MaxMin::setFlows(std::int32_t path, double flows) {
    if (m_fresh) {
        m_fresh = false;
        m_changedLinks.clear();
        m_movedPaths.clear();
    }
    const auto i = static_cast<std::size_t>(path);
    Path &p = m_paths[i];
    const double change = flows - p.flows;
    if (change == 0)
        return;
    p.flows = flows;
    for (std::uint32_t h = m_graph.pathOffsets[i]; h < m_graph.pathOffsets[i + 1]; ++h) {
        linkOf(m_graph.pathHops[h]).total += m_graph.pathHops[h].weight * change;
        m_entryUse[m_entryOfHop[h]] = m_graph.pathHops[h].weight * flows;
    }
    Component &component = m_components[static_cast<std::size_t>(p.component)];
    if (!p.listed) {
        p.listed = true;
        component.active.push_back(path);
    }
    if (!component.dirty && component.certified && adjust(path, change)) {
        ++component.adjusted;
        ++component.epoch;
        ++m_effort.adjustments;
        return;
    }
    component.changed.push_back(path);
    if (component.dirty)
        return;
    component.dirty = true;
    m_dirty.push_back(p.component);
}

void MaxMin::update() {
    if (m_fresh) {
        m_changedLinks.clear();
        m_movedPaths.clear();
    }
    m_fresh = true;
    for (const std::int32_t c : m_dirty) {
        Component &component = m_components[static_cast<std::size_t>(c)];
        if (component.certified) { // it was not worth much if it failed at once
            component.patience =
                component.adjusted > component.active.size() ? 1 : std::min(mostPatience, component.patience * 2);
            component.fillingsToGo = component.patience - 1;
            component.certified = false;
        } else if (component.fillingsToGo > 0) {
            --component.fillingsToGo;
        }
        solve(component);
        if (component.fillingsToGo == 0)
            certify(component);
    }
    m_dirty.clear();
}

void MaxMin::solve(Component &component) {
    component.dirty = false;
    m_touchedLinks.clear();
    ++m_propagation;
    if (m_propagation == 0) { // wrapped: nothing may seem done already
        for (Link &l : m_links)
            l.setIn = 0;
        m_propagation = 1;
    }
    m_queue.clear();
    bool few = component.active.size() > fewActive;
    for (const std::int32_t path : component.changed) {
        const auto i = static_cast<std::size_t>(path);
        for (std::uint32_t h = m_graph.pathOffsets[i]; h < m_graph.pathOffsets[i + 1] && few; ++h)
            look(m_graph.pathHops[h].link, 0);
        few = few && m_queue.size() <= mostSeeds;
    }
    if (few && propagate(component)) {
        ++m_effort.propagations;
        for (const std::int32_t path : component.changed)
            chooseBottleneck(path);
    } else {
        ++m_effort.fillings;
        ++component.epoch;
        fill(component);
    }
    m_changedLinks.insert(m_changedLinks.end(), m_touchedLinks.begin(), m_touchedLinks.end());
    for (const std::int32_t link : m_queue) // what an early end left there
        m_links[static_cast<std::size_t>(link)].queued = false;
    component.changed.clear();
}

void MaxMin::fill(Component &component) {
    if (++m_filling == 0) { // wrapped: nothing may seem done already
        for (Path &p : m_paths)
            p.fixedIn = 0;
        for (Link &l : m_links)
            l.fullIn = 0;
        m_filling = 1;
    }
    std::size_t open = 0;
    for (const std::int32_t path : component.active) {
        Path &p = m_paths[static_cast<std::size_t>(path)];
        if (p.flows > 0) {
            component.active[open++] = path;
            continue;
        }
        p.listed = false;
        if (m_bottleneck[static_cast<std::size_t>(path)] >= 0) {
            m_bottleneck[static_cast<std::size_t>(path)] = -1;
            m_movedPaths.push_back(path);
        }
    }
    component.active.resize(open);
    m_usedLinks.clear();
    for (const std::int32_t link : component.links) {
        Link &l = m_links[static_cast<std::size_t>(link)];
        if (l.total == 0)
            continue;
        m_usedLinks.push_back(link);
        l.left = l.capacity;
        l.weight = l.total;
    }
    // All open flows grow alike until a link is full; the flows through it are then fixed. All links that fill up at the
    // same level are one round.
    while (open > 0) {
        double share = infinity;
        std::size_t used = 0;
        for (const std::int32_t link : m_usedLinks) {
            Link &l = m_links[static_cast<std::size_t>(link)];
            if (l.weight < 0.5) // weights are whole numbers of flows: this one has none left
                continue;
            m_usedLinks[used++] = link;
            l.share = std::max(0.0, l.left) / l.weight;
            share = std::min(share, l.share);
        }
        m_usedLinks.resize(used);
        fixRound(share, open);
    }
    for (const std::int32_t link : component.links) {
        Link &l = m_links[static_cast<std::size_t>(link)];
        const double level = l.fullIn == m_filling ? l.share : infinity;
        double &own = m_level[static_cast<std::size_t>(link)];
        if (level == own)
            continue;
        own = level;
        m_changedLinks.push_back(link);
    }
}

void MaxMin::fixRound(double share, std::size_t &open) {
    const double most = share * levelTie;
    // Which flows are fixed must not depend on those fixed before in the same round: choose all, then subtract.
    m_fixed.clear();
    for (const std::int32_t link : m_usedLinks) {
        Link &l = m_links[static_cast<std::size_t>(link)];
        if (l.share > most)
            continue;
        l.fullIn = m_filling;
        l.share = share;
        for (std::uint32_t i = m_linkPathOffsets[static_cast<std::size_t>(link)];
             i < m_linkPathOffsets[static_cast<std::size_t>(link) + 1]; ++i) {
            Path &p = m_paths[static_cast<std::size_t>(m_linkPaths[i])];
            if (p.fixedIn == m_filling || p.flows == 0)
                continue;
            p.fixedIn = m_filling;
            m_fixed.push_back(m_linkPaths[i]);
            std::int32_t &held = m_bottleneck[static_cast<std::size_t>(m_linkPaths[i])];
            if (held == link)
                continue;
            // Several links of its path may be full: it stays where it was.
            if (held >= 0) {
                const Link &before = m_links[static_cast<std::size_t>(held)];
                if (before.weight >= 0.5 && before.share <= most)
                    continue;
            }
            held = link;
            m_movedPaths.push_back(m_linkPaths[i]);
        }
    }
    assert(!m_fixed.empty()); // the fullest link has open flows, or its weight were zero
    open -= m_fixed.size();
    if (open == 0)
        return;
    for (const std::int32_t path : m_fixed) {
        const auto i = static_cast<std::size_t>(path);
        for (std::uint32_t h = m_graph.pathOffsets[i]; h < m_graph.pathOffsets[i + 1]; ++h) {
            const PathHop &hop = m_graph.pathHops[h];
            Link &l = linkOf(hop);
            l.left -= hop.weight * m_paths[i].flows * share;
            l.weight -= hop.weight * m_paths[i].flows;
        }
    }
}

void MaxMin::certify(Component &component) {
    component.certified = true;
    component.adjusted = 0;
    for (const std::int32_t link : component.links) {
        Link &l = m_links[static_cast<std::size_t>(link)];
        l.members = 0;
        l.least = 0;
        l.most = infinity;
        l.coupled = false;
        l.ceiling = 0;
        l.room = l.capacity;
    }
    std::erase_if(component.active, [&](std::int32_t path) {
        Path &p = m_paths[static_cast<std::size_t>(path)];
        p.listed = p.flows > 0;
        return !p.listed;
    });

    for (const std::int32_t path : component.active) {
        const auto i = static_cast<std::size_t>(path);
        const std::int32_t held = m_bottleneck[i];
        const double level = m_level[static_cast<std::size_t>(held)];
        for (std::uint32_t h = m_graph.pathOffsets[i]; h < m_graph.pathOffsets[i + 1]; ++h) {
            const PathHop &hop = m_graph.pathHops[h];
            Link &l = linkOf(hop);
            const double weight = hop.weight * m_paths[i].flows;
            if (hop.link == held) {
                l.members += weight;
            } else if (full(hop.link)) { // takes room from another link that is full
                l.room -= weight * level;
                l.least = std::max(l.least, level);
                m_links[static_cast<std::size_t>(held)].coupled = true;
            } else {
                l.ceiling = std::max(l.ceiling, level);
            }
        }
    }
    for (const std::int32_t link : component.links) {
        Link &l = m_links[static_cast<std::size_t>(link)];
        if (full(link) || l.total == 0)
            continue;
        const double fair = l.capacity / l.total;
        l.ceiling = l.ceiling <= fair ? std::sqrt(l.ceiling) * std::sqrt(fair) : 0; // 0: no level is safe
        if (l.total * l.ceiling > l.capacity)
            l.ceiling = 0;
    }
    for (const std::int32_t path : component.active) {
        const auto i = static_cast<std::size_t>(path);
        Link &b = m_links[static_cast<std::size_t>(m_bottleneck[i])];
        for (std::uint32_t h = m_graph.pathOffsets[i]; h < m_graph.pathOffsets[i + 1]; ++h) {
            const PathHop &hop = m_graph.pathHops[h];
            if (hop.link != m_bottleneck[i] && !full(hop.link))
                b.most = std::min(b.most, linkOf(hop).ceiling);
        }
    }
}

/// A path that had no flow: finds its bottleneck where that is plain to see.
bool MaxMin::join(std::int32_t path, double &weight) {
    const Path &p = m_paths[static_cast<std::size_t>(path)];
    const std::uint32_t from = m_graph.pathOffsets[static_cast<std::size_t>(path)];
    const std::uint32_t to = m_graph.pathOffsets[static_cast<std::size_t>(path) + 1];
    std::int32_t found = -1;
    double least = infinity;
    bool alone = true;
    for (std::uint32_t h = from; h < to; ++h) {
        const PathHop &hop = m_graph.pathHops[h];
        const Link &l = linkOf(hop);
        alone = alone && l.total == hop.weight * p.flows;
        if (!full(hop.link))
            continue;
        if (found >= 0)
            return false;
        found = hop.link;
        weight = hop.weight;
    }
    if (found < 0) {
        if (!alone)
            return false;
        for (std::uint32_t h = from; h < to; ++h) {
            const PathHop &hop = m_graph.pathHops[h];
            const double own = linkOf(hop).capacity / hop.weight;
            if (own >= least)
                continue;
            least = own;
            found = hop.link;
            weight = hop.weight;
        }
        if (found < 0)
            return false;
        Link &l = m_links[static_cast<std::size_t>(found)];
        l.room = l.capacity;
        l.members = 0;
        l.least = 0;
        l.most = infinity;
        l.coupled = false;
    }
    m_bottleneck[static_cast<std::size_t>(path)] = found;
    return true;
}

bool MaxMin::adjust(std::int32_t path, double change) {
    const auto i = static_cast<std::size_t>(path);
    const Path &p = m_paths[i];
    const std::uint32_t from = m_graph.pathOffsets[i], to = m_graph.pathOffsets[i + 1];
    double weight = 0;
    if (m_bottleneck[i] < 0) {
        if (!join(path, weight))
            return false;
        m_movedPaths.push_back(path);
    } else {
        for (std::uint32_t h = from; h < to; ++h)
            if (m_graph.pathHops[h].link == m_bottleneck[i])
                weight = m_graph.pathHops[h].weight;
    }
    const std::int32_t link = m_bottleneck[i];
    Link &own = m_links[static_cast<std::size_t>(link)];
    if (own.coupled)
        return false;
    own.members += weight * change;
    m_changedLinks.push_back(link);
    if (p.flows == 0) {
        m_bottleneck[i] = -1;
        m_movedPaths.push_back(path);
    }
    if (own.members < 0.5) { // holds back nobody any more
        m_level[static_cast<std::size_t>(link)] = infinity;
        return own.room == own.capacity && own.total == 0;
    }
    const double level = own.room / own.members;
    if (p.flows > 0) {
        for (std::uint32_t h = from; h < to; ++h) {
            const PathHop &hop = m_graph.pathHops[h];
            if (hop.link == link)
                continue;
            Link &l = linkOf(hop);
            if (l.total == hop.weight * p.flows) { // nobody else is there
                const double fair = l.capacity / l.total;
                l.ceiling = level * headroom <= fair ? fair / headroom : fair;
            } else if (l.total * l.ceiling > l.capacity) {
                return false;
            }
            own.most = std::min(own.most, l.ceiling);
        }
    }
    if (!(level >= own.least && level <= own.most))
        return false;
    m_level[static_cast<std::size_t>(link)] = level;
    return true;
}

} // namespace syncopate
