// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"
#include "engine/network/network.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace syncopate {

/// The running rings: which lane may start which step. Everything that the event loop has in flight has a FlowId: a task its own
/// number, and the message of each lane of a running ring a number above those of all tasks.
class Rings {
public:
    struct Running {
        const RingShape *shape = nullptr;
        TaskId task;
        double stepBytes = 0;
        std::vector<std::int32_t> done; ///< steps that each lane has done
        std::size_t lanesLeft = 0;      ///< lanes that have steps left
        FlowId firstMessage;
        std::int32_t leapSteps = 0; ///< steps that all lanes do by the end of a leap under way; 0 = none
        bool active = false;
    };

    [[nodiscard]] static FlowId flowOf(TaskId task) { return FlowId(task.number()); }
    [[nodiscard]] static bool isMessage(FlowId flow) { return flow.number() >= startOfMessages; }
    /// Of a flow that is no ring's message.
    [[nodiscard]] static TaskId taskOf(FlowId flow) { return TaskId(flow.number()); }
    [[nodiscard]] std::size_t runningCount() const { return m_running; }

    /// Returns the slot of the ring that `task` plays.
    std::size_t begin(const RingShape &shape, TaskId task, double stepBytes) {
        std::size_t slot = 0;
        while (slot < m_slots.size() && (m_slots[slot].active || m_slots[slot].done.size() != shape.lanes.size()))
            ++slot;
        if (slot == m_slots.size()) {
            m_slots.emplace_back();
            m_slots.back().firstMessage = FlowId(startOfMessages + static_cast<std::int32_t>(m_slotOfMessage.size()));
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
    [[nodiscard]] std::size_t slotOf(FlowId message) const {
        return static_cast<std::size_t>(m_slotOfMessage[static_cast<std::size_t>(message.number() - startOfMessages)]);
    }
    [[nodiscard]] Running &at(std::size_t slot) { return m_slots[slot]; }
    [[nodiscard]] static FlowId messageOf(const Running &ring, std::size_t lane) {
        return FlowId(ring.firstMessage.number() + static_cast<std::int32_t>(lane));
    }
    [[nodiscard]] static std::size_t laneOf(const Running &ring, FlowId message) {
        return static_cast<std::size_t>(message.number() - ring.firstMessage.number());
    }
    /// Called when the shapes have moved: those of the running tasks are now `graph`'s.
    void findShapes(const TaskGraph &graph) {
        for (Running &ring : m_slots)
            if (ring.active)
                ring.shape = &graph.rings[graph.ring[ring.task.index()].index()];
    }

private:
    static constexpr std::int32_t startOfMessages = std::int32_t{1} << 30;
    std::vector<Running> m_slots;
    std::vector<std::int32_t> m_slotOfMessage;
    std::size_t m_running = 0;
};

} // namespace syncopate
