// SPDX-License-Identifier: GPL-3.0-or-later
// How FluidLinks finds the rates of its flows.
#include "engine/network/fluid.h"

#include "engine/base/numbers.h"

#include <algorithm>
#include <cassert>

namespace syncopate {

namespace {
/// Shares that differ only by rounding are equal.
constexpr double relativeShareTie = 1e-12;
/// A rate is found without solving only if no other decision is as close as this, which is far beyond rounding.
constexpr double apartMargin = 1e-9;
} // namespace

void FluidLinks::settle(double now) {
    for (const PathId path : m_touched) {
        Path &p = m_paths[path.index()];
        const double change = static_cast<double>(p.ends.size()) - p.flows;
        if (change == 0) {
            p.touched = false;
            updateEnd(path);
            continue;
        }
        if (p.flows == 0)
            activate(path);
        p.flows += change;
        for (const PathHop &hop : m_network.hopsOf(path))
            m_links[hop.link.index()].total += hop.weight * change;
        const ComponentId number = m_places[path.index()].component;
        Component &component = m_components[number.index()];
        const bool apart = !component.dirty && settleApart(path, now);
        if (p.flows == 0) {
            deactivate(path);
            setRate(path, 0, LinkId(), now);
        }
        if (!apart && !component.dirty) {
            component.dirty = true;
            m_dirtyComponents.push_back(number);
        }
    }
    m_touched.clear();
    for (const ComponentId c : m_dirtyComponents)
        solve(m_components[c.index()], now);
    m_dirtyComponents.clear();
}

/// The share that a link leaves each flow of `path` beside its other flows, summed as in a solve: in the order of their rates,
/// all flows of one rate at once. 0 = undecided.
double FluidLinks::shareBeside(PathId path, const PathHop &hop) {
    const Link &l = m_links[hop.link.index()];
    m_taken.clear();
    for (std::uint32_t c = l.first; c < l.first + l.active; ++c) {
        if (m_crossings[c].path == path)
            continue;
        const Path &other = m_paths[m_crossings[c].path.index()];
        m_taken.emplace_back(other.rate, m_network.pathHops[m_crossings[c].hop].weight * other.flows);
    }
    std::sort(m_taken.begin(), m_taken.end());
    double left = l.capacity, taken = 0;
    for (std::size_t i = 0; i < m_taken.size(); ++i) {
        taken += m_taken[i].second;
        if (i + 1 < m_taken.size() && m_taken[i + 1].first == m_taken[i].first)
            continue;
        if (i + 1 < m_taken.size() && m_taken[i + 1].first < m_taken[i].first * (1 + apartMargin))
            return 0; // rounding may decide which of the two is fixed first
        left -= m_taken[i].first * taken;
        taken = 0;
    }
    const double share = left / (hop.weight * m_paths[path.index()].flows);
    return m_taken.empty() || share > m_taken.back().first * (1 + apartMargin) ? share : 0;
}

bool FluidLinks::settleApart(PathId path, double now) {
    const Path &p = m_paths[path.index()];
    // Other flows may change only if one of the path's links limits them, before or after.
    for (const PathHop &hop : m_network.hopsOf(path))
        if (m_links[hop.link.index()].fixes > (p.fixedBy == hop.link ? 1U : 0U))
            return false;
    if (p.flows == 0)
        return true;
    const double limit = m_network.pathLimits[path.index()];
    const ComponentId component = m_places[path.index()].component;
    if (m_components[component.index()].activePaths == 1) { // as for a ring's messages, which have their links to themselves
        Turn first{infinity, LinkId()};
        for (const PathHop &hop : m_network.hopsOf(path)) {
            const Link &l = m_links[hop.link.index()];
            first = std::min(first, Turn{l.capacity / l.total, hop.link});
        }
        setRate(path, std::min(limit, first.share), limit <= first.share ? LinkId() : first.link, now);
        return true;
    }
    double least = limit, second = infinity;
    const PathHop *narrowest = nullptr;
    for (const PathHop &hop : m_network.hopsOf(path)) {
        const Link &l = m_links[hop.link.index()];
        double left = l.capacity;
        for (std::uint32_t c = l.first; c < l.first + l.active; ++c)
            if (m_crossings[c].path != path) {
                const Path &other = m_paths[m_crossings[c].path.index()];
                left -= m_network.pathHops[m_crossings[c].hop].weight * other.flows * other.rate;
            }
        const double share = left / (hop.weight * p.flows);
        if (share < least) {
            second = least;
            least = share;
            narrowest = &hop;
        } else {
            second = std::min(second, share);
        }
    }
    if (!(least > 0) || second <= least * (1 + apartMargin))
        return false;
    const double rate = narrowest ? shareBeside(path, *narrowest) : limit;
    if (!(rate > 0))
        return false;
    setRate(path, rate, narrowest ? narrowest->link : LinkId(), now);
    return true;
}

void FluidLinks::sinkTurn(std::size_t i) {
    const Turn turn = m_turns[i];
    for (std::size_t child = 2 * i + 1; child < m_turns.size(); child = 2 * i + 1) {
        if (child + 1 < m_turns.size() && m_turns[child + 1] < m_turns[child])
            ++child;
        if (!(m_turns[child] < turn))
            break;
        m_turns[i] = m_turns[child];
        i = child;
    }
    m_turns[i] = turn;
}

/// Never less than the share of flows fixed earlier, and equal to theirs if they differ only by rounding.
double FluidLinks::shareOf(const Link &link) {
    const double share = (link.left - link.share * link.taken) / link.open;
    return share > link.share * (1 + relativeShareTie) ? share : link.share;
}

/// Progressive filling (Bertsekas and Gallager, section 6.5.2): all open flows grow equally until a link is full, which fixes
/// the flows through it. Flows that reach their own limit earlier are fixed there, and leave more to the others. A link's
/// share only grows as flows are fixed, so links wait in a heap with an outdated share that is recomputed when their turn
/// comes.
void FluidLinks::solve(Component &component, double now) {
    component.dirty = false;
    if (++m_solve == 0) { // wrapped around: no path may seem fixed already
        std::fill(m_fixedIn.begin(), m_fixedIn.end(), 0);
        m_solve = 1;
    }
    m_turns.clear();
    for (const LinkId link : component.activeLinks) {
        Link &l = m_links[link.index()];
        l.left = l.capacity;
        l.open = l.total;
        l.taken = l.share = 0;
        m_turns.push_back({l.capacity / l.total, link});
    }
    for (std::size_t i = m_turns.size() / 2; i-- > 0;)
        sinkTurn(i);
    std::uint32_t open = component.activePaths;
    const auto fixOpen = [&](PathId path, double rate, LinkId by) {
        if (m_fixedIn[path.index()] == m_solve)
            return;
        fix(path, rate, by, now);
        --open;
    };
    auto limit = component.limits.begin();
    while (open > 0) {
        assert(!m_turns.empty()); // every open flow keeps its links open
        Turn &turn = m_turns.front();
        const LinkId link = turn.link;
        const Link &l = m_links[link.index()];
        if (l.open < 0.5) { // flows are whole numbers: none is left
            turn = m_turns.back();
            m_turns.pop_back();
            if (!m_turns.empty())
                sinkTurn(0);
            continue;
        }
        const double share = shareOf(l);
        if (share > turn.share) {
            turn.share = share;
            sinkTurn(0);
            if (m_turns.front().link != link)
                continue;
        }
        if (limit != component.limits.end() && limit->bytesPerSecond <= share) {
            for (const PathId path : limit->active)
                fixOpen(path, limit->bytesPerSecond, LinkId());
            ++limit;
            continue;
        }
        for (std::uint32_t c = l.first; c < l.first + l.active; ++c)
            fixOpen(m_crossings[c].path, share, link);
        m_links[link.index()].open = 0;
    }
}

void FluidLinks::fix(PathId path, double rate, LinkId by, double now) {
    m_fixedIn[path.index()] = m_solve;
    const double flows = m_paths[path.index()].flows;
    Link *const links = m_links.data();
    for (const PathHop &hop : m_network.hopsOf(path)) {
        if (hop.link == by)
            continue; // full: its rest is not read again in this solve
        Link &l = links[hop.link.index()];
        // Sums do not depend on the order of flows with equal rates, because weighted flows are whole numbers.
        if (l.share != rate) {
            l.left -= l.share * l.taken;
            l.taken = 0;
            l.share = rate;
        }
        const double weight = hop.weight * flows;
        l.taken += weight;
        l.open -= weight;
    }
    setRate(path, rate, by, now);
}

void FluidLinks::setRate(PathId path, double rate, LinkId by, double now) {
    Path &p = m_paths[path.index()];
    if (p.fixedBy != by) {
        if (p.fixedBy.exists())
            --m_links[p.fixedBy.index()].fixes;
        if (by.exists())
            ++m_links[by.index()].fixes;
        p.fixedBy = by;
    }
    if (p.rate == rate && !p.touched)
        return; // its end does not change
    serve(p, now);
    p.rate = rate;
    p.touched = false;
    updateEnd(path);
}

} // namespace syncopate
