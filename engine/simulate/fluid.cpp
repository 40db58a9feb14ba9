// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/fluid.h"

#include <algorithm>
#include <limits>

namespace syncopate {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
/// Flows whose ends differ by rounding only end together.
constexpr double relativeTie = 1e-12;
} // namespace

FluidLinks::FluidLinks(const TaskGraph &graph)
    : m_graph(graph), m_rates(graph), m_paths(graph.pathCount()), m_groups(graph.links.size()) {
    while ((std::size_t{1} << (2 * m_blockShift)) < m_groups.size())
        ++m_blockShift;
    const std::size_t blocks = (m_groups.size() >> m_blockShift) + 1;
    m_end.assign(blocks << m_blockShift, infinity);
    m_blockEnd.assign(blocks, infinity);
    m_blockStale.assign(blocks, 0);
}

// The heap of a group.

bool FluidLinks::before(std::int32_t a, std::int32_t b) const {
    const double nextA = m_paths[static_cast<std::size_t>(a)].next, nextB = m_paths[static_cast<std::size_t>(b)].next;
    return nextA != nextB ? nextA < nextB : a < b;
}

void FluidLinks::siftUp(Group &group, std::size_t place) {
    const std::int32_t path = group.paths[place];
    while (place > 0) {
        const std::size_t up = (place - 1) / 2;
        if (!before(path, group.paths[up]))
            break;
        group.paths[place] = group.paths[up];
        pathOf(group.paths[place]).place = static_cast<std::int32_t>(place);
        place = up;
    }
    group.paths[place] = path;
    pathOf(path).place = static_cast<std::int32_t>(place);
    group.front = group.paths.front();
}

void FluidLinks::siftDown(Group &group, std::size_t place) {
    const std::int32_t path = group.paths[place];
    const std::size_t size = group.paths.size();
    for (std::size_t child = 2 * place + 1; child < size; child = 2 * place + 1) {
        if (child + 1 < size && before(group.paths[child + 1], group.paths[child]))
            ++child;
        if (!before(group.paths[child], path))
            break;
        group.paths[place] = group.paths[child];
        pathOf(group.paths[place]).place = static_cast<std::int32_t>(place);
        place = child;
    }
    group.paths[place] = path;
    pathOf(path).place = static_cast<std::int32_t>(place);
    group.front = group.paths.front();
}

void FluidLinks::resift(Group &group, Path &path) {
    siftUp(group, static_cast<std::size_t>(path.place));
    siftDown(group, static_cast<std::size_t>(path.place));
}

void FluidLinks::leave(std::int32_t path) {
    Path &p = pathOf(path);
    Group &group = groupOf(p.group);
    const auto place = static_cast<std::size_t>(p.place);
    const std::int32_t last = group.paths.back();
    group.paths.pop_back();
    if (last != path) {
        group.paths[place] = last;
        pathOf(last).place = static_cast<std::int32_t>(place);
        resift(group, pathOf(last));
    } else if (group.paths.empty()) {
        group.front = -1;
    }
    markStale(p.group);
    p.group = -1;
}

void FluidLinks::enter(std::int32_t path, std::int32_t group, double now) {
    Path &p = pathOf(path);
    Group &to = groupOf(group);
    if (to.paths.empty()) { // a fresh start keeps the numbers small
        to.clock = 0;
        to.since = now;
    } else {
        advance(to, now);
    }
    if (to.slot < 0) {
        to.slot = static_cast<std::int32_t>(m_groupOfSlot.size());
        m_groupOfSlot.push_back(group);
    }
    p.group = group;
    p.ahead -= to.clock; // was the path's own clock
    rekey(p);
    to.paths.push_back(path);
    siftUp(to, to.paths.size() - 1);
    markStale(group);
}

void FluidLinks::rekey(Path &path) { path.next = path.ends.empty() ? infinity : path.ends.front().service - path.ahead; }

// Next ends.

void FluidLinks::touch(std::int32_t path) {
    Path &p = pathOf(path);
    if (p.touched)
        return;
    p.touched = true;
    m_touched.push_back(path);
}

void FluidLinks::markStale(std::int32_t group) {
    Group &g = groupOf(group);
    if (g.stale)
        return;
    g.stale = true;
    m_staleGroups.push_back(group);
}

void FluidLinks::setEnd(const Group &group) {
    if (group.slot < 0) // no path yet
        return;
    const double next = group.front < 0 ? infinity : pathOf(group.front).next;
    setEnd(group.slot,
           next < infinity && group.rate > 0 ? group.since + std::max(0.0, next - group.clock) / group.rate : infinity);
}

