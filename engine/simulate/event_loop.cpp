// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/event_loop.h"

#include "engine/base/numbers.h"
#include "engine/network/fluid.h"
#include "engine/network/network.h"
#include "engine/simulate/bursts.h"
#include "engine/simulate/graph_beginning.h"
#include "engine/simulate/interference.h"
#include "engine/simulate/rings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>

namespace syncopate {

namespace {

/// Events closer than this share of the time since the start are simultaneous: sums of the same durations in another order differ
/// by less, and no duration that matters is shorter. Order among them is decided by the queues' rules alone.
constexpr double momentRounding = 1e-12;
constexpr std::int32_t noGoal = std::numeric_limits<std::int32_t>::min(); ///< no iteration's number

struct Waiting {
    std::uint64_t moment; ///< in which it became ready; 0 in a queue by priority
    std::int64_t orderKey;
    std::int32_t task;
    bool operator>(const Waiting &other) const {
        if (moment != other.moment)
            return moment > other.moment;
        return orderKey != other.orderKey ? orderKey > other.orderKey : task > other.task;
    }
};

struct TimedEnd {
    double seconds;
    std::int32_t task;
    bool operator>(const TimedEnd &other) const { return seconds != other.seconds ? seconds > other.seconds : task > other.task; }
};

/// A queue for tasks with one and the same delay, which end in the order in which they started; a heap would cost O(log n).
/// Messages have few different latencies.
struct DelayLine {
    double seconds = 0;
    std::vector<TimedEnd> waiting; ///< from `next` on
    std::size_t next = 0;
};

template <class T> using MinHeap = std::priority_queue<T, std::vector<T>, std::greater<>>;

struct QueueState {
    MinHeap<Waiting> waiting;
    std::int32_t slotsLeft = 1;
    double windowLeft = 0;
    bool hasWindow = false; ///< that may be full
    bool byPriority = false;
    bool dirty = false; ///< listed for dispatch
};

class Loop {
public:
    Loop(const TaskGraph &graph, Schedule &out)
        : m_graph(graph), m_out(out), m_network(graph.capacityChanges, graph), m_interference(graph), m_bursts(graph),
          m_parentsLeft(graph.parentCount) {
        for (const TaskQueue &queue : graph.queues) {
            QueueState state;
            state.slotsLeft = queue.slotCount;
            state.windowLeft = queue.windowBytes;
            state.hasWindow = queue.windowBytes < infinity;
            state.byPriority = queue.byPriority;
            m_queues.push_back(std::move(state));
        }
        const std::size_t n = graph.size();
        for (auto *column : {&out.readySeconds, &out.startSeconds, &out.endSeconds})
            column->assign(n, infinity);
        for (std::size_t t = 0; t < n; ++t)
            if (m_parentsLeft[t] == 0)
                makeReady(static_cast<std::int32_t>(t));
    }

    /// Until worker class 0 starts the iteration, or to the end.
    void run(std::int32_t iteration, const std::stop_token &stop, Progress *progress) {
        const std::size_t n = m_graph.size();
        if (progress)
            progress->total = n;
        m_goal = iteration;
        m_atGoal = false;
        std::uint64_t batches = 0;
        std::vector<NetworkEvent> ended;
        for (;;) {
            settleNow();
            if (m_done == n)
                break;
            if (m_atGoal)
                return;
            if (++batches % 4096 == 0) {
                if (progress)
                    progress->done = m_done;
                if (stop.stop_requested())
                    return;
            }
            const double nextMoved = m_network.next(m_now);
            const double next = std::min(nextMoved, nextTimed());
            if (next == infinity)
                return; // nothing can move: a cycle, which no kernel makes
            m_now = next;
            ++m_moment;
            const double momentEnd = next * (1 + momentRounding);
            if (nextMoved <= momentEnd)
                moveFlows(nextMoved, ended);
            endTimed(momentEnd);
            for (DelayLine &line : m_delays)
                drain(line, momentEnd, [this](std::int32_t message) { startFlow(message); });
            for (DelayLine &line : m_flights)
                drain(line, momentEnd, [this](std::int32_t task) { arrive(task); });
        }
        m_out.complete = true;
        if (progress)
            progress->done = n;
    }

