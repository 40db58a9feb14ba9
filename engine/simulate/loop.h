// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to the room: the event loop, for any network. It is a template since it calls its network a hundred million times a
// second; fluid_loop.cpp and tcp_loop.cpp instantiate it.

#include "engine/base/numbers.h"
#include "engine/network/network.h"
#include "engine/simulate/bursts.h"
#include "engine/simulate/delay_lines.h"
#include "engine/simulate/event_loop.h"
#include "engine/simulate/graph_player.h"
#include "engine/simulate/interference.h"
#include "engine/simulate/rings.h"
#include "engine/simulate/slot_queues.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>

namespace syncopate {

/// A network that knows the rate of a flow while no other is under way, so that steps on idle links need not be played one by
/// one.
template <class N>
concept TellsRatesAlone = Network<N> && requires(const N network, PathId path) {
    { network.idle() } -> std::same_as<bool>;
    { network.rateAlone(path) } -> std::same_as<double>;
};

template <Network Links> class Loop final : public GraphPlayer {
public:
    Loop(const TaskGraph &graph, Schedule &out)
        : m_graph(graph), m_out(out), m_network(graph.capacityChanges, graph), m_interference(graph), m_bursts(graph),
          m_parentsLeft(graph.parentCount), m_queues(graph) {
        const std::size_t n = graph.size();
        for (auto *column : {&out.readySeconds, &out.startSeconds, &out.endSeconds})
            column->assign(n, infinity);
        for (std::size_t t = 0; t < n; ++t)
            if (m_parentsLeft[t] == 0)
                makeReady(TaskId(t));
    }

    void run(std::int32_t iteration, const std::stop_token &stop, Progress *progress) override {
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
            if (++batches % batchesPerLook == 0) {
                if (progress)
                    progress->done = m_done;
                if (stop.stop_requested())
                    return;
            }
            const double nextMoved = m_network.next(m_now);
            const double next = std::min(nextMoved, nextTimed());
            if (next == infinity)
                return; // nothing can progress: a cycle, which no kernel makes
            m_now = next;
            ++m_moment;
            const double momentEnd = next * (1 + momentRounding);
            if (nextMoved <= momentEnd)
                moveFlows(nextMoved, ended);
            endTimed(momentEnd);
            m_delays.drain(momentEnd, [this](FlowId message) { startFlow(message); });
            m_flights.drain(momentEnd, [this](TaskId task) { arrive(task); });
        }
        m_out.complete = true;
        if (progress)
            progress->done = n;
    }

    bool grow(std::size_t tasks) override {
        const std::size_t n = m_graph.size();
        m_parentsLeft.insert(m_parentsLeft.end(), m_graph.parentCount.begin() + static_cast<std::ptrdiff_t>(tasks),
                             m_graph.parentCount.end());
        std::vector<bool> arrived(tasks);
        for (std::size_t t = 0; t < tasks; ++t)
            arrived[t] = m_out.endSeconds[t] != infinity;
        m_flights.forEach([&arrived](TaskId task) { arrived[task.index()] = false; });
        for (std::size_t t = 0; t < tasks; ++t) {
            if (!arrived[t])
                continue;
            for (std::uint32_t s = m_graph.successorOffsets[t]; s < m_graph.successorOffsets[t + 1]; ++s)
                if (const std::size_t child = m_graph.successors[s].index(); child >= tasks)
                    --m_parentsLeft[child];
        }
        for (auto *column : {&m_out.readySeconds, &m_out.startSeconds, &m_out.endSeconds})
            column->resize(n, infinity);
        m_rings.findShapes(m_graph);
        m_out.complete = false;
        return std::find(m_parentsLeft.begin() + static_cast<std::ptrdiff_t>(tasks), m_parentsLeft.end(), 0U) ==
               m_parentsLeft.end();
    }

private:
    /// Batches between two looks at the stop token. A batch of a network of queues can be thousands of moves, and one of hundreds
    /// of senders and servers shares many links anew.
    static constexpr std::uint64_t batchesPerLook = TellsRatesAlone<Links> ? 64 : 16;

