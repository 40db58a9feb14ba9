// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/fluid.h"

#include <algorithm>
#include <limits>

namespace syncopate {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
/// Flows whose ends differ by rounding only end together.
constexpr double relativeTie = 1e-11;
} // namespace

FluidLinks::FluidLinks(const TaskGraph &graph)
    : m_graph(graph), m_paths(graph.pathCount()), m_capacityLeft(graph.links.size(), 0), m_weight(graph.links.size(), 0) {}

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
    m_open.clear();
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
        m_open.push_back(path);
        for (std::uint32_t h = m_graph.pathOffsets[static_cast<std::size_t>(path)];
             h < m_graph.pathOffsets[static_cast<std::size_t>(path) + 1]; ++h) {
            const PathHop &hop = m_graph.pathHops[h];
            const auto link = static_cast<std::size_t>(hop.link);
            if (m_weight[link] == 0) {
                m_usedLinks.push_back(hop.link);
                m_capacityLeft[link] = m_graph.links[link].bytesPerSecond;
            }
            m_weight[link] += hop.weight * p.settledFlows;
        }
    }
    m_activePaths.resize(kept);

    // Progressive filling (Bertsekas and Gallager, section 6.5.2): all open flows grow alike until a link is full; the
    // flows through the full links are then fixed.
    while (!m_open.empty()) {
        double share = infinity;
        for (const std::int32_t link : m_usedLinks) {
            const auto l = static_cast<std::size_t>(link);
            if (m_weight[l] > 1e-12)
                share = std::min(share, std::max(0.0, m_capacityLeft[l]) / m_weight[l]);
        }
        const double full = share * (1 + 1e-12);
        std::size_t open = 0;
        // Which paths are fixed must not depend on those fixed earlier in this round, so mark first, subtract after.
        for (std::size_t i = 0; i < m_open.size(); ++i) {
            Path &p = m_paths[static_cast<std::size_t>(m_open[i])];
            const std::uint32_t from = m_graph.pathOffsets[static_cast<std::size_t>(m_open[i])];
            const std::uint32_t to = m_graph.pathOffsets[static_cast<std::size_t>(m_open[i]) + 1];
            bool bottleneck = share == infinity;
            for (std::uint32_t h = from; h < to && !bottleneck; ++h) {
                const auto l = static_cast<std::size_t>(m_graph.pathHops[h].link);
                bottleneck = std::max(0.0, m_capacityLeft[l]) <= full * m_weight[l];
            }
            p.rate = bottleneck ? share : -1;
        }
        for (std::size_t i = 0; i < m_open.size(); ++i) {
            Path &p = m_paths[static_cast<std::size_t>(m_open[i])];
            if (p.rate < 0) {
                m_open[open++] = m_open[i];
                continue;
            }
            const std::uint32_t from = m_graph.pathOffsets[static_cast<std::size_t>(m_open[i])];
            const std::uint32_t to = m_graph.pathOffsets[static_cast<std::size_t>(m_open[i]) + 1];
            for (std::uint32_t h = from; h < to; ++h) {
                const PathHop &hop = m_graph.pathHops[h];
                const auto l = static_cast<std::size_t>(hop.link);
                m_capacityLeft[l] -= hop.weight * p.settledFlows * share;
                m_weight[l] -= hop.weight * p.settledFlows;
            }
        }
        m_open.resize(open);
    }
    for (const std::int32_t link : m_usedLinks)
        m_weight[static_cast<std::size_t>(link)] = 0;
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
