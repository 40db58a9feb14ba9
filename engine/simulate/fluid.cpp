// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/fluid.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace syncopate {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
/// Flows whose ends differ by rounding only end together.
constexpr double relativeTie = 1e-11;
} // namespace

FluidLinks::FluidLinks(const TaskGraph &graph)
    : m_graph(graph), m_paths(graph.pathCount()), m_linkPathOffsets(graph.links.size() + 1, 0),
      m_linkPaths(graph.pathHops.size()), m_links(graph.links.size()) {
    for (const PathHop &hop : graph.pathHops)
        ++m_linkPathOffsets[static_cast<std::size_t>(hop.link) + 1];
    for (std::size_t l = 0; l < graph.links.size(); ++l)
        m_linkPathOffsets[l + 1] += m_linkPathOffsets[l];
    std::vector<std::uint32_t> next(m_linkPathOffsets.begin(), m_linkPathOffsets.end() - 1);
    for (std::size_t p = 0; p < graph.pathCount(); ++p)
        for (std::uint32_t h = graph.pathOffsets[p]; h < graph.pathOffsets[p + 1]; ++h)
            m_linkPaths[next[static_cast<std::size_t>(graph.pathHops[h].link)]++] = static_cast<std::int32_t>(p);
}

void FluidLinks::start(std::int32_t task, std::int32_t path, double bytes) {
    Path &p = m_paths[static_cast<std::size_t>(path)];
    if (p.ends.empty() && !p.listed)
        p.service = 0; // a fresh start keeps the numbers small
    if (!p.listed) {
        p.listed = true;
        m_activePaths.push_back(path);
    }
    p.ends.push({p.service + bytes, task});
    m_touched.push_back(path);
}

void FluidLinks::settle() {
    bool changed = false;
    for (const std::int32_t path : m_touched) {
        const Path &p = m_paths[static_cast<std::size_t>(path)];
        changed = changed || static_cast<double>(p.ends.size()) != p.settledFlows;
    }
    m_touched.clear();
    if (!changed)
        return;

    m_usedLinks.clear();
    std::size_t kept = 0;
    for (const std::int32_t path : m_activePaths) {
        Path &p = m_paths[static_cast<std::size_t>(path)];
        p.settledFlows = static_cast<double>(p.ends.size());
        if (p.ends.empty()) {
            p.listed = false;
            p.rate = 0;
            continue;
        }
        m_activePaths[kept++] = path;
        p.open = true;
        for (std::uint32_t h = m_graph.pathOffsets[static_cast<std::size_t>(path)];
             h < m_graph.pathOffsets[static_cast<std::size_t>(path) + 1]; ++h) {
            const PathHop &hop = m_graph.pathHops[h];
            const auto link = static_cast<std::size_t>(hop.link);
            if (m_links[link].weight == 0) {
                m_usedLinks.push_back(hop.link);
                m_links[link].left = m_graph.links[link].bytesPerSecond;
            }
            m_links[link].weight += hop.weight * p.settledFlows;
        }
    }
    m_activePaths.resize(kept);

    // Progressive filling (Bertsekas and Gallager, section 6.5.2): all open flows grow alike until a link is full; the
    // flows through the full links are then fixed. All links that fill up at the same share are one round.
    std::size_t open = m_activePaths.size();
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
        const double full = share * (1 + 1e-12);
        // Which flows are fixed must not depend on those fixed before in the same round: choose all, then subtract.
        m_fixed.clear();
        for (const std::int32_t link : m_usedLinks) {
            if (m_links[static_cast<std::size_t>(link)].share > full)
                continue;
            for (std::uint32_t i = m_linkPathOffsets[static_cast<std::size_t>(link)];
                 i < m_linkPathOffsets[static_cast<std::size_t>(link) + 1]; ++i) {
                Path &p = m_paths[static_cast<std::size_t>(m_linkPaths[i])];
                if (!p.open)
                    continue;
                p.open = false;
                p.rate = share;
                m_fixed.push_back(m_linkPaths[i]);
            }
        }
        for (const std::int32_t path : m_fixed) {
            const double flows = m_paths[static_cast<std::size_t>(path)].settledFlows;
            for (std::uint32_t h = m_graph.pathOffsets[static_cast<std::size_t>(path)];
                 h < m_graph.pathOffsets[static_cast<std::size_t>(path) + 1]; ++h) {
                const PathHop &hop = m_graph.pathHops[h];
                Link &l = m_links[static_cast<std::size_t>(hop.link)];
                l.left -= hop.weight * flows * share;
                l.weight -= hop.weight * flows;
            }
        }
        assert(!m_fixed.empty()); // the fullest link has open flows, or its weight were zero
        open -= m_fixed.size();
    }
    for (const std::int32_t link : m_usedLinks)
        m_links[static_cast<std::size_t>(link)].weight = 0;
}

double FluidLinks::secondsToNextEnd() const {
    double next = infinity;
    for (const std::int32_t path : m_activePaths) {
        const Path &p = m_paths[static_cast<std::size_t>(path)];
        if (!p.ends.empty() && p.rate > 0)
            next = std::min(next, std::max(0.0, p.ends.top().service - p.service) / p.rate);
    }
    return next;
}

void FluidLinks::advance(double seconds, std::vector<std::int32_t> &ended) {
    for (const std::int32_t path : m_activePaths) {
        Path &p = m_paths[static_cast<std::size_t>(path)];
        p.service += p.rate * seconds;
        const double tolerance = relativeTie * std::max(p.service, p.rate * 1e-3);
        while (!p.ends.empty() && p.ends.top().service <= p.service + tolerance) {
            ended.push_back(p.ends.top().task);
            p.ends.pop();
            m_touched.push_back(path);
        }
    }
}

} // namespace syncopate
