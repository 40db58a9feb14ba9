// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/graph/task_graph.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace syncopate {

/// Slows compute streams while their worker communicates (TaskGraph::workerSlowdown), because a collective's kernels take compute
/// units and memory bandwidth. A stream does one op at a time; whenever its worker begins or stops communicating, the op under
/// way gets a new end. O(1) a change; free for workers that are not slowed down.
class Interference {
public:
    explicit Interference(const TaskGraph &graph) : m_graph(graph), m_streams(graph.workerSlowdown.size()) {
        m_any = std::any_of(graph.workerSlowdown.begin(), graph.workerSlowdown.end(), [](double s) { return s > 1; });
    }

    /// Whether the task is a compute op whose end may change.
    [[nodiscard]] bool concerns(TaskId task) const {
        if (!m_any)
            return false;
        const std::size_t t = task.index();
        return isCompute(m_graph.kind[t]) && m_graph.workerSlowdown[m_graph.worker[t].index()] > 1;
    }
    /// Starts such an op at `now`; returns its end under present conditions.
    [[nodiscard]] double begin(TaskId task, double now) {
        const std::size_t t = task.index();
        Stream &stream = m_streams[m_graph.worker[t].index()];
        stream.task = task;
        stream.leftSeconds = m_graph.fixedSeconds[t];
        return plan(stream, m_graph.worker[t], now);
    }
    /// Whether `task` ends at `seconds`; an end planned before a change no longer counts.
    [[nodiscard]] bool ends(TaskId task, double seconds) {
        Stream &stream = m_streams[m_graph.worker[task.index()].index()];
        if (stream.task != task || stream.endSeconds != seconds)
            return false;
        stream.task = {};
        return true;
    }
    /// `task` starts (`change` 1) or stops (-1) moving bytes. `replan(task, end)` receives the new end of each op concerned.
    template <class Replan> void traffic(TaskId task, std::int32_t change, double now, Replan replan) {
        const std::size_t t = task.index();
        if (!m_any || (!m_graph.path[t].exists() && !m_graph.ring[t].exists()))
            return;
        const WorkerClassId only = m_graph.worker[t]; // none: a collective of all, or a message between servers without workers
        if (!only.exists() && m_graph.kind[t] == TaskKind::Transfer)
            return;
        const WorkerClassId end = only.exists() ? only.next() : WorkerClassId(m_streams.size());
        for (WorkerClassId w = only.exists() ? only : WorkerClassId(0); w < end; w = w.next()) {
            Stream &stream = m_streams[w.index()];
            const bool before = stream.messages > 0;
            stream.messages += change;
            if (before == (stream.messages > 0) || !stream.task.exists() || !(m_graph.workerSlowdown[w.index()] > 1))
                continue;
            stream.leftSeconds = std::max(0.0, stream.leftSeconds - (now - stream.sinceSeconds) / stream.factor);
            replan(stream.task, plan(stream, w, now));
        }
    }

private:
    struct Stream {
        std::int32_t messages = 0; ///< under way
        TaskId task;               ///< the op under way
        double leftSeconds = 0;    ///< of it at `sinceSeconds`, alone
        double sinceSeconds = 0, factor = 1, endSeconds = 0;
    };
    double plan(Stream &stream, WorkerClassId worker, double now) {
        stream.sinceSeconds = now;
        stream.factor = stream.messages > 0 ? m_graph.workerSlowdown[worker.index()] : 1;
        return stream.endSeconds = now + stream.leftSeconds * stream.factor;
    }

    const TaskGraph &m_graph;
    std::vector<Stream> m_streams;
    bool m_any = false;
};

} // namespace syncopate
