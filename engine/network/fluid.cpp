// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/fluid.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace syncopate {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
/// Flows whose ends differ by rounding only end together.
constexpr double relativeTie = 1e-12;
} // namespace

FluidLinks::FluidLinks(const LinkPaths &network)
    : m_network(network), m_paths(network.pathCount()), m_links(network.links.size()),
      m_linkPathOffsets(network.links.size() + 1, 0), m_linkPaths(network.pathHops.size()) {
    for (const PathHop &hop : network.pathHops)
        ++m_linkPathOffsets[static_cast<std::size_t>(hop.link) + 1];
    for (std::size_t l = 0; l < network.links.size(); ++l)
        m_linkPathOffsets[l + 1] += m_linkPathOffsets[l];
    std::vector<std::uint32_t> next(m_linkPathOffsets.begin(), m_linkPathOffsets.end() - 1);
    for (std::size_t p = 0; p < network.pathCount(); ++p)
        for (std::uint32_t h = network.pathOffsets[p]; h < network.pathOffsets[p + 1]; ++h)
            m_linkPaths[next[static_cast<std::size_t>(network.pathHops[h].link)]++] = static_cast<std::int32_t>(p);
    findComponents();
    while ((std::size_t{1} << (2 * m_blockShift)) < m_paths.size())
        ++m_blockShift;
    const std::size_t blocks = (m_paths.size() >> m_blockShift) + 1;
    m_end.assign(blocks << m_blockShift, infinity);
    m_blockEnd.assign(blocks, infinity);
    m_blockStale.assign(blocks, 0);
}

void FluidLinks::findComponents() {
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
        for (std::uint32_t h = m_network.pathOffsets[p] + 1; h < m_network.pathOffsets[p + 1]; ++h)
            root[static_cast<std::size_t>(find(m_network.pathHops[h].link))] = find(m_network.pathHops[h - 1].link);
    std::vector<std::int32_t> number(m_links.size(), -1);
    for (std::size_t l = 0; l < m_links.size(); ++l) {
        auto &n = number[static_cast<std::size_t>(find(static_cast<std::int32_t>(l)))];
        if (n < 0) {
            n = static_cast<std::int32_t>(m_components.size());
            m_components.emplace_back();
        }
        m_components[static_cast<std::size_t>(n)].links.push_back(static_cast<std::int32_t>(l));
        m_links[l].component = n;
        m_links[l].capacity = m_network.links[l].bytesPerSecond;
    }
    for (std::size_t p = 0; p < m_paths.size(); ++p) {
        m_paths[p].limit = m_network.pathLimits[p];
        if (m_network.pathOffsets[p] < m_network.pathOffsets[p + 1])
            m_paths[p].component = number[static_cast<std::size_t>(find(m_network.pathHops[m_network.pathOffsets[p]].link))];
    }
}

