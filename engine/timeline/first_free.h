// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/timeline.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace syncopate {

/// Finds the first lane that is free when a span starts. Where spans overlap a thousand others, a linear search would look at a
/// thousand lanes for each. Here lanes are the leaves of a tree whose nodes know the earliest end below them, so a search takes
/// log(lanes) steps.
class FirstFree {
public:
    /// The number of the first lane that is free at `start`; the number of lanes if none is.
    [[nodiscard]] std::size_t at(Nanoseconds start) const {
        if (m_lanes == 0 || m_earliestEnd[1] > start)
            return m_lanes;
        std::size_t node = 1;
        while (node < leaves())
            node = 2 * node + (m_earliestEnd[2 * node] > start ? 1 : 0);
        return node - leaves();
    }

    /// Occupies lane `lane` until `end`. It may be one more than there are, which adds a lane.
    void take(std::size_t lane, Nanoseconds end) {
        m_lanes = std::max(m_lanes, lane + 1);
        if (lane >= leaves())
            grow();
        std::size_t node = leaves() + lane;
        m_earliestEnd[node] = end;
        while ((node /= 2) > 0)
            m_earliestEnd[node] = std::min(m_earliestEnd[2 * node], m_earliestEnd[2 * node + 1]);
    }

private:
    [[nodiscard]] std::size_t leaves() const { return m_earliestEnd.size() / 2; }
    void grow() {
        const std::size_t before = leaves();
        std::vector<Nanoseconds> grown(4 * before, never);
        std::copy_n(m_earliestEnd.begin() + static_cast<std::ptrdiff_t>(before), before,
                    grown.begin() + static_cast<std::ptrdiff_t>(2 * before));
        m_earliestEnd = std::move(grown);
        for (std::size_t node = leaves(); --node > 0;)
            m_earliestEnd[node] = std::min(m_earliestEnd[2 * node], m_earliestEnd[2 * node + 1]);
    }

    static constexpr Nanoseconds never = std::numeric_limits<Nanoseconds>::max();
    std::size_t m_lanes = 0;
    std::vector<Nanoseconds> m_earliestEnd = {never, never}; ///< root at 1, then level by level; leaves are the second half
};

} // namespace syncopate