    /// The graph has grown: its first `tasks` are those that it had. False if another one would have been ready by now.
    bool grow(std::size_t tasks) {
        const std::size_t n = m_graph.size();
        m_parentsLeft.insert(m_parentsLeft.end(), m_graph.parentCount.begin() + static_cast<std::ptrdiff_t>(tasks),
                             m_graph.parentCount.end());
        std::vector<bool> arrived(tasks);
        for (std::size_t t = 0; t < tasks; ++t)
            arrived[t] = m_out.endSeconds[t] != infinity;
        for (const DelayLine &line : m_flights)
            for (std::size_t i = line.next; i < line.waiting.size(); ++i)
                arrived[static_cast<std::size_t>(line.waiting[i].task)] = false;
        for (std::size_t t = 0; t < tasks; ++t) {
            if (!arrived[t])
                continue;
            for (std::uint32_t s = m_graph.successorOffsets[t]; s < m_graph.successorOffsets[t + 1]; ++s)
                if (m_graph.successors[s] >= tasks)
                    --m_parentsLeft[m_graph.successors[s]];
        }
        for (auto *column : {&m_out.readySeconds, &m_out.startSeconds, &m_out.endSeconds})
            column->resize(n, infinity);
        m_rings.findShapes(m_graph);
        m_out.complete = false;
        return std::find(m_parentsLeft.begin() + static_cast<std::ptrdiff_t>(tasks), m_parentsLeft.end(), 0U) ==
               m_parentsLeft.end();
    }

private:
    /// Advances the network to `seconds`; `ended` is a buffer for the events.
    void moveFlows(double seconds, std::vector<NetworkEvent> &ended) {
        m_now = std::max(m_now, seconds);
        ended.clear();
        m_network.advance(m_now, ended);
        for (const NetworkEvent &event : ended)
            finishAny(event.id);
    }

    /// Ends the fixed times up to `momentEnd`.
    void endTimed(double momentEnd) {
        while (!m_timed.empty() && m_timed.top().seconds <= momentEnd) {
            const auto [seconds, task] = m_timed.top();
            m_timed.pop();
            if (m_rings.isMessage(task))
                endLeap(m_rings.slotOf(task));
            else if (m_interference.concerns(task) && !m_interference.ends(task, seconds))
                continue; // it was slowed down or freed since
            else
                afterFixedTime(task);
        }
    }

    void makeReady(std::int32_t task) {
        const auto t = static_cast<std::size_t>(task);
        m_out.readySeconds[t] = m_now;
        const std::int32_t queue = m_graph.queue[t];
        if (queue < 0) {
            start(task);
            return;
        }
        QueueState &state = m_queues[static_cast<std::size_t>(queue)];
        state.waiting.push({state.byPriority ? 0 : m_moment, m_graph.orderKey[t], task});
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
        do {
            while (!m_instant.empty() || !m_dirtyQueues.empty())
                dispatch();
            m_starting.swap(m_ringsAtBoundary);
            for (const std::size_t slot : m_starting)
                startRound(slot);
            m_starting.clear();
        } while (!m_instant.empty() || !m_dirtyQueues.empty() || !m_ringsAtBoundary.empty());
    }

    void dispatch() {
        while (!m_instant.empty()) {
            const std::int32_t task = m_instant.back();
            m_instant.pop_back();
            finishAny(task);
        }
        m_dispatching.swap(m_dirtyQueues);
        for (const std::int32_t queue : m_dispatching) {
            QueueState &state = m_queues[static_cast<std::size_t>(queue)];
            state.dirty = false;
            while (!state.waiting.empty() && state.slotsLeft > 0 && state.windowLeft > 0) {
                const Waiting first = state.waiting.top();
                state.waiting.pop();
                if (state.hasWindow && !takeWindow(queue, first.task)) {
                    m_passedOver.push_back(first);
                    continue;
                }
                --state.slotsLeft;
                start(first.task);
            }
            for (const Waiting &waiting : m_passedOver)
                state.waiting.push(waiting);
            m_passedOver.clear();
        }
        m_dispatching.clear();
    }