    /// Advances the network to `seconds`; `ended` is a reused buffer for its events.
    void moveFlows(double seconds, std::vector<NetworkEvent> &ended) {
        m_now = std::max(m_now, seconds);
        ended.clear();
        m_network.advance(m_now, ended);
        for (const NetworkEvent &event : ended)
            finishAny(event.flow);
    }

    /// Ends fixed-time tasks due by `momentEnd`.
    void endTimed(double momentEnd) {
        while (!m_timed.empty() && m_timed.top().seconds <= momentEnd) {
            const auto [seconds, flow] = m_timed.top();
            m_timed.pop();
            if (Rings::isMessage(flow))
                endLeap(m_rings.slotOf(flow));
            else if (const TaskId task = Rings::taskOf(flow);
                     m_interference.concerns(task) && !m_interference.ends(task, seconds))
                continue; // outdated: its end has moved since
            else
                afterFixedTime(task);
        }
    }

    /// Whether the loop keeps the links' token buckets; links that serve first come, first served have their own.
    [[nodiscard]] bool countsTokens() const { return TellsRatesAlone<Links> && m_bursts.any(); }

    void makeReady(TaskId task) {
        const std::size_t t = task.index();
        m_out.readySeconds[t] = m_now;
        const QueueId queue = m_graph.queue[t];
        if (!queue.exists()) {
            start(task);
            return;
        }
        m_queues.wait(queue, task, m_moment);
    }

    /// Dispatches until nothing more can start at this moment. Tasks of no duration end at once and may make others ready, so a
    /// queue chooses only after everything at this moment has happened.
    void settleNow() {
        do {
            while (!m_instant.empty() || m_queues.haveNews())
                dispatch();
            m_starting.swap(m_ringsAtBoundary);
            for (const std::size_t slot : m_starting)
                startRound(slot);
            m_starting.clear();
        } while (!m_instant.empty() || m_queues.haveNews() || !m_ringsAtBoundary.empty());
    }

    void dispatch() {
        while (!m_instant.empty()) {
            const FlowId flow = m_instant.back();
            m_instant.pop_back();
            finishAny(flow);
        }
        m_queues.dispatch([this](TaskId task) { start(task); });
    }

    [[nodiscard]] double nextTimed() const {
        const double next = m_timed.empty() ? infinity : m_timed.top().seconds;
        return std::min(next, std::min(m_delays.next(), m_flights.next()));
    }

    void start(TaskId task) {
        const std::size_t t = task.index();
        m_out.startSeconds[t] = m_now;
        ++m_out.events;
        if (m_graph.iteration[t] == m_goal && m_graph.kind[t] == TaskKind::Forward && m_graph.worker[t] == WorkerClassId(0))
            m_atGoal = true;
        traffic(task, 1);
        if (!m_graph.rings.empty() && m_graph.ring[t].exists()) {
            const RingShape &shape = m_graph.rings[m_graph.ring[t].index()];
            m_ringsAtBoundary.push_back(m_rings.begin(shape, task, m_graph.sizeBytes[t] / shape.steps));
        } else if (!(m_graph.fixedSeconds[t] > 0)) {
            afterFixedTime(task);
        } else {
            m_timed.push({m_interference.concerns(task) ? m_interference.begin(task, m_now) : m_now + m_graph.fixedSeconds[t],
                          Rings::flowOf(task)});
        }
    }

    void traffic(TaskId task, std::int32_t change) {
        m_interference.traffic(task, change, m_now, [this](TaskId op, double end) { m_timed.push({end, Rings::flowOf(op)}); });
    }

    void afterFixedTime(TaskId task) {
        const std::size_t t = task.index();
        double bytes = m_graph.path[t].exists() ? m_graph.sizeBytes[t] : 0;
        if (countsTokens() && bytes > 0 && usesTokens(m_graph.kind[t]))
            bytes = m_bursts.begin(m_graph.path[t], bytes, m_now);
        if (bytes > 0)
            m_network.start(Rings::flowOf(task), m_graph.path[t], bytes, m_now);
        else
            m_instant.push_back(Rings::flowOf(task));
    }

