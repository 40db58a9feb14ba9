// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace syncopate {

/// The rings that are under way: which lane may start which step. Each lane of a running ring has a message number, counted
/// from `firstMessage`, which the event loop uses in place of a task.
class Rings {
public:
    explicit Rings(std::int32_t firstMessage) : m_firstMessage(firstMessage) {}

    struct Running {
        const RingShape *shape = nullptr;
        std::int32_t task = -1;
        double stepBytes = 0;
        std::vector<std::int32_t> done; ///< steps that each lane has done
        std::size_t lanesLeft = 0;      ///< lanes that have steps left
        std::int32_t firstMessage = 0;
        std::int32_t leapSteps = 0; ///< steps that all lanes do by the end of a leap under way; 0 = none
        bool active = false;
    };

    [[nodiscard]] bool isMessage(std::int32_t id) const { return id >= m_firstMessage; }
    [[nodiscard]] std::size_t runningCount() const { return m_running; }

    /// Returns the slot of the ring that `task` plays.
    std::size_t begin(const RingShape &shape, std::int32_t task, double stepBytes) {
        std::size_t slot = 0;
        while (slot < m_slots.size() && (m_slots[slot].active || m_slots[slot].done.size() != shape.lanes.size()))
            ++slot;
        if (slot == m_slots.size()) {
            m_slots.emplace_back();
            m_slots.back().firstMessage = m_firstMessage + static_cast<std::int32_t>(m_slotOfMessage.size());
            m_slotOfMessage.insert(m_slotOfMessage.end(), shape.lanes.size(), static_cast<std::int32_t>(slot));
        }
        Running &ring = m_slots[slot];
        ring.shape = &shape;
        ring.task = task;
        ring.stepBytes = stepBytes;
        ring.done.assign(shape.lanes.size(), 0);
        ring.lanesLeft = shape.lanes.size();
        ring.active = true;
        ++m_running;
        return slot;
    }
    void end(std::size_t slot) {
        m_slots[slot].active = false;
        --m_running;
    }
    [[nodiscard]] std::size_t slotOf(std::int32_t message) const {
        return static_cast<std::size_t>(m_slotOfMessage[static_cast<std::size_t>(message - m_firstMessage)]);
    }
    [[nodiscard]] Running &at(std::size_t slot) { return m_slots[slot]; }

private:
    std::int32_t m_firstMessage;
    std::vector<Running> m_slots;
    std::vector<std::int32_t> m_slotOfMessage;
    std::size_t m_running = 0;
};

} // namespace syncopate