    /// Takes the task's share of its queue's window; false where the window is strict and has no room for all of it.
    bool takeWindow(std::int32_t queue, std::int32_t task) {
        QueueState &state = m_queues[static_cast<std::size_t>(queue)];
        const TaskQueue &rules = m_graph.queues[static_cast<std::size_t>(queue)];
        const double bytes = m_graph.windowBytes[static_cast<std::size_t>(task)];
        if (rules.strictWindow && bytes > state.windowLeft + 1e-9 * rules.windowBytes) // rounding of what came back
            return false;
        state.windowLeft -= bytes;
        return true;
    }

    [[nodiscard]] double nextTimed() const {
        double next = m_timed.empty() ? infinity : m_timed.top().seconds;
        for (const auto *lines : {&m_delays, &m_flights})
            for (const DelayLine &line : *lines)
                if (line.next < line.waiting.size())
                    next = std::min(next, line.waiting[line.next].seconds);
        return next;
    }

    static void delay(std::vector<DelayLine> &lines, double seconds, double now, std::int32_t task) {
        for (DelayLine &line : lines)
            if (line.seconds == seconds) {
                line.waiting.push_back({now + seconds, task});
                return;
            }
        lines.push_back({seconds, {{now + seconds, task}}, 0});
    }

    template <class End> static void drain(DelayLine &line, double momentEnd, End end) {
        // Tasks that start while the line is drained end later, if they take any time at all.
        while (line.next < line.waiting.size() && line.waiting[line.next].seconds <= momentEnd)
            end(line.waiting[line.next++].task);
        if (line.next == line.waiting.size()) {
            line.waiting.clear();
            line.next = 0;
        }
    }

    void start(std::int32_t task) {
        const auto t = static_cast<std::size_t>(task);
        m_out.startSeconds[t] = m_now;
        ++m_out.events;
        if (m_graph.iteration[t] == m_goal && m_graph.kind[t] == TaskKind::Forward && m_graph.worker[t] == 0)
            m_atGoal = true;
        traffic(task, 1);
        if (!m_graph.rings.empty() && m_graph.ring[t] >= 0) {
            const RingShape &shape = m_graph.rings[static_cast<std::size_t>(m_graph.ring[t])];
            m_ringsAtBoundary.push_back(m_rings.begin(shape, task, m_graph.sizeBytes[t] / shape.steps));
        } else if (!(m_graph.fixedSeconds[t] > 0)) {
            afterFixedTime(task);
        } else {
            m_timed.push(
                {m_interference.concerns(task) ? m_interference.begin(task, m_now) : m_now + m_graph.fixedSeconds[t], task});
        }
    }

    void traffic(std::int32_t task, std::int32_t change) {
        m_interference.traffic(task, change, m_now, [this](std::int32_t op, double end) { m_timed.push({end, op}); });
    }

    void afterFixedTime(std::int32_t task) {
        const auto t = static_cast<std::size_t>(task);
        double bytes = m_graph.path[t] >= 0 ? m_graph.sizeBytes[t] : 0;
        if (m_bursts.any() && bytes > 0 && usesTokens(m_graph.kind[t]))
            bytes = m_bursts.begin(m_graph.path[t], bytes, m_now);
        if (bytes > 0)
            m_network.start(task, PathId(m_graph.path[t]), bytes, m_now);
        else
            m_instant.push_back(task);
    }