    void finish(TaskId task) {
        const std::size_t t = task.index();
        m_out.endSeconds[t] = m_now;
        ++m_out.events;
        traffic(task, -1);
        if (countsTokens() && usesTokens(m_graph.kind[t]) && m_graph.path[t].exists() && m_graph.sizeBytes[t] > 0)
            m_bursts.end(m_graph.path[t], m_now);
        const QueueId queue = m_graph.releases[t];
        if (queue.exists())
            m_queues.release(queue, task);
        if (m_graph.flightSeconds[t] > 0)
            m_flights.add(m_graph.flightSeconds[t], m_now, task);
        else
            arrive(task);
    }

    void arrive(TaskId task) {
        const std::size_t t = task.index();
        ++m_done;
        for (std::uint32_t s = m_graph.successorOffsets[t]; s < m_graph.successorOffsets[t + 1]; ++s) {
            const TaskId child = m_graph.successors[s];
            if (--m_parentsLeft[child.index()] == 0)
                makeReady(child);
        }
    }

    void finishAny(FlowId flow) {
        if (Rings::isMessage(flow))
            finishMessage(flow);
        else
            finish(Rings::taskOf(flow));
    }

    // Rings, step by step.

    /// Starts the next step of a ring whose lanes have all done the same number of steps, with none under way.
    void startRound(std::size_t slot) {
        if constexpr (TellsRatesAlone<Links>)
            if (leap(slot))
                return;
        Rings::Running &ring = m_rings.at(slot);
        for (std::size_t lane = 0; lane < ring.done.size(); ++lane)
            startMessage(ring, lane);
    }

    /// A folded ring (one lane inside the node, one outside) that has its links to itself takes equal steps until something else
    /// happens, so these are done in one leap. This is exact: nothing can happen sooner than the next timed event or the next
    /// change of a link's rate.
    bool leap(std::size_t slot) requires TellsRatesAlone<Links> {
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
        const FlowId message = Rings::messageOf(ring, lane);
        const double seconds = ring.shape->lanes[lane].fixedSeconds;
        if (!(seconds > 0)) {
            startFlow(message);
            return;
        }
        m_delays.add(seconds, m_now, message);
    }

    void startFlow(FlowId message) {
        const Rings::Running &ring = m_rings.at(m_rings.slotOf(message));
        const std::size_t lane = Rings::laneOf(ring, message);
        if (ring.stepBytes > 0)
            m_network.start(message, ring.shape->lanes[lane].path, ring.stepBytes, m_now);
        else
            m_instant.push_back(message);
    }

    void finishMessage(FlowId message) {
        ++m_out.events;
        const std::size_t slot = m_rings.slotOf(message);
        Rings::Running &ring = m_rings.at(slot);
        const std::size_t lanes = ring.done.size();
        const std::size_t lane = Rings::laneOf(ring, message);
        const std::int32_t done = ++ring.done[lane];
        if (lanes <= 2) { // it may leap: wait for the other lane, which has nothing to do until this one is done either
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
            startMessage(ring, next); // the next lane had done this step already and was waiting
    }

    void endRing(std::size_t slot) {
        const TaskId task = m_rings.at(slot).task;
        m_rings.end(slot);
        finish(task);
    }

    const TaskGraph &m_graph;
    Schedule &m_out;
    NetworkOverTime<Links> m_network;
    Interference m_interference;
    Bursts m_bursts;
    std::vector<std::uint32_t> m_parentsLeft;
    SlotQueues m_queues;
    std::vector<FlowId> m_instant;
    MinHeap<TimedEnd<FlowId>> m_timed;
    DelayLines<FlowId> m_delays;  ///< messages of rings that wait out their fixed time before they flow
    DelayLines<TaskId> m_flights; ///< tasks whose bytes have been sent but not yet arrived
    Rings m_rings;
    std::vector<std::size_t> m_ringsAtBoundary, m_starting; ///< rings whose next step starts at this moment
    double m_now = 0;
    std::uint64_t m_moment = 0; ///< counts the moments at which something happens
    std::size_t m_done = 0;
    std::int32_t m_goal = noGoal; ///< run() returns when this iteration starts
    bool m_atGoal = false;
};

} // namespace syncopate
