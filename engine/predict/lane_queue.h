// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to the room: the queue of a worker's resource.

#include "engine/predict/step_player.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace syncopate {

/// An op, or the rest of a stream, that waits for its lane.
struct Waiting {
    std::int64_t first, second; ///< order, smaller first
    OpId op;
    StepId step;
    double restBytes; ///< < 0: not begun
    bool operator>(const Waiting &other) const { return first != other.first ? first > other.first : second > other.second; }
};

/// A queue of a worker and resource (scheduler[w, r] of Algorithm 3.1): first come, first served, or by rank.
class LaneQueue {
public:
    [[nodiscard]] bool empty() const { return m_next == m_waiting.size(); }
    void push(const Waiting &waiting, bool ranked) {
        m_waiting.push_back(waiting);
        if (ranked)
            std::push_heap(m_waiting.begin(), m_waiting.end(), std::greater<>());
    }
    Waiting pop(bool ranked) {
        if (ranked) {
            std::pop_heap(m_waiting.begin(), m_waiting.end(), std::greater<>());
            const Waiting top = m_waiting.back();
            m_waiting.pop_back();
            return top;
        }
        const Waiting top = m_waiting[m_next++];
        if (m_next == m_waiting.size()) {
            m_waiting.clear();
            m_next = 0;
        } else if (m_next >= 1024 && 2 * m_next >= m_waiting.size()) { // served entries do not pile up
            m_waiting.erase(m_waiting.begin(), m_waiting.begin() + static_cast<std::ptrdiff_t>(m_next));
            m_next = 0;
        }
        return top;
    }

private:
    std::vector<Waiting> m_waiting;
    std::size_t m_next = 0;
};

} // namespace syncopate
