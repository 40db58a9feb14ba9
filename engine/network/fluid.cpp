// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/fluid.h"

#include "engine/base/numbers.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <span>

namespace syncopate {

namespace {
/// Flows whose ends differ only by rounding end together.
constexpr double relativeTie = 1e-12;
constexpr std::size_t minimumLanes = 4;

/// The smallest of a multiple of `minimumLanes` values. Several minima side by side, because a single one would serialise.
double smallest(std::span<const double> values) {
    double a = infinity, b = infinity, c = infinity, d = infinity;
    for (std::size_t i = 0; i < values.size(); i += minimumLanes) {
        a = std::min(a, values[i]);
        b = std::min(b, values[i + 1]);
        c = std::min(c, values[i + 2]);
        d = std::min(d, values[i + 3]);
    }
    return std::min(std::min(a, b), std::min(c, d));
}
} // namespace

FluidLinks::FluidLinks(const LinkPaths &network)
    : m_network(network), m_paths(network.pathCount()), m_places(network.pathCount()), m_links(network.links.size()),
      m_crossings(network.pathHops.size()), m_crossingOfHop(network.pathHops.size()), m_fixedIn(network.pathCount(), 0) {
    std::vector<std::uint32_t> count(network.links.size(), 0);
    for (const PathHop &hop : network.pathHops)
        ++count[hop.link.index()];
    std::uint32_t first = 0;
    for (std::size_t l = 0; l < m_links.size(); ++l) {
        m_links[l].first = first;
        m_links[l].capacity = network.links[l].bytesPerSecond;
        first += count[l];
    }
    findComponents();
    findLimits();
    while ((std::size_t{1} << (2 * m_blockShift)) < m_paths.size())
        ++m_blockShift;
    const std::size_t blocks = ((m_paths.size() >> m_blockShift) / minimumLanes + 1) * minimumLanes;
    m_end.assign(blocks << m_blockShift, infinity);
    m_blockEnd.assign(blocks, infinity);
    m_blockStale.assign(blocks, 0);
}

void FluidLinks::findComponents() {
    std::vector<LinkId> root;
    root.reserve(m_links.size());
    for (std::size_t l = 0; l < m_links.size(); ++l)
        root.emplace_back(l);
    const auto find = [&](LinkId link) {
        while (root[link.index()] != link) {
            LinkId &up = root[link.index()];
            up = root[up.index()];
            link = up;
        }
        return link;
    };
    for (std::size_t p = 0; p < m_paths.size(); ++p)
        for (std::uint32_t h = m_network.pathOffsets[p] + 1; h < m_network.pathOffsets[p + 1]; ++h)
            root[find(m_network.pathHops[h].link).index()] = find(m_network.pathHops[h - 1].link);
    std::vector<ComponentId> componentOf(m_links.size()); ///< of roots
    for (std::size_t l = 0; l < m_links.size(); ++l) {
        ComponentId &component = componentOf[find(LinkId(l)).index()];
        if (!component.exists()) {
            component = ComponentId(m_components.size());
            m_components.emplace_back();
        }
        m_links[l].component = component;
    }
    for (std::size_t p = 0; p < m_paths.size(); ++p) {
        assert(m_network.pathOffsets[p] < m_network.pathOffsets[p + 1]);
        m_places[p].component = componentOf[find(m_network.pathHops[m_network.pathOffsets[p]].link).index()];
    }
}

void FluidLinks::findLimits() {
    for (std::size_t p = 0; p < m_paths.size(); ++p)
        if (m_network.pathLimits[p] < infinity)
            m_components[m_places[p].component.index()].limits.push_back({m_network.pathLimits[p], {}});
    const auto below = [](const Limit &limit, double bytesPerSecond) { return limit.bytesPerSecond < bytesPerSecond; };
    for (Component &component : m_components) {
        std::vector<Limit> &limits = component.limits;
        std::sort(limits.begin(), limits.end(),
                  [](const Limit &a, const Limit &b) { return a.bytesPerSecond < b.bytesPerSecond; });
        limits.erase(std::unique(limits.begin(), limits.end(),
                                 [](const Limit &a, const Limit &b) { return a.bytesPerSecond == b.bytesPerSecond; }),
                     limits.end());
    }
    for (std::size_t p = 0; p < m_paths.size(); ++p) {
        if (!(m_network.pathLimits[p] < infinity))
            continue;
        const std::vector<Limit> &limits = m_components[m_places[p].component.index()].limits;
        m_places[p].limit = static_cast<std::int32_t>(
            std::lower_bound(limits.begin(), limits.end(), m_network.pathLimits[p], below) - limits.begin());
    }
}

void FluidLinks::setEnd(PathId path, double end) {
    const std::size_t p = path.index();
    const std::size_t block = p >> m_blockShift;
    const double old = m_end[p];
    m_end[p] = end;
    if (end <= m_blockEnd[block]) {
        m_blockEnd[block] = end;
    } else if (old <= m_blockEnd[block] && !m_blockStale[block]) {
        m_blockStale[block] = 1;
        m_staleBlocks.push_back(static_cast<std::int32_t>(block));
    }
}

void FluidLinks::updateEnd(PathId path) {
    const Path &p = m_paths[path.index()];
    setEnd(path,
           p.ends.empty() || !(p.rate > 0) ? infinity : p.since + std::max(0.0, p.ends.front().service - p.service) / p.rate);
}

void FluidLinks::start(FlowId flow, PathId path, double bytes, double now) {
    Path &p = m_paths[path.index()];
    if (p.ends.empty()) { // restarting from 0 keeps the numbers small
        p.service = 0;
        p.since = now;
    } else {
        serve(p, now);
    }
    p.ends.push_back({p.service + bytes, flow});
    if (p.ends.size() > 1)
        std::push_heap(p.ends.begin(), p.ends.end(), std::greater<>());
    ++m_flows;
    if (!p.touched) {
        p.touched = true;
        m_touched.push_back(path);
    }
}

void FluidLinks::setCapacity(LinkId link, double bytesPerSecond) {
    Link &l = m_links[link.index()];
    l.capacity = bytesPerSecond;
    Component &component = m_components[l.component.index()];
    if (!component.dirty) {
        component.dirty = true;
        m_dirtyComponents.push_back(l.component);
    }
}

void FluidLinks::activate(PathId path) {
    Place &p = m_places[path.index()];
    Component &component = m_components[p.component.index()];
    ++component.activePaths;
    if (p.limit >= 0) {
        std::vector<PathId> &active = component.limits[static_cast<std::size_t>(p.limit)].active;
        p.amongLimited = static_cast<std::uint32_t>(active.size());
        active.push_back(path);
    }
    for (std::uint32_t h = m_network.pathOffsets[path.index()]; h < m_network.pathOffsets[path.index() + 1]; ++h) {
        const LinkId link = m_network.pathHops[h].link;
        Link &l = m_links[link.index()];
        if (l.active == 0) {
            l.place = static_cast<std::uint32_t>(component.activeLinks.size());
            component.activeLinks.push_back(link);
        }
        m_crossingOfHop[h] = l.first + l.active++;
        m_crossings[m_crossingOfHop[h]] = {path, h};
    }
}

void FluidLinks::deactivate(PathId path) {
    const Place &p = m_places[path.index()];
    Component &component = m_components[p.component.index()];
    --component.activePaths;
    if (p.limit >= 0) {
        std::vector<PathId> &active = component.limits[static_cast<std::size_t>(p.limit)].active;
        m_places[active.back().index()].amongLimited = p.amongLimited;
        active[p.amongLimited] = active.back();
        active.pop_back();
    }
    for (std::uint32_t h = m_network.pathOffsets[path.index()]; h < m_network.pathOffsets[path.index() + 1]; ++h) {
        Link &l = m_links[m_network.pathHops[h].link.index()];
        const Crossing last = m_crossings[l.first + --l.active];
        m_crossings[m_crossingOfHop[h]] = last;
        m_crossingOfHop[last.hop] = m_crossingOfHop[h];
        if (l.active == 0) {
            const LinkId lastLink = component.activeLinks.back();
            m_links[lastLink.index()].place = l.place;
            component.activeLinks[l.place] = lastLink;
            component.activeLinks.pop_back();
        }
    }
}

double FluidLinks::rateAlone(PathId path) const {
    double share = m_network.pathLimits[path.index()];
    for (const PathHop &hop : m_network.hopsOf(path))
        share = std::min(share, m_links[hop.link.index()].capacity / hop.weight);
    return share;
}

double FluidLinks::nextEnd() {
    for (const std::int32_t block : m_staleBlocks) {
        const double *first = m_end.data() + (static_cast<std::size_t>(block) << m_blockShift);
        m_blockEnd[static_cast<std::size_t>(block)] = smallest({first, std::size_t{1} << m_blockShift});
        m_blockStale[static_cast<std::size_t>(block)] = 0;
    }
    m_staleBlocks.clear();
    return smallest(m_blockEnd);
}

void FluidLinks::advance(double now, std::vector<NetworkEvent> &seen) {
    const double tie = now * relativeTie;
    const double until = now + tie;
    const std::size_t size = std::size_t{1} << m_blockShift;
    for (std::size_t block = 0; block < m_blockEnd.size(); ++block) {
        if (m_blockEnd[block] > until)
            continue;
        const std::size_t first = block << m_blockShift;
        const double *ends = m_end.data() + first;
        for (std::size_t i = 0; i < size; ++i)
            if (ends[i] <= until)
                endFlows(PathId(first + i), now, tie, seen);
    }
}

void FluidLinks::endFlows(PathId path, double now, double tie, std::vector<NetworkEvent> &seen) {
    Path &p = m_paths[path.index()];
    serve(p, now);
    const double reached = p.service + p.rate * tie;
    do { // the first flow ends now regardless of rounding
        if (p.ends.size() > 1)
            std::pop_heap(p.ends.begin(), p.ends.end(), std::greater<>());
        seen.push_back({p.ends.back().flow});
        p.ends.pop_back();
        --m_flows;
    } while (!p.ends.empty() && p.ends.front().service <= reached);
    setEnd(path, infinity);
    if (!p.touched) {
        p.touched = true;
        m_touched.push_back(path);
    }
}

static_assert(Network<FluidLinks>);

} // namespace syncopate