    void finish(std::int32_t task) {
        const auto t = static_cast<std::size_t>(task);
        m_out.endSeconds[t] = m_now;
        ++m_out.events;
        traffic(task, -1);
        if (m_bursts.any() && usesTokens(m_graph.kind[t]) && m_graph.path[t] >= 0 && m_graph.sizeBytes[t] > 0)
            m_bursts.end(m_graph.path[t], m_now);
        const std::int32_t queue = m_graph.releases[t];
        if (queue >= 0) {
            QueueState &state = m_queues[static_cast<std::size_t>(queue)];
            ++state.slotsLeft;
            if (state.hasWindow)
                state.windowLeft += m_graph.windowBytes[t];
            markDirty(queue);
        }
        if (m_graph.flightSeconds[t] > 0)
            delay(m_flights, m_graph.flightSeconds[t], m_now, task);
        else
            arrive(task);
    }

    void arrive(std::int32_t task) {
        const auto t = static_cast<std::size_t>(task);
        ++m_done;
        for (std::uint32_t s = m_graph.successorOffsets[t]; s < m_graph.successorOffsets[t + 1]; ++s) {
            const std::uint32_t child = m_graph.successors[s];
            if (--m_parentsLeft[child] == 0)
                makeReady(static_cast<std::int32_t>(child));
        }
    }

    void finishAny(std::int32_t id) {
        if (m_rings.isMessage(id))
            finishMessage(id);
        else
            finish(id);
    }

    // Rings, step by step.

    /// Every lane of the ring has done the same steps and none is under way.
    void startRound(std::size_t slot) {
        if (leap(slot))
            return;
        Rings::Running &ring = m_rings.at(slot);
        for (std::size_t lane = 0; lane < ring.done.size(); ++lane)
            startMessage(ring, lane);
    }

    /// A folded ring (one lane inside the node, one outside) that has the links to itself takes equal steps until something
    /// else happens: they are done at once. Exact, because only what is timed already, or a change of a link's rate, can happen
    /// before.
    bool leap(std::size_t slot) {
        Rings::Running &ring = m_rings.at(slot);
        const std::size_t lanes = ring.done.size();
        if (lanes > 2 || m_rings.runningCount() > 1 || !m_network.links().idle())
            return false;
        double step = 0;
        for (const RingLane &lane : ring.shape->lanes)
            step = std::max(step, lane.fixedSeconds + ring.stepBytes / m_network.links().rateAlone(lane.path));
        const double left = ring.shape->steps - ring.done.front();
        const double whole = std::min(left, std::floor((std::min(nextTimed(), m_network.nextChange()) - m_now) / step));
        if (!(whole >= 2))
            return false;
        ring.leapSteps = static_cast<std::int32_t>(whole);
        m_timed.push({m_now + whole * step, ring.firstMessage});
        return true;
    }

    void endLeap(std::size_t slot) {
        Rings::Running &ring = m_rings.at(slot);
        m_out.events += 2 * static_cast<std::uint64_t>(ring.leapSteps) * ring.done.size();
        for (std::int32_t &done : ring.done)
            done += ring.leapSteps;
        ring.leapSteps = 0;
        if (ring.done.front() == ring.shape->steps)
            endRing(slot);
        else
            m_ringsAtBoundary.push_back(slot);
    }

    void startMessage(Rings::Running &ring, std::size_t lane) {
        ++m_out.events;
        const std::int32_t message = ring.firstMessage + static_cast<std::int32_t>(lane);
        const double seconds = ring.shape->lanes[lane].fixedSeconds;
        if (!(seconds > 0)) {
            startFlow(message);
            return;
        }
        delay(m_delays, seconds, m_now, message);
    }

    void startFlow(std::int32_t message) {
        const Rings::Running &ring = m_rings.at(m_rings.slotOf(message));
        const auto lane = static_cast<std::size_t>(message - ring.firstMessage);
        if (ring.stepBytes > 0)
            m_network.start(message, PathId(ring.shape->lanes[lane].path), ring.stepBytes, m_now);
        else
            m_instant.push_back(message);
    }

