// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/cycle_ratio.h"

#include "engine/base/numbers.h"

#include <algorithm>

namespace syncopate {

CycleRatio::CycleRatio(const std::vector<DagOpId> &sorted, Followers same, Followers next, const std::vector<double> &seconds)
    : m_sorted(sorted), m_same(same), m_next(next), m_seconds(seconds) {}

double CycleRatio::largest(double atLeast, const std::stop_token &stop) {
    constexpr double rounding = 1e-12;
    double ratio = atLeast;
    for (bool isNew = true; isNew;) {
        m_length.assign(m_sorted.size(), 0);
        m_before.assign(m_sorted.size(), m_sorted.size());
        m_crosses.assign(m_sorted.size(), 0);
        m_least = rounding * ratio;
        isNew = false;
        // Without a cycle that is longer than the ratio, no path has more ops than there are.
        for (std::size_t pass = 0; pass <= m_sorted.size() && !isNew && !stop.stop_requested() && lengthen(ratio); ++pass)
            if (const double found = ratioOfCycle(); found > ratio * (1 + rounding)) {
                ratio = found;
                isNew = true;
            }
    }
    return ratio;
}

/// Lengthens paths by one pass over all edges. Returns whether one became longer.
bool CycleRatio::lengthen(double ratio) {
    m_isLonger = false;
    for (const DagOpId op : m_sorted) {
        const std::size_t o = op.index();
        const double end = m_length[o] + m_seconds[o];
        for (std::int32_t e = m_same.offsets[o]; e < m_same.offsets[o + 1]; ++e)
            offer(o, m_same.to[asIndex(e)], end, false);
        for (std::int32_t e = m_next.offsets[o]; e < m_next.offsets[o + 1]; ++e)
            offer(o, m_next.to[asIndex(e)], end - ratio, true);
    }
    return m_isLonger;
}

void CycleRatio::offer(std::size_t from, DagOpId to, double length, bool crosses) {
    if (!(length > m_length[to.index()] + m_least))
        return;
    m_length[to.index()] = length;
    m_before[to.index()] = from;
    m_crosses[to.index()] = crosses ? 1 : 0;
    m_isLonger = true;
}

/// The largest ratio of a cycle along the predecessors of ops; 0 = no cycle.
double CycleRatio::ratioOfCycle() {
    const std::size_t ops = m_sorted.size();
    double largest = 0;
    std::vector<std::size_t> seenFrom(ops, ops); // by which walk
    for (std::size_t start = 0; start < ops; ++start) {
        std::size_t at = start;
        while (at != ops && seenFrom[at] == ops) {
            seenFrom[at] = start;
            at = m_before[at];
        }
        if (at == ops || seenFrom[at] != start)
            continue;
        double seconds = 0, iterations = 0;
        std::size_t op = at;
        do {
            seconds += m_seconds[op];
            iterations += m_crosses[op];
            op = m_before[op];
        } while (op != at);
        largest = std::max(largest, seconds / iterations); // a cycle crosses: there is none inside an iteration
    }
    return largest;
}

} // namespace syncopate