void FluidLinks::setEnd(std::int32_t slot, double end) {
    const auto g = static_cast<std::size_t>(slot);
    const std::size_t block = g >> m_blockShift;
    const double old = m_end[g];
    m_end[g] = end;
    if (end <= m_blockEnd[block]) {
        m_blockEnd[block] = end;
    } else if (old <= m_blockEnd[block] && !m_blockStale[block]) {
        m_blockStale[block] = 1;
        m_staleBlocks.push_back(static_cast<std::int32_t>(block));
    }
}

void FluidLinks::start(std::int32_t task, std::int32_t path, double bytes, double now) {
    Path &p = pathOf(path);
    double clock = 0; // of the path
    if (p.group < 0) {
        p.ahead = 0;
    } else {
        Group &group = groupOf(p.group);
        if (p.ends.empty() && group.paths.size() == 1) { // a fresh start keeps the numbers small
            group.clock = 0;
            group.since = now;
            p.ahead = 0;
        } else {
            advance(group, now);
            clock = group.clock + p.ahead;
        }
    }
    p.ends.push_back({clock + bytes, task});
    if (p.ends.size() > 1)
        std::push_heap(p.ends.begin(), p.ends.end(), std::greater<>());
    ++m_flows;
    touch(path);
}

void FluidLinks::settle(double now) {
    for (const std::int32_t path : m_touched) {
        Path &p = pathOf(path);
        p.touched = false;
        const auto flows = static_cast<std::uint32_t>(p.ends.size());
        if (flows != p.settled) {
            p.settled = flows;
            m_rates.setFlows(path, static_cast<double>(flows));
        }
        if (p.group < 0)
            continue;
        rekey(p);
        Group &group = groupOf(p.group);
        if (group.paths.size() > 1) {
            resift(group, p);
            markStale(p.group);
        } else if (!group.stale) {
            setEnd(group);
        }
    }
    m_touched.clear();
    m_rates.update();
    for (const std::int32_t path : m_rates.movedPaths()) {
        Path &p = pathOf(path);
        const std::int32_t to = m_rates.bottleneck(path);
        if (p.group == to)
            continue;
        if (p.group >= 0) {
            Group &from = groupOf(p.group);
            advance(from, now);
            p.ahead += from.clock; // the path's own clock
            leave(path);
        }
        if (to >= 0)
            enter(path, to, now);
    }
    for (const std::int32_t link : m_rates.changedLinks()) {
        Group &group = groupOf(link);
        advance(group, now);
        group.rate = m_rates.level(link);
        markStale(link);
    }
    for (const std::int32_t g : m_staleGroups) {
        Group &group = groupOf(g);
        group.stale = false;
        setEnd(group);
    }
    m_staleGroups.clear();
}

double FluidLinks::rate(std::int32_t path) const {
    const std::int32_t group = m_paths[static_cast<std::size_t>(path)].group;
    return group < 0 ? 0 : m_groups[static_cast<std::size_t>(group)].rate;
}

double FluidLinks::rateAlone(std::int32_t path) const {
    double share = infinity;
    for (std::uint32_t h = m_graph.pathOffsets[static_cast<std::size_t>(path)];
         h < m_graph.pathOffsets[static_cast<std::size_t>(path) + 1]; ++h) {
        const PathHop &hop = m_graph.pathHops[h];
        share = std::min(share, m_graph.links[static_cast<std::size_t>(hop.link)].bytesPerSecond / hop.weight);
    }
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

void FluidLinks::collect(double now, std::vector<std::int32_t> &ended) {
    const double tie = now * relativeTie;
    for (std::size_t block = 0; block < m_blockEnd.size(); ++block) {
        if (m_blockEnd[block] > now + tie)
            continue;
        for (std::size_t i = block << m_blockShift; i < (block + 1) << m_blockShift; ++i) {
            if (m_end[i] > now + tie)
                continue;
            const std::int32_t g = m_groupOfSlot[i];
            Group &group = groupOf(g);
            advance(group, now);
            const double reached = group.clock + group.rate * tie;
            bool first = true; // the first ends now whatever rounding says
            while (first || pathOf(group.front).next <= reached) {
                const std::int32_t path = group.front;
                Path &p = pathOf(path);
                do {
                    if (p.ends.size() > 1)
                        std::pop_heap(p.ends.begin(), p.ends.end(), std::greater<>());
                    ended.push_back(p.ends.back().task);
                    p.ends.pop_back();
                    --m_flows;
                } while (!p.ends.empty() && p.ends.front().service - p.ahead <= reached);
                first = false;
                rekey(p);
                if (group.paths.size() > 1)
                    siftDown(group, 0);
                touch(path);
            }
            if (group.paths.size() > 1)
                markStale(g);
            setEnd(group.slot, infinity);
        }
    }
}

} // namespace syncopate