    void finishMessage(std::int32_t message) {
        ++m_out.events;
        const std::size_t slot = m_rings.slotOf(message);
        Rings::Running &ring = m_rings.at(slot);
        const std::size_t lanes = ring.done.size();
        const auto lane = static_cast<std::size_t>(message - ring.firstMessage);
        const std::int32_t done = ++ring.done[lane];
        if (lanes <= 2) { // may leap: wait for the other lane, which has nothing to do before this one is through either
            if (ring.done.back() == ring.done.front()) {
                if (done == ring.shape->steps)
                    endRing(slot);
                else
                    m_ringsAtBoundary.push_back(slot);
            }
            return;
        }
        if (done == ring.shape->steps) {
            if (--ring.lanesLeft == 0)
                endRing(slot);
        } else if (ring.done[lane == 0 ? lanes - 1 : lane - 1] >= done) {
            startMessage(ring, lane);
        }
        const std::size_t next = lane + 1 == lanes ? 0 : lane + 1;
        if (ring.done[next] == done && done < ring.shape->steps)
            startMessage(ring, next); // it had done this step before and waited
    }

    void endRing(std::size_t slot) {
        const std::int32_t task = m_rings.at(slot).task;
        m_rings.end(slot);
        finish(task);
    }

    const TaskGraph &m_graph;
    Schedule &m_out;
    NetworkOverTime<FluidLinks> m_network;
    Interference m_interference;
    Bursts m_bursts;
    std::vector<std::uint32_t> m_parentsLeft;
    std::vector<QueueState> m_queues;
    std::vector<std::int32_t> m_dirtyQueues, m_dispatching, m_instant;
    std::vector<Waiting> m_passedOver; ///< dispatch(): larger than what is left of a strict window
    MinHeap<TimedEnd> m_timed;
    std::vector<DelayLine> m_delays;  ///< messages of rings before they flow
    std::vector<DelayLine> m_flights; ///< tasks whose bytes have left and not arrived
    Rings m_rings;
    std::vector<std::size_t> m_ringsAtBoundary, m_starting; ///< rings whose next round starts at this moment
    double m_now = 0;
    std::uint64_t m_moment = 0; ///< counts the moments at which something happened
    std::size_t m_done = 0;
    std::int32_t m_goal = noGoal; ///< iteration at whose start run() returns
    bool m_atGoal = false;
};

} // namespace

Schedule runEventLoop(const TaskGraph &graph, std::stop_token stop, Progress *progress) {
    Schedule schedule;
    Loop(graph, schedule).run(noGoal, stop, progress);
    return schedule;
}

struct Playback::Played {
    explicit Played(TaskGraph played) : graph(std::move(played)), loop(std::in_place, graph, schedule) {}
    TaskGraph graph;
    Schedule schedule;
    std::optional<Loop> loop; ///< of graph and schedule
};

Playback::Playback(TaskGraph graph) : m_played(std::make_unique<Played>(std::move(graph))) {}
Playback::~Playback() = default;

void Playback::playToIteration(std::int32_t iteration, const std::stop_token &stop, Progress *progress) {
    m_played->loop->run(iteration, stop, progress);
}

void Playback::playToEnd(const std::stop_token &stop, Progress *progress) { m_played->loop->run(noGoal, stop, progress); }

void Playback::extend(TaskGraph longer) {
    const std::size_t tasks = m_played->graph.size();
    const bool goesOn = isBeginningOf(m_played->graph, longer);
    m_played->graph = std::move(longer);
    if (goesOn && m_played->loop->grow(tasks))
        return;
    m_played->schedule = {};
    m_played->loop.emplace(m_played->graph, m_played->schedule);
}

const TaskGraph &Playback::graph() const { return m_played->graph; }
const Schedule &Playback::schedule() const { return m_played->schedule; }
TaskGraph Playback::takeGraph() { return std::move(m_played->graph); }
Schedule Playback::takeSchedule() { return std::move(m_played->schedule); }

} // namespace syncopate
