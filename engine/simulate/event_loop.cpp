// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/event_loop.h"

#include "engine/simulate/fluid.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace syncopate {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Waiting {
    double ready; ///< 0 in a queue by priority
    std::int64_t orderKey;
    std::int32_t task;
    bool operator>(const Waiting &other) const {
        if (ready != other.ready)
            return ready > other.ready;
        return orderKey != other.orderKey ? orderKey > other.orderKey : task > other.task;
    }
};

struct TimedEnd {
    double seconds;
    std::int32_t task;
    bool operator>(const TimedEnd &other) const { return seconds != other.seconds ? seconds > other.seconds : task > other.task; }
};

template <class T> using MinHeap = std::priority_queue<T, std::vector<T>, std::greater<>>;

struct QueueState {
    MinHeap<Waiting> waiting;
    std::int32_t slotsLeft = 1;
    double windowLeft = 0;
    bool dirty = false; ///< listed for dispatch
};

class Loop {
public:
    Loop(const TaskGraph &graph, Schedule &out) : m_graph(graph), m_out(out), m_fluid(graph), m_parentsLeft(graph.parentCount) {
        for (const TaskQueue &queue : graph.queues) {
            QueueState state;
            state.slotsLeft = queue.slotCount;
            state.windowLeft = queue.windowBytes;
            m_queues.push_back(std::move(state));
        }
        const std::size_t n = graph.size();
        out.readySeconds.assign(n, 0);
        out.startSeconds.assign(n, 0);
        out.endSeconds.assign(n, 0);
    }

    void run(const std::stop_token &stop, Progress *progress) {
        const std::size_t n = m_graph.size();
        if (progress)
            progress->total = n;
        for (std::size_t t = 0; t < n; ++t)
            if (m_parentsLeft[t] == 0)
                makeReady(static_cast<std::int32_t>(t));
        std::uint64_t batches = 0;
        std::vector<std::int32_t> ended;
        for (;;) {
            settleNow();
            if (m_done == n)
                break;
            if (++batches % 4096 == 0) {
                if (progress)
                    progress->done = m_done;
                if (stop.stop_requested())
                    return;
            }
            m_fluid.settle();
            const double nextFlow = m_fluid.idle() ? infinity : m_now + m_fluid.secondsToNextEnd();
            const double nextTimed = m_timed.empty() ? infinity : m_timed.top().seconds;
            const double next = std::min(nextFlow, nextTimed);
            if (next == infinity)
                return; // nothing can move: a cycle, which no kernel makes
            ended.clear();
            m_fluid.advance(next - m_now, ended);
            m_now = next;
            for (const std::int32_t task : ended)
                finish(task);
            while (!m_timed.empty() && m_timed.top().seconds <= m_now) {
                const std::int32_t task = m_timed.top().task;
                m_timed.pop();
                afterFixedTime(task);
            }
        }
        m_out.complete = true;
        if (progress)
            progress->done = n;
    }

private:
    void makeReady(std::int32_t task) {
        const auto t = static_cast<std::size_t>(task);
        m_out.readySeconds[t] = m_now;
        const std::int32_t queue = m_graph.queue[t];
        if (queue < 0) {
            start(task);
            return;
        }
        QueueState &state = m_queues[static_cast<std::size_t>(queue)];
        state.waiting.push({m_graph.queues[static_cast<std::size_t>(queue)].byPriority ? 0 : m_now, m_graph.orderKey[t], task});
        markDirty(queue);
    }

    void markDirty(std::int32_t queue) {
        QueueState &state = m_queues[static_cast<std::size_t>(queue)];
        if (!state.dirty) {
            state.dirty = true;
            m_dirtyQueues.push_back(queue);
        }
    }

    /// Dispatches until nothing more can start at this moment. Tasks that take no time end at once and may ready others,
    /// so everything that happens at one moment is seen before a queue chooses.
    void settleNow() {
        while (!m_instant.empty() || !m_dirtyQueues.empty()) {
            while (!m_instant.empty()) {
                const std::int32_t task = m_instant.back();
                m_instant.pop_back();
                finish(task);
            }
            m_dispatching.swap(m_dirtyQueues);
            for (const std::int32_t queue : m_dispatching) {
                QueueState &state = m_queues[static_cast<std::size_t>(queue)];
                state.dirty = false;
                while (!state.waiting.empty() && state.slotsLeft > 0 && state.windowLeft > 0) {
                    const std::int32_t task = state.waiting.top().task;
                    state.waiting.pop();
                    --state.slotsLeft;
                    state.windowLeft -= m_graph.windowBytes[static_cast<std::size_t>(task)];
                    start(task);
                }
            }
            m_dispatching.clear();
        }
    }

    void start(std::int32_t task) {
        const auto t = static_cast<std::size_t>(task);
        m_out.startSeconds[t] = m_now;
        ++m_out.events;
        if (m_graph.fixedSeconds[t] > 0)
            m_timed.push({m_now + m_graph.fixedSeconds[t], task});
        else
            afterFixedTime(task);
    }

    void afterFixedTime(std::int32_t task) {
        const auto t = static_cast<std::size_t>(task);
        if (m_graph.path[t] >= 0 && m_graph.sizeBytes[t] > 0)
            m_fluid.start(task, m_graph.path[t], m_graph.sizeBytes[t]);
        else
            m_instant.push_back(task);
    }

    void finish(std::int32_t task) {
        const auto t = static_cast<std::size_t>(task);
        m_out.endSeconds[t] = m_now;
        ++m_out.events;
        ++m_done;
        const std::int32_t queue = m_graph.releases[t];
        if (queue >= 0) {
            QueueState &state = m_queues[static_cast<std::size_t>(queue)];
            ++state.slotsLeft;
            state.windowLeft += m_graph.windowBytes[t];
            markDirty(queue);
        }
        for (std::uint32_t s = m_graph.successorOffsets[t]; s < m_graph.successorOffsets[t + 1]; ++s) {
            const std::uint32_t child = m_graph.successors[s];
            if (--m_parentsLeft[child] == 0)
                makeReady(static_cast<std::int32_t>(child));
        }
    }

    const TaskGraph &m_graph;
    Schedule &m_out;
    FluidLinks m_fluid;
    std::vector<std::uint32_t> m_parentsLeft;
    std::vector<QueueState> m_queues;
    std::vector<std::int32_t> m_dirtyQueues, m_dispatching, m_instant;
    MinHeap<TimedEnd> m_timed;
    double m_now = 0;
    std::size_t m_done = 0;
};

} // namespace

Schedule runEventLoop(const TaskGraph &graph, std::stop_token stop, Progress *progress) {
    Schedule schedule;
    Loop(graph, schedule).run(stop, progress);
    return schedule;
}

} // namespace syncopate
