// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace syncopate {

/// A task that waits for a slot. Smaller goes first: ready earlier, then the smaller order key, then the smaller number.
struct Waiting {
    double ready; ///< 0 in a queue by priority
    std::int64_t orderKey;
    std::int32_t task;
    bool operator>(const Waiting &other) const {
        if (ready != other.ready)
            return ready > other.ready;
        return orderKey != other.orderKey ? orderKey > other.orderKey : task > other.task;
    }
    bool operator<(const Waiting &other) const { return other > *this; }
};

/// The tasks that wait in one queue. By priority: a heap. Otherwise, as time goes on, they come in the order in which they
/// leave, but for those of one moment: a line, O(1) a task, whose end is put in order when it is looked at.
class WaitingTasks {
public:
    explicit WaitingTasks(bool byPriority = false) : m_byPriority(byPriority) {}

    [[nodiscard]] bool empty() const { return m_next == m_tasks.size(); }
    void push(const Waiting &waiting) {
        m_tasks.push_back(waiting);
        if (m_byPriority)
            std::push_heap(m_tasks.begin(), m_tasks.end(), std::greater<>());
    }
    [[nodiscard]] const Waiting &top() {
        if (!m_byPriority && m_inOrder < m_tasks.size())
            putInOrder();
        return m_tasks[m_next];
    }
    /// Removes top().
    void pop() {
        if (m_byPriority) {
            std::pop_heap(m_tasks.begin(), m_tasks.end(), std::greater<>());
            m_tasks.pop_back();
            return;
        }
        ++m_next;
        if (m_next == m_tasks.size()) {
            m_tasks.clear();
            m_next = m_inOrder = 0;
        } else if (m_next >= 64 && 2 * m_next >= m_tasks.size()) { // amortised: as many have left as are moved
            m_tasks.erase(m_tasks.begin(), m_tasks.begin() + static_cast<std::ptrdiff_t>(m_next));
            m_inOrder -= m_next;
            m_next = 0;
        }
    }

private:
    void putInOrder() {
        const auto fresh = m_tasks.begin() + static_cast<std::ptrdiff_t>(m_inOrder);
        if (m_tasks.end() - fresh > 1)
            std::sort(fresh, m_tasks.end());
        if (m_inOrder > m_next && *fresh < *(fresh - 1)) { // of the same moment as some that came before
            const auto first = m_tasks.begin() + static_cast<std::ptrdiff_t>(m_next);
            std::inplace_merge(std::lower_bound(first, fresh, *fresh), fresh, m_tasks.end());
        }
        m_inOrder = m_tasks.size();
    }

    bool m_byPriority;
    std::vector<Waiting> m_tasks; ///< a heap, or a line from m_next on
    std::size_t m_next = 0;
    std::size_t m_inOrder = 0; ///< the line is in order up to here
};

} // namespace syncopate
