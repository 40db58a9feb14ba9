// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/numbers.h"
#include "engine/graph/task_graph.h"

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <utility>
#include <vector>

namespace syncopate {

template <class T> using MinHeap = std::priority_queue<T, std::vector<T>, std::greater<>>;

/// The queues of a task graph while it is played: which tasks wait, and which of them start when slots and windows have room. All
/// tasks that become ready at one moment are known before a queue chooses, so that the order of events within it decides nothing.
class SlotQueues {
public:
    explicit SlotQueues(const TaskGraph &graph) : m_graph(graph) {
        for (const TaskQueue &queue : graph.queues) {
            State state;
            state.slotsLeft = queue.slotCount;
            state.windowLeft = queue.windowBytes;
            state.hasWindow = queue.windowBytes < infinity;
            state.isStrict = queue.strictWindow && state.hasWindow;
            state.rounding = state.hasWindow ? windowRounding * queue.windowBytes : 0;
            state.byPriority = queue.byPriority;
            m_queues.push_back(std::move(state));
        }
    }

    /// The task is ready. `moment` counts the moments at which something happened: first come, first served.
    void wait(QueueId queue, TaskId task, std::uint64_t moment) {
        State &state = m_queues[queue.index()];
        auto &waiting = state.isStrict ? state.waitingBySize[m_graph.windowBytes[task.index()]] : state.waiting;
        waiting.push({state.byPriority ? 0 : moment, m_graph.orderKey[task.index()], task.number()});
        markDirty(queue);
    }
    /// The task returns its slot, and its share of the window.
    void release(QueueId queue, TaskId task) {
        State &state = m_queues[queue.index()];
        ++state.slotsLeft;
        if (state.hasWindow)
            state.windowLeft += m_graph.windowBytes[task.index()];
        markDirty(queue);
    }
    /// Whether some queue may have a task that can start.
    [[nodiscard]] bool haveNews() const { return !m_dirtyQueues.empty(); }
    /// Calls `start` for every task that can start now, queue by queue.
    template <class Start> void dispatch(Start start) {
        m_dispatching.swap(m_dirtyQueues);
        for (const QueueId queue : m_dispatching) {
            State &state = m_queues[queue.index()];
            state.dirty = false;
            while (state.slotsLeft > 0 && state.windowLeft > state.rounding) {
                MinHeap<Waiting> *const waiting = state.isStrict ? firstThatFits(queue) : &state.waiting;
                if (waiting == nullptr || waiting->empty())
                    break;
                const TaskId task(waiting->top().task);
                waiting->pop();
                if (state.hasWindow)
                    state.windowLeft -= m_graph.windowBytes[task.index()];
                --state.slotsLeft;
                start(task);
            }
        }
        m_dispatching.clear();
    }

private:
    static constexpr double windowRounding = 1e-9; ///< share of a window
    struct Waiting {
        std::uint64_t moment; ///< in which it became ready; 0 in a queue by priority
        std::int64_t orderKey;
        std::int32_t task; ///< TaskId::number(): with a TaskId here GCC 12 orders the heap by a few more instructions
        bool operator>(const Waiting &other) const {
            if (moment != other.moment)
                return moment > other.moment;
            return orderKey != other.orderKey ? orderKey > other.orderKey : task > other.task;
        }
    };

    struct State {
        MinHeap<Waiting> waiting;
        std::map<double, MinHeap<Waiting>> waitingBySize; ///< instead, of a strict window: by TaskGraph::windowBytes
        std::int32_t slotsLeft = 1;
        double windowLeft = 0;
        double rounding = 0;    ///< a window with no more bytes left than this is full: sums of pieces are rounded
        bool hasWindow = false; ///< that may be full
        bool isStrict = false;  ///< it has a window, with room for all of a task or none
        bool byPriority = false;
        bool dirty = false; ///< listed for dispatch
    };

    void markDirty(QueueId queue) {
        State &state = m_queues[queue.index()];
        if (!state.dirty) {
            state.dirty = true;
            m_dirtyQueues.push_back(queue);
        }
    }

    /// Of the tasks that a strict window has room for, those of the size of the first; null where it has room for none. O(sizes),
    /// which are few, while the tasks of a size may be all pieces of a job.
    MinHeap<Waiting> *firstThatFits(QueueId queue) {
        State &state = m_queues[queue.index()];
        const double room = state.windowLeft + state.rounding;
        MinHeap<Waiting> *first = nullptr;
        for (auto &[bytes, waiting] : state.waitingBySize)
            if (bytes <= room && !waiting.empty() && (first == nullptr || first->top() > waiting.top()))
                first = &waiting;
        return first;
    }

    const TaskGraph &m_graph;
    std::vector<State> m_queues;
    std::vector<QueueId> m_dirtyQueues, m_dispatching;
};

} // namespace syncopate