void FluidLinks::setEnd(std::int32_t path, double end) {
    const auto p = static_cast<std::size_t>(path);
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

void FluidLinks::updateEnd(std::int32_t path) {
    const Path &p = m_paths[static_cast<std::size_t>(path)];
    setEnd(path,
           p.ends.empty() || !(p.rate > 0) ? infinity : p.since + std::max(0.0, p.ends.front().service - p.service) / p.rate);
}

void FluidLinks::start(std::int32_t id, std::int32_t path, double bytes, double now) {
    Path &p = m_paths[static_cast<std::size_t>(path)];
    if (p.ends.empty()) { // a fresh start keeps the numbers small
        p.service = 0;
        p.since = now;
    } else {
        serve(p, now);
    }
    p.ends.push_back({p.service + bytes, id});
    if (p.ends.size() > 1)
        std::push_heap(p.ends.begin(), p.ends.end(), std::greater<>());
    ++m_flows;
    if (!p.touched) {
        p.touched = true;
        m_touched.push_back(path);
    }
}

void FluidLinks::setCapacity(std::int32_t link, double bytesPerSecond) {
    Link &l = m_links[static_cast<std::size_t>(link)];
    l.capacity = bytesPerSecond;
    Component &component = m_components[static_cast<std::size_t>(l.component)];
    if (!component.dirty) {
        component.dirty = true;
        m_dirtyComponents.push_back(l.component);
    }
}

void FluidLinks::settle(double now) {
    for (const std::int32_t path : m_touched) {
        Path &p = m_paths[static_cast<std::size_t>(path)];
        const double change = static_cast<double>(p.ends.size()) - p.settledFlows;
        if (change == 0) {
            p.touched = false;
            updateEnd(path);
            continue;
        }
        p.settledFlows += change;
        for (const PathHop &hop : m_network.hopsOf(path))
            m_links[static_cast<std::size_t>(hop.link)].total += hop.weight * change;
        Component &component = m_components[static_cast<std::size_t>(p.component)];
        if (!p.listed) {
            p.listed = true;
            component.activePaths.push_back(path);
        }
        if (!component.dirty) {
            component.dirty = true;
            m_dirtyComponents.push_back(p.component);
        }
    }
    m_touched.clear();
    for (const std::int32_t c : m_dirtyComponents)
        solve(m_components[static_cast<std::size_t>(c)], now);
    m_dirtyComponents.clear();
}

void FluidLinks::solve(Component &component, double now) {
    component.dirty = false;
    std::size_t open = 0;
    m_limited.clear();
    for (std::size_t i = 0; i < component.activePaths.size(); ++i) {
        const std::int32_t path = component.activePaths[i];
        Path &p = m_paths[static_cast<std::size_t>(path)];
        if (p.settledFlows > 0) {
            component.activePaths[open++] = path;
            if (p.limit < infinity)
                m_limited.push_back(path);
            continue;
        }
        p.listed = false;
        p.touched = false;
        p.rate = 0;
        setEnd(path, infinity);
    }
    component.activePaths.resize(open);
    m_usedLinks.clear();
    for (const std::int32_t link : component.links) {
        Link &l = m_links[static_cast<std::size_t>(link)];
        if (l.total == 0)
            continue;
        m_usedLinks.push_back(link);
        l.left = l.capacity;
        l.weight = l.total;
    }

    // Progressive filling (Bertsekas and Gallager, section 6.5.2): all open flows grow alike until a link is full; the
    // flows through the full links are then fixed. All links that fill up at the same share are one round. Flows that reach
    // their limit before any link is full are fixed there first, and leave the links more than the share.
    if (++m_solve == 0) { // wrapped: no path may seem fixed already
        for (Path &p : m_paths)
            p.fixedRound = 0;
        m_solve = 1;
    }
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
        m_fixed.clear();
        std::size_t limited = 0;
        for (const std::int32_t path : m_limited) {
            Path &p = m_paths[static_cast<std::size_t>(path)];
            if (p.fixedRound == m_solve)
                continue;
            if (p.limit <= share) {
                p.fixedRound = m_solve;
                m_fixed.push_back(path);
            } else {
                m_limited[limited++] = path;
            }
        }
        m_limited.resize(limited);
        if (!m_fixed.empty()) {
            open -= m_fixed.size();
            for (const std::int32_t path : m_fixed)
                fix(path, m_paths[static_cast<std::size_t>(path)].limit, now);
            continue;
        }
        const double full = share * (1 + 1e-12);
        // Which flows are fixed must not depend on those fixed before in the same round: choose all, then subtract.
        for (const std::int32_t link : m_usedLinks) {
            if (m_links[static_cast<std::size_t>(link)].share > full)
                continue;
            for (std::uint32_t i = m_linkPathOffsets[static_cast<std::size_t>(link)];
                 i < m_linkPathOffsets[static_cast<std::size_t>(link) + 1]; ++i) {
                Path &p = m_paths[static_cast<std::size_t>(m_linkPaths[i])];
                if (p.fixedRound == m_solve || p.settledFlows == 0)
                    continue;
                p.fixedRound = m_solve;
                m_fixed.push_back(m_linkPaths[i]);
            }
        }
        assert(!m_fixed.empty()); // the fullest link has open flows, or its weight were zero
        open -= m_fixed.size();
        for (const std::int32_t path : m_fixed)
            fix(path, share, now);
    }
}

void FluidLinks::fix(std::int32_t path, double rate, double now) {
    Path &p = m_paths[static_cast<std::size_t>(path)];
    for (const PathHop &hop : m_network.hopsOf(path)) {
        Link &l = m_links[static_cast<std::size_t>(hop.link)];
        l.left -= hop.weight * p.settledFlows * rate;
        l.weight -= hop.weight * p.settledFlows;
    }
    if (p.rate == rate && !p.touched)
        return; // ends when it would have anyway
    serve(p, now);
    p.rate = rate;
    p.touched = false;
    updateEnd(path);
}

double FluidLinks::rateAlone(std::int32_t path) const {
    double share = m_paths[static_cast<std::size_t>(path)].limit;
    for (const PathHop &hop : m_network.hopsOf(path))
        share = std::min(share, m_links[static_cast<std::size_t>(hop.link)].capacity / hop.weight);
    return share;
}

double FluidLinks::nextEnd() {
    for (const std::int32_t block : m_staleBlocks) {
        const auto first = m_end.begin() + (static_cast<std::ptrdiff_t>(block) << m_blockShift);
        m_blockEnd[static_cast<std::size_t>(block)] =
            *std::min_element(first, first + (static_cast<std::ptrdiff_t>(1) << m_blockShift));
        m_blockStale[static_cast<std::size_t>(block)] = 0;
    }
    m_staleBlocks.clear();
    return *std::min_element(m_blockEnd.begin(), m_blockEnd.end());
}

void FluidLinks::advance(double now, std::vector<NetworkEvent> &seen) {
    const double tie = now * relativeTie;
    for (std::size_t block = 0; block < m_blockEnd.size(); ++block) {
        if (m_blockEnd[block] > now + tie)
            continue;
        for (std::size_t i = block << m_blockShift; i < (block + 1) << m_blockShift; ++i) {
            if (m_end[i] > now + tie)
                continue;
            const auto path = static_cast<std::int32_t>(i);
            Path &p = m_paths[i];
            serve(p, now);
            const double reached = p.service + p.rate * tie;
            std::size_t popped = 0;
            do { // the first ends now whatever rounding says
                if (p.ends.size() > 1)
                    std::pop_heap(p.ends.begin(), p.ends.end(), std::greater<>());
                seen.push_back({p.ends.back().id});
                p.ends.pop_back();
                ++popped;
            } while (!p.ends.empty() && p.ends.front().service <= reached);
            m_flows -= popped;
            setEnd(path, infinity);
            if (!p.touched) {
                p.touched = true;
                m_touched.push_back(path);
            }
        }
    }
}

static_assert(Network<FluidLinks>);

} // namespace syncopate
